//! Eight `f32` lanes with the best instructions that the processor offers: plain arrays, SSE2 (every x86-64) or AVX2
//! (chosen at run time).
//!
//! All three perform the same IEEE operations in the same order and never fuse a multiplication with an addition, so
//! their results are bit-for-bit the same.

/// Operations on vectors of eight `f32`. The input never contains a NaN.
pub(super) trait Lanes: Copy {
    type V: Copy;

    fn splat(self, x: f32) -> Self::V;
    /// Converts eight 16-bit numbers to `f32`.
    fn widen(self, x: [u16; 8]) -> Self::V;
    fn load(self, x: [f32; 8]) -> Self::V;
    fn store(self, x: Self::V) -> [f32; 8];
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// Sums the lanes in this order: (0+4)+(2+6) + (1+5)+(3+7).
    fn sum(self, x: Self::V) -> f32;
}

/// A computation that can run with any of the vector paths.
pub(super) trait Task {
    type Output;

    /// Must be inlined all the way down, or the vector instructions are lost.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// The instructions that the back-up uses.
#[derive(Clone, Copy, Debug)]
pub enum Path {
    /// Plain arrays.
    Plain,
    #[cfg(target_arch = "x86_64")]
    Sse2(Sse2),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

impl Path {
    /// Returns all paths that this processor supports, the fastest last.
    pub fn all() -> Vec<Path> {
        #[allow(unused_mut)]
        let mut paths = vec![Path::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            paths.extend(Sse2::try_new().map(Path::Sse2));
            paths.extend(Avx2::try_new().map(Path::Avx2));
        }
        paths
    }

    /// Returns the fastest path that this processor supports.
    pub fn best() -> Path {
        Path::all().pop().unwrap_or(Path::Plain)
    }

    pub fn name(self) -> &'static str {
        match self {
            Path::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Path::Sse2(_) => "sse2",
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(_) => "avx2",
        }
    }

    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            Path::Plain => task.run(Plain),
            #[cfg(target_arch = "x86_64")]
            Path::Sse2(lanes) => task.run(lanes),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(lanes) => lanes.run(task),
        }
    }
}

/// Plain arrays, for processors without a path of their own and as a check on the other paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

