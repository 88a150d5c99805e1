//! An event as an object, for `plyscope trace`.
//!
//! Every object has `n`, `kind`, `node`, `ply`, `line` and `text`. The other fields depend on its kind and are always
//! all present. A figure that the algorithm does not have is `null`. All scores are from the view of the side to move
//! at `node`.

use serde::Serialize;

use super::fate::FateJson;
use super::figures::Figures;
use super::sentence;
use crate::json::bound_name;
use crate::lens::Lens;
use crate::text::Style;
use game::{MoveCode, Scale, Score};
use search::{Estimate, Event};
use session::Reader;
use tree::{DepthChange, NodeId, Proof, Tree};

/// One event.
#[derive(Serialize, Debug)]
pub struct EventJson {
    /// The event's number: 1 is the first of the run.
    pub n: u64,
    /// The name of its kind, as in [`search::EVENTS`].
    pub kind: &'static str,
    /// The node at which it happened; for a pruned move its parent, and for events of the whole search the root.
    pub node: u32,
    /// The node's ply: 0 at the root.
    pub ply: usize,
    /// The moves from the root to the node.
    pub line: Vec<String>,
    #[serde(flatten)]
    pub figures: FiguresJson,
    /// The event as a sentence, as in the workbench's log.
    pub text: String,
}

/// The additional fields of each kind of event.
#[derive(Serialize, Debug)]
#[serde(untagged)]
pub enum FiguresJson {
    /// `iteration`: its depth; `null` in a best-first search.
    Iteration { depth: Option<u16> },
    /// `iteration-done`: the depth, the best move and its value.
    IterationDone {
        depth: Option<u16>,
        best: Option<String>,
        value: ValueJson,
    },
    /// `pass`: its number in the iteration, and its null window in the integer unit (`null`: open).
    Pass {
        pass: u16,
        alpha: Option<i16>,
        beta: Option<i16>,
    },
    /// `pass-done`: what the root is worth at least and at most (`null`: not known yet).
    PassDone {
        pass: u16,
        lower: Option<i16>,
        upper: Option<i16>,
    },
    /// `aim`: the algorithm's reason for its next descent, and the numbers it compared.
    Aim {
        aim: &'static str,
        numbers: Vec<f32>,
    },
    /// `enter`: the window in the integer unit (`null`: open) and the plies left (0 or less in quiescence). In a
    /// best-first search: the window in which a proof would matter, without a depth.
    Enter {
        alpha: Option<i16>,
        beta: Option<i16>,
        depth: Option<i8>,
    },
    /// `evaluate`: the static value (in a best-first search, the leaf's), and the spread of the leaf's belief in
    /// expected score.
    Evaluate { value: ValueJson, sd: Option<f32> },
    /// `ask`: the window and the depth of a leaf's own search. An end of the window that is open is `null`.
    Ask {
        alpha: Option<i16>,
        beta: Option<i16>,
        depth: i8,
    },
    /// `answer`: the value that the leaf's search brought, how it relates to the window, and the nodes it took.
    Answer {
        value: ValueJson,
        bound: Option<&'static str>,
        nodes: u32,
    },
    /// `expand`: the number of legal moves.
    Expand { moves: u16 },
    /// `prune`: the move that is not searched, and why.
    Prune {
        #[serde(rename = "move")]
        name: Option<String>,
        fate: FateJson,
    },
    /// `table-hit`, `cutoff`: why.
    Fate { fate: FateJson },
    /// `try`: a search by a rule against a bound, to `depth` plies.
    Try {
        rule: &'static str,
        bound: i16,
        depth: i8,
    },
    /// `tried`: the result of that search.
    Tried {
        rule: &'static str,
        bound: i16,
        value: ValueJson,
    },
    /// `depth-change`: `change` is `reduced`, `check` or `singular`, by `plies` plies. For a reduced move, `number` is
    /// its place in the order, and `again` says whether it was searched at full depth afterwards.
    Depth {
        change: &'static str,
        plies: u8,
        number: Option<u8>,
        again: Option<bool>,
    },
    /// `audit`: the move (`null`: the node itself) that was searched although `fate` had pruned it, its value from the
    /// node's view, and whether the rule was wrong.
    Audit {
        #[serde(rename = "move")]
        name: Option<String>,
        fate: FateJson,
        value: ValueJson,
        failed: bool,
    },
    /// `end`: why, and the exact score.
    End { fate: FateJson, value: ValueJson },
    /// `back-up`: the child through which it happened (`null` at a leaf), and the estimates before (`null`: none) and
    /// after.
    BackUp {
        child: Option<u32>,
        #[serde(rename = "move")]
        name: Option<String>,
        /// The expected value of the child, from the node's view.
        worth: Option<f32>,
        before: Option<EstimateJson>,
        after: EstimateJson,
    },
    /// `prove`: the bounds that are now proven.
    Prove { lower: ValueJson, upper: ValueJson },
    /// `best-change`: the root's best move before (`null`: none) and now.
    Best {
        from: Option<String>,
        to: Option<String>,
    },
    /// `leave`: the value, and in a depth-first search how it relates to the window: `exact`, `lower` (at least) or
    /// `upper` (at most).
    Leave {
        value: ValueJson,
        bound: Option<&'static str>,
    },
}

