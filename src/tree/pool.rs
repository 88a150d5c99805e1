//! Memory that went through one tree serves the next.
//!
//! What a system's allocator is given back it keeps, for the thread that had asked for it: a search that is rewound again and
//! again, each time by another thread, would take the memory of many trees. Here all threads draw from one store.

use std::sync::{Mutex, PoisonError};

/// Chunks that nobody uses, of one kind of element.
#[derive(Debug)]
pub struct Pool<C> {
    kept: Mutex<Kept<C>>,
}

#[derive(Debug)]
struct Kept<C> {
    chunks: Vec<C>,
    /// As many as one arena could have, the largest that there was.
    most: usize,
}

impl<C> Pool<C> {
    pub const fn new() -> Self {
        Pool {
            kept: Mutex::new(Kept {
                chunks: Vec::new(),
                most: 0,
            }),
        }
    }

    /// A chunk as it was left, if there is one.
    pub fn take(&self) -> Option<C> {
        self.lock().chunks.pop()
    }

    /// Takes the chunks of an arena that could have had `most` of them; what is too much goes back to the system.
    pub fn give(&self, chunks: impl Iterator<Item = C>, most: usize) {
        let mut kept = self.lock();
        kept.most = kept.most.max(most);
        let room = kept.most.saturating_sub(kept.chunks.len());
        let mut chunks = chunks;
        kept.chunks.extend(chunks.by_ref().take(room));
        drop(kept);
        // Not under the lock.
        chunks.for_each(drop);
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
        assert_eq!(pool.take(), None);
        pool.give([1, 2, 3].into_iter(), 2);
        pool.give([4].into_iter(), 1);
        assert_eq!(
            [pool.take(), pool.take(), pool.take()],
            [Some(2), Some(1), None]
        );
        pool.give([5, 6, 7].into_iter(), 9);
        assert_eq!(pool.take(), Some(7));
    }
}
