//! ProbCut: the value of a shallow search predicts, within an error, the value of a deep one, and so whether the deep
//! one is worth making.
//!
//! Source: M. Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal 18(2).
//! The deep value is v = a v' + b + e, where v' is the shallow value and e a normal error with standard deviation
//! sigma. With t the quantile of the chosen percentile, v >= beta holds with that probability where v' >= (t sigma +
//! beta - b) / a, and v <= alpha where v' <= (-t sigma + alpha - b) / a.

use statrs::distribution::{ContinuousCDF, Normal};

use super::{Effect, NodeInputs, Rule, RuleInfo};
use game::Score;
use search::{OptionSpec, Options, Range};

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::ProbCut,
    effect: Effect::CutsNode,
    summary: "a capture is far above beta in a shallow search",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "prob-cut",
        default: "on",
        range: Range::Switch,
        summary: "cut a node off by what a shallow search says (see prob-cut-by)",
    },
    OptionSpec {
        key: "prob-cut-by",
        default: "fixed-margin",
        range: Range::Choice(&["fixed-margin", "percentile"]),
        summary: "fixed-margin: a capture beats beta plus a margin, as in today's engines; percentile: fitted errors (Buro 1995)",
    },
    OptionSpec {
        key: "prob-cut-percentile",
        default: "0.933",
        range: Range::Number {
            min: 0.5,
            max: 0.9999,
        },
        summary: "by percentile: with which probability the deep search has to agree (.933: 1.5 deviations)",
    },
    OptionSpec {
        key: "prob-cut-depth",
        default: "5",
        range: Range::Integer { min: 2, max: 32 },
        summary: "least remaining depth at which it is tried",
    },
    OptionSpec {
        key: "prob-cut-margin",
        default: "180",
        range: Range::Integer { min: 0, max: 2000 },
        summary: "by fixed margin: centipawns above beta that the capture has to reach",
    },
    OptionSpec {
        key: "prob-cut-reduction",
        default: "4",
        range: Range::Integer { min: 1, max: 16 },
        summary: "by fixed margin: plies the shallow search is shallower",
    },
];

/// ProbCut: the result of a shallow search is taken as the result of a deep one.
///
/// By percentile it is Buro's method (1995). By a fixed margin it is what today's chess engines call ProbCut, which is
/// something else: only captures are tried, first in quiescence, then a few plies deep, against beta plus a margin in
/// centipawns that is not backed by any regression.
#[derive(Clone, Copy, Debug)]
pub struct ProbCut {
    pub enabled: bool,
    /// `None`: by a fixed margin.
    pub percentile: Option<Percentile>,
    pub min_depth: i32,
    /// Centipawns above beta.
    pub margin: i32,
    /// By how many plies the shallow search is shallower.
    pub reduction: i32,
}

impl ProbCut {
    pub(super) fn from_options(options: &Options) -> Self {
        ProbCut {
            enabled: options.switch("prob-cut"),
            percentile: (options.word("prob-cut-by") == "percentile")
                .then(|| Percentile::from_options(options)),
            min_depth: options.integer("prob-cut-depth") as i32,
            margin: options.integer("prob-cut-margin") as i32,
            reduction: options.integer("prob-cut-reduction") as i32,
        }
    }

    /// The bound that a capture has to reach; `None` if no capture is tried.
    pub fn raised(&self, seen: &NodeInputs) -> Option<Score> {
        (self.enabled && seen.depth >= self.min_depth && !seen.beta.is_decided())
            .then(|| Score::new(i32::from(seen.beta.raw()) + self.margin))
    }
}

/// What a value after `shallow` plies predicts about the value after `deep` plies, in centipawns, by regression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub deep: i32,
    pub shallow: i32,
    pub a: f64,
    pub b: f64,
    /// The standard deviation of the error.
    pub sigma: f64,
}

/// The regressions by depth. Both depths of a pair have the same parity, because odd and even depths differ in the side
/// that moves last.
///
/// Measured by `plyscope lab prob-cut GAMES.pgn --positions 500 --depth 9` on a public sample of lichess's games: 454
/// to 461 positions per pair whose shallow value lies within ±1,000 centipawns; the correlations are .982, .989, .993,
/// .993, .987, .986 and .988.
pub const PAIRS: [Pair; 7] = [
    pair(3, 1, 1.051, -3.5, 62.6),
    pair(4, 2, 1.044, -2.3, 49.1),
    pair(5, 3, 1.039, 1.5, 38.1),
    pair(6, 4, 1.043, 0.1, 38.1),
    pair(7, 3, 1.075, 1.5, 54.1),
    pair(8, 4, 1.092, -1.3, 58.2),
    pair(9, 5, 1.098, 2.5, 54.6),
];

const fn pair(deep: i32, shallow: i32, a: f64, b: f64, sigma: f64) -> Pair {
    Pair {
        deep,
        shallow,
        a,
        b,
        sigma,
    }
}

impl Pair {
    /// The shallow value from which on the deep one reaches beta, with the probability whose quantile is `t`.
    pub fn high(&self, beta: f64, t: f64) -> f64 {
        (t * self.sigma + beta - self.b) / self.a
    }

    /// The shallow value down from which the deep one stays at or below alpha, with that probability.
    pub fn low(&self, alpha: f64, t: f64) -> f64 {
        (-t * self.sigma + alpha - self.b) / self.a
    }

