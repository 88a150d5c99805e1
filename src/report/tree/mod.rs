//! A search tree in writing: as JSON or indented text, for Graphviz, as a drawing, a page or a game. The most searched parts
//! come first, as far as a limit allows.

mod board;
mod command;
mod decided;
mod dot;
mod export;
mod game;
mod item;
mod page;
mod svg;

use std::collections::{BinaryHeap, HashMap};
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

pub use dot::dot;
pub use export::{Export, Format, TreeJson};
pub use game::{pgn, recorded};
pub use item::{Item, items};
pub use page::{About, page};
pub use svg::svg;

use super::axis;
use super::event::{AnyFate, FateJson};
use super::explained::{BackUpJson, ExplainedJson, StaircaseJson};
use super::json::{Name, NumbersJson, ScoreJson, end, integer, pmf, sd_shown};
use super::lens::Lens;
use super::schema::FateName;
use super::text::{AXIS, Style};
use super::why::sentence::plural;
use super::{number, why};
use ::game::Scale;
use search::Viewpoint;
use session::{NodeBelief, NodeValue, Reader, Row};
use tree::{Family, NodeId, NodeView, Tree};

/// How much of a tree to write.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The maximum number of rows.
    pub max_nodes: usize,
    /// The maximum number of plies below the first node.
    pub max_ply: u16,
}

/// A selected part of a tree: the rows of the opened nodes.
#[derive(Debug)]
pub struct Selection {
    from: NodeId,
    opened: HashMap<NodeId, Vec<Row>>,
    /// The moves of the first node for which there was no room.
    left_out: usize,
}

impl Selection {
    /// Opens the nodes with the most nodes searched below them first, each completely or not at all; of the first one as many
    /// moves as there is room for.
    pub fn new(reader: &Reader, from: NodeId, extent: Extent) -> Selection {
        let mut opened = HashMap::new();
        let mut room = extent.max_nodes;
        let mut left_out = 0;
        let mut open = BinaryHeap::from([(u64::MAX, std::cmp::Reverse(from), 0u16)]);
        while let Some((_, std::cmp::Reverse(id), ply)) = open.pop() {
            if ply >= extent.max_ply || reader.tree.node(id).child_count() == 0 {
                continue;
            }
            let mut rows = reader.rows_best_first(id);
            if id == from {
                left_out = rows.len().saturating_sub(room);
                rows.truncate(room);
            }
            if rows.len() > room {
                continue;
            }
            room -= rows.len();
            for row in &rows {
                if let Some(child) = row.id.node() {
                    open.push((row.view.nodes, std::cmp::Reverse(child), ply + 1));
                }
            }
            opened.insert(id, rows);
        }
        Selection {
            from,
            opened,
            left_out,
        }
    }

    /// Returns the number of selected rows.
    pub fn len(&self) -> usize {
        self.opened.values().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.opened.is_empty()
    }

