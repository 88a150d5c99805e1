//! Cores that several searches share, and whose turn it is.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Lets a limited number of threads work at a time, over all searches that share this; the others queue, first come,
/// first served.
///
/// A thread that has used up its slice of CPU time goes to the end of the queue, if there is one. So none starves, each
/// gets the same share, and the operating system has nothing to divide.
#[derive(Debug)]
pub struct Cores {
    queue: Mutex<Queue>,
    moved: Condvar,
    /// The queue's length, readable without the lock.
    waiting: AtomicUsize,
}

#[derive(Debug)]
struct Queue {
    free: usize,
    /// Tickets in the order in which they were drawn.
    tickets: VecDeque<u64>,
    next_ticket: u64,
}

impl Cores {
    /// CPU time of a thread between two checks whether others wait.
    pub const SLICE: Duration = Duration::from_millis(5);

    /// Allows `count` threads at a time, at least one.
    pub fn new(count: usize) -> Self {
        Cores {
            queue: Mutex::new(Queue {
                free: count.max(1),
                tickets: VecDeque::new(),
                next_ticket: 0,
            }),
            moved: Condvar::new(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Waits for a turn as long as `wanted`, which is asked again after [`Cores::wake`]. If it returns true, the turn
    /// is the caller's until it calls [`Cores::give`].
    pub fn take_while(&self, wanted: impl Fn() -> bool) -> bool {
        let mut queue = self.lock();
        let ticket = queue.next_ticket;
        queue.next_ticket += 1;
        queue.tickets.push_back(ticket);
        self.waiting.fetch_add(1, Relaxed);
        let taken = loop {
            if !wanted() {
                break false;
            }
            if queue.free > 0 && queue.tickets.front() == Some(&ticket) {
                queue.free -= 1;
                break true;
            }
            queue = self
                .moved
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        };
        queue.tickets.retain(|t| *t != ticket);
        self.waiting.fetch_sub(1, Relaxed);
        drop(queue);
        // The next thread in the queue may find a free core.
        self.moved.notify_all();
        taken
    }

    /// Ends a turn.
    pub fn give(&self) {
        self.lock().free += 1;
        self.moved.notify_all();
    }

    /// Whether any thread waits for a turn.
    pub fn has_queue(&self) -> bool {
        self.waiting.load(Relaxed) > 0
    }

    /// Makes the waiting threads ask again whether they still want a turn.
    pub fn wake(&self) {
        // The lock ensures that no thread is between asking and waiting.
        let _queue = self.lock();
        self.moved.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn turns_are_taken_in_order_and_no_more_than_there_are_cores() {
        let cores = Cores::new(2);
        let (busy, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let turns = [const { AtomicUsize::new(0) }; 5];
        std::thread::scope(|scope| {
            for mine in &turns {
                scope.spawn(|| {
                    for _ in 0..200 {
                        assert!(cores.take_while(|| true));
                        most.fetch_max(busy.fetch_add(1, Relaxed) + 1, Relaxed);
                        mine.fetch_add(1, Relaxed);
                        std::thread::yield_now();
                        busy.fetch_sub(1, Relaxed);
                        cores.give();
                    }
                });
            }
        });
        assert!(most.load(Relaxed) <= 2);
        assert!(turns.iter().all(|t| t.load(Relaxed) == 200));
        assert!(!cores.has_queue());
    }

    #[test]
    fn who_does_not_want_to_any_more_leaves_the_queue() {
        let cores = Cores::new(1);
        assert!(cores.take_while(|| true));
        let wanted = AtomicBool::new(true);
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| cores.take_while(|| wanted.load(Relaxed)));
            while !cores.has_queue() {
                std::thread::yield_now();
            }
            wanted.store(false, Relaxed);
            cores.wake();
            assert_eq!(waiter.join().ok(), Some(false));
        });
        cores.give();
        assert!(cores.take_while(|| true));
    }
}
