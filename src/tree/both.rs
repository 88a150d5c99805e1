//! Runs two halves of a task in parallel if a second thread is available.

use std::sync::{Mutex, PoisonError};

/// Runs both halves, the second on another thread, or one after the other if no thread can be started.
pub fn both<A, B: Send>(ours: impl FnOnce() -> A, theirs: impl FnOnce() -> B + Send) -> (A, B) {
    let theirs = Mutex::new(Some(theirs));
    let take = || {
        let mut theirs = theirs.lock().unwrap_or_else(PoisonError::into_inner);
        theirs.take()
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, || take().map(|work| work()));
        let first = ours();
        let second = match thread {
            Ok(thread) => match thread.join() {
                Ok(second) => second,
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(_) => take().map(|work| work()),
        };
        (first, second.expect("a work that was taken once"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done() {
        let (mut left, mut right) = ([0; 3], [0; 4]);
        let done = both(|| left.fill(1), || right.fill(2));
        assert_eq!(done, ((), ()));
        assert_eq!((left, right), ([1; 3], [2; 4]));
    }
}
