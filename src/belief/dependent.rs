//! Dependent maxima that need a power or a logarithm of each CDF, tabulated for the 65,536 values that a stored CDF can
//! have.

use super::{BINS, Cdf, LANES, ONE, Rule};

/// (-ln q)^theta for every 16-bit q, in `f64` for its range (512 KiB). A back-up of 32 children takes about 3 µs; the
/// default rule takes a fraction of one.
#[derive(Clone, Debug)]
pub(super) struct Dependent {
    form: Form,
    /// Infinite at q = 0.
    terms: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    CuadrasAuge(f64),
    Gumbel(f64),
}

impl Dependent {
    /// Returns the table for the rules that need one: [`Rule::Gumbel`], and [`Rule::CuadrasAuge`] except at 1/2.
    pub(super) fn of(rule: Rule) -> Option<Dependent> {
        let (form, theta) = match rule {
            Rule::CuadrasAuge(a) if a != 0.5 => (Form::CuadrasAuge(f64::from(a)), 1.0),
            Rule::Gumbel(theta) => (Form::Gumbel(f64::from(theta)), f64::from(theta)),
            _ => return None,
        };
        let term = |c: u16| (-(f64::from(c) / f64::from(ONE)).ln()).powf(theta);
        Some(Dependent {
            form,
            terms: (0..=ONE).map(term).collect(),
        })
    }

    pub(super) fn maximum(&self, children: &[Cdf]) -> Cdf {
        let mut sums = [0.0f64; LANES];
        let mut least = [ONE; LANES];
        for child in children {
            for bin in 0..BINS {
                let c = child.0[bin];
                sums[bin] += self.terms[usize::from(c)];
                least[bin] = least[bin].min(c);
            }
        }
        let mut joint = [0.0; LANES];
        for bin in 0..BINS {
            joint[bin] = self.joint(sums[bin], least[bin]);
        }
        Cdf::from_f32(&joint)
    }

    fn joint(&self, sum: f64, least: u16) -> f32 {
        if least == 0 {
            return 0.0;
        }
        let q = match self.form {
            Form::CuadrasAuge(a) => {
                let least = (f64::from(least) / f64::from(ONE)).ln();
                (a * least - (1.0 - a) * sum).exp()
            }
            Form::Gumbel(theta) => (-sum.powf(1.0 / theta)).exp(),
        };
        q as f32
    }
}
