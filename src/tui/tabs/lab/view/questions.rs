//! Draws the page on the sources' questions: their names, and the results of the one that is shown.

use ratatui::layout::Rect;

use super::{draw_lines, frame, page_legend, state};
use crate::context::Context;
use crate::tabs::lab::LabTab;
use crate::tabs::lab::pages::questions::QuestionTarget;
use crate::tabs::lab::sources::ALL;
use crate::views::bar::key_of_command;
use crate::views::sheet;
use screen::pen::{Line, Pen};
use screen::theme::Role;

/// Draws the page.
pub fn draw(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let page = &lab.questions;
    let question = page.question();
    let state = state(lab, cx, "running", &format!(" {}", question.unit));
    let gap = if cx.small.on { 1 } else { 2 };
    let title = format!("plyscope lab {}", question.name);
    let inner = frame(pen, area, &title, state);
    draw_names(page.chosen, pen, inner);
    let inner = Rect {
        x: inner.x + 1,
        y: inner.y + gap,
        width: inner.width.saturating_sub(2),
        height: inner.height.saturating_sub(gap),
    };
    let Some(answer) = &page.asking().answer else {
        draw_invitation(lab, cx, pen, inner);
        return;
    };
    let lines = sheet::lines(&answer.sheet, pen.glyphs, usize::from(inner.width));
    let height = usize::from(inner.height);
    let top = pen.scrolled(QuestionTarget::Results, page.top, lines.len(), height);
    pen.lines(inner, lines.iter().skip(top));
    if lines.len() > height {
        let last = (top + height).min(lines.len());
        let note = format!("{} to {last} of {} lines", top + 1, lines.len());
        pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
    }
}

/// Draws the names of the questions, which can be clicked.
fn draw_names(chosen: usize, pen: &mut Pen, inner: Rect) {
    let mut x = inner.x;
    for (at, question) in ALL.iter().enumerate() {
        let role = match at == chosen {
            true => Role::TabActive,
            false => Role::Tab,
        };
        let start = x;
        x = pen.put(
            x,
            inner.y,
            inner.right(),
            &format!(" {} ", question.name),
            role,
        );
        let spot = Rect {
            x: start,
            width: x - start,
            height: 1,
            ..inner
        };
        pen.region(spot, QuestionTarget::Name(at));
    }
}

/// Draws what can be asked.
fn draw_invitation(lab: &LabTab, cx: &Context, pen: &mut Pen, inner: Rect) {
    let question = lab.questions.question();
    if lab.questions.asking().job().is_some() {
        return;
    }
    let key = |id| key_of_command(cx, id);
    let from = match question.needs_positions {
        true => format!(
            ", {} the samples or the open file",
            key("questions-positions")
        ),
        false => String::new(),
    };
    let nodes = match question.nodes.is_empty() {
        true => String::new(),
        false => format!(", {} nodes", key("questions-nodes")),
    };
    let lines = [
        format!(
            "{} runs it, {} the next question",
            key("questions-run"),
            key("questions-next")
        ),
        format!("{} how many{nodes}{from}", key("questions-count")),
        String::new(),
    ];
    let others = ALL
        .iter()
        .map(|q| format!("  {:<11} {}", q.name, q.question));
    let lines = lines.into_iter().chain(others);
    draw_lines(pen, inner, lines.map(|line| (line, Role::Hint)));
}

/// Explains what the page shows, for the help.
pub fn legend(pen: &Pen, width: usize) -> Vec<Line> {
    let words = ALL.each_ref().map(|q| (q.name, Role::Text, q.question));
    page_legend(
        pen,
        "The Lab's page on the sources' questions",
        &words,
        width,
    )
}
