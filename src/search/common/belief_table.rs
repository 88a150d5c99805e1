//! The transposition table of probabilistic alpha-beta: whole distributions, shared by threads without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::pages::Pages;
use super::table::{SAMPLE, copied, permille};
use belief::{BINS, Cdf, LANES};
use game::{MoveCode, Score};
use tree::Bound;

/// What is known about a position, from the view of its side to move. Mates are counted from the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeliefEntry {
    /// The distribution of the position's value.
    pub belief: Cdf,
    pub best: MoveCode,
    /// The integer value, where the belief rests on exact values alone; a bound as `bound` says.
    pub point: Option<Score>,
    /// Plies searched below.
    pub depth: i8,
    pub bound: Bound,
    /// The confidence level at which the position was searched, in units of 1/65535.
    pub confidence: u16,
}

/// The words of a CDF, whose last lane is not used.
const CDF_WORDS: usize = LANES / 4;
/// The words of an entry: the CDF, one word for the rest, and one check word.
const WORDS: usize = CDF_WORDS + 2;
const REST: usize = CDF_WORDS;
const CHECK: usize = CDF_WORDS + 1;

const HAS_POINT: u64 = 1 << 60;
const VALID: u64 = 1 << 61;

type Slot = [AtomicU64; WORDS];
/// The words of a bucket. Its first place keeps the deepest entry, its second the newest.
const BUCKET: usize = 2 * WORDS;

/// A lock-free table of beliefs with 144 bytes per entry.
///
/// An entry carries a check word, the key plus a weighted sum of all other words. An entry mixed from the writes of two
/// threads fails the check and is ignored (after Hyatt & Mann, "A lock-less transposition-table implementation";
/// weights are used because two beliefs of *one* position could xor to the same).
#[derive(Debug)]
pub struct BeliefTable {
    /// The words of all slots, bucket by bucket.
    words: Pages,
}

impl BeliefTable {
    /// Creates a table of at most `bytes` (at least one bucket).
    pub fn new(bytes: u64) -> Self {
        BeliefTable::with_buckets((bytes as usize / size_of::<[u64; BUCKET]>()).max(1))
    }

    pub fn with_buckets(buckets: usize) -> Self {
        BeliefTable {
            words: Pages::at_most::<BUCKET>(buckets),
        }
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        let bucket = (u128::from(key) * self.count() as u128) >> 64;
        self.words[BUCKET * bucket as usize..][..BUCKET]
            .as_chunks()
            .0
    }

    /// The entry of a position, if there is a complete one.
    pub fn get(&self, key: u64) -> Option<BeliefEntry> {
        self.bucket(key).iter().find_map(|slot| {
            let check = slot[CHECK].load(Relaxed);
            let rest = slot[REST].load(Relaxed);
            // Most misses are detected here, before the sixteen other words are read.
            if rest & VALID == 0 || check >> 48 != key & 0xffff {
                return None;
            }
            let mut words = [0; CHECK];
            for (word, atom) in words.iter_mut().zip(slot) {
                *word = atom.load(Relaxed);
            }
            (words[REST] & VALID != 0 && check == check_word(key, &words)).then(|| unpack(&words))
        })
    }

    /// Stores the entry in place of one of the same position, an empty one, a shallower one, or the newest.
    pub fn put(&self, key: u64, entry: &BeliefEntry) {
        let bucket = self.bucket(key);
        let rest = |slot: &Slot| slot[REST].load(Relaxed);
        let same = |slot: &&Slot| {
            rest(slot) & VALID != 0 && slot[CHECK].load(Relaxed) >> 48 == key & 0xffff
        };
        let free = |slot: &&Slot| rest(slot) & VALID == 0;
        let (deepest, newest) = (&bucket[0], &bucket[1]);
        let place = bucket
            .iter()
            .find(same)
            .or_else(|| bucket.iter().find(free));
        let slot = place.unwrap_or(if entry.depth >= depth_of(rest(deepest)) {
            deepest
        } else {
            newest
        });
        let words = pack(entry);
        for (atom, word) in slot.iter().zip(words) {
            atom.store(word, Relaxed);
        }
        slot[CHECK].store(check_word(key, &words), Relaxed);
    }

    /// How many of a thousand places are taken, estimated from a sample.
    pub fn permille(&self) -> u16 {
        let sample = self.words.as_chunks::<WORDS>().0.iter();
        let taken = |slot: &Slot| slot[REST].load(Relaxed) & VALID != 0;
        permille(sample.take(SAMPLE * BUCKET / WORDS).map(taken))
    }

    pub fn copy(&self) -> BeliefTable {
        BeliefTable {
            words: copied(&self.words),
        }
    }

    /// The number of buckets.
    pub fn count(&self) -> usize {
        self.words.len() / BUCKET
    }

    pub fn words_mut(&mut self) -> &mut [AtomicU64] {
        &mut self.words
    }

    pub fn words(&self) -> &[AtomicU64] {
        &self.words
    }
}

/// The check word. Its upper 16 bits are the lowest of the key, for a quick check (the key's highest bits chose the
/// bucket and add no information); the rest checks key and words.
fn check_word(key: u64, words: &[u64; CHECK]) -> u64 {
    let mut weight = 0x9e37_79b9_7f4a_7c15u64;
    let mut sum = key;
    for word in words {
        sum = sum.wrapping_add((word ^ (word >> 32)).wrapping_mul(weight));
        weight = weight.wrapping_add(0x3c6e_f372_fe94_f82a);
    }
    (sum >> 16) | key << 48
}

