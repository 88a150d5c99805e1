//! `plyscope uci`: a chess engine for other programs.

use std::io::{BufReader, BufWriter};

use clap::Args;

use super::Failure;
use super::options::{LimitOptions, MachineOptions, SearchOptions, algorithms};
use ::algorithms::Algorithm;
use uci::{End, serve};

/// Speak UCI on standard input and output.
///
/// Any of the algorithms can serve as an engine for chess programs and matches. The options given here are the engine's
/// initial settings; the other program can change them and more: the algorithm, its options (by their keys), Hash, Threads,
/// MultiPV, Move Overhead, UCI_Chess960, Tree, Tree Memory. Fractions are UCI strings, because UCI has no type for them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope uci
  plyscope uci -a distress --threads 1 --set width=0.58
  printf 'position startpos moves e2e4\\ngo movetime 500\\n' | plyscope uci -a mcts")]
pub struct Arguments {
    /// The algorithm (see `plyscope algorithms`) [default: alpha-beta]
    #[arg(short, long, value_name = "NAME", value_parser = algorithms())]
    algorithm: Option<Algorithm>,

    #[command(flatten)]
    machine: MachineOptions,

    /// Set an option of the algorithm (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// List the options of every algorithm, such as mcts.exploration; some programs have no room for so many. They can be set whether
    /// they are listed or not
    #[arg(long)]
    all_options: bool,
}

/// Serves until the other program quits or closes the connection.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let options = SearchOptions {
        algorithm: arguments.algorithm,
        limits: LimitOptions::default(),
        machine: arguments.machine.clone(),
        set: arguments.set.clone(),
    };
    let input = BufReader::new(std::io::stdin());
    let mut output = BufWriter::new(std::io::stdout());
    match serve(options.config()?, arguments.all_options, input, &mut output)? {
        End::Quit => Ok(()),
        End::SearchFailed => Err(Failure::Input(
            "a search failed (this is a bug in plyscope)".into(),
        )),
    }
}
