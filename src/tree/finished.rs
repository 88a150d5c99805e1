//! The last finished step of a depth-first search: what everything that shows the root and its moves reads.
//!
//! A depth-first search writes a node's figures when it leaves the node. Within an iteration the root's figures are
//! therefore of one iteration and those of its moves of two, and where an iteration failed low the root's are a bound
//! although the iteration before had a value. So the root and its moves are kept as they stood when the last step was
//! finished: an iteration, or within one a move that took the lead from the best one. Below the root's moves the tree is
//! read as it is.
//!
//! A best-first search changes the root and its moves with every visit. While a frame is drawn they can be held as they
//! were at one moment ([`Tree::hold`]), so that no two places of the frame differ.

use std::io::{self, Read, Write};
use std::sync::{Arc, PoisonError, RwLock};

use super::arena::Stored;
use super::binary::{self, Damaged};
use super::{BeliefSlot, Bound, Family, Fate, Node, NodeId, Tree, Window};
use belief::Cdf;
use game::{MoveCode, Sided as _};

/// The longest line that is kept with a move.
const LONGEST: usize = 64;

/// The root or one of its moves as it stood.
#[derive(Debug)]
struct Entry {
    id: NodeId,
    node: Node,
    belief: Option<BeliefSlot>,
    /// The best line from the node on, as far as each node named its best move.
    line: Vec<MoveCode>,
}

#[derive(Debug)]
pub(super) struct Finished {
    iteration: u8,
    /// Whether the iteration was finished; otherwise a move took the lead within it.
    whole: bool,
    /// Sorted by id; the root is the first.
    entries: Vec<Entry>,
    /// Of a held step: the move that would be played.
    best: Option<MoveCode>,
}

/// The last finished step; `None` before the first.
#[derive(Debug, Default)]
pub(super) struct LastStep(RwLock<Option<Arc<Finished>>>);

/// What the root is worth when a move has taken the lead within an iteration: the search has not left the root, so its
/// node does not say so yet.
#[derive(Clone, Debug)]
pub struct Lead {
    pub window: Window,
    pub fate: Fate,
    pub belief: Option<Cdf>,
}

impl Clone for LastStep {
    fn clone(&self) -> Self {
        LastStep(RwLock::new(self.get()))
    }
}

impl LastStep {
    fn get(&self) -> Option<Arc<Finished>> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        kept.clone()
    }

    fn set(&self, step: Option<Finished>) {
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *kept = step.map(Arc::new);
    }
}

impl Finished {
    fn entry(&self, id: NodeId) -> Option<&Entry> {
        let at = self.entries.binary_search_by_key(&id, |entry| entry.id);
        at.ok().map(|at| &self.entries[at])
    }
}

impl Tree {
    /// Keeps the root and its moves as they are now: an iteration was finished or, with `lead`, a move has taken the
    /// lead within one. Only the thread that records may call this.
    pub fn finish_step(&self, iteration: u8, lead: Option<&Lead>) {
        let mut entries: Vec<Entry> = std::iter::once(Self::ROOT)
            .chain(self.children(Self::ROOT))
            .filter(|&id| id == Self::ROOT || self.node(id).visits() > 0)
            .map(|id| self.entry_now(id))
            .collect();
        entries.sort_unstable_by_key(|entry| entry.id);
        if let Some(lead) = lead {
            let best = lead.fate.best();
            let mut of_best = entries.iter().skip(1);
            let of_best = of_best.find(|entry| Some(entry.node.move_code()) == best);
            let line = of_best.map_or_else(Vec::new, |entry| entry.line.clone());
            let root = &mut entries[0];
            root.line = best.into_iter().chain(line).collect();
            root.node.set_window(lead.window);
            root.node.set_fate(lead.fate);
            root.node.set_visits(root.node.visits().max(1));
            let (static_value, _) = root.node.static_and_iteration();
            root.node
                .set_static_and_iteration(static_value, iteration, false);
            if let (Some(belief), true) = (&lead.belief, self.keeps_beliefs) {
                let slot = BeliefSlot::default();
                slot.write(&belief.clone().negated());
                root.belief = Some(slot);
            }
        }
        let step = Finished {
            iteration,
            whole: lead.is_none(),
            entries,
            best: None,
        };
        self.settle_best(&step);
        self.last_step.set(Some(step));
    }

