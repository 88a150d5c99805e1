//! The belief of a leaf, and what it learns while the search runs.

use super::atom;
use super::expansion::Waiting;
use super::question::Found;
use super::tails::Tails;
use belief::{Answer, Cdf, Grid, Resolution, SearchedLeaf};
use eval::{Evaluator, LeafShape, Valued};
use game::Game;
use search::options::resolution;
use search::{OptionSpec, Options, Range};
use std::cell::Cell;
use tree::Tree;

pub(super) const LEARN: OptionSpec = OptionSpec {
    key: "learn",
    default: "off",
    range: Range::Choice(&["off", "width", "bias", "both"]),
    summary: "what leaves searched a ply deeper teach the beliefs of later leaves: how far values move (width), in which direction (bias), or both (leaf search)",
};

/// How a leaf's value becomes a belief.
#[derive(Debug)]
pub(super) struct LeafBelief {
    by: By,
    /// The places at which beliefs lie.
    pub resolution: Resolution,
    undefined: Cell<u64>,
}

#[derive(Debug)]
enum By {
    /// As the evaluator has it.
    Evaluated(LeafShape),
    /// By depth and answer.
    Searched(Searched),
}

/// How the value of a search becomes a belief.
#[derive(Debug)]
struct Searched {
    leaf: Box<SearchedLeaf>,
    tails: Tails,
    residuals: Residuals,
    /// Whether location and width come from a fit to the truth where there is one.
    truth: bool,
}

impl Searched {
    /// The belief from the parent's view. `fitted`: location and scale by the fit, from the view of the side to move.
    fn belief(&self, found: &Found, fitted: Option<(f32, f32)>, tails: f32) -> Cdf {
        let (bias, factor) = self.residuals.correction(found.depth);
        let answer = found.answer.negated();
        match fitted {
            Some((location, scale)) => {
                let location = -(location + bias);
                let scale = scale * factor;
                self.leaf
                    .of_scale(location, answer, found.depth, scale, tails)
            }
            None => {
                let location = -(found.value.logit() + bias);
                self.leaf.get(location, answer, found.depth, factor, tails)
            }
        }
    }
}

impl LeafBelief {
    /// The belief of an open leaf, from its parent's view.
    pub fn of<G: Game, E: Evaluator<G>>(
        &self,
        tree: &Tree,
        evaluator: &E,
        (state, position): (&E::State, &G),
        found: &Found,
    ) -> Cdf {
        let belief = match &self.by {
            By::Evaluated(shape) => evaluator
                .belief(state, position, found.value, shape)
                .negated(),
            By::Searched(_) if found.value.is_decided() => atom(tree, -found.value),
            By::Searched(searched) => {
                let valued = Valued {
                    value: found.value,
                    depth: found.depth,
                };
                let fitted = searched
                    .truth
                    .then(|| evaluator.searched(state, position, &valued));
                searched.belief(found, fitted.flatten(), self.tails(searched, tree))
            }
        };
        self.resolution.of(&belief)
    }

    /// The weight of tails in a tree of this size.
    fn tails(&self, searched: &Searched, tree: &Tree) -> f32 {
        let nodes = tree.node(Tree::ROOT).nodes();
        searched.tails.at(nodes).unwrap_or_else(|| {
            self.undefined.set(self.undefined.get() + 1);
            Tails::auto(nodes)
        })
    }

    /// The belief of a leaf that was valued before, from its parent's view, by what its value counts in a search that has
    /// grown since. `None` where that needs more than the value.
    pub fn again(&self, tree: &Tree, found: &Found) -> Option<Cdf> {
        match &self.by {
            By::Searched(searched) if !searched.truth && !found.value.is_decided() => {
                let belief = searched.belief(found, None, self.tails(searched, tree));
                Some(self.resolution.of(&belief))
            }
            _ => None,
        }
    }

    /// Whether the beliefs of leaves are made anew when a search has grown from so many nodes to so many.
    pub fn are_renewed(&self, before: u64, after: u64) -> bool {
        match &self.by {
            By::Searched(searched) => searched.tails.are_renewed(before, after),
            By::Evaluated(_) => false,
        }
    }

    /// The belief about a move that waits for its first look, from its mover's view: see [`SearchedLeaf::foreseen`].
    /// `None` where leaves are not searched.
    pub fn foreseen(&self, waiting: &Waiting, share: f32) -> Option<Cdf> {
        let By::Searched(searched) = &self.by else {
            return None;
        };
        let belief = searched.leaf.foreseen(waiting.best, share, waiting.refuted);
        Some(self.resolution.of(&belief))
    }

    /// Learns from a leaf that was searched a ply deeper: it was worth `before` to its side to move, in logits, and is
    /// now as found.
    pub fn learn(&mut self, before: f32, found: &Found) {
        if let By::Searched(searched) = &mut self.by {
            searched.residuals.note(before, found);
        }
    }

    /// Forgets what was learnt.
    pub fn forget(&mut self) {
        if let By::Searched(searched) = &mut self.by {
            searched.residuals.forget();
        }
    }

    /// As the options ask for, for leaves that are searched or not.
    pub fn new(options: &Options, grid: &Grid, searched: bool) -> LeafBelief {
        let by = if searched {
            let scale = super::options::fixed_width(options);
            By::Searched(Searched {
                leaf: Box::new(SearchedLeaf::new(grid, scale)),
                tails: Tails::new(options),
                residuals: Residuals::new(options),
                truth: options.word("width") == "searched",
            })
        } else {
            By::Evaluated(super::options::shape(options))
        };
        LeafBelief {
            by,
            resolution: resolution(options, grid),
            undefined: Cell::new(0),
        }
    }

