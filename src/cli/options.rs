//! The options that every searching command shares.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;

use super::Failure;
use super::failure::complain;

use crate::engine::external::{EngineSpec, find_engine};
use crate::engine::{Config, default_memory};
use crate::game::EndgameTables;
use crate::search::{ALGORITHMS, Algorithm, Limits, quantity};

/// What to search.
#[derive(Args, Debug, Clone, Default)]
pub struct InputOptions {
    /// A .pgn, .fen, .epd or .tree file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// A position in Forsyth-Edwards Notation instead of a file
    #[arg(long, value_name = "FEN", conflicts_with = "file")]
    pub fen: Option<String>,

    /// Moves to play first, in SAN or UCI ("e4 e5 Nf3"); names in a toy tree
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
}

/// How to search.
#[derive(Args, Debug, Clone)]
pub struct SearchOptions {
    /// The algorithm (see `plyscope algorithms`) [default: alpha-beta]
    #[arg(short, long, value_name = "NAME", value_parser = algorithms())]
    pub algorithm: Option<Algorithm>,

    #[command(flatten)]
    pub limits: LimitOptions,

    #[command(flatten)]
    pub machine: MachineOptions,

    /// Set an option of the algorithm (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// Other programs.
#[derive(Args, Debug, Clone, Default)]
pub struct EngineOptions {
    /// A column (repeatable): another program that speaks UCI, as a command or by its name in the configuration
    #[arg(long, value_name = "COMMAND|NAME")]
    pub engine: Vec<String>,
}

impl EngineOptions {
    /// The programs, `known` by name or as commands.
    ///
    /// # Errors
    /// A command that can't be read.
    pub fn specs(&self, known: &[EngineSpec]) -> Result<Vec<EngineSpec>, Failure> {
        let find = |text: &String| {
            find_engine(text, known).map_err(|e| Failure::Usage(format!("--engine: {e}")))
        };
        self.engine.iter().map(find).collect()
    }
}

/// When a search ends.
#[derive(Args, Debug, Clone, Default)]
pub struct LimitOptions {
    /// Stop after this many nodes (100000, 500k, 2M)
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    pub nodes: Option<u64>,

    /// Stop after this time (500ms, 10s, 2m)
    #[arg(long, value_name = "DURATION", value_parser = quantity::duration)]
    pub time: Option<Duration>,

    /// Stop at this depth: a depth-first search when it has finished iteration N; a best-first one, which expands nothing
    /// below ply N, when its best line (with what its last position was searched ahead) is N plies long and none of its
    /// moves was replaced while the nodes doubled, or when nothing is left above ply N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub depth: Option<u16>,
}

/// What a search may use of the machine, and its randomness.
#[derive(Args, Debug, Clone)]
pub struct MachineOptions {
    /// Search threads [default: all cores but one, at least 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// Memory for tree, transposition table and what going back keeps (512M, 2G) [default: a quarter of the machine's, at most 4G]
    #[arg(long, value_name = "SIZE", value_parser = quantity::size)]
    pub memory: Option<u64>,

    /// Endgame tables: a folder of Syzygy files, or several separated as in PATH
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<PathBuf>,

    /// Seed of whatever is random; with one thread the same seed gives the same search
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// How to show it.
#[derive(Args, Debug, Clone, Default)]
pub struct ShowOptions {
    /// Theme of the workbench: a name or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub theme: Option<String>,

    /// Nothing outside ASCII
    #[arg(long)]
    pub ascii: bool,

    /// No colours (as the environment variable NO_COLOR)
    #[arg(long)]
    pub no_color: bool,
}

/// A person's own defaults.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    pub algorithm: Option<Algorithm>,
    pub threads: Option<u16>,
    /// Bytes.
    pub memory: Option<u64>,
    pub endgames: Option<Arc<EndgameTables>>,
}

impl MachineOptions {
    /// The endgame tables asked for; complains of files that are passed over.
    ///
    /// # Errors
    /// A folder that can't be read or has none.
    pub fn endgames(&self) -> Result<Option<Arc<EndgameTables>>, Failure> {
        let Some(path) = &self.syzygy else {
            return Ok(None);
        };
        let (tables, passed_over) =
            EndgameTables::open(path).map_err(|e| Failure::Input(format!("--syzygy: {e}")))?;
        passed_over.iter().for_each(|what| complain(what));
        let tables = Arc::new(tables);
        Ok(Some(OPENED.get_or_init(|| tables).clone()))
    }
}

/// The tables of this command line, for [`complain_of_tables`].
static OPENED: OnceLock<Arc<EndgameTables>> = OnceLock::new();

/// Tells of endgame tables that turned out damaged while the command was at work.
pub fn complain_of_tables() {
    let problems = OPENED.get().map_or_else(Vec::new, |t| t.problems());
    problems.iter().for_each(|what| complain(what));
}

impl SearchOptions {
    /// The configuration these options ask for, limits as given.
    ///
    /// # Errors
    /// An option that the algorithm does not have or a value out of its range.
    pub fn config(&self) -> Result<Config, Failure> {
        self.config_or(&Defaults::default())
    }

    /// As [`SearchOptions::config`], where nothing is given as `defaults` say.
    ///
    /// # Errors
    /// As [`SearchOptions::config`].
    pub fn config_or(&self, defaults: &Defaults) -> Result<Config, Failure> {
        let algorithm = self.algorithm.or(defaults.algorithm);
        let algorithm = algorithm.unwrap_or(Algorithm::DEFAULT);
        let threads = self.machine.threads.or(defaults.threads);
        let memory = self.machine.memory.or(defaults.memory);
        let mut options = algorithm.default_options();
        for pair in &self.set {
            options.set_pair(pair)?;
        }
        Ok(Config {
            options,
            limits: Limits {
                nodes: self.limits.nodes,
                time: self.limits.time,
                depth: self.limits.depth,
                ..Limits::default()
            },
            threads: usize::from(threads.unwrap_or_else(default_threads)),
            seed: self.machine.seed,
            endgames: self
                .machine
                .endgames()?
                .or_else(|| defaults.endgames.clone()),
            ..Config::new(algorithm)
        }
        .within(memory.unwrap_or_else(default_memory)))
    }

    /// As [`SearchOptions::config`], with a limit of time where none was given at all.
    ///
    /// # Errors
    /// As [`SearchOptions::config`].
    pub fn limited(&self, time: Duration) -> Result<Config, Failure> {
        let mut config = self.config()?;
        if config.limits == Limits::default() {
            config.limits.time = Some(time);
        }
        Ok(config)
    }
}

/// All cores but one, at least one.
#[must_use]
pub fn default_threads() -> u16 {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    cores.saturating_sub(1).clamp(1, 256) as u16
}

/// Checks an algorithm's name against the table, and lets the help list the names.
pub fn algorithms() -> impl clap::builder::TypedValueParser<Value = Algorithm> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(ALGORITHMS.iter().map(|a| a.name))
        .try_map(|name| name.parse::<Algorithm>())
}
