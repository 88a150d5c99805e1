//! `plyscope review`: whole games reviewed by several searches.

mod games;
mod outputs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::columns::{ColumnOptions, identity};
use super::shard::Shard;
use super::{Failure, headless};
use algorithms::Algorithm;
use game::load::pgn::Existing;
use games::{Chosen, Selection};
use outputs::Outputs;
use report::sheet::letter;
use session::{Budget, Subject};
use studies::compare::ColumnSpec;
use studies::review::{Batch, Found, Header, Record, Saved, ToReview, review_all};
use text::sanitise;

/// The nodes per position if no budget is given, as in the workbench.
const DEFAULT_NODES: u64 = 20_000;

/// Review games: every position of the main line by every column, as the workbench's Game tab does.
///
/// A move that loses 0.1, 0.2 or 0.3 of expected score (in chess by lichess's formula) is an inaccuracy, a mistake or a blunder.
/// Standard output gets a summary of each game: what each side's moves lose on average, accuracy and marks, in chess by phase,
/// and where the columns disagree most. With -o, the games are also written with evaluations, marks and better lines, in the
/// format of their files; everything that was in them is kept.
///
/// --threads searches run at a time, each on one thread, whatever game and column they belong to: the next game begins when
/// the searches of the one before it have all begun. Results do not depend on the number of threads (with external engines
/// they do: each thread has a process of its own). Ctrl-C ends the review and writes the games that are finished; a second
/// Ctrl-C ends the program.
///
/// A game that cannot be read is reported, and the exit status is 1; one that can be read in part is reviewed up to there. In PGN,
/// -o writes both back whole; in other formats it writes what was read.
#[derive(Args, Debug)]
#[command(
    mut_arg("nodes", |arg| arg.help("Budget of each search: nodes (2k, 100000, 2M) [default: 20k]")),
    mut_arg("time", |arg| arg.help("Budget of each search: CPU time (500ms, 10s)")),
    mut_arg("depth", |arg| arg.help("Budget of each search: a depth as in `plyscope compare --help`")),
    mut_arg("threads", |arg| arg.help("Searches at a time, each on one thread [default: all cores]")),
    mut_arg("cores", |arg| arg.hide(true)),
    mut_arg("memory", |arg| arg.help(
        "Memory for each search's tree (512M, 2G) [default: the searches share a quarter of the machine's, at most 4G]"
    )),
    mut_arg("algorithm", |arg| arg.help(
        "Add a column (repeatable): an algorithm, optionally with its options (mcts, distress:width=0.5,ties=essay) [default: \
         alpha-beta, mcts and distress]"
    )),
    after_help = "Examples:
  plyscope review game.pgn
  plyscope review games.pgn -a alpha-beta -a distress --nodes 20k -o reviewed.pgn --html reviewed.html
  plyscope review games.pgn -a mcts:fpu=0.2 --engine stockfish --time 500ms --judge B --games 1-20
  plyscope review games.pgn -a alpha-beta --resume games.jsonl -o reviewed.pgn
  plyscope review game.sgf -a mcts --nodes 5k -o reviewed.sgf
  plyscope review games.pgn -a alpha-beta --shard 2/8 -o part2.pgn --json > part2.jsonl"
)]
pub struct Arguments {
    /// Files of games in PGN or SGF, of Connect Four (.c4) or tic-tac-toe (.ttt), or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    columns: ColumnOptions,

    #[command(flatten)]
    range: Range,

    /// Review only every N-th of the games, beginning with the K-th, so that N runs share the work
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    shard: Option<Shard>,

    /// Write the games to FILE with evaluations, marks and better lines, in the format that they have; - writes none, as without
    /// this option
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The column whose evaluations, marks and better lines are written (A is the first)
    #[arg(long, value_name = "LETTER", default_value = "A", value_parser = judge)]
    judge: usize,

    /// What happens to evaluations that a game already has
    #[arg(long, value_enum, default_value_t = ExistingOption::Keep)]
    existing: ExistingOption,

    /// Write a page that shows the games to FILE; it needs neither scripts nor a network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Print one JSON object per game, one per line
    #[arg(long)]
    json: bool,

    /// Save the results in FILE as they arrive, and continue after those already there (the games, columns, budget and seed
    /// must be the same; searches that failed are tried again)
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Show no progress bar
    #[arg(long)]
    no_progress: bool,

    /// Print ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Which games of the files.
#[derive(Args, Debug, Clone)]
#[group(multiple = false)]
struct Range {
    /// Review only this game; games are counted from 1, over all files
    #[arg(long, value_name = "N", value_parser = number)]
    game: Option<usize>,

