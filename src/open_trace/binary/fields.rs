//! The fields of the records.

use super::cursor::Broken;
use super::{Decode, NO_DEPTH, NO_VALUE};
use crate::header::NumberUnit;
use crate::limits;
use crate::names::{MoveId, harmless};
use crate::record::{Bound, Child, NodeId, Record, Told, Window};
use crate::scratch::told;
use crate::trouble::Cause;
use crate::value::{Share, Value};

impl Decode<'_, '_> {
    #[inline]
    pub(super) fn value(&mut self) -> Result<Option<Value>, Broken> {
        let number = self.cursor.s()?;
        let value = Value::whole(number);
        if value.is_none() && number != NO_VALUE {
            self.noted.note(Cause::BadNumber);
        }
        Ok(value)
    }

    pub(super) fn sd(&mut self) -> Result<Option<Value>, Broken> {
        let number = self.cursor.u()?;
        let value = i64::try_from(number).ok().and_then(Value::whole);
        if value.is_none() {
            self.noted.note(Cause::BadNumber);
        }
        Ok(value.filter(|sd| sd.get() > 0.0))
    }

    #[inline]
    pub(super) fn depth(&mut self) -> Result<Option<i16>, Broken> {
        let number = self.cursor.s()?;
        if number.abs() <= limits::DEPTH {
            return Ok(Some(number as i16));
        }
        if number != NO_DEPTH {
            self.noted.note(Cause::BadNumber);
        }
        Ok(None)
    }

    #[inline]
    pub(super) fn window(&mut self) -> Result<Window, Broken> {
        let alpha = self.cursor.s()?;
        let width = self.cursor.u()?;
        // Below 0 where beta is below alpha.
        let beta = alpha.saturating_add(width.cast_signed());
        let window = Window::between(self.spec, Some(alpha as f64), Some(beta as f64));
        if window.is_empty() {
            self.noted.note(Cause::BadWindow);
        }
        Ok(window)
    }

    pub(super) fn bound(&mut self, number: u64) -> Option<Bound> {
        let bound = Bound::ALL.into_iter().find(|b| *b as u64 == number);
        if bound.is_none() && number != 0 {
            self.noted.note(Cause::BadField);
        }
        bound
    }

    pub(super) fn u32(&mut self, number: u64) -> u32 {
        u32::try_from(number).unwrap_or_else(|_| {
            self.noted.note(Cause::BadNumber);
            u32::MAX
        })
    }

    pub(super) fn node(&mut self) -> Result<NodeId, Broken> {
        let number = self.cursor.u()?;
        Ok(NodeId(self.u32(number)))
    }

    #[inline]
    pub(super) fn m(&mut self) -> Result<MoveId, Broken> {
        let number = self.cursor.u()?;
        Ok(self.the_move(number))
    }

    #[inline]
    pub(super) fn the_move(&mut self, number: u64) -> MoveId {
        let found = u32::try_from(number).map_or(MoveId::NONE, |n| self.context.moves.get(n));
        if found.is_none() && number != 0 {
            return self.unnamed(number);
        }
        found
    }

    #[cold]
    pub(super) fn unnamed(&mut self, number: u64) -> MoveId {
        let name = format!("#{number}");
        self.noted.found(Cause::UnnamedMove, &name);
        let id = self.noted.intern(self.names, &name);
        if let Ok(number) = u32::try_from(number) {
            self.context.moves.set(number, id);
        }
        id
    }

    pub(super) fn name(&mut self) -> Result<(), Broken> {
        let number = self.cursor.u()?;
        let len = self.cursor.u()?;
        let bytes = self.cursor.slice(len)?;
        let name = String::from_utf8_lossy(bytes);
        if std::str::from_utf8(bytes).is_err() {
            self.noted
                .found(Cause::BadText, &harmless(&name, limits::NAME));
        }
        match u32::try_from(number) {
            Err(_) | Ok(0) => self.noted.note(Cause::BadNumber),
            Ok(number) => {
                let id = self.noted.intern(self.names, &name);
                if !self.context.moves.set(number, id) {
                    self.noted.note(Cause::ManyNames);
                }
            }
        }
        Ok(())
    }

    pub(super) fn reason(&mut self) -> Result<Told<'static>, Broken> {
        let number = self.cursor.u()?;
        let count = self.cursor.u()?;
        self.scratch.numbers.clear();
        let reason = u8::try_from(number).unwrap_or(0);
        let declared = self.declared;
        let units = declared.units(reason);
        match units {
            None => {
                let name = format!("reason {number}");
                self.noted.found(Cause::UndeclaredReason, &name);
            }
            Some(units) if units.len() as u64 != count => {
                self.noted
                    .found(Cause::ReasonNumbers, &format!("reason {number}"));
            }
            Some(_) => {}
        }
        let units = units.filter(|units| units.len() as u64 == count);
        for i in 0..count {
            let number = self.cursor.s()?;
            if i >= limits::NUMBERS as u64 {
                continue;
            }
            let unit = units.map_or(NumberUnit::Number, |units| units[i as usize]);
            let number = match number {
                NO_VALUE => None,
                number => self.number(number, unit),
            };
            self.scratch.numbers.push(number);
        }
        Ok(told(reason))
    }

    /// A number of a reason in its unit.
    pub(super) fn number(&mut self, number: i64, unit: NumberUnit) -> Option<f64> {
        let read = match unit {
            NumberUnit::Value | NumberUnit::Difference => Value::whole(number).map(Value::get),
            NumberUnit::Share => u16::try_from(number).ok().map(|share| Share(share).get()),
            NumberUnit::Move => match u64::try_from(number) {
                Ok(0) => return None,
                Ok(number) => Some(f64::from(self.the_move(number).0)),
                Err(_) => None,
            },
            NumberUnit::Bound => match number {
                0 => return None,
                1..=3 => Some(number as f64),
                _ => None,
            },
            NumberUnit::Plies | NumberUnit::Count | NumberUnit::Number => Some(number as f64),
        };
        if read.is_none() {
            self.noted.note(Cause::BadNumber);
        }
        read
    }

    /// A prior, in 65,535ths.
    pub(super) fn prior(&mut self) -> Result<Option<Share>, Broken> {
        let prior = self.cursor.u()?;
        Ok(u16::try_from(prior).ok().map(Share))
    }

    pub(super) fn expand(&mut self, with_values: bool) -> Result<Record<'static>, Broken> {
        let (node, first) = (self.node()?, self.node()?);
        let count = self.cursor.u()?;
        self.scratch.children.clear();
        for i in 0..count {
            let m = self.m()?;
            let prior = self.prior()?;
            let value = match with_values {
                true => self.value()?,
                false => None,
            };
            if i < limits::MOVES as u64 {
                self.scratch.children.push(Child { m, prior, value });
            } else if i == limits::MOVES as u64 {
                self.noted.note(Cause::ManyMoves);
            }
        }
        Ok(Record::Expand {
            node,
            first,
            children: &[],
        })
    }
}
