//! `plyscope lab prob-cut`: how well a shallow search predicts a deep one.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::lab::watch;
use super::lab_support::{Shown, gather, print, source, verdict};
use super::options::default_threads;
use ::lab::pairs::pairs;
use ::lab::{Experiment, Plan, Stage, Tested};
use lab;
use report::lab::{PairResults, pairs_json, pairs_text};
use search::quantity;
use session::Config;

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
/// With --json, there is one object: experiment, source, positions, measured, complete, within; pairs (deep, shallow, n,
/// left_out, a, b, sigma, r, usable).
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab prob-cut
  plyscope lab prob-cut games.pgn --positions 1000 --depth 9 --json")]
pub struct ProbCut {
    /// A .pgn, .fen or .epd file, or - for standard input; every position of a game's main line is used [default: the
    /// samples]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Search every depth up to this one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(3..=32))]
    depth: u16,

    /// Use at most this many positions, evenly spread over the file
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,

    /// Stop searching a position after this many nodes; depths that it did not reach lack it
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    nodes: Option<u64>,

    /// Use only positions whose shallow value is within this many centipawns of 0
    #[arg(long, value_name = "CP", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=30_000))]
    within: u32,

    /// How many searches run at a time, each on one thread [default: all cores but one, at least 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Set an option of alpha-beta (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    shown: Shown,
}

impl ProbCut {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let file = self.file.as_deref();
        let gathered = gather(file, self.positions)?;
        let mut config = Config::new(lab::ALGORITHM);
        for pair in &self.set {
            config.options.set_pair(pair)?;
        }
        let plan = Plan {
            depth: self.depth,
            nodes: self.nodes,
            // Only the scores by depth are needed.
            audit: 0,
            at_a_time: usize::from(self.threads.unwrap_or_else(default_threads)),
            ..Plan::new(gathered.positions, Tested::Futility, config)
        };
        let experiment = Experiment::start(plan);
        let mut experiment = experiment.map_err(|e| Failure::Usage(e.to_string()))?;
        watch(&mut experiment, &self.shown);
        let findings = experiment.findings();
        let found = pairs(&findings.measured, f64::from(self.within));
        let source = source(file);
        let results = PairResults {
            source: &source,
            positions: findings.positions,
            measured: findings.measured.len(),
            complete: findings.stage == Stage::Done,
            within: self.within,
            pairs: &found,
        };
        let json = self.shown.json.then(|| pairs_json(&results));
        print(json, self.shown.ascii, |style| pairs_text(&results, style))?;
        verdict(gathered.refused)
    }
}
