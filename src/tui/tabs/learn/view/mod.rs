//! Draws the Learn tab: the list of lessons, or the text beside the live search.

mod page;
mod words;

use game::load::LoadError;
use page::Page;
use ratatui::layout::Rect;

use super::LearnTarget;
use crate::context::Context;
use crate::tabs::learn::{LearnTab, Row};
use crate::views::bar::key_of_command;
use report::sheet;
use screen::pen::{Line, Pen, indented, inside};
use screen::theme::Role;
use studies::course::{Assignment, Listed};

/// Draws the list, or the text.
pub fn draw(learn: &LearnTab, cx: &Context, pen: &mut Pen, area: Rect) {
    if cx.reading.is_open() {
        draw_text(learn, cx, pen, area);
    } else {
        draw_list(learn, pen, area);
    }
}

/// The rows at the bottom of the list that say what the chosen lesson teaches.
const ABOUT: u16 = 4;

/// Returns the area of the list, and that of the chosen lesson beside it if there is room.
fn split(area: Rect) -> (Rect, Option<Rect>) {
    if area.width < 120 || area.height < 20 {
        return (area, None);
    }
    let width = area.width * 55 / 100;
    let list = Rect { width, ..area };
    let about = Rect {
        x: list.right(),
        width: area.width - width,
        ..area
    };
    (list, Some(about))
}

/// Returns how many lessons the list shows.
fn rows_in(area: Rect, about: bool) -> usize {
    let below = if about { 0 } else { ABOUT };
    usize::from(inside(area).height.saturating_sub(below))
}

/// Scrolls the selected lesson into view.
pub fn update(learn: &mut LearnTab, cx: &mut Context, area: Rect) {
    let (list, about) = split(area);
    if !cx.reading.is_open() && inside(list).height >= 6 {
        let count = learn.shelf().rows();
        let height = rows_in(list, about.is_some());
        learn.list.fit(height, count);
    }
}

fn draw_list(learn: &LearnTab, pen: &mut Pen, area: Rect) {
    let (area, about) = split(area);
    let shelf = learn.shelf();
    let title = shelf.course.as_ref().map_or("lessons", |(title, _)| title);
    let inner = pen.frame(area, title, true);
    if inner.height < 6 {
        return;
    }
    let count = shelf.rows();
    let height = rows_in(area, about.is_some());
    let rows = Rect {
        height: height as u16,
        ..inner
    };
    learn.list.draw(
        pen,
        rows,
        (count, true),
        LearnTarget::Lesson,
        |pen, line, i| draw_row(learn, pen, line, i),
    );
    learn.list.draw_bar(pen, rows, count);
    let frame_note = match learn.progress.quiz() {
        r if r.asked > 0 => format!("quiz: {} of {} right", r.right, r.asked),
        _ => "Q in Explore: a quiz on any search".to_owned(),
    };
    pen.frame_note(area, area.bottom() - 1, &frame_note, Role::Dim);
    match (about, shelf.row(learn.list.selected)) {
        (Some(area), Some(Row::Lesson(listed))) if listed.lesson.is_ok() => {
            draw_about(learn, pen, area, listed);
        }
        (Some(area), Some(Row::Assignment(Ok(assignment)))) => {
            draw_assignment(pen, area, assignment);
        }
        (Some(area), _) => {
            pen.frame(area, "", false);
        }
        (None, Some(row)) => draw_below(pen, inner, &row),
        (None, None) => {}
    }
}

