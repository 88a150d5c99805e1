//! An event as an object, for `plyscope trace`.
//!
//! Every object has `n`, `kind`, `node`, `ply`, `line` and `text`. The other fields depend on its kind and are always
//! all present. A figure that the algorithm does not have is `null`. All scores are from the view of the side to move
//! at `node`.

use schemars::JsonSchema;
use serde::Serialize;

use super::fate::FateJson;
use super::figures::Figures;
use super::sentence;
use crate::json::{bound_name, end, expected_shown, integer, sd_shown};
use crate::lens::Lens;
use crate::schema::{BoundName, RuleName};
use crate::text::Style;
use game::{MoveCode, Scale, Score};
use search::{BudgetUnit, Estimate, Event, Told};
use session::Reader;
use tree::{DepthChange, NodeId, Proof, Tree, told_depth};

/// One event of a search. Scores are from the view of the side to move at `node`; the integer unit is a centipawn in chess.
#[derive(Serialize, JsonSchema, Debug)]
pub struct EventJson {
    /// The number of the event; 1 is the first of the run.
    #[schemars(range(min = 1))]
    pub n: u64,
    // The name of its kind, as in `crate::search::EVENTS`. In the schema it is the tag of the figures.
    #[schemars(skip)]
    pub kind: &'static str,
    /// The node at which it happened; for a pruned move its parent, for events of the whole search the root.
    pub node: u32,
    /// The node's ply: 0 at the root.
    pub ply: usize,
    /// The moves from the root to the node, in standard algebraic notation.
    pub line: Vec<String>,
    #[serde(flatten)]
    pub figures: FiguresJson,
    /// The sentence of the log.
    pub text: String,
}

