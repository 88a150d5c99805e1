//! The bottom line: the newest message, a prompt, or hints.

use ratatui::layout::Rect;

use crate::tui::app::{App, Level, Message, Pane, Tab, Target};
use crate::tui::commands::{COMMANDS, index_of};
use crate::tui::overlays::prompt::Prompt;
use crate::tui::pen::Pen;
use crate::tui::tabs::game::GamePane;
use crate::tui::text;
use crate::tui::theme::Role;

/// The commands that are hinted at, most needed first.
const HINTS: [&str; 16] = [
    "pause",
    "open",
    "close",
    "algorithm",
    "best",
    "open-best",
    "find",
    "filter",
    "sort",
    "next-pane",
    "next-move",
    "theme",
    "palette",
    "help",
    "board-here",
    "quit",
];

/// Those of a person who steps, most needed first; the others follow.
const STEPPING: [&str; 11] = [
    "step",
    "step-over",
    "step-out",
    "step-back",
    "run-to-break",
    "pause",
    "breakpoints",
    "next-pane",
    "break-on-change",
    "node-events",
    "goto",
];

/// Those of who walks in the log.
const IN_LOG: [&str; 8] = [
    "step",
    "step-back",
    "board-here",
    "goto",
    "filter",
    "find",
    "cancel",
    "next-pane",
];

/// Those of who looks at a game.
const IN_GAME: [&str; 12] = [
    "review",
    "game-pane",
    "next-mark",
    "next-disagreement",
    "game-enter",
    "find-game",
    "export",
    "judge",
    "review-columns",
    "review-budget",
    "game-next",
    "game-down",
];

/// Those of the list of games.
const IN_GAMES: [&str; 5] = [
    "game-enter",
    "find-game",
    "game-pane",
    "game-leave",
    "review",
];

/// Those of who is in a lesson or a quiz.
const IN_LESSON: [&str; 12] = [
    "lesson-next",
    "lesson-back",
    "lesson-leave",
    "help",
    "lesson-return",
    "down",
    "open",
    "next-pane",
    "step",
    "step-back",
    "drawing",
    "palette",
];

/// Those of who looks at a lesson's search in Explore.
const FROM_LESSON: [&str; 1] = ["tab-learn"];

/// Those of who is in a quiz.
const IN_QUIZ: [&str; 6] = [
    "lesson-next",
    "lesson-leave",
    "help",
    "down",
    "open",
    "next-pane",
];

/// Those of the list of lessons.
const IN_LESSONS: [&str; 3] = ["lesson-next", "down", "up"];

/// Those of the Lab tab.
const IN_LAB: [&str; 13] = [
    "lab-run",
    "lab-page",
    "lab-fit",
    "lab-use",
    "lab-panel",
    "lab-next",
    "lab-positions",
    "lab-rule",
    "lab-equal",
    "lab-deeper",
    "lab-audit-more",
    "lab-level",
    "lab-origin",
];

/// Those of its page on point differential.
const IN_DIFFERENTIAL: [&str; 9] = [
    "grid-run",
    "lab-page",
    "grid-figure",
    "grid-games",
    "grid-playouts",
    "grid-use",
    "grid-export",
    "grid-down",
    "grid-right",
];

/// Those of its page on spread.
const IN_SPREAD: [&str; 10] = [
    "spread-run",
    "lab-page",
    "spread-trees",
    "spread-calibration",
    "spread-cells",
    "spread-next",
    "spread-use",
    "spread-nodes",
    "spread-count",
    "spread-positions",
];

/// Those of the Compare tab, in place of all others.
const COMPARING: [&str; 18] = [
    "next-difference",
    "compare-pause",
    "open",
    "add-column",
    "next-column",
    "open-column",
    "remove-column",
    "edit-column",
    "budget",
    "compare-sort",
    "differences",
    "best",
    "panel",
    "step-column",
    "next-move",
    "palette",
    "help",
    "quit",
];

pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let bar = pen.style(Role::Bar);
    pen.clear(area, bar);
    let pending = app.pending();
    let end = area
        .right()
        .saturating_sub(text::width(&pending) as u16 + 1);
    if !pending.is_empty() {
        pen.put(end, area.y, area.right(), &pending, Role::Key);
    }
    if app.message_fresh
        && let Some(message) = app.messages.last()
    {
        draw_message(
            message,
            pen,
            Rect {
                width: end - area.x,
                ..area
            },
        );
        return;
    }
    draw_hints(app, pen, area, end);
}

/// A message, over some more lines above where it is longer than one.
fn draw_message(message: &Message, pen: &mut Pen, area: Rect) {
    const MOST: usize = 4;
    let (role, word) = match message.level {
        Level::Info => (Role::Info, ""),
        Level::Warning => (Role::Warning, "warning: "),
        Level::Error => (Role::Error, "error: "),
    };
    let room = usize::from(area.width.saturating_sub(1)).max(1);
    let text = pen.glyphs.text(&format!("{word}{}", message.text));
    let mut lines = text::wrap(&text, room);
    if lines.len() > MOST {
        let rest = lines.split_off(MOST - 1).join(" ");
        lines.push(text::fit(&rest, room, pen.glyphs.ellipsis));
    }
    let bar = pen.style(Role::Bar);
    let style = bar.patch(pen.style(role));
    let above = (lines.len() as u16 - 1).min(area.y);
    for (line, y) in lines.iter().zip(area.y - above..=area.y) {
        if y < area.y {
            let whole = Rect {
                x: area.x,
                y,
                width: pen.buf.area.width,
                height: 1,
            };
            pen.clear(whole, bar);
        }
        pen.text(area.x + 1, y, area.right(), line, style);
    }
}

fn draw_hints(app: &App, pen: &mut Pen, area: Rect, end: u16) {
    let bar = pen.style(Role::Bar);
    // Help, the palette and the way out are always there.
    let always = ["palette", "help", "quit"];
    let reserved: usize = always.iter().map(|id| hint_width(app, id)).sum();
    let mut x = area.x + 1;
    let first: &[&str] = match (app.debug.shown && app.tab == Tab::Explore, app.focus) {
        _ if app.learn.is_open() && app.tab == Tab::Explore => &FROM_LESSON,
        _ if app.in_lessons() => &IN_LESSONS,
        _ if app.learn.quiz.is_some() && app.tab == Tab::Learn => &IN_QUIZ,
        _ if app.tab == Tab::Learn => &IN_LESSON,
        (true, Pane::Log) => &IN_LOG,
        (true, _) => &STEPPING,
        _ if app.tab == Tab::Game && app.game.pane == GamePane::Games => &IN_GAMES,
        _ if app.tab == Tab::Game => &IN_GAME,
        _ if app.in_differential() => &IN_DIFFERENTIAL,
        _ if app.in_spread() => &IN_SPREAD,
        _ if app.tab == Tab::Lab => &IN_LAB,
        _ => &[],
    };
    let general: &[&str] = match app.tab {
        Tab::Explore => &HINTS,
        Tab::Compare => &COMPARING,
        Tab::Game | Tab::Lab | Tab::Learn => &["palette", "help", "quit"],
    };
    let others = general.iter().filter(|id| !first.contains(id));
    for &id in first.iter().chain(others) {
        let width = hint_width(app, id) as u16;
        let reserve = if always.contains(&id) {
            0
        } else {
            reserved as u16
        };
        if x + width + reserve > end || width == 0 {
            continue;
        }
        let Some(i) = index_of(id) else { continue };
        let start = x;
        let key = bar.patch(pen.style(Role::Key));
        let hint = bar.patch(pen.style(Role::Hint));
        let (keys, name) = (key_of(app, i), name_of(app, i));
        x = pen.text(x, area.y, end, &keys, key);
        x = pen.text(x, area.y, end, &format!(" {name}  "), hint);
        let spot = Rect {
            x: start,
            width: x - start,
            ..area
        };
        pen.region(spot, Target::Command(i));
    }
}