    /// The pair for a remaining depth. Beyond the deepest one measured, the errors are assumed to stay as large.
    fn of(depth: i32) -> Option<Pair> {
        let known = |deep: i32| PAIRS.iter().find(|p| p.deep == deep).copied();
        let deepest = PAIRS.iter().map(|p| p.deep).max()?;
        let beyond = (depth - deepest + 1).max(0) / 2 * 2;
        known(depth - beyond).map(|pair| Pair {
            deep: depth,
            shallow: pair.shallow + beyond,
            ..pair
        })
    }
}

/// ProbCut by percentile, with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Percentile {
    /// The quantile of the normal distribution that a cutoff requires.
    pub t: f64,
    pub min_depth: i32,
}

/// The shallow searches to run at a node, each in a null window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probes {
    pub depth: i32,
    /// At or above this value, beta is expected to be reached; `None` if that is hopeless.
    pub high: Option<Score>,
    /// Below this value, alpha is not expected to be beaten.
    pub low: Option<Score>,
}

/// Nothing was measured beyond this many centipawns.
const REACH: f64 = 1_500.0;

impl Percentile {
    pub(super) fn from_options(options: &Options) -> Self {
        Percentile {
            t: quantile(options.number("prob-cut-percentile")),
            min_depth: options.integer("prob-cut-depth") as i32,
        }
    }

    /// Which shallow searches to run; `None` if there are none. A threshold that is further from the static value than
    /// twice the required error is not tried.
    pub fn probes(&self, seen: &NodeInputs) -> Option<Probes> {
        if seen.depth < self.min_depth || seen.alpha.is_decided() || seen.beta.is_decided() {
            return None;
        }
        let pair = Pair::of(seen.depth)?;
        let far = 2.0 * self.t.max(0.0) * pair.sigma / pair.a;
        let value = f64::from(seen.static_value.raw());
        let within = |x: &f64| x.abs() <= REACH;
        let high = Some(pair.high(f64::from(seen.beta.raw()), self.t))
            .filter(within)
            .filter(|high| *high <= value + far);
        let low = Some(pair.low(f64::from(seen.alpha.raw()), self.t))
            .filter(within)
            .filter(|low| *low >= value - far);
        let probes = Probes {
            depth: pair.shallow,
            high: high.map(|x| Score::new(x.ceil() as i32)),
            // Values are integers: "at most `low`" means "below the next integer".
            low: low.map(|x| Score::new(x.floor() as i32 + 1)),
        };
        (probes.high.is_some() || probes.low.is_some()).then_some(probes)
    }
}

/// The quantile of the standard normal distribution.
fn quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, golden: f64, digits: f64) {
        assert!((found - golden).abs() < digits, "{found} {golden}");
    }

    #[test]
    fn golden_quantiles() {
        for (p, t) in [
            (0.8, 0.841_621),
            (0.9, 1.281_552),
            (0.95, 1.644_854),
            (0.99, 2.326_348),
            (0.933, 1.498_513),
        ] {
            near(quantile(p), t, 1e-6);
        }
    }

    #[test]
    fn golden_thresholds() {
        let one = pair(8, 4, 1.02, 5.0, 60.0);
        near(one.high(40.0, quantile(0.933)), 122.461_6, 1e-4);
        near(one.low(-10.0, quantile(0.933)), -102.853_7, 1e-4);
        let two = pair(8, 4, 0.98, 2.0, 35.0);
        near(two.high(100.0, quantile(0.95)), 158.74, 5e-3);
        near(two.low(0.0, quantile(0.95)), -60.79, 5e-3);
    }

    #[test]
    fn pairs_are_of_one_parity_and_reach_beyond_what_was_measured() {
        for depth in 5..=30 {
            let pair = Pair::of(depth).expect("a pair");
            assert_eq!((pair.deep, (pair.deep - pair.shallow) % 2), (depth, 0));
            assert!(pair.shallow >= 1 && pair.shallow < depth);
            assert!(pair.a > 0.0 && pair.sigma > 0.0);
        }
    }

    fn seen(static_value: i32, depth: i32) -> NodeInputs {
        NodeInputs {
            alpha: Score::new(49),
            beta: Score::new(50),
            depth,
            static_value: Score::new(static_value),
            improving: false,
        }
    }

    #[test]
    fn thresholds_lie_outside_the_window_and_hopeless_ones_are_not_tried() {
        let rule = Percentile {
            t: 1.5,
            min_depth: 5,
        };
        assert_eq!(rule.probes(&seen(50, 4)), None);
        let near = rule.probes(&seen(50, 8)).expect("probes");
        let (high, low) = (near.high.expect("above"), near.low.expect("below"));
        assert!(high > Score::new(50) && low <= Score::new(49), "{near:?}");
        let above = rule.probes(&seen(1_200, 8)).expect("probes");
        assert!(above.high.is_some() && above.low.is_none());
        let below = rule.probes(&seen(-1_200, 8)).expect("probes");
        assert!(below.high.is_none() && below.low.is_some());
        // A higher percentile demands more.
        let surer = Percentile { t: 2.0, ..rule };
        assert!(surer.probes(&seen(50, 8)).and_then(|p| p.high) > near.high);
    }
}
