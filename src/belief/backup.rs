//! The back-up: a node's belief and policy from its children's beliefs.

use super::density::entropy;
use super::dependent::Dependent;
use super::forms::{self, Precursor};
use super::kernel::{self, Row, Scratch};
use super::lanes::Path;
use super::{BINS, Cdf, Density, Form, Grid, LANES, Numbers, ONE, Rule, Ties};

/// A reusable back-up: the rule and its scratch memory.
///
/// A child's worth u_i is the probability that it is the best one: u_i = sum_x p_i(x) prod_(k != i) q_k(x) in the
/// essay. With [`Ties::Split`] the children that are best in bin x share the product's mass in x, in proportion to
/// p_i / (q_i - p_i/2): their densities over their CDFs at the bin's middle. That is one division where the exact
/// integral over the bin takes N/2 quadrature points. The policy is then off by some 1e-5, at most 4e-4, for leaves as
/// wide as a search's; by a few thousandths, .012 at most in the samples measured, where atoms share a bin with wide
/// beliefs. Equal children always share alike.
///
/// Results are the same bit for bit whichever vector instructions the processor has.
#[derive(Clone, Debug)]
pub struct BackUp {
    rule: Rule,
    ties: Ties,
    path: Path,
    scratch: Scratch,
    /// The table of the copulas that take a power of each CDF.
    dependent: Option<Dependent>,
    /// Where the bins lie: of the precursors.
    grid: Option<Box<Grid>>,
    /// Of the four numbers.
    form: Form,
}

/// What went into one back-up, for the inspector.
#[derive(Clone, Debug)]
pub struct Detail {
    pub rule: Rule,
    /// The node's belief by the rule, as [`BackUp::run`] gives it.
    pub result: Cdf,
    /// The children's policy, summing to 1.
    pub policy: Vec<f32>,
    /// The distribution of the best child, errors independent.
    pub r_opt: Density,
    /// The distribution of the child that would be picked.
    pub r_pick: Density,
    /// The weight of r_opt (the essay's beta); `None` where the rule is no blend of r_opt and r_pick.
    pub blend: Option<f32>,
    /// The policy's entropy H in nats.
    pub entropy: f32,
    /// e^H: how many equally good children would be as uncertain.
    pub n_eff: f32,
    /// The essay's s: the expected number of children that are best, ties counted for each (1 <= s <= N).
    pub maximisers: f32,
    /// The numbers that were backed up instead of distributions.
    pub precursor: Option<Precursor>,
}

impl BackUp {
    #[must_use]
    pub fn new(rule: Rule, ties: Ties) -> BackUp {
        Self::with_path(rule, ties, Path::best())
    }

    /// With chosen instructions; the results don't depend on them.
    #[must_use]
    pub fn with_path(rule: Rule, ties: Ties, path: Path) -> BackUp {
        let rule = rule.clamped();
        BackUp {
            rule,
            ties,
            path,
            scratch: Scratch::new(),
            dependent: Dependent::of(rule),
            grid: rule.is_precursor().then(|| Box::new(Grid::sinh())),
            form: Form::default(),
        }
    }

    /// The same with what the essay leaves to choose about four numbers.
    #[must_use]
    pub fn with_form(mut self, form: Form) -> BackUp {
        self.form = form;
        self
    }

    /// The same for beliefs on another grid than that of chess, which only the precursors need to know.
    #[must_use]
    pub fn on(mut self, grid: &Grid) -> BackUp {
        if let Some(own) = &mut self.grid {
            **own = grid.clone();
        }
        self
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
        self.kernel(children, policy);
        if let Some((precursor, grid)) = self.precursor(children).zip(self.grid.as_deref()) {
            share_out(&precursor, policy);
            return precursor.node().belief(grid);
        }
        if let Some(dependent) = &self.dependent {
            return dependent.maximum(children);
        }
        let Scratch { product, least, .. } = &self.scratch;
        let mut joint = Row::ZERO;
        match self.rule {
            Rule::CuadrasAuge(_) => {
                for ((j, q), m) in joint.0.iter_mut().zip(&product.0).zip(&least.0) {
                    *j = (q * m).sqrt();
                }
            }
            Rule::Frechet(rho) => {
                for ((j, q), m) in joint.0.iter_mut().zip(&product.0).zip(&least.0) {
                    *j = (1.0 - rho) * q + rho * m;
                }
            }
            _ => {
                let entropy = match self.rule {
                    // Not asked for, and its logarithms cost a fifth of the back-up.
                    Rule::Optimal | Rule::Pick | Rule::Constant(_) => 0.0,
                    _ => entropy(policy),
                };
                let b = self.rule.blend(entropy, children.len()).unwrap_or(1.0);
                let pick = if b < 1.0 {
                    self.mix(children, policy)
                } else {
                    Row::ZERO
                };
                let picked = (1.0 - b) / f32::from(ONE);
                for ((j, q), k) in joint.0.iter_mut().zip(&product.0).zip(&pick.0) {
                    *j = b * q + picked * k;
                }
            }
        }
        store(&joint)
    }

