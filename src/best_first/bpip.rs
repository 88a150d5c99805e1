//! BPIP, best play for imperfect players: beliefs as point masses, and a search that expands, in gulps, the leaves that
//! matter most to the choice at the root.
//!
//! Source: Eric B. Baum and Warren D. Smith, *A Bayesian approach to relevance in game playing*, Artificial Intelligence 97
//! (1997), and Eric B. Baum, *On optimal game tree propagation for imperfect players* (AAAI-92) for what may be learned before
//! a choice. The formulas are exact consequences of their model; the size of a gulp and the price of a node are options.

mod explain;
mod opinion;
mod relevance;
mod view;

use super::driver::{self, Row, Strategy};
use super::leaf_belief::LeafBelief;
use crate::leaf_value::{LEAF, LEAF_DEPTH};
use crate::reuse::TREE_REUSE;
use belief::{BINS, Cdf};
use eval::Evaluator;
use game::{Game, Scale};
use opinion::Opinions;
use relevance::{Candidate, Measure};
use search::algorithm::{AlgorithmInfo, Goals, Ranking};
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::explanation::{Explanation, NamedNumbers, Reading, Unit};
use search::options::EVAL;
use search::{Aim, AimInfo, Job, OptionSpec, Options, Range, StopReason};
use tree::{Family, Node, NodeId, Tree};
use view::View;

/// How many point masses a leaf has.
const POINTS: OptionSpec = OptionSpec {
    key: "points",
    default: "auto",
    range: Range::Choice(&["auto", "2", "3", "5", "10", "20", "40"]),
    summary: "point masses of a leaf's belief; auto: 2 in a toy tree (mean ± spread), 10 in chess",
};

/// The share of the relevant leaves that is expanded before the relevances are computed again.
const GULP: OptionSpec = OptionSpec {
    key: "gulp",
    default: "0.05",
    range: Range::Number {
        min: 0.001,
        max: 1.0,
    },
    summary: "the share of the relevant leaves that is expanded, the most relevant ones first, before relevance is computed again; at least one leaf",
};

/// By what leaves are compared.
const RELEVANCE: OptionSpec = OptionSpec {
    key: "relevance",
    default: "qss",
    range: Range::Choice(&["qss", "ess"]),
    summary: "a leaf's relevance: the expected change of what is left to gain (qss), or the gain from knowing it alone (ess)",
};

/// What is learned before a choice.
const BACKUP: OptionSpec = OptionSpec {
    key: "backup",
    default: "all",
    range: Range::Choice(&["all", "revealed", "share"]),
    summary: "what is learned about a leaf before the choice: all of it, all with probability `information` (revealed), or that share of its variance (Baum 1992)",
};

/// How much is learned.
const INFORMATION: OptionSpec = OptionSpec {
    key: "information",
    default: "0.5",
    range: Range::Number { min: 0.0, max: 1.0 },
    summary: "with backup=revealed or share: how much is learned before the choice; 0 backs up minimax values of the means",
};

/// What a node costs.
const COST: OptionSpec = OptionSpec {
    key: "cost",
    default: "0",
    range: Range::Number { min: 0.0, max: 1.0 },
    summary: "what a node costs, as an expected score: the search ends when the next gulp costs more than there is to gain",
};

/// What happens once nothing is left to gain.
const END: OptionSpec = driver::end(
    "when nothing is left to gain: stop, or look along the best line (next); auto: stop in a toy tree, and where nodes have a cost",
);

