//! The options of `distress`, and what they ask for.

use super::allocate::{ADJUST, ALLOCATION, EXPLORATION, SPREAD};
use super::budget::DESCENT;
use super::computation::COST;
use super::is_waiting;
use super::leaf_belief::LEARN;
use super::leaf_formulas;
use super::move_formula::{self, MoveFormula};
use super::renew::RENEW;
use super::sides::{BACKUP, BACKUP_OPPONENT, BACKUP_US};
use super::tails::TAILS;
use crate::leaf_value::{LEAF, LEAF_DEEPEST, LEAF_DEPTH, LEAF_EXPAND};
use crate::proofs;
use crate::reuse::TREE_REUSE;
use eval::{Evaluation, LeafShape, Width};
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::options::{BINS, EVAL, GRID, evaluation};
use search::{FormulaRange, OptionSpec, Options, Range};
use tree::{Node, Tree};

/// The options of `distress`.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "setting",
        default: "quiet",
        range: Range::Choice(&["quiet", "tactical"]),
        summary: "width and bias of leaves that are not searched: .3/.27 judges quiet positions better, .58/.6 tactics",
    },
    OptionSpec {
        key: "width",
        default: "auto",
        range: Range::Word {
            check: is_width,
            expects: "auto, fitted, searched, or a number from 0.03 to 2.5",
        },
        summary: "scale of a leaf's belief in the logit; auto: by its depth where it is searched, else the network's belief (setting=quiet) or by the setting (eval=hand); fitted: by the position; searched: how far the value of a search of its depth is off the truth (leaf search)",
    },
    OptionSpec {
        key: "bias",
        default: "auto",
        range: Range::Word {
            check: is_bias,
            expects: "auto, or a number from -2 to 2",
        },
        summary: "shift of a leaf towards its side to move, in the logit, so that expanding it changes nothing on average",
    },
    BACKUP,
    BACKUP_US,
    BACKUP_OPPONENT,
    OptionSpec {
        key: "ties",
        default: "split",
        range: Range::Choice(&["split", "essay"]),
        summary: "moves best in the same bin share it, or each counts as best (the DISTRESS essay's formula)",
    },
    OptionSpec {
        key: "svfc-played",
        default: "normal",
        range: Range::Choice(&["normal", "tails", "optimal"]),
        summary: "backup svfc: p(i) from s and v; tails: \"p(i) should depend on v(i), f(i), and c(i) in addition to s(i)\"; optimal: \"b(i) and p(i) should be the same\"",
    },
    OptionSpec {
        key: "svfc-optimal",
        default: "score",
        range: Range::Choice(&["score", "half", "share", "log-odds"]),
        summary: "backup svfc with svfc-played=optimal (else it is only shown): b(i), which \"may depend only on s(i)\", from it at once, or \"initialized to 1/2\" (half), \"or 1/N\" (share), \"or should it be log odds and initialized to 0\", and half the way at each back-up",
    },
    OptionSpec {
        key: "svfc-opponent",
        default: "auto",
        range: Range::Word {
            check: is_blend,
            expects: "auto, or a number from 0 to 1",
        },
        summary: "backup svfc: the blend of the opponent's nodes: \"we may pick a higher β for our opponent than ourselves if we think they are less likely to make a mistake\"; auto: one's own",
    },
    ALLOCATION,
    COST,
    EXPLORATION,
    SPREAD,
    ADJUST,
    DESCENT,
    LEAF,
    LEAF_DEPTH,
    LEAF_EXPAND,
    LEAF_DEEPEST,
    leaf_formulas::DEPTH,
    leaf_formulas::URGENCY,
    OptionSpec {
        key: "first-look",
        default: "auto",
        range: Range::Choice(&["auto", "policy", "all"]),
        summary: "which moves are looked at when a leaf is expanded: all of them (all); or the first, and until one refutes the position those with 2 % of the evaluation's policy or more, while the others wait for visits of their own (policy); auto: as policy until the search has 10,000 nodes, then all (leaf search)",
    },
    OptionSpec {
        key: "windows",
        default: "path",
        range: Range::Choice(&["path", "siblings", "open"]),
        summary: "what a leaf's search is asked: whether it matters to any node on its path, to its parent only, or its value whatever that is (leaf search)",
    },
    TAILS,
    RENEW,
    OptionSpec {
        key: "price",
        default: "on",
        range: Range::Switch,
        summary: "a searched leaf's urgency is its spread over the square root of what the next visit will cost in nodes; off: its spread",
    },
    OptionSpec {
        key: "choose",
        default: "policy",
        range: Range::Formula(&CHOOSE),
        summary: "the move played, where none is proven: the one with the largest share of the policy (\"The move with the highest p … is the one we'd pick if this were the root\"), with the highest mean logit, with the most visits, or with the highest score by a formula (its share of the policy where it has no finite value)",
    },
    OptionSpec {
        key: "calibrated",
        default: "on",
        range: Range::Switch,
        summary: "the root's belief is reported with a location and a width fitted to how far searches are off; off: as the back-up leaves it",
    },
    LEARN,
    BINS,
    GRID,
    TREE_REUSE,
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// Whether moves may wait for a first look of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstLook {
    /// All moves are looked at when their position is expanded.
    All,
    /// Some wait.
    Policy,
    /// Some wait as long as the search is small.
    Auto,
}

