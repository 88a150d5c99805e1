//! Sixteen 16-bit lanes with the best instructions that the processor offers: plain arrays, or AVX2 chosen at run time.
//!
//! Everything is integer arithmetic without overflow, so both paths give the same bits.

use super::shape::Block;

/// Operations on vectors of sixteen `i16` and of eight `i32`.
pub(super) trait Lanes: Copy {
    type Words: Copy;
    type Sums: Copy;

    fn load(self, x: &Block) -> Self::Words;
    fn store(self, x: Self::Words) -> Block;
    /// Adds modulo 2^16.
    fn add(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Subtracts modulo 2^16.
    fn sub(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// clamp(x, 0, 255)² >> 4: from an accumulator to an activation.
    fn activate(self, x: Self::Words) -> Self::Words;
    fn zero(self) -> Self::Sums;
    /// Multiplies lane by lane and adds the products of each two neighbours to a sum.
    fn add_products(self, sums: Self::Sums, a: Self::Words, b: Self::Words) -> Self::Sums;
    /// Adds up the lanes of each of eight vectors.
    fn totals(self, sums: [Self::Sums; 8]) -> [i32; 8];
    /// Adds up the lanes.
    fn total(self, sums: Self::Sums) -> i32;
}

/// A computation that can run with any of the vector paths.
pub(super) trait Task {
    type Output;

    /// Must be inlined all the way down, or the vector instructions are lost.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// The instructions that the network uses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path {
    /// Plain arrays.
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
}

impl Path {
    /// Returns the fastest path that this processor supports.
    pub fn best() -> Path {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = x86::Avx2::try_new() {
            return Path::Avx2(lanes);
        }
        Path::Plain
    }

    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            Path::Plain => task.run(Plain),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(lanes) => lanes.run(task),
        }
    }
}

/// Plain arrays, for processors without a path of their own and as a check on the other path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

impl Lanes for Plain {
    type Words = [i16; 16];
    type Sums = [i32; 8];

