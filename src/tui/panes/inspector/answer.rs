//! Draws the answer to why a move was not chosen, or was.

use ratatui::layout::Rect;

use super::InspectorTarget;
use super::explained::columns;
use crate::context::{Context, line_from};
use crate::panes::Pane;
use crate::panes::debugger::marks::Figures;
use crate::source::Source;
use crate::views::bar::key_of_command;
use crate::views::facts::Numbers;
use crate::views::has_keyboard;
use report::answer as told;
use report::explanation::{self, Telling};
use screen::pen::{Line, Pen, indented};
use screen::theme::Role;
use search::Viewpoint;
use search::explanation::Block;
use session::Reader;
use session::answer::Answer;
use tree::{NodeId, NodeView};

/// Draws the answer in the inspector's place. Returns false where there is none, as at the root.
pub(super) fn draw(cx: &Context, pen: &mut Pen, area: Rect) -> bool {
    let (Some(answer), Some((_, reader))) = (cx.selected_answer(), cx.selected()) else {
        return false;
    };
    pen.region(area, InspectorTarget);
    let title = text::sanitise(&told::question(&reader, &answer));
    let inner = pen.frame(area, &title, has_keyboard(cx, Pane::Inspector));
    let why = key_of_command(cx, "why");
    let keys = format!("← → step along the line · {why} search it anyway · Esc close");
    let short = format!("← → step · {why} search it · Esc close");
    let room = usize::from(area.width.saturating_sub(6));
    let keys = match text::width(&keys) <= room {
        true => keys,
        false => short,
    };
    pen.frame_note(area, area.bottom().saturating_sub(1), &keys, Role::Dim);
    let room = usize::from(inner.width.saturating_sub(2));
    let lines = lines(cx, reader, &answer, room);
    let height = usize::from(inner.height);
    let top = cx.explore.inspector_top;
    let top = pen.scrolled(InspectorTarget, top, lines.len(), height);
    pen.lines(indented(inner), lines.iter().skip(top));
    true
}

fn lines(cx: &Context, reader: Reader, answer: &Answer, room: usize) -> Vec<Line> {
    let numbers = Numbers::new(cx, reader.scale(), cx.looks.glyphs);
    let scores = cx.lens.of_moves(&reader, answer.parent);
    let value = |view: &NodeView| {
        let figures = Figures {
            view: *view,
            belief: None,
        };
        numbers.mean_of(&scores.seen(figures))
    };
    let wrapped = |text: &str, role: Role| {
        let lines = text::wrap(&text::sanitise(text), room).into_iter();
        lines.map(move |line| vec![(line, role)])
    };
    let mut lines: Vec<Line> = Vec::new();
    // What was asked for last comes first, where it is in view however low the pane is.
    let forced = cx.explore.asking.as_ref().and_then(|a| a.forced.as_ref());
    if let Some(forced) = forced {
        let found = forced.found();
        let text = told::forced(&reader, answer, &found, &value);
        lines.extend(wrapped(&text, Role::Title));
        lines.push(Vec::new());
    }
    lines.extend(wrapped(&told::verdict(&reader, answer, &value), Role::Text));
    lines.extend(played(cx, reader, room));
    lines.extend(wrapped(&reason(cx, reader, answer), Role::Dim));
    if let Some(assumption) = told::assumption(answer) {
        lines.extend(wrapped(assumption, Role::Text));
    }
    if let Some(effort) = told::effort(&reader, answer) {
        lines.extend(wrapped(&effort, Role::Text));
    }
    lines.extend(terms(cx, reader, answer, room));
    lines
}

/// Returns the sentence of the tree about the move.
fn reason(cx: &Context, reader: Reader, answer: &Answer) -> String {
    match answer.asked.node {
        Some(node) => cx.lens.why_node(&reader, node),
        None => {
            let rows = reader.rows(answer.parent);
            let row = rows.iter().find(|row| row.move_code == answer.asked.code);
            row.map_or_else(String::new, |row| cx.lens.why(&reader, row))
        }
    }
}

/// Returns the line on the board, with the moves that are made there marked.
fn played(cx: &Context, reader: Reader, room: usize) -> Vec<Line> {
    let Some(shown) = cx.line_played() else {
        return Vec::new();
    };
    let Some(start) = reader.situation(shown.from) else {
        return Vec::new();
    };
    let made = line_from(&start, &shown.moves[..shown.played]);
    let all = line_from(&start, &shown.moves);
    let mut left = made.chars().count();
    let wrapped = text::wrap(&all, room);
    let line = |words: String| {
        let count = words.chars().count();
        let here = left.min(count);
        // The space at the break is counted too.
        left = left.saturating_sub(count + 1);
        let (made, rest): (String, String) = (
            words.chars().take(here).collect(),
            words.chars().skip(here).collect(),
        );
        vec![(made, Role::MoveBest), (rest, Role::Move)]
    };
    wrapped.into_iter().map(line).collect()
}

/// Returns the algorithm's figures of the move and its rival, from its own tables.
fn terms(cx: &Context, reader: Reader, answer: &Answer, room: usize) -> Vec<Line> {
    let seed = cx.session.as_ref().map(Source::seed);
    let scores = cx.lens.of_moves(&reader, answer.parent);
    let viewpoint = scores.word(Viewpoint::Own, Viewpoint::Mover);
    let explained = reader.explain(answer.parent, viewpoint, seed);
    let numbers = Numbers::new(cx, reader.scale(), cx.looks.glyphs);
    let pair = [Some(&answer.asked), answer.rival.as_ref()];
    let nodes: Vec<NodeId> = pair.into_iter().flatten().filter_map(|c| c.node).collect();
    let mut lines = Vec::new();
    for block in explained.blocks.iter().filter(|b| !b.columns.is_empty()) {
        lines.extend(table(reader, answer, block, &nodes, (room, &numbers)));
    }
    lines
}

/// The columns of the moves' names.
const NAME: usize = 9;

fn table(
    reader: Reader,
    answer: &Answer,
    block: &Block,
    nodes: &[NodeId],
    (room, numbers): (usize, &Numbers),
) -> Vec<Line> {
    let rows: Vec<_> = nodes
        .iter()
        .filter_map(|node| block.rows.iter().find(|row| row.child == *node))
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let columns = columns(block, room);
    let head: String = columns
        .iter()
        .map(|&i| format!("{:>w$}", block.columns[i].name, w = block.columns[i].width))
        .collect();
    let mut lines = vec![
        Vec::new(),
        vec![(block.title.to_owned(), Role::Heading)],
        vec![(format!("{:NAME$}{head}", ""), Role::Dim)],
    ];
    for row in rows {
        let code = reader.tree.node(row.child).move_code();
        let name = text::sanitise(&reader.label(answer.parent, code));
        let mut telling = Telling::new(numbers);
        let name_of = |child| explanation::child_name(&reader, answer.parent, child);
        let cells: String = columns
            .iter()
            .map(|&i| {
                let words = telling.text(&row.cells[i].1, name_of);
                format!("{words:>w$}", w = block.columns[i].width)
            })
            .collect();
        lines.push(vec![
            (format!("{name:<NAME$}"), Role::Move),
            (cells, Role::Text),
        ]);
    }
    lines
}
