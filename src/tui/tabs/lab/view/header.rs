//! The lines above every page of the Lab: the pages with the question of the one that is shown, what will happen and how
//! long that takes, and the verdict, or what it was last time.

use ratatui::layout::Rect;

use crate::context::Context;
use crate::tabs::lab::LabTab;
use crate::tabs::lab::pages::PAGES;
use crate::tabs::lab::runs::{Asked, about};
use crate::views::bar::key_of_command;
use screen::pen::Pen;
use screen::theme::Role;

/// The height from which on the answer may take more than one line.
const ROOMY: u16 = 20;

/// The height from which on what will happen may do so, too.
const HIGH: u16 = 30;

/// Draws the lines, and returns how many there are.
pub fn draw(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) -> u16 {
    let of_pages = draw_pages(lab, pen, area);
    let asked = lab.page.screen().asked(lab, cx);
    let (answer, role) = answer(lab, cx, &asked);
    // The answer has three lines before what will happen has two, unless what is below can be scrolled.
    let is_scrolled = lab.page.screen().is_scrolled();
    let (of_plan, of_answer) = match area.height {
        ..ROOMY => (1, 1),
        ROOMY..HIGH if is_scrolled => (2, 5),
        ROOMY..HIGH => (1, 3),
        _ => (2, 3),
    };
    let mut y = area.y + of_pages;
    for (text, role, most) in [
        (plan(lab, cx, &asked), Role::Text, of_plan),
        (answer, role, of_answer),
    ] {
        let text = pen.glyphs.text(&text);
        let room = usize::from(area.width.saturating_sub(2));
        let mut lines = text::wrap(&text, room);
        if lines.len() > most {
            let rest = lines.split_off(most - 1).join(" ");
            lines.push(text::fit(&rest, room, pen.glyphs.ellipsis));
        }
        for line in lines {
            if y < area.bottom() {
                pen.put(area.x + 1, y, area.right(), &line, role);
                y += 1;
            }
        }
    }
    y - area.y
}

/// Draws the names of the pages, which can be clicked, and the question of the page that is shown: beside them, or where there
/// is no room for it on a line of its own. Returns how many lines that takes.
fn draw_pages(lab: &LabTab, pen: &mut Pen, area: Rect) -> u16 {
    let question = lab.page.screen().question(lab);
    let names = PAGES.iter().map(|(_, screen)| text::width(screen.name()));
    let names: usize = names.sum();
    let width = usize::from(area.width);
    let is_narrow = 1 + names + 2 * PAGES.len() > width;
    let mut x = area.x + 1;
    for (page, screen) in PAGES {
        let role = match page == lab.page {
            true => Role::TabActive,
            false => Role::Tab,
        };
        let name = match is_narrow {
            true => screen.name().to_owned(),
            false => format!(" {} ", screen.name()),
        };
        let start = x;
        x = pen.put(x, area.y, area.right(), &name, role);
        let spot = Rect {
            x: start,
            width: x - start,
            height: 1,
            ..area
        };
        pen.region(spot, page);
        x += u16::from(is_narrow);
    }
    let is_beside = usize::from(x + 2 - area.x) + text::width(question) <= width;
    let (x, line) = match is_beside {
        true => (x + 2, 0),
        false => (area.x + 1, 1),
    };
    let room = usize::from(area.right().saturating_sub(x));
    let question = text::fit(question, room, pen.glyphs.ellipsis);
    pen.put(x, area.y + line, area.right(), &question, Role::Heading);
    line + 1
}

/// Returns what will happen and how long that takes; while it happens, how long it still takes.
fn plan(lab: &LabTab, cx: &Context, asked: &Asked) -> String {
    let runs = &lab.runs;
    let experiment = asked.experiment;
    let course = lab.page.screen().course(lab, experiment);
    let course = course.filter(|course| !course.has_ended);
    let begun = runs.begun.as_ref();
    let begun = begun.filter(|begun| begun.asked.experiment == experiment);
    if let (Some(course), Some(begun)) = (course, begun) {
        let words = &begun.asked.words;
        return match runs.left(course) {
            Some((so_far, left)) if !cx.timeless => format!(
                "{words}. {} so far, {} left.",
                text::duration(so_far),
                about(left)
            ),
            _ => format!("{words}."),
        };
    }
    let (time, is_measured) = runs.estimate(asked);
    match (asked.cpu > 0.0 && !cx.timeless, is_measured) {
        (true, true) => format!("{}. Takes {}.", asked.words, about(time)),
        (true, false) => format!(
            "{}. Takes {} (not timed on this machine yet).",
            asked.words,
            about(time)
        ),
        (false, _) => format!("{}.", asked.words),
    }
}

/// Returns the verdict by what is known, or else what came out last time.
fn answer(lab: &LabTab, cx: &Context, asked: &Asked) -> (String, Role) {
    match lab.page.screen().verdict(lab, asked.experiment) {
        Some(verdict) => {
            let role = match verdict.is_known() {
                true => Role::Heading,
                false => Role::Dim,
            };
            (text::sanitise(verdict.sentence()), role)
        }
        None => (last(lab, cx, asked), Role::Dim),
    }
}

/// Returns what came out last time, or which key runs the experiment for the first time.
fn last(lab: &LabTab, cx: &Context, asked: &Asked) -> String {
    let Some(run) = lab.runs.last(asked.experiment) else {
        let keys = lab.page.screen().keys();
        let run = keys.commands.first().map_or("", |command| command.id);
        let key = key_of_command(cx, run);
        return format!("Not run yet: {key} runs it.");
    };
    let seconds = std::time::Duration::from_secs_f64(run.seconds.clamp(0.0, 3e10));
    let stopped = if run.complete { "" } else { ", stopped early" };
    format!(
        "Last time ({}, seed {}, {}{stopped}): {}.",
        run.date,
        run.seed,
        text::duration(seconds),
        text::sanitise(run.figures.join("; ").trim_end_matches('.')),
    )
}