const OPTIONS: &[OptionSpec] = &[
    POINTS,
    GULP,
    RELEVANCE,
    BACKUP,
    INFORMATION,
    COST,
    END,
    LEAF,
    LEAF_DEPTH,
    TREE_REUSE,
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// The row of BPIP in the table of algorithms.
pub type Entry = Row<Bpip>;

const LEAVES: Unit = Unit::Of("leaf", "leaves");

/// A gulp begins.
static BEGIN: AimInfo = AimInfo {
    name: "gulp",
    words: &[
        "a gulp of ",
        " begins: knowing everything now would gain ",
        ".",
    ],
    units: &[LEAVES, Unit::Gain],
};

/// A gulp goes on.
static RELEVANT: AimInfo = AimInfo {
    name: "relevant",
    words: &[
        "below it is the most relevant leaf that is left of the gulp (",
        ").",
    ],
    units: &[Unit::Gain],
};

/// A move was let in again and has no value yet.
static UNKNOWN: AimInfo = AimInfo {
    name: "unknown",
    words: &["below it is a move about which nothing is known yet."],
    units: &[],
};

/// No leaf is relevant, and the search goes on all the same.
static LINE: AimInfo = AimInfo {
    name: "best-line",
    words: &["no leaf is relevant to the choice: the end of the best line is looked at."],
    units: &[],
};

/// Whether a child takes part: it was not taken out, and there is a belief about it.
fn counts(child: &Node) -> bool {
    !child.is_excluded() && child.visits() > 0 && child.belief() != 0
}

/// The children that take part, in the tree's order.
fn known_children(tree: &Tree, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    tree.children(id).filter(|&c| counts(tree.node(c)))
}

/// The settings by which a tree is read.
fn view(options: &Options, scale: Scale, values: usize) -> View {
    View::new(Opinions::of(options, values > 0), scale, values)
}

fn measure(options: &Options) -> Measure {
    match options.word("relevance") {
        "ess" => Measure::Gain,
        _ => Measure::Change,
    }
}

pub struct Bpip {
    view: View,
    scale: Scale,
    measure: Measure,
    /// The share of the relevant leaves that a gulp has.
    gulp: f64,
    cost: f64,
    stops: bool,
    /// What is left of the gulp, the most relevant leaf last. `None` before the tree was asked.
    waiting: Option<Vec<NodeId>>,
    /// The nodes of the next descent, root first.
    way: Vec<NodeId>,
}

/// A leaf of a gulp carries a mark: the sign of its spread.
fn is_marked(node: &Node) -> bool {
    node.pair().0.is_sign_negative()
}

fn mark(node: &Node, marked: bool) {
    let (sd, relevance) = node.pair();
    let sd = if marked { -sd.abs() } else { sd.abs() };
    node.set_pair((sd, relevance));
}

impl Bpip {
    /// The leaf that comes next of the gulp under way.
    fn next_of_gulp(&mut self, tree: &Tree) -> Option<NodeId> {
        let waiting = self.waiting.get_or_insert_with(|| marked(tree));
        while let Some(&leaf) = waiting.last() {
            let node = tree.node(leaf);
            if is_marked(node) && !node.is_expanded() && is_reached(tree, leaf) {
                return Some(leaf);
            }
            if is_marked(node) {
                mark(node, false);
            }
            waiting.pop();
        }
        None
    }

    /// Computes which leaves are to be expanded next, and marks them.
    fn begin_gulp(&mut self, tree: &Tree) -> Result<(NodeId, Aim), StopReason> {
        let picture = relevance::survey(tree, &self.view, self.measure);
        let picture = picture.ok_or(StopReason::Exhausted)?;
        if tree.node(Tree::ROOT).urgency() == 0.0 {
            return Err(StopReason::Exhausted);
        }
        let mut relevant = picture.candidates;
        most_relevant_first(&mut relevant);
        let part = (self.gulp * relevant.len() as f64) as usize;
        relevant.truncate(part.max(1));
        let price = self.cost * relevant.len() as f64 * nodes_per_descent(tree);
        if self.stops && (relevant.is_empty() || picture.to_gain < price) {
            return Err(StopReason::Settled);
        }
        let Some(first) = relevant.first() else {
            return best_line(tree);
        };
        let numbers = [relevant.len() as f32, picture.to_gain as f32];
        let aim = Aim::new(Tree::ROOT, &BEGIN, numbers);
        let first = first.leaf;
        let mut leaves = Vec::with_capacity(relevant.len());
        for candidate in relevant.iter().rev() {
            mark(tree.node(candidate.leaf), true);
            leaves.push(candidate.leaf);
        }
        self.waiting = Some(leaves);
        Ok((first, aim))
    }
}

/// Sorts by relevance; equal ones stay in the tree's order.
fn most_relevant_first(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
}

/// The marked leaves of a tree, the most relevant last: what another run has left of its gulp.
fn marked(tree: &Tree) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut open = vec![Tree::ROOT];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        if is_marked(node) && !node.is_expanded() {
            found.push(Candidate {
                leaf: id,
                relevance: if node.visits() == 0 {
                    f32::INFINITY
                } else {
                    node.pair().1
                },
            });
        }
        let children = tree.children(id).collect::<Vec<_>>();
        open.extend(children.into_iter().rev());
    }
    most_relevant_first(&mut found);
    found.iter().rev().map(|c| c.leaf).collect()
}

/// Whether a leaf can be expanded and nothing above it is proven or taken out.
fn is_reached(tree: &Tree, leaf: NodeId) -> bool {
    let mut way = std::iter::successors(Some(leaf), |&id| Some(tree.node(id).parent()));
    way.by_ref()
        .take_while(|&id| id != Tree::ROOT)
        .all(|id| driver::is_open(tree.node(id)))
}

/// What a descent has cost so far, on average.
fn nodes_per_descent(tree: &Tree) -> f64 {
    let root = tree.node(Tree::ROOT);
    root.nodes() as f64 / f64::from(root.visits().max(1))
}

/// The leaf at the end of the line of the best moves that can still grow.
fn best_line(tree: &Tree) -> Result<(NodeId, Aim), StopReason> {
    let mut id = Tree::ROOT;
    while tree.node(id).is_expanded() {
        id = best_open(tree, id).ok_or(StopReason::Exhausted)?;
    }
    let aim = Aim::new(root_move(tree, id), &LINE, [0.0; 2]);
    Ok((id, aim))
}

/// The first of the best children that can grow.
fn best_open(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let open = driver::open_children(tree, id);
    open.reduce(|best, c| {
        let better = -tree.node(c).expected() > -tree.node(best).expected();
        if better { c } else { best }
    })
}

/// The root's move above a node, the root for the root.
fn root_move(tree: &Tree, id: NodeId) -> NodeId {
    let mut at = id;
    while at != Tree::ROOT && tree.node(at).parent() != Tree::ROOT {
        at = tree.node(at).parent();
    }
    at
}

