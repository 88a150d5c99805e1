//! The inspector: the selected node's line, its distribution, its figures, its children's shares, and its explanation.

mod answer;
mod asking;
mod content;
mod evaluated;
mod explained;
mod figures;
mod withheld;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::component::{Component, Event, Handled};
use crate::context::Context;
use crate::panes::Pane;
use crate::views::axis::Scale;
use crate::views::facts::{Numbers, fate_cell, fate_role};
use crate::views::has_keyboard;
pub use asking::Asking;
use chart::value::Mark;
use content::{Content, gather};
use figures::{figure_line, fitting, groups};
use screen::glyphs::Glyphs;
use screen::pen::Line;
use screen::pen::Pen;
use screen::theme::Role;
use studies::lesson::Fact;
use tree::FATES;

/// The largest number of replies that are listed.
const LISTED: usize = 12;

/// The inspector's frame and text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InspectorTarget;

/// The inspector pane: what is known of the selected node.
#[derive(Debug)]
pub struct InspectorPane;

impl Component for InspectorPane {
    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        draw(cx, pen, area);
    }

    fn handle(&mut self, cx: &mut Context, event: &Event) -> Handled {
        let by = match event.of() {
            Event::Key(key, count) => match key.code {
                _ if key.ctrl || key.alt => return Handled::No,
                KeyCode::Char('l') | KeyCode::Right if cx.line_played().is_some() => {
                    cx.step_along(count as isize);
                    return Handled::Yes;
                }
                KeyCode::Char('h') | KeyCode::Left if cx.line_played().is_some() => {
                    cx.step_along(-(count as isize));
                    return Handled::Yes;
                }
                KeyCode::Char('j') | KeyCode::Down => count as isize,
                KeyCode::Char('k') | KeyCode::Up => -(count as isize),
                _ => return Handled::No,
            },
            Event::Wheel(Some(InspectorTarget), by) => by,
            Event::Click(Some(InspectorTarget), _) => {
                cx.explore.focus = Pane::Inspector;
                return Handled::Yes;
            }
            Event::LastTop(Some(InspectorTarget), last) => {
                cx.explore.inspector_top = last.min(cx.explore.inspector_top);
                return Handled::Yes;
            }
            _ => return Handled::No,
        };
        cx.explore.inspector_top = cx.explore.inspector_top.saturating_add_signed(by);
        Handled::Yes
    }

    fn hints(&self, _: &Context) -> Vec<&'static str> {
        vec![
            "down",
            "up",
            "next-pane",
            "open",
            "close",
            "copy-line",
            "copy-fen",
        ]
    }

    fn name_of(&self, cx: &Context, command: &str) -> Option<&'static str> {
        match command {
            _ if !cx.in_explore() || cx.explore.focus != Pane::Inspector => None,
            "down" => Some("scroll down"),
            "up" => Some("scroll up"),
            _ => None,
        }
    }
}

fn draw(cx: &Context, pen: &mut Pen, area: Rect) {
    if cx.explore.asking.is_some() && answer::draw(cx, pen, area) {
        return;
    }
    let focused = has_keyboard(cx, Pane::Inspector);
    pen.region(area, InspectorTarget);
    let Some(mut content) = gather(cx) else {
        pen.frame(area, "inspector", focused);
        return;
    };
    withheld::leave_out(cx, &mut content);
    let room = usize::from(area.width.saturating_sub(6));
    let title = text::fit_end(&content.title, room, pen.glyphs.ellipsis);
    let inner = pen.frame(area, &title, focused);
    let numbers = Numbers::new(cx, cx.scale(), pen.glyphs);
    let selected = cx.selected();
    content.evaluation = selected
        .filter(|_| cx.shows(Fact::Rules) && !cx.hides_best())
        // Another program has an evaluation of its own.
        .filter(|(_, reader)| !reader.is_told())
        .and_then(|(row, reader)| reader.evaluate(row.node));
    let room = usize::from(inner.width.saturating_sub(2));
    let parts = parts(&content, &numbers, (room, inner.height));
    let total: usize = parts.iter().map(Part::height).sum();
    let height = usize::from(inner.height);
    let top = pen.scrolled(InspectorTarget, cx.explore.inspector_top, total, height);
    screen::list::draw_bar(pen, inner, top, height, total);
    if total > top + height {
        let more = total - top - height;
        let note = format!("{more} more {}", if more == 1 { "line" } else { "lines" });
        pen.frame_note(area, area.bottom().saturating_sub(1), &note, Role::Dim);
    }
    let mut y = 0;
    for part in &parts {
        part.draw(
            cx,
            pen,
            inner,
            y as isize - top as isize,
            (&content, &numbers),
        );
        y += part.height();
    }
}

