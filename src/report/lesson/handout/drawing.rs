//! A toy tree drawn whole, as in a textbook: values from Max's view, heavy lines to the best moves, dashed ones with a bar
//! across to what was cut off.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::Scene;
use crate::drawing::{Layout, Place, WholeTree};
use crate::html::escaped;
use crate::lens::Scores;
use crate::number;
use game::toy::ToyTree;
use game::{MoveCode, Scale, Seen, Side, Sided as _};
use search::Event;
use session::Reader;
use session::debug::{Visit, Why};
use studies::lesson::Fact;
use tree::{Bound, NodeId, NodeView, Tree};

/// A tree with more leaves is shown as rows, and so is one whose drawing has more columns of text.
const LEAVES: usize = 40;
const COLUMNS: i32 = 130;
/// The width of a column of text.
const COLUMN: f64 = 7.4;
const LEVEL: f64 = 74.0;
/// The height of the lines of a node.
const LINE: f64 = 16.0;
const TOP: f64 = 20.0;
const DASHED: &str = " stroke-dasharray=\"4 3\" stroke-opacity=\"0.7\"";
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

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// The search has been there, or is there.
    Searched,
    /// The search decided not to look at it; the fate's letter says why.
    Cut(char),
    /// The search has not come there, or never will because of a cut further up.
    Not,
}

/// What the search knows of a node, from Max's view.
struct Known {
    done: Done,
    /// The value, with the sign of a bound.
    value: Option<String>,
    /// The window with which it was entered, or the visits of a best-first search.
    window: Option<String>,
    /// The letter of a cutoff there.
    cutoff: Option<char>,
    best: bool,
    /// The search stands there.
    here: bool,
    selected: bool,
    marked: bool,
}

struct Drawing<'a> {
    scene: &'a Scene<'a>,
    tree: &'a ToyTree,
    reader: Reader<'a>,
    visits: Vec<Visit>,
    event: Option<Event>,
    known: HashMap<u32, Known>,
}

