//! The thread that drives an external engine.

use std::sync::Arc;
use std::time::Duration;

use super::Trouble;
use super::connection::{Halt, UciConnection};
use super::engine_handle::EngineHandle;
use super::go::Go;
use super::process::lock;
use super::search_state::SearchState;
use super::tree_writer::TreeWriter;
use game::Game as _;
use search::StopReason;
use text::sanitise;

pub(super) struct Driver {
    engine: Arc<EngineHandle>,
    connection: Option<UciConnection>,
}

impl Driver {
    pub fn new(engine: Arc<EngineHandle>) -> Self {
        Driver {
            engine,
            connection: None,
        }
    }

    /// Carries out orders until it is told to quit, then ends the engine's process.
    pub fn run(mut self) {
        while !self.engine.is_to_quit() {
            match self.engine.take_order() {
                Some(state) => self.search(&state),
                None => self.wait(),
            }
        }
        self.end_process();
    }

    /// Waits for an order. A program that ends meanwhile does no harm: it is started again when it is needed.
    fn wait(&mut self) {
        match &mut self.connection {
            Some(connection) => {
                if !connection.idle() {
                    self.end_process();
                }
            }
            None => {
                let _ = self.engine.pokes.recv();
            }
        }
    }

    fn search(&mut self, state: &SearchState) {
        let in_trouble = lock(&self.engine.trouble).is_some();
        let reason = if in_trouble {
            StopReason::User
        } else {
            match self.try_search(state) {
                Ok(reason) => reason,
                Err(halt) => {
                    self.halt(halt);
                    StopReason::User
                }
            }
        };
        state.end(reason);
    }

    fn try_search(&mut self, state: &SearchState) -> Result<StopReason, Halt> {
        let Some(game) = state.subject.chess() else {
            let what = "plays chess only: found another game, expected a chess position";
            return Err(Halt::Fault(what.to_owned()));
        };
        let position = &game.position;
        let writer = TreeWriter::new(&state.tree, position.clone());
        if position.legal_moves().is_empty() {
            return Ok(StopReason::Solved);
        }
        let connection = match self.connection.take() {
            Some(connection) => self.connection.insert(connection),
            None => self
                .connection
                .insert(UciConnection::start(Arc::clone(&self.engine))?),
        };
        state.set_threads(connection.threads());
        connection.set_game(&game)?;
        state.set_traced(self.engine.next_search());
        Go::new(&self.engine, connection, state, writer).run()
    }

    fn halt(&mut self, halt: Halt) {
        self.end_process();
        if let Halt::Fault(what) = halt {
            let program = self.engine.spec.command.first();
            let program = program.map_or("", String::as_str);
            *lock(&self.engine.trouble) = Some(Trouble {
                message: sanitise(&format!("{program} {what}")),
                last_lines: self.engine.tail.lines(),
            });
        }
    }

    /// Kills the process if it has not ended, and waits for it, so that nothing is left behind.
    fn end_process(&mut self) {
        /// Only an uninterruptible system call keeps a killed process alive.
        const PATIENCE: Duration = Duration::from_secs(10);
        self.engine.process.kill();
        if let Some(trace) = self.engine.trace() {
            trace.over();
        }
        self.engine.process.reap(PATIENCE);
        self.connection = None;
        self.engine.tail.settle();
    }
}
