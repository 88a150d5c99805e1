//! What the children of a leaf are asked while it is expanded, one after the other: as alpha-beta would ask at one node, but
//! no child is left out.

use super::question::{Found, OPEN, Window, below};
use game::Score;
use search::common::table::Entry;
use tree::Bound;

/// Centipawns beyond beta: once a move is as good as that, the position is refuted and the others are only looked at.
const REFUTED: i32 = 100;

/// An expansion under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion {
    /// From the view of the side whose moves are looked at.
    window: Window,
    /// The best value so far, of any answer.
    best: Score,
    /// Moves before this one.
    before: usize,
    /// Plies of the children's searches.
    wanted: u8,
    /// A mate is at stake: every child is searched as deeply, for its value.
    decisive: bool,
}

impl Expansion {
    /// The expansion of a leaf with this window, whose children are searched so many plies. `decisive`: the leaf's own
    /// search has proven a mate, which one of the children is to prove again.
    pub fn new(window: Window, wanted: u8, decisive: bool) -> Expansion {
        Expansion {
            window,
            best: Score::MIN,
            before: 0,
            wanted,
            decisive,
        }
    }

    /// What the next child has to beat.
    fn least(&self) -> Score {
        self.window.0.max(self.best)
    }

    /// Plies of the next child's search: later moves are searched less deeply, and hardly where one refutes already.
    pub fn depth(&self) -> u8 {
        if self.decisive {
            return self.wanted;
        }
        // The fourth move is the first that may lose a ply, the sixth does.
        let rank = self.before + 1;
        let less = match rank {
            0..4 => 0,
            _ => (rank as f32 / 2.0).ln() as u8,
        };
        let depth = self.wanted.saturating_sub(less);
        let refuted = i32::from(self.best.raw()) >= i32::from(self.window.1.raw()) + REFUTED;
        if refuted { depth.min(1) } else { depth }
    }

    /// Depth, window and guess for the next child's search, from its view. The first is asked for its value; the others
    /// first whether they beat what there is.
    pub fn question(&self) -> (u8, Window, i32) {
        if self.decisive {
            return (self.wanted, OPEN, 0);
        }
        let (least, beta) = (self.least(), self.window.1);
        let beta = if least < beta {
            beta
        } else {
            Score::from_raw(least.raw().saturating_add(1))
        };
        let window = (-beta, -least);
        let guess = match self.before {
            // Between the edges, so that no null window is tried.
            0 => (i32::from(window.0.raw()) + i32::from(window.1.raw())) / 2,
            _ => i32::from(window.1.raw()),
        };
        (self.depth(), window, guess)
    }

    /// What a table entry says in place of the next child's search, if it is deep enough and answers the question.
    pub fn known(&self, entry: &Entry) -> Option<Found> {
        let (depth, window, _) = self.question();
        let Entry { value, bound, .. } = *entry;
        let deep_enough = i32::from(entry.depth) >= i32::from(depth) - 1 && entry.depth >= 0;
        // Whether a mate in the table comes before the fifty moves are up is for a search to say.
        if self.decisive || !deep_enough || value.is_decided() || depth == 0 {
            return None;
        }
        let fails_high = value >= window.1;
        match bound {
            Bound::Exact => Some(Found::new(value, window, depth)),
            Bound::Lower if fails_high => {
                Some(Found::new(value, (below(window.1), window.1), depth))
            }
            Bound::Upper if value <= window.0 => {
                let beyond = Score::from_raw(window.0.raw().saturating_add(1));
                Some(Found::new(value, (window.0, beyond), depth))
            }
            _ => None,
        }
    }

    /// The next child is worth this to the side whose moves are looked at.
    pub fn note(&mut self, value: Score) {
        self.best = self.best.max(value);
        self.before += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::MoveCode;

    fn cp(value: i32) -> Score {
        Score::new(value)
    }

    #[test]
    fn later_moves_are_searched_less_deeply() {
        let mut expansion = Expansion::new((cp(-50), cp(50)), 5, false);
        let mut depths = Vec::new();
        for _ in 0..16 {
            depths.push(expansion.depth());
            expansion.note(cp(0));
        }
        assert_eq!(depths, [5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3]);
        expansion.note(cp(150));
        assert_eq!(expansion.depth(), 1, "refuted");
    }

    #[test]
    fn the_first_move_has_the_whole_window_and_the_others_have_to_beat_it() {
        let mut expansion = Expansion::new((cp(-50), cp(50)), 4, false);
        assert_eq!(expansion.question(), (4, (cp(-50), cp(50)), 0));
        expansion.note(cp(20));
        assert_eq!(expansion.question(), (4, (cp(-50), cp(-20)), -20));
        expansion.note(cp(80));
        assert_eq!(expansion.question(), (4, (cp(-81), cp(-80)), -80));
    }

    #[test]
    fn a_table_entry_answers_only_if_it_is_deep_and_decides() {
        let mut expansion = Expansion::new((cp(-50), cp(50)), 4, false);
        expansion.note(cp(20));
        let entry = |value, depth, bound| Entry {
            best: MoveCode::NONE,
            value,
            depth,
            bound,
            static_value: None,
        };
        let known = |e: Entry| expansion.known(&e).map(|f| f.fate());
        assert!(
            known(entry(cp(0), 2, Bound::Exact)).is_none(),
            "too shallow"
        );
        assert!(known(entry(cp(0), 3, Bound::Exact)).is_some());
        // The child is worth at least -10 to its side: the move does not beat 20.
        assert!(known(entry(cp(-10), 3, Bound::Lower)).is_some());
        assert!(known(entry(cp(-30), 3, Bound::Lower)).is_none());
        assert!(known(entry(cp(-30), 3, Bound::Upper)).is_none());
        assert!(known(entry(Score::win_in(3), 9, Bound::Exact)).is_none());
    }
}
