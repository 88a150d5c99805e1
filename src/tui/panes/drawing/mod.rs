//! The drawing of a tree: whether it is shown, what is closed in it, and which part of it is visible. A toy tree is drawn
//! whole, of a game's tree the best lines. The selection is the explorer's row, so that inspector, log and board follow it;
//! only a stub is selected here, and then the explorer has the node that the stub belongs to.

mod choice;
mod commands;
mod content;
mod detail;
pub(crate) mod view;

pub use commands::DrawingPane;
pub use content::Content;
pub use detail::{
    Detail, Figures, NAME, REASON, Windows, hidden as hidden_words, leaf as detail_leaf, stub_words,
};

use std::collections::HashSet;

use choice::Choice;

use game::{Game, MoveCode, ToyPosition};
use report::drawing::{Branch, Layout, Part, Place};
use tree::{NodeId, Tree};

use crate::panes::tree::{Row, RowKey};

/// A toy tree with up to this many leaves is drawn by default.
const DRAWN: usize = 400;

/// What can be clicked in the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingTarget {
    Frame,
    /// A node, by its index among the drawn.
    Node(usize),
}

/// The state of the drawing.
#[derive(Debug, Default)]
pub struct Drawing {
    /// The user's choice for toy trees: drawn or as rows. `None` if the size of the tree decides.
    wanted: Option<bool>,
    /// The user's choice for games.
    lines_wanted: bool,
    /// The closed nodes of a toy tree, by their index in the file.
    closed: HashSet<u32>,
    /// What is drawn of a game.
    choice: Choice,
    /// The selected stub: the moves to the node it belongs to, and what it stands for.
    stub: Option<(Vec<MoveCode>, Part)>,
    plan: Option<Plan>,
    /// The first visible column and row.
    pub left: i32,
    pub top: i32,
    /// The node that was last scrolled into view; the user may scroll away from it until another one is selected.
    seen: Option<Vec<MoveCode>>,
}

/// A layout and what it was made for.
#[derive(Debug)]
struct Plan {
    content: Content,
    figures: Figures,
    room: (u16, u16),
    detail: Detail,
    layout: Layout,
}

impl Drawing {
    /// Whether the toy tree below a position is drawn.
    pub fn is_wanted(&self, at: &ToyPosition) -> bool {
        self.wanted.unwrap_or_else(|| {
            let leaves = at.tree().nodes.iter().filter(|n| n.children.is_empty());
            leaves.take(DRAWN + 1).count() <= DRAWN
        })
    }

    /// Whether a game's tree is drawn.
    pub fn are_lines_wanted(&self) -> bool {
        self.lines_wanted
    }

    /// Chooses between the drawing and the rows, whatever the size of the tree.
    pub fn want(&mut self, drawn: bool) {
        self.wanted = Some(drawn);
        self.seen = None;
    }

    /// Chooses between the drawing and the rows for games.
    pub fn want_lines(&mut self, drawn: bool) {
        self.lines_wanted = drawn;
        self.choice.touch();
        self.seen = None;
    }

    /// Adapts the layout of a toy tree to the tree and to the room (columns, rows), if they changed.
    pub fn prepare(&mut self, at: &ToyPosition, figures: Figures, room: (u16, u16)) {
        match &self.plan {
            Some(
                old @ Plan {
                    content: Content::Toy(before),
                    ..
                },
            ) => {
                if std::ptr::eq(before.tree(), at.tree()) {
                    let fits = before.index() == at.index() && old.figures == figures;
                    if fits && old.room == room {
                        return;
                    }
                } else {
                    // The file was edited or replaced: nodes that are still there stay closed.
                    let name = |at: &ToyPosition, i: u32| {
                        let node = at.tree().nodes.get(i as usize);
                        node.map(|n| n.name.clone())
                    };
                    self.closed.retain(|&i| name(before, i) == name(at, i));
                }
            }
            _ => self.closed = far_nodes(at),
        }
        self.stub = None;
        self.make(at.clone(), figures, room);
    }

