//! The options shared by all commands that search.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;

use super::Failure;
use super::failure::complain;

use algorithms::{ALGORITHMS, Algorithm};
use external::{EngineSpec, find_engine};
use game::EndgameTables;
use report::lens::{Lens, Unit, Viewpoint};
use search::{AnyPosition, Limits, quantity};
use session::{Budget, Config, default_memory};
use tui::config::{self, OwnOptions, Preferences, PreferredLens};

/// What to search.
#[derive(Args, Debug, Clone, Default)]
pub struct InputOptions {
    /// A .pgn, .fen, .epd, .sgf, .c4, .ttt or .tree file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// A position in Forsyth-Edwards Notation instead of a file; of another game, a line of its file
    #[arg(long, value_name = "FEN", conflicts_with = "file")]
    pub fen: Option<String>,

    /// Play these moves first, in SAN or UCI ("e4 e5 Nf3"); in a toy tree, the names of nodes
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

/// External engines.
#[derive(Args, Debug, Clone, Default)]
pub struct EngineOptions {
    /// Add a column (repeatable): an external UCI engine, given as a command or by its name in the configuration
    #[arg(long, value_name = "COMMAND|NAME")]
    pub engine: Vec<String>,
}

impl EngineOptions {
    /// Returns the engines; those in `known` can be given by name, others as commands.
    ///
    /// # Errors
    /// If a command cannot be parsed.
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

    /// Stop at this depth: a depth-first search stops when it has finished iteration N. A best-first search expands nothing
    /// below ply N; it stops when its best line (including the search below its last position) is N plies long and none of
    /// its moves has changed while the nodes doubled, or when nothing is left to expand above ply N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub depth: Option<u16>,
}

impl LimitOptions {
    /// Returns the limits as a budget: `default` nodes if none is given.
    ///
    /// # Errors
    /// If more than one is given.
    pub fn budget(&self, default: u64) -> Result<Budget, Failure> {
        let LimitOptions { nodes, time, depth } = *self;
        match (nodes, time, depth) {
            (None, None, None) => Ok(Budget::Nodes(default)),
            (Some(nodes), None, None) => Ok(Budget::Nodes(nodes)),
            (None, Some(time), None) if time > Duration::ZERO => Ok(Budget::Cpu(time)),
            (None, None, Some(depth)) => Ok(Budget::Depth(depth)),
            (None, Some(_), None) => Err(Failure::Usage(
                "--time: found 0, expected a time above 0".into(),
            )),
            _ => Err(Failure::Usage(
                "found several budgets, expected one of --nodes, --time and --depth".into(),
            )),
        }
    }
}

/// The machine resources that a search may use, and its random seed.
#[derive(Args, Debug, Clone)]
pub struct MachineOptions {
    /// Search threads [default: all cores but one, at least 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// Memory for the tree, the transposition table and the checkpoints for stepping back (512M, 2G) [default: a quarter of
    /// the machine's, at most 4G]
    #[arg(long, value_name = "SIZE", value_parser = quantity::size)]
    pub memory: Option<u64>,

    /// Endgame tables: a folder of Syzygy files, or several folders separated as in PATH
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<PathBuf>,

    /// Random seed; single-threaded searches with the same seed are identical
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// How to show the results.
#[derive(Args, Debug, Clone, Default)]
pub struct ShowOptions {
    /// Use ASCII characters only
    #[arg(long)]
    pub ascii: bool,
}

/// In which unit and from whose view values are shown.
#[derive(Args, Debug, Clone, Default)]
pub struct LensOptions {
    /// The unit of all values and spreads in chess; JSON has them all in its fields, and other games have one unit [default:
    /// that of the configuration, otherwise pawns]
    #[arg(long, value_name = "UNIT", value_parser = units())]
    pub unit: Option<Unit>,

    /// From whose view in chess: White's, that of the side to move at the root, or that of the side that plays each move; other
    /// games have one view [default: that of the configuration, otherwise white]
    #[arg(long, value_name = "VIEW", value_parser = views())]
    pub view: Option<Viewpoint>,
}

impl LensOptions {
    /// Returns the lens; what is not given is taken from the user's configuration. Says if what is given changes nothing, because
    /// none of these positions is one of chess.
    ///
    /// # Errors
    /// If the user's configuration can't be read.
    pub fn lens<'a>(
        &self,
        positions: impl IntoIterator<Item = &'a AnyPosition>,
    ) -> Result<Lens, Failure> {
        let given = [
            ("--unit", self.unit.is_some()),
            ("--view", self.view.is_some()),
        ];
        let given: Vec<&str> = given
            .iter()
            .filter(|(_, is)| *is)
            .map(|(name, _)| *name)
            .collect();
        if !given.is_empty() {
            let fixed: Option<Vec<String>> = positions.into_iter().map(Lens::fixed).collect();
            if let Some(words) = fixed.and_then(|all| all.into_iter().next()) {
                complain(&format!("{} without effect: {words}", given.join(" and ")));
            }
        }
        let own = config::own().map_err(Failure::Input)?.lens;
        let chosen = PreferredLens {
            unit: self.unit.or(own.unit),
            viewpoint: self.view.or(own.viewpoint),
        };
        Ok(chosen.over(Lens::default()))
    }

