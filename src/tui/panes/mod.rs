//! The panes that several tabs show: each folder has a pane's state, its commands and its view.

pub mod board;
pub mod debugger;
pub mod drawing;
pub mod inspector;
pub mod log;
pub mod root_lines;
pub mod tree;

use super::component::Component;

/// A pane that can have the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    Tree,
    Inspector,
    Board,
    /// The event log.
    Log,
}

impl Pane {
    pub fn title(self) -> &'static str {
        match self {
            Pane::Tree => "tree",
            Pane::Inspector => "inspector",
            Pane::Board => "board",
            Pane::Log => "events",
        }
    }

    /// Returns the component that draws the pane and handles its keys.
    pub fn component(self) -> Box<dyn Component> {
        match self {
            Pane::Tree => Box::new(drawing::DrawingPane),
            Pane::Inspector => Box::new(inspector::InspectorPane),
            Pane::Board => Box::new(board::BoardPane),
            Pane::Log => Box::new(log::LogPane),
        }
    }
}

/// Returns all panes; their state is that of the live search. A mouse event goes to the first pane that handles its target;
/// the tree handles what no other pane does.
pub fn panes() -> [Box<dyn Component>; 6] {
    [
        Box::new(inspector::InspectorPane),
        Box::new(board::BoardPane),
        Box::new(debugger::DebuggerPane),
        Box::new(log::LogPane),
        Box::new(drawing::DrawingPane),
        Box::new(tree::TreePane),
    ]
}
