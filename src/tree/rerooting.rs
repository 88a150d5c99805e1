//! The game moves on: another node becomes the root, and what is left behind makes room for new nodes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::arena::share_a_chunk;
use super::{Fate, Node, NodeId, Tree};

/// The state needed when the game moves on. It is only locked briefly, and by a search only when it finds a two-fold
/// repetition, or for new children after the arena is used up.
#[derive(Debug, Default)]
pub(super) struct Rerooting(Mutex<State>);

#[derive(Clone, Debug, Default)]
struct State {
    /// Two-fold repetitions within the tree, each after the node that follows the first occurrence on its path: 8 bytes
    /// each. These are only hints; the nodes themselves say whether they are still repetitions.
    two_folds: Vec<(NodeId, NodeId)>,
    /// Blocks of children that can no longer be reached and have not been examined yet: first place and count. What is
    /// below them is found when the places are needed, so leaving a tree behind costs nothing.
    unsorted: Vec<(u32, u16)>,
    /// Cleared places of nodes.
    nodes: Stretches,
    /// Places of the beliefs that those nodes had.
    beliefs: Stretches,
    /// Set when a block of children found no room here.
    refused: bool,
}

/// The state in plain numbers, for a file.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub two_folds: Vec<(u32, u32)>,
    pub unsorted: Vec<(u32, u32)>,
    pub nodes: BTreeMap<u16, Vec<u32>>,
    pub beliefs: BTreeMap<u16, Vec<u32>>,
    pub refused: bool,
}

impl Clone for Rerooting {
    fn clone(&self) -> Self {
        Rerooting(Mutex::new(self.lock().clone()))
    }
}

/// Writes everything that determines which places are handed out next, as one line.
impl fmt::Display for Rerooting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        write!(
            f,
            "{:?} {:?} {:?}",
            state.unsorted, state.nodes.0, state.beliefs.0
        )
    }
}

impl Rerooting {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn places(&self) -> Places {
        let state = self.lock();
        let unsorted = state.unsorted.iter();
        Places {
            two_folds: state
                .two_folds
                .iter()
                .map(|(one, other)| (one.0, other.0))
                .collect(),
            unsorted: unsorted
                .map(|&(first, count)| (first, u32::from(count)))
                .collect(),
            nodes: state.nodes.0.clone(),
            beliefs: state.beliefs.0.clone(),
            refused: state.refused,
        }
    }

    pub fn set_places(&self, places: Places) {
        let two_folds = places.two_folds.into_iter();
        let unsorted = places.unsorted.into_iter();
        *self.lock() = State {
            two_folds: two_folds
                .map(|(one, other)| (NodeId(one), NodeId(other)))
                .collect(),
            unsorted: unsorted
                .map(|(first, count)| (first, count as u16))
                .collect(),
            nodes: Stretches(places.nodes),
            beliefs: Stretches(places.beliefs),
            refused: places.refused,
        };
    }

    /// Whether places were left behind and have so far been sufficient.
    pub fn has_places(&self) -> bool {
        let state = self.lock();
        let some = !state.unsorted.is_empty() || !state.nodes.0.is_empty();
        some && !state.refused
    }
}

/// Stretches of free neighbouring places, as their first places, by length.
#[derive(Clone, Debug, Default)]
struct Stretches(BTreeMap<u16, Vec<u32>>);

impl Stretches {
    /// Takes `count` neighbouring places from the shortest stretch that is long enough.
    fn take(&mut self, count: u16) -> Option<u32> {
        let (&length, _) = self.0.range(count..).next()?;
        let places = self.0.get_mut(&length)?;
        let first = places.pop()?;
        if places.is_empty() {
            self.0.remove(&length);
        }
        if length > count {
            self.give(first + u32::from(count), length - count);
        }
        Some(first)
    }

    fn give(&mut self, first: u32, length: u16) {
        self.0.entry(length).or_default().push(first);
    }

