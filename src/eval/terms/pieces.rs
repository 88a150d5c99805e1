//! Mobility, outposts, rooks on files, bishops and their pawns: one pass over the pieces, which also finds what
//! they attack.

use shakmaty::{Bitboard, attacks};

use super::ground::Ground;
use super::view::{Attacks, View, count, down, fill_down, ranks, when};
use super::{Danger, Tally, Term};

/// The squares around the enemy's king that count as his zone: those he can step on and those in front of them.
#[inline(always)]
fn zone(view: &View) -> Bitboard {
    let ring = attacks::king_attacks(view.enemy.king) | Bitboard::from(view.enemy.king);
    ring | down(ring)
}

/// Walks over the pieces: mobility, and pressure on the enemy's king.
#[inline(always)]
pub(super) fn pieces<T: Tally>(view: &View, tally: &mut T) -> Attacks {
    let own = &view.own;
    let mut all = Attacks::start(view);
    // Where a piece can go to without being lost to a pawn, and without having to wait for its own.
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
    // Bishops see through queens, rooks through rooks and queens: batteries attack too.
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

/// Where the pieces stand with regard to the pawns.
#[inline(always)]
pub(super) fn places<T: Tally>(view: &View, ground: &Ground, attacks: &Attacks, tally: &mut T) {
    let own = &view.own;
    outposts(view, ground, attacks, tally);
    let sheltered = own.minors() & down(own.pawns);
    tally.add(Term::MinorBehindPawn, 0, count(sheltered));
    let half_open = ground.half_open;
    let open = half_open & ground.enemy_half_open;
    tally.add(Term::RookOnFile, 0, count(own.rooks & half_open & !open));
    tally.add(Term::RookOnFile, 1, count(own.rooks & open));
    tally.add(Term::BishopPair, 0, i32::from(own.bishops.more_than_one()));
    own_bishops_pawns(view, tally);
}

/// Squares in the enemy's half that a pawn supports and none can attack.
#[inline(always)]
pub(super) fn outpost_squares(view: &View) -> Bitboard {
    const FIELD: Bitboard = ranks(3, 5);
    FIELD & view.own_pawn_attacks & !fill_down(view.enemy_pawn_attacks)
}

/// Knights and bishops on outposts, knights before them.
#[inline(always)]
fn outposts<T: Tally>(view: &View, ground: &Ground, attacks: &Attacks, tally: &mut T) {
    let safe = ground.outposts;
    let own = &view.own;
    tally.add(Term::Outpost, 0, count(own.knights & safe));
    tally.add(Term::Outpost, 1, count(own.bishops & safe));
    tally.add(Term::Outpost, 2, count(attacks.knights & safe & !own.all));
}

/// Own pawns on the squares of a bishop's colour, and of those the ones that cannot move.
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

/// Squares of contact: those both sides attack, where the enemy has no pawn and no majority.
#[inline(always)]
pub(super) fn restriction<T: Tally>(view: &View, own: &Attacks, enemy: &Attacks, tally: &mut T) {
    let held = view.enemy_pawn_attacks | (enemy.twice & !own.twice);
    tally.add(Term::Restriction, 0, count(own.all & enemy.all & !held));
}
