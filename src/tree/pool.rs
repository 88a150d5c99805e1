//! Reuses the memory of one tree for the next.
//!
//! The system's allocator keeps returned memory for the thread that had asked for it. A search that is rewound again
//! and again, each time by another thread, would therefore take up the memory of many trees. Here all threads share one
//! pool.

use std::sync::{Mutex, PoisonError};

/// Unused chunks of one kind of element.
#[derive(Debug)]
pub struct Pool<C> {
    kept: Mutex<Kept<C>>,
}

#[derive(Debug)]
struct Kept<C> {
    chunks: Vec<C>,
    /// The number of chunks that the arenas currently have.
    used: usize,
    /// The most chunks that a single arena could have, over all arenas so far.
    most: usize,
}

impl<C> Pool<C> {
    pub const fn new() -> Self {
        Pool {
            kept: Mutex::new(Kept {
                chunks: Vec::new(),
                used: 0,
                most: 0,
            }),
        }
    }

    /// Returns a chunk with its old contents. If there is none, the caller creates one, which counts as taken.
    pub fn take(&self) -> Option<C> {
        let mut kept = self.lock();
        kept.used += 1;
        kept.chunks.pop()
    }

    /// Must be called if there was no memory for the chunk that the caller wanted to create.
    pub fn refused(&self) {
        self.lock().used -= 1;
    }

    /// Takes back the chunks of an arena that could have had `most` of them. The pool and the arenas together never
    /// hold more chunks than one arena could have; the surplus goes back to the system.
    pub fn give(&self, chunks: impl Iterator<Item = C>, most: usize) {
        let mut given: Vec<C> = chunks.collect();
        let mut kept = self.lock();
        kept.most = kept.most.max(most);
        // Chunks created after the system had refused one were never counted.
        kept.used = kept.used.saturating_sub(given.len());
        let room = kept.most.saturating_sub(kept.used + kept.chunks.len());
        let surplus = given.split_off(room.min(given.len()));
        kept.chunks.append(&mut given);
        drop(kept);
        // Dropped outside the lock.
        drop(surplus);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept<C>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_kept_as_the_largest_arena_had() {
        let pool = Pool::new();
        let take = |count| -> Vec<Option<u8>> { (0..count).map(|_| pool.take()).collect() };
        assert_eq!(take(4), [None; 4]);
        pool.give([1, 2, 3].into_iter(), 2);
        // One is still in use.
        assert_eq!(take(2), [Some(1), None]);
        pool.give([4, 5, 6].into_iter(), 2);
        assert_eq!(take(3), [Some(5), Some(4), None]);
        pool.refused();
        pool.give([7, 8].into_iter(), 0);
        assert_eq!(take(3), [Some(8), Some(7), None]);
    }
}
