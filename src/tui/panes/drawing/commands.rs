//! Commands in the drawing of a tree: when it is shown, and what the tree's keys do in it.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::{Drawing, DrawingTarget, Figures, view};
use crate::component::{Component, Event, Handled, Request};
use crate::context::{Context, Level};
use crate::panes::Pane;
use crate::panes::tree::{self, Filter, Row, RowKey};
use game::ToyPosition;
use report::drawing::Layout;
use screen::pen::Pen;

/// A movement or action in the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Moves in the order of the rows: a node, then what is below it.
    Rows(isize),
    /// Goes to a row by its index.
    Row(usize),
    /// Moves along the same level: by nodes, by half of the visible width, by siblings.
    Beside(isize),
    Halves(isize),
    Sibling(isize),
    Parent(usize),
    /// Goes to the best child, or to the first one if no child is best.
    Child(usize),
    /// Opens and goes in, or closes and goes out, as in the rows.
    Open(usize),
    Close(usize),
    Toggle,
    Centre,
}

/// The drawing pane: the tree drawn if that is wanted, otherwise its rows.
#[derive(Debug)]
pub struct DrawingPane;

impl Component for DrawingPane {
    fn update(&mut self, cx: &mut Context, area: Rect) {
        view::update(cx, area);
    }

    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        match cx.is_drawn() {
            true => view::draw(cx, pen, area),
            false => tree::TreePane.draw(cx, pen, area),
        }
    }

    fn handle(&mut self, cx: &mut Context, event: &Event) -> Handled {
        let handled = match event.of() {
            Event::Key(key, count) => match key.code {
                // The arrows go where they point; the letters move as in the rows.
                _ if key.ctrl || key.alt => false,
                KeyCode::Up => cx.walk_drawing(Way::Parent(count)),
                KeyCode::Down => cx.walk_drawing(Way::Child(count)),
                KeyCode::Left => cx.walk_drawing(Way::Beside(-(count as isize))),
                KeyCode::Right => cx.walk_drawing(Way::Beside(count as isize)),
                _ => false,
            },
            Event::Request(Request::CloseAll) => cx.close_drawing(),
            Event::Request(Request::Open(_) | Request::Toggle)
                if cx.search_again() || cx.open_left_out() =>
            {
                true
            }
            Event::Request(request) => way(request).is_some_and(|way| cx.walk_drawing(way)),
            Event::Click(Some(DrawingTarget::Frame), _) => {
                cx.explore.focus = Pane::Tree;
                true
            }
            Event::Click(Some(DrawingTarget::Node(place)), _) => {
                cx.click_place(place);
                true
            }
            Event::Wheel(_, by) if cx.is_drawn() => {
                cx.scroll_drawing(by, false);
                true
            }
            Event::WheelSideways(Some(_), by) if cx.is_drawn() => {
                cx.scroll_drawing(by, true);
                true
            }
            _ => false,
        };
        Handled::when(handled)
    }

    fn hints(&self, cx: &Context) -> Vec<&'static str> {
        tree::TreePane.hints(cx)
    }
}

/// Translates a request for the rows into a movement in the drawing.
fn way(request: Request) -> Option<Way> {
    Some(match request {
        Request::Rows(by) => Way::Rows(by),
        Request::Row(row) => Way::Row(row),
        Request::Pages(pages) => Way::Halves(pages.saturating_mul(2)),
        Request::HalfPages(halves) => Way::Halves(halves),
        Request::Sibling(by) => Way::Sibling(by),
        Request::Open(plies) => Way::Open(plies),
        Request::Close(plies) => Way::Close(plies),
        Request::Toggle => Way::Toggle,
        Request::Centre => Way::Centre,
        _ => return None,
    })
}

impl Context {
    /// Whether a drawing is shown instead of the rows.
    pub fn is_drawn(&self) -> bool {
        if !self.in_explore() || self.session.is_none() {
            return false;
        }
        match self.toy() {
            Some(at) => self.explore.drawing.is_wanted(&at),
            None => self.explore.drawing.are_lines_wanted(),
        }
    }

    pub(super) fn toy(&self) -> Option<ToyPosition> {
        let subject = self.session.as_ref()?.reader().subject;
        subject.position.as_toy().cloned()
    }

