//! The drawing of a toy tree: whether it is shown, what is closed in it, and which part of it is visible. The selection
//! is the explorer's row, so that inspector, log and board follow it.

mod commands;
mod detail;
pub(in crate::tui) mod view;

pub use commands::DrawingPane;
pub use detail::{Detail, Figures, NAME, Windows, hidden as hidden_words, leaf as detail_leaf};

use std::collections::HashSet;

use crate::game::{Game, MoveCode, ToyPosition};
use crate::report::drawing::{Layout, Place};
use crate::tree::{NodeId, Tree};

use crate::tui::panes::tree::{Row, RowKey};

/// A tree with up to this many leaves is drawn by default.
const DRAWN: usize = 400;

/// The state of the drawing.
#[derive(Debug, Default)]
pub struct Drawing {
    /// The user's choice: drawn or as rows. `None` if the size of the tree decides.
    wanted: Option<bool>,
    /// The closed nodes, by their index in the file.
    closed: HashSet<u32>,
    plan: Option<Plan>,
    /// The first visible column and row.
    pub left: i32,
    pub top: i32,
    /// The place that was last scrolled into view; the user may scroll away from it until another place is selected.
    seen: Option<usize>,
}

/// A layout and what it was made for.
#[derive(Debug)]
struct Plan {
    at: ToyPosition,
    figures: Figures,
    room: (u16, u16),
    detail: Detail,
    layout: Layout,
}

impl Drawing {
    /// Whether the tree below a position is drawn.
    pub fn is_wanted(&self, at: &ToyPosition) -> bool {
        self.wanted.unwrap_or_else(|| {
            let leaves = at.tree().nodes.iter().filter(|n| n.children.is_empty());
            leaves.take(DRAWN + 1).count() <= DRAWN
        })
    }

    /// Chooses between the drawing and the rows, whatever the size of the tree.
    pub fn want(&mut self, drawn: bool) {
        self.wanted = Some(drawn);
        self.seen = None;
    }

    /// Adapts the layout to the tree and to the room (columns, rows), if they changed.
    pub fn prepare(&mut self, at: &ToyPosition, figures: Figures, room: (u16, u16)) {
        match &self.plan {
            Some(old) if std::ptr::eq(old.at.tree(), at.tree()) => {
                let fits = old.at.index() == at.index() && old.figures == figures;
                if fits && old.room == room {
                    return;
                }
            }
            Some(old) => {
                // The file was edited or replaced: nodes that are still there stay closed.
                let name = |at: &ToyPosition, i: u32| {
                    let node = at.tree().nodes.get(i as usize);
                    node.map(|n| n.name.clone())
                };
                self.closed.retain(|&i| name(&old.at, i) == name(at, i));
            }
            None => self.closed = far_nodes(at),
        }
        self.make(at.clone(), figures, room);
    }

    fn make(&mut self, at: ToyPosition, figures: Figures, room: (u16, u16)) {
        let (detail, layout) = detail::choose(&at, &self.closed, figures, room);
        self.plan = Some(Plan {
            at,
            figures,
            room,
            detail,
            layout,
        });
        self.seen = None;
    }

    /// Updates the layout after something was closed or opened.
    fn make_again(&mut self) {
        if let Some(plan) = self.plan.take() {
            self.make(plan.at, plan.figures, plan.room);
        }
    }

    /// Returns the layout and the detail it has room for, once [`Drawing::prepare`] was called.
    pub fn layout(&self) -> Option<(&Layout, Detail)> {
        self.plan.as_ref().map(|p| (&p.layout, p.detail))
    }

    pub fn is_closed(&self, node: u32) -> bool {
        self.closed.contains(&node)
    }

    /// Closes or opens a node.
    pub fn set_closed(&mut self, node: u32, closed: bool) {
        let changed = match closed {
            true => self.closed.insert(node),
            false => self.closed.remove(&node),
        };
        if changed {
            self.make_again();
        }
    }

    /// Closes all children of the root; what was closed below them stays closed.
    pub fn close_all(&mut self) {
        let Some(plan) = &self.plan else { return };
        self.closed.extend(plan.at.node().children.iter());
        self.make_again();
    }

    /// Opens all nodes that hide a node of the file.
    pub fn uncover(&mut self, node: u32) {
        let Some(plan) = &self.plan else { return };
        let tree = plan.at.tree();
        // The plan may still belong to another tree.
        let parent = |n: &u32| tree.nodes.get(*n as usize)?.parent;
        let above: Vec<u32> = std::iter::successors(parent(&node), parent).collect();
        let before = self.closed.len();
        self.closed.retain(|n| !above.contains(n));
        if self.closed.len() != before {
            self.make_again();
        }
    }

    /// Scrolls without changing the selection.
    pub fn scroll(&mut self, columns: i32, rows: i32) {
        self.left += columns;
        self.top += rows;
        self.clamp();
    }