    /// Gives the best move the root's own value where passes with null windows, which were over the root's value and not
    /// over each move's, left another bound with it.
    fn settle_best(&self, step: &Finished) {
        let root = &step.entries[0].node;
        let Some(best) = root.fate().best() else {
            return;
        };
        let found = |entry: &&Entry| entry.node.move_code() == best && entry.id != Self::ROOT;
        if let Some(entry) = step.entries.iter().find(found) {
            let (own, of_root) = (entry.node.window(), root.window());
            let bound = of_root.bound.turned();
            if !self.keeps_beliefs && own.bound != bound && bound != Bound::None {
                entry.node.set_window(Window {
                    value: of_root.value.one_ply_down(),
                    bound,
                    ..own
                });
            }
        }
    }

    fn entry_now(&self, id: NodeId) -> Entry {
        let node = self.node(id);
        let place = self.belief_place(node);
        let belief = (place != 0).then(|| self.belief_slot(place).copy());
        let mut line = Vec::new();
        let mut at = id;
        while line.len() < LONGEST
            && let Some(best) = self.node(at).fate().best()
        {
            line.push(best);
            match self.child_by_move(at, best) {
                Some(child) => at = child,
                None => break,
            }
        }
        Entry {
            id,
            node: node.copy(),
            belief,
            line,
        }
    }

    /// Writes to the root and its moves what they were when the last step was finished, in place of what a step that was
    /// not finished has written since. No thread may search meanwhile.
    pub fn return_to_step(&self) {
        let Some(step) = self.last_step.get() else {
            return;
        };
        for Entry {
            id, node, belief, ..
        } in &step.entries
        {
            let now = self.node(*id);
            if now.is_searched_again() {
                continue;
            }
            now.set_window(node.window());
            now.set_fate(node.fate());
            let (static_value, iteration) = node.static_and_iteration();
            now.set_static_and_iteration(static_value, iteration, false);
            if node.is_improving() {
                now.set_improving();
            }
            let place = self.belief_place(now);
            if let (Some(belief), true) = (belief, place != 0) {
                self.belief_slot(place).write(&belief.read());
            }
        }
    }

    /// Returns the iteration of the last finished step, and whether the iteration was finished; otherwise a move took
    /// the lead within it. `None` before the first step, and in trees that have no steps.
    pub fn last_step(&self) -> Option<(u8, bool)> {
        let step = self.last_step.get()?;
        Some((step.iteration, step.whole))
    }

    /// Best-first: from now on, until [`Tree::release`], the root and its moves are read as they are at this moment, while
    /// the search goes on; `best` is the move that would be played. For what is drawn together. Does nothing in a
    /// depth-first tree, whose last step is as steady.
    pub fn hold(&self, best: Option<MoveCode>) {
        if self.family != Family::BestFirst {
            return;
        }
        let ids = std::iter::once(Self::ROOT).chain(self.children(Self::ROOT));
        let mut entries: Vec<Entry> = ids
            .map(|id| {
                let node = self.node(id).copy();
                let place = self.belief_place(&node);
                let belief = (place != 0).then(|| {
                    let (from, to) = (self.belief_slot(place), BeliefSlot::default());
                    if from.is_written() {
                        to.write(&from.read());
                    }
                    to
                });
                Entry {
                    id,
                    node,
                    belief,
                    line: Vec::new(),
                }
            })
            .collect();
        entries.sort_unstable_by_key(|entry| entry.id);
        self.held.set(Some(Finished {
            iteration: 0,
            whole: true,
            entries,
            best,
        }));
    }

    /// Lets everything read the tree as it is again.
    pub fn release(&self) {
        if self.family == Family::BestFirst {
            self.held.set(None);
        }
    }

    /// Returns the move that would be played, if the root is held.
    pub fn held_best(&self) -> Option<MoveCode> {
        match self.family {
            Family::BestFirst => self.held.get()?.best,
            Family::DepthFirst => None,
        }
    }

    /// Runs `read` on the root or one of its moves as it stood when the last step was finished, or as it is held. `None`
    /// for other nodes, and for one that a depth-first search has searched again on its own since.
    fn at_last_step<T>(&self, id: NodeId, read: impl FnOnce(&Entry) -> T) -> Option<T> {
        let node = self.node(id);
        if id != Self::ROOT && node.parent() != Self::ROOT {
            return None;
        }
        let step = match self.family {
            Family::BestFirst => self.held.get()?,
            Family::DepthFirst if node.is_searched_again() => return None,
            Family::DepthFirst => self.last_step.get()?,
        };
        step.entry(id).map(read)
    }

