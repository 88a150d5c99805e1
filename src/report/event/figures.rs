//! The numbers in events, in the unit in which the algorithm calculates.

use crate::explanation;
use crate::lens::{Lens, Scores};
use crate::number;
use game::{MoveCode, Scale, Score};
use search::{Aim, Budget, Estimate, Event};
use session::{Reader, unrecorded_view};
use tree::{Fate, NodeId, NodeView, Treatment, Tree};

/// Formats the figures of one tree's events, as seen through a lens.
#[derive(Clone, Copy, Debug)]
pub struct Figures<'a> {
    pub lens: Lens,
    pub reader: &'a Reader<'a>,
    /// Writes the scores of one node.
    pub scores: Scores,
    pub scale: Scale,
    pub best_first: bool,
}

impl Lens {
    /// Returns the figures of an event, given as its scores are: by the side to move at its node.
    pub(super) fn figures_of<'a>(self, reader: &'a Reader<'a>, event: &Event) -> Figures<'a> {
        match *event {
            Event::Audit { node, m, .. } if m != MoveCode::NONE => Figures {
                scores: self.of_moves(reader, node),
                ..Figures::at(self, reader, node)
            },
            Event::Iteration { .. }
            | Event::IterationDone { .. }
            | Event::Best { .. }
            | Event::Aim(_) => Figures::at(self, reader, Tree::ROOT),
            _ => Figures::at(self, reader, event.node()),
        }
    }
}

impl<'a> Figures<'a> {
    /// Returns the figures given by the side to move at a node.
    pub fn at(lens: Lens, reader: &'a Reader<'a>, node: NodeId) -> Self {
        Figures {
            lens,
            scores: lens.at(reader, node),
            reader,
            scale: reader.scale(),
            best_first: reader.is_best_first(),
        }
    }

    /// Returns the name of the search's own numbers.
    pub fn noun(self) -> &'static str {
        self.scores.noun()
    }

    /// Formats the value with which a search left a node.
    pub fn value(self, score: Score) -> String {
        self.scores.score(score)
    }

    /// Formats an expected score: the mean of an estimate.
    pub fn mean(self, estimate: Estimate) -> String {
        self.scores.mean_of(estimate)
    }

    /// Formats a mean with its spread, if it has one: `+0.12 ± 0.21`.
    pub fn estimate(self, estimate: Estimate, sign: &str) -> String {
        let mean = self.mean(estimate);
        let spread = estimate
            .sd
            .and_then(|sd| self.scores.spread(estimate.mean, sd));
        match spread {
            Some(spread) => format!("{mean}{sign}{spread}"),
            None => mean,
        }
    }

    /// Says what a descent is for.
    pub fn aim(self, aim: &Aim) -> String {
        let phrase = aim.phrase(self.scores.viewpoint());
        explanation::text(self.reader, aim.node, &phrase, &self.scores)
    }

    /// Returns the moves that get a part of a budget with what they get, the largest part first.
    pub fn divided(self, budget: &Budget) -> Vec<(NodeId, String, u32)> {
        let parts = budget.parts.iter();
        let named = parts.filter_map(|&(child, part)| Some((child, self.node_name(child)?, part)));
        let mut named: Vec<_> = named.collect();
        named.sort_by_key(|(_, _, part)| std::cmp::Reverse(*part));
        named
    }

    /// Lists the parts of a budget, at most so many: `A 41, B 19, C 4`.
    pub fn parts(self, budget: &Budget, most: usize) -> String {
        let parts = self.divided(budget);
        let listed = parts.iter().take(most);
        let listed: Vec<String> = listed
            .map(|(_, name, part)| format!("{name} {}", number::count(u64::from(*part))))
            .collect();
        let more = match parts.len().saturating_sub(most) {
            0 => String::new(),
            more => format!(", {more} more"),
        };
        format!("{}{more}", listed.join(", "))
    }

    /// Describes what a pass over the root asks: `whether the value is at least +0.31`.
    pub fn pass_question(self, beta: Score) -> String {
        if beta >= Score::WIN || beta <= Score::LOSS {
            let (upper, lower) = ("for an upper bound", "for a lower bound");
            return match beta >= Score::WIN {
                true => self.scores.word(upper, lower),
                false => self.scores.word(lower, upper),
            }
            .into();
        }
        let least = self.scores.at_least();
        format!("whether the value is {least} {}", self.scores.score(beta))
    }

    /// Describes what the bounds of the root say about its value: `at least +0.31`, `between +0.31 and +0.40`, `+0.35`.
    pub fn between(self, low: Score, high: Score) -> String {
        let (low, high) = self.scores.seen(low..=high).into_inner();
        let shown = self.scores.as_shown();
        let score = |s| shown.score(s);
        match (low > Score::MIN, high < Score::MAX) {
            _ if low >= high => score(high),
            (true, true) => format!("between {} and {}", score(low), score(high)),
            (true, false) => format!("at least {}", score(low)),
            (false, true) => format!("at most {}", score(high)),
            (false, false) => "unknown".into(),
        }
    }

    /// Returns the window in which a proof matters, as far as it says more than that a quicker mate would: a draw, an
    /// exact value or a win is proven elsewhere.
    pub fn relevant(self, alpha: Score, beta: Score) -> (Score, Score) {
        let alpha = if alpha.is_loss() { Score::MIN } else { alpha };
        let beta = if beta.is_win() { Score::MAX } else { beta };
        (alpha, beta)
    }

    /// Describes what a leaf's search with this window is asked: `whether it is above +0.31`, `for its value below +0.60`,
    /// `for its value`.
    pub fn question(self, alpha: Score, beta: Score) -> String {
        let (alpha, beta) = self.scores.seen(alpha..=beta).into_inner();
        let shown = self.scores.as_shown();
        let score = |s| shown.score(s);
        let no_score_between = i32::from(beta.raw()) - i32::from(alpha.raw()) <= 1;
        match (alpha <= Score::LOSS, beta >= Score::WIN) {
            // The question is about the node's own alpha.
            (false, _) if no_score_between => {
                let (side, end) = self.scores.word(("above", alpha), ("below", beta));
                format!("whether it is {side} {}", score(end))
            }
            (true, true) => "for its value".into(),
            (true, false) => format!("for its value below {}", score(beta)),
            (false, true) => format!("for its value above {}", score(alpha)),
            (false, false) => format!("for its value from {} to {}", score(alpha), score(beta)),
        }
    }

    /// Whether every value is between alpha and beta.
    pub fn is_open(self, alpha: Score, beta: Score) -> bool {
        alpha <= Score::LOSS && beta >= Score::WIN
    }

    /// Returns the name of a move at a node, or `None` for no move.
    pub fn name(self, at: NodeId, code: MoveCode) -> Option<String> {
        (code != MoveCode::NONE).then(|| self.reader.label(at, code))
    }

    /// Returns the name of a recorded node's last move.
    pub fn node_name(self, id: NodeId) -> Option<String> {
        if id.is_none() {
            return None;
        }
        let node = self.reader.tree.node(id);
        self.name(node.parent(), node.move_code())
    }

    /// Returns what received an event's fate: the node, or the move that was not searched.
    pub fn fated(self, event: &Event, fate: Fate) -> NodeView {
        match *event {
            Event::Prune { parent, m, .. } => unrecorded_view(parent, m, fate),
            Event::End { node, score, .. } => NodeView {
                fate,
                score: Some(score),
                ..self.reader.view(node)
            },
            // What has happened to the node since, including an audit, is not part of the event.
            _ => NodeView {
                fate,
                treatment: Treatment::default(),
                ..self.reader.view(event.node())
            },
        }
    }
}
