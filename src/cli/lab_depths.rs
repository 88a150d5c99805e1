//! `plyscope lab depths`: how sure a value is by the depth of the search that found it.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Labels, Shown, verdict, write};
use super::part::{Part, of_cases};
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
/// With --json, there is one object: question, verdict, decided; experiment, source, positions, complete, levels,
/// trained, held_out, location, width, and depths (depth; fitted, in_use and constant: n, crps, coverage;
/// constant_width, gain, gain_error).
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(mut_arg("positions", |arg| arg.default_value("1000")), after_help = "Examples:
  plyscope lab depths labels.tsv.zst --positions 4000
  plyscope lab depths labels.tsv.zst --kind g --depth 6 --json")]
pub struct Depths {
    #[command(flatten)]
    labels: Labels,

    /// Search every depth up to this one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=32))]
    depth: u16,

    /// Stop searching a position after this many nodes; depths that it did not reach lack it
    #[arg(long, value_name = "N", default_value = "1M", value_parser = quantity::count)]
    nodes: u64,

    /// The seed of the choice of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    at_a_time: AtATime,

    /// Also write what each search found, with the truth: a line for each position and depth
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl Depths {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let labelled = self.labels.gather(self.seed)?;
        let (positions, source) = (labelled.cases.len(), labelled.source);
        let asked = vec![
            of_cases(&labelled.cases),
            format!("depth {} nodes {}", self.depth, self.nodes),
        ];
        let (kept, rest) = self.part.kept("depths", asked, (positions, 1))?;
        let plan = Plan {
            labelled: Labelled::Cases(labelled.cases),
            depth: self.depth,
            nodes: self.nodes,
            at_a_time: self.at_a_time.count(),
            early: false,
        };
        let run = start(plan, kept).map_err(|e| Failure::Input(e.to_string()))?;
        let known = self.shown.run(run, " positions");
        rest.check()?;
        if let Some(path) = &self.csv {
            write(path, &report::searches(&known.found).csv())?;
        }
        let few = || Failure::Input(format!("{source}: too few labelled positions, expected 40"));
        self.shown.print(&report::Results {
            source: &source,
            positions,
            complete: rest.is_whole(),
            fitted: &*known.fitted.ok_or_else(few)?,
        })?;
        verdict(labelled.refused)
    }
}