fn key_of(app: &App, command: usize) -> String {
    app.keymap
        .keys_of(command)
        .into_iter()
        .next()
        .unwrap_or_default()
}

/// What the command does where the keyboard is.
fn name_of(app: &App, command: usize) -> &'static str {
    let c = &COMMANDS[command];
    match (c.id, app.debug.shown && app.focus == Pane::Log) {
        ("board-here", true) => "to its node",
        ("cancel", true) => "all events",
        ("game-enter", _) if app.game.pane == GamePane::Games => "open",
        ("game-enter", _) if app.game.pane == GamePane::Moves => "search in Explore",
        ("pause", _) if app.debug.stop.is_some() => "run",
        ("lesson-next", _) if app.in_lessons() => "start",
        ("lesson-next", _) if app.learn.asked().is_some_and(|a| a.1.is_none()) => "answer",
        ("help", _) if app.tab == Tab::Learn => "terms",
        ("tab-learn", _) if app.learn.is_open() => "back to the text",
        _ => c.name,
    }
}

/// The first key of a command, for sentences that name it.
pub(in crate::tui) fn key_of_command(app: &App, id: &str) -> String {
    index_of(id).map(|i| key_of(app, i)).unwrap_or_default()
}

fn hint_width(app: &App, id: &str) -> usize {
    index_of(id).map_or(0, |i| match key_of(app, i) {
        key if key.is_empty() => 0,
        key => text::width(&key) + text::width(name_of(app, i)) + 3,
    })
}

/// A prompt takes the bottom line.
pub fn draw_prompt(pen: &mut Pen, area: Rect, prompt: &Prompt) {
    let y = area.bottom() - 1;
    let line = Rect {
        y,
        height: 1,
        ..area
    };
    let bar = pen.style(Role::Bar);
    pen.clear(line, bar);
    let key = bar.patch(pen.style(Role::Key));
    let note = pen.glyphs.text(&prompt.note);
    let end = area
        .right()
        .saturating_sub(text::width(&note).min(60) as u16 + 2);
    let label = format!("{}: ", prompt.label);
    let typed = text::width(prompt.text()) + 2;
    let mut x = area.x + 1;
    // What is wrong matters more than what was asked.
    if usize::from(x) + text::width(&label) + typed <= usize::from(end) || note.is_empty() {
        x = pen.text(x, y, area.right(), &label, key);
    }
    draw_input(pen, x, y, end, prompt);
    if !note.is_empty() {
        let style = bar.patch(pen.style(Role::Error));
        pen.text(end + 1, y, area.right(), &note, style);
    }
}

/// The text being typed, with its cursor.
pub fn draw_input(pen: &mut Pen, x: u16, y: u16, end: u16, prompt: &Prompt) {
    let style = pen.style(Role::Input);
    if prompt.text().is_empty() {
        pen.char(x, y, pen.glyphs.cursor, style);
        let placeholder = pen.glyphs.text(prompt.placeholder);
        pen.put(x + 2, y, end, &placeholder, Role::Dim);
        return;
    }
    let room = usize::from(end.saturating_sub(x + 1)).max(1);
    // The part around the cursor.
    let before: String = prompt.text().chars().take(prompt.cursor).collect();
    let after: String = prompt.text().chars().skip(prompt.cursor).collect();
    let before = text::fit_end(&pen.glyphs.text(&before), room, pen.glyphs.ellipsis);
    let at = pen.text(x, y, end, &before, style);
    let at = pen.text(at, y, end, &pen.glyphs.cursor.to_string(), style);
    pen.text(at, y, end, &pen.glyphs.text(&after), style);
}
