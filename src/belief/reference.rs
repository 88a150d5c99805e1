//! The plain formulas in `f64`, for any number of bins on any line. The tests check against them, and the Lab draws
//! them. Simple and slow.
//!
//! A distribution is a slice of masses per bin that sum to 1; a CDF is its running sum. Bins are ascending.

use super::forms::Places;
use super::precursors::{Svfc, ThreePoint};
use super::special::normal_cdf;
use super::{Rule, Ties};

/// Equally spaced bins from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub lo: f64,
    pub hi: f64,
    pub bins: usize,
}

impl Line {
    pub fn centre(&self, bin: usize) -> f64 {
        self.lo + (bin as f64 + 0.5) * self.width()
    }

    pub fn width(&self) -> f64 {
        (self.hi - self.lo) / self.bins as f64
    }

    /// Returns the normal distribution on these bins; the mass outside them goes into the end bins.
    pub fn normal(&self, mean: f64, sd: f64) -> Vec<f64> {
        let edge = |i: usize| (self.lo + i as f64 * self.width() - mean) / sd;
        let mass = |bin: usize| {
            let lo = if bin == 0 {
                f64::NEG_INFINITY
            } else {
                edge(bin)
            };
            let hi = if bin + 1 == self.bins {
                f64::INFINITY
            } else {
                edge(bin + 1)
            };
            // Computed from the nearer tail, so that small masses far out keep their digits.
            if lo > 0.0 {
                normal_cdf(-lo) - normal_cdf(-hi)
            } else {
                normal_cdf(hi) - normal_cdf(lo)
            }
        };
        (0..self.bins).map(mass).collect()
    }

    /// Returns all mass in the bin that contains `x`.
    pub fn atom(&self, x: f64) -> Vec<f64> {
        let bin = ((x - self.lo) / self.width()).clamp(0.0, self.bins as f64 - 1.0);
        let mut mass = vec![0.0; self.bins];
        mass[bin as usize] = 1.0;
        mass
    }

    pub fn mean(&self, mass: &[f64]) -> f64 {
        self.expect(mass, |x| x)
    }

    pub fn sd(&self, mass: &[f64]) -> f64 {
        let mean = self.mean(mass);
        self.expect(mass, |x| (x - mean) * (x - mean)).sqrt()
    }

    /// Returns E[f(X)], with X at the centres of the bins.
    pub fn expect(&self, mass: &[f64], f: impl Fn(f64) -> f64) -> f64 {
        let terms = mass.iter().enumerate();
        terms.map(|(bin, p)| p * f(self.centre(bin))).sum()
    }

    /// Returns the node's masses and the children's policy, with all rules, including the precursors
    /// ([`super::forms`]).
    pub fn back_up(&self, rule: Rule, ties: Ties, children: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
        let places = Places {
            edges: (0..=self.bins)
                .map(|i| self.lo + i as f64 * self.width())
                .collect(),
            centres: (0..self.bins).map(|bin| self.centre(bin)).collect(),
        };
        let write = |cdf: &dyn Fn(f64) -> f64| {
            let q = places.edges[1..].iter().map(|&x| cdf(x).clamp(0.0, 1.0));
            let mut q: Vec<f64> = q.collect();
            if let Some(last) = q.last_mut() {
                *last = 1.0;
            }
            differences(&q)
        };
        match rule {
            Rule::Svfc(b) => {
                let read = children.iter().map(|c| Svfc::read(c, &places));
                let b = f64::from(b);
                match Svfc::back_up(&read.collect::<Vec<_>>(), (b, b)) {
                    Some((node, played)) => (write(&|x| node.cdf(x)), played),
                    None => (Vec::new(), Vec::new()),
                }
            }
            Rule::ThreePoint => {
                let read = children.iter().map(|c| ThreePoint::read(c, &places));
                match ThreePoint::maximum(&read.collect::<Vec<_>>()) {
                    Some(node) => (write(&|x| node.cdf(x)), policy(children, ties)),
                    None => (Vec::new(), Vec::new()),
                }
            }
            Rule::BestChild => {
                let means: Vec<f64> = children.iter().map(|c| self.mean(c)).collect();
                let best = (1..children.len()).fold(0, |best, i| match means[i] > means[best] {
                    true => i,
                    false => best,
                });
                let node = children.get(best).cloned().unwrap_or_default();
                (node, policy(children, ties))
            }
            _ => back_up(rule, ties, children),
        }
    }