    /// Switches between the drawing and the rows.
    pub fn toggle_drawing(&mut self) {
        let drawn = self.is_drawn();
        match self.toy() {
            Some(_) => self.explore.drawing.want(!drawn),
            None => self.explore.drawing.want_lines(!drawn),
        }
        self.show_explore();
    }

    /// Moves in the drawing; returns false if there is none and the rows take the request.
    fn walk_drawing(&mut self, way: Way) -> bool {
        if !self.is_drawn() {
            return false;
        }
        let Some(source) = &self.session else {
            return false;
        };
        let reader = source.reader();
        let hides_best = self.hides_best();
        let key = self.explore.tree.key();
        let drawing = &self.explore.drawing;
        let (Some((layout, _)), Some(content), Some(at)) = (
            drawing.layout(),
            drawing.content(),
            drawing.place_of(reader.tree, key),
        ) else {
            return true;
        };
        let here = &layout.places[at];
        if drawing.is_stub(at) && matches!(way, Way::Open(_) | Way::Close(_) | Way::Toggle) {
            self.turn_stub(at, !matches!(way, Way::Close(_)));
            return true;
        }
        if let (Way::Close(_), Some(parent)) = (way, here.parent)
            && drawing.is_from_stub(at)
        {
            self.select_place(parent);
            self.explore.drawing.put_back(at);
            return true;
        }
        let to = match way {
            Way::Rows(by) => Some(by_rows(layout, at, by)),
            Way::Row(row) => {
                let order = rows(layout);
                order.get(row).or(order.last()).copied()
            }
            Way::Beside(by) => {
                let level = &layout.levels[usize::from(here.depth)];
                let next = at.saturating_add_signed(by);
                Some(next.clamp(level.start, level.end - 1))
            }
            Way::Halves(by) => {
                let columns = by.saturating_mul(self.explore.drawing.columns() as isize / 2);
                let columns =
                    i32::try_from(columns).unwrap_or(if by < 0 { -1 << 20 } else { 1 << 20 });
                layout.nearest(usize::from(here.depth), here.middle.saturating_add(columns))
            }
            Way::Sibling(by) => here.parent.map(|parent| {
                let siblings = &layout.places[parent].children;
                let next = at.saturating_add_signed(by);
                next.clamp(siblings.start, siblings.end - 1)
            }),
            Way::Parent(plies) | Way::Close(plies) if plies > 1 || !closes(layout, at, way) => (0
                ..plies)
                .try_fold(at, |at, _| layout.places[at].parent)
                .or(Some(0)),
            Way::Open(plies) if here.hidden == 0 && content.is_toy() => {
                let down = |at: usize| layout.places[at].children.clone().next();
                Some((0..plies).fold(at, |at, _| down(at).unwrap_or(at)))
            }
            Way::Child(plies) | Way::Open(plies)
                if way == Way::Child(plies) || here.hidden == 0 =>
            {
                let down = |at: usize| {
                    let best = drawing
                        .row_of(reader.tree, at)
                        .filter(|row| !row.node.is_none() && !hides_best)
                        .and_then(|row| reader.best_move(row.node));
                    let best = best.and_then(|m| content.child(&layout.places, at, m));
                    best.or(layout.places[at].children.clone().next())
                };
                Some((0..plies).fold(at, |at, _| down(at).unwrap_or(at)))
            }
            Way::Centre => {
                self.explore.drawing.show(at, true);
                return true;
            }
            _ => {
                let inner = here.hidden > 0 || !here.children.is_empty();
                let open = here.hidden > 0;
                if inner && here.parent.is_some() {
                    self.explore.drawing.set_closed(at, !open);
                }
                return true;
            }
        };
        if let Some(to) = to.filter(|&to| to != at) {
            self.select_place(to);
        }
        true
    }

