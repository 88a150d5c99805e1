//! Conspiracy-number search: how many leaves would have to change their value together for the root to change its own.
//!
//! Source: David Allen McAllester, *Conspiracy numbers for min-max search*, Artificial Intelligence 35 (1988). The numbers
//! say how stable the root's value is. A descent looks into the cheapest conspiracy that could move it furthest, until no
//! conspiracy of at most `threshold` leaves can move it.

mod explain;
mod numbers;

use super::driver::{self, Row, Strategy};
use super::leaf_belief::LeafBelief;
use crate::leaf_value::{LEAF, LEAF_DEPTH};
use crate::reuse::TREE_REUSE;
use eval::Evaluator;
use game::Game;
use numbers::{Levels, MOST, Numbers};
use search::algorithm::{AlgorithmInfo, Goals, Ranking};
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::explanation::{Explanation, NamedNumbers, Reading, Unit};
use search::options::EVAL;
use search::{Aim, AimInfo, Job, OptionSpec, Options, Range, StopReason};
use tree::{Family, Node, NodeId, Tree};

/// How many leaves a conspiracy may have that is looked into.
const THRESHOLD: OptionSpec = OptionSpec {
    key: "threshold",
    default: "auto",
    range: Range::Choice(&["auto", "1", "2", "3", "4", "5", "6"]),
    summary: "the root's value is settled once no conspiracy of so many leaves can move it; auto: 2 in a toy tree, 3 in chess",
};

/// How wide the likely range may stay.
const WIDTH: OptionSpec = OptionSpec {
    key: "width",
    default: "0",
    range: Range::Number { min: 0.0, max: 2.0 },
    summary: "settled already when the likely range is no wider than this (expected score, −1 to 1)",
};

/// Which leaves may conspire.
const CONSPIRATORS: OptionSpec = OptionSpec {
    key: "conspirators",
    default: "open",
    range: Range::Choice(&["open", "all"]),
    summary: "the leaves that may conspire: those that can be expanded (open), or also those where the game is over",
};

/// What happens once the value is settled.
const END: OptionSpec = driver::end(
    "when the root's value is settled: stop, or go on with larger conspiracies (next); auto: stop in a toy tree",
);

const OPTIONS: &[OptionSpec] = &[
    THRESHOLD,
    WIDTH,
    CONSPIRATORS,
    END,
    LEAF,
    LEAF_DEPTH,
    TREE_REUSE,
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// The row of conspiracy-number search in the table of algorithms.
pub type Entry = Row<Conspiracy>;

/// The smallest conspiracy that can move the root furthest, each with its size and where it leads.
static RAISE: AimInfo = AimInfo {
    name: "raise",
    words: &["", " could {raise|lower} it to ", "."],
    units: &[LEAVES, Unit::Expected],
};
static LOWER: AimInfo = AimInfo {
    name: "lower",
    words: &["", " could {lower|raise} it to ", "."],
    units: &[LEAVES, Unit::Expected],
};

/// The same where nothing limits how far.
static RAISE_AT_WILL: AimInfo = AimInfo {
    name: "raise",
    words: &["", " could {raise|lower} it to any value."],
    units: &[LEAVES],
};
static LOWER_AT_WILL: AimInfo = AimInfo {
    name: "lower",
    words: &["", " could {lower|raise} it to any value."],
    units: &[LEAVES],
};

const LEAVES: Unit = Unit::Of("leaf", "leaves");

/// What a descent is after: to raise or lower the root to a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target {
    raise: bool,
    level: usize,
}

/// How far the root's value could be moved by conspiracies of limited size.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Likely {
    /// The levels that can be reached, beyond the root's value; `None` where no level can.
    lower: Option<usize>,
    upper: Option<usize>,
    target: Option<Target>,
}

impl Likely {
    /// By the root's numbers: everything is seen by the side to move at the root.
    fn of(levels: &Levels, root: &Node, threshold: u32) -> Likely {
        let (value, numbers) = (root.expected(), Numbers::of(root));
        let reached =
            |j: &usize| !numbers.is_reached(levels, value, *j) && numbers.get(*j) <= threshold;
        let above = levels.above(value);
        let upper = (above..levels.len()).rev().find(reached);
        let lower = (0..above).find(reached);
        let end = |level: Option<usize>| level.map_or(value, |j| levels.at(j));
        let (down, up) = (value - end(lower), end(upper) - value);
        // What the mover hopes for comes first where both are as far.
        // Both are differences of rounded numbers.
        let raise = up >= down - numbers::SAME;
        let level = if raise { upper } else { lower };
        Likely {
            lower,
            upper,
            target: level.map(|level| Target { raise, level }),
        }
    }

    /// The likely range, which holds the root's value.
    fn range(&self, levels: &Levels, value: f32) -> (f32, f32) {
        let end = |level: Option<usize>| level.map_or(value, |j| levels.at(j));
        (end(self.lower), end(self.upper))
    }
}

/// The size of conspiracies at which the search starts.
fn first_threshold(options: &Options, is_toy: bool) -> u32 {
    match options.word("threshold").parse() {
        Ok(threshold) => threshold,
        Err(_) if is_toy => 2,
        Err(_) => 3,
    }
}

