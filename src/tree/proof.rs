//! What is proven about a node: bounds on its exact score, as integers.

use game::{Score, Sided, TableHit, TableResult};

/// Proven bounds on a node's exact score (side to move), including the distance to mate: `lower <= truth <= upper`.
///
/// Source: Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, 2008; Videodr0me, *Porting certainty
/// propagation to new codebase* (lc0, GitHub issue, 2018); score bounds: Cazenave and Saffidine, *Score Bounded
/// Monte-Carlo Tree Search*, 2010. Integers with exact distances are plyscope's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    pub lower: Score,
    pub upper: Score,
}

impl Proof {
    /// Nothing is known, not even whether the game is over: anything from being mated now to mating with this move.
    pub const OPEN: Proof = Proof {
        lower: Score::LOSS,
        upper: Score::win_in(1),
    };

    pub const fn exact(score: Score) -> Proof {
        Proof {
            lower: score,
            upper: score,
        }
    }

    /// Returns what an endgame table proves: a draw, or a win or loss of unknown length that is at least as long as its
    /// distance to zeroing.
    pub fn of_table(hit: TableHit) -> Proof {
        let least = hit.dtz.unwrap_or(0).unsigned_abs();
        let win = Score::win_in(least.clamp(1, 1000));
        // The side to move is not mated here, because the tables are not probed for mated positions.
        let loss = Score::loss_in(least.clamp(2, 1000));
        let (lower, upper) = match hit.result {
            TableResult::Win => (Score::SOME_WIN, win),
            TableResult::Loss => (loss, Score::SOME_LOSS),
            TableResult::MaybeWin => (Score::DRAW, win),
            TableResult::MaybeLoss => (loss, Score::DRAW),
            _ => (Score::DRAW, Score::DRAW),
        };
        Proof { lower, upper }
    }

    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Whether the result is certain, though perhaps not the distance: a win, a loss, or an exact value.
    pub fn is_certain(self) -> bool {
        self.is_exact() || self.lower.is_win() || self.upper.is_loss()
    }

    pub fn is_win(self) -> bool {
        self.lower.is_win()
    }

    pub fn is_loss(self) -> bool {
        self.upper.is_loss()
    }

    /// Returns what a child's bounds say about its parent: one ply up, with the sides changed.
    pub fn one_ply_up(self) -> Proof {
        Proof {
            lower: self.upper.one_ply_up(),
            upper: self.lower.one_ply_up(),
        }
    }

    /// Returns the bounds that follow if both hold; they are never wider than either.
    #[must_use]
    pub fn and(self, other: Proof) -> Proof {
        Proof {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }

    pub fn to_bits(self) -> u32 {
        u32::from(self.lower.raw() as u16) | u32::from(self.upper.raw() as u16) << 16
    }

    pub fn from_bits(bits: u32) -> Proof {
        Proof {
            lower: Score::from_raw(bits as u16 as i16),
            upper: Score::from_raw((bits >> 16) as u16 as i16),
        }
    }
}

impl Sided for Proof {
    fn turned(self) -> Proof {
        Proof {
            lower: -self.upper,
            upper: -self.lower,
        }
    }

    fn one_ply_up(self) -> Proof {
        Proof::one_ply_up(self)
    }
}
