//! `plyscope lab prob-cut`: how well a shallow search predicts a deep one.

use clap::Args;

use super::Failure;
use super::lab::run_futility;
use super::lab_support::{AtATime, Positions, Shown, config, verdict};
use super::part::Part;
use ::lab::pairs::pairs;
use ::lab::{self, Plan, Stage, Tested};
use report::lab::pairs::PairResults;
use search::quantity;

/// Measure how well a shallow search predicts a deep one: the regressions behind ProbCut (Buro 1995).
///
/// Alpha-beta searches every position to every depth, as in `lab futility`, with all rules off that prune by a margin or a
/// count. For each pair of depths of the same parity the line v = a v' + b is fitted by least squares, with the error's
/// standard deviation sigma and the correlation r. Positions with a mate at either depth are left out, and so are those
/// whose shallow value is beyond --within. A pair is not usable if a is not positive or if r is below .8.
///
/// The pairs that alpha-beta uses with prob-cut-by=percentile, in search/depth_first/alpha_beta/rules/prob_cut.rs, were
/// obtained this way.
///
/// With --json, there is one object: question, verdict, decided; experiment, source, positions, measured, complete,
/// within; pairs (deep, shallow, n, left_out, a, b, sigma, r, usable).
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab prob-cut
  plyscope lab prob-cut games.pgn --positions 1000 --depth 9 --json")]
pub struct ProbCut {
    #[command(flatten)]
    positions: Positions,

    /// Search every depth up to this one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(3..=32))]
    depth: u16,

    /// Stop searching a position after this many nodes; depths that it did not reach lack it
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    nodes: Option<u64>,

    /// Use only positions whose shallow value is within this many centipawns of 0
    #[arg(long, value_name = "CP", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=30_000))]
    within: u32,

    #[command(flatten)]
    at_a_time: AtATime,

    /// Set an option of alpha-beta (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl ProbCut {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let gathered = self.positions.gather()?;
        let config = config(lab::ALGORITHM, &self.set)?;
        let plan = Plan {
            depth: self.depth,
            nodes: self.nodes,
            // Only the scores by depth are needed.
            audit: 0,
            at_a_time: self.at_a_time.count(),
            ..Plan::new(gathered.positions, Tested::Futility, config)
        };
        let findings = run_futility("prob-cut", plan, &self.part, &self.shown)?;
        self.shown.print(&PairResults {
            source: &gathered.source,
            positions: findings.positions,
            measured: findings.measured.len(),
            complete: findings.stage == Stage::Done,
            within: self.within,
            pairs: &pairs(&findings.measured, f64::from(self.within)),
        })?;
        verdict(gathered.refused)
    }
}
