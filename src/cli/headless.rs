//! Running one search to its end without a screen; Ctrl-C ends it early and keeps what it has.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::{Config, Session};
use crate::game::Subject;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C ends the search and not the program; a second one ends the program.
pub fn catch_interrupt() {
    // Where no handler can be set, Ctrl-C simply ends the program.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether Ctrl-C was pressed since [`catch_interrupt`].
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Searches until a limit, a solution or Ctrl-C; the session returned has ended.
#[must_use]
pub fn search(subject: Subject, config: Config) -> Session {
    let mut session = Session::start(subject, config);
    session.wait(interrupted);
    session
}
