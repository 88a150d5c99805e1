//! What stands in comments for programs (`[%eval 0.31,18]`, `[%clk 0:03:00]`) and in numbers for people (`$1` is `!`).

use crate::game::{load::GameNode, text::sanitise};

/// An evaluation written into a game, from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    Centipawns(i32),
    /// Full moves to mate; negative if Black mates.
    Mate(i32),
}

impl GameNode {
    /// The comments for people, without the commands for programs, harmless to print.
    #[must_use]
    pub fn text(&self) -> String {
        let all = self.comments_before.iter().chain(&self.comments);
        let plain: Vec<String> = all.map(|c| plain(c)).filter(|c| !c.is_empty()).collect();
        plain.join(" ")
    }

    /// The evaluation after the move, if the file has one.
    #[must_use]
    pub fn evaluation(&self) -> Option<Evaluation> {
        let text = self.comments.iter().find_map(|c| command(c, "eval"))?;
        let text = text.split(',').next()?.trim();
        match text.strip_prefix('#') {
            Some(moves) => moves.parse().ok().map(Evaluation::Mate),
            None => {
                let pawns: f64 = text.parse().ok().filter(|p: &f64| p.abs() < 1_000.0)?;
                Some(Evaluation::Centipawns((pawns * 100.0).round() as i32))
            }
        }
    }

    /// The mover's clock after the move, as written (`0:03:00`).
    #[must_use]
    pub fn clock(&self) -> Option<String> {
        let text = self.comments.iter().find_map(|c| command(c, "clk"))?;
        Some(sanitise(text))
    }

    /// The annotation glyphs as people write them: `!?`, `±`.
    #[must_use]
    pub fn signs(&self) -> String {
        let signs: Vec<&str> = self.nags.iter().filter_map(|&nag| sign(nag)).collect();
        signs.join(" ")
    }
}

/// The operand of `[%name …]` in a comment.
#[must_use]
pub fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = comment;
    while let Some(start) = rest.find("[%") {
        let inner = &rest[start + 2..];
        let end = inner.find(']')?;
        if let Some((key, operand)) = inner[..end].split_once(' ')
            && key == name
        {
            return Some(operand.trim());
        }
        rest = &inner[end..];
    }
    None
}

/// A comment without its `[%…]` commands, sanitised, with single spaces.
#[must_use]
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

/// How people write a numeric annotation glyph; none for the rare ones.
#[must_use]
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
    fn signs_are_written_as_in_books() {
        let n = GameNode {
            nags: vec![3, 16, 200],
            ..GameNode::default()
        };
        assert_eq!(n.signs(), "!! ±");
    }
}
