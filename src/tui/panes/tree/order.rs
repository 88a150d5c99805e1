//! The order of siblings while the search runs: rows change places when the difference is clear or has lasted, so that
//! what one reads does not jump. The order can also be frozen.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use super::{Row, Sort};
use game::MoveCode;
use tree::NodeId;

/// How long a row must have been ahead of the one above it to take its place although it is not clearly ahead.
const LASTS: Duration = Duration::from_millis(1500);

/// The orders in which the siblings at open nodes were shown last.
#[derive(Debug, Default)]
pub struct Orders {
    shown: HashMap<NodeId, Shown>,
    /// Whether rows keep their places whatever the search finds.
    pub frozen: bool,
}

#[derive(Debug, Default)]
struct Shown {
    moves: Vec<MoveCode>,
    /// Since when a row has been ahead of the one above it.
    ahead: HashMap<MoveCode, Instant>,
}

impl Orders {
    /// Forgets the orders, because rows are sorted by something else now.
    pub fn forget(&mut self) {
        self.shown.clear();
    }

    /// Forgets the orders at nodes for which `is_open` returns false.
    pub fn retain(&mut self, is_open: impl Fn(NodeId) -> bool) {
        self.shown.retain(|&node, _| is_open(node));
    }

    /// Puts the siblings at a node into order, given those sorted by weight, greatest first. `live`: the search runs, so
    /// that the order must not jump.
    pub(super) fn arrange(
        &mut self,
        parent: NodeId,
        sorted: &mut Vec<(f64, Row)>,
        (sort, live): (Sort, bool),
        now: Instant,
    ) {
        let by_weight = !matches!(sort, Sort::Order | Sort::Name);
        if let Some(shown) = self.shown.get_mut(&parent).filter(|s| !s.moves.is_empty()) {
            if self.frozen {
                shown.keep_places(sorted);
            } else if live && by_weight {
                shown.keep_places_of_near(sorted, sort, now);
            }
        }
        let shown = self.shown.entry(parent).or_default();
        shown.moves.clear();
        shown.moves.extend(sorted.iter().map(|(_, row)| row.code));
        if !live {
            shown.ahead.clear();
        }
    }
}

impl Shown {
    /// Restores the places of the rows that were shown; new ones come last.
    fn keep_places(&self, sorted: &mut [(f64, Row)]) {
        let places = self.places();
        sorted.sort_by_key(|(_, row)| places.get(&row.code).copied().unwrap_or(usize::MAX));
    }

    fn places(&self) -> HashMap<MoveCode, usize> {
        let moves = self.moves.iter().enumerate();
        moves.map(|(place, &code)| (code, place)).collect()
    }

    /// Restores the places of the rows that were shown, and then lets rows pass those above them where that is due. New
    /// rows take the place that their weight gives them.
    fn keep_places_of_near(&mut self, sorted: &mut Vec<(f64, Row)>, sort: Sort, now: Instant) {
        let places = self.places();
        let (mut kept, new): (Vec<_>, Vec<_>) = sorted
            .drain(..)
            .partition(|(_, row)| places.contains_key(&row.code));
        kept.sort_by_key(|(_, row)| places.get(&row.code).copied());
        for one in new {
            let at = kept.iter().position(|(weight, _)| *weight < one.0);
            kept.insert(at.unwrap_or(kept.len()), one);
        }
        for from in 1..kept.len() {
            let mut at = from;
            while at > 0 && self.passes(&kept[at], &kept[at - 1], sort, now) {
                kept.swap(at, at - 1);
                at -= 1;
            }
        }
        let waiting: HashSet<MoveCode> = kept
            .windows(2)
            .filter(|two| two[1].0 > two[0].0)
            .map(|two| two[1].1.code)
            .collect();
        self.ahead.retain(|code, _| waiting.contains(code));
        for code in waiting {
            self.ahead.entry(code).or_insert(now);
        }
        *sorted = kept;
    }

