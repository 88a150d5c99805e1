//! The transposition table, shared by threads without locks: an entry is read completely or not at all.

mod saved;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use prefetch_index::prefetch_index;

use super::belief_table::BeliefTable;
use super::pages::Pages;
use game::{MoveCode, Score};
use tree::{Bound, both};

/// What is known about a position. Scores are relative to the position itself (mates are counted from it), so they need
/// no adjustment to the ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub best: MoveCode,
    pub value: Score,
    /// Plies searched below.
    pub depth: i8,
    pub bound: Bound,
    pub static_value: Option<Score>,
}

const VALID: u64 = 1 << 58;
const HAS_STATIC: u64 = 1 << 59;
/// The highest four bits hold the generation in which an entry was made.
const GENERATION: u32 = 60;
const GENERATIONS: u64 = 16;

impl Entry {
    #[inline]
    fn to_bits(self) -> u64 {
        u64::from(self.best.0)
            | u64::from(self.value.raw() as u16) << 16
            | u64::from(self.static_value.map_or(0, |s| s.raw() as u16)) << 32
            | u64::from(self.depth as u8) << 48
            | (self.bound as u64) << 56
            | if self.static_value.is_some() {
                HAS_STATIC
            } else {
                0
            }
            | VALID
    }

    #[inline]
    fn from_bits(bits: u64) -> Entry {
        Entry {
            best: MoveCode(bits as u16),
            value: Score::from_raw((bits >> 16) as u16 as i16),
            static_value: (bits & HAS_STATIC != 0)
                .then(|| Score::from_raw((bits >> 32) as u16 as i16)),
            depth: (bits >> 48) as u8 as i8,
            bound: Bound::from_bits((bits >> 56) as u8),
        }
    }
}

/// An entry consists of two words, of which the first is the key xor the second: a torn pair does not match any key
/// (Hyatt & Mann, "A lock-less transposition-table implementation").
type Slot = [AtomicU64; 2];
const SLOT: usize = 2;
/// The words of a bucket: four slots, which the processor fetches together.
const BUCKET: usize = 4 * SLOT;

/// A lock-free transposition table.
#[derive(Debug)]
pub struct Table {
    /// The words of all slots, bucket by bucket.
    words: Pages,
    /// The number of the search within the game: entries of earlier searches are replaced first.
    generation: AtomicU64,
}

impl Table {
    /// Creates a table of at most `bytes` (at least one bucket).
    pub fn new(bytes: u64) -> Self {
        Table::with_buckets((bytes as usize / size_of::<[u64; BUCKET]>()).max(1))
    }

    fn with_buckets(buckets: usize) -> Self {
        Table {
            words: Pages::at_most::<BUCKET>(buckets),
            generation: AtomicU64::new(0),
        }
    }

    fn buckets(&self) -> usize {
        self.words.len() / BUCKET
    }

    /// Starts a new search that keeps what earlier ones found.
    pub fn age(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// The first word of the bucket for a key.
    #[inline]
    fn place(&self, key: u64) -> usize {
        // Multiply-shift: the upper bits of the key choose the bucket, whatever the number of buckets.
        let bucket = (u128::from(key) * self.buckets() as u128) >> 64;
        BUCKET * bucket as usize
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        self.words[self.place(key)..][..BUCKET].as_chunks().0
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (data & VALID != 0 && check.load(Relaxed) ^ data == key).then(|| Entry::from_bits(data))
        })
    }

    /// Prefetches the memory of an entry that will be read soon.
    #[inline]
    pub fn fetch(&self, key: u64) {
        prefetch_index(&*self.words, self.place(key));
    }

    /// Stores the entry in place of the same position's, or of the shallowest in its bucket; an entry of an earlier
    /// search counts as shallower than any of this one.
    #[inline]
    pub fn put(&self, key: u64, entry: Entry) {
        let bucket = self.bucket(key);
        let mut victim = 0;
        let mut shallowest = i32::MAX;
        let generation = self.generation.load(Relaxed);
        for (i, [check, data]) in bucket.iter().enumerate() {
            let data = data.load(Relaxed);
            if data & VALID == 0 || check.load(Relaxed) ^ data == key {
                victim = i;
                break;
            }
            let old = data >> GENERATION != generation;
            let depth = i32::from((data >> 48) as u8 as i8) - if old { 256 } else { 0 };
            if depth < shallowest {
                shallowest = depth;
                victim = i;
            }
        }
        let bits = entry.to_bits() | generation << GENERATION;
        bucket[victim][1].store(bits, Relaxed);
        bucket[victim][0].store(key ^ bits, Relaxed);
    }

    /// How many of a thousand places are taken, estimated from a sample.
    fn permille(&self) -> u16 {
        let sample = self.words.as_chunks::<SLOT>().0.iter();
        let taken = |[_, data]: &Slot| data.load(Relaxed) & VALID != 0;
        permille(sample.take(SAMPLE * BUCKET / SLOT).map(taken))
    }

    fn copy(&self) -> Table {
        Table {
            words: copied(&self.words),
            generation: AtomicU64::new(self.generation.load(Relaxed)),
        }
    }

    pub fn words(&self) -> &[AtomicU64] {
        &self.words
    }
}

