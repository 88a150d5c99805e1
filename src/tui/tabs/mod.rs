//! The tabs: each folder has a tab's state, its commands and its view.
//!
//! To add a tab, create its folder, and add its module, its variant of [`Tab`] and its row of [`TABS`] here, a field
//! for its state in [`App`], and its commands with the key that shows it in [`commands`](super::commands).

pub mod compare;
pub mod explore;
pub mod game;
pub mod lab;
pub mod learn;

use ratatui::layout::Rect;

use super::app::App;
use super::commands::Command;
use super::component::Component;
use super::exporting::Offer;
use super::overlays::help::Help;
use super::panes::PANES;
use super::views::status;
use lab::LabPage;
use screen::pen::Pen;
use session::Subject;

/// A screen of panes.
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
    /// Experiments: how scores change with depth, and the margins that depend on that.
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

/// Returns all tabs and panes.
pub fn components() -> impl Iterator<Item = &'static dyn Component> {
    let tabs = TABS.iter().map(|(_, tab)| *tab as &dyn Component);
    tabs.chain(PANES)
}

impl Tab {
    /// Returns the component that draws the tab and handles its keys.
    pub fn screen(self) -> &'static dyn TabScreen {
        TABS[self as usize].1
    }

    /// Returns the tab that a digit shows.
    pub fn of_digit(digit: usize) -> Option<Tab> {
        let (tab, _) = TABS.get(digit.checked_sub(1)?)?;
        Some(*tab)
    }
}

/// A tab: the component on the screen between the top bar and the bottom line.
pub trait TabScreen: Component {
    /// Whether the live search's tree is on the screen and the panes beside it can have the focus; `reading` says whether a
    /// lesson or a quiz is open.
    fn shows_tree(&self, _reading: bool) -> bool {
        false
    }

    /// Whether it shows scores that the lens turns.
    fn shows_scores(&self) -> bool {
        true
    }

    /// Called when the tab is shown; `before` is the tab shown until now, which may be the same.
    fn comes(&self, _app: &mut App, _before: Tab) {}

    /// Called when another tab is shown.
    fn goes(&self, _app: &mut App) {}

    /// Whether the tab's own searches use the cores while it is shown, and others pause.
    fn has_cores(&self) -> bool {
        false
    }

    /// Called when Explore's search was restarted while the tab is shown.
    fn search_began(&self, _app: &mut App) {}

    /// Whether another place in the game is searched at once when the user goes there.
    fn searches_places(&self) -> bool {
        true
    }

    /// Called when the user moved to another place in the game, unless that is searched at once.
    fn place_changed(&self, _app: &mut App) {}

    /// Whether something that runs has produced a result that is not on the screen yet.
    fn has_news(&self, _app: &App) -> bool {
        false
    }

    /// Returns what of the tab can be written to a file now.
    fn exports(&self, _app: &App) -> Vec<Offer> {
        Vec::new()
    }

    /// Returns why a command has no meaning in this tab, if so.
    fn refuses(&self, _command: &Command) -> Option<String> {
        None
    }

    /// Returns the page of the tab whose keys take precedence.
    fn page(&self, _app: &App) -> Option<LabPage> {
        None
    }

    /// Returns the page of the help that is shown first.
    fn help_page(&self) -> usize {
        Help::HERE
    }

    /// Returns the name of the focused pane, if the tab has several.
    fn pane_name(&self, _app: &App) -> Option<&'static str> {
        None
    }

    /// Returns the parts of the tab that a small screen shows one at a time, in the order in which `Tab` goes through
    /// them; none if there is only one.
    fn parts(&self, _app: &App) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns the index of the part that a small screen shows.
    fn part(&self, app: &App) -> usize {
        app.cx
            .small
            .part
            .min(self.parts(app).len().saturating_sub(1))
    }

    /// Shows a part of the tab, by its index, on a small screen.
    fn show_part(&self, app: &mut App, part: usize) {
        app.cx.small.part = part;
    }

    /// Draws the right part of the top bar, starting at a column.
    fn draw_status(&self, app: &App, pen: &mut Pen, area: Rect, left: u16) {
        if self.shows_search(app) {
            status::draw_search(&app.cx, pen, area, left);
        }
    }

    /// Whether the top bar says what the search in Explore is doing.
    fn shows_search(&self, _app: &App) -> bool {
        true
    }

    /// Returns the position at the selection.
    fn selected_subject(&self, app: &App) -> Option<Subject> {
        app.cx.row_subject()
    }

    /// Returns the moves that lead to the selection, in the usual notation.
    fn selected_line(&self, app: &App) -> String {
        app.cx.row_line()
    }
}

/// Where keys have a meaning: in a tab, or in one page of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    pub tab: Tab,
    /// The page, or `None` for the whole tab.
    pub page: Option<LabPage>,
}

impl Scope {
    /// Returns where keys are looked up, the narrowest place first: the page, the tab, everywhere.
    pub fn places(self) -> [Option<Scope>; 3] {
        [Some(self), Some(Scope::tab(self.tab)), None]
    }

    /// Returns the scope of a tab.
    pub const fn tab(tab: Tab) -> Scope {
        Scope { tab, page: None }
    }

    /// Returns the scope of a page of the Lab.
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
