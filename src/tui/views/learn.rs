//! The Learn tab: the list of lessons, and the text beside the live search.

use ratatui::layout::Rect;

use crate::engine::breakpoint::Still;
use crate::engine::lesson::script::still;
use crate::engine::lesson::{Kind, Prose, Question, Shape};
use crate::report::lesson::{Piece, Tone, answer, figure, pieces};
use crate::tui::app::{App, Target};
use crate::tui::learn::Outcome;
use crate::tui::pen::Pen;
use crate::tui::source::Source;
use crate::tui::text;
use crate::tui::theme::Role;

type Line = Vec<(String, Role)>;

/// Draws the list, or the text.
pub fn draw(app: &mut App, pen: &mut Pen, area: Rect) {
    if app.learn.is_open() {
        draw_text(app, pen, area);
    } else {
        draw_list(app, pen, area);
    }
}

fn draw_list(app: &mut App, pen: &mut Pen, area: Rect) {
    let inner = pen.frame(area, "lessons", true);
    if inner.height < 6 {
        return;
    }
    let lessons = app.learn.shelf().lessons.clone();
    let count = lessons.len();
    // What the chosen one teaches, below.
    let about = 4;
    let height = usize::from(inner.height - about);
    app.learn.list.keep_in_view(height, count);
    let (top, selected) = (app.learn.list.top, app.learn.list.selected);
    for (row, (i, lesson)) in lessons
        .iter()
        .enumerate()
        .skip(top)
        .take(height)
        .enumerate()
    {
        let line = Rect {
            y: inner.y + row as u16,
            height: 1,
            ..inner
        };
        let chosen = i == selected;
        if chosen {
            let style = pen.style(Role::Selection);
            pen.tint(line, style);
        }
        app.region(line, Target::Lesson(i));
        let number = format!("{:>3}  ", i + 1);
        let x = pen.put(line.x, line.y, line.right(), &number, Role::Dim);
        let lesson = match lesson {
            Ok(lesson) => lesson,
            Err(error) => {
                let what = pen.glyphs.text(&error.to_string());
                pen.put(x, line.y, line.right(), &what, Role::Error);
                continue;
            }
        };
        let record = app.learn.progress.of(&lesson.name);
        let state = match record {
            Some(r) if r.done && r.asked > 0 => format!("done, {} of {}", r.right, r.asked),
            Some(r) if r.done => "done".to_owned(),
            Some(r) if r.step > 0 => format!("at step {} of {}", r.step + 1, lesson.steps.len()),
            _ => String::new(),
        };
        let end = line.right() - 27;
        let title = text::fit(&lesson.title, usize::from(end - x), pen.glyphs.ellipsis);
        pen.put(x, line.y, end, &pen.glyphs.text(&title).clone(), Role::Text);
        let minutes = format!("{:>3} min  ", lesson.minutes);
        let x = pen.put(end, line.y, line.right(), &minutes, Role::Dim);
        let role = if record.is_some_and(|r| r.done) {
            Role::Win
        } else {
            Role::Draw
        };
        pen.put(x, line.y, line.right(), &state, role);
    }
    let frame_note = match app.learn.progress.quiz() {
        r if r.asked > 0 => format!("quiz: {} of {} right", r.right, r.asked),
        _ => "Q in Explore: a quiz on any search".to_owned(),
    };
    if !frame_note.is_empty() {
        pen.frame_note(area, area.bottom() - 1, &frame_note, Role::Dim);
    }
    if count > height {
        let shown = format!("{} to {} of {count}", top + 1, (top + height).min(count));
        pen.frame_note(area, area.y, &shown, Role::Dim);
    }
    if let Some(Ok(lesson)) = lessons.get(selected) {
        let y = inner.bottom() - about + 1;
        let width = usize::from(inner.width - 2);
        let what = format!("{}: {}", lesson.title, lesson.teaches);
        let mut lines = text::wrap(&pen.glyphs.text(&what), width);
        lines.truncate(2);
        for (i, line) in lines.iter().enumerate() {
            pen.put(
                inner.x + 1,
                y + i as u16,
                inner.right(),
                line,
                Role::Heading,
            );
        }
        let sources = format!("after {}", lesson.sources.join("; "));
        let sources = text::fit(&pen.glyphs.text(&sources), width, pen.glyphs.ellipsis);
        pen.put(
            inner.x + 1,
            inner.bottom() - 1,
            inner.right(),
            &sources,
            Role::Dim,
        );
    }
}

