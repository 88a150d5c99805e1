//! Static values of recently visited positions, one cache per thread, small enough to stay in the processor's caches.

use std::cell::Cell;

use game::Score;

const ENTRIES: usize = 1 << 15;

/// A cache by key, in which a later position replaces an earlier one.
#[derive(Debug)]
pub struct StaticCache {
    /// The upper 48 bits of the key, with the value below them; 0 at first.
    entries: Box<[Cell<u64>]>,
}

impl Default for StaticCache {
    fn default() -> Self {
        StaticCache {
            entries: bytemuck::allocation::zeroed_slice_box(ENTRIES),
        }
    }
}

impl StaticCache {
    /// The value of the position with this key; `evaluate` is called where it is not known.
    #[inline]
    pub fn get(&self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        const VALUE: u64 = 0xffff;
        let place = &self.entries[key as usize % ENTRIES];
        let entry = place.get();
        if (entry ^ key) & !VALUE == 0 && entry != 0 {
            return Score::from_raw(entry as u16 as i16);
        }
        let value = evaluate();
        place.set(key & !VALUE | u64::from(value.raw() as u16));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_asked_for_once_a_key() {
        let cache = StaticCache::default();
        let key = 0x1234_5678_9abc_def0;
        assert_eq!(cache.get(key, || Score::new(-42)), Score::new(-42));
        assert_eq!(cache.get(key, || Score::new(7)), Score::new(-42));
        // Another key at the same place.
        let other = key ^ 1 << 40;
        assert_eq!(cache.get(other, || Score::new(7)), Score::new(7));
        assert_eq!(cache.get(key, || Score::new(1)), Score::new(1));
        assert_eq!(cache.get(0, || Score::new(3)), Score::new(3));
    }
}
