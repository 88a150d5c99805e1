//! A search tree in writing: as JSON or indented text, for Graphviz, as a drawing, a page or a game. The most searched parts
//! come first, as far as a limit allows.

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
pub use game::pgn;
pub use item::{Item, items};
pub use page::page;
pub use svg::svg;

use super::json::{Name, NumbersJson, ScoreJson};
use super::schema::FateName;
use super::text::{self, Style};
use super::{number, why};
use ::game::Scale;
use search::Viewpoint;
use session::{NodeValue, Reader, Row};
use tree::{Family, NodeId};

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
}

impl Selection {
    /// Opens the nodes with the most nodes searched below them first, each completely or not at all.
    pub fn new(reader: &Reader, from: NodeId, extent: Extent) -> Selection {
        let mut opened = HashMap::new();
        let mut room = extent.max_nodes;
        let mut open = BinaryHeap::from([(u64::MAX, std::cmp::Reverse(from), 0u16)]);
        while let Some((_, std::cmp::Reverse(id), ply)) = open.pop() {
            if ply >= extent.max_ply || reader.tree.node(id).child_count() == 0 {
                continue;
            }
            let rows = reader.rows_best_first(id);
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
        Selection { from, opened }
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
    /// Nodes searched below it.
    pub nodes: u64,
    /// Visits.
    pub visits: u32,
    /// Its share of the prior or policy; null if the algorithm has none.
    #[schemars(range(min = 0, max = 1))]
    pub policy: Option<f32>,
    /// The standard deviation of its belief, in expected score; null without a distribution.
    #[schemars(range(min = 0))]
    pub sd: Option<f32>,
    #[serde(flatten)]
    pub score: ScoreJson,
    /// With a back-up of numbers: those that the node keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumbersJson>,
    /// The latest window with which it was entered; null in a best-first search.
    pub window: Option<WindowJson>,
    /// Its static value in the integer unit (centipawns); null if it was not evaluated.
    #[serde(rename = "static")]
    pub static_value: Option<i16>,
    #[schemars(with = "FateName")]
    pub fate: &'static str,
    /// The inspector's sentence: why it is as it is.
    pub why: String,
    /// The number of its children in the tree, written here or not; moves without a node are not counted.
    pub recorded: u16,
    /// Every legal move there, best first; empty if the node was not opened.
    // `None` where only the node itself is described.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(!skip_serializing_if, required)]
    pub children: Option<Vec<NodeJson>>,
}

/// A window and the depth left.
#[derive(Serialize, JsonSchema, Debug)]
pub struct WindowJson {
    /// Alpha, in the integer unit.
    pub alpha: i16,
    /// Beta, in the integer unit.
    pub beta: i16,
    /// The plies to go; 0 and less in quiescence.
    pub depth: i8,
}

/// Returns the selection as nested objects.
pub fn json(reader: &Reader, selection: &Selection) -> NodeJson {
    NodeJson {
        children: Some(children(reader, selection, selection.from)),
        ..node(reader, selection.from)
    }
}

/// Returns a node without what is below it, from its own side to move's view.
pub fn node(reader: &Reader, id: NodeId) -> NodeJson {
    let scale = reader.scale();
    let view = reader.view(id);
    let belief = reader.belief(id);
    NodeJson {
        name: None,
        nodes: view.nodes,
        visits: view.visits,
        policy: None,
        sd: belief.filter(|b| b.is_distribution()).map(|b| b.sd),
        score: ScoreJson::new(&NodeValue::of(&view, scale), scale),
        numbers: reader.kept(id, Viewpoint::Own).map(NumbersJson),
        window: window(&view),
        static_value: view.static_value.map(|s| s.raw()),
        fate: view.fate.name(),
        why: why::why_node(reader, id),
        recorded: view.children,
        children: None,
    }
}

/// Returns a row without what is below it, from the view of the side that plays the move.
pub fn row(reader: &Reader, row: &Row) -> NodeJson {
    let belief = row.belief.as_ref().filter(|b| b.is_distribution());
    let scale = reader.scale();
    let numbers = row.id.node();
    let numbers = numbers.and_then(|id| reader.kept(id, Viewpoint::Mover));
    NodeJson {
        name: Some(Name {
            uci: row.uci.clone(),
            san: row.label.clone(),
        }),
        nodes: row.view.nodes,
        visits: row.view.visits,
        policy: row.view.policy,
        sd: belief.map(|b| b.sd),
        score: ScoreJson::new(&NodeValue::of(&row.view, scale), scale),
        numbers: numbers.map(NumbersJson),
        window: window(&row.view),
        static_value: row.view.static_value.map(|s| s.raw()),
        fate: row.view.fate.name(),
        why: why::why(reader, row),
        recorded: row.view.children,
        children: None,
    }
}

fn window(view: &tree::NodeView) -> Option<WindowJson> {
    view.window.map(|w| WindowJson {
        alpha: w.alpha.raw(),
        beta: w.beta.raw(),
        depth: w.depth,
    })
}

fn children(reader: &Reader, selection: &Selection, id: NodeId) -> Vec<NodeJson> {
    let below = |id| children(reader, selection, id);
    let rows = selection.rows(id).iter();
    rows.map(|of| NodeJson {
        children: Some(of.id.node().map_or_else(Vec::new, below)),
        ..row(reader, of)
    })
    .collect()
}

/// Returns the selection as indented lines: move, value, spread, share, work, and the reason.
pub fn text(reader: &Reader, selection: &Selection, style: Style) -> String {
    let mut out = String::new();
    let scale = reader.scale();
    let view = reader.view(selection.from);
    let _ = writeln!(
        out,
        "{}  {} nodes  {}",
        text::verdict(&NodeValue::of(&view, scale), scale),
        number::count(view.nodes),
        why::why_node(reader, selection.from)
    );
    // A toy tree is small enough to be followed by hand, so the window with which each node was entered is shown.
    let windows = matches!(scale, Scale::Linear(_)) && reader.tree.family() == Family::DepthFirst;
    for item in items(reader, selection).into_iter().skip(1) {
        let name = format!("{}{}", "  ".repeat(item.ply), item.name);
        let pad = FIGURES_AT.saturating_sub(name.width());
        let _ = write!(out, "{name}{:pad$} {:>7}", "", item.value);
        if !item.spread.is_empty() {
            let _ = write!(out, "{:<6}", item.spread);
        }
        if windows {
            let _ = write!(out, "  {:<9}", item.window.unwrap_or_default());
        }
        if let Some(policy) = item.policy {
            let _ = write!(out, " {:>6}", number::percent(policy));
        }
        let nodes = number::count(item.nodes);
        let _ = writeln!(out, " {nodes:>7}  {}  {}", item.letter, item.brief);
    }
    style.apply(out)
}

/// The column in which the figures begin for the first plies; deeper moves push them to the right.
const FIGURES_AT: usize = 18;
