//! An append-only store in chunks: elements never move, any thread may read at any time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Elements a chunk: 256 KiB of nodes, so a new chunk is made in some 50 µs.
const CHUNK_BITS: u32 = 12;
const CHUNK: usize = 1 << CHUNK_BITS;

type Chunk<T> = Box<[T; CHUNK]>;

/// An append-only arena of at most `capacity` elements. Index 0 is never given out: it means "none".
#[derive(Debug)]
pub struct Arena<T> {
    chunks: Box<[OnceLock<Chunk<T>>]>,
    /// The next index to give out.
    next: AtomicU32,
    capacity: u32,
}

impl<T: Default> Arena<T> {
    /// Room for `capacity` elements; memory is taken chunk by chunk as it is used.
    pub fn new(capacity: u32) -> Self {
        let count = (capacity as usize + 1).div_ceil(CHUNK);
        Arena {
            chunks: (0..count).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(1),
            capacity,
        }
    }

    /// Gives out `count` neighbouring indices within one chunk, `None` when the arena is full.
    /// `count` is at most a chunk (4096).
    pub fn allocate(&self, count: u32) -> Option<u32> {
        self.allocate_below(count, self.capacity)
    }

    /// As [`Arena::allocate`], but only among the first `limit` places.
    pub fn allocate_below(&self, count: u32, limit: u32) -> Option<u32> {
        debug_assert!(count as usize <= CHUNK);
        let place = |next: u32| {
            let in_chunk = next & (CHUNK as u32 - 1);
            if in_chunk + count > CHUNK as u32 {
                next + CHUNK as u32 - in_chunk
            } else {
                next
            }
        };
        let before = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                let end = place(next).checked_add(count)?;
                (end <= limit.min(self.capacity).saturating_add(1)).then_some(end)
            })
            .ok()?;
        let first = place(before);
        self.chunks[first as usize >> CHUNK_BITS].get_or_init(new_chunk);
        Some(first)
    }

    /// The element at an index that [`Arena::allocate`] gave out.
    #[inline]
    pub fn get(&self, index: u32) -> &T {
        let chunk = self.chunks[index as usize >> CHUNK_BITS]
            .get()
            .expect("an index that was given out");
        &chunk[index as usize & (CHUNK - 1)]
    }

    /// Neighbouring elements that one call of [`Arena::allocate`] gave out.
    #[inline]
    pub fn block(&self, first: u32, count: u32) -> &[T] {
        let chunk = self.chunks[first as usize >> CHUNK_BITS]
            .get()
            .expect("an index that was given out");
        let start = first as usize & (CHUNK - 1);
        &chunk[start..start + count as usize]
    }

    /// Whether [`Arena::allocate`] has given out this index (or skipped it at the end of a chunk).
    pub fn contains(&self, index: u32) -> bool {
        index > 0 && index < self.next.load(Ordering::Relaxed)
    }

    /// Elements given out, places skipped at the ends of chunks included.
    pub fn len(&self) -> u32 {
        self.next.load(Ordering::Relaxed) - 1
    }

    /// Bytes taken from the system for elements.
    pub fn bytes(&self) -> u64 {
        u64::from(self.len()).div_ceil(CHUNK as u64) * (CHUNK * size_of::<T>()) as u64
    }

    pub fn capacity(&self) -> u32 {
        self.capacity
    }
}

fn new_chunk<T: Default>() -> Chunk<T> {
    let elements: Box<[T]> = (0..CHUNK).map(|_| T::default()).collect();
    elements.try_into().ok().expect("the chunk's length")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn blocks_never_straddle_a_chunk() {
        let arena: Arena<AtomicU64> = Arena::new(20_000);
        let mut last_end = 1;
        while let Some(first) = arena.allocate(219) {
            assert!(first >= last_end);
            assert_eq!(first >> CHUNK_BITS, (first + 218) >> CHUNK_BITS);
            arena.get(first + 218).store(7, Ordering::Relaxed);
            last_end = first + 219;
        }
        assert!(last_end > 19_000 && arena.len() <= 20_000);
    }

    #[test]
    fn two_threads_never_get_the_same_place() {
        let arena: Arena<AtomicU64> = Arena::new(200_000);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..3_000 {
                        let first = arena.allocate(31).expect("room");
                        for i in first..first + 31 {
                            assert_eq!(arena.get(i).fetch_add(1, Ordering::Relaxed), 0);
                        }
                    }
                });
            }
        });
    }
}
