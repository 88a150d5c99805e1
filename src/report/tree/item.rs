//! The rows of a selection as every drawing of it needs them.

use super::Selection;
use super::decided::{self, Named};
use crate::axis::{self, Plotted, Reach, is_ordinary};
use crate::lens::{Lens, Seen};
use crate::number;
use chart::value::Span;
use game::{Scale, Sided as _};
use session::Reader;
use tree::{FateRole, NodeId, NodeView, Tree};

/// A row of the tree, written out, in one unit and from one view.
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
    /// The standard deviation of its belief with its sign, in the unit of the value; empty where the search keeps none.
    pub spread: String,
    pub policy: Option<f32>,
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
    /// What it shows on the value axis.
    pub plotted: Plotted,
    /// Whether it is the best move of its parent.
    pub is_best: bool,
    /// The numbers behind it, with what they are.
    pub numbers: Vec<Named>,
}

/// Returns the rows of a selection, each before those below it.
pub fn items(reader: &Reader, selection: &Selection, lens: Lens) -> Vec<Item> {
    let from = selection.from;
    let (view, belief) = (reader.view(from), reader.belief(from));
    // As a row, given by the side that plays the move.
    let (view, belief) = match from {
        Tree::ROOT => (view, belief),
        _ => (view.one_ply_up(), belief.turned()),
    };
    let mut list = vec![Item {
        node: Some(from),
        why: lens.why_node(reader, from),
        policy: None,
        is_best: false,
        ..item(
            lens,
            lens.row(reader, &view, belief.as_ref()),
            &view,
            None,
            0,
        )
    }];
    add(reader, selection, lens, 0, &mut list);
    list
}

fn add(reader: &Reader, selection: &Selection, lens: Lens, at: usize, list: &mut Vec<Item>) {
    let Some(id) = list[at].node else { return };
    let best = reader.best_move(id);
    for row in selection.rows(id) {
        let seen = lens.row(reader, &row.view, row.belief.as_ref());
        let place = list.len();
        list.push(Item {
            node: row.id.node(),
            name: row.label.clone(),
            why: lens.why(reader, row),
            is_best: best == Some(row.move_code),
            ..item(lens, seen, &row.view, Some(at), list[at].ply + 1)
        });
        add(reader, selection, lens, place, list);
    }
}

fn item(lens: Lens, seen: Seen, view: &NodeView, parent: Option<usize>, ply: usize) -> Item {
    Item {
        node: None,
        parent,
        ply,
        name: String::new(),
        value: seen.value(),
        spread: seen.spread(),
        policy: view.policy,
        nodes: view.nodes,
        window: seen.window(),
        letter: view.fate.letter(),
        role: view.fate.info().role,
        brief: seen.brief(),
        why: String::new(),
        plotted: seen.plotted(),
        is_best: false,
        numbers: decided::numbers(&seen, lens),
    }
}

impl Item {
    /// Value, spread and work in one line.
    pub fn figures(&self) -> String {
        let nodes = number::count(self.nodes);
        format!("{}{} · {nodes}", self.value, self.spread)
    }
}

/// Returns the part of the value axis on which rows of several plies stand: that of the first row's moves, and in a toy tree,
/// where all rows are to be followed by hand, one that has them all in sight.
pub fn common_span(reader: &Reader, items: &[Item], lens: Lens) -> Span {
    let Some(from) = items.first().and_then(|item| item.node) else {
        return Span::WHOLE;
    };
    if reader.scale() == Scale::Logistic {
        return axis::span(reader, from, Reach::Leaders, lens);
    }
    let grid = reader.tree.grid();
    let is_boundless = reader.scale().is_boundless();
    let ends = items
        .iter()
        .filter_map(|item| item.plotted.mark.extent(grid))
        // Beside wins without a measure nothing else could be told apart.
        .filter(|(low, high)| !is_boundless || is_ordinary(*low) && is_ordinary(*high));
    let all = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let Some((low, high)) = all.filter(|(low, high)| low < high) else {
        if is_boundless {
            return axis::span(reader, from, Reach::Leaders, lens);
        }
        return Span::WHOLE;
    };
    let room = 0.05 * (high - low);
    Span {
        low: (low - room).max(-1.0),
        high: (high + room).min(1.0),
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
