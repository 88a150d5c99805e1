//! The back-up rules: how the children's beliefs are combined into their parent's.

use std::fmt;
use std::str::FromStr;

/// A back-up rule, named after what it assumes about the maximum of the children.
///
/// Blends are mixtures b r_opt + (1-b) r_pick with different b. Here r_opt is the distribution of the best child
/// (errors independent, and known in time) and r_pick that of the child that would be picked (both from the DISTRESS
/// essay). H is the policy's entropy in nats, N the number of children, N_eff = e^H. Rules with dependent maxima are
/// copulas of the children's CDFs q_i (Fréchet 1951; Cuadras and Augé 1981; Gumbel 1960). The last two rules are the
/// representations that the DISTRESS essay tried before distributions ([`super::forms`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// The independent maximum (r_opt): prod q_i.
    Optimal,
    /// The mixture by policy (r_pick): sum pi_i q_i.
    Pick,
    /// A constant b.
    Constant(f32),
    /// b = H / ln N.
    Entropy,
    /// b = 1 - 1/N_eff.
    InverseEffective,
    /// b = (N_eff - 1)/(N - 1).
    EffectiveShare,
    /// b = 1 - e^(-kappa H).
    Exponential(f32),
    /// (1-rho) prod q_i + rho min q_i.
    Frechet(f32),
    /// (min q_i)^a (prod q_i)^(1-a).
    CuadrasAuge(f32),
    /// exp(-[sum (-ln q_i)^theta]^(1/theta)): theta = 1 is [`Rule::Optimal`], infinity the minimum of the q_i.
    Gumbel(f32),
    /// The belief of the child with the highest mean, as if that move were settled.
    BestChild,
    /// Four numbers per child: the expected score, its variance, and the probabilities of being fortuitously better and
    /// catastrophically worse. The parameter is the blend β of the DISTRESS essay, for both probabilities.
    Svfc(f32),
    /// Three points per child, the 5, 50 and 95 % points: the independent maximum of split normals.
    ThreePoint,
}

/// The largest theta of [`Rule::Gumbel`]. Beyond it the copula equals the minimum within a 16-bit step.
pub const GUMBEL_LIMIT: f32 = 30.0;

impl Default for Rule {
    fn default() -> Self {
        Rule::Gumbel(2.0)
    }
}

impl Rule {
    /// Every rule with its usual parameter, for lists and help.
    pub const EXAMPLES: [Rule; 13] = [
        Rule::CuadrasAuge(0.5),
        Rule::Gumbel(2.0),
        Rule::Frechet(0.3),
        Rule::Exponential(1.5),
        Rule::Entropy,
        Rule::InverseEffective,
        Rule::EffectiveShare,
        Rule::Constant(0.5),
        Rule::Optimal,
        Rule::Pick,
        Rule::BestChild,
        Rule::Svfc(0.5),
        Rule::ThreePoint,
    ];

    /// Whether the rule mixes r_opt and r_pick (all but the copulas, the best child and the precursors).
    pub fn is_blend(self) -> bool {
        !matches!(
            self,
            Rule::Frechet(_) | Rule::CuadrasAuge(_) | Rule::Gumbel(_) | Rule::BestChild
        ) && !self.is_precursor()
    }

    /// Whether the children's distributions are reduced to a few numbers before they are backed up.
    pub fn is_precursor(self) -> bool {
        matches!(self, Rule::Svfc(_) | Rule::ThreePoint)
    }

    /// Returns the weight of r_opt for `n` children whose policy has the entropy `entropy` (nats), or `None` if the
    /// rule does not blend r_opt and r_pick.
    pub fn blend(self, entropy: f32, n: usize) -> Option<f32> {
        let (entropy, n) = (f64::from(entropy), n as f64);
        let b = match self {
            Rule::Optimal => 1.0,
            Rule::Pick => 0.0,
            Rule::Constant(b) => f64::from(b),
            // With one child r_opt and r_pick are the same, so the value of b does not matter.
            Rule::Entropy if n > 1.0 => entropy / n.ln(),
            Rule::EffectiveShare if n > 1.0 => (entropy.exp() - 1.0) / (n - 1.0),
            Rule::Entropy | Rule::EffectiveShare => 1.0,
            Rule::InverseEffective => 1.0 - (-entropy).exp(),
            Rule::Exponential(kappa) => 1.0 - (-f64::from(kappa) * entropy).exp(),
            _ => return None,
        };
        Some(b.clamp(0.0, 1.0) as f32)
    }

    /// Returns the rule's name, and its parameter with the range.
    fn parts(self) -> (&'static str, Option<(f32, f32, f32)>) {
        match self {
            Rule::Optimal => ("r-opt", None),
            Rule::Pick => ("r-pick", None),
            Rule::Constant(b) => ("constant", Some((b, 0.0, 1.0))),
            Rule::Entropy => ("entropy", None),
            Rule::InverseEffective => ("inverse-effective", None),
            Rule::EffectiveShare => ("effective-share", None),
            Rule::Exponential(k) => ("exp", Some((k, 0.0, 100.0))),
            Rule::Frechet(r) => ("frechet", Some((r, 0.0, 1.0))),
            Rule::CuadrasAuge(a) => ("cuadras-auge", Some((a, 0.0, 1.0))),
            Rule::Gumbel(t) => ("gumbel", Some((t, 1.0, GUMBEL_LIMIT))),
            Rule::Svfc(b) => ("svfc", Some((b, 0.0, 1.0))),
            Rule::BestChild => ("best-child", None),
            Rule::ThreePoint => ("three-point", None),
        }
    }

