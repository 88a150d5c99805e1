//! `plyscope lab truth`: searches of small games against the exact results, without a screen.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Shown, columns_or, usage, write};
use super::part::Part;
use ::report::lab::truth::Results;
use algorithms::ALGORITHMS;
use lab::statistics::Resamples;
use lab::truth::{Board, Plan, Positions, Which, start};
use search::quantity;

/// Judge what searches of a small game prove, leave out and believe by the exact results.
///
/// Every position of the board that can come up with the game not over is searched by each algorithm, and every node of the
/// recorded tree is judged by a solver that shares only the rules with the searches: its proven bounds, the moves that its fate
/// left out (result lost: the best of them has a better result than the best move searched; control: as many left out at random),
/// what its fate claims of a bound (control: the same of any node of the tree's ply), and its belief (by ply below the root:
/// coverage and CRPS; control: the results at this ply as often as they occur). The first false proof is named with its position.
///
/// --every and --positions search a sample, whose intervals are at 95 %, by a bootstrap over up to 1,000 blocks of positions. A
/// part of the whole (--shard, or interrupted with --resume) is one, too, because every block is spread over all positions.
///
/// With --json, there is one object: question, verdict, decided; experiment, board, game, of, positions, searched, all, complete,
/// nodes, results, kept_by_chance, climate; columns (name, searches, proven, nodes_to_proof, keeps, nodes, bounds, results_proven,
/// false_results, false_distances, first_false_proof, said, said_falsely; fates: fate, decisions, moves, lost, lost_by_chance,
/// claims, false, false_by_chance, proven; plies: ply; all and unproven: n, results, crps, control, coverage, mean_less_result).
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab truth
  plyscope lab truth --board 3x3 --nodes 300 -a mcts -a distress:width=0.5
  plyscope lab truth --board 5x4 --positions 2000 --seed 7 --json
  plyscope lab truth --board 4x4 --every 100 --csv truth.csv
  seq 4 | xargs -P 4 -I K plyscope lab truth --board 5x4 --shard K/4 --resume K.part --threads 1 --no-progress
  cat *.part > all; plyscope lab truth --board 5x4 --resume all")]
pub struct Truth {
    /// The board: 3x3 (tic-tac-toe), or columns by rows of Connect Four (4x4, 4x5, 5x4)
    #[arg(long, value_name = "WxH", default_value = "4x4")]
    board: Board,

    /// Add a column (repeatable): an algorithm, optionally with its options [default: all algorithms]
    #[arg(short, long, value_name = "NAME[:KEY=VALUE,…]")]
    algorithm: Vec<String>,

    /// Nodes per search
    #[arg(long, value_name = "N", default_value = "300", value_parser = quantity::count)]
    nodes: u64,

    /// Search every N-th position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,

    /// Search N positions, chosen at random by --seed
    #[arg(long, value_name = "N", conflicts_with = "every", value_parser = clap::value_parser!(u32).range(1..))]
    positions: Option<u32>,

    /// The seed of the choice of positions and of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The number of bootstrap samples
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(20..=1_000_000))]
    resamples: u32,

    /// Also write every figure, a line each
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    at_a_time: AtATime,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl Truth {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let columns = columns_or(&self.algorithm, &ALGORITHMS.each_ref().map(|row| row.name))?;
        let which = match self.positions {
            Some(count) => Which::Drawn {
                count: count as usize,
                seed: self.seed,
            },
            None => Which::Every(self.every as usize),
        };
        let positions = Positions::of(self.board, which);
        let wanted = positions.cases.len();
        let names: Vec<String> = columns.iter().map(ToString::to_string).collect();
        let asked = vec![
            format!("board {} positions {which:?}", self.board),
            format!("columns {}", names.join(" ")),
            format!("nodes {}", self.nodes),
        ];
        let plan = Plan {
            positions,
            columns,
            nodes: self.nodes,
            at_a_time: self.at_a_time.count(),
        };
        let (kept, rest) = self.part.kept("truth", asked, (plan.blocks(), 1))?;
        let run = start(plan, kept).map_err(usage)?;
        let found = self.shown.run(run, " blocks");
        rest.check()?;
        let times = self.resamples as usize;
        let resamples = Resamples::new(found.known().count(), times, self.seed);
        let spent = (wanted, self.nodes);
        let results = Results::new(self.board, spent, rest.is_whole(), &resamples, &found);
        if let Some(path) = &self.csv {
            write(path, &results.csv())?;
        }
        self.shown.print(&results)
    }
}
