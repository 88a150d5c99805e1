//! The command line: one file per subcommand, and one struct for the options they share.

mod algorithms;
mod bench;
mod columns;
mod compare;
mod eval;
mod eval_depths;
mod eval_parts;
mod eval_terms;
mod failure;
mod fnv;
mod headless;
mod input;
mod lab;
mod lab_calibration;
mod lab_depths;
mod lab_differential;
mod lab_plies;
mod lab_prob_cut;
mod lab_refutation;
mod lab_spread;
mod lab_support;
mod lessons;
mod options;
mod progress;
mod review;
mod search;
mod shell;
mod suite;
mod terminal;
mod trace;
mod tree;
mod uci;
mod workbench;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

pub use failure::Failure;
pub use options::SearchOptions;

use crate::eval::network::Network;
use crate::game::load::files;

/// Watch game-tree searches think: a workbench and debugger in the terminal.
#[derive(Parser, Debug)]
#[command(
    name = "plyscope",
    version,
    about,
    args_conflicts_with_subcommands = true,
    after_help = "Without a command it opens the workbench on FILE: a .pgn, .fen, .epd or .tree file, or - for standard input.
Without FILE it opens the built-in samples.

Examples:
  plyscope
  plyscope game.pgn
  plyscope --fen \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\" -a distress
  plyscope search suite.epd --nodes 100000 --json
  plyscope tree --moves \"e4 e5\" -a mcts --format text"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    workbench: workbench::Arguments,

    /// Evaluate with the network in this file instead of the one that comes with plyscope
    #[arg(long, global = true, value_name = "FILE", help_heading = "Evaluation")]
    eval_file: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Search(search::Arguments),
    Tree(tree::Arguments),
    Trace(trace::Arguments),
    Compare(compare::Arguments),
    Suite(suite::Arguments),
    Review(review::Arguments),
    Uci(uci::Arguments),
    Algorithms(algorithms::Arguments),
    Eval(eval::Arguments),
    Lab(lab::Arguments),
    Lessons(lessons::Arguments),
    Bench(bench::Arguments),
    Completions(shell::Completions),
    Man(shell::Man),
}

/// Parses the command line and runs the command. The exit status is 0 on success, 1 if the input was refused, 2 if the
/// command line was wrong, and 130 after an interrupt.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(other) => return failure::answer(&other),
    };
    if cli.command.is_some() {
        headless::end_on_interrupt();
    }
    if let Some(Err(failure)) = cli.eval_file.as_deref().map(use_network) {
        return failure.report();
    }
    let done = match &cli.command {
        None => workbench::run(&cli.workbench),
        Some(Command::Search(arguments)) => search::run(arguments),
        Some(Command::Tree(arguments)) => tree::run(arguments),
        Some(Command::Trace(arguments)) => trace::run(arguments),
        Some(Command::Compare(arguments)) => compare::run(arguments),
        Some(Command::Suite(arguments)) => suite::run(arguments),
        Some(Command::Review(arguments)) => review::run(arguments),
        Some(Command::Uci(arguments)) => uci::run(arguments),
        Some(Command::Algorithms(arguments)) => algorithms::run(arguments),
        Some(Command::Eval(arguments)) => eval::run(arguments),
        Some(Command::Lab(arguments)) => lab::run(arguments),
        Some(Command::Lessons(arguments)) => lessons::run(arguments),
        Some(Command::Bench(arguments)) => bench::run(arguments),
        Some(Command::Completions(arguments)) => shell::completions(arguments, Cli::command()),
        Some(Command::Man(arguments)) => shell::man(arguments, Cli::command()),
    };
    options::complain_of_tables();
    let status = done.map_or_else(Failure::report, |()| ExitCode::SUCCESS);
    if headless::interrupted() {
        ExitCode::from(headless::STATUS)
    } else {
        status
    }
}

/// Makes the evaluation use the network in a file.
fn use_network(path: &Path) -> Result<(), Failure> {
    let name = path.display();
    let refused = |problem: &dyn Display| Failure::Input(format!("{name}: {problem}"));
    let bytes = files::read(path).map_err(|e| refused(&format_args!("cannot be read ({e})")))?;
    let network = Network::from_bytes(&bytes).map_err(|e| refused(&e))?;
    // Nothing has asked for a network before.
    let _ = network.put_in_use();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