impl Strategy for Bpip {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "bpip",
        summary: "beliefs as point masses; expands, in gulps, the leaves most relevant to the choice at the root",
        source: "Baum & Smith, A Bayesian approach to relevance in game playing (1997)",
        family: Family::BestFirst,
        beliefs: true,
        ranking: Ranking::Value,
        options: OPTIONS,
        figures: &["relevance", "to_gain"],
        goals: Goals {
            two_threads: 1.0,
            ..Goals::NONE
        },
    };

    fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Self {
        let (options, position) = (job.options, &job.situation.position);
        let cost = options.number("cost");
        let scale = position.scale();
        Bpip {
            view: view(options, scale, position.static_values().len()),
            scale,
            measure: measure(options),
            gulp: options.number("gulp"),
            cost,
            stops: driver::stops(job, "end") || cost > 0.0 && options.is("end", "auto"),
            waiting: None,
            way: Vec::new(),
        }
    }

    const BELIEFS: bool = true;

    /// A gulp leads everywhere.
    const FORGETS_AFTER: u32 = 128;

    fn plan(&mut self, tree: &Tree) -> Result<Option<Aim>, StopReason> {
        let (leaf, aim) = match self.next_of_gulp(tree) {
            Some(leaf) => {
                let node = tree.node(leaf);
                let aim = match node.visits() {
                    0 => Aim::new(root_move(tree, leaf), &UNKNOWN, [0.0; 2]),
                    _ => Aim::new(root_move(tree, leaf), &RELEVANT, [node.pair().1, 0.0]),
                };
                (leaf, aim)
            }
            None => self.begin_gulp(tree)?,
        };
        self.way.clear();
        let upwards = std::iter::successors(Some(leaf), |&id| {
            (id != Tree::ROOT).then(|| tree.node(id).parent())
        });
        self.way.extend(upwards);
        self.way.reverse();
        Ok(Some(aim))
    }

    fn choose(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        if let Some(new) = driver::is_new(tree, tree.node(id)) {
            return Some(new);
        }
        let place = self.way.iter().position(|&at| at == id);
        if let Some(&next) = place.and_then(|i| self.way.get(i + 1)) {
            return Some(next);
        }
        // The way to this node was forced.
        best_open(tree, id)
    }

    fn settle(&self, tree: &Tree, id: NodeId, belief: &LeafBelief) {
        let node = tree.node(id);
        node.set_pair((belief.sd().unwrap_or(0.0), 0.0));
        let seen = self.view.opinions.on_grid(self.scale, belief, tree.grid());
        store(tree, id, &seen);
        if !self.view.exact && belief.sd().is_some() {
            node.set_expected(seen.mean(tree.grid()));
        }
    }

    fn back_up(&self, tree: &Tree, id: NodeId) -> f32 {
        let node = tree.node(id);
        node.set_pair((0.0, node.pair().1));
        let children = || tree.children_block(node).iter().filter(|c| counts(c));
        let is_root = id == Tree::ROOT;
        let best = children().reduce(|a, b| if -b.expected() > -a.expected() { b } else { a });
        let Some(best) = best else {
            return node.expected();
        };
        let proof = node.proof();
        let own = if proof.is_win() {
            Cdf::atom(BINS - 1)
        } else if proof.is_loss() {
            Cdf::atom(0)
        } else if is_root {
            // The choice is now.
            of_mover(tree, best)
        } else {
            let beliefs = children().map(|c| of_mover(tree, c));
            beliefs
                .reduce(|a, b| a.max(&b))
                .unwrap_or(of_mover(tree, best))
        };
        store(tree, id, &own);
        if is_root {
            -best.expected()
        } else if self.view.exact {
            self.view.mean(tree, id) as f32
        } else {
            own.mean(tree.grid())
        }
    }

    fn renewed(tree: &Tree, nodes: &[NodeId]) {
        // A move that was let in again comes first.
        let new = nodes
            .iter()
            .filter_map(|&id| driver::is_new(tree, tree.node(id)));
        new.for_each(|child| mark(tree.node(child), true));
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain::explain(reading, node)
    }

    fn figure(reading: &Reading, node: NodeId, name: &str) -> Option<f64> {
        explain::figure(reading, node, name)
    }

    fn kept(reading: &Reading, node: NodeId) -> Option<NamedNumbers> {
        explain::kept(reading, node)
    }
}

/// What is believed about a node, from the view of the side that moved to it.
fn of_mover(tree: &Tree, node: &Node) -> Cdf {
    tree.belief_slot(node.belief()).read()
}

/// Keeps a belief at a node, given from its own view. Without room for it the node is left out.
fn store(tree: &Tree, id: NodeId, own: &Cdf) {
    let node = tree.node(id);
    if node.belief() == 0 {
        let Some(place) = tree.allocate_beliefs(1) else {
            return;
        };
        tree.belief_slot(place).initialise(&own.negated());
        node.set_belief(place);
    } else {
        tree.belief_slot(node.belief()).write(&own.negated());
    }
}
