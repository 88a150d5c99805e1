//! The algorithm's explanation of the node, as lines of text.

use super::LISTED;
use super::content::Content;
use crate::views::facts::Numbers;
use report::explanation::Telling;
use screen::pen::Line;
use screen::theme::Role;
use search::explanation::{Block, Phrase, Row, Tone};

const NAME: usize = 9;

/// Returns the algorithm's own figures: name and value.
pub(super) fn facts(content: &Content, numbers: &Numbers) -> Vec<(&'static str, String)> {
    let facts = content.explained.facts.iter();
    facts
        .filter(|fact| fact.name != STATIC)
        .map(|fact| (fact.name, words(content, numbers, &fact.value)))
        .collect()
}

/// The figure that any node may have and that an algorithm may explain further.
const STATIC: &str = "static";

/// Returns what the algorithm adds to the node's static value.
pub(super) fn of_static_value(content: &Content, numbers: &Numbers) -> String {
    let facts = content.explained.facts.iter();
    let more = facts.filter(|fact| fact.name == STATIC);
    more.map(|fact| format!(", {}", words(content, numbers, &fact.value)))
        .collect()
}

/// Returns the blocks that lead, or those that do not.
pub(super) fn blocks(content: &Content, leads: bool) -> impl Iterator<Item = &Block> {
    let blocks = content.explained.blocks.iter();
    blocks.filter(move |block| block.leads == leads)
}

/// Returns a block's lines: a heading, the formula, one line per move, and the notes.
pub(super) fn lines(content: &Content, block: &Block, numbers: &Numbers, room: usize) -> Vec<Line> {
    let wrapped = |phrase: &Phrase, role| {
        let lines = text::wrap(&words(content, numbers, phrase), room).into_iter();
        lines.map(move |line| vec![(line, role)])
    };
    let mut lines = vec![vec![(block.title.to_owned(), Role::Heading)]];
    if let Some(formula) = &block.formula {
        lines.extend(wrapped(formula, Role::Dim));
    }
    let columns = columns(block, room);
    if !columns.is_empty() {
        let head = columns.iter().map(|&i| &block.columns[i]);
        let head = head.map(|c| format!("{:>w$}", c.name, w = c.width));
        let head = format!("{:NAME$}{}", "", head.collect::<String>());
        lines.push(vec![(head, Role::Dim)]);
    }
    for row in block.rows.iter().take(LISTED) {
        let mut line = vec![(
            format!("{:<w$} ", content.name_of(row.child), w = NAME - 1),
            Role::Move,
        )];
        line.extend(cells(content, block, &columns, row, numbers));
        lines.push(line);
    }
    for (tone, note) in &block.notes {
        lines.extend(wrapped(note, role(*tone)));
    }
    lines
}

/// Returns the columns that fit.
pub(super) fn columns(block: &Block, room: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..block.columns.len()).collect();
    let width = |kept: &[usize]| kept.iter().map(|&i| block.columns[i].width).sum::<usize>();
    while width(&kept) + NAME > room && kept.len() > 1 {
        let goes = kept.iter().map(|&i| block.columns[i].dispensable).max();
        kept.retain(|&i| Some(block.columns[i].dispensable) != goes);
    }
    kept
}

fn cells(
    content: &Content,
    block: &Block,
    columns: &[usize],
    row: &Row,
    numbers: &Numbers,
) -> Line {
    let mut telling = Telling::new(numbers);
    let mut words =
        |phrase: &Phrase| telling.text(phrase, |child| content.name_of(child).to_owned());
    if !block.columns.is_empty() {
        let cell = |&i: &usize| {
            let (tone, phrase) = &row.cells[i];
            let words = words(phrase);
            (
                format!(
                    " {:>w$}",
                    words,
                    w = block.columns[i].width.saturating_sub(1)
                ),
                role(*tone),
            )
        };
        return columns.iter().map(cell).collect();
    }
    let cell = |(tone, phrase): &(Tone, Phrase)| {
        let words = words(phrase);
        match tone {
            Tone::Policy => (format!("{words:>5}  "), role(*tone)),
            _ => (words, role(*tone)),
        }
    };
    row.cells.iter().map(cell).collect()
}

fn words(content: &Content, numbers: &Numbers, phrase: &Phrase) -> String {
    Telling::new(numbers).text(phrase, |child| content.name_of(child).to_owned())
}

fn role(tone: Tone) -> Role {
    match tone {
        Tone::Plain => Role::Text,
        Tone::Quiet => Role::Dim,
        Tone::Chosen => Role::Title,
        Tone::Policy => Role::Policy,
        Tone::Belief => Role::Spread,
    }
}
