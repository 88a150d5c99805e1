//! The back-ups that are compared on the same trees.

use std::fmt;
use std::str::FromStr;

use belief::density::entropy;
use belief::{ParseRuleError, Rule};

/// A way to obtain the belief of an inner node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Candidate {
    /// A back-up rule of DISTRESS.
    Rule(Rule),
    /// A blend of r_opt and r_pick whose weight depends on the policy's entropy and on the correlation of the
    /// children's errors.
    Blend(Blend),
    /// The control: the mean that the search has, with the same width everywhere (the scale of a logistic in the
    /// logit).
    Width(f64),
}

/// The weight of r_opt: ln(β / (1 − β)) = a + b H + c ρ, with the policy's entropy H in nats and the correlation ρ
/// among the children's errors.
///
/// b > 0 is the DISTRESS essay's principle that high dispersion drives towards r_opt; c < 0 says that r_opt is the less
/// appropriate the more the errors depend on each other. b = c = 0 is a constant blend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    pub constant: f64,
    pub entropy: f64,
    pub correlation: f64,
}

impl Blend {
    /// Returns β for this policy and this correlation.
    pub fn weight(&self, policy: &[f32], correlation: f64) -> f64 {
        let dispersion = f64::from(entropy(policy));
        let odds = self.constant + self.entropy * dispersion + self.correlation * correlation;
        1.0 / (1.0 + (-odds).exp())
    }
}

/// Why a candidate could not be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CandidateError {
    #[error("{0}; or blend:A,B,C, width:SCALE")]
    Rule(ParseRuleError),
    #[error("found {0:?}, expected blend:A,B,C with three numbers")]
    Blend(String),
    #[error("found {0:?}, expected width:SCALE with a number from .01 to 3")]
    Width(String),
    #[error(
        "found {0}, expected a rule that backs up distributions: the precursors keep other numbers"
    )]
    Precursor(Rule),
}

impl FromStr for Candidate {
    type Err = CandidateError;

    fn from_str(text: &str) -> Result<Candidate, CandidateError> {
        let text = text.trim();
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let numbers: Option<Vec<f64>> = parameters
            .split(',')
            .map(|p| p.trim().parse().ok().filter(|x: &f64| x.is_finite()))
            .collect();
        match (name, numbers.as_deref()) {
            ("blend", Some(&[constant, entropy, correlation])) => Ok(Candidate::Blend(Blend {
                constant,
                entropy,
                correlation,
            })),
            ("blend", _) => Err(CandidateError::Blend(text.to_owned())),
            ("width", Some(&[scale])) if (0.01..=3.0).contains(&scale) => {
                Ok(Candidate::Width(scale))
            }
            ("width", _) => Err(CandidateError::Width(text.to_owned())),
            _ => match text.parse::<Rule>().map_err(CandidateError::Rule)? {
                rule if rule.is_precursor() => Err(CandidateError::Precursor(rule)),
                rule => Ok(Candidate::Rule(rule)),
            },
        }
    }
}

impl fmt::Display for Candidate {
    /// Writes the candidate as it is read, its numbers to three digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |x: f64| {
            let x = (x * 1e3).round() / 1e3;
            if x == 0.0 { 0.0 } else { x }
        };
        match self {
            Candidate::Rule(rule) => rule.fmt(f),
            Candidate::Blend(b) => write!(
                f,
                "blend:{},{},{}",
                number(b.constant),
                number(b.entropy),
                number(b.correlation)
            ),
            Candidate::Width(scale) => write!(f, "width:{}", number(*scale)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_read_as_they_are_written() {
        for text in [
            "r-opt",
            "gumbel:2",
            "best-child",
            "blend:-1.5,2,0.25",
            "width:0.3",
        ] {
            let read: Candidate = text.parse().expect(text);
            assert_eq!(read.to_string(), text);
        }
        for (wrong, says) in [
            ("best", "unknown back-up rule"),
            ("blend:1,2", "three numbers"),
            ("blend:1,2,x", "three numbers"),
            ("width:9", ".01 to 3"),
            ("svfc", "precursors"),
            ("best-child:2", "no parameter"),
        ] {
            let error = wrong.parse::<Candidate>().expect_err(wrong).to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    /// Three equal moves have H = ln 3; 1 / (1 + e^-(−1 + 2 ln 3 − .5)) = .667570.
    #[test]
    fn a_blend_weighs_entropy_and_correlation() {
        let blend = Blend {
            constant: -1.0,
            entropy: 2.0,
            correlation: -1.0,
        };
        let weight = blend.weight(&[1.0 / 3.0; 3], 0.5);
        let odds = -1.5 + 2.0 * 3f64.ln();
        assert!(
            (weight - 1.0 / (1.0 + (-odds).exp())).abs() < 1e-6,
            "{weight}"
        );
        assert!((weight - 0.667_570).abs() < 1e-5, "{weight}");
    }
}
