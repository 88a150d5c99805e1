//! The thread that a program is driven from.

use std::sync::Arc;
use std::time::Duration;

use super::Trouble;
use super::desk::Desk;
use super::go::Go;
use super::process::lock;
use super::scribe::Scribe;
use super::sheet::Sheet;
use super::talk::{Halt, Talk};
use crate::game::text::sanitise;
use crate::game::{Game, Subject};
use crate::search::StopReason;

pub(super) struct Driver {
    desk: Arc<Desk>,
    talk: Option<Talk>,
}

impl Driver {
    pub fn new(desk: Arc<Desk>) -> Self {
        Driver { desk, talk: None }
    }

    /// Does what is ordered until it is to quit; then ends the program.
    pub fn run(mut self) {
        while !self.desk.is_to_quit() {
            match self.desk.take_order() {
                Some(sheet) => self.search(&sheet),
                None => self.wait(),
            }
        }
        self.end_process();
    }

    /// Waits for an order. A program that ends meanwhile does no harm: it is started again when it is needed.
    fn wait(&mut self) {
        match &mut self.talk {
            Some(talk) => {
                if !talk.idle() {
                    self.end_process();
                }
            }
            None => {
                let _ = self.desk.pokes.recv();
            }
        }
    }

    fn search(&mut self, sheet: &Sheet) {
        let in_trouble = lock(&self.desk.trouble).is_some();
        let reason = if in_trouble {
            StopReason::User
        } else {
            match self.try_search(sheet) {
                Ok(reason) => reason,
                Err(halt) => {
                    self.halt(halt);
                    StopReason::User
                }
            }
        };
        sheet.end(reason);
    }

    fn try_search(&mut self, sheet: &Sheet) -> Result<StopReason, Halt> {
        let Subject::Chess(situation) = &sheet.subject else {
            let what = "plays chess only: found a toy tree, expected a chess position";
            return Err(Halt::Fault(what.to_owned()));
        };
        let position = &situation.position;
        let scribe = Scribe::new(&sheet.tree, position.clone());
        if position.legal_moves().is_empty() {
            return Ok(StopReason::Solved);
        }
        let talk = match self.talk.take() {
            Some(talk) => self.talk.insert(talk),
            None => self.talk.insert(Talk::start(Arc::clone(&self.desk))?),
        };
        sheet.set_threads(talk.threads());
        talk.set_position(position)?;
        Go::new(&self.desk, talk, sheet, scribe).run()
    }

    fn halt(&mut self, halt: Halt) {
        self.end_process();
        if let Halt::Fault(what) = halt {
            let program = self.desk.spec.command.first();
            let program = program.map_or("", String::as_str);
            *lock(&self.desk.trouble) = Some(Trouble {
                message: sanitise(&format!("{program} {what}")),
                last_lines: self.desk.tail.lines(),
            });
        }
    }

    /// Kills it, if it has not ended, and waits for it, so that nothing is left of it.
    fn end_process(&mut self) {
        /// Only a system call that can't be interrupted keeps a killed process alive.
        const PATIENCE: Duration = Duration::from_secs(10);
        self.desk.handle.kill();
        self.desk.handle.reap(PATIENCE);
        self.talk = None;
        self.desk.tail.settle();
    }
}
