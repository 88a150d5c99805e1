//! Where to search next: the child a descent goes to.
//!
//! Source: the second question of the DISTRESS essay and its two formulas; criticality and the value of
//! information after Russell and Wefald, On optimal game-tree search using rational meta-reasoning, IJCAI-89.

use super::move_formula::{self, MoveFormula};
use belief::{Cdf, vpi};
use game::Score;
use search::{FormulaRange, OptionSpec, Options, Range};
use std::rc::Rc;
use tree::{Node, Tree};

/// The rule by which a descent chooses, with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Allocation {
    pub by: By,
    /// Of [`By::Formula`].
    pub own: Option<Rc<MoveFormula>>,
    /// c in the DISTRESS essay's formulas.
    pub exploration: f32,
    /// Whether c is times the standard deviation of the node's belief.
    pub by_spread: bool,
    /// Whether A(i) is other than 1 in the DISTRESS essay's second formula; see [`adjustment`].
    pub adjust: bool,
}

/// By what a descent chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The leaf whose belief matters most to the root's: the product of the policies along its path times its own
    /// urgency.
    Criticality,
    /// At the root the move on which perfect information is worth most, times its urgency; below it criticality.
    Vpi,
    /// As [`By::Vpi`] on the root's even visits, as [`By::Criticality`] on its odd ones: the value of information finds
    /// tactics, the policy suits quiet play.
    Alternate,
    /// The leaf whose search is worth most for each node it costs; see [`super::computation`]. Where none is worth anything,
    /// criticality.
    Computation,
    /// The child visited least: the control that everything else has to beat.
    Uniform,
    /// pi + c A sqrt(sum v) / (1 + v).
    Puct,
    /// pi + c sqrt(ln(sum v) / (v + 1)).
    Ucb,
    /// The highest score by somebody's formula.
    Formula,
}

/// What the figure of a node is that a back-up keeps for the allocation ([`Node::urgency`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// Of the leaf below the node that matters most to it: the policies on the way times the leaf's own urgency, its
    /// spread over the square root of its price. The allocations `criticality`, `vpi` and `alternate` choose by it.
    Criticality,
    /// The spread (standard deviation, in expected score) of the widest leaf below the node that can still be searched.
    /// The DISTRESS essay's formulas only ask whether there is one.
    WidestLeaf,
}

impl Urgency {
    /// What it is called beside the number.
    pub fn name(self) -> &'static str {
        match self {
            Urgency::Criticality => "urgency",
            Urgency::WidestLeaf => "widest open leaf",
        }
    }
}

/// The urgency of what can still be searched although no belief hangs on it: an urgency of 0 means that nothing can. By its
/// score it is never chosen.
pub(super) const FAINT: f32 = f32::MIN_POSITIVE;

pub(super) const ALLOCATION: OptionSpec = OptionSpec {
    key: "allocation",
    default: "alternate",
    range: Range::Formula(&FORMULAS),
    summary: "where to search next: the leaf that matters most to the root (criticality), the root's move most worth knowing (vpi), both in turn, the leaf whose search gains most for its price (mgss), one of the DISTRESS essay's two formulas, visits in proportion to the policy (proportional), the child visited least, or the child with the highest score by a formula (its share of the policy where it has no finite value)",
};

static FORMULAS: FormulaRange = FormulaRange {
    is_word: |text| WORDS.contains(&text),
    words: "alternate, criticality, vpi, mgss, puct, ucb, proportional or uniform",
    scope: move_formula::SCOPE,
    is_condition: false,
    check: |_| Ok(()),
    written: |word| {
        let formula = match word {
            "criticality" => "policy*urgency",
            "puct" => "policy + sqrt(N)/(1 + n)",
            "ucb" => "policy + sqrt(log(N)/(n + 1))",
            PROPORTIONAL => IN_PROPORTION,
            "uniform" => "1/(1 + n)",
            // They need more than a move's own numbers.
            _ => return None,
        };
        Some(formula.to_owned())
    },
};

