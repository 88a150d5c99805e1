//! The control channel: what the program is asked for, as lines of words, written by a thread of its own. A program that does
//! not read them holds up nothing else.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use open_trace::log::Want;

/// How far a program may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    All,
    /// Up to this event, where it waits.
    Until(u64),
    /// No further than it is.
    Nothing,
}

impl Leave {
    /// Leave is given in blocks of this many events: to stop at every event would cost a hundred times as much. Nobody sees
    /// that the program is ahead, because the tree follows from the stream.
    const BLOCK: u64 = 1_024;

    pub fn of(want: Want) -> Leave {
        match want {
            Want::All => Leave::All,
            Want::Until(event) => Leave::Until(event.max(1).div_ceil(Self::BLOCK) * Self::BLOCK),
            Want::Nothing => Leave::Nothing,
        }
    }

    fn words(self) -> String {
        match self {
            Leave::All => "go".to_owned(),
            Leave::Until(event) => format!("go {event}"),
            Leave::Nothing => "stop".to_owned(),
        }
    }
}

/// What is to be written, shared by those who ask and the thread that writes.
#[derive(Debug)]
pub(super) struct Control {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    leave: Leave,
    /// When it was written, unless it is still to be.
    given: Option<Instant>,
    /// Set once the program is to run to its end whatever readers want.
    is_released: bool,
    lines: VecDeque<String>,
    /// Since when nothing can be written any more.
    closed: Option<Instant>,
}

impl Control {
    pub fn new() -> Control {
        Control {
            state: Mutex::new(State {
                leave: Leave::All,
                given: None,
                is_released: false,
                lines: VecDeque::new(),
                closed: None,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives leave; one that was not written yet is replaced.
    pub fn give(&self, leave: Leave) {
        let mut state = self.state();
        if state.leave != leave && !state.is_released {
            state.leave = leave;
            state.given = None;
            self.changed.notify_all();
        }
    }

    /// Gives the same leave once more: it holds within a search, and a new one has begun.
    pub fn give_again(&self) {
        let mut state = self.state();
        if state.leave != Leave::All {
            state.given = None;
            self.changed.notify_all();
        }
    }

    /// Lets the program run on, whatever readers want.
    pub fn release(&self) {
        self.give(Leave::All);
        self.state().is_released = true;
    }

    /// Lets readers have their way again.
    pub fn hold(&self) {
        self.state().is_released = false;
    }

    /// Sends a line.
    pub fn send(&self, line: String) {
        /// Nobody sends as many to a program that reads them.
        const MOST: usize = 1_024;
        let mut state = self.state();
        if state.lines.len() < MOST && state.closed.is_none() {
            state.lines.push_back(line);
            self.changed.notify_all();
        }
    }

    /// Ends the thread that writes, as soon as it does not.
    pub fn close(&self) {
        self.state().closed.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// Returns since when nothing can be written any more.
    pub fn closed(&self) -> Option<Instant> {
        self.state().closed
    }

    /// Returns the leave, and since when the program has it.
    pub fn leave(&self) -> (Leave, Option<Instant>) {
        let state = self.state();
        (state.leave, state.given)
    }

    /// Writes what is asked for until it is closed or can't be written.
    pub fn run(&self, mut out: impl Write) {
        let mut state = self.state();
        loop {
            if state.closed.is_some() {
                return;
            }
            let mut text = String::new();
            for line in state.lines.drain(..) {
                text += &line;
                text.push('\n');
            }
            if state.given.is_none() {
                text += &state.leave.words();
                text.push('\n');
                state.given = Some(Instant::now());
            }
            if text.is_empty() {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            drop(state);
            let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            state = self.state();
            if written.is_err() {
                state.closed.get_or_insert_with(Instant::now);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// A program that reads when it is told to.
    struct Reads(Sender<String>, Receiver<()>);

    impl Write for Reads {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
            let text = String::from_utf8_lossy(bytes).into_owned();
            self.0.send(text).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_the_newest_leave_is_written_and_words_come_before_it() {
        let control = Arc::new(Control::new());
        let (said, heard) = channel();
        let (reads, may_read) = channel();
        let writer = Arc::clone(&control);
        let thread = std::thread::spawn(move || writer.run(Reads(said, may_read)));
        reads.send(()).expect("a reader");
        assert_eq!(heard.recv().as_deref(), Ok("go\n"));
        control.give(Leave::of(Want::Until(1)));
        reads.send(()).expect("a reader");
        assert_eq!(heard.recv().as_deref(), Ok("go 1024\n"));
        control.give(Leave::of(Want::Until(1_024)));
        control.send("ply 3".to_owned());
        reads.send(()).expect("a reader");
        assert_eq!(heard.recv().as_deref(), Ok("ply 3\n"));
        control.give(Leave::of(Want::Nothing));
        reads.send(()).expect("a reader");
        assert_eq!(heard.recv().as_deref(), Ok("stop\n"));
        // It does not read for a while.
        control.send("quit".to_owned());
        control.give(Leave::of(Want::Until(1_025)));
        control.give(Leave::of(Want::Until(9_999)));
        std::thread::sleep(std::time::Duration::from_millis(20));
        control.release();
        control.give(Leave::of(Want::Until(1)));
        assert_eq!(control.leave().0, Leave::All);
        drop(reads);
        drop(heard);
        thread.join().expect("no panic");
        assert!(control.closed().is_some());
    }
}
