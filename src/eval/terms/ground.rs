//! What pawns and kings alone decide: the same in most positions of a search, so the evaluation remembers it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shakmaty::Bitboard;

use super::view::{View, files, fill_up};
use super::{Tally, Worth, king, pawns, pieces};
use crate::eval::hand_crafted::TaperedSum;
use crate::game::chess::key::of_pawns;

/// One side's, in its own orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ground {
    pub passed: Bitboard,
    /// Where a minor piece is supported by a pawn and can't be attacked by one.
    pub outposts: Bitboard,
    /// Files without own pawns.
    pub half_open: Bitboard,
    pub enemy_half_open: Bitboard,
    /// How many pawns shield the own king, the near ones twice.
    pub shield: i32,
    /// Squares around the enemy's king that pawns attack.
    pub pawn_attacks: i32,
}

impl Ground {
    /// Tells the terms of pawns and kings, and finds what the other terms ask of them.
    #[inline(always)]
    fn find<T: Tally>(view: &View, tally: &mut T) -> Ground {
        pawns::structure(view, tally);
        Ground {
            passed: pawns::passed(view),
            outposts: pieces::outpost_squares(view),
            half_open: !files(view.own.pawns),
            enemy_half_open: !files(view.enemy.pawns),
            shield: king::shelter(view, tally),
            pawn_attacks: king::pawn_attacks(view),
        }
    }

    #[inline(always)]
    pub fn both<T: Tally>([white, black]: &[View; 2], tallies: &mut [T; 2]) -> [Ground; 2] {
        let [for_white, for_black] = tallies;
        [
            Ground::find(white, for_white),
            Ground::find(black, for_black),
        ]
    }
}

/// Both sides' grounds and what their terms are worth, in three words.
#[derive(Clone, Copy)]
struct Packed {
    /// Middlegame and endgame sum (48 bits), the shields and the pawns' attacks (4 bits each).
    worth: u64,
    /// Both sides' passed pawns, White's orientation.
    passed: u64,
    /// Both sides' outposts (three ranks each) and half-open files.
    places: u64,
}

const SUMS: u64 = (1 << 48) - 1;
const RANKS: u64 = (1 << 24) - 1;

impl Packed {
    #[inline(always)]
    fn new(sum: TaperedSum, [white, black]: &[Ground; 2]) -> Packed {
        let small = |ground: &Ground| (ground.shield | ground.pawn_attacks << 4) as u64;
        let places =
            |ground: &Ground| ground.outposts.0 >> 24 & RANKS | (ground.half_open.0 & 0xff) << 24;
        Packed {
            worth: sum.bits() & SUMS | small(white) << 48 | small(black) << 56,
            passed: (white.passed | black.passed.flip_vertical()).0,
            places: places(white) | places(black) << 32,
        }
    }

    #[inline(always)]
    fn unpack(self, [white, black]: &[View; 2]) -> (TaperedSum, [Ground; 2]) {
        let half_open = [24, 56].map(|shift| fill_up(Bitboard(self.places >> shift & 0xff)));
        let ground = |view: &View, passed: Bitboard, small: u64, side: usize| Ground {
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
                ground(white, passed, self.worth >> 48, 0),
                ground(black, passed.flip_vertical(), self.worth >> 56, 1),
            ],
        )
    }
}

const ENTRIES: usize = 1 << 14;

/// The grounds met lately, shared by threads without locks: of an entry's four words the first is the others and the
/// hash, xored, so that a torn one matches nothing.
#[derive(Debug)]
pub(in crate::eval) struct GroundCache(Box<[[AtomicU64; 4]]>);

impl Default for GroundCache {
    fn default() -> Self {
        GroundCache(bytemuck::allocation::zeroed_slice_box(ENTRIES))
    }
}

impl GroundCache {
    /// Both sides' grounds, and their terms' worth for White.
    #[inline(always)]
    pub(super) fn get(&self, views: &[View; 2]) -> (TaperedSum, [Ground; 2]) {
        let hash = hash(&views[0]);
        let [check, worth, passed, places] = &self.0[(hash >> 32) as usize % ENTRIES];
        let known = Packed {
            worth: worth.load(Relaxed),
            passed: passed.load(Relaxed),
            places: places.load(Relaxed),
        };
        if check.load(Relaxed) ^ known.worth ^ known.passed ^ known.places == hash {
            return known.unpack(views);
        }
        std::hint::cold_path();
        let (sum, grounds) = find(views);
        let new = Packed::new(sum, &grounds);
        worth.store(new.worth, Relaxed);
        passed.store(new.passed, Relaxed);
        places.store(new.places, Relaxed);
        check.store(hash ^ new.worth ^ new.passed ^ new.places, Relaxed);
        (sum, grounds)
    }
}

#[inline(always)]
fn find(views: &[View; 2]) -> (TaperedSum, [Ground; 2]) {
    let mut worths = [Worth::NOTHING; 2];
    let grounds = Ground::both(views, &mut worths);
    let [white, black] = worths.map(Worth::total);
    (white.minus(black), grounds)
}

/// Of the places of pawns and kings; never 0, which an empty entry has.
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
            let cache = GroundCache::default();
            let mut chess = Chess::default();
            for choice in choices {
                let moves = chess.legal_moves();
                if moves.is_empty() {
                    break;
                }
                chess.play_unchecked(moves[usize::from(choice) % moves.len()]);
                let views = View::both(chess.board());
                let (sum, grounds) = find(&views);
                // Found the first time, unpacked the second.
                for _ in 0..2 {
                    let (known_sum, known) = cache.get(&views);
                    prop_assert!(known_sum == sum && known == grounds, "{}", chess.board());
                }
            }
        }
    }
}
