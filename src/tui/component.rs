//! The parts of the screen: tabs, and panes that several tabs show.
//!
//! A tab has its own state, a pane that of the live search; what they share is the [`Context`]. What a component wants of
//! another one, or of the workbench around it, it [asks](crate::context::Ask) for. Drawing only reads.

use ratatui::layout::Rect;

use crate::context::Context;
use screen::keys::Key;
use screen::list::List;
use screen::pen::{Line, Pen};
use screen::target::Target;

/// An event for a component. A component asks with [`Event::of`] for an event at its own targets: any other target is
/// `None` there.
#[derive(Clone, Debug)]
pub enum Event<T = Target> {
    /// A key, before it is looked up in the table of commands, with the count that was typed before it.
    Key(Key, usize),
    /// A request from a key in the table of commands.
    Request(Request),
    /// A click on a target, in a column of the screen.
    Click(Option<T>, u16),
    /// A move of the mouse to a target with the button held down.
    Drag(Option<T>, u16),
    /// The release of the button.
    Release,
    /// A turn of the wheel over a target, in lines, downwards if positive.
    Wheel(Option<T>, isize),
    /// A sideways turn of the wheel, to the right if positive.
    WheelSideways(Option<T>, isize),
    /// A text was drawn of which this line is the last that may be at the top.
    LastTop(Option<T>, usize),
}

impl Event {
    /// Returns the event with the target that it has for a component, if the target is of the component's type.
    pub fn of<T: Copy + 'static>(&self) -> Event<T> {
        let of = |target: &Option<Target>| target.as_ref().and_then(Target::of);
        match self {
            Event::Key(key, count) => Event::Key(*key, *count),
            Event::Request(request) => Event::Request(*request),
            Event::Click(target, column) => Event::Click(of(target), *column),
            Event::Drag(target, column) => Event::Drag(of(target), *column),
            Event::Release => Event::Release,
            Event::Wheel(target, by) => Event::Wheel(of(target), *by),
            Event::WheelSideways(target, by) => Event::WheelSideways(of(target), *by),
            Event::LastTop(target, last) => Event::LastTop(of(target), *last),
        }
    }
}

impl From<Request> for Event {
    fn from(request: Request) -> Event {
        Event::Request(request)
    }
}

/// A request to the focused component, and to the tree if that component does not handle it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Moves the selection by rows.
    Rows(isize),
    /// Selects a row by its index, or the last one if there are fewer rows.
    Row(usize),
    Pages(isize),
    HalfPages(isize),
    /// Moves the selection among the moves of the same position.
    Sibling(isize),
    /// Opens the row, or goes into it, for this many plies.
    Open(usize),
    /// Closes the row, or leaves it, for this many plies.
    Close(usize),
    Toggle,
    /// Scrolls the selected row to the middle.
    Centre,
    CloseAll,
    OpenBestLine,
    /// Goes this many moves along the principal variation.
    FollowBest(usize),
    /// Prompts for what to find.
    Find,
    FindAgain(isize),
    /// Prompts for which rows to show.
    Filter,
    /// Shows the selection on the board.
    ShowOnBoard,
    FailedAudit(isize),
    Proof,
    Threads(isize),
    /// Cancels what is under way.
    Cancel,
}

impl Request {
    /// Moves a list of `count` rows if that is what is requested; returns whether it is.
    pub fn moves(self, list: &mut List, count: usize) -> bool {
        match self {
            Request::Rows(by) => list.walk(by, count),
            Request::Row(row) => list.select(row, count),
            Request::Pages(pages) => list.pages(pages, count),
            Request::HalfPages(halves) => list.half_pages(halves, count),
            Request::Centre => list.centre(count),
            _ => return false,
        }
        true
    }
}

/// Whether a component handled an event; if not, the next one is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Handled {
    Yes,
    No,
}

impl Handled {
    /// Returns `Yes` if `handled` is true.
    pub fn when(handled: bool) -> Handled {
        match handled {
            true => Handled::Yes,
            false => Handled::No,
        }
    }
}

/// Returns the commands in their order, each once: a tab hints at the focused pane's commands before its own.
pub fn without_repeats(hints: Vec<&'static str>) -> Vec<&'static str> {
    let mut seen = Vec::with_capacity(hints.len());
    for id in hints {
        if !seen.contains(&id) {
            seen.push(id);
        }
    }
    seen
}

/// A tab, or a pane that several tabs show. To add one, create a folder with its state, commands and view, and add a
/// row to [`tabs!`](super::tabs) or [`panes`](super::panes::panes).
pub trait Component {
    /// Updates what the component shows, before it is drawn in `area`.
    fn update(&mut self, _cx: &mut Context, _area: Rect) {}

    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect);

    fn handle(&mut self, _cx: &mut Context, _event: &Event) -> Handled {
        Handled::No
    }

    /// Returns the commands to hint at in the key bar, by id, the most useful first: a tab's with those of its focused
    /// pane, a pane's own. The help's first page and the palette begin with them too.
    fn hints(&self, _cx: &Context) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns what a command does while this component has the focus, if that differs from the command's name in the
    /// table.
    fn name_of(&self, _cx: &Context, _command: &str) -> Option<&'static str> {
        None
    }

    /// Returns the explanation of its signs, for the help.
    fn legend(&self, _pen: &Pen, _width: usize) -> Vec<Line> {
        Vec::new()
    }

    /// Whether some of its content changes by itself, shown or not.
    fn is_running(&self, _cx: &Context) -> bool {
        false
    }

    /// Whether something is under way that will stop a search at an event.
    fn is_stepping(&self, _cx: &Context) -> bool {
        false
    }

    /// Takes care of its background work, once per turn of the main loop.
    fn tend(&mut self, _cx: &mut Context) {}
}
