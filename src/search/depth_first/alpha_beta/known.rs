//! What the transposition table knows of a node, and what it is told.

use super::AlphaBeta;
use crate::game::{Game, MoveCode, Score};
use crate::search::Probe;
use crate::search::depth_first::context::Visit;
use crate::search::depth_first::table::{Entry, Table};
use crate::tree::{Bound, Fate};

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    /// The table, where a node deals with it: one ply from the horizon a search costs less than the wait for its
    /// memory.
    #[inline]
    fn table_for(&self, visit: &Visit) -> Option<&'a Table> {
        self.table.filter(|_| visit.depth > 1 && !visit.on_choices)
    }

    /// What the table knows of a node just entered.
    #[inline]
    pub(super) fn known<G: Game>(&self, visit: &Visit, position: &G) -> Option<Entry> {
        let asked = self.again.is_none() || visit.node != self.again;
        let table = self.table_for(visit).filter(|_| asked)?;
        table.get(position.key())
    }

    /// Tells the table what a node's moves brought.
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

/// Whether a table entry ends the visit: never at the root nor inside an open window, where the line is wanted; where a
/// short mate is at stake (`exact`) only by a mate, since any other value may come of pruning.
pub(in crate::search::depth_first) fn cutoff(
    entry: &Entry,
    visit: &Visit,
    exact: bool,
) -> Option<Fate> {
    if exact && !entry.value.is_decided() {
        return None;
    }
    if visit.ply == 0 || !visit.is_null_window() || i32::from(entry.depth) < visit.depth {
        return None;
    }
    let usable = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= visit.beta,
        Bound::Upper => entry.value <= visit.alpha,
        Bound::None => false,
    };
    usable.then_some(Fate::TableHit {
        value: entry.value,
        depth: entry.depth.max(0) as u8,
        bound: entry.bound,
    })
}