/// Draws a row of the list: a lesson with the user's progress, or an assignment.
fn draw_row(learn: &LearnTab, pen: &mut Pen, line: Rect, i: usize) {
    let shelf = learn.shelf();
    let number = match i.checked_sub(shelf.lessons.len()) {
        Some(place) => format!("{:>3}  ", sheet::letter(place)),
        None => format!("{:>3}  ", i + 1),
    };
    let x = pen.put(line.x, line.y, line.right(), &number, Role::Dim);
    // A narrow screen has room for the title alone.
    let aside = if line.width >= 60 { 27 } else { 0 };
    let end = line.right() - aside;
    let (listed, lesson) = match shelf.row(i) {
        Some(Row::Lesson(listed)) => match &listed.lesson {
            Ok(lesson) => (listed, lesson),
            Err(error) => return put_error(pen, line, x, error),
        },
        Some(Row::Assignment(Ok(assignment))) => {
            let title = text::fit(&assignment.title, usize::from(end - x), pen.glyphs.ellipsis);
            pen.put(x, line.y, end, &pen.glyphs.text(&title).clone(), Role::Text);
            pen.put(end, line.y, line.right(), "  assignment", Role::Dim);
            return;
        }
        Some(Row::Assignment(Err(error))) => return put_error(pen, line, x, error),
        None => return,
    };
    let record = learn.progress.of(&listed.kept_as);
    let state = match &record {
        Some(r) if r.step > 0 => {
            format!("at step {} of {}", r.step + 1, lesson.steps.len())
        }
        Some(r) if r.done && r.asked > 0 => format!("done, {} of {}", r.right, r.asked),
        Some(r) if r.done => "done".to_owned(),
        _ => String::new(),
    };
    let title = text::fit(&lesson.title, usize::from(end - x), pen.glyphs.ellipsis);
    pen.put(x, line.y, end, &pen.glyphs.text(&title).clone(), Role::Text);
    let minutes = format!("{:>3} min  ", lesson.minutes);
    let x = pen.put(end, line.y, line.right(), &minutes, Role::Dim);
    let role = if record.is_some_and(|r| r.done && r.step == 0) {
        Role::Win
    } else {
        Role::Draw
    };
    pen.put(x, line.y, line.right(), &state, role);
}

fn put_error(pen: &mut Pen, line: Rect, x: u16, error: &LoadError) {
    let what = pen.glyphs.text(&error.to_string());
    pen.put(x, line.y, line.right(), &what, Role::Error);
}

/// Draws what the chosen row is about below the list, where there is no room beside it.
fn draw_below(pen: &mut Pen, inner: Rect, row: &Row) {
    let (what, more) = match row {
        Row::Lesson(listed) => match &listed.lesson {
            Ok(lesson) => (
                format!("{}: {}", lesson.title, lesson.teaches),
                format!("after {}", lesson.sources.join("; ")),
            ),
            Err(_) => return,
        },
        Row::Assignment(Ok(one)) => (format!("{} ({})", one.title, one.name), one.command()),
        Row::Assignment(Err(_)) => return,
    };
    let y = inner.bottom() - ABOUT + 1;
    let width = usize::from(inner.width - 2);
    let mut lines = text::wrap(&pen.glyphs.text(&what), width);
    lines.truncate(2);
    for (i, line) in lines.iter().enumerate() {
        let row = y + i as u16;
        pen.put(inner.x + 1, row, inner.right(), line, Role::Heading);
    }
    let more = text::fit(&pen.glyphs.text(&more), width, pen.glyphs.ellipsis);
    let last = inner.bottom() - 1;
    pen.put(inner.x + 1, last, inner.right(), &more, Role::Dim);
}

/// Draws where the chosen assignment is and how it is judged.
fn draw_assignment(pen: &mut Pen, area: Rect, assignment: &Assignment) {
    let inner = pen.frame(area, &assignment.title, false);
    let width = usize::from(inner.width.saturating_sub(2));
    let parts = [
        (assignment.name.clone(), Role::Dim),
        (String::new(), Role::Text),
        ("When it is done, judge it with".to_owned(), Role::Text),
        (assignment.command(), Role::Key),
    ];
    let mut lines: Vec<Line> = Vec::new();
    for (text, role) in parts {
        let wrapped = text::wrap(&pen.glyphs.text(&text), width);
        lines.extend(wrapped.into_iter().map(|line| vec![(line, role)]));
    }
    pen.lines(indented(inner), &lines);
}

