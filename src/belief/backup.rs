//! The back-up: a node's belief and policy from its children's beliefs.

use super::density::entropy;
use super::{BINS, Cdf, Density, LANES, MIDDLE, Rule, Ties};

/// A reusable back-up: the rule and its scratch memory.
///
/// A child's worth u_i is the probability that it is the best one: u_i = sum_x p_i(x) prod_(k != i) q_k(x) in the
/// essay. With [`Ties::Split`] the children that are best in bin x share the product's mass in x, in proportion to
/// p_i / (q_i - p_i/2): their densities over their CDFs at the bin's middle. That is one division where the exact
/// integral over the bin takes N/2 quadrature points; the policy errs by less than .01 (tests give figures).
#[derive(Clone, Debug)]
pub struct BackUp {
    rule: Rule,
    ties: Ties,
}

/// What went into one back-up, for the inspector.
#[derive(Clone, Debug)]
pub struct Detail {
    /// The node's belief by the rule, as [`BackUp::run`] gives it.
    pub result: Cdf,
    /// The children's policy, summing to 1.
    pub policy: Vec<f32>,
    /// The distribution of the best child, errors independent.
    pub r_opt: Density,
    /// The distribution of the child that would be picked.
    pub r_pick: Density,
    /// The weight of r_opt (the essay's beta); `None` where the rule is a dependent maximum.
    pub blend: Option<f32>,
    /// The policy's entropy H in nats.
    pub entropy: f32,
    /// e^H: how many equally good children would be as uncertain.
    pub n_eff: f32,
    /// The essay's s: the expected number of children that are best, ties counted for each (1 <= s <= N).
    pub maximisers: f32,
}

impl BackUp {
    #[must_use]
    pub fn new(rule: Rule, ties: Ties) -> BackUp {
        BackUp {
            rule: rule.clamped(),
            ties,
        }
    }

    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    #[must_use]
    pub fn ties(&self) -> Ties {
        self.ties
    }

    /// The node's belief and its children's policy.
    ///
    /// `children` are already in the node's own view; `policy` is as long and is filled with shares that sum to 1.
    /// One child is returned as it is. Without children (the maximum of nothing) the result is the lowest bin.
    pub fn run(&mut self, children: &[Cdf], policy: &mut [f32]) -> Cdf {
        debug_assert_eq!(children.len(), policy.len());
        let n = children.len().min(policy.len());
        let (children, policy) = (&children[..n], &mut policy[..n]);
        match children {
            [] => Cdf::atom(0),
            [only] => {
                policy[0] = 1.0;
                let mut cdf = *only;
                cdf.0[BINS] = 0;
                cdf
            }
            _ => self.run_many(children, policy),
        }
    }

    fn run_many(&mut self, children: &[Cdf], policy: &mut [f32]) -> Cdf {
        let q: Vec<[f32; LANES]> = children.iter().map(Cdf::to_f32).collect();
        let product = product(&q);
        match self.ties {
            Ties::Split => split(&q, &product, policy),
            Ties::Essay => essay(&q, policy),
        }
        normalise(policy);
        self.combine(&q, &product, policy)
    }

    fn combine(&self, q: &[[f32; LANES]], product: &[f32; LANES], policy: &[f32]) -> Cdf {
        let mut out = *product;
        if let Some(b) = self.rule.blend(entropy(policy), q.len()) {
            let pick = pick(q, policy);
            for (o, k) in out.iter_mut().zip(pick) {
                *o = b * *o + (1.0 - b) * k;
            }
        } else {
            for bin in 0..BINS {
                let column = q.iter().map(|q| q[bin]);
                out[bin] = copula(self.rule, column, product[bin]);
            }
        }
        Cdf::from_f32(&out)
    }

    /// Everything that goes into [`BackUp::run`], for the inspector; slower.
    pub fn detail(&mut self, children: &[Cdf]) -> Detail {
        let mut policy = vec![0.0; children.len()];
        let result = self.run(children, &mut policy);
        let q: Vec<[f32; LANES]> = children.iter().map(Cdf::to_f32).collect();
        let entropy = entropy(&policy);
        let mut worth = vec![0.0; children.len()];
        essay(&q, &mut worth);
        Detail {
            result,
            r_opt: differences(&product(&q)),
            r_pick: differences(&pick(&q, &policy)),
            blend: self.rule.blend(entropy, children.len()),
            entropy,
            n_eff: entropy.exp(),
            maximisers: worth.iter().sum(),
            policy,
        }
    }
}

