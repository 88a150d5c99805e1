//! Grows a tree from nodes that are expanded and visited.

mod visits;

use std::sync::Arc;

use super::codes::Way;
use super::pen::{Pen, Reads, read};
use super::reasons::Place;
use super::values::Sides;
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use open_trace::{Backup, Child, Class, NodeId as ToldId, Record, Share, Told, Value};
use search::algorithm::Implementation as _;
use search::{Estimate, Event, Interrupt, Job, Probe, Recorded, Start, StopReason, Told as What};
use tree::{Fate, Node, NodeId, Tree};

/// Reads a whole search. Returns where it ended.
pub(super) fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    recorded: &'a dyn Recorded,
    probe: &'a mut P,
) -> Start {
    let pen = Pen::new(job, recorded, probe);
    let root = Place {
        sides: Sides {
            node: pen.turn(),
            parent: None,
        },
        ply: 0,
    };
    let mut search = Search {
        nodes: vec![Some(Known {
            node: Tree::ROOT,
            parent: None,
            place: root,
            way: pen.way(),
            sum: 0.0,
            weight: 0,
        })],
        at: 0,
        best: job.start.best,
        late: Vec::new(),
        pen,
    };
    if read(&mut search, recorded).is_ok() {
        search.pen.worker.publish();
        search.pen.worker.control().stop(StopReason::Told);
    }
    search.pen.worker.publish();
    let best = super::BestFirst::best_move(job.tree, Tree::ROOT).unwrap_or(MoveCode::NONE);
    Start {
        best,
        ..Start::default()
    }
}

/// A node by the program's number.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// `NONE` where the tree is full.
    node: NodeId,
    /// The parent's number.
    parent: Option<u32>,
    place: Place,
    way: Way,
    /// The sum of the visits' values, in steps from its own view, and of their weights.
    sum: f64,
    weight: u64,
}

/// A record about a node that another thread has not told yet.
#[derive(Clone, Copy, Debug)]
struct Late {
    node: ToldId,
    value: Option<Value>,
    weight: u32,
}

/// The most records that are kept back.
const LATE: usize = 1 << 16;

struct Search<'a, G, P> {
    pen: Pen<'a, G, P>,
    nodes: Vec<Option<Known>>,
    /// The node that records without a number are about.
    at: u32,
    best: MoveCode,
    late: Vec<Late>,
}

impl<'a, G: Game, P: Probe + 'a> Reads<'a, G, P> for Search<'a, G, P> {
    fn pen(&mut self) -> &mut Pen<'a, G, P> {
        &mut self.pen
    }

    fn record(&mut self, record: &Record) -> Result<(), Interrupt> {
        match *record {
            Record::Expand {
                node,
                first,
                children,
            } => self.expand(node, first, children)?,
            Record::Visit {
                node,
                value,
                weight,
            } => self.visit(node, value, weight),
            Record::Update {
                node,
                visits,
                value,
                prior,
                sd,
                urgency,
                nodes,
            } => {
                self.update(node, (visits, value, prior), (sd, urgency), nodes);
            }
            Record::At { node } => {
                self.at = node.0;
                self.told(node, What::At);
            }
            Record::Edge { node, m, to } => self.edge(node, m, to),
            Record::Prove {
                node,
                lower,
                upper,
                plies,
            } => self.prove(node, lower, upper, plies),
            Record::Evaluate { value, .. } | Record::Stand { value } => self.evaluate(value),
            Record::Why(ref why) => self.why(why),
            Record::Prune { m, ref why } => self.prune(m, why),
            Record::BestChange { to } => {
                let from = self.best;
                let to = self.root_code(to);
                self.name_best(to);
                self.pen.emit(|_| Event::Best { from, to });
            }
            Record::End(reply) => {
                self.pen.ended = true;
                let best = self.root_code(reply.best);
                self.name_best(best);
                self.told(ToldId::ROOT, What::End);
            }
            Record::Iteration { depth } => {
                let depth = depth.unwrap_or(0).max(0) as u16;
                self.pen.emit(|_| Event::Iteration { depth });
            }
            Record::IterationDone { best, depth, .. } => {
                let best = self.root_code(best);
                self.name_best(best);
                let depth = depth.unwrap_or(0).max(0) as u16;
                self.pen.emit(|_| Event::IterationDone {
                    depth,
                    best,
                    score: Score::DRAW,
                });
            }
            Record::Note(text) => {
                if let Some(node) = self.here() {
                    self.pen.tree.note(node, &Arc::from(text));
                }
            }
            Record::Render(text) => {
                let node = self.here().unwrap_or(Tree::ROOT);
                self.pen.tree.draw_position(node, &Arc::from(text));
            }
            Record::Moves { count, .. } => {
                if let Some(node) = self.here() {
                    self.pen.tree.set_told_moves(node, count);
                }
                self.told(ToldId(self.at), What::Unused);
            }
            Record::Key(key) => {
                if let Some(node) = self.here() {
                    self.pen.tree.set_told_key(node, key);
                }
            }
            Record::Search(_) | Record::Mark { .. } | Record::Skip { .. } => {}
            // They belong to depth-first searches.
            Record::Enter { .. }
            | Record::Leave { .. }
            | Record::Pass { .. }
            | Record::PassDone { .. }
            | Record::Try(_)
            | Record::Tried { .. }
            | Record::DepthChange { .. }
            | Record::BackUp { .. }
            | Record::Unwind { .. } => self.told(ToldId(self.at), What::Unused),
        }
        Ok(())
    }
}

