//! The names of moves.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::limits;

/// A move by its name: the same text is the same id, on all threads of a stream.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct MoveId(pub u32);

impl MoveId {
    /// No move.
    pub const NONE: MoveId = MoveId(0);

    pub fn is_none(self) -> bool {
        self == MoveId::NONE
    }
}

/// The names of a stream's moves. They grow while the stream is read; any thread may look one up at any time, without waiting.
#[derive(Debug, Default)]
pub struct Names {
    /// Chunk `k` has room for 2^k names from the id 2^k on, so that a name never moves.
    chunks: [OnceLock<Box<[Name]>>; CHUNKS],
    ids: Mutex<HashMap<Box<str>, MoveId>>,
}

type Name = OnceLock<Box<str>>;

/// Ids are below 2^21.
const CHUNKS: usize = 21;

/// What all moves are called that come after the [most](limits::NAMES) that have a name of their own.
const FURTHER: &str = "…";

impl Names {
    /// Returns the id of a name, which is a new one if the name is. The name is made harmless and cut to its limit; an empty
    /// one is no move.
    pub fn intern(&self, name: &str) -> MoveId {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = ids.get(name) {
            return *id;
        }
        let clean = harmless(name, limits::NAME);
        if clean.is_empty() {
            return MoveId::NONE;
        }
        if let Some(id) = ids.get(clean.as_str()) {
            return *id;
        }
        let clean = match ids.len() {
            0..limits::NAMES => clean,
            limits::NAMES => FURTHER.to_owned(),
            _ => return MoveId(ids.len() as u32),
        };
        let id = MoveId(ids.len() as u32 + 1);
        if let Some(place) = self.place(id, true) {
            let _ = place.set(clean.as_str().into());
        }
        ids.insert(clean.into(), id);
        id
    }

    /// The id of a name, if it has one.
    pub fn find(&self, name: &str) -> Option<MoveId> {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.get(name).copied()
    }

    /// The name of a move, which is empty for no move. It can be printed as it is.
    pub fn text(&self, id: MoveId) -> &str {
        let name = self.place(id, false).and_then(OnceLock::get);
        name.map_or("", |name| name)
    }

    /// All names, in the order of their ids.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        (1..=self.len() as u32).map(|id| self.text(MoveId(id)))
    }

    /// Whether there are so many that further ones have no name of their own.
    pub fn is_full(&self) -> bool {
        self.len() > limits::NAMES
    }

    /// The number of different names.
    pub fn len(&self) -> usize {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn place(&self, id: MoveId, make: bool) -> Option<&Name> {
        let k = id.0.checked_ilog2()? as usize;
        let chunk = self.chunks.get(k)?;
        let chunk = match make {
            true => chunk.get_or_init(|| (0..1 << k).map(|_| OnceLock::new()).collect()),
            false => chunk.get()?,
        };
        chunk.get(id.0 as usize - (1 << k))
    }
}

/// Returns a text without what could control a terminal, cut to `longest` bytes.
pub(crate) fn harmless(text: &str, longest: usize) -> String {
    let mut clean = text::sanitise(text);
    if clean.len() > longest {
        clean.truncate(clean.floor_char_boundary(longest));
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_the_same_move() {
        let names = Names::default();
        let ids: Vec<MoveId> = (0..1000).map(|i| names.intern(&format!("m{i}"))).collect();
        assert_eq!(ids[0], MoveId(1));
        for (i, id) in ids.iter().enumerate() {
            assert_eq!(names.text(*id), format!("m{i}"));
            assert_eq!(names.intern(&format!("m{i}")), *id);
            assert_eq!(names.find(&format!("m{i}")), Some(*id));
        }
        assert_eq!(names.len(), 1000);
        assert_eq!(names.text(MoveId::NONE), "");
        assert_eq!(names.text(MoveId(1001)), "");
        assert_eq!(names.text(MoveId(u32::MAX)), "");
        assert_eq!(names.intern(""), MoveId::NONE);
    }

    #[test]
    fn there_are_only_so_many_names() {
        let names = Names::default();
        for i in 0..limits::NAMES {
            names.intern(&i.to_string());
        }
        assert!(!names.is_full());
        let further = [names.intern("one more"), names.intern("and another")];
        assert!(names.is_full());
        assert_eq!(further.map(|id| names.text(id)), [FURTHER; 2]);
        assert_eq!(names.len(), limits::NAMES + 1);
        assert_eq!(names.text(names.intern("7")), "7");
    }

    #[test]
    fn a_name_is_harmless_and_short() {
        let names = Names::default();
        let id = names.intern("a\u{1b}[2J\u{202e}");
        assert_eq!(names.text(id), "a␛[2J\u{fffd}");
        let id = names.intern(&"½".repeat(100));
        assert_eq!(names.text(id), "½".repeat(32));
    }
}
