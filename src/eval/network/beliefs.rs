//! The belief: masses of the bins of the grid, from logits to the base 2.

use shakmaty::{Chess, Position as _};

use super::lanes::{Lanes, Task};
use super::layers::activations;
use super::shape::{BELIEF_BLOCKS, Block, MASSES, PADDED_MASSES, POWERS};
use super::{HiddenLayer, Network};
use belief::{BINS, Cdf, LANES, ONE};

impl Network {
    /// Returns the belief about the expected score, from the view of the side to move. Nothing of it is certain.
    ///
    /// `hidden` belongs to the same position. The network's masses are those of the grid's own bins, so they become a
    /// [`Cdf`] by adding up alone; each of its steps is the nearest to the exact sum.
    pub fn belief(&self, hidden: &HiddenLayer, chess: &Chess) -> Cdf {
        self.path.run(Belief {
            network: self,
            hidden,
            chess,
        })
    }

    /// Returns 2^30 · 2^-below, rounded down, for a logit that is so far below the highest one, with 10 binary places.
    #[inline(always)]
    pub(super) fn power(&self, below: u32) -> u32 {
        let octaves = below / POWERS as u32;
        // No entry is above 2^30, so 31 octaves leave nothing.
        self.powers[below as usize % POWERS] >> octaves.min(31)
    }
}

struct Belief<'a> {
    network: &'a Network,
    hidden: &'a HiddenLayer,
    chess: &'a Chess,
}

impl Task for Belief<'_> {
    type Output = Cdf;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Cdf {
        let bucket = self.network.bucket(self.chess);
        let x: [Block; BELIEF_BLOCKS] = activations(&bucket.belief_2.sums(l, &self.hidden.neurons));
        let logits = bucket.belief_3.sums(l, &x);
        let inner = &logits[..MASSES];
        let highest = inner.iter().fold(i32::MIN, |a, &b| a.max(b));
        let board = self.chess.board();
        let state = self.hidden.threats.state(board, self.chess.turn());
        // Reading the file has made sure that it is positive.
        let sharpness = u32::from(bucket.sharpness[state].unsigned_abs()).max(1);
        let masses = self.masses(&logits, highest, sharpness);
        let blurred = self.network.blurred(sharpness, &masses);
        if blurred == sharpness {
            return cumulated(&masses);
        }
        cumulated(&self.masses(&logits, highest, blurred))
    }
}

impl Belief<'_> {
    #[inline(always)]
    fn masses(&self, logits: &[i32; PADDED_MASSES], highest: i32, sharpness: u32) -> [u32; MASSES] {
        // From here on nothing is left, so that larger products need not fit 32 bits.
        let far = NOTHING / sharpness + 1;
        let mut below = [0; PADDED_MASSES];
        for (below, &z) in below.iter_mut().zip(logits) {
            *below = ((highest.wrapping_sub(z) as u32 >> 10).min(far) * sharpness) >> 8;
        }
        let mut masses = [0; MASSES];
        for (mass, &below) in masses.iter_mut().zip(&below) {
            *mass = self.network.power(below);
        }
        masses
    }
}

impl Network {
    /// The sharpness of a belief that has these masses with another one. A wide belief is too sure of itself about
    /// positions that no training has seen, a narrow one is not.
    fn blurred(&self, sharpness: u32, masses: &[u32; MASSES]) -> u32 {
        let [start, by] = self.blur.map(|x| u64::from(x.unsigned_abs()));
        // log2 of the sum over the highest mass, by straight lines between whole octaves, with 10 binary places.
        let sum: u64 = masses.iter().map(|&mass| u64::from(mass)).sum();
        let octaves = u64::from(sum.ilog2()) - 30;
        let width = (octaves << 10) + (((sum >> octaves) - (1 << 30)) >> 20);
        let below = (width.saturating_sub(start) * by) >> 10;
        let blurred = (u64::from(sharpness) * u64::from(self.power(below as u32))) >> 30;
        (blurred as u32).max(1)
    }
}

/// 31 octaves with 18 binary places: a bin that is so far below the likeliest has no mass.
const NOTHING: u32 = (31 * POWERS as u32) << 8;

/// Returns the CDF of masses in the inner bins: the sum so far, over the whole sum, in steps of 1/65,535.
///
/// Numerators stay below 2^53 and denominators below 2^37, so the quotients of floating point numbers round down to the
/// same integers as those of the integers would.
#[inline(always)]
fn cumulated(masses: &[u32; MASSES]) -> Cdf {
    let mut sums = [0.0; MASSES];
    let mut sum = 0.0;
    for (out, &mass) in sums.iter_mut().zip(masses) {
        sum += f64::from(mass);
        *out = sum;
    }
    if BINS != MASSES + 2 {
        return finer(&sums);
    }
    let mut lanes = [0; LANES];
    for (lane, part) in lanes[1..].iter_mut().zip(&sums) {
        let steps = (2.0 * f64::from(ONE) * part + sum) / (2.0 * sum);
        *lane = steps as i32 as u16;
    }
    lanes[BINS - 1] = ONE;
    lanes[BINS] = 0;
    Cdf(lanes)
}

/// The same on a finer grid: straight lines between the sums. Both grids' edges are even in the variable of [`Grid::sinh`].
///
/// [`Grid::sinh`]: belief::Grid::sinh
fn finer(sums: &[f64; MASSES]) -> Cdf {
    let whole = sums[MASSES - 1];
    let lanes = std::array::from_fn(|bin| {
        // The end bins mean certainty on both grids.
        let place = (bin + 1) as f64 * (MASSES + 2) as f64 / BINS as f64 - 1.0;
        let below = place.clamp(0.0, MASSES as f64);
        let i = below as usize;
        let at = |i: usize| i.checked_sub(1).map_or(0.0, |i| sums[i.min(MASSES - 1)]);
        let sum = at(i) + below.fract() * (at(i + 1) - at(i));
        (sum / whole) as f32
    });
    Cdf::from_f32(&lanes)
}
