//! What the screen is put together from: tabs, and panes that several tabs show.
//!
//! A component's state is a field of [`App`], which is its context. The tabs look at one live search and hand it to each
//! other: Compare lends a column's search to Explore, a lesson puts Explore's search aside and brings it back. So what a
//! component does goes through the workbench, and drawing only reads it.

use ratatui::layout::Rect;

use super::app::{App, Target};
use super::keys::Key;
use super::pen::Pen;
use super::text::Line;

/// What comes to a component.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A key, before the table of commands is asked, with the count that was typed before it.
    Key(Key, usize),
    /// What a key of the table of commands asks for.
    Request(Request),
    /// A click on a target, in a column of the screen.
    Click(Target, u16),
    /// The mouse moved there with its button held down.
    Drag(Option<Target>, u16),
    /// The button was let go.
    Release,
    /// The wheel was turned over a target by so many lines, downwards if positive.
    Wheel(Option<Target>, isize),
    /// The wheel was turned sideways, to the right if positive.
    WheelSideways(Option<Target>, isize),
}

impl From<Request> for Event {
    fn from(request: Request) -> Event {
        Event::Request(request)
    }
}

/// What is asked of the component that has the keyboard, and of the tree where that does not know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Moves the selection by rows.
    Rows(isize),
    /// Selects a row by its place; the last one if there are not so many.
    Row(usize),
    Pages(isize),
    HalfPages(isize),
    /// Moves the selection among the moves of the same position.
    Sibling(isize),
    /// Opens the row, or goes into it, so many plies.
    Open(usize),
    /// Closes the row, or leaves it, so many plies.
    Close(usize),
    Toggle,
    /// Brings the selected row to the middle.
    Centre,
    CloseAll,
    OpenBestLine,
    /// Goes so many moves along the best line.
    FollowBest(usize),
    /// Asks what to find.
    Find,
    FindAgain(isize),
    /// Asks which rows to show.
    Filter,
    /// Shows what is selected on the board.
    ShowOnBoard,
    FailedAudit(isize),
    Proof,
    Threads(isize),
    /// Gives up what is under way.
    Cancel,
}

/// Whether a component knew what to do; if not, the next one is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Handled {
    Yes,
    No,
}

impl Handled {
    /// Yes if so.
    pub fn when(handled: bool) -> Handled {
        match handled {
            true => Handled::Yes,
            false => Handled::No,
        }
    }
}

/// A tab, or a pane that several tabs show. Adding one is a folder with its state, commands and view, and a row in
/// [`TABS`](super::tabs::TABS) or [`PANES`](super::panes::PANES).
pub trait Component: Sync {
    /// Its name, in the bar of tabs.
    fn title(&self) -> &'static str;

    /// Brings what it shows in an area up to date, before it is drawn there.
    fn update(&self, _app: &mut App, _area: Rect) {}

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect);

    fn handle(&self, _app: &mut App, _event: Event) -> Handled {
        Handled::No
    }

    /// The commands to hint at in the bottom line, by id, most needed first.
    fn hints(&self, _app: &App) -> Vec<&'static str> {
        vec!["palette", "help", "quit"]
    }

    /// What a command does where the keyboard is, if that is something else than its row in the table says.
    fn name_of(&self, _app: &App, _command: &str) -> Option<&'static str> {
        None
    }

    /// What its signs mean, for the help.
    fn legend(&self, _pen: &Pen, _width: usize) -> Vec<Line> {
        Vec::new()
    }

    /// Whether something of it changes by itself, shown or not.
    fn is_running(&self, _app: &App) -> bool {
        false
    }

    /// Whether something is under way that will make a search stand.
    fn is_stepping(&self, _app: &App) -> bool {
        false
    }

    /// Looks after what goes on in the background, once every turn of the loop.
    fn tend(&self, _app: &mut App) {}
}
