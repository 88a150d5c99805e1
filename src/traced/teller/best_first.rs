//! A best-first search: its descents, and the figures of the nodes as they change.

use std::io::{self, Write};

use super::depth_first::proven;
use super::{Moments, Quill};
use belief::Grid;
use game::Game;
use open_trace::{Child, NodeId as ToldId, Record, Share, Value};
use search::{AnyPosition, Event};
use tree::{Fate, NodeId, Proof, Tree};

pub struct BestFirst<'a> {
    root: AnyPosition,
    moments: Moments<'a>,
    grid: Grid,
    /// By the node's place in the tree.
    nodes: Vec<Option<Figures>>,
    /// The number of the next node.
    next: u32,
    /// The node that the records are about.
    at: NodeId,
}

/// What was told of a node last.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Figures {
    id: u32,
    visits: u32,
    nodes: u64,
    expected: f32,
    policy: f32,
    urgency: Option<f32>,
    sd: Option<f32>,
    /// `None`: the reader has drawn its own conclusion.
    fate: Option<Fate>,
    proof: Proof,
}

/// Of a node of which nothing was told.
const UNTOLD: Figures = Figures {
    id: 0,
    visits: 0,
    nodes: 0,
    expected: 0.0,
    policy: 0.0,
    urgency: None,
    sd: None,
    fate: Some(Fate::Unvisited),
    proof: Proof::OPEN,
};

