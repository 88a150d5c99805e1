//! The words of a handout: text with the numbers of the search.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::html::escaped;
use crate::lens::Lens;
use crate::lesson::{Tone, pieces, plain};
use session::breakpoint::Still;
use studies::lesson::{Hint, Inline, Kind, Prose, Question, Shape, Step};

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

/// Returns the words of a step and of its question, without the signs of check and mate.
pub(super) fn named(step: &Step, still: &Still, lens: Lens) -> HashSet<String> {
    let prose = step.text.iter().chain(&step.after).map(|p| &p.inlines);
    let choices = step.question.iter().flat_map(|q| match &q.kind {
        Kind::Choice(choices) => choices.as_slice(),
        Kind::Number { .. } | Kind::Row(_) => &[],
    });
    let asked = step.question.iter().map(|q| &q.ask);
    let texts = prose.chain(asked).chain(choices.map(|c| &c.text));
    let texts: Vec<String> = texts.map(|t| plain(t, still, lens)).collect();
    let parts = texts
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '=')));
    parts
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
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
