//! `plyscope bench`: a fixed set of positions with fixed nodes on one thread, to check that the search is unchanged and
//! how fast it is.

mod measure;
mod table;

use std::io::Write;

use clap::Args;

pub(super) use measure::Report;

use super::options::algorithms;
use super::output;
use super::{Failure, headless};
use ::algorithms::{ALGORITHMS, Algorithm};

/// Search a fixed set of positions with a fixed number of nodes and print the signature and speed of each algorithm.
///
/// The signature (the nodes, and a hash over best moves and values) is the same in every run of a version. A change that is
/// not meant to affect the search must leave it unchanged. Speeds depend on the machine and its current load, those by CPU
/// time less than those by the clock, so compare only figures from the same run. The floors are the project's own goals for one core of a current server.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope bench
  plyscope bench -a mcts --nodes 1M --json")]
pub struct Arguments {
    /// Run this algorithm (repeatable) [default: all]
    #[arg(short, long, value_name = "NAME", value_parser = algorithms())]
    algorithm: Vec<Algorithm>,

    /// Nodes per position; speeds are measured with ten times as many (mcts: three times)
    #[arg(long, value_name = "N", default_value = "300k", value_parser = search::quantity::count)]
    nodes: u64,

    /// Measure each speed this many times and take the median
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=100))]
    runs: u8,

    /// Skip the measurements that need two threads
    #[arg(long)]
    one_thread: bool,

    /// Print one JSON object per algorithm, one per line
    #[arg(long)]
    json: bool,

    /// Print ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// Measures and prints one algorithm after the other.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let wanted: Vec<Algorithm> = if arguments.algorithm.is_empty() {
        ALGORITHMS.iter().map(|a| a.algorithm).collect()
    } else {
        arguments.algorithm.clone()
    };
    headless::catch_interrupt();
    let plan = measure::Plan {
        nodes: arguments.nodes,
        runs: usize::from(arguments.runs),
        two_threads: !arguments.one_thread,
    };
    let mut out = output::stdout();
    for algorithm in wanted {
        let report = measure::measure(algorithm, &plan)?;
        if headless::interrupted() {
            // Half a measurement would be a wrong one.
            return Err(Failure::Input(
                "the bench was interrupted before its end".into(),
            ));
        }
        if arguments.json {
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
        } else {
            out.write_all(table::text(&report, arguments.ascii).as_bytes())?;
        }
        out.flush()?;
    }
    Ok(())
}