/// What the inspector shows, one below the other.
enum Part {
    Words(Line),
    /// The heading of the value axis.
    Axis,
    /// The node's own mark, so many lines high.
    Own(u16),
    /// The mark of one of its moves.
    Child(usize),
    /// Its moves by what became of them.
    Gauge,
}

/// The columns before the axis: the name of a move, its share, its value.
const NAME: u16 = 7;
const SHARE: u16 = 5;
const VALUE: u16 = 7;
/// What values may take whose size nobody knows.
const LONGEST_VALUE: u16 = 11;

impl Part {
    fn height(&self) -> usize {
        match self {
            Part::Own(lines) => usize::from(*lines),
            _ => 1,
        }
    }

    /// Draws the part at a line of the area, which may be above it or below it.
    fn draw(
        &self,
        cx: &Context,
        pen: &mut Pen,
        area: Rect,
        at: isize,
        (content, numbers): (&Content, &Numbers),
    ) {
        let height = self.height() as isize;
        if at < 0 || at + height > isize::from(area.height as i16) {
            return;
        }
        let (x, y, end) = (area.x + 1, area.y + at as u16, area.right());
        let longest = content
            .children
            .iter()
            .map(|child| text::width(&child.value));
        let longest = longest.max().unwrap_or(0) as u16 + 1;
        let before = NAME + SHARE + longest.clamp(VALUE, LONGEST_VALUE) + 1;
        let axis = Rect {
            x: x + before,
            y,
            width: area.width.saturating_sub(before + 2),
            height: height as u16,
        };
        let shown = cx.explore.tree.axis;
        let scale = Scale {
            span: content.span,
            style: shown.style,
            grid: &content.grid,
            rules: content.rules,
            numbers,
        };
        match self {
            Part::Words(line) => {
                let mut at = x;
                for (word, role) in line {
                    at = pen.put(at, y, end, &pen.glyphs.text(word), *role);
                }
            }
            Part::Axis => {
                pen.put(x, y, end, content.share_word, Role::Heading);
                scale.heading(pen, axis);
            }
            Part::Own(lines) => {
                let bottom = y + lines - 1;
                pen.put(x, bottom, end, "itself", Role::Title);
                let value = numbers.mean(&content.facts);
                pen.put_right(x, bottom, axis.x - 1, &value, Role::Title);
                let proof = content.facts.view.proof;
                scale.row(pen, axis, &content.plotted, Role::Density, proof);
            }
            Part::Child(at) => {
                let child = &content.children[*at];
                let room = usize::from(NAME) - 1;
                let name = text::fit(&pen.glyphs.text(&child.name), room, pen.glyphs.ellipsis);
                let role = match child.role {
                    Role::MoveBest => Role::MoveBest,
                    Role::Children => Role::Dim,
                    _ => Role::Move,
                };
                pen.put(x, y, x + NAME, &name, role);
                let share = text::percent(child.share);
                pen.put_right(x + NAME, y, x + NAME + SHARE, &share, Role::Policy);
                pen.put_right(x + NAME + SHARE, y, axis.x - 1, &child.value, Role::Spread);
                scale.row(pen, axis, &child.plotted, child.role, child.proof);
            }
            Part::Gauge => gauge(
                pen,
                Rect {
                    x,
                    y,
                    width: area.width.saturating_sub(2),
                    height: 1,
                },
                content,
            ),
        }
    }
}

