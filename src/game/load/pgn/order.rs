//! What may stand among the moves beside moves, and whether a move can have been lost there.

use crate::game::Side;

/// Signs and abbreviations that books and programs print behind a move, outside of comments: evaluations, marks,
/// checks, novelties and diagrams. Nothing else is passed over.
const SIGNS: [&str; 58] = [
    "+-", "-+", "+−", "−+", "+/-", "-/+", "+/−", "−/+", "±", "∓", "+/=", "=/+", "+=", "=+", "⩲",
    "⩱", "=", "==", "∞", "=/∞", "⯹", "~", "N", "TN", "D", "Diagram", "RR", "e.p.", "e.p", "ep",
    "ch", "dbl", "dis", "mate", "+", "++", "#", "##", "†", "‡", "□", "◻", "⌓", "∆", "Δ", "⇄", "→",
    "↑", "⟳", "⊕", "⊙", "⨀", "○", "●", "⇆", "1/2", "½", "⊞",
];

/// Whether a word that is no move may stand behind one.
pub(super) fn is_sign(text: &str) -> bool {
    SIGNS.contains(&text) || is_time(text)
}

/// `0:05` and `:05`, as some servers print the time for a move.
fn is_time(text: &str) -> bool {
    text.contains(':') && text.bytes().all(|b| b.is_ascii_digit() || b == b':')
}

/// What stood in a line since its last move: places in the list of words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Since {
    /// A move's number: the move must follow.
    pub(super) number: bool,
    /// The first word that is neither a move nor its number.
    pub(super) odd: Option<usize>,
    /// A result: no move can follow.
    pub(super) result: Option<usize>,
    /// A number that is not the next move's: perhaps a move once.
    pub(super) stray: Option<usize>,
}

/// The numbers of a game's moves, by which a lost move shows.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// What is to be added to a position's number: the first number of the game decides.
    offset: Option<i64>,
    /// How many of White's numbers were right.
    right: u32,
    /// Not all numbers were.
    wrong: bool,
}

/// What a number says about the moves before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// It is the next move's.
    Right,
    /// Black's move is missing before it.
    MoveMissing,
    /// It is nobody's: some files count otherwise.
    Other,
}

impl Numbering {
    /// Looks at a number where `turn` is to make move `next`. `text` is it with its full stops; `odd`: something else
    /// than a move stood before it.
    pub(super) fn look(&mut self, text: &str, next: u32, turn: Side, odd: bool) -> Told {
        let digits = text.trim_end_matches(['.', ' ']);
        let Ok(number) = digits.parse::<i64>() else {
            return Told::Other;
        };
        let offset = *self.offset.get_or_insert(number - i64::from(next));
        let expected = i64::from(next) + offset;
        let white = text.matches('.').count() <= 1;
        if number == expected {
            self.right += u32::from(white && turn == Side::White);
            return Told::Right;
        }
        let trusted = self.right >= 2 && !self.wrong;
        if white && turn == Side::Black && number == expected + 1 && (odd || trusted) {
            return Told::MoveMissing;
        }
        self.wrong = true;
        Told::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_move_shows_in_the_numbers() {
        let mut numbering = Numbering::default();
        assert_eq!(numbering.look("1. ", 1, Side::White, false), Told::Right);
        assert_eq!(
            numbering.look("2.", 1, Side::Black, true),
            Told::MoveMissing
        );
        assert_eq!(numbering.look("2. ", 2, Side::White, false), Told::Right);
        assert_eq!(numbering.look("2...", 2, Side::Black, false), Told::Right);
        assert_eq!(
            numbering.look("3.", 2, Side::Black, false),
            Told::MoveMissing
        );
        // Where plies are counted.
        let mut plies = Numbering::default();
        assert_eq!(plies.look("1.", 1, Side::White, false), Told::Right);
        assert_eq!(plies.look("2.", 1, Side::Black, false), Told::Other);
        assert_eq!(plies.look("3.", 2, Side::White, false), Told::Other);
        assert_eq!(plies.look("4.", 2, Side::Black, false), Told::Other);
        // Where the game begins somewhere else than its position says.
        let mut later = Numbering::default();
        assert_eq!(later.look("17...", 1, Side::Black, false), Told::Right);
        assert_eq!(later.look("18.", 2, Side::White, false), Told::Right);
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
