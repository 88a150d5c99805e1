//! Exact copies of a tree.

use super::finished::LastStep;
use super::numbers::NumbersSlot;
use super::{BeliefSlot, Node, Tree};

impl Tree {
    /// Returns a tree with the same nodes and beliefs at the same places, and the same free places: a search that
    /// continues in the copy does what it would have done in the original.
    ///
    /// No thread may write to the tree meanwhile. `benches/debugger.rs` measures the cost.
    pub fn copy(&self) -> Tree {
        self.copy_while(|| true).expect("nobody stopped it")
    }

    /// Like [`Tree::copy`], but stops and returns `None` as soon as `goes_on` returns false: copying a large tree takes
    /// longer than a user should wait for a search to stop.
    pub fn copy_while(&self, goes_on: impl Fn() -> bool + Sync) -> Option<Tree> {
        Some(Tree {
            nodes: self.nodes.copy_while(Node::copy, &goes_on)?,
            keeps_beliefs: self.keeps_beliefs,
            beliefs: self.beliefs.copy_while(BeliefSlot::copy, &goes_on)?,
            numbers: self.numbers.copy_while(NumbersSlot::copy, &goes_on)?,
            family: self.family,
            scale: self.scale,
            grid: self.grid.clone(),
            record_plies: self.record_plies,
            failures: self.failures.clone(),
            rerooting: self.rerooting.clone(),
            last_step: self.last_step.clone(),
            held: LastStep::default(),
            told: self.told.clone(),
        })
    }
}
