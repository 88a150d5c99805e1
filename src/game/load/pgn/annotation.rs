//! The contents of comments that are meant for programs (`[%eval 0.31,18]`, `[%clk 0:03:00]`), and numeric annotation
//! glyphs (`$1` is `!`).

use std::{fmt, ops::Range};

use crate::load::GameNode;
use crate::{Side, Sided};
use text::sanitise;

/// An evaluation in a game, from the view of White, or of whoever has White's place in another game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    Centipawns(i32),
    /// Full moves to mate, or in other games to the move that wins; negative if Black mates.
    Mate(i32),
    /// The expected score from -1 to 1, in a game whose values are such scores.
    Expected(f32),
}

impl Sided for Evaluation {
    fn turned(self) -> Evaluation {
        match self {
            Evaluation::Centipawns(cp) => Evaluation::Centipawns(-cp),
            Evaluation::Mate(moves) => Evaluation::Mate(-moves),
            Evaluation::Expected(e) => Evaluation::Expected(-e),
        }
    }
}

/// Written as in an `[%eval …]` command: `0.31`, `#-3`; an expected score as `+0.31`.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Centipawns(cp) => write!(f, "{:.2}", f64::from(*cp) / 100.0),
            Evaluation::Mate(moves) => write!(f, "#{moves}"),
            // Without the sign of a value that rounds to zero.
            Evaluation::Expected(e) => write!(f, "{:+.2}", (e * 100.0).round() / 100.0 + 0.0),
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
        if let Some(told) = self.told_value() {
            return Some(told.evaluation);
        }
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
        match self.told_value() {
            Some(told) => told.depth,
            None => self.written_evaluation()?.1.trim().parse().ok(),
        }
    }

    fn told_value(&self) -> Option<ToldValue> {
        self.comments.iter().find_map(|c| told_value(c))
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

/// What a comment with a value begins with, in a game whose values are expected scores.
const TOLD: &str = "plyscope: ";

/// What comes before the number of moves, and before the depth, in such a comment.
const WINS: &str = " wins in ";
const DEPTH: &str = ", depth ";

/// Returns a value as a comment, with what it means and the depth of its search in plies: `plyscope: +0.31 (Yellow's view, depth
/// 12)`, `plyscope: -1.00 (Red wins in 3)`.
pub fn tell_value(
    evaluation: Evaluation,
    depth: Option<u16>,
    name: impl Fn(Side) -> &'static str,
) -> String {
    let depth = depth.map_or_else(String::new, |depth| format!("{DEPTH}{depth}"));
    match evaluation {
        Evaluation::Mate(moves) => {
            let winner = if moves < 0 { Side::Black } else { Side::White };
            let (value, winner) = (Evaluation::Expected(moves.signum() as f32), name(winner));
            format!("{TOLD}{value} ({winner}{WINS}{}{depth})", moves.abs())
        }
        value => format!("{TOLD}{value} ({}'s view{depth})", name(Side::White)),
    }
}

/// A value that [`tell_value`] has written.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldValue {
    /// Its place in the comment.
    pub range: Range<usize>,
    pub evaluation: Evaluation,
    /// In plies.
    pub depth: Option<u16>,
}

/// Returns the first such value in a comment.
pub fn told_value(comment: &str) -> Option<ToldValue> {
    let from = comment.find(TOLD)?;
    let (value, rest) = comment[from + TOLD.len()..].split_once(" (")?;
    let e: f32 = value.parse().ok().filter(|e: &f32| e.abs() <= 1.0)?;
    let (meaning, _) = rest.split_once(')')?;
    let (what, depth) = meaning.split_once(DEPTH).unwrap_or((meaning, ""));
    let wins_in = what
        .split_once(WINS)
        .and_then(|(_, moves)| moves.parse().ok());
    let mate = wins_in.filter(|moves: &i32| *moves > 0 && e.abs() == 1.0);
    Some(ToldValue {
        range: from..from + TOLD.len() + value.len() + " (".len() + meaning.len() + ")".len(),
        evaluation: mate.map_or(Evaluation::Expected(e), |moves| {
            Evaluation::Mate(if e < 0.0 { -moves } else { moves })
        }),
        depth: depth.parse().ok(),
    })
}

/// Returns a comment without its `[%…]` commands and values, sanitised and with single spaces.
pub fn plain(comment: &str) -> String {
    let mut text = String::new();
    let without;
    let mut rest = comment;
    if let Some(ToldValue { range, .. }) = told_value(comment) {
        without = format!("{} {}", &comment[..range.start], &comment[range.end..]);
        rest = &without;
    }
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

/// A sign or an abbreviation that books and programs write after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// The glyphs after a move of White and one of Black, which differ where it is about one side.
    nags: [u8; 2],
    /// How it is written; the first is how it is shown.
    written: &'static [&'static str],
}