fn product(q: &[[f32; LANES]]) -> [f32; LANES] {
    let mut out = [1.0f32; LANES];
    for q in q {
        for (o, x) in out.iter_mut().zip(q) {
            *o *= x;
            if *o < 1e-20 {
                *o = 0.0;
            }
        }
    }
    out
}

fn pick(q: &[[f32; LANES]], policy: &[f32]) -> [f32; LANES] {
    let mut out = [0.0f32; LANES];
    for (q, w) in q.iter().zip(policy) {
        for (o, x) in out.iter_mut().zip(q) {
            *o += w * x;
        }
    }
    out
}

fn differences(q: &[f32; LANES]) -> Density {
    let mut mass = [0.0; LANES];
    let mut before = 0.0;
    for (m, &q) in mass[..BINS].iter_mut().zip(q) {
        *m = (q - before).max(0.0);
        before = q;
    }
    Density(mass)
}

fn copula(rule: Rule, column: impl Iterator<Item = f32> + Clone, product: f32) -> f32 {
    let least = column.clone().fold(1.0, f32::min);
    match rule {
        Rule::Frechet(rho) => (1.0 - rho) * product + rho * least,
        Rule::CuadrasAuge(a) => {
            let logs: f64 = column.map(|q| f64::from(q).ln()).sum();
            let a = f64::from(a);
            if least <= 0.0 {
                0.0
            } else {
                (a * f64::from(least).ln() + (1.0 - a) * logs).exp() as f32
            }
        }
        Rule::Gumbel(theta) => {
            let theta = f64::from(theta);
            let sum: f64 = column.map(|q| (-f64::from(q).ln()).powf(theta)).sum();
            (-sum.powf(1.0 / theta)).exp() as f32
        }
        _ => product,
    }
}

/// The share of the product's mass in each bin that falls to each child.
fn split(q: &[[f32; LANES]], product: &[f32; LANES], worth: &mut [f32]) {
    worth.fill(0.0);
    for bin in 0..BINS {
        let before = |q: &[f32; LANES]| if bin == 0 { 0.0 } else { q[bin - 1] };
        let rate = |q: &[f32; LANES]| {
            let (p, twice_middle) = (q[bin] - before(q), q[bin] + before(q));
            if p > 0.0 { p / twice_middle } else { 0.0 }
        };
        let total: f32 = q.iter().map(rate).sum();
        if total > 0.0 {
            let scale = (product[bin] - before(product)) / total;
            for (w, q) in worth.iter_mut().zip(q) {
                *w += scale * rate(q);
            }
        }
    }
}

/// The essay's u_i, by prefix and suffix products.
fn essay(q: &[[f32; LANES]], worth: &mut [f32]) {
    worth.fill(0.0);
    for bin in 0..BINS {
        let mut suffix = vec![1.0f64; q.len() + 1];
        for i in (0..q.len()).rev() {
            suffix[i] = suffix[i + 1] * f64::from(q[i][bin]);
        }
        let mut prefix = 1.0;
        for (i, q) in q.iter().enumerate() {
            let before = if bin == 0 { 0.0 } else { q[bin - 1] };
            worth[i] += (f64::from(q[bin] - before) * prefix * suffix[i + 1]) as f32;
            prefix *= f64::from(q[bin]);
        }
    }
}

fn normalise(policy: &mut [f32]) {
    let total: f32 = policy.iter().sum();
    if total > 0.0 {
        policy.iter_mut().for_each(|p| *p /= total);
    } else {
        let share = 1.0 / policy.len() as f32;
        policy.fill(share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_children_share_alike() {
        for ties in [Ties::Split, Ties::Essay] {
            let mut policy = [0.0; 4];
            let out = BackUp::new(Rule::default(), ties).run(&[Cdf::atom(MIDDLE); 4], &mut policy);
            assert_eq!(out, Cdf::atom(MIDDLE));
            assert_eq!(policy, [0.25; 4]);
        }
    }
}
