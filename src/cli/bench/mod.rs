//! `plyscope bench`: a fixed set of positions, fixed nodes, one thread; what must not change and how fast it went.

mod measure;
mod table;

use std::io::Write;

use clap::Args;

use super::options::algorithms;
use super::{Failure, headless};
use crate::search::{ALGORITHMS, Algorithm};

/// Search a fixed set of positions with a fixed number of nodes: signature and speed of each algorithm.
///
/// The signature (nodes, and a hash over best moves and values) is the same in every run of one version: a change that
/// should not change the search must not change it. Speeds are of this machine at this moment; compare figures of one
/// run. The floors are the project's own, for one core of a current server.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope bench
  plyscope bench -a mcts --nodes 1M --json")]
pub struct Arguments {
    /// An algorithm (repeatable) [default: all]
    #[arg(short, long, value_name = "NAME", value_parser = algorithms())]
    algorithm: Vec<Algorithm>,

    /// Nodes for each position; speeds are measured with ten times as many (mcts: three times)
    #[arg(long, value_name = "N", default_value = "300k", value_parser = crate::search::quantity::count)]
    nodes: u64,

    /// Measure speeds this many times and take the median
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=100))]
    runs: u8,

    /// Leave out what needs two threads
    #[arg(long)]
    one_thread: bool,

    /// One JSON object for each algorithm, a line each
    #[arg(long)]
    json: bool,

    /// Nothing outside ASCII
    #[arg(long)]
    ascii: bool,
}

/// Measures and prints, one algorithm after the other.
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
    let mut out = std::io::stdout().lock();
    for algorithm in wanted {
        let report = measure::measure(algorithm, &plan)?;
        if headless::interrupted() {
            // Half a measurement would be a wrong one.
            return Err(Failure::Input(
                "the bench was interrupted, expected it to run to its end".into(),
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
