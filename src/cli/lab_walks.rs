//! `plyscope lab walks`: how static values change along walks.

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Positions, Shown, verdict};
use super::part::{Part, of_positions};
use ::lab::walks::{Plan, start};
use ::report::lab::walks::Results;
use search::quantity;

/// Measure how static values change along walks, and how many independent bets a skipped subtree is: what the argument for
/// futility margins rests on.
///
/// From every position walks of legal moves at random set out, and one of the moves that alpha-beta finds with --nodes each. The
/// change of the static value is shown by plies, with its spread, its shape, and the exponent b of sd = a d^b: one half where
/// every ply adds a change of its own. The interval is over resampled positions.
///
/// Then all positions up to --tree plies away are looked at: how many are above the first value by more than a margin, and how
/// often at least one is. Both give the number of independent bets that they amount to, shown beside their number A^d. Positions in check
/// have no static value.
///
/// With --json, there is one object: question, verdict, decided; experiment, source, positions, measured, complete,
/// branching; random and search (exponent, exponent_interval; plies: ply, n, mean, sd, kurtosis, beyond_two_sd); bets (ply,
/// margin, positions, above, lost, independent, interval).
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab walks
  plyscope lab walks games.pgn --positions 1000 --plies 16 --tree 2 --json")]
pub struct Walks {
    #[command(flatten)]
    positions: Positions,

    /// The length of the walks
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(2..=64))]
    plies: u16,

    /// Random walks from each position
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    walks: u16,

    /// Nodes for each move of the walk by a search
    #[arg(long, value_name = "N", default_value = "2000", value_parser = quantity::count)]
    nodes: u64,

    /// Look at all positions up to so many plies away
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(0..=4))]
    tree: u16,

    /// The seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    at_a_time: AtATime,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl Walks {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let gathered = self.positions.gather()?;
        let positions = gathered.positions.len();
        let asked = vec![
            of_positions(&gathered.positions),
            format!("plies {} walks {}", self.plies, self.walks),
            format!("nodes {} tree {} seed {}", self.nodes, self.tree, self.seed),
        ];
        let (kept, rest) = self.part.kept("walks", asked, (positions, 1))?;
        let plan = Plan {
            positions: gathered.positions,
            plies: self.plies,
            walks: self.walks,
            nodes: self.nodes,
            tree: self.tree,
            seed: self.seed,
            at_a_time: self.at_a_time.count(),
        };
        let run = start(plan, kept).map_err(|e| Failure::Input(e.to_string()))?;
        let found = self.shown.run(run, " positions");
        rest.check()?;
        let complete = rest.is_whole();
        let results = Results::new(&gathered.source, positions, complete, &found);
        self.shown.print(&results)?;
        verdict(gathered.refused)
    }
}
