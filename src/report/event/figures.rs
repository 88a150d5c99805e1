//! The numbers in events, in the unit in which the algorithm calculates.

use crate::engine::{Reader, unrecorded_view};
use crate::game::{MoveCode, Scale, Score};
use crate::report::number;
use crate::search::{Estimate, Event};
use crate::tree::{Fate, NodeId, NodeView, Treatment};

/// Formats the figures of one tree's events: those of a toy tree in its file's unit; in chess the values of a
/// depth-first search in pawns, and the values of a best-first search and all beliefs as expected scores.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Figures<'a> {
    pub reader: &'a Reader<'a>,
    pub scale: Scale,
    pub best_first: bool,
}

impl<'a> Figures<'a> {
    pub fn new(reader: &'a Reader<'a>) -> Self {
        Figures {
            reader,
            scale: reader.scale(),
            best_first: reader.is_best_first(),
        }
    }

    /// Returns the name of the search's own numbers.
    pub fn noun(self) -> &'static str {
        if self.best_first && self.scale == Scale::Logistic {
            "expected score"
        } else {
            "value"
        }
    }

    /// Formats the value with which a search left a node.
    pub fn value(self, score: Score) -> String {
        if self.best_first && self.scale == Scale::Logistic && !score.is_decided() {
            number::expected(self.scale.expected(score))
        } else {
            number::score(self.scale, score)
        }
    }

    /// Formats an expected score: the mean of an estimate.
    pub fn mean(self, estimate: Estimate) -> String {
        let mean = estimate.mean;
        match self.scale {
            Scale::Linear { range, .. } => number::units(self.scale, mean * range),
            // The mean does not contain a mate's distance.
            Scale::Logistic if self.best_first || estimate.sd.is_some() || mean.abs() >= 1.0 => {
                number::expected(mean)
            }
            Scale::Logistic => number::score(self.scale, self.scale.score(mean)),
        }
    }

    /// Formats a spread in the unit of [`Figures::mean`], without a sign.
    pub fn spread(self, sd: f32) -> String {
        match self.scale {
            Scale::Linear { range, .. } => number::units(self.scale, sd * range)
                .trim_start_matches('+')
                .to_owned(),
            Scale::Logistic => format!("{sd:.2}"),
        }
    }

    /// Formats a mean with its spread, if it has one: `+0.12 ± 0.21`.
    pub fn estimate(self, estimate: Estimate, sign: &str) -> String {
        let mean = self.mean(estimate);
        match estimate.sd {
            Some(sd) => format!("{mean}{sign}{}", self.spread(sd)),
            None => mean,
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
        let score = |s| number::score(self.scale, s);
        let no_score_between = i32::from(beta.raw()) - i32::from(alpha.raw()) <= 1;
        match (alpha <= Score::LOSS, beta >= Score::WIN) {
            (false, _) if no_score_between => format!("whether it is above {}", score(alpha)),
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

/// Returns an estimate from the other side's view.
pub(in crate::report) fn other_side(estimate: Estimate) -> Estimate {
    Estimate {
        mean: -estimate.mean,
        ..estimate
    }
}
