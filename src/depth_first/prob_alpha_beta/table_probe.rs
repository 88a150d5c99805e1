//! What probabilistic alpha-beta reads from its table, and what it stores there.

use super::{ProbAlphaBeta, as_u16};
use crate::alpha_beta::table_probe::{cutoff, is_found, is_in_time};
use crate::prob_value::ProbValue;
use game::{Game, MoveCode};
use search::Probe;
use search::common::belief_table::{BeliefEntry, BeliefTable};
use search::common::context::Visit;
use search::common::table::Entry;
use tree::Fate;

impl<'a, E, P: Probe> ProbAlphaBeta<'a, E, P> {
    /// The table, at nodes that use it: one ply from the horizon, a search costs less than waiting for the table's
    /// memory.
    #[inline]
    fn table_for(&self, visit: &Visit) -> Option<&'a BeliefTable> {
        self.table.filter(|_| visit.depth > 1 && !visit.on_choices)
    }

    /// The table's entry for a node just entered.
    #[inline]
    pub(super) fn known<G: Game>(&self, visit: &Visit, position: &G) -> Option<BeliefEntry> {
        let asked = self.root.again.is_none() || visit.node != self.root.again;
        let table = self.table_for(visit).filter(|_| asked)?;
        table.get(self.context.place_in_table(position))
    }

    /// The value of a table entry, where it decides this visit at the confidence level. `exact`: a short mate is at
    /// stake. `clock`: plies since the last move that cannot be undone.
    pub(super) fn decided(
        &self,
        entry: &BeliefEntry,
        visit: &Visit,
        exact: bool,
        clock: u32,
    ) -> Option<ProbValue> {
        let bins = &self.bins;
        let found = match entry.point {
            Some(value) => ProbValue::certain(value, entry.bound, bins),
            None => ProbValue::wide(
                &entry.belief,
                entry.belief.mean(bins.grid()),
                entry.bound,
                None,
            ),
        };
        let decides = if self.certain {
            let point = Entry {
                best: entry.best,
                value: entry.point?,
                depth: entry.depth,
                bound: entry.bound,
                static_value: None,
            };
            cutoff(&point, visit, exact, clock).is_some()
        } else {
            let mate = entry.point.is_some_and(|v| is_found(v, entry.bound));
            let in_time = entry
                .point
                .is_none_or(|v| is_in_time(v, entry.depth, clock));
            visit.ply > 0
                && in_time
                && i32::from(entry.depth) >= visit.depth
                && entry.confidence >= as_u16(self.confidence)
                && (mate || !exact)
                && found.decides(visit.alpha, visit.beta, self.confidence, bins)
        };
        decides.then_some(found)
    }

    /// Leaves a node that the table decides.
    pub(super) fn table_hit(&mut self, visit: Visit, found: ProbValue, depth: i8) -> ProbValue {
        let value = found.score(&self.bins);
        let fate = Fate::TableHit {
            value,
            depth: depth.max(0) as u8,
            bound: found.bound,
        };
        let bound = match found.point {
            Some(value) => visit.bound_of(value),
            None => found.bound,
        };
        self.pen.write(visit.node, || found.shown(&self.bins));
        self.context.leave_as(visit, value, bound, None, fate);
        found.against(visit.beta, self.confidence, &self.bins)
    }

    /// Stores in the table what a node's moves yielded.
    pub(super) fn remember(&self, key: u64, visit: &Visit, best: MoveCode, found: &ProbValue) {
        let Some(table) = self.table_for(visit) else {
            return;
        };
        let entry = BeliefEntry {
            belief: found.bounding(&self.bins),
            best,
            point: found.point,
            depth: visit.depth as i8,
            bound: found.bound,
            confidence: as_u16(self.confidence),
        };
        table.put(key, &entry);
    }
}
