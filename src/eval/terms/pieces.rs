//! Mobility, outposts, rooks on files, bishops and their pawns. One pass over the pieces, which also finds what they
//! attack.

use shakmaty::{Bitboard, attacks};

use super::pawn_king::PawnKing;
use super::view::{Attacks, View, count, down, fill_down, ranks, when};
use super::{Danger, Tally, Term};

/// The enemy king's zone: the squares it can step on and those in front of them.
#[inline(always)]
fn zone(view: &View) -> Bitboard {
    let ring = attacks::king_attacks(view.enemy.king) | Bitboard::from(view.enemy.king);
    ring | down(ring)
}

/// Goes through the pieces: mobility, and pressure on the enemy king.
#[inline(always)]
pub(super) fn pieces<T: Tally>(view: &View, tally: &mut T) -> Attacks {
    let own = &view.own;
    let mut all = Attacks::start(view);
    // The squares a piece can use: not attacked by an enemy pawn and not occupied by its own pawns or king.
    let area = !(view.enemy_pawn_attacks | own.pawns | Bitboard::from(own.king));
    let zone = zone(view);
    let ring = attacks::king_attacks(view.enemy.king);
    let mut visit = |squares: Bitboard, mobility: Term, attacker: Danger, tally: &mut T| {
        tally.add(mobility, (squares & area).count(), 1);
        tally.press(attacker, i32::from(!(squares & zone).is_empty()));
        tally.press(Danger::RingAttack, count(squares & ring));
        all.add(squares);
    };
    let (mut knights, mut bishops) = (Bitboard::EMPTY, Bitboard::EMPTY);
    let (mut rooks, mut queens) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for square in own.knights {
        let squares = attacks::knight_attacks(square);
        visit(squares, Term::KnightMobility, Danger::Knight, tally);
        knights |= squares;
    }
    // Bishops see through queens, rooks through rooks and queens, so that batteries count as attacks.
    let seen = view.occupied ^ own.queens;
    for square in own.bishops {
        let squares = attacks::bishop_attacks(square, seen);
        visit(squares, Term::BishopMobility, Danger::Bishop, tally);
        bishops |= squares;
    }
    let seen = seen ^ own.rooks;
    for square in own.rooks {
        let squares = attacks::rook_attacks(square, seen);
        visit(squares, Term::RookMobility, Danger::Rook, tally);
        rooks |= squares;
    }
    for square in own.queens {
        let squares = attacks::queen_attacks(square, view.occupied);
        visit(squares, Term::QueenMobility, Danger::Queen, tally);
        queens |= squares;
    }
    Attacks {
        knights,
        bishops,
        rooks,
        queens,
        ..all
    }
}

/// Counts how the pieces are placed with respect to the pawns.
#[inline(always)]
pub(super) fn places<T: Tally>(
    view: &View,
    pawn_king: &PawnKing,
    attacks: &Attacks,
    tally: &mut T,
) {
    let own = &view.own;
    outposts(view, pawn_king, attacks, tally);
    let sheltered = own.minors() & down(own.pawns);
    tally.add(Term::MinorBehindPawn, 0, count(sheltered));
    let half_open = pawn_king.half_open;
    let open = half_open & pawn_king.enemy_half_open;
    tally.add(Term::RookOnFile, 0, count(own.rooks & half_open & !open));
    tally.add(Term::RookOnFile, 1, count(own.rooks & open));
    tally.add(Term::BishopPair, 0, i32::from(own.bishops.more_than_one()));
    own_bishops_pawns(view, tally);
}

/// Squares in the enemy's half that a pawn supports and no enemy pawn can attack.
#[inline(always)]
pub(super) fn outpost_squares(view: &View) -> Bitboard {
    const FIELD: Bitboard = ranks(3, 5);
    FIELD & view.own_pawn_attacks & !fill_down(view.enemy_pawn_attacks)
}

/// Knights and bishops on outposts, and knights that can reach one.
#[inline(always)]
fn outposts<T: Tally>(view: &View, pawn_king: &PawnKing, attacks: &Attacks, tally: &mut T) {
    let safe = pawn_king.outposts;
    let own = &view.own;
    tally.add(Term::Outpost, 0, count(own.knights & safe));
    tally.add(Term::Outpost, 1, count(own.bishops & safe));
    tally.add(Term::Outpost, 2, count(attacks.knights & safe & !own.all));
}

/// Own pawns on the colour of a bishop, and those of them that cannot move.
#[inline(always)]
fn own_bishops_pawns<T: Tally>(view: &View, tally: &mut T) {
    let own = &view.own;
    let blocked = own.pawns & down(view.occupied);
    for colour in [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES] {
        let some = !(own.bishops & colour).is_empty();
        let pawns = when(some, own.pawns & colour);
        tally.add(Term::BishopsPawn, 0, count(pawns));
        tally.add(Term::BishopsPawn, 1, count(pawns & blocked));
    }
}

/// Contested squares: attacked by both sides, where the enemy has no pawn and no majority of attackers.
#[inline(always)]
pub(super) fn restriction<T: Tally>(view: &View, own: &Attacks, enemy: &Attacks, tally: &mut T) {
    let held = view.enemy_pawn_attacks | (enemy.twice & !own.twice);
    tally.add(Term::Restriction, 0, count(own.all & enemy.all & !held));
}
