//! What was wrong in a stream.

use std::fmt;

use super::record::At;

/// A place in a stream.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// The offset of the record in the stream, in bytes.
    pub offset: u64,
    /// The number of the line, from 1. 0 in the binary form.
    pub line: u64,
    /// Search, thread and event.
    pub at: At,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "byte {}", text::thousands(self.offset))?,
            line => write!(f, "line {}", text::thousands(line))?,
        }
        let At { thread, event, .. } = self.at;
        if thread > 0 {
            write!(f, ", thread {thread}")?;
        }
        if event > 0 {
            write!(f, ", event {}", text::thousands(event))?;
        }
        Ok(())
    }
}

/// Declares the causes, each with its sentence.
macro_rules! causes {
    ($($(#[$doc:meta])* $variant:ident $text:literal),* $(,)?) => {
        /// Why something in a stream was skipped, or was taken otherwise than it is written.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum Cause { $($(#[$doc])* $variant),* }

        impl Cause {
            pub const ALL: [Cause; [$($text),*].len()] = [$(Cause::$variant),*];

            /// What happened, and what was done about it.
            pub fn text(self) -> &'static str {
                match self { $(Cause::$variant => $text),* }
            }
        }
    };
}

causes! {
    /// The stream ends inside a chunk or a line.
    Truncated "the stream ends inside a record; what came before is shown",
    ReadFailed "the stream cannot be read any further",
    /// Bytes that belong to no chunk.
    Damaged "damaged bytes between chunks; reading went on at the next chunk",
    ChunkType "chunk of an unknown type, skipped",
    EventCount "event count that differs from the events counted; the stream's is used",
    NotJson "line that is not a JSON object, skipped",
    LongLine "line longer than 1 MiB, skipped",
    UnknownKind "unknown record, skipped",
    UnknownField "unknown field, ignored",
    /// A field that the record cannot do without.
    MissingField "record without a field that it needs, skipped",
    BadField "field with a value it cannot have, taken as missing",
    BadNumber "number out of range, taken as missing",
    BadWindow "window whose beta is not above its alpha, taken as missing",
    LongNumber "number of more than 10 bytes; the rest of the chunk is dropped",
    UnknownRecord "unknown record number; the rest of the chunk is dropped",
    CutRecord "record that goes beyond its chunk, dropped",
    BadText "text that is not UTF-8",
    LongText "text cut to its limit",
    ManyMoves "more moves in a record than the limit; the rest is dropped",
    ManyNames "more names of moves than the limit; further moves have no name of their own",
    ManyThreads "more threads than the limit, skipped",
    SecondHeader "second header, ignored",
    BadHeader "part of the header that cannot be used, replaced by its default",
    UndeclaredReason "reason that the header does not declare",
    ReasonNumbers "reason with another count of numbers than declared",
    UnnamedMove "move number without a name",
    // From here on to `OrderOfSearch`: of the search.
    LeaveWithoutEnter "leave without enter, ignored",
    OpenNodes "nodes still open, closed as interrupted",
    TooDeep "more than 1,024 open nodes; what is deeper is counted but not shown",
    TriedWithoutTry "tried without try, ignored",
    UnknownNode "node that was not expanded",
    NodeTwice "node that was expanded already",
    OrderOfSearch "record that does not belong to this order of search, ignored",
    MarkDiffers "mark that differs from the events counted",
}

impl Cause {
    /// Whether it is what the search did that makes no sense, and not how it is written.
    pub fn is_of_the_search(self) -> bool {
        self >= Cause::LeaveWithoutEnter && self <= Cause::OrderOfSearch
    }
}

/// One cause, how often it occurred, and where first.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Trouble {
    pub cause: Cause,
    pub count: u64,
    pub first: Place,
    /// What was found there, harmless and short. May be empty.
    pub found: String,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count > 1 {
            write!(f, "{} × ", text::thousands(self.count))?;
        }
        f.write_str(self.cause.text())?;
        let first = if self.count > 1 { "first at " } else { "" };
        write!(f, " ({first}{}", self.first)?;
        if !self.found.is_empty() {
            write!(f, ": {}", self.found)?;
        }
        f.write_str(")")
    }
}

/// Everything that was wrong in a stream so far, by cause, in the order in which it occurred first.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Troubles {
    found: Vec<Trouble>,
}

impl Troubles {
    /// Counts one more.
    pub fn add(&mut self, cause: Cause, place: Place) {
        self.add_found(cause, place, String::new);
    }

    /// Counts one more; the first of a cause is described by `found`, which is made harmless.
    pub fn add_found(&mut self, cause: Cause, place: Place, found: impl FnOnce() -> String) {
        match self.found.iter_mut().find(|t| t.cause == cause) {
            Some(trouble) => trouble.count += 1,
            None => self.found.push(Trouble {
                cause,
                count: 1,
                first: place,
                found: super::names::harmless(&found(), super::limits::NAME * 2),
            }),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Trouble> {
        self.found.iter()
    }

    pub fn count(&self, cause: Cause) -> u64 {
        let of = self.found.iter().find(|t| t.cause == cause);
        of.map_or(0, |t| t.count)
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn troubles_are_told_with_their_first_place() {
        let mut troubles = Troubles::default();
        let at = At {
            thread: 2,
            event: 4711,
            ..At::default()
        };
        let place = |line| Place {
            offset: 12_345,
            line,
            at,
        };
        troubles.add_found(Cause::UnknownKind, place(3), || text::quote("a\u{1b}b"));
        troubles.add(Cause::UnknownKind, place(4));
        troubles.add(Cause::Truncated, place(0));
        let told: Vec<String> = troubles.iter().map(Trouble::to_string).collect();
        assert_eq!(
            told,
            [
                "2 × unknown record, skipped (first at line 3, thread 2, event 4,711: \"a␛b\")",
                "the stream ends inside a record; what came before is shown (byte 12,345, thread 2, event 4,711)",
            ]
        );
    }
}