fn depth_of(rest: u64) -> i8 {
    (rest >> 48) as u8 as i8
}

fn pack(entry: &BeliefEntry) -> [u64; CHECK] {
    let mut words = [0; CHECK];
    for (word, four) in words.iter_mut().zip(entry.belief.0.chunks_exact(4)) {
        *word = four
            .iter()
            .rev()
            .fold(0, |w, &lane| w << 16 | u64::from(lane));
    }
    words[REST] = u64::from(entry.best.0)
        | u64::from(entry.point.map_or(0, |s| s.raw() as u16)) << 16
        | u64::from(entry.confidence) << 32
        | u64::from(entry.depth as u8) << 48
        | (entry.bound as u64) << 56
        | if entry.point.is_some() { HAS_POINT } else { 0 }
        | VALID;
    words
}

fn unpack(words: &[u64; CHECK]) -> BeliefEntry {
    let mut lanes = [0u16; LANES];
    for (four, word) in lanes.chunks_exact_mut(4).zip(words) {
        for (i, lane) in four.iter_mut().enumerate() {
            *lane = (word >> (16 * i)) as u16;
        }
    }
    lanes[BINS] = 0;
    let rest = words[REST];
    BeliefEntry {
        belief: Cdf(lanes),
        best: MoveCode(rest as u16),
        point: (rest & HAS_POINT != 0).then(|| Score::from_raw((rest >> 16) as u16 as i16)),
        depth: depth_of(rest),
        bound: Bound::from_bits((rest >> 56) as u8),
        confidence: (rest >> 32) as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::{Grid, leaf};

    fn entry(depth: i8, location: f32) -> BeliefEntry {
        BeliefEntry {
            belief: leaf(&Grid::sinh(), location, 0.3),
            best: MoveCode(depth as u16 * 77),
            point: (depth % 2 == 0).then(|| Score::loss_in(depth as u16)),
            depth,
            bound: Bound::Upper,
            confidence: 58_982,
        }
    }

    #[test]
    fn what_is_put_is_got() {
        let table = BeliefTable::new(1 << 16);
        for depth in 0..10 {
            let key = 0x1234_5678_9abc_def0 + u64::from(depth as u8);
            table.put(key, &entry(depth, 0.1 * f32::from(depth)));
            assert_eq!(table.get(key), Some(entry(depth, 0.1 * f32::from(depth))));
            assert_eq!(table.get(key ^ 1 << 20), None);
        }
    }

    #[test]
    fn a_copy_has_the_same_entries() {
        let table = BeliefTable::new(1 << 16);
        let key = |depth: i8| u64::from(depth as u8).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for depth in 1..40 {
            table.put(key(depth), &entry(depth, 0.0));
        }
        let copy = table.copy();
        let found =
            |table: &BeliefTable| -> Vec<_> { (1..40).map(|d| table.get(key(d))).collect() };
        assert_eq!(found(&copy), found(&table));
        assert!(found(&copy).iter().flatten().count() > 20);
        copy.put(key(41), &entry(41, 0.0));
        assert_eq!(table.get(key(41)), None);
    }

    #[test]
    fn one_place_keeps_the_deepest_and_one_the_newest() {
        let table = BeliefTable::new(1);
        for (key, depth) in [(1u64 << 50 | 1, 9), (2 << 50 | 2, 1), (3 << 50 | 3, 2)] {
            table.put(key, &entry(depth, 0.0));
        }
        assert!(table.get(1 << 50 | 1).is_some() && table.get(3 << 50 | 3).is_some());
        assert_eq!(table.get(2 << 50 | 2), None);
        // Stored again less deeply: the same position is replaced, not the other one.
        table.put(1 << 50 | 1, &entry(1, 0.0));
        assert_eq!(table.get(1 << 50 | 1), Some(entry(1, 0.0)));
        assert!(table.get(3 << 50 | 3).is_some());
    }

    /// The keys in a bucket share their highest bits, which therefore do not distinguish positions.
    #[test]
    fn both_places_of_a_bucket_are_used_in_a_large_table() {
        let table = BeliefTable::new(64 << 20);
        let keys = [0x1234_5678_9abc_0001u64, 0x1234_5678_9abc_0002];
        for key in keys {
            table.put(key, &entry(4, 0.0));
        }
        assert!(keys.iter().all(|&key| table.get(key).is_some()));
    }

    #[test]
    fn two_threads_never_read_a_mixture() {
        let table = BeliefTable::new(1);
        let key = 0xdead_beef_0000_0000;
        let known: Vec<BeliefEntry> = (0..8).map(|d| entry(d, f32::from(d) - 3.5)).collect();
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..2usize)
                .map(|start| {
                    let (table, known) = (&table, &known);
                    scope.spawn(move || {
                        for i in 0..40_000 {
                            table.put(key, &known[(i * 3 + start) % known.len()]);
                        }
                    })
                })
                .collect();
            while writers.iter().any(|w| !w.is_finished()) {
                if let Some(found) = table.get(key) {
                    assert!(known.contains(&found), "{found:?}");
                }
            }
        });
        // An entry that two threads left half written does not block the next one.
        table.put(key, &known[5]);
        assert_eq!(table.get(key), Some(known[5]));
    }
}
