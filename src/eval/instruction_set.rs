//! The evaluation, compiled twice: its terms count bits, and most processors have an instruction for that which the
//! default target may not use.

use game::{ChessPosition, Score};

use super::hand_crafted::{TaperedSum, value};
use super::terms::PawnKingCache;

/// The instructions that the processor offers.
#[derive(Clone, Copy, Debug)]
pub(super) struct InstructionSet {
    #[cfg(target_arch = "x86_64")]
    v3: Option<pulp::x86::V3>,
}

impl InstructionSet {
    pub(super) fn detect() -> InstructionSet {
        InstructionSet {
            #[cfg(target_arch = "x86_64")]
            v3: pulp::x86::V3::try_new(),
        }
    }

    /// Returns the value for the side to move; it is the same on every processor.
    #[inline]
    pub(super) fn value(
        self,
        state: TaperedSum,
        position: &ChessPosition,
        cache: &PawnKingCache,
    ) -> Score {
        #[cfg(target_arch = "x86_64")]
        if let Some(v3) = self.v3 {
            return v3.vectorize(Call(state, position, cache));
        }
        plain(state, position, cache)
    }
}

#[cfg(target_arch = "x86_64")]
struct Call<'a>(TaperedSum, &'a ChessPosition, &'a PawnKingCache);

#[cfg(target_arch = "x86_64")]
impl pulp::NullaryFnOnce for Call<'_> {
    type Output = Score;

    #[inline(always)]
    fn call(self) -> Score {
        value(&self.0, self.1, self.2)
    }
}

#[inline(never)]
fn plain(state: TaperedSum, position: &ChessPosition, cache: &PawnKingCache) -> Score {
    value(&state, position, cache)
}
