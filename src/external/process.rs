//! An engine as a process: its pipes, its last lines, and how it is halted and ended.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use text::{decode, sanitise};

/// What comes from the standard output of an engine.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    Line(String),
    /// More than a megabyte without an end of line.
    Endless,
    /// The engine closed its output; usually it has ended.
    End,
}

/// The last lines that an engine wrote to either output, safe to print.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    const LINES: usize = 20;
    const WIDTH: usize = 200;

    fn push(&self, line: &str) {
        let mut shown: String = sanitise(line).chars().take(Self::WIDTH).collect();
        if shown.len() < line.len() && shown.chars().count() == Self::WIDTH {
            shown.push('…');
        }
        let mut lines = lock(&self.0);
        if lines.len() == Self::LINES {
            lines.pop_front();
        }
        lines.push_back(shown);
    }

    /// After the engine has ended, waits a moment until the threads reading its output have ended too.
    pub fn settle(&self) {
        let late = Instant::now() + Duration::from_millis(200);
        while Arc::strong_count(&self.0) > 1 && Instant::now() < late {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub fn lines(&self) -> Vec<String> {
        lock(&self.0).iter().cloned().collect()
    }
}

/// Variables that a program finds in its environment beside those of plyscope.
pub(super) type Environment = Vec<(&'static str, String)>;

/// The child process, shared by the thread that talks to it and its owner. `None` once it has been waited for.
///
/// The process leads a process group of its own: signals also reach what it starts, an interrupt typed at the terminal
/// does not reach it, and if plyscope is killed while it is halted, the system ends the group.
#[derive(Debug, Default)]
pub(super) struct Handle(Mutex<Option<Child>>);

impl Handle {
    pub fn id(&self) -> Option<u32> {
        lock(&self.0).as_ref().map(Child::id)
    }

    /// Takes the process off the cores, if the system can do that.
    pub fn halt(&self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::STOP);
    }

    pub fn go_on(&self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::CONT);
    }

    /// Ends the process at once, even if it is halted; it must still be waited for.
    pub fn kill(&self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        if let Some(child) = lock(&self.0).as_mut() {
            let _ = child.kill();
        }
    }

    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        use rustix::process::{Pid, kill_process_group};
        // The lock prevents waiting for the process meanwhile, so its id cannot belong to another process.
        if let Some(child) = lock(&self.0).as_ref() {
            let _ = kill_process_group(Pid::from_child(child), signal);
        }
    }

    /// Returns how the process ended, if it has. Its id still belongs to it, so that what it started can be ended with it.
    pub fn ended(&self) -> Option<ExitStatus> {
        let mut child = lock(&self.0);
        let child = child.as_mut()?;
        #[cfg(unix)]
        return left_behind(child);
        #[cfg(not(unix))]
        return child.try_wait().ok()?;
    }

    /// Waits for the process to end, for at most `most`. Returns `None` if it is still running or there is none.
    pub fn reap(&self, most: Duration) -> Option<ExitStatus> {
        let late = Instant::now() + most;
        loop {
            let mut child = lock(&self.0);
            let status = child.as_mut()?.try_wait().ok()?;
            if status.is_some() {
                *child = None;
                return status;
            }
            drop(child);
            if Instant::now() >= late {
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Looks how a process ended, without taking it from the system's list.
#[cfg(unix)]
fn left_behind(child: &Child) -> Option<ExitStatus> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    use std::os::unix::process::ExitStatusExt as _;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let ended = waitid(WaitId::Pid(Pid::from_child(child)), options).ok()??;
    // As `wait` encodes them.
    let code = ended.exit_status().map(|code| code << 8);
    let signal = || {
        const DUMPED: i32 = 0x80;
        let signal = ended.terminating_signal()?;
        Some(if ended.dumped() {
            signal | DUMPED
        } else {
            signal
        })
    };
    code.or_else(signal).map(ExitStatus::from_raw)
}

/// The pipes of a running program.
#[derive(Debug)]
pub(super) struct Pipes {
    input: ChildStdin,
    pub heard: Receiver<Heard>,
}

/// Starts an engine. Its process is put into `handle`.
pub(super) fn start(
    command: &[String],
    environment: &Environment,
    handle: &Handle,
    tail: &Tail,
) -> io::Result<Pipes> {
    let mut command = prepare(command, environment)?;
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    *lock(&handle.0) = Some(child);
    let (Some(input), Some(output), Some(errors)) = pipes else {
        return Err(io::Error::other("it has no pipes"));
    };
    // The channel is small, so that an engine that floods its output has to wait.
    let (sender, heard) = bounded(256);
    let ours = tail.clone();
    spawn("engine-out", move || listen(output, &sender, &ours))?;
    let ours = tail.clone();
    spawn("engine-err", move || keep_last(errors, &ours))?;
    Ok(Pipes { input, heard })
}

/// Starts a program to which nobody talks. Its process is put into `handle`.
pub(super) fn start_alone(
    command: &[String],
    environment: &Environment,
    handle: &Handle,
    tail: &Tail,
) -> io::Result<()> {
    let mut command = prepare(command, environment)?;
    let mut child = command.stdin(Stdio::null()).spawn()?;
    let pipes = (child.stdout.take(), child.stderr.take());
    *lock(&handle.0) = Some(child);
    let (ours, theirs) = (tail.clone(), tail.clone());
    if let (Some(output), Some(errors)) = pipes {
        spawn("program-out", move || keep_last(output, &ours))?;
        spawn("program-err", move || keep_last(errors, &theirs))?;
    }
    Ok(())
}

fn prepare(command: &[String], environment: &Environment) -> io::Result<Command> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::NotFound)?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command)
}

pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let builder = std::thread::Builder::new().name(name.to_owned());
    builder.stack_size(256 << 10).spawn(work).map(drop)
}

/// Keeps the last lines of an output for which nothing waits.
fn keep_last(output: impl Read, tail: &Tail) {
    let mut lines = Lines::new(output);
    loop {
        match lines.next() {
            Ok(Heard::Line(line)) => tail.push(&line),
            // The rest of it may have an end; a program whose output is not read stands still.
            Ok(Heard::Endless) => tail.push(&lines.kept()),
            Ok(Heard::End) | Err(_) => return,
        }
    }
}

impl Pipes {
    /// Sends one line.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        // An end of line within it, from a configuration file, would start another command.
        let line = line.replace(['\n', '\r'], " ");
        self.input.write_all(format!("{line}\n").as_bytes())?;
        self.input.flush()
    }
}

fn listen(output: impl Read, heard: &Sender<Heard>, tail: &Tail) {
    let mut lines = Lines::new(output);
    loop {
        let next = lines.next().unwrap_or(Heard::End);
        let more = matches!(next, Heard::Line(_));
        match &next {
            Heard::Line(line) => tail.push(line),
            Heard::Endless => tail.push(&lines.kept()),
            Heard::End => {}
        }
        if heard.send(next).is_err() || !more {
            return;
        }
    }
}

/// Reads lines of at most [`Lines::KEPT`] bytes; longer ones are cut, and reading fails at far longer ones.
struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
}

impl<R: Read> Lines<R> {
    const KEPT: usize = 64 << 10;
    const ENDLESS: usize = 1 << 20;

    fn new(reader: R) -> Self {
        Lines {
            reader: BufReader::new(reader),
            line: Vec::new(),
        }
    }

    fn kept(&self) -> String {
        decode(&self.line)
    }

    fn next(&mut self) -> io::Result<Heard> {
        self.line.clear();
        let mut length = 0;
        loop {
            let bytes = match self.reader.fill_buf() {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if bytes.is_empty() {
                let last = length > 0;
                return Ok(if last {
                    Heard::Line(self.kept())
                } else {
                    Heard::End
                });
            }
            let end = memchr::memchr(b'\n', bytes);
            let taken = &bytes[..end.unwrap_or(bytes.len())];
            let room = Self::KEPT - self.line.len();
            self.line.extend_from_slice(&taken[..taken.len().min(room)]);
            length += taken.len();
            let used = taken.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Ok(Heard::Line(self.kept().trim_end().to_owned()));
            }
            if length > Self::ENDLESS {
                return Ok(Heard::Endless);
            }
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_given_up() {
        let mut text = b"uciok\r\n".to_vec();
        text.extend(vec![b'x'; 100_000]);
        text.extend(b"\nlast\xff");
        let mut lines = Lines::new(text.as_slice());
        let next = |lines: &mut Lines<&[u8]>| lines.next().expect("no error");
        assert_eq!(next(&mut lines), Heard::Line("uciok".into()));
        assert_eq!(next(&mut lines), Heard::Line("x".repeat(64 << 10)));
        assert_eq!(next(&mut lines), Heard::Line("lastÿ".into()));
        assert_eq!(next(&mut lines), Heard::End);
        let endless = vec![b'x'; 2 << 20];
        let mut lines = Lines::new(endless.as_slice());
        assert_eq!(next(&mut lines), Heard::Endless);
    }

    #[test]
    fn the_tail_is_short_and_harmless() {
        let tail = Tail::default();
        for i in 0..50 {
            tail.push(&format!("\u{1b}[2J{i}{}", "x".repeat(1000)));
        }
        let lines = tail.lines();
        assert_eq!(lines.len(), 20);
        assert!(lines[0].starts_with("␛[2J30x"));
        assert!(lines.iter().all(|l| l.chars().count() == 201));
    }
}