pub struct Conspiracy {
    levels: Levels,
    threshold: u32,
    width: f32,
    all_conspire: bool,
    stops: bool,
    target: Option<Target>,
}

impl Conspiracy {
    /// The target with the smallest threshold that leaves one, from the search's own on.
    fn aim(&self, root: &Node) -> Option<(Target, u32)> {
        (self.threshold..=MOST).find_map(|threshold| {
            let likely = Likely::of(&self.levels, root, threshold);
            let (low, high) = likely.range(&self.levels, root.expected());
            let target = likely.target.filter(|_| high - low > self.width)?;
            Some((target, threshold))
        })
    }
}

impl Strategy for Conspiracy {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "conspiracy",
        summary: "how many leaves must change together to move the root's value; expands the smallest such conspiracy",
        source: "McAllester, Conspiracy numbers for min-max search (1988)",
        family: Family::BestFirst,
        beliefs: false,
        ranking: Ranking::Value,
        options: OPTIONS,
        figures: &["conspirators"],
        goals: Goals {
            two_threads: 1.0,
            ..Goals::NONE
        },
    };

    const COLUMNS: &'static [&'static str] = &["conspirators"];

    fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Self {
        let position = &job.situation.position;
        Conspiracy {
            levels: Levels::of(position.static_values()),
            threshold: first_threshold(job.options, position.height().is_some()),
            width: job.options.number("width") as f32,
            all_conspire: job.options.is("conspirators", "all"),
            stops: driver::stops(job, "end"),
            target: None,
        }
    }

    /// Conspiracies lead far down.
    const FORGETS_AFTER: u32 = 32;

    fn plan(&mut self, tree: &Tree) -> Result<Option<Aim>, StopReason> {
        let root = tree.node(Tree::ROOT);
        self.target = None;
        if driver::is_new(tree, root).is_some() {
            return Ok(None);
        }
        let Some((target, threshold)) = self.aim(root) else {
            return Err(StopReason::Exhausted);
        };
        if threshold > self.threshold && self.stops {
            return Err(StopReason::Settled);
        }
        self.target = Some(target);
        let size = Numbers::of(root).get(target.level) as f32;
        let level = self.levels.at(target.level);
        let info = match (target.raise, level.is_finite()) {
            (true, true) => &RAISE,
            (false, true) => &LOWER,
            (true, false) => &RAISE_AT_WILL,
            (false, false) => &LOWER_AT_WILL,
        };
        Ok(Some(Aim::new(Tree::ROOT, info, [size, level])))
    }

    fn choose(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        if let Some(new) = driver::is_new(tree, node) {
            return Some(new);
        }
        let mut open = driver::open_children(tree, id);
        // Where the way to this node was forced, there may be nothing to move.
        let Some(target) = self.target else {
            return open.next();
        };
        let needed = |c: NodeId| Numbers::to_reach(&self.levels, tree.node(c), target);
        // One child is enough to raise the value of the side to move at the root where that side chooses; where the other
        // side chooses, all of them have to conspire.
        if Numbers::of(node).is_roots_side() == target.raise {
            let mut least: Option<(Key, NodeId)> = None;
            for c in open {
                let key = self.key(needed(c), tree.node(c));
                if least.is_none_or(|(l, _)| key < l) {
                    least = Some((key, c));
                }
            }
            least.map(|(_, c)| c)
        } else {
            let first = open.next();
            let all = first.into_iter().chain(open);
            let mut waiting = all.filter(|&c| needed(c) > 0);
            waiting.next().or(first)
        }
    }

    fn settle(&self, tree: &Tree, id: NodeId, _belief: &LeafBelief) {
        let node = tree.node(id);
        let parent = node.parent();
        let roots_side = parent.is_none() || !Numbers::of(tree.node(parent)).is_roots_side();
        let is_leaf = node.first_child().is_none();
        if self.all_conspire && !is_leaf {
            // Proven, but the leaves that prove it may conspire all the same.
            return;
        }
        let open = node.fate().is_frontier() && !node.proof().is_exact();
        let conspires = open || self.all_conspire;
        let alone = if conspires { 1 } else { MOST + 1 };
        Numbers::leaf(&self.levels, node, roots_side, alone).store(node);
    }

    fn back_up(&self, tree: &Tree, id: NodeId) -> f32 {
        let node = tree.node(id);
        let children = || {
            let all = tree.children_block(node).iter();
            all.filter(|c| !c.is_excluded() && c.visits() > 0)
        };
        let best = children().map(|c| -c.expected()).reduce(f32::max);
        let value = best.unwrap_or(node.expected());
        let roots_side = Numbers::of(node).is_roots_side();
        Numbers::inner(&self.levels, roots_side, value, children()).store(node);
        value
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

/// By what children are compared: the conspirators needed, then where all numbers are at their limit the visits.
type Key = (u32, u32);

impl Conspiracy {
    fn key(&self, needed: u32, child: &Node) -> Key {
        (needed, if needed > MOST { child.visits() } else { 0 })
    }
}
