//! Input from the terminal: bytes become events, and an incomplete sequence never holds back later keys.
//!
//! crossterm waits for the end of an escape sequence without a limit, and takes every key for a part of it. Here a
//! sequence waits up to [`PATIENCE`] for its next byte, and a pasted text [`PASTE_PATIENCE`].

use std::collections::VecDeque;
use std::io;
#[cfg(unix)]
use std::os::fd::{AsFd as _, OwnedFd};
#[cfg(unix)]
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use crossterm::event::Event;
#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
#[cfg(unix)]
use rustix::io::Errno;

/// Input from the terminal.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    Event(Event),
    /// The terminal is gone.
    Closed,
}

/// How long an incomplete sequence waits for its next byte. The Esc key waits just as long, since every sequence begins
/// with it.
pub const PATIENCE: Duration = Duration::from_millis(50);
/// How long a pasted text waits for its next byte, before what arrived is taken as the whole. It is longer than
/// [`PATIENCE`], since a late rest would be taken for keys, but shorter than the time between two keys that a user
/// types.
pub const PASTE_PATIENCE: Duration = Duration::from_millis(100);

/// Why it is time to ask for the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// There are bytes to read.
    Bytes,
    /// The next byte of an incomplete sequence did not come in time.
    Late,
    /// The terminal is gone.
    Gone,
}

/// The input of the terminal, read by the one who asks for the next event, and only as far as that event goes. What was
/// typed behind it stays in the terminal: after the program's end, the shell reads it. Another thread only waits.
#[derive(Debug)]
pub struct TerminalInput {
    /// `None` if there is no terminal.
    source: Option<Source>,
    events: VecDeque<Event>,
    /// Tells the waiting thread to wait once, for as long as this.
    orders: Sender<Option<Duration>>,
    arrivals: Receiver<Arrival>,
    /// Whether an order was not answered yet.
    is_waiting: bool,
}

impl TerminalInput {
    /// Opens the terminal of standard input or, where that is none, the one that controls the program.
    pub fn open() -> TerminalInput {
        let (orders, ordered) = bounded::<Option<Duration>>(1);
        let (sender, arrivals) = bounded(1);
        let source = Source::open().ok();
        if let Some(terminal) = source.as_ref().map(Source::terminal) {
            let work = move || {
                for patience in ordered {
                    let arrival = wait(&terminal, patience).unwrap_or(Arrival::Gone);
                    if sender.send(arrival).is_err() {
                        break;
                    }
                }
            };
            // Without the thread there are no keys: the channel is closed, and the workbench ends.
            let _ = std::thread::Builder::new().name("input".into()).spawn(work);
        }
        TerminalInput {
            source,
            events: VecDeque::new(),
            orders,
            arrivals,
            is_waiting: false,
        }
    }

    /// Returns where the next [`Arrival`] will come from, and has it waited for. It is passed to
    /// [`TerminalInput::note`].
    pub fn arrivals(&mut self) -> Receiver<Arrival> {
        if !self.is_waiting {
            let patience = self.source.as_ref().and_then(Source::patience);
            let patience = if self.events.is_empty() {
                patience
            } else {
                Some(Duration::ZERO)
            };
            // If it can't be sent, the thread is gone and the channel returned below is closed.
            self.is_waiting = self.orders.send(patience).is_ok();
        }
        self.arrivals.clone()
    }

    /// Takes note of what the waiting thread said; an error of its channel counts as [`Arrival::Gone`].
    pub fn note(&mut self, arrival: Arrival) {
        self.is_waiting = false;
        match (arrival, &mut self.source) {
            (Arrival::Late, Some(source)) => self.events.extend(source.give_up()),
            (Arrival::Gone, _) => self.source = None,
            _ => {}
        }
    }

    /// Reads the next event, and nothing that comes after it. `None` if none is there yet.
    pub fn read(&mut self) -> Option<Input> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(Input::Event(event));
            }
            if self.is_waiting {
                return None;
            }
            let read = self
                .source
                .as_mut()
                .map(|source| source.read(&mut self.events));
            match read {
                Some(Ok(true)) => {}
                Some(Ok(false)) => return None,
                Some(Err(_)) | None => return Some(Input::Closed),
            }
        }
    }
}

#[cfg(not(unix))]
#[derive(Debug)]
struct Source;

#[cfg(not(unix))]
impl Source {
    fn open() -> io::Result<Source> {
        Ok(Source)
    }