    /// Returns the value of perfect information about each child; see [`super::vpi`].
    pub fn vpi(&self, children: &[Vec<f64>]) -> Vec<f64> {
        let means: Vec<f64> = children.iter().map(|c| self.mean(c)).collect();
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by(|&a, &b| means[b].total_cmp(&means[a]));
        let gain = |i: usize| match order[..] {
            [best, second, ..] if i == best => {
                self.expect(&children[i], |x| (means[second] - x).max(0.0))
            }
            [best, ..] if i != best => self.expect(&children[i], |x| (x - means[best]).max(0.0)),
            _ => 0.0,
        };
        (0..children.len()).map(gain).collect()
    }
}

/// Returns the running sums; the last one is exactly 1.
pub fn cdf(mass: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut q: Vec<f64> = mass
        .iter()
        .map(|p| {
            sum += p;
            sum.min(1.0)
        })
        .collect();
    if let Some(last) = q.last_mut() {
        *last = 1.0;
    }
    q
}

/// Returns the masses whose running sums are `q`.
pub fn differences(q: &[f64]) -> Vec<f64> {
    let before = std::iter::once(&0.0).chain(q);
    q.iter().zip(before).map(|(q, before)| q - before).collect()
}

/// Returns the masses from the other side's view: the bins in reverse.
pub fn negated(mass: &[f64]) -> Vec<f64> {
    mass.iter().rev().copied().collect()
}

/// Returns the maximum of independent variables: Q = prod q_i, as masses.
pub fn maximum(children: &[Vec<f64>]) -> Vec<f64> {
    differences(&product(&cdfs(children)))
}

/// Returns the minimum of independent variables: the other side's maximum.
pub fn minimum(children: &[Vec<f64>]) -> Vec<f64> {
    let flipped: Vec<Vec<f64>> = children.iter().map(|c| negated(c)).collect();
    negated(&maximum(&flipped))
}

/// Returns P(X > Y) + P(X = Y)/2 for independent X and Y; a tie counts half.
pub fn exceeds(x: &[f64], y: &[f64]) -> f64 {
    let mut below = 0.0;
    let mut sum = 0.0;
    for (p, r) in x.iter().zip(y) {
        sum += p * (below + 0.5 * r);
        below += r;
    }
    sum
}

/// Returns each child's worth u_i, the probability that it is the best. With [`Ties::Split`] they sum to 1, with
/// [`Ties::Essay`] to the expected number of best children.
pub fn worth(children: &[Vec<f64>], ties: Ties) -> Vec<f64> {
    let q = cdfs(children);
    let bins = children.first().map_or(0, Vec::len);
    let mut u = vec![0.0; children.len()];
    let quadrature = match ties {
        // At the upper end of the bin, where every other child in the same bin counts as not better.
        Ties::Essay => vec![(1.0, 1.0)],
        Ties::Split => gauss_legendre(children.len().div_ceil(2)),
    };
    for bin in 0..bins {
        for &(t, weight) in &quadrature {
            let at: Vec<f64> = q
                .iter()
                .zip(children)
                .map(|(q, p)| q[bin] - (1.0 - t) * p[bin])
                .collect();
            for (i, others) in products_of_others(&at).into_iter().enumerate() {
                u[i] += weight * children[i][bin] * others;
            }
        }
    }
    u
}

/// Returns the policy: each child's worth as a share of the total.
pub fn policy(children: &[Vec<f64>], ties: Ties) -> Vec<f64> {
    let u = worth(children, ties);
    let total: f64 = u.iter().sum();
    u.iter().map(|u| u / total).collect()
}

/// Returns the entropy in nats.
pub fn entropy(shares: &[f64]) -> f64 {
    let nonzero = shares.iter().filter(|&&p| p > 0.0);
    -nonzero.map(|p| p * p.ln()).sum::<f64>()
}

/// Returns the mixture of `parts`; the weights must sum to 1.
pub fn mixture(weights: &[f64], parts: &[Vec<f64>]) -> Vec<f64> {
    let bins = parts.first().map_or(0, Vec::len);
    let mass = |bin: usize| weights.iter().zip(parts).map(|(w, p)| w * p[bin]).sum();
    (0..bins).map(mass).collect()
}

