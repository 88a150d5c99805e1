//! What a search found in one position of a game.

use std::time::Duration;

use super::marks::{MarkKind, chances};
use crate::engine::{MoveName, NodeBelief, NodeValue, Reader, Status, Subject};
use crate::game::{Game, Score, Side, Situation};
use crate::search::Iteration;
use crate::tree::{Bound, Fate, Proof, Tree};

/// What one column found in one position. From the side to move's view where nothing else is said.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Who is to move.
    pub side: Side,
    /// The move the column would play; `None` where the game is over or nothing was found.
    pub best: Option<MoveName>,
    pub score: NodeValue,
    /// The belief the column keeps or amounts to.
    pub belief: Option<NodeBelief>,
    /// Expected score from White's view below which 10, 25, 50, 75 and 90 % of the belief lie; `None` where it is a
    /// single value.
    pub band: Option<[f32; 5]>,
    /// The best line, at most [`Found::LONGEST`] plies.
    pub pv: Vec<MoveName>,
    /// Nodes by the rule that `--nodes` counts by; another program's by its own.
    pub nodes: u64,
    /// CPU time of the search.
    pub cpu: Duration,
    /// The iteration finished last (depth-first).
    pub depth: u16,
    /// The position's fate: it says whether and how the game is over.
    pub fate: Fate,
}

/// The shares of the belief's mass that [`Found::band`] has the quantiles of.
pub const SHARES: [f32; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

impl Found {
    /// Plies kept of a best line.
    pub const LONGEST: usize = 16;

    /// The result of a search, from its tree and its figures.
    #[must_use]
    pub fn read(reader: &Reader, status: &Status) -> Found {
        let root = reader.view(Tree::ROOT);
        let side = to_move(reader.subject);
        let mut moves = reader.best_moves(Tree::ROOT);
        moves.truncate(Self::LONGEST);
        let pv = reader.names(Tree::ROOT, &moves);
        let belief = reader.belief(Tree::ROOT);
        let band = belief.as_ref().filter(|b| b.is_distribution()).map(|b| {
            let white = match side {
                Side::White => b.clone(),
                Side::Black => b.negated(),
            };
            SHARES.map(|share| white.quantile(share, reader.tree.grid()))
        });
        Found {
            side,
            best: pv.first().cloned(),
            score: NodeValue::of(&root, reader.scale()),
            belief,
            band,
            pv,
            nodes: status.totals.nodes,
            cpu: status.cpu,
            depth: status.totals.depth,
            fate: root.fate,
        }
    }

    /// Takes the value and the best move from the last iteration that was finished, where the search was broken off in a
    /// later one: what that one had found by then is a bound, which may be far from any value.
    ///
    /// False: the later iteration contradicts the finished one, by as much as half an inaccuracy, and has to be
    /// finished before the position is judged. The bound stays then.
    pub(super) fn settle(&mut self, last: Option<&Iteration>, reader: &Reader) -> bool {
        let Some(last) = last.filter(|_| self.score.bound != Some(Bound::Exact)) else {
            return true;
        };
        let finished = NodeValue {
            expected: Some(reader.scale().expected(last.score)),
            score: Some(last.score),
            bound: Some(Bound::Exact),
            ..self.score
        };
        let so_far = self.score.score.unwrap_or(last.score);
        // A mate that was found is one, whatever the other moves bring.
        let mates = so_far.is_win() && self.score.bound == Some(Bound::Lower);
        let apart = match (chances(&self.score), chances(&finished)) {
            (Some(now), Some(then)) => (now - then).abs(),
            _ => 0.0,
        };
        if mates {
            self.score.bound = Some(Bound::Exact);
            return true;
        }
        if apart >= MarkKind::Inaccuracy.least() / 2.0 {
            return false;
        }
        self.score = finished;
        let best = reader.names(Tree::ROOT, &[last.best]);
        if self.pv.first().map(|m| m.code) != best.first().map(|m| m.code) {
            self.best = best.first().cloned();
            self.pv = best;
        }
        true
    }

    /// The exact result of a position that needs no search, as the game is over there. In the game's `last` position
    /// one that stands there for the third time is a draw too; before, nobody claimed it.
    #[must_use]
    pub fn over(subject: &Subject, last: bool) -> Option<Found> {
        let (fate, score) = ending(subject, last)?;
        let expected = subject.position.scale().expected(score);
        Some(Found {
            side: to_move(subject),
            best: None,
            score: NodeValue {
                expected: Some(expected),
                score: Some(score),
                bound: Some(Bound::Exact),
                proof: Proof::exact(score),
                is_line_short: false,
            },
            belief: None,
            band: None,
            pv: Vec::new(),
            nodes: 0,
            cpu: Duration::ZERO,
            depth: 0,
            fate,
        })
    }

    /// The expected score from White's view.
    #[must_use]
    pub fn white(&self) -> Option<f32> {
        self.score.expected.map(|e| match self.side {
            Side::White => e,
            Side::Black => -e,
        })
    }

    /// Standard deviation of the expected score; `None` where the column has a single value.
    #[must_use]
    pub fn sd(&self) -> Option<f32> {
        let belief = self.belief.as_ref().filter(|b| b.is_distribution());
        belief.map(|b| b.sd)
    }

    /// Whether the game is over here.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.fate, Fate::Ended(_) | Fate::Repetition { .. })
    }
}

fn ending<G: Game>(situation: &Situation<G>, last: bool) -> Option<(Fate, Score)> {
    let position = &situation.position;
    let has_moves = !position.legal_moves().is_empty();
    if let Some(ending) = position.ending(has_moves) {
        return Some((Fate::Ended(ending), position.ending_score(ending)));
    }
    let stood = situation
        .history
        .repetitions(position.key(), position.reversible_plies());
    let repeated = Fate::Repetition {
        times: stood.times,
        plies_back: stood.plies_back,
    };
    (last && stood.times >= 2).then_some((repeated, Score::DRAW))
}

pub(super) fn to_move(subject: &Subject) -> Side {
    subject.position.turn()
}
