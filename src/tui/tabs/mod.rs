//! The tabs: each folder has a tab's state, its commands and its view.
//!
//! Adding a tab: its folder, here its module, its variant of [`Tab`] and its row of [`TABS`], a field for its state in
//! [`App`], and its commands with the key that shows it in [`commands`](super::commands).

pub mod compare;
pub mod explore;
pub mod game;
pub mod lab;
pub mod learn;

use ratatui::layout::Rect;

use super::app::App;
use super::commands::Command;
use super::component::Component;
use super::panes::PANES;
use super::pen::Pen;
use super::views::status;
use crate::engine::{State, Subject};
use lab::LabPage;

/// A whole screen of panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tab {
    /// One search: tree, inspector, board, events.
    Explore,
    /// Several searches of one position.
    Compare,
    /// The games of the file, their moves, the review.
    Game,
    /// Lessons, and the quiz.
    Learn,
    /// Experiments: how scores change with depth, and the margins that rest on that.
    Lab,
}

/// The tabs in their order on the screen; the first one is number 1.
pub static TABS: [(Tab, &dyn TabScreen); 5] = [
    (Tab::Explore, &explore::ExploreScreen),
    (Tab::Compare, &compare::CompareScreen),
    (Tab::Game, &game::GameScreen),
    (Tab::Learn, &learn::LearnScreen),
    (Tab::Lab, &lab::LabScreen),
];

/// All tabs and panes.
pub fn components() -> impl Iterator<Item = &'static dyn Component> {
    let tabs = TABS.iter().map(|(_, tab)| *tab as &dyn Component);
    tabs.chain(PANES)
}

impl Tab {
    /// What draws the tab and takes its keys.
    #[must_use]
    pub fn screen(self) -> &'static dyn TabScreen {
        TABS[self as usize].1
    }

    /// The tab that a digit shows.
    #[must_use]
    pub fn of_digit(digit: usize) -> Option<Tab> {
        let (tab, _) = TABS.get(digit.checked_sub(1)?)?;
        Some(*tab)
    }
}

/// A tab: the component that has the screen between the bar at the top and the bottom line.
pub trait TabScreen: Component {
    /// Whether the live search's tree is on the screen, and the panes beside it have the keys.
    fn shows_tree(&self, _app: &App) -> bool {
        false
    }

    /// The tab comes up; `before` it another one was shown, or the same.
    fn comes(&self, _app: &mut App, _before: Tab) {}

    /// Another tab comes up.
    fn goes(&self, _app: &mut App) {}

    /// Whether searches of its own have the cores while it is shown, and others wait.
    fn has_cores(&self) -> bool {
        false
    }

    /// Explore's search has begun anew while the tab is shown.
    fn search_began(&self, _app: &mut App) {}

    /// Another place in the game is looked at.
    fn place_changed(&self, app: &mut App) {
        app.start_search();
    }

    /// Whether the search that the bar at the top tells of is at work.
    fn search_runs(&self, app: &App) -> bool {
        app.state() == Some(State::Running)
    }

    /// Whether what runs has brought something that is not on the screen yet.
    fn has_news(&self, _app: &App) -> bool {
        false
    }

    /// Why a command means nothing here, if it does not.
    fn refuses(&self, _command: &Command) -> Option<String> {
        None
    }

    /// The page of the tab whose keys come first.
    fn page(&self, _app: &App) -> Option<LabPage> {
        None
    }

    /// The page of the help that is shown first.
    fn help_page(&self) -> usize {
        0
    }

    /// Draws the right part of the bar at the top, from a column on.
    fn draw_status(&self, app: &App, pen: &mut Pen, area: Rect, left: u16) {
        status::draw_search(app, pen, area, left);
    }

    /// The position at what is selected.
    fn selected_subject(&self, app: &App) -> Option<Subject> {
        app.row_subject()
    }

    /// The moves to what is selected, as people write them.
    fn selected_line(&self, app: &App) -> String {
        app.row_line()
    }
}

/// Where keys mean something: a tab, or one page of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    pub tab: Tab,
    /// `None`: all of them.
    pub page: Option<LabPage>,
}

impl From<Tab> for Scope {
    fn from(tab: Tab) -> Scope {
        Scope { tab, page: None }
    }
}

impl Scope {
    /// The keys of a tab.
    #[must_use]
    pub const fn tab(tab: Tab) -> Scope {
        Scope { tab, page: None }
    }

    /// The keys of a page of the Lab.
    #[must_use]
    pub const fn lab(page: LabPage) -> Scope {
        Scope {
            tab: Tab::Lab,
            page: Some(page),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_stand_in_their_order() {
        for (i, (tab, screen)) in TABS.iter().enumerate() {
            assert_eq!(*tab as usize, i, "{}", screen.title());
            assert_eq!(Tab::of_digit(i + 1), Some(*tab));
        }
        assert_eq!(Tab::of_digit(0), None);
        assert_eq!(Tab::of_digit(TABS.len() + 1), None);
    }
}
