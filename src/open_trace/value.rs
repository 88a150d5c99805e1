//! The numbers of a stream.

use std::cmp::Ordering;
use std::num::NonZeroU64;

use super::limits;

/// A value that the program gives a node, in units of the header's `step` and from the header's `view`. It is finite and at
/// most ±(2³¹ − 1).
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct Value(
    /// The inverted bits of the number, so that an `Option` of a value needs no more room. All bits are set in a NaN alone.
    NonZeroU64,
);

impl Value {
    /// The greatest value, 2³¹ − 1.
    pub const MAX: Value = match NonZeroU64::new(!limits::VALUE.to_bits()) {
        Some(bits) => Value(bits),
        None => unreachable!(),
    };

    /// Returns `None` for what is no value: infinity, NaN, and numbers beyond ±(2³¹ − 1).
    #[inline]
    pub fn new(value: f64) -> Option<Self> {
        if value.abs() <= limits::VALUE {
            // Without the sign of a zero, so that what is equal has equal bits.
            NonZeroU64::new(!(value + 0.0).to_bits()).map(Value)
        } else {
            None
        }
    }

    /// Returns the value of a binary stream, or `None` beyond ±(2³¹ − 1).
    #[inline]
    pub fn whole(value: i64) -> Option<Self> {
        Value::new(value as f64)
    }

    /// The number, in units of `step`.
    #[inline]
    pub fn get(self) -> f64 {
        f64::from_bits(!self.0.get())
    }

    /// The number of steps, where it is a whole one: as in a binary stream.
    pub fn as_whole(self) -> Option<i64> {
        let value = self.get();
        (value.fract() == 0.0).then_some(value as i64)
    }

    /// The same value from the other side's view.
    #[inline]
    pub fn negated(self) -> Self {
        // A value is finite and within bounds, and so is its negation.
        Value::new(-self.get()).unwrap_or(self)
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.get().total_cmp(&other.get())
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.get())
    }
}

/// A share from 0 to 1, such as a move's prior, in 65,535ths.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Share(pub u16);

impl Share {
    /// Returns `None` for what is no share.
    pub fn new(share: f64) -> Option<Self> {
        let is_share = (0.0..=1.0).contains(&share);
        is_share.then(|| Share((share * f64::from(u16::MAX)).round() as u16))
    }

    pub fn get(self) -> f64 {
        f64::from(self.0) / f64::from(u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_finite_and_within_bounds() {
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 2_147_483_648.0] {
            assert_eq!(Value::new(bad), None, "{bad}");
        }
        assert_eq!(Value::whole(i64::MIN), None);
        assert_eq!(Value::new(-0.0), Value::new(0.0));
        let value = Value::whole(-2_147_483_647).expect("the least");
        assert_eq!(value.get(), -2_147_483_647.0);
        assert_eq!(value.negated().as_whole(), Some(2_147_483_647));
        assert_eq!(Value::new(0.5).map(Value::as_whole), Some(None));
        assert!(Value::whole(-3) < Value::whole(2));
        assert_eq!(size_of::<Option<Value>>(), 8);
    }
}
