//! Audits prunings: what was pruned is searched after all, outside the score.

use super::context::{Context, Visit};
use crate::control::Aside;
use crate::{Event, Probe, Rule};
use game::{MoveCode, Score};
use tree::{Audit, DepthChange, Fate, NodeId, Treatment};

impl<P: Probe> Context<'_, P> {
    /// Whether something that a rule pruned with `depth` plies remaining is to be audited.
    #[inline]
    pub fn draws_audit(&mut self, fate: Fate, depth: i32) -> bool {
        match &self.auditor {
            Some(auditor) if !auditor.busy => self.draw(fate, depth),
            _ => false,
        }
    }

    #[cold]
    fn draw(&mut self, fate: Fate, depth: i32) -> bool {
        let (Some(rule), Some(auditor)) = (Rule::of(fate), &mut self.auditor) else {
            return false;
        };
        let table = self.worker.control().audit_table();
        table.count(rule, depth);
        auditor.draw()
    }

    /// Begins an audit: what is searched from here on does not count, until [`Context::end_audit`].
    pub fn begin_audit(&mut self) -> Aside {
        self.set_busy(true);
        self.worker.step_aside()
    }

    /// Ends an audit and returns the nodes it took.
    pub fn end_audit(&mut self, aside: Aside) -> u64 {
        self.set_busy(false);
        self.worker.step_back(aside)
    }

    /// Whether the current search is outside the score.
    pub fn is_auditing(&self) -> bool {
        self.auditor.as_ref().is_some_and(|a| a.busy)
    }

    fn set_busy(&mut self, busy: bool) {
        if let Some(auditor) = &mut self.auditor {
            auditor.busy = busy;
        }
    }

    /// Records an audit of the skipped move `m`, which was worth `value` (from its parent's view) when alpha was
    /// `alpha`. It is recorded at the move's node, which is created if it has none.
    pub fn audited_move(
        &mut self,
        visit: &Visit,
        m: MoveCode,
        fate: Fate,
        value: Score,
        alpha: Score,
        nodes: u64,
    ) {
        let failed = value > alpha;
        self.count_audit(fate, visit.depth, value, alpha, failed, nodes);
        let child = self.child(visit.node, NodeId::NONE, m, visit.ply + 1);
        if !child.is_none() {
            let tree = self.recorder.tree();
            tree.node(child).set_fate(fate);
            tree.node(child).set_treatment(Treatment::default());
            tree.set_audit(child, Audit { value, failed });
        }
        self.report_audit(visit, m, fate, value, failed);
    }

    /// Records an audit of a node that was cut off and was worth `value`.
    pub fn audited_node(&mut self, visit: &Visit, fate: Fate, value: Score, nodes: u64) {
        let low = fate.fails_low();
        let bound = if low { visit.alpha } else { visit.beta };
        let failed = if low { value > bound } else { value < bound };
        self.count_audit(fate, visit.depth, value, bound, failed, nodes);
        if !visit.node.is_none() {
            let tree = self.recorder.tree();
            tree.set_audit(visit.node, Audit { value, failed });
        }
        self.report_audit(visit, MoveCode::NONE, fate, value, failed);
    }

    fn count_audit(
        &mut self,
        fate: Fate,
        depth: i32,
        value: Score,
        bound: Score,
        failed: bool,
        nodes: u64,
    ) {
        if let Some(rule) = Rule::of(fate) {
            let scale = self.recorder.tree().scale();
            let table = self.worker.control().audit_table();
            table.add(rule, depth, nodes, failed.then_some((value, bound)), scale);
        }
    }

    fn report_audit(&mut self, visit: &Visit, m: MoveCode, fate: Fate, value: Score, failed: bool) {
        let node = visit.node;
        if !node.is_none() {
            self.emit(|| Event::Audit {
                node,
                m,
                fate,
                value,
                failed,
            });
        }
    }

    /// Records on a node at `ply` how its parent treats the move, before it is searched.
    #[inline]
    pub fn treat(&mut self, child: NodeId, ply: u16, change: DepthChange) {
        if child.is_none() {
            return;
        }
        self.recorder.node(child, ply).set_treatment(Treatment {
            depth: change,
            audit: None,
        });
        if change != DepthChange::None {
            self.emit(|| Event::Depth {
                node: child,
                change,
            });
        }
    }
}