/// Draws what the chosen lesson teaches, its sources, and its steps with how far the user has come.
fn draw_about(learn: &LearnTab, pen: &mut Pen, area: Rect, listed: &Listed) {
    let Ok(lesson) = &listed.lesson else {
        return;
    };
    let inner = pen.frame(area, &lesson.title, false);
    let width = usize::from(inner.width.saturating_sub(2));
    let mut lines: Vec<Line> = Vec::new();
    let mut add = |text: &str, role: Role| {
        let wrapped = text::wrap(&pen.glyphs.text(text), width);
        lines.extend(wrapped.into_iter().map(|line| vec![(line, role)]));
    };
    add(&lesson.teaches, Role::Heading);
    add("", Role::Text);
    let questions = lesson.questions();
    let steps = lesson.steps.len();
    let what = format!(
        "{steps} steps, {questions} questions, about {} minutes",
        lesson.minutes
    );
    add(&what, Role::Dim);
    add(&format!("after {}", lesson.sources.join("; ")), Role::Dim);
    lines.push(Vec::new());
    let record = learn.progress.of(&listed.kept_as).unwrap_or_default();
    let reached = match (record.done, record.step) {
        (true, 0) => steps,
        (_, step) => step,
    };
    for (i, step) in lesson.steps.iter().enumerate() {
        let (sign, role) = match i {
            _ if i < reached => (pen.glyphs.finished, Role::Win),
            _ if i == reached && i > 0 => (pen.glyphs.running, Role::Title),
            _ => (' ', Role::Text),
        };
        let head = format!("{:>3} ", i + 1);
        let heading = pen.glyphs.text(&step.heading);
        lines.push(vec![
            (format!("{sign} "), role),
            (head, Role::Dim),
            (
                text::fit(&heading, width.saturating_sub(6), pen.glyphs.ellipsis),
                role,
            ),
        ]);
    }
    pen.lines(indented(inner), &lines);
}

/// Draws the text of the step, with the search's present figures inserted.
fn draw_text(learn: &LearnTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let Some(page) = Page::of(cx) else {
        pen.frame(area, "", false);
        return;
    };
    let frame = pen.frame(area, &page.title, false);
    pen.region(area, LearnTarget::Text);
    if frame.height < 3 || frame.width < 10 {
        return;
    }
    let inner = if cx.presenting { margins(frame) } else { frame };
    if !page.place.is_empty() {
        pen.frame_note(area, area.bottom() - 1, &page.place, Role::Dim);
    }
    let (width, height) = (usize::from(inner.width), usize::from(inner.height));
    let (mut lines, choices) = written(cx, &page, pen, width, height);
    if height >= GLOSSED {
        let room = height.saturating_sub(lines.len());
        lines.extend(terms_so_far(learn, cx, pen, width, room));
    }
    let (lines, choices) = (&lines, &choices);
    let most = lines.len().saturating_sub(height);
    let top = cx.reading.playing.as_ref().map_or(0, |p| p.top);
    let top = pen.scrolled(LearnTarget::Text, top, lines.len(), height);
    pen.lines(inner, lines.iter().skip(top));
    for &(line, choice) in choices {
        if let Some(row) = usize::checked_sub(line, top).filter(|row| *row < height) {
            let spot = Rect {
                y: inner.y + row as u16,
                height: 1,
                ..inner
            };
            pen.region(spot, LearnTarget::Choice(choice));
        }
    }
    if top < most {
        let key = key_of_command(cx, "lesson-text-down");
        pen.frame_note(area, area.y, &format!("{key} for more"), Role::Key);
    }
}

/// The height from which the text is followed by the terms that the lesson has introduced.
const GLOSSED: usize = 30;

