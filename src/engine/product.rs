//! How the maximum of a node of probabilistic alpha-beta came about, move by move, out of the beliefs in the tree.

use super::reader::{Reader, Searcher};
use crate::game::{MoveCode, Scale, Score};
use crate::search::depth_first::prob_node::{Found, Maximum};
use crate::search::depth_first::prob_window::Bins;
use crate::search::{Algorithm, Estimate};
use crate::tree::{Bound, Fate, NodeId};

/// The running product Q at a node, from its own side to move's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// What was to be reached for a cut; `None`: beta was open.
    pub beta: Option<Score>,
    /// The level at which the search cuts.
    pub confidence: f32,
    /// One for each child searched in the node's latest visit that has a belief, in the order they were first searched.
    pub steps: Vec<Step>,
    /// Whether these are all the children that the maximum was taken of: some may not have been recorded.
    pub is_complete: bool,
}

/// One more child in the product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub child: NodeId,
    pub code: MoveCode,
    /// P(max >= beta) with this child; 0 where beta is open.
    pub reaches: f32,
    /// The maximum with this child: mean and spread of its expected score.
    pub max: Estimate,
}

impl Reader<'_> {
    /// The running product of a node whose moves probabilistic alpha-beta searched; `None` elsewhere.
    #[must_use]
    pub fn product(&self, id: NodeId) -> Option<Product> {
        let Searcher::Own(Algorithm::ProbAlphaBeta, options) = self.searcher else {
            return None;
        };
        let view = self.tree.view(id);
        let window = view.window.filter(|w| w.depth > 0)?;
        let searched = match view.fate {
            Fate::Expanded { searched, .. } | Fate::ProbabilisticCutoff { searched, .. } => {
                searched
            }
            _ => return None,
        };
        let bins = Bins::new(self.tree.grid(), self.scale());
        let beta = (window.beta < Score::WIN).then_some(window.beta);
        let mut max = Maximum::default();
        let mut steps = Vec::new();
        for child in self.tree.children(id) {
            let of_this_visit = self.tree.view(child).iteration >= view.iteration;
            let Some(found) = self.found(child, &bins).filter(|_| of_this_visit) else {
                continue;
            };
            let code = self.tree.node(child).move_code();
            max.add(code, &found);
            steps.push(Step {
                child,
                code,
                reaches: beta.map_or(0.0, |beta| max.p_at_least(beta, &bins)),
                max: max.estimate(&bins),
            });
        }
        Some(Product {
            beta,
            confidence: options.number("confidence") as f32,
            is_complete: steps.len() == usize::from(searched),
            steps,
        })
    }

    /// What the search found at a child, as far as the tree holds it: points where its values are known to be exact.
    fn found(&self, child: NodeId, bins: &Bins) -> Option<Found> {
        let view = self.tree.view(child);
        let (belief, window) = (self.tree.belief(child)?, view.window?);
        let value = window.value;
        let exact_by_option = match self.searcher {
            Searcher::Own(_, options) => options.word("width").parse() == Ok(0.0),
            Searcher::External => false,
        };
        let exact = exact_by_option
            || value.is_decided()
            || matches!(view.fate, Fate::Ended(_) | Fate::Repetition { .. })
            || self.scale() != Scale::Logistic;
        Some(if exact && belief.is_atom().is_some() {
            Found::certain(value, window.bound, bins)
        } else {
            Found::wide(&belief, belief.mean(bins.grid()), Bound::Exact)
        })
    }
}
