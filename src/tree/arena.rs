//! An append-only store in chunks: elements never move, and any thread may read them at any time.

mod saved;

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use prefetch_index::prefetch_index;

use super::both::both;
use super::pool::Pool;
pub use saved::Stored;

/// The number of elements per chunk as a power of two: 256 KiB of nodes, so that creating a chunk takes about 50 µs.
const CHUNK_BITS: u32 = 12;
const CHUNK: usize = 1 << CHUNK_BITS;

/// The size in bytes from which a copy uses a second thread (starting one takes about 50 µs).
const TWO_THREADS_FROM: u64 = 4 << 20;

pub type Chunk<T> = Box<[T; CHUNK]>;
/// A chunk and the cell for its copy.
type CopyJob<'a, T> = (&'a Chunk<T>, &'a OnceLock<Chunk<T>>);

/// Elements that an arena can hold; their chunks are reused by later arenas.
pub trait Pooled: Default + 'static {
    fn pool() -> &'static Pool<Chunk<Self>>;
}

/// An append-only arena of at most `capacity` elements. Index 0 is never handed out; it means "none".
///
/// The last places can be reserved for a second purpose. They have a cursor of their own, so that using them does not
/// shift the places of everything that comes later.
#[derive(Debug)]
pub struct Arena<T: Pooled> {
    chunks: Box<[OnceLock<Chunk<T>>]>,
    main: Cursor,
    kept: Cursor,
    /// Set once the system has refused memory; from then on the arena counts as full.
    refused: AtomicBool,
}

/// A range of places that are handed out one after another.
#[derive(Debug)]
struct Cursor {
    first: u32,
    /// The next index to hand out.
    next: AtomicU32,
    /// The end of the range.
    end: u32,
}

impl Cursor {
    fn new(first: u32, end: u32) -> Self {
        Cursor {
            first,
            next: AtomicU32::new(first),
            end,
        }
    }

    /// Takes `count` neighbouring indices within one chunk.
    fn take(&self, count: u32) -> Option<u32> {
        debug_assert!(count as usize <= CHUNK);
        let place = |next: u32| {
            let in_chunk = next & (CHUNK as u32 - 1);
            if in_chunk + count > CHUNK as u32 {
                next + CHUNK as u32 - in_chunk
            } else {
                next
            }
        };
        self.next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                let end = place(next).checked_add(count)?;
                (end <= self.end).then_some(end)
            })
            .ok()
            .map(place)
    }

    /// The indices handed out, including those skipped at the ends of chunks.
    fn used(&self) -> Range<u32> {
        self.first..self.next.load(Ordering::Relaxed)
    }

    fn copy(&self) -> Cursor {
        Cursor {
            next: AtomicU32::new(self.used().end),
            ..*self
        }
    }
}

impl<T: Pooled> Drop for Arena<T> {
    fn drop(&mut self) {
        let chunks = std::mem::take(&mut self.chunks);
        let most = chunks.len();
        T::pool().give(chunks.into_iter().filter_map(OnceLock::into_inner), most);
    }
}

impl<T: Pooled> Arena<T> {
    /// Creates an arena for `capacity` elements, the last `kept` of them for [`Arena::allocate_kept`]. Memory is taken
    /// chunk by chunk as it is used.
    pub fn new(capacity: u32, kept: u32) -> Self {
        let count = (capacity as usize + 1).div_ceil(CHUNK);
        let (border, end) = (capacity + 1 - kept, capacity + 1);
        Arena {
            chunks: (0..count).map(|_| OnceLock::new()).collect(),
            main: Cursor::new(1, border),
            kept: Cursor::new(border, end),
            refused: AtomicBool::new(false),
        }
    }

    /// Returns the element at an index that [`Arena::allocate`] handed out.
    #[inline]
    pub fn get(&self, index: u32) -> &T {
        let chunk = self.chunks[index as usize >> CHUNK_BITS]
            .get()
            .expect("an index that was given out");
        &chunk[index as usize & (CHUNK - 1)]
    }