/// The text of the step, with what the search has now in its places.
fn draw_text(app: &mut App, pen: &mut Pen, area: Rect) {
    let Some(page) = Page::of(app) else {
        pen.frame(area, "", false);
        return;
    };
    let inner = pen.frame(area, &page.title, false);
    app.region(area, Target::Text);
    if inner.height < 3 || inner.width < 10 {
        return;
    }
    if !page.place.is_empty() {
        pen.frame_note(area, area.bottom() - 1, &page.place, Role::Dim);
    }
    let (width, height) = (usize::from(inner.width), usize::from(inner.height));
    // Where room is short the bottom line's hint does.
    let written = [true, false].map(|hint| page.write(width, pen, hint));
    let fits = |w: &&(Vec<Line>, Vec<(usize, usize)>)| w.0.len() <= height;
    let (lines, choices) = written.iter().find(fits).unwrap_or(&written[1]);
    let most = lines.len().saturating_sub(height);
    let top = app.learn.playing.as_ref().map_or(0, |p| p.top).min(most);
    if let Some(playing) = &mut app.learn.playing {
        playing.top = top;
    }
    for (row, line) in lines.iter().skip(top).take(height).enumerate() {
        let mut x = inner.x;
        let y = inner.y + row as u16;
        for (word, role) in line {
            x = pen.put(x, y, inner.right(), word, *role);
        }
    }
    for &(line, choice) in choices {
        if let Some(row) = usize::checked_sub(line, top).filter(|row| *row < height) {
            let spot = Rect {
                y: inner.y + row as u16,
                height: 1,
                ..inner
            };
            app.region(spot, Target::Choice(choice));
        }
    }
    if top < most {
        pen.frame_note(area, area.y, ". for more", Role::Key);
    }
}

/// What is to be written: taken from the app before it is drawn.
struct Page {
    title: String,
    place: String,
    heading: String,
    text: Vec<(Shape, Vec<Piece>)>,
    asked: Option<Asked>,
    after: Vec<(Shape, Vec<Piece>)>,
    /// What to do next.
    hint: String,
    under_way: bool,
    wandered: bool,
}

struct Asked {
    ask: Vec<Piece>,
    choices: Vec<Vec<Piece>>,
    /// Chosen and right, if it is answered.
    marks: Option<(usize, usize)>,
    /// Rightly or not, and what the answer is.
    verdict: Option<(bool, String)>,
}

impl Page {
    fn of(app: &App) -> Option<Page> {
        let Some(Source::Live(session)) = &app.session else {
            return None;
        };
        let now = still(session);
        let under_way = app.learn.is_under_way();
        let (question, outcome) = match app.learn.asked() {
            Some((question, outcome)) => (Some(question), outcome),
            None => (None, None),
        };
        let asked = question.map(|q| Asked::of(q, outcome, &now));
        let wandered = app.has_wandered();
        let hint = hint(app, question, outcome, wandered);
        if let Some(quiz) = &app.learn.quiz {
            let event = now
                .event
                .map(|e| crate::report::event::sentence(&now.reader, &e));
            let plain = |text: String| Piece {
                text,
                tone: Tone::Plain,
            };
            let told = event.map(|e| (Shape::Paragraph, vec![plain(e)]));
            return Some(Page {
                title: "quiz".into(),
                place: format!("{} of {} right", quiz.right, quiz.asked),
                heading: "What happens next?".into(),
                text: told.into_iter().filter(|_| !under_way).collect(),
                asked: asked.filter(|_| !under_way),
                after: Vec::new(),
                hint,
                under_way,
                wandered: false,
            });
        }
        let playing = app.learn.playing.as_ref()?;
        let step = &playing.lesson.steps[playing.step];
        let set = |prose: &[Prose]| -> Vec<(Shape, Vec<Piece>)> {
            prose
                .iter()
                .map(|p| (p.shape, pieces(&p.inlines, &now)))
                .collect()
        };
        let (done, all) = (playing.step + 1, playing.lesson.steps.len());
        let answered = playing.is_answered() && !under_way;
        Some(Page {
            title: playing.lesson.title.clone(),
            place: format!("step {done} of {all}"),
            heading: step.heading.clone(),
            text: set(&step.text),
            asked,
            after: if answered {
                set(&step.after)
            } else {
                Vec::new()
            },
            hint,
            under_way,
            wandered,
        })
    }

