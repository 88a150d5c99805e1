//! The items of a job and their order.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What a queue of items has for a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<T> {
    Item(T),
    /// Nothing can begin now, but something may begin after another item has finished.
    Later,
    /// Every item has been handed out.
    Nothing,
}

/// Hands out the items of a job, each of them once. The pool makes one call at a time.
pub trait Items: Sync {
    type Item: Copy;

    fn next(&self) -> Next<Self::Item>;

    /// Reports that a worker is done with an item, with or without a result.
    fn finish(&self, _item: Self::Item) {}
}

impl<I: Items + Send> Items for Arc<I> {
    type Item = I::Item;

    fn next(&self) -> Next<I::Item> {
        (**self).next()
    }

    fn finish(&self, item: I::Item) {
        (**self).finish(item);
    }
}

/// The numbers from 0 to an end, in order, for jobs whose items are indices into a list.
#[derive(Debug)]
pub struct Numbers {
    next: AtomicUsize,
    end: usize,
}

impl Numbers {
    pub fn below(end: usize) -> Self {
        Numbers::between(0, end)
    }

    /// Creates the numbers from `first` to before `end`.
    pub fn between(first: usize, end: usize) -> Self {
        Numbers {
            next: AtomicUsize::new(first),
            end,
        }
    }
}

impl Items for Numbers {
    type Item = usize;

    fn next(&self) -> Next<usize> {
        let number = self.next.fetch_add(1, Relaxed);
        if number < self.end {
            Next::Item(number)
        } else {
            Next::Nothing
        }
    }
}
