//! Proof-number search: it answers a yes-or-no question about the root, such as "does the side to move win?", by always
//! looking where the fewest leaves remain to be settled.
//!
//! Sources: L. Victor Allis, Maarten van der Meulen and H. Jaap van den Herik, *Proof-number search*, Artificial Intelligence
//! 66 (1994); depth first: see [`df_pn`].
//!
//! Sound: what is proved rests on the ends of games in the tree. The numbers only choose where to look. Values of leaves
//! serve for the move that is played as long as nothing is proved.

mod df_pn;
mod explain;
mod goal;
mod numbers;

use super::driver::{self, Row, Strategy};
use super::leaf_belief::LeafBelief;
use super::prior::Prior;
use crate::leaf_value::LEAF;
use df_pn::Turn;
use eval::Evaluator;
use game::Game;
use goal::Goal;
use numbers::{NEVER, Numbers};
use search::algorithm::{AlgorithmInfo, Goals, Ranking};
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::explanation::{Explanation, NamedNumbers, Reading, Unit};
use search::options::EVAL;
use search::{Aim, AimInfo, Job, OptionSpec, Range, StopReason};
use tree::{Family, Fate, Node, NodeId, Tree};

/// The question.
const GOAL: OptionSpec = OptionSpec {
    key: "goal",
    default: "auto",
    range: Range::Word {
        check: goal::is_goal,
        expects: goal::EXPECTS,
    },
    summary: "what the side to move is to achieve: win; mate (a win, then the shortest; without a win, not to lose); mate:N; not-lose; at-least:VALUE. auto: mate, in a toy tree half way between its lowest and highest value",
};

/// In which order the most-proving nodes are searched.
const VARIANT: OptionSpec = OptionSpec {
    key: "variant",
    default: "pn",
    range: Range::Choice(&["pn", "df-pn"]),
    summary: "pn: each descent begins at the root (Allis 1994); df-pn: it stays where it is until a threshold is reached (Nagai 2002)",
};

/// The numbers of a leaf.
const INIT: OptionSpec = OptionSpec {
    key: "init",
    default: "one",
    range: Range::Choice(&["one", "moves"]),
    summary: "the numbers of a leaf: 1 and 1, or 1 and the number of its moves, because all of them have to be settled",
};

/// How far past a sibling's number a descent stays.
const EPSILON: OptionSpec = OptionSpec {
    key: "epsilon",
    default: "0.25",
    range: Range::Number { min: 0.0, max: 4.0 },
    summary: "df-pn: a node is left when its number is past that of the next sibling by this share (Pawlewicz & Lew 2007)",
};

