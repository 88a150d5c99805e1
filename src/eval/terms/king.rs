//! The king's shelter, and the pressure on the enemy king.

use shakmaty::{Bitboard, attacks};

use super::pawn_king::PawnKing;
use super::view::{Attacks, View, count, down, files, fill_down, fill_up, sideways, up};
use super::{Danger, Tally, Term};

/// Counts the pawns in front of the own king: shield, open files and the enemy's pawn storm. Returns how many pawns
/// shield it.
#[inline(always)]
pub(super) fn shelter<T: Tally>(view: &View, tally: &mut T) -> i32 {
    let king = Bitboard::from(view.own.king);
    let wing = king | sideways(king);
    let (near, far) = (up(wing), up(up(wing)));
    let front = fill_up(wing);
    let shield = view.own.pawns & front;
    let close = count(view.own.pawns & near);
    let second = count(view.own.pawns & far);
    tally.add(Term::Shelter, 0, close);
    tally.add(Term::Shelter, 1, second);
    // A file is open in front of the king if no own pawn is there, whatever is behind the king.
    let base = files(wing) & Bitboard(0xff);
    let open = base & !fill_down(shield);
    let without_any = open & !fill_down(view.enemy.pawns & front);
    tally.add(Term::KingFile, 0, count(open & !without_any));
    tally.add(Term::KingFile, 1, count(without_any));
    tally.add(Term::KingFile, 2, count(open & files(king)));
    let storm = view.enemy.pawns & front;
    let row = |distance: u32| Bitboard(wing.0 << (8 * distance));
    tally.add(Term::Storm, 0, count(storm & (near | wing)));
    tally.add(Term::Storm, 1, count(storm & far));
    tally.add(Term::Storm, 2, count(storm & row(3)));
    tally.add(Term::Storm, 3, count(storm & row(4)));
    // A storming pawn that an own pawn blocks.
    tally.add(Term::Storm, 4, count(storm & up(shield)));
    2 * close + second
}

/// Returns the number of squares near the enemy king that the own pawns attack.
#[inline(always)]
pub(super) fn pawn_attacks(view: &View) -> i32 {
    let ring = attacks::king_attacks(view.enemy.king);
    count(view.own_pawn_attacks & (ring | down(ring)))
}

/// Counts the pressure on the enemy king; the attacking pieces were already counted in the pass over the pieces.
#[inline(always)]
pub(super) fn attack<T: Tally>(
    view: &View,
    pawn_king: &PawnKing,
    own: &Attacks,
    enemy: &Attacks,
    tally: &mut T,
) {
    let king = view.enemy.king;
    let ring = attacks::king_attacks(king);
    // Defended by at most the king and perhaps the queen.
    let weak = own.all & !enemy.twice & (!enemy.all | enemy.king | enemy.queens);
    tally.press(Danger::Base, 1);
    tally.press(Danger::NoQueen, i32::from(view.own.queens.is_empty()));
    tally.press(Danger::WeakSquare, count(ring & weak));
    tally.press(
        Danger::Defender,
        count(ring & (enemy.knights | enemy.bishops)),
    );
    tally.press(Danger::PawnAttack, pawn_king.pawn_attacks);
    checks(view, own, enemy, weak, tally);
}

/// Squares from which a piece can give check, safely or not.
#[inline(always)]
fn checks<T: Tally>(view: &View, own: &Attacks, enemy: &Attacks, weak: Bitboard, tally: &mut T) {
    let king = view.enemy.king;
    let safe = !view.own.all & (!enemy.all | (weak & own.twice));
    let seen = view.occupied ^ view.enemy.queens;
    let straight = attacks::rook_attacks(king, seen);
    let diagonal = attacks::bishop_attacks(king, seen);
    let rook = straight & own.rooks;
    let queen = (straight | diagonal) & own.queens & !enemy.queens;
    let bishop = diagonal & own.bishops;
    let knight = attacks::knight_attacks(king) & own.knights;
    let any = |squares: Bitboard| i32::from(!squares.is_empty());
    tally.press(Danger::RookCheck, any(rook & safe));
    tally.press(Danger::QueenCheck, any(queen & safe));
    tally.press(Danger::BishopCheck, any(bishop & safe));
    tally.press(Danger::KnightCheck, any(knight & safe));
    let unsafe_checks = (rook | bishop | knight) & !safe & !view.own.all;
    tally.press(Danger::UnsafeCheck, count(unsafe_checks));
}