    /// Review only these games
    #[arg(long, value_name = "A-B", value_parser = games)]
    games: Option<(usize, usize)>,
}

impl Range {
    fn range(&self) -> Option<(usize, usize)> {
        self.games.or(self.game.map(|n| (n, n)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExistingOption {
    Keep,
    Replace,
}

fn number(text: &str) -> Result<usize, String> {
    let read = text.parse().ok().filter(|n| *n > 0);
    read.ok_or_else(|| "expected a number from 1".to_owned())
}

fn games(text: &str) -> Result<(usize, usize), String> {
    let pair = text.split_once('-').and_then(|(first, last)| {
        let (first, last) = (number(first).ok()?, number(last).ok()?);
        (first <= last).then_some((first, last))
    });
    pair.ok_or_else(|| "expected two numbers such as 5-20".to_owned())
}

fn judge(text: &str) -> Result<usize, String> {
    let found = (0..26).find(|&i| letter(i).to_string().eq_ignore_ascii_case(text));
    found.ok_or_else(|| "expected the letter of a column, such as B".to_owned())
}

/// Reviews the games and writes what was found.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let options = &arguments.columns;
    let at_a_time = options.given_threads().unwrap_or_else(|| options.cores());
    let columns = options.columns_or(&Algorithm::SIDE_BY_SIDE, |_| at_a_time)?;
    let budget = options.budget(DEFAULT_NODES)?;
    arguments.check(&columns)?;
    let chosen = Selection::gather(arguments)?;
    if let Some([one, other]) = chosen.formats().filter(|_| arguments.output().is_some()) {
        return Err(Failure::Usage(format!(
            "-o: found files of {one} and of {other}, expected files of one format"
        )));
    }
    let names: Vec<String> = columns.iter().map(|c| sanitise(&c.to_string())).collect();
    let (record, known) = earlier(arguments, &chosen, &columns, budget)?;
    headless::catch_interrupt();
    let batch = Batch {
        columns,
        budget,
        at_a_time,
    };
    let mut outputs = Outputs::begin(arguments, &chosen, &names, record)?;
    let games = chosen.games.iter().map(|&c| to_review(&chosen, c, &known));
    review_all(games, &batch, headless::interrupted, |step| {
        outputs.take(step)
    });
    let whole = outputs.finish()?;
    if whole && !chosen.refused {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}

impl Arguments {
    /// Refuses what does not go together.
    fn check(&self, columns: &[ColumnSpec]) -> Result<(), Failure> {
        if self.judge >= columns.len() {
            return Err(Failure::Usage(format!(
                "--judge: found {}, expected one of the columns A to {}",
                letter(self.judge),
                letter(columns.len().saturating_sub(1))
            )));
        }
        let outputs = [("-o", self.output()), ("--html", self.html.as_deref())];
        for (option, path) in outputs {
            if path.is_some_and(|path| Selection::contain_file(self, path)) {
                return Err(Failure::Usage(format!(
                    "{option}: found a file that is to be reviewed, expected another one"
                )));
            }
        }
        if self.output().is_some() && self.output() == self.html.as_deref() {
            return Err(Failure::Usage(
                "found the same file for -o and --html, expected two".to_owned(),
            ));
        }
        Ok(())
    }

    /// Returns the file to which the games are written.
    fn output(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }

    fn existing(&self) -> Existing {
        match self.existing {
            ExistingOption::Keep => Existing::Keep,
            ExistingOption::Replace => Existing::Replace,
        }
    }
}

/// Results of an earlier run by the number of the game, each with its ply and column.
type Known = BTreeMap<usize, Vec<(usize, usize, Found)>>;

/// Opens the record, if one is wanted, and returns what is in it.
fn earlier(
    arguments: &Arguments,
    chosen: &Selection,
    columns: &[ColumnSpec],
    budget: Budget,
) -> Result<(Option<Record>, Known), Failure> {
    let Some(path) = &arguments.resume else {
        return Ok((None, Known::new()));
    };
    let options = &arguments.columns;
    let header = Header {
        plyscope_review: Header::FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        games: chosen.hash()?,
        count: chosen.games.len(),
        columns: columns.iter().map(identity).collect(),
        budget: format!("{budget:?}"),
        memory: options.memory(),
        seed: options.seed(),
        syzygy: options.syzygy().map(|p| p.display().to_string()),
    };
    let (record, saved) = Record::open(path, &header)?;
    let mut by_game: BTreeMap<usize, Vec<Saved>> = BTreeMap::new();
    for saved in saved {
        by_game.entry(saved.game).or_default().push(saved);
    }
    let mut known = Known::new();
    for (game, saved) in by_game {
        let of_number = chosen.games.iter().find(|c| c.number == game);
        let positions = of_number.map_or_else(Vec::new, |&c| positions(chosen, c));
        let restored = saved.iter().map(|saved| {
            let found = saved.found(positions.get(saved.ply)?)?;
            Some((saved.ply, saved.column, found))
        });
        let Some(restored) = restored.collect() else {
            let file = path.display();
            return Err(Failure::Input(format!(
                "{file}: found a result that does not fit game {game}, expected a record of these games"
            )));
        };
        known.insert(game, restored);
    }
    Ok((Some(record), known))
}

/// Returns the positions of a game, or none if it cannot be read (which is reported when the game is written).
fn positions(chosen: &Selection, game: Chosen) -> Vec<Subject> {
    let entry = chosen.read(game).ok();
    let tree = entry.as_ref().and_then(|entry| entry.game());
    tree.map_or_else(Vec::new, games::positions)
}

fn to_review(chosen: &Selection, game: Chosen, known: &Known) -> ToReview {
    ToReview {
        number: game.number,
        positions: positions(chosen, game),
        known: known.get(&game.number).cloned().unwrap_or_default(),
    }
}
