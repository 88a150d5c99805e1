//! `plyscope suite`: several searches solve a test suite.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;

use super::columns::{ColumnOptions, identity};
use super::failure::complain;
use super::fnv::Fnv;
use super::input::{Input, Inputs, OfGames};
use super::options::InputOptions;
use super::output;
use super::shard::Shard;
use super::{Failure, headless, progress, terminal};
use report::sheet::letter;
use report::suite::{self, Results};
use report::text::Style;
use session::Budget;
use studies::compare::ColumnSpec;
use studies::suite::{Answers, Header, Plan, Problem, Record, Step, Task, run as work};
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

    /// Save the results in FILE as they arrive, and continue after those already there (the positions, columns, budget and
    /// seed must be the same; positions for which a column failed are tried again)
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Run only every N-th position, beginning with the K-th, so that N runs share the work. Their records merge: write them one
    /// after another into a file, and --resume with that prints the whole
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    shard: Option<Shard>,

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
    let at_a_time = (options.cores() / options.threads()).max(1);
    let columns = options.columns(|_| at_a_time)?;
    let budget = options.budget(DEFAULT_NODES)?;
    let suite = Suite::gather(arguments)?;
    let names: Vec<String> = columns.iter().map(|c| sanitise(&c.to_string())).collect();
    let (record, answers) = match &arguments.resume {
        Some(path) => {
            let header = suite.header(&columns, budget, options);
            let (record, answers) = Record::open(path, &header)?;
            (Some(record), answers)
        }
        None => (None, Vec::new()),
    };
    headless::catch_interrupt();
    let wanted = suite.wanted(arguments.shard);
    let mut progress = Progress::new(arguments, &names, record, wanted);
    progress.earlier(answers)?;
    let plan = Plan {
        columns,
        budget,
        at_a_time,
    };
    let open = suite.open(&progress.answers, arguments.shard);
    work(&open, &plan, headless::interrupted, |step| {
        progress.take(step)
    });
    let mut answers = progress.finish()?;
    answers.sort_by_key(|a| a.number);
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

/// The positions and columns to run.
struct Suite {
    problems: Vec<Problem>,
    untried: Vec<String>,
    /// A hash of the positions, columns and settings.
    hash: String,
    /// Whether all lines could be read.
    verdict: Result<(), Failure>,
}

impl Suite {
    fn gather(arguments: &Arguments) -> Result<Suite, Failure> {
        let input = InputOptions {
            file: Some(arguments.file.clone()),
            ..InputOptions::default()
        };
        let mut inputs = Inputs::gather(&input, OfGames::Start)?;
        let mut hash = Fnv::new();
        let (mut problems, mut untried) = (Vec::new(), Vec::new());
        for (i, input) in inputs.positions.drain(..).enumerate() {
            let title = input.title.clone().unwrap_or_default();
            match problem(i + 1, input, &mut hash) {
                Some(problem) => problems.push(problem),
                None => untried.push(title),
            }
        }
        if problems.is_empty() {
            let file = arguments.file.to_string_lossy();
            return Err(Failure::Input(format!(
                "{file}: found no position with bm, am, dm or points in c0, expected at least one"
            )));
        }
        Ok(Suite {
            problems,
            untried,
            hash: hash.to_string(),
            verdict: inputs.verdict(),
        })
    }

    fn header(&self, columns: &[ColumnSpec], budget: Budget, options: &ColumnOptions) -> Header {
        Header {
            plyscope_suite: Header::FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            suite: self.hash.clone(),
            positions: self.problems.len(),
            columns: columns.iter().map(identity).collect(),
            budget: format!("{budget:?}"),
            threads: options.threads(),
            memory: options.memory(),
            seed: options.seed(),
            syzygy: options.syzygy().map(|p| p.display().to_string()),
        }
    }

    /// Returns the positions that have no answer yet.
    fn open(&self, answers: &[Answers], shard: Option<Shard>) -> Vec<Problem> {
        let done: BTreeSet<usize> = answers.iter().map(|a| a.number).collect();
        let own = self.problems.iter().enumerate();
        let own = own.filter(|(place, _)| shard.is_none_or(|s| s.has(*place)));
        let open = own.map(|(_, p)| p).filter(|p| !done.contains(&p.number));
        open.cloned().collect()
    }