const OPTIONS: &[OptionSpec] = &[
    GOAL,
    VARIANT,
    INIT,
    EPSILON,
    OptionSpec {
        default: "static",
        ..LEAF
    },
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// The row of proof-number search in the table of algorithms.
pub type Entry = Row<ProofNumberSearch>;

const LEAVES: Unit = Unit::Of("leaf", "leaves");

/// The root's numbers.
static MOST_PROVING: AimInfo = AimInfo {
    name: "most-proving",
    words: &[
        "at least ",
        " must be proved for a yes, or ",
        " disproved for a no.",
    ],
    units: &[LEAVES, LEAVES],
};

/// Where a depth-first descent turns off: the thresholds of the node in which it stays.
static STAY: AimInfo = AimInfo {
    name: "stay",
    words: &[
        "searched on until its proof number reaches ",
        " or its disproof number ",
        ".",
    ],
    units: &[Unit::Count, Unit::Count],
};
static STAY_FOR_PROOF: AimInfo = AimInfo {
    name: "stay",
    words: &["searched on until its proof number reaches ", "."],
    units: &[Unit::Count],
};
static STAY_FOR_DISPROOF: AimInfo = AimInfo {
    name: "stay",
    words: &["searched on until its disproof number reaches ", "."],
    units: &[Unit::Count],
};
static STAY_FOR_GOOD: AimInfo = AimInfo {
    name: "stay",
    words: &["searched on until it is settled."],
    units: &[],
};

pub struct ProofNumberSearch {
    goal: Goal,
    /// The question that all numbers in the tree are about; `None` before that was seen to.
    question: Option<Goal>,
    counts_moves: bool,
    /// Depth first: by which share a number may go past that of the next sibling.
    epsilon: Option<f64>,
}

impl ProofNumberSearch {
    fn asked(&self, tree: &Tree) -> Goal {
        self.question
            .unwrap_or_else(|| self.goal.question(tree.node(Tree::ROOT)))
    }

    /// Where the question has changed, gives all nodes numbers for the new one. Only a proof at the root changes it.
    fn keep_to_question(&mut self, tree: &Tree) {
        let question = self.goal.question(tree.node(Tree::ROOT));
        let before = self.question.replace(question);
        if before.unwrap_or(Goal::Win) != question && self.goal == Goal::Shortest {
            self.number_below(tree, Tree::ROOT);
        }
    }

    /// Numbers a node and everything below it, each node after those below it.
    fn number_below(&self, tree: &Tree, root: NodeId) {
        let mut waiting = vec![(root, false)];
        while let Some((id, are_below_done)) = waiting.pop() {
            if are_below_done || !tree.node(id).is_expanded() {
                self.number(tree, id);
            } else {
                waiting.push((id, true));
                waiting.extend(tree.children(id).map(|c| (c, false)));
            }
        }
    }

    /// A node's numbers by what is known about it, or from its children's. A leaf keeps those that it had at first.
    fn number(&self, tree: &Tree, id: NodeId) {
        let node = tree.node(id);
        let before = Numbers::of(node);
        let proves = before.proves;
        let children = tree.children_block(node).iter().filter(|c| counts(c));
        let numbers = match self.asked(tree).verdict(tree, id, proves) {
            Some(proved) => Numbers::solved(proved, proves),
            None if node.is_expanded() => Numbers::above(children.map(numbers_of), proves),
            None if before.answer().is_some() => Numbers::leaf(proves),
            None => before,
        };
        numbers.store(node);
    }
}

/// Whether a child's numbers count for its parent.
fn counts(child: &Node) -> bool {
    !child.is_excluded()
}

/// Whether a child's value counts for its parent: it has been looked at.
fn is_valued(child: &Node) -> bool {
    child.visits() > 0 && !child.is_excluded()
}

/// A child's numbers; where it can neither be searched nor judged, it never is.
fn numbers_of(child: &Node) -> Numbers {
    let numbers = Numbers::of(child);
    let stuck = child.urgency() <= 0.0 && numbers.answer().is_none();
    if stuck {
        Numbers::stuck(numbers.proves)
    } else {
        numbers
    }
}

/// The numbers of a node's children but one.
fn others(tree: &Tree, parent: NodeId, child: NodeId) -> impl Iterator<Item = Numbers> + '_ {
    let all = tree.children(parent).filter(move |&c| c != child);
    let nodes = all.map(|c| tree.node(c)).filter(|c| counts(c));
    nodes.map(numbers_of)
}

/// The child that comes first: that with the least number for the side to move.
fn least(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let proves = Numbers::of(tree.node(id)).proves;
    let open = driver::open_children(tree, id);
    open.min_by_key(|&c| Numbers::of(tree.node(c)).of_mover(proves))
}