impl<'a> BestFirst<'a> {
    pub fn new(root: &AnyPosition, moments: Moments<'a>) -> BestFirst<'a> {
        let mut search = BestFirst {
            root: root.clone(),
            moments,
            grid: Grid::of(root.scale().points()),
            nodes: Vec::new(),
            next: 1,
            at: Tree::ROOT,
        };
        search.set(Tree::ROOT, UNTOLD);
        search
    }

    fn set(&mut self, node: NodeId, figures: Figures) {
        let place = node.0 as usize;
        if self.nodes.len() <= place {
            self.nodes.resize(place + 1, None);
        }
        self.nodes[place] = Some(figures);
    }

    fn get(&self, node: NodeId) -> Option<Figures> {
        self.nodes.get(node.0 as usize).copied().flatten()
    }

    /// The position at a node.
    fn position(&self, tree: &Tree, node: NodeId) -> AnyPosition {
        let mut position = self.root.clone();
        for node in tree.path(node).into_iter().skip(1) {
            let code = tree.node(node).move_code();
            position = position.after(code).unwrap_or(position);
        }
        position
    }

    pub fn event<W: Write>(
        &mut self,
        quill: &mut Quill<W>,
        event: &Event,
        tree: &Tree,
    ) -> io::Result<()> {
        match *event {
            Event::Iteration { .. } => quill.write(&Record::Iteration { depth: None }),
            Event::IterationDone { best, .. } => {
                self.tell_all(quill, tree)?;
                let best = quill.name(&self.root, best);
                quill.write(&Record::IterationDone {
                    best,
                    value: quill.values.expected(tree.node(Tree::ROOT).expected()),
                    depth: None,
                })
            }
            Event::Enter { node, .. } => self.go_to(quill, node),
            Event::Evaluate {
                node, value, sd, ..
            } => {
                self.go_to(quill, node)?;
                quill.write(&Record::Evaluate {
                    value: quill.values.score(value),
                    sd: sd.and_then(|sd| quill.values.spread(sd)),
                })?;
                self.forget(node, true);
                self.tell(quill, tree, node)
            }
            Event::Expand { node, .. } => self.expand(quill, tree, node),
            Event::Prune { parent, m, fate } => {
                self.go_to(quill, parent)?;
                let position = self.position(tree, parent);
                quill.prune(&position, m, fate)?;
                match tree.child_by_move(parent, m) {
                    Some(child) => self.tell(quill, tree, child),
                    None => Ok(()),
                }
            }
            Event::Best { to, .. } => {
                let to = quill.name(&self.root, to);
                quill.write(&Record::BestChange { to })
            }
            Event::BackUp { node, .. } | Event::Leave { node, .. } => {
                self.tell(quill, tree, node)?;
                self.tell_children(quill, tree, node)
            }
            _ => self.tell(quill, tree, event.node()),
        }
    }

    /// Makes a node the one that the records are about.
    fn go_to<W: Write>(&mut self, quill: &mut Quill<W>, node: NodeId) -> io::Result<()> {
        let Some(figures) = self.get(node) else {
            return Ok(());
        };
        self.at = node;
        quill.write(&Record::At {
            node: ToldId(figures.id),
        })
    }

    /// The fate of a node will be told anew, as the reader has drawn its own conclusion; so will the value, where it has.
    fn forget(&mut self, node: NodeId, value: bool) {
        if let Some(told) = self.get(node) {
            // Not a number is unlike every value.
            let expected = if value { f32::NAN } else { told.expected };
            let fate = None;
            let forgotten = Figures {
                expected,
                fate,
                ..told
            };
            self.set(node, forgotten);
        }
    }

    fn expand<W: Write>(
        &mut self,
        quill: &mut Quill<W>,
        tree: &Tree,
        node: NodeId,
    ) -> io::Result<()> {
        let Some(figures) = self.get(node) else {
            return Ok(());
        };
        let position = self.position(tree, node);
        let first = self.next;
        let mut children = Vec::new();
        for child in tree.children(node) {
            if self.get(child).is_some() {
                continue;
            }
            let of = tree.node(child);
            children.push(Child {
                m: quill.name(&position, of.move_code()),
                prior: Share::new(f64::from(of.policy())),
                value: None,
            });
            let told = Figures {
                id: self.next,
                policy: of.policy(),
                ..UNTOLD
            };
            self.set(child, told);
            self.next += 1;
        }
        quill.write(&Record::Expand {
            node: ToldId(figures.id),
            first: ToldId(first),
            children: &children,
        })?;
        self.at = node;
        self.forget(node, false);
        self.tell(quill, tree, node)
    }

    fn tell_children<W: Write>(
        &mut self,
        quill: &mut Quill<W>,
        tree: &Tree,
        node: NodeId,
    ) -> io::Result<()> {
        let mut children = tree.children(node);
        children.try_for_each(|child| self.tell(quill, tree, child))
    }

    /// Tells what has changed at a node.
    fn tell<W: Write>(&mut self, quill: &mut Quill<W>, tree: &Tree, id: NodeId) -> io::Result<()> {
        let Some(before) = self.get(id) else {
            return Ok(());
        };
        let now = self.figures(tree, id, before.id);
        if now == before {
            return Ok(());
        }
        let node = ToldId(now.id);
        let figures = |of: Figures| Figures {
            fate: None,
            proof: Proof::OPEN,
            ..of
        };
        if figures(now) != figures(before) {
            self.at = id;
            quill.write(&Record::Update {
                node,
                visits: Some(now.visits.into()),
                value: match now.visits {
                    0 => None,
                    _ => quill.values.expected(now.expected),
                },
                prior: match now.policy == before.policy {
                    true => None,
                    false => Share::new(f64::from(now.policy)),
                },
                sd: now
                    .sd
                    .filter(|_| now.sd != before.sd)
                    .and_then(|sd| quill.values.spread(sd)),
                urgency: now
                    .urgency
                    .filter(|_| now.urgency != before.urgency)
                    .and_then(|urgency| Value::new(f64::from(urgency) / quill.values.spec().step)),
                nodes: now.nodes,
            })?;
        }
        if now.proof != before.proof {
            quill.write(&proven(quill, node, now.proof))?;
        }
        // The reader has its own fate for a node that gets its first visits.
        if now.fate != before.fate || (before.visits == 0) != (now.visits == 0) {
            if self.at != id {
                self.go_to(quill, id)?;
            }
            let fate = tree.node(id).fate();
            let position = match fate.numbers().is_empty() {
                true => self.root.clone(),
                false => self.position(tree, id),
            };
            quill.why(&position, fate)?;
        }
        self.set(id, now);
        // The reader counts the moves that were visited.
        if before.visits == 0 && now.visits > 0 && id != Tree::ROOT {
            self.forget(tree.node(id).parent(), false);
        }
        Ok(())
    }

    fn figures(&self, tree: &Tree, id: NodeId, told: u32) -> Figures {
        let node = tree.node(id);
        let view = tree.live_view(id);
        let sd = match view.has_belief {
            true => tree.live_belief(id).map(|belief| belief.sd(&self.grid)),
            false => (self.moments)(tree, id).map(|(_, sd)| sd),
        };
        Figures {
            id: told,
            visits: node.visits(),
            nodes: node.nodes(),
            expected: node.expected(),
            policy: match id {
                Tree::ROOT => 0.0,
                _ => node.policy(),
            },
            urgency: Some(node.urgency()).filter(|urgency| urgency.is_normal() && view.has_belief),
            sd,
            fate: Some(node.fate()),
            proof: node.proof(),
        }
    }

    /// Tells whatever has not been told yet, of all nodes.
    pub fn tell_all<W: Write>(&mut self, quill: &mut Quill<W>, tree: &Tree) -> io::Result<()> {
        let mut left = vec![Tree::ROOT];
        while let Some(id) = left.pop() {
            let mut children = tree.children(id);
            if children.any(|child| self.get(child).is_none()) {
                self.expand(quill, tree, id)?;
            }
            left.extend(tree.children(id));
        }
        // Children come before their parents, as telling of one may change what the reader makes of its parent.
        let mut all = vec![Tree::ROOT];
        let mut at = 0;
        while at < all.len() {
            all.extend(tree.children(all[at]));
            at += 1;
        }
        for id in all.into_iter().rev() {
            self.tell(quill, tree, id)?;
        }
        Ok(())
    }
}
