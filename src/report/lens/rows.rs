//! A row of a tree through a lens: what each list of moves, on paper and in an editor, writes of it.

use super::{Lens, Scores};
use crate::axis::{Plotted, plotted};
use crate::why;
use game::{Game as _, Scale};
use session::{NodeBelief, NodeValue, Reader};
use tree::NodeView;

/// A row as it is seen. It is made of a row's figures, given by the side that plays the move; of the root's, given by the
/// side to move.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub reader: &'a Reader<'a>,
    pub view: &'a NodeView,
    belief: Option<&'a NodeBelief>,
    /// The same where it is a single value.
    any_belief: Option<&'a NodeBelief>,
    pub scores: Scores,
}

impl Lens {
    /// Returns a row as it is seen.
    pub fn row<'a>(
        self,
        reader: &'a Reader,
        view: &'a NodeView,
        belief: Option<&'a NodeBelief>,
    ) -> Seen<'a> {
        Seen {
            reader,
            view,
            belief: belief.filter(|b| b.is_distribution()),
            any_belief: belief,
            scores: self.of_moves(reader, view.parent),
        }
    }

    /// Returns the unit and the viewpoint of everything read from this tree, in words: `pawns, White's view`.
    pub fn words_at(self, reader: &Reader) -> String {
        let root = &reader.subject.position;
        self.words(reader.scale(), root.side_name(root.turn()))
    }
}

impl Seen<'_> {
    /// Writes the value with the sign of a bound; `–` where nothing is known.
    pub fn value(&self) -> String {
        let scale = self.reader.scale();
        let mut value = NodeValue::of(self.view, scale);
        // A distribution's mean is more precise than the score it was rounded to.
        if let (Some(belief), Some(_)) = (self.own_belief(), value.expected) {
            value.expected = Some(belief.mean);
        }
        match self.scores.value(&value, self.own_belief()) {
            text if text.is_empty() => "–".to_owned(),
            text => text,
        }
    }

    /// Writes the standard deviation of the belief with its sign, ` ±0.21`; empty where there is none.
    pub fn spread(&self) -> String {
        self.scores.spread_of(self.own_belief())
    }

    /// Returns the belief if it is about the value: that of a root may be the one backed up from all moves, whose mean is
    /// another one than the best move's.
    fn own_belief(&self) -> Option<&NodeBelief> {
        let is_root = self.view.parent.is_none();
        let expected = self.view.expected;
        self.belief
            .filter(|belief| !is_root || expected.is_none_or(|e| belief.is_about(e)))
    }

    /// Returns the belief as it is seen.
    pub fn belief(&self) -> Option<NodeBelief> {
        self.belief.map(|belief| self.scores.seen(belief.clone()))
    }

    /// Returns what the row shows on the value axis.
    pub fn plotted(&self) -> Plotted {
        plotted(self.reader, self.view, self.any_belief, &self.scores)
    }

    /// Writes the latest window with which the node was entered: `[+0.12, +0.31]`, in a toy tree as in a textbook, `[3,14]`.
    pub fn window(&self) -> Option<String> {
        let window = self.view.window.filter(|_| self.view.visits > 0)?;
        let between = match self.scores.scale {
            Scale::Linear(_) => ",",
            Scale::Logistic => ", ",
        };
        let text = self.scores.window(window.alpha, window.beta, between);
        Some(match self.scores.scale {
            Scale::Linear(_) => format!("[{}]", text.replace('+', "")),
            Scale::Logistic => format!("[{text}]"),
        })
    }

    /// Returns the reason in a few words.
    pub fn brief(&self) -> String {
        let by = why::move_in_fate(self.reader, self.view);
        why::brief_with(self.view, &self.scores, by.as_deref())
    }
}
