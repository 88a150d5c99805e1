//! The belief about a position that an alpha-beta of some plies has valued, with the default evaluation.

use super::{Features, Report};
use belief::{Cdf, Density, Grid};

/// What such a search and the network say of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SearchedFeatures {
    /// Plies before quiescence, 0 to 10.
    pub depth: u8,
    /// The search's value, as a logit.
    pub value: f32,
    /// The value of the search a ply shallower; at depth 0 the static value. As a logit.
    pub before: f32,
    /// The mean of the network's own belief, as a logit.
    pub mean: f32,
    /// The scale of the network's own belief in the logit: the distance of its quartiles by that of a logistic distribution
    /// of scale 1. (Its standard deviation says little, because its tails are heavy.)
    pub spread: f32,
    /// The phase by the pieces left: 1 at the start of a game, 0 with only kings and pawns.
    pub phase: f32,
    /// Whether something was pending: the side to move is in check, or quiescence moves the static value.
    pub pending: bool,
}

/// A logistic distribution in the logit, whose location and width depend on what was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Searched {
    pub location: [f32; SearchedFeatures::OF_LOCATION],
    /// Of the logarithm of the width.
    pub width: [f32; SearchedFeatures::OF_WIDTH],
}

impl SearchedFeatures {
    /// The depth from which more of it changes nothing in the fit.
    pub const DEEPEST: u8 = 10;
    pub const OF_LOCATION: usize = 7;
    pub const OF_WIDTH: usize = 11;

    /// What the location is linear in: the value, how much the network differs from it, both with the depth, and what
    /// bends the curve near 0.
    pub fn of_location(&self) -> [f32; Self::OF_LOCATION] {
        let (depth, differs) = (self.tenths(), self.mean - self.value);
        [
            1.0,
            self.value,
            self.value * depth,
            differs,
            differs * depth,
            (self.value / 2.0).tanh(),
            (self.value / 2.0).tanh() * depth,
        ]
    }

    /// What the logarithm of the width is linear in.
    pub fn of_width(&self) -> [f32; Self::OF_WIDTH] {
        let (depth, spread) = (self.tenths(), self.spread.max(1e-3).ln());
        let size = self.value.abs().ln_1p();
        let moved = (self.value - self.before).abs().ln_1p();
        [
            1.0,
            depth,
            depth * depth,
            spread,
            spread * depth,
            size,
            size * depth,
            moved,
            moved * depth,
            self.phase,
            if self.pending { 1.0 - depth } else { 0.0 },
        ]
    }

    /// Returns the depth of an alpha-beta whose values are as sure as those of `mcts` after this many visits: none up to ten
    /// visits, then about four plies for every tenfold.
    ///
    /// Measured by `plyscope lab calibration LABELS --positions 600 -a mcts --nodes 10` (100, 1000, 5000) and `plyscope lab
    /// depths LABELS` with the default evaluation: the CRPS of one width around the value was .0635, .0537, .0443 and .0411
    /// by visits, and .0633, .0595, .0562 and .0500 at the depths 0, 2, 4 and 6.
    pub fn depth_of_visits(visits: u32) -> u8 {
        let tenfolds = (visits.max(10) as f32 / 10.0).log10();
        ((4.3 * tenfolds).round() as u8).min(Self::DEEPEST)
    }

    /// Returns mean and spread of the network's own belief, for the features of these names.
    pub fn of_belief(belief: &Cdf, grid: &Grid) -> (f32, f32) {
        let as_logit = |e: f32| 2.0 * e.clamp(-0.9999, 0.9999).atanh();
        let quartile = |p: f32| as_logit(belief.quantile(p, grid));
        let spread = (quartile(0.75) - quartile(0.25)) / (2.0 * f32::ln(3.0));
        (as_logit(belief.mean(grid)), spread)
    }

    fn tenths(&self) -> f32 {
        f32::from(self.depth.min(Self::DEEPEST)) / f32::from(Self::DEEPEST)
    }
}

