//! Beliefs in the tree: 128 bytes each, read consistently while other threads write.

use super::arena::{Chunk, Pooled};
use super::pool::Pool;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use belief::{Cdf, LANES};

const WORDS: usize = LANES / 4;
const LAST: usize = WORDS - 1;
/// The last lane is not part of the CDF. It counts the writes, and is odd during one.
const VERSION_SHIFT: u32 = 48;
const DATA: u64 = (1 << VERSION_SHIFT) - 1;

/// A slot for one belief: a CDF of as many values of 16 bits as it has bins, and a version (a sequence lock without `unsafe`).
#[derive(Debug)]
pub struct BeliefSlot {
    words: [AtomicU64; WORDS],
}

const _: () = assert!(size_of::<BeliefSlot>() == 2 * LANES);

impl Default for BeliefSlot {
    fn default() -> BeliefSlot {
        BeliefSlot::of_bits([0; WORDS])
    }
}

impl Pooled for BeliefSlot {
    fn pool() -> &'static Pool<Chunk<Self>> {
        static POOL: Pool<Chunk<BeliefSlot>> = Pool::new();
        &POOL
    }
}

impl BeliefSlot {
    /// Copies the belief and version for another tree; no thread may write to it meanwhile.
    pub(super) fn copy(&self) -> BeliefSlot {
        BeliefSlot::of_bits(self.bits())
    }

    pub(super) const LONGS: usize = WORDS;

    /// Returns all words as bits, those of the version included.
    pub(super) fn bits(&self) -> [u64; WORDS] {
        std::array::from_fn(|i| self.words[i].load(Ordering::Relaxed))
    }

    pub(super) fn of_bits(bits: [u64; WORDS]) -> BeliefSlot {
        BeliefSlot {
            words: bits.map(AtomicU64::new),
        }
    }

    /// Whether a belief has been written.
    pub fn is_written(&self) -> bool {
        self.words[LAST].load(Ordering::Relaxed) >> VERSION_SHIFT > 1
    }

    /// Reads data protected by this slot's lock, repeating `read` until no write has interfered.
    pub(super) fn consistent<T>(&self, read: impl Fn() -> T) -> T {
        let mut tries = 0u32;
        loop {
            let before = self.words[LAST].load(Ordering::Acquire);
            let found = read();
            fence(Ordering::Acquire);
            let after = self.words[LAST].load(Ordering::Relaxed);
            if before == after && (before >> VERSION_SHIFT) & 1 == 0 {
                return found;
            }
            wait(&mut tries);
        }
    }

    /// Returns a consistent copy of the belief. Waits for a write in progress (about 50 ns, or about 1 µs for a
    /// back-up).
    #[inline]
    pub fn read(&self) -> Cdf {
        let mut tries = 0u32;
        loop {
            let before = self.words[LAST].load(Ordering::Acquire);
            let words: [u64; WORDS] =
                std::array::from_fn(|i| self.words[i].load(Ordering::Relaxed).to_le());
            let mut lanes: [u16; LANES] = bytemuck::cast(words);
            if cfg!(target_endian = "big") {
                lanes = lanes.map(u16::from_le);
            }
            fence(Ordering::Acquire);
            let after = self.words[LAST].load(Ordering::Relaxed);
            if before == after && (before >> VERSION_SHIFT) & 1 == 0 {
                lanes[LANES - 1] = 0;
                return Cdf(lanes);
            }
            wait(&mut tries);
        }
    }

    /// Locks the slot for writing, waiting while another thread holds it. Everything read from the children afterwards
    /// is at least as new as what an earlier holder read.
    #[inline]
    pub fn lock(&self) -> BeliefGuard<'_> {
        let mut tries = 0u32;
        loop {
            let last = self.words[LAST].load(Ordering::Relaxed);
            let version = last >> VERSION_SHIFT;
            if version & 1 == 0 {
                let odd = (last & DATA) | (version | 1) << VERSION_SHIFT;
                if self.words[LAST]
                    .compare_exchange_weak(last, odd, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
                {
                    return BeliefGuard {
                        slot: self,
                        version,
                    };
                }
            }
            wait(&mut tries);
        }
    }

    /// Locks, writes and unlocks.
    #[inline]
    pub fn write(&self, belief: &Cdf) {
        self.lock().write(belief);
    }

    /// Writes a slot that no other thread knows of yet, without taking the lock.
    #[inline]
    pub fn initialise(&self, belief: &Cdf) {
        self.store(belief, 2);
    }

    #[inline]
    fn store(&self, belief: &Cdf, version: u64) {
        for (word, four) in self.words[..LAST].iter().zip(belief.0.chunks_exact(4)) {
            word.store(join(four), Ordering::Relaxed);
        }
        let last = (join(&belief.0[LANES - 4..]) & DATA) | version << VERSION_SHIFT;
        self.words[LAST].store(last, Ordering::Release);
    }
}

/// Waits between two attempts: spins, then yields in case the holder has lost its core.
#[cold]
fn wait(tries: &mut u32) {
    *tries += 1;
    if tries.is_multiple_of(1024) {
        std::thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
}

#[inline]
fn join(four: &[u16]) -> u64 {
    u64::from(four[0])
        | u64::from(four[1]) << 16
        | u64::from(four[2]) << 32
        | u64::from(four[3]) << 48
}

/// A belief slot locked for writing. Dropped without a write, it leaves the belief unchanged.
#[derive(Debug)]
pub struct BeliefGuard<'a> {
    slot: &'a BeliefSlot,
    version: u64,
}

impl BeliefGuard<'_> {
    #[inline]
    pub fn write(self, belief: &Cdf) {
        fence(Ordering::Release);
        // The version has 16 bits, and 0 means "never written", so it wraps around to 2.
        let next = if self.version >= 0xfffe {
            2
        } else {
            self.version + 2
        };
        self.slot.store(belief, next);
        std::mem::forget(self);
    }
}

impl Drop for BeliefGuard<'_> {
    fn drop(&mut self) {
        let last = self.slot.words[LAST].load(Ordering::Relaxed);
        self.slot.words[LAST].store(
            (last & DATA) | self.version << VERSION_SHIFT,
            Ordering::Release,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(v: u16) -> Cdf {
        let mut lanes = [v; LANES];
        lanes[LANES - 1] = 0;
        Cdf(lanes)
    }

    #[test]
    fn reads_are_never_torn() {
        let slot = BeliefSlot::default();
        assert!(!slot.is_written());
        slot.initialise(&constant(1));
        assert!(slot.is_written());
        std::thread::scope(|scope| {
            for start in [2u16, 3] {
                let slot = &slot;
                scope.spawn(move || {
                    for i in 0..100_000u32 {
                        slot.write(&constant((i as u16).wrapping_mul(2).wrapping_add(start)));
                    }
                });
            }
            for _ in 0..100_000 {
                let seen = slot.read();
                assert_eq!(seen, constant(seen.0[0]));
            }
        });
    }

    #[test]
    fn a_guard_dropped_changes_nothing() {
        let slot = BeliefSlot::default();
        slot.initialise(&constant(9));
        drop(slot.lock());
        assert_eq!(slot.read(), constant(9));
    }
}
