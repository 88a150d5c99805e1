//! The inner loops of the back-up, written once over [`Lanes`].
//!
//! Let Q be the product of the children's CDFs and `rate_i` a child's density divided by its CDF. Child i is the best
//! in bin x with probability Q(x) rate_i(x) (the formula of the DISTRESS essay) or, if ties are split, with probability
//! rate_i(x) / sum rate(x) times the mass Q(x) - Q(x-1). The first pass computes Q, the smallest CDF and the rates from
//! the highest bin down. Where Q has vanished no child can be the best any more, so the remaining bins, often half of
//! them, are skipped. The second pass weights the rates.
//!
//! A row stores bin x at index x + 1, so that blocks of eight lanes fit the bins from the top; index 0 is empty.

use super::lanes::{Lanes, Task};
use super::{BINS, Cdf, LANES, ONE, Ties};

/// Products below this count as 0: they would change neither a 16-bit CDF nor a policy.
pub(super) const NOTHING: f32 = 1e-12;
/// Products are kept above this, because smaller ones soon become denormal and a hundred times slower. It is far enough
/// below [`NOTHING`], and leaves room for two more factors of 1/65535.
const FLOOR: f32 = 1e-27;
const UNIT: f32 = 1.0 / ONE as f32;
/// The number of eight-lane blocks in a row.
const BLOCKS: usize = LANES / 8;

/// All lanes, aligned to cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub [f32; LANES]);

impl Row {
    pub(super) const ZERO: Row = Row([0.0; LANES]);

    #[inline(always)]
    fn block(&self, k: usize) -> [f32; 8] {
        eight(&self.0, 8 * k)
    }

    #[inline(always)]
    fn set_block(&mut self, k: usize, x: [f32; 8]) {
        self.0[8 * k..8 * k + 8].copy_from_slice(&x);
    }
}

/// Copies eight neighbours as one load; gathering them one by one costs eight loads.
#[inline(always)]
fn eight<T: Copy + Default>(from: &[T; LANES], at: usize) -> [T; 8] {
    let mut x = [T::default(); 8];
    x.copy_from_slice(&from[at..at + 8]);
    x
}

/// The results of the kernel. Rows store bin x at index x + 1.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// Q = prod q_i, set to 0 where it is below [`NOTHING`].
    pub product: Row,
    /// min q_i. Valid where the product is not 0, or everywhere if [`Run::whole`] was set.
    pub least: Row,
    total_rate: Row,
    weight: Row,
    rates: Vec<Row>,
}

impl Scratch {
    pub(super) fn new() -> Scratch {
        Scratch {
            product: Row::ZERO,
            least: Row::ZERO,
            total_rate: Row::ZERO,
            weight: Row::ZERO,
            rates: Vec::new(),
        }
    }
}

/// The first half of a back-up: fills the policy and the product.
pub(super) struct Run<'a> {
    pub scratch: &'a mut Scratch,
    pub children: &'a [Cdf],
    pub policy: &'a mut [f32],
    pub ties: Ties,
    /// Whether the smallest CDF is also needed in the bins where the product has vanished.
    pub whole: bool,
}

impl Task for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let (scratch, children) = (self.scratch, self.children);
        if scratch.rates.len() < children.len() {
            scratch.rates.resize(children.len(), Row::ZERO);
        }
        touch(children);
        let first = match self.ties {
            Ties::Split => passes::<L, true>(lanes, scratch, children, self.whole),
            Ties::Essay => passes::<L, false>(lanes, scratch, children, self.whole),
        };
        scratch.product.0[..8 * first].fill(0.0);
        weigh(scratch, self.ties, first);
        shares(lanes, scratch, self.policy, first);
    }
}

/// Touches all the children's cache lines at once. If the children are not in the cache, this makes the back-up a sixth
/// faster than loading each line when the calculation reaches it.
#[inline(always)]
fn touch(children: &[Cdf]) {
    let lines = children.iter().map(|c| c.0[LANES - 1] | c.0[0]);
    std::hint::black_box(lines.fold(0, |all, c| all | c));
}

/// Runs the first pass over all blocks that matter and returns the lowest of them.
#[inline(always)]
fn passes<L: Lanes, const SPLIT: bool>(
    l: L,
    scratch: &mut Scratch,
    children: &[Cdf],
    whole: bool,
) -> usize {
    // Unrolled, so that each pass knows the positions of its lanes at compile time.
    macro_rules! passes {
        ($($block:literal)*) => {
            $(
                let lowest = pass::<L, $block, SPLIT>(l, scratch, children);
                if lowest < NOTHING && !whole {
                    return $block;
                }
            )*
        };
    }
    #[cfg(feature = "fine")]
    passes!(31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8);
    passes!(7 6 5 4 3 2 1 0);
    0
}

/// Returns the bins of block `k` of a child, and for each bin the one below it.
#[inline(always)]
fn bins_of(child: &Cdf, k: usize) -> ([u16; 8], [u16; 8]) {
    if k > 0 {
        return (eight(&child.0, 8 * k - 1), eight(&child.0, 8 * k - 2));
    }
    let lowest = eight(&child.0, 0);
    let (mut here, mut before) = ([0; 8], [0; 8]);
    here[1..].copy_from_slice(&lowest[..7]);
    before[2..].copy_from_slice(&lowest[..6]);
    (here, before)
}

