//! The kinds of falls.

use game::Game as _;
use session::Subject;

/// The points from which a position counts as won.
pub const WON: f64 = 0.85;

/// What kind of fall a move was: the first of these that holds.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Kind {
    /// The position occurs again, or the other side can make it do so for the third time, and a draw accounts for the
    /// whole fall.
    Repetition,
    /// The position was won, and is no longer.
    Conversion,
    /// The judge sees half of the fall by an iteration of 1 to 4 plies after the move, and in all that follow.
    Tactic4,
    /// By one of 5 to 8 plies.
    Tactic8,
    /// By one of 9 to 12 plies.
    Tactic12,
    /// Only deeper.
    Quiet,
}

impl Kind {
    pub const ALL: [Kind; 6] = [
        Kind::Repetition,
        Kind::Conversion,
        Kind::Tactic4,
        Kind::Tactic8,
        Kind::Tactic12,
        Kind::Quiet,
    ];

    pub fn name(self) -> &'static str {
        [
            "repetition",
            "conversion",
            "tactic 1-4",
            "tactic 5-8",
            "tactic 9-12",
            "quiet",
        ][self as usize]
    }
}

/// A fall, in points for the side that moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fallen<'a> {
    pub before: f64,
    pub after: f64,
    /// See [`repeats`].
    pub repeats: bool,
    /// The judge's values after the move, with the depth of the iteration.
    pub course: &'a [(u16, f64)],
}

/// What rounding may add to a difference.
const ROUNDING: f64 = 1e-9;

impl Fallen<'_> {
    pub fn kind(&self) -> Kind {
        let fall = self.before - self.after;
        let draw = 0.5;
        if self.repeats && self.before - draw >= fall - ROUNDING {
            return Kind::Repetition;
        }
        if self.before >= WON && self.after < WON {
            return Kind::Conversion;
        }
        match self.seen_at() {
            Some(..=4) => Kind::Tactic4,
            Some(5..=8) => Kind::Tactic8,
            Some(9..=12) => Kind::Tactic12,
            _ => Kind::Quiet,
        }
    }

    /// Returns the depth from which on every iteration sees at least half of the fall.
    fn seen_at(&self) -> Option<u16> {
        let half = (self.before - self.after) / 2.0;
        let sees = |at: &&(u16, f64)| self.before - at.1 >= half - ROUNDING;
        let seen = self.course.iter().rev().take_while(sees);
        seen.last().map(|at| at.0)
    }
}

/// Whether the position after a move has occurred before, or the other side can bring one about for the third time.
pub(super) fn repeats(after: &Subject) -> bool {
    let times = |at: &Subject| {
        let position = &at.position;
        let stood = at
            .history
            .repetitions(position.key(), position.reversible_plies());
        stood.times
    };
    let completes = |m| {
        let mut next = after.clone();
        next.play(m);
        times(&next) >= 2
    };
    times(after) >= 1 || after.position.legal_moves().into_iter().any(completes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{ChessPosition, Situation};

    fn kind(before: f64, after: f64, repeats: bool, course: &[(u16, f64)]) -> Kind {
        let fallen = Fallen {
            before,
            after,
            repeats,
            course,
        };
        fallen.kind()
    }

    #[test]
    fn the_first_kind_that_holds_counts() {
        let seen_early = [(1, 0.5), (2, 0.5), (9, 0.5)];
        // From 0.95 to a draw by repetition: both would hold.
        assert_eq!(kind(0.95, 0.5, true, &seen_early), Kind::Repetition);
        assert_eq!(kind(0.95, 0.5, false, &seen_early), Kind::Conversion);
        assert_eq!(kind(0.84, 0.5, false, &seen_early), Kind::Tactic4);
        // A repetition explains no more than what was better than a draw.
        assert_eq!(kind(0.7, 0.3, true, &[(7, 0.3)]), Kind::Tactic8);
        assert_eq!(kind(0.5, 0.3, true, &[(7, 0.3)]), Kind::Tactic8);
        // What is still won was not given away.
        assert_eq!(kind(0.99, 0.86, false, &[]), Kind::Quiet);
    }

    #[test]
    fn tactics_are_dated_by_when_half_is_seen_for_good() {
        let at = |course: &[(u16, f64)]| kind(0.6, 0.4, false, course);
        assert_eq!(at(&[(1, 0.6), (4, 0.5), (8, 0.4)]), Kind::Tactic4);
        assert_eq!(
            at(&[(1, 0.6), (4, 0.51), (5, 0.5), (8, 0.4)]),
            Kind::Tactic8
        );
        // Seen at 2, forgotten at 6, seen again at 9.
        let again = [(2, 0.4), (6, 0.6), (9, 0.4), (10, 0.4)];
        assert_eq!(at(&again), Kind::Tactic12);
        assert_eq!(at(&[(12, 0.6), (13, 0.4)]), Kind::Quiet);
        assert_eq!(at(&[]), Kind::Quiet);
    }

    #[test]
    fn repetitions_are_seen_one_move_ahead() {
        let start = Subject::from(Situation::new(ChessPosition::default()));
        let after = |moves: &str| start.play_text(moves).expect(moves);
        assert!(!repeats(&after("Nf3 Nf6 Ng1")));
        // The start for the second time.
        assert!(repeats(&after("Nf3 Nf6 Ng1 Ng8")));
        // A new position, and White completes nothing.
        assert!(!repeats(&after("Nf3 Nf6 Ng1 Ng8 e4")));
        // The position after Nf3 occurs again.
        assert!(repeats(&after("Nf3 Nf6 Ng1 Ng8 Nf3")));
        // A new position, but Black can bring about the start for the third time.
        assert!(repeats(&after("Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1")));
        // For the second time it would be no draw.
        assert!(!repeats(&after("Nc3 Nc6 Nb1")));
    }
}
