//! The content of the inspector, gathered while the tree is read.

use game::{Seen, Side, Sided};
use std::collections::HashMap;

use crate::context::{Context, line_from};
use crate::panes::tree::Row;
use crate::panes::tree::view::share_word;
use crate::source::Source;
use crate::views::axis::Place;
use crate::views::facts::{Facts, Numbers, Withheld};
use belief::Grid;
use chart::value::Span;
use game::Game as _;
use game::openings::Opening;
use report::axis::{LEADS, Plotted, Rules, plotted, rules, span};
use report::gauge::{self, Group};
use report::lens::Scores;
use report::rules::{applied, undefined};
use report::{explanation, why};
use screen::theme::Role;
use search::{Explanation, Viewpoint};
use session::debug::Visit;
use session::{NodeBelief, NodeEvaluation, Policy, Reader};
use tree::{NodeId, Proof, Tree};

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
    /// The node's own mark on the value axis.
    pub plotted: Plotted,
    /// The part of the axis that its moves need, and the rules through them.
    pub span: Span,
    pub rules: Rules,
    /// What became of its moves.
    pub gauge: Vec<Group>,
    pub why: String,
    /// The visit that the search is in the middle of, if any.
    pub visit: Option<Visit>,
    pub grid: Grid,
    /// What the shares of its moves are called.
    pub share_word: &'static str,
    /// What the number is that the search keeps as the node's policy.
    pub policy: Option<Policy>,
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
    /// The key of the position, as another program has it.
    pub key: Option<u64>,
    /// Whether iterations and the plies left are shown.
    pub depths: bool,
    /// At the root: how often each rule was applied.
    pub applied: Vec<(&'static str, u64)>,
    /// At the root: that a formula had no finite value, if so.
    pub undefined: Option<String>,
}

pub(super) struct Child {
    pub name: String,
    pub share: f32,
    /// The value as it is written.
    pub value: String,
    pub plotted: Plotted,
    pub role: Role,
    pub proof: Proof,
}

pub(super) fn gather(cx: &Context) -> Option<Content> {
    let (row, reader) = cx.selected()?;
    let given = Facts::of(reader, &row, &mut Withheld::default())?;
    let scores = cx.lens.of_moves(&reader, row.parent);
    let plotted = plotted(&reader, &given.view, given.belief.as_ref(), &scores);
    let facts = scores.seen(given);
    let is_root = row.parent.is_none();
    let turn = match is_root {
        true => cx.subject.position.turn(),
        false => reader.turn(row.parent).other(),
    };
    let title = if is_root {
        "root position".to_owned()
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
    let sentences = sentences.map(|phrase| explanation::text(&reader, row.node, phrase, &numbers));
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
        children: children(cx, reader, row.node, &numbers),
        plotted,
        span: span_of(cx, &reader, &row),
        rules: rules(&reader, row.node, cx.lens),
        gauge: match row.node.is_none() {
            true => Vec::new(),
            false => gauge::of_node(&reader, row.node),
        },
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
        share_word: share_word(&reader),
        policy: reader.policy(),
        side: cx.subject.position.side_name(scores.side()),
        is_root,
        reported: (is_root && reader.backed_up().is_some())
            .then(|| scores.seen(reader.reported()))
            .flatten(),
        names: names(reader, row.node, &explained),
        evaluation: None,
        key: (!row.node.is_none())
            .then(|| reader.tree.told_key(row.node))
            .flatten(),
        depths: true,
        explained,
        undefined: cx
            .status()
            .filter(|_| is_root)
            .and_then(|status| undefined(&status.totals)),
        applied: match cx.status().filter(|_| is_root) {
            Some(status) => applied(&status.totals),
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

/// Returns the part of the axis that the node's moves need; a node without moves is shown among its siblings.
fn span_of(cx: &Context, reader: &Reader, row: &Row) -> Span {
    let has_moves = !row.node.is_none() && reader.tree.node(row.node).child_count() > 0;
    let parent = match has_moves {
        true => row.node,
        false => row.parent,
    };
    let parent = if parent.is_none() { Tree::ROOT } else { parent };
    let shown = cx.explore.tree.axis;
    match parent == shown.parent() {
        // One scale for the same moves, in the tree and here.
        true => shown.span(),
        false => span(reader, parent, shown.reach, cx.lens),
    }
}

/// Returns the recorded moves at a node that were searched, in the order of the tree's rows: by the chance to be best where
/// the search knows it, otherwise as it ranks them.
fn children(cx: &Context, reader: Reader, node: NodeId, numbers: &Numbers) -> Vec<Child> {
    if node.is_none() || reader.tree.node(node).child_count() == 0 {
        return Vec::new();
    }
    let rows = reader.rows_best_first(node);
    let shares = reader.shares(rows.iter().map(|row| &row.view));
    let scores = cx.lens.of_moves(&reader, node);
    let best = reader.best_move(node);
    let mut children: Vec<Child> = Vec::new();
    for (row, shares) in rows.into_iter().zip(shares) {
        if row.view.visits == 0 || row.view.fate.is_skip() {
            continue;
        }
        let plotted = plotted(&reader, &row.view, row.belief.as_ref(), &scores);
        let place = Place {
            best: best == Some(row.view.move_code),
            trails: shares.best.is_some_and(|share| share < LEADS),
        };
        let role = place.role(&row.view, &plotted.mark, numbers.glyphs);
        let facts = scores.seen(Facts {
            view: row.view,
            belief: row.belief,
            ahead: false,
            illegal: false,
        });
        children.push(Child {
            name: text::sanitise(&row.label),
            share: shares.best.or(shares.visits).or(shares.work).unwrap_or(0.0),
            value: numbers.mean(&facts),
            plotted,
            role,
            proof: facts.view.proof,
        });
    }
    if reader.policy() == Some(Policy::Best) {
        children.sort_by(|a, b| {
            let best = |c: &Child| c.role == Role::MoveBest;
            best(b).cmp(&best(a)).then(b.share.total_cmp(&a.share))
        });
    }
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