/// Computes the product, the smallest CDF and the rates of one block. Returns the product in its lowest lane.
#[inline(always)]
fn pass<L: Lanes, const BLOCK: usize, const SPLIT: bool>(
    l: L,
    scratch: &mut Scratch,
    children: &[Cdf],
) -> f32 {
    let (unit, floor) = (l.splat(UNIT), l.splat(FLOOR));
    let unit2 = l.splat(UNIT * UNIT);
    let mut product = l.splat(1.0);
    let mut sums = Sums {
        rate: l.splat(0.0),
        least: l.splat(f32::from(ONE)),
    };
    let rates = &mut scratch.rates[..children.len()];
    let mut pairs = children.chunks_exact(2);
    let mut rate_pairs = rates.chunks_exact_mut(2);
    // Children are taken in pairs, which halves the chain of dependent multiplications.
    for (pair, rates) in pairs.by_ref().zip(rate_pairs.by_ref()) {
        if let ([a, b], [rate_a, rate_b]) = (pair, rates) {
            let q_a = child_in::<L, BLOCK, SPLIT>(l, a, rate_a, &mut sums);
            let q_b = child_in::<L, BLOCK, SPLIT>(l, b, rate_b, &mut sums);
            let both = l.mul(l.mul(q_a, q_b), unit2);
            product = l.max(l.mul(product, both), floor);
        }
    }
    if let ([a], [rate_a]) = (pairs.remainder(), rate_pairs.into_remainder()) {
        let q = child_in::<L, BLOCK, SPLIT>(l, a, rate_a, &mut sums);
        product = l.max(l.mul(product, l.mul(q, unit)), floor);
    }
    let product = l.store(product);
    scratch.product.set_block(BLOCK, product);
    scratch
        .least
        .set_block(BLOCK, l.store(l.mul(sums.least, unit)));
    scratch.total_rate.set_block(BLOCK, l.store(sums.rate));
    product[0]
}

/// What is accumulated over the children in one block: the sum of their rates, and the smallest CDF in steps of
/// 1/65535.
struct Sums<V> {
    rate: V,
    least: V,
}

/// Processes one child in a block: stores its rates, adds them to the sums, and returns its CDF in steps of 1/65535.
#[inline(always)]
fn child_in<L: Lanes, const BLOCK: usize, const SPLIT: bool>(
    l: L,
    child: &Cdf,
    rates: &mut Row,
    sums: &mut Sums<L::V>,
) -> L::V {
    let (here, before) = bins_of(child, BLOCK);
    let (q, before) = (l.widen(here), l.widen(before));
    let over = if SPLIT { l.add(q, before) } else { q };
    // Where the child has no mass up to this bin, both numbers are 0, and so is the rate.
    let rate = l.div(l.sub(q, before), l.max(over, l.splat(1.0)));
    rates.set_block(BLOCK, l.store(rate));
    sums.rate = l.add(sums.rate, rate);
    sums.least = l.min(sums.least, q);
    q
}

/// Computes the weight of a rate in each bin, from block `first` on.
#[inline(always)]
fn weigh(scratch: &mut Scratch, ties: Ties, first: usize) {
    let start = 8 * first;
    for q in &mut scratch.product.0[start..] {
        *q = if *q < NOTHING { 0.0 } else { *q };
    }
    match ties {
        Ties::Essay => scratch.weight = scratch.product,
        Ties::Split => {
            let mut before = [0.0; LANES];
            before[1..].copy_from_slice(&scratch.product.0[..BINS]);
            let masses = scratch
                .product
                .0
                .iter()
                .zip(before)
                .map(|(q, before)| q - before);
            let rates = scratch.total_rate.0.iter();
            for ((weight, mass), &rate) in scratch.weight.0.iter_mut().zip(masses).zip(rates) {
                // There is no mass without a rate; the bound only prevents 0/0.
                let bounded = if rate > 1e-9 { rate } else { 1e-9 };
                *weight = mass / bounded;
            }
        }
    }
}

/// Computes the policy: rates times weights, summed over the bins, as shares of their total.
#[inline(always)]
fn shares<L: Lanes>(l: L, scratch: &Scratch, policy: &mut [f32], first: usize) {
    let mut total = l.splat(0.0);
    for (share, rates) in policy.iter_mut().zip(&scratch.rates) {
        let mut sum = l.splat(0.0);
        for k in (first..BLOCKS).rev() {
            let rate = l.load(rates.block(k));
            sum = l.add(sum, l.mul(rate, l.load(scratch.weight.block(k))));
        }
        total = l.add(total, sum);
        *share = l.sum(sum);
    }
    // One child must be the best, so the total is 1 with split ties and at least 1 with the DISTRESS essay's formula,
    // within rounding.
    let scale = 1.0 / l.sum(total);
    for share in policy {
        *share *= scale;
    }
}

/// The mixture of the children's CDFs by policy, in steps of 1/65535; bin x at index x + 1.
pub(super) struct Mix<'a> {
    pub children: &'a [Cdf],
    pub policy: &'a [f32],
}

impl Task for Mix<'_> {
    type Output = Row;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Row {
        let mut out = Row::ZERO;
        for k in 0..BLOCKS {
            let mut sum = l.splat(0.0);
            for (child, &share) in self.children.iter().zip(self.policy) {
                let q = l.widen(bins_of(child, k).0);
                sum = l.add(sum, l.mul(q, l.splat(share)));
            }
            out.set_block(k, l.store(sum));
        }
        out
    }
}
