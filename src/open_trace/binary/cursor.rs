//! The bytes of a record, and the numbers in them.

use crate::trouble::Cause;

/// Why the rest of a chunk cannot be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Broken {
    /// The record goes on beyond the bytes.
    Cut,
    LongNumber,
    UnknownRecord(u8),
}

impl Broken {
    pub(crate) fn cause(self) -> Cause {
        match self {
            Broken::Cut => Cause::CutRecord,
            Broken::LongNumber => Cause::LongNumber,
            Broken::UnknownRecord(_) => Cause::UnknownRecord,
        }
    }
}

/// The bytes of a record, from the front.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    /// How many bytes were read.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, Broken> {
        let byte = self.bytes.get(self.at).ok_or(Broken::Cut)?;
        self.at += 1;
        Ok(*byte)
    }

    /// An unsigned number.
    #[inline]
    pub(crate) fn u(&mut self) -> Result<u64, Broken> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let second = self.byte()?;
        let low = u64::from(first & 0x7f) | u64::from(second & 0x7f) << 7;
        if second < 0x80 {
            return Ok(low);
        }
        let third = self.byte()?;
        let low = low | u64::from(third & 0x7f) << 14;
        if third < 0x80 {
            return Ok(low);
        }
        self.long(low)
    }

    #[inline(never)]
    fn long(&mut self, mut number: u64) -> Result<u64, Broken> {
        for shift in (21..70).step_by(7) {
            let byte = self.byte()?;
            if shift == 63 && byte > 1 {
                return Err(Broken::LongNumber);
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Broken::LongNumber)
    }

    /// A signed number.
    #[inline]
    pub(crate) fn s(&mut self) -> Result<i64, Broken> {
        let u = self.u()?;
        Ok((u >> 1).cast_signed() ^ -((u & 1).cast_signed()))
    }

    pub(super) fn slice(&mut self, len: u64) -> Result<&'a [u8], Broken> {
        let rest = &self.bytes[self.at..];
        let len = usize::try_from(len).map_err(|_| Broken::Cut)?;
        let slice = rest.get(..len).ok_or(Broken::Cut)?;
        self.at += len;
        Ok(slice)
    }
}
