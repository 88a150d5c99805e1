//! Moves that the user took out of a depth-first search.

use std::collections::BTreeSet;

use game::{MoveCode, Sided as _};
use search::choices::{self, Choices};
use tree::{Bound, Fate, NodeId, Proof, Tree, Window};

/// Brings a depth-first tree in line with new choices. Values stay as they were found until the search visits them
/// again; only what was proven is withdrawn, and the best move that was taken out with the value that came from it.
pub fn apply(tree: &Tree, choices: &Choices, changed: &BTreeSet<NodeId>) {
    tree.return_to_step();
    for &id in changed {
        for child in choices::toggled(tree, choices, id) {
            choices::toggle(tree, child);
        }
        for concerned in tree.path(id) {
            tree.node(concerned).set_proof(Proof::OPEN);
        }
        let node = tree.node(id);
        let known = node.window();
        let is_withdrawn = known.bound == Bound::None;
        if let Some(best) = node.fate().best()
            && (is_withdrawn || choices.excludes(id, best))
        {
            node.set_window(Window {
                bound: Bound::None,
                ..known
            });
            node.set_fate(Fate::Expanded {
                best: best_of_the_rest(tree, id),
                searched: 0,
                skipped: 0,
                moves: node.child_count().min(255) as u8,
                margin: 0,
            });
        }
    }
    if let Some((iteration, _)) = tree.last_step() {
        tree.finish_step(iteration, None);
    }
}

/// The best recorded move among those that were not taken out.
fn best_of_the_rest(tree: &Tree, id: NodeId) -> MoveCode {
    tree.children(id)
        .map(|child| tree.node(child))
        .filter(|child| child.visits() > 0 && !child.is_excluded())
        .max_by_key(|child| {
            let window = child.window().one_ply_up();
            (window.bound != Bound::Upper, window.value)
        })
        .map_or(MoveCode::NONE, |child| child.move_code())
}
