//! The threads on which searches run, and the error if the system cannot start one.

use std::thread::JoinHandle;

/// The deepest recursion needs about 1.5 MiB: quiescence below the deepest ply.
pub const STACK: usize = 16 << 20;

/// The error if the system could not start a thread, with the system's message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no thread can be started: {0}")]
pub struct NoThread(String);

impl From<std::io::Error> for NoThread {
    fn from(error: std::io::Error) -> NoThread {
        NoThread(error.to_string())
    }
}

/// Starts a thread with the stack that a search needs.
pub fn spawn(
    name: String,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, NoThread> {
    let builder = std::thread::Builder::new().name(name).stack_size(STACK);
    Ok(builder.spawn(work)?)
}

/// Drops something that is large or still has to end in the background, or here if no thread can be started.
pub fn drop_aside<T: Send + 'static>(large: T) {
    // If the thread cannot be started, the closure is dropped with what it holds.
    let _ = std::thread::Builder::new().spawn(move || drop(large));
}
