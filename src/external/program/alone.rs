//! A program to which nobody talks: a thread starts it, watches it and ends it.

use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use text::{duration, sanitise};

use super::status::{self, ProgramState, ProgramStatus};
use crate::connection::cannot_start;
use crate::process::{self, Handle, Tail, lock};
use crate::trace::{Before, ENDING, Known, Remark, Trace};
use crate::{EngineSpec, Trouble};

#[derive(Debug)]
pub(super) struct Alone {
    spec: EngineSpec,
    /// `None`: it could not be prepared, and nothing is started.
    pub trace: Option<Arc<Trace>>,
    process: Handle,
    tail: Tail,
    fate: Mutex<Fate>,
    /// Signalled when the watching thread has something to do.
    changed: Condvar,
    is_dropped: AtomicBool,
}

/// What became of the process.
#[derive(Debug, Default)]
struct Fate {
    /// Why there is none, without the program's name.
    fault: Option<String>,
    /// When it was asked to end.
    asked: Option<Instant>,
    /// Whether it did not end when it was asked to.
    is_killed: bool,
    ended: Option<ExitStatus>,
}

impl Alone {
    pub fn start(spec: EngineSpec, before: Option<&Before>) -> Arc<Alone> {
        let tracing = spec.trace.clone().unwrap_or_default();
        let trace = Trace::new(&tracing, before);
        let fault = trace
            .as_ref()
            .err()
            .map(|e| format!("can't be traced: {e}"));
        let alone = Arc::new(Alone {
            spec,
            trace: trace.ok(),
            process: Handle::default(),
            tail: Tail::default(),
            fate: Mutex::new(Fate {
                fault,
                ..Fate::default()
            }),
            changed: Condvar::new(),
            is_dropped: AtomicBool::new(false),
        });
        if let Some(trace) = alone.trace.clone() {
            let ours = Arc::clone(&alone);
            let begun = process::spawn("program", move || ours.run(&trace));
            if let Err(e) = begun {
                alone.fail(format!("can't be run: no thread can be started ({e})"));
            }
        }
        alone
    }

    fn fail(&self, what: String) {
        lock(&self.fate).fault.get_or_insert(what);
    }

    /// Starts the process and watches it to its end.
    fn run(&self, trace: &Arc<Trace>) {
        const LOOK: Duration = Duration::from_millis(20);
        /// Only an uninterruptible system call keeps a killed process alive.
        const PATIENCE: Duration = Duration::from_secs(10);
        let environment = trace.environment();
        let command = &self.spec.command;
        let started = process::start_alone(command, &environment, &self.process, &self.tail)
            .map_err(|e| cannot_start(&e, "a program that sends a trace"))
            .and_then(|()| trace.begin().map_err(|e| format!("can't be traced: {e}")));
        if let Err(what) = started {
            self.fail(what);
            trace.abandon();
        }
        while !self.is_dropped.load(Relaxed) && self.is_worth_watching(trace) {
            let fate = lock(&self.fate);
            let waited = self.changed.wait_timeout(fate, LOOK);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
        // Also what it started and did not end.
        self.process.kill();
        self.process.reap(PATIENCE);
        trace.over();
    }

    /// Looks how the process is. Returns false if it is over, and its stream too.
    fn is_worth_watching(&self, trace: &Trace) -> bool {
        let (ended, asked, fault) = {
            let fate = lock(&self.fate);
            (fate.ended, fate.asked, fate.fault.is_some())
        };
        if fault {
            return false;
        }
        if ended.is_some() {
            return !trace.is_closed();
        }
        if let Some(ended) = self.process.ended() {
            trace.over();
            self.tail.settle();
            lock(&self.fate).ended = Some(ended);
        } else if asked.is_some_and(|asked| asked.elapsed() >= self.spec.patience.stop) {
            lock(&self.fate).is_killed = true;
            self.process.kill();
        }
        true
    }

    /// Asks the program to end.
    pub fn quit(&self) {
        if let Some(trace) = &self.trace {
            trace.quit();
        }
        lock(&self.fate).asked.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// Ends everything about it, without waiting.
    pub fn abandon(&self) {
        self.is_dropped.store(true, Relaxed);
        self.changed.notify_all();
        self.process.kill();
        if let Some(trace) = &self.trace {
            trace.abandon();
        }
    }

    pub fn status(&self) -> ProgramStatus {
        let patience = self.spec.patience.ready;
        let trace = self.trace.as_ref();
        let mut known = trace.map_or_else(Known::default, |trace| trace.known(patience));
        let is_full = trace.is_some_and(|trace| trace.log.is_full());
        let state = self.state(&mut known, is_full);
        ProgramStatus::new(state, known, self.tail.lines())
    }

    fn state(&self, known: &mut Known, is_full: bool) -> ProgramState {
        let fate = lock(&self.fate);
        if let Some(what) = &fate.fault {
            return self.trouble(what);
        }
        let never_connected = known.is_closed && !known.is_connected;
        if let (Some(ended), true) = (fate.ended, never_connected) {
            return self.trouble(&format!(
                "ended ({ended}) before it connected: does it contain the emitter? PLYSCOPE_TRACE was set"
            ));
        }
        if let Some(what) = &known.fault {
            return self.trouble(what);
        }
        match fate.ended {
            Some(ended) if known.is_closed || is_full => {
                return ended_as(&fate, ended, self.spec.patience.stop);
            }
            Some(ended) => known.remarks.push(Remark::HeldByAnother(ended.to_string())),
            None if known.is_connected && known.is_closed && known.silent >= ENDING => {
                known.remarks.push(Remark::TraceClosed(known.silent));
            }
            None => {}
        }
        status::while_it_lives(known)
    }

    fn trouble(&self, what: &str) -> ProgramState {
        let program = self.spec.command.first().map_or("", String::as_str);
        ProgramState::Trouble(Trouble {
            message: sanitise(&format!("{program} {what}")),
            last_lines: self.tail.lines(),
        })
    }
}

/// Says how a process ended.
fn ended_as(fate: &Fate, ended: ExitStatus, patience: Duration) -> ProgramState {
    let how = if fate.is_killed {
        let within = duration(patience);
        format!("killed: it did not end within {within} when it was asked to")
    } else {
        ended.to_string()
    };
    ProgramState::Ended {
        how,
        is_success: ended.success(),
    }
}
