//! `plyscope attach`: a program that tells of its search while it searches.

mod report;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::Args;

use super::input::{Inputs, OfGames};
use super::options::{InputOptions, LimitOptions};
use super::{Failure, headless, workbench};
use external::{EngineSpec, Filters, Program, ProgramSpec, Tracing};
use search::quantity;
use session::Budget;
use text::quote;
use tui::config;

/// The nodes of a search if no budget is given.
const DEFAULT_NODES: u64 = 100_000;

/// Start a program that sends an open trace of its search, and show the search in the workbench as it comes.
///
/// The program needs an emitter: PLYSCOPE_TRACE in its environment says where it connects to. It may be any program that
/// searches; with --uci it is one that speaks UCI, and is told the position and the budget. A single word after -- may also be
/// the name of an engine in the configuration.
///
/// With --print, or where the output is no terminal, the output says what came: searches, events, nodes, and what was not understood. The exit status is 1 if the program failed,
/// sent nothing, or sent something that was not understood. Ctrl-C ends the program and prints the results so far.
#[derive(Args, Debug)]
#[command(
    mut_arg("nodes", |arg| arg.requires("uci").help("Budget of the engine: nodes (100000, 500k, 2M) [default: 100k]")),
    mut_arg("time", |arg| arg.requires("uci").help("Budget of the engine: CPU time, added up over its threads (500ms, 10s)")),
    mut_arg("depth", |arg| arg.requires("uci").help("Budget of the engine: iterations")),
    after_help = "Examples:
  plyscope attach -- ./my-search
  plyscope attach --save search.plytrace -- python3 mcts.py --simulations 1000
  plyscope attach --uci --depth 12 --moves \"e4 e5\" -- ./my-engine
  plyscope attach --only-ply 4 -- ./my-search"
)]
pub struct Arguments {
    /// The program speaks UCI: give it a position and a budget
    #[arg(long)]
    uci: bool,

    /// The position in Forsyth-Edwards Notation [default: the start position]
    #[arg(long, visible_alias = "position", value_name = "FEN", requires = "uci")]
    fen: Option<String>,

    /// Play these moves first, in SAN or UCI ("e4 e5 Nf3")
    #[arg(long, value_name = "MOVES", requires = "uci")]
    moves: Option<String>,

    #[command(flatten)]
    limits: LimitOptions,

    /// Set an option of the engine (repeatable)
    #[arg(long, value_name = "NAME=VALUE", requires = "uci")]
    set: Vec<String>,

    /// Let the program send the first N nodes only
    #[arg(long, value_name = "N", value_parser = quantity::count, help_heading = "What is sent")]
    only_nodes: Option<u64>,

    /// Let it send nothing before this iteration
    #[arg(long, value_name = "N", help_heading = "What is sent")]
    only_from: Option<u32>,

    /// Let it send nothing deeper than this ply
    #[arg(long, value_name = "N", help_heading = "What is sent")]
    only_ply: Option<u32>,

    /// Let it send only what lies on the way to, at and below these moves, in its own notation ("e2e4 e7e5")
    #[arg(long, value_name = "MOVES", help_heading = "What is sent")]
    only_path: Option<String>,

    /// Let it send only what is below the position with this key, in hexadecimal digits
    #[arg(long, value_name = "KEY", value_parser = key, help_heading = "What is sent")]
    only_key: Option<u64>,

    /// Let it stop at this event with SIGTRAP, for a debugger that runs the program; 2:12345 is an event of the second search
    #[arg(long, value_name = "EVENT", value_parser = trap)]
    trap: Option<(Option<u32>, u64)>,

    /// Keep at most this much of what is sent (512M, 8G); beyond that the oldest is forgotten [default: 4G]
    #[arg(long, value_name = "SIZE", value_parser = quantity::size)]
    trace_log: Option<u64>,

    /// Print what was sent when the program has ended, in place of the workbench
    #[arg(long)]
    print: bool,

    /// Write what was sent to FILE, which plyscope opens like any other
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// The program and its arguments, after --
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<String>,
}

/// Runs the program to its end and prints what it has sent.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments, no_color: bool) -> Result<(), Failure> {
    let spec = arguments.spec()?;
    let on_screen = io::stdout().is_terminal() && io::stdin().is_terminal();
    if on_screen && !arguments.print && arguments.save.is_none() {
        return workbench::attach(spec, no_color);
    }
    headless::catch_interrupt();
    let program = Program::start(spec);
    report::run(&program, arguments.save.as_deref())
}

impl Arguments {
    /// Returns the program, how it is traced, and what it is to search.
    ///
    /// # Errors
    /// If the command line is wrong, or the position can't be read.
    pub fn spec(&self) -> Result<ProgramSpec, Failure> {
        let mut engine = self.engine()?;
        for pair in &self.set {
            let (name, value) = pair.split_once('=').ok_or_else(|| {
                Failure::Usage(format!("--set: found {}, expected NAME=VALUE", quote(pair)))
            })?;
            engine
                .options
                .push((name.trim().to_owned(), value.trim().to_owned()));
        }
        let own = engine.trace.take().unwrap_or_default();
        let path = self.only_path.as_deref().unwrap_or_default();
        engine.trace = Some(Tracing {
            filters: Filters {
                nodes: self.only_nodes,
                from: self.only_from,
                ply: self.only_ply,
                key: self.only_key,
                path: path.split_whitespace().map(str::to_owned).collect(),
            },
            log_budget: self.trace_log.unwrap_or(own.log_budget),
            trap: self.trap,
            until: None,
        });
        let search = self.uci.then(|| self.search()).transpose()?;
        Ok(ProgramSpec { engine, search })
    }

    fn engine(&self) -> Result<EngineSpec, Failure> {
        if let [word] = self.command.as_slice() {
            let known = config::own().map_err(Failure::Input)?.engines;
            let named = known.into_iter().find(|engine| engine.name == *word);
            if let Some(engine) = named {
                return Ok(engine);
            }
        }
        EngineSpec::of_words(self.command.clone())
            .map_err(|e| Failure::Usage(format!("COMMAND: {e}")))
    }

    fn search(&self) -> Result<(session::Subject, Budget), Failure> {
        let input = InputOptions {
            file: None,
            fen: self.fen.clone(),
            moves: self.moves.clone(),
        };
        let (input, verdict) = Inputs::gather(&input, OfGames::Last)?.single()?;
        verdict?;
        Ok((input.subject, self.limits.budget(DEFAULT_NODES)?))
    }
}

/// Parses an event, with the number of its search or without.
fn trap(text: &str) -> Result<(Option<u32>, u64), String> {
    let (search, event) = match text.split_once(':') {
        Some((search, event)) => (Some(search), event),
        None => (None, text),
    };
    let wrong = || format!("found {}, expected 12345 or 2:12345", quote(text));
    let search = search.map(|search| search.parse::<u32>().map_err(|_| wrong()));
    let event = quantity::count(event).map_err(|_| wrong())?;
    Ok((search.transpose()?, event))
}

/// Parses a position's key.
fn key(text: &str) -> Result<u64, String> {
    let digits = text.trim_start_matches("0x");
    u64::from_str_radix(digits, 16).map_err(|_| {
        format!(
            "found {}, expected up to 16 hexadecimal digits",
            quote(text)
        )
    })
}
