//! The back-up: derives a node's belief and policy from its children's beliefs.

use super::density::entropy;
use super::dependent::Dependent;
use super::forms::{self, Precursor};
use super::kernel::{self, Row, Scratch};
use super::lanes::Path;
use super::{BINS, Cdf, Density, Form, Grid, LANES, Numbers, ONE, Rule, Ties, blend};
use formula::Formula;

/// A back-up rule with its scratch memory, reusable for many nodes.
///
/// A child's worth u_i is the probability that it is the best one. In the DISTRESS essay u_i = sum_x p_i(x) prod_(k !=
/// i) q_k(x). With [`Ties::Split`] the children that are best in bin x share the product's mass in x in proportion to
/// p_i / (q_i - p_i/2), that is, to their densities divided by their CDFs at the middle of the bin. This takes one
/// division where the exact integral over the bin takes N/2 quadrature points. For leaves as wide as those of a search,
/// the policy is then off by about 1e-5 and at most 4e-4. Where atoms share a bin with wide beliefs it is off by a few
/// thousandths, and by at most .012 in the samples measured. Equal children always get equal shares.
///
/// The results are identical to the last bit, whichever vector instructions the processor has.
#[derive(Clone, Debug)]
pub struct BackUp {
    rule: Rule,
    ties: Ties,
    path: Path,
    scratch: Scratch,
    /// The table for the copulas that raise each CDF to a power.
    dependent: Option<Dependent>,
    /// The grid of the beliefs; only the precursors and the best child need it.
    grid: Option<Box<Grid>>,
    /// The choices that the rule with four numbers leaves open.
    form: Form,
    /// The blend of r_opt and r_pick, in place of the rule.
    formula: Option<Formula>,
    /// How often the formula had no finite value.
    undefined: u64,
}

/// Everything that went into one back-up, shown by the inspector.
#[derive(Clone, Debug)]
pub struct Detail {
    pub rule: Rule,
    /// The node's belief under the rule, as [`BackUp::run`] returns it.
    pub result: Cdf,
    /// The children's policy, summing to 1.
    pub policy: Vec<f32>,
    /// The distribution of the best child if errors are independent.
    pub r_opt: Density,
    /// The distribution of the child that would be picked.
    pub r_pick: Density,
    /// The weight of r_opt (β in the DISTRESS essay), or `None` if the rule does not blend r_opt and r_pick.
    pub blend: Option<f32>,
    /// What gave the blend.
    pub by: BlendedBy,
    /// The policy's entropy H in nats.
    pub entropy: f32,
    /// e^H: the number of equally good children that would give the same entropy.
    pub n_eff: f32,
    /// For each child the probability that it is at least as good as every other (u_i in the DISTRESS essay), where
    /// children that are best in the same bin all count.
    pub best: Vec<f32>,
    /// The expected number of best children, where tied children all count (s in the DISTRESS essay; 1 <= s <= N).
    pub maximisers: f32,
    /// The numbers backed up instead of distributions, if the rule is a precursor.
    pub precursor: Option<Precursor>,
}

/// What gives the weight of r_opt.
#[derive(Clone, Debug, PartialEq)]
pub enum BlendedBy {
    Rule,
    Formula(Formula),
    /// The rule, because the formula has no finite value there.
    RuleAfter(Formula),
}

/// Returns the belief of the child with the highest mean, the first of those that are level.
fn best_child(children: &[Cdf], grid: &Grid) -> Cdf {
    let means = children.iter().map(|child| child.mean(grid));
    let best = children
        .iter()
        .zip(means)
        .reduce(|best, next| match next.1 > best.1 {
            true => next,
            false => best,
        });
    let mut cdf = best.map_or(Cdf::atom(0), |(child, _)| *child);
    cdf.0[BINS] = 0;
    cdf
}

impl BackUp {
    pub fn new(rule: Rule, ties: Ties) -> BackUp {
        Self::with_path(rule, ties, Path::best())
    }

    /// Like [`BackUp::new`], but with chosen vector instructions; the results do not depend on them.
    pub fn with_path(rule: Rule, ties: Ties, path: Path) -> BackUp {
        let rule = rule.clamped();
        BackUp {
            rule,
            ties,
            path,
            scratch: Scratch::new(),
            dependent: Dependent::of(rule, path),
            grid: (rule.is_precursor() || rule == Rule::BestChild).then(|| Box::new(Grid::sinh())),
            form: Form::default(),
            formula: None,
            undefined: 0,
        }
    }

    /// Blends r_opt and r_pick by a formula of [`super::BLEND`]; where it has no finite value, the rule holds. The precursors
    /// take none.
    #[must_use]
    pub fn with_formula(mut self, formula: Formula) -> BackUp {
        self.formula = (!self.rule.is_precursor()).then_some(formula);
        self
    }

    /// Returns how often the formula of the blend had no finite value since this was asked last.
    pub fn take_undefined(&mut self) -> u64 {
        std::mem::take(&mut self.undefined)
    }

    /// Sets the choices that the DISTRESS essay leaves open for the four numbers.
    #[must_use]
    pub fn with_form(mut self, form: Form) -> BackUp {
        self.form = form;
        self
    }

