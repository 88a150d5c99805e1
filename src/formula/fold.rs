//! One number from the moves of a node.

/// How the numbers of a node's moves become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    Sum,
    Most,
    Least,
}

impl Fold {
    pub const ALL: [Fold; 3] = [Fold::Sum, Fold::Most, Fold::Least];

    pub const fn name(self) -> &'static str {
        match self {
            Fold::Sum => "sum",
            Fold::Most => "most",
            Fold::Least => "least",
        }
    }

    pub fn named(word: &str) -> Option<Fold> {
        let mut all = Fold::ALL.into_iter();
        all.find(|fold| fold.name().eq_ignore_ascii_case(word))
    }

    /// Returns the sum, the largest or the smallest number; `None` if one of them is none, and for no moves unless they are
    /// summed.
    pub fn of(self, numbers: impl Iterator<Item = f32>) -> Option<f64> {
        let mut numbers = numbers.map(f64::from);
        let value = match self {
            Fold::Sum => numbers.sum(),
            Fold::Most => {
                numbers.try_fold(f64::NEG_INFINITY, |a, b| (!b.is_nan()).then_some(a.max(b)))?
            }
            Fold::Least => {
                numbers.try_fold(f64::INFINITY, |a, b| (!b.is_nan()).then_some(a.min(b)))?
            }
        };
        value.is_finite().then_some(value)
    }
}
