//! Numbers that a node stores with its belief, for back-ups that do not work on distributions.

use super::arena::{Chunk, Pooled};
use super::pool::Pool;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use belief::Numbers;

const WORDS: usize = Numbers::MOST;
/// The bits of a NaN, which mean "not written".
const NONE: u64 = u64::MAX;

/// The numbers of one node: 40 bytes, at the same place as its belief. Only searches that store numbers allocate memory
/// for them.
///
/// Numbers are written while the belief's slot is locked, and read consistently by its version.
#[derive(Debug)]
pub(super) struct NumbersSlot {
    words: [AtomicU64; WORDS],
    /// How strongly the node's parent believes that the move to it is optimal. Separate from the rest, because the
    /// parent writes it.
    optimal: AtomicU64,
}

impl Default for NumbersSlot {
    fn default() -> Self {
        NumbersSlot {
            words: std::array::from_fn(|_| AtomicU64::new(NONE)),
            optimal: AtomicU64::new(NONE),
        }
    }
}

impl Pooled for NumbersSlot {
    fn pool() -> &'static Pool<Chunk<Self>> {
        static POOL: Pool<Chunk<NumbersSlot>> = Pool::new();
        &POOL
    }
}

impl NumbersSlot {
    pub fn copy(&self) -> NumbersSlot {
        NumbersSlot::of_bits(self.bits())
    }

    pub const LONGS: usize = WORDS + 1;

    /// Returns all words as bits, the last one for the move's share.
    pub fn bits(&self) -> [u64; Self::LONGS] {
        std::array::from_fn(|i| match self.words.get(i) {
            Some(word) => word.load(Ordering::Relaxed),
            None => self.optimal.load(Ordering::Relaxed),
        })
    }

    pub fn of_bits(bits: [u64; Self::LONGS]) -> NumbersSlot {
        NumbersSlot {
            words: std::array::from_fn(|i| AtomicU64::new(bits[i])),
            optimal: AtomicU64::new(bits[WORDS]),
        }
    }

    /// Returns the bits, which may be torn while another thread writes.
    pub fn load(&self) -> [u64; WORDS] {
        std::array::from_fn(|i| self.words[i].load(Ordering::Relaxed))
    }

    pub fn store(&self, numbers: [f64; WORDS]) {
        fence(Ordering::Release);
        for (word, number) in self.words.iter().zip(numbers) {
            word.store(number.to_bits(), Ordering::Relaxed);
        }
    }

    /// As before anything was written. Nobody may read or write it meanwhile.
    pub fn clear(&self) {
        for word in self.words.iter().chain([&self.optimal]) {
            word.store(NONE, Ordering::Relaxed);
        }
    }

    pub fn optimal(&self) -> Option<f64> {
        written(self.optimal.load(Ordering::Relaxed))
    }

    pub fn set_optimal(&self, b: f64) {
        self.optimal.store(b.to_bits(), Ordering::Relaxed);
    }
}

/// Decodes the numbers; `None` if none were written.
pub(super) fn numbers(bits: [u64; WORDS]) -> Option<[f64; WORDS]> {
    (bits[0] != NONE).then(|| bits.map(f64::from_bits))
}

fn written(bits: u64) -> Option<f64> {
    (bits != NONE).then(|| f64::from_bits(bits))
}
