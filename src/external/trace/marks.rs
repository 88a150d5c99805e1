//! Marks: how far a search had come, and the hash of all its events up to there. Two runs with equal marks are the same search.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use text::thousands;

use crate::process::lock;

/// A place in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MarkPlace {
    /// The number of the search, from 0.
    pub search: u32,
    pub thread: u8,
    /// The number of the last event before the mark.
    pub event: u64,
}

/// The marks of one run. When there are more than [`Marks::MOST`], only those at multiples of some power of two are kept, because
/// programs set marks at such places whatever is left out of their trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    kept: BTreeMap<MarkPlace, u64>,
    stride_log2: u32,
    /// The last event of each thread, once the program has ended its stream by itself.
    ends: Option<Vec<MarkPlace>>,
}

impl Marks {
    const MOST: usize = 65_536;

    pub fn set(&mut self, place: MarkPlace, hash: u64) {
        // At the beginning all searches are the same.
        if place.event == 0 || !self.keeps(place) {
            return;
        }
        self.kept.insert(place, hash);
        while self.kept.len() > Self::MOST {
            self.stride_log2 += 1;
            let stride_log2 = self.stride_log2;
            self.kept
                .retain(|place, _| place.event.trailing_zeros() >= stride_log2);
        }
    }

    pub fn end(&mut self, ends: Vec<MarkPlace>) {
        self.ends = Some(ends);
    }

    /// Returns them as if the searches before this one had not been.
    pub fn since(&self, search: u32) -> Marks {
        let later = |place: &MarkPlace| {
            let search = place.search.checked_sub(search)?;
            Some(MarkPlace { search, ..*place })
        };
        let kept = self.kept.iter();
        let ends = self.ends.as_ref();
        Marks {
            kept: kept
                .filter_map(|(place, hash)| Some((later(place)?, *hash)))
                .collect(),
            stride_log2: self.stride_log2,
            ends: ends.map(|ends| ends.iter().filter_map(later).collect()),
        }
    }

    fn keeps(&self, place: MarkPlace) -> bool {
        place.event.trailing_zeros() >= self.stride_log2
    }

    fn get(&self, place: MarkPlace) -> Option<u64> {
        self.kept.get(&place).copied()
    }
}

/// Whether a run is the same search as the one before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// No mark of it could be compared yet.
    #[default]
    Unknown,
    /// All marks up to here agree.
    SameUpTo(MarkPlace),
    /// The two runs took another course.
    Differs(Difference),
}

/// Where two runs part: after the last mark that agrees, and before the first one that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The event of the last mark that agrees; 0 if there is none.
    pub after: u64,
    /// The first mark that does not agree.
    pub before: MarkPlace,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MarkPlace {
            search,
            thread,
            event,
        } = self.before;
        let (after, before) = (thousands(self.after), thousands(event));
        write!(f, "took another course between events {after} and {before}")?;
        if thread > 0 {
            write!(f, " of thread {thread}")?;
        }
        if search > 0 {
            write!(f, " in search {}", search + 1)?;
        }
        Ok(())
    }
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repeat::Unknown => f.write_str("not compared yet"),
            Repeat::SameUpTo(place) => {
                write!(f, "the same search up to event {}", thousands(place.event))
            }
            Repeat::Differs(difference) => difference.fmt(f),
        }
    }
}

/// Compares the marks of a run, as they come, with those of the run before it.
#[derive(Clone, Debug)]
pub(super) struct Comparer {
    before: Marks,
    /// For each thread of a search, the last mark that agrees.
    same: BTreeMap<(u32, u8), u64>,
    pub found: Repeat,
    /// Where any run of the same program parted from the one before it.
    parted: Parted,
}

/// Where the runs of a program parted, shared by all of them: what can't be repeated once is not worth another try.
pub(super) type Parted = Arc<Mutex<Option<Difference>>>;

impl Comparer {
    pub fn new(before: Marks, parted: Parted) -> Comparer {
        Comparer {
            before,
            parted,
            same: BTreeMap::new(),
            found: Repeat::Unknown,
        }
    }

