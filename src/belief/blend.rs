//! The blend of r_opt and r_pick by a formula that somebody wrote.

use super::Rule;
use formula::{Formula, Name, Scope, Unit};

/// What a blend can be computed from, and that it has no unit.
pub const BLEND: Scope = Scope {
    names: &[
        Name {
            name: "H",
            unit: Unit::NONE,
            summary: "entropy of the policy over the node's moves, in nats",
        },
        Name {
            name: "N",
            unit: Unit::NONE,
            summary: "number of these moves, 2 or more",
        },
    ],
    each: &[],
    result: Unit::NONE,
};

/// Returns b, the weight of r_opt, for `n` children whose policy has the entropy `entropy` (nats), cut to 0 to 1; `None` where
/// the formula has no finite value.
pub fn blend(formula: &Formula, entropy: f32, n: usize) -> Option<f32> {
    let b = formula.value(&[f64::from(entropy), n as f64])?;
    Some(b.clamp(0.0, 1.0) as f32)
}

impl Rule {
    /// Returns the formula of b that a rule stands for; `None` if it does not blend r_opt and r_pick.
    pub fn formula(self) -> Option<String> {
        Some(match self {
            Rule::Optimal => "1".to_owned(),
            Rule::Pick => "0".to_owned(),
            Rule::Constant(b) => b.to_string(),
            Rule::Entropy => "H/log(N)".to_owned(),
            Rule::InverseEffective => "1 - exp(-H)".to_owned(),
            Rule::EffectiveShare => "(exp(H) - 1)/(N - 1)".to_owned(),
            Rule::Exponential(kappa) => format!("1 - exp(-{kappa}*H)"),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Formula {
        Formula::parse(text, &BLEND).expect(text)
    }

    /// What is built in is the formula that it is shown as.
    #[test]
    fn a_rule_is_the_formula_that_it_stands_for() {
        let others = [Rule::Exponential(0.25), Rule::Constant(0.3)];
        for rule in Rule::EXAMPLES.into_iter().chain(others) {
            assert_eq!(rule.formula().is_some(), rule.is_blend(), "{rule}");
            let Some(text) = rule.formula() else { continue };
            let formula = parse(&text);
            for n in [2, 3, 17, 218] {
                for share in 0..=20 {
                    let h = (n as f32).ln() * share as f32 / 20.0;
                    assert_eq!(
                        blend(&formula, h, n),
                        rule.blend(h, n),
                        "{rule} = {text}, H {h}, N {n}"
                    );
                }
            }
        }
    }

    /// By hand, at H = ln 2 and N = 4: 1 - 1/2, ln 2 / ln 4, and 3 cut at 1; a logarithm of 0 is no number.
    #[test]
    fn blends_by_hand() {
        let h = 2f32.ln();
        let at = |text: &str| blend(&parse(text), h, 4);
        for (text, b) in [("1 - 1/exp(H)", 0.5), ("H/log(N)", 0.5), ("N - 1", 1.0)] {
            let found = at(text).expect(text);
            assert!((found - b).abs() < 1e-6, "{text}: {found}");
        }
        assert_eq!((at("-H"), at("log(N - 4)")), (Some(0.0), None));
        let wrong = Formula::parse("1 - exp(-k*H)", &BLEND).expect_err("k is no name");
        assert!(wrong.to_string().contains("\"k\""), "{wrong}");
    }
}
