//! `plyscope lab differential`: the grid of point differentials without a screen.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::lab_support::Shown;
use super::options::default_threads;
use crate::engine::jobs::{BackgroundJob, JobState};
use crate::engine::lab::differential::{
    Cell, Matches, Plan, Results, Settings, cells, parse_cells, start,
};
use crate::report::lab::differential as report;
use crate::report::text::Style;

/// Point differential in playouts: matches of every pair of weights against playouts without it.
///
/// A leaf of mcts is worth what a random playout from it brings: r = (1 - w) outcome + w P(win | difference at the
/// playout's end), with w by the pieces at the leaf: per cent at the start of a game and at its end, 0, 1, 2, 4, 8 or 16
/// each, 36 cells (the point-differential mail). A cell is a match of mcts with that w against mcts without, at as many playouts a move, from
/// 24 openings, each played twice with the colours swapped. A game ends by the rules, when one side's static evaluation
/// is --margin ahead for six plies, or after --plies.
///
/// Games depend only on the settings, their cell and their number: with one thread or several, in one run or resumed,
/// the same games are played. With --resume what is in the file is gone on with, and what is played is written there.
///
/// With --json there is one object: complete, games, playouts, plies, margin, seed, options; cells (from, to, games, won,
/// drawn, lost, pairs, score, interval, elo, elo_interval).
///
/// Ctrl-C ends the matches and prints what is known; a second one ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab differential --games 40
  plyscope lab differential --cells 8x0,4x4,2x2 --games 400 --playouts 200
  plyscope lab differential --games 200 --resume grid.json --json > grid-report.json
  plyscope lab differential --cells 8x0 --set playout-length=80 --set playout-captures=8")]
pub struct Differential {
    /// Games a cell, those in the file included; an odd number is rounded up
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    /// Playouts a move [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    playouts: Option<u32>,

    /// Cells as per cent at the start x per cent at the end of a game: 8x0,4x4 [default: all 36]
    #[arg(long, value_name = "CELLS")]
    cells: Option<String>,

    /// Go on with the results in this file, and keep them there; it is made where it is missing
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Plies after the opening at which a game ends [default: 120]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    plies: Option<u16>,

    /// Centipawns of static evaluation that win a game when they last; 0: never [default: 600]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..=10_000))]
    margin: Option<i32>,

    /// Seed of all games [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Games at a time, each on one thread [default: all cores but one, at least 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Set an option of mcts on both sides (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Comma-separated values, a line a cell
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    #[command(flatten)]
    shown: Shown,
}

impl Differential {
    /// Plays what is missing and prints what is known.
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
            at_a_time: usize::from(self.threads.unwrap_or_else(default_threads)),
            file: self.resume.clone(),
            cells: cells.clone(),
            results: self.results()?,
        };
        let mut matches = start(plan).map_err(|e| Failure::Usage(e.to_string()))?;
        self.shown.watch_plainly(&mut matches, " games");
        self.print(&matches, &cells)?;
        match matches.read(|known| known.fault.clone()) {
            Some(what) => Err(Failure::Input(what)),
            None => Ok(()),
        }
    }

    fn print(&self, matches: &BackgroundJob<Matches>, cells: &[Cell]) -> Result<(), Failure> {
        let results = matches.read(|known| known.results.clone());
        let complete = matches.progress().0 == JobState::Done;
        let mut out = io::BufWriter::new(io::stdout().lock());
        if self.shown.json {
            serde_json::to_writer(&mut out, &report::whole(&results, cells, complete))?;
            writeln!(out)?;
        } else if self.csv {
            report::csv(&results, cells, &mut out)?;
        } else {
            let style = Style {
                ascii: self.shown.ascii,
            };
            let text = report::text(&results, cells, complete, style);
            out.write_all(text.as_bytes())?;
        }
        out.flush()?;
        Ok(())
    }

    /// What there is already, and how the games are played: what is asked for must be what the file has.
    fn results(&self) -> Result<Results, Failure> {
        let found = match &self.resume {
            Some(file) => Results::open(file).map_err(|e| Failure::Input(e.to_string()))?,
            None => None,
        };
        let known = found.as_ref().map(|r| r.settings.clone());
        let asked = self.settings(known.clone().unwrap_or_default())?;
        let (Some(found), Some(known)) = (found, known) else {
            return Ok(Results::new(asked));
        };
        if asked != known {
            let file = self.resume.as_deref().unwrap_or_else(|| "".as_ref());
            return Err(Failure::Input(format!(
                "{}: found games with {}, expected {}; another file begins anew",
                file.display(),
                in_full(&known),
                in_full(&asked),
            )));
        }
        Ok(found)
    }

    /// What was asked for, over what is otherwise so.
    fn settings(&self, otherwise: Settings) -> Result<Settings, Failure> {
        let mut options = otherwise.options;
        for pair in &self.set {
            let mut tried = crate::search::Algorithm::Mcts.default_options();
            tried.set_pair(pair)?;
            if let Some((key, value)) = pair.split_once('=') {
                options.insert(key.trim().to_owned(), value.trim().to_owned());
            }
        }
        Ok(Settings {
            playouts: self.playouts.unwrap_or(otherwise.playouts),
            plies: self.plies.unwrap_or(otherwise.plies),
            margin: self.margin.unwrap_or(otherwise.margin),
            seed: self.seed.unwrap_or(otherwise.seed),
            options,
        })
    }
}

fn in_full(settings: &Settings) -> String {
    format!("{} · margin {}", report::words(settings), settings.margin)
}
