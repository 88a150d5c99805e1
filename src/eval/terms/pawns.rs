//! Pawn structure and passed pawns.

use shakmaty::{Bitboard, Square};

use super::view::{
    Attacks, View, count, distance, down, files, fill_down, fill_up, left, rank, right, sideways,
    up,
};
use super::{Tally, Term};

/// Squares that enemy pawns attack now or can attack as they advance, and the squares in front of them (from their
/// point of view).
#[inline(always)]
fn enemy_front(view: &View) -> Bitboard {
    let ahead = fill_down(down(view.enemy.pawns));
    ahead | sideways(ahead)
}

/// Pawns that no enemy pawn can block or capture on their way to promotion; of doubled pawns only the front one.
#[inline(always)]
pub(super) fn passed(view: &View) -> Bitboard {
    let pawns = view.own.pawns;
    pawns & !enemy_front(view) & !fill_down(down(pawns))
}

/// Isolated, doubled, backward and unopposed weak pawns; phalanxes and chains.
#[inline(always)]
pub(super) fn structure<T: Tally>(view: &View, tally: &mut T) {
    let pawns = view.own.pawns;
    let isolated = pawns & !sideways(files(pawns));
    // No own pawn beside or behind that could still support it, and an enemy pawn guards the way.
    let backward =
        pawns & down(view.enemy_pawn_attacks & !fill_up(view.own_pawn_attacks)) & !isolated;
    let weak = isolated | backward;
    let doubled = pawns & fill_down(down(pawns));
    tally.add(Term::IsolatedPawn, 0, count(isolated));
    tally.add(Term::BackwardPawn, 0, count(backward));
    tally.add(Term::DoubledPawn, 0, count(doubled));
    tally.add(Term::DoubledPawn, 1, count(doubled & isolated));
    tally.add(
        Term::UnopposedWeakPawn,
        0,
        count(weak & !fill_down(view.enemy.pawns)),
    );
    let beside = left(pawns) | right(pawns);
    for square in pawns & (beside | view.own_pawn_attacks) {
        // Beside a pawn, defended by one, or both.
        let both = usize::from(beside.contains(square))
            & usize::from(view.own_pawn_attacks.contains(square));
        let kind = both + usize::from(view.own_pawn_attacks.contains(square));
        tally.add(Term::ConnectedPawn, 8 * kind + rank(square), 1);
    }
}

/// Passed pawns by rank: how free their path is, how near the kings are, and what supports them.
#[inline(always)]
pub(super) fn passers<T: Tally>(
    view: &View,
    passed: Bitboard,
    own: &Attacks,
    enemy: &Attacks,
    tally: &mut T,
) {
    if passed.is_empty() {
        return;
    }
    let lonely = view.enemy.pieces().is_empty();
    for pawn in passed {
        let rank = rank(pawn);
        let path = fill_up(up(pawn.into()));
        let stop = up(pawn.into());
        let Some(front) = stop.first() else {
            continue;
        };
        tally.add(Term::PassedPawn, rank, 1);
        if !(stop & view.occupied).is_empty() {
            tally.add(Term::BlockedPasser, rank, 1);
        } else if (path & (enemy.all | view.enemy.all)).is_empty() {
            tally.add(Term::FreePasser, rank, 1);
        } else if (stop & (enemy.all & !own.all)).is_empty() {
            tally.add(Term::SafeStepPasser, rank, 1);
        }
        if rank >= 3 {
            tally.add(Term::PasserOwnKing, rank, distance(view.own.king, front));
            tally.add(
                Term::PasserEnemyKing,
                rank,
                distance(view.enemy.king, front),
            );
        }
        if lonely && runs_away(view, pawn, path) {
            tally.add(Term::UnstoppablePasser, 0, 1);
        }
    }
    tally.add(
        Term::SupportedPasser,
        0,
        count(passed & (view.own_pawn_attacks | sideways(view.own.pawns))),
    );
    let behind = fill_down(passed);
    tally.add(Term::RookBehindPasser, 0, count(view.own.rooks & behind));
    tally.add(Term::RookBehindPasser, 1, count(view.enemy.rooks & behind));
}

/// The rule of the square against a lone king that is taken to be to move.
#[inline(always)]
fn runs_away(view: &View, pawn: Square, path: Bitboard) -> bool {
    let Some(goal) = path.last() else {
        return false;
    };
    let steps = distance(pawn, goal).min(5);
    (path & view.own.all).is_empty() && distance(view.enemy.king, goal) > steps + 1
}