    #[inline(always)]
    fn load(self, x: &Block) -> [i16; 16] {
        x.0
    }
    #[inline(always)]
    fn store(self, x: [i16; 16]) -> Block {
        Block(x)
    }
    #[inline(always)]
    fn add(self, a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        std::array::from_fn(|i| a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn sub(self, a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        std::array::from_fn(|i| a[i].wrapping_sub(b[i]))
    }
    #[inline(always)]
    fn activate(self, x: [i16; 16]) -> [i16; 16] {
        x.map(|x| {
            let x = x.clamp(0, 255) as u16;
            ((x * x) >> 4) as i16
        })
    }
    #[inline(always)]
    fn zero(self) -> [i32; 8] {
        [0; 8]
    }
    #[inline(always)]
    fn add_products(self, sums: [i32; 8], a: [i16; 16], b: [i16; 16]) -> [i32; 8] {
        let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
        std::array::from_fn(|i| sums[i] + product(2 * i) + product(2 * i + 1))
    }
    #[inline(always)]
    fn totals(self, sums: [[i32; 8]; 8]) -> [i32; 8] {
        sums.map(|sums| self.total(sums))
    }
    #[inline(always)]
    fn total(self, sums: [i32; 8]) -> i32 {
        sums.iter().sum()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::__m256i;

    use bytemuck::cast;
    use pulp::NullaryFnOnce;
    use pulp::x86::V3;

    use super::{Block, Lanes, Task};

    /// One vector of sixteen. The token proves that the processor has AVX2.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(V3);

    impl Avx2 {
        pub(super) fn try_new() -> Option<Avx2> {
            V3::try_new().map(Avx2)
        }

        #[inline(always)]
        pub(super) fn run<T: Task>(self, task: T) -> T::Output {
            self.0.vectorize(Call { lanes: self, task })
        }
    }

    /// A struct instead of a closure, because a closure is not guaranteed to be inlined.
    struct Call<T> {
        lanes: Avx2,
        task: T,
    }

    impl<T: Task> NullaryFnOnce for Call<T> {
        type Output = T::Output;

        #[inline(always)]
        fn call(self) -> T::Output {
            self.task.run(self.lanes)
        }
    }

    impl Lanes for Avx2 {
        type Words = __m256i;
        type Sums = __m256i;

        #[inline(always)]
        fn load(self, x: &Block) -> __m256i {
            cast(x.0)
        }
        #[inline(always)]
        fn store(self, x: __m256i) -> Block {
            Block(cast(x))
        }
        #[inline(always)]
        fn add(self, a: __m256i, b: __m256i) -> __m256i {
            self.0.avx2._mm256_add_epi16(a, b)
        }
        #[inline(always)]
        fn sub(self, a: __m256i, b: __m256i) -> __m256i {
            self.0.avx2._mm256_sub_epi16(a, b)
        }
        #[inline(always)]
        fn activate(self, x: __m256i) -> __m256i {
            let (avx, avx2) = (self.0.avx, self.0.avx2);
            let positive = avx2._mm256_max_epi16(x, avx._mm256_setzero_si256());
            let clamped = avx2._mm256_min_epi16(positive, avx._mm256_set1_epi16(255));
            avx2._mm256_srli_epi16::<4>(avx2._mm256_mullo_epi16(clamped, clamped))
        }
        #[inline(always)]
        fn zero(self) -> __m256i {
            self.0.avx._mm256_setzero_si256()
        }
        #[inline(always)]
        fn add_products(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
            let avx2 = self.0.avx2;
            avx2._mm256_add_epi32(sums, avx2._mm256_madd_epi16(a, b))
        }
        #[inline(always)]
        fn totals(self, s: [__m256i; 8]) -> [i32; 8] {
            let avx2 = self.0.avx2;
            let four = |a, b, c, d| {
                avx2._mm256_hadd_epi32(avx2._mm256_hadd_epi32(a, b), avx2._mm256_hadd_epi32(c, d))
            };
            let (a, b) = (four(s[0], s[1], s[2], s[3]), four(s[4], s[5], s[6], s[7]));
            // The lower half of each vector still lacks the sums of its upper half.
            let lower = avx2._mm256_permute2x128_si256::<0x20>(a, b);
            let upper = avx2._mm256_permute2x128_si256::<0x31>(a, b);
            cast(avx2._mm256_add_epi32(lower, upper))
        }
        #[inline(always)]
        fn total(self, sums: __m256i) -> i32 {
            let (sse2, avx2) = (self.0.sse2, self.0.avx2);
            let four = sse2._mm_add_epi32(
                self.0.avx._mm256_castsi256_si128(sums),
                avx2._mm256_extracti128_si256::<1>(sums),
            );
            let two = sse2._mm_add_epi32(four, sse2._mm_shuffle_epi32::<0b0100_1110>(four));
            let one = sse2._mm_add_epi32(two, sse2._mm_shuffle_epi32::<0b1011_0001>(two));
            sse2._mm_cvtsi128_si32(one)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Everything([Block; 9]);

    impl Task for Everything {
        type Output = (Vec<Block>, [i32; 8], i32);

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Self::Output {
            let words = self.0.map(|x| l.load(&x));
            let mut sums = [l.zero(); 8];
            for (sum, &word) in sums.iter_mut().zip(&words) {
                *sum = l.add_products(*sum, word, l.activate(words[8]));
            }
            let blocks = words
                .iter()
                .flat_map(|&x| [l.add(x, words[8]), l.sub(x, words[8]), l.activate(x)])
                .map(|x| l.store(x))
                .collect();
            (blocks, l.totals(sums), l.total(sums[3]))
        }
    }

    #[test]
    fn all_paths_compute_the_same() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..200 {
            let mut words = [Block::ZERO; 9];
            for word in words.iter_mut().flat_map(|block| &mut block.0) {
                *word = match random.u8(..4) {
                    0 => random.i16(..),
                    _ => random.i16(-300..300),
                };
            }
            let plain = Path::Plain.run(Everything(words));
            assert_eq!(Path::best().run(Everything(words)), plain);
        }
    }
}
