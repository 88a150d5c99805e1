//! The numbers of a fate: how they are packed into its eight bytes, and what they are told as.

use arrayvec::ArrayVec;

use super::{Bound, ReasonId};
use game::{Ending, KnownDraw, MoveCode, Score, TableHit, TableResult};

/// A number of a fate, in its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The integer unit of scores: centipawns in chess.
    Score(Score),
    /// A difference of scores, in the same unit.
    Margin(i16),
    Plies(u16),
    /// Of moves, children or occurrences.
    Count(u16),
    /// In 1/65535.
    Probability(u16),
    /// A bin of the belief grid: it stands for its lower edge, an expected score.
    Bin(u8),
    Move(MoveCode),
    Flag(bool),
    Bound(Bound),
    Ending(Ending),
    Known(KnownDraw),
    Table(TableHit),
    /// Of another program's reason, in the unit that it declared: see [`Tree::numbers_of`](crate::Tree::numbers_of).
    Number(f64),
    /// A value of another program that no integer score stands for, in its unit.
    Wide(f64),
    /// The place of a declared reason's numbers, which tells nothing by itself.
    Place(u32),
    Reason(ReasonId),
}

impl Value {
    /// The number as a stream of records tells it: shares from 0 to 1, what is no number by its place or its bits. `None` where
    /// there is none.
    pub fn as_told(self) -> Option<f64> {
        Some(match self {
            Value::Score(score) => score.raw().into(),
            Value::Margin(margin) => margin.into(),
            Value::Plies(number) | Value::Count(number) => number.into(),
            Value::Probability(share) => f64::from(share) / f64::from(u16::MAX),
            Value::Bin(bin) => bin.into(),
            Value::Move(code) if code == MoveCode::NONE => return None,
            Value::Move(code) => code.0.into(),
            Value::Flag(flag) => u8::from(flag).into(),
            Value::Bound(Bound::None) => return None,
            Value::Bound(bound) => f64::from(bound as u8),
            Value::Ending(ending) => ending.pack() as f64,
            Value::Known(draw) => draw.pack() as f64,
            Value::Table(hit) => hit.pack() as f64,
            Value::Number(number) | Value::Wide(number) => number,
            Value::Place(_) | Value::Reason(_) => return None,
        })
    }
}

/// The unit of a number: a variant of [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Score,
    Margin,
    Plies,
    Count,
    Probability,
    Bin,
    Move,
    Flag,
    Bound,
    Ending,
    Known,
    Table,
    Number,
    Place,
    Reason,
}

/// A number of a fate with its name in JSON and breakpoints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    pub name: &'static str,
    pub value: Value,
}

/// All numbers of one fate.
pub type Numbers = ArrayVec<Number, 8>;

/// What a fate can be made of.
pub(super) trait Packed: Copy {
    /// How many bits [`Packed::pack`] uses, from the lowest on.
    const BITS: u32;
    fn pack(self) -> u64;
    /// Ignores the bits above [`Packed::BITS`].
    fn unpack(bits: u64) -> Self;
    /// What another program told as this number; `None` where it does not fit.
    fn told(_number: i64) -> Option<Self> {
        None
    }
    /// The move it is, if it is one.
    fn as_move(self) -> Option<MoveCode> {
        None
    }
}

macro_rules! packed {
    ($($Type:ty: $bits:literal, |$self:ident| $pack:expr, |$from:ident| $unpack:expr
        $(, |$told:ident| $take:expr)?;)+) => {
        $(impl Packed for $Type {
            const BITS: u32 = $bits;
            #[inline]
            fn pack(self) -> u64 {
                let $self = self;
                $pack as u64
            }
            #[inline]
            fn unpack($from: u64) -> Self {
                $unpack
            }
            $(fn told($told: i64) -> Option<Self> {
                $take
            })?
        })+
    };
}

