//! What a person forces on a search: moves it may not look at.

use std::collections::BTreeMap;

use crate::game::MoveCode;
use crate::tree::NodeId;

/// Moves taken out of the search at single nodes. Empty for an ordinary search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    excluded: BTreeMap<NodeId, Vec<MoveCode>>,
}

impl Choices {
    /// Takes a move out at a node, or lets it back in.
    pub fn set(&mut self, node: NodeId, m: MoveCode, excluded: bool) {
        let moves = self.excluded.entry(node).or_default();
        moves.retain(|&known| known != m);
        if excluded {
            moves.push(m);
            moves.sort_unstable();
        }
        if moves.is_empty() {
            self.excluded.remove(&node);
        }
    }

    /// The moves taken out at a node, sorted.
    #[must_use]
    pub fn excluded(&self, node: NodeId) -> &[MoveCode] {
        self.excluded.get(&node).map_or(&[], Vec::as_slice)
    }

    #[must_use]
    pub fn excludes(&self, node: NodeId, m: MoveCode) -> bool {
        self.excluded(node).binary_search(&m).is_ok()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.excluded.is_empty()
    }

    /// The nodes where a move was taken out.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.excluded.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_goes_out_and_comes_back() {
        let mut choices = Choices::default();
        let (node, m) = (NodeId(7), MoveCode(3));
        choices.set(node, m, true);
        choices.set(node, MoveCode(1), true);
        choices.set(node, m, true);
        assert_eq!(choices.excluded(node), [MoveCode(1), m]);
        assert!(choices.excludes(node, m) && !choices.excludes(NodeId(8), m));
        choices.set(node, m, false);
        choices.set(node, MoveCode(1), false);
        assert_eq!(choices, Choices::default());
    }
}
