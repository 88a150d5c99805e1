//! When nothing is left to search.
//!
//! Where everything is exact the proofs end a search. Elsewhere (leaves with a spread, repetitions, a limit of depth) a tree
//! can be complete, with no leaf left that could be evaluated or expanded, and yet every visit moves the means. What they
//! tend to is known then: PUCT explores ever less, so it is the minimax of the leaves' means, with what is proven. The search
//! ends once the move played is a best one by that and the root's mean is within [`NEAR`] of it.

use super::select::matters;
use super::{Mcts, OPEN, Relevant};
use crate::search_thread::clamp;
use eval::Evaluator;
use game::{Game, MoveCode};
use search::Probe;
use tree::{Fate, Node, NodeId, Tree};

/// The number of descents in a row without anything new after which a search ends, converged or not, and also where what is
/// left looks too bad to be visited.
const IDLE_LIMIT: u32 = 20_000;

/// The number of descents without anything new after which the tree is first looked through.
const FIRST_LOOK: u32 = 16;

/// The number of descents between two looks at the means of a complete tree.
const BETWEEN_LOOKS: u32 = 16;

/// How far the root's mean may be from what it tends to, in expected score.
const NEAR: f32 = 0.02;

/// How far a best move's value may be from that of another, by rounding.
const SAME: f32 = 1e-5;

/// What is known about the end of a search whose descents find nothing new.
#[derive(Debug, Default)]
pub(super) struct Completion {
    /// The number of such descents in a row at which to look again.
    next_look: u32,
    /// What a complete tree tends to.
    limit: Option<Limit>,
}

/// What the means of a complete tree tend to.
#[derive(Debug)]
struct Limit {
    /// The root's value, in expected score.
    value: f32,
    /// The moves that have it.
    best: Vec<MoveCode>,
}

/// A node of the tree while it is looked through.
struct Place {
    id: NodeId,
    /// The place of its parent in the list of nodes.
    parent: usize,
    ply: usize,
    window: Relevant,
    /// What it tends to.
    value: f32,
}

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'_, G, E, P, SOLO> {
    /// Whether nothing is left to search, after `idle` descents in a row that counted no node.
    #[inline]
    pub(super) fn has_come_to_an_end(
        &mut self,
        root: &Node,
        idle: u32,
        completion: &mut Completion,
    ) -> bool {
        if idle == 0 {
            *completion = Completion::default();
        }
        idle >= completion.next_look.max(FIRST_LOOK) && self.look_for_end(root, idle, completion)
    }

    #[cold]
    fn look_for_end(&mut self, root: &Node, idle: u32, completion: &mut Completion) -> bool {
        if completion.limit.is_none() && self.thread.forced.is_empty() {
            completion.limit = self.limit_if_complete();
        }
        let Some(limit) = &completion.limit else {
            completion.next_look = idle.saturating_mul(2).min(IDLE_LIMIT);
            return idle >= IDLE_LIMIT;
        };
        completion.next_look = idle + BETWEEN_LOOKS;
        let converged =
            limit.best.contains(&self.thread.best) && (root.expected() - limit.value).abs() < NEAR;
        converged || idle >= IDLE_LIMIT
    }

    /// What the means tend to, if no visit can reach a leaf that it would evaluate or expand, now or later.
    fn limit_if_complete(&self) -> Option<Limit> {
        let mut places = vec![Place {
            id: Tree::ROOT,
            parent: 0,
            ply: 0,
            window: OPEN,
            value: f32::NEG_INFINITY,
        }];
        let mut next = 0;
        while next < places.len() {
            self.look_below(&mut places, next)?;
            next += 1;
        }
        let tree = self.thread.tree;
        let mut moves = Vec::new();
        for place in (1..places.len()).rev() {
            let worth = -self.value_of(&places[place]);
            let parent = places[place].parent;
            places[parent].value = places[parent].value.max(worth);
            if parent == 0 {
                moves.push((tree.node(places[place].id).move_code(), worth));
            }
        }
        // Certain moves are not visited any more, but may be played.
        let children = tree.children(Tree::ROOT).map(|id| tree.node(id));
        let certain = children.filter(|c| c.proof().is_exact() && !c.is_excluded());
        moves.extend(certain.map(|c| (c.move_code(), -c.expected())));
        let worths = moves.iter().map(|&(_, worth)| worth);
        let most = worths.fold(f32::NEG_INFINITY, f32::max);
        moves.retain(|&(_, worth)| worth >= most - SAME);
        Some(Limit {
            value: self.value_of(&places[0]),
            best: moves.into_iter().map(|(code, _)| code).collect(),
        })
    }

    /// Adds to the list the children of one of its nodes that visits go to. `None` where a visit may find something new.
    fn look_below(&self, places: &mut Vec<Place>, at: usize) -> Option<()> {
        let Place {
            id, ply, window, ..
        } = places[at];
        let tree = self.thread.tree;
        let node = tree.node(id);
        match node.fate() {
            Fate::Unvisited | Fate::Interrupted => return None,
            Fate::Frontier if ply < self.thread.deepest || self.player.is_some() => return None,
            Fate::Expanded { .. } => {}
            _ => {
                places[at].value = node.expected();
                return Some(());
            }
        }
        let relevance = self.relevance(node, ply, window);
        let window = Relevant {
            alpha: window.beta.one_ply_down(),
            beta: relevance,
        };
        let children = tree.children(id).filter(|&c| {
            let child = tree.node(c);
            matters(child.proof(), relevance) && !child.is_excluded()
        });
        places.extend(children.map(|id| Place {
            id,
            parent: at,
            ply: ply + 1,
            window,
            value: f32::NEG_INFINITY,
        }));
        Some(())
    }

    /// What a node tends to, once all below it has been seen.
    fn value_of(&self, place: &Place) -> f32 {
        let node = self.thread.tree.node(place.id);
        let value = if place.value == f32::NEG_INFINITY {
            node.expected()
        } else {
            place.value
        };
        clamp(self.thread.scale, value, node.proof())
    }
}