/// Returns what there is to show in so many columns and lines: the sentence first, the node and its moves on the value axis,
/// its figures in three groups, and the details.
fn parts(content: &Content, numbers: &Numbers, (room, height): (usize, u16)) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let glyphs = numbers.glyphs;
    let words = |lines: Vec<Line>| lines.into_iter().map(Part::Words);
    let low = height < 12;
    if !low {
        parts.push(Part::Words(fate_line(content, glyphs)));
    }
    let why = text::wrap(&glyphs.text(&content.why), room).into_iter();
    parts.extend(words(why.map(|line| vec![(line, Role::Text)]).collect()));
    parts.push(Part::Words(fitting(figure_line(content, numbers), room)));
    parts.extend(words(
        best_line(content, glyphs, room).into_iter().collect(),
    ));
    if !low {
        parts.push(Part::Words(Vec::new()));
    }
    if !content.gauge.is_empty() {
        if content.gauge.len() > 1 {
            parts.push(Part::Gauge);
        }
        parts.extend(words(gauge_words(content, room)));
    }
    let plotted = content.plotted.mark != Mark::Nothing || !content.children.is_empty();
    if plotted && room >= 34 {
        if !low {
            parts.push(Part::Words(Vec::new()));
        }
        parts.push(Part::Axis);
        let tall = matches!(content.plotted.mark, Mark::Belief { .. }) && height > 30;
        parts.push(Part::Own(if tall { 3 } else { 1 }));
        parts.extend((0..content.children.len().min(LISTED)).map(Part::Child));
    }
    let groups = groups(content, numbers);
    for (name, figures) in [
        ("value", groups.value),
        ("work", groups.work),
        ("decision", groups.decision),
    ] {
        if figures.is_empty() {
            continue;
        }
        parts.push(Part::Words(Vec::new()));
        parts.push(Part::Words(vec![(name.to_owned(), Role::Heading)]));
        let lines = figures.into_iter();
        let lines = lines.flat_map(|(name, value)| named_within(name, value, room));
        parts.extend(words(lines.collect()));
    }
    parts.extend(words(details(content, numbers, room)));
    parts
}

/// Returns the details: the algorithm's formulas with their values, the evaluation, and the rules.
fn details(content: &Content, numbers: &Numbers, room: usize) -> Vec<Line> {
    let blocks = [true, false].into_iter().flat_map(|leads| {
        explained::blocks(content, leads)
            .map(|block| explained::lines(content, block, numbers, room))
    });
    let blocks = blocks
        .chain([evaluation_lines(content, numbers, room)])
        .chain([rules_lines(content, room)])
        .filter(|lines| !lines.is_empty());
    blocks
        .flat_map(|block| [Vec::new()].into_iter().chain(block))
        .collect()
}

/// Draws the moves at the node as one bar, in which what became of them has its part, with its letter.
fn gauge(pen: &mut Pen, line: Rect, content: &Content) {
    let all: usize = content.gauge.iter().map(|g| g.count).sum();
    let columns = usize::from(line.width);
    let (mut before, mut x) = (0, 0);
    for group in &content.gauge {
        before += group.count;
        let to = (before * columns / all.max(1)).max(x + 1).min(columns);
        let style = pen.style(fate_role(group.role));
        for column in x..to {
            let sign = match column == x || pen.glyphs.ascii {
                true => group.letter,
                false => pen.glyphs.bar,
            };
            pen.char(line.x + column as u16, line.y, sign, style);
        }
        x = to;
    }
}

