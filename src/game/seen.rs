//! Values of which the two sides have opposite views.

use std::ops::RangeInclusive;

use super::{Score, Side, TableResult};

/// A value that the other side sees the other way round: a gain is its loss, and a lower bound its upper bound.
///
/// What is read out of a tree is turned by these methods alone, never by a minus of its own. The searches compute with
/// plain negamax values.
pub trait Sided: Sized {
    /// Returns the same value from the other side's view. A mate keeps its distance.
    #[must_use]
    fn turned(self) -> Self;

    /// Returns what a value after a move says about the position before it, from the view of the side that plays the
    /// move: a mate is a ply further off.
    #[must_use]
    fn one_ply_up(self) -> Self {
        self.turned()
    }
}

impl Sided for Score {
    fn turned(self) -> Score {
        -self
    }

    fn one_ply_up(self) -> Score {
        Score::one_ply_up(self)
    }
}

/// An expected score, or anything else of which one side has as much as the other lacks.
impl Sided for f32 {
    fn turned(self) -> f32 {
        -self
    }
}

impl Sided for f64 {
    fn turned(self) -> f64 {
        -self
    }
}

impl Sided for TableResult {
    fn turned(self) -> TableResult {
        -self
    }
}

impl<T: Sided> Sided for Option<T> {
    fn turned(self) -> Option<T> {
        self.map(T::turned)
    }

    fn one_ply_up(self) -> Option<T> {
        self.map(T::one_ply_up)
    }
}

/// An interval or a window: [α, β] of one side is [−β, −α] of the other.
impl<T: Sided> Sided for RangeInclusive<T> {
    fn turned(self) -> RangeInclusive<T> {
        let (low, high) = self.into_inner();
        high.turned()..=low.turned()
    }

    fn one_ply_up(self) -> RangeInclusive<T> {
        let (low, high) = self.into_inner();
        high.one_ply_up()..=low.one_ply_up()
    }
}

/// A value with the side from whose view it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen<T> {
    by: Side,
    value: T,
}

impl<T: Sided> Seen<T> {
    pub fn new(by: Side, value: T) -> Seen<T> {
        Seen { by, value }
    }

    /// Returns the value from the view of a side.
    pub fn seen_by(self, side: Side) -> T {
        match side == self.by {
            true => self.value,
            false => self.value.turned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_side_sees_the_opposite() {
        let window = Seen::new(Side::Black, Score::new(-20)..=Score::new(50));
        assert_eq!(
            window.clone().seen_by(Side::White),
            Score::new(-50)..=Score::new(20)
        );
        assert_eq!(
            window.seen_by(Side::Black),
            Score::new(-20)..=Score::new(50)
        );
        assert_eq!(
            Seen::new(Side::White, Some(0.5)).seen_by(Side::Black),
            Some(-0.5)
        );
    }

    #[test]
    fn a_mate_keeps_its_distance_when_it_is_turned_and_not_when_it_is_taken_up() {
        let mated = Score::loss_in(2);
        assert_eq!(mated.turned(), Score::win_in(2));
        assert_eq!(Sided::one_ply_up(mated), Score::win_in(3));
        let bounds = mated..=Score::DRAW;
        assert_eq!(bounds.one_ply_up(), Score::DRAW..=Score::win_in(3));
    }
}
