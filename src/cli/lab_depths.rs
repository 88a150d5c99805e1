//! `plyscope lab depths`: how sure a value is by the depth of the search that found it.

use std::path::PathBuf;

use clap::Args;

use super::lab_support::{Shown, gather_labelled, print, source, verdict, write};
use super::options::default_threads;
use super::{Failure, headless};
use ::report::lab::depths as report;
use lab::searched::{Labelled, Plan, start};
use search::quantity;

/// Fit how sure the value of an alpha-beta is by its depth, with the default evaluation.
///
/// FILE has labelled positions, as for `lab calibration`. Alpha-beta searches each of them to every depth. To every second
/// position a belief is fitted by maximum likelihood, one for all depths: a logistic distribution in the logit whose
/// location and width depend on the depth, the value, the network's own belief, the phase, how far the value moved from the
/// depth before, and whether anything was pending (a check, or captures that move the static value). It is judged on the
/// other positions, depth by depth. Mates are left out.
///
/// The control knows the same values: it puts one width around them, for each depth the one whose CRPS is best on the first
/// half. Differences are taken position by position.
///
/// The weights in eval/fitted/searched.rs were obtained this way.
///
/// --csv writes the features as the fit has them, values as logits (centipawns by 180).
///
/// With --json, there is one object: experiment, source, positions, complete, levels, trained, held_out, location, width,
/// and depths (depth; fitted, in_use and constant: n, crps, coverage; constant_width, gain, gain_error).
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab depths labels.tsv.zst --positions 4000
  plyscope lab depths labels.tsv.zst --kind g --depth 6 --json")]
pub struct Depths {
    /// Labelled positions, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Search every depth up to this one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=32))]
    depth: u16,

    /// Use at most this many positions, chosen at random by --seed
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    positions: u32,

    /// Use only labels of this kind: g for positions from games, x for some random moves away from one
    #[arg(long, value_name = "KIND", value_parser = ["g", "x"])]
    kind: Option<String>,

    /// Stop searching a position after this many nodes; depths that it did not reach lack it
    #[arg(long, value_name = "N", default_value = "1M", value_parser = quantity::count)]
    nodes: u64,

    /// The seed of the choice of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many searches run at a time, each on one thread [default: all cores but one, at least 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Also write what each search found, with the truth: a line for each position and depth
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    shown: Shown,
}

impl Depths {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let kind = self.kind.as_ref().and_then(|k| k.chars().next());
        let labelled = gather_labelled(&self.file, kind, self.positions, self.seed)?;
        let cases = labelled.cases;
        let positions = cases.len();
        let source = source(Some(&self.file));
        let mut run = start(Plan {
            labelled: Labelled::Cases(cases),
            depth: self.depth,
            nodes: self.nodes,
            at_a_time: usize::from(self.threads.unwrap_or_else(default_threads)),
            early: false,
        })
        .map_err(|e| Failure::Input(e.to_string()))?;
        self.shown.watch_plainly(&mut run, " positions");
        if let Some(path) = &self.csv {
            write(path, &run.read(|known| report::csv(&known.found)))?;
        }
        let few = || Failure::Input(format!("{source}: too few labelled positions, expected 40"));
        let fitted = run.read(|known| known.fitted.clone()).ok_or_else(few)?;
        let results = report::Results {
            source: &source,
            positions,
            complete: !headless::interrupted(),
            fitted: &fitted,
        };
        let json = self.shown.json.then(|| report::json(&results));
        print(json, self.shown.ascii, |style| {
            report::text(&results, style)
        })?;
        verdict(labelled.refused)
    }
}