/// Visits in proportion to the policy: the next one goes where they are furthest behind it (the divisor method of d'Hondt).
const PROPORTIONAL: &str = "proportional";
const IN_PROPORTION: &str = "policy/(1 + n)";

const WORDS: [&str; 8] = [
    "alternate",
    "criticality",
    "vpi",
    "mgss",
    "puct",
    "ucb",
    PROPORTIONAL,
    "uniform",
];

pub(super) const EXPLORATION: OptionSpec = OptionSpec {
    key: "exploration",
    default: "1.0",
    range: Range::Number {
        min: 0.0,
        max: 10.0,
    },
    summary: "c in the formulas of allocation puct and ucb",
};

pub(super) const SPREAD: OptionSpec = OptionSpec {
    key: "exploration-by",
    default: "constant",
    range: Range::Choice(&["constant", "spread"]),
    summary: "c in allocations puct and ucb as it is, or \"scaled by roughly the square root of the variance\": times the standard deviation of the node's belief",
};

pub(super) const ADJUST: OptionSpec = OptionSpec {
    key: "adjust",
    default: "off",
    range: Range::Switch,
    summary: "A(i) in allocation puct: 1/√rank, a move's rank by its first value; off: 1",
};

/// What siblings have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Siblings {
    root: f32,
    log: f32,
    /// What c is multiplied by.
    scale: f32,
}

impl Siblings {
    pub fn of(children: &[Node], scale: f32) -> Siblings {
        let total: u32 = children.iter().map(Node::visits).sum();
        Siblings {
            root: (total as f32).sqrt(),
            log: (total.max(1) as f32).ln(),
            scale,
        }
    }
}

/// A(i) of the DISTRESS essay: 1 for the move that looked best before anything was searched below it, 1/sqrt(2) for the next.
///
/// Children stand in the tree in the order of their first value, which is the static value after the move and what the
/// captures (or the search) from there made of it, so the place among them tells it without a word in the node. Moves
/// that were out at first stand last.
pub(super) fn adjustment(place: usize) -> f32 {
    1.0 / ((place + 1) as f32).sqrt()
}

impl Allocation {
    /// As the options of `distress` ask for.
    pub fn new(options: &Options) -> Allocation {
        let by = match options.word("allocation") {
            "vpi" => By::Vpi,
            "puct" => By::Puct,
            "ucb" => By::Ucb,
            "criticality" => By::Criticality,
            "uniform" => By::Uniform,
            "mgss" => By::Computation,
            "alternate" => By::Alternate,
            _ => By::Formula,
        };
        let own = || Rc::new(MoveFormula::new(options.word(ALLOCATION.key), &FORMULAS));
        Allocation {
            by,
            own: (by == By::Formula).then(own),
            exploration: options.number("exploration") as f32,
            by_spread: matches!(by, By::Puct | By::Ucb)
                && options.word("exploration-by") == "spread",
            adjust: by == By::Puct && options.switch("adjust"),
        }
    }

    /// What a node's urgency means.
    pub fn urgency_is(&self) -> Urgency {
        match self.by {
            By::Criticality | By::Vpi | By::Alternate | By::Computation => Urgency::Criticality,
            By::Formula if self.own.as_ref().is_some_and(|own| own.names_urgency()) => {
                Urgency::Criticality
            }
            By::Puct | By::Ucb | By::Uniform | By::Formula => Urgency::WidestLeaf,
        }
    }

    /// Whether urgency means criticality; else it only says that something is open.
    pub(super) fn is_critical(&self) -> bool {
        self.urgency_is() == Urgency::Criticality
    }

    /// What c is multiplied by at a node: 1, or the standard deviation of its belief.
    #[inline]
    pub(super) fn scale(&self, tree: &Tree, node: &Node) -> f32 {
        if self.by_spread && node.belief() != 0 {
            tree.belief_slot(node.belief()).read().sd(tree.grid())
        } else {
            1.0
        }
    }

