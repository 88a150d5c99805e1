//! The part of the axis that is shown: common to all rows on the screen, and so wide that the moves which matter can be
//! told apart.

use super::plotted;
use crate::lens::{Lens, Scores};
use chart::value::{Mark, Span};
use game::{Scale, Score, Sided};
use session::{Policy, Reader};
use tree::{Bound, Family, NodeId, NodeView};

/// How much of the axis is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Reach {
    /// The values that the leading moves may have.
    #[default]
    Leaders,
    /// The values that all moves may have.
    Siblings,
    /// All values.
    Whole,
}

impl Reach {
    pub const ALL: [Reach; 3] = [Reach::Leaders, Reach::Siblings, Reach::Whole];

    pub fn name(self) -> &'static str {
        match self {
            Reach::Leaders => "leaders",
            Reach::Siblings => "all moves",
            Reach::Whole => "whole axis",
        }
    }

    /// Returns the next one, the first after the last.
    #[must_use]
    pub fn next(self) -> Reach {
        match self {
            Reach::Leaders => Reach::Siblings,
            Reach::Siblings => Reach::Whole,
            Reach::Whole => Reach::Leaders,
        }
    }
}

/// The values that upright rules mark through all rows of one parent, as the lens shows them.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Rules {
    /// The value of the best move.
    pub best: Option<f32>,
    /// The ends of the window in which the parent was searched last, the lower one first; an open end has none.
    pub alpha: Option<f32>,
    pub beta: Option<f32>,
}

/// Returns the rules through the rows of a node's moves.
pub fn rules(reader: &Reader, parent: NodeId, lens: Lens) -> Rules {
    if !reader.tree.contains(parent) {
        return Rules::default();
    }
    let scores = lens.of_moves(reader, parent);
    let view = reader.view(parent);
    let best = reader
        .best_move(parent)
        .and_then(|code| reader.tree.child_by_move(parent, code))
        .and_then(|child| reader.view(child).expected.turned());
    let (alpha, beta) = window(reader, &view);
    let shown = |value: Option<f32>| value.map(|value| scores.seen(value));
    let (low, high) = match scores.is_turned() {
        false => (alpha, beta),
        true => (beta, alpha),
    };
    Rules {
        best: shown(best),
        alpha: shown(low),
        beta: shown(high),
    }
}

/// Returns the closed ends of a node's window, from its own view.
fn window(reader: &Reader, view: &NodeView) -> (Option<f32>, Option<f32>) {
    let Some(window) = view.window.filter(|_| view.visits > 0) else {
        return (None, None);
    };
    let open = |score: Score| score <= Score::LOSS || score >= Score::WIN || score.is_decided();
    let end = |score: Score| (!open(score)).then(|| reader.scale().expected(score));
    (end(window.alpha), end(window.beta))
}

/// One move that may matter for the scale.
struct Candidate {
    /// The least and greatest value that it may have, as shown.
    extent: (f32, f32),
    /// The chance to be best, or the share of the visits.
    share: f32,
    /// Whether it is more than a bound.
    known: bool,
    value: f32,
}

/// The chance to be best, or the share of the visits, from which a move is a leader.
pub const LEADS: f32 = 0.02;

/// How many bounds count as near, and how many exact values.
const NEAR: usize = 4;

/// Returns the part of the axis for the moves of a node, which is the node's own part if it has none.
pub fn span(reader: &Reader, parent: NodeId, reach: Reach, lens: Lens) -> Span {
    let scale = reader.scale();
    let is_boundless = scale.is_boundless();
    if reach == Reach::Whole && !is_boundless || !reader.tree.contains(parent) {
        return Span::WHOLE;
    }
    let scores = lens.of_moves(reader, parent);
    let rules = rules(reader, parent, lens);
    let mut candidates = candidates(reader, parent, &scores);
    if is_boundless {
        // Wins are infinitely far away: the ordinary values could not be told apart beside them.
        candidates.retain(|c| is_ordinary(c.extent.0) && is_ordinary(c.extent.1));
    }
    let leaders = match reach {
        Reach::Leaders => leaders(reader, rules.best, &mut candidates),
        _ => &candidates[..],
    };
    let ends = leaders
        .iter()
        .map(|c| c.extent)
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let Some((mut low, mut high)) = ends else {
        return match is_boundless {
            true => roomy(0.0, 0.0, scale),
            false => Span::WHOLE,
        };
    };
    // The window of a search is in sight where it is near, and what is best always.
    let length = high - low;
    if let Some(best) = rules
        .best
        .filter(|&best| !is_boundless || is_ordinary(best))
    {
        (low, high) = (low.min(best), high.max(best));
    }
    for end in [rules.alpha, rules.beta].into_iter().flatten() {
        if end > low - length && end < high + length {
            (low, high) = (low.min(end), high.max(end));
        }
    }
    roomy(low, high, reader.scale())
}

