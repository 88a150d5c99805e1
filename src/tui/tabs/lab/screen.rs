//! The Lab tab as a component: pages with keys of their own.

use ratatui::layout::Rect;

use super::pages::PAGES;
use super::{LabPage, view};
use crate::component::{Component, Event, Handled};
use crate::context::{Context, Level};
use crate::exporting::Offer;
use crate::tabs::lab::LabTab;
use crate::tabs::{Kind, Tab, TabScreen};
use screen::pen::{Line, Pen};

impl LabTab {
    pub const KIND: Kind = Kind::new("Lab");
}

impl Component for LabTab {
    fn update(&mut self, _: &mut Context, _: Rect) {
        self.page.screen().update(self);
        self.seen = self.progress();
    }

    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        view::draw(self, cx, pen, area);
    }

    fn handle(&mut self, cx: &mut Context, event: &Event) -> Handled {
        if let Event::Click(Some(page), _) = event.of() {
            self.show_lab_page(cx, page);
            return Handled::Yes;
        }
        self.page.screen().handle(self, event)
    }

    fn hints(&self, _: &Context) -> Vec<&'static str> {
        let mut keys = self.page.screen().keys().commands.iter();
        let run = keys.next().map(|command| command.id);
        let hints = run.into_iter().chain(["lab-page"]);
        let hints = hints.chain(keys.map(|command| command.id));
        hints.chain(["palette", "help", "quit"]).collect()
    }

    fn name_of(&self, _: &Context, command: &str) -> Option<&'static str> {
        match command {
            "lab-page" => Some(self.page.next().screen().name()),
            "lab-page-back" => Some(self.page.previous().screen().name()),
            _ => self.page.screen().name_of(self, command),
        }
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        let pages = PAGES.map(|(_, page)| page.legend(pen, width));
        pages.join(&[Vec::new()][..])
    }

    fn is_running(&self, _: &Context) -> bool {
        self.lab_busy().is_some()
    }

    /// Keeps what came out of an experiment that has ended.
    fn tend(&mut self, cx: &mut Context) {
        let Some(begun) = &self.runs.begun else {
            return;
        };
        let (page, experiment) = (begun.page.screen(), begun.asked.experiment);
        page.update(self);
        let course = page.course(self, experiment);
        let Some(course) = course.filter(|course| course.has_ended) else {
            return;
        };
        let verdict = page.verdict(self, experiment);
        let told = verdict.map(|verdict| verdict.sentence().to_owned());
        if let Err(e) = self.runs.end(course, told.into_iter().collect()) {
            let what = format!("the result of the experiment can't be kept: {e}");
            cx.say(Level::Warning, what);
        }
        cx.dirty = true;
    }
}

impl TabScreen for LabTab {
    fn exports(&self, _: &Context) -> Vec<Offer> {
        super::exports::offers(self)
    }

    fn parts(&self, _: &Context) -> Vec<&'static str> {
        self.page.screen().parts().to_vec()
    }

    fn pane_name(&self, _: &Context) -> Option<&'static str> {
        Some(self.page.screen().name())
    }

    fn shows_scores(&self) -> bool {
        false
    }

    fn comes(&mut self, cx: &mut Context, before: Tab) {
        self.open_lab(cx, before);
    }

    fn has_news(&self, _: &Context) -> bool {
        self.progress() != self.seen
    }

    fn page(&self, _: &Context) -> Option<LabPage> {
        Some(self.page)
    }
}
