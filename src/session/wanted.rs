//! Kinds of nodes and moves to look for or to show: by fate, by proof, by what an audit found.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Before, Key, Reader};
use game::MoveCode;
use tree::{Class, DepthChange, FATES, Family, Fate, FateInfo, NodeId, Tree};

/// A kind of nodes, and of moves without a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The search looked at it.
    Searched,
    /// The search decided to skip it: futility, cut-offs, losing captures.
    Pruned,
    /// One move was enough, so the rest were cut off.
    Cut,
    /// The result is certain.
    Proven,
    /// An audit found that the rule that pruned it was wrong.
    FailedAudit,
    /// Searched less or more deeply than one ply less than its parent.
    DepthChanged,
    /// Has one of these fates, one bit for each [`Fate::kind`].
    Fates(u32),
    /// Has the reason of this name that another program declared.
    Declared(&'static str),
    /// Its value does not follow from its moves.
    Unexplained,
    /// The rules do not have its move: another program made it all the same.
    Illegal,
    /// It is this position.
    Position(Key),
    /// Its value is not what it was then.
    Changed(Arc<Before>),
    /// One of these moves, each with the node at which it is played.
    Among(Arc<HashSet<(NodeId, MoveCode)>>),
}

/// Returns the fates of which `has` is true, one bit each.
fn bits(has: impl Fn(&FateInfo) -> bool) -> u32 {
    let all = FATES.iter().enumerate();
    all.fold(0, |bits, (i, fate)| bits | u32::from(has(fate)) << i)
}

fn is_declared(fate: Fate, name: &str) -> bool {
    matches!(fate, Fate::Told { .. }) && fate.name() == name
}

impl Wanted {
    /// Whether a recorded node is of this kind.
    pub fn fits(&self, reader: Reader, id: NodeId) -> bool {
        let tree = reader.tree;
        let node = tree.node(id);
        match self {
            Wanted::Searched => {
                let fate = node.fate();
                !fate.is_skip() && (node.visits() > 0 || !matches!(fate, Fate::Unvisited))
            }
            Wanted::Pruned => node.fate().is_skip(),
            Wanted::Cut => node.fate().is_cutoff(),
            Wanted::Proven => node.proof().is_certain(),
            Wanted::FailedAudit => tree.has_failed_audit(id),
            Wanted::DepthChanged => {
                tree.family() == Family::DepthFirst
                    && node.treatment().depth != DepthChange::None
                    && !node.fate().is_skip()
            }
            Wanted::Fates(bits) => bits >> node.fate().meant() & 1 == 1,
            Wanted::Declared(name) => is_declared(node.fate(), name),
            Wanted::Unexplained => tree.unexplained(id).is_some(),
            Wanted::Illegal => reader.is_illegal(id),
            Wanted::Position(key) => reader.is_at(id, *key),
            Wanted::Changed(before) => before.differs(tree, id),
            Wanted::Among(moves) => moves.contains(&(node.parent(), node.move_code())),
        }
    }

    /// Whether a legal move without a node is of this kind; `fate` is asked for only where it matters.
    pub fn fits_withheld(&self, fate: impl FnOnce() -> Option<Fate>) -> bool {
        match self {
            // The search did not look at it.
            Wanted::Pruned => true,
            Wanted::Fates(bits) => fate().is_some_and(|fate| bits >> fate.meant() & 1 == 1),
            Wanted::Declared(name) => fate().is_some_and(|fate| is_declared(fate, name)),
            _ => false,
        }
    }

    /// Whether moves without a node may be of this kind at a node; that is quicker to see than the moves themselves.
    fn may_be_withheld_at(&self, tree: &Tree, parent: NodeId) -> bool {
        let wanted = match self {
            Wanted::Pruned => bits(|fate| matches!(fate.class, Class::Skip | Class::SiblingCut)),
            Wanted::Fates(bits) => *bits,
            Wanted::Declared(_) => return tree.later(parent).is_some(),
            _ => return false,
        };
        let implied = bits(|fate| fate.implied);
        let cut = bits(|fate| fate.class == Class::SiblingCut);
        let unseen = wanted & (1 << Fate::Unvisited.kind() | 1 << Fate::Unrecorded.kind());
        match tree.node(parent).fate() {
            Fate::Expanded { skipped, .. } if skipped > 0 => wanted & implied | unseen != 0,
            fate if fate.is_cutoff() => wanted & cut | unseen != 0,
            _ => unseen != 0,
        }
    }

    /// Returns the moves without a node at a node that are of this kind.
    pub(super) fn withheld(&self, reader: Reader, parent: NodeId) -> Vec<(MoveCode, Fate)> {
        if !self.may_be_withheld_at(reader.tree, parent) {
            return Vec::new();
        }
        let recorded: HashSet<MoveCode> = reader
            .tree
            .children(parent)
            .map(|id| reader.tree.node(id).move_code())
            .collect();
        let mut moves = reader.fates(parent);
        moves.retain(|(code, fate)| !recorded.contains(code) && self.fits_withheld(|| Some(*fate)));
        moves
    }
}