    /// Has the processor fetch an element that will probably be asked for soon.
    #[inline]
    pub fn prefetch(&self, index: u32) {
        let chunk = self.chunks.get(index as usize >> CHUNK_BITS);
        if let Some(chunk) = chunk.and_then(OnceLock::get) {
            prefetch_index(&chunk[..], index as usize & (CHUNK - 1));
        }
    }

    /// Returns the element at an index, or `None` if there is no memory for it (yet).
    pub fn try_get(&self, index: u32) -> Option<&T> {
        let chunk = self.chunks.get(index as usize >> CHUNK_BITS)?.get()?;
        Some(&chunk[index as usize & (CHUNK - 1)])
    }

    /// Returns neighbouring elements that one call of [`Arena::allocate`] handed out.
    #[inline]
    pub fn block(&self, first: u32, count: u32) -> &[T] {
        let chunk = self.chunks[first as usize >> CHUNK_BITS]
            .get()
            .expect("an index that was given out");
        let start = first as usize & (CHUNK - 1);
        &chunk[start..start + count as usize]
    }

    /// The ranges of indices handed out so far, including places skipped at the ends of chunks: first all except the
    /// reserved ones, then the reserved ones.
    pub fn used(&self) -> [Range<u32>; 2] {
        [self.main.used(), self.kept.used()]
    }

    /// Whether this index was handed out (or skipped at the end of a chunk) and can be read.
    pub fn contains(&self, index: u32) -> bool {
        self.used().iter().any(|used| used.contains(&index)) && self.try_get(index).is_some()
    }

    /// The number of elements handed out, including places skipped at the ends of chunks.
    pub fn len(&self) -> u32 {
        self.used().iter().map(|used| used.end - used.start).sum()
    }

    /// The number of places left for [`Arena::allocate`].
    pub fn left(&self) -> u32 {
        if self.refused.load(Ordering::Relaxed) {
            return 0;
        }
        self.main.end - self.main.used().end
    }

    /// The number of bytes taken from the system for elements.
    pub fn bytes(&self) -> u64 {
        let [main, kept] = self.used().map(|used| {
            let first = used.start as usize >> CHUNK_BITS;
            if used.is_empty() {
                first..first
            } else {
                first..((used.end - 1) as usize >> CHUNK_BITS) + 1
            }
        });
        // Both may use the chunk in which the reserved places begin.
        let shared = usize::from(!main.is_empty() && !kept.is_empty() && main.end > kept.start);
        (main.len() + kept.len() - shared) as u64 * Self::CHUNK_BYTES
    }

    /// The number of bytes taken for elements through [`Arena::reach`].
    pub fn bytes_reached(&self) -> u64 {
        let made = self.chunks.iter().filter(|c| c.get().is_some()).count();
        made as u64 * Self::CHUNK_BYTES
    }

    pub fn capacity(&self) -> u32 {
        self.kept.end - 1
    }

    const CHUNK_BYTES: u64 = (CHUNK * size_of::<T>()) as u64;
}

/// Whether two places are in the same chunk.
pub fn share_a_chunk(one: u32, other: u32) -> bool {
    one >> CHUNK_BITS == other >> CHUNK_BITS
}

impl<T: Pooled> Arena<T> {
    /// Returns the element at any index up to the capacity, for an arena whose places another arena hands out. Its
    /// memory is taken when it is first needed.
    pub fn reach(&self, index: u32) -> &T {
        let chunk = self.chunks[index as usize >> CHUNK_BITS]
            .get_or_init(|| fresh().unwrap_or_else(|| filled(Vec::new(), defaults())));
        &chunk[index as usize & (CHUNK - 1)]
    }

    /// Hands out `count` neighbouring indices within one chunk, at most a whole chunk (4096). Returns `None` if the
    /// arena is full (except for the reserved places) or the system has no memory.
    pub fn allocate(&self, count: u32) -> Option<u32> {
        self.allocate_from(&self.main, count)
    }