    fn with_parameter(self, x: f32) -> Rule {
        match self {
            Rule::Constant(_) => Rule::Constant(x),
            Rule::Exponential(_) => Rule::Exponential(x),
            Rule::Frechet(_) => Rule::Frechet(x),
            Rule::CuadrasAuge(_) => Rule::CuadrasAuge(x),
            Rule::Gumbel(_) => Rule::Gumbel(x),
            Rule::Svfc(_) => Rule::Svfc(x),
            plain => plain,
        }
    }

    /// Returns the rule with its parameter clamped to its range.
    pub fn clamped(self) -> Rule {
        match self.parts().1 {
            Some((x, lo, hi)) if x.is_finite() => self.with_parameter(x.clamp(lo, hi)),
            Some((_, lo, _)) => self.with_parameter(lo),
            None => self,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parts() {
            (name, None) => f.write_str(name),
            (name, Some((x, ..))) => {
                let number = x.to_string();
                write!(
                    f,
                    "{name}:{}",
                    number
                        .strip_prefix('0')
                        .filter(|s| !s.is_empty())
                        .unwrap_or(&number)
                )
            }
        }
    }
}

/// Why a rule or a treatment of ties could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseRuleError {
    #[error("unknown back-up rule {0:?}; known: {known}", known = known_rules())]
    Unknown(String),
    #[error("{name} takes {expected}, found {found:?}")]
    Parameter {
        name: &'static str,
        expected: String,
        found: String,
    },
    #[error("ties are \"split\" or \"essay\", found {0:?}")]
    Ties(String),
}

fn known_rules() -> String {
    Rule::EXAMPLES.map(|r| r.to_string()).join(", ")
}

impl FromStr for Rule {
    type Err = ParseRuleError;

    /// Parses `name` or `name:parameter`; without a parameter the usual one is used.
    fn from_str(text: &str) -> Result<Rule, ParseRuleError> {
        let text = text.trim();
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let known = Rule::EXAMPLES.into_iter().find(|r| r.parts().0 == name);
        let rule = known.ok_or_else(|| ParseRuleError::Unknown(text.to_string()))?;
        let Some(parameter) = parameter else {
            return Ok(rule);
        };
        let refused = |expected: String| ParseRuleError::Parameter {
            name: rule.parts().0,
            expected,
            found: parameter.to_string(),
        };
        let Some((_, lo, hi)) = rule.parts().1 else {
            return Err(refused("no parameter".to_string()));
        };
        match parameter.parse::<f32>() {
            Ok(x) if (lo..=hi).contains(&x) => Ok(rule.with_parameter(x)),
            _ => Err(refused(format!("a number from {lo} to {hi}"))),
        }
    }
}

/// How ties are treated: several children that may be the best in the same bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ties {
    /// They share: the mass counts as spread evenly within its bin, so exactly one child is the best.
    #[default]
    Split,
    /// The formula of the DISTRESS essay: each of them counts as best, and the policy is normalised afterwards. A
    /// single good move drowns among many draws.
    Essay,
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ties::Split => "split",
            Ties::Essay => "essay",
        })
    }
}

impl FromStr for Ties {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Ties, ParseRuleError> {
        match text.trim() {
            "split" => Ok(Ties::Split),
            "essay" => Ok(Ties::Essay),
            other => Err(ParseRuleError::Ties(other.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_written() {
        for rule in Rule::EXAMPLES {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        assert_eq!("cuadras-auge:.5".parse(), Ok(Rule::CuadrasAuge(0.5)));
        assert_eq!(Rule::Exponential(1.5).to_string(), "exp:1.5");
        assert_eq!(
            Rule::Constant(0.0).to_string().parse(),
            Ok(Rule::Constant(0.0))
        );
        assert_eq!("gumbel".parse(), Ok(Rule::Gumbel(2.0)));
        for wrong in [
            "",
            "best",
            "constant:2",
            "gumbel:.5",
            "exp:x",
            "frechet:NaN",
            "r-opt:1",
            "best-child:2",
            "svfc:2",
            "three-point:1",
        ] {
            assert!(wrong.parse::<Rule>().is_err(), "{wrong}");
        }
        assert_eq!("split".parse(), Ok(Ties::Split));
        assert!("none".parse::<Ties>().is_err());
    }

    #[test]
    fn the_blend_of_the_golden_example() {
        let b = Rule::Exponential(1.5).blend(1.09527, 3).unwrap();
        assert!((b - 0.80658).abs() < 1e-5, "{b}");
        let h = 5f32.ln();
        for rule in [Rule::Entropy, Rule::EffectiveShare] {
            assert!((rule.blend(h, 5).unwrap() - 1.0).abs() < 1e-6);
        }
        assert!((Rule::InverseEffective.blend(h, 5).unwrap() - 0.8).abs() < 1e-6);
    }
}
