//! The Explore tab: one search with its tree, the inspector, the board and the events.

mod exports;
pub mod layout;

use std::time::Instant;

use game::Game as _;
use layout::Layout;
use ratatui::layout::Rect;

use super::game::view::{draw_strip, strip_height};
use super::{Kind, Tab, TabScreen};
use crate::component::{Component, without_repeats};
use crate::context::Context;
use crate::context::leaf::Outer;
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
use screen::pen::{Line, Pen};
use session::State;
use tree::{NodeId, Tree};

/// A node that stays on the board whatever is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnBoard {
    pub node: NodeId,
    pub by: HeldBy,
}

impl OnBoard {
    pub fn new(node: NodeId, by: HeldBy) -> OnBoard {
        OnBoard { node, by }
    }
}

/// What put a node on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldBy {
    User,
    /// The search stopped at an event of this node, or its event was chosen in the log.
    Event,
    /// The step of a lesson is about it.
    Lesson,
}

impl HeldBy {
    /// Returns what the board's title says about it.
    pub fn words(self) -> &'static str {
        match self {
            HeldBy::User => "kept",
            HeldBy::Event => "at the event",
            HeldBy::Lesson => "in the lesson",
        }
    }
}

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
    pub board_node: Option<OnBoard>,
    /// Whether the best lines from the root are shown below the tree; `None`: if there is room.
    pub root_lines: Option<bool>,
    /// Whether they were shown in the last frame.
    pub(crate) root_lines_shown: bool,
    pub board: BoardState,
    /// Whether a small screen has no board beside the inspector.
    pub board_hidden: bool,
    /// Whether every move has a row of its own.
    pub unfolded: bool,
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
            unfolded: false,
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
    if cx.presenting {
        let board = cx.subject.position.board().is_some();
        return Layout::presented(area, cx.explore.focus, cx.explore.debug.shown, board);
    }
    // An answer is read beside the board on which its line is played out.
    let answers = cx.explore.asking.is_some();
    let focus = match cx.explore.focus {
        Pane::Inspector if answers => Pane::Tree,
        other => other,
    };
    let debugger = cx.explore.debug.shown && !(answers && area.width < 110);
    let hidden = cx.explore.board_hidden && !answers;
    let board = !hidden && cx.subject.position.board().is_some();
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
pub(super) fn update_panes(cx: &mut Context, layout: &Layout) {
    // The number of rows depends on the height.
    if let Some(rect) = layout.tree {
        TreePane.update(cx, rect);
    }
    cx.update_tree();
    cx.update_answer();
    if let Some(rect) = layout.tree {
        DrawingPane.update(cx, rect);
    }
    if let Some(rect) = layout.log {
        LogPane.update(cx, rect);
    }
}

/// Draws the panes of a layout.
pub(super) fn draw_panes(cx: &Context, pen: &mut Pen, layout: &Layout) {
    let panes: [(&dyn Component, Option<Rect>); 5] = [
        (&DrawingPane, layout.tree),
        (&InspectorPane, layout.inspector),
        (&BoardPane, layout.board),
        (&LogPane, layout.log),
        (&DebuggerPane, layout.dock),
    ];
    for (pane, rect) in panes {
        if let Some(rect) = rect {
            pane.draw(cx, pen, rect);
        }
    }
    if let Some(rect) = layout.lines {
        root_lines::draw(cx, pen, rect);
    }
    if let Some(rect) = layout.game {
        draw_strip(cx, pen, rect);
    }
}

impl ExploreScreen {
    pub const KIND: Kind = Kind {
        shows_tree: |_| true,
        ..Kind::new("Explore")
    };
}

impl Component for ExploreScreen {
    fn update(&mut self, cx: &mut Context, area: Rect) {
        let layout = layout(cx, area);
        cx.explore.root_lines_shown = layout.lines.is_some();
        update_panes(cx, &layout);
    }

    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        draw_panes(cx, pen, &layout(cx, area));
    }

    fn legend(&self, pen: &Pen, _: usize) -> Vec<Line> {
        drawing::view::legend(pen)
    }

    fn hints(&self, cx: &Context) -> Vec<&'static str> {
        // A class need not know the keys, and whoever presents does.
        if cx.presenting {
            return vec!["present"];
        }
        let mut hints = match (cx.explore.debug.shown, cx.explore.focus) {
            // While a lesson is open, the user wants to return to its text.
            _ if cx.reading.is_open() => vec!["tab-learn", "pause"],
            // In the log, the debugger's keys belong to its own.
            (true, Pane::Log) => Vec::new(),
            (true, _) => DebuggerPane.hints(cx),
            _ => vec!["pause"],
        };
        hints.extend(cx.explore.focus.component().hints(cx));
        hints.extend(HINTS);
        if matches!(cx.state(), Some(State::Finished(_))) {
            hints
                .iter_mut()
                .filter(|id| **id == "pause")
                .for_each(|id| *id = "restart");
        }
        without_repeats(hints)
    }

    fn name_of(&self, cx: &Context, command: &str) -> Option<&'static str> {
        if cx.presenting && command == "present" {
            return Some("end presenting");
        }
        if cx.tab == Tab::Explore && command == "next-pane" {
            return Some(cx.pane_after(1).title());
        }
        let here = cx.tab == Tab::Explore && cx.explore.debug.stop.is_none();
        let status = cx.status().filter(|_| here)?;
        match (command, status.state) {
            ("pause", State::Paused) if status.totals.nodes == 0 => Some("search"),
            ("pause", State::Paused) => Some("resume"),
            _ => None,
        }
    }
}

impl TabScreen for ExploreScreen {
    fn parts(&self, cx: &Context) -> Vec<&'static str> {
        let panes = cx.panes().into_iter();
        panes.map(|pane| pane.title()).collect()
    }

    fn part(&self, cx: &Context) -> usize {
        cx.pane_place()
    }

    fn show_part(&mut self, cx: &mut Context, part: usize) {
        cx.explore.focus = cx.panes()[part];
    }

    fn pane_name(&self, cx: &Context) -> Option<&'static str> {
        Some(cx.explore.focus.title())
    }

    fn exports(&self, cx: &Context) -> Vec<Offer> {
        exports::offers(cx)
    }

    /// Nodes and times are minor when the screen is for a class.
    fn shows_search(&self, cx: &Context) -> bool {
        !cx.presenting
    }

    fn comes(&mut self, cx: &mut Context, before: Tab) {
        // A game that was opened in its own tab has not been searched yet.
        if cx.session.is_some() || before == Tab::Game {
            cx.search_place();
        }
        let searched = cx.status().is_some_and(|status| status.totals.nodes > 0);
        if before == Tab::Game && !searched {
            cx.search_now();
        }
    }
}
