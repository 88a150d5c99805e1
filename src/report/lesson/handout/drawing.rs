//! A toy tree drawn whole, as in a textbook: values from Max's view, heavy lines to the best moves, dashed ones with a bar
//! across to what was cut off.

use std::collections::{HashMap, HashSet};

use super::Scene;
use crate::drawing::{Done, Known, Layout, Place, WholeTree};
use crate::number;
use chart::svg::{self, Element, Path};
use game::toy::ToyTree;
use game::{Game, MoveCode, Side, Sided as _};
use search::Event;
use session::Reader;
use session::debug::{Visit, Why};
use studies::lesson::Fact;
use tree::{NodeId, NodeView, Tree};

/// A tree with more leaves is shown as rows, and so is one whose drawing has more columns of text.
const LEAVES: usize = 40;
const COLUMNS: i32 = 130;
/// The width of a column of text.
const COLUMN: f64 = 7.4;
const LEVEL: f64 = 74.0;
/// The height of the lines of a node.
const LINE: f64 = 16.0;
const TOP: f64 = 20.0;
/// The columns that a value and a window may take up.
const VALUE: usize = 8;
const WINDOW: usize = 16;

/// Returns the drawing, or `None` if a small toy tree is not what is searched.
pub(super) fn svg(scene: &Scene) -> Option<String> {
    let position = scene.session.subject().position.as_toy()?;
    let tree = position.tree();
    let leaves = tree.nodes.iter().filter(|n| n.children.is_empty()).count();
    if leaves > LEAVES {
        return None;
    }
    let drawing = Drawing::new(scene, tree, position.index());
    let whole = WholeTree {
        tree,
        closed: &HashSet::new(),
    };
    let layout = Layout::new(&whole, position.index(), 2, |place| {
        let lines = drawing.lines(place);
        let widest = lines.iter().map(|line| line.1.chars().count()).max();
        widest.unwrap_or(1) as u16
    });
    (layout.width <= COLUMNS).then(|| drawing.write(&layout))
}

/// What is drawn of a node that the search has a row for.
struct Drawn {
    known: Known,
    best: bool,
    /// The search stands there.
    here: bool,
    selected: bool,
    marked: bool,
}

struct Drawing<'a> {
    scene: &'a Scene<'a>,
    tree: &'a ToyTree,
    /// The side to move at the root.
    root: Side,
    reader: Reader<'a>,
    visits: Vec<Visit>,
    event: Option<Event>,
    drawn: HashMap<u32, Drawn>,
}