    fn make(&mut self, at: ToyPosition, figures: Figures, room: (u16, u16)) {
        let (detail, layout) = detail::choose(&at, &self.closed, figures, room);
        self.plan = Some(Plan {
            content: Content::Toy(at),
            figures,
            room,
            detail,
            layout,
        });
        self.seen = None;
    }

    /// Updates the layout of a toy tree after something was closed or opened.
    fn make_again(&mut self) {
        match self.plan.take() {
            Some(Plan {
                content: Content::Toy(at),
                figures,
                room,
                ..
            }) => self.make(at, figures, room),
            other => self.plan = other,
        }
    }

    /// Returns the layout and the detail it has room for, once it was prepared.
    pub fn layout(&self) -> Option<(&Layout, Detail)> {
        self.plan.as_ref().map(|p| (&p.layout, p.detail))
    }

    /// Returns what is drawn.
    pub fn content(&self) -> Option<&Content> {
        self.plan.as_ref().map(|p| &p.content)
    }

    /// Closes or opens the node of a place.
    fn set_closed(&mut self, place: usize, closed: bool) {
        let Some(plan) = &self.plan else { return };
        let node = plan.layout.places[place].node;
        match &plan.content {
            Content::Toy(_) => {
                let changed = match closed {
                    true => self.closed.insert(node),
                    false => self.closed.remove(&node),
                };
                if changed {
                    self.make_again();
                }
            }
            Content::Lines(lines) => {
                let path = lines.sketch.path(node);
                self.choice.set_open(&path, !closed);
            }
        }
    }

    /// Closes all children of the root, and in a game whatever was opened; what was closed below them stays closed.
    pub fn close_all(&mut self) {
        match self.plan.as_ref().map(|plan| &plan.content) {
            Some(Content::Toy(at)) => {
                self.closed.extend(at.node().children.iter());
                self.make_again();
            }
            Some(Content::Lines(_)) => {
                self.stub = None;
                self.choice.close_all();
            }
            None => {}
        }
    }