packed! {
    u8: 8, |n| n, |bits| bits as u8, |n| n.try_into().ok();
    u16: 16, |n| n, |bits| bits as u16, |n| n.try_into().ok();
    i16: 16, |n| n as u16, |bits| bits as i16, |n| n.try_into().ok();
    bool: 1, |yes| yes, |bits| bits & 1 == 1, |n| Some(n != 0);
    Score: 16, |score| score.raw() as u16, |bits| Score::from_raw(bits as i16),
        |n| n.try_into().ok().map(Score::from_raw);
    Bound: 2, |bound| bound, |bits| Bound::from_bits(bits as u8),
        |n| (0..4).contains(&n).then(|| Bound::from_bits(n as u8));
    ReasonId: 16, |reason| reason.0, |bits| ReasonId(bits as u16);
    u32: 32, |n| n, |bits| bits as u32;
    Ending: 8,
        |ending| Ending::ALL.iter().position(|e| *e == ending).unwrap_or(0),
        |bits| Ending::ALL[(bits as u8 as usize).min(Ending::ALL.len() - 1)],
        |n| Ending::ALL.get(usize::try_from(n).ok()?).copied();
    KnownDraw: 8,
        |draw| draw,
        |bits| KnownDraw::ALL[(bits as u8 as usize).min(KnownDraw::ALL.len() - 1)],
        |n| KnownDraw::ALL.get(usize::try_from(n).ok()?).copied();
    TableResult: 8,
        |result| result,
        |bits| TableResult::ALL[(bits as u8 as usize).min(TableResult::ALL.len() - 1)];
}

impl Packed for MoveCode {
    const BITS: u32 = 16;

    #[inline]
    fn pack(self) -> u64 {
        self.0.into()
    }

    #[inline]
    fn unpack(bits: u64) -> Self {
        MoveCode(bits as u16)
    }

    fn told(number: i64) -> Option<Self> {
        number.try_into().ok().map(MoveCode)
    }

    #[inline]
    fn as_move(self) -> Option<MoveCode> {
        (self != MoveCode::NONE).then_some(self)
    }
}

impl Packed for TableHit {
    const BITS: u32 = TableResult::BITS + bool::BITS + i16::BITS + u8::BITS;

    fn pack(self) -> u64 {
        let TableHit { result, dtz, clock } = self;
        let packer = Packer::default().put(result).put(dtz.is_some());
        packer.put(dtz.unwrap_or(0)).put(clock).bits()
    }

    fn unpack(bits: u64) -> Self {
        let mut from = Unpacker(bits);
        let (result, looked_up, dtz) = (from.take(), from.take::<bool>(), from.take());
        TableHit {
            result,
            dtz: looked_up.then_some(dtz),
            clock: from.take(),
        }
    }

    fn told(number: i64) -> Option<Self> {
        u64::try_from(number).ok().map(TableHit::unpack)
    }
}

/// Lays numbers side by side, the first lowest.
#[derive(Default)]
pub(super) struct Packer {
    bits: u64,
    used: u32,
}

impl Packer {
    #[inline]
    pub fn new(kind: u8) -> Self {
        Packer::default().put(kind)
    }

    #[inline]
    pub fn put<T: Packed>(self, number: T) -> Self {
        Packer {
            bits: self.bits | number.pack() << self.used,
            used: self.used + T::BITS,
        }
    }

    #[inline]
    pub fn bits(self) -> u64 {
        self.bits
    }
}

/// Takes the numbers out again, in the same order.
pub(super) struct Unpacker(u64);

impl Unpacker {
    /// Stands behind the kind.
    #[inline]
    pub fn new(bits: u64) -> Self {
        Unpacker(bits >> u8::BITS)
    }

    #[inline]
    pub fn take<T: Packed>(&mut self) -> T {
        let number = T::unpack(self.0);
        self.0 >>= T::BITS;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FATES, Fate};
    use super::*;
    use proptest::prelude::*;

    fn any_fate() -> impl Strategy<Value = Fate> {
        (any::<u64>(), 0..FATES.len() as u8)
            .prop_map(|(bits, k)| Fate::from_bits(bits << 8 | u64::from(k)))
    }

    proptest! {
        #[test]
        fn every_fate_survives_packing(fate in any_fate()) {
            prop_assert_eq!(Fate::from_bits(fate.to_bits()), fate);
            prop_assert!(fate.kind() < FATES.len());
        }

        #[test]
        fn a_number_is_found_by_its_name(fate in any_fate()) {
            for number in fate.numbers() {
                if !matches!(number.value, Value::Table(_) | Value::Ending(_)) {
                    prop_assert_eq!(fate.number(number.name), Some(number.value));
                }
            }
        }
    }
}
