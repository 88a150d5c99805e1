//! The inspector: the selected node's line, its distribution, its figures, its children's shares, and its explanation.

mod answer;
mod asking;
mod content;
mod evaluated;
mod explained;
mod figures;
mod plot;
mod withheld;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::component::{Component, Event, Handled};
use crate::context::Context;
use crate::panes::Pane;
use crate::views::facts::{Numbers, fate_cell};
use crate::views::has_keyboard;
pub use asking::Asking;
use content::{Child, Content, gather};
use figures::{figure_line, figures, fitting};
pub(crate) use plot::ticks;
use screen::glyphs::Glyphs;
use screen::pen::Line;
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::bar;
use studies::lesson::Fact;
use tree::{FATES, Family};

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
    if inner.height < 10 {
        draw_flat(pen, inner, &content, &numbers);
        return;
    }
    let selected = cx.selected();
    content.evaluation = selected
        .filter(|_| cx.shows(Fact::Rules) && !cx.hides_best())
        .and_then(|(row, reader)| reader.evaluate(row.node));
    if inner.width > 100 && inner.height < 24 {
        draw_beside(cx, pen, inner, &content, &numbers);
    } else {
        draw_tall(cx, pen, inner, &content, &numbers);
    }
}

/// Draws a few lines below the tree: figures, then the explanation.
fn draw_flat(pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let mut y = area.y;
    let (x, end) = (area.x + 1, area.right().saturating_sub(1));
    let mut at = x;
    for (word, role) in fitting(
        figure_line(content, numbers),
        usize::from(area.width.saturating_sub(2)),
    ) {
        at = pen.put(at, y, end, &pen.glyphs.text(&word), role);
    }
    y += 1;
    let room = usize::from(end.saturating_sub(x));
    if let Some(line) = best_line(content, pen.glyphs, room) {
        let mut at = x;
        for (words, role) in line {
            at = pen.put(at, y, end, &words, role);
        }
        y += 1;
    }
    for line in text::wrap(&pen.glyphs.text(&content.why), room) {
        if y >= area.bottom() {
            return;
        }
        pen.put(x, y, end, &line, Role::Text);
        y += 1;
    }
    // The remaining space shows how the work was distributed.
    if y < area.bottom() && !content.children.is_empty() {
        let mut at = pen.put(x, y, end, share_word(content), Role::Heading) + 1;
        for child in content.children.iter().take(LISTED) {
            let width = text::width(&child.name) as u16 + 7;
            if at + width > end {
                break;
            }
            at = pen.put(at, y, end, &pen.glyphs.text(&child.name), Role::Move) + 1;
            at = pen.put(at, y, end, &text::percent(child.share), Role::Policy) + 2;
        }
    }
}

fn share_word(content: &Content) -> &'static str {
    match content.family {
        Family::BestFirst if content.beliefs => "policy",
        Family::BestFirst => "visits",
        Family::DepthFirst => "nodes",
    }
}

/// Draws a wide, low inspector: the plot at the left, text at the right.
fn draw_beside(cx: &Context, pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let half = area.width / 2;
    let plot = Rect {
        width: half,
        ..area
    };
    plot::draw(pen, plot, content, numbers, &cx.lens_words());
    let words = Rect {
        x: area.x + half,
        width: area.width - half,
        ..area
    };
    draw_words(cx, pen, words, content, numbers);
}

/// Draws a tall inspector: the plot above the text; both get what they need.
fn draw_tall(cx: &Context, pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let plotted = content.facts.belief.is_some() || !content.children.is_empty();
    let height = if plotted {
        (area.height * 3 / 10).clamp(5, 16)
    } else {
        0
    };
    if height > 0 {
        let plot = Rect { height, ..area };
        plot::draw(pen, plot, content, numbers, &cx.lens_words());
    }
    let words = Rect {
        y: area.y + height,
        height: area.height - height,
        ..area
    };
    draw_words(cx, pen, words, content, numbers);
}

