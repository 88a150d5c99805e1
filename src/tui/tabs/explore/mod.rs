//! The Explore tab: one search with its tree, the inspector, the board and the events.

mod exports;
pub mod layout;

use std::time::Instant;

use ratatui::layout::Rect;

use super::game::view::{draw_strip, strip_height};
use super::{Tab, TabScreen};
use crate::app::leaf::Outer;
use crate::app::{App, Context};
use crate::component::Component;
use crate::component::without_repeats;
use crate::exporting::Offer;
use crate::panes::board::{BoardPane, BoardState};
use crate::panes::debugger::{Debugger, DebuggerPane};
use crate::panes::drawing::{self, Drawing, DrawingPane};
use crate::panes::inspector::{Asking, InspectorPane};
use crate::panes::log::LogPane;
use crate::panes::tree::hunt::Hunt;
use crate::panes::tree::{Explorer, TreePane};
use crate::panes::{Pane, root_lines};
use crate::saving::Notes;
use layout::Layout;
use screen::pen::Line;
use screen::pen::Pen;
use session::State;
use tree::{NodeId, Tree};

/// The state of the tab, which is that of its panes; other tabs show them too.
#[derive(Debug)]
pub struct Explore {
    /// The tree's rows.
    pub tree: Explorer,
    /// The drawing that replaces the rows of a toy tree.
    pub drawing: Drawing,
    pub debug: Debugger,
    pub notes: Notes,
    /// The node on the board; `None` for the position in which the selected move is played.
    pub board_node: Option<NodeId>,
    /// Whether the best lines from the root are shown below the tree; `None`: if there is room.
    pub root_lines: Option<bool>,
    /// Whether they were shown in the last frame.
    pub(crate) root_lines_shown: bool,
    pub board: BoardState,
    /// Whether a small screen has no board beside the inspector.
    pub board_hidden: bool,
    pub flipped: bool,
    /// The focused pane.
    pub focus: Pane,
    /// The first visible line of the inspector.
    pub inspector_top: usize,
    /// A node that is being searched again and will then be opened, and the deadline for that.
    pub(crate) again: Option<(NodeId, Instant)>,
    /// The open answer to why a move was not chosen, or was.
    pub asking: Option<Asking>,
    /// A kind of node that is being looked for.
    pub(crate) hunt: Option<Hunt>,
    /// The limit of nodes that the user was told the search has reached.
    pub(crate) limit_told: Option<u64>,
    /// The search whose leaf is shown instead.
    pub(crate) outer: Option<Outer>,
}

impl Default for Explore {
    fn default() -> Self {
        Explore {
            tree: Explorer::default(),
            drawing: Drawing::default(),
            debug: Debugger::default(),
            notes: Notes::default(),
            board_node: None,
            root_lines: None,
            root_lines_shown: false,
            board: BoardState::default(),
            board_hidden: false,
            flipped: false,
            focus: Pane::Tree,
            inspector_top: 0,
            again: None,
            asking: None,
            hunt: None,
            limit_told: None,
            outer: None,
        }
    }
}

/// Draws the tab and handles its keys; the panes handle theirs.
#[derive(Debug)]
pub struct ExploreScreen;

/// The commands to hint at in every pane, the most useful first.
const HINTS: [&str; 9] = [
    "next-pane",
    "algorithm",
    "next-move",
    "units",
    "debugger",
    "theme",
    "palette",
    "help",
    "quit",
];

fn layout(cx: &Context, area: Rect) -> Layout {
    if cx.small.on {
        return Layout::single(area, cx.explore.focus, cx.explore.debug.shown);
    }
    // An answer is read beside the board on which its line is played out.
    let answers = cx.explore.asking.is_some();
    let focus = match cx.explore.focus {
        Pane::Inspector if answers => Pane::Tree,
        other => other,
    };
    let debugger = cx.explore.debug.shown && !(answers && area.width < 110);
    let hidden = cx.explore.board_hidden && !answers;
    let board = !hidden && cx.subject.position.as_chess().is_some();
    let layout = Layout::of(area, focus, debugger, board);
    // A drawing shows the whole tree, and needs its room.
    match cx.is_drawn() {
        true => layout,
        false => {
            let game = layout.game;
            let needed = game.map_or(0, |rect| strip_height(cx, rect.width));
            let moves = cx.session.as_ref().map_or(0, |source| {
                source.reader().tree.node(Tree::ROOT).child_count()
            });
            layout.with_lines(cx.explore.root_lines, needed, moves)
        }
    }
}