    /// Checks that nothing is asked for of an output whose fields have their own units and view.
    ///
    /// # Errors
    /// If a unit or a view was given.
    pub fn none_for(&self, output: &str) -> Result<(), Failure> {
        let given = match (self.unit, self.view) {
            (Some(_), _) => "--unit",
            (None, Some(_)) => "--view",
            (None, None) => return Ok(()),
        };
        Err(Failure::Usage(format!(
            "{given}: found {output}, whose fields have their own units and view, expected another output"
        )))
    }
}

/// The user's own defaults.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    pub algorithm: Option<Algorithm>,
    /// The options with which a search by each algorithm begins.
    pub options: OwnOptions,
    pub threads: Option<u16>,
    /// In bytes.
    pub memory: Option<u64>,
    pub endgames: Option<Arc<EndgameTables>>,
}

impl Defaults {
    /// Returns those of the user's configuration file. What is wrong in it is reported with its line and passed over. The
    /// endgame tables are opened only if `with_tables`.
    ///
    /// # Errors
    /// If the file can't be read or is no TOML.
    pub fn own(with_tables: bool) -> Result<Defaults, Failure> {
        let mut own = config::own().map_err(Failure::Input)?;
        let defaults = Defaults::of(&mut own, with_tables);
        own.warnings.iter().for_each(|what| complain(what));
        Ok(defaults)
    }

    /// Returns those of a configuration file. Problems with its endgame tables are added to its warnings.
    pub fn of(own: &mut Preferences, with_tables: bool) -> Defaults {
        Defaults {
            algorithm: own.algorithm,
            options: own.options.clone(),
            threads: own.threads,
            memory: own.memory,
            endgames: with_tables.then(|| own_tables(own)).flatten(),
        }
    }
}

/// Opens the endgame tables of the configuration.
fn own_tables(own: &mut Preferences) -> Option<Arc<EndgameTables>> {
    let path = own.syzygy.as_deref()?;
    let mut warn = |what: String| own.warnings.push(format!("config.toml: syzygy: {what}"));
    match EndgameTables::open(path) {
        Ok((tables, passed_over)) => {
            passed_over.into_iter().for_each(warn);
            Some(Arc::new(tables))
        }
        Err(e) => {
            warn(e.to_string());
            None
        }
    }
}

impl MachineOptions {
    /// Opens the requested endgame tables, and warns of files that are skipped.
    ///
    /// # Errors
    /// If a folder cannot be read or contains no tables.
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

/// The endgame tables of this command line, for [`complain_of_tables`].
static OPENED: OnceLock<Arc<EndgameTables>> = OnceLock::new();

/// Warns of endgame tables that turned out to be damaged while the command was running.
pub fn complain_of_tables() {
    let problems = OPENED.get().map_or_else(Vec::new, |t| t.problems());
    problems.iter().for_each(|what| complain(what));
}

impl SearchOptions {
    /// Returns the configuration that these options ask for, with the limits as given; what is not given is taken from the
    /// user's configuration.
    ///
    /// # Errors
    /// If the user's configuration can't be read, the algorithm does not have an option, or a value is out of range.
    pub fn config(&self) -> Result<Config, Failure> {
        self.config_or(&Defaults::own(self.machine.syzygy.is_none())?)
    }

    /// Like [`SearchOptions::config`], with `defaults` for what is not given.
    ///
    /// # Errors
    /// See [`SearchOptions::config`].
    pub fn config_or(&self, defaults: &Defaults) -> Result<Config, Failure> {
        let algorithm = self.algorithm.or(defaults.algorithm);
        let algorithm = algorithm.unwrap_or(Algorithm::DEFAULT);
        let threads = self.machine.threads.or(defaults.threads);
        let memory = self.machine.memory.or(defaults.memory);
        let mut options = defaults.options.of(algorithm);
        for pair in &self.set {
            options.set_pair(pair)?;
        }
        Ok(Config {
            options,
            limits: self.limits(),
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

    /// Returns the limits as given.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: self.limits.nodes,
            time: self.limits.time,
            depth: self.limits.depth,
            ..Limits::default()
        }
    }

    /// Like [`SearchOptions::config`], with a time limit if no limit is given.
    ///
    /// # Errors
    /// See [`SearchOptions::config`].
    pub fn limited(&self, time: Duration) -> Result<Config, Failure> {
        let mut config = self.config()?;
        if config.limits == Limits::default() {
            config.limits.time = Some(time);
        }
        Ok(config)
    }
}

/// Returns the number of cores minus one, but at least one.
pub fn default_threads() -> u16 {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    cores.saturating_sub(1).clamp(1, 256) as u16
}

/// Checks a unit's name, and lets the help list them.
fn units() -> impl clap::builder::TypedValueParser<Value = Unit> {
    named(Unit::ALL.map(|unit| (unit.id(), unit)))
}

/// Checks a viewpoint's name, and lets the help list them.
fn views() -> impl clap::builder::TypedValueParser<Value = Viewpoint> {
    named(Viewpoint::SHOWN.map(|view| (view.id(), view)))
}

/// Checks one of so many names.
fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [(&'static str, T); N],
) -> impl clap::builder::TypedValueParser<Value = T> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let find = move |name: String| {
        let found = all.iter().find(|(id, _)| *id == name);
        found.map(|(_, value)| *value).ok_or("no such name")
    };
    PossibleValuesParser::new(all.map(|(id, _)| id)).try_map(find)
}

/// Checks an algorithm's name against the table of algorithms, and lets the help list the names.
pub fn algorithms() -> impl clap::builder::TypedValueParser<Value = Algorithm> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(ALGORITHMS.iter().map(|a| a.name))
        .try_map(|name| name.parse::<Algorithm>())
}
