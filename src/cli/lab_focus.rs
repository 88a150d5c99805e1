//! `plyscope lab focus`: what is lost by leaving out moves of little policy, without a screen.

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Positions, Shown, config, usage, verdict};
use super::part::{Part, of_positions};
use ::report::lab::focus::Results;
use lab::focus::{ALGORITHM, Plan, start};
use search::quantity;
use studies::compare::ColumnSpec;

/// See what is lost by leaving out moves of little policy, which the DISTRESS essay calls relatively safe.
///
/// In every position distress searches with --nodes nodes. Then the moves are left out that have less of the policy than a threshold,
/// and it is seen how much of the policy that ignores and how much better the best move left out would have been. Alpha-beta judges,
/// with --judge-nodes after each move; the best of all moves and the best of those kept are then searched again ten times as long,
/// because the best of many values looks better than it is. Losses are in points of the game, won 1 and lost 0.
///
/// The controls keep as many moves, the first by the network's policy, which is known before any search, or any. Intervals are at
/// 95 %, over resampled positions.
///
/// With --json, there is one object: question, verdict, decided; experiment, source, positions, measured, complete, column, nodes,
/// judge_nodes; thresholds (threshold, kept, ignored; left_out and loss: by policy, network and chance; gain). A figure has value and
/// interval.
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab focus
  plyscope lab focus games.pgn --positions 500 --nodes 20k
  plyscope lab focus games.pgn --set backup=r-opt --json")]
pub struct Focus {
    #[command(flatten)]
    positions: Positions,

    /// Nodes of distress before its policy is read
    #[arg(long, value_name = "N", default_value = "2k", value_parser = quantity::count)]
    nodes: u64,

    /// Nodes of alpha-beta after each move
    #[arg(long, value_name = "N", default_value = "10k", value_parser = quantity::count)]
    judge_nodes: u64,

    /// Set an option of distress (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// The seed of what is kept by chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    at_a_time: AtATime,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl Focus {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let config = config(ALGORITHM, &self.set)?;
        let column = ColumnSpec::Own(config.clone()).to_string();
        let gathered = self.positions.gather()?;
        let asked = vec![
            of_positions(&gathered.positions),
            format!("search {column}"),
            format!("nodes {} judge {}", self.nodes, self.judge_nodes),
            format!("seed {}", self.seed),
        ];
        let units = gathered.positions.len();
        let (kept, rest) = self.part.kept("focus", asked, (units, 1))?;
        let plan = Plan {
            positions: gathered.positions,
            config,
            nodes: self.nodes,
            judge_nodes: self.judge_nodes,
            seed: self.seed,
            at_a_time: self.at_a_time.count(),
        };
        let run = start(plan, kept).map_err(usage)?;
        let found = self.shown.run(run, " positions");
        rest.check()?;
        let results = Results::new(
            (&gathered.source, &column),
            (self.nodes, self.judge_nodes),
            rest.is_whole(),
            &found,
        );
        self.shown.print(&results)?;
        verdict(gathered.refused)
    }
}
