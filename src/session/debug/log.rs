//! The log of events that the user can read back.

use std::collections::VecDeque;

use search::Event;

/// The latest watched events, in order and without a gap.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The number of the first event kept.
    first: u64,
    events: VecDeque<Event>,
}

impl Log {
    /// Creates a log of consecutive events, the first of which has this number.
    pub fn of(first: u64, events: Vec<Event>) -> Log {
        Log {
            first,
            events: events.into(),
        }
    }

    /// The maximum number of events kept, about 5 MiB.
    pub const CAPACITY: usize = 1 << 16;

    /// Returns the number of the first event kept, or of the next one to come if there is none.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Returns the number after the last event kept.
    pub fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    pub fn len(&self) -> usize {
        self.events.len()
    }

    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub fn get(&self, number: u64) -> Option<&Event> {
        let place = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.events.get(place)
    }

    /// Iterates over the events with their numbers, oldest first; can be read from either end.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &Event)> + ExactSizeIterator {
        let first = self.first;
        let numbered = self.events.iter().enumerate();
        numbered.map(move |(i, event)| (first + i as u64, event))
    }

    /// Adds consecutive events, the first of which has this number. Older events stay only if nothing is missing in
    /// between.
    pub(super) fn append(&mut self, number: u64, events: &[Event]) {
        if number != self.end() {
            self.events.clear();
            self.first = number;
        }
        // Room is made first, because a queue that was once longer keeps its memory.
        let passed = events.len().saturating_sub(Self::CAPACITY);
        let over = (self.events.len() + events.len()).saturating_sub(Self::CAPACITY);
        self.events.drain(..over - passed);
        self.events.extend(events[passed..].iter().cloned());
        self.first += over as u64;
    }

    /// Puts older events in front if they reach up to the first one here; the older log has the same events from there
    /// on.
    pub(super) fn continue_from(&mut self, older: &Log) {
        let Some(missing) = self.first.checked_sub(older.first) else {
            return;
        };
        if self.first > older.end() {
            return;
        }
        let missing = usize::try_from(missing).unwrap_or(usize::MAX);
        let room = Self::CAPACITY.saturating_sub(self.events.len());
        let older = older.events.iter().take(missing).rev().take(room);
        for event in older {
            self.events.push_front(event.clone());
            self.first -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(numbers: std::ops::Range<u64>) -> Vec<Event> {
        numbers
            .map(|n| Event::Iteration { depth: n as u16 })
            .collect()
    }

    #[test]
    fn numbers_follow_the_events() {
        let mut log = Log::default();
        log.append(1, &events(1..10));
        log.append(10, &events(10..20));
        assert_eq!((log.first(), log.end(), log.len()), (1, 20, 19));
        assert_eq!(log.get(12), Some(&Event::Iteration { depth: 12 }));
        assert_eq!((log.get(0), log.get(20)), (None, None));
        assert_eq!(log.iter().next_back().map(|(n, _)| n), Some(19));
    }

    #[test]
    fn after_a_gap_the_log_begins_anew_and_can_be_continued_backwards() {
        let mut old = Log::default();
        old.append(1, &events(1..100));
        let mut log = old.clone();
        log.append(150, &events(150..160));
        assert_eq!((log.first(), log.len()), (150, 10));
        log.continue_from(&old);
        assert_eq!(log.first(), 150, "events are missing in between");
        let mut rewound = Log::default();
        rewound.append(60, &events(60..80));
        rewound.continue_from(&old);
        assert_eq!((rewound.first(), rewound.end()), (1, 80));
        assert!(
            rewound
                .iter()
                .all(|(n, e)| *e == Event::Iteration { depth: n as u16 })
        );
    }
}