/// Returns the names of the gauge's parts with their counts.
fn gauge_words(content: &Content, room: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![Vec::new()];
    let mut left = room;
    for group in &content.gauge {
        let words = format!("{} {}  ", group.name, group.count);
        let width = text::width(&words);
        if width > left + 2 {
            lines.push(Vec::new());
            left = room;
        }
        left = left.saturating_sub(width);
        if let Some(line) = lines.last_mut() {
            line.push((words, fate_role(group.role)));
        }
    }
    lines
}

/// Returns the best line from the node on, cut where the room ends; `None` if there is none.
fn best_line(content: &Content, glyphs: &Glyphs, room: usize) -> Option<Line> {
    if content.line.is_empty() {
        return None;
    }
    let name = format!("{:<9} ", "best line");
    let words = glyphs.text(&content.line);
    let words = text::fit(
        &words,
        room.saturating_sub(text::width(&name)),
        glyphs.ellipsis,
    );
    Some(vec![(name, Role::Dim), (words, Role::Move)])
}

/// Returns a figure's line: its name and its value, aligned with the others unless the name is too long for that.
fn named(name: &str, value: String) -> Line {
    vec![(format!("{name:<9} "), Role::Dim), (value, Role::Text)]
}

/// Returns a figure's line, or if its value takes more room, its lines.
fn named_within(name: &str, value: String, room: usize) -> Vec<Line> {
    let left = room.saturating_sub(text::width(&format!("{name:<9} ")));
    if text::width(&value) <= left {
        return vec![named(name, value)];
    }
    let parts = text::wrap(&value, left).into_iter();
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    names
        .zip(parts)
        .map(|(name, part)| named(name, part))
        .collect()
}

/// Returns what the static evaluation sees, if there is one.
fn evaluation_lines(content: &Content, numbers: &Numbers, room: usize) -> Vec<Line> {
    let found = content.evaluation.as_ref();
    found.map_or_else(Vec::new, |found| {
        evaluated::lines(found, content, numbers, room)
    })
}

/// Returns how often each rule was applied, in as many columns as fit.
fn rules_lines(content: &Content, room: usize) -> Vec<Line> {
    const COLUMN: usize = 29;
    let undefined = content.undefined.iter();
    let mut lines: Vec<Line> = undefined
        .flat_map(|said| text::wrap(said, room))
        .map(|line| vec![(line, Role::Warning)])
        .collect();
    if content.applied.is_empty() {
        return lines;
    }
    lines.push(vec![("rules applied".to_owned(), Role::Heading)]);
    let columns = ((room + 2) / COLUMN).max(1);
    let height = content.applied.len().div_ceil(columns);
    for i in 0..height {
        let of_line = content.applied.iter().skip(i).step_by(height);
        let cells = of_line.flat_map(|(name, count)| {
            [
                (format!("{name:<19} "), Role::Dim),
                (format!("{:>7}  ", text::count(*count)), Role::Count),
            ]
        });
        lines.push(cells.collect());
    }
    lines
}

/// Returns the letter, sign and name of the node's fate, or of what the search is doing in it.
fn fate_line(content: &Content, glyphs: &Glyphs) -> Line {
    let in_search = content.visit.is_some();
    let [letter, sign] = fate_cell(&content.facts, in_search, glyphs);
    let view = &content.facts.view;
    let fate = FATES[view.fate.kind()].name;
    let mut line: Line = [letter, sign].map(|(c, role)| (c.to_string(), role)).into();
    if in_search && view.visits == 0 {
        line.push((" being searched".to_owned(), sign.1));
    } else {
        line.push((format!(" {fate}"), letter.1));
    }
    if in_search && view.visits > 0 {
        line.push((", being searched again".to_owned(), sign.1));
    } else if content.facts.ahead {
        line.push((", searched again since".to_owned(), sign.1));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_space_follows_the_name_of_every_figure() {
        let text = |name| -> String {
            let line = named(name, ".25".to_owned());
            line.into_iter().map(|(words, _)| words).collect()
        };
        assert_eq!(text("entropy"), "entropy   .25");
        assert_eq!(text("widest open leaf"), "widest open leaf .25");
    }
}
