//! The Lab tab as a component: pages with keys of their own.

use ratatui::layout::Rect;

use super::pages::PAGES;
use super::{LabPage, view};
use crate::app::{App, Level};
use crate::component::{Component, Event, Handled};
use crate::exporting::Offer;
use crate::tabs::{Tab, TabScreen};
use screen::pen::Line;
use screen::pen::Pen;

/// Draws the tab and handles its keys.
#[derive(Debug)]
pub struct LabScreen;

impl Component for LabScreen {
    fn title(&self) -> &'static str {
        "Lab"
    }

    fn update(&self, app: &mut App, _: Rect) {
        app.lab.page.screen().update(&mut app.lab);
        app.lab.seen = app.lab.progress();
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        view::draw(app, pen, area);
    }

    fn handle(&self, app: &mut App, event: &Event) -> Handled {
        if let Event::Click(Some(page), _) = event.of() {
            app.show_lab_page(page);
            return Handled::Yes;
        }
        app.lab.page.screen().handle(&mut app.lab, event)
    }

    fn hints(&self, app: &App) -> Vec<&'static str> {
        let mut keys = app.lab.page.screen().keys().commands.iter();
        let run = keys.next().map(|command| command.id);
        let hints = run.into_iter().chain(["lab-page"]);
        let hints = hints.chain(keys.map(|command| command.id));
        hints.chain(["palette", "help", "quit"]).collect()
    }

    fn name_of(&self, app: &App, command: &str) -> Option<&'static str> {
        match command {
            "lab-page" => Some(app.lab.page.next().screen().name()),
            "lab-page-back" => Some(app.lab.page.previous().screen().name()),
            _ => app.lab.page.screen().name_of(&app.lab, command),
        }
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        let pages = PAGES.map(|(_, page)| page.legend(pen, width));
        pages.join(&[Vec::new()][..])
    }

    fn is_running(&self, app: &App) -> bool {
        app.lab.lab_busy().is_some()
    }

    /// Keeps what came out of an experiment that has ended.
    fn tend(&self, app: &mut App) {
        let Some(begun) = &app.lab.runs.begun else {
            return;
        };
        let (page, experiment) = (begun.page.screen(), begun.asked.experiment);
        let course = page.course(&app.lab, experiment);
        let Some(course) = course.filter(|course| course.has_ended) else {
            return;
        };
        page.update(&mut app.lab);
        let figures = page.figures(&app.lab, experiment);
        if let Err(e) = app.lab.runs.end(course, figures) {
            let what = format!("the result of the experiment can't be kept: {e}");
            app.cx.say(Level::Warning, what);
        }
        app.cx.dirty = true;
    }
}

impl TabScreen for LabScreen {
    fn exports(&self, app: &App) -> Vec<Offer> {
        super::exports::offers(&app.lab)
    }

    fn parts(&self, app: &App) -> Vec<&'static str> {
        app.lab.page.screen().parts().to_vec()
    }

    fn pane_name(&self, app: &App) -> Option<&'static str> {
        Some(app.lab.page.screen().name())
    }

    fn shows_scores(&self) -> bool {
        false
    }

    fn comes(&self, app: &mut App, before: Tab) {
        app.open_lab(before);
    }

    fn has_news(&self, app: &App) -> bool {
        app.lab.progress() != app.lab.seen
    }

    fn page(&self, app: &App) -> Option<LabPage> {
        Some(app.lab.page)
    }
}