    /// The selected rows below a node.
    fn rows(&self, id: NodeId) -> &[Row] {
        self.opened.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// A node, from the view of the side that plays its move; the first one from its own side to move's view.
#[derive(Serialize, JsonSchema, Debug)]
pub struct NodeJson {
    /// The move that leads to it; null for the first node.
    #[serde(rename = "move")]
    pub name: Option<Name>,
    /// Another program's search only: false for a move that the rules do not have; missing for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<bool>,
    /// Another program's search only: the key of the position as the program has it, in hexadecimal digits; missing where it did
    /// not tell one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Nodes searched below it.
    pub nodes: u64,
    /// Visits.
    pub visits: u32,
    /// Its share of the prior or policy; null if the algorithm has none.
    #[schemars(range(min = 0, max = 1))]
    pub policy: Option<f32>,
    /// The standard deviation of its belief, in expected score, or in the unit of another program that has no range; null without a
    /// distribution.
    #[schemars(range(min = 0))]
    pub sd: Option<f32>,
    /// The 5, 50 and 95 % points of its belief, in expected score; null without a distribution.
    #[schemars(inner(range(min = -1, max = 1)))]
    pub quantiles: Option<[f32; 3]>,
    /// With --beliefs: the probability of each bin of its belief, on the `edges` of the tree; null without a distribution
    /// or without --beliefs.
    #[schemars(inner(range(min = 0)))]
    pub pmf: Option<Vec<f32>>,
    #[serde(flatten)]
    pub score: ScoreJson,
    /// With a back-up of numbers: those that the node keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumbersJson>,
    /// What went into the belief that `distress` backed up from its moves; null for a leaf, and with other algorithms.
    pub back_up: Option<BackUpJson>,
    /// With `conspiracy`: what it takes to move its value; null with other algorithms.
    pub conspiracies: Option<StaircaseJson>,
    /// The latest window with which it was entered; null in a best-first search.
    pub window: Option<WindowJson>,
    /// Its static value in the integer unit (centipawns); null if it was not evaluated.
    #[serde(rename = "static")]
    pub static_value: Option<i32>,
    #[schemars(with = "FateName")]
    pub fate: &'static str,
    /// The fate with the numbers that decided it. They are from the view of the side to move at the node; those of a move
    /// that was not searched, from the view of the side that could have played it.
    #[schemars(with = "AnyFate")]
    pub decided: FateJson,
    /// The inspector's sentence: why it is as it is.
    pub why: String,
    /// The number of its children in the tree, written here or not; moves without a node are not counted.
    pub recorded: u16,
    /// Every legal move there, best first; empty if the node was not opened. Of the first node without those `left_out`.
    // `None` where only the node itself is described.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(!skip_serializing_if, required)]
    pub children: Option<Vec<NodeJson>>,
}

/// A window and the depth left.
#[derive(Serialize, JsonSchema, Debug)]
pub struct WindowJson {
    /// Alpha, in the integer unit; null if open.
    pub alpha: Option<i32>,
    /// Beta, in the integer unit; null if open.
    pub beta: Option<i32>,
    /// The plies to go; 0 and less in quiescence, null where another program has told none.
    pub depth: Option<i8>,
}

/// Returns the selection as nested objects, with whole beliefs if they are wanted.
pub fn json(reader: &Reader, selection: &Selection, beliefs: bool) -> NodeJson {
    let written = Written {
        reader,
        selection,
        beliefs,
    };
    let from = selection.from;
    NodeJson {
        pmf: written.pmf(reader.belief(from).as_ref()),
        children: Some(written.children(from)),
        ..node(reader, from)
    }
}

/// A selection that is written as nested objects.
struct Written<'a> {
    reader: &'a Reader<'a>,
    selection: &'a Selection,
    beliefs: bool,
}

impl Written<'_> {
    fn pmf(&self, belief: Option<&NodeBelief>) -> Option<Vec<f32>> {
        let has_bins = self.beliefs && !self.reader.scale().is_boundless();
        let belief = belief.filter(|b| has_bins && b.is_distribution());
        belief.map(pmf)
    }

    fn children(&self, id: NodeId) -> Vec<NodeJson> {
        let rows = self.selection.rows(id).iter();
        rows.map(|of| NodeJson {
            pmf: self.pmf(of.belief.as_ref()),
            children: Some(match of.id.node() {
                Some(child) => self.children(child),
                None => Vec::new(),
            }),
            ..row(self.reader, of)
        })
        .collect()
    }
}

/// Returns a node without what is below it, from its own side to move's view.
pub fn node(reader: &Reader, id: NodeId) -> NodeJson {
    let belief = reader.belief(id);
    NodeJson {
        policy: None,
        why: why::why_node(reader, id),
        ..figures(reader, &reader.view(id), belief.as_ref(), Viewpoint::Own)
    }
}

/// Returns a row without what is below it, from the view of the side that plays the move.
pub fn row(reader: &Reader, row: &Row) -> NodeJson {
    NodeJson {
        name: Some(Name {
            uci: row.uci.clone(),
            san: row.label.clone(),
        }),
        why: why::why(reader, row),
        ..figures(reader, &row.view, row.belief.as_ref(), Viewpoint::Mover)
    }
}

