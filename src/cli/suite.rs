//! `plyscope suite`: several searches solve a test suite.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::columns::ColumnOptions;
use super::failure::complain;
use super::output;
use super::part::Part;
use super::suite_run::{Run, Suite, Watch};
use super::{Failure, terminal};
use report::suite::{self, Results};
use report::text::Style;
use studies::suite::Answers;
use text::sanitise;

/// The nodes per position if no budget is given.
const DEFAULT_NODES: u64 = 30_000;

/// Solve the positions of an EPD file with several searches and report who solved what.
///
/// A position is solved by one of the moves in bm; without bm, by any move that am does not name; otherwise by a mate at
/// least as short as dm says (with the move that begins it). A c0 such as "e4=10, d4=5" gives points for moves. Solve rates
/// have 95 % intervals by Wilson's score, points by the normal distribution over positions; two columns are compared by
/// McNemar's exact test on the positions that both answered. "To the solution" is what was spent until the moment from
/// which on the search would have played a solving move (for a mate: the final move with a decided value); it is at most
/// about 2 % too late.
///
/// Each column searches each position with the same budget, by default 30,000 nodes on one thread, which makes the result
/// reproducible. Ctrl-C ends the run and prints the results so far; a second Ctrl-C ends the program.
///
/// With --csv, there is one line per position and column: number, title, fen, task (bm, am or dm), column, solved, points,
/// possible (points), best_uci, best_san, expected, cp, mate, nodes, cpu_ms, depth, kept_nodes, kept_cpu_ms (up to the
/// solution), trouble.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope suite wac.epd
  plyscope suite wac.epd -a alpha-beta -a mcts -a mcts:fpu=0.2 --nodes 100k
  plyscope suite wac.epd -a distress --engine stockfish --time 500ms --cores 2 --verbose
  plyscope suite wac.epd --nodes 1M --resume wac.jsonl --json > wac.json
  plyscope suite wac.epd --nodes 1M --shard 3/16 --resume part3.jsonl -q
  cat part*.jsonl > all.jsonl; plyscope suite wac.epd --nodes 1M --resume all.jsonl")]
pub struct Arguments {
    /// An .epd file, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    columns: ColumnOptions,

    #[command(flatten)]
    part: Part,

    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// With --json: first print one object per position as it is finished, one per line
    #[arg(long, requires = "json")]
    each: bool,

    /// Print comma-separated values, one line per position and column
    #[arg(long)]
    csv: bool,

    /// Print one line for each position as it is finished
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    verbose: bool,

    /// Show no progress bar
    #[arg(long)]
    no_progress: bool,

    /// Print ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Works through the suite and prints the result.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let options = &arguments.columns;
    let at_a_time = options.at_a_time();
    let columns = options.columns(|_| at_a_time)?;
    let budget = options.budget(DEFAULT_NODES)?;
    let suite = Suite::gather(&arguments.file)?;
    let names: Vec<String> = columns.iter().map(|c| sanitise(&c.to_string())).collect();
    let run = Run {
        suite: &suite,
        columns,
        budget,
        names: &names,
        options,
        part: &arguments.part,
    };
    let answers = run.answers(Watch {
        bar: !arguments.no_progress,
        ascii: arguments.ascii,
        each: arguments.each,
        verbose: arguments.verbose,
    })?;
    let wanted = suite.wanted(arguments.part.shard);
    let results = Results {
        suite: &sanitise(&arguments.file.to_string_lossy()),
        columns: &names,
        budget,
        threads: options.threads(),
        seed: options.seed(),
        answers: &answers,
        wanted,
        untried: &suite.untried,
    };
    print(arguments, &results)?;
    troubles(&answers, &names)?;
    suite.verdict
}

fn print(arguments: &Arguments, results: &Results) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(output::stdout());
    if arguments.json {
        serde_json::to_writer(&mut out, &suite::whole(results, !arguments.each))?;
        writeln!(out)?;
    } else if arguments.csv {
        suite::csv(results, &mut out)?;
    } else {
        let text = suite::text(results, arguments.style(), terminal::width());
        out.write_all(text.as_bytes())?;
    }
    Ok(out.flush()?)
}

/// Reports the problems with external engines, each once.
fn troubles(answers: &[Answers], names: &[String]) -> Result<(), Failure> {
    let troubles: BTreeSet<(&String, &String)> = answers
        .iter()
        .flat_map(|a| names.iter().zip(&a.columns))
        .filter_map(|(name, outcome)| Some((name, outcome.trouble.as_ref()?)))
        .collect();
    for (name, trouble) in &troubles {
        complain(&format!("{name}: {trouble}"));
    }
    if troubles.is_empty() {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}

impl Arguments {
    fn style(&self) -> Style {
        Style { ascii: self.ascii }
    }
}