    /// Returns the node as it stood when the last step was finished, if it is the root or one of its moves.
    pub(super) fn node_at_last_step(&self, id: NodeId) -> Option<Node> {
        self.at_last_step(id, |entry| entry.node.copy())
    }

    /// Returns the belief that a node had then, from the view that slots have.
    pub(super) fn belief_at_last_step(&self, id: NodeId) -> Option<Option<Cdf>> {
        self.at_last_step(id, |entry| {
            let written = entry.belief.as_ref().filter(|slot| slot.is_written());
            written.map(BeliefSlot::read)
        })
    }

    /// Returns the line that was best from a node on when the last step was finished, as far as each node named its best
    /// move. `None` for nodes other than the root and its moves, which are read as they are.
    pub fn line_at_last_step(&self, id: NodeId) -> Option<Vec<MoveCode>> {
        self.at_last_step(id, |entry| entry.line.clone())
    }

    /// Returns the line that was expected after a move of the root when the last step was finished, as far as it was
    /// recorded. The move comes first.
    pub fn root_line_at_last_step(&self, first: MoveCode) -> Vec<MoveCode> {
        let child = self.child_by_move(Self::ROOT, first);
        let after = child.and_then(|child| self.line_at_last_step(child));
        std::iter::once(first)
            .chain(after.into_iter().flatten())
            .collect()
    }

    /// Returns a node's fate as [`Tree::view`] has it.
    pub fn fate(&self, id: NodeId) -> Fate {
        self.at_last_step(id, |entry| entry.node.fate())
            .unwrap_or_else(|| self.node(id).fate())
    }

    pub(super) fn write_step(&self, out: &mut dyn Write) -> io::Result<()> {
        let step = self.last_step.get();
        let Some(step) = step else {
            return binary::write_words(out, &[0]);
        };
        let kind = if step.whole { 1 } else { 2 };
        binary::write_words(
            out,
            &[kind, step.iteration.into(), step.entries.len() as u32],
        )?;
        for entry in &step.entries {
            let mut node = [0; Node::WORDS];
            entry.node.to_words(&mut node);
            binary::write_words(out, &[entry.id.0])?;
            binary::write_words(out, &node)?;
            let belief = entry.belief.as_ref().map_or_else(Vec::new, |slot| {
                let mut words = vec![0; BeliefSlot::WORDS];
                slot.to_words(&mut words);
                words
            });
            binary::write_list(out, belief.into_iter())?;
            binary::write_list(out, entry.line.iter().map(|code| u32::from(code.0)))?;
        }
        Ok(())
    }

    pub(super) fn read_step(&self, input: &mut dyn Read) -> io::Result<()> {
        let damaged = || io::Error::from(Damaged("the last step"));
        let [kind] = binary::read_words::<1>(input)?;
        if kind == 0 {
            return Ok(());
        }
        let [iteration, count] = binary::read_words::<2>(input)?;
        let mut entries: Vec<Entry> = Vec::new();
        for _ in 0..count {
            let [id] = binary::read_words::<1>(input)?;
            let id = NodeId(id);
            let follows = match entries.last() {
                None => id == Self::ROOT,
                Some(last) => last.id < id,
            };
            if !follows || !self.contains(id) {
                return Err(damaged());
            }
            let node = Node::of_words(&binary::read_words::<{ Node::WORDS }>(input)?);
            let belief = binary::read_list(input)?;
            let belief = match belief.len() {
                0 => None,
                BeliefSlot::WORDS => Some(BeliefSlot::of_words(&belief)),
                _ => return Err(damaged()),
            };
            let line = binary::read_list(input)?.into_iter();
            entries.push(Entry {
                id,
                node,
                belief,
                line: line.map(|code| MoveCode(code as u16)).collect(),
            });
        }
        if entries.is_empty() {
            return Err(damaged());
        }
        self.last_step.set(Some(Finished {
            iteration: u8::try_from(iteration).map_err(|_| damaged())?,
            whole: kind == 1,
            entries,
            best: None,
        }));
        Ok(())
    }
}