    /// Selects a drawn node. There is nothing to select below a move that was not searched, so that move is selected
    /// instead.
    pub fn select_place(&mut self, place: usize) {
        let Some(source) = &self.session else {
            return;
        };
        let reader = source.reader();
        self.explore.drawing.select_stub(place);
        let drawing = &self.explore.drawing;
        let Some((layout, _)) = drawing.layout() else {
            return;
        };
        let mut at = place;
        let row = loop {
            match drawing.row_of(reader.tree, at) {
                Some(row) => break row,
                None => at = layout.places[at].parent.unwrap_or(0),
            }
        };
        let same = row.key() == self.explore.tree.key();
        self.explore.tree.reveal_row(reader, row.key());
        self.explore.inspector_top = 0;
        if same && at != place {
            self.say(Level::Info, "nothing was searched below this move");
        }
    }

    /// Opens a stub, or puts what was opened back into it; a stub that is whole leads to its node.
    fn turn_stub(&mut self, place: usize, open: bool) {
        let drawing = &mut self.explore.drawing;
        let Some((layout, _)) = drawing.layout() else {
            return;
        };
        let Some(parent) = layout.places[place].parent else {
            return;
        };
        let index = place - layout.places[parent].children.start;
        if open {
            drawing.open_stub(place);
        } else if !drawing.put_back(place) {
            self.select_place(parent);
            return;
        }
        // What takes the stub's place is selected.
        self.prepare_lines();
        let drawing = &self.explore.drawing;
        let key = self.explore.tree.key();
        let tree = self.session.as_ref().map(|source| source.reader().tree);
        let at = tree.and_then(|tree| drawing.node_place(tree, key));
        let children = drawing
            .layout()
            .zip(at)
            .map(|((layout, _), at)| layout.places[at].children.clone());
        if let Some(children) = children.filter(|children| !children.is_empty()) {
            self.select_place((children.start + index).min(children.end - 1));
        }
    }

    /// Handles a click, which selects a node; a second click opens or closes it.
    pub(crate) fn click_place(&mut self, place: usize) {
        self.explore.focus = Pane::Tree;
        let key = self.explore.tree.key();
        let at = self
            .session
            .as_ref()
            .and_then(|s| self.explore.drawing.place_of(s.reader().tree, key));
        if at == Some(place) {
            self.walk_drawing(Way::Toggle);
        } else {
            self.select_place(place);
        }
    }

    /// Scrolls the drawing with the wheel: vertically if it is higher than the pane, otherwise sideways.
    pub(crate) fn scroll_drawing(&mut self, by: isize, sideways: bool) {
        let by = by.clamp(-99, 99) as i32;
        if sideways || self.explore.drawing.reach().1 == 0 {
            self.explore.drawing.scroll(4 * by, 0);
        } else {
            self.explore.drawing.scroll(0, by);
        }
    }

    /// Closes all children of the root and selects the one that contains the selection.
    pub(crate) fn close_drawing(&mut self) -> bool {
        if !self.is_drawn() {
            return false;
        }
        let key = self.explore.tree.key();
        self.with_tree(|explorer, reader| {
            let mut line = reader.tree.path(key.parent);
            if !key.parent.is_none() && line.len() > 1 {
                line.truncate(2);
                let parent = line[0];
                let code = reader.tree.node(line[1]).move_code();
                explorer.reveal_row(reader, RowKey { parent, code });
            }
        });
        self.explore.drawing.close_all();
        true
    }

    /// Returns the rows of the drawn nodes that the search has recorded.
    pub(crate) fn drawn_rows(&self) -> Option<Vec<Row>> {
        let reader = self.session.as_ref().filter(|_| self.is_drawn())?.reader();
        let drawing = &self.explore.drawing;
        let (layout, _) = drawing.layout()?;
        let moves = (0..layout.places.len()).filter(|i| !drawing.is_stub(*i));
        let rows = moves.filter_map(|i| drawing.row_of(reader.tree, i));
        Some(rows.filter(|row| !row.node.is_none()).collect())
    }

    /// Whether the whole tree is drawn, so that a node can be found by its name alone.
    pub(crate) fn is_drawn_whole(&self) -> bool {
        self.is_drawn() && self.toy().is_some()
    }

    /// Brings the drawing of a game's tree up to date.
    pub(crate) fn prepare_lines(&mut self) {
        let live = self.is_live();
        let room = self.explore.drawing.room();
        let (Some(source), Some(room)) = (&self.session, room) else {
            return;
        };
        let reader = source.reader();
        let key = self.explore.tree.key();
        let figures = Figures::of(reader);
        let drawing = &mut self.explore.drawing;
        drawing.prepare_lines(reader, live, figures, room, key);
    }

