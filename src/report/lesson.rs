//! Lessons as text: paragraphs with the search's numbers in them, lists of lessons, and handouts.

pub mod handout;
pub mod progress;

use schemars::JsonSchema;
use serde::Serialize;

use super::lens::Lens;
use super::number;
use session::breakpoint::{NodePath, Still};
use studies::lesson::answer::{Answer, Guess};
use studies::lesson::{Format, Inline, Kind, Lesson, Question, Value};

/// How a piece of text is styled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Bold,
    Code,
    Term,
    /// A value from the search.
    Figure,
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    pub tone: Tone,
}

/// Returns the pieces of a text, with the current numbers of the search, and its sentences as seen through a lens.
pub fn pieces(inlines: &[Inline], still: &Still, lens: Lens) -> Vec<Piece> {
    let piece = |inline: &Inline| {
        let (text, tone) = match inline {
            Inline::Plain(text) => (text.clone(), Tone::Plain),
            Inline::Bold(text) => (text.clone(), Tone::Bold),
            Inline::Code(text) => (text.clone(), Tone::Code),
            Inline::Term { shown, .. } => (shown.clone(), Tone::Term),
            Inline::Value(value, format) => (told(value, *format, still, lens), Tone::Figure),
        };
        Piece { text, tone }
    };
    inlines.iter().map(piece).collect()
}

/// Returns the same text without styles.
pub fn plain(inlines: &[Inline], still: &Still, lens: Lens) -> String {
    let pieces = pieces(inlines, still, lens);
    pieces.into_iter().map(|p| p.text).collect()
}

/// Returns a text without the numbers of a search, in whose place are dots.
fn unsearched(inlines: &[Inline]) -> String {
    let piece = |inline: &Inline| match inline {
        Inline::Plain(text) | Inline::Bold(text) | Inline::Code(text) => text.clone(),
        Inline::Term { shown, .. } => shown.clone(),
        Inline::Value(..) => "…".to_owned(),
    };
    inlines.iter().map(piece).collect()
}

/// Returns the text for a placeholder, or `?` if the search does not have the value.
fn told(value: &Value, format: Format, still: &Still, lens: Lens) -> String {
    let tree = still.reader.tree;
    let unknown = || "?".to_owned();
    let told = match value {
        Value::Number(measure) => measure.of(still).map(|x| figure(x, format)),
        Value::Best(spot) => spot.node(tree).and_then(|node| {
            let best = still.reader.best_move(node)?;
            Some(still.reader.label(node, best))
        }),
        Value::Line(spot) => spot.node(tree).map(|node| {
            let names = still.reader.best_names(node).into_iter();
            names.map(|n| n.san).collect::<Vec<_>>().join(" ")
        }),
        Value::Move(spot) => spot
            .row(tree)
            .map(|(parent, m)| still.reader.label(parent, m)),
        Value::Sentence(spot) => reason(spot, still, lens),
        Value::Event => still.event.as_ref().map(|e| lens.event(&still.reader, e)),
    };
    told.filter(|t| !t.is_empty()).unwrap_or_else(unknown)
}

fn reason(spot: &NodePath, still: &Still, lens: Lens) -> Option<String> {
    match spot.row(still.reader.tree) {
        Some((parent, m)) => {
            let rows = still.reader.rows(parent);
            let row = rows.iter().find(|row| row.move_code == m)?;
            Some(lens.why(&still.reader, row))
        }
        None => Some(lens.why_node(&still.reader, spot.node(still.reader.tree)?)),
    }
}

/// Formats a number as in a lesson, with a true minus sign.
pub fn figure(x: f64, format: Format) -> String {
    let text = match format {
        Format::Percent => return number::percent(x as f32),
        Format::Decimals(d) => format!("{:.*}", usize::from(d), x),
        Format::Signed(d) => format!("{:+.*}", usize::from(d), x),
        Format::Plain if x.is_infinite() => String::from(if x > 0.0 { "∞" } else { "-∞" }),
        Format::Plain if x.fract() == 0.0 && x.abs() >= 10_000.0 => {
            let sign = if x < 0.0 { "-" } else { "" };
            format!("{sign}{}", text::thousands(x.abs() as u64))
        }
        Format::Plain => {
            let decimals = if x.abs() < 0.1 { 3 } else { 2 };
            let text = format!("{x:.decimals$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    // Avoids "-0.00".
    let zero = text
        .strip_prefix('-')
        .filter(|t| t.chars().all(|c| matches!(c, '0' | '.')));
    number::minus(zero.unwrap_or(&text))
}

/// Returns the answer in the form in which the reader would give it.
pub fn answer(question: &Question, answer: &Answer, still: &Still, lens: Lens) -> String {
    match (answer, &question.kind) {
        (Answer::Row { .. }, _) => answer.row_name(still).unwrap_or_default(),
        (Answer::Number { value, tolerance }, _) => {
            let plain = figure(*value, Format::Plain);
            match *tolerance {
                0.0 => plain,
                tolerance => format!("{plain} (±{})", figure(tolerance, Format::Plain)),
            }
        }
        (Answer::Choice(right), Kind::Choice(choices)) => choices
            .get(*right)
            .map(|c| plain(&c.text, still, lens))
            .unwrap_or_default(),
        (Answer::Choice(_), _) => String::new(),
    }
}

/// Returns a reader's answer in the form in which [`answer`] has the right one.
pub fn guessed(question: &Question, guess: &Guess, still: &Still, lens: Lens) -> String {
    let same = match guess {
        Guess::Number(x) => return figure(*x, Format::Plain),
        Guess::Choice(chosen) => Answer::Choice(*chosen),
        Guess::Row { parent, m } => Answer::Row {
            parent: *parent,
            m: *m,
        },
    };
    answer(question, &same, still, lens)
}

/// A lesson.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LessonJson<'a> {
    /// Its number in the list, from 1.
    #[schemars(range(min = 1))]
    pub number: usize,
    /// The name of its file.
    pub name: &'a str,
    /// Its title.
    pub title: &'a str,
    /// What it teaches, in one sentence.
    pub teaches: &'a str,
    /// How long it takes, in minutes.
    pub minutes: u32,
    /// The number of its steps.
    pub steps: usize,
    /// The number of its questions.
    pub questions: usize,
    /// Where its matter comes from: author, year and title.
    pub sources: &'a [String],
}

impl<'a> LessonJson<'a> {
    pub fn new(number: usize, lesson: &'a Lesson) -> Self {
        LessonJson {
            number,
            name: &lesson.name,
            title: &lesson.title,
            teaches: &lesson.teaches,
            minutes: lesson.minutes,
            steps: lesson.steps.len(),
            questions: lesson.questions(),
            sources: &lesson.sources,
        }
    }
}
