//! What the children of a leaf are asked while it is expanded, one after the other: as alpha-beta would ask at one node. Where
//! there is a policy, what alpha-beta would cut off waits for a visit of its own, and so does what the policy gives next to
//! nothing.

use super::question::{Found, OPEN, Window, below};
use game::Score;
use search::common::table::Entry;
use tree::Bound;

/// Centipawns beyond beta: once a move is as good as that, the position is refuted and the others are only looked at.
const REFUTED: i32 = 100;

/// A move with a smaller share of the policy is not looked at when its position is expanded. A search of a ply or none refutes
/// 95 % of those below .03 that are no better than the best before them, but also 85 % of those that are.
const LEAST_SHARE: f32 = 0.02;

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
    /// What the first child is guessed to be worth from its own view, in centipawns.
    guess: i32,
}

/// A move that waits for its first look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Waiting {
    /// Plies of the search that is to be its first.
    pub depth: u8,
    /// What the best move so far is worth, but not much more than it needs to be, as a logit.
    pub best: f32,
    /// Whether that refutes the position.
    pub refuted: bool,
}

impl Expansion {
    /// The expansion of a leaf with this window, whose children are searched so many plies. `decisive`: the leaf's own
    /// search has proven a mate, which one of the children is to prove again. `guess`: what the leaf is believed to be worth
    /// to the other side, in centipawns.
    pub fn new(window: Window, wanted: u8, decisive: bool, guess: i32) -> Expansion {
        Expansion {
            window,
            best: Score::MIN,
            before: 0,
            wanted,
            decisive,
            guess,
        }
    }

    /// Whether the next move, with this share of the policy, waits for a visit of its own: one move at least is looked at,
    /// and all of them at the root. A move waits if another one refutes the position already, or if its share is tiny.
    pub fn waiting(&self, share: f32, at_root: bool) -> Option<Waiting> {
        let refuted = self.best >= self.window.1;
        let waits =
            self.before > 0 && !self.decisive && !at_root && (refuted || share < LEAST_SHARE);
        // How much more than enough the best move is says little about the others.
        let enough = self.window.1.raw().saturating_add(REFUTED as i16);
        waits.then(|| Waiting {
            depth: self.depth(),
            best: self.best.min(Score::from_raw(enough)).logit(),
            refuted,
        })
    }

    /// A move was passed over.
    pub fn pass(&mut self) {
        self.before += 1;
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

    /// Depth, window and guess for the next child's search, from its view. The first is asked for its value, unless that is
    /// believed to be outside the window; the others first whether they beat what there is.
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
            0 => self.guess,
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
        let mut expansion = Expansion::new((cp(-50), cp(50)), 5, false, 0);
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
        let mut expansion = Expansion::new((cp(-50), cp(50)), 4, false, 0);
        assert_eq!(expansion.question(), (4, (cp(-50), cp(50)), 0));
        expansion.note(cp(20));
        assert_eq!(expansion.question(), (4, (cp(-50), cp(-20)), -20));
        expansion.note(cp(80));
        assert_eq!(expansion.question(), (4, (cp(-81), cp(-80)), -80));
    }

    #[test]
    fn the_first_move_is_guessed_to_be_worth_what_the_leaf_is() {
        let expansion = Expansion::new((cp(-50), cp(50)), 4, false, -70);
        assert_eq!(expansion.question(), (4, (cp(-50), cp(50)), -70));
    }

    #[test]
    fn moves_wait_where_another_refutes_or_where_the_policy_gives_them_nothing() {
        let mut expansion = Expansion::new((cp(-50), cp(50)), 4, false, 0);
        assert_eq!(
            expansion.waiting(0.001, false),
            None,
            "one move is looked at"
        );
        expansion.note(cp(20));
        assert_eq!(expansion.waiting(0.3, false), None);
        assert_eq!(expansion.waiting(0.001, true), None, "the root");
        let waiting = expansion.waiting(0.001, false).expect("waits");
        let best = cp(20).logit();
        assert_eq!(
            (waiting.depth, waiting.best, waiting.refuted),
            (4, best, false)
        );
        expansion.pass();
        expansion.note(cp(400));
        let waiting = expansion.waiting(0.3, false).expect("waits");
        let best = cp(150).logit();
        assert_eq!(
            (waiting.depth, waiting.best, waiting.refuted),
            (1, best, true)
        );
        let decisive = Expansion {
            decisive: true,
            ..expansion
        };
        assert_eq!(decisive.waiting(0.3, false), None);
    }

    #[test]
    fn a_table_entry_answers_only_if_it_is_deep_and_decides() {
        let mut expansion = Expansion::new((cp(-50), cp(50)), 4, false, 0);
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