    /// Returns the number of visible columns.
    pub fn columns(&self) -> u16 {
        self.plan.as_ref().map_or(0, |p| p.room.0)
    }

    /// Returns how far it can be scrolled, in columns and rows; never negative.
    pub fn reach(&self) -> (i32, i32) {
        let Some(plan) = &self.plan else {
            return (0, 0);
        };
        let height = plan.detail.height(&plan.layout);
        let (columns, rows) = (i32::from(plan.room.0), i32::from(plan.room.1));
        ((plan.layout.width - columns).max(0), (height - rows).max(0))
    }

    fn clamp(&mut self) {
        let (columns, rows) = self.reach();
        self.left = self.left.clamp(0, columns);
        self.top = self.top.clamp(0, rows);
    }

    /// Scrolls a place into view, unless it was the last one scrolled into view.
    pub fn bring_into_view(&mut self, place: usize) {
        if self.seen != Some(place) {
            self.seen = Some(place);
            self.show(place, false);
        }
        self.clamp();
    }

    /// Scrolls a place into view, or to the middle.
    pub fn show(&mut self, place: usize, middle: bool) {
        let Some(plan) = &self.plan else { return };
        let at = &plan.layout.places[place];
        let (columns, rows) = (i32::from(plan.room.0), i32::from(plan.room.1));
        let row = plan.detail.top(at.depth);
        let end = row + i32::from(plan.detail.level);
        if middle {
            self.left = at.middle - columns / 2;
            self.top = (row + end - rows) / 2;
        } else {
            // Some of its neighbours are shown as well, if there is room.
            let margin = ((columns - i32::from(at.width)) / 3).clamp(0, 12);
            let most = at.left() - margin;
            self.left = self
                .left
                .min(most)
                .max((at.right() + margin - columns).min(most));
            self.top = self.top.min(row).max((end - rows).min(row));
        }
        self.clamp();
    }

    /// Returns the place of a row of the explorer; `None` if it is not drawn.
    pub fn place_of(&self, tree: &Tree, key: RowKey) -> Option<usize> {
        let (layout, _) = self.layout()?;
        if key == RowKey::ROOT {
            return Some(0);
        }
        let mut codes = tree.moves_to(key.parent);
        codes.push(key.code);
        codes
            .iter()
            .try_fold(0, |at, code| child(layout, at, *code))
    }

    /// Returns the file's node of a row of the explorer.
    pub fn node_of(at: &ToyPosition, tree: &Tree, key: RowKey) -> Option<u32> {
        let mut here = at.clone();
        if key != RowKey::ROOT {
            let mut codes = tree.moves_to(key.parent);
            codes.push(key.code);
            for code in codes {
                here.play(here.decode(code)?);
            }
        }
        Some(here.index())
    }
}

/// Returns the nodes to close at first in a tree that is too large to draw as a whole, so that its upper levels stay
/// visible.
fn far_nodes(at: &ToyPosition) -> HashSet<u32> {
    const ALL: usize = 5_000;
    const FIRST: usize = 1_000;
    let nodes = &at.tree().nodes;
    let mut near = std::collections::VecDeque::from([at.index()]);
    let mut count = 1;
    while nodes.len() > ALL && count < FIRST {
        let Some(next) = near.pop_front() else { break };
        let children = &nodes[next as usize].children;
        count += children.len();
        near.extend(children);
    }
    let closed = near.into_iter().filter(|_| nodes.len() > ALL);
    closed
        .filter(|&n| !nodes[n as usize].children.is_empty())
        .collect()
}

fn child(layout: &Layout, at: usize, code: MoveCode) -> Option<usize> {
    layout.places[at].children.clone().nth(usize::from(code.0))
}

/// Returns the row of a place in the explorer. `None` if the search has no row for it, since it is below a move without
/// a node.
pub fn row_of(layout: &Layout, tree: &Tree, place: usize) -> Option<Row> {
    let code = |p: &Place| MoveCode(p.index);
    let here = &layout.places[place];
    let Some(parent) = here.parent else {
        return Some(Row {
            parent: NodeId::NONE,
            node: Tree::ROOT,
            code: MoveCode::NONE,
            depth: 0,
            last: true,
        });
    };
    let mut codes = vec![];
    let mut above = &layout.places[parent];
    while let Some(next) = above.parent {
        codes.push(code(above));
        above = &layout.places[next];
    }
    let parent = codes
        .iter()
        .rev()
        .try_fold(Tree::ROOT, |node, &m| tree.child_by_move(node, m))?;
    Some(Row {
        parent,
        node: tree
            .child_by_move(parent, code(here))
            .unwrap_or(NodeId::NONE),
        code: code(here),
        depth: here.depth,
        last: false,
    })
}
