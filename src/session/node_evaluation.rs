//! What the search's static evaluation sees in a node's position.

use super::Reader;
use belief::{Cdf, Grid};
use eval::pieces::{PieceWorth, pieces};
use eval::priors::priors;
use eval::{ChessEvaluator, Evaluation, Evaluator, LeafShape, Width};
use game::{Game, Score};
use search::options::evaluation;
use tree::NodeId;

/// The static evaluation of a node's position, and what it is made of. Nothing of it comes from the search.
#[derive(Clone, Debug)]
pub struct NodeEvaluation {
    pub which: Evaluation,
    /// The static value, without quiescence, from the side to move's view.
    pub value: Score,
    /// The belief about what a deep search would say, by the evaluation's own width, from the side to move's view.
    pub belief: Cdf,
    /// The grid of the belief.
    pub grid: Grid,
    /// The legal moves and how likely each is to be the best, the likeliest first.
    pub priors: Vec<(String, f64)>,
    pub pieces: Vec<PieceWorth>,
}

impl Reader<'_> {
    /// Evaluates a node's position with the evaluation of its search. `None` for a game other than chess, where the game
    /// is over, and in an external engine's tree.
    pub fn evaluate(&self, id: NodeId) -> Option<NodeEvaluation> {
        let which = evaluation(self.searcher.options()?);
        let situation = self.situation(id)?;
        let position = situation.position.as_chess()?;
        if position
            .ending(!position.legal_moves().is_empty())
            .is_some()
        {
            return None;
        }
        let evaluator = ChessEvaluator::shared(which);
        let state = evaluator.start(position);
        let value = evaluator.value(&state, position);
        let shape = LeafShape {
            width: Width::Fitted,
            bias: 0.0,
        };
        let named = |(m, share)| (position.label(m), share);
        Some(NodeEvaluation {
            which,
            value,
            belief: evaluator.belief(&state, position, value, &shape),
            grid: Grid::sinh(),
            priors: priors(evaluator, position).into_iter().map(named).collect(),
            pieces: pieces(evaluator, position),
        })
    }
}
