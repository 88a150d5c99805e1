//! The numbers that a node keeps if its back-up is a precursor. They have to be kept because the distribution does not
//! preserve them: written from four numbers, it does not give the same four when it is read again, so after one ply
//! nothing would be left of them.

use super::precursors::{Svfc, ThreePoint};
use super::{Cdf, Grid, Rule};

/// The numbers of one node, seen from one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Numbers {
    Svfc(Svfc),
    ThreePoint(ThreePoint),
}

impl Numbers {
    /// The maximum number of values that a node keeps.
    pub const MOST: usize = 4;

    /// Reads the numbers off a belief, for a leaf, which has none of its own. `None` if the rule keeps no numbers.
    pub fn read(rule: Rule, belief: &Cdf, grid: &Grid) -> Option<Numbers> {
        match rule {
            Rule::Svfc(_) => Some(Numbers::Svfc(Svfc::of(belief, grid))),
            Rule::ThreePoint => Some(Numbers::ThreePoint(ThreePoint::of(belief, grid))),
            _ => None,
        }
    }

    /// Returns the numbers in the order in which they are stored.
    pub fn words(self) -> [f64; Self::MOST] {
        match self {
            Numbers::Svfc(Svfc { s, v, f, c }) => [s, v, f, c],
            Numbers::ThreePoint(ThreePoint {
                middle,
                left,
                right,
            }) => [middle, left, right, 0.0],
        }
    }

    /// The inverse of [`Numbers::words`]. `None` if the rule keeps no numbers.
    pub fn from_words(rule: Rule, words: [f64; Self::MOST]) -> Option<Numbers> {
        let [a, b, c, d] = words;
        match rule {
            Rule::Svfc(_) => Some(Numbers::Svfc(Svfc {
                s: a,
                v: b,
                f: c,
                c: d,
            })),
            Rule::ThreePoint => Some(Numbers::ThreePoint(ThreePoint {
                middle: a,
                left: b,
                right: c,
            })),
            _ => None,
        }
    }

    /// Returns the numbers from the other side's view, exactly.
    #[must_use]
    pub fn negated(self) -> Numbers {
        match self {
            Numbers::Svfc(n) => Numbers::Svfc(n.negated()),
            Numbers::ThreePoint(n) => Numbers::ThreePoint(n.negated()),
        }
    }

    /// Returns a distribution with these numbers, which the search uses to compare nodes and the screen to draw them.
    pub fn belief(self, grid: &Grid) -> Cdf {
        match self {
            Numbers::Svfc(n) => n.belief(grid),
            Numbers::ThreePoint(n) => n.belief(grid),
        }
    }
}

/// How p(i), the probability that the i-th move would be played, is computed (DISTRESS essay).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Played {
    /// The probability of being the largest of independent normals, from s and v.
    #[default]
    Normal,
    /// The same, but with tails given by f and c.
    Tails,
    /// b(i) divided by the sum of all b(i).
    Optimal,
}

/// How b(i), the belief that the i-th move is optimal, is updated (DISTRESS essay). The b(i) need not sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimal {
    /// b(i) is computed from s(i) at once.
    #[default]
    Score,
    /// b(i) starts at 1/2.
    Half,
    /// b(i) starts at 1/N.
    Share,
    /// b(i) starts at log odds of 0 and is averaged in log odds.
    LogOdds,
}

/// The choices that the DISTRESS essay leaves open for the four numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Form {
    pub played: Played,
    pub optimal: Optimal,
    /// The opponent's blend; `None` means the same blend as one's own.
    pub opponent: Option<f32>,
}

/// A move this far behind the best, in expected score, is believed to be optimal with probability 1/e.
const BEHIND: f64 = 0.1;
/// Log odds are clamped to plus and minus this.
const ODDS: f64 = 7.0;

impl Form {
    /// Returns the blend at a node; `own` says whether the root's side is to move there.
    pub fn blend(&self, blend: f32, own: bool) -> f32 {
        if own {
            blend
        } else {
            self.opponent.unwrap_or(blend)
        }
    }

    /// Returns the b(i) after a back-up, from the children's s and the previous b(i) (`None` before the first back-up).
    ///
    /// In the DISTRESS essay they may depend on s alone, and are 1 for all moves if all are equally good. How they
    /// change is left open there; here b(i) moves half of the way, or all of it at once, towards exp(-(max s - s(i)) /
    /// 0.1).
    pub fn optimal(&self, children: &[Svfc], before: &[Option<f64>]) -> Vec<f64> {
        let best = children
            .iter()
            .map(|k| k.s)
            .fold(f64::NEG_INFINITY, f64::max);
        let n = children.len().max(1) as f64;
        let odds = |b: f64| (b / (1.0 - b)).ln().clamp(-ODDS, ODDS);
        let step = |(child, before): (&Svfc, &Option<f64>)| {
            let aim = ((child.s - best) / BEHIND).exp();
            let from = |start: f64| before.unwrap_or(start);
            match self.optimal {
                Optimal::Score => aim,
                Optimal::Half => 0.5 * (from(0.5) + aim),
                Optimal::Share => 0.5 * (from(1.0 / n) + aim),
                Optimal::LogOdds => {
                    let middle = 0.5 * (odds(from(0.5)) + odds(aim));
                    1.0 / (1.0 + (-middle).exp())
                }
            }
        };
        children.iter().zip(before).map(step).collect()
    }