/// A score in every form.
#[derive(Serialize, Debug)]
pub struct ValueJson {
    /// The score in the integer unit: centipawns in chess; mates are beyond ±30000.
    pub score: i16,
    /// The expected score in [-1, 1].
    pub expected: f32,
    /// The signed number of full moves; `null` unless the score is a mate.
    pub mate: Option<i16>,
}

/// An expected score with its spread.
#[derive(Serialize, Debug)]
pub struct EstimateJson {
    pub expected: f32,
    pub sd: Option<f32>,
}

impl ValueJson {
    fn new(score: Score, scale: Scale) -> ValueJson {
        ValueJson {
            score: score.raw(),
            expected: scale.expected(score),
            mate: score.mate_moves(),
        }
    }
}

impl From<Estimate> for EstimateJson {
    fn from(estimate: Estimate) -> EstimateJson {
        EstimateJson {
            expected: estimate.mean,
            sd: estimate.sd,
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
            figures: figures(Figures::at(Lens::REPORT, reader, event.node()), event),
            text: style.apply(sentence(reader, event)),
        }
    }
}

/// Returns the fate of a node with the numbers that decided it.
pub fn fate(reader: &Reader, node: NodeId) -> FateJson {
    FateJson::new(Figures::at(Lens::REPORT, reader, node), &reader.view(node))
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
    FiguresJson::Depth {
        change,
        plies,
        number,
        again,
    }
}

fn figures(f: Figures, event: &Event) -> FiguresJson {
    let value = |score| ValueJson::new(score, f.scale);
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
            alpha: (alpha > Score::LOSS).then_some(alpha.raw()),
            beta: (beta < Score::WIN).then_some(beta.raw()),
        },
        Event::PassDone { number, low, high } => FiguresJson::PassDone {
            pass: number,
            lower: (low > Score::MIN).then_some(low.raw()),
            upper: (high < Score::MAX).then_some(high.raw()),
        },
        Event::Aim(aim) => FiguresJson::Aim {
            aim: aim.info.name,
            numbers: aim.numbers().map(|(n, _)| n).collect(),
        },
        Event::Enter {
            alpha, beta, depth, ..
        } => FiguresJson::Enter {
            alpha: (alpha > Score::LOSS).then_some(alpha.raw()),
            beta: (beta < Score::WIN).then_some(beta.raw()),
            depth: (!f.best_first).then_some(depth),
        },
        Event::Evaluate { value: v, sd, .. } => FiguresJson::Evaluate {
            value: value(v),
            sd,
        },
        Event::Ask {
            alpha, beta, depth, ..
        } => FiguresJson::Ask {
            alpha: (alpha > Score::LOSS).then_some(alpha.raw()),
            beta: (beta < Score::WIN).then_some(beta.raw()),
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
        Event::Prune { parent, m, fate } => FiguresJson::Prune {
            name: f.name(parent, m),
            fate: FateJson::new(f, &f.fated(event, fate)),
        },
        Event::TableHit { fate, .. } | Event::Cut { fate, .. } => FiguresJson::Fate {
            fate: FateJson::new(f, &f.fated(event, fate)),
        },
        Event::Try {
            rule, bound, depth, ..
        } => FiguresJson::Try {
            rule: rule.name(),
            bound: bound.raw(),
            depth,
        },
        Event::Tried {
            rule,
            bound,
            value: v,
            ..
        } => FiguresJson::Tried {
            rule: rule.name(),
            bound: bound.raw(),
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
            worth,
            before: before.map(EstimateJson::from),
            after: after.into(),
        },
        Event::Prove {
            proof: Proof { lower, upper },
            ..
        } => FiguresJson::Prove {
            lower: value(lower),
            upper: value(upper),
        },
        Event::Best { from, to } => FiguresJson::Best {
            from: of_root(from),
            to: of_root(to),
        },
        Event::Leave { score, bound, .. } => FiguresJson::Leave {
            value: value(score),
            bound: bound_name(bound),
        },
    }
}