    /// By the children's distributions alone.
    fn precursor(&self, children: &[Cdf]) -> Option<Precursor> {
        let numbers: Vec<Numbers> = children.iter().filter_map(|c| self.numbers(c)).collect();
        let optimal = self.optimal(&numbers, &vec![None; numbers.len()]);
        self.precursor_of(&numbers, optimal, true)
    }

    fn precursor_of(&self, numbers: &[Numbers], optimal: Vec<f64>, own: bool) -> Option<Precursor> {
        let blend = match self.rule {
            Rule::Svfc(b) => self.form.blend(b, own),
            _ => 0.0,
        };
        Precursor::of(numbers, optimal, &self.form, blend)
    }

    /// The numbers that the rule reads off a leaf's belief; `None` where it keeps none.
    #[must_use]
    pub fn numbers(&self, belief: &Cdf) -> Option<Numbers> {
        Numbers::read(self.rule, belief, self.grid.as_deref()?)
    }

    /// The b(i) of four numbers after one more back-up ([`Form::optimal`]); empty for other rules.
    #[must_use]
    pub fn optimal(&self, numbers: &[Numbers], before: &[Option<f64>]) -> Vec<f64> {
        self.form.optimal(&forms::four(numbers), before)
    }

    /// As [`BackUp::run`] where the children's numbers are known: `numbers` are the children's as they were kept, `optimal`
    /// their b(i), `own` says that the root's side is to move. `None` where the rule keeps no numbers.
    pub fn run_numbers(
        &mut self,
        children: &[Cdf],
        numbers: &[Numbers],
        optimal: Vec<f64>,
        own: bool,
        policy: &mut [f32],
    ) -> Option<(Cdf, Numbers)> {
        self.kernel(children, policy);
        let precursor = self.precursor_of(numbers, optimal, own)?;
        share_out(&precursor, policy);
        let node = precursor.node();
        Some((node.belief(self.grid.as_deref()?), node))
    }

    fn kernel(&mut self, children: &[Cdf], policy: &mut [f32]) {
        self.path.run(kernel::Run {
            scratch: &mut self.scratch,
            children,
            policy,
            ties: self.ties,
            whole: matches!(self.rule, Rule::Frechet(_)),
        });
    }

    fn mix(&self, children: &[Cdf], policy: &[f32]) -> Row {
        self.path.run(kernel::Mix { children, policy })
    }

    /// Everything that goes into [`BackUp::run`], for the inspector; slower.
    pub fn detail(&mut self, children: &[Cdf]) -> Detail {
        let mut policy = vec![0.0; children.len()];
        let result = self.run(children, &mut policy);
        let precursor = self.precursor(children);
        self.explain(children, policy, result, precursor)
    }

    /// Everything that goes into [`BackUp::run_numbers`]; `None` where the rule keeps no numbers.
    pub fn detail_of_numbers(
        &mut self,
        children: &[Cdf],
        numbers: &[Numbers],
        optimal: Vec<f64>,
        own: bool,
    ) -> Option<Detail> {
        let mut policy = vec![0.0; children.len()];
        let (result, _) = self.run_numbers(children, numbers, optimal.clone(), own, &mut policy)?;
        let precursor = self.precursor_of(numbers, optimal, own);
        Some(self.explain(children, policy, result, precursor))
    }

    fn explain(
        &self,
        children: &[Cdf],
        policy: Vec<f32>,
        result: Cdf,
        precursor: Option<Precursor>,
    ) -> Detail {
        let q: Vec<[f32; LANES]> = children.iter().map(Cdf::to_f32).collect();
        let entropy = entropy(&policy);
        Detail {
            rule: self.rule,
            result,
            r_opt: differences(&product(&q)),
            r_pick: differences(&pick(&q, &policy)),
            blend: self.rule.blend(entropy, children.len()),
            entropy,
            n_eff: entropy.exp(),
            maximisers: maximisers(&q),
            precursor,
            policy,
        }
    }
}

/// Four numbers have a policy of their own.
fn share_out(precursor: &Precursor, policy: &mut [f32]) {
    if let Precursor::Svfc { played, .. } = precursor {
        for (share, p) in policy.iter_mut().zip(played) {
            *share = *p as f32;
        }
    }
}

/// A row of the kernel as a belief.
fn store(joint: &Row) -> Cdf {
    // Adding 2^23 leaves the rounded integer in the low bits, and vectorises where a cast does not.
    let steps = joint
        .0
        .map(|q| (q * f32::from(ONE) + 8_388_608.0).to_bits() as u16);
    let mut cdf = Cdf([0; LANES]);
    cdf.0[..BINS].copy_from_slice(&steps[1..]);
    cdf.0[BINS - 1] = ONE;
    cdf
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

/// The essay's s = sum u_i, each u_i with the other children at the bin's upper end.
fn maximisers(q: &[[f32; LANES]]) -> f32 {
    let masses = q.iter().map(|q| differences(q).0);
    let masses: Vec<[f32; LANES]> = masses.collect();
    let mut sum = 0.0f64;
    for bin in 0..BINS {
        let q = q.iter().map(|q| f64::from(q[bin]));
        let product: f64 = q.clone().product();
        if product > 0.0 {
            let rates = masses.iter().zip(q).map(|(m, q)| f64::from(m[bin]) / q);
            sum += product * rates.sum::<f64>();
        }
    }
    sum as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::MIDDLE;

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
