//! The searches of a review, in the order in which they begin.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::order::{around, coarse_to_fine};
use session::jobs::{Items, Next};

/// One column's search of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Search {
    pub ply: usize,
    pub column: usize,
}

/// Hands out every column's search of a ply before those of the next one, coarse to fine. What the user is looking at
/// comes first, and a column with a single engine process waits for it.
#[derive(Debug)]
pub(super) struct ReviewQueue {
    plies: usize,
    /// By column: whether it has a single engine process, which searches one position at a time.
    one_at_a_time: Vec<bool>,
    open: Mutex<Open>,
}

#[derive(Debug)]
struct Open {
    order: Vec<usize>,
    /// Nothing is left of the plies before this index in the order.
    begun: usize,
    /// The plies that come first.
    front: Vec<usize>,
    /// By ply, then by column: whether the search has begun, is done, or was given up.
    taken: Vec<Vec<bool>>,
    /// By column: whether its engine process is busy.
    busy: Vec<bool>,
}

impl ReviewQueue {
    pub fn new(plies: usize, one_at_a_time: Vec<bool>) -> Self {
        let columns = one_at_a_time.len();
        ReviewQueue {
            plies,
            open: Mutex::new(Open {
                order: coarse_to_fine(plies),
                begun: 0,
                front: Vec::new(),
                taken: vec![vec![false; columns]; plies],
                busy: vec![false; columns],
            }),
            one_at_a_time,
        }
    }

    /// Puts this ply and its neighbours first from now on.
    pub fn prefer(&self, ply: usize) {
        self.lock().front = around(ply, self.plies);
    }

    /// Marks a ply that no column has to search.
    pub fn skip_ply(&self, ply: usize) {
        self.lock().taken[ply].fill(true);
    }

    /// Marks a column that searches no more.
    pub fn skip_column(&self, column: usize) {
        for taken in &mut self.lock().taken {
            taken[column] = true;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Items for ReviewQueue {
    type Item = Search;

    fn next(&self) -> Next<Search> {
        let mut open = self.lock();
        while let Some(&ply) = open.order.get(open.begun) {
            if open.taken[ply].contains(&false) {
                break;
            }
            open.begun += 1;
        }
        let columns = self.one_at_a_time.len();
        let plies = open.front.iter().chain(&open.order[open.begun..]);
        let searches =
            plies.flat_map(|&ply| (0..columns).map(move |column| Search { ply, column }));
        let mut left = searches.filter(|s| !open.taken[s.ply][s.column]);
        let Some(first) = left.next() else {
            return Next::Nothing;
        };
        let can_begin = |s: &Search| !open.busy[s.column];
        let Some(next) = std::iter::once(first).chain(left).find(can_begin) else {
            return Next::Later;
        };
        open.taken[next.ply][next.column] = true;
        open.busy[next.column] = self.one_at_a_time[next.column];
        Next::Item(next)
    }

    fn finish(&self, search: Search) {
        self.lock().busy[search.column] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a queue with five plies, one of plyscope's own columns, and one of an external engine.
    fn queue() -> ReviewQueue {
        ReviewQueue::new(5, vec![false, true])
    }

    fn take(queue: &ReviewQueue) -> (usize, usize) {
        match queue.next() {
            Next::Item(search) => (search.ply, search.column),
            other => panic!("no search: {other:?}"),
        }
    }

    #[test]
    fn every_column_of_a_ply_comes_before_the_next_but_a_program_does_one_at_a_time() {
        let queue = queue();
        let searches: Vec<_> = (0..4).map(|_| take(&queue)).collect();
        assert_eq!(searches, [(0, 0), (0, 1), (4, 0), (2, 0)]);
        queue.finish(Search { ply: 0, column: 1 });
        assert_eq!(take(&queue), (4, 1));
        assert_eq!(take(&queue), (1, 0));
    }

    #[test]
    fn what_somebody_looks_at_comes_first() {
        let queue = queue();
        assert_eq!(take(&queue), (0, 0));
        queue.prefer(3);
        let searches: Vec<_> = (0..4).map(|_| take(&queue)).collect();
        assert_eq!(searches, [(3, 0), (3, 1), (2, 0), (4, 0)]);
        queue.prefer(9);
        assert_eq!(take(&queue), (1, 0));
        // Only searches of the external engine are left, and it is busy.
        assert_eq!(queue.next(), Next::Later);
        queue.finish(Search { ply: 3, column: 1 });
        assert_eq!(take(&queue), (0, 1));
    }

    #[test]
    fn a_column_that_was_given_up_has_no_more_searches_and_the_others_go_on() {
        let queue = queue();
        queue.skip_ply(1);
        assert_eq!([take(&queue), take(&queue)], [(0, 0), (0, 1)]);
        queue.skip_column(1);
        let plies: Vec<_> = (0..3).map(|_| take(&queue)).collect();
        assert_eq!(plies, [(4, 0), (2, 0), (3, 0)]);
        assert_eq!(queue.next(), Next::Nothing);
    }
}
