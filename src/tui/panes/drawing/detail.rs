//! How much of each node is drawn in the available space. The windows of all nodes except those on the path to the selected one
//! are dropped first, then the names: a text about the tree speaks of its nodes by them.

use std::collections::HashSet;

use super::content::{Content, Lines};
use game::toy::ToyTree;
use game::{Scale, ToyPosition};
use report::drawing::{Layout, Place, Stub, WholeTree};
use report::number;
use session::Reader;

/// The largest width of a name, in columns.
pub const NAME: usize = 12;

/// What the nodes of an algorithm can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Whether windows and bounds are shown, otherwise visits.
    pub windows: bool,
    /// Whether means with their spread are shown, otherwise exact values; in a best-first search, means without a
    /// spread.
    pub beliefs: bool,
}

impl Figures {
    pub fn of(reader: Reader) -> Figures {
        Figures {
            windows: !reader.is_best_first(),
            beliefs: reader.searcher.has_beliefs(),
        }
    }
}

/// Which nodes have a second line with the window (best-first: the visits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Windows {
    All,
    /// Those on the path from the root to the selected node.
    Path,
    No,
}

/// What is drawn of each node, and the height of the levels that results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    pub names: bool,
    pub windows: Windows,
    /// The height of a level, in rows.
    pub level: u16,
    /// The rows of edges between two levels.
    pub links: u16,
    /// The height of the lowest level, in rows.
    last: u16,
    /// The columns of a value, without its sign.
    pub value: u16,
    /// The columns of a spread, with its sign.
    pub spread: u16,
    pub window: u16,
}

impl Detail {
    fn new(widths: &Widths, names: bool, windows: Windows, links: u16) -> Detail {
        let level = if windows == Windows::No { 1 } else { 2 };
        Detail {
            names,
            windows,
            level,
            links,
            // Values without names take one row.
            last: if names { level } else { 1 },
            value: widths.value,
            spread: widths.spread,
            window: widths.window,
        }
    }

    /// Returns the first row of a level.
    pub fn top(&self, depth: u16) -> i32 {
        i32::from(depth) * i32::from(self.level + self.links)
    }

    /// Returns the total height in rows.
    pub fn height(&self, layout: &Layout) -> i32 {
        let levels = layout.levels.len() as u16;
        // A closed node at the lowest level needs a second row, which says what it hides.
        let lowest = layout.levels.last().cloned().unwrap_or_default();
        let closed = lowest.clone().any(|i| layout.places[i].hidden > 0);
        let last = if closed { self.level } else { self.last };
        self.top(levels.saturating_sub(1)) + i32::from(last)
    }

    /// Returns the width of a node in columns.
    fn width(&self, widths: &Widths, tree: &ToyTree, place: &Place) -> u16 {
        let node = &tree.nodes[place.node as usize];
        if node.children.is_empty() {
            return if self.names {
                widths.leaf_named
            } else {
                widths.leaf
            };
        }
        // The sign of the player, the name, the bound, the value and the spread.
        let name = match self.names && place.parent.is_some() {
            true => text::width(&node.name).min(NAME) as u16 + 1,
            false => 0,
        };
        let mut width = 1 + name + widths.bound + widths.value + widths.spread;
        if self.windows == Windows::All {
            width = width.max(widths.window);
        }
        if place.hidden > 0 && self.level > 1 {
            width = width.max(text::width(&hidden(place.hidden, self.names)) as u16);
        }
        width
    }
}

/// Returns what a closed node says about its leaves.
pub fn hidden(leaves: u32, long: bool) -> String {
    match (leaves, long) {
        (1, true) => "… 1 leaf".to_owned(),
        (_, true) => format!("… {leaves} leaves"),
        (_, false) => format!("…{leaves}"),
    }
}

/// Returns a leaf's value as in the file, with its spread.
pub fn leaf(scale: Scale, value: f32, spread: f32) -> String {
    let mut text = number::bare(scale, value, usize::MAX).unwrap_or_default();
    if spread > 0.0 {
        text.push('±');
        text += &number::bare(scale, spread, usize::MAX).unwrap_or_default();
    }
    text
}

