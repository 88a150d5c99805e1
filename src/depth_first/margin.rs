//! Futility margins: how much a position may still gain in the remaining plies. The question of how they should grow
//! comes from Qhapaq, *Futility marginがdepthの線形でいい理由* (Why a futility margin may be linear in depth), a post on
//! computer shogi.
//!
//! A pruning rule compares a value known now with the one a deeper search would find; the margin is how far it lets the
//! deeper search rise. The families differ in how the margin grows with the remaining plies.

use std::fmt;
use std::str::FromStr;

use statrs::function::erf::erfc_inv;

use super::margin_table::MarginTable;

/// The depth from which on the quadratic family is linear, its multiplier there, and its multiplier at depth 0.
const STRAIGHT_AT: f64 = 10.0;
const STRAIGHT: f64 = 85.0;
const BENT: f64 = 45.0;

/// How a margin grows with depth, with its parameters, in centipawns and plies. The whole curve is proportional to
/// `scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Formula {
    /// a d.
    Linear { scale: f64 },
    /// a sqrt d: the spread of a random walk.
    Root { scale: f64 },
    /// a/85 min(45 + 4d, 85) d: quadratic up to depth 10, then linear with slope a, as in Stockfish's reverse futility
    /// today.
    Quadratic { scale: f64 },
    /// sigma sqrt d InvPhiBar(1 - (1 - eps)^(A^-d)): a skip at depth d stands for A^d positions, and all of them stay
    /// below the margin with probability 1 - eps.
    Probability {
        scale: f64,
        /// A, the number of moves per position.
        branching: f64,
        /// The probability that the skip is wrong.
        eps: f64,
    },
}

/// One row of the table of margin families.
#[derive(Debug)]
pub struct Family {
    /// The family's name, as in the option's value.
    pub name: &'static str,
    /// The mark of the family's curve.
    pub letter: char,
    /// The formula in readable notation.
    pub formula: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
    /// An example to start fitting from.
    pub example: Formula,
}

/// The families, in the order of [`Formula`].
pub static FAMILIES: [Family; 4] = [
    Family {
        name: "linear",
        letter: 'L',
        formula: "a·d",
        summary: "the same for each ply, as most engines have it",
        example: Formula::Linear { scale: 130.0 },
    },
    Family {
        name: "root",
        letter: 'R',
        formula: "a·√d",
        summary: "the spread of a random walk of d steps",
        example: Formula::Root { scale: 150.0 },
    },
    Family {
        name: "quadratic",
        letter: 'Q',
        formula: "a/85·min(45+4d, 85)·d",
        summary: "quadratic to depth 10, then a for each ply, as Stockfish's reverse futility",
        example: Formula::Quadratic { scale: 70.0 },
    },
    Family {
        name: "probability",
        letter: 'P',
        formula: "σ·√d·Φ̄⁻¹(1-(1-ε)^(A^-d))",
        summary: "none of A^d random walks rises above it, with probability 1-ε",
        example: Formula::Probability {
            scale: 60.0,
            branching: 4.0,
            eps: 0.01,
        },
    },
];

/// The format that [`Margin::from_str`] reads.
pub const EXPECTS: &str = "linear:CP, root:CP or quadratic:CP with CP from 0 to 2000, or probability:SIGMA,A,EPS with \
SIGMA from 0 to 2000 centipawns, A from 1 to 100 moves a position, EPS above 0 and at most 0.5 (linear:130, \
probability:60,4,.01)";

