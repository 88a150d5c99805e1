//! What the threads of a depth-first search share besides the transposition table.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::allocation::zeroed_slice_box;

use super::corrections::Corrections;
use super::histories::Histories;
use game::MoveCode;

/// What the threads of one run learn together, and what each of them searches at the moment.
#[derive(Debug)]
pub struct Team {
    pub histories: Histories,
    pub corrections: Corrections,
    pub under_way: UnderWay,
}

impl Default for Team {
    fn default() -> Self {
        Team {
            histories: Histories::default(),
            corrections: Corrections::new(true),
            under_way: UnderWay::default(),
        }
    }
}

/// A move of a position, whichever line led there; never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u64);

impl Place {
    #[inline]
    pub fn new(key: u64, code: MoveCode) -> Place {
        // An odd factor, so that no two moves of a position coincide.
        let mixed = key ^ u64::from(code.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Place(mixed.max(1))
    }
}

/// A thread has one or two moves under way at each ply of its line, so this is room for a hundred threads.
const BUCKETS: usize = 1 << 12;
const WAYS: usize = 4;

/// The moves that the threads are searching now. Where a bucket is full, one of its moves is forgotten; then another
/// thread may search it at the same time, which only costs work.
#[derive(Debug)]
pub struct UnderWay(Box<[[AtomicU64; WAYS]]>);

impl Default for UnderWay {
    fn default() -> Self {
        UnderWay(zeroed_slice_box(BUCKETS))
    }
}

impl UnderWay {
    #[inline]
    fn bucket(&self, place: Place) -> &[AtomicU64; WAYS] {
        &self.0[(place.0 >> 32) as usize % BUCKETS]
    }

    /// Whether a thread is searching the move.
    #[inline]
    pub fn contains(&self, place: Place) -> bool {
        let bucket = self.bucket(place);
        bucket.iter().any(|slot| slot.load(Relaxed) == place.0)
    }

    #[inline]
    pub fn begin(&self, place: Place) {
        let bucket = self.bucket(place);
        let free = bucket.iter().find(|slot| slot.load(Relaxed) == 0);
        free.unwrap_or(&bucket[0]).store(place.0, Relaxed);
    }

    /// Ends what a thread began; where two had begun the same, the first that ends it ends it for both.
    #[inline]
    pub fn end(&self, place: Place) {
        for slot in self.bucket(place) {
            if slot.load(Relaxed) == place.0 {
                slot.store(0, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_begun_is_there_until_its_end(key: u64, codes in proptest::collection::hash_set(0u16..1 << 14, 1..5)) {
            let under_way = UnderWay::default();
            let places: Vec<Place> = codes.into_iter().map(|code| Place::new(key, MoveCode(code))).collect();
            for &place in &places {
                prop_assert!(!under_way.contains(place));
                under_way.begin(place);
                prop_assert!(under_way.contains(place));
            }
            for &place in &places {
                under_way.end(place);
                prop_assert!(!under_way.contains(place));
            }
        }
    }

    #[test]
    fn a_full_bucket_forgets_one_and_is_empty_in_the_end() {
        let under_way = UnderWay::default();
        // The same bucket: these bits do not choose it.
        let places: Vec<Place> = (1..=6).map(Place).collect();
        places.iter().for_each(|&place| under_way.begin(place));
        let there = |&place: &Place| under_way.contains(place);
        assert_eq!(places.iter().copied().filter(there).count(), WAYS);
        places.iter().for_each(|&place| under_way.end(place));
        assert!(!places.iter().any(there));
    }
}
