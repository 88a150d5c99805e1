//! What endgame tables say about a position: who wins under the fifty-move rule, and how far away the next irreversible
//! move is.

use super::Score;

/// The result of a position with best play from the side to move's view, worst first.
///
/// The middle five are draws or possible draws under the rules: a cursed win and a blessed loss would be decided
/// without the fifty-move rule, and a win or loss at the very limit of that rule is not certain, because tables round
/// their distances.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum TableResult {
    Loss,
    MaybeLoss,
    BlessedLoss,
    Draw,
    CursedWin,
    MaybeWin,
    Win,
}

impl TableResult {
    /// All results, worst first.
    pub const ALL: [TableResult; 7] = [
        TableResult::Loss,
        TableResult::MaybeLoss,
        TableResult::BlessedLoss,
        TableResult::Draw,
        TableResult::CursedWin,
        TableResult::MaybeWin,
        TableResult::Win,
    ];

    /// Describes the result in a word or two.
    pub fn words(self) -> &'static str {
        match self {
            TableResult::Loss => "loss",
            TableResult::MaybeLoss => "loss, or a draw by the fifty-move rule or repetition",
            TableResult::BlessedLoss => "blessed loss",
            TableResult::Draw => "draw",
            TableResult::CursedWin => "cursed win",
            TableResult::MaybeWin => "win, or a draw by the fifty-move rule or repetition",
            TableResult::Win => "win",
        }
    }

    /// A short form of [`TableResult::words`], with a question mark where the fifty-move rule or repetition may make it
    /// a draw.
    pub fn short(self) -> &'static str {
        match self {
            TableResult::MaybeLoss => "loss?",
            TableResult::MaybeWin => "win?",
            other => other.words(),
        }
    }

    /// Returns which side it favours on the board alone, ignoring the fifty-move rule: 1 for the side to move, -1 for
    /// the other, 0 for neither.
    pub const fn sign(self) -> i16 {
        match self {
            TableResult::Loss | TableResult::MaybeLoss | TableResult::BlessedLoss => -1,
            TableResult::Draw => 0,
            TableResult::CursedWin | TableResult::MaybeWin | TableResult::Win => 1,
        }
    }

    /// Returns the value under the fifty-move rule: a win or a loss of unknown length, or a draw.
    pub const fn score(self) -> Score {
        match self {
            TableResult::Loss => Score::SOME_LOSS,
            TableResult::Win => Score::SOME_WIN,
            _ => Score::DRAW,
        }
    }

    /// Returns the result if something that the tables do not know about may turn a win or a loss into a draw.
    pub const fn in_doubt(self) -> TableResult {
        match self {
            TableResult::Loss => TableResult::MaybeLoss,
            TableResult::Win => TableResult::MaybeWin,
            other => other,
        }
    }

    /// Whether the result is certain under the fifty-move rule.
    pub const fn is_certain(self) -> bool {
        !matches!(self, TableResult::MaybeLoss | TableResult::MaybeWin)
    }
}

impl std::ops::Neg for TableResult {
    type Output = TableResult;

    fn neg(self) -> TableResult {
        Self::ALL[Self::ALL.len() - 1 - self as usize]
    }
}

/// An answer of the tables, from the side to move's view (for a move: from the view of the side that plays it).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableHit {
    pub result: TableResult,
    /// Distance to zeroing: the plies to the next capture, pawn move or mate with best play; negative for the losing
    /// side, 0 in a draw. The true distance may be one ply more. `None` if it was not looked up.
    pub dtz: Option<i16>,
    /// The plies since the last irreversible move, which the result takes into account.
    pub clock: u8,
}

impl TableHit {
    /// Whether the result holds only for this clock, and not wherever the position arises.
    pub const fn depends_on_clock(self) -> bool {
        self.clock > 0 && self.result.sign() != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_turn_round() {
        for (i, result) in TableResult::ALL.into_iter().enumerate() {
            assert_eq!(result as usize, i);
            assert_eq!(-(-result), result);
            assert_eq!((-result).sign(), -result.sign());
            assert_eq!((-result).score(), -result.score());
        }
    }
}
