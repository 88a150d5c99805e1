//! Threads that searches run on, and the system's refusal of one.

use std::thread::JoinHandle;

/// The deepest recursion needs some 1.5 MiB: quiescence below the deepest ply.
pub(in crate::engine) const STACK: usize = 16 << 20;

/// The system refused a thread; what it said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no thread can be started: {0}")]
pub struct NoThread(String);

impl From<std::io::Error> for NoThread {
    fn from(error: std::io::Error) -> NoThread {
        NoThread(error.to_string())
    }
}

/// Starts a thread with the stack a search needs.
pub(in crate::engine) fn spawn(
    name: String,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, NoThread> {
    let builder = std::thread::Builder::new().name(name).stack_size(STACK);
    Ok(builder.spawn(work)?)
}

/// Drops what is large, or still has to end, where nobody waits for it; here, if no thread can be had.
pub fn drop_aside<T: Send + 'static>(large: T) {
    // A thread that can't be started drops what it was given.
    let _ = std::thread::Builder::new().spawn(move || drop(large));
}
