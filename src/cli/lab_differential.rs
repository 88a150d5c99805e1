//! `plyscope lab differential`: the grid of point differentials, without a screen.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Shown, usage};
use super::output;
use super::shard::Shard;
use lab::differential::{
    self, Matches, Plan, Played, Results, Settings, cells, parse_cells, start,
};
use report::lab::differential::{Grid, words};

/// Play matches between playouts with and without point differential, for every pair of weights.
///
/// In these games a leaf of mcts is worth the result of a random playout from it: r = (1 - w) outcome + w P(win |
/// difference at the end of the playout). The weight w depends on the pieces left at the leaf; it goes from one percentage
/// at the start of a game to another at its end, each 0, 1, 2, 4, 8 or 16, which makes 36 cells (after Brian Sheppard,
/// "MCTS and Point Differential", Computer-go mailing list, 2011). A cell is a match of mcts with that w against mcts
/// without, at the same number of playouts per move, from 24 openings that are each played twice with colours swapped. A
/// game ends by the rules, when one side's static evaluation has been --margin ahead for six plies, or after --plies.
///
/// With --game go9 the matches are played in Go, which is Sheppard's game: with a komi of 7.5, from positions with four stones
/// at random, the playouts to their end. A game ends with two passes, when both searches have seen the same side ahead by
/// --margin for six plies, or after --plies, when the points are counted.
///
/// A game depends only on the settings, its cell and its number. So the same games are played with any number of threads,
/// in one run or in several. With --resume, the results in the file are continued, and new ones are added to it.
///
/// With --json, there is one object: question, verdict, decided; experiment, complete, games, game, playouts, plies, margin,
/// seed, options; cells (from, to, games, won, drawn, lost, pairs, score, interval, elo, elo_interval).
///
/// Ctrl-C ends the matches and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(
    mut_arg("threads", |arg| arg.help("How many games are played at a time, each on one thread [default: all cores but one, at least 1]")),
    after_help = "Examples:
  plyscope lab differential --games 40
  plyscope lab differential --cells 8x0,4x4,2x2 --games 400 --playouts 200
  plyscope lab differential --games 200 --resume grid.json --json > grid-report.json
  plyscope lab differential --game go9 --cells 8x0,4x0,2x2,4x4 --games 400
  plyscope lab differential --cells 8x0 --set playout-length=80 --set playout-captures=8")]
pub struct Differential {
    /// Games per cell, including those in the file; an odd number is rounded up
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    /// The game: chess, or go with the size of its board, as in go9 [default: chess]
    #[arg(long, value_name = "GAME")]
    game: Option<Played>,

    /// Playouts per move [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    playouts: Option<u32>,

    /// The cells, as per cent at the start x per cent at the end of a game: 8x0,4x4 [default: all 36]
    #[arg(long, value_name = "CELLS")]
    cells: Option<String>,

    /// Continue the results in this file and add to it; it is created if it does not exist
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Play only every N-th pair of games, beginning with the K-th, so that N runs share the work, each with a file of its own. The
    /// files merge: write them one after another into one, and --resume with that prints the whole
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    shard: Option<Shard>,

    /// The number of plies after the opening at which a game ends [default: 120]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    plies: Option<u16>,

    /// The static evaluation in centipawns that wins a game if it lasts, in Go the expected score in thousandths that the searches
    /// find; 0 means never [default: 600, in Go 900]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..=10_000))]
    margin: Option<i32>,

    /// The seed of all games [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    at_a_time: AtATime,

    /// Set an option of mcts on both sides (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Print comma-separated values, one line per cell
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    #[command(flatten)]
    shown: Shown,
}

impl Differential {
    /// Plays the games that are missing and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let cells = match &self.cells {
            None => cells(),
            Some(text) => parse_cells(text).map_err(|e| Failure::Usage(format!("--cells: {e}")))?,
        };
        let plan = Plan {
            games: self.games as usize,
            at_a_time: self.at_a_time.count(),
            file: self.resume.clone(),
            cells: cells.clone(),
            results: self.results()?,
            part: self.shard.map_or((0, 1), Shard::part),
        };
        let mut matches = start(plan).map_err(usage)?;
        self.shown.watch_plainly(&mut matches, " games");
        let Matches { results, fault } = matches.findings();
        let mut pairs = (0..self.games.div_ceil(2) as usize)
            .flat_map(|number| cells.iter().map(move |cell| (*cell, number)));
        let complete = pairs.all(|(cell, number)| results.has(cell, number));
        let grid = Grid {
            results: &results,
            cells: &cells,
            complete,
        };
        if self.csv {
            output::stdout().write_all(grid.csv().as_bytes())?;
        } else {
            self.shown.print(&grid)?;
        }
        fault.map_or(Ok(()), |what| Err(Failure::Input(what)))
    }

    /// Returns the results so far. If the file has any, its settings must be the requested ones.
    fn results(&self) -> Result<Results, Failure> {
        let found = match &self.resume {
            Some(file) => Results::open(file).map_err(|e| Failure::Input(e.to_string()))?,
            None => None,
        };
        let known = found.as_ref().map(|r| r.settings.clone());
        let usual = Settings::of(self.game.unwrap_or_default());
        let asked = self.settings(known.clone().unwrap_or(usual))?;
        let (Some(found), Some(known)) = (found, known) else {
            return Ok(Results::new(asked));
        };
        if asked != known {
            let file = self.resume.as_deref().unwrap_or_else(|| "".as_ref());
            return Err(Failure::Input(format!(
                "{}: found games with {}, expected {}; use another file to start again",
                file.display(),
                in_full(&known),
                in_full(&asked),
            )));
        }
        Ok(found)
    }

    /// Returns the requested settings; those not given are taken from `otherwise`.
    fn settings(&self, otherwise: Settings) -> Result<Settings, Failure> {
        let mut options = otherwise.options;
        for pair in &self.set {
            let mut tried = differential::ALGORITHM.default_options();
            tried.set_pair(pair)?;
            if let Some((key, value)) = pair.split_once('=') {
                options.insert(key.trim().to_owned(), value.trim().to_owned());
            }
        }
        Ok(Settings {
            game: self.game.unwrap_or(otherwise.game),
            playouts: self.playouts.unwrap_or(otherwise.playouts),
            plies: self.plies.unwrap_or(otherwise.plies),
            margin: self.margin.unwrap_or(otherwise.margin),
            seed: self.seed.unwrap_or(otherwise.seed),
            options,
        })
    }
}

fn in_full(settings: &Settings) -> String {
    format!("{} · margin {}", words(settings), settings.margin)
}
