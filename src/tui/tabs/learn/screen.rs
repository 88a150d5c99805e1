//! The Learn tab as a component: the list of lessons, or the text beside the live search.

use ratatui::layout::Rect;

use super::view;
use crate::engine::lesson::Fact;
use crate::tui::app::{App, Target};
use crate::tui::component::{Component, Event, Handled, Request, without_repeats};
use crate::tui::overlays::help::Help;
use crate::tui::pen::Pen;
use crate::tui::tabs::explore::layout::{Beside, Layout};
use crate::tui::tabs::explore::{draw_panes, update_panes};
use crate::tui::tabs::{Tab, TabScreen};
use crate::tui::views::status;

/// Draws the tab and handles its keys.
#[derive(Debug)]
pub struct LearnScreen;

fn layout(app: &App, area: Rect) -> Layout {
    match app.learn.is_open() {
        true if app.small.on && app.small.part > 0 => {
            Layout::single(area, app.explore.focus, false)
        }
        true if !app.small.on => Layout::beside_text(area, app.explore.focus, Beside::of(app)),
        true => Layout {
            text: Some(area),
            ..Layout::default()
        },
        false => Layout {
            text: Some(area),
            ..Layout::default()
        },
    }
}

impl Component for LearnScreen {
    fn title(&self) -> &'static str {
        "Learn"
    }

    fn update(&self, app: &mut App, area: Rect) {
        let layout = layout(app, area);
        update_panes(app, &layout);
        if let Some(rect) = layout.text {
            view::update(app, rect);
        }
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        let layout = layout(app, area);
        draw_panes(app, pen, &layout);
        if let Some(rect) = layout.text {
            view::draw(app, pen, rect);
        }
    }

    fn handle(&self, app: &mut App, event: Event) -> Handled {
        let lessons = !app.learn.is_open();
        match event {
            Event::Key(key, _) => return Handled::when(app.answer_key(key)),
            Event::Request(Request::Rows(by)) if lessons => app.walk_lessons(by),
            Event::Request(Request::Row(row)) if lessons => {
                app.walk_lessons(isize::MIN);
                app.walk_lessons(isize::try_from(row).unwrap_or(isize::MAX));
            }
            Event::Click(Target::Lesson(at), _) => {
                // A second click opens the lesson.
                if app.learn.list.selected == at {
                    app.open_lesson(at);
                } else {
                    app.learn.list.selected = at;
                }
            }
            Event::Click(Target::Choice(at), _) => app.choose_answer(at),
            Event::Click(Target::Text, _) if app.learn.presenting => app.lesson_next(),
            Event::Wheel(Some(Target::Text), by) => app.scroll_text(by.signum()),
            Event::Wheel(_, by) if lessons => app.walk_lessons(by.signum()),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, app: &App) -> Vec<&'static str> {
        if app.learn.presenting && app.learn.is_open() {
            return Vec::new();
        }
        let mut hints = match (app.learn.is_open(), &app.learn.quiz) {
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
        if !app.learn.is_asking() {
            hints.retain(|id| *id != "lesson-hint");
        }
        if app.learn.is_open() {
            hints.extend(["down", "open"]);
            hints.extend(app.explore.focus.component().hints(app));
            hints.extend(["step", "step-back", "drawing"]);
        }
        hints.extend(["palette", "help", "quit"]);
        without_repeats(hints)
    }

    fn name_of(&self, app: &App, command: &str) -> Option<&'static str> {
        let here = app.tab == Tab::Learn;
        let asked = app
            .learn
            .asked()
            .is_some_and(|(_, answer)| answer.is_none());
        match command {
            "lesson-next" if here && !app.learn.is_open() => Some("start"),
            "lesson-next" if asked => Some("answer"),
            "lesson-present" if app.learn.presenting => Some("end presenting"),
            "help" if here => Some("terms"),
            "tab-learn" if app.learn.is_open() => Some("back to the text"),
            _ => None,
        }
    }

    fn is_stepping(&self, app: &App) -> bool {
        app.learn.is_under_way()
    }

    fn tend(&self, app: &mut App) {
        app.tend_learn();
    }
}

impl TabScreen for LearnScreen {
    fn parts(&self, app: &App) -> Vec<&'static str> {
        if !app.learn.is_open() {
            return Vec::new();
        }
        let panes = app.panes().into_iter();
        let panes = panes.map(|pane| pane.component().title());
        std::iter::once("text").chain(panes).collect()
    }

    fn part(&self, app: &App) -> usize {
        match app.small.part {
            0 => 0,
            _ => app.pane_place() + 1,
        }
    }

    fn show_part(&self, app: &mut App, part: usize) {
        app.small.part = part;
        if let Some(pane) = part.checked_sub(1) {
            app.explore.focus = app.panes()[pane];
        }
    }

    fn pane_name(&self, app: &App) -> Option<&'static str> {
        let beside = app.learn.is_open();
        beside.then(|| app.explore.focus.component().title())
    }

    fn shows_tree(&self, app: &App) -> bool {
        app.learn.is_open()
    }

    /// What the lesson has not introduced is not shown, nor is anything beside the text when it is shown to a class.
    fn draw_status(&self, app: &App, pen: &mut Pen, area: Rect, left: u16) {
        let shown = app.learn.shows(Fact::Status) && !app.learn.presenting;
        if shown || !app.learn.is_open() {
            status::draw_search(app, pen, area, left);
        }
    }

    fn help_page(&self) -> usize {
        Help::GLOSSARY
    }
}