    /// The number of positions that this run is to answer.
    fn wanted(&self, shard: Option<Shard>) -> usize {
        let places = 0..self.problems.len();
        places
            .filter(|place| shard.is_none_or(|s| s.has(*place)))
            .count()
    }
}

/// Returns the position's task, or `None` if it has none.
fn problem(number: usize, input: Input, hash: &mut Fnv) -> Option<Problem> {
    let epd = input.epd.as_ref()?;
    hash.add(format!("{number} {epd}\n").as_bytes());
    let (task, problems) = Task::read(epd);
    let title = input.title.clone().unwrap_or_default();
    for problem in problems {
        complain(&format!("{title}: {problem}"));
    }
    Some(Problem {
        number,
        title,
        fen: input.fen()?,
        subject: input.subject.clone(),
        task: task?,
    })
}

/// Receives the answers, saves them and shows the progress.
struct Progress<'a> {
    arguments: &'a Arguments,
    names: &'a [String],
    record: Option<Record>,
    answers: Vec<Answers>,
    bar: ProgressBar,
    failure: Option<Failure>,
}

impl<'a> Progress<'a> {
    fn new(
        arguments: &'a Arguments,
        names: &'a [String],
        record: Option<Record>,
        positions: usize,
    ) -> Self {
        let searches = (positions * names.len()) as u64;
        let template = "{bar:24} {percent} %  {msg}  {eta} left";
        let bar = progress::bar(!arguments.no_progress, searches, template, arguments.ascii);
        Progress {
            arguments,
            names,
            record,
            answers: Vec::new(),
            bar,
            failure: None,
        }
    }

    /// Takes over the answers of an earlier run.
    fn earlier(&mut self, answers: Vec<Answers>) -> Result<(), Failure> {
        for answer in answers {
            self.bar.inc(self.names.len() as u64);
            self.show(&answer)?;
            self.answers.push(answer);
        }
        self.bar.reset_eta();
        self.tell();
        Ok(())
    }

    fn take(&mut self, step: Step) -> ControlFlow<()> {
        let taken = match step {
            Step::Search => {
                self.bar.inc(1);
                Ok(())
            }
            Step::Position(answers) => self.add(answers),
        };
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    fn add(&mut self, answers: Answers) -> Result<(), Failure> {
        let whole = answers.columns.iter().all(|o| o.trouble.is_none());
        if let Some(record) = self.record.as_mut().filter(|_| whole) {
            record
                .append(&answers)
                .map_err(|e| Failure::Input(format!("--resume: cannot write to it ({e})")))?;
        }
        let shown = self.show(&answers);
        self.answers.push(answers);
        self.tell();
        shown
    }

    /// Prints a position as it is finished.
    fn show(&self, answers: &Answers) -> Result<(), Failure> {
        let mut line = if self.arguments.each {
            serde_json::to_string(&suite::each(self.names, answers))?
        } else if self.arguments.verbose {
            suite::position(answers, self.arguments.style())
        } else {
            return Ok(());
        };
        line.push('\n');
        let write = || {
            let mut out = output::stdout();
            out.write_all(line.as_bytes())?;
            out.flush()
        };
        Ok(self.bar.suspend(write)?)
    }

    /// Shows how many positions each column has solved so far.
    fn tell(&self) {
        let solved = |column: usize| {
            let of = |a: &&Answers| a.columns[column].solved == Some(true);
            self.answers.iter().filter(of).count()
        };
        let counts: Vec<String> = (0..self.names.len())
            .map(|i| format!("{} {}", letter(i), solved(i)))
            .collect();
        let done = self.answers.len();
        self.bar
            .set_message(format!("{} of {done}", counts.join(" ")));
    }

    fn finish(self) -> Result<Vec<Answers>, Failure> {
        self.bar.finish_and_clear();
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(self.answers),
        }
    }
}