    /// Finds a row by its move, a node of a drawing by its name, or a line in the whole tree: see
    /// [`find`](crate::panes::tree::Explorer::find).
    pub(crate) fn find(&mut self, query: &str, from: usize) -> Option<Result<(), String>> {
        let word = query.trim();
        // As in a breakpoint: a kind of node.
        if let Some(name) = word.strip_prefix("on ") {
            let kinds = Filter::findable();
            let Some(kind) = Filter::named(&kinds, word) else {
                return Some(Err(format!("no kind of node is called \"{name}\"")));
            };
            self.find_kind(kinds[kind].clone(), 1);
            return Some(Ok(()));
        }
        if !word.is_empty() && !word.contains(' ') && self.is_drawn_whole() {
            self.explore.tree.set_query(word);
            return self.find_drawn(word, 0);
        }
        self.with_tree(|e, r| e.find(r, query, from))
    }

    /// Goes to the next or previous match of the last query.
    pub(crate) fn find_next(&mut self, by: isize) -> Option<Result<(), String>> {
        if let Some(kind) = self.explore.tree.sought.clone() {
            self.find_kind(kind, by);
            return Some(Ok(()));
        }
        let word = self.explore.tree.query().to_owned();
        if !word.is_empty() && !word.contains(' ') && self.is_drawn_whole() {
            return self.find_drawn(&word, by);
        }
        self.with_tree(|e, r| e.find_again(r, by))
    }

    /// Finds the next drawn node, starting at the selected one, whose name begins with `word`. `None` if nothing is
    /// drawn.
    pub(crate) fn find_drawn(&mut self, word: &str, by: isize) -> Option<Result<(), String>> {
        let reader = self.session.as_ref().filter(|_| self.is_drawn())?.reader();
        let drawing = &self.explore.drawing;
        let (layout, _) = drawing.layout()?;
        let content = drawing.content()?;
        let here = drawing.place_of(reader.tree, self.explore.tree.key())?;
        let order = rows(layout);
        let from = order.iter().position(|&p| p == here)? as isize;
        let count = order.len() as isize;
        let fits = |place: &usize| {
            *place > 0
                && content.name(layout.places[*place].node).starts_with(word)
                && drawing.row_of(reader.tree, *place).is_some()
        };
        let first = isize::from(by != 0);
        let step = if by < 0 { -1 } else { 1 };
        let found = (first..count + first)
            .map(|i| order[(from + i * step).rem_euclid(count) as usize])
            .find(fits);
        Some(match found {
            Some(place) => {
                self.select_place(place);
                Ok(())
            }
            None => Err(format!("no node that was looked at is called \"{word}\"")),
        })
    }

    /// Opens what hides the selected node in the drawing, before a frame is drawn.
    pub(crate) fn uncover_selected(&mut self) {
        let Some(at) = self.toy().filter(|_| self.is_drawn()) else {
            return;
        };
        let key = self.explore.tree.key();
        let node = self
            .session
            .as_ref()
            .and_then(|s| Drawing::node_of(&at, s.reader().tree, key));
        if let Some(node) = node {
            self.explore.drawing.uncover(node);
        }
    }
}

/// Whether `h` closes the node instead of going to its parent.
fn closes(layout: &Layout, at: usize, way: Way) -> bool {
    let here = &layout.places[at];
    matches!(way, Way::Close(_)) && !here.children.is_empty() && here.parent.is_some()
}

/// Returns all places in the order of the rows: a node, then what is below it.
fn rows(layout: &Layout) -> Vec<usize> {
    let mut order = Vec::with_capacity(layout.places.len());
    let mut open = vec![0];
    while let Some(next) = open.pop() {
        order.push(next);
        open.extend(layout.places[next].children.clone().rev());
    }
    order
}

fn by_rows(layout: &Layout, at: usize, by: isize) -> usize {
    let order = rows(layout);
    let here = order.iter().position(|&p| p == at).unwrap_or(0);
    order[here.saturating_add_signed(by).min(order.len() - 1)]
}
