//! What else may appear among the moves, and whether a move may have been lost there.

use super::annotation::signs;
use crate::Side;

/// Whether a word that is not a move may follow one.
pub(super) fn is_sign(text: &str) -> bool {
    signs(text).is_some() || is_time(text) || matches!(text, "1/2" | "½")
}

/// Matches `0:05` and `:05`, the form in which some servers print the time for a move.
fn is_time(text: &str) -> bool {
    text.contains(':') && text.bytes().all(|b| b.is_ascii_digit() || b == b':')
}

/// What has appeared in a line since its last move, as indices into the list of words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Since {
    /// The number of a move, which must follow.
    pub(super) number: bool,
    /// The first word that is neither a move nor its number.
    pub(super) odd: Option<usize>,
    /// A result, which no move can follow.
    pub(super) result: Option<usize>,
    /// A number that is not the next move's; perhaps it once was a move.
    pub(super) stray: Option<usize>,
}

/// The numbers of a game's moves, which reveal missing moves.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// The difference between the file's numbers and the position's, fixed by the first number of the game.
    offset: Option<i64>,
    /// How many of White's numbers were right.
    right: u32,
    /// Whether any number was wrong.
    wrong: bool,
}

/// What a number says about the moves before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberCheck {
    /// It is the number of the next move.
    Right,
    /// Black's move before it is missing.
    MoveMissing,
    /// It does not fit; some files count differently.
    Other,
}

impl Numbering {
    /// Checks a number where `turn` is about to make move `next`. `text` is the number with its full stops; `odd` says
    /// that something other than a move came before it.
    pub(super) fn look(&mut self, text: &str, next: u32, turn: Side, odd: bool) -> NumberCheck {
        let digits = text.trim_end_matches(['.', ' ']);
        let Ok(number) = digits.parse::<i64>() else {
            return NumberCheck::Other;
        };
        let offset = *self.offset.get_or_insert(number - i64::from(next));
        let expected = i64::from(next) + offset;
        let white = text.matches('.').count() <= 1;
        if number == expected {
            self.right += u32::from(white && turn == Side::White);
            return NumberCheck::Right;
        }
        let trusted = self.right >= 2 && !self.wrong;
        if white && turn == Side::Black && number == expected + 1 && (odd || trusted) {
            return NumberCheck::MoveMissing;
        }
        self.wrong = true;
        NumberCheck::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_move_shows_in_the_numbers() {
        let mut numbering = Numbering::default();
        assert_eq!(
            numbering.look("1. ", 1, Side::White, false),
            NumberCheck::Right
        );
        assert_eq!(
            numbering.look("2.", 1, Side::Black, true),
            NumberCheck::MoveMissing
        );
        assert_eq!(
            numbering.look("2. ", 2, Side::White, false),
            NumberCheck::Right
        );
        assert_eq!(
            numbering.look("2...", 2, Side::Black, false),
            NumberCheck::Right
        );
        assert_eq!(
            numbering.look("3.", 2, Side::Black, false),
            NumberCheck::MoveMissing
        );
        // A file that counts plies.
        let mut plies = Numbering::default();
        assert_eq!(plies.look("1.", 1, Side::White, false), NumberCheck::Right);
        assert_eq!(plies.look("2.", 1, Side::Black, false), NumberCheck::Other);
        assert_eq!(plies.look("3.", 2, Side::White, false), NumberCheck::Other);
        assert_eq!(plies.look("4.", 2, Side::Black, false), NumberCheck::Other);
        // A game whose first number differs from its position's.
        let mut later = Numbering::default();
        assert_eq!(
            later.look("17...", 1, Side::Black, false),
            NumberCheck::Right
        );
        assert_eq!(later.look("18.", 2, Side::White, false), NumberCheck::Right);
    }

    #[test]
    fn signs_are_no_moves() {
        for sign in ["+-", "N", "e.p.", "0:05", ":05"] {
            assert!(is_sign(sign), "{sign}");
        }
        for other in ["Sf3", "n", "", "0", "Nf3", "xx"] {
            assert!(!is_sign(other), "{other}");
        }
    }
}
