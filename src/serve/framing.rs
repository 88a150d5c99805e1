//! Messages on a pipe: one JSON text a line, or each after a header with its length (`Content-Length: 57`), as the Debug
//! Adapter Protocol and language servers write them. The first message decides which way the answers take.

use std::io::{self, BufRead, Read, Write};

use crossbeam_channel::{Receiver, bounded};
use serde::Serialize;

/// The longest message in bytes.
const LONGEST: usize = 64 << 20;

/// The longest line of a header in bytes.
const LONGEST_HEADER: usize = 1 << 10;

/// The longest line that is typed, in bytes.
const LONGEST_LINE: usize = 1 << 14;

/// The messages that wait to be answered before the client is no longer heard.
const WAITING: usize = 256;

/// How messages are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    Lines,
    Headers,
}

/// What came from the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    Message(Vec<u8>),
    /// What can't be a message: what was found, what was expected.
    Broken(String),
}

/// Reads messages on a thread of its own until the end of the input, which closes the channel.
///
/// # Errors
/// If no thread can be started.
pub fn listen(mut input: impl BufRead + Send + 'static) -> io::Result<Receiver<(Framing, Heard)>> {
    let (send, messages) = bounded(WAITING);
    let work = move || {
        while let Ok(Some(heard)) = next(&mut input) {
            if send.send(heard).is_err() {
                break;
            }
        }
    };
    std::thread::Builder::new()
        .name("serve-input".to_owned())
        .spawn(work)?;
    Ok(messages)
}

/// A line that was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum LineHeard {
    Text(String),
    TooLong,
}

/// Reads lines of text in a thread of its own, as [`listen`] reads messages.
///
/// # Errors
/// If no thread can be started.
pub fn listen_to_lines(
    mut input: impl BufRead + Send + 'static,
) -> io::Result<Receiver<LineHeard>> {
    let (send, lines) = bounded(WAITING);
    let work = move || {
        while let Ok(heard) = line(&mut input, LONGEST_LINE) {
            let heard = match heard {
                None => LineHeard::TooLong,
                Some(line) if line.is_empty() => break,
                Some(line) => LineHeard::Text(text::decode(&line)),
            };
            if send.send(heard).is_err() {
                break;
            }
        }
    };
    std::thread::Builder::new()
        .name("plain-input".to_owned())
        .spawn(work)?;
    Ok(lines)
}

/// Reads the next message; `None` at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<(Framing, Heard)>> {
    loop {
        let Some(line) = line(input, LONGEST)? else {
            let found = format!("a line of more than {} MiB", LONGEST >> 20);
            let broken = Heard::Broken(format!("found {found}, expected a shorter message"));
            return Ok(Some((Framing::Lines, broken)));
        };
        if line.is_empty() {
            return Ok(None);
        }
        if is_header(&line) {
            return Ok(framed(input, line)?.map(|heard| (Framing::Headers, heard)));
        }
        if !line.iter().all(u8::is_ascii_whitespace) {
            return Ok(Some((Framing::Lines, Heard::Message(line))));
        }
    }
}

/// Reads a line with its end; empty at the end of the input, `None` if it is longer than `most`, in which case all of it is
/// passed over.
fn line(input: &mut impl BufRead, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input
        .by_ref()
        .take(most as u64)
        .read_until(b'\n', &mut line)?;
    if line.len() == most && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(None);
    }
    Ok(Some(line))
}

fn is_header(line: &[u8]) -> bool {
    line.get(..8)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"content-"))
}

/// Reads the rest of a header and the message after it.
fn framed(input: &mut impl BufRead, first: Vec<u8>) -> io::Result<Option<Heard>> {
    let mut length = None;
    let mut header = Some(first);
    loop {
        let text = header.map(|line| String::from_utf8_lossy(&line).trim().to_owned());
        match text.as_deref() {
            Some("") => break,
            Some(text) => {
                let field = text
                    .split_once(':')
                    .map(|(name, value)| (name.trim(), value.trim()));
                if let Some((name, value)) = field
                    && name.eq_ignore_ascii_case("content-length")
                {
                    length = value.parse::<u64>().ok();
                }
            }
            None => {}
        }
        header = line(input, LONGEST_HEADER)?;
        if header.as_ref().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
    }
    let Some(length) = length else {
        let why = "found a header without a length, expected Content-Length: N";
        return Ok(Some(Heard::Broken(why.to_owned())));
    };
    if length > LONGEST as u64 {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        let most = LONGEST >> 20;
        let why = format!("found a message of {length} bytes, expected at most {most} MiB");
        return Ok(Some(Heard::Broken(why)));
    }
    let mut message = Vec::new();
    input.by_ref().take(length).read_to_end(&mut message)?;
    // What was cut off is of no use to anybody.
    Ok((message.len() as u64 == length).then_some(Heard::Message(message)))
}