    /// Opens all nodes that hide a node of a toy tree's file.
    pub fn uncover(&mut self, node: u32) {
        let Some(Content::Toy(at)) = self.content() else {
            return;
        };
        let tree = at.tree();
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

    /// Returns the room (columns, rows) that the drawing was made for.
    pub fn room(&self) -> Option<(u16, u16)> {
        self.plan.as_ref().map(|plan| plan.room)
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
        let mut line = self.codes_to(place);
        if self.is_stub(place) {
            line.push(MoveCode::NONE);
        }
        if self.seen.as_ref() != Some(&line) {
            self.seen = Some(line);
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

    /// Returns the selected place: that of a row of the explorer, or of a stub there. `None` if it is not drawn.
    pub fn place_of(&self, tree: &Tree, key: RowKey) -> Option<usize> {
        let place = self.node_place(tree, key)?;
        let plan = self.plan.as_ref()?;
        let places = &plan.layout.places;
        let codes = codes(tree, key);
        let Some((_, part)) = self.stub.as_ref().filter(|(path, _)| *path == codes) else {
            return Some(place);
        };
        let mut children = places[place].children.clone();
        let stub = children.find(|child| {
            let stub = plan.content.stub(places[*child].node);
            stub.is_some_and(|stub| stub.part == *part)
        });
        stub.or(Some(place))
    }

    /// Returns the moves from the root to a place; for a stub, to the node it belongs to.
    fn codes_to(&self, place: usize) -> Vec<MoveCode> {
        let Some(plan) = &self.plan else {
            return Vec::new();
        };
        let places = &plan.layout.places;
        let above = std::iter::successors(Some(place), |at| places[*at].parent);
        let mut codes: Vec<MoveCode> = above
            .filter_map(|at| plan.content.code(places, at))
            .collect();
        codes.reverse();
        codes
    }

    /// Whether a stub is drawn at a place.
    pub fn is_stub(&self, place: usize) -> bool {
        self.plan.as_ref().is_some_and(|plan| {
            let node = plan.layout.places[place].node;
            plan.content.stub(node).is_some()
        })
    }

    /// Returns the place of a row of the explorer, whether or not a stub of it is selected.
    fn node_place(&self, tree: &Tree, key: RowKey) -> Option<usize> {
        let plan = self.plan.as_ref()?;
        let places = &plan.layout.places;
        codes(tree, key)
            .iter()
            .try_fold(0, |at, code| plan.content.child(places, at, *code))
    }

    /// Opens the stub at a place.
    fn open_stub(&mut self, place: usize) {
        let path = self.codes_to(place);
        let Some(plan) = &self.plan else { return };
        if let Some(stub) = plan.content.stub(plan.layout.places[place].node) {
            self.choice.open_part(&path, stub);
        }
    }

    /// The place with what is drawn there, where lines of a game are drawn.
    fn branch_at(&self, place: usize) -> Option<(&Place, &Branch)> {
        let plan = self.plan.as_ref()?;
        let Content::Lines(lines) = &plan.content else {
            return None;
        };
        let here = &plan.layout.places[place];
        Some((here, &lines.sketch.branches[here.node as usize]))
    }

    /// Whether a place is a move that came from an opened stub, with nothing drawn below it.
    fn is_from_stub(&self, place: usize) -> bool {
        let Some((here, branch)) = self.branch_at(place) else {
            return false;
        };
        branch.part.is_some() && here.children.is_empty()
    }

    /// Puts the moves of an opened stub back into it, if the place is one of them or the stub with the others. Returns
    /// false if nothing was opened there.
    fn put_back(&mut self, place: usize) -> bool {
        let path = self.codes_to(place);
        let Some((here, branch)) = self.branch_at(place) else {
            return false;
        };
        match (&branch.stub, branch.part) {
            (Some(stub), _) => self.choice.close_part(&path, stub.part),
            (None, Some(part)) if here.children.is_empty() => {
                let before = &path[..path.len().saturating_sub(1)];
                self.choice.close_part(before, part)
            }
            _ => false,
        }
    }

    /// Selects the stub at a place, or none if there is no stub.
    fn select_stub(&mut self, place: usize) {
        let plan = self.plan.as_ref();
        let stub = plan.and_then(|plan| plan.content.stub(plan.layout.places[place].node));
        let part = stub.map(|stub| stub.part);
        self.stub = part.map(|part| (self.codes_to(place), part));
    }

    /// Returns the row of a place in the explorer, for a stub that of the node it belongs to. `None` if the search has no
    /// row for it, since it is below a move without a node.
    pub fn row_of(&self, tree: &Tree, place: usize) -> Option<Row> {
        let codes = self.codes_to(place);
        let Some((code, before)) = codes.split_last() else {
            return Some(Row {
                parent: NodeId::NONE,
                node: Tree::ROOT,
                code: MoveCode::NONE,
                depth: 0,
                last: true,
            });
        };
        let parent = before
            .iter()
            .try_fold(Tree::ROOT, |node, &m| tree.child_by_move(node, m))?;
        Some(Row {
            parent,
            node: tree.child_by_move(parent, *code).unwrap_or(NodeId::NONE),
            code: *code,
            depth: codes.len() as u16,
            last: false,
        })
    }

    /// Returns the file's node of a row of the explorer.
    pub fn node_of(at: &ToyPosition, tree: &Tree, key: RowKey) -> Option<u32> {
        let mut here = at.clone();
        for code in codes(tree, key) {
            here.play(here.decode(code)?);
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

/// Returns the moves from the root to a row of the explorer.
fn codes(tree: &Tree, key: RowKey) -> Vec<MoveCode> {
    if key == RowKey::ROOT {
        return Vec::new();
    }
    let mut codes = tree.moves_to(key.parent);
    codes.push(key.code);
    codes
}