/// Widths of the texts in columns, the same for all nodes, so that nothing moves while the search runs.
struct Widths {
    leaf: u16,
    leaf_named: u16,
    value: u16,
    bound: u16,
    spread: u16,
    window: u16,
}

impl Widths {
    fn of(tree: &ToyTree, figures: Figures) -> Widths {
        let leaves = || tree.nodes.iter().filter(|n| n.children.is_empty());
        let bare = |v| text::width(&leaf(tree.scale, v, 0.0)) as u16;
        let values = leaves().map(|n| bare(n.value.unwrap_or(0.0)));
        let exact = values.max().unwrap_or(1);
        let whole = leaves().map(|n| {
            let value = leaf(tree.scale, n.value.unwrap_or(0.0), n.spread);
            let value = text::width(&value) as u16;
            (value, value.max(text::width(&n.name).min(NAME) as u16))
        });
        let (leaf, leaf_named) = whole.fold((1, 1), |a, b| (a.0.max(b.0), a.1.max(b.1)));
        // A mean has decimals even where the file has none.
        let mean = exact.max(4);
        let exactly = figures.windows && !figures.beliefs;
        Widths {
            leaf,
            leaf_named,
            value: if exactly { exact } else { mean },
            bound: u16::from(figures.windows),
            spread: if figures.beliefs { 4 } else { 0 },
            window: match (figures.windows, exactly) {
                (true, true) => 2 * exact.max(2) + 3,
                (true, false) => 2 * mean + 3,
                (false, _) => 7,
            },
        }
    }
}

fn whole<'a>(at: &'a ToyPosition, closed: &'a HashSet<u32>) -> WholeTree<'a> {
    WholeTree {
        tree: at.tree(),
        closed,
    }
}

/// The rows of edges between two levels, where there is room.
const LONGEST: u16 = 9;

/// Returns the detail with longer edges, as long as a third of the rows stays free.
fn stretched(detail: Detail, layout: &Layout, rows: u16) -> Detail {
    let longer = (detail.links + 1..=LONGEST).rev();
    let longer = longer.map(|links| Detail { links, ..detail });
    let mut fitting = longer.filter(|d| 3 * d.height(layout) <= 2 * i32::from(rows));
    fitting.next().unwrap_or(detail)
}

/// Returns the layout with the widest gaps that leave a margin; `None` if there is no room.
fn spread_out(
    at: &ToyPosition,
    closed: &HashSet<u32>,
    room: (u16, u16),
    width: impl Fn(&Place) -> u16,
) -> Option<Layout> {
    const MARGIN: i32 = 8;
    /// Wider gaps would tear siblings apart.
    const WIDEST: u16 = 12;
    (2..=WIDEST).rev().find_map(|gap| {
        let layout = Layout::new(&whole(at, closed), at.index(), gap, &width);
        (layout.width + MARGIN <= i32::from(room.0)).then_some(layout)
    })
}

/// Returns the layout with the most detail that fits into the room (columns, rows). If none fits, it returns the first
/// one whose height fits; the user scrolls sideways.
pub(super) fn choose(
    at: &ToyPosition,
    closed: &HashSet<u32>,
    figures: Figures,
    room: (u16, u16),
) -> (Detail, Layout) {
    const WAYS: [(bool, Windows, u16); 9] = [
        (true, Windows::All, 2),
        (true, Windows::All, 1),
        (true, Windows::Path, 2),
        (true, Windows::Path, 1),
        (false, Windows::All, 2),
        (false, Windows::All, 1),
        (false, Windows::Path, 2),
        (false, Windows::Path, 1),
        (false, Windows::No, 1),
    ];
    let tree = at.tree();
    let widths = Widths::of(tree, figures);
    let mut tall = None;
    let mut made: Option<((bool, Windows), Layout)> = None;
    for (names, windows, links) in WAYS {
        let detail = Detail::new(&widths, names, windows, links);
        // Layouts that differ only in their rows are computed once.
        let layout = match made.take() {
            Some((same, layout)) if same == (names, windows) => layout,
            _ => Layout::new(&whole(at, closed), at.index(), 1, |p| {
                detail.width(&widths, tree, p)
            }),
        };
        if detail.height(&layout) <= i32::from(room.1) {
            if layout.width <= i32::from(room.0) {
                let wider = spread_out(at, closed, room, |p| detail.width(&widths, tree, p));
                let layout = wider.unwrap_or(layout);
                return (stretched(detail, &layout, room.1), layout);
            }
            tall.get_or_insert((detail, layout.clone()));
        }
        made = Some(((names, windows), layout));
    }
    // The height does not fit either: use the narrowest layout.
    tall.unwrap_or_else(|| {
        let detail = Detail::new(&widths, false, Windows::Path, 1);
        let layout = Layout::new(&whole(at, closed), at.index(), 1, |p| {
            detail.width(&widths, tree, p)
        });
        (detail, layout)
    })
}