    /// The lines, and at which of them the choices stand.
    fn write(&self, width: usize, pen: &Pen, hint: bool) -> (Vec<Line>, Vec<(usize, usize)>) {
        let (mut lines, mut choices): (Vec<Line>, Vec<(usize, usize)>) = Default::default();
        let plain = |text: &str, role: Role| -> Vec<Line> {
            let text = pen.glyphs.text(text);
            let wrapped = text::wrap(&text, width).into_iter();
            wrapped.map(|line| vec![(line, role)]).collect()
        };
        lines.extend(plain(&self.heading, Role::Heading));
        if self.wandered {
            let words = "You have wandered off: x comes back to the step.";
            lines.extend(plain(words, Role::Warning));
        }
        // Once it is answered, what follows from it is what matters.
        let answered = self.asked.as_ref().is_some_and(|a| a.verdict.is_some());
        if !(answered && !self.after.is_empty()) {
            write_prose(&self.text, width, pen, &mut lines);
        }
        if let Some(asked) = &self.asked {
            asked.write(width, pen, &mut lines, &mut choices);
        }
        write_prose(&self.after, width, pen, &mut lines);
        if self.under_way {
            lines.push(Vec::new());
            lines.extend(plain("searching…", Role::Running));
        } else if hint && !self.hint.is_empty() {
            lines.push(Vec::new());
            lines.extend(plain(&self.hint, Role::Key));
        }
        (lines, choices)
    }
}

fn hint(
    app: &App,
    question: Option<&Question>,
    outcome: Option<&Outcome>,
    wandered: bool,
) -> String {
    let lesson = app.learn.playing.as_ref();
    let last = lesson.is_some_and(|p| p.step + 1 == p.lesson.steps.len());
    let hint = match (question, outcome) {
        _ if wandered => "",
        (Some(q), None) => match q.kind {
            Kind::Row(_) => "Select the row with the arrows, then Enter.",
            Kind::Number { .. } => "Type a number.",
            Kind::Choice(_) => "Press the answer's digit.",
        },
        (None, _) if lesson.is_none() => "",
        _ if last => "Enter ends the lesson.",
        _ => "Enter goes on.",
    };
    hint.to_owned()
}

impl Asked {
    fn of(question: &Question, outcome: Option<&Outcome>, now: &Still) -> Asked {
        use crate::engine::lesson::answer::{Answer, Guess};
        let choices = match &question.kind {
            Kind::Choice(choices) => choices.iter().map(|c| pieces(&c.text, now)).collect(),
            _ => Vec::new(),
        };
        let marks = outcome.and_then(|o| match (&o.guess, &o.answer) {
            (Guess::Choice(chosen), Answer::Choice(right)) => Some((*chosen, *right)),
            _ => None,
        });
        let verdict = outcome.map(|o| {
            let right = answer(question, &o.answer, now);
            let said = match &o.guess {
                Guess::Number(x) => figure(*x, crate::engine::lesson::Format::Plain),
                Guess::Row { parent, m } => {
                    let row = Answer::Row {
                        parent: *parent,
                        m: *m,
                    };
                    answer(question, &row, now)
                }
                Guess::Choice(_) => String::new(),
            };
            let told = match (o.is_right(), said.as_str()) {
                (true, _) => format!("Right: {right}."),
                (false, "") => format!("No: {right}."),
                (false, said) => format!("Not {said}: {right}."),
            };
            (o.is_right(), told.replace("..", "."))
        });
        Asked {
            ask: pieces(&question.ask, now),
            choices,
            marks,
            verdict,
        }
    }