/// The additional fields of each kind of event.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(untagged)]
#[schemars(!untagged, tag = "kind", rename_all = "kebab-case")]
pub enum FiguresJson {
    /// An iteration or a best-first search begins.
    Iteration {
        /// Its depth in plies; null in a best-first search.
        depth: Option<u16>,
    },
    /// It is finished.
    IterationDone {
        /// Its depth in plies; null in a best-first search.
        depth: Option<u16>,
        /// The best move; null without one.
        best: Option<String>,
        /// The value of the root.
        value: ValueJson,
    },
    /// A pass with a null window over the root begins.
    Pass {
        /// Its number in the iteration.
        pass: u16,
        /// Alpha in the integer unit; null if open.
        alpha: Option<i32>,
        /// Beta in the integer unit; null if open.
        beta: Option<i32>,
    },
    /// It is finished.
    PassDone {
        /// Its number in the iteration.
        pass: u16,
        /// What the root is worth at least; null if not known yet.
        lower: Option<i32>,
        /// What the root is worth at most; null if not known yet.
        upper: Option<i32>,
    },
    /// What the next descent is for.
    Aim {
        /// The name of the reason.
        aim: &'static str,
        /// The numbers compared; expected scores are from the view of the side to move at the root.
        #[schemars(with = "Vec<Option<f32>>")]
        numbers: Vec<f32>,
    },
    /// A budget is divided among the moves of a node.
    Budget {
        /// What it is counted in.
        #[schemars(extend("enum" = BudgetUnit::ALL.map(BudgetUnit::name)))]
        unit: &'static str,
        /// All that is handed out: the sum of the parts.
        total: u64,
        /// The moves that get anything, the largest part first.
        parts: Vec<PartJson>,
    },
    /// The search enters a node. In a best-first search the window is the one in which a proof matters; in DISTRESS it is
    /// narrowed to the one that a leaf there would be asked.
    Enter {
        /// Alpha in the integer unit; null if open.
        alpha: Option<i32>,
        /// Beta in the integer unit; null if open.
        beta: Option<i32>,
        /// The plies to go, 0 and less in quiescence; null in a best-first search.
        depth: Option<i8>,
    },
    /// A static value was taken.
    Evaluate {
        /// The static value.
        value: ValueJson,
        /// The expected score that the node is believed to be worth by it; null in the unit of another program that has no range.
        #[schemars(range(min = -1, max = 1))]
        mean: Option<f32>,
        /// The spread of the leaf's belief, in expected score; null without a belief.
        #[schemars(range(min = 0))]
        sd: Option<f32>,
    },
    /// A leaf's own search begins.
    Ask {
        /// Alpha in the integer unit; null if open.
        alpha: Option<i32>,
        /// Beta in the integer unit; null if open.
        beta: Option<i32>,
        /// Its depth in plies.
        depth: i8,
    },
    /// A leaf's own search is finished.
    Answer {
        /// What it found.
        value: ValueJson,
        /// How that relates to its window.
        #[schemars(with = "Option<BoundName>")]
        bound: Option<&'static str>,
        /// The nodes it took.
        nodes: u32,
    },
    /// A node's moves are known.
    Expand {
        /// The number of legal moves.
        moves: u16,
    },
    /// A move is not searched.
    Prune {
        /// The move.
        #[serde(rename = "move")]
        name: Option<String>,
        /// Why.
        fate: FateJson,
    },
    /// The transposition table knew enough.
    TableHit {
        /// What it knew.
        fate: FateJson,
    },
    /// The remaining moves are cut off.
    Cutoff {
        /// Why.
        fate: FateJson,
    },
    /// A rule begins a search of its own (null move, ProbCut, razoring, singular test).
    Try {
        #[schemars(with = "RuleName")]
        rule: &'static str,
        /// The bound that it is compared with, in the integer unit.
        bound: i32,
        /// Its depth in plies; null where another program has told none.
        depth: Option<i8>,
    },
    /// That search is finished.
    Tried {
        #[schemars(with = "RuleName")]
        rule: &'static str,
        /// The bound that it is compared with, in the integer unit.
        bound: i32,
        /// What it found.
        value: ValueJson,
    },
    /// A move is searched less or more deeply than usual.
    DepthChange {
        /// Why.
        #[schemars(extend("enum" = ["none", "reduced", "check", "singular"]))]
        change: &'static str,
        /// By how many plies.
        plies: u8,
        /// The move's place in the order; null if it was not reduced.
        number: Option<u8>,
        /// Whether it was searched in full after all; null if it was not reduced.
        again: Option<bool>,
    },
    /// What was pruned is searched all the same.
    Audit {
        /// The move; null for the node itself.
        #[serde(rename = "move")]
        name: Option<String>,
        /// What had pruned it.
        fate: FateJson,
        /// What it is worth at least or at most.
        value: ValueJson,
        /// Whether the rule was wrong.
        failed: bool,
    },
    /// The game is over, or a repetition makes a draw.
    End {
        /// Why.
        fate: FateJson,
        /// The exact score.
        value: ValueJson,
    },
    /// A node's value changes through a child.
    BackUp {
        /// The child's node; null at a leaf.
        child: Option<u32>,
        /// The move to the child; null at a leaf.
        #[serde(rename = "move")]
        name: Option<String>,
        /// The expected score of the child, from this node's view; null if unknown.
        #[schemars(range(min = -1, max = 1))]
        worth: Option<f32>,
        /// The estimate before; null if there was none.
        before: Option<EstimateJson>,
        /// The estimate now.
        after: EstimateJson,
    },
    /// Proven bounds became tighter.
    Prove {
        /// The node is worth at least this.
        lower: ValueJson,
        /// The node is worth at most this.
        upper: ValueJson,
    },
    /// The best move at the root changes.
    BestChange {
        /// The best move before; null if there was none.
        from: Option<String>,
        /// The best move now; null if there is none.
        to: Option<String>,
    },
    /// The search leaves a node.
    Leave {
        /// Its value.
        value: ValueJson,
        /// How that relates to the window; null in a best-first search.
        #[schemars(with = "Option<BoundName>")]
        bound: Option<&'static str>,
    },
    /// Another program tells something that plyscope's own searches do not do.
    Told {
        /// What it tells.
        #[schemars(extend("enum" = TOLD))]
        what: &'static str,
        /// The reason, where it gives one.
        fate: Option<FateJson>,
        /// The expected score that it tells; null where it tells none.
        #[schemars(range(min = -1, max = 1))]
        expected: Option<f32>,
        /// Visits, or their weight; null where it tells none.
        visits: Option<u64>,
        /// The other node that it names; null where it names none.
        to: Option<u32>,
    },
}

/// What another program may tell.
const TOLD: [&str; 11] = [
    "stand", "reason", "try", "tried", "visit", "update", "at", "edge", "unwind", "end", "unused",
];

/// A move's part of a budget.
#[derive(Serialize, JsonSchema, Debug)]
pub struct PartJson {
    /// The move, in standard algebraic notation; for a toy tree the name of the node.
    #[serde(rename = "move")]
    pub name: String,
    /// The node that it leads to.
    pub node: u32,
    /// What it may spend, in the budget's unit.
    #[schemars(range(min = 1))]
    pub part: u32,
}

