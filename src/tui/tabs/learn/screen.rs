//! The Learn tab as a component: the list of lessons, or the text beside the live search.

use ratatui::layout::Rect;

use super::layout::{Beside, Places};
use super::{LearnTarget, view};
use crate::app::{App, Context, Level};
use crate::component::{Component, Event, Handled, Request, without_repeats};
use crate::exporting::Offer;
use crate::overlays::help::Help;
use crate::panes::drawing::view as drawing_view;
use crate::panes::drawing::view::update_below_rows;
use crate::tabs::explore::layout::Layout;
use crate::tabs::explore::{draw_panes, update_panes};
use crate::tabs::{Tab, TabScreen};
use screen::pen::Pen;
use studies::lesson::Fact;

/// Draws the tab and handles its keys.
#[derive(Debug)]
pub struct LearnScreen;

fn layout(cx: &Context, area: Rect) -> Places {
    let panes = match cx.reading.is_open() {
        true if cx.small.on && cx.small.part > 0 => Layout::single(area, cx.explore.focus, false),
        true if !cx.small.on => {
            return Places::beside_text(area, cx.explore.focus, Beside::of(cx));
        }
        _ => Layout {
            text: Some(area),
            ..Layout::default()
        },
    };
    Places {
        panes,
        drawing: None,
    }
}

impl Component for LearnScreen {
    fn title(&self) -> &'static str {
        "Learn"
    }

    fn update(&self, app: &mut App, area: Rect) {
        let Places { panes, drawing } = layout(&app.cx, area);
        update_panes(app, &panes);
        if let Some(rect) = drawing {
            update_below_rows(&mut app.cx, rect);
        }
        if let Some(rect) = panes.text {
            view::update(&mut app.learn, &mut app.cx, rect);
        }
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        let Places { panes, drawing } = layout(&app.cx, area);
        draw_panes(app, pen, &panes);
        if let Some(rect) = drawing {
            drawing_view::draw(app, pen, rect);
        }
        if let Some(rect) = panes.text {
            view::draw(&app.learn, &app.cx, pen, rect);
        }
    }

    fn handle(&self, app: &mut App, event: &Event) -> Handled {
        let lessons = !app.cx.reading.is_open();
        match event.of() {
            Event::Key(key, _) => return Handled::when(app.answer_key(key)),
            Event::Request(Request::FollowBest(_) | Request::OpenBestLine)
                if app.cx.hides_best() =>
            {
                app.cx.say(
                    Level::Info,
                    "the best line is shown when the question is answered – H gives a hint",
                );
            }
            Event::Request(Request::Rows(by)) if lessons => app.learn.walk_lessons(by),
            Event::Request(Request::Row(row)) if lessons => {
                app.learn.walk_lessons(isize::MIN);
                app.learn
                    .walk_lessons(isize::try_from(row).unwrap_or(isize::MAX));
            }
            Event::Click(Some(LearnTarget::Lesson(at)), _) => {
                // A second click opens the lesson.
                if app.learn.list.selected == at {
                    app.open_lesson(at);
                } else {
                    app.learn.list.selected = at;
                }
            }
            Event::Click(Some(LearnTarget::Choice(at)), _) => app.cx.choose_answer(at),
            Event::Click(Some(LearnTarget::Text), _) if app.cx.reading.presenting => {
                app.lesson_next()
            }
            Event::Wheel(Some(LearnTarget::Text), by) => app.cx.scroll_text(by.signum()),
            Event::LastTop(Some(LearnTarget::Text), last) => {
                if let Some(playing) = &mut app.cx.reading.playing {
                    playing.top = last.min(playing.top);
                }
            }
            Event::Wheel(_, by) if lessons => app.learn.walk_lessons(by.signum()),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, app: &App) -> Vec<&'static str> {
        if app.cx.reading.presenting && app.cx.reading.is_open() {
            return Vec::new();
        }
        let mut hints = match (app.cx.reading.is_open(), &app.cx.reading.quiz) {
            (false, _) => vec!["lesson-next", "down", "up"],
            (true, Some(_)) => vec!["lesson-next", "lesson-leave", "help", "next-pane"],
            (true, None) => vec![
                "lesson-next",
                "lesson-hint",
                "lesson-leave",
                "lesson-back",
                "help",
                "lesson-return",
                "next-pane",
            ],
        };
        if !app.cx.reading.is_asking() {
            hints.retain(|id| *id != "lesson-hint");
        }
        if app.cx.reading.playing.is_some() && !app.cx.has_wandered() {
            hints.retain(|id| *id != "lesson-return");
        }
        if app.cx.reading.is_open() {
            hints.extend(["down", "open"]);
            hints.extend(app.cx.explore.focus.component().hints(app));
            hints.extend(["step", "step-back", "drawing"]);
        }
        hints.extend(["palette", "help", "quit"]);
        if app.cx.hides_best() {
            hints.retain(|id| !matches!(*id, "best" | "open-best" | "sort" | "why"));
        }
        without_repeats(hints)
    }

    fn name_of(&self, app: &App, command: &str) -> Option<&'static str> {
        let here = app.cx.tab == Tab::Learn;
        let asked = app
            .cx
            .reading
            .asked()
            .is_some_and(|(_, answer)| answer.is_none());
        match command {
            "lesson-next" if here && !app.cx.reading.is_open() => Some("start"),
            "lesson-next" if asked => Some("answer"),
            "lesson-present" if app.cx.reading.presenting => Some("end presenting"),
            "help" if here => Some("terms"),
            "tab-learn" if app.cx.reading.is_open() => Some("back to the text"),
            _ => None,
        }
    }

    fn is_stepping(&self, app: &App) -> bool {
        app.cx.reading.is_under_way()
    }

    fn tend(&self, app: &mut App) {
        app.learn.tend_learn(&mut app.cx);
    }
}

impl TabScreen for LearnScreen {
    fn exports(&self, app: &App) -> Vec<Offer> {
        super::exports::offers(&app.learn, &app.cx)
    }

    fn parts(&self, app: &App) -> Vec<&'static str> {
        if !app.cx.reading.is_open() {
            return Vec::new();
        }
        let panes = app.cx.panes().into_iter();
        let panes = panes.map(|pane| pane.component().title());
        std::iter::once("text").chain(panes).collect()
    }

    fn part(&self, app: &App) -> usize {
        match app.cx.small.part {
            0 => 0,
            _ => app.cx.pane_place() + 1,
        }
    }

    fn show_part(&self, app: &mut App, part: usize) {
        app.cx.small.part = part;
        if let Some(pane) = part.checked_sub(1) {
            app.cx.explore.focus = app.cx.panes()[pane];
        }
    }

    fn pane_name(&self, app: &App) -> Option<&'static str> {
        let beside = app.cx.reading.is_open();
        beside.then(|| app.cx.explore.focus.component().title())
    }

    fn shows_tree(&self, reading: bool) -> bool {
        reading
    }

    /// What the lesson has not introduced is not shown, nor is anything beside the text when it is shown to a class.
    fn shows_search(&self, app: &App) -> bool {
        let shown = app.cx.reading.shows(Fact::Status) && !app.cx.reading.presenting;
        shown || !app.cx.reading.is_open()
    }

    fn help_page(&self) -> usize {
        Help::GLOSSARY
    }
}