    fn terminal(&self) {}

    fn patience(&self) -> Option<Duration> {
        None
    }

    fn give_up(&mut self) -> Vec<Event> {
        Vec::new()
    }

    fn read(&mut self, events: &mut VecDeque<Event>) -> io::Result<bool> {
        let is_there = crossterm::event::poll(Duration::ZERO)?;
        if is_there {
            events.push_back(crossterm::event::read()?);
        }
        Ok(is_there)
    }
}

#[cfg(not(unix))]
fn wait((): &(), patience: Option<Duration>) -> io::Result<Arrival> {
    const LONG: Duration = Duration::from_secs(3600);
    crossterm::event::poll(patience.unwrap_or(LONG))?;
    Ok(Arrival::Bytes)
}

/// The terminal, and the sequence that was begun.
#[cfg(unix)]
#[derive(Debug)]
struct Source {
    terminal: Arc<OwnedFd>,
    parser: Parser,
}

#[cfg(unix)]
impl Source {
    fn open() -> io::Result<Source> {
        let stdin = io::stdin();
        let terminal = if rustix::termios::isatty(&stdin) {
            stdin.as_fd().try_clone_to_owned()?
        } else {
            std::fs::File::open("/dev/tty")?.into()
        };
        Ok(Source {
            terminal: Arc::new(terminal),
            parser: Parser::default(),
        })
    }

    fn terminal(&self) -> Arc<OwnedFd> {
        Arc::clone(&self.terminal)
    }

    fn patience(&self) -> Option<Duration> {
        self.parser.patience()
    }

    fn give_up(&mut self) -> Vec<Event> {
        self.parser.give_up()
    }