    /// Sets the grid of the beliefs (by default that of chess). Only the precursors and the best child need to know it.
    #[must_use]
    pub fn on(mut self, grid: &Grid) -> BackUp {
        if let Some(own) = &mut self.grid {
            **own = grid.clone();
        }
        self
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    pub fn ties(&self) -> Ties {
        self.ties
    }

    /// Returns the node's belief and fills `policy` with the children's shares, which sum to 1.
    ///
    /// `children` are already in the node's own view, and `policy` has the same length. A lone child's belief is
    /// returned unchanged. Without children the result is the lowest bin, the maximum of an empty set.
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
        if self.formula.is_some() {
            match self.blend_by_formula(entropy(policy), children.len()) {
                Some(b) => return self.mixture(b, children, policy),
                None => self.undefined += 1,
            }
        }
        if let Some(dependent) = &self.dependent {
            return dependent.maximum(children);
        }
        if let (Rule::BestChild, Some(grid)) = (self.rule, self.grid.as_deref()) {
            return best_child(children, grid);
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
                    // These rules do not use the entropy, and its logarithms take a fifth of the back-up.
                    Rule::Optimal | Rule::Pick | Rule::Constant(_) => 0.0,
                    _ => entropy(policy),
                };
                let b = self.rule.blend(entropy, children.len()).unwrap_or(1.0);
                return self.mixture(b, children, policy);
            }
        }
        store(&joint)
    }

    /// The blend that the formula gives, if there is one and it has a finite value.
    fn blend_by_formula(&self, entropy: f32, n: usize) -> Option<f32> {
        blend::blend(self.formula.as_ref()?, entropy, n)
    }

    /// b r_opt + (1 - b) r_pick, after the kernel.
    fn mixture(&self, b: f32, children: &[Cdf], policy: &[f32]) -> Cdf {
        let pick = if b < 1.0 {
            self.mix(children, policy)
        } else {
            Row::ZERO
        };
        let picked = (1.0 - b) / f32::from(ONE);
        let mut joint = Row::ZERO;
        let both = self.scratch.product.0.iter().zip(&pick.0);
        for (j, (q, k)) in joint.0.iter_mut().zip(both) {
            *j = b * q + picked * k;
        }
        store(&joint)
    }

    /// Backs up the numbers that the children's distributions give.
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

    /// Returns the numbers that the rule reads off a leaf's belief, or `None` if it keeps none.
    pub fn numbers(&self, belief: &Cdf) -> Option<Numbers> {
        Numbers::read(self.rule, belief, self.grid.as_deref()?)
    }

    /// Returns the b(i) of the four numbers after one more back-up ([`Form::optimal`]); empty for the other rules.
    pub fn optimal(&self, numbers: &[Numbers], before: &[Option<f64>]) -> Vec<f64> {
        self.form.optimal(&forms::four(numbers), before)
    }

    /// Like [`BackUp::run`], but with known numbers: `numbers` are the ones kept at the children, `optimal` their b(i),
    /// and `own` says whether the root's side is to move. Returns `None` if the rule keeps no numbers.
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

    /// Returns everything that goes into [`BackUp::run`], for the inspector. Slower than `run`.
    pub fn detail(&mut self, children: &[Cdf]) -> Detail {
        let mut policy = vec![0.0; children.len()];
        let result = self.run(children, &mut policy);
        let precursor = self.precursor(children);
        self.explain(children, policy, result, precursor)
    }

    /// Returns everything that goes into [`BackUp::run_numbers`], or `None` if the rule keeps no numbers.
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
        let best = best(&q);
        let by_formula = self.blend_by_formula(entropy, children.len());
        Detail {
            rule: self.rule,
            result,
            r_opt: differences(&product(&q)),
            r_pick: differences(&pick(&q, &policy)),
            blend: by_formula.or_else(|| self.rule.blend(entropy, children.len())),
            by: match (&self.formula, by_formula) {
                (None, _) => BlendedBy::Rule,
                (Some(formula), Some(_)) => BlendedBy::Formula(formula.clone()),
                (Some(formula), None) => BlendedBy::RuleAfter(formula.clone()),
            },
            entropy,
            n_eff: entropy.exp(),
            maximisers: best.iter().sum::<f64>() as f32,
            best: best.into_iter().map(|u| u as f32).collect(),
            precursor,
            policy,
        }
    }
}

/// Writes the shares of the four numbers, which have a policy of their own.
fn share_out(precursor: &Precursor, policy: &mut [f32]) {
    if let Precursor::Svfc { played, .. } = precursor {
        for (share, p) in policy.iter_mut().zip(played) {
            *share = *p as f32;
        }
    }
}

/// Converts a row of the kernel to a belief.
fn store(joint: &Row) -> Cdf {
    // Adding 2^23 leaves the rounded integer in the low bits. Unlike a cast, it is vectorised.
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

/// Returns the u_i of the DISTRESS essay. There each of them takes the other children's CDFs at the upper end of the bin.
fn best(q: &[[f32; LANES]]) -> Vec<f64> {
    let masses = q.iter().map(|q| differences(q).0);
    let masses: Vec<[f32; LANES]> = masses.collect();
    let mut best = vec![0.0; q.len()];
    for bin in 0..BINS {
        let product: f64 = q.iter().map(|q| f64::from(q[bin])).product();
        if product > 0.0 {
            for ((u, mass), q) in best.iter_mut().zip(&masses).zip(q) {
                *u += product * f64::from(mass[bin]) / f64::from(q[bin]);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MIDDLE;

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