impl Sign {
    const fn new(white: u8, black: u8, written: &'static [&'static str]) -> Sign {
        Sign {
            nags: [white, black],
            written,
        }
    }

    /// Returns the glyph that it is after a move of this side.
    pub(super) fn nag(self, mover: Side) -> u8 {
        self.nags[usize::from(mover == Side::Black)]
    }
}

/// The signs that have a glyph: those of the PGN standard, and those above 139 that programs added to it.
const SIGNS: [Sign; 28] = [
    Sign::new(1, 1, &["!"]),
    Sign::new(2, 2, &["?"]),
    Sign::new(3, 3, &["!!"]),
    Sign::new(4, 4, &["??"]),
    Sign::new(5, 5, &["!?"]),
    Sign::new(6, 6, &["?!"]),
    Sign::new(7, 7, &["□", "◻"]),
    Sign::new(10, 10, &["=", "=="]),
    Sign::new(13, 13, &["∞", "~"]),
    Sign::new(14, 14, &["⩲", "+=", "+/="]),
    Sign::new(15, 15, &["⩱", "=+", "=/+"]),
    Sign::new(16, 16, &["±", "+/-"]),
    Sign::new(17, 17, &["∓", "-/+"]),
    Sign::new(18, 18, &["+−"]),
    Sign::new(19, 19, &["−+"]),
    Sign::new(20, 20, &["+−−"]),
    Sign::new(21, 21, &["−−+"]),
    Sign::new(22, 23, &["⨀", "⊙"]),
    Sign::new(26, 27, &["○"]),
    Sign::new(32, 33, &["⟳"]),
    Sign::new(36, 37, &["↑"]),
    Sign::new(40, 41, &["→"]),
    Sign::new(44, 45, &["=∞", "=/∞", "∞=", "∞/=", "⯹"]),
    Sign::new(132, 133, &["⇆", "⇄"]),
    Sign::new(138, 139, &["⊕"]),
    Sign::new(140, 140, &["∆", "Δ"]),
    Sign::new(142, 142, &["⌓"]),
    Sign::new(146, 146, &["N", "TN"]),
];

/// Signs without a glyph of their own, and those that say what the move shows: checks, captures in passing, diagrams.
const MARKS: [&str; 18] = [
    "+", "++", "#", "##", "†", "‡", "e.p.", "e.p", "ep", "ch", "dbl", "dis", "mate", "D",
    "Diagram", "RR", "●", "⊞",
];

/// Reads signs that follow each other without a space; `None` if something else is among them. [`MARKS`] are left out.
pub(crate) fn signs(text: &str) -> Option<Vec<Sign>> {
    /// More than anybody writes after one move.
    const MOST: usize = 4;
    let dashed: String = text.chars().map(dash).collect();
    let mut found = Vec::new();
    let read = !text.is_empty() && read_signs(&dashed, MOST, &mut found);
    found.reverse();
    read.then_some(found)
}

/// Writes every dash as a true minus.
fn dash(c: char) -> char {
    match c {
        '-' | '–' | '—' => '−',
        c => c,
    }
}

/// Reads at most `most` signs, the longest first, and adds them from the last to the first.
fn read_signs(text: &str, most: usize, found: &mut Vec<Sign>) -> bool {
    if text.is_empty() {
        return true;
    }
    let Some(most) = most.checked_sub(1) else {
        return false;
    };
    let lengths = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut lengths: Vec<usize> = lengths.take_while(|&end| end <= LONGEST).collect();
    lengths.reverse();
    lengths.into_iter().any(|end| {
        let (word, rest) = text.split_at(end);
        let is_it = |written: &&str| written.chars().map(dash).eq(word.chars());
        let sign = SIGNS.iter().find(|sign| sign.written.iter().any(is_it));
        let known = sign.is_some() || MARKS.iter().any(is_it);
        let read = known && read_signs(rest, most, found);
        if read {
            found.extend(sign);
        }
        read
    })
}

/// The bytes of the longest sign.
const LONGEST: usize = 9;

/// Returns the usual sign for a numeric annotation glyph; `None` for the rare ones.
pub fn sign(nag: u8) -> Option<&'static str> {
    let found = SIGNS.iter().find(|sign| sign.nags.contains(&nag));
    found.map(|sign| sign.written[0])
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
