//! The game moves on: another node takes the root's place, and what it leaves behind makes room for new nodes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::arena::share_a_chunk;
use super::{Fate, Node, NodeId, Tree};

/// What matters when the game moves on. Locked for a moment at a time, and by a search only where it finds a two-fold
/// repetition, and for new children once the arena is used up.
#[derive(Debug, Default)]
pub(super) struct Moved(Mutex<State>);

#[derive(Clone, Debug, Default)]
struct State {
    /// Two-fold repetitions within the tree, each behind the node that follows the first occurrence on its way: 8 bytes
    /// each. Only hints: the nodes themselves tell whether they are such still.
    two_folds: Vec<(NodeId, NodeId)>,
    /// Blocks of children that nobody can reach any more and nobody has looked through yet: first place, count. What
    /// hangs below them is found when their places are needed, so leaving a tree behind costs nothing.
    unsorted: Vec<(u32, u16)>,
    /// Cleared places that lie side by side: their first ones, by count.
    free: BTreeMap<u16, Vec<u32>>,
    /// A block of children found no room here.
    refused: bool,
}

impl Clone for Moved {
    fn clone(&self) -> Self {
        Moved(Mutex::new(self.lock().clone()))
    }
}

/// One line for all that decides which places are given out next.
impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        write!(f, "{:?} {:?}", state.unsorted, state.free)
    }
}

impl Moved {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there are places that were left behind, and they were enough so far.
    pub fn has_places(&self) -> bool {
        let state = self.lock();
        let some = !state.unsorted.is_empty() || !state.free.is_empty();
        some && !state.refused
    }
}

impl State {
    /// `count` cleared places side by side, from the shortest stretch that has so many.
    fn take_free(&mut self, count: u16) -> Option<u32> {
        let (&length, _) = self.free.range(count..).next()?;
        let places = self.free.get_mut(&length)?;
        let first = places.pop()?;
        if places.is_empty() {
            self.free.remove(&length);
        }
        if length > count {
            let rest = self.free.entry(length - count).or_default();
            rest.push(first + u32::from(count));
        }
        Some(first)
    }

    /// Joins free stretches that lie side by side.
    fn join_free(&mut self) {
        let free = std::mem::take(&mut self.free).into_iter();
        let mut stretches: Vec<(u32, u16)> = free
            .flat_map(|(length, places)| places.into_iter().map(move |first| (first, length)))
            .collect();
        stretches.sort_unstable();
        // As `dedup_by` has it, the second is the one before.
        stretches.dedup_by(|next, last| {
            let joins = last.0 + u32::from(last.1) == next.0 && share_a_chunk(last.0, next.0);
            if joins {
                last.1 += next.1;
            }
            joins
        });
        for (first, length) in stretches {
            self.free.entry(length).or_default().push(first);
        }
    }
}

impl Tree {
    /// Best-first: the game moved on to `to`. What that node is stands at [`Tree::ROOT`] from now on, with its children
    /// and all below them at the places they had. Everything else is left behind: it can't be reached any more, and
    /// its places are given out again when the arena is used up.
    ///
    /// The cost goes with the children of the two nodes, not with the tree. Whether proofs and visits are still what they
    /// should be at a root is the search's business.
    ///
    /// Only while no thread reads the tree or writes to it. Ids of nodes that were left behind mean nothing any more.
    pub fn move_root(&self, to: NodeId) {
        if to == Self::ROOT {
            return;
        }
        let (root, node) = (self.node(Self::ROOT), self.node(to));
        let left = (root.first_child().0, root.child_count());
        // Of the nodes below the new root as many were spent on hunts as of all.
        let hunted = f64::from(root.hunted()) * node.nodes() as f64 / root.nodes().max(1) as f64;
        // The way up from what is left behind does not end at the root.
        for child in self.children_block(root) {
            child.set_parent(NodeId::NONE);
        }
        for child in self.children_block(node) {
            child.set_parent(Self::ROOT);
        }
        root.assign(node);
        root.become_root();
        root.add_hunted(hunted as u32);
        node.assign(&Node::default());
        let mut state = self.moved.lock();
        state.unsorted.push(left);
        state.refused = false;
    }

    /// Room for the children of a node where once others were. `None` where nothing that was left behind is large enough.
    #[cold]
    pub(super) fn take_left_behind(&self, count: u32) -> Option<u32> {
        let count = u16::try_from(count).ok()?;
        let mut state = self.moved.lock();
        loop {
            if let Some(first) = state.take_free(count) {
                return Some(first);
            }
            let Some((first, length)) = state.unsorted.pop() else {
                state.join_free();
                let found = state.take_free(count);
                state.refused = found.is_none();
                return found;
            };
            for node in self.block(NodeId(first), length) {
                if !node.first_child().is_none() {
                    let below = (node.first_child().0, node.child_count());
                    state.unsorted.push(below);
                }
                node.assign(&Node::default());
            }
            state.free.entry(length).or_default().push(first);
        }
    }

    /// Notes that a node repeats a position within the tree for the first time. `following`: the node after the first
    /// occurrence on the way there.
    pub fn note_two_fold(&self, following: NodeId, node: NodeId) {
        self.moved.lock().two_folds.push((following, node));
    }

    /// Takes the two-fold repetitions off the list whose first occurrence has left the tree: `passed` are the nodes the
    /// game went through, the new root's old place last. To be called after [`Tree::move_root`].
    pub fn take_two_folds(&self, passed: &[NodeId]) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut state = self.moved.lock();
        state.two_folds.retain(|(following, node)| {
            let concerned = passed.contains(following);
            if concerned {
                found.push(*node);
            }
            !concerned
        });
        drop(state);
        found.retain(|&node| self.repeats_the_past(node));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a node stands for a two-fold repetition of a position before the root.
    fn repeats_the_past(&self, id: NodeId) -> bool {
        let Fate::Repetition {
            times: 1,
            plies_back,
        } = self.node(id).fate()
        else {
            return false;
        };
        let path = self.path(id);
        path.first() == Some(&Self::ROOT) && path.len() <= usize::from(plies_back)
    }
}
