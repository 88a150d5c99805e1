//! What a depth-first thread remembers about its current line: the moves made, and the static values on the way.

use game::{Footprint, Score};

/// At least the longest line possible: the deepest search with quiescence below it. A power of two.
const PLIES: usize = 512;

/// One ply of the line.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The move made here; `NONE` for a null move.
    made: Footprint,
    /// The static value from the view of the side to move; `None` in check.
    static_value: Option<Score>,
}

const EMPTY: Step = Step {
    made: Footprint::NONE,
    static_value: None,
};

/// The line from the root to the current node.
#[derive(Debug)]
pub struct PlayedLine {
    steps: Box<[Step; PLIES]>,
}

impl Default for PlayedLine {
    fn default() -> Self {
        PlayedLine {
            steps: Box::new([EMPTY; PLIES]),
        }
    }
}

impl PlayedLine {
    /// Begins a line at `ply`: the earlier plies that would be read from there or below are cleared.
    pub fn forget_before(&mut self, ply: u16) {
        for back in 1..=4.min(ply) {
            self.steps[usize::from(ply - back) % PLIES] = EMPTY;
        }
    }

    /// Records the move about to be made at `ply`.
    #[inline]
    pub fn make(&mut self, ply: u16, made: Footprint) {
        self.steps[usize::from(ply) % PLIES].made = made;
    }

    /// Records the static value at `ply`.
    #[inline]
    pub fn set_static(&mut self, ply: u16, static_value: Option<Score>) {
        self.steps[usize::from(ply) % PLIES].static_value = static_value;
    }

    /// The move made `back` plies before `ply` (1: the last one).
    #[inline]
    pub fn before(&self, ply: u16, back: u16) -> Footprint {
        match ply.checked_sub(back) {
            Some(at) => self.steps[usize::from(at) % PLIES].made,
            None => Footprint::NONE,
        }
    }

    /// Whether the static value at `ply` is higher, for the side to move, than at its last turn (or the one before, if
    /// it was in check then). False in check.
    #[inline]
    pub fn is_improving(&self, ply: u16) -> bool {
        let at = |back: u16| {
            let at = ply.checked_sub(back)?;
            self.steps[usize::from(at) % PLIES].static_value
        };
        match (at(0), at(2).or_else(|| at(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Side;

    #[test]
    fn the_line_knows_its_moves_and_whether_a_side_gains() {
        let mut line = PlayedLine::default();
        let (a, b) = (
            Footprint::new(Side::White, 1, 18),
            Footprint::new(Side::Black, 0, 35),
        );
        line.make(0, a);
        line.make(1, b);
        assert_eq!((line.before(2, 1), line.before(2, 2)), (b, a));
        assert_eq!(line.before(2, 3), Footprint::NONE);
        for (ply, value) in [(0, 10), (1, -10), (2, 25), (3, -10)] {
            line.set_static(ply, Some(Score::new(value)));
        }
        assert!(line.is_improving(2));
        assert!(!line.is_improving(3));
        line.set_static(4, None);
        assert!(!line.is_improving(4));
        // In check two plies before, so the turn before that counts.
        line.set_static(6, Some(Score::new(30)));
        assert!(line.is_improving(6));
    }
}
