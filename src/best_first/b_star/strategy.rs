//! Which move of the root the next descent is about: PROVEBEST or DISPROVEREST.

use super::{Interval, counts};
use crate::driver;
use search::explanation::Unit;
use search::{Aim, AimInfo, Options};
use tree::{Node, NodeId, Tree};

/// The best move is to be proven, because nothing else could be enough.
static BELOW: AimInfo = AimInfo {
    name: "prove-best",
    words: &[
        "to be proven best: at worst ",
        ", {less|more} than another move's ",
        ", so proving the others worse could not be enough.",
    ],
    units: &[Unit::Expected, Unit::Expected],
};

const TIMES: Unit = Unit::Of("time", "times");

/// One of the two by [`Rule::Fewer`], each with the expansions below the best move and below the second.
static PROVE_FEWER: AimInfo = AimInfo {
    name: "prove-best",
    words: &[
        "to be proven best: expanded ",
        " below it, ",
        " below the second.",
    ],
    units: &[TIMES, TIMES],
};
static DISPROVE_FEWER: AimInfo = AimInfo {
    name: "disprove-rest",
    words: &[
        "to be proven worse: expanded ",
        " below the best move, ",
        " below the second.",
    ],
    units: &[TIMES, TIMES],
};

/// One of the two by [`Rule::Depth`] or [`Rule::Range`], each with the others' sum and the best move's term.
static PROVE_SUM: AimInfo = AimInfo {
    name: "prove-best",
    words: &[
        "to be proven best: proving the others worse weighs ",
        ", no less than ",
        " for the best.",
    ],
    units: &[Unit::Magnitude, Unit::Magnitude],
};
static DISPROVE_SUM: AimInfo = AimInfo {
    name: "disprove-rest",
    words: &[
        "to be proven worse: that weighs ",
        " for the others, less than ",
        " for proving the best.",
    ],
    units: &[Unit::Magnitude, Unit::Magnitude],
};

static ALWAYS_PROVE: AimInfo = AimInfo {
    name: "prove-best",
    words: &["to be proven best, as always."],
    units: &[],
};
static ALWAYS_DISPROVE: AimInfo = AimInfo {
    name: "disprove-rest",
    words: &["to be proven worse, as always."],
    units: &[],
};

/// The best move was to be proven or the others disproved, but nothing there can grow.
static INSTEAD: AimInfo = AimInfo {
    name: "instead",
    words: &["searched because what should come first can't grow."],
    units: &[],
};

/// The best move is separated, and the search goes on.
static TEST: AimInfo = AimInfo {
    name: "test",
    words: &[
        "tested further although one move is separated: at worst ",
        ", every other at best ",
        ".",
    ],
    units: &[Unit::Expected, Unit::Expected],
};

/// How the two take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// What has been expanded less often: the best move or the second.
    Fewer,
    /// Berliner's D: the squares of the depths from which the optimistic values came.
    Depth,
    /// Berliner's R: those squares, each divided by the interval's length.
    Range,
    Prove,
    Disprove,
}

impl Rule {
    pub fn of(options: &Options) -> Rule {
        match options.word("strategy") {
            "depth" => Rule::Depth,
            "range" => Rule::Range,
            "prove" => Rule::Prove,
            "disprove" => Rule::Disprove,
            _ => Rule::Fewer,
        }
    }
}

/// The optimistic and the pessimistic value of a move, by which moves are compared.
pub(super) fn hope(tree: &Tree, child: NodeId) -> (f32, f32) {
    let seen = Interval::of_mover(tree.node(child));
    (seen.upper, seen.lower)
}

/// The first of the best by this measure.
pub(super) fn first_best<K: PartialOrd>(
    nodes: impl Iterator<Item = NodeId>,
    key: impl Fn(NodeId) -> K,
) -> Option<NodeId> {
    nodes.fold(None, |best, c| match best {
        Some(b) if key(c) <= key(b) => best,
        _ => Some(c),
    })
}

/// The root's moves, the one with the best optimistic value first.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub best: NodeId,
    pub others: Vec<NodeId>,
    /// At best, the best of the others.
    pub hope: Option<f32>,
    /// At worst, the best move.
    pub sure: f32,
    /// At worst, the best of the others.
    others_sure: f32,
}

impl Standing {
    /// `None` without a move that counts.
    pub fn of(tree: &Tree, root: &Node) -> Option<Standing> {
        let first = root.first_child();
        let children = tree.children_block(root).iter().enumerate();
        let known = children.filter(|(_, c)| counts(c));
        let mut moves: Vec<NodeId> = known.map(|(i, _)| NodeId(first.0 + i as u32)).collect();
        // A stable sort: the first of equals stays first.
        moves.sort_by(|&a, &b| {
            let ((o, p), (other_o, other_p)) = (hope(tree, a), hope(tree, b));
            other_o.total_cmp(&o).then(other_p.total_cmp(&p))
        });
        let others = moves.split_off(moves.len().min(1));
        let best = *moves.first()?;
        let others_sure = others.iter().map(|&c| hope(tree, c).1);
        Some(Standing {
            best,
            hope: others.first().map(|&c| hope(tree, c).0),
            sure: hope(tree, best).1,
            others_sure: others_sure.fold(f32::NEG_INFINITY, f32::max),
            others,
        })
    }