    /// Like [`Arena::allocate`], but from the reserved places.
    pub fn allocate_kept(&self, count: u32) -> Option<u32> {
        self.allocate_from(&self.kept, count)
    }

    fn allocate_from(&self, cursor: &Cursor, count: u32) -> Option<u32> {
        if self.refused.load(Ordering::Relaxed) {
            return None;
        }
        let first = cursor.take(count)?;
        let place = &self.chunks[first as usize >> CHUNK_BITS];
        if place.get().is_none() {
            let Some(chunk) = fresh() else {
                // The places remain allocated and empty; no caller ever learns their indices.
                self.refused.store(true, Ordering::Relaxed);
                return None;
            };
            // Another thread may have been faster.
            if let Err(chunk) = place.set(chunk) {
                T::pool().give(std::iter::once(chunk), 0);
            }
        }
        Some(first)
    }
}

impl<T: Pooled + Send + Sync> Arena<T> {
    /// Copies the arena: the same elements at the same places, and the same next places. No thread may write to it
    /// meanwhile. Calls `goes_on` at every chunk and returns `None` once that returns false. With chunks of an earlier
    /// arena the copy takes less than half the time, because the system has no pages to provide and clear.
    pub fn copy_while(
        &self,
        element: impl Fn(&T) -> T + Sync,
        goes_on: &(impl Fn() -> bool + Sync),
    ) -> Option<Self> {
        let copy = Arena {
            chunks: self.chunks.iter().map(|_| OnceLock::new()).collect(),
            main: self.main.copy(),
            kept: self.kept.copy(),
            refused: AtomicBool::new(self.refused.load(Ordering::Relaxed)),
        };
        let jobs: Vec<CopyJob<T>> = self
            .chunks
            .iter()
            .zip(&copy.chunks)
            .filter_map(|(from, to)| Some((from.get()?, to)))
            .collect();
        let work = |jobs: &[CopyJob<T>]| {
            jobs.iter().all(|(from, to)| {
                to.get_or_init(|| copy_chunk(from, &element));
                goes_on()
            })
        };
        let done = if (jobs.len() as u64 * Self::CHUNK_BYTES) < TWO_THREADS_FROM {
            work(&jobs)
        } else {
            let (ours, theirs) = jobs.split_at(jobs.len() / 2);
            let (first, second) = both(|| work(ours), || work(theirs));
            first & second
        };
        done.then_some(copy)
    }
}

fn copy_chunk<T: Pooled>(from: &Chunk<T>, element: impl Fn(&T) -> T) -> Chunk<T> {
    match T::pool().take() {
        Some(mut spare) => {
            for (to, from) in spare.iter_mut().zip(from.iter()) {
                *to = element(from);
            }
            spare
        }
        // Written directly into its place; creating a chunk of defaults first would take as long again.
        None => filled(Vec::with_capacity(CHUNK), from.iter().map(element)),
    }
}

fn defaults<T: Default>() -> impl Iterator<Item = T> {
    (0..CHUNK).map(|_| T::default())
}

/// Returns a chunk of defaults, or `None` if the system has no memory.
fn fresh<T: Pooled>() -> Option<Chunk<T>> {
    if let Some(mut chunk) = T::pool().take() {
        chunk.fill_with(T::default);
        return Some(chunk);
    }
    let mut room = Vec::new();
    if room.try_reserve_exact(CHUNK).is_err() {
        T::pool().refused();
        return None;
    }
    Some(filled(room, defaults()))
}