impl<'a> Drawing<'a> {
    fn new(scene: &'a Scene<'a>, tree: &'a ToyTree, root: u32) -> Drawing<'a> {
        let session = scene.session;
        let reader = session.reader();
        let standing = session.standing();
        let inside = standing.as_ref();
        let inside = inside.filter(|s| s.why != Why::Ended && !reader.is_best_first());
        let visits = inside.map_or_else(Vec::new, |stop| {
            let line = reader.tree.path(stop.event.node());
            session.with_log(|log| log.visits(&line, stop.number))
        });
        let mut drawing = Drawing {
            scene,
            tree,
            root: session.subject().position.turn(),
            reader,
            visits,
            event: standing.map(|s| s.event),
            drawn: HashMap::new(),
        };
        let view = drawing.reader.view(Tree::ROOT);
        let row = (NodeId::NONE, MoveCode::NONE);
        drawing.read((root, drawing.root), Tree::ROOT, row, &view);
        drawing
    }

    /// Reads what is known of a node of the search and of the file, and of those below it. The view is that of the side that
    /// moves there; at the root, of the side to move.
    fn read(
        &mut self,
        (node, turn): (u32, Side),
        id: NodeId,
        row: (NodeId, MoveCode),
        view: &NodeView,
    ) {
        let shown = self.scene.shows.has(Fact::Beliefs);
        let belief = (shown && !id.is_none()).then(|| self.reader.belief(id));
        // A belief is that of the side to move at its node.
        let belief = belief.flatten().map(|b| match row.0.is_none() {
            true => b,
            false => b.turned(),
        });
        let visit = self.visits.iter().find(|v| v.node == id && !id.is_none());
        let lens = self.scene.lens;
        let seen = Some((view, belief.as_ref()));
        let known = Known::of(&self.reader, lens, (row.0, turn), seen, visit.copied());
        let best = known.done.is_searched()
            && !self.scene.asked
            && self.reader.tree.contains(row.0)
            && self.reader.best_move(row.0) == Some(row.1);
        let drawn = Drawn {
            known,
            best,
            here: self.is_here(id, row),
            selected: id == self.scene.selected,
            marked: self.scene.marked.contains(&row),
        };
        self.drawn.insert(node, drawn);
        if id.is_none() {
            return;
        }
        for row in self.reader.rows(id) {
            let children = &self.tree.nodes[node as usize].children;
            if let Some(&child) = children.get(usize::from(row.move_code.0)) {
                let below = row.id.node().unwrap_or(NodeId::NONE);
                let child = (child, turn.other());
                self.read(child, below, (id, row.move_code), &row.view);
            }
        }
    }

    /// Whether the event happened here: at the node, or at a pruned move of its parent.
    fn is_here(&self, id: NodeId, row: (NodeId, MoveCode)) -> bool {
        match &self.event {
            Some(Event::Prune { parent, m, .. }) => (*parent, *m) == row,
            Some(event) => !id.is_none() && event.node() == id,
            None => false,
        }
    }

    /// Returns what the search did at a node of the file.
    fn done(&self, node: u32) -> Done {
        match (self.drawn.get(&node), self.tree.nodes[node as usize].parent) {
            (Some(drawn), _) => drawn.known.done,
            (None, Some(parent)) => self.done(parent).below(),
            (None, None) => Done::Waiting,
        }
    }

    /// Returns the lines of a node, each with its class.
    fn lines(&self, place: &Place) -> Vec<(&'static str, String)> {
        let node = &self.tree.nodes[place.node as usize];
        let drawn = self.drawn.get(&place.node);
        let known = drawn.map(|d| &d.known);
        let class = match self.done(place.node).is_searched() {
            true => "",
            false => "dim",
        };
        let mark = if drawn.is_some_and(|d| d.here) {
            "▸"
        } else {
            ""
        };
        let letter = match self.done(place.node) {
            Done::Cut(fate) => Some(fate),
            _ if node.children.is_empty() => None,
            _ => known.and_then(Known::cutoff),
        };
        let letter = letter.map_or_else(String::new, |fate| format!(" {}", fate.letter()));
        if node.children.is_empty() {
            let scale = self.reader.scale();
            let bare = |x: f32| number::bare(scale, x, VALUE);
            let value = node.value.and_then(bare).unwrap_or_default();
            let spread = Some(node.spread).filter(|s| *s > 0.0).and_then(bare);
            let spread = spread.map_or_else(String::new, |s| format!(" ±{s}"));
            return vec![
                (class, format!("{mark}{}{letter}", node.name)),
                (class, format!("{value}{spread}")),
            ];
        }
        let first = self.root == Side::White;
        let player = match first == place.depth.is_multiple_of(2) {
            true => '△',
            false => '▽',
        };
        let name = match place.parent {
            None => String::new(),
            Some(_) => format!(" {}", node.name),
        };
        let value = known.and_then(|k| k.value(VALUE, VALUE));
        let value = value.map_or_else(String::new, |v| format!(" {v}"));
        let shows = |fact| known.filter(|k| k.done.is_searched() && self.scene.shows.has(fact));
        let visits = shows(Fact::Work).and_then(Known::visits);
        let visits = visits.map(|n| format!("n={}", number::count(n)));
        let window = shows(Fact::Windows).and_then(|k| k.window(WINDOW));
        let first = (class, format!("{mark}{player}{name}{value}{letter}"));
        let second = window.or(visits).map(|text| ("small", text));
        [first].into_iter().chain(second).collect()
    }

    fn write(&self, layout: &Layout) -> String {
        let width = COLUMN * f64::from(layout.width + 2);
        let height = TOP + LEVEL * layout.levels.len().saturating_sub(1) as f64 + 2.5 * LINE;
        let mut out = svg::inline((width.round(), height.round()))
            .with("role", "img")
            .with("font-family", "sans-serif")
            .with("font-size", 13)
            .with("text-anchor", "middle")
            .with("fill", "currentColor");
        let mut strokes = Element::new("g")
            .with("fill", "none")
            .with("stroke", "currentColor");
        for place in &layout.places {
            if let Some(parent) = place.parent {
                self.edge(&layout.places[parent], place, &mut strokes);
            }
        }
        for place in &layout.places {
            self.frame(place, &mut strokes);
        }
        out.add(strokes);
        for place in &layout.places {
            for (i, (class, words)) in self.lines(place).iter().enumerate() {
                let at = (x(place), y(place) + LINE * i as f64);
                out.add(svg::text(at, words).with("class", class));
            }
        }
        format!("{out}\n")
    }

    fn edge(&self, parent: &Place, child: &Place, out: &mut Element) {
        let lines = self.lines(parent).len() as f64;
        let from = (x(parent), y(parent) + LINE * (lines - 1.0) + 5.0);
        let to = (x(child), y(child) - 14.0);
        let done = self.done(child.node);
        let best = self.drawn.get(&child.node).is_some_and(|d| d.best);
        let mut path = Path::default();
        path.go('M', &[from.0, from.1]).go('L', &[to.0, to.1]);
        let edge = |class: &str| path.element().with("class", class);
        let dashed = || {
            let edge = edge("dashed").with("stroke-dasharray", "4 3");
            edge.with("stroke-opacity", 0.7)
        };
        // Where the style of the page does not reach the drawing, the attributes tell the lines apart.
        out.add(match done {
            Done::Searched | Done::Inside if best => edge("best").with("stroke-width", 3),
            Done::Searched | Done::Inside => edge("searched"),
            Done::Cut(_) | Done::BelowCut => dashed(),
            Done::Waiting => edge("waiting").with("stroke-opacity", 0.4),
        });
        if let Done::Cut(_) = done {
            let (x, y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
            let mut bar = Path::default();
            bar.go('M', &[x - 6.0, y]).go('H', &[x + 6.0]);
            out.add(bar.element().with("class", "bar"));
        }
    }

    /// Draws a frame around the node if it is selected or highlighted.
    fn frame(&self, place: &Place, out: &mut Element) {
        let drawn = self.drawn.get(&place.node);
        let (selected, marked) = drawn.map_or((false, false), |d| (d.selected, d.marked));
        if !selected && !marked {
            return;
        }
        let (class, stroke) = if marked {
            ("marked", 2)
        } else {
            ("selected", 1)
        };
        let lines = self.lines(place);
        let widest = lines.iter().map(|l| l.1.chars().count()).max();
        let width = COLUMN * (widest.unwrap_or(1) as f64 + 1.0);
        let size = (width, LINE * lines.len() as f64 + 4.0);
        let frame = svg::rect((x(place) - width / 2.0, y(place) - 14.0), size);
        let frame = frame.with("class", class).with("rx", 3);
        out.add(frame.with("stroke-width", stroke));
    }
}

fn x(place: &Place) -> f64 {
    COLUMN * (f64::from(place.middle) + 1.0)
}

fn y(place: &Place) -> f64 {
    TOP + LEVEL * f64::from(place.depth)
}