/// Whether a value is no win and no loss.
pub fn is_ordinary(value: f32) -> bool {
    value.abs() < 1.0
}

fn candidates(reader: &Reader, parent: NodeId, scores: &Scores) -> Vec<Candidate> {
    let grid = reader.tree.grid();
    let by_policy = reader.policy() == Some(Policy::Best);
    let visits = f64::from(reader.tree.node(parent).visits().max(1));
    let of_child = |child: NodeId| {
        let view = reader.view(child).one_ply_up();
        if view.fate.is_skip() {
            return None;
        }
        let belief = reader.belief(child).turned();
        let mark = plotted(reader, &view, belief.as_ref(), scores).mark;
        let (low, high) = mark.extent(grid)?;
        let share = match view.policy {
            Some(policy) if by_policy => policy,
            _ => (f64::from(view.visits) / visits) as f32,
        };
        let known = !matches!(mark, Mark::AtMost(_) | Mark::AtLeast(_) | Mark::Faint(_));
        let exact = view.window.is_none_or(|w| w.bound == Bound::Exact);
        Some(Candidate {
            extent: (low.clamp(-1.0, 1.0), high.clamp(-1.0, 1.0)),
            share,
            known: known && exact,
            value: view.expected.map_or(0.5 * (low + high), |e| scores.seen(e)),
        })
    };
    reader.tree.children(parent).filter_map(of_child).collect()
}

/// Returns the moves that lead, at least two if there are as many.
fn leaders<'a>(reader: &Reader, best: Option<f32>, all: &'a mut [Candidate]) -> &'a [Candidate] {
    let count = match reader.tree.family() {
        Family::BestFirst => {
            all.sort_by(|a, b| b.share.total_cmp(&a.share));
            all.iter().filter(|c| c.share >= LEADS).count().max(2)
        }
        Family::DepthFirst => {
            // The values nearest to the best one: what is known first, then the bounds.
            let best = best.unwrap_or(0.0);
            let off = |c: &Candidate| (c.value - best).abs();
            all.sort_by(|a, b| {
                a.known
                    .cmp(&b.known)
                    .reverse()
                    .then(off(a).total_cmp(&off(b)))
            });
            let known = all.iter().filter(|c| c.known).count().min(NEAR);
            all[known..].sort_by(|a, b| off(a).total_cmp(&off(b)));
            known + NEAR
        }
    };
    &all[..count.min(all.len())]
}

/// Returns a span with a twentieth more at both ends, and never so short that the last digit of a value would be a cell.
pub(super) fn roomy(low: f32, high: f32, scale: Scale) -> Span {
    /// A tenth of a pawn on each side.
    const LEAST: f32 = 10.0 / 360.0;
    let middle = 0.5 * (low + high);
    // Near a certain result a pawn is worth little in expected score.
    let slope = match scale {
        Scale::Logistic => (1.0 - middle * middle).max(0.02),
        Scale::Linear(_) => 0.5,
    };
    let least = match scale {
        // Some of the steps that are told.
        Scale::Linear(axis) if axis.is_boundless() => {
            5.0 * 10_f32.powi(-(axis.decimals() as i32)) / axis.range()
        }
        _ => LEAST * slope,
    };
    let half = (0.55 * (high - low)).max(least);
    Span {
        low: (middle - half).max(-1.0),
        high: (middle + half).min(1.0),
    }
}