    /// Reads the bytes that surely belong to what was begun. Returns whether there were any.
    fn read(&mut self, events: &mut VecDeque<Event>) -> io::Result<bool> {
        let mut bytes = [0; bytes::PASTE_ENDS.len()];
        let wanted = &mut bytes[..self.parser.wanted()];
        loop {
            if wait(&self.terminal, Some(Duration::ZERO))? == Arrival::Late {
                return Ok(false);
            }
            match rustix::io::read(&*self.terminal, &mut *wanted) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    events.extend(self.parser.feed(&wanted[..count]));
                    return Ok(true);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Waits until there is something to read, or until the patience is over.
#[cfg(unix)]
fn wait(terminal: &Arc<OwnedFd>, patience: Option<Duration>) -> io::Result<Arrival> {
    let patience = patience.map(Timespec::try_from).and_then(Result::ok);
    loop {
        let mut waited_for = [PollFd::new(&**terminal, PollFlags::IN)];
        match poll(&mut waited_for, patience.as_ref()) {
            Ok(0) => return Ok(Arrival::Late),
            Ok(_) => return Ok(Arrival::Bytes),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The bytes of an incomplete sequence.
#[cfg(unix)]
#[derive(Debug, Default)]
struct Parser {
    begun: Vec<u8>,
}

#[cfg(unix)]
mod bytes {
    pub const ESC: u8 = 0x1b;
    pub const PASTE_BEGINS: &[u8] = b"\x1b[200~";
    pub const PASTE_ENDS: &[u8] = b"\x1b[201~";
    /// The longest pasted text that is kept; the rest is dropped.
    pub const LONGEST_PASTE: usize = 1 << 20;
    /// No known sequence is longer.
    pub const LONGEST: usize = 64;
}

#[cfg(unix)]
impl Parser {
    /// Returns how long to wait for the next byte; `None` means without a limit.
    fn patience(&self) -> Option<Duration> {
        match self.begun.as_slice() {
            [] => None,
            begun if begun.starts_with(bytes::PASTE_BEGINS) => Some(PASTE_PATIENCE),
            _ => Some(PATIENCE),
        }
    }

    /// Returns how many bytes certainly belong to what was begun: reading more might take something that was typed behind
    /// it.
    fn wanted(&self) -> usize {
        use bytes::{PASTE_BEGINS, PASTE_ENDS};
        let Some(text) = self.begun.strip_prefix(PASTE_BEGINS) else {
            return 1;
        };
        // A pasted text goes on at least to the end of its end.
        let mut lengths = (1..PASTE_ENDS.len()).rev();
        let begun = lengths.find(|&n| text.ends_with(&PASTE_ENDS[..n]));
        PASTE_ENDS.len() - begun.unwrap_or(0)
    }

    /// Returns the events that these bytes complete.
    fn feed(&mut self, input: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for &byte in input {
            self.next(byte, &mut events);
        }
        events
    }

    /// Returns what the incomplete sequence amounts to when the next byte does not arrive.
    fn give_up(&mut self) -> Vec<Event> {
        let begun = std::mem::take(&mut self.begun);
        let mut events = Vec::new();
        if begun == [bytes::ESC] {
            events.extend(event(&begun));
        } else if let Some(text) = begun.strip_prefix(bytes::PASTE_BEGINS) {
            events.push(paste(text));
        }
        events
    }

    fn next(&mut self, byte: u8, events: &mut Vec<Event>) {
        use bytes::{ESC, LONGEST, LONGEST_PASTE, PASTE_BEGINS, PASTE_ENDS};
        if self.begun.starts_with(PASTE_BEGINS) {
            if self.begun.len() >= PASTE_BEGINS.len() + LONGEST_PASTE + PASTE_ENDS.len() {
                // The text is full, but its end is still looked for.
                self.begun.remove(PASTE_BEGINS.len() + LONGEST_PASTE);
            }
            self.begun.push(byte);
            if let Some(all) = self.begun.strip_suffix(PASTE_ENDS) {
                events.push(paste(&all[PASTE_BEGINS.len()..]));
                self.begun.clear();
            }
            return;
        }
        if byte == ESC && !self.begun.is_empty() {
            // A new sequence ends an incomplete one; Esc twice is Esc twice.
            events.extend(self.give_up());
        }
        self.begun.push(byte);
        if self.begun == [ESC] || self.begun == PASTE_BEGINS {
            return;
        }
        match terminput::Event::parse_from(&self.begun) {
            Ok(Some(_)) => events.extend(event(&std::mem::take(&mut self.begun))),
            Ok(None) if !self.has_ended() && self.begun.len() < LONGEST => {}
            Ok(None) | Err(_) => self.begun.clear(),
        }
    }

    /// Whether the last byte ends a sequence, known or not (ECMA-48: 0x40 to 0x7e; a control character never belongs to
    /// one).
    fn has_ended(&self) -> bool {
        match self.begun.as_slice() {
            [bytes::ESC, b'[', b'[' | b'M', ..] => self.begun.len() > 5,
            [bytes::ESC, b'[', rest @ ..] => rest.last().is_some_and(|b| !(0x20..0x40).contains(b)),
            _ => false,
        }
    }
}

#[cfg(unix)]
fn event(bytes: &[u8]) -> Option<Event> {
    let event = terminput::Event::parse_from(bytes).ok()??;
    terminput_crossterm::to_crossterm(event).ok()
}

#[cfg(unix)]
fn paste(text: &[u8]) -> Event {
    Event::Paste(String::from_utf8_lossy(text).into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
    use proptest::prelude::*;

    fn keys(events: &[Event]) -> String {
        let name = |event: &Event| match event {
            Event::Key(key) => match key.code {
                KeyCode::Char(c) if key.modifiers.contains(KeyModifiers::ALT) => format!("Alt-{c}"),
                KeyCode::Char(c) if key.modifiers.contains(KeyModifiers::CONTROL) => {
                    format!("Ctrl-{c}")
                }
                KeyCode::Char(c) => c.to_string(),
                code => format!("{code:?}"),
            },
            Event::Paste(text) => format!("paste({text})"),
            Event::Mouse(mouse) => format!("{:?}@{},{}", mouse.kind, mouse.column, mouse.row),
            other => format!("{other:?}"),
        };
        events.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    /// Returns what the bytes give when no more follow.
    fn all(bytes: &[u8]) -> String {
        let mut parser = Parser::default();
        let mut events = parser.feed(bytes);
        events.extend(parser.give_up());
        keys(&events)
    }

    #[test]
    fn what_terminals_send_is_understood() {
        for (bytes, expected) in [
            ("aB?", "a B ?"),
            ("é棋", "é 棋"),
            ("\r\t\x7f\x0c\x1a", "Enter Tab Backspace Ctrl-l Ctrl-z"),
            ("\x1b[A\x1b[B\x1bOC\x1b[D", "Up Down Right Left"),
            (
                "\x1b[1;5C\x1b[Z\x1b[3~\x1b[6~",
                "Right BackTab Delete PageDown",
            ),
            ("\x1b[H\x1b[F\x1bOP\x1b[15~", "Home End F(1) F(5)"),
            ("\x1bq", "Alt-q"),
            ("\x1b", "Esc"),
            ("\x1b\x1b", "Esc Esc"),
            ("\x1b\x1b[A", "Esc Up"),
            ("\x1b[200~a\x1b[Ab\x1b[201~c", "paste(a\x1b[Ab) c"),
        ] {
            assert_eq!(all(bytes.as_bytes()), expected, "{bytes:?}");
        }
        let mouse = Parser::default().feed(b"\x1b[<0;12;5M\x1b[<65;3;4M");
        let Event::Mouse(press) = &mouse[0] else {
            panic!("{mouse:?}")
        };
        assert_eq!(press.kind, MouseEventKind::Down(MouseButton::Left));
        assert_eq!((press.column, press.row), (11, 4));
        assert_eq!(mouse.len(), 2);
    }

    #[test]
    fn what_is_not_ended_keeps_nothing_back() {
        for begun in [
            "\x1b[<65;6;",
            "\x1b[",
            "\x1bO",
            "\x1b[1;",
            "\x1b[?1",
            "\x1b[M",
            "\x1b[200~half",
            "\x1b[[",
            "\x1b]0;title",
            "\x1bP",
            "\u{1b}[<",
            "\x1b[20",
        ] {
            let mut parser = Parser::default();
            parser.feed(begun.as_bytes());
            parser.give_up();
            assert_eq!(parser.patience(), None, "{begun:?}");
            assert_eq!(keys(&parser.feed(b"q")), "q", "{begun:?}");
        }
        // A byte that cannot continue a sequence ends it, even before the time is up.
        assert_eq!(all(b"\x1b[<65;6;\x1b[Aq"), "Up q");
        assert_eq!(all(b"\x1b[<65;6;qj"), "j");
        assert_eq!(all(b"\x1b[200~half"), "paste(half)");
        assert_eq!(all(b"\x1b[201~q"), "q");
        let lead = [0xe6];
        let mut parser = Parser::default();
        parser.feed(&lead);
        assert_eq!(parser.patience(), Some(PATIENCE));
        parser.give_up();
        assert_eq!(keys(&parser.feed(b"j")), "j");
    }

    #[test]
    fn no_more_is_read_than_what_was_begun_needs() {
        for (begun, wanted) in [
            ("", 1),
            ("\x1b", 1),
            ("\x1b[<0;1", 1),
            ("\x1b[200~", 6),
            ("\x1b[200~text", 6),
            ("\x1b[200~text\x1b", 5),
            ("\x1b[200~text\x1b[201", 1),
            ("\x1b[200~text\x1b[20\x1b[", 4),
        ] {
            let mut parser = Parser::default();
            parser.feed(begun.as_bytes());
            assert_eq!(parser.wanted(), wanted, "{begun:?}");
        }
    }

    #[test]
    fn a_pasted_text_is_kept_up_to_a_length_and_its_end_is_found() {
        let long = "x".repeat(3 << 20);
        let mut parser = Parser::default();
        let mut events = parser.feed(b"\x1b[200~");
        events.extend(parser.feed(long.as_bytes()));
        events.extend(parser.feed(b"\x1b[201~q"));
        let Event::Paste(text) = &events[0] else {
            panic!("no paste")
        };
        assert!(text.len() <= bytes::LONGEST_PASTE);
        assert_eq!(keys(&events[1..]), "q");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// No bytes break the parser or hold back the next key, and it does not matter how they are split.
        #[test]
        fn any_bytes(
            pieces in proptest::collection::vec(
                prop_oneof![
                    proptest::collection::vec(any::<u8>(), 0..6),
                    "\\x1b\\[[<?0-9;:]{0,12}[A-Za-z~]?".prop_map(String::into_bytes),
                    Just(b"\x1b[200~".to_vec()),
                    Just(b"\x1b[201~".to_vec()),
                    Just(b"\x1b[M".to_vec()),
                ],
                0..8,
            ),
            cut in 0usize..40,
        ) {
            let input = pieces.concat();
            let (first, second) = input.split_at(cut.min(input.len()));
            let (mut whole, mut parts) = (Parser::default(), Parser::default());
            let mut in_parts = parts.feed(first);
            in_parts.extend(parts.feed(second));
            prop_assert_eq!(whole.feed(&input), in_parts);
            whole.give_up();
            prop_assert_eq!(whole.patience(), None);
            prop_assert_eq!(keys(&whole.feed(b"q")), "q");
        }
    }
}
