//! `plyscope lab cuts`: whether probabilistic cuts hold as often as they claim, without a screen.

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Positions, Shown, columns_or, usage, verdict};
use super::part::{Part, of_positions};
use ::report::lab::cuts::Results;
use lab::cuts::{Plan, USUAL, start};
use lab::statistics::Resamples;
use search::quantity;
use session::Budget;

/// See whether the cuts of prob-alpha-beta hold as often as they claim.
///
/// A cut in doubt claims that its node is worth at least beta with some probability, if its leaves are worth what is believed
/// about them. One cut in --audit is asked of an alpha-beta that looks --plies plies deeper than the node's own depth, outside
/// the score: is the node worth at least beta? Of a node that was cut off several times the last time counts. The cuts of each
/// column are shown in ten groups of about equal size by what they claim, those of the first one also by depth. The last column
/// is the control: by default prob-alpha-beta without doubt (width=0), which claims to be certain. Intervals are at 95 %, by a
/// bootstrap over the positions.
///
/// With --json, there is one object: question, verdict, decided; experiment, source, positions, searched, complete, budget,
/// audit, plies; columns (name, all, by_claim, by_depth: cuts, from, to, claimed, held, interval).
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab cuts
  plyscope lab cuts games.pgn --positions 300 --nodes 100k
  plyscope lab cuts games.pgn -a prob-alpha-beta:width=searched -a prob-alpha-beta --plies 4 --json")]
pub struct Cuts {
    #[command(flatten)]
    positions: Positions,

    /// Add a column (repeatable): prob-alpha-beta, optionally with its options [default: prob-alpha-beta, also with
    /// refuted=literal, width=40, width=searched and width=0]
    #[arg(short, long, value_name = "NAME[:KEY=VALUE,…]")]
    algorithm: Vec<String>,

    /// Nodes per search; those of audits do not count
    #[arg(long, value_name = "N", default_value = "20k", value_parser = quantity::count)]
    nodes: u64,

    /// Audit one cut in N
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    audit: u64,

    /// How many plies deeper than the node that was cut off audits search
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=20))]
    plies: u64,

    /// The seed of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The number of bootstrap samples
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(20..=1_000_000))]
    resamples: u32,

    #[command(flatten)]
    at_a_time: AtATime,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl Cuts {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let columns = columns_or(&self.algorithm, &USUAL)?;
        let gathered = self.positions.gather()?;
        let positions = gathered.positions.len();
        let names: Vec<String> = columns.iter().map(ToString::to_string).collect();
        let budget = Budget::Nodes(self.nodes);
        let asked = vec![
            of_positions(&gathered.positions),
            format!("columns {}", names.join(" ")),
            format!("budget {budget}"),
            format!("audit {} plies {}", self.audit, self.plies),
        ];
        let width = columns.len();
        let (kept, rest) = self.part.kept("cuts", asked, (positions * width, width))?;
        let plan = Plan {
            positions: gathered.positions,
            columns,
            budget,
            audit: self.audit,
            plies: self.plies,
            at_a_time: self.at_a_time.count(),
        };
        let run = start(plan, kept).map_err(usage)?;
        let found = self.shown.run(run, "");
        rest.check()?;
        self.shown.print(&Results {
            source: &gathered.source,
            positions,
            budget: &budget.to_string(),
            audit: self.audit,
            plies: self.plies,
            complete: rest.is_whole(),
            resamples: &Resamples::new(found.searched(), self.resamples as usize, self.seed),
            found: &found,
        })?;
        verdict(gathered.refused)
    }
}
