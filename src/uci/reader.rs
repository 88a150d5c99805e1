//! Reads standard input line by line on a thread of its own, so that the server notices `stop` during a search.

use std::io::{BufRead, Read};
use std::time::Instant;

use crossbeam_channel::{Receiver, unbounded};

/// A line of input, and when it arrived.
#[derive(Debug)]
pub(super) struct InputLine {
    pub line: String,
    pub at: Instant,
}

/// The longest command in bytes; the rest of a longer line is dropped.
const LONGEST: u64 = 1 << 20;

/// Reads until the end of the input, which closes the channel.
pub(super) fn read(
    mut input: impl BufRead + Send + 'static,
) -> std::io::Result<Receiver<InputLine>> {
    let (send, lines) = unbounded();
    let work = move || {
        while let Some(line) = next_line(&mut input) {
            let at = Instant::now();
            if send.send(InputLine { line, at }).is_err() {
                break;
            }
        }
    };
    std::thread::Builder::new()
        .name("uci-input".to_owned())
        .spawn(work)?;
    Ok(lines)
}

/// Returns `None` at the end of the input, or if it can no longer be read.
fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let mut part = input.by_ref().take(LONGEST);
    if part.read_until(b'\n', &mut bytes).ok()? == 0 {
        return None;
    }
    if !bytes.ends_with(b"\n") && bytes.len() as u64 == LONGEST {
        input.skip_until(b'\n').ok()?;
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_kind() {
        let long = "x".repeat(3 << 20);
        let text = [b"uci\r\n\xff\n".as_slice(), long.as_bytes(), b"\nquit"].concat();
        let input = read(std::io::Cursor::new(text)).expect("a thread");
        let lines: Vec<String> = input.iter().map(|h| h.line).collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0].trim(), "uci");
        assert_eq!(lines[2].len(), 1 << 20);
        assert_eq!(lines[3], "quit");
    }
}
