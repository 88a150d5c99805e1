//! `plyscope compare`: several searches of one position, or of every position of a file.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::columns::ColumnOptions;
use super::failure::complain;
use super::input::{Input, Inputs, OfGames};
use super::options::{InputOptions, LensOptions, ShowOptions};
use super::output::{self, Output};
use super::part::{Part, hashed, of_columns};
use super::printed::{Printed, Record};
use super::{Failure, headless, terminal};
use game::Game as _;
use report::compare::{self, CsvWriter, Position};
use report::lens::Lens;
use report::text::Style;
use session::Budget;
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
  seq 4 | xargs -P 4 -I K plyscope compare suite.epd -a mcts -a distress --shard K/4 --json --resume K.part
  cat *.part > all; plyscope compare suite.epd -a mcts -a distress --json --resume all
  plyscope compare game.pgn --ply 30 -a alpha-beta -a distress --differences 10
  plyscope compare position.tree --trace mine.plytrace --trace right.plytrace --differences 10")]
pub struct Arguments {
    #[command(flatten)]
    input: InputOptions,

    #[command(flatten)]
    columns: ColumnOptions,

    /// Add a column: the search in this trace, of the same position (repeatable). Without -a and --engine there are then no
    /// other columns, but the file's own if it is a trace
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "shard"])]
    trace: Vec<PathBuf>,

    /// Search only the position after this many half-moves of a game
    #[arg(long, value_name = "N")]
    ply: Option<u32>,

    #[command(flatten)]
    part: Part,

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

impl Arguments {
    /// Traces are of one position.
    fn check_traces(&self, inputs: &Inputs) -> Result<(), Failure> {
        let positions = &inputs.positions;
        let is_one = match positions.first().map(|first| &first.recorded) {
            Some(Some(recorded)) => positions.iter().all(|next| next.is_of(recorded)),
            _ => positions.len() == 1,
        };
        match is_one || self.trace.is_empty() {
            true => Ok(()),
            false => Err(Failure::Usage(format!(
                "--trace: found {} positions, expected one",
                positions.len()
            ))),
        }
    }
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
    let options = &arguments.columns;
    let columns = match arguments.trace.is_empty() || options.are_named() {
        true => options.columns(|count| count)?,
        false => Vec::new(),
    };
    let budget = options.budget(DEFAULT_NODES)?;
    let names = names_of(&columns);
    let of_games = arguments.ply.map_or(OfGames::All, OfGames::Ply);
    let mut inputs = Inputs::gather(&arguments.input, of_games)?;
    let lens = shown.lens(inputs.places())?;
    arguments.check_traces(&inputs)?;
    headless::catch_interrupt();
    let asked = || asked(arguments, &columns, budget, &inputs);
    let (mut record, mut known) = match &arguments.part.resume {
        Some(path) => Record::open(path, asked())?,
        None => Default::default(),
    };
    let mut printer = Printer::new(arguments, lens);
    let mut comparison: Option<Comparison> = None;
    let mut positions = inputs.positions.drain(..).peekable();
    let mut number = 0;
    while let Some(input) = positions.next() {
        if headless::interrupted() {
            break;
        }
        number += 1;
        let printed = known.remove(&number);
        let is_other = arguments
            .part
            .shard
            .is_some_and(|shard| !shard.has(number - 1));
        if printed.is_some() || is_other {
            if let Some(printed) = printed {
                printer.show(&printed)?;
            }
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
                let rival = subject.position.has_moves() && arguments.trace.is_empty();
                let mut columns = options.recorded(threads, rival)?;
                options.traces(&arguments.trace, &subject, &mut columns)?;
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
                    let (mut columns, cores) = (columns.clone(), options.cores());
                    options.traces(&arguments.trace, &subject, &mut columns)?;
                    names = names_of(&columns);
                    none.insert(Comparison::start(subject, columns, budget, cores, false))
                }
            },
        };
        for (column, why) in current.wait(headless::interrupted) {
            printer.tell_once(&names[column], &why);
        }
        let position = Position::read(number, title, current, &names, arguments.differences);
        let printed = printer.printed(&position)?;
        printer.show(&printed)?;
        if !headless::interrupted() {
            record.keep(&printed)?;
        }
    }
    drop(positions);
    printer.verdict()?;
    inputs.verdict()
}

fn names_of(columns: &[ColumnSpec]) -> Vec<String> {
    columns.iter().map(|c| sanitise(&c.to_string())).collect()
}

/// Returns what identifies a comparison: what is searched and how it is printed.
fn asked(
    arguments: &Arguments,
    columns: &[ColumnSpec],
    budget: Budget,
    inputs: &Inputs,
) -> (Vec<String>, usize) {
    let positions = hashed(&inputs.positions, |input| {
        let fen = input.subject.position.fen().unwrap_or_default();
        let played = input.subject.history.len();
        format!(
            "{} {fen} {played}",
            input.title.as_deref().unwrap_or_default()
        )
    });
    let form = match (arguments.json, arguments.csv) {
        (true, _) => "json",
        (_, true) => "csv",
        _ => "text",
    };
    let shown = format!(
        "form {form} all-moves {} differences {} ascii {} {:?}",
        arguments.all_moves, arguments.differences, arguments.show.ascii, arguments.lens
    );
    let searched = of_columns(&arguments.columns, columns, budget);
    let asked = [positions].into_iter().chain(searched).chain([shown]);
    (asked.collect(), inputs.positions.len())
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
    out: Output,
    width: Option<usize>,
    /// The number of positions printed so far.
    count: usize,
    /// Columns and their errors, each reported once.
    troubles: BTreeSet<(String, String)>,
    /// What else was said of columns.
    told: BTreeSet<(String, String)>,
}

impl<'a> Printer<'a> {
    fn new(arguments: &'a Arguments, lens: Lens) -> Self {
        Printer {
            arguments,
            lens,
            out: output::stdout(),
            width: terminal::width(),
            count: 0,
            troubles: BTreeSet::new(),
            told: BTreeSet::new(),
        }
    }

    /// Returns what is printed of a position; as comma-separated values with the line of titles.
    fn printed(&self, position: &Position) -> Result<Printed, Failure> {
        let text = if self.arguments.csv {
            let mut lines = Vec::new();
            CsvWriter::new(&mut lines).write(position)?;
            String::from_utf8_lossy(&lines).into_owned()
        } else if self.arguments.json {
            format!("{}\n", serde_json::to_string(&compare::json(position))?)
        } else {
            let style = Style {
                ascii: self.arguments.show.ascii,
            };
            let all = self.arguments.all_moves;
            compare::text(position, all, self.lens, style, self.width)
        };
        let troubles = position.troubles();
        Ok(Printed {
            number: position.number,
            text,
            troubles: troubles
                .map(|(name, trouble)| (name.to_owned(), trouble.to_owned()))
                .collect(),
        })
    }

    fn show(&mut self, printed: &Printed) -> Result<(), Failure> {
        let is_first = self.count == 0;
        let text = match (self.arguments.csv, self.arguments.json) {
            // The titles come once.
            (true, _) if !is_first => printed.text.split_once('\n').map_or("", |(_, rest)| rest),
            (false, false) if !is_first => {
                write!(self.out, "\n\n")?;
                &printed.text
            }
            _ => &printed.text,
        };
        self.out.write_all(text.as_bytes())?;
        self.out.flush()?;
        self.count += 1;
        for told in &printed.troubles {
            if self.troubles.insert(told.clone()) {
                complain(&format!("{}: {}", told.0, told.1));
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