    /// What a child adds to its parent's urgency.
    #[inline]
    fn weight(&self, child: &Node) -> f32 {
        let urgency = child.urgency();
        if !self.is_critical() {
            urgency
        } else if urgency > 0.0 {
            (child.policy() * urgency).max(FAINT)
        } else {
            0.0
        }
    }

    /// The urgency of a node: that of its most urgent child that can still change anything. `narrowed`: children may
    /// have been taken out.
    #[inline]
    pub(super) fn urgency(&self, children: &[Node], narrowed: bool, relevance: Score) -> f32 {
        if narrowed {
            self.urgency_among::<true>(children, relevance)
        } else {
            self.urgency_among::<false>(children, relevance)
        }
    }

    #[inline]
    fn urgency_among<const NARROWED: bool>(&self, children: &[Node], relevance: Score) -> f32 {
        children
            .iter()
            .filter(|c| c.proof().lower < relevance && !(NARROWED && c.is_excluded()))
            .map(|c| self.weight(c))
            .fold(0.0, f32::max)
    }

    /// The place of the child to go to; `None` where nothing below can still be searched. `relevance` is the lower
    /// bound at which a child can be left alone; `narrowed`: children may have been taken out.
    pub(super) fn choose(
        &self,
        tree: &Tree,
        node: &Node,
        narrowed: bool,
        relevance: Score,
    ) -> Option<usize> {
        let children = tree.children_block(node);
        if let Some(own) = &self.own {
            let best = own.with_scores(tree, node, |scores| {
                self.choose_by(scores, children, narrowed, relevance)
            });
            return best.or_else(|| least_visited(children, narrowed, relevance));
        }
        self.choose_among(children, self.scale(tree, node), narrowed, relevance)
    }

    /// As [`Allocation::choose`] where the formula is built in; `scale`: see [`Allocation::scale`].
    fn choose_among(
        &self,
        children: &[Node],
        scale: f32,
        narrowed: bool,
        relevance: Score,
    ) -> Option<usize> {
        let siblings = Siblings::of(children, scale);
        let score = |place: usize, child: &Node| self.score(siblings, place, child);
        let best = if narrowed {
            highest::<true>(children, relevance, FAINT, score)
        } else {
            highest::<false>(children, relevance, FAINT, score)
        };
        best.or_else(|| least_visited(children, narrowed, relevance))
    }

    /// As [`Allocation::choose`], by scores worked out before.
    pub(super) fn choose_by(
        &self,
        scores: &[f32],
        children: &[Node],
        narrowed: bool,
        relevance: Score,
    ) -> Option<usize> {
        // A formula may give what can be searched any score.
        let own = self.by == By::Formula;
        let least = if own { f32::NEG_INFINITY } else { FAINT };
        let score = |place: usize, child: &Node| match own && child.urgency() <= FAINT {
            true => f32::NEG_INFINITY,
            false => scores[place],
        };
        if narrowed {
            highest::<true>(children, relevance, least, score)
        } else {
            highest::<false>(children, relevance, least, score)
        }
    }

    /// How often a formula had no finite value since this was asked last.
    pub(super) fn take_undefined(&self) -> u64 {
        self.own.as_ref().map_or(0, |own| own.take_undefined())
    }

    /// What the formula adds to the policy for being visited little; 0 by criticality.
    #[inline]
    pub(super) fn bonus(&self, siblings: Siblings, place: usize, child: &Node) -> f32 {
        let visits = child.visits() as f32;
        let c = self.exploration * siblings.scale;
        match self.by {
            By::Criticality
            | By::Vpi
            | By::Alternate
            | By::Computation
            | By::Uniform
            | By::Formula => 0.0,
            By::Puct if self.adjust => c * adjustment(place) * siblings.root / (1.0 + visits),
            By::Puct => c * siblings.root / (1.0 + visits),
            By::Ucb => c * (siblings.log / (visits + 1.0)).sqrt(),
        }
    }