/// The largest width of the reason why a move was skipped, in columns.
pub const REASON: usize = 16;

/// The widths of a game's figures in columns: always the same, so that nothing moves while the search runs.
const SCORE: u16 = 5;
const SPREAD: u16 = 4;
const SHARE: u16 = 4;

/// Returns what a stub says, in two lines: how many moves, and how many of each fate.
pub fn stub_words(stub: &Stub, long: bool) -> [String; 2] {
    let count = match long {
        true => format!("… {} more", stub.count),
        false => format!("… {}", stub.count),
    };
    let fates = stub.fates.iter();
    let fates: Vec<String> = match (long, stub.fates.as_slice()) {
        (true, [(fate, _)]) => vec![fate.name().to_owned()],
        _ => fates
            .map(|(fate, n)| format!("{n}{}", fate.letter()))
            .collect(),
    };
    [count, fates.join(" ")]
}

/// The rows that the levels of a game's drawing take up, with this many rows of edges between them.
pub(super) fn levels_in(rows: u16, links: u16) -> u16 {
    (rows + links) / (2 + links)
}

/// Returns the layout of a game's lines, with as many rows of edges as there is room for. Always all levels have two rows.
pub(super) fn lay_out(
    lines: &Lines,
    figures: Figures,
    room: (u16, u16),
    gap: u16,
) -> (Detail, Layout) {
    let mut detail = Detail {
        names: true,
        windows: Windows::All,
        level: 2,
        links: 2,
        last: 2,
        value: SCORE,
        spread: if figures.beliefs { SPREAD } else { 0 },
        window: SHARE,
    };
    let layout = Layout::new(&lines.sketch, 0, gap, |place| {
        width_in(lines, &detail, place)
    });
    if detail.height(&layout) > i32::from(room.1) {
        detail.links = 1;
    }
    (detail, layout)
}

/// Returns the width of a node of a game's lines in columns.
fn width_in(lines: &Lines, detail: &Detail, place: &Place) -> u16 {
    let branch = &lines.sketch.branches[place.node as usize];
    let name = lines.names.get(place.node as usize);
    let name = name.map_or(0, |name| text::width(name).min(NAME));
    if let Some(stub) = &branch.stub {
        let words = stub_words(stub, false);
        return words
            .iter()
            .map(|line| text::width(line))
            .max()
            .unwrap_or(1) as u16;
    }
    if branch.skipped {
        return name.max(REASON) as u16;
    }
    // The name, the sign of a bound, the value, the letter of a cut-off and the spread.
    let first = name as u16 + 1 + 1 + detail.value + 1 + detail.spread;
    let second = match place.hidden {
        0 => detail.window,
        hidden => detail.window + 1 + text::width(&hidden_moves(hidden)) as u16,
    };
    first.max(second)
}

/// Returns what a closed node of a game says about the moves below it.
pub fn hidden_moves(moves: u32) -> String {
    format!("…{moves}")
}

impl Content {
    /// Returns what a closed node hides.
    pub fn hidden_words(&self, hidden_below: u32, long: bool) -> String {
        match self {
            Content::Toy(_) => hidden(hidden_below, long),
            Content::Lines(_) => hidden_moves(hidden_below),
        }
    }
}
