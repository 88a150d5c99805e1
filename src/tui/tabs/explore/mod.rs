//! The Explore tab: one search with its tree, the inspector, the board and the events.

pub mod layout;

use ratatui::layout::Rect;

use super::game::view::draw_strip;
use super::{Tab, TabScreen};
use crate::tui::app::App;
use crate::tui::component::Component;
use crate::tui::panes::Pane;
use crate::tui::panes::board::BoardPane;
use crate::tui::panes::debugger::DebuggerPane;
use crate::tui::panes::drawing::{self, DrawingPane};
use crate::tui::panes::inspector::InspectorPane;
use crate::tui::panes::log::LogPane;
use crate::tui::panes::tree::TreePane;
use crate::tui::pen::Pen;
use crate::tui::text::Line;
use layout::Layout;

/// What draws the tab and takes its keys; the panes know theirs.
#[derive(Debug)]
pub struct ExploreScreen;

/// The commands that are hinted at, most needed first.
const HINTS: [&str; 16] = [
    "pause",
    "open",
    "close",
    "algorithm",
    "best",
    "open-best",
    "find",
    "filter",
    "sort",
    "next-pane",
    "next-move",
    "theme",
    "palette",
    "help",
    "board-here",
    "quit",
];

fn layout(app: &App, area: Rect) -> Layout {
    Layout::of(area, app.focus, app.debug.shown)
}

/// The panes of a layout that keep something of their own up to date.
pub(super) fn update_panes(app: &mut App, layout: &Layout) {
    // The rows are made for a height.
    if let Some(rect) = layout.tree {
        TreePane.update(app, rect);
    }
    app.update_tree();
    let panes: [(&dyn Component, Option<Rect>); 2] =
        [(&DrawingPane, layout.tree), (&LogPane, layout.log)];
    for (pane, rect) in panes {
        if let Some(rect) = rect {
            pane.update(app, rect);
        }
    }
}

/// The panes of a layout.
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
    if let Some(rect) = layout.game {
        draw_strip(app, pen, rect);
    }
}

impl Component for ExploreScreen {
    fn title(&self) -> &'static str {
        "Explore"
    }

    fn update(&self, app: &mut App, area: Rect) {
        let layout = layout(app, area);
        update_panes(app, &layout);
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        draw_panes(app, pen, &layout(app, area));
    }

    fn legend(&self, pen: &Pen, _: usize) -> Vec<Line> {
        drawing::view::legend(pen)
    }

    fn hints(&self, app: &App) -> Vec<&'static str> {
        let first = match (app.debug.shown, app.focus) {
            // Who looks at a lesson's search here wants to go back to its text.
            _ if app.learn.is_open() => vec!["tab-learn"],
            (true, Pane::Log) => LogPane.hints(app),
            (true, _) => DebuggerPane.hints(app),
            _ => Vec::new(),
        };
        let others = HINTS.iter().filter(|id| !first.contains(id));
        first.iter().chain(others).copied().collect()
    }
}

impl TabScreen for ExploreScreen {
    fn shows_tree(&self, _: &App) -> bool {
        true
    }

    fn comes(&self, app: &mut App, _: Tab) {
        if app.session.is_some() {
            app.search_place();
        }
    }
}
