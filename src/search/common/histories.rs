//! Histories of quiet moves: how often they cut off, by side and move, and by the move together with the one and two plies
//! before it.

use std::sync::atomic::{AtomicI16, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use bytemuck::allocation::{zeroed_arc, zeroed_box};

use game::{FOOTPRINTS, Footprint, MoveCode, Side};

/// A history value stays within ± this.
pub(super) const LIMIT: i32 = 1 << 14;

/// By origin and target of a move.
pub(super) type ByMove = [AtomicI16; 1 << 12];

/// By piece and square of a move after another one ([`Footprint::piece_and_square`]).
pub(super) type After = [AtomicI16; 6 * 64];

/// By footprint of the earlier move. A row is made when its first value is learned: a search of few nodes needs few of them,
/// and all of them take a megabyte.
type Rows = [OnceLock<Box<After>>];

/// What is known after a move of which nothing was learned.
static NOTHING: After = [const { AtomicI16::new(0) }; 6 * 64];

/// Clones are views of the same values, so that threads can learn together: each value is read and written as a whole,
/// and where two threads change one at the same moment, one of the changes is lost.
#[derive(Clone, Debug)]
pub struct Histories {
    moves: Arc<[ByMove; 2]>,
    /// For the moves one and two plies before, by their footprints.
    pairs: [Arc<Rows>; 2],
}

impl Default for Histories {
    fn default() -> Self {
        let pairs = || (0..FOOTPRINTS).map(|_| OnceLock::new()).collect();
        Histories {
            moves: zeroed_arc(),
            pairs: [pairs(), pairs()],
        }
    }
}

impl Histories {
    /// The values of one side's moves.
    #[inline]
    pub(super) fn of(&self, side: Side) -> &ByMove {
        &self.moves[side as usize]
    }

    /// The values after the move one ply (`back` = 0) or two plies before.
    #[inline]
    pub(super) fn after(&self, back: usize, earlier: Footprint) -> &After {
        match self.pairs[back][earlier.index()].get() {
            Some(row) => row,
            None => &NOTHING,
        }
    }

    pub(super) fn adjust(&self, side: Side, code: MoveCode, bonus: i32) {
        gravitate(&self.moves[side as usize][place(code)], bonus);
    }

    #[inline]
    pub(super) fn adjust_after(
        &self,
        back: usize,
        earlier: Footprint,
        later: Footprint,
        bonus: i32,
    ) {
        let row = self.pairs[back][earlier.index()].get_or_init(zeroed_box);
        gravitate(&row[later.piece_and_square()], bonus);
    }

    /// Forgets everything; values that others see as well are replaced by new ones.
    pub(super) fn forget(&mut self) {
        let Histories { moves, pairs } = self;
        let [first, second] = pairs;
        match (
            Arc::get_mut(moves),
            Arc::get_mut(first),
            Arc::get_mut(second),
        ) {
            (Some(moves), Some(first), Some(second)) => {
                let rows = first.iter_mut().chain(second);
                let rows = rows.filter_map(OnceLock::get_mut);
                let values = rows.flat_map(|row| row.iter_mut());
                for value in moves.as_flattened_mut().iter_mut().chain(values) {
                    *value.get_mut() = 0;
                }
            }
            _ => *self = Histories::default(),
        }
    }
}

/// The place of a move in [`ByMove`].
#[inline]
pub(super) fn place(code: MoveCode) -> usize {
    usize::from(code.0 & 0xfff)
}

/// Moves a value towards ±limit, more slowly the closer it already is.
#[inline]
fn gravitate(value: &AtomicI16, bonus: i32) {
    let old = i32::from(value.load(Relaxed));
    value.store((old + bonus - old * bonus.abs() / LIMIT) as i16, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_learn_together_and_forgetting_is_private() {
        let code = MoveCode(0x123);
        let mut one = Histories::default();
        let other = one.clone();
        let value = |of: &Histories| of.of(Side::Black)[place(code)].load(Relaxed);
        one.adjust(Side::Black, code, 400);
        assert_eq!((value(&one), value(&other)), (400, 400));
        one.forget();
        assert_eq!((value(&one), value(&other)), (0, 400));
        one.adjust(Side::Black, code, -100);
        one.forget();
        assert_eq!((value(&one), value(&other)), (0, 400));
    }

    #[test]
    fn a_value_stays_within_its_limit() {
        let histories = Histories::default();
        let code = MoveCode(7);
        for _ in 0..1_000 {
            histories.adjust(Side::White, code, 1_600);
        }
        let value = i32::from(histories.of(Side::White)[place(code)].load(Relaxed));
        assert!((LIMIT - 1_600..=LIMIT).contains(&value), "{value}");
    }
}
