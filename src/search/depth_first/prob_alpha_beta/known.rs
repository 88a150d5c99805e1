//! What the table knows of a node, and what it is told.

use super::{Place, ProbAlphaBeta, as_u16};
use crate::belief::Cdf;
use crate::game::{Game, MoveCode};
use crate::search::Probe;
use crate::search::depth_first::context::Visit;
use crate::search::depth_first::prob_node::Found;
use crate::search::depth_first::prob_table::{BeliefEntry, BeliefTable};
use crate::tree::Fate;

impl<'a, E, P: Probe> ProbAlphaBeta<'a, E, P> {
    /// The table, where a node deals with it: one ply from the horizon a search costs less than the wait for its
    /// memory.
    #[inline]
    fn table_for(&self, visit: &Visit) -> Option<&'a BeliefTable> {
        self.table.filter(|_| visit.depth > 1 && !visit.on_choices)
    }

    /// What the table knows of a node just entered.
    #[inline]
    pub(super) fn known<G: Game>(&self, visit: &Visit, position: &G) -> Option<BeliefEntry> {
        let asked = self.again.is_none() || visit.node != self.again;
        let table = self.table_for(visit).filter(|_| asked)?;
        table.get(position.key())
    }

    /// Whether what the table has decides this visit at the confidence level.
    pub(super) fn decides(&self, entry: &BeliefEntry, place: &Place) -> bool {
        place.ply > 0
            && i32::from(entry.depth) >= place.depth
            && entry.confidence >= as_u16(self.confidence)
            && entry.decides(place.alpha, place.beta, self.confidence)
    }

    /// Leaves a node that the table decides.
    pub(super) fn table_hit(&mut self, place: &Place, visit: Visit, entry: &BeliefEntry) -> Found {
        let found = Found::new(
            &entry.belief,
            entry.belief.mean(self.tree.grid()),
            entry.point,
            entry.bound,
        );
        let value = found.score(self.tree.scale());
        let fate = Fate::TableHit {
            value,
            depth: entry.depth.max(0) as u8,
            bound: entry.bound,
        };
        self.pen.write(visit.node, &found.q);
        self.context.leave_as(visit, value, entry.bound, None, fate);
        found.against(place.beta, self.confidence)
    }

    /// Tells the table what a node's moves brought.
    pub(super) fn remember(&self, key: u64, visit: &Visit, best: MoveCode, found: &Found) {
        let Some(table) = self.table_for(visit) else {
            return;
        };
        let entry = BeliefEntry {
            belief: Cdf::from_f32(&found.q),
            best,
            point: found.point,
            depth: visit.depth as i8,
            bound: found.bound,
            confidence: as_u16(self.confidence),
        };
        table.put(key, &entry);
    }
}
