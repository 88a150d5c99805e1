//! The fields of a line by their names and types.

use std::cell::{Cell, RefCell};

use super::scan::{Inner, Line, NotJson, Scalar};
use crate::decoder::Noted;
use crate::header::Header;
use crate::limits;
use crate::names::{MoveId, Names, harmless};
use crate::record::{NodeId, Window};
use crate::trouble::Cause;
use crate::value::{Share, Value};

/// The most fields of a line that are looked at.
const MOST: usize = 64;

/// The fields of a line. What is asked for is used; [`Fields::finish`] tells what was not.
pub(crate) struct Fields<'a> {
    line: &'a str,
    scanned: &'a Line,
    used: Cell<u64>,
    noted: RefCell<&'a mut Noted>,
}

impl<'a> Fields<'a> {
    /// # Errors
    /// If the line is no JSON object.
    pub(crate) fn read(
        line: &'a str,
        scanned: &'a mut Line,
        noted: &'a mut Noted,
    ) -> Result<Self, NotJson> {
        scanned.read(line)?;
        Ok(Fields {
            line,
            scanned,
            used: Cell::new(0),
            noted: RefCell::new(noted),
        })
    }

    pub(super) fn note(&self, cause: Cause) {
        self.noted.borrow_mut().note(cause);
    }

    pub(super) fn found(&self, cause: Cause, found: &str) {
        self.noted.borrow_mut().found(cause, found);
    }

