//! What a search found at its root, collected for reports.

use super::mate_line::{FOR_A_REPORT, MateLine, complete};
use super::reader::{MoveName, Reader};
use super::snapshot::{Snapshot, Unfinished};
use super::{NodeBelief, Row, State, Status};
use game::{MoveCode, Scale, Score};
use search::{NamedNumbers, StopReason, Viewpoint};
use tree::{Bound, Fate, NodeView, Proof, Tree};

/// The result of a search at one moment, from the view of the root's side to move.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The root position; `None` for a toy tree.
    pub fen: Option<String>,
    pub status: Status,
    /// The move that the algorithm would play. `None` if the game is over or nothing was searched.
    pub best: Option<MoveName>,
    /// The score of the best move, unless the root is proven. The belief about the root may have a different mean.
    pub score: NodeValue,
    /// The belief about the root's value that is justified: calibrated if a calibration is known
    /// ([`Reader::reported`]).
    pub belief: Option<NodeBelief>,
    /// The root's belief as the search has it.
    pub own_belief: Option<NodeBelief>,
    /// That belief, if it was backed up from all moves and so has a different mean than the best move:
    /// [`Reader::backed_up`].
    pub backed_up: Option<NodeBelief>,
    /// The numbers that the root keeps instead of a distribution.
    pub numbers: Option<NamedNumbers>,
    pub pv: Vec<MoveName>,
    /// Every legal move, best first.
    pub moves: Vec<MoveSummary>,
    pub fate: Fate,
    /// The iteration in which a depth-first search is or was stopped; the figures are those of the last finished step.
    pub unfinished: Option<Unfinished>,
    /// Why the search ended before its limits: see [`Session::decision`](super::session::Session::decision).
    pub decision: Option<String>,
}

/// One move of the root, from the view of the side that plays it.
#[derive(Clone, Debug)]
pub struct MoveSummary {
    pub row: Row,
    pub score: NodeValue,
    /// The numbers that its node keeps instead of a distribution, from the same view, and how strongly the move is
    /// believed to be optimal: [`Reader::kept`].
    pub numbers: Option<NamedNumbers>,
    /// The move itself, then the best line below it.
    pub pv: Vec<MoveName>,
}

/// What is known about a value. Numbers that an algorithm does not have are `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeValue {
    /// The expected score.
    pub expected: Option<f32>,
    /// The value in the unit of the program that told it, where `score` is only the nearest.
    pub wide: Option<f64>,
    /// The value as an integer score: the depth-first algorithms' own, otherwise the nearest to `expected`.
    pub score: Option<Score>,
    /// Depth-first: how the value relates to the true one. Best-first values are estimates of it (exact).
    pub bound: Option<Bound>,
    /// The proven bounds.
    pub proof: Proof,
    /// Whether the line that goes with a proven distance to mate ends before the mate; the distance is then not
    /// claimed.
    pub is_line_short: bool,
}

impl NodeValue {
    /// Returns the value given by a node's figures, from their view.
    pub fn of(view: &NodeView, scale: Scale) -> NodeValue {
        let proven = if view.proof.is_win() {
            Some(view.proof.lower)
        } else if view.proof.is_loss() {
            Some(view.proof.upper)
        } else {
            None
        };
        // A proof takes precedence over a value that an interrupted iteration may have left behind.
        let expected = proven.map(|p| scale.expected(p)).or(view.expected);
        let bound = expected.map(|_| match view.window {
            _ if view.proof.is_exact() => Bound::Exact,
            Some(_) if view.proof.is_win() => Bound::Lower,
            Some(_) if view.proof.is_loss() => Bound::Upper,
            Some(window) => window.bound,
            None => Bound::Exact,
        });
        NodeValue {
            expected,
            wide: view.wide.filter(|_| proven.is_none()),
            score: proven
                .or(view.score)
                .or_else(|| view.expected.map(|e| scale.score(e))),
            bound,
            proof: view.proof,
            is_line_short: false,
        }
    }