    /// Returns the p(i), which sum to 1.
    pub fn played(&self, children: &[Svfc], optimal: &[f64]) -> Vec<f64> {
        match self.played {
            Played::Normal => Svfc::best_probabilities(children),
            Played::Tails => Svfc::best_probabilities_with_tails(children),
            Played::Optimal => {
                let total: f64 = optimal.iter().sum();
                optimal.iter().map(|b| b / total).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn child(s: f64, v: f64, f: f64, c: f64) -> Svfc {
        Svfc { s, v, f, c }
    }

    proptest! {
        /// Negated an even number of times and stored in between, the numbers keep their bits.
        #[test]
        fn numbers_are_kept_exactly(words in prop::array::uniform4(-1.0f64..1.0), plies in 1usize..40) {
            for rule in [Rule::Svfc(0.5), Rule::ThreePoint] {
                let first = Numbers::from_words(rule, words).expect("a precursor");
                let mut kept = first;
                for _ in 0..2 * plies {
                    kept = Numbers::from_words(rule, kept.negated().words()).expect("a precursor");
                }
                prop_assert_eq!(kept, first);
            }
            prop_assert_eq!(Numbers::from_words(Rule::Pick, words), None);
        }
    }

    #[test]
    fn equally_good_moves_are_all_optimal_and_share_the_play() {
        let equal = [child(0.1, 0.04, 0.02, 0.02); 4];
        let form = Form {
            played: Played::Optimal,
            ..Form::default()
        };
        let optimal = form.optimal(&equal, &[None; 4]);
        assert_eq!(optimal, [1.0; 4]);
        assert_eq!(form.played(&equal, &optimal), [0.25; 4]);
    }

    #[test]
    fn beliefs_in_the_best_begin_where_the_essay_lets_them() {
        let children = [child(0.3, 0.0, 0.0, 0.0), child(0.2, 0.0, 0.0, 0.0)];
        let behind = (-1.0f64).exp();
        let by = |optimal, before: &[Option<f64>]| {
            let form = Form {
                optimal,
                ..Form::default()
            };
            form.optimal(&children, before)
        };
        let close = |found: Vec<f64>, expected: [f64; 2]| {
            for (f, e) in found.iter().zip(expected) {
                assert!((f - e).abs() < 1e-9, "{found:?}");
            }
        };
        close(by(Optimal::Score, &[None, None]), [1.0, behind]);
        close(
            by(Optimal::Half, &[None, None]),
            [0.75, 0.25 + 0.5 * behind],
        );
        close(
            by(Optimal::Share, &[None, None]),
            [0.75, 0.25 + 0.5 * behind],
        );
        close(
            by(Optimal::Half, &[Some(0.75), Some(0.0)]),
            [0.875, 0.5 * behind],
        );
        // Half the log odds of 1/e, which are -ln(e - 1).
        let odds = (std::f64::consts::E - 1.0).sqrt();
        let [_, second] = by(Optimal::LogOdds, &[None, None])[..] else {
            panic!("two");
        };
        assert!((second - 1.0 / (1.0 + odds)).abs() < 1e-9, "{second}");
    }

    /// The DISTRESS essay says that p(i) should depend on v, f and c as well: a move with a chance of being
    /// fortuitously better is played more often.
    #[test]
    fn tails_move_who_is_played() {
        let plain = [
            child(0.2, 0.01, 0.0228, 0.0228),
            child(0.0, 0.01, 0.0228, 0.0228),
        ];
        let lucky = [plain[0], child(0.0, 0.01, 0.15, 0.0228)];
        let played = |children: &[Svfc], played| {
            let form = Form {
                played,
                ..Form::default()
            };
            form.played(children, &[])[1]
        };
        let (normal, tails) = (
            played(&plain, Played::Normal),
            played(&plain, Played::Tails),
        );
        assert!(
            (normal - tails).abs() < 1e-3,
            "normal tails: {normal} {tails}"
        );
        assert_eq!(played(&lucky, Played::Normal), normal);
        assert!(played(&lucky, Played::Tails) > 1.02 * tails);
        let form = Form {
            opponent: Some(0.9),
            ..Form::default()
        };
        assert_eq!((form.blend(0.5, true), form.blend(0.5, false)), (0.5, 0.9));
        assert_eq!(Form::default().blend(0.5, false), 0.5);
    }
}