/// Writes messages.
#[derive(Debug)]
pub struct Speaker<W> {
    output: W,
    pub framing: Framing,
}

impl<W: Write> Speaker<W> {
    pub fn new(output: W, framing: Framing) -> Self {
        Speaker { output, framing }
    }

    /// Sends one message.
    ///
    /// # Errors
    /// If the output can't be written to.
    pub fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_vec(message)?;
        match self.framing {
            Framing::Lines => {
                self.output.write_all(&text)?;
                self.output.write_all(b"\n")?;
            }
            Framing::Headers => {
                write!(self.output, "Content-Length: {}\r\n\r\n", text.len())?;
                self.output.write_all(&text)?;
            }
        }
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(input: &[u8]) -> Vec<(Framing, Heard)> {
        let mut input = io::Cursor::new(input.to_vec());
        std::iter::from_fn(|| next(&mut input).expect("bytes in memory")).collect()
    }

    fn message(text: &str) -> Heard {
        Heard::Message(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_and_headers_are_told_apart_message_by_message() {
        let input = b"{\"a\":1}\r\n\n  \nContent-Length: 3\r\nContent-Type: x\r\n\r\n{}\n\
            content-length:2\n\n[]{\"b\":2}";
        let expected = [
            (Framing::Lines, message("{\"a\":1}\r\n")),
            (Framing::Headers, message("{}\n")),
            (Framing::Headers, message("[]")),
            (Framing::Lines, message("{\"b\":2}")),
        ];
        assert_eq!(heard(input), expected);
    }

    #[test]
    fn broken_headers_are_passed_over() {
        let input = b"Content-Length: many\r\n\r\n{}\nContent-Type: x\n\n[]\n";
        let all = heard(input);
        let broken = all.iter().filter(|(_, h)| matches!(h, Heard::Broken(_)));
        assert_eq!(broken.count(), 2);
        assert_eq!(all[1], (Framing::Lines, message("{}\n")));
        assert_eq!(all[3], (Framing::Lines, message("[]\n")));
        // Cut off in the header and in the message.
        assert_eq!(heard(b"Content-Length: 5\r\n"), []);
        assert_eq!(heard(b"Content-Length: 5\r\n\r\n{}"), []);
    }

    #[test]
    fn what_is_too_long_is_passed_over() {
        let long = [&vec![b'x'; LONGEST + 5][..], b"\n{}\n"].concat();
        let all = heard(&long);
        assert!(matches!(all[0].1, Heard::Broken(_)));
        assert_eq!(all[1..], [(Framing::Lines, message("{}\n"))]);
        let length = LONGEST + 1;
        let head = format!("Content-Length: {length}\r\n\r\n");
        let long = [head.as_bytes(), &vec![b'x'; length], b"{}\n"].concat();
        let all = heard(&long);
        assert!(matches!(all[0].1, Heard::Broken(_)));
        assert_eq!(all[1..], [(Framing::Lines, message("{}\n"))]);
    }

    #[test]
    fn a_message_comes_back_as_it_was_sent() {
        for framing in [Framing::Lines, Framing::Headers] {
            let mut bytes = Vec::new();
            let mut speaker = Speaker::new(&mut bytes, framing);
            speaker.send(&["é", "\n"]).expect("memory");
            speaker.send(&1).expect("memory");
            let all = heard(&bytes);
            assert_eq!(all.len(), 2);
            assert!(all.iter().all(|(f, _)| *f == framing));
            let Heard::Message(first) = &all[0].1 else {
                panic!("{all:?}");
            };
            let back: Vec<String> = serde_json::from_slice(first).expect("JSON");
            assert_eq!(back, ["é", "\n"]);
        }
    }
}
