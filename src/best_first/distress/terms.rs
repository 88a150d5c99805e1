//! Where the next descent that comes to a node would go on, and by which numbers: for the inspector.

use super::allocate::{Allocation, By, Siblings, adjustment, least_visited, values};
use super::budget::is_open;
use super::computation::{self, Price};
use crate::proofs;
use game::{Scale, Score};
use search::Options;
use tree::{Fate, Node, NodeId, Tree};

/// What decides where a descent goes on from a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub allocation: Allocation,
    /// Budgets are handed down by the terms' shares; else the highest score has the next visit.
    pub by_budget: bool,
    /// The value of information decides: this is the root, and some move that can be searched is worth knowing.
    pub by_value: bool,
    /// What a computation is worth decides: this is the root, and some leaf is worth looking at.
    pub by_gain: bool,
    /// The sum of the children's visits.
    pub visits: u32,
    /// What c is multiplied by: 1, or the standard deviation of the node's belief.
    pub scale: f32,
    /// In the tree's order.
    pub terms: Vec<Term>,
    /// The place of the child that the next visit goes to, or that has the greatest share.
    pub chosen: Option<usize>,
    pub reason: Reason,
}

/// One child's numbers, its parent's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    pub child: NodeId,
    /// pi(i).
    pub policy: f32,
    /// v(i).
    pub visits: u32,
    /// See [`super::Urgency`].
    pub urgency: f32,
    /// A(i) of the DISTRESS essay; `None` where it is 1 for all.
    pub adjustment: Option<f32>,
    /// What the formula adds to the policy for few visits; `None` where it has no such term.
    pub bonus: Option<f32>,
    /// The value of perfect information, in expected score: at the root, where the allocation goes by it.
    pub value: Option<f32>,
    /// By this children are compared; 0 where nothing can be searched.
    pub score: f32,
    /// The score's share of the sum over the open children.
    pub share: f32,
    pub state: State,
}

/// Whether a child can be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    /// Its bounds have met, or whatever they turn out to be changes nothing here.
    Settled,
    /// Nothing below it can be searched, or another thread has it.
    Closed,
    /// Taken out by hand.
    Out,
}

/// Why the child is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its score is the highest.
    Highest,
    /// Nothing else is open.
    OnlyOpen,
    /// No belief is at stake any more: the open child visited least, for the sake of proofs.
    LeastVisited,
    /// Nothing is open.
    Nothing,
}

/// What decides at a node; `None` before it has been expanded.
pub fn choice(tree: &Tree, options: &Options, id: NodeId) -> Option<Choice> {
    if !tree.contains(id) || tree.node(id).first_child().is_none() {
        return None;
    }
    let node = tree.node(id);
    let allocation = Allocation::new(options);
    let children = tree.children_block(node);
    let narrowed = node.is_narrowed();
    let relevance = relevance(tree, id);
    let at_root = id == Tree::ROOT;
    let values = (at_root && allocation.asks_value(node)).then(|| values(tree, children));
    let rates = (at_root && allocation.is_by_computation()).then(|| {
        let searched = tree.scale() == Scale::Logistic && options.word("leaf") == "search";
        computation::rates(tree, Price::new(options, searched))
    });
    let rates = rates.filter(|rates| rates.iter().any(|&rate| rate > 0.0));
    let by_gain = rates.is_some();
    let scores = rates.unwrap_or_else(|| allocation.scores(tree, node, at_root));
    let state = |child: &Node| match child {
        c if c.is_excluded() => State::Out,
        c if c.proof().is_exact() || c.proof().lower >= relevance => State::Settled,
        c if is_open(c, relevance) => State::Open,
        _ => State::Closed,
    };
    let all: f32 = children
        .iter()
        .zip(&scores)
        .filter(|(c, _)| state(c) == State::Open)
        .map(|(_, score)| score)
        .sum();
    let scale = allocation.scale(tree, node);
    let siblings = Siblings::of(children, scale);
    let has_bonus = matches!(allocation.by, By::Puct | By::Ucb);
    let term = |(place, child): (usize, &Node)| {
        let state = state(child);
        let open = state == State::Open;
        Term {
            child: NodeId(node.first_child().0 + place as u32),
            policy: child.policy(),
            visits: child.visits(),
            urgency: child.urgency(),
            adjustment: allocation.adjust.then(|| adjustment(place)),
            bonus: has_bonus.then(|| allocation.bonus(siblings, place, child)),
            value: values.as_ref().map(|v| v[place]),
            score: scores[place],
            share: if open && all > 0.0 {
                scores[place] / all
            } else {
                0.0
            },
            state,
        }
    };
    let terms: Vec<Term> = children.iter().enumerate().map(term).collect();
    let highest = allocation.choose_by(&scores, children, narrowed, relevance);
    let chosen = highest.or_else(|| least_visited(children, narrowed, relevance));
    let open = terms.iter().filter(|t| t.state == State::Open).count();
    Some(Choice {
        by_budget: options.word("descent") == "budget",
        by_value: values.is_some()
            && terms
                .iter()
                .any(|t| t.value.is_some_and(|v| v > 0.0) && t.score > 0.0),
        by_gain,
        visits: children.iter().map(Node::visits).sum(),
        scale,
        reason: match (highest, chosen) {
            _ if node.proof().is_exact() || !matches!(node.fate(), Fate::Expanded { .. }) => {
                Reason::Nothing
            }
            (Some(_), _) if open == 1 => Reason::OnlyOpen,
            (Some(_), _) => Reason::Highest,
            (None, Some(_)) => Reason::LeastVisited,
            (None, None) => Reason::Nothing,
        },
        allocation,
        terms,
        chosen: chosen.filter(|_| !node.proof().is_exact()),
    })
}

/// The lower bound from which a descent that comes to the node leaves its children alone.
fn relevance(tree: &Tree, id: NodeId) -> Score {
    let (mut alpha, mut beta) = (Score::MIN, Score::MAX);
    let mut relevance = Score::MAX;
    for id in tree.path(id) {
        relevance = proofs::relevance(tree.node(id), alpha);
        (alpha, beta) = (beta.one_ply_down(), relevance);
    }
    relevance
}