impl<G: Game, P: Probe> Search<'_, G, P> {
    fn known(&self, id: ToldId) -> Option<Known> {
        self.nodes.get(id.0 as usize).copied().flatten()
    }

    /// The node that records without a number are about, if it is in the tree.
    fn here(&self) -> Option<NodeId> {
        self.known(ToldId(self.at))
            .map(|known| known.node)
            .filter(|node| !node.is_none())
    }

    fn node_of(&self, id: ToldId) -> NodeId {
        self.known(id).map_or(NodeId::NONE, |known| known.node)
    }

    /// Returns the child by a move, which is made if there is none; without a prior until one is told.
    fn child(&mut self, parent: &Known, last: NodeId, code: MoveCode) -> NodeId {
        let tree = self.pen.tree;
        let children = |node: NodeId| (!node.is_none()).then(|| tree.node(node).child_count());
        let before = children(parent.node);
        let child = self
            .pen
            .child(parent.node, last, code, parent.place.ply + 1);
        if !child.is_none() && children(parent.node) != before {
            tree.node(child).set_policy(Node::NO_POLICY);
        }
        child
    }

    fn told(&mut self, id: ToldId, what: What) {
        let node = self.node_of(id);
        let node = if node.is_none() { Tree::ROOT } else { node };
        self.pen.emit(|_| Event::Told { node, what });
    }

    fn root_code(&mut self, id: open_trace::MoveId) -> MoveCode {
        let way = self.pen.way();
        self.pen.code(id, way, Tree::ROOT)
    }

    /// The root's best move is the one that the program names.
    fn name_best(&mut self, to: MoveCode) {
        if to == MoveCode::NONE {
            return;
        }
        self.best = to;
        let root = self.pen.tree.node(Tree::ROOT);
        root.set_fate(root.fate().with_best(to));
    }

    fn expand(&mut self, id: ToldId, first: ToldId, children: &[Child]) -> Result<(), Interrupt> {
        let Some(parent) = self.known(id) else {
            self.told(id, What::Unused);
            return Ok(());
        };
        self.at = id.0;
        let mut last = NodeId::NONE;
        for (number, child) in (first.0..).zip(children) {
            // Numbers are given one after another, so that a number far beyond them is a mistake.
            if number == 0 || number as usize > self.nodes.len() + (1 << 20) {
                continue;
            }
            let code = self.pen.code(child.m, parent.way, parent.node);
            let ply = parent.place.ply + 1;
            let node = self.child(&parent, last, code);
            let side = parent.place.sides.node;
            let known = Known {
                node,
                parent: Some(id.0),
                place: Place {
                    sides: Sides {
                        node: side.other(),
                        parent: Some(side),
                    },
                    ply,
                },
                way: parent.way.on(code),
                sum: 0.0,
                weight: 0,
            };
            let at = number as usize;
            if self.nodes.len() <= at {
                self.nodes.resize(at + 1, None);
            }
            if self.nodes[at].is_some() {
                continue;
            }
            self.nodes[at] = Some(known);
            self.pen.worker.count_node()?;
            let selective = &mut self.pen.worker.selective_depth;
            *selective = (*selective).max(ply);
            if node.is_none() {
                continue;
            }
            last = node;
            let in_tree = self.pen.tree.node(node);
            if let Some(prior) = child.prior {
                in_tree.set_policy(prior.get() as f32);
            }
            if let Some(value) = child.value {
                let own = self.pen.values.own(value, known.place.sides);
                in_tree.set_expected(self.pen.values.expected(own));
                in_tree.set_fate(Fate::Frontier);
                in_tree.set_visits(in_tree.visits().max(1));
            }
        }
        if !parent.node.is_none() {
            let node = self.pen.tree.node(parent.node);
            let searched = match node.fate() {
                Fate::Expanded { searched, .. } => searched,
                _ => 0,
            };
            let best = match parent.node {
                Tree::ROOT => self.best,
                _ => MoveCode::NONE,
            };
            node.set_fate(Fate::Expanded {
                best,
                searched,
                skipped: 0,
                moves: node.child_count().min(255) as u8,
                margin: 0,
            });
        }
        self.pen.worker.steps += 1;
        let moves = children.len().min(usize::from(u16::MAX)) as u16;
        let node = if parent.node.is_none() {
            Tree::ROOT
        } else {
            parent.node
        };
        self.pen.emit(|_| Event::Expand { node, moves });
        self.take_up_late();
        Ok(())
    }

    fn edge(&mut self, id: ToldId, m: open_trace::MoveId, to: ToldId) {
        let (Some(from), Some(to)) = (self.known(id), self.known(to)) else {
            return self.told(id, What::Unused);
        };
        let code = self.pen.code(m, from.way, from.node);
        let child = self.child(&from, NodeId::NONE, code);
        if !child.is_none() {
            self.pen.tree.set_same_as(child, to.node);
        }
        let node = if to.node.is_none() {
            Tree::ROOT
        } else {
            to.node
        };
        self.told(id, What::Edge { to: node });
    }

    fn prove(
        &mut self,
        id: ToldId,
        lower: Option<Value>,
        upper: Option<Value>,
        plies: Option<u16>,
    ) {
        let Some(known) = self.known(id).filter(|known| !known.node.is_none()) else {
            return self.told(id, What::Unused);
        };
        let node = known.node;
        let proof = self.pen.values.proof((lower, upper), plies, known.place);
        let proof = super::pen::prove(self.pen.tree.node(node), proof);
        self.pen.emit(|_| Event::Prove { node, proof });
    }

    fn evaluate(&mut self, value: Option<Value>) {
        let known = self.known(ToldId(self.at));
        let Some((known, value)) = known.zip(value).filter(|(known, _)| !known.node.is_none())
        else {
            return self.told(ToldId(self.at), What::Unused);
        };
        let own = self.pen.values.own(value, known.place.sides);
        let mean = self.pen.values.expected(own);
        let node = self.pen.tree.node(known.node);
        if known.weight == 0 {
            node.set_expected(mean);
            node.set_visits(node.visits().max(1));
        }
        if matches!(node.fate(), Fate::Unvisited) {
            node.set_fate(Fate::Frontier);
        }
        let value = self.pen.values.score(own, known.place.ply);
        self.pen.emit(|_| Event::Evaluate {
            node: known.node,
            value,
            mean,
            sd: None,
        });
    }

    fn why(&mut self, why: &Told) {
        let id = ToldId(self.at);
        let Some(known) = self.known(id).filter(|known| !known.node.is_none()) else {
            return self.told(id, What::Unused);
        };
        let fate = self.fate(&known, self.pen.tree.node(known.node).fate(), why);
        let class = self.pen.reasons.get(why.reason).map(|reason| reason.class);
        let decides = match class {
            Some(Class::Info | Class::Try) => !matches!(fate, Fate::Told { .. }),
            Some(_) | None => true,
        };
        if decides {
            self.pen.tree.node(known.node).set_fate(fate);
        }
        self.told(id, What::Reason { fate });
    }

    fn prune(&mut self, m: open_trace::MoveId, why: &Told) {
        let id = ToldId(self.at);
        let Some(known) = self.known(id).filter(|known| !known.node.is_none()) else {
            return self.told(id, What::Unused);
        };
        let code = self.pen.code(m, known.way, known.node);
        let child = self.child(&known, NodeId::NONE, code);
        let fate = self.fate(&known, Fate::default(), why);
        if !child.is_none() {
            self.pen.tree.node(child).set_fate(fate);
        } else if m.is_none() {
            let node = self.pen.tree.node(known.node);
            self.pen.tree.set_later((known.node, node), fate);
        }
        let parent = known.node;
        self.pen.emit(|_| Event::Prune {
            parent,
            m: code,
            fate,
        });
    }

    fn fate(&mut self, known: &Known, before: Fate, why: &Told) -> Fate {
        let codes = self.pen.move_numbers(known.way, known.node, why);
        let (tree, values) = (self.pen.tree, &self.pen.values);
        match self.pen.reasons.get(why.reason) {
            Some(reason) => reason.fate(tree, before, why, values, known.place, codes),
            None => tree.told_fate(before, tree::ReasonId::UNKNOWN, &[]),
        }
    }
}