impl Strategy for ProofNumberSearch {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "pn",
        summary: "proof numbers: answers a question such as \"is this won?\" where the fewest leaves remain to be settled",
        source: "Allis, van der Meulen & van den Herik, Proof-number search (1994); Nagai, Df-pn algorithm (2002)",
        family: Family::BestFirst,
        beliefs: false,
        ranking: Ranking::Value,
        options: OPTIONS,
        figures: &["pn", "dn"],
        goals: Goals {
            two_threads: 1.0,
            ..Goals::NONE
        },
    };

    const COLUMNS: &'static [&'static str] = &["pn", "dn"];

    fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Self {
        let options = job.options;
        ProofNumberSearch {
            goal: Goal::of(options.word("goal"), &job.situation.position),
            question: None,
            counts_moves: options.is("init", "moves"),
            epsilon: options
                .is("variant", "df-pn")
                .then(|| options.number("epsilon")),
        }
    }

    fn plan(&mut self, tree: &Tree) -> Result<Option<Aim>, StopReason> {
        self.keep_to_question(tree);
        let numbers = Numbers::of(tree.node(Tree::ROOT));
        if numbers.answer().is_some() {
            return Err(StopReason::Settled);
        }
        Ok(match self.epsilon {
            Some(epsilon) => Some(stay(df_pn::turn(tree, epsilon))),
            None if numbers.proof.max(numbers.disproof) < NEVER => {
                let needed = [numbers.proof, numbers.disproof].map(|n| n as f32);
                Some(Aim::new(Tree::ROOT, &MOST_PROVING, needed))
            }
            None => None,
        })
    }

    fn choose(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let way = self.epsilon.and_then(|_| df_pn::entered(tree, id));
        let way = way.filter(|&c| driver::is_open(tree.node(c)));
        way.or_else(|| least(tree, id))
    }

    fn prior(&self) -> Option<Prior> {
        Some(Prior::order_only())
    }

    fn asks_for_mate_at_once(&self, tree: &Tree, id: NodeId) -> bool {
        let Goal::Mate(plies) = self.asked(tree) else {
            return false;
        };
        let proves = Numbers::of(tree.node(id)).proves;
        proves && goal::ply(tree, id) + 1 == i32::from(plies)
    }

    fn settle(&self, tree: &Tree, id: NodeId, _belief: &LeafBelief) {
        let node = tree.node(id);
        let parent = node.parent();
        let proves = parent.is_none() || !Numbers::of(tree.node(parent)).proves;
        let numbers = match self.asked(tree).verdict(tree, id, proves) {
            Some(proved) => Numbers::solved(proved, proves),
            None => Numbers::leaf(proves),
        };
        numbers.store(node);
        if node.visits() > 0 || parent.is_none() || node.fate() != Fate::Unvisited {
            numbers::set_own_value(node, node.expected());
        }
    }

    fn counts_moves(&self) -> bool {
        self.counts_moves
    }

    fn note_moves(&self, tree: &Tree, id: NodeId, moves: usize) {
        let node = tree.node(id);
        let numbers = Numbers::of(node);
        if numbers.answer().is_none() {
            Numbers::of_moves(moves, numbers.proves).store(node);
        }
    }

    fn back_up(&self, tree: &Tree, id: NodeId) -> f32 {
        let node = tree.node(id);
        let children = || tree.children_block(node).iter().filter(|c| counts(c));
        self.number(tree, id);
        let valued = children().filter(|c| is_valued(c));
        let best = valued.map(|c| -c.expected()).fold(f32::MIN, f32::max);
        // The moves that nobody has looked at are taken to be worth what the position is.
        match children().all(is_valued) {
            true => best,
            false => best.max(numbers::own_value(node)),
        }
    }

    /// What reaches the mover's aim comes first, and last what can't reach it any more; the values order the rest.
    fn favour(&self, child: &Node) -> f32 {
        let numbers = Numbers::of(child);
        let reached = numbers.answer().map(|proved| proved != numbers.proves);
        let step = match reached {
            Some(true) => 2.0,
            Some(false) => -2.0,
            None => 0.0,
        };
        match (reached, is_valued(child)) {
            (None, false) => -1.5,
            _ => step - child.expected(),
        }
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

/// Why a depth-first descent goes on where it does.
fn stay(turn: Turn) -> Aim {
    let Turn { node, thresholds } = turn;
    let [proof, disproof] = [thresholds.proof, thresholds.disproof].map(|n| n as f32);
    match (thresholds.proof < NEVER, thresholds.disproof < NEVER) {
        (true, true) => Aim::new(node, &STAY, [proof, disproof]),
        (true, false) => Aim::new(node, &STAY_FOR_PROOF, [proof, 0.0]),
        (false, true) => Aim::new(node, &STAY_FOR_DISPROOF, [disproof, 0.0]),
        (false, false) => Aim::new(node, &STAY_FOR_GOOD, [0.0; 2]),
    }
}