    fn passes(
        &self,
        (weight, row): &(f64, Row),
        (above, _): &(f64, Row),
        sort: Sort,
        now: Instant,
    ) -> bool {
        let lasted = || {
            let since = self.ahead.get(&row.code);
            since.is_some_and(|&since| now.saturating_duration_since(since) >= LASTS)
        };
        weight > above && (sort.is_clear(*weight, *above) || lasted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(code: u16) -> Row {
        Row {
            parent: NodeId(0),
            node: NodeId(u32::from(code)),
            code: MoveCode(code),
            depth: 1,
            last: false,
        }
    }

    /// A search whose siblings get new weights, one refresh after the other.
    struct Watched {
        orders: Orders,
        now: Instant,
        live: bool,
    }

    impl Watched {
        fn new() -> Watched {
            Watched {
                orders: Orders::default(),
                now: Instant::now(),
                live: true,
            }
        }

        fn shows(&mut self, sort: Sort, weights: &[(u16, f64)]) -> Vec<u16> {
            let mut sorted: Vec<(f64, Row)> = weights.iter().map(|&(c, w)| (w, row(c))).collect();
            sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
            let how = (sort, self.live);
            self.orders.arrange(NodeId(0), &mut sorted, how, self.now);
            self.now += Duration::from_millis(500);
            sorted.iter().map(|(_, row)| row.code.0).collect()
        }
    }

    #[test]
    fn near_rows_change_places_only_after_a_while() {
        let mut w = Watched::new();
        assert_eq!(
            w.shows(Sort::Work, &[(1, 100.0), (2, 90.0), (3, 10.0)]),
            [1, 2, 3]
        );
        // The second is a little ahead: it waits.
        let near = [(1, 100.0), (2, 105.0), (3, 10.0)];
        for _ in 0..3 {
            assert_eq!(w.shows(Sort::Work, &near), [1, 2, 3]);
        }
        assert_eq!(w.shows(Sort::Work, &near), [2, 1, 3], "it has lasted");
    }

    #[test]
    fn rows_that_take_turns_stay() {
        let mut w = Watched::new();
        w.shows(Sort::Work, &[(1, 100.0), (2, 99.0)]);
        for turn in 0..20 {
            let ahead = f64::from(turn % 2);
            let shown = w.shows(Sort::Work, &[(1, 100.0), (2, 99.5 + ahead)]);
            assert_eq!(shown, [1, 2], "turn {turn}");
        }
    }

    #[test]
    fn a_clear_difference_counts_at_once() {
        let mut w = Watched::new();
        w.shows(Sort::Work, &[(1, 100.0), (2, 90.0), (3, 80.0)]);
        assert_eq!(
            w.shows(Sort::Work, &[(1, 100.0), (2, 90.0), (3, 200.0)]),
            [3, 1, 2]
        );
        w.shows(Sort::Score, &[(1, 0.10), (2, 0.05)]);
        assert_eq!(w.shows(Sort::Score, &[(1, 0.10), (2, 0.12)]), [1, 2]);
        assert_eq!(w.shows(Sort::Score, &[(1, 0.10), (2, 0.30)]), [2, 1]);
    }

    #[test]
    fn new_rows_come_to_their_places_and_an_ended_search_is_in_order() {
        let mut w = Watched::new();
        w.shows(Sort::Work, &[(1, 100.0), (2, 50.0)]);
        assert_eq!(
            w.shows(Sort::Work, &[(1, 100.0), (2, 50.0), (3, 70.0)]),
            [1, 3, 2]
        );
        w.live = false;
        assert_eq!(
            w.shows(Sort::Work, &[(1, 100.0), (2, 72.0), (3, 71.0)]),
            [1, 2, 3]
        );
    }

    #[test]
    fn a_frozen_order_stays_whatever_happens() {
        let mut w = Watched::new();
        w.shows(Sort::Work, &[(1, 100.0), (2, 50.0)]);
        w.orders.frozen = true;
        for live in [true, false] {
            w.live = live;
            let shown = w.shows(Sort::Work, &[(1, 1.0), (2, 1e6), (3, 1e9)]);
            assert_eq!(shown, [1, 2, 3]);
        }
        w.orders.frozen = false;
        assert_eq!(
            w.shows(Sort::Work, &[(1, 1.0), (2, 1e6), (3, 1e9)]),
            [3, 2, 1]
        );
    }
}
