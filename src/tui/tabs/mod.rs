//! The tabs: each folder has a tab's state, its commands and its view.
//!
//! To add a tab, create its folder with a type for its state that is a [`TabScreen`] and has a [`Kind`], add its module and
//! its row of `tabs!` here, and its commands with the key that shows it in [`commands`](super::commands). The compiler then
//! asks for its state at the start.

pub mod compare;
pub mod explore;
pub mod game;
pub mod lab;
pub mod learn;

use ratatui::layout::Rect;

use super::commands::Command;
use super::component::Component;
use super::exporting::Offer;
use super::overlays::help::Help;
use super::views::status;
use crate::context::Context;
use lab::LabPage;
use screen::pen::Pen;
use session::Subject;

/// What is known of a tab without its state.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name in the tab bar.
    pub title: &'static str,
    /// Whether the live search's tree is on the screen and the panes beside it can have the focus.
    pub shows_tree: fn(&Context) -> bool,
    /// Whether the tab's own searches use the cores while it is shown, and others pause.
    pub has_cores: bool,
    /// Whether another place in the game is searched at once when the user goes there.
    pub searches_places: bool,
    /// The page of the help that is shown first.
    pub help_page: usize,
}

impl Kind {
    const fn new(title: &'static str) -> Kind {
        Kind {
            title,
            shows_tree: |_| false,
            has_cores: false,
            searches_places: true,
            help_page: Help::HERE,
        }
    }
}

/// Declares the tabs in their order on the screen: what names each, where its state is, and of what type that is.
macro_rules! tabs {
    ($($(#[$doc:meta])* $tab:ident $field:ident: $state:ty;)*) => {
        /// A screen of panes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Tab {
            $($(#[$doc])* $tab,)*
        }

        impl Tab {
            /// The tabs in their order on the screen; the first one is number 1.
            pub const ALL: &[Tab] = &[$(Tab::$tab,)*];

            pub fn kind(self) -> &'static Kind {
                match self {
                    $(Tab::$tab => &<$state>::KIND,)*
                }
            }
        }

        /// The tabs with their own states.
        #[derive(Debug)]
        pub struct Tabs {
            $(pub $field: $state,)*
        }

        impl Tabs {
            pub fn get(&self, tab: Tab) -> &dyn TabScreen {
                match tab {
                    $(Tab::$tab => &self.$field,)*
                }
            }

            pub fn get_mut(&mut self, tab: Tab) -> &mut dyn TabScreen {
                match tab {
                    $(Tab::$tab => &mut self.$field,)*
                }
            }
        }
    };
}

tabs! {
    /// One search: tree, inspector, board, events.
    Explore explore: explore::ExploreScreen;
    /// Several searches of one position.
    Compare compare: compare::Compare;
    /// The games of the file, their moves, the review.
    Game game: game::GameTab;
    /// Lessons, and the quiz.
    Learn learn: learn::LearnTab;
    /// Experiments: how scores change with depth, and the margins that depend on that.
    Lab lab: lab::LabTab;
}

impl Tab {
    /// Returns the tab that a digit shows.
    pub fn of_digit(digit: usize) -> Option<Tab> {
        Tab::ALL.get(digit.checked_sub(1)?).copied()
    }
}

impl Tabs {
    pub fn all(&self) -> impl Iterator<Item = &dyn TabScreen> {
        Tab::ALL.iter().map(|tab| self.get(*tab))
    }
}

/// A tab: the component on the screen between the top bar and the bottom line.
pub trait TabScreen: Component {
    /// Whether it shows scores that the lens turns.
    fn shows_scores(&self) -> bool {
        true
    }

    /// Called when the tab is shown; `before` is the tab shown until now, which may be the same.
    fn comes(&mut self, _cx: &mut Context, _before: Tab) {}

    /// Called when another tab is shown.
    fn goes(&mut self, _cx: &mut Context) {}

    /// Called when Explore's search was restarted while the tab is shown.
    fn search_began(&mut self, _cx: &mut Context) {}

    /// Called when the user moved to another place in the game, unless that is searched at once.
    fn place_changed(&mut self, _cx: &mut Context) {}

    /// Whether something that runs has produced a result that is not on the screen yet.
    fn has_news(&self, _cx: &Context) -> bool {
        false
    }

    /// Returns what of the tab can be written to a file now.
    fn exports(&self, _cx: &Context) -> Vec<Offer> {
        Vec::new()
    }

    /// Returns why a command has no meaning in this tab, if so.
    fn refuses(&self, _command: &Command) -> Option<String> {
        None
    }

    /// Returns the page of the tab whose keys take precedence.
    fn page(&self, _cx: &Context) -> Option<LabPage> {
        None
    }

    /// Returns the name of the focused pane, if the tab has several.
    fn pane_name(&self, _cx: &Context) -> Option<&'static str> {
        None
    }

    /// Returns the parts of the tab that a small screen shows one at a time, in the order in which `Tab` goes through
    /// them; none if there is only one.
    fn parts(&self, _cx: &Context) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns the index of the part that a small screen shows.
    fn part(&self, cx: &Context) -> usize {
        cx.small.part.min(self.parts(cx).len().saturating_sub(1))
    }

    /// Shows a part of the tab, by its index, on a small screen.
    fn show_part(&mut self, cx: &mut Context, part: usize) {
        cx.small.part = part;
    }

    /// Draws the right part of the top bar, starting at a column.
    fn draw_status(&self, cx: &Context, pen: &mut Pen, area: Rect, left: u16) {
        if self.shows_search(cx) {
            status::draw_search(cx, pen, area, left);
        }
    }

    /// Whether the top bar says what the search in Explore is doing.
    fn shows_search(&self, _cx: &Context) -> bool {
        true
    }

    /// Returns the position at the selection.
    fn selected_subject(&self, cx: &Context) -> Option<Subject> {
        cx.row_subject()
    }

    /// Returns the moves that lead to the selection, in the usual notation.
    fn selected_line(&self, cx: &Context) -> String {
        cx.row_line()
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
    fn a_digit_shows_a_tab() {
        assert_eq!(Tab::of_digit(0), None);
        assert_eq!(Tab::of_digit(1), Some(Tab::Explore));
        assert_eq!(Tab::of_digit(Tab::ALL.len() + 1), None);
    }
}