impl<'a> Drawing<'a> {
    fn new(scene: &'a Scene<'a>, tree: &'a ToyTree, root: u32) -> Drawing<'a> {
        let session = scene.session;
        let reader = session.reader();
        let standing = session.standing();
        let inside = standing.filter(|s| s.why != Why::Ended && !reader.is_best_first());
        let visits = inside.map_or_else(Vec::new, |stop| {
            let line = reader.tree.path(stop.event.node());
            session.with_log(|log| log.visits(&line, stop.number))
        });
        let mut drawing = Drawing {
            scene,
            tree,
            reader,
            visits,
            event: standing.map(|s| s.event),
            known: HashMap::new(),
        };
        let view = drawing.reader.view(Tree::ROOT);
        let known = drawing.known(Tree::ROOT, (NodeId::NONE, MoveCode::NONE), &view);
        drawing.known.insert(root, known);
        drawing.read(Tree::ROOT, root);
        drawing
    }

    /// Reads what is known below a node of the search and of the file.
    fn read(&mut self, at: NodeId, node: u32) {
        for row in self.reader.rows(at) {
            let children = &self.tree.nodes[node as usize].children;
            let Some(&child) = children.get(usize::from(row.move_code.0)) else {
                continue;
            };
            let id = row.id.node();
            let known = self.known(id.unwrap_or(NodeId::NONE), (at, row.move_code), &row.view);
            self.known.insert(child, known);
            if let Some(id) = id {
                self.read(id, child);
            }
        }
    }

    /// Reads a node from the view of the side that moves there; at the root, of the side to move.
    fn known(&self, id: NodeId, row: (NodeId, MoveCode), view: &NodeView) -> Known {
        let scores = self.scene.lens.of_moves(&self.reader, row.0);
        let seen = match scores.is_turned() {
            true => view.one_ply_up(),
            false => *view,
        };
        let visit = self.visits.iter().find(|v| v.node == id && !id.is_none());
        let fate = view.fate;
        let done = match visit {
            Some(_) => Done::Searched,
            None if fate.is_skip() => Done::Cut(fate.letter()),
            None if view.visits > 0 => Done::Searched,
            None => Done::Not,
        };
        let shown = done == Done::Searched;
        let belief = self.scene.shows.has(Fact::Beliefs) && self.reader.searcher.has_beliefs();
        let belief = belief.then(|| self.reader.belief(id)).flatten();
        let spread = belief.filter(|b| b.is_distribution()).map(|b| b.sd);
        let value = match visit {
            Some(visit) => visit.best.map(|(_, best)| {
                let own = Seen::new(self.reader.turn(id), best.mean);
                (own.seen_by(scores.side()), Bound::None)
            }),
            None => seen
                .expected
                .map(|mean| (mean, seen.window.map_or(Bound::None, |w| w.bound))),
        };
        let value = value.filter(|_| shown);
        Known {
            done,
            value: value.and_then(|(mean, bound)| self.value(mean, bound, spread)),
            window: self.window(visit, &seen, &scores).filter(|_| shown),
            cutoff: (shown && fate.is_cutoff()).then(|| fate.letter()),
            best: shown
                && !self.scene.asked
                && self.reader.tree.contains(row.0)
                && self.reader.best_move(row.0) == Some(row.1),
            here: self.is_here(id, row),
            selected: id == self.scene.selected,
            marked: self.scene.marked.contains(&row),
        }
    }

    /// Whether the event happened here: at the node, or at a pruned move of its parent.
    fn is_here(&self, id: NodeId, row: (NodeId, MoveCode)) -> bool {
        match self.event {
            Some(Event::Prune { parent, m, .. }) => (parent, m) == row,
            Some(event) => !id.is_none() && event.node() == id,
            None => false,
        }
    }

    fn value(&self, mean: f32, bound: Bound, spread: Option<f32>) -> Option<String> {
        let scale = self.reader.scale();
        let Scale::Linear { range, .. } = scale else {
            return None;
        };
        let sign = match bound {
            Bound::Lower => "≥",
            Bound::Upper => "≤",
            Bound::Exact => "=",
            Bound::None => "",
        };
        let value = number::bare(scale, mean * range, VALUE)?;
        let spread = spread.and_then(|sd| number::bare(scale, sd * range, VALUE));
        let spread = spread.map_or_else(String::new, |sd| format!(" ±{sd}"));
        Some(format!("{sign}{value}{spread}"))
    }

    fn window(&self, visit: Option<&Visit>, seen: &NodeView, scores: &Scores) -> Option<String> {
        if self.reader.is_best_first() {
            let shown = self.scene.shows.has(Fact::Work) && seen.visits > 0;
            return shown.then(|| format!("n={}", number::count(seen.visits.into())));
        }
        let entered = match visit {
            Some(visit) => {
                let entered = visit.entered?;
                let own = entered.alpha..=entered.beta;
                match self.reader.turn(visit.node) == scores.side() {
                    true => own.into_inner(),
                    false => own.one_ply_up().into_inner(),
                }
            }
            None => seen.window.map(|w| (w.alpha, w.beta))?,
        };
        let shown = self.scene.shows.has(Fact::Windows);
        shown
            .then(|| number::window(scores.scale, entered.0, entered.1, WINDOW))
            .flatten()
    }

    /// Returns the lines of a node, each with its class.
    fn lines(&self, place: &Place) -> Vec<(&'static str, String)> {
        let node = &self.tree.nodes[place.node as usize];
        let known = self.known.get(&place.node);
        let done = known.map_or(Done::Not, |k| k.done);
        let class = match done {
            Done::Searched => "",
            Done::Cut(_) | Done::Not => "dim",
        };
        let mark = if known.is_some_and(|k| k.here) {
            "▸"
        } else {
            ""
        };
        if node.children.is_empty() {
            let letter = match done {
                Done::Cut(letter) => format!(" {letter}"),
                _ => String::new(),
            };
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
        let first = self.tree.root_side == Side::White;
        let white = first == (self.depth(place.node).is_multiple_of(2));
        let player = if white { '△' } else { '▽' };
        let name = match place.parent {
            None => String::new(),
            Some(_) => format!(" {}", node.name),
        };
        let value = known.and_then(|k| k.value.as_ref());
        let value = value.map_or_else(String::new, |v| format!(" {v}"));
        let letter = match (done, known.and_then(|k| k.cutoff)) {
            (Done::Cut(letter), _) | (_, Some(letter)) => format!(" {letter}"),
            _ => String::new(),
        };
        let mut lines = vec![(class, format!("{mark}{player}{name}{value}{letter}"))];
        lines.extend(
            known
                .and_then(|k| k.window.clone())
                .map(|text| ("small", text)),
        );
        lines
    }

    /// Returns the plies from the file's root.
    fn depth(&self, node: u32) -> usize {
        let above = std::iter::successors(Some(node), |&n| self.tree.nodes[n as usize].parent);
        above.count() - 1
    }

    fn write(&self, layout: &Layout) -> String {
        let width = COLUMN * f64::from(layout.width + 2);
        let height = TOP + LEVEL * layout.levels.len().saturating_sub(1) as f64 + 2.5 * LINE;
        let mut out = format!(
            "<svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\" fill=\"currentColor\">\n\
             <g fill=\"none\" stroke=\"currentColor\">\n"
        );
        for place in &layout.places {
            if let Some(parent) = place.parent {
                self.edge(&layout.places[parent], place, &mut out);
            }
        }
        for place in &layout.places {
            self.frame(place, &mut out);
        }
        out.push_str("</g>\n");
        for place in &layout.places {
            self.node(place, &mut out);
        }
        out.push_str("</svg>\n");
        out
    }

    fn edge(&self, parent: &Place, child: &Place, out: &mut String) {
        let lines = self.lines(parent).len() as f64;
        let from = (x(parent), y(parent) + LINE * (lines - 1.0) + 5.0);
        let to = (x(child), y(child) - 14.0);
        let known = self.known.get(&child.node);
        let above = self.known.get(&parent.node).map(|k| k.done);
        // Where the style of the page does not reach the drawing, the attributes tell the lines apart.
        let (class, more) = match known.map_or(Done::Not, |k| k.done) {
            Done::Searched if known.is_some_and(|k| k.best) => ("best", " stroke-width=\"3\""),
            Done::Searched => ("searched", ""),
            Done::Cut(_) => ("dashed", DASHED),
            Done::Not if matches!(above, Some(Done::Cut(_))) => ("dashed", DASHED),
            Done::Not => ("waiting", " stroke-opacity=\"0.4\""),
        };
        let _ = writeln!(
            out,
            "<path class=\"{class}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"{more}/>",
            from.0, from.1, to.0, to.1
        );
        if let Some(Done::Cut(_)) = known.map(|k| k.done) {
            let (x, y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
            let (left, right) = (x - 6.0, x + 6.0);
            let _ = writeln!(
                out,
                "<path class=\"bar\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>"
            );
        }
    }

    /// Draws a frame around the node if it is selected or highlighted.
    fn frame(&self, place: &Place, out: &mut String) {
        let known = self.known.get(&place.node);
        let (selected, marked) = known.map_or((false, false), |k| (k.selected, k.marked));
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
        let height = LINE * lines.len() as f64 + 4.0;
        let (left, top) = (x(place) - width / 2.0, y(place) - 14.0);
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\" \
             stroke-width=\"{stroke}\"/>"
        );
    }

    fn node(&self, place: &Place, out: &mut String) {
        let lines = self.lines(place);
        for (i, (class, text)) in lines.iter().enumerate() {
            let class = match *class {
                "" => String::new(),
                class => format!(" class=\"{class}\""),
            };
            let _ = writeln!(
                out,
                "<text{class} x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x(place),
                y(place) + LINE * i as f64,
                escaped(text)
            );
        }
    }
}

fn x(place: &Place) -> f64 {
    COLUMN * (f64::from(place.middle) + 1.0)
}

fn y(place: &Place) -> f64 {
    TOP + LEVEL * f64::from(place.depth)
}
