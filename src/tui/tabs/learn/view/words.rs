//! Wrapping pieces of text into lines.

use report::lesson::{Piece, Tone};
use screen::pen::{Line, Pen};
use screen::theme::Role;
use studies::lesson::Shape;

pub(super) fn write_prose(
    prose: &[(Shape, Vec<Piece>)],
    width: usize,
    pen: &Pen,
    lines: &mut Vec<Line>,
) {
    let mut before = None;
    for (shape, pieces) in prose {
        // There is no blank line between items, or between the lines of a formula.
        if before != Some(*shape) || *shape == Shape::Paragraph {
            lines.push(Vec::new());
        }
        before = Some(*shape);
        let plain = match shape {
            Shape::Formula => Role::Info,
            _ => Role::Text,
        };
        let words = words(pieces, plain, pen);
        match shape {
            Shape::Paragraph => lines.extend(wrap_words(&words, width, "")),
            Shape::Item => {
                let mut item = vec![("- ".to_owned(), Role::Dim)];
                item.extend(words);
                lines.extend(wrap_words(&item, width, "  "));
            }
            Shape::Formula => lines.extend(kept_line(words, width)),
        }
    }
}

/// Returns a line unchanged, including its spaces; it is wrapped only if it is too long.
fn kept_line(words: Vec<(String, Role)>, width: usize) -> Vec<Line> {
    let long: usize = words.iter().map(|w| text::width(&w.0)).sum();
    if long <= width {
        vec![words]
    } else {
        wrap_words(&words, width, "   ")
    }
}

/// Returns pieces with their roles.
pub(super) fn words(pieces: &[Piece], plain: Role, pen: &Pen) -> Vec<(String, Role)> {
    let role = |tone: Tone| match tone {
        Tone::Plain => plain,
        Tone::Bold => Role::Heading,
        Tone::Code => Role::Key,
        Tone::Term => Role::Title,
        Tone::Figure => Role::Count,
    };
    let word = |p: &Piece| (pen.glyphs.text(&p.text), role(p.tone));
    pieces.iter().map(word).collect()
}

/// Returns lines of at most `width` columns, broken at spaces; `indent` precedes all but the first.
pub(super) fn wrap_words(pieces: &[(String, Role)], width: usize, indent: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![Vec::new()];
    let mut used = 0;
    // A word may continue from one piece into the next.
    let mut word: Line = Vec::new();
    let mut gap: Option<Role> = None;
    let mut place = |word: &mut Line, gap: Option<Role>, lines: &mut Vec<Line>| {
        let long: usize = word.iter().map(|w| text::width(&w.0)).sum();
        if long == 0 {
            return;
        }
        let space = usize::from(gap.is_some() && used > 0);
        if used + space + long > width && used > text::width(indent) {
            lines.push(vec![(indent.to_owned(), Role::Text)]);
            used = text::width(indent);
        } else if space == 1 {
            let role = gap.unwrap_or(Role::Text);
            lines
                .last_mut()
                .into_iter()
                .for_each(|l| l.push((" ".into(), role)));
            used += 1;
        }
        used += long;
        let line = lines.last_mut();
        line.into_iter().for_each(|l| l.append(word));
    };
    for (text, role) in pieces {
        for (i, part) in text.split(' ').enumerate() {
            if i > 0 {
                place(&mut word, gap, &mut lines);
                gap = Some(*role);
            }
            if !part.is_empty() {
                word.push((part.to_owned(), *role));
            }
        }
    }
    place(&mut word, gap, &mut lines);
    lines
}