impl FirstLook {
    /// The nodes from which on a search is not small any more: in games of 5,000 nodes a move waiting gains, in games of 20,000
    /// nothing is shown, and it takes a third more time.
    const SMALL: u64 = 10_000;

    pub fn new(options: &Options) -> FirstLook {
        match options.word("first-look") {
            "all" => FirstLook::All,
            "policy" => FirstLook::Policy,
            _ => FirstLook::Auto,
        }
    }

    /// Whether moves of a position may wait that is expanded when the search has so many nodes.
    pub fn some_wait(self, nodes: u64) -> bool {
        match self {
            FirstLook::All => false,
            FirstLook::Policy => true,
            FirstLook::Auto => nodes < Self::SMALL,
        }
    }
}

static CHOOSE: FormulaRange = FormulaRange {
    is_word: |text| matches!(text, "policy" | "mean" | "visits"),
    words: "policy, mean or visits",
    scope: move_formula::PLAYED,
    is_condition: false,
    check: |_| Ok(()),
    written: |word| Some(if word == "visits" { "n" } else { word }.to_owned()),
};

/// Of what the move played has the most, where none is proven.
#[derive(Debug)]
pub(super) enum ByMost {
    /// Its share of the policy.
    Policy,
    /// The mean logit.
    Mean,
    Visits,
    /// A score.
    Formula(Box<MoveFormula>),
}

impl ByMost {
    pub fn new(options: &Options) -> ByMost {
        match options.word("choose") {
            "mean" => ByMost::Mean,
            "visits" => ByMost::Visits,
            "policy" => ByMost::Policy,
            formula => ByMost::Formula(Box::new(MoveFormula::new(formula, &CHOOSE))),
        }
    }

    /// The place of the move that is played. What nobody has looked at is not played.
    pub fn best(&self, tree: &Tree, node: &Node) -> Option<usize> {
        let children = tree.children_block(node);
        let narrowed = node.is_narrowed();
        let worth = |c: &Node| -c.expected();
        let best = match self {
            ByMost::Policy => {
                // Where several share alike, as where all is nearly won or lost.
                let share = |c: &Node| (!is_waiting(c), c.policy(), c.favour());
                proofs::choose(children, narrowed, share, worth)
            }
            ByMost::Mean => {
                let mean = |c: &Node| (!is_waiting(c), c.favour());
                proofs::choose(children, narrowed, mean, worth)
            }
            ByMost::Visits => proofs::choose(children, narrowed, |c| c.visits() as f32, worth),
            ByMost::Formula(formula) => formula.with_scores(tree, node, |scores| {
                let score = |i: usize, c: &Node| (!is_waiting(c), scores[i]);
                proofs::choose_by_place(children, narrowed, score, worth)
            }),
        };
        best.map(|(place, _)| place)
    }

    /// What the inspector says is played; a narrow one has some 40 columns for it.
    pub fn words(&self) -> String {
        match self {
            ByMost::Policy => "the largest share of the policy".to_owned(),
            ByMost::Mean => "the highest mean logit".to_owned(),
            ByMost::Visits => "the most visits".to_owned(),
            ByMost::Formula(formula) => format!("the highest {formula}"),
        }
    }

    /// How often a formula had no finite value since this was asked last.
    pub fn take_undefined(&self) -> u64 {
        match self {
            ByMost::Formula(formula) => formula.take_undefined(),
            _ => 0,
        }
    }
}

pub(super) fn number_within(text: &str, lo: f32, hi: f32) -> Option<f32> {
    text.parse().ok().filter(|x| (lo..=hi).contains(x))
}

fn is_width(text: &str) -> bool {
    matches!(text, "auto" | "fitted" | "searched") || number_within(text, 0.03, 2.5).is_some()
}

fn is_bias(text: &str) -> bool {
    text == "auto" || number_within(text, -2.0, 2.0).is_some()
}

fn is_blend(text: &str) -> bool {
    text == "auto" || number_within(text, 0.0, 1.0).is_some()
}

/// The width that was asked for by a number.
pub(super) fn fixed_width(options: &Options) -> Option<f32> {
    number_within(options.word("width"), 0.03, 2.5)
}

/// The bias that was asked for by a number.
pub(super) fn fixed_bias(options: &Options) -> Option<f32> {
    number_within(options.word("bias"), -2.0, 2.0)
}

/// Width and bias of leaves that are not searched.
pub(super) fn shape(options: &Options) -> LeafShape {
    let tactical = options.word("setting") == "tactical";
    let (width, bias) = if tactical { (0.58, 0.6) } else { (0.3, 0.27) };
    let learned = evaluation(options) != Evaluation::HandCrafted;
    LeafShape {
        width: match options.word("width") {
            "fitted" | "searched" => Width::Fitted,
            "auto" if learned && !tactical => Width::Fitted,
            _ => Width::Fixed(fixed_width(options).unwrap_or(width)),
        },
        bias: fixed_bias(options).unwrap_or(bias),
    }
}
