//! The content of the inspector, gathered while the tree is read.

use game::{Seen, Side, Sided};
use std::collections::HashMap;

use crate::context::{Context, line_from};
use crate::panes::tree::Row;
use crate::source::Source;
use crate::views::facts::{Facts, Numbers, Withheld};
use belief::{Density, Grid};
use game::Game as _;
use game::openings::Opening;
use report::lens::Scores;
use report::{explanation, rules, why};
use search::{Explanation, Viewpoint};
use session::debug::Visit;
use session::{NodeBelief, NodeEvaluation, Reader};
use tree::{Family, NodeId};

/// Everything that is drawn.
pub(super) struct Content {
    pub title: String,
    /// The best line from the node on; empty where none is known.
    pub line: String,
    /// As the lens shows them.
    pub facts: Facts,
    /// Writes scores that are given by the side that plays the move; at the root, by the side to move.
    pub scores: Scores,
    /// The side to move at the node.
    turn: Side,
    pub children: Vec<Child>,
    pub why: String,
    /// The visit that the search is in the middle of, if any.
    pub visit: Option<Visit>,
    pub grid: Grid,
    pub family: Family,
    /// Whether the search keeps beliefs, and therefore has its own policy.
    pub beliefs: bool,
    /// The side whose view the figures are from.
    pub side: &'static str,
    pub is_root: bool,
    /// The algorithm's explanation of the node, from the view of the figures.
    pub explained: Explanation,
    /// The names of the moves that the explanation mentions.
    names: HashMap<NodeId, String>,
    /// The reported belief, at a root whose belief was backed up from its moves.
    pub reported: Option<NodeBelief>,
    /// The static evaluation of its position, where there is room to show it.
    pub evaluation: Option<NodeEvaluation>,
    /// Whether iterations and the plies left are shown.
    pub depths: bool,
    /// At the root: how often each rule was applied.
    pub rules: Vec<(&'static str, u64)>,
}

pub(super) struct Child {
    pub name: String,
    pub share: f32,
    /// From the view of the figures shown.
    pub density: Option<Density>,
    /// The mean as it is written.
    pub mean: Option<String>,
}

pub(super) fn gather(cx: &Context) -> Option<Content> {
    let (row, reader) = cx.selected()?;
    let given = Facts::of(reader, &row, &mut Withheld::default())?;
    let scores = cx.lens.of_moves(&reader, row.parent);
    let facts = scores.seen(given);
    let is_root = row.parent.is_none();
    let turn = match is_root {
        true => cx.subject.position.turn(),
        false => reader.turn(row.parent).other(),
    };
    let title = if is_root {
        "the position searched".to_owned()
    } else {
        cx.row_line()
    };
    let visit = cx.explore.debug.visit(row.node).copied();
    let why = if let Some(visit) = &visit {
        why::why_visited(cx.lens, &reader, visit)
    } else if row.node.is_none() {
        let rows = reader.rows(row.parent);
        let found = rows.iter().find(|r| r.move_code == row.code)?;
        cx.lens.why(&reader, found)
    } else {
        cx.lens.why_node(&reader, row.node)
    };
    let viewpoint = match turn == scores.side() {
        true => Viewpoint::Own,
        false => Viewpoint::Mover,
    };
    let seed = cx.session.as_ref().map(Source::seed);
    let explained = reader.explain(row.node, viewpoint, seed);
    let sentences = explained.sentences.iter();
    let numbers = Numbers::new(cx, reader.scale(), cx.looks.glyphs);
    let write = |value, unit| numbers.of_unit(value, unit);
    let sentences =
        sentences.map(|phrase| explanation::text_with(&reader, row.node, phrase, write));
    let why: Vec<String> = std::iter::once(why).chain(sentences).collect();
    let situation = reader.situation(row.node);
    let line = match &situation {
        Some(subject) => line_from(subject, &reader.best_moves(row.node)),
        None => String::new(),
    };
    let opening = situation.as_ref().and_then(|s| Opening::of(&s.position));
    let title = match opening {
        Some(opening) => format!("{title}: {opening}"),
        None => title,
    };
    Some(Content {
        title,
        line,
        children: children(reader, &row, &scores, &numbers),
        scores,
        turn,
        why: text::sanitise(&match cx.selected_note() {
            Some(note) => {
                let g = cx.looks.glyphs;
                format!("{} {note} {} {}", g.note, g.dot, why.join(" "))
            }
            None => why.join(" "),
        }),
        visit,
        grid: reader.tree.grid().clone(),
        family: reader.tree.family(),
        beliefs: reader.searcher.has_beliefs(),
        side: cx.subject.position.side_name(scores.side()),
        is_root,
        reported: (is_root && reader.backed_up().is_some())
            .then(|| scores.seen(reader.reported()))
            .flatten(),
        names: names(reader, row.node, &explained),
        evaluation: None,
        depths: true,
        explained,
        rules: match cx.status().filter(|_| is_root) {
            Some(status) => rules::applied(&status.totals),
            None => Vec::new(),
        },
        facts,
    })
}

impl Content {
    /// Returns what the side to move at the node gives as it is shown.
    pub fn seen<T: Sided>(&self, own: T) -> T {
        Seen::new(self.turn, own).seen_by(self.scores.side())
    }

    /// Returns the name of the move that leads to a child.
    pub fn name_of(&self, child: NodeId) -> &str {
        self.names.get(&child).map_or("", String::as_str)
    }
}

/// Returns the recorded children with their shares, the greatest first. Their beliefs, which the side to move at the node
/// gives, are turned to the view of the figures shown.
fn children(reader: Reader, row: &Row, scores: &Scores, numbers: &Numbers) -> Vec<Child> {
    if row.node.is_none() || reader.tree.node(row.node).child_count() == 0 {
        return Vec::new();
    }
    let rows = reader.rows(row.node);
    let by_policy = reader.is_best_first() && rows.iter().any(|r| r.view.has_belief);
    let turn = reader.turn(row.node);
    let all: f64 = rows.iter().map(|r| work(reader, r.id.node())).sum();
    let mut children: Vec<Child> = rows
        .iter()
        .filter(|r| r.view.visits > 0 && !r.view.fate.is_skip())
        .map(|r| {
            let share = if by_policy {
                r.view.policy.unwrap_or(0.0)
            } else if all > 0.0 {
                (work(reader, r.id.node()) / all) as f32
            } else {
                0.0
            };
            let belief = Seen::new(turn, r.belief.clone()).seen_by(scores.side());
            Child {
                name: text::sanitise(&r.label),
                share,
                mean: belief.as_ref().map(|b| numbers.belief(b)),
                density: belief
                    .filter(NodeBelief::is_distribution)
                    .map(|b| b.density),
            }
        })
        .collect();
    children.sort_by(|a, b| b.share.total_cmp(&a.share));
    children
}

/// Returns the names of a node's moves, if the explanation mentions any.
fn names(reader: Reader, node: NodeId, explained: &Explanation) -> HashMap<NodeId, String> {
    if explained.blocks.is_empty() {
        return HashMap::new();
    }
    let rows = reader.rows(node).into_iter();
    rows.filter_map(|row| Some((row.id.node()?, text::sanitise(&row.label))))
        .collect()
}

fn work(reader: Reader, node: Option<NodeId>) -> f64 {
    node.map_or(0.0, |id| match reader.tree.family() {
        Family::BestFirst => f64::from(reader.tree.node(id).visits()),
        Family::DepthFirst => reader.tree.node(id).nodes() as f64,
    })
}