/// Returns the weight of r_opt under a blending rule, or `None` for other rules.
pub fn blend(rule: Rule, policy: &[f64]) -> Option<f64> {
    let h = entropy(policy);
    let n = policy.len() as f64;
    let b = match rule {
        Rule::Optimal => 1.0,
        Rule::Pick => 0.0,
        Rule::Constant(b) => f64::from(b),
        Rule::Entropy | Rule::EffectiveShare if policy.len() < 2 => 1.0,
        Rule::Entropy => h / n.ln(),
        Rule::EffectiveShare => (h.exp() - 1.0) / (n - 1.0),
        Rule::InverseEffective => 1.0 - (-h).exp(),
        Rule::Exponential(kappa) => 1.0 - (-f64::from(kappa) * h).exp(),
        _ => return None,
    };
    Some(b)
}

/// Returns the node's masses and the children's policy. The precursors and the best child need to know where the bins are and use
/// [`Line::back_up`]; this function treats them as r_opt.
pub fn back_up(rule: Rule, ties: Ties, children: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let policy = policy(children, ties);
    let q = cdfs(children);
    let best = product(&q);
    let result = if let Some(b) = blend(rule, &policy) {
        mixture(
            &[b, 1.0 - b],
            &[differences(&best), mixture(&policy, children)],
        )
    } else {
        let joint = |bin: usize| {
            let column: Vec<f64> = q.iter().map(|q| q[bin]).collect();
            copula(rule, &column, best[bin])
        };
        differences(&(0..best.len()).map(joint).collect::<Vec<_>>())
    };
    (result, policy)
}

/// Returns P(all X_i <= x) from the P(X_i <= x) under a dependence rule.
fn copula(rule: Rule, column: &[f64], product: f64) -> f64 {
    let least = column.iter().copied().fold(1.0, f64::min);
    match rule {
        _ if least <= 0.0 => 0.0,
        Rule::Frechet(rho) => (1.0 - f64::from(rho)) * product + f64::from(rho) * least,
        Rule::CuadrasAuge(a) => {
            // In logarithms, because the product of many small numbers underflows even in `f64`.
            let logs: f64 = column.iter().map(|q| q.ln()).sum();
            (f64::from(a) * least.ln() + f64::from(1.0 - a) * logs).exp()
        }
        Rule::Gumbel(theta) => {
            let theta = f64::from(theta);
            let sum: f64 = column.iter().map(|q| (-q.ln()).powf(theta)).sum();
            (-sum.powf(1.0 / theta)).exp()
        }
        _ => product,
    }
}

fn cdfs(children: &[Vec<f64>]) -> Vec<Vec<f64>> {
    children.iter().map(|c| cdf(c)).collect()
}

fn product(q: &[Vec<f64>]) -> Vec<f64> {
    let bins = q.first().map_or(0, Vec::len);
    (0..bins)
        .map(|bin| q.iter().map(|q| q[bin]).product())
        .collect()
}

/// Returns for each factor the product of the others, by prefix and suffix products and without division.
fn products_of_others(factors: &[f64]) -> Vec<f64> {
    let mut out = vec![1.0; factors.len()];
    let mut prefix = 1.0;
    for (o, f) in out.iter_mut().zip(factors) {
        *o = prefix;
        prefix *= f;
    }
    let mut suffix = 1.0;
    for (o, f) in out.iter_mut().zip(factors).rev() {
        *o *= suffix;
        suffix *= f;
    }
    out
}

/// Returns Gauss-Legendre nodes and weights on (0, 1), exact for polynomials of degree below 2 `points`.
pub fn gauss_legendre(points: usize) -> Vec<(f64, f64)> {
    let n = points.max(1);
    let node = |k: usize| {
        // Newton's method from Tricomi's approximation, with P_n and P_n' by recurrence.
        let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (n as f64 + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..50 {
            let (mut before, mut p) = (1.0, x);
            for m in 2..=n {
                let m = m as f64;
                (before, p) = (p, ((2.0 * m - 1.0) * x * p - (m - 1.0) * before) / m);
            }
            slope = n as f64 * (x * p - before) / (x * x - 1.0);
            let step = p / slope;
            x -= step;
            if step.abs() < 1e-15 {
                break;
            }
        }
        let weight = 2.0 / ((1.0 - x * x) * slope * slope);
        (0.5 * (1.0 - x), 0.5 * weight)
    };
    (0..n).map(node).collect()
}

#[cfg(test)]
mod tests;
