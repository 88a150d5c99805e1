//! What probabilistic alpha-beta may believe of its root, fitted to how far its searches are off.

use super::reader::{Reader, Searcher};
use super::shown::Shown;
use crate::eval::fitted::{Curve, Features};
use crate::game::{Scale, Subject};
use crate::search::Algorithm;
use crate::tree::{Bound, Tree};

impl Reader<'_> {
    /// What the reported belief is made from: the logit of the root's value and the position's features. `None` in other
    /// searches, for toy trees, without a value, and where the value is a mate or something is proven of the root.
    pub(super) fn prob_basis(&self) -> Option<(f32, Features)> {
        let (Searcher::Own(Algorithm::ProbAlphaBeta, _), Subject::Chess(at)) =
            (self.searcher, self.subject)
        else {
            return None;
        };
        let root = self.view(Tree::ROOT);
        let open = root.proof.lower.is_loss() && root.proof.upper.is_win();
        let value = root
            .window
            .filter(|w| open && w.bound != Bound::None)?
            .value;
        let logit = f32::from(value.raw()) / (Scale::CENTIPAWNS / 2.0);
        (!value.is_decided()).then(|| (logit, Features::of(&at.position)))
    }

    /// The fitted belief in place of the search's `own`, where it was not switched off and the leaves have the width that it
    /// was fitted with.
    pub(super) fn prob_reported(&self, own: &Shown) -> Option<Shown> {
        let Searcher::Own(algorithm, options) = self.searcher else {
            return None;
        };
        let (logit, features) = self.prob_basis()?;
        let usual = options.word("width") == algorithm.default_options().word("width");
        if !usual || !options.switch("calibrated") {
            return None;
        }
        let grid = self.tree.grid();
        let density = Curve::PROB_ALPHA_BETA.belief(grid, logit, &features);
        Some(own.clone().calibrated(density, grid))
    }
}
