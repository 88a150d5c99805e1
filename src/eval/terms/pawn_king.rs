//! The part of the evaluation that depends on pawns and kings alone. It is the same in most positions of a search, so
//! it is cached.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shakmaty::Bitboard;

use super::view::{View, files, fill_up};
use super::{Tally, Worth, king, pawns, pieces};
use crate::hand_crafted::TaperedSum;
use game::chess::key::of_pawns;

/// The result for one side, in its own orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PawnKing {
    pub passed: Bitboard,
    /// Squares where a minor piece is supported by a pawn and cannot be attacked by one.
    pub outposts: Bitboard,
    /// The files without own pawns.
    pub half_open: Bitboard,
    pub enemy_half_open: Bitboard,
    /// How many pawns shield the own king; the near ones count twice.
    pub shield: i32,
    /// The number of squares around the enemy king that pawns attack.
    pub pawn_attacks: i32,
}

impl PawnKing {
    /// Reports the terms of pawns and kings to the tally, and finds what the other terms need of them.
    #[inline(always)]
    fn find<T: Tally>(view: &View, tally: &mut T) -> PawnKing {
        pawns::structure(view, tally);
        PawnKing {
            passed: pawns::passed(view),
            outposts: pieces::outpost_squares(view),
            half_open: !files(view.own.pawns),
            enemy_half_open: !files(view.enemy.pawns),
            shield: king::shelter(view, tally),
            pawn_attacks: king::pawn_attacks(view),
        }
    }

    #[inline(always)]
    pub fn both<T: Tally>([white, black]: &[View; 2], tallies: &mut [T; 2]) -> [PawnKing; 2] {
        let [for_white, for_black] = tallies;
        [
            PawnKing::find(white, for_white),
            PawnKing::find(black, for_black),
        ]
    }
}

/// The results for both sides and the worth of their terms, packed into three words.
#[derive(Clone, Copy)]
struct Packed {
    /// The middlegame and endgame sums (48 bits), the shields and the pawn attacks (4 bits each).
    worth: u64,
    /// Both sides' passed pawns, in White's orientation.
    passed: u64,
    /// Both sides' outposts (three ranks each) and half-open files.
    places: u64,
}

const SUMS: u64 = (1 << 48) - 1;
const RANKS: u64 = (1 << 24) - 1;

impl Packed {
    #[inline(always)]
    fn new(sum: TaperedSum, [white, black]: &[PawnKing; 2]) -> Packed {
        let small = |pawn_king: &PawnKing| (pawn_king.shield | pawn_king.pawn_attacks << 4) as u64;
        let places = |pawn_king: &PawnKing| {
            pawn_king.outposts.0 >> 24 & RANKS | (pawn_king.half_open.0 & 0xff) << 24
        };
        Packed {
            worth: sum.bits() & SUMS | small(white) << 48 | small(black) << 56,
            passed: (white.passed | black.passed.flip_vertical()).0,
            places: places(white) | places(black) << 32,
        }
    }

    #[inline(always)]
    fn unpack(self, [white, black]: &[View; 2]) -> (TaperedSum, [PawnKing; 2]) {
        let half_open = [24, 56].map(|shift| fill_up(Bitboard(self.places >> shift & 0xff)));
        let pawn_king = |view: &View, passed: Bitboard, small: u64, side: usize| PawnKing {
            passed: passed & view.own.pawns,
            outposts: Bitboard((self.places >> (32 * side) & RANKS) << 24),
            half_open: half_open[side],
            enemy_half_open: half_open[1 - side],
            shield: (small & 15) as i32,
            pawn_attacks: (small >> 4 & 15) as i32,
        };
        let passed = Bitboard(self.passed);
        (
            TaperedSum::from_sums(self.worth),
            [
                pawn_king(white, passed, self.worth >> 48, 0),
                pawn_king(black, passed.flip_vertical(), self.worth >> 56, 1),
            ],
        )
    }
}

const ENTRIES: usize = 1 << 11;

/// A cache of recent results that threads share without locks. The first of an entry's four words is the hash xored
/// with the other three, so that a torn entry matches no position.
#[derive(Debug)]
pub(crate) struct PawnKingCache(Box<[Entry]>);

/// Half a cache line.
#[derive(Debug, Default)]
#[repr(align(32))]
struct Entry([AtomicU64; 4]);

impl Default for PawnKingCache {
    fn default() -> Self {
        PawnKingCache((0..ENTRIES).map(|_| Entry::default()).collect())
    }
}

impl PawnKingCache {
    /// Returns the worth of both sides' terms for White, and the results for both sides.
    #[inline(always)]
    pub(super) fn get(&self, views: &[View; 2]) -> (TaperedSum, [PawnKing; 2]) {
        let hash = hash(&views[0]);
        let Entry([check, worth, passed, places]) = &self.0[(hash >> 32) as usize % ENTRIES];
        let known = Packed {
            worth: worth.load(Relaxed),
            passed: passed.load(Relaxed),
            places: places.load(Relaxed),
        };
        if check.load(Relaxed) ^ known.worth ^ known.passed ^ known.places == hash {
            return known.unpack(views);
        }
        std::hint::cold_path();
        let (sum, pawn_kings) = find(views);
        let new = Packed::new(sum, &pawn_kings);
        worth.store(new.worth, Relaxed);
        passed.store(new.passed, Relaxed);
        places.store(new.places, Relaxed);
        check.store(hash ^ new.worth ^ new.passed ^ new.places, Relaxed);
        (sum, pawn_kings)
    }
}

#[inline(always)]
fn find(views: &[View; 2]) -> (TaperedSum, [PawnKing; 2]) {
    let mut worths = [Worth::NOTHING; 2];
    let pawn_kings = PawnKing::both(views, &mut worths);
    let [white, black] = worths.map(Worth::total);
    (white.minus(black), pawn_kings)
}

/// Returns a hash of the squares of pawns and kings. It is never 0, which marks an empty entry.
#[inline(always)]
fn hash(white: &View) -> u64 {
    let kings = u64::from(white.own.king) << 6 | u64::from(white.enemy.king);
    let mix =
        of_pawns(white.own.pawns, white.enemy.pawns) ^ kings.wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mix ^ mix >> 32).wrapping_mul(0xff51_afd7_ed55_8ccd) | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::{Chess, Position as _};

    proptest! {
        #[test]
        fn what_is_remembered_is_what_was_found(choices in prop::collection::vec(any::<u16>(), 1..200)) {
            let cache = PawnKingCache::default();
            let mut chess = Chess::default();
            for choice in choices {
                let moves = chess.legal_moves();
                if moves.is_empty() {
                    break;
                }
                chess.play_unchecked(moves[usize::from(choice) % moves.len()]);
                let views = View::both(chess.board());
                let (sum, pawn_kings) = find(&views);
                // Computed the first time, unpacked from the cache the second.
                for _ in 0..2 {
                    let (known_sum, known) = cache.get(&views);
                    prop_assert!(known_sum == sum && known == pawn_kings, "{}", chess.board());
                }
            }
        }
    }
}
