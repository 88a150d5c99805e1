//! The words of a handout: text with the numbers of the search.

use std::fmt::Write as _;

use crate::engine::breakpoint::Still;
use crate::engine::lesson::{Hint, Inline, Prose, Question, Shape};
use crate::report::html::escaped;
use crate::report::lens::Lens;
use crate::report::lesson::{Tone, pieces};

/// Returns a text with its styles.
pub(super) fn inlines(inlines: &[Inline], still: &Still, lens: Lens) -> String {
    let pieces = pieces(inlines, still, lens).into_iter();
    let styled = pieces.map(|piece| {
        let text = escaped(&piece.text);
        match piece.tone {
            Tone::Plain => text,
            Tone::Bold => format!("<b>{text}</b>"),
            Tone::Code => format!("<code>{text}</code>"),
            Tone::Term => format!("<span class=\"term\">{text}</span>"),
            Tone::Figure => format!("<span class=\"figure\">{text}</span>"),
        }
    });
    styled.collect()
}

/// Returns the hint for a question.
pub(super) fn hint(question: &Question, still: &Still, lens: Lens) -> String {
    match question.hint() {
        Hint::Written(written) => inlines(written, still, lens),
        Hint::Made(text) => escaped(&text),
    }
}

/// Writes paragraphs, lists and formulas.
pub(super) fn prose(out: &mut String, prose: &[Prose], still: &Still, lens: Lens) {
    for group in prose.chunk_by(|a, b| a.shape == b.shape) {
        let texts = group.iter().map(|part| inlines(&part.inlines, still, lens));
        let texts: Vec<String> = texts.collect();
        let _ = match group.first().map(|part| part.shape) {
            Some(Shape::Item) => {
                writeln!(out, "<ul>\n<li>{}</li>\n</ul>", texts.join("</li>\n<li>"))
            }
            Some(Shape::Formula) => {
                writeln!(out, "<pre class=\"formula\">{}</pre>", texts.join("\n"))
            }
            _ => writeln!(out, "<p>{}</p>", texts.join("</p>\n<p>")),
        };
    }
}
