//! How the maximum of a node of probabilistic alpha-beta came about, move by move, out of the beliefs in the tree.

use super::reader::{Reader, Searcher};
use crate::game::{MoveCode, Scale, Score};
use crate::search::depth_first::prob_found::Found;
use crate::search::depth_first::prob_node::{Maximum, Refuted};
use crate::search::depth_first::prob_window::Bins;
use crate::search::{Algorithm, Estimate};
use crate::tree::{Bound, Fate, NodeId};

/// The running product Q at a node, from its own side to move's view (Equation 1 of the post on imperfect players).
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
    /// P(max >= beta) with this child; 0 where beta is open. The tree keeps one belief of a child, not both its bounds: so
    /// before the cut this may be more than what the search counted.
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
        let confidence = options.number("confidence") as f32;
        let mut max = Maximum::new(Refuted::from_options(options));
        let mut steps: Vec<Step> = Vec::new();
        for child in self.tree.children(id) {
            let of_this_visit = self.tree.view(child).iteration >= view.iteration;
            let Some(found) = self.found(child, &bins).filter(|_| of_this_visit) else {
                continue;
            };
            let found = self.refuted(child, found, confidence, &bins);
            let code = self.tree.node(child).move_code();
            let alpha = self.tree.view(child).window.map_or(Score::MIN, |w| w.beta);
            max.add(code, &found, alpha.one_ply_up(), &bins);
            steps.push(Step {
                child,
                code,
                reaches: beta.map_or(0.0, |beta| max.p_at_least(beta, &bins)),
                max: max.estimate(&bins),
            });
        }
        if let (Fate::ProbabilisticCutoff { probability, .. }, Some(last)) =
            (view.fate, steps.last_mut())
        {
            last.reaches = f32::from(probability) / f32::from(u16::MAX);
        }
        Some(Product {
            beta,
            confidence,
            is_complete: steps.len() == usize::from(searched),
            steps,
        })
    }

    /// A child that was cut off is marked so: what it is worth counts as the option `refuted` says.
    fn refuted(&self, child: NodeId, found: Found, confidence: f32, bins: &Bins) -> Found {
        let view = self.tree.view(child);
        let cut = matches!(view.fate, Fate::ProbabilisticCutoff { .. });
        match view.window {
            _ if cut => Found {
                refuted: true,
                bound: Bound::Lower,
                ..found
            },
            Some(window) if window.bound == Bound::Lower => Found {
                bound: Bound::Lower,
                ..found
            }
            .against(window.beta, confidence, bins),
            _ => found,
        }
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
            Found::wide(&belief, belief.mean(bins.grid()), Bound::Exact, None)
        })
    }
}
