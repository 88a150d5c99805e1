//! Hearing lines and answering them, while the search runs in the background.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::desk::Desk;
use super::say;
use crate::framing::{LineHeard, listen_to_lines};
use report::number;
use text::sanitise;

/// How often a search that runs is looked at.
const TICK: Duration = Duration::from_millis(20);

/// How the conversation goes.
#[derive(Debug)]
pub struct Talk {
    /// Whether a person types: they get a prompt, and words are answered while a search runs. Otherwise each line is repeated before
    /// its answer, and waits until the search has stopped, so that the same script always gets the same answers.
    pub is_person: bool,
    /// Set when the user wants to interrupt what runs.
    pub interrupted: &'static AtomicBool,
}

/// Answers lines until `quit` or the end of the input. `warnings` about the file that was opened come first.
///
/// # Errors
/// If the output can't be written to, or no thread can be started.
pub fn talk(
    mut desk: Desk,
    warnings: Vec<String>,
    how: &Talk,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let lines = listen_to_lines(input)?;
    let mut speaker = Speaker {
        output,
        is_person: how.is_person,
        is_chess: desk.is_chess(),
    };
    let mut first =
        vec!["plyscope, line by line. Type help for the words, quit to end.".to_owned()];
    first.extend(say::position(&desk.search));
    first.extend(warnings);
    speaker.say(&first)?;
    speaker.ask()?;
    let mut open = true;
    while open && !desk.ends {
        match hear(&lines, &desk, how) {
            Heard::Line(line) => {
                match line {
                    LineHeard::Text(line) => {
                        speaker.repeat(&line)?;
                        let said = desk.answer(&line);
                        speaker.is_chess = desk.is_chess();
                        speaker.say(&said.unwrap_or_else(|why| vec![why]))?;
                    }
                    LineHeard::TooLong => speaker.say(&["That line is too long.".to_owned()])?,
                }
                if !desk.awaited {
                    speaker.ask()?;
                }
            }
            Heard::End => open = false,
            Heard::Nothing => {}
        }
        if how.interrupted.swap(false, Ordering::Relaxed) {
            match desk.awaited {
                true => desk.search.pause(),
                false => desk.ends = true,
            }
        }
        desk.search.tend();
        if let Some(stop) = desk.search.stop().filter(|_| desk.awaited) {
            desk.awaited = false;
            let said = desk.stopped(&stop);
            speaker.say(&said)?;
            speaker.ask()?;
        }
    }
    Ok(())
}

enum Heard {
    Line(LineHeard),
    Nothing,
    End,
}

/// Waits for the next line, or for a moment while a search is awaited.
fn hear(lines: &Receiver<LineHeard>, desk: &Desk, how: &Talk) -> Heard {
    if desk.awaited && !how.is_person {
        std::thread::sleep(Duration::from_millis(1));
        return Heard::Nothing;
    }
    match lines.recv_timeout(TICK) {
        Ok(line) => Heard::Line(line),
        Err(RecvTimeoutError::Timeout) => Heard::Nothing,
        Err(RecvTimeoutError::Disconnected) => {
            std::thread::sleep(TICK);
            Heard::End
        }
    }
}

struct Speaker<W> {
    output: W,
    is_person: bool,
    is_chess: bool,
}

impl<W: Write> Speaker<W> {
    /// Prints sentences, a line each, in characters that every voice knows.
    fn say(&mut self, sentences: &[String]) -> io::Result<()> {
        for sentence in sentences {
            let spoken = say::spoken(&sanitise(sentence), self.is_chess);
            writeln!(self.output, "{spoken}")?;
        }
        self.output.flush()
    }

    /// Prints what was read, where nobody has seen it being typed.
    fn repeat(&mut self, line: &str) -> io::Result<()> {
        if self.is_person || line.trim().is_empty() {
            return Ok(());
        }
        writeln!(self.output, "> {}", number::ascii(&sanitise(line.trim())))
    }

    /// Says that it is the user's turn.
    fn ask(&mut self) -> io::Result<()> {
        if self.is_person {
            write!(self.output, "> ")?;
        }
        self.output.flush()
    }
}
