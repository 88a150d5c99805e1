//! What the user forces on a search: moves that it must not search.

use std::collections::{BTreeMap, BTreeSet};

use game::MoveCode;
use tree::{Family, Fate, NodeId, Tree};

/// Moves taken out of the search at single nodes. Empty for an ordinary search.
///
/// A move is taken out at a *node*, not in its position: where other moves lead to the same position it is still
/// searched. So the value of a node with choices, and of all its ancestors, is that of a restricted game, and the node
/// is marked accordingly ([`tree::Node::rests_on_choices`]). Depth-first searches neither read nor fill their
/// tables there. The tables thus hold only values of the whole game and stay valid whatever is taken out or let back
/// in. Helper threads of a depth-first search know only what was taken out at the root, because they fill the tables.
///
/// Where every move of a node is taken out, none of them is: a search needs at least one.
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

    /// Takes exactly these moves out at a node.
    pub fn replace(&mut self, node: NodeId, moves: &[MoveCode]) {
        let mut moves = moves.to_vec();
        moves.sort_unstable();
        moves.dedup();
        if moves.is_empty() {
            self.excluded.remove(&node);
        } else {
            self.excluded.insert(node, moves);
        }
    }

    /// The moves taken out at a node, sorted.
    pub fn excluded(&self, node: NodeId) -> &[MoveCode] {
        self.excluded.get(&node).map_or(&[], Vec::as_slice)
    }

    pub fn excludes(&self, node: NodeId, m: MoveCode) -> bool {
        self.excluded(node).binary_search(&m).is_ok()
    }

    pub fn is_empty(&self) -> bool {
        self.excluded.is_empty()
    }

    /// The nodes at which a move was taken out.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.excluded.keys().copied()
    }

    /// The choices after the game moved on to the node that was at `place` before ([`Tree::move_root`]): what was taken
    /// out below it stays out.
    pub fn moved_on(&self, tree: &Tree, place: NodeId) -> Choices {
        let kept = self.excluded.iter().filter_map(|(&node, moves)| {
            if node == place {
                return Some((Tree::ROOT, moves.clone()));
            }
            // The choices at the old root are gone with it.
            let below = node != Tree::ROOT && tree.path(node).first() == Some(&Tree::ROOT);
            below.then(|| (node, moves.clone()))
        });
        Choices {
            excluded: kept.collect(),
        }
    }

    /// The nodes at which other moves are taken out than in `other`.
    pub fn differences(&self, other: &Choices) -> BTreeSet<NodeId> {
        let all = self.nodes().chain(other.nodes());
        all.filter(|&n| self.excluded(n) != other.excluded(n))
            .collect()
    }
}

/// The recorded children of a node whose move is taken out or let back in, those taken out first.
pub fn toggled(tree: &Tree, choices: &Choices, id: NodeId) -> Vec<NodeId> {
    let out = |child: &NodeId| choices.excludes(id, tree.node(*child).move_code());
    // Only a best-first tree has all children of a node; a depth-first search checks by itself whether any is left.
    let none_left = tree.family() == Family::BestFirst && tree.children(id).all(|c| out(&c));
    let mut toggled: Vec<NodeId> = tree
        .children(id)
        .filter(|child| tree.node(*child).is_excluded() != (out(child) && !none_left))
        .collect();
    toggled.sort_by_key(|&child| tree.node(child).is_excluded());
    toggled
}

/// Takes a recorded child out, or lets it back in. If nothing is known about it, its fate says so.
pub fn toggle(tree: &Tree, child: NodeId) {
    let node = tree.node(child);
    let out = !node.is_excluded();
    node.set_excluded(out);
    let fate = node.fate();
    let unknown = node.visits() == 0 && node.first_child().is_none();
    if out && unknown {
        node.set_fate(Fate::Excluded);
    } else if fate == Fate::Excluded {
        node.set_fate(Fate::Unvisited);
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
        choices.replace(node, &[MoveCode(5), m, MoveCode(5)]);
        assert_eq!(choices.excluded(node), [m, MoveCode(5)]);
        choices.replace(node, &[]);
        assert_eq!(choices, Choices::default());
    }
}