    /// How far the best move's pessimistic value is above the others' optimistic values; negative before the separation.
    pub fn gap(&self) -> Option<f32> {
        self.hope.map(|hope| self.sure - hope)
    }

    /// Whether no other move can be better, as far as the intervals are true.
    pub fn is_separated(&self) -> bool {
        self.gap().is_none_or(|gap| gap >= 0.0)
    }

    /// What the next descent is for. `None`: nothing that could change the choice can grow.
    pub fn aim(&self, tree: &Tree, rule: Rule) -> Option<Aim> {
        let grows = |c: &&NodeId| driver::is_open(tree.node(**c));
        if self.is_separated() {
            let next = std::iter::once(&self.best)
                .chain(&self.others)
                .find(grows)?;
            let hope = self.hope.unwrap_or(-1.0);
            return Some(Aim::new(*next, &TEST, [self.sure, hope]));
        }
        let (proves, info, numbers) = self.decide(tree, rule);
        let others: Vec<NodeId> = self.in_the_way(tree).collect();
        let order: Vec<NodeId> = match proves {
            true => std::iter::once(self.best).chain(others).collect(),
            false => others.into_iter().chain([self.best]).collect(),
        };
        let next = *order.iter().find(grows)?;
        let as_meant = (next == self.best) == proves;
        Some(match as_meant {
            true => Aim::new(next, info, numbers),
            false => Aim::new(next, &INSTEAD, [0.0; 2]),
        })
    }

    /// The other moves that could still be better than the best.
    fn in_the_way<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = NodeId> + 'a {
        let others = self.others.iter().copied();
        others.filter(|&c| hope(tree, c).0 > self.sure)
    }

    /// Whether the best move is to be proven, why, and the numbers compared.
    fn decide(&self, tree: &Tree, rule: Rule) -> (bool, &'static AimInfo, [f32; 2]) {
        if self.sure < self.others_sure {
            return (true, &BELOW, [self.sure, self.others_sure]);
        }
        match rule {
            Rule::Fewer => {
                let second = self.others.first().copied();
                let [best, second] = [Some(self.best), second]
                    .map(|c| c.map_or(0.0, |c| expansions(tree, c) as f32));
                match best <= second {
                    true => (true, &PROVE_FEWER, [best, second]),
                    false => (false, &DISPROVE_FEWER, [best, second]),
                }
            }
            Rule::Depth | Rule::Range => {
                let weight = |c| weight(tree, c, rule);
                let others: f32 = self.in_the_way(tree).map(weight).sum();
                let best = weight(self.best);
                match others < best {
                    true => (false, &DISPROVE_SUM, [others, best]),
                    false => (true, &PROVE_SUM, [others, best]),
                }
            }
            Rule::Prove => (true, &ALWAYS_PROVE, [0.0; 2]),
            Rule::Disprove => (false, &ALWAYS_DISPROVE, [0.0; 2]),
        }
    }
}

/// The number of expansions at and below a move of the root: its visits but the first, when it was evaluated.
pub(super) fn expansions(tree: &Tree, child: NodeId) -> u32 {
    tree.node(child).visits().saturating_sub(1)
}

/// The square of the depth from which a move's optimistic value came, for R divided by its interval's length.
fn weight(tree: &Tree, child: NodeId, rule: Rule) -> f32 {
    let depth = depth_of_hope(tree, child) as f32;
    let seen = Interval::of_mover(tree.node(child));
    match rule {
        Rule::Range => depth * depth / (seen.upper - seen.lower).max(1e-6),
        _ => depth * depth,
    }
}

/// The depth of the leaf from which a root move's optimistic value was backed up.
fn depth_of_hope(tree: &Tree, child: NodeId) -> u32 {
    let (mut id, mut depth) = (child, 1);
    // The mover's hope is the lower end here, one ply further down the upper end, and so on.
    let mut lower = true;
    loop {
        let own = Interval::of(tree.node(id));
        let end = if lower { own.lower } else { own.upper };
        let gives = |&c: &NodeId| {
            let seen = Interval::of_mover(tree.node(c));
            counts(tree.node(c)) && end == if lower { seen.lower } else { seen.upper }
        };
        let Some(next) = tree.children(id).find(gives) else {
            return depth;
        };
        (id, depth, lower) = (next, depth + 1, !lower);
    }
}
