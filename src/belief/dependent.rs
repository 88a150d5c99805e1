//! Dependent maxima that need a power or a logarithm of each CDF, tabulated for the 65,536 values that a stored CDF can
//! have.

use super::lanes::{Lanes, Path, Task};
use super::{BINS, Cdf, LANES, ONE, Rule};

/// (-ln q)^theta for every 16-bit q, in `f64` for its range (512 KiB). A back-up of 32 children takes about 3 µs. The copula
/// of Gumbel with theta = 2, DISTRESS's default, needs no table ([`Squares`]).
#[derive(Clone, Debug)]
pub(super) struct Dependent {
    form: Form,
    path: Path,
    /// Infinite at q = 0. Empty for [`Form::Squares`].
    terms: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    CuadrasAuge(f64),
    Gumbel(f64),
    /// Gumbel's with theta = 2.
    Squares,
}

impl Dependent {
    /// Returns the table for the rules that need one: [`Rule::Gumbel`], and [`Rule::CuadrasAuge`] except at 1/2.
    pub(super) fn of(rule: Rule, path: Path) -> Option<Dependent> {
        let (form, theta) = match rule {
            Rule::Gumbel(2.0) => {
                return Some(Dependent {
                    form: Form::Squares,
                    path,
                    terms: Vec::new(),
                });
            }
            Rule::CuadrasAuge(a) if a != 0.5 => (Form::CuadrasAuge(f64::from(a)), 1.0),
            Rule::Gumbel(theta) => (Form::Gumbel(f64::from(theta)), f64::from(theta)),
            _ => return None,
        };
        let term = |c: u16| (-(f64::from(c) / f64::from(ONE)).ln()).powf(theta);
        Some(Dependent {
            form,
            path,
            terms: (0..=ONE).map(term).collect(),
        })
    }

    pub(super) fn maximum(&self, children: &[Cdf]) -> Cdf {
        if matches!(self.form, Form::Squares) {
            return self.path.run(Squares { children });
        }
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
            Form::Squares => (-sum.sqrt()).exp(),
        };
        q as f32
    }
}

/// exp(-sqrt(sum of (ln q)^2)) over the children, in plain arithmetic that the compiler turns into vectors.
struct Squares<'a> {
    children: &'a [Cdf],
}

impl Task for Squares<'_> {
    type Output = Cdf;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Cdf {
        let mut sums = [0.0f32; LANES];
        let mut least = [ONE; LANES];
        for child in self.children {
            for ((sum, least), &c) in sums.iter_mut().zip(&mut least).zip(&child.0) {
                let x = logarithm(c);
                *sum += x * x;
                *least = (*least).min(c);
            }
        }
        let mut joint = [0.0f32; LANES];
        for ((joint, sum), least) in joint.iter_mut().zip(&sums).zip(&least) {
            let q = exponential(-sum.sqrt());
            *joint = if *least == 0 { 0.0 } else { q };
        }
        joint[BINS] = 0.0;
        Cdf::from_f32(&joint)
    }
}

/// ln(c / 65535) to about 5e-7, 0 at 65535; that of 1 for 0.
#[inline(always)]
fn logarithm(c: u16) -> f32 {
    /// 65535 / 65536 as a logarithm.
    const ONE_LESS: f32 = -1.525_890_2e-5;
    /// The bits of the square root of 1/2, below which a mantissa counts to the next exponent.
    const HALF_ROOT: u32 = 0x3f35_04f3;
    let bits = f32::from(c.max(1)).to_bits();
    // x = 2^exponent m with m between sqrt(1/2) and sqrt 2.
    let exponent = (bits.wrapping_sub(HALF_ROOT) as i32) >> 23;
    let m = f32::from_bits(bits.wrapping_sub((exponent << 23) as u32));
    // ln m = 2 artanh((m - 1)/(m + 1)).
    let t = (m - 1.0) / (m + 1.0);
    let s = t * t;
    let series = 2.0 * t * (1.0 + s * (1.0 / 3.0 + s * (0.2 + s * (1.0 / 7.0 + s / 9.0))));
    let x = (exponent - 16) as f32 * std::f32::consts::LN_2 + (series - ONE_LESS);
    x.min(0.0)
}

/// e^x for x at most 0, to a relative error of about 2e-7; about 0 below -87.
#[inline(always)]
fn exponential(x: f32) -> f32 {
    /// The part of ln 2 that is exact in few bits, and the rest.
    const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);
    let x = x.max(-87.0);
    // e^x = 2^n e^r with r between -ln(2)/2 and ln(2)/2. Adding 1.5 2^23 rounds to a whole number.
    let n = x * std::f32::consts::LOG2_E + 12_582_912.0 - 12_582_912.0;
    let r = x - n * LN_2.0 - n * LN_2.1;
    let e = 1.0
        + r * (1.0
            + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r / 720.0)))));
    e * f32::from_bits(((n as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_and_the_exponential_are_accurate() {
        for c in 1..=ONE {
            let exact = (f64::from(c) / f64::from(ONE)).ln();
            let off = f64::from(logarithm(c)) - exact;
            assert!(off.abs() < 5e-7 * exact.abs().max(1.0), "{c}: {off:e}");
        }
        assert!(logarithm(ONE).abs() < 1e-9);
        for step in 0..87_000 {
            let x = -(step as f32) / 1_000.0;
            let exact = f64::from(x).exp();
            let off = f64::from(exponential(x)) / exact - 1.0;
            assert!(off.abs() < 5e-7, "{x}: {off:e}");
        }
        assert_eq!(exponential(0.0), 1.0);
    }

    /// The same rule by the table, as another theta next to 2 has it.
    #[test]
    fn squares_agree_with_the_table_on_every_path() {
        let mut random = fastrand::Rng::with_seed(7);
        for n in [2, 3, 17, 60] {
            let child = |random: &mut fastrand::Rng| {
                let mut lanes = [0u16; LANES];
                lanes[..BINS].fill_with(|| random.u16(..));
                lanes[..BINS].sort_unstable();
                lanes[BINS - 1] = ONE;
                Cdf(lanes)
            };
            let children: Vec<Cdf> = (0..n).map(|_| child(&mut random)).collect();
            let near = Rule::Gumbel(2.000_001);
            let table = Dependent::of(near, Path::Plain)
                .expect("a table")
                .maximum(&children);
            let plain = Dependent::of(Rule::Gumbel(2.0), Path::Plain);
            let plain = plain.expect("squares").maximum(&children);
            for (a, b) in plain.0.iter().zip(&table.0) {
                assert!((i32::from(*a) - i32::from(*b)).abs() <= 1, "{a} {b}");
            }
            for path in Path::all() {
                let found = Dependent::of(Rule::Gumbel(2.0), path).expect("squares");
                assert_eq!(found.maximum(&children), plain, "{}", path.name());
            }
        }
    }
}