impl Searched {
    /// The network's own belief, whatever the search found: where a fit begins.
    pub const UNFITTED: Searched = Searched {
        location: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        width: [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    };

    /// Fitted by `plyscope lab depths HELD-OUT --positions 14674` to 7,319 positions of games that the network was not trained
    /// on (`benches/network/held_out.py`). On 7,319 others its CRPS is .0611 at depth 0, .0511 at 2, .0466 at 4, .0424 at 6
    /// and .0388 at 8, each .0050 to .0065 (± .0004) below that of the best single width for the depth; within 50/80/90 %:
    /// 49 to 52, 80 to 81 and 89 to 91 %.
    pub const IN_USE: Searched = Searched {
        location: [-0.018, 0.890, -0.296, 0.235, -0.092, 0.531, 0.813],
        width: [
            -0.332, -1.583, 0.210, 0.750, -0.513, 0.193, 0.147, 0.158, 1.466, -0.333, -0.086,
        ],
    };

    /// Returns the belief about the position, from the side to move's view.
    pub fn belief(&self, grid: &Grid, features: &SearchedFeatures) -> Density {
        let (location, width) = self.shape(features);
        Density::forecast(grid, location, width)
    }

    /// Returns the standard deviation of the expected score around a search's value, of which only the depth is known: the
    /// width of a leaf's belief ([`Report::LEAF`]) takes the place of the network's own, and nothing was pending.
    pub fn sd(&self, grid: &Grid, depth: u8, expected: f32, features: &Features) -> f32 {
        // Beyond this a logit means nothing: the grid's outermost bins are there.
        let value = 2.0 * expected.clamp(-0.999, 0.999).atanh();
        let (_, spread) = Report::LEAF.shape(value, features);
        let (_, width) = self.shape(&SearchedFeatures {
            depth,
            value,
            before: value,
            mean: value,
            spread,
            phase: features.phase,
            pending: false,
        });
        Density::forecast(grid, value, width).sd(grid)
    }

    /// Returns location and scale in the logit.
    pub fn shape(&self, features: &SearchedFeatures) -> (f32, f32) {
        let sum = |weights: &[f32], of: &[f32]| weights.iter().zip(of).map(|(w, x)| w * x).sum();
        let location: f32 = sum(&self.location, &features.of_location());
        let width: f32 = sum(&self.width, &features.of_width());
        (location, width.exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: SearchedFeatures = SearchedFeatures {
        depth: 5,
        value: 1.0,
        before: 0.5,
        mean: 2.0,
        spread: 0.5,
        phase: 0.25,
        pending: true,
    };

    #[test]
    fn location_and_width_by_hand() {
        let model = Searched {
            location: [0.1, 0.5, 0.2, 0.3, -0.2, 0.4, 0.6],
            width: [-1.0, 0.4, 0.8, 0.6, 0.2, 0.5, -0.6, 0.7, 0.4, -0.8, 0.9],
        };
        let (location, width) = model.shape(&FOUND);
        // .1 + .5 + .2 / 2 + .3 - .2 / 2 + (.4 + .6 / 2) tanh(.5)
        assert!(
            (location - (0.9 + 0.7 * 0.462_117)).abs() < 1e-5,
            "{location}"
        );
        // -1 + .2 + .2 + (.6 + .1) ln .5 + (.5 - .3) ln 2 + (.7 + .2) ln 1.5 - .2 + .45
        let log = -0.35 - 0.5 * f32::ln(2.0) + 0.9 * f32::ln(1.5);
        assert!((width - f32::exp(log)).abs() < 1e-5, "{width}");
    }

    #[test]
    fn a_value_is_surer_the_deeper_the_search_and_the_clearer_the_result() {
        let grid = Grid::sinh();
        let features = Features {
            phase: 1.0,
            advanced: 0.0,
        };
        let sd = |depth, expected| Searched::IN_USE.sd(&grid, depth, expected, &features);
        // About a third of a pawn deep down in a middlegame, half a pawn at a leaf (e = tanh(cp / 360)).
        assert!((0.07..0.12).contains(&sd(10, 0.0)), "{}", sd(10, 0.0));
        assert!((0.13..0.2).contains(&sd(0, 0.0)), "{}", sd(0, 0.0));
        assert!((1..=10).all(|depth| sd(depth, 0.1) < sd(depth - 1, 0.1)));
        assert!(sd(6, 0.9) < sd(6, 0.0));
        assert!(sd(6, 1.0).is_finite());
    }

    #[test]
    fn visits_are_worth_plies() {
        let depths =
            [0, 1, 10, 100, 1_000, 10_000, u32::MAX].map(SearchedFeatures::depth_of_visits);
        assert_eq!(depths, [0, 0, 0, 4, 9, 10, 10]);
    }

    #[test]
    fn without_a_fit_it_is_the_value_with_the_network_s_width() {
        assert_eq!(Searched::UNFITTED.shape(&FOUND).0, 1.0);
        assert!((Searched::UNFITTED.shape(&FOUND).1 - 0.5).abs() < 1e-6);
        let deeper = SearchedFeatures { depth: 40, ..FOUND };
        let deepest = SearchedFeatures { depth: 10, ..FOUND };
        assert_eq!(deeper.of_width(), deepest.of_width());
    }
}