fn zip(a: [f32; 8], b: [f32; 8], f: impl Fn(f32, f32) -> f32) -> [f32; 8] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl Lanes for Plain {
    type V = [f32; 8];

    #[inline(always)]
    fn splat(self, x: f32) -> [f32; 8] {
        [x; 8]
    }
    #[inline(always)]
    fn widen(self, x: [u16; 8]) -> [f32; 8] {
        x.map(f32::from)
    }
    #[inline(always)]
    fn load(self, x: [f32; 8]) -> [f32; 8] {
        x
    }
    #[inline(always)]
    fn store(self, x: [f32; 8]) -> [f32; 8] {
        x
    }
    #[inline(always)]
    fn add(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        zip(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        zip(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        zip(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        zip(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn min(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        zip(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn sum(self, x: [f32; 8]) -> f32 {
        let four: [f32; 4] = std::array::from_fn(|i| x[i] + x[i + 4]);
        (four[0] + four[2]) + (four[1] + four[3])
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Sse2};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__m128, __m256};

    use bytemuck::cast;
    use pulp::NullaryFnOnce;
    use pulp::core_arch::x86;
    use pulp::x86::V3;

    use super::{Lanes, Task};

    /// Two vectors of four, available on every x86-64.
    #[derive(Clone, Copy, Debug)]
    pub struct Sse2 {
        sse: x86::Sse,
        sse2: x86::Sse2,
    }

    impl Sse2 {
        pub(crate) fn try_new() -> Option<Sse2> {
            let (sse, sse2) = (x86::Sse::try_new()?, x86::Sse2::try_new()?);
            Some(Sse2 { sse, sse2 })
        }
    }

    type Pair = (__m128, __m128);

    impl Lanes for Sse2 {
        type V = Pair;

        #[inline(always)]
        fn splat(self, x: f32) -> Pair {
            (self.sse._mm_set1_ps(x), self.sse._mm_set1_ps(x))
        }
        #[inline(always)]
        fn widen(self, x: [u16; 8]) -> Pair {
            let (x, zero) = (cast(x), self.sse2._mm_setzero_si128());
            (
                self.sse2
                    ._mm_cvtepi32_ps(self.sse2._mm_unpacklo_epi16(x, zero)),
                self.sse2
                    ._mm_cvtepi32_ps(self.sse2._mm_unpackhi_epi16(x, zero)),
            )
        }
        #[inline(always)]
        fn load(self, x: [f32; 8]) -> Pair {
            let [a, b]: [__m128; 2] = cast(x);
            (a, b)
        }
        #[inline(always)]
        fn store(self, x: Pair) -> [f32; 8] {
            cast([x.0, x.1])
        }
        #[inline(always)]
        fn add(self, a: Pair, b: Pair) -> Pair {
            (self.sse._mm_add_ps(a.0, b.0), self.sse._mm_add_ps(a.1, b.1))
        }
        #[inline(always)]
        fn sub(self, a: Pair, b: Pair) -> Pair {
            (self.sse._mm_sub_ps(a.0, b.0), self.sse._mm_sub_ps(a.1, b.1))
        }
        #[inline(always)]
        fn mul(self, a: Pair, b: Pair) -> Pair {
            (self.sse._mm_mul_ps(a.0, b.0), self.sse._mm_mul_ps(a.1, b.1))
        }
        #[inline(always)]
        fn div(self, a: Pair, b: Pair) -> Pair {
            (self.sse._mm_div_ps(a.0, b.0), self.sse._mm_div_ps(a.1, b.1))
        }
        #[inline(always)]
        fn min(self, a: Pair, b: Pair) -> Pair {
            (self.sse._mm_min_ps(a.0, b.0), self.sse._mm_min_ps(a.1, b.1))
        }
        #[inline(always)]
        fn max(self, a: Pair, b: Pair) -> Pair {
            (self.sse._mm_max_ps(a.0, b.0), self.sse._mm_max_ps(a.1, b.1))
        }
        #[inline(always)]
        fn sum(self, x: Pair) -> f32 {
            let four = self.sse._mm_add_ps(x.0, x.1);
            let two = self
                .sse
                ._mm_add_ps(four, self.sse._mm_movehl_ps(four, four));
            self.sse._mm_cvtss_f32(
                self.sse
                    ._mm_add_ss(two, self.sse._mm_shuffle_ps::<1>(two, two)),
            )
        }
    }

    /// One vector of eight. The token proves that the processor has AVX2.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(V3);

    impl Avx2 {
        pub(crate) fn try_new() -> Option<Avx2> {
            V3::try_new().map(Avx2)
        }

        pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
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
        type V = __m256;

        #[inline(always)]
        fn splat(self, x: f32) -> __m256 {
            self.0.avx._mm256_set1_ps(x)
        }
        #[inline(always)]
        fn widen(self, x: [u16; 8]) -> __m256 {
            let integers = self.0.avx2._mm256_cvtepu16_epi32(cast(x));
            self.0.avx._mm256_cvtepi32_ps(integers)
        }
        #[inline(always)]
        fn load(self, x: [f32; 8]) -> __m256 {
            cast(x)
        }
        #[inline(always)]
        fn store(self, x: __m256) -> [f32; 8] {
            cast(x)
        }
        #[inline(always)]
        fn add(self, a: __m256, b: __m256) -> __m256 {
            self.0.avx._mm256_add_ps(a, b)
        }
        #[inline(always)]
        fn sub(self, a: __m256, b: __m256) -> __m256 {
            self.0.avx._mm256_sub_ps(a, b)
        }
        #[inline(always)]
        fn mul(self, a: __m256, b: __m256) -> __m256 {
            self.0.avx._mm256_mul_ps(a, b)
        }
        #[inline(always)]
        fn div(self, a: __m256, b: __m256) -> __m256 {
            self.0.avx._mm256_div_ps(a, b)
        }
        #[inline(always)]
        fn min(self, a: __m256, b: __m256) -> __m256 {
            self.0.avx._mm256_min_ps(a, b)
        }
        #[inline(always)]
        fn max(self, a: __m256, b: __m256) -> __m256 {
            self.0.avx._mm256_max_ps(a, b)
        }
        #[inline(always)]
        fn sum(self, x: __m256) -> f32 {
            let (avx, sse) = (self.0.avx, self.0.sse);
            let four = sse._mm_add_ps(
                avx._mm256_castps256_ps128(x),
                avx._mm256_extractf128_ps::<1>(x),
            );
            let two = sse._mm_add_ps(four, sse._mm_movehl_ps(four, four));
            sse._mm_cvtss_f32(sse._mm_add_ss(two, sse._mm_shuffle_ps::<1>(two, two)))
        }
    }
}