/// The number of buckets sampled to estimate how full a table is.
pub const SAMPLE: usize = 256;

/// How many of a thousand are taken.
pub fn permille(taken: impl Iterator<Item = bool>) -> u16 {
    let (all, taken) = taken.fold((0u32, 0u32), |(all, taken), t| {
        (all + 1, taken + u32::from(t))
    });
    (taken * 1000 / all.max(1)) as u16
}

/// 4 KiB in words, the unit in which the system provides memory as it is touched.
const PAGE: usize = 512;

/// From this many words on, a second thread helps to copy: 4 MiB.
const TWO_THREADS_FROM: usize = 1 << 19;

/// The same words in other memory. Pages that were never touched stay so.
///
/// # Panics
/// If the system has no memory for them.
pub fn copied(from: &[AtomicU64]) -> Pages {
    let mut copy = Pages::sparse(from.len()).expect("memory for a copy of a table");
    let fill = |from: &[AtomicU64], to: &mut [AtomicU64]| {
        for (from, to) in from.chunks(PAGE).zip(to.chunks_mut(PAGE)) {
            if is_touched(from) {
                for (from, to) in from.iter().zip(to) {
                    *to.get_mut() = from.load(Relaxed);
                }
            }
        }
    };
    if from.len() < TWO_THREADS_FROM {
        fill(from, &mut copy);
    } else {
        let half = from.len() / 2;
        let ((our_from, their_from), (our_to, their_to)) =
            (from.split_at(half), copy.split_at_mut(half));
        both(|| fill(our_from, our_to), || fill(their_from, their_to));
    }
    copy
}

fn is_touched(page: &[AtomicU64]) -> bool {
    page.iter().any(|word| word.load(Relaxed) != 0)
}

/// Two tables, for a search that has to keep a lower and an upper bound of each position.
#[derive(Debug)]
pub struct BoundTables {
    pub lower: Table,
    pub upper: Table,
}

/// The tables of a depth-first search, each created when it is first used, because no search uses all of them.
#[derive(Debug)]
pub struct Tables {
    bytes: u64,
    main: OnceLock<Table>,
    bounds: OnceLock<BoundTables>,
    audit: OnceLock<Table>,
    beliefs: OnceLock<BeliefTable>,
}

impl Tables {
    /// Tables of at most `bytes` each.
    pub fn new(bytes: u64) -> Self {
        Tables {
            bytes,
            main: OnceLock::new(),
            bounds: OnceLock::new(),
            audit: OnceLock::new(),
            beliefs: OnceLock::new(),
        }
    }

    pub fn main(&self) -> &Table {
        self.main.get_or_init(|| Table::new(self.bytes))
    }

    /// The tables of both bounds, which share the size of one table.
    pub fn bounds(&self) -> &BoundTables {
        let half = || Table::new(self.bytes / 2);
        self.bounds.get_or_init(|| BoundTables {
            lower: half(),
            upper: half(),
        })
    }

    /// The table for audits, which must not change what the search does; it has an eighth of the size.
    pub fn audit(&self) -> &Table {
        self.audit.get_or_init(|| Table::new(self.bytes / 8))
    }

    /// The table of probabilistic alpha-beta.
    pub fn beliefs(&self) -> &BeliefTable {
        self.beliefs.get_or_init(|| BeliefTable::new(self.bytes))
    }

    /// Copies all entries to the same places. A search with the copy does what it would have done with the original,
    /// because a table has no other state than its entries and its generation. Call it only while no thread writes to
    /// the tables.
    pub fn copy(&self) -> Tables {
        fn copied<T>(table: &OnceLock<T>, copy: impl Fn(&T) -> T) -> OnceLock<T> {
            table
                .get()
                .map(copy)
                .map_or_else(OnceLock::new, OnceLock::from)
        }
        Tables {
            bytes: self.bytes,
            main: copied(&self.main, Table::copy),
            bounds: copied(&self.bounds, |both| BoundTables {
                lower: both.lower.copy(),
                upper: both.upper.copy(),
            }),
            audit: copied(&self.audit, Table::copy),
            beliefs: copied(&self.beliefs, BeliefTable::copy),
        }
    }

    /// The best move known for a position.
    pub fn best_move(&self, key: u64) -> Option<MoveCode> {
        let main = self.main.get().and_then(|table| table.get(key));
        let best = main.map(|entry| entry.best);
        // The move of a lower bound was good enough to cut the others off.
        let bounds = || self.bounds.get().and_then(|both| both.lower.get(key));
        let beliefs = || self.beliefs.get().and_then(|table| table.get(key));
        best.or_else(|| bounds().map(|entry| entry.best))
            .or_else(|| beliefs().map(|entry| entry.best))
            .filter(|&m| m != MoveCode::NONE)
    }