    /// The field with this name, also if it is null.
    fn raw(&self, name: &str) -> Option<&'a Scalar> {
        let of =
            |(key, _): &&(super::scan::Span, Scalar)| self.scanned.text(self.line, key) == name;
        let fields = self.scanned.fields.iter().take(MOST);
        let (i, (_, scalar)) = fields.enumerate().find(|(_, field)| of(field))?;
        self.used.set(self.used.get() | 1 << i);
        Some(scalar)
    }

    /// The field with this name, unless it is null.
    fn get(&self, name: &str) -> Option<&'a Scalar> {
        match self.raw(name)? {
            Scalar::Null => None,
            Scalar::Unusable => {
                self.note(Cause::BadNumber);
                None
            }
            scalar => Some(scalar),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.raw(name).is_some()
    }

    /// Notes that a field has a value it cannot have.
    fn bad<T>(&self, name: &str) -> Option<T> {
        self.found(Cause::BadField, name);
        None
    }

    /// Returns the field, or notes that the record needs it.
    pub(super) fn needed<T>(&self, name: &str, found: Option<T>) -> Option<T> {
        if found.is_none() {
            self.found(Cause::MissingField, name);
        }
        found
    }

    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        match self.get(name)? {
            Scalar::Text(span) => Some(self.scanned.text(self.line, span)),
            _ => self.bad(name),
        }
    }

    /// A text without what could control a terminal, cut to its limit.
    pub(super) fn clean(&self, name: &str) -> Option<String> {
        self.text(name).map(|text| self.cut(text))
    }

    pub(super) fn cut(&self, text: &str) -> String {
        if text.len() > limits::TEXT {
            self.found(Cause::LongText, text);
        }
        harmless(text, limits::TEXT)
    }

    /// A text, or a number or a truth value as text.
    pub(super) fn clean_any(&self, name: &str) -> Option<String> {
        match self.get(name)? {
            Scalar::Whole(number) => Some(number.to_string()),
            Scalar::Number(number) => Some(number.to_string()),
            Scalar::Bool(value) => Some(value.to_string()),
            _ => self.clean(name),
        }
    }

    pub(super) fn is_number(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Scalar::Whole(_) | Scalar::Number(_)))
    }

    /// Whether the field is a list or an object.
    pub(super) fn is_nested(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Scalar::List(_) | Scalar::Object(_)))
    }

    pub(super) fn boolean(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Scalar::Bool(value) => Some(*value),
            _ => self.bad(name),
        }
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Scalar::Whole(number) => Some(*number as f64),
            Scalar::Number(number) => Some(*number),
            _ => self.bad(name),
        }
    }

    /// A whole number from `least` to `most`.
    pub(super) fn whole(&self, name: &str, least: i64, most: i64) -> Option<i64> {
        let number = match self.get(name)? {
            Scalar::Whole(number) => *number,
            // Within these bounds a number is whole if it has no fraction.
            Scalar::Number(number) if number.fract() == 0.0 => *number as i64,
            _ => return self.bad(name),
        };
        if (least..=most).contains(&number) {
            return Some(number);
        }
        self.note(Cause::BadNumber);
        None
    }

    pub(super) fn depth(&self, name: &str) -> Option<i16> {
        self.whole(name, -limits::DEPTH, limits::DEPTH)
            .map(|depth| depth as i16)
    }

    pub(super) fn count(&self, name: &str) -> Option<u64> {
        self.whole(name, 0, i64::MAX).map(i64::cast_unsigned)
    }

    pub(super) fn small(&self, name: &str) -> Option<u32> {
        self.whole(name, 0, i64::from(u32::MAX)).map(|n| n as u32)
    }

    pub(super) fn node(&self, name: &str) -> Option<NodeId> {
        self.small(name).map(NodeId)
    }

    pub(super) fn value(&self, header: &Header, name: &str) -> Option<Value> {
        let number = self.number(name)?;
        let value = header.value.from_unit(number);
        if value.is_none() {
            self.note(Cause::BadNumber);
        }
        value
    }

    pub(super) fn share(&self, name: &str) -> Option<Share> {
        let share = Share::new(self.number(name)?);
        if share.is_none() {
            self.note(Cause::BadNumber);
        }
        share
    }

    /// The window, if the program told one of its ends.
    pub(super) fn window(&self, header: &Header) -> Option<Window> {
        if !self.has("alpha") && !self.has("beta") {
            return None;
        }
        let end = |name| {
            let number = self.number(name)?;
            let value = header.value.from_unit(number);
            // Beyond all values an end is open.
            Some(value.map_or_else(|| f64::INFINITY.copysign(number), Value::get))
        };
        let window = Window::between(&header.value, end("alpha"), end("beta"));
        if window.is_empty() {
            self.note(Cause::BadWindow);
        }
        Some(window)
    }

    /// The thread of the record.
    ///
    /// # Errors
    /// If its number is over the limit.
    pub(crate) fn thread(&self) -> Result<u8, ()> {
        let Some(thread) = self.number("t") else {
            return Ok(0);
        };
        if thread.fract() == 0.0 && (0.0..256.0).contains(&thread) {
            return Ok(thread as u8);
        }
        self.note(Cause::ManyThreads);
        Err(())
    }

    /// A move by its name; no move if it is null or missing.
    pub(super) fn m(&self, names: &Names, name: &str) -> MoveId {
        match self.text(name) {
            Some(text) => self.intern(names, text),
            None => MoveId::NONE,
        }
    }

    pub(super) fn intern(&self, names: &Names, text: &str) -> MoveId {
        self.noted.borrow_mut().intern(names, text)
    }

    /// A word, found among `all` by its name.
    pub(super) fn word<T: Copy>(
        &self,
        name: &str,
        all: &[T],
        word_of: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let text = self.text(name)?;
        let found = all.iter().find(|one| word_of(**one) == text);
        found.copied().or_else(|| self.bad(name))
    }

    /// A number in hexadecimal digits.
    pub(super) fn hex(&self, name: &str) -> Option<u64> {
        let text = self.text(name)?;
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let is_hex = digits.bytes().all(|d| d.is_ascii_hexdigit());
        let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex);
        number.or_else(|| self.bad(name))
    }

    /// Calls `each` with the elements of a list, or the names and values of an object. Returns whether there is one.
    pub(super) fn inside(&self, name: &str, mut each: impl FnMut(Option<&str>, Inner)) -> bool {
        let Some(scalar) = self.get(name) else {
            return false;
        };
        let is_nested = matches!(scalar, Scalar::List(_) | Scalar::Object(_));
        let mut count = 0;
        let done = Line::inside(self.line, scalar, |key, inner| {
            count += 1;
            if count <= limits::MOVES {
                each(key, inner);
            } else if count == limits::MOVES + 1 {
                self.note(Cause::ManyMoves);
            }
        });
        if !is_nested || done.is_err() {
            self.found(Cause::BadField, name);
        }
        is_nested
    }

    /// Calls `each` with the numbers among the fields that were not used yet, in their order; `None` for null. They are used
    /// then.
    pub(super) fn other_numbers(&self, mut each: impl FnMut(Option<f64>)) {
        for (i, (_, scalar)) in self.scanned.fields.iter().take(MOST).enumerate() {
            if self.used.get() & 1 << i != 0 {
                continue;
            }
            match scalar {
                Scalar::Null => each(None),
                Scalar::Whole(number) => each(Some(*number as f64)),
                Scalar::Number(number) => each(Some(*number)),
                _ => continue,
            }
            self.used.set(self.used.get() | 1 << i);
        }
    }

    /// Notes the fields that were not used.
    pub(crate) fn finish(&self) {
        for (i, (key, _)) in self.scanned.fields.iter().enumerate() {
            if i >= MOST || self.used.get() & 1 << i == 0 {
                let name = self.scanned.text(self.line, key);
                self.found(Cause::UnknownField, name);
            }
        }
    }
}