fn filled<T>(mut room: Vec<T>, elements: impl Iterator<Item = T>) -> Chunk<T> {
    room.extend(elements);
    room.into_boxed_slice()
        .try_into()
        .ok()
        .expect("the chunk's length")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    impl Pooled for AtomicU64 {
        fn pool() -> &'static Pool<Chunk<Self>> {
            static POOL: Pool<Chunk<AtomicU64>> = Pool::new();
            &POOL
        }
    }

    #[test]
    fn blocks_never_straddle_a_chunk() {
        let arena: Arena<AtomicU64> = Arena::new(20_000, 0);
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
        let arena: Arena<AtomicU64> = Arena::new(200_000, 0);
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

    #[test]
    fn what_is_put_into_the_kept_places_shifts_nothing_else() {
        let (alone, shared): (Arena<AtomicU64>, Arena<AtomicU64>) =
            (Arena::new(10_000, 500), Arena::new(10_000, 500));
        let mut kept = 0;
        while let Some(first) = alone.allocate(30) {
            assert_eq!(shared.allocate(30), Some(first));
            assert!(first + 29 <= 9_500);
            if let Some(place) = shared.allocate_kept(7) {
                assert!((9_501..=10_000 - 6).contains(&place));
                assert!(shared.contains(place) && !alone.contains(place));
                assert_eq!(shared.get(place + 6).load(Ordering::Relaxed), 0);
                kept += 7;
            }
        }
        assert_eq!(shared.allocate(30), None);
        assert_eq!(shared.allocate_kept(7), None);
        assert_eq!(kept, 497);
        assert_eq!(shared.len(), alone.len() + kept);
        assert!(shared.len() <= shared.capacity());
        // Three chunks hold all ten thousand places.
        assert_eq!(shared.bytes(), alone.bytes());
        assert_eq!(shared.bytes(), 3 * 4096 * 8);
    }

    #[test]
    fn kept_places_of_an_arena_hardly_used_take_one_chunk() {
        let arena: Arena<AtomicU64> = Arena::new(100_000, 1_000);
        assert_eq!(arena.bytes(), 0);
        arena.allocate(1).expect("room");
        arena.allocate_kept(1).expect("room");
        assert_eq!(arena.bytes(), 2 * 4096 * 8);
        assert_eq!(arena.left(), 98_999);
    }

    #[test]
    fn a_copy_has_the_same_elements_and_goes_on_at_the_same_places() {
        let own = |a: &AtomicU64| AtomicU64::new(a.load(Ordering::Relaxed));
        // A small one, and one that is large enough for two threads.
        for count in [10_000, 700_000] {
            let arena: Arena<AtomicU64> = Arena::new(count + 100_000, 50_000);
            for i in 0..count / 100 {
                let first = arena.allocate(100).expect("room");
                arena
                    .get(first + 99)
                    .store(u64::from(i) + 1, Ordering::Relaxed);
            }
            let kept = arena.allocate_kept(9).expect("room");
            arena.get(kept + 8).store(77, Ordering::Relaxed);
            // Chunks of an earlier arena, which was larger or smaller than this one.
            let old = || {
                let old: Arena<AtomicU64> = Arena::new(400_000, 0);
                while let Some(first) = old.allocate(1_000) {
                    old.get(first).store(99, Ordering::Relaxed);
                }
                old
            };
            drop(old());
            let again = arena.copy_while(own, &|| true).expect("whole");
            let copy = arena.copy_while(own, &|| true).expect("whole");
            let asked = AtomicU64::new(0);
            let twice = || asked.fetch_add(1, Ordering::Relaxed) < 2;
            assert!(arena.copy_while(own, &twice).is_none());
            assert_eq!(copy.used(), arena.used());
            assert_eq!(copy.bytes(), arena.bytes());
            assert_eq!(again.used(), arena.used());
            for i in arena.used().into_iter().flatten() {
                let value = arena.get(i).load(Ordering::Relaxed);
                assert_eq!(copy.get(i).load(Ordering::Relaxed), value);
                assert_eq!(again.get(i).load(Ordering::Relaxed), value);
            }
            let next = arena.allocate(100);
            assert_eq!(copy.allocate(100), next);
            assert_eq!(again.allocate(100), next);
            assert_eq!(copy.allocate_kept(9), arena.allocate_kept(9));
            copy.get(kept + 8).store(0, Ordering::Relaxed);
            assert_eq!(arena.get(kept + 8).load(Ordering::Relaxed), 77);
        }
    }
}
