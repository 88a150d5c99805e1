//! The moves at a node counted by what became of them: searched, proven, cut, futile, late …

use session::Reader;
use tree::{FateRole, NodeId, NodeView};

/// Moves at a node of which the same became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    pub name: &'static str,
    /// The letter of the fate that came first.
    pub letter: char,
    pub role: FateRole,
    pub count: usize,
    /// Whether the search looked at none of them.
    pub unsearched: bool,
}

/// Whether the search did not look at a move, by a decision or because it has not come to it.
pub fn is_unsearched(view: &NodeView) -> bool {
    view.fate.is_skip() || view.fate == tree::Fate::Unvisited && !view.proof.is_certain()
}

/// Returns the moves at a node in groups: first those that were searched, each kind with the larger group first. `views` are
/// those of its moves, from any view.
pub fn gauge<'a>(views: impl Iterator<Item = &'a NodeView>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for view in views {
        let info = view.fate.info();
        let proven = view.proof.is_certain() && !is_unsearched(view);
        let (name, role) = match proven {
            true => ("proven", FateRole::Proven),
            false => (info.group, info.role),
        };
        match groups.iter_mut().find(|g| g.name == name) {
            Some(group) => group.count += 1,
            None => groups.push(Group {
                name,
                letter: if proven { '!' } else { info.letter },
                role,
                count: 1,
                unsearched: is_unsearched(view),
            }),
        }
    }
    groups.sort_by_key(|g| (g.unsearched, std::cmp::Reverse(g.count)));
    groups
}

/// Returns the groups of the moves at a node; a null move is not among them.
pub fn of_node(reader: &Reader, parent: NodeId) -> Vec<Group> {
    let standings = reader.standings(parent);
    let moves = standings.iter().map(|s| &s.view);
    gauge(moves.filter(|v| v.move_code.is_move()))
}
