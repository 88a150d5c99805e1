//! The result of a search in one position of a game.

use std::time::Duration;

use super::marks::{MarkKind, Measure};
use game::load::pgn::annotation::Evaluation;
use game::{Game, Scale, Score, Seen, Side, Sided, Situation};
use search::Iteration;
use session::{MoveName, NodeValue, Reader, Source, Status, Subject};
use tree::{Bound, Fate, Proof, Tree};

/// What one column found in one position, from the side to move's view unless stated otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The side to move.
    pub side: Side,
    /// How the game's scores are to be read.
    pub scale: Scale,
    /// The move that the column would play; `None` if the game is over or nothing was found.
    pub best: Option<MoveName>,
    pub score: NodeValue,
    /// The standard deviation of the column's belief, or of the one derived from its values; `None` if that is a single
    /// value.
    pub sd: Option<f32>,
    /// Whether the belief is an external engine's shares of won, drawn and lost games.
    pub outcomes: bool,
    /// The expected scores from White's view below which 10, 25, 50, 75 and 90 % of the belief lie; `None` if the
    /// belief is a single value.
    pub band: Option<[f32; 5]>,
    /// The best line, at most [`Found::LONGEST`] plies.
    pub pv: Vec<MoveName>,
    /// Nodes, as counted by `--nodes`; an external engine uses its own count.
    pub nodes: u64,
    /// CPU time of the search.
    pub cpu: Duration,
    /// The last completed iteration (depth-first).
    pub depth: u16,
    /// The position's fate, which says whether and how the game is over.
    pub fate: Fate,
}

/// The shares of the belief's mass whose quantiles are in [`Found::band`].
pub const SHARES: [f32; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

impl Found {
    /// The maximum number of plies kept of a best line.
    pub const LONGEST: usize = 16;

    /// Returns the result of a search, read from its tree and its status.
    pub fn read(reader: &Reader, status: &Status) -> Found {
        let root = reader.view(Tree::ROOT);
        let side = to_move(reader.subject);
        let mut moves = reader.best_moves(Tree::ROOT);
        moves.truncate(Self::LONGEST);
        let pv = reader.names(Tree::ROOT, &moves);
        let belief = reader.belief(Tree::ROOT).filter(|b| b.is_distribution());
        let band = belief.as_ref().map(|b| {
            let white = Seen::new(side, b.clone()).seen_by(Side::White);
            SHARES.map(|share| white.quantile(share, reader.tree.grid()))
        });
        Found {
            side,
            scale: reader.scale(),
            best: pv.first().cloned(),
            score: NodeValue::of(&root, reader.scale()),
            sd: belief.as_ref().map(|b| b.sd),
            outcomes: belief.is_some_and(|b| b.source == Source::Outcomes),
            band,
            pv,
            nodes: status.totals.nodes,
            cpu: status.cpu,
            depth: status.totals.depth,
            fate: root.fate,
        }
    }

    /// Takes the value and the best move from the last completed iteration if the search was interrupted in a later
    /// one: what that one had found so far is a bound, which may be far from any value.
    ///
    /// Returns false if the later iteration contradicts the completed one by at least half an inaccuracy. It must then
    /// be completed before the position is judged, and the bound is kept until then.
    pub(super) fn settle(&mut self, last: Option<&Iteration>, reader: &Reader) -> bool {
        // What is shown is of the last step, which may be a move that has taken the lead since that iteration.
        let live = NodeValue::of(&reader.live(Tree::ROOT), reader.scale());
        let Some(last) = last.filter(|_| live.bound != Some(Bound::Exact)) else {
            return true;
        };
        let finished = NodeValue {
            expected: Some(reader.scale().expected(last.score)),
            score: Some(last.score),
            bound: Some(Bound::Exact),
            ..self.score
        };
        let so_far = live.score.unwrap_or(last.score);
        // A mate that was found remains one, whatever the other moves give.
        let mates = so_far.is_win() && live.bound == Some(Bound::Lower);
        let measure = Measure::of(self.scale);
        let apart = match (measure.chances(&live), measure.chances(&finished)) {
            (Some(now), Some(then)) => (now - then).abs(),
            _ => 0.0,
        };
        if mates {
            self.score = NodeValue {
                bound: Some(Bound::Exact),
                ..live
            };
            return true;
        }
        if apart >= MarkKind::Inaccuracy.least() / 2.0 {
            self.score = live;
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

    /// Returns the exact result of a position that needs no search because the game is over there. In the game's `last`
    /// position a threefold repetition is a draw too; before that, nobody claimed it.
    pub fn over(subject: &Subject, last: bool) -> Option<Found> {
        let (fate, score) = ending(subject, last)?;
        let scale = subject.position.scale();
        let expected = scale.expected(score);
        Some(Found {
            side: to_move(subject),
            scale,
            best: None,
            score: NodeValue {
                wide: None,
                expected: Some(expected),
                score: Some(score),
                bound: Some(Bound::Exact),
                proof: Proof::exact(score),
                is_line_short: false,
            },
            sd: None,
            outcomes: false,
            band: None,
            pv: Vec::new(),
            nodes: 0,
            cpu: Duration::ZERO,
            depth: 0,
            fate,
        })
    }

    /// Returns the expected score from White's view.
    pub fn white(&self) -> Option<f32> {
        self.by_white(self.score.expected)
    }

    /// Returns the value as files write it, from White's view. For a bound it is the bound's value, since PGN cannot say
    /// more. `None` for checkmate and whatever else ends a game with a win, which the move already shows.
    pub fn evaluation(&self) -> Option<Evaluation> {
        let score = self.score.score;
        let own = match (score.and_then(Score::mate_moves), self.scale) {
            (Some(0), _) => return None,
            (Some(moves), _) => Evaluation::Mate(moves.into()),
            (None, Scale::Linear(_)) => Evaluation::Expected(self.score.expected?),
            (None, Scale::Logistic) => Evaluation::Centipawns(score?.centipawns().into()),
        };
        Some(self.by_white(own))
    }

    /// Returns how the value relates to the true one from White's view.
    pub fn white_bound(&self) -> Option<Bound> {
        self.by_white(self.score.bound)
    }

    /// Returns from White's view what is given from the side to move's.
    fn by_white<T: Sided>(&self, own: T) -> T {
        Seen::new(self.side, own).seen_by(Side::White)
    }

    /// Whether the game is over here.
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
