//! What alpha-beta reads from the transposition table, and what it stores there.

use super::AlphaBeta;
use crate::game::{Game, MoveCode, Score};
use crate::search::Probe;
use crate::search::common::context::Visit;
use crate::search::common::table::{Entry, Table};
use crate::search::depth_first::MAX_DEPTH;
use crate::tree::{Bound, Fate};

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    /// The table, at nodes that use it: one ply from the horizon, a search costs less than waiting for the table's
    /// memory.
    #[inline]
    fn table_for(&self, visit: &Visit) -> Option<&'a Table> {
        self.table.filter(|_| visit.depth > 1 && !visit.on_choices)
    }

    /// The table's entry for a node just entered.
    #[inline]
    pub(super) fn known<G: Game>(&self, visit: &Visit, position: &G) -> Option<Entry> {
        let asked = self.root.again.is_none() || visit.node != self.root.again;
        let table = self.table_for(visit).filter(|_| asked)?;
        table.get(self.context.place_in_table(position))
    }

    /// Stores in the table what a node's moves yielded.
    pub(super) fn remember(
        &self,
        visit: &Visit,
        key: u64,
        value: Score,
        best: MoveCode,
        static_value: Option<Score>,
    ) {
        let Some(table) = self.table_for(visit) else {
            return;
        };
        table.put(
            key,
            Entry {
                best,
                value,
                depth: visit.depth as i8,
                bound: visit.bound_of(value),
                static_value,
            },
        );
    }
}

/// Whether a table entry ends the visit. It never does at the root or inside an open window, where the line is wanted;
/// where a short mate is at stake (`exact`), only a mate that was found does, since any other value may be due to
/// pruning. `clock`: plies since the last move that cannot be undone.
pub(in crate::search::depth_first) fn cutoff(
    entry: &Entry,
    visit: &Visit,
    exact: bool,
    clock: u32,
) -> Option<Fate> {
    if visit.ply == 0 || !visit.is_null_window() || i32::from(entry.depth) < visit.depth {
        return None;
    }
    let Entry { value, bound, .. } = *entry;
    if !is_in_time(value, entry.depth, clock) {
        return None;
    }
    let (low, high) = (value <= visit.alpha, value >= visit.beta);
    let usable = match bound {
        _ if exact => is_found(value, bound) && (value.is_win() && high || value.is_loss() && low),
        Bound::Exact => true,
        Bound::Lower => high,
        Bound::Upper => low,
        Bound::None => false,
    };
    usable.then_some(Fate::TableHit {
        value,
        depth: entry.depth.max(0) as u8,
        bound,
    })
}

/// Whether the value says that one side mates, and not just that no faster mate was found.
pub(in crate::search::depth_first) fn is_found(value: Score, bound: Bound) -> bool {
    value.is_win() && bound != Bound::Upper || value.is_loss() && bound != Bound::Lower
}

/// Whether a win or loss found at another clock also holds at this one: the mate has to come before the fifty moves are
/// up. The length of a win by the endgame tables is unknown; it depends on a capture or pawn move within the depth
/// searched.
pub(in crate::search::depth_first) fn is_in_time(value: Score, depth: i8, clock: u32) -> bool {
    /// Extensions can turn one ply of depth into two.
    const LONGEST: u32 = 2;
    if !value.is_decided() {
        return true;
    }
    let plies = match value.mate_plies() {
        Some(plies) => u32::from(plies.unsigned_abs()),
        None => LONGEST * u32::from(MAX_DEPTH.min(depth.unsigned_abs().into())) + UNSEEN,
    };
    clock + plies <= FIFTY_MOVES
}

/// Plies that extensions may add beyond twice the depth.
const UNSEEN: u32 = 40;
/// The number of plies without a capture or pawn move that ends the game, unless one side is mated.
const FIFTY_MOVES: u32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_taken_from_the_table_only_where_it_comes_in_time() {
        let mate = Score::win_in(5);
        assert!(is_in_time(mate, 5, 95) && !is_in_time(mate, 5, 96));
        let lost = Score::loss_in(8);
        assert!(is_in_time(lost, 8, 92) && !is_in_time(lost, 8, 93));
        assert!(is_in_time(Score::new(700), 9, 99), "no mate");
        assert!(is_in_time(Score::SOME_WIN, 10, 40));
        assert!(!is_in_time(Score::SOME_LOSS, 10, 41));
    }

    #[test]
    fn that_no_mate_was_found_is_no_find() {
        assert!(is_found(Score::win_in(5), Bound::Lower));
        assert!(is_found(Score::loss_in(4), Bound::Upper));
        assert!(!is_found(Score::win_in(5), Bound::Upper));
        assert!(!is_found(Score::loss_in(4), Bound::Lower));
        assert!(!is_found(Score::new(30), Bound::Exact));
    }
}