impl Formula {
    /// The row in [`FAMILIES`].
    pub fn family(&self) -> &'static Family {
        &FAMILIES[match self {
            Formula::Linear { .. } => 0,
            Formula::Root { .. } => 1,
            Formula::Quadratic { .. } => 2,
            Formula::Probability { .. } => 3,
        }]
    }

    /// The scale in centipawns: `a`, or sigma.
    pub fn scale(&self) -> f64 {
        match *self {
            Formula::Linear { scale }
            | Formula::Root { scale }
            | Formula::Quadratic { scale }
            | Formula::Probability { scale, .. } => scale,
        }
    }

    /// The same curve with another scale.
    #[must_use]
    pub fn with_scale(mut self, to: f64) -> Formula {
        match &mut self {
            Formula::Linear { scale }
            | Formula::Root { scale }
            | Formula::Quadratic { scale }
            | Formula::Probability { scale, .. } => *scale = to,
        }
        self
    }

    /// The margin in centipawns with `depth` plies remaining, not rounded; 0 where none remain.
    pub fn value(&self, depth: f64) -> f64 {
        self.scale() * self.shape(depth)
    }

    /// The margin for a scale of 1.
    pub fn shape(&self, depth: f64) -> f64 {
        if depth <= 0.0 {
            return 0.0;
        }
        match *self {
            Formula::Linear { .. } => depth,
            Formula::Root { .. } => depth.sqrt(),
            Formula::Quadratic { .. } => {
                let slope = (STRAIGHT - BENT) / STRAIGHT_AT;
                (BENT + slope * depth).min(STRAIGHT) / STRAIGHT * depth
            }
            Formula::Probability { branching, eps, .. } => {
                depth.sqrt() * walks_maximum(depth, branching, eps)
            }
        }
    }

    /// The same curve in the language of formulas, in which `depth` are the plies left.
    pub fn written(&self) -> String {
        match *self {
            Formula::Linear { scale } => format!("{scale} * depth"),
            Formula::Root { scale } => format!("{scale} * sqrt(depth)"),
            Formula::Quadratic { scale } => {
                let slope = (STRAIGHT - BENT) / STRAIGHT_AT;
                format!("{scale} / {STRAIGHT} * min({BENT} + {slope} * depth, {STRAIGHT}) * depth")
            }
            Formula::Probability {
                scale,
                branching,
                eps,
            } => {
                // What is almost 0 is not found as the difference of two numbers that are almost 1.
                let x = format!("-log(1 - {eps}) / exp(log({branching}) * depth)");
                let above = format!("if({x} < 0.0001, {x}, 1 - exp(-({x})))");
                format!("-{scale} * sqrt(depth) * inv_phi({above})")
            }
        }
    }

    /// Reads a formula whose parameters are in their ranges.
    fn read(text: &str) -> Option<Formula> {
        let (name, parameters) = text.trim().split_once(':')?;
        let family = FAMILIES.iter().find(|f| f.name == name)?;
        let numbers: Vec<f64> = parameters
            .split(',')
            .map(|p| p.trim().parse().ok())
            .collect::<Option<_>>()?;
        let found = match (family.example, numbers.as_slice()) {
            (Formula::Probability { .. }, &[scale, branching, eps]) => Formula::Probability {
                scale,
                branching,
                eps,
            },
            (Formula::Probability { .. }, _) => return None,
            (other, &[scale]) => other.with_scale(scale),
            _ => return None,
        };
        found.in_range().then_some(found)
    }

    fn in_range(&self) -> bool {
        let scale = (0.0..=2000.0).contains(&self.scale());
        scale
            && match *self {
                Formula::Probability { branching, eps, .. } => {
                    (1.0..=100.0).contains(&branching) && eps > 0.0 && eps <= 0.5
                }
                _ => true,
            }
    }
}

/// The level below which the largest of `branching^depth` standard normal numbers stays with probability 1 - `eps`.
///
/// A single one of them may exceed it with p = 1 - (1-eps)^(A^-d), which is far too small to be computed as that
/// difference: hence `expm1` and `log1p`.
fn walks_maximum(depth: f64, branching: f64, eps: f64) -> f64 {
    let share = (-depth * branching.ln()).exp();
    let alone = -(share * (-eps).ln_1p()).exp_m1();
    std::f64::consts::SQRT_2 * erfc_inv(2.0 * alone)
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.family().name, self.scale())?;
        if let Formula::Probability { branching, eps, .. } = self {
            write!(f, ",{branching},{eps}")?;
        }
        Ok(())
    }
}

/// A futility margin: a formula with its values at integer depths, ready for a search to look up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    formula: Formula,
    table: MarginTable,
}

impl Margin {
    pub fn new(formula: Formula) -> Self {
        Margin {
            formula,
            table: MarginTable::of(|depth| formula.value(depth)),
        }
    }

    /// The margin with `depth` plies remaining, in centipawns; see [`MarginTable::at`].
    #[inline]
    pub fn at(&self, depth: i32) -> i32 {
        self.table.at(depth)
    }

    /// The margins by depth.
    pub fn table(&self) -> MarginTable {
        self.table
    }

    pub fn formula(&self) -> Formula {
        self.formula
    }

    /// Whether a word describes a margin: one of those that [`EXPECTS`] describes.
    pub fn is_word(text: &str) -> bool {
        Formula::read(text).is_some()
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.formula.fmt(f)
    }
}

/// The error for a text that is not a margin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("margin {0:?}: expected {EXPECTS}")]
pub struct UnknownMargin(pub String);

