//! The configuration of a search.

use std::sync::Arc;

use crossbeam_channel::Sender;

use algorithms::Algorithm;
use game::EndgameTables;
use open_trace::Order;
use search::common::table::Tables;
use search::{Cores, Limits, Options, Recorded};
use tree::Family;

/// The configuration of a search.
#[derive(Clone, Debug)]
pub struct Config {
    pub algorithm: Algorithm,
    pub options: Options,
    pub limits: Limits,
    pub threads: usize,
    /// The bytes for the tree (nodes and beliefs).
    pub memory: u64,
    /// The bytes for the transposition table (depth-first).
    pub table: u64,
    pub seed: u64,
    /// Record nodes down to this ply (`u16::MAX`: all).
    pub record_plies: u16,
    /// Cores shared with other searches, whose threads take turns with this one's.
    pub cores: Option<Arc<Cores>>,
    /// Tables already filled by searches with the same algorithm and options; `None` means new ones of `table` bytes. A
    /// session that is given tables cannot be rewound to its beginning.
    pub tables: Option<Arc<Tables>>,
    /// The endgame tables to probe.
    pub endgames: Option<Arc<EndgameTables>>,
    /// Signalled when a depth-first iteration has finished and when the search has ended.
    pub bell: Option<Sender<()>>,
    /// The search of another program, which is read instead of searching.
    pub recorded: Option<Arc<dyn Recorded>>,
}

impl Config {
    /// Returns the defaults for an algorithm: one thread, and a quarter of the machine's memory up to 4 GiB for the
    /// tree.
    pub fn new(algorithm: Algorithm) -> Self {
        Config {
            algorithm,
            options: algorithm.default_options(),
            limits: Limits::default(),
            threads: 1,
            memory: default_memory(),
            table: TABLE,
            seed: 1,
            record_plies: u16::MAX,
            cores: None,
            tables: None,
            endgames: None,
            bell: None,
            recorded: None,
        }
    }

    /// Returns the configuration that reads another program's search instead.
    #[must_use]
    pub fn reading(&self, recorded: Arc<dyn Recorded>) -> Self {
        let family = match recorded.header().order {
            Order::DepthFirst => Family::DepthFirst,
            Order::BestFirst => Family::BestFirst,
        };
        let algorithm = Algorithm::reading(family);
        Config {
            algorithm,
            options: algorithm.default_options(),
            limits: Limits::default(),
            threads: 1,
            tables: None,
            recorded: Some(recorded),
            ..self.clone()
        }
    }

    /// The name of what searches: the algorithm's, or the other program's.
    pub fn name(&self) -> &str {
        match self
            .recorded
            .as_deref()
            .map(|recorded| &*recorded.header().engine)
        {
            Some(engine) if !engine.is_empty() => engine,
            _ => self.algorithm.name(),
        }
    }
}

/// The bytes for everything else that a search needs, if there are enough.
const BESIDES: u64 = 16 << 20;

/// The usual size of a transposition table.
const TABLE: u64 = 32 << 20;

impl Config {
    /// Divides this many bytes in all: for the tree with what a rewind keeps; for the transposition table, which gets
    /// its usual size but at most an eighth; and for what threads and the event log need besides.
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        let table = TABLE.min(bytes / 8);
        // An audit has a table an eighth as large, and a rewind briefly needs a second table.
        let tables = 2 * table + table / 8;
        Config {
            memory: bytes - tables - (bytes / 8).min(BESIDES),
            table,
            ..self
        }
    }

    /// Returns the bytes of the transposition table. A best-first search has one at most for its leaf searches and
    /// keeps a copy with each checkpoint, so it gets at most a sixteenth of the tree's bytes.
    pub fn table_bytes(&self) -> u64 {
        match self.algorithm.info().family {
            Family::DepthFirst => self.table,
            Family::BestFirst => self.table.min(self.memory / 16),
        }
    }

    /// Whether a search may continue from the state that another one left: they differ in nothing but limits, threads
    /// and seed, and neither was told to forget what it knew (by new tables).
    pub fn can_follow(&self, before: &Config) -> bool {
        fn same<T>(one: Option<&Arc<T>>, other: Option<&Arc<T>>) -> bool {
            one.map(Arc::as_ptr) == other.map(Arc::as_ptr)
        }
        self.algorithm == before.algorithm
            && self.options == before.options
            && self.memory == before.memory
            && same(self.tables.as_ref(), before.tables.as_ref())
            && same(self.endgames.as_ref(), before.endgames.as_ref())
    }
}

/// Returns a quarter of the memory that there is, at most 4 GiB.
pub fn default_memory() -> u64 {
    const MOST: u64 = 4 << 30;
    (machine_memory() / 4).min(MOST)
}

/// Returns the bytes of memory that the program can have: those of the machine (4 GiB if it does not say), unless its
/// container or its shell (`ulimit -v`) allows fewer.
pub fn machine_memory() -> u64 {
    const UNTOLD: u64 = 4 << 30;
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let total = match system.total_memory() {
        0 => UNTOLD,
        total => total,
    };
    let of_container = system.cgroup_limits().map(|limits| limits.total_memory);
    let allowed = [of_container, address_space()];
    allowed.into_iter().flatten().fold(total, u64::min)
}

#[cfg(unix)]
fn address_space() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::As).current
}

#[cfg(not(unix))]
fn address_space() -> Option<u64> {
    None
}