fn draw_words(cx: &Context, pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let room = usize::from(area.width.saturating_sub(2));
    let mut lines: Vec<Line> = Vec::new();
    lines.push(fitting(figure_line(content, numbers), room));
    lines.extend(best_line(content, pen.glyphs, room));
    lines.extend(
        figures(content, numbers)
            .into_iter()
            .map(|(name, value)| named(name, value)),
    );
    lines.push(Vec::new());
    lines.push(fate_line(content, pen.glyphs));
    let why = pen.glyphs.text(&content.why);
    lines.extend(
        text::wrap(&why, room)
            .into_iter()
            .map(|l| vec![(l, Role::Text)]),
    );
    for block in explained::blocks(content, true) {
        lines.push(Vec::new());
        lines.extend(explained::lines(content, block, numbers, room));
    }
    let bars_at = lines.len() + 1;
    let bars = content.children.len().min(LISTED);
    let total = if bars > 0 {
        bars_at + 1 + bars
    } else {
        lines.len()
    };
    // Below the bars: the rest of the algorithm's explanation, and the rules.
    let rules_at = total + 1;
    let blocks = explained::blocks(content, false)
        .map(|block| explained::lines(content, block, numbers, room))
        .chain([evaluation_lines(content, numbers, room)])
        .chain([rules_lines(content, room)])
        .filter(|lines| !lines.is_empty());
    let mut rules: Vec<Line> = blocks
        .flat_map(|b| b.into_iter().chain([Vec::new()]))
        .collect();
    // A blank line separates the blocks; there is none after the last.
    rules.pop();
    let total = if rules.is_empty() {
        total
    } else {
        rules_at + rules.len()
    };
    let height = usize::from(area.height);
    let top = pen.scrolled(InspectorTarget, cx.explore.inspector_top, total, height);
    for row in 0..area.height {
        let i = top + usize::from(row);
        let (x, y, end) = (area.x + 1, area.y + row, area.right());
        if let Some(line) = lines.get(i) {
            let mut at = x;
            for (word, role) in line {
                at = pen.put(at, y, end, &pen.glyphs.text(word), *role);
            }
        } else if let Some(line) = i.checked_sub(rules_at).and_then(|i| rules.get(i)) {
            let mut at = x;
            for (word, role) in line {
                at = pen.put(at, y, end, &pen.glyphs.text(word), *role);
            }
        } else if i == bars_at && bars > 0 {
            pen.put(x, y, end, share_heading(content), Role::Heading);
        } else if i > bars_at
            && let Some(child) = content
                .children
                .get(i - bars_at - 1)
                .filter(|_| i - bars_at <= bars)
        {
            let line = Rect {
                x,
                y,
                width: end.saturating_sub(x + 1),
                height: 1,
            };
            draw_bar(pen, line, child, content);
        }
    }
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
    if content.rules.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![vec![("rules applied".to_owned(), Role::Heading)]];
    let columns = ((room + 2) / COLUMN).max(1);
    let height = content.rules.len().div_ceil(columns);
    for i in 0..height {
        let of_line = content.rules.iter().skip(i).step_by(height);
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

fn share_heading(content: &Content) -> &'static str {
    match content.family {
        Family::BestFirst if content.beliefs => "policy of the replies",
        Family::BestFirst => "visits to the replies",
        Family::DepthFirst => "nodes below the replies",
    }
}

fn draw_bar(pen: &mut Pen, line: Rect, child: &Child, content: &Content) {
    let name = text::fit(&pen.glyphs.text(&child.name), 9, pen.glyphs.ellipsis);
    pen.put(line.x, line.y, line.right(), &name, Role::Move);
    pen.put_right(
        line.x + 9,
        line.y,
        line.x + 14,
        &text::percent(child.share),
        Role::Policy,
    );
    let most = content.children.first().map_or(1.0, |c| c.share).max(0.01);
    let mean = child.mean.as_deref().unwrap_or_default();
    // Shares of wins, draws and losses are wide.
    let wide = (text::width(mean) as u16 + 1).max(7);
    let room = line.width.saturating_sub(15 + wide);
    let style = pen.style(Role::Policy);
    bar(pen, line.x + 15, line.y, room, child.share / most, style);
    pen.put_right(
        line.right().saturating_sub(wide),
        line.y,
        line.right(),
        mean,
        Role::Spread,
    );
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
