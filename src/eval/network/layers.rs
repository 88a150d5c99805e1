//! Dense layers and activations, and the value that they end in.

use shakmaty::{Chess, Position as _};

use super::lanes::{Lanes, Task};
use super::shape::{BOTH_BLOCKS, BUCKETS, Block, Bucket, Layer, SIDE_BLOCKS};
use super::{Accumulators, Network};

/// Values are cut off at ± this many centipawns.
const MOST_CENTIPAWNS: i64 = 10_000;
/// Centipawns for a 1 of the last layer.
const UNIT: i64 = 600;

impl<const BLOCKS: usize, const OUTPUTS: usize> Layer<BLOCKS, OUTPUTS> {
    /// Returns the sums of the layer's neurons, with 20 binary places. `OUTPUTS` is a multiple of 8.
    #[inline(always)]
    pub(super) fn sums<L: Lanes>(&self, l: L, input: &[Block; BLOCKS]) -> [i32; OUTPUTS] {
        let mut out = self.bias;
        let groups = self.weights.as_chunks::<8>().0;
        for (out, rows) in out.as_chunks_mut::<8>().0.iter_mut().zip(groups) {
            let mut sums = [l.zero(); 8];
            for (k, input) in input.iter().enumerate() {
                let input = l.load(input);
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum = l.add_products(*sum, input, l.load(&row[k]));
                }
            }
            for (out, total) in out.iter_mut().zip(l.totals(sums)) {
                *out += total;
            }
        }
        out
    }
}

/// Returns a hidden neuron's activation, with 12 binary places, for a sum with 10.
#[inline(always)]
pub(super) fn activation(sum: i32) -> i16 {
    let x = sum.clamp(0, 1023);
    ((x * x) >> 8) as i16
}

/// Returns the activations of hidden neurons, with 12 binary places, for sums with 20.
#[inline(always)]
pub(super) fn activations<const N: usize, const BLOCKS: usize>(sums: &[i32; N]) -> [Block; BLOCKS] {
    let mut blocks = [Block::ZERO; BLOCKS];
    for (block, sums) in blocks.iter_mut().zip(sums.chunks(16)) {
        for (word, sum) in block.0.iter_mut().zip(sums) {
            *word = activation(sum >> 10);
        }
    }
    blocks
}

impl Network {
    /// Returns the value in centipawns for the side to move, at most ±10,000.
    #[inline]
    pub fn value(&self, accumulators: &Accumulators, chess: &Chess) -> i32 {
        self.path.run(Value {
            network: self,
            accumulators,
            chess,
        })
    }

    /// The last layers for a position with as many pieces.
    #[inline(always)]
    pub(super) fn bucket(&self, chess: &Chess) -> &Bucket {
        let men = chess.board().occupied().count();
        &self.buckets[(men.saturating_sub(1) / 4).min(BUCKETS - 1)]
    }
}

/// Sets `out` to the activations of the accumulators, those of the side to move first. Returned, they would be copied.
#[inline(always)]
pub(super) fn activate<L: Lanes>(
    l: L,
    accumulators: &Accumulators,
    chess: &Chess,
    out: &mut [Block; BOTH_BLOCKS],
) {
    let us = chess.turn();
    let (own, other) = out.split_at_mut(SIDE_BLOCKS);
    for (out, color) in [(own, us), (other, !us)] {
        for (out, x) in out.iter_mut().zip(accumulators.of(color)) {
            *out = l.store(l.activate(l.load(x)));
        }
    }
}

struct Value<'a> {
    network: &'a Network,
    accumulators: &'a Accumulators,
    chess: &'a Chess,
}

impl Task for Value<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> i32 {
        let bucket = self.network.bucket(self.chess);
        let mut a = [Block::ZERO; BOTH_BLOCKS];
        activate(l, self.accumulators, self.chess, &mut a);
        let x: [Block; 1] = activations(&bucket.value_1.sums(l, &a));
        let [y]: [Block; 1] = activations(&bucket.value_2.sums(l, &x));
        let last = &bucket.value_3;
        let products = l.add_products(l.zero(), l.load(&y), l.load(&last.weights[0][0]));
        let sum = i64::from(l.total(products) + last.bias[0]);
        ((sum * UNIT) >> 20).clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS) as i32
    }
}