/// Updates the panes of a layout that have a state of their own.
pub(super) fn update_panes(app: &mut App, layout: &Layout) {
    // The number of rows depends on the height.
    if let Some(rect) = layout.tree {
        TreePane.update(app, rect);
    }
    app.cx.update_tree();
    app.cx.update_answer();
    let panes: [(&dyn Component, Option<Rect>); 2] =
        [(&DrawingPane, layout.tree), (&LogPane, layout.log)];
    for (pane, rect) in panes {
        if let Some(rect) = rect {
            pane.update(app, rect);
        }
    }
}

/// Draws the panes of a layout.
pub(super) fn draw_panes(app: &App, pen: &mut Pen, layout: &Layout) {
    let panes: [(&dyn Component, Option<Rect>); 5] = [
        (&DrawingPane, layout.tree),
        (&InspectorPane, layout.inspector),
        (&BoardPane, layout.board),
        (&LogPane, layout.log),
        (&DebuggerPane, layout.dock),
    ];
    for (pane, rect) in panes {
        if let Some(rect) = rect {
            pane.draw(app, pen, rect);
        }
    }
    if let Some(rect) = layout.lines {
        root_lines::draw(&app.cx, pen, rect);
    }
    if let Some(rect) = layout.game {
        draw_strip(&app.cx, pen, rect);
    }
}

impl Component for ExploreScreen {
    fn title(&self) -> &'static str {
        "Explore"
    }

    fn update(&self, app: &mut App, area: Rect) {
        let layout = layout(&app.cx, area);
        app.cx.explore.root_lines_shown = layout.lines.is_some();
        update_panes(app, &layout);
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        draw_panes(app, pen, &layout(&app.cx, area));
    }

    fn legend(&self, pen: &Pen, _: usize) -> Vec<Line> {
        drawing::view::legend(pen)
    }

    fn hints(&self, app: &App) -> Vec<&'static str> {
        let mut hints = match (app.cx.explore.debug.shown, app.cx.explore.focus) {
            // While a lesson is open, the user wants to return to its text.
            _ if app.cx.reading.is_open() => vec!["tab-learn", "pause"],
            // In the log, the debugger's keys belong to its own.
            (true, Pane::Log) => Vec::new(),
            (true, _) => DebuggerPane.hints(app),
            _ => vec!["pause"],
        };
        hints.extend(app.cx.explore.focus.component().hints(app));
        hints.extend(HINTS);
        if matches!(app.cx.state(), Some(State::Finished(_))) {
            hints
                .iter_mut()
                .filter(|id| **id == "pause")
                .for_each(|id| *id = "restart");
        }
        without_repeats(hints)
    }

    fn name_of(&self, app: &App, command: &str) -> Option<&'static str> {
        if app.cx.tab == Tab::Explore && command == "next-pane" {
            return Some(app.cx.pane_after(1).component().title());
        }
        let here = app.cx.tab == Tab::Explore && app.cx.explore.debug.stop.is_none();
        let status = app.cx.status().filter(|_| here)?;
        match (command, status.state) {
            ("pause", State::Paused) if status.totals.nodes == 0 => Some("search"),
            ("pause", State::Paused) => Some("go on"),
            _ => None,
        }
    }
}

impl TabScreen for ExploreScreen {
    fn parts(&self, app: &App) -> Vec<&'static str> {
        let panes = app.cx.panes().into_iter();
        panes.map(|pane| pane.component().title()).collect()
    }

    fn part(&self, app: &App) -> usize {
        app.cx.pane_place()
    }

    fn show_part(&self, app: &mut App, part: usize) {
        app.cx.explore.focus = app.cx.panes()[part];
    }

    fn pane_name(&self, app: &App) -> Option<&'static str> {
        Some(app.cx.explore.focus.component().title())
    }

    /// Below the frames is the sentence of the event that the search has stopped at, which stays readable.
    fn shows_tree(&self, _: bool) -> bool {
        true
    }

    fn exports(&self, app: &App) -> Vec<Offer> {
        exports::offers(&app.cx)
    }

    fn comes(&self, app: &mut App, _: Tab) {
        if app.cx.session.is_some() {
            app.cx.search_place();
        }
    }
}
