//! Running one search to its end without a screen; Ctrl-C ends it early and keeps what it has.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Failure;
use crate::engine::{Config, Session};
use crate::game::Subject;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static AWAITED: AtomicBool = AtomicBool::new(false);

/// The exit status of what a person interrupted.
pub const STATUS: u8 = 130;

/// From now on Ctrl-C ends the program with [`STATUS`].
pub fn end_on_interrupt() {
    // Where no handler can be set, Ctrl-C ends the program as the system does it.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) || !AWAITED.load(Ordering::Relaxed) {
            std::process::exit(i32::from(STATUS));
        }
    });
}

/// From now on Ctrl-C ends the search and not the program, which tells what it has; a second one ends the program.
pub fn catch_interrupt() {
    AWAITED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed since [`catch_interrupt`].
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Searches until a limit, a solution or Ctrl-C; the session returned has ended.
///
/// # Errors
/// A search thread broke off or could not begin.
pub fn search(subject: Subject, config: Config) -> Result<Session, Failure> {
    let mut session = Session::start(subject, config);
    session.wait(interrupted);
    match session.fault() {
        Some(fault) => Err(Failure::Input(format!("the search: {fault}"))),
        None => Ok(session),
    }
}
