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
        // From here on nothing is left, so that larger products need not fit 32 bits.
        let far = NOTHING / sharpness + 1;
        let mut below = [0; PADDED_MASSES];
        for (below, &z) in below.iter_mut().zip(&logits) {
            *below = ((highest.wrapping_sub(z) as u32 >> 10).min(far) * sharpness) >> 8;
        }
        let mut masses = [0; MASSES];
        for (mass, &below) in masses.iter_mut().zip(&below) {
            *mass = self.network.power(below);
        }
        cumulated(&masses)
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
    let mut lanes = [0; LANES];
    for (lane, part) in lanes[1..].iter_mut().zip(&sums) {
        let steps = (2.0 * f64::from(ONE) * part + sum) / (2.0 * sum);
        *lane = steps as i32 as u16;
    }
    lanes[BINS - 1] = ONE;
    lanes[BINS] = 0;
    Cdf(lanes)
}