impl FromStr for Margin {
    type Err = UnknownMargin;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Formula::read(text)
            .map(Margin::new)
            .ok_or_else(|| UnknownMargin(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::margin_table::DEEPEST;
    use game::Score;
    use proptest::prelude::*;

    fn probability(branching: f64, eps: f64) -> Formula {
        Formula::Probability {
            scale: 1.0,
            branching,
            eps,
        }
    }

    #[test]
    fn the_probability_family_has_the_golden_values() {
        for (branching, eps, depth, golden) in [
            (4.0, 0.01, 3.0, 6.2413),
            (4.0, 0.01, 6.0, 11.1910),
            (3.0, 0.1, 1.0, 1.818_28),
        ] {
            let found = probability(branching, eps).value(depth);
            assert!((found - golden).abs() < 5e-5, "{found} for {golden}");
        }
        for (branching, golden) in [
            (3.0, [2.71, 4.32, 5.84, 7.33, 10.27, 13.20]),
            (4.0, [2.81, 4.56, 6.24, 7.90, 11.19, 14.48]),
            (6.0, [2.93, 4.88, 6.77, 8.64, 12.38, 16.12]),
        ] {
            for (depth, golden) in [1.0, 2.0, 3.0, 4.0, 6.0, 8.0].into_iter().zip(golden) {
                let found = probability(branching, 0.01).value(depth);
                assert!(
                    (found - golden).abs() < 5.1e-3,
                    "A {branching}, depth {depth}: {found} for {golden}"
                );
            }
        }
    }

    #[test]
    fn the_probability_family_keeps_what_it_promises() {
        // Checked backwards, with a distribution function that shares no code with the inverse: the largest of A^d
        // stays below the margin with probability 1 - eps.
        for (branching, eps, depth) in [(4.0_f64, 0.05_f64, 3.0_f64), (3.0, 0.01, 6.0)] {
            let z = probability(branching, eps).value(depth) / depth.sqrt();
            let below = 1.0 - belief::special::normal_cdf(-z);
            let found = below.powf(branching.powf(depth));
            assert!((found - (1.0 - eps)).abs() < 1e-6, "{found}");
        }
    }

    #[test]
    fn each_family_grows_as_its_formula_says() {
        let at = |word: &str, depth| word.parse::<Margin>().expect("a margin").at(depth);
        for (word, golden) in [
            ("linear:130", [130, 390, 1300, 2600]),
            ("root:150", [150, 260, 474, 671]),
            ("quadratic:85", [49, 171, 850, 1700]),
        ] {
            let found = [1, 3, 10, 20].map(|d| at(word, d));
            assert_eq!(found, golden, "{word}");
        }
    }

    #[test]
    fn depths_without_a_margin_of_their_own_are_clamped() {
        let margin: Margin = "linear:2000".parse().expect("a margin");
        assert_eq!((margin.at(0), margin.at(-3)), (0, 0));
        assert_eq!(margin.at(33), margin.at(32));
        assert_eq!(margin.at(32), i32::from(Score::LIMIT));
        let deep: Margin = "probability:60,100,.000001".parse().expect("a margin");
        assert!(deep.at(32) > deep.at(31) && deep.at(31) > 0);
    }

    #[test]
    fn what_is_no_margin_is_refused_with_what_was_expected() {
        for word in [
            "",
            "linear",
            "linear:",
            "linear:-1",
            "linear:2001",
            "linear:nan",
            "linear:1,2",
            "cubic:3",
            "probability:60",
            "probability:60,4",
            "probability:60,4,0",
            "probability:60,.5,.01",
            "probability:60,4,.6",
            "probability:inf,4,.01",
        ] {
            assert!(!Margin::is_word(word), "{word}");
            let error = word.parse::<Margin>().expect_err(word).to_string();
            assert!(error.contains(word) && error.contains("expected linear:CP"));
        }
    }

    fn formulas() -> impl Strategy<Value = Formula> {
        let scale = 0.0..2000.0;
        (0usize..4, scale, 1.0..100.0, 1e-6..0.5).prop_map(|(i, scale, branching, eps)| {
            match FAMILIES[i].example {
                Formula::Probability { .. } => Formula::Probability {
                    scale,
                    branching,
                    eps,
                },
                other => other.with_scale(scale),
            }
        })
    }

    proptest! {
        #[test]
        fn margins_never_shrink_with_depth(formula in formulas()) {
            let margin = Margin::new(formula);
            for depth in 0..=DEEPEST as i32 {
                prop_assert!(margin.at(depth) <= margin.at(depth + 1));
            }
        }

        #[test]
        fn a_margins_word_reads_back(formula in formulas()) {
            let margin = Margin::new(formula);
            prop_assert_eq!(margin.to_string().parse(), Ok(margin));
        }

        #[test]
        fn margins_are_in_proportion_to_their_scale(formula in formulas(), depth in 0.5..32.0) {
            let half = formula.with_scale(formula.scale() / 2.0).value(depth);
            prop_assert!((half * 2.0 - formula.value(depth)).abs() <= 1e-9 * (1.0 + half));
        }
    }
}
