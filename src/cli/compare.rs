//! `plyscope compare`: several searches of one position, or of every position of a file.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Args;

use super::columns::ColumnOptions;
use super::failure::complain;
use super::input::{Input, Inputs, OfGames};
use super::options::{InputOptions, LensOptions, ShowOptions};
use super::output::{self, Output};
use super::shard::Shard;
use super::{Failure, headless, terminal};
use game::Game as _;
use report::compare::{self, CsvWriter, Position};
use report::lens::Lens;
use report::text::Style;
use studies::compare::{ColumnSpec, Comparison};
use text::sanitise;

/// The nodes per column if no budget is given.
const DEFAULT_NODES: u64 = 100_000;

/// Search a position with several algorithms or engines, each with the same budget, and show the results side by side.
///
/// With a file, every position in it is searched, and every position of a game's main line. The recorded search of another
/// program is compared, by its threads, with plyscope's own of its kind, unless -a names others. The table shows the moves that
/// at least one column ranks among its first three; a * marks moves on which the columns differ by more than their joint
/// uncertainty (σ counts how many times). Nodes per second are measured in CPU time, so they are those of one thread. The
/// default budget of a column is 100,000 nodes; if there are fewer cores than threads, the columns take turns. If a column
/// fails, its error is reported and the exit status is 1. Ctrl-C ends the searches and prints the results so far.
///
/// With --csv, there is one line per position and column: number, title, fen, column, best_uci, best_san, expected, sd, cp,
/// mate, nodes, cpu_ms, nodes_per_second, depth, memory_bytes, stopped_by, line, trouble.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope compare --fen \"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1\"
  plyscope compare -a mcts -a mcts:fpu=0.2 --moves \"e4 c5\" --time 2s
  plyscope compare suite.epd -a alpha-beta --engine \"stockfish\" --depth 10 --json
  seq 4 | xargs -P 4 -I K plyscope compare suite.epd -a mcts -a distress --shard K/4 --json --output K.json
  plyscope compare game.pgn --ply 30 -a alpha-beta -a distress --differences 10")]
pub struct Arguments {
    #[command(flatten)]
    input: InputOptions,

    #[command(flatten)]
    columns: ColumnOptions,

    /// Search only the position after this many half-moves of a game
    #[arg(long, value_name = "N")]
    ply: Option<u32>,

    /// Search only every N-th position, beginning with the K-th, so that N runs share the work. Positions keep their numbers, so
    /// the lines of --json and --csv of all parts are those of the whole
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    shard: Option<Shard>,

    /// Show all moves in the table
    #[arg(long)]
    all_moves: bool,

    /// Also print this many differences anywhere in the trees, those that matter most for the choice first
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    differences: usize,

    /// Print one JSON object per position, one per line
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print comma-separated values, one line per position and column
    #[arg(long)]
    csv: bool,

    #[command(flatten)]
    show: ShowOptions,
    #[command(flatten)]
    lens: LensOptions,
}