    /// The figure by which a child is chosen away from the root; 0 where nothing below it can be searched.
    #[inline]
    pub(super) fn score(&self, siblings: Siblings, place: usize, child: &Node) -> f32 {
        if self.is_critical() {
            self.weight(child)
        } else if child.urgency() <= FAINT {
            0.0
        } else if self.by == By::Uniform {
            1.0 / (1.0 + child.visits() as f32)
        } else {
            child.policy() + self.bonus(siblings, place, child)
        }
    }

    pub(super) fn is_by_computation(&self) -> bool {
        self.by == By::Computation
    }

    /// Whether the root's next visit goes by the value of information.
    pub(super) fn asks_value(&self, root: &Node) -> bool {
        match self.by {
            By::Vpi => true,
            By::Alternate => root.visits().is_multiple_of(2),
            _ => false,
        }
    }

    /// The scores of all children, in their order; at the root, by value of information, that value times the urgency, or
    /// where it is 0 for all that can be searched, criticality.
    pub(super) fn scores(&self, tree: &Tree, node: &Node, at_root: bool) -> Vec<f32> {
        let children = tree.children_block(node);
        if at_root && self.asks_value(node) {
            let mut values = values(tree, children);
            for (value, child) in values.iter_mut().zip(children) {
                *value *= child.urgency();
            }
            if values.iter().any(|v| *v > FAINT) {
                return values;
            }
        }
        if let Some(own) = &self.own {
            return own.with_scores(tree, node, <[f32]>::to_vec);
        }
        let siblings = Siblings::of(children, self.scale(tree, node));
        let numbered = children.iter().enumerate();
        numbered
            .map(|(place, child)| self.score(siblings, place, child))
            .collect()
    }
}

/// The value of perfect information on each child, in expected score. One that is out or has no belief yet counts as a
/// certain loss.
pub(super) fn values(tree: &Tree, children: &[Node]) -> Vec<f32> {
    let belief = |child: &Node| {
        if child.is_excluded() || child.belief() == 0 {
            Cdf::atom(0)
        } else {
            tree.belief_slot(child.belief()).read()
        }
    };
    let beliefs: Vec<Cdf> = children.iter().map(belief).collect();
    vpi(&beliefs, tree.grid())
}

/// The place of the child with the highest score above `least` among those that can still change anything; the first of
/// equals.
#[inline]
fn highest<const NARROWED: bool>(
    children: &[Node],
    relevance: Score,
    least: f32,
    score: impl Fn(usize, &Node) -> f32,
) -> Option<usize> {
    let mut best = None;
    let mut best_score = least;
    for (i, child) in children.iter().enumerate() {
        let score = score(i, child);
        let out = NARROWED && child.is_excluded();
        if score > best_score && child.proof().lower < relevance && !out {
            best = Some(i);
            best_score = score;
        }
    }
    best
}

