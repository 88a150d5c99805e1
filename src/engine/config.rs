//! How a search shall run.

use std::sync::Arc;

use crossbeam_channel::Sender;

use crate::game::EndgameTables;
use crate::search::common::table::Tables;
use crate::search::{Algorithm, Cores, Limits, Options};
use crate::tree::Family;

/// How a search shall run.
#[derive(Clone, Debug)]
pub struct Config {
    pub algorithm: Algorithm,
    pub options: Options,
    pub limits: Limits,
    pub threads: usize,
    /// Bytes for the tree (nodes and beliefs).
    pub memory: u64,
    /// Bytes for the transposition table (depth-first).
    pub table: u64,
    pub seed: u64,
    /// Record nodes down to this ply (`u16::MAX`: all).
    pub record_plies: u16,
    /// Cores shared with other searches: its threads take turns with theirs.
    pub cores: Option<Arc<Cores>>,
    /// Tables that know something already, of searches with the same algorithm and options; `None`: new ones of `table`
    /// bytes. A session that is given some can't be rewound to its beginning.
    pub tables: Option<Arc<Tables>>,
    /// Endgame tables to look positions up in.
    pub endgames: Option<Arc<EndgameTables>>,
    /// Rung when a depth-first iteration is finished and when the search has ended.
    pub bell: Option<Sender<()>>,
}

impl Config {
    /// The defaults for an algorithm: one thread, a quarter of the machine's memory up to 4 GiB for the tree.
    #[must_use]
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
        }
    }
}

/// For what else a search needs, where there is enough.
const BESIDES: u64 = 16 << 20;

/// A transposition table's usual size.
const TABLE: u64 = 32 << 20;

impl Config {
    /// With so many bytes in all: for the tree with what a rewind keeps, for the transposition table, which takes its usual
    /// size, but an eighth of them at most, and for what threads and the log of events need besides.
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        let table = TABLE.min(bytes / 8);
        // An audit has a table an eighth as large, and who goes back has a second one for a moment.
        let tables = 2 * table + table / 8;
        Config {
            memory: bytes - tables - (bytes / 8).min(BESIDES),
            table,
            ..self
        }
    }

    /// Bytes of the transposition table. A best-first search, which has one for its leaf searches at most, keeps a copy with
    /// each checkpoint: a sixteenth of the tree's.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        match self.algorithm.info().family {
            Family::DepthFirst => self.table,
            Family::BestFirst => self.table.min(self.memory / 16),
        }
    }

    /// Whether a search may begin on what another one left: nothing but limits, threads and seed is different, and neither
    /// was told to forget what it knew (by new tables).
    #[must_use]
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

/// A quarter of the machine's memory, at most 4 GiB.
#[must_use]
pub fn default_memory() -> u64 {
    const MOST: u64 = 4 << 30;
    (machine_memory() / 4).min(MOST)
}

/// Bytes of memory that the machine has; 4 GiB where it does not tell.
#[must_use]
pub fn machine_memory() -> u64 {
    const UNTOLD: u64 = 4 << 30;
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    match system.total_memory() {
        0 => UNTOLD,
        total => total,
    }
}