    /// Returns the value in the unit of a toy tree's file, from the expected score, which is more precise than the
    /// integer score. `None` in chess and for decided scores.
    pub fn toy_units(&self, scale: Scale) -> Option<f32> {
        let ordinary = self.score.is_some_and(|s| !s.is_decided());
        match scale {
            Scale::Linear(_) if self.wide.is_some() => self.wide.map(|value| value as f32),
            Scale::Linear(axis) if ordinary => {
                // No more digits than the arithmetic provides.
                let units = self.expected.map(|e| e * axis.range());
                units.map(|units| match units.abs() < 1e3 {
                    true => (units * 1e4).round() / 1e4,
                    false => units,
                })
            }
            _ => None,
        }
    }

    /// Returns the sign in front of the value: `≥` or `≤` for a bound; for a mate `≤` if it takes at most that long.
    pub fn sign(&self) -> &'static str {
        let proven = self.proof.is_win() || self.proof.is_loss();
        match (self.score.filter(|s| s.is_decided()), self.bound) {
            (Some(score), Some(Bound::Upper)) if !proven && score.is_win() => "≤",
            (Some(score), Some(Bound::Lower)) if !proven && score.is_loss() => "≥",
            // An external engine's mate is displayed as reported.
            (Some(_), _) if !proven || self.proof.is_exact() => "",
            (Some(score), _) if score.is_without_length() => "",
            (Some(_), _) | (None, Some(Bound::Upper)) => "≤",
            (None, Some(Bound::Lower)) => "≥",
            (None, _) => "",
        }
    }

    /// Returns the signed number of full moves to mate, if a mate was found; exact if [`NodeValue::mate_is_exact`].
    pub fn mate(&self) -> Option<i16> {
        self.score.and_then(Score::mate_moves)
    }

    /// Whether the distance to mate is proven, with a line that shows it, and is not just an upper limit (for a win) or
    /// a lower limit (for a loss).
    pub fn mate_is_exact(&self) -> Option<bool> {
        let exact = self.proof.is_exact() && !self.is_line_short;
        self.mate().map(|_| exact)
    }

    /// Returns the value with the line that shows it from `reader`'s root on; the line of a proven mate is completed.
    fn shown_by(self, reader: &Reader, line: Vec<MoveCode>) -> (NodeValue, Vec<MoveCode>) {
        if !self.proof.is_exact() {
            return (self, line);
        }
        let MateLine { moves, is_whole } =
            complete(reader.subject, line, self.proof.lower, FOR_A_REPORT);
        let verdict = NodeValue {
            is_line_short: !is_whole,
            ..self
        };
        (verdict, moves)
    }
}

impl Reader<'_> {
    /// Returns what the tree says at this moment.
    pub fn summary(&self, status: Status) -> Summary {
        let Snapshot {
            root,
            score,
            best,
            moves,
            unfinished,
            ..
        } = self.snapshot();
        let line = self.best_moves(Tree::ROOT);
        let (score, line) = score.shown_by(self, line);
        let pv = self.names(Tree::ROOT, &line);
        let best = best.and_then(|code| self.names(Tree::ROOT, &[code]).pop());
        let moves = moves
            .into_iter()
            .map(|row| {
                let score = NodeValue::of(&row.view, self.scale());
                let (score, line) = row.id.node().map_or((score, Vec::new()), |id| {
                    let mut line = vec![row.move_code];
                    line.extend(self.best_moves(id));
                    score.shown_by(self, line)
                });
                MoveSummary {
                    score,
                    numbers: row.id.node().and_then(|id| self.kept(id, Viewpoint::Mover)),
                    pv: self.names(Tree::ROOT, &line),
                    row,
                }
            })
            .collect();
        Summary {
            fen: self.subject.position.fen(),
            status,
            best,
            score,
            belief: self.reported(),
            own_belief: self.belief(Tree::ROOT),
            numbers: self.kept(Tree::ROOT, Viewpoint::Own),
            backed_up: self.backed_up(),
            pv,
            moves,
            fate: root.fate,
            unfinished,
            decision: None,
        }
    }
}

impl Summary {
    /// Returns why the search ended, or `None` while it runs.
    pub fn stopped_by(&self) -> Option<StopReason> {
        match self.status.state {
            State::Finished(reason) => Some(reason),
            State::Running | State::Paused => None,
        }
    }
}