/// Runs the comparison on every position and prints the results as they arrive.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let shown = &arguments.lens;
    match (arguments.json, arguments.csv) {
        (true, _) => shown.none_for("--json")?,
        (_, true) => shown.none_for("--csv")?,
        _ => {}
    }
    let lens = shown.lens()?;
    let options = &arguments.columns;
    let columns = options.columns(|count| count)?;
    let budget = options.budget(DEFAULT_NODES)?;
    let names = names_of(&columns);
    let of_games = arguments.ply.map_or(OfGames::All, OfGames::Ply);
    let mut inputs = Inputs::gather(&arguments.input, of_games)?;
    headless::catch_interrupt();
    let mut printer = Printer::new(arguments, lens);
    let mut comparison: Option<Comparison> = None;
    let mut positions = inputs.positions.drain(..).peekable();
    let mut number = 0;
    while let Some(input) = positions.next() {
        if headless::interrupted() {
            break;
        }
        number += 1;
        if arguments.shard.is_some_and(|shard| !shard.has(number - 1)) {
            if let Some(first) = input.recorded.filter(|_| !options.are_named()) {
                while positions.next_if(|next| next.is_of(&first)).is_some() {}
            }
            continue;
        }
        let title = title(&input);
        let subject = input.subject;
        let mut names = names.clone();
        let mut of_threads = None;
        let current = match input.recorded.filter(|_| !options.are_named()) {
            Some(first) => {
                let mut threads = vec![first];
                while let Some(next) = positions.next_if(|next| next.is_of(&threads[0])) {
                    threads.extend(next.recorded);
                }
                threads.sort_by_key(|thread| thread.thread());
                let columns = options.recorded(threads, subject.position.has_moves())?;
                names = names_of(&columns);
                let begun = Comparison::start(subject, columns, budget, options.cores(), false);
                of_threads.insert(begun)
            }
            None => match &mut comparison {
                Some(current) => {
                    current.next_position(subject);
                    current
                }
                none => {
                    let (columns, cores) = (columns.clone(), options.cores());
                    none.insert(Comparison::start(subject, columns, budget, cores, false))
                }
            },
        };
        for (column, why) in current.wait(headless::interrupted) {
            printer.tell_once(&names[column], &why);
        }
        let position = Position::read(number, title, current, &names, arguments.differences);
        printer.print(&position)?;
    }
    drop(positions);
    printer.verdict()?;
    inputs.verdict()
}

fn names_of(columns: &[ColumnSpec]) -> Vec<String> {
    columns.iter().map(|c| sanitise(&c.to_string())).collect()
}

/// Returns the position's title in the file, and where in a game it occurs.
fn title(input: &Input) -> String {
    let title = input.title.clone().unwrap_or_default();
    match input.subject.history.len() {
        plies if plies > 0 && !title.is_empty() => format!("{title}, ply {plies}"),
        _ => title,
    }
}

/// Prints positions in the requested form.
struct Printer<'a> {
    arguments: &'a Arguments,
    lens: Lens,
    out: Out,
    width: Option<usize>,
    /// The number of positions printed so far.
    count: usize,
    /// Columns and their errors, each reported once.
    troubles: BTreeSet<(String, String)>,
    /// What else was said of columns.
    told: BTreeSet<(String, String)>,
}

enum Out {
    Plain(Output),
    Csv(Box<CsvWriter<Output>>),
}

impl<'a> Printer<'a> {
    fn new(arguments: &'a Arguments, lens: Lens) -> Self {
        let out = output::stdout();
        Printer {
            arguments,
            lens,
            out: if arguments.csv {
                Out::Csv(Box::new(CsvWriter::new(out)))
            } else {
                Out::Plain(out)
            },
            width: terminal::width(),
            count: 0,
            troubles: BTreeSet::new(),
            told: BTreeSet::new(),
        }
    }

    fn print(&mut self, position: &Position) -> Result<(), Failure> {
        match &mut self.out {
            Out::Csv(writer) => writer.write(position)?,
            Out::Plain(out) if self.arguments.json => {
                serde_json::to_writer(&mut *out, &compare::json(position))?;
                writeln!(out)?;
                out.flush()?;
            }
            Out::Plain(out) => {
                let style = Style {
                    ascii: self.arguments.show.ascii,
                };
                let gap = if self.count > 0 { "\n\n" } else { "" };
                let all = self.arguments.all_moves;
                let text = compare::text(position, all, self.lens, style, self.width);
                write!(out, "{gap}{text}")?;
                out.flush()?;
            }
        }
        self.count += 1;
        for (name, trouble) in position.troubles() {
            let told = (name.to_owned(), trouble.to_owned());
            if self.troubles.insert(told) {
                complain(&format!("{name}: {trouble}"));
            }
        }
        Ok(())
    }

    /// Says something of a column that is no failure.
    fn tell_once(&mut self, name: &str, what: &str) {
        if self.told.insert((name.to_owned(), what.to_owned())) {
            complain(&format!("{name}: {what}"));
        }
    }

    /// Succeeds unless a column failed.
    fn verdict(&self) -> Result<(), Failure> {
        if self.troubles.is_empty() {
            Ok(())
        } else {
            Err(Failure::Reported)
        }
    }
}