/// Returns what is known of a node, or of a move without one, without its name and its reason. `view` and `belief` are from
/// the viewpoint.
fn figures(
    reader: &Reader,
    view: &NodeView,
    belief: Option<&NodeBelief>,
    viewpoint: Viewpoint,
) -> NodeJson {
    let (scale, grid) = (reader.scale(), reader.tree.grid());
    let belief = belief.filter(|b| b.is_distribution());
    let binned = belief.filter(|_| !scale.is_boundless());
    let id = Some(view.id).filter(|id| !id.is_none());
    let explained = id.map(|id| ExplainedJson::of(reader, id, viewpoint));
    let ExplainedJson {
        back_up,
        conspiracies,
    } = explained.unwrap_or_default();
    NodeJson {
        name: None,
        legal: id.filter(|&id| reader.is_illegal(id)).map(|_| false),
        key: (id.and_then(|id| reader.tree.told_key(id))).map(|key| format!("{key:016x}")),
        nodes: view.nodes,
        visits: view.visits,
        policy: view.policy,
        sd: belief.map(|b| sd_shown(b.sd, scale)),
        quantiles: binned.map(|b| [0.05, 0.5, 0.95].map(|p| b.quantile(p, grid))),
        pmf: None,
        score: ScoreJson::new(&NodeValue::of(view, scale), scale),
        numbers: id
            .and_then(|id| reader.kept(id, viewpoint))
            .map(NumbersJson),
        back_up,
        conspiracies,
        window: window(view, scale),
        static_value: view.static_value.map(|s| integer(s, scale)),
        fate: view.fate.name(),
        decided: FateJson::of(reader, view),
        why: String::new(),
        recorded: view.children,
        children: None,
    }
}

fn window(view: &NodeView, scale: Scale) -> Option<WindowJson> {
    view.window.map(|w| WindowJson {
        alpha: end(w.alpha, scale),
        beta: end(w.beta, scale),
        depth: w.plies_left(),
    })
}

/// Returns the selection as indented lines, after one that names unit and view: move, value, spread, share, work, and the
/// reason.
pub fn text(reader: &Reader, selection: &Selection, lens: Lens, style: Style) -> String {
    let mut out = format!("values: {}\n", lens.words_at(reader));
    let scale = reader.scale();
    // A toy tree is small enough to be followed by hand, so the window with which each node was entered is shown.
    let windows = matches!(scale, Scale::Linear(_)) && reader.tree.family() == Family::DepthFirst;
    let items = items(reader, selection, lens);
    let span = item::common_span(reader, &items, lens);
    let mut items = items.into_iter();
    if let Some(first) = items.next() {
        let nodes = number::counted(first.nodes, "node");
        let _ = writeln!(
            out,
            "{}{}  {nodes}  {}",
            first.value, first.spread, first.why
        );
    }
    let from = selection.from;
    let rules = axis::rules(reader, from, lens);
    let on = (span, &rules);
    let shown = lens.at(reader, Tree::ROOT).as_shown();
    let head = axis::head(on, |value| shown.mean(value), AXIS, style);
    let spreads = reader.searcher.has_beliefs();
    let gap = match (windows, spreads) {
        (true, _) => 11,
        (_, true) => 6,
        _ => 0,
    };
    let _ = writeln!(
        out,
        "{:FIGURES_AT$}{:>8}{:gap$} {head}",
        "move", "value", ""
    );
    for item in items {
        let name = format!("{}{}", "  ".repeat(item.ply), item.name);
        let pad = FIGURES_AT.saturating_sub(name.width());
        let _ = write!(out, "{name}{:pad$} {:>7}", "", item.value);
        if spreads {
            let _ = write!(out, "{:<6}", item.spread);
        }
        if windows {
            let _ = write!(out, "  {:<9}", item.window.unwrap_or_default());
        }
        let grid = reader.tree.grid();
        let _ = write!(out, " {}", axis::line(&item.plotted, on, grid, AXIS, style));
        if let Some(policy) = item.policy {
            let _ = write!(out, " {:>6}", number::percent(policy));
        }
        let nodes = number::count(item.nodes);
        let _ = writeln!(out, " {nodes:>7}  {}  {}", item.letter, item.brief);
    }
    if selection.left_out > 0 {
        let moves = plural(selection.left_out as u64, "more move");
        let _ = writeln!(out, "{moves}: --max-nodes leaves no room for them");
    }
    style.apply(out)
}

/// The column in which the figures begin for the first plies; deeper moves push them to the right.
const FIGURES_AT: usize = 18;