/// A score in every form.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ValueJson {
    /// In the integer unit; a mate is beyond ±30000.
    pub score: i32,
    /// Expected score; null in the unit of another program that has no range, but for a mate.
    #[schemars(range(min = -1, max = 1))]
    pub expected: Option<f32>,
    /// Full moves to mate, negative for a loss; null without a mate.
    pub mate: Option<i16>,
}

/// An expected score with its spread.
#[derive(Serialize, JsonSchema, Debug)]
pub struct EstimateJson {
    /// Expected score; null in the unit of another program that has no range.
    #[schemars(range(min = -1, max = 1))]
    pub expected: Option<f32>,
    /// The standard deviation, in expected score or in that unit; null without a belief.
    #[schemars(range(min = 0))]
    pub sd: Option<f32>,
}

impl ValueJson {
    fn new(score: Score, scale: Scale) -> ValueJson {
        ValueJson {
            score: integer(score, scale),
            expected: expected_shown(scale.expected(score), scale),
            mate: score.mate_moves(),
        }
    }
}

impl EstimateJson {
    fn new(estimate: Estimate, scale: Scale) -> EstimateJson {
        EstimateJson {
            expected: expected_shown(estimate.mean, scale),
            sd: estimate.sd.map(|sd| sd_shown(sd, scale)),
        }
    }
}

impl EventJson {
    /// Returns the `n`-th event of a run over the reader's tree; `style` applies to the sentence.
    pub fn new(reader: &Reader, n: u64, event: &Event, style: Style) -> EventJson {
        let node = event.node();
        let moves = reader.tree.moves_to(node);
        let names = reader.names(Tree::ROOT, &moves);
        EventJson {
            n,
            kind: event.kind().name(),
            node: node.0,
            ply: moves.len(),
            line: names.into_iter().map(|m| m.san).collect(),
            figures: figures(Figures::at(Lens::OWN, reader, event.node()), event),
            text: style.apply(sentence(reader, event)),
        }
    }
}

fn depth_change(change: DepthChange) -> FiguresJson {
    let (change, plies, number, again) = match change {
        DepthChange::None => ("none", 0, None, None),
        DepthChange::Reduced {
            plies,
            number,
            again,
        } => ("reduced", plies, Some(number), Some(again)),
        DepthChange::Check => ("check", 1, None, None),
        DepthChange::Singular { plies } => ("singular", plies, None, None),
    };
    FiguresJson::DepthChange {
        change,
        plies,
        number,
        again,
    }
}

fn told(f: Figures, event: &Event, what: Told) -> FiguresJson {
    let fate = event.fate();
    let expected = |score: Option<Score>| score.map(|score| f.scale.expected(score));
    let (what, expected, visits, to) = match what {
        Told::Stand { value } => ("stand", expected(value), None, None),
        Told::Reason { .. } => ("reason", None, None, None),
        Told::Try { .. } => ("try", None, None, None),
        Told::Tried { value } => ("tried", expected(value), None, None),
        Told::Visit { value, weight } => ("visit", value, Some(weight.into()), None),
        Told::Update { value, visits } => ("update", value, visits, None),
        Told::At => ("at", None, None, None),
        Told::Edge { to } => ("edge", None, None, Some(to.0)),
        Told::Unwind { .. } => ("unwind", None, None, None),
        Told::End => ("end", None, None, None),
        Told::Unused => ("unused", None, None, None),
    };
    FiguresJson::Told {
        what,
        fate: fate.map(|fate| FateJson::new(f, &f.fated(event, fate))),
        expected: expected.and_then(|expected| expected_shown(expected, f.scale)),
        visits,
        to,
    }
}

