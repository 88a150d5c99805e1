//! Pieces attacked by something less valuable, or attacked by anything and not defended.

use super::view::{Attacks, View, count, ranks, sideways, up};
use super::{Tally, Term};

/// Threats against the enemy's pieces.
#[inline(always)]
pub(super) fn threats<T: Tally>(view: &View, own: &Attacks, enemy: &Attacks, tally: &mut T) {
    let foe = &view.enemy;
    let pawns = view.own_pawn_attacks;
    tally.add(Term::PawnThreat, 0, count(pawns & foe.minors()));
    tally.add(Term::PawnThreat, 1, count(pawns & foe.rooks));
    tally.add(Term::PawnThreat, 2, count(pawns & foe.queens));
    let minors = own.knights | own.bishops;
    let unguarded = !view.enemy_pawn_attacks;
    tally.add(
        Term::MinorThreat,
        0,
        count(minors & foe.minors() & unguarded),
    );
    tally.add(Term::MinorThreat, 1, count(minors & foe.rooks));
    tally.add(Term::MinorThreat, 2, count(minors & foe.queens));
    tally.add(
        Term::RookThreat,
        0,
        count(own.rooks & foe.minors() & unguarded),
    );
    tally.add(Term::RookThreat, 1, count(own.rooks & foe.queens));
    let hanging = own.all & !enemy.all;
    tally.add(Term::Hanging, 0, count(hanging & foe.pawns));
    tally.add(Term::Hanging, 1, count(hanging & foe.pieces()));
    // Defended, but attacked more than once, and not defended by a pawn.
    let outnumbered = own.twice & enemy.all & !enemy.twice & unguarded;
    tally.add(Term::Outnumbered, 0, count(outnumbered & foe.pawns));
    tally.add(Term::Outnumbered, 1, count(outnumbered & foe.pieces()));
    let king = own.king & !enemy.twice & unguarded;
    tally.add(Term::KingThreat, 0, count(king & foe.pawns));
    tally.add(Term::KingThreat, 1, count(king & foe.pieces()));
    pushes(view, own, enemy, tally);
}

/// Pieces that a pawn can attack by moving to a square where it is not lost.
#[inline(always)]
fn pushes<T: Tally>(view: &View, own: &Attacks, enemy: &Attacks, tally: &mut T) {
    let free = !view.occupied;
    let one = up(view.own.pawns) & free;
    let two = up(one & ranks(2, 2)) & free;
    let safe = (one | two) & !view.enemy_pawn_attacks & (own.all | !enemy.all);
    tally.add(
        Term::PushThreat,
        0,
        count(sideways(up(safe)) & view.enemy.pieces()),
    );
}
