//! The evaluation compiled twice: the terms count bits, for which most processors have an instruction that the
//! default target may not use.

use crate::game::{ChessPosition, Score};

use super::hand_crafted::{TaperedSum, value};
use super::terms::GroundCache;

/// Which instructions the processor has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speed {
    #[cfg(target_arch = "x86_64")]
    v3: Option<pulp::x86::V3>,
}

#[cfg(target_arch = "x86_64")]
impl Speed {
    pub(super) fn detect() -> Speed {
        Speed {
            v3: pulp::x86::V3::try_new(),
        }
    }

    /// The value for the side to move; the same on every processor.
    #[inline]
    pub(super) fn value(
        self,
        state: TaperedSum,
        position: &ChessPosition,
        cache: &GroundCache,
    ) -> Score {
        struct Call<'a>(TaperedSum, &'a ChessPosition, &'a GroundCache);

        impl pulp::NullaryFnOnce for Call<'_> {
            type Output = Score;

            #[inline(always)]
            fn call(self) -> Score {
                value(self.0, self.1, self.2)
            }
        }

        match self.v3 {
            Some(v3) => v3.vectorize(Call(state, position, cache)),
            None => plain(state, position, cache),
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Speed {
    pub(super) fn detect() -> Speed {
        Speed {}
    }

    #[inline]
    pub(super) fn value(
        self,
        state: TaperedSum,
        position: &ChessPosition,
        cache: &GroundCache,
    ) -> Score {
        plain(state, position, cache)
    }
}

#[inline(never)]
fn plain(state: TaperedSum, position: &ChessPosition, cache: &GroundCache) -> Score {
    value(state, position, cache)
}
