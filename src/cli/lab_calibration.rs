//! `plyscope lab calibration`: compares beliefs with labels, without a screen.

use clap::Args;

use super::Failure;
use super::columns::ColumnOptions;
use super::lab_support::{Labels, Shown, verdict};
use super::part::{Part, of_cases, of_columns};
use lab::calibration::{Case, Plan, start};
use lab::depth_series::leaves;
use lab::report::{Aim, fit};
use report::lab::calibration::{Leaf, Results};

/// The nodes per position if no budget is given.
const DEFAULT_NODES: u64 = 10_000;

/// Compare what searches believe about positions with the verdicts of a stronger engine.
///
/// FILE has labelled positions: tab-separated lines of FEN, cp or mate, value, win, draw and loss in permille, best move
/// and kind; or EPD with ce (centipawns), dm or bm. It may be compressed with zstd. The truth is e = tanh(cp / 360), or ±1
/// for a mate. Every column searches every position with the same budget, by default 10,000 nodes on one thread.
///
/// Reported for each column, over the positions that all columns have answered: the share of truths within the central 50,
/// 80 and 90 % intervals of its belief, with a 95 % interval (Wilson); the mean continuous ranked probability score (CRPS),
/// exact on the bins, with its standard error; the bias, mean minus truth, and its root mean square; the histogram of where
/// the truth falls in the belief (PIT), which is flat for a calibrated belief, a valley for one that is too narrow and a
/// hill for one that is too wide; and how often the chosen move is the label's. Within a bin the distribution function is
/// linear. Where it jumps (at a proven result, and beyond about ±1,190 centipawns, where a belief cannot tell nearly
/// certain from certain) the truth counts as spread evenly over the jump.
///
/// With --fit-report, the belief that distress reports for a root (location and width in the logit, by value, phase and
/// advanced pawns) is fitted to every second position by maximum likelihood, and this fit and the one in use are scored on
/// the other positions. The defaults in eval/fitted/report.rs were obtained this way. --fit-leaf does the same, by the same
/// features and without a search, for the width of a leaf's belief around the quiescence value; positions in check and
/// mates are left out.
///
/// The control of a column knows only the column's mean. Around that mean it places the errors (truth minus mean) of
/// positions from the other nine tenths of the file whose means are in the same sixth by size. So no position is used to
/// judge itself, and hardly any from its own game. A belief whose CRPS is not below that of its control says no more than
/// the column's value with an error bar; the difference is computed position by position and has a standard error. With
/// fewer than 60 positions there is no control.
///
/// A column without beliefs is scored as a point: its CRPS is the mean distance, and its coverage is meaningless.
///
/// With --json, there is one object: question, verdict, decided; experiment, source, kind, labels (in the file, of that
/// kind), positions, answered, complete, budget, threads, seed, levels; columns (name, n, points, coverage: share,
/// interval; crps, crps_error, bias, bias_error, rmse, pit, control: n, coverage, crps, …, and belief_less_control: by
/// column crps, crps_error; agreement: hits, n, interval; with --fit-report fit: shift, slope, bend, width, swell,
/// trained, held_out, now and then with loss, crps, rmse, coverage); troubles.
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab calibration labels.tsv.zst
  plyscope lab calibration labels.tsv.zst --kind g --positions 1000 -a distress -a distress:backup=r-opt --nodes 30k
  plyscope lab calibration labels.tsv.zst --positions 16000 --seed 2 --fit-report
  plyscope lab calibration labels.tsv.zst --positions 20000 --fit-leaf
  plyscope lab calibration analysed.epd -a distress -a mcts --json")]
pub struct Calibration {
    #[command(flatten)]
    labels: Labels,

    #[command(flatten)]
    columns: ColumnOptions,

    /// Fit the belief that distress reports to every second position, and score it on the others
    #[arg(long, alias = "fit")]
    fit_report: bool,

    /// Without searching, fit the width of a leaf's belief around its quiescence value (width=fitted) to every second
    /// position
    #[arg(long, conflicts_with = "fit_report")]
    fit_leaf: bool,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl Calibration {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let options = &self.columns;
        let at_a_time = options.at_a_time();
        let columns = options.columns(|_| at_a_time)?;
        let budget = options.budget(DEFAULT_NODES)?;
        let labelled = self.labels.gather(options.seed())?;
        let source = &labelled.source;
        if self.fit_leaf {
            self.fit_leaf(source, &labelled.cases)?;
            return verdict(labelled.refused);
        }
        let mut asked = vec![of_cases(&labelled.cases)];
        asked.extend(of_columns(options, &columns, budget));
        let (units, group) = (labelled.cases.len() * columns.len(), columns.len());
        let (kept, rest) = self.part.kept("calibration", asked, (units, group))?;
        let plan = Plan {
            cases: labelled.cases,
            columns,
            budget,
            longer: None,
            at_a_time,
        };
        let run = start(plan, kept).map_err(|e| Failure::Input(format!("{source}: {e}")))?;
        let found = self.shown.run(run, "");
        rest.check()?;
        self.shown.print(&Results {
            source,
            kind: labelled.kind,
            labels: labelled.offered,
            budget,
            threads: options.threads(),
            seed: options.seed(),
            complete: rest.is_whole(),
            found: &found,
            fit: self.fit_report,
        })?;
        verdict(labelled.refused)
    }

    fn fit_leaf(&self, source: &str, cases: &[Case]) -> Result<(), Failure> {
        let samples = leaves(cases);
        let few = || {
            let found = samples.len();
            Failure::Input(format!(
                "{source}: found {found} quiet labelled positions, expected 40"
            ))
        };
        self.shown
            .print(&Leaf(fit(Aim::Leaf, &samples).ok_or_else(few)?))
    }
}
