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
    /// Returns the component that draws the pane and handles its keys.
    pub fn component(self) -> &'static dyn Component {
        match self {
            Pane::Tree => &drawing::DrawingPane,
            Pane::Inspector => &inspector::InspectorPane,
            Pane::Board => &board::BoardPane,
            Pane::Log => &log::LogPane,
        }
    }
}

/// All panes. A mouse event goes to the first pane that handles its target; the tree handles what no other pane does.
pub static PANES: [&dyn Component; 6] = [
    &inspector::InspectorPane,
    &board::BoardPane,
    &debugger::DebuggerPane,
    &log::LogPane,
    &drawing::DrawingPane,
    &tree::TreePane,
];
