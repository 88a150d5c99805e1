//! Runs one search to its end without a screen. Ctrl-C ends it early and keeps the results so far.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Failure;
use session::{Config, Session, Subject};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static AWAITED: AtomicBool = AtomicBool::new(false);

/// The exit status after an interrupt by the user.
pub const STATUS: u8 = 130;

/// Makes Ctrl-C end the program with [`STATUS`].
pub fn end_on_interrupt() {
    // If no handler can be set, Ctrl-C keeps its default effect of ending the program.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) || !AWAITED.load(Ordering::Relaxed) {
            std::process::exit(i32::from(STATUS));
        }
    });
}

/// Makes Ctrl-C end the search instead of the program, so that results can be printed. A second Ctrl-C ends the
/// program.
pub fn catch_interrupt() {
    AWAITED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed since [`catch_interrupt`].
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Searches until a limit, a solution or Ctrl-C. The returned session has ended.
///
/// # Errors
/// If a search thread failed or could not be started.
pub fn search(subject: Subject, config: Config) -> Result<Session, Failure> {
    let mut session = Session::start(subject, config);
    session.wait(interrupted);
    match session.fault() {
        Some(fault) => Err(Failure::Input(format!("the search: {fault}"))),
        None => Ok(session),
    }
}
