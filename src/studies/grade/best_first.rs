//! Checks a Monte Carlo tree search: every simulation is followed from the root to where it ended, and at each node on the way
//! the choice is compared with UCT by the visits and values counted so far.

mod choice;
mod end;
mod told;

use game::{Game, MoveCode, Side, Sided};
use open_trace::{Child, MoveId, Names, NodeId, Record, Value};
use search::AnyPosition;

use super::assignment::{Assignment, Chosen};
use super::check::{Check, Found, Ledger};
use super::depth_first::Counts;
use super::fault::{Choice, Fault, names};
use super::judge::{Judge, Sides, Worth, over};
use super::whole::Ending;

/// The most nodes of a tree.
pub(super) const NODES: usize = 2_000_000;

/// A node of the tree, by the program's own number.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<u32>,
    m: MoveId,
    code: Option<MoveCode>,
    side: Side,
    visits: u64,
    /// The sum of the values backed up, for the side to move.
    sum: f64,
    children: Vec<u32>,
    /// The simulation in which it got children.
    expanded: Option<u64>,
    /// Descents that ended here.
    ended: u64,
    /// What a playout from here can end with, once it was looked up; see `end`.
    results: Option<Option<Vec<Worth>>>,
    /// Legal moves; known once it has children.
    legal: usize,
    over: Option<Worth>,
    /// Whether all moves on the way are legal.
    is_known: bool,
    /// What the program told last.
    told: Option<(u64, Option<u64>, Option<f64>)>,
}

/// What N, the visits of the node that chooses, may count: programs differ in whether the first visit of the node itself, or the
/// one that is under way, is among them.
const COUNTED: [fn(&Node, u64) -> u64; 3] = [
    |node, _| node.visits,
    |node, _| node.visits + 1,
    |_, children| children,
];

/// How often the greatest UCT value was not followed, with one way of counting.
#[derive(Clone, Debug, Default)]
struct Followed {
    wrong: u64,
    first: Option<(u64, Found)>,
}

pub(super) struct BestFirst<'a> {
    task: &'a Assignment,
    judge: Judge,
    names: &'a Names,
    root: AnyPosition,
    nodes: Vec<Option<Node>>,
    simulation: u64,
    /// The choices that were compared with the greatest UCT value.
    compared: u64,
    followed: [Followed; COUNTED.len()],
    told_best: MoveId,
    has_updates: bool,
    /// Simulations that ended at nodes which are not in the tree, and the first of these.
    lost: (u64, u32),
    /// How many more positions are looked at for what playouts can end with.
    positions_left: usize,
    /// Why nothing more is taken up.
    pub refused: Option<String>,
    pub counts: Counts,
}

impl<'a> BestFirst<'a> {
    pub fn new(task: &'a Assignment, judge: Judge, names: &'a Names, root: &AnyPosition) -> Self {
        let top = Node {
            parent: None,
            m: MoveId::NONE,
            code: None,
            side: root.turn(),
            visits: 0,
            sum: 0.0,
            children: Vec::new(),
            expanded: None,
            ended: 0,
            results: None,
            legal: 0,
            over: over(root),
            is_known: true,
            told: None,
        };
        BestFirst {
            task,
            judge,
            names,
            root: root.clone(),
            nodes: vec![Some(top)],
            simulation: 0,
            compared: 0,
            followed: Default::default(),
            told_best: MoveId::NONE,
            has_updates: false,
            lost: (0, 0),
            positions_left: end::POSITIONS,
            refused: None,
            counts: Counts {
                nodes: 1,
                ..Counts::default()
            },
        }
    }

    /// Takes up the next record.
    pub fn take(&mut self, event: u64, record: &Record, ledger: &mut Ledger) {
        match *record {
            Record::Expand {
                node,
                first,
                children,
            } => self.expand(event, node, first, children, ledger),
            Record::Visit {
                node,
                value,
                weight,
            } => self.visit(event, (node, value, weight.into()), ledger),
            Record::Update {
                node,
                visits,
                value,
                ..
            } => {
                self.has_updates = true;
                let sides = self.sides(node.0);
                let own = value.map(|value| self.judge.own(value, sides));
                if let Some(node) = self.node_mut(node.0) {
                    node.told = Some((event, visits, own));
                }
            }
            Record::End(reply) if !reply.best.is_none() => self.told_best = reply.best,
            Record::BestChange { to } => self.told_best = to,
            _ => {}
        }
    }

    fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)?.as_ref()
    }

    fn node_mut(&mut self, number: u32) -> Option<&mut Node> {
        self.nodes.get_mut(number as usize)?.as_mut()
    }

    /// The nodes from a node up to the root.
    fn way(&self, number: u32) -> Vec<u32> {
        let up = |number: &u32| self.node(*number)?.parent;
        std::iter::successors(self.node(number).map(|_| number), up).collect()
    }

    fn name(&self, number: u32) -> String {
        let m = self.node(number).map_or(MoveId::NONE, |node| node.m);
        self.names.text(m).to_owned()
    }

    fn line(&self, number: u32) -> Vec<String> {
        let mut way = self.way(number);
        way.pop();
        way.iter().rev().map(|&number| self.name(number)).collect()
    }

    fn sides(&self, number: u32) -> Sides {
        let node = self.node(number);
        let parent = node.and_then(|node| self.node(node.parent?));
        Sides {
            node: node.map_or(self.root.turn(), |node| node.side),
            parent: parent.map(|parent| parent.side),
        }
    }

    fn position(&self, number: u32) -> Option<AnyPosition> {
        let mut position = self.root.clone();
        for &number in self.way(number).iter().rev().skip(1) {
            position = position.after(self.node(number)?.code?)?;
        }
        Some(position)
    }

    fn expand(
        &mut self,
        event: u64,
        NodeId(number): NodeId,
        first: NodeId,
        children: &[Child],
        ledger: &mut Ledger,
    ) {
        let Some(node) = self.node(number) else {
            return;
        };
        let (is_known, side) = (node.is_known, node.side.other());
        let position = self.position(number).filter(|_| is_known);
        let is_over = node.over.is_some();
        let legal = position.as_ref().map(|at| match is_over {
            true => game::Moves::new(),
            false => at.legal_moves(),
        });
        for (child, id) in children.iter().zip(first.0..) {
            let place = id as usize;
            if place >= NODES {
                self.refused = Some(format!("more than {} nodes", text::thousands(NODES as u64)));
                return;
            }
            let known = position.as_ref().zip(legal.as_ref());
            let name = self.names.text(child.m);
            let code = known.and_then(|(at, legal)| traced::named(at, legal, name));
            if let Some((at, legal)) = known {
                let has = |number: &u32| self.node(*number).is_some_and(|node| node.m == child.m);
                let is_twice = self
                    .node(number)
                    .is_some_and(|node| node.children.iter().any(has));
                let m = name.to_owned();
                let fault = match code {
                    None if is_over => Some(Fault::BeyondEnd { m }),
                    None => Some(Fault::Illegal {
                        m,
                        legal: names(at, legal),
                    }),
                    Some(_) if is_twice => Some(Fault::Twice { m }),
                    Some(_) => None,
                };
                ledger.note(
                    Check::Moves,
                    event,
                    fault.map(|fault| || (self.line(number), fault)),
                );
            }
            let next = position
                .as_ref()
                .zip(code)
                .and_then(|(at, code)| at.after(code));
            if self.nodes.len() <= place {
                self.nodes.resize(place + 1, None);
            }
            if self.nodes[place].is_some() {
                continue;
            }
            self.counts.nodes += 1;
            self.nodes[place] = Some(Node {
                parent: Some(number),
                m: child.m,
                code,
                side,
                visits: 0,
                sum: 0.0,
                children: Vec::new(),
                expanded: None,
                ended: 0,
                results: None,
                legal: 0,
                over: next.as_ref().and_then(over),
                is_known: next.is_some(),
                told: None,
            });
            if let Some(node) = self.node_mut(number) {
                node.children.push(id);
            }
        }
        let simulation = self.simulation;
        if let Some(node) = self.node_mut(number) {
            node.expanded.get_or_insert(simulation);
            node.legal = legal.map_or(node.children.len(), |legal| legal.len());
        }
    }

    /// A descent ended at a node. With a weight it stands for so many simulations, of which only the first one chose its way.
    fn visit(
        &mut self,
        event: u64,
        (NodeId(number), value, weight): (NodeId, Option<Value>, u64),
        ledger: &mut Ledger,
    ) {
        if weight == 0 {
            return;
        }
        let way = self.way(number);
        if way.is_empty() {
            let (lost, first) = self.lost;
            self.lost = (lost + weight, if lost == 0 { number } else { first });
            return;
        }
        self.simulation += 1;
        for step in way.windows(2) {
            self.judge_choice(event, step[1], step[0], ledger);
        }
        let sides = self.sides(number);
        let mut own = value.map(|value| self.judge.own(value, sides));
        self.judge_end(event, number, own, ledger);
        if let Some(node) = self.node_mut(number) {
            node.ended += 1;
        }
        for &number in &way {
            if let Some(node) = self.node_mut(number) {
                node.visits = node.visits.saturating_add(weight);
                node.sum += own.unwrap_or(0.0) * weight as f64;
            }
            own = own.turned();
        }
        self.simulation = self.simulation.saturating_add(weight - 1);
        self.counts.simulations = self.simulation;
    }
}
