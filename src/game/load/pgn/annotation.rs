//! The contents of comments that are meant for programs (`[%eval 0.31,18]`, `[%clk 0:03:00]`), and numeric annotation
//! glyphs (`$1` is `!`).

use std::{fmt, ops::Range};

use crate::Sided;
use crate::load::GameNode;
use text::sanitise;

/// An evaluation in a game, from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    Centipawns(i32),
    /// Full moves to mate; negative if Black mates.
    Mate(i32),
}

impl Sided for Evaluation {
    fn turned(self) -> Evaluation {
        match self {
            Evaluation::Centipawns(cp) => Evaluation::Centipawns(-cp),
            Evaluation::Mate(moves) => Evaluation::Mate(-moves),
        }
    }
}

/// Written as in an `[%eval …]` command: `0.31`, `#-3`.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Centipawns(cp) => write!(f, "{:.2}", f64::from(*cp) / 100.0),
            Evaluation::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl GameNode {
    /// Returns the comments without commands for programs, safe to print.
    pub fn text(&self) -> String {
        join(self.comments_before.iter().chain(&self.comments))
    }

    /// Returns the part of [`GameNode::text`] before the move, or the part after it.
    pub fn text_beside(&self, before: bool) -> String {
        let comments = if before {
            &self.comments_before
        } else {
            &self.comments
        };
        join(comments.iter())
    }

    /// Returns the evaluation after the move, if the file has one.
    pub fn evaluation(&self) -> Option<Evaluation> {
        let (text, _) = self.written_evaluation()?;
        match text.strip_prefix('#') {
            Some(moves) => moves.parse().ok().map(Evaluation::Mate),
            None => {
                let pawns: f64 = text.parse().ok().filter(|p: &f64| p.abs() < 1_000.0)?;
                Some(Evaluation::Centipawns((pawns * 100.0).round() as i32))
            }
        }
    }

    /// Returns the depth in plies of the search behind the evaluation, if the file gives it.
    pub fn evaluation_depth(&self) -> Option<u16> {
        self.written_evaluation()?.1.trim().parse().ok()
    }

    /// Returns the value and what follows the comma.
    fn written_evaluation(&self) -> Option<(&str, &str)> {
        let text = self.comments.iter().find_map(|c| command(c, "eval"))?;
        let (value, depth) = text.split_once(',').unwrap_or((text, ""));
        Some((value.trim(), depth))
    }

    /// Returns the mover's clock after the move as written (`0:03:00`).
    pub fn clock(&self) -> Option<String> {
        let text = self.comments.iter().find_map(|c| command(c, "clk"))?;
        Some(sanitise(text))
    }

    /// Returns the annotation glyphs as signs: `!?`, `±`.
    pub fn signs(&self) -> String {
        let signs: Vec<&str> = self.nags.iter().filter_map(|&nag| sign(nag)).collect();
        signs.join(" ")
    }
}

fn join<'a>(comments: impl Iterator<Item = &'a String>) -> String {
    let words: Vec<String> = comments
        .map(|c| plain(c))
        .filter(|c| !c.is_empty())
        .collect();
    words.join(" ")
}

/// Returns the operand of `[%name …]` in a comment.
pub fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let range = command_range(comment.as_bytes(), name)?;
    let inner = comment.get(range.start + 2..range.end - 1)?;
    Some(inner.split_once(' ')?.1.trim())
}

/// Returns the range of the first `[%name …]` in a comment.
pub(super) fn command_range(comment: &[u8], name: &str) -> Option<Range<usize>> {
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&comment[at..], b"[%") {
        let start = at + found;
        let length = memchr::memchr(b']', &comment[start..])?;
        let inner = &comment[start + 2..start + length];
        let key = memchr::memchr(b' ', inner).map(|space| &inner[..space]);
        if key == Some(name.as_bytes()) {
            return Some(start..start + length + 1);
        }
        at = start + length;
    }
    None
}

/// Returns a comment without its `[%…]` commands, sanitised and with single spaces.
pub fn plain(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some(start) = rest.find("[%") {
        let Some(end) = rest[start..].find(']') else {
            break;
        };
        text.push_str(&rest[..start]);
        text.push(' ');
        rest = &rest[start + end + 1..];
    }
    text.push_str(rest);
    let words: Vec<&str> = text.split_whitespace().collect();
    sanitise(&words.join(" "))
}

/// Returns the usual sign for a numeric annotation glyph; `None` for the rare ones.
pub fn sign(nag: u8) -> Option<&'static str> {
    Some(match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 => "+−",
        19 => "−+",
        22 | 23 => "⨀",
        36 | 37 => "↑",
        40 | 41 => "→",
        44 | 45 => "=∞",
        132 | 133 => "⇆",
        146 => "N",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(comment: &str) -> GameNode {
        GameNode {
            comments: vec![comment.to_owned()],
            ..GameNode::default()
        }
    }

    #[test]
    fn commands_are_read_and_left_out_of_the_text() {
        let n = node("good [%eval 0.31,18]  [%clk 0:03:00] \u{1b}move\n[%csl Ga1]");
        assert_eq!(n.text(), "good ␛move");
        assert_eq!(n.evaluation(), Some(Evaluation::Centipawns(31)));
        assert_eq!(n.clock().as_deref(), Some("0:03:00"));
        assert_eq!(node("[%eval #-3]").evaluation(), Some(Evaluation::Mate(-3)));
        assert_eq!(
            node("[%eval -1.05]").evaluation(),
            Some(Evaluation::Centipawns(-105))
        );
        for nothing in [
            "",
            "[%eval]",
            "[%eval x]",
            "[%eval 1e99]",
            "[%eval",
            "[%evaluation 3]",
        ] {
            assert_eq!(node(nothing).evaluation(), None, "{nothing}");
        }
        assert_eq!(node("[%open").text(), "[%open");
    }

    #[test]
    fn evaluations_are_written_as_they_are_read() {
        for (evaluation, text) in [
            (Evaluation::Centipawns(31), "0.31"),
            (Evaluation::Centipawns(-5), "-0.05"),
            (Evaluation::Centipawns(0), "0.00"),
            (Evaluation::Mate(-3), "#-3"),
        ] {
            assert_eq!(evaluation.to_string(), text);
            let read = node(&format!("[%eval {text},18]"));
            assert_eq!(read.evaluation(), Some(evaluation));
            assert_eq!(read.evaluation_depth(), Some(18));
        }
        assert_eq!(node("[%eval 0.31]").evaluation_depth(), None);
    }

    #[test]
    fn signs_are_written_as_in_books() {
        let n = GameNode {
            nags: vec![3, 16, 200],
            ..GameNode::default()
        };
        assert_eq!(n.signs(), "!! ±");
    }
}