/// Where no belief is at stake any more, proofs may be: the open child that was visited least.
pub(super) fn least_visited(children: &[Node], narrowed: bool, relevance: Score) -> Option<usize> {
    let open = |c: &Node| {
        c.urgency() > 0.0 && c.proof().lower < relevance && !(narrowed && c.is_excluded())
    };
    let numbered = children.iter().enumerate().filter(|(_, c)| open(c));
    numbered.min_by_key(|(_, c)| c.visits()).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(policy: f32, visits: u32, urgency: f32) -> Node {
        let node = Node::default();
        node.set_policy(policy);
        node.set_visits(visits);
        node.set_urgency(urgency);
        node.set_proof(tree::Proof::OPEN);
        node
    }

    fn rule(by: By, adjust: bool) -> Allocation {
        Allocation {
            by,
            own: None,
            exploration: 0.5,
            by_spread: false,
            adjust,
        }
    }

    /// pi = (.5, .3, .2), v = (10, 4, 2): sum 16, sqrt 4, ln 2.7726.
    #[test]
    fn the_formulas_by_hand() {
        let children = [child(0.5, 10, 0.2), child(0.3, 4, 0.4), child(0.2, 2, 0.0)];
        let siblings = Siblings::of(&children, 1.0);
        let bonus = |a: Allocation| [0, 1, 2].map(|i| a.bonus(siblings, i, &children[i]));
        let close = |found: [f32; 3], expected: [f32; 3]| {
            for (f, e) in found.iter().zip(expected) {
                assert!((f - e).abs() < 1e-4, "{found:?}");
            }
        };
        close(bonus(rule(By::Puct, false)), [0.181_82, 0.4, 0.666_67]);
        close(bonus(rule(By::Puct, true)), [0.181_82, 0.282_84, 0.384_9]);
        close(bonus(rule(By::Ucb, false)), [0.251_02, 0.372_33, 0.480_67]);
        close(bonus(rule(By::Criticality, false)), [0.0; 3]);
        // c times a standard deviation of .4: two fifths of the bonus.
        let narrow = Siblings::of(&children, 0.4);
        let puct = rule(By::Puct, false);
        close(
            [0, 1, 2].map(|i| puct.bonus(narrow, i, &children[i])),
            [0.072_73, 0.16, 0.266_67],
        );
        let scores = |a: Allocation| [0, 1, 2].map(|i| a.score(siblings, i, &children[i]));
        // Nothing is open below the third.
        close(scores(rule(By::Puct, false)), [0.681_82, 0.7, 0.0]);
        close(scores(rule(By::Criticality, false)), [0.1, 0.12, 0.0]);
        let choose = |a: Allocation| a.choose_among(&children, 1.0, false, Score::MAX);
        assert_eq!(choose(rule(By::Puct, false)), Some(1));
        assert_eq!(choose(rule(By::Puct, true)), Some(0));
        assert_eq!(choose(rule(By::Criticality, false)), Some(1));
        children[1].set_proof(tree::Proof::exact(Score::win_in(4)));
        let left = rule(By::Puct, false).choose_among(&children, 1.0, false, Score::win_in(4));
        assert_eq!(left, Some(0), "a proven child is left alone");
    }

    /// Worked out apart from this code: s = (.3, .1, -.2), v = (.04, .09, .01) are worth .016663, .045336 and 5.3e-9.
    #[test]
    fn the_value_of_information_of_the_golden_example() {
        use game::{MoveCode, Scale};
        use tree::{Family, NodeId, TreeSpec};
        let tree = Tree::new(TreeSpec {
            family: Family::BestFirst,
            scale: Scale::linear(1.0, 1.0),
            beliefs: true,
            budget: 4 << 20,
            record_plies: u16::MAX,
        });
        let codes = (0..3).map(MoveCode);
        let first = tree.allocate_children(Tree::ROOT, codes).expect("room");
        tree.attach(Tree::ROOT, first, 3);
        let slots = tree.allocate_beliefs(3).expect("room");
        let numbers = [(0.3, 0.2), (0.1, 0.3), (-0.2, 0.1)];
        for (i, (mean, sd)) in (0..).zip(numbers) {
            let belief = belief::Density::normal(tree.grid(), mean, sd).cdf();
            tree.belief_slot(slots + i).initialise(&belief);
            let child = tree.node(NodeId(first.0 + i));
            child.set_belief(slots + i);
            child.set_urgency(1.0);
            child.set_policy(0.5);
        }
        let children = tree.children_block(tree.node(Tree::ROOT));
        let scores = || rule(By::Vpi, false).scores(&tree, tree.node(Tree::ROOT), true);
        for (found, golden) in scores().iter().zip([0.016_663, 0.045_336, 0.0]) {
            // Of bins as wide as 2/63.
            assert!((found - golden).abs() < 4e-4, "{found} {golden}");
        }
        let by_value = rule(By::Vpi, false);
        let choose = || by_value.choose_by(&scores(), children, false, Score::MAX);
        assert_eq!(choose(), Some(1));
        children[1].set_urgency(0.0);
        assert_eq!(choose(), Some(0), "what can't be searched is left");
        children[0].set_urgency(0.0);
        assert_eq!(choose(), Some(2));
        children[2].set_urgency(0.0);
        assert_eq!(choose(), None);
    }
}