fn figures(f: Figures, event: &Event) -> FiguresJson {
    let value = |score| ValueJson::new(score, f.scale);
    let estimate = |estimate| EstimateJson::new(estimate, f.scale);
    let of_root = |code: MoveCode| f.name(Tree::ROOT, code);
    let iteration = |depth: u16| (!f.best_first).then_some(depth);
    match *event {
        Event::Iteration { depth } => FiguresJson::Iteration {
            depth: iteration(depth),
        },
        Event::IterationDone { depth, best, score } => FiguresJson::IterationDone {
            depth: iteration(depth),
            best: of_root(best),
            value: value(score),
        },
        Event::Pass {
            number,
            alpha,
            beta,
        } => FiguresJson::Pass {
            pass: number,
            alpha: { end(alpha, f.scale) }.filter(|_| alpha > Score::LOSS),
            beta: { end(beta, f.scale) }.filter(|_| beta < Score::WIN),
        },
        Event::PassDone { number, low, high } => FiguresJson::PassDone {
            pass: number,
            lower: end(low, f.scale),
            upper: end(high, f.scale),
        },
        Event::Aim(aim) => FiguresJson::Aim {
            aim: aim.info.name,
            numbers: aim.numbers().map(|(n, _)| n).collect(),
        },
        Event::Budget { ref budget, .. } => FiguresJson::Budget {
            unit: budget.unit.name(),
            total: budget.total(),
            parts: f
                .divided(budget)
                .into_iter()
                .map(|(child, name, part)| PartJson {
                    name,
                    node: child.0,
                    part,
                })
                .collect(),
        },
        Event::Enter {
            alpha, beta, depth, ..
        } => FiguresJson::Enter {
            alpha: { end(alpha, f.scale) }.filter(|_| alpha > Score::LOSS),
            beta: { end(beta, f.scale) }.filter(|_| beta < Score::WIN),
            depth: told_depth(depth).filter(|_| !f.best_first),
        },
        Event::Evaluate {
            value: v, mean, sd, ..
        } => FiguresJson::Evaluate {
            value: value(v),
            mean: expected_shown(mean, f.scale),
            sd: sd.map(|sd| sd_shown(sd, f.scale)),
        },
        Event::Ask {
            alpha, beta, depth, ..
        } => FiguresJson::Ask {
            alpha: { end(alpha, f.scale) }.filter(|_| alpha > Score::LOSS),
            beta: { end(beta, f.scale) }.filter(|_| beta < Score::WIN),
            depth,
        },
        Event::Answer {
            value: v,
            bound,
            nodes,
            ..
        } => FiguresJson::Answer {
            value: value(v),
            bound: bound_name(bound),
            nodes,
        },
        Event::Expand { moves, .. } => FiguresJson::Expand { moves },
        Event::Told { what, .. } => told(f, event, what),
        Event::Prune { parent, m, fate } => FiguresJson::Prune {
            name: f.name(parent, m),
            fate: FateJson::new(f, &f.fated(event, fate)),
        },
        Event::TableHit { fate, .. } => FiguresJson::TableHit {
            fate: FateJson::new(f, &f.fated(event, fate)),
        },
        Event::Cut { fate, .. } => FiguresJson::Cutoff {
            fate: FateJson::new(f, &f.fated(event, fate)),
        },
        Event::Try {
            rule, bound, depth, ..
        } => FiguresJson::Try {
            rule: rule.name(),
            bound: integer(bound, f.scale),
            depth: told_depth(depth),
        },
        Event::Tried {
            rule,
            bound,
            value: v,
            ..
        } => FiguresJson::Tried {
            rule: rule.name(),
            bound: integer(bound, f.scale),
            value: value(v),
        },
        Event::Depth { change, .. } => depth_change(change),
        Event::Audit {
            node,
            m,
            fate,
            value: v,
            failed,
        } => FiguresJson::Audit {
            name: f.name(node, m),
            fate: FateJson::new(f, &f.fated(event, fate)),
            value: value(v),
            failed,
        },
        Event::End { fate, score, .. } => FiguresJson::End {
            fate: FateJson::new(f, &f.fated(event, fate)),
            value: value(score),
        },
        Event::BackUp {
            child,
            worth,
            before,
            after,
            ..
        } => FiguresJson::BackUp {
            child: (child != NodeId::NONE).then_some(child.0),
            name: f.node_name(child),
            worth: worth.and_then(|worth| expected_shown(worth, f.scale)),
            before: before.map(estimate),
            after: estimate(after),
        },
        Event::Prove {
            proof: Proof { lower, upper },
            ..
        } => FiguresJson::Prove {
            lower: value(lower),
            upper: value(upper),
        },
        Event::Best { from, to } => FiguresJson::BestChange {
            from: of_root(from),
            to: of_root(to),
        },
        Event::Leave { score, bound, .. } => FiguresJson::Leave {
            value: value(score),
            bound: bound_name(bound),
        },
    }
}
