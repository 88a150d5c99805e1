//! The question of the DISTRESS essay, answered with data: each family of back-ups gets the parameters that serve it best
//! on one half of the positions, and is judged on the other half.

use std::sync::Arc;

use super::correlation::Correlation;
use super::{Blend, Candidate, Labelled, Verdicts};
use belief::Rule;

/// What a fit minimises, over the plies from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The essay's wish: the variance of the logarithms of the plies' mean standard deviations, plus the mean square of
    /// coverage minus level over plies and levels.
    Spread,
    /// The mean continuous ranked probability score over the plies.
    Score,
}

impl Aim {
    pub const ALL: [Aim; 2] = [Aim::Spread, Aim::Score];

    pub fn name(self) -> &'static str {
        match self {
            Aim::Spread => "spread",
            Aim::Score => "score",
        }
    }
}

/// A family of back-ups with free parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A constant blend.
    Constant,
    /// 1 - e^(-kappa H).
    Exponential,
    /// A blend by the policy's entropy.
    Dispersion,
    /// A blend by the policy's entropy and the correlation of the errors.
    Correlated,
    Frechet,
    CuadrasAuge,
    Gumbel,
    /// The control: one width for all.
    Width,
}

impl Family {
    pub const ALL: [Family; 8] = [
        Family::Constant,
        Family::Exponential,
        Family::Dispersion,
        Family::Correlated,
        Family::Frechet,
        Family::CuadrasAuge,
        Family::Gumbel,
        Family::Width,
    ];

    /// Returns the member of the family with these parameters, each any number.
    fn member(self, x: &[f64]) -> Candidate {
        let share = |x: f64| 1.0 / (1.0 + (-x).exp());
        let at = |i: usize| x.get(i).copied().unwrap_or(0.0);
        match self {
            Family::Constant => Candidate::Rule(Rule::Constant(share(at(0)) as f32)),
            Family::Exponential => Candidate::Rule(Rule::Exponential(at(0).exp() as f32).clamped()),
            Family::Dispersion | Family::Correlated => Candidate::Blend(Blend {
                constant: at(0),
                entropy: at(1),
                correlation: at(2),
            }),
            Family::Frechet => Candidate::Rule(Rule::Frechet(share(at(0)) as f32)),
            Family::CuadrasAuge => Candidate::Rule(Rule::CuadrasAuge(share(at(0)) as f32)),
            Family::Gumbel => Candidate::Rule(Rule::Gumbel(1.0 + at(0).exp() as f32).clamped()),
            Family::Width => Candidate::Width(at(0).exp().clamp(0.01, 3.0)),
        }
    }

    /// Returns where the search for the parameters begins.
    fn start(self) -> Vec<f64> {
        match self {
            Family::Dispersion => vec![0.0, 0.5],
            Family::Correlated => vec![0.0, 0.5, -0.5],
            Family::Width => vec![-1.5],
            _ => vec![0.0],
        }
    }
}

/// A family with the parameters fitted to some trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    pub family: Family,
    pub aim: Aim,
    pub candidate: Candidate,
    /// What was minimised, on the trees of the fit.
    pub loss: f64,
}

/// Two halves of the positions, and the correlation measured on the first.
#[derive(Clone, Debug)]
pub struct Halves {
    pub fitted: Vec<Arc<Labelled>>,
    pub judged: Vec<Arc<Labelled>>,
    pub correlation: Correlation,
}

impl Halves {
    /// Puts every second position into each half.
    pub fn of(trees: &[Arc<Labelled>]) -> Halves {
        let every_second = |from: usize| trees.iter().skip(from).step_by(2).cloned().collect();
        let fitted: Vec<Arc<Labelled>> = every_second(0);
        Halves {
            correlation: correlation(&fitted),
            fitted,
            judged: every_second(1),
        }
    }

    /// Fits a family on the first half. `None` if the trees have too few plies with labels.
    pub fn fit(&self, family: Family, aim: Aim, plies: usize) -> Option<Fitted> {
        let loss = |x: &[f64]| {
            let candidate = family.member(x);
            let verdicts = Verdicts::new(&self.fitted, &[candidate], &self.correlation, plies);
            verdicts.loss(0, aim)
        };
        let (x, loss) = minimise(&loss, &family.start())?;
        Some(Fitted {
            family,
            aim,
            candidate: family.member(&x),
            loss,
        })
    }
}