/// Returns the terms that the lesson has introduced, with what they mean: as many as fit, the latest first.
fn terms_so_far(learn: &LearnTab, cx: &Context, pen: &Pen, width: usize, room: usize) -> Vec<Line> {
    let Some(playing) = &cx.reading.playing else {
        return Vec::new();
    };
    let names = playing
        .lesson
        .terms_up_to(playing.step, playing.is_answered());
    let glossary = &learn.shelf().glossary;
    let heading = (pen.glyphs.text("Terms so far"), Role::Heading);
    let mut lines: Vec<Line> = vec![Vec::new(), vec![heading]];
    for term in names.iter().filter_map(|name| glossary.find(name)) {
        let named = (format!("{} ", pen.glyphs.text(&term.name)), Role::Title);
        let mut meant = vec![named];
        meant.push((pen.glyphs.text(&term.text), Role::Hint));
        let meant = words::wrap_words(&meant, width.saturating_sub(2), "  ");
        if lines.len() + 1 + meant.len() > room {
            break;
        }
        lines.push(Vec::new());
        lines.extend(meant);
    }
    if lines.len() == 2 {
        return Vec::new();
    }
    lines
}

/// Lines with the line number and the index of each choice.
type Written = (Vec<Line>, Vec<(usize, usize)>);

/// Returns the area inside the margins of a text that is shown large.
fn margins(area: Rect) -> Rect {
    let side = (area.width / 10).clamp(1, 8);
    let above = if area.height >= 24 { 1 } else { 0 };
    Rect {
        x: area.x + side,
        width: area.width - 2 * side,
        y: area.y + above,
        height: area.height - above,
    }
}

/// Returns the text in the roomiest form that fits.
fn written(cx: &Context, page: &Page, pen: &Pen, width: usize, height: usize) -> Written {
    let mut last = None;
    for form in page.forms() {
        let written = page.write(width, pen, form);
        if cx.presenting {
            let spaced = double_spaced(&written);
            if spaced.0.len() <= height {
                return spaced;
            }
        }
        if written.0.len() <= height {
            return written;
        }
        last = Some(written);
    }
    last.unwrap_or_default()
}

/// Returns the lines with an empty one after each, except where there is one already.
fn double_spaced((lines, choices): &Written) -> Written {
    let mut spaced: Vec<Line> = Vec::new();
    let mut places = Vec::with_capacity(lines.len());
    for line in lines {
        places.push(spaced.len());
        spaced.push(line.clone());
        if !line.is_empty() {
            spaced.push(Vec::new());
        }
    }
    spaced.pop();
    let choices = choices.iter().map(|&(line, choice)| (places[line], choice));
    let choices = choices.collect();
    (spaced, choices)
}

/// Returns the glossary; the terms of the step on the screen come first.
pub fn glossary(learn: &LearnTab, cx: &Context, width: usize) -> Vec<Line> {
    let here = cx.reading.terms();
    let glossary = &learn.shelf().glossary;
    let (first, rest): (Vec<_>, Vec<_>) = glossary.terms.iter().partition(|t| {
        let is = |name: &String| here.iter().any(|h| *h == name.to_lowercase());
        is(&t.name) || t.also.iter().any(is)
    });
    let mut lines: Vec<Line> = Vec::new();
    for (title, terms) in [("In this step", first), ("All terms", rest)] {
        if terms.is_empty() {
            continue;
        }
        if !here.is_empty() {
            lines.push(vec![(title.to_owned(), Role::Heading)]);
        }
        for term in terms {
            let mut head = vec![(format!("  {}", term.name), Role::Key)];
            if !term.also.is_empty() {
                head.push((format!("  also {}", term.also.join(", ")), Role::Dim));
            }
            lines.push(head);
            for line in text::wrap(&term.text, width.saturating_sub(4)) {
                lines.push(vec![(format!("    {line}"), Role::Hint)]);
            }
            for line in text::wrap(&format!("({})", term.source), width.saturating_sub(4)) {
                lines.push(vec![(format!("    {line}"), Role::Dim)]);
            }
        }
        lines.push(Vec::new());
    }
    lines
}