    fn write(
        &self,
        width: usize,
        pen: &Pen,
        lines: &mut Vec<Line>,
        places: &mut Vec<(usize, usize)>,
    ) {
        lines.push(Vec::new());
        let ask: Vec<(String, Role)> = words(&self.ask, Role::Title, pen);
        lines.extend(wrap_words(&ask, width, ""));
        for (i, choice) in self.choices.iter().enumerate() {
            let role = match self.marks {
                Some((_, right)) if right == i => Role::Win,
                Some((chosen, _)) if chosen == i => Role::Loss,
                _ => Role::Text,
            };
            let mut line = vec![(format!("{} ", i + 1), Role::Key)];
            line.extend(words(choice, role, pen));
            for part in wrap_words(&line, width, "  ") {
                places.push((lines.len(), i));
                lines.push(part);
            }
        }
        if let Some((right, told)) = &self.verdict {
            let role = if *right { Role::Win } else { Role::Loss };
            let told = pen.glyphs.text(told);
            lines.extend(
                text::wrap(&told, width)
                    .into_iter()
                    .map(|l| vec![(l, role)]),
            );
        }
    }
}

fn write_prose(prose: &[(Shape, Vec<Piece>)], width: usize, pen: &Pen, lines: &mut Vec<Line>) {
    let mut before = None;
    for (shape, pieces) in prose {
        // Items and the lines of a formula stand together.
        if before != Some(*shape) || *shape == Shape::Paragraph {
            lines.push(Vec::new());
        }
        before = Some(*shape);
        let plain = match shape {
            Shape::Formula => Role::Info,
            _ => Role::Text,
        };
        let words = words(pieces, plain, pen);
        match shape {
            Shape::Paragraph => lines.extend(wrap_words(&words, width, "")),
            Shape::Item => {
                let mut item = vec![("- ".to_owned(), Role::Dim)];
                item.extend(words);
                lines.extend(wrap_words(&item, width, "  "));
            }
            Shape::Formula => lines.extend(kept_line(words, width)),
        }
    }
}

/// A line as it stands, spaces too; broken only where it is too long.
fn kept_line(words: Vec<(String, Role)>, width: usize) -> Vec<Line> {
    let long: usize = words.iter().map(|w| text::width(&w.0)).sum();
    if long <= width {
        vec![words]
    } else {
        wrap_words(&words, width, "   ")
    }
}

/// Pieces by role.
fn words(pieces: &[Piece], plain: Role, pen: &Pen) -> Vec<(String, Role)> {
    let role = |tone: Tone| match tone {
        Tone::Plain => plain,
        Tone::Bold => Role::Heading,
        Tone::Code => Role::Key,
        Tone::Term => Role::Title,
        Tone::Figure => Role::Count,
    };
    let word = |p: &Piece| (pen.glyphs.text(&p.text), role(p.tone));
    pieces.iter().map(word).collect()
}

/// Lines of at most `width` columns, broken at spaces; `indent` begins all but the first.
fn wrap_words(pieces: &[(String, Role)], width: usize, indent: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![Vec::new()];
    let mut used = 0;
    // Words may go over from one piece into the next.
    let mut word: Line = Vec::new();
    let mut gap: Option<Role> = None;
    let mut place = |word: &mut Line, gap: Option<Role>, lines: &mut Vec<Line>| {
        let long: usize = word.iter().map(|w| text::width(&w.0)).sum();
        if long == 0 {
            return;
        }
        let space = usize::from(gap.is_some() && used > 0);
        if used + space + long > width && used > text::width(indent) {
            lines.push(vec![(indent.to_owned(), Role::Text)]);
            used = text::width(indent);
        } else if space == 1 {
            let role = gap.unwrap_or(Role::Text);
            lines
                .last_mut()
                .into_iter()
                .for_each(|l| l.push((" ".into(), role)));
            used += 1;
        }
        used += long;
        let line = lines.last_mut();
        line.into_iter().for_each(|l| l.append(word));
    };
    for (text, role) in pieces {
        for (i, part) in text.split(' ').enumerate() {
            if i > 0 {
                place(&mut word, gap, &mut lines);
                gap = Some(*role);
            }
            if !part.is_empty() {
                word.push((part.to_owned(), *role));
            }
        }
    }
    place(&mut word, gap, &mut lines);
    lines
}

/// The glossary, those of the step on the screen first.
pub fn glossary(app: &mut App, width: usize) -> Vec<Line> {
    let here = app.learn.terms();
    let glossary = std::sync::Arc::clone(&app.learn.shelf().glossary);
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