    pub fn compare(&mut self, place: MarkPlace, hash: u64) {
        let Some(expected) = self.before.get(place) else {
            return;
        };
        if matches!(self.found, Repeat::Differs(_)) {
            return;
        }
        if expected == hash {
            self.same.insert((place.search, place.thread), place.event);
            self.found = Repeat::SameUpTo(place);
        } else {
            self.differs_before(place);
        }
    }

    /// Compares the ends of two runs that ended by themselves: a short search may have no other mark.
    pub fn compare_ends(&mut self, ends: &[MarkPlace]) {
        let before = self.before.ends.clone().unwrap_or_default();
        for end in ends {
            let thread = (end.search, end.thread);
            let other = before.iter().find(|o| (o.search, o.thread) == thread);
            let Some(other) = other.filter(|other| other.event != end.event) else {
                continue;
            };
            if !matches!(self.found, Repeat::Differs(_)) {
                self.differs_before(*end.min(other));
            }
        }
    }

    fn differs_before(&mut self, place: MarkPlace) {
        let after = self.same.get(&(place.search, place.thread)).copied();
        let difference = Difference {
            after: after.unwrap_or(0),
            before: place,
        };
        self.found = Repeat::Differs(difference);
        lock(&self.parted).get_or_insert(difference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(thread: u8, event: u64) -> MarkPlace {
        MarkPlace {
            search: 0,
            thread,
            event,
        }
    }

    #[test]
    fn the_first_mark_that_differs_ends_the_comparison() {
        let mut before = Marks::default();
        for event in (0..=20).map(|n| n * 4_096) {
            before.set(place(0, event), event * 3);
            before.set(place(1, event), event * 5);
        }
        let mut comparer = Comparer::new(before, Parted::default());
        comparer.compare(place(0, 4_000), 1);
        assert_eq!(comparer.found, Repeat::Unknown);
        for event in (1..=16).map(|n| n * 4_096) {
            comparer.compare(place(0, event), event * 3);
        }
        comparer.compare(place(1, 4_096), 5 * 4_096);
        assert_eq!(
            comparer.found.to_string(),
            "the same search up to event 4,096"
        );
        comparer.compare(place(0, 69_632), 7);
        let expected = "took another course between events 65,536 and 69,632";
        assert_eq!(comparer.found.to_string(), expected);
        comparer.compare(place(1, 8_192), 5 * 8_192);
        assert_eq!(comparer.found.to_string(), expected);
    }

    #[test]
    fn short_runs_differ_where_one_has_ended() {
        for (end, expected) in [
            (700, "not compared yet"),
            (602, "took another course between events 0 and 602"),
            (800, "took another course between events 0 and 700"),
        ] {
            let mut before = Marks::default();
            before.set(place(0, 700), 9);
            before.end(vec![place(0, 700)]);
            let mut comparer = Comparer::new(before, Parted::default());
            comparer.compare_ends(&[place(0, end), place(1, 3)]);
            assert_eq!(comparer.found.to_string(), expected);
        }
    }

    #[test]
    fn marks_stay_few_and_those_at_round_numbers_stay() {
        let mut marks = Marks::default();
        for event in 1..400_000 {
            marks.set(place(0, event), event);
        }
        assert!((Marks::MOST / 2..=Marks::MOST).contains(&marks.kept.len()));
        assert_eq!(marks.get(place(0, 4_096 * 80)), Some(4_096 * 80));
        assert_eq!(marks.get(place(0, 4_097)), None);
    }

    #[test]
    fn a_later_search_is_compared_as_the_first_one() {
        let mut marks = Marks::default();
        for (search, hash) in [(0, 1), (1, 2)] {
            let of = MarkPlace {
                search,
                ..place(0, 4_096)
            };
            marks.set(of, hash);
        }
        let later = marks.since(1);
        assert_eq!(later.get(place(0, 4_096)), Some(2));
        assert_eq!(later.kept.len(), 1);
    }
}