    /// Starts a new search with what earlier ones found.
    pub fn age(&self) {
        self.main().age();
        if let Some(both) = self.bounds.get() {
            both.lower.age();
            both.upper.age();
        }
    }

    /// How many of a thousand places are taken in the table in use, estimated from a sample.
    pub fn permille(&self) -> u16 {
        let main = self.main.get().map_or(0, Table::permille);
        let bounds = self
            .bounds
            .get()
            .map_or(0, |both| both.lower.permille().max(both.upper.permille()));
        main.max(bounds)
            .max(self.beliefs.get().map_or(0, BeliefTable::permille))
    }

    /// The words of all tables that were created.
    fn words(&self) -> impl Iterator<Item = &[AtomicU64]> {
        let tables = [&self.main, &self.audit]
            .into_iter()
            .filter_map(OnceLock::get);
        let bounds = self.bounds.get().into_iter();
        let bounds = bounds.flat_map(|both| [both.lower.words(), both.upper.words()]);
        let beliefs = self.beliefs.get().map(BeliefTable::words);
        tables.map(Table::words).chain(bounds).chain(beliefs)
    }

    /// The size in bytes of the tables that were created, whether touched or not.
    pub fn size(&self) -> u64 {
        self.words().map(|words| size_of_val(words) as u64).sum()
    }

    /// Roughly the bytes taken from the system, in whole pages: what is used so far, not the capacity.
    pub fn bytes(&self) -> u64 {
        let touched =
            |words: &[AtomicU64]| words.chunks(PAGE).filter(|page| is_touched(page)).count();
        let pages: usize = self.words().map(touched).sum();
        (pages * PAGE * size_of::<u64>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_put_is_got(key: u64, best: u16, value in -30_000i32..30_000, depth: i8, bound in 1u8..4, has: bool) {
            let table = Table::new(1 << 12);
            let entry = Entry {
                best: MoveCode(best),
                value: Score::new(value),
                depth,
                bound: Bound::from_bits(bound),
                static_value: has.then_some(Score::new(value / 2)),
            };
            table.put(key, entry);
            prop_assert_eq!(table.get(key), Some(entry));
            prop_assert_eq!(table.get(key ^ 1), None);
        }
    }

    #[test]
    fn the_deeper_entry_survives() {
        let table = Table::new(1);
        let entry = |depth| Entry {
            best: MoveCode::NONE,
            value: Score::DRAW,
            depth,
            bound: Bound::Exact,
            static_value: None,
        };
        for key in 1..=5u64 {
            table.put(key, entry(key as i8));
        }
        assert_eq!(table.get(1), None);
        assert!((2..=5).all(|key| table.get(key).is_some()));
    }

    #[test]
    fn what_an_earlier_search_found_goes_first() {
        let table = Table::new(1);
        let entry = |depth| Entry {
            best: MoveCode::NONE,
            value: Score::DRAW,
            depth,
            bound: Bound::Exact,
            static_value: None,
        };
        for key in 1..=4u64 {
            table.put(key, entry(20 + key as i8));
        }
        table.age();
        table.put(5, entry(1));
        table.put(6, entry(2));
        assert!(table.get(1).is_none() && table.get(2).is_none());
        assert!((3..=6).all(|key| table.get(key).is_some()));
    }

    fn words(tables: &Tables) -> Vec<u64> {
        let both = tables.main().words().iter().chain(tables.beliefs().words());
        both.map(|word| word.load(Relaxed)).collect()
    }

    #[test]
    fn a_copy_has_the_same_words_and_takes_no_more_memory() {
        // Sizes both small and large enough for two threads; roughly one entry per page, and pages without any.
        for (size, entries) in [(1u64, 2u64), (1 << 16, 9), (8 << 20, 500)] {
            let tables = Tables::new(size);
            assert_eq!(tables.bytes(), 0);
            for i in 0..entries {
                let key = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let entry = Entry {
                    best: MoveCode(i as u16),
                    value: Score::DRAW,
                    depth: i as u8 as i8,
                    bound: Bound::Lower,
                    static_value: None,
                };
                tables.main().put(key, entry);
            }
            let copy = tables.copy();
            assert!(words(&copy) == words(&tables));
            assert!(copy.bytes() == tables.bytes() && copy.bytes() > 0);
            let before = words(&tables);
            let entry = Entry {
                best: MoveCode::NONE,
                value: Score::DRAW,
                depth: 99,
                bound: Bound::Exact,
                static_value: None,
            };
            copy.main().put(1 << 63, entry);
            assert!(words(&tables) == before && words(&copy) != before);
        }
    }
}
