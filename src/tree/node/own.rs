//! The word that belongs to the algorithm: a depth-first node's window, MCTS's sum of values, DISTRESS's favour, or two
//! numbers of another best-first search.

use std::sync::atomic::Ordering::Relaxed;

use super::Node;
use crate::Bound;
use crate::Window;
use game::Score;

/// One step of the fixed-point sum of values: 2^-24.
const VALUE_UNIT: f64 = (1u64 << 24) as f64;

impl Node {
    /// Depth-first: the latest window.
    #[inline]
    pub fn window(&self) -> Window {
        let bits = self.own.load(Relaxed);
        Window {
            alpha: Score::from_raw(bits as u16 as i16),
            beta: Score::from_raw((bits >> 16) as u16 as i16),
            value: Score::from_raw((bits >> 32) as u16 as i16),
            depth: (bits >> 48) as u8 as i8,
            bound: Bound::from_bits((bits >> 56) as u8),
        }
    }

    #[inline]
    pub fn set_window(&self, w: Window) {
        let s = |score: Score| u64::from(score.raw() as u16);
        let bits = s(w.alpha)
            | s(w.beta) << 16
            | s(w.value) << 32
            | u64::from(w.depth as u8) << 48
            | (w.bound as u64) << 56;
        self.own.store(bits, Relaxed);
    }

    /// MCTS: the sum of the values backed up (side to move), in fixed point so that it does not depend on the order in
    /// which threads add.
    #[inline]
    pub fn total(&self) -> f64 {
        self.own.load(Relaxed) as i64 as f64 / VALUE_UNIT
    }

    /// The word as two numbers: an interval, or a mean and a variance.
    #[inline]
    pub fn pair(&self) -> (f32, f32) {
        let bits = self.own.load(Relaxed);
        (
            f32::from_bits(bits as u32),
            f32::from_bits((bits >> 32) as u32),
        )
    }

    /// Sets both numbers of [`Node::pair`] at once.
    #[inline]
    pub fn set_pair(&self, (first, second): (f32, f32)) {
        let bits = u64::from(first.to_bits()) | u64::from(second.to_bits()) << 32;
        self.own.store(bits, Relaxed);
    }

    /// A second number of a search that keeps no beliefs; it lies in the place of a belief.
    #[inline]
    pub fn second(&self) -> f32 {
        f32::from_bits(self.belief.load(Relaxed))
    }

    /// Sets [`Node::second`], in a tree without beliefs.
    #[inline]
    pub fn set_second(&self, number: f32) {
        self.belief.store(number.to_bits(), Relaxed);
    }

    /// The word as it is.
    #[inline]
    pub fn word(&self) -> u64 {
        self.own.load(Relaxed)
    }

    #[inline]
    pub fn set_word(&self, word: u64) {
        self.own.store(word, Relaxed);
    }

    /// DISTRESS: the mean of the belief in the grid's own variable (chess: the logit), from the parent's view.
    #[inline]
    pub fn favour(&self) -> f32 {
        f32::from_bits(self.own.load(Relaxed) as u32)
    }

    /// DISTRESS, for a single writer at a time.
    #[inline]
    pub fn set_favour(&self, favour: f32) {
        let others = self.own.load(Relaxed) & !u64::from(u32::MAX);
        self.own
            .store(others | u64::from(favour.to_bits()), Relaxed);
    }

    /// DISTRESS: the depth of the search that valued the node when it was a leaf.
    #[inline]
    pub fn leaf_depth(&self) -> u8 {
        (self.own.load(Relaxed) >> 32) as u8
    }

    /// DISTRESS, for a single writer at a time.
    #[inline]
    pub fn set_leaf_depth(&self, depth: u8) {
        let others = self.own.load(Relaxed) & !(0xff << 32);
        self.own.store(others | u64::from(depth) << 32, Relaxed);
    }

    /// MCTS, for several writers.
    #[inline]
    pub fn add_total(&self, value: f64) {
        self.own
            .fetch_add((value * VALUE_UNIT) as i64 as u64, Relaxed);
    }

    /// MCTS, for a single writer.
    #[inline]
    pub fn set_total(&self, value: f64) {
        self.own.store((value * VALUE_UNIT) as i64 as u64, Relaxed);
    }
}