    /// How often a formula had no finite value since this was asked last.
    pub fn take_undefined(&self) -> u64 {
        self.undefined.take()
    }
}

/// How values moved when leaves were searched a ply deeper, by the depth before.
///
/// "Like in alpha-beta search, online learning is apt to be indispensable" (the DISTRESS essay). The width that is learnt
/// is one factor for all depths: how far values move here, compared with [`Residuals::USUAL`]. The bias is learnt for each
/// depth, because a search that ends after the other side's move sees too little of its own chances.
#[derive(Clone, Debug)]
pub(super) struct Residuals {
    /// The bias asked for by a number, to which what is learnt is added.
    bias: f32,
    width: bool,
    biases: bool,
    /// Of the residuals' sizes, each divided by what is usual at its depth: their number and sum.
    sizes: (f32, f32),
    /// Of the residuals, by depth: their number and sum.
    moves: [(f32, f32); Self::DEPTHS],
}

impl Residuals {
    const DEPTHS: usize = 7;
    /// The mean size of a residual by depth, in logits: .064 to .073 at depths 0 to 3, from 856 residuals of 60 quiet game
    /// positions at 20,000 nodes.
    const USUAL: [f32; Self::DEPTHS] = [0.07; Self::DEPTHS];
    /// Larger residuals, in logits, are cut: they are captures that were overlooked, which the tails are for.
    const LARGEST: f32 = 1.0;
    /// What is usual counts as much as this number of residuals.
    const PRIOR: f32 = 10.0;

    fn new(options: &Options) -> Residuals {
        let learn = options.word("learn");
        Residuals {
            bias: super::options::fixed_bias(options).unwrap_or(0.0),
            width: matches!(learn, "width" | "both"),
            biases: matches!(learn, "bias" | "both"),
            sizes: (0.0, 0.0),
            moves: [(0.0, 0.0); Self::DEPTHS],
        }
    }

    /// Only a value can move, not a bound.
    fn note(&mut self, before: f32, found: &Found) {
        let decided = found.value.is_decided() || before.abs() > 8.0;
        if found.answer != Answer::Exact || decided || !(self.width || self.biases) {
            return;
        }
        let depth = usize::from(found.depth.saturating_sub(1)).min(Self::DEPTHS - 1);
        // What was learnt by now is no part of the value.
        let before = before - self.correction(found.depth.saturating_sub(1)).0;
        let moved = (found.value.logit() - before).clamp(-Self::LARGEST, Self::LARGEST);
        self.sizes.0 += 1.0;
        self.sizes.1 += moved.abs() / Self::USUAL[depth];
        self.moves[depth].0 += 1.0;
        self.moves[depth].1 += moved;
    }

    /// What is added to a leaf's location, side to move, and what its width is multiplied by.
    fn correction(&self, depth: u8) -> (f32, f32) {
        let depth = usize::from(depth).min(Self::DEPTHS - 1);
        let (count, sum) = self.moves[depth];
        let bias = if self.biases {
            sum / (count + Self::PRIOR)
        } else {
            0.0
        };
        let factor = if self.width {
            (self.sizes.1 + Self::PRIOR) / (self.sizes.0 + Self::PRIOR)
        } else {
            1.0
        };
        (self.bias + bias, factor.clamp(0.4, 2.5))
    }

    fn forget(&mut self) {
        self.sizes = (0.0, 0.0);
        self.moves = [(0.0, 0.0); Self::DEPTHS];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Score;

    fn residuals(learn: &str) -> Residuals {
        let mut options = crate::distress::default_options();
        options
            .set_pair(&format!("learn={learn}"))
            .expect("an option");
        Residuals::new(&options)
    }

    fn found(centipawns: i32, depth: u8, answer: Answer) -> Found {
        Found {
            value: Score::new(centipawns),
            answer,
            ..Found::new(Score::new(centipawns), super::super::OPEN, depth)
        }
    }

    #[test]
    fn what_moves_by_the_usual_amount_teaches_nothing_about_the_width() {
        let mut learnt = residuals("both");
        for depth in 1..=7 {
            let usual = Residuals::USUAL[usize::from(depth - 1)];
            for up in [1.0, -1.0] {
                learnt.note(
                    learnt.correction(depth - 1).0 + up * usual,
                    &found(0, depth, Answer::Exact),
                );
            }
        }
        for depth in 0..7 {
            let (bias, factor) = learnt.correction(depth);
            assert!(bias.abs() < 1e-6 && (factor - 1.0).abs() < 1e-6);
        }
    }

    /// By hand: 10 values that each move by twice the usual .07: the factor is (10 + 20) / (10 + 10), the bias
    /// 10 * .14 / (10 + 10).
    #[test]
    fn what_moves_widely_and_in_one_direction() {
        let mut learnt = residuals("both");
        for _ in 0..10 {
            let before = learnt.correction(2).0 - 2.0 * Residuals::USUAL[2];
            learnt.note(before, &found(0, 3, Answer::Exact));
            learnt.note(0.0, &found(90, 4, Answer::AtMost));
        }
        let (bias, factor) = learnt.correction(2);
        assert!((bias - Residuals::USUAL[2]).abs() < 1e-6 && (factor - 1.5).abs() < 1e-6);
        assert_eq!(learnt.correction(3).0, 0.0, "a bound is no value");
        let only = |learn: &str| {
            let mut one = Residuals {
                sizes: learnt.sizes,
                moves: learnt.moves,
                ..residuals(learn)
            };
            let learnt = one.correction(2);
            one.forget();
            assert_eq!(one.correction(2), (0.0, 1.0));
            learnt
        };
        assert_eq!(only("off"), (0.0, 1.0));
        assert_eq!(only("width").0, 0.0);
        assert_eq!(only("bias").1, 1.0);
    }
}
