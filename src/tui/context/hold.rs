//! Nothing is searched while the program is suspended.

use super::Context;
use session::State;

/// What was running when the program was suspended.
#[derive(Debug)]
pub struct Held {
    search: bool,
    columns: Vec<usize>,
}

impl Context {
    /// Pauses everything that runs, before the program is suspended.
    pub fn hold(&mut self) -> Held {
        let search = self.state() == Some(State::Running) && !self.search_is_stepping();
        if let Some(session) = self.session.as_mut().filter(|_| search) {
            session.pause();
        }
        let columns = 0..self.columns.stepping.len();
        Held {
            search,
            columns: columns
                .filter(|&column| self.pause_or_resume(column, true))
                .collect(),
        }
    }

    /// Resumes what [`Context::hold`] paused.
    pub fn release(&mut self, held: Held) {
        if let Some(session) = self.session.as_mut().filter(|_| held.search) {
            session.resume();
        }
        for column in held.columns {
            self.pause_or_resume(column, false);
        }
    }
}
