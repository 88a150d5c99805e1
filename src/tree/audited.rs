//! Failed audits: moves and nodes left out for which a search outside the score found that this was wrong.

use std::sync::{Mutex, PoisonError};

use super::{Audit, NodeId, NodeView, Tree};

/// The maximum number of failures kept. Nothing reads more, and an unlimited list would be a memory leak.
const MOST: usize = 1 << 16;

/// The nodes at which an audit failed at some time, in the order of the failures; some occur twice.
#[derive(Debug, Default)]
pub(super) struct Failures(Mutex<Vec<NodeId>>);

impl Clone for Failures {
    fn clone(&self) -> Self {
        Failures(Mutex::new(self.list().clone()))
    }
}

impl Failures {
    fn list(&self) -> std::sync::MutexGuard<'_, Vec<NodeId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tree {
    /// Returns the nodes at which an audit failed at some time, in the order of the failures.
    pub(super) fn noted_failures(&self) -> Vec<NodeId> {
        self.failures.list().clone()
    }

    /// Sets what [`Tree::noted_failures`] returns.
    pub(super) fn note_failures(&self, failures: Vec<NodeId>) {
        *self.failures.list() = failures;
    }

    /// Stores the result of an audit at the pruned node: that of the skipped move, or the one that was cut off.
    pub fn set_audit(&self, id: NodeId, audit: Audit) {
        let node = self.node(id);
        let mut treatment = node.treatment();
        treatment.audit = Some(audit);
        node.set_treatment(treatment);
        if audit.failed {
            let mut list = self.failures.list();
            if list.len() < MOST {
                list.push(id);
            }
        }
    }

    /// Returns the nodes whose latest decision an audit found wrong ("pruned, but it was best"), in the order of the
    /// tree: earlier siblings with everything below them come first. The cost depends on the number of failed audits,
    /// not on the size of the tree.
    pub fn failed_audits(&self) -> Vec<NodeId> {
        let list = self.failures.list().clone();
        let mut paths: Vec<Vec<NodeId>> = list
            .into_iter()
            .filter(|&id| self.contains(id) && self.has_failed_audit(id))
            .map(|id| self.path(id))
            .collect();
        paths.sort_unstable();
        paths.dedup();
        paths
            .into_iter()
            .filter_map(|path| path.last().copied())
            .collect()
    }

    /// See [`NodeView::audit`].
    pub fn has_failed_audit(&self, id: NodeId) -> bool {
        let node = self.node(id);
        self.family == super::Family::DepthFirst
            && node.treatment().audit.is_some_and(|a| a.failed)
            && node.fate().is_auditable()
    }
}

impl NodeView {
    /// Returns the audit of the decision in the fate; `None` if it was not audited, or if the search itself has
    /// searched the move or node since.
    pub fn audit(&self) -> Option<Audit> {
        self.treatment.audit.filter(|_| self.fate.is_auditable())
    }
}