    /// Joins stretches that are adjacent, and takes `count` places then.
    fn join_and_take(&mut self, count: u16) -> Option<u32> {
        let free = std::mem::take(&mut self.0).into_iter();
        let mut stretches: Vec<(u32, u16)> = free
            .flat_map(|(length, places)| places.into_iter().map(move |first| (first, length)))
            .collect();
        stretches.sort_unstable();
        // In `dedup_by` the second argument is the earlier element.
        stretches.dedup_by(|next, last| {
            let joins = last.0 + u32::from(last.1) == next.0 && share_a_chunk(last.0, next.0);
            if joins {
                last.1 += next.1;
            }
            joins
        });
        for (first, length) in stretches {
            self.give(first, length);
        }
        self.take(count)
    }
}

impl Tree {
    /// Best-first: the game has moved on to `to`. That node's content is at [`Tree::ROOT`] from now on, while its
    /// children and everything below stay at their places. Everything else is left behind: it can no longer be reached,
    /// and its places are reused when the arena is used up.
    ///
    /// The cost depends on the children of the two nodes, not on the size of the tree. The search must make sure that
    /// proofs and visits are valid for a root.
    ///
    /// No thread may read or write the tree meanwhile. Ids of nodes left behind become meaningless.
    pub fn move_root(&self, to: NodeId) {
        if to == Self::ROOT {
            return;
        }
        let (root, node) = (self.node(Self::ROOT), self.node(to));
        let left = (root.first_child().0, root.child_count());
        // Assumes that the share of nodes spent on these descents is the same below the new root as in the whole tree.
        let hunted = f64::from(root.hunted()) * node.nodes() as f64 / root.nodes().max(1) as f64;
        // The path upwards from what is left behind must not end at the root.
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
        let mut state = self.rerooting.lock();
        state.unsorted.push(left);
        state.refused = false;
    }

    /// Finds room for the children of a node where other nodes used to be. Returns `None` if nothing left behind is
    /// large enough.
    #[cold]
    pub(super) fn take_left_behind(&self, count: u32) -> Option<u32> {
        let mut state = self.rerooting.lock();
        let found = self.take_from(&mut state, count, |state| &mut state.nodes);
        state.refused = found.is_none();
        found
    }

    /// Like [`Tree::take_left_behind`], for the beliefs of the children of a node.
    #[cold]
    pub(super) fn take_beliefs_left_behind(&self, count: u32) -> Option<u32> {
        let mut state = self.rerooting.lock();
        self.take_from(&mut state, count, |state| &mut state.beliefs)
    }

    /// Clears what was left behind, a block of children after the other, until there are `count` neighbouring places.
    fn take_from(
        &self,
        state: &mut State,
        count: u32,
        places: fn(&mut State) -> &mut Stretches,
    ) -> Option<u32> {
        let count = u16::try_from(count).ok()?;
        loop {
            if let Some(first) = places(state).take(count) {
                return Some(first);
            }
            let Some((first, length)) = state.unsorted.pop() else {
                return places(state).join_and_take(count);
            };
            // Those of one block are neighbours, as a rule.
            let mut beliefs: Option<(u32, u16)> = None;
            for node in self.block(NodeId(first), length) {
                if !node.first_child().is_none() {
                    let below = (node.first_child().0, node.child_count());
                    state.unsorted.push(below);
                }
                let belief = self.belief_place(node);
                if belief != 0 {
                    self.forget_numbers(belief);
                    match &mut beliefs {
                        Some((first, length)) if *first + u32::from(*length) == belief => {
                            *length += 1;
                        }
                        _ => {
                            let run = beliefs.replace((belief, 1));
                            run.into_iter()
                                .for_each(|(first, length)| state.beliefs.give(first, length));
                        }
                    }
                }
                node.assign(&Node::default());
            }
            beliefs
                .into_iter()
                .for_each(|(first, length)| state.beliefs.give(first, length));
            state.nodes.give(first, length);
        }
    }

    /// Records that a node repeats a position within the tree for the first time. `following` is the node after the
    /// first occurrence on the path to it.
    pub fn note_two_fold(&self, following: NodeId, node: NodeId) {
        self.rerooting.lock().two_folds.push((following, node));
    }

    /// Removes from the list, and returns, the two-fold repetitions whose first occurrence has left the tree. `passed`
    /// are the nodes that the game went through, ending with the new root's old place. Must be called after
    /// [`Tree::move_root`].
    pub fn take_two_folds(&self, passed: &[NodeId]) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut state = self.rerooting.lock();
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

    /// Whether a node is a two-fold repetition of a position before the root.
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
