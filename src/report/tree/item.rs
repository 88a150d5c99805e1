//! The rows of a selection as every drawing of it needs them.

use super::Selection;
use crate::{number, text, why};
use belief::Density;
use game::Scale;
use session::{NodeBelief, NodeValue, Reader, Row};
use tree::{FateRole, NodeId, NodeView};

/// A row of the tree, written out. Figures are from the view of the side that plays the move, at the first row of the side to
/// move.
#[derive(Clone, Debug)]
pub struct Item {
    /// The node; `None` for a move without one.
    pub node: Option<NodeId>,
    /// The place of its parent in the list; `None` for the first row.
    pub parent: Option<usize>,
    /// Plies below the first row.
    pub ply: usize,
    /// SAN, or a toy node's name; empty for the first row.
    pub name: String,
    /// The value; `–` where nothing is known.
    pub value: String,
    /// The standard deviation of its belief with its sign, in a toy tree's unit, otherwise of the expected score; empty
    /// where the search keeps none.
    pub spread: String,
    pub policy: Option<f32>,
    /// Where the search keeps one.
    pub density: Option<Density>,
    /// Nodes searched below.
    pub nodes: u64,
    /// The window with which a depth-first search entered the node.
    pub window: Option<String>,
    pub letter: char,
    pub role: FateRole,
    /// The fate's name and its figures, in a few words.
    pub brief: String,
    /// The reason, as a sentence.
    pub why: String,
}

/// Returns the rows of a selection, each before those below it.
pub fn items(reader: &Reader, selection: &Selection) -> Vec<Item> {
    let from = selection.from;
    let view = reader.view(from);
    let mut list = vec![Item {
        name: String::new(),
        why: why::why_node(reader, from),
        ..item(reader, &view, reader.belief(from).as_ref(), None, 0)
    }];
    add(reader, selection, from, 0, &mut list);
    list
}

fn add(reader: &Reader, selection: &Selection, id: NodeId, at: usize, list: &mut Vec<Item>) {
    for row in selection.rows(id) {
        let place = list.len();
        list.push(of_row(reader, row, at, list[at].ply + 1));
        if let Some(child) = row.id.node() {
            add(reader, selection, child, place, list);
        }
    }
}

fn of_row(reader: &Reader, row: &Row, parent: usize, ply: usize) -> Item {
    Item {
        node: row.id.node(),
        name: row.label.clone(),
        why: why::why(reader, row),
        ..item(reader, &row.view, row.belief.as_ref(), Some(parent), ply)
    }
}

fn item(
    reader: &Reader,
    view: &NodeView,
    belief: Option<&NodeBelief>,
    parent: Option<usize>,
    ply: usize,
) -> Item {
    let scale = reader.scale();
    let value = text::value(&NodeValue::of(view, scale), scale);
    let belief = belief.filter(|b| b.is_distribution());
    let window = view.window.filter(|_| view.visits > 0);
    Item {
        node: Some(view.id),
        parent,
        ply,
        name: String::new(),
        value: if value.is_empty() {
            "–".to_owned()
        } else {
            value
        },
        spread: belief.map_or_else(String::new, |b| match scale {
            Scale::Linear(axis) => {
                let sd = number::bare(scale, b.sd * axis.range(), 8);
                format!(" ±{}", sd.unwrap_or_default())
            }
            Scale::Logistic => format!(" ±{:.2}", b.sd),
        }),
        policy: view.policy,
        density: belief.map(|b| b.density),
        nodes: view.nodes,
        window: window.and_then(|w| number::window(scale, w.alpha, w.beta, 40)),
        letter: view.fate.letter(),
        role: view.fate.info().role,
        brief: why::brief_in(reader, view),
        why: String::new(),
    }
}

impl Item {
    /// Value, spread and work in one line.
    pub fn figures(&self) -> String {
        let nodes = number::count(self.nodes);
        format!("{}{} · {nodes}", self.value, self.spread)
    }
}

/// The colour of a fate, legible on white. No meaning rests on it alone: the letter says the same.
pub fn colour(role: FateRole) -> &'static str {
    match role {
        FateRole::Dim => "#767676",
        FateRole::Searched => "#222222",
        FateRole::Cut => "#0072b2",
        FateRole::Skipped => "#a34700",
        FateRole::Ended => "#7a5195",
        FateRole::Proven => "#00714f",
    }
}
