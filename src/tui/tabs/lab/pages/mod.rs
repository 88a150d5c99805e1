//! The pages of the Lab: each is one experiment, or several on one question.
//!
//! To add a page, add its file here, its variant of [`LabPage`] and its row of [`PAGES`], a field for its state in
//! [`LabTab`](super::LabTab), and its group of commands in [`keys`](super::keys) and
//! [`commands`](crate::commands). The names and the questions of the pages, what will happen, how long that takes
//! and what came out last time are drawn for all pages in one place.

mod beliefs;
mod depths;
mod margins;
mod playouts;

use ratatui::layout::Rect;

use super::runs::{Asked, Course};
use crate::app::App;
use crate::component::{Event, Handled};
use crate::pen::Pen;
use crate::text::Line;
use session::jobs::JobState;

/// The pages of the tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LabPage {
    /// Changes of score with depth, and futility margins.
    #[default]
    Futility,
    /// The grid of point differentials.
    Differential,
    /// The spread of beliefs under several back-up rules, and calibration.
    Spread,
    /// How sure a value is by the depth of the search that found it.
    Depths,
}

/// The pages in their order.
pub static PAGES: [(LabPage, &dyn PageScreen); 4] = [
    (LabPage::Futility, &margins::MarginsPage),
    (LabPage::Differential, &playouts::PlayoutsPage),
    (LabPage::Spread, &beliefs::BeliefsPage),
    (LabPage::Depths, &depths::DepthsPage),
];

impl LabPage {
    /// Returns the page's component.
    pub fn screen(self) -> &'static dyn PageScreen {
        PAGES[self as usize].1
    }

    /// Returns the page after this one; the first follows the last.
    pub fn next(self) -> LabPage {
        PAGES[(self as usize + 1) % PAGES.len()].0
    }

    /// Returns the page before this one; the last precedes the first.
    pub fn previous(self) -> LabPage {
        PAGES[(self as usize + PAGES.len() - 1) % PAGES.len()].0
    }
}

/// A page of the Lab.
pub trait PageScreen: Sync {
    fn name(&self) -> &'static str;

    /// Returns the question that the page's experiments answer.
    fn question(&self) -> &'static str;

    /// Returns what the run key starts now.
    fn asked(&self, app: &App) -> Asked;

    /// Returns how far an experiment is ([`Asked::experiment`]), or how it ended; `None` if it has not begun.
    fn course(&self, app: &App, experiment: &str) -> Option<Course>;

    /// Returns the main figures of what is known from an experiment, a few words each; nothing if nothing is known.
    fn figures(&self, app: &App, experiment: &str) -> Vec<String>;

    /// Returns what uses the cores while the page's experiments run, as a message for a user who needs them for
    /// something else.
    fn busy(&self, app: &App) -> Option<&'static str>;

    /// Called when the page is shown.
    fn comes(&self, _app: &mut App) {}

    /// Takes new results, before the page is drawn.
    fn update(&self, app: &mut App);

    /// Returns the parts that a small screen shows one at a time; none if there is only one.
    fn parts(&self) -> &'static [&'static str] {
        &[]
    }

    /// Draws the page below the lines that all pages have.
    fn draw(&self, app: &App, pen: &mut Pen, area: Rect);

    fn handle(&self, app: &mut App, event: Event) -> Handled;

    /// Returns the commands to hint at in the bottom line, the most useful first.
    fn hints(&self) -> &'static [&'static str];

    /// Returns what a command does now, if that differs from its name in the table.
    fn name_of(&self, app: &App, command: &str) -> Option<&'static str>;

    /// Returns the explanation of its signs, for the help.
    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line>;

    /// Whether there are results that [`PageScreen::update`] has not taken yet.
    fn has_news(&self, app: &App) -> bool;
}

/// Returns the course of a job whose steps are all alike.
pub fn course((state, done, all): (JobState, usize, usize)) -> Course {
    Course {
        has_ended: state != JobState::Running,
        is_complete: state == JobState::Done,
        share: done as f64 / all.max(1) as f64,
    }
}

/// Returns where the positions come from, in words.
pub fn source(app: &App) -> String {
    match app.lab.positions {
        super::Positions::Samples => "the samples".to_owned(),
        super::Positions::Opened => crate::text::harmless(&app.document.title),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_stand_in_their_order() {
        for (i, (page, screen)) in PAGES.iter().enumerate() {
            assert_eq!(*page as usize, i, "{}", screen.name());
            assert_eq!(page.next().previous(), *page);
            assert!(screen.question().ends_with('?'), "{}", screen.question());
        }
    }
}
