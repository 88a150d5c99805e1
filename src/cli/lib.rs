//! The command line: one file per subcommand, and one struct for the options they share.

mod algorithms;
mod attach;
mod audit;
mod bench;
mod columns;
mod compare;
mod config;
mod doctor;
mod emitter;
mod eval;
mod eval_depths;
mod eval_parts;
mod eval_terms;
mod failure;
mod fnv;
mod grade;
mod headless;
mod input;
mod lab;
mod lab_calibration;
mod lab_cuts;
mod lab_depths;
mod lab_differential;
mod lab_focus;
mod lab_losses;
mod lab_maximum;
mod lab_playouts;
mod lab_plies;
mod lab_prob_cut;
mod lab_refutation;
mod lab_spread;
mod lab_support;
mod lab_sweep;
mod lab_truth;
mod lab_walks;
mod lessons;
mod options;
mod output;
mod part;
mod perft;
mod plain;
mod printed;
mod progress;
mod review;
mod schema;
mod search;
mod serve;
mod shard;
mod shell;
mod suite;
mod suite_run;
mod sweep_material;
mod terminal;
mod trace;
mod tree;
mod uci;
mod workbench;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub use failure::Failure;
pub use options::SearchOptions;

use ::eval::network::Network;
use text::files;
use text::{nearest, quote};

/// Watch game-tree searches think: a workbench and debugger in the terminal.
#[derive(Parser, Debug)]
#[command(
    name = "plyscope",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Without a command it opens the workbench on FILE: a .pgn, .fen, .epd, .sgf, .c4, .ttt, .tree or .plytrace file, or - for standard input.
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

    /// Read this configuration instead of the user's own (see `plyscope config`)
    #[arg(long, global = true, value_name = "FILE", help_heading = "Everywhere")]
    config: Option<PathBuf>,

    /// Write the result to FILE instead of standard output; FILE is replaced when all of it is written
    #[arg(
        short,
        long,
        global = true,
        value_name = "FILE",
        help_heading = "Everywhere"
    )]
    output: Option<PathBuf>,

    /// Show no progress
    #[arg(short, long, global = true, help_heading = "Everywhere")]
    quiet: bool,

    /// Use no colours (like the environment variable NO_COLOR)
    #[arg(long, global = true, help_heading = "Everywhere")]
    no_color: bool,
}

/// The command line as it is parsed: a negative number is a value, so that the option says what it expects.
fn command() -> clap::Command {
    let negative = |command: clap::Command| command.allow_negative_numbers(true);
    negative(Cli::command()).mut_subcommands(|sub| negative(sub).mut_subcommands(negative))
}

fn parse() -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&command().try_get_matches()?)
}

impl Cli {
    /// Refuses what has no meaning for the command, and takes what holds for all.
    fn settle(&self) -> Result<(), Failure> {
        let has_result = !matches!(
            self.command,
            None | Some(Command::Uci(_) | Command::Serve(_))
        );
        if let (false, Some(file)) = (has_result, &self.output) {
            let why = format!(
                "--output: found {}, expected none: there is no result to write",
                file.display()
            );
            return Err(Failure::Usage(why));
        }
        if let Some(path) = &self.config {
            if !path.is_file() {
                let why = format!("--config: found no file {}, expected one", path.display());
                return Err(Failure::Input(why));
            }
            tui::config::choose(path.clone());
        }
        if self.command.is_none() {
            self.is_mistyped()?;
        }
        // A review writes its own files.
        let file = match self.command {
            Some(Command::Review(_)) => None,
            _ => self.output.as_deref(),
        };
        output::settle(file, self.quiet)?;
        self.eval_file.as_deref().map_or(Ok(()), use_network)
    }

    /// Refuses a word that is no file but nearly a command.
    fn is_mistyped(&self) -> Result<(), Failure> {
        let Some(word) = self.workbench.input.file.as_ref().filter(|f| !f.exists()) else {
            return Ok(());
        };
        let word = word.to_string_lossy();
        let command = command();
        let names = command.get_subcommands().map(clap::Command::get_name);
        match nearest(&word, names) {
            Some(meant) => Err(Failure::Usage(format!(
                "found {}, which is neither a file nor a command: did you mean plyscope {meant}?",
                quote(&word)
            ))),
            None => Ok(()),
        }
    }
}

#[derive(Subcommand, Debug)]
enum Command {
    Search(search::Arguments),
    Tree(tree::Arguments),
    Trace(trace::Arguments),
    Compare(compare::Arguments),
    Attach(attach::Arguments),
    Audit(audit::Arguments),
    Grade(grade::Arguments),
    Suite(suite::Arguments),
    Review(review::Arguments),
    Uci(uci::Arguments),
    Serve(serve::Arguments),
    Perft(perft::Arguments),
    Algorithms(algorithms::Arguments),
    Eval(eval::Arguments),
    Lab(lab::Arguments),
    Lessons(lessons::Arguments),
    Bench(bench::Arguments),
    Schema(schema::Arguments),
    Emitter(emitter::Arguments),
    Config(config::Arguments),
    Doctor(doctor::Arguments),
    Completions(shell::Completions),
    Man(shell::Man),
}

/// Parses the command line and runs the command. The exit status is 0 on success, 1 if the input was refused, 2 if the
/// command line was wrong, and 130 after an interrupt.
pub fn run() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(other) => return failure::answer(&other),
    };
    if cli.command.is_some() {
        headless::end_on_interrupt();
    }
    if let Err(failure) = cli.settle() {
        return failure.report();
    }
    let done = match &cli.command {
        None => workbench::run(&cli.workbench, cli.no_color),
        Some(Command::Search(arguments)) => search::run(arguments),
        Some(Command::Tree(arguments)) => tree::run(arguments),
        Some(Command::Trace(arguments)) => trace::run(arguments),
        Some(Command::Compare(arguments)) => compare::run(arguments),
        Some(Command::Attach(arguments)) => attach::run(arguments, cli.no_color),
        Some(Command::Audit(arguments)) => audit::run(arguments),
        Some(Command::Grade(arguments)) => grade::run(arguments, cli.no_color),
        Some(Command::Suite(arguments)) => suite::run(arguments),
        Some(Command::Review(arguments)) => review::run(arguments),
        Some(Command::Uci(arguments)) => uci::run(arguments),
        Some(Command::Serve(arguments)) => serve::run(arguments),
        Some(Command::Perft(arguments)) => perft::run(arguments),
        Some(Command::Algorithms(arguments)) => algorithms::run(arguments),
        Some(Command::Eval(arguments)) => eval::run(arguments),
        Some(Command::Lab(arguments)) => lab::run(arguments),
        Some(Command::Lessons(arguments)) => lessons::run(arguments),
        Some(Command::Bench(arguments)) => bench::run(arguments),
        Some(Command::Schema(arguments)) => schema::run(arguments),
        Some(Command::Emitter(arguments)) => emitter::run(arguments),
        Some(Command::Config(arguments)) => config::run(arguments),
        Some(Command::Doctor(arguments)) => doctor::run(arguments, cli.no_color),
        Some(Command::Completions(arguments)) => shell::completions(arguments, command()),
        Some(Command::Man(arguments)) => shell::man(arguments, command()),
    };
    options::complain_of_tables();
    let status = output::close(done).map_or_else(Failure::report, |()| ExitCode::SUCCESS);
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
        command().debug_assert();
    }
}
