//! How heavy the tails of searched leaves' beliefs are.

use formula::{Formula, Name, Scope, Unit};
use search::{FormulaRange, OptionSpec, Options, Range};

pub(super) const TAILS: OptionSpec = OptionSpec {
    key: "tails",
    default: "auto",
    range: Range::Formula(&RANGE),
    summary: "the weight of the wide part of a searched leaf's belief, for what its search overlooks: at depth 0, less the deeper it was searched; a number from 0 to 1, or a formula of that; auto, also where a formula has no finite value: from 0.01 in a search of 20,000 nodes to 0.1 in one of 100,000; on: 0.1; off: 0",
};

static RANGE: FormulaRange = FormulaRange {
    is_word: |text| matches!(text, "auto" | "on" | "off"),
    words: "auto, on or off",
    scope: SCOPE,
    is_condition: false,
    check,
    written: |word| {
        Some(match word {
            "on" => HEAVY.to_string(),
            "off" => "0".to_owned(),
            _ => AUTO.to_owned(),
        })
    },
};

const SCOPE: Scope = Scope {
    names: &[Name {
        name: "nodes",
        unit: Unit::NONE,
        summary: "nodes of the search when the leaf is valued, 1 or more",
    }],
    each: &[],
    result: Unit::NONE,
};

/// Refuses a formula that gives no weight in a search of some size.
fn check(formula: &Formula) -> Result<(), String> {
    for digits in 0..=9 {
        let nodes = 10f64.powi(digits);
        if let Some(found) = formula.value(&[nodes]).filter(|w| !(0.0..=1.0).contains(w)) {
            return Err(format!(
                "found {found:.3} with {nodes} nodes, expected a weight from 0 to 1"
            ));
        }
    }
    Ok(())
}

const HEAVY: f32 = 0.1;

/// With few nodes light tails win games, with many heavy ones solve more tactics.
const AUTO: &str = "0.01*exp(1.43*log(clamp(nodes, 20k, 100k)/20k))";

/// The weight of the wide part of a leaf's belief at depth 0.
#[derive(Clone, Debug)]
pub(super) enum Tails {
    /// As [`AUTO`] says.
    Auto,
    Fixed(f32),
    Formula(Formula),
}

impl Tails {
    pub fn new(options: &Options) -> Tails {
        match options.word(TAILS.key) {
            "auto" => Tails::Auto,
            "on" => Tails::Fixed(HEAVY),
            "off" => Tails::Fixed(0.0),
            text => match text.parse::<f32>() {
                Ok(weight) => Tails::Fixed(weight.clamp(0.0, 1.0)),
                Err(_) => Tails::Formula(RANGE.of(text)),
            },
        }
    }

    /// The weight in a search of so many nodes; `None` where a formula has no finite value.
    pub fn at(&self, nodes: u64) -> Option<f32> {
        match self {
            Tails::Auto => Some(Tails::auto(nodes)),
            Tails::Fixed(weight) => Some(*weight),
            Tails::Formula(formula) => {
                let weight = formula.value(&[nodes.max(1) as f64])?;
                Some(weight.clamp(0.0, 1.0) as f32)
            }
        }
    }

    /// Whether the beliefs of leaves are made anew when a search has grown from so many nodes to so many: at every other power
    /// of √2 where tails weigh otherwise than at the one before, up to a million nodes.
    pub fn are_renewed(&self, before: u64, after: u64) -> bool {
        const FIRST: f64 = 1_000.0;
        const STEPS: i32 = 20;
        if matches!(self, Tails::Fixed(_)) {
            return false;
        }
        let step =
            |nodes: u64| ((2.0 * (nodes.max(1) as f64 / FIRST).log2()) as i32).clamp(0, STEPS);
        let weight = |step: i32| self.at((FIRST * 2f64.powf(f64::from(step) / 2.0)) as u64);
        let (from, to) = (step(before), step(after));
        from != to && weight(from) != weight(to)
    }

    /// The weight that is built in.
    pub fn auto(nodes: u64) -> f32 {
        let growth = (nodes as f64).clamp(20e3, 100e3) / 20e3;
        (0.01 * (1.43 * growth.ln()).exp()) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tails(text: &str) -> Tails {
        let mut options = crate::distress::default_options();
        options.set(TAILS.key, text).expect(text);
        Tails::new(&options)
    }

    /// What is built in is the formula that it is shown as.
    #[test]
    fn a_word_is_the_formula_that_it_stands_for() {
        for word in ["auto", "on", "off"] {
            let formula = tails(&(RANGE.written)(word).expect("a formula"));
            for nodes in [0, 1, 20_000, 20_001, 33_333, 50_000, 100_000, 1 << 40] {
                assert_eq!(formula.at(nodes), tails(word).at(nodes), "{word} {nodes}");
            }
        }
    }

    #[test]
    fn tails_by_hand() {
        let auto = |nodes| Tails::auto(nodes);
        assert_eq!((auto(0), auto(20_000)), (0.01, 0.01));
        // 5^1.43 = e^(1.43 * 1.60944) = 9.990.
        assert!((auto(100_000) - 0.0999).abs() < 1e-4 && auto(1 << 30) == auto(100_000));
        // As numbers were written before there were formulas.
        assert_eq!(tails("0.03").at(7), Some(0.03));
        assert_eq!(tails(".5").at(7), Some(0.5));
        let gap = tails("if(nodes == 7, 1/(nodes - 7), .1)");
        assert_eq!((gap.at(7), gap.at(8)), (None, Some(0.1)));
    }

    #[test]
    fn what_is_no_weight_is_refused() {
        for (text, said) in [
            ("1.5", "found 1.500 with 1 nodes"),
            ("-.1", "found -0.100"),
            (
                "nodes/100",
                "found 10.000 with 1000 nodes, expected a weight from 0 to 1",
            ),
            ("0.01*node", "did you mean nodes?"),
            ("heavy", "a number"),
        ] {
            let mut options = crate::distress::default_options();
            let error = options.set(TAILS.key, text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
