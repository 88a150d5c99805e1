//! `plyscope lab calibration`: beliefs against labels, without a screen.

use std::path::PathBuf;

use clap::Args;

use super::columns::ColumnOptions;
use super::failure::complain;
use super::lab_support::{Shown, print, source, verdict};
use super::{Failure, headless};
use crate::engine::lab::calibration::{Case, Plan, Reservoir, start};
use crate::engine::lab::ladder::leaves;
use crate::engine::lab::report::{Aim, fit};
use crate::game::load::labels;
use crate::report::lab::calibration as report;

/// Nodes for each position where no budget is given.
const DEFAULT_NODES: u64 = 10_000;

/// What searches believe of the root against what a stronger one said of it.
///
/// FILE has labelled positions: lines of FEN, cp or mate, value, win, draw and loss in permille, best move and kind between
/// tabs, or EPD with ce (centipawns), dm or bm; it may be compressed with zstd. The truth is e = tanh(cp / 360), a mate
/// ±1. Every position is given to every column with the same budget, by default 10,000 nodes on one thread.
///
/// Told of each column, over the positions that all have answered: the share of truths within the central 50, 80 and 90 %
/// intervals of its belief with its 95 % interval (Wilson); the mean continuous ranked probability score (CRPS), exact on
/// the bins, and its standard error; the bias, mean less truth; the root mean square of that; the histogram of where the truth
/// lies in the belief (PIT), flat where the belief is calibrated, a valley where it is too narrow; how often the chosen move
/// is the label's. Within a bin the distribution function is linear. Where it jumps (a proven result, and beyond some ±1,190
/// centipawns, where a belief can't tell nearly certain from certain) the truth counts as spread evenly over the jump.
/// With --fit-report the belief that distress reports of a root (location and width in the logit, by value, phase and advanced
/// pawns) is fitted to every second position by maximum likelihood; told is how it and the one in use do on the others. The
/// defaults, in eval/fitted/report.rs, were obtained so. --fit-leaf does the same with the width of a leaf's belief about the value of
/// quiescence, by the same features and without a search; positions in check and mates are left out.
///
/// The control of a column knows its mean alone: about it are laid the errors (truth less mean) of the positions in the
/// other nine tenths of the file whose means are in the same sixth by size. No position judges itself, nor do most of its own
/// game. A belief whose CRPS is not below that of a control says no more than that column's value with an error bar; the
/// difference is told position by position with its standard error. There is none with fewer than 60 positions.
///
/// A column without beliefs is judged as a point: its CRPS is the mean distance, and its coverage means nothing.
///
/// With --json there is one object: source, kind, labels (in the file, of that kind), positions, answered, complete, budget,
/// threads, seed, levels; columns (name, n, points, coverage: share, interval; crps, crps_error, bias, bias_error, rmse, pit,
/// control: n, coverage, crps, …, and belief_less_control: by column crps, crps_error; agreement: hits, n, interval; with --fit-report fit: shift, slope, bend, width, swell, trained,
/// held_out, now and then with loss, crps, rmse, coverage); troubles.
///
/// Ctrl-C ends the experiment and prints what it has; a second one ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab calibration labels.tsv.zst
  plyscope lab calibration labels.tsv.zst --kind g --positions 1000 -a distress -a distress:backup=r-opt --nodes 30k
  plyscope lab calibration labels.tsv.zst --positions 16000 --seed 2 --fit-report
  plyscope lab calibration labels.tsv.zst --positions 20000 --fit-leaf
  plyscope lab calibration analysed.epd -a distress -a mcts --json")]
pub struct Calibration {
    /// Labelled positions, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    columns: ColumnOptions,

    /// At most so many positions, at random by --seed
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    positions: u32,

    /// Only labels of this kind: g from a game, x some random moves away from one
    #[arg(long, value_name = "KIND", value_parser = ["g", "x"])]
    kind: Option<String>,

    /// Fit the belief that distress reports to every second position, and judge it by the others
    #[arg(long, alias = "fit")]
    fit_report: bool,

    /// No searches: fit the width of a leaf's belief about its quiet value (width=fitted) to every second position
    #[arg(long, conflicts_with = "fit_report")]
    fit_leaf: bool,

    #[command(flatten)]
    shown: Shown,
}

impl Calibration {
    fn fit_leaf(&self, source: &str, cases: &[Case]) -> Result<(), Failure> {
        let samples = leaves(cases);
        let few = || {
            let found = samples.len();
            Failure::Input(format!(
                "{source}: found {found} quiet labelled positions, expected 40"
            ))
        };
        let fitted = fit(Aim::Leaf, &samples).ok_or_else(few)?;
        let json = self.shown.json.then(|| report::leaf_json(fitted));
        print(json, self.shown.ascii, |_| report::leaf_text(&fitted))
    }

    /// Runs the experiment and prints what it found.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let options = &self.columns;
        let at_a_time = (options.cores() / options.threads()).max(1);
        let columns = options.columns(|_| at_a_time)?;
        let budget = options.budget(DEFAULT_NODES)?;
        let mut reservoir = Reservoir::new(self.positions as usize, options.seed());
        let wanted = self.kind.as_ref().and_then(|k| k.chars().next());
        let mut refused = false;
        labels::read(&self.file, |label| match label {
            Ok(label) if wanted.is_none() || label.kind == wanted => reservoir.offer(label),
            Ok(_) => {}
            Err(problem) => {
                complain(&problem.to_string());
                refused = true;
            }
        })?;
        let offered = reservoir.offered();
        let source = source(Some(&self.file));
        if offered == 0 && refused {
            return Err(Failure::Reported);
        }
        let cases: Vec<Case> = reservoir.finish().into_iter().map(Case::labelled).collect();
        if self.fit_leaf {
            self.fit_leaf(&source, &cases)?;
            return verdict(refused);
        }
        let plan = Plan {
            cases,
            columns,
            budget,
            longer: None,
            at_a_time,
        };
        let run = start(plan).map_err(|e| Failure::Input(format!("{source}: {e}")));
        let mut run = run?;
        self.shown.watch_plainly(&mut run, "");
        let found = run.findings();
        let results = report::Results {
            source: &source,
            kind: wanted,
            labels: offered,
            budget,
            threads: options.threads(),
            seed: options.seed(),
            complete: !headless::interrupted(),
            found: &found,
            fit: self.fit_report,
        };
        let json = self.shown.json.then(|| report::whole(&results));
        print(json, self.shown.ascii, |style| {
            report::text(&results, style)
        })?;
        verdict(refused)
    }
}
