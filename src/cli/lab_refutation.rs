//! `plyscope lab refutation`: how searches take to a refutation that was hidden, without a screen.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Shown, columns_or, usage, write};
use super::part::Part;
use ::report::lab::refutation as report;
use lab::refutation::{Plan, USUAL, start};
use lab::statistics::Resamples;
use search::quantity;

/// Hide a refutation in random trees, and see how stable the choice is before it comes into sight and how long it lasts
/// after.
///
/// Every move is worth a normally distributed number of centipawns to its side (standard deviation 60), and one move at the
/// root is 60 better than the next. The static value of a position is the sum of what its moves are worth with an error of
/// Student's distribution with three degrees of freedom (scale 25), whose tails are heavy. After the best move one reply
/// costs 400 whatever follows, but the static value knows that only from --hidden plies after the reply on. Each tree is
/// also searched without the refutation, as the control. Intervals are at 95 %, by a bootstrap over the trees.
///
/// With --json, there is one object: question, verdict, decided; experiment, complete, trees, searched, nodes,
/// branching, hidden, seed, loss, margin; columns (name; sighted: share that saw the refutation; sighted_at: median
/// nodes; changes of the choice before; held: share of the moments before with the best-looking move; recovered: share
/// that ended with another move; recovery: median nodes from the first sight to the last moment with the refuted move,
/// null if more than half never gave it up; strayed: share of the control's searches that ended with another move; spread: of the
/// belief about the root just before the first sight, at its widest after that, at the end, and at the end of the control;
/// recovered_above_first). A figure has value and interval.
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab refutation
  plyscope lab refutation -a distress -a distress:backup=r-opt -a alpha-beta --trees 200 --nodes 100k
  plyscope lab refutation --hidden 5 --json")]
pub struct Refutation {
    /// Add a column (repeatable): an algorithm, optionally with its options [default: distress with gumbel:2, r-opt, r-pick,
    /// exp:1.5 and cuadras-auge:.5, distress:allocation=uniform, alpha-beta]
    #[arg(short, long, value_name = "NAME[:KEY=VALUE,…]")]
    algorithm: Vec<String>,

    /// The number of trees
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    trees: u32,

    /// Nodes per search
    #[arg(long, value_name = "N", default_value = "50k", value_parser = quantity::count)]
    nodes: u64,

    /// The number of moves in each position
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(2..=64))]
    branching: u8,

    /// The number of plies after the refuting reply for which the static value does not know of it
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=32))]
    hidden: u16,

    /// The seed of the trees and of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The number of bootstrap samples
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(20..=1_000_000))]
    resamples: u32,

    /// Draw the figures into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    at_a_time: AtATime,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl Refutation {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let plan = Plan {
            columns: columns_or(&self.algorithm, &USUAL)?,
            branching: self.branching,
            hidden: self.hidden,
            trees: self.trees as usize,
            nodes: self.nodes,
            seed: self.seed,
            at_a_time: self.at_a_time.count(),
        };
        let columns: Vec<String> = plan.columns.iter().map(ToString::to_string).collect();
        let asked = vec![
            format!("columns {}", columns.join(" ")),
            format!("branching {} hidden {}", self.branching, self.hidden),
            format!("nodes {} seed {}", self.nodes, self.seed),
        ];
        let width = plan.columns.len();
        let (kept, rest) = self
            .part
            .kept("refutation", asked, (plan.trees * width, width))?;
        let run = start(plan.clone(), kept).map_err(usage)?;
        let found = self.shown.run(run, "");
        rest.check()?;
        let results = report::Results {
            plan: &plan,
            complete: rest.is_whole(),
            resamples: &Resamples::new(found.searched(), self.resamples as usize, self.seed),
            found: &found,
        };
        if let Some(path) = &self.svg {
            write(path, &report::svg(&results))?;
        }
        self.shown.print(&results)
    }
}
