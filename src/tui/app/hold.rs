//! While the program is suspended nothing is searched.

use super::App;
use crate::engine::State;

/// What ran when the program was suspended.
#[derive(Debug)]
pub struct Held {
    search: bool,
    columns: Vec<usize>,
}

impl App {
    /// What runs stands still while the program is suspended.
    pub fn hold(&mut self) -> Held {
        let search = self.state() == Some(State::Running) && !self.is_stepping();
        if let Some(session) = self.session.as_mut().filter(|_| search) {
            session.pause();
        }
        let columns = 0..self.compare.specs.len();
        Held {
            search,
            columns: columns
                .filter(|&column| self.pause_or_resume(column, true))
                .collect(),
        }
    }

    /// What was held goes on.
    pub fn release(&mut self, held: Held) {
        if let Some(session) = self.session.as_mut().filter(|_| held.search) {
            session.resume();
        }
        for column in held.columns {
            self.pause_or_resume(column, false);
        }
    }
}