/// Measures the correlation of siblings' errors.
pub fn correlation(trees: &[Arc<Labelled>]) -> Correlation {
    Correlation::of(
        trees
            .iter()
            .flat_map(|t| t.families.iter().map(Vec::as_slice)),
    )
}

/// The bounds of each parameter: beyond them nothing changes any more, or only rounding does.
const FAR: f64 = 8.0;

/// Minimises a function of a few numbers within ±[`FAR`] by the simplex of Nelder and Mead (1965). Returns the numbers
/// and the minimum; `None` if the function has no value at the start.
fn minimise(f: &dyn Fn(&[f64]) -> Option<f64>, start: &[f64]) -> Option<(Vec<f64>, f64)> {
    let n = start.len();
    f(start)?;
    let at = |x: Vec<f64>| {
        let x: Vec<f64> = x.into_iter().map(|x| x.clamp(-FAR, FAR)).collect();
        let y = f(&x).filter(|y| y.is_finite()).unwrap_or(f64::INFINITY);
        (x, y)
    };
    let mut simplex = vec![at(start.to_vec())];
    for i in 0..n {
        let mut corner = start.to_vec();
        corner[i] += 1.0;
        simplex.push(at(corner));
    }
    for _ in 0..30 * n {
        simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (best, worst) = (simplex[0].1, simplex[n].1);
        if worst - best < 1e-7 * (1.0 + best.abs()) {
            break;
        }
        let centre = |i: usize| simplex[..n].iter().map(|c| c.0[i]).sum::<f64>() / n as f64;
        let centre: Vec<f64> = (0..n).map(centre).collect();
        let along = |t: f64| {
            let point = centre.iter().zip(&simplex[n].0);
            point.map(|(c, w)| c + t * (w - c)).collect::<Vec<f64>>()
        };
        let reflected = at(along(-1.0));
        let next = if reflected.1 < best {
            let further = at(along(-2.0));
            if further.1 < reflected.1 {
                further
            } else {
                reflected
            }
        } else if reflected.1 < simplex[n - 1].1 {
            reflected
        } else {
            at(along(if reflected.1 < worst { -0.5 } else { 0.5 }))
        };
        if next.1 < worst {
            simplex[n] = next;
            continue;
        }
        let first = simplex[0].0.clone();
        for corner in &mut simplex[1..] {
            let halfway = corner.0.iter().zip(&first).map(|(x, b)| (x + b) / 2.0);
            *corner = at(halfway.collect());
        }
    }
    simplex.into_iter().min_by(|a, b| a.1.total_cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simplex_finds_a_known_minimum() {
        let bowl =
            |x: &[f64]| Some((x[0] - 1.5).powi(2) + 10.0 * (x[1] + 0.7 - x[0]).powi(2) + 3.0);
        let (x, y) = minimise(&bowl, &[0.0, 0.0]).expect("a minimum");
        assert!(
            (x[0] - 1.5).abs() < 0.02 && (x[1] - 0.8).abs() < 0.02,
            "{x:?}"
        );
        assert!((y - 3.0).abs() < 1e-3, "{y}");
        let (x, _) = minimise(&|x: &[f64]| Some((x[0] - 2.0).abs()), &[0.0]).expect("one");
        assert!((x[0] - 2.0).abs() < 0.01, "{x:?}");
        assert_eq!(minimise(&|_| None, &[0.0]), None);
    }

    #[test]
    fn members_are_within_their_families() {
        for family in Family::ALL {
            for x in [-8.0, 0.0, 8.0] {
                let member = family.member(&vec![x; family.start().len()]);
                assert!(member.to_string().parse::<Candidate>().is_ok(), "{member}");
            }
        }
        let half = Family::Constant.member(&[0.0]);
        assert_eq!(half, Candidate::Rule(Rule::Constant(0.5)));
        assert_eq!(
            Family::Gumbel.member(&[0.0]),
            Candidate::Rule(Rule::Gumbel(2.0))
        );
    }
}
