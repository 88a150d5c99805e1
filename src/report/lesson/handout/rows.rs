//! The rows of a tree as a table: those of the root and of the opened nodes, with what the lesson has introduced.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::Scene;
use crate::html::escaped;
use crate::text::{Style, strip};
use crate::{number, why};
use game::Scale;
use session::breakpoint::NodePath;
use session::{Reader, Row};
use studies::lesson::Fact;
use tree::{NodeId, NodeView, Proof, Tree};

/// The number of rows that are written of one node.
const LISTED: usize = 12;
/// The number of columns of a strip.
const STRIP: usize = 15;

/// Returns the table.
pub(super) fn table(scene: &Scene, open: &[NodePath]) -> String {
    let reader = scene.session.reader();
    let tree = reader.tree;
    let mut opened: HashSet<NodeId> = [Tree::ROOT].into();
    let nodes = open.iter().filter_map(|spot| spot.node(tree));
    for node in nodes {
        opened.extend(tree.path(node));
    }
    // The rows among which the selected one is.
    let above = tree.path(scene.selected);
    opened.extend(above.iter().take(above.len().saturating_sub(1)));
    let table = Table {
        scene,
        reader,
        opened,
    };
    let mut out = String::from("<table>\n");
    table.head(&mut out);
    table.rows(Tree::ROOT, 0, &mut out);
    out.push_str("</table>\n");
    out
}

struct Table<'a> {
    scene: &'a Scene<'a>,
    reader: Reader<'a>,
    opened: HashSet<NodeId>,
}

/// What a row has, column by column.
type Cell = (&'static str, String);

impl Table<'_> {
    fn has(&self, fact: Fact) -> bool {
        self.scene.shows.has(fact)
    }

    fn head(&self, out: &mut String) {
        out.push_str("<tr><th class=\"name\">move</th>");
        let scale = self.reader.scale();
        let heads = [
            (true, self.scene.lens.heading(scale)),
            (self.has(Fact::Beliefs), "±"),
            (self.has(Fact::Beliefs), "−1 … +1"),
            (self.has(Fact::Policy), "policy"),
            (self.has(Fact::Work), "share"),
            (self.has(Fact::Proofs), "proven"),
            (self.has(Fact::Fates), ""),
        ];
        for (_, head) in heads.iter().filter(|(shown, _)| *shown) {
            let _ = write!(out, "<th>{head}</th>");
        }
        out.push_str("</tr>\n");
    }

    fn rows(&self, parent: NodeId, ply: usize, out: &mut String) {
        let rows = self.reader.rows_best_first(parent);
        let work: u64 = rows.iter().map(|row| self.work(&row.view)).sum();
        let open = |row: &Row| row.id.node().is_some_and(|id| self.opened.contains(&id));
        let mut listed: Vec<&Row> = Vec::new();
        for row in &rows {
            let shown = self.is_shown(parent, row) || open(row);
            if shown || (listed.len() < LISTED && self.is_known(row)) {
                listed.push(row);
            }
        }
        // A question must not be answered by the order.
        if self.scene.asked {
            listed.sort_by(|a, b| a.label.cmp(&b.label));
        }
        for row in &listed {
            self.row(parent, row, ply, work, out);
            if let Some(id) = row.id.node().filter(|_| open(row)) {
                self.rows(id, ply + 1, out);
            }
        }
        let listed = listed.len();
        if listed < rows.len() {
            let words = match (rows.len() - listed, listed) {
                (all, 0) => format!("{all} moves, none of them searched yet"),
                (more, _) => format!("… {more} more"),
            };
            let _ = writeln!(
                out,
                "<tr><td class=\"name note\">{}{words}</td></tr>",
                indent(ply)
            );
        }
    }

    /// Whether the search has something to say of a move. A toy tree's moves are few, and its text speaks of them.
    fn is_known(&self, row: &Row) -> bool {
        let view = &row.view;
        view.visits > 0 || view.fate.is_skip() || matches!(self.reader.scale(), Scale::Linear(_))
    }

    fn is_marked(&self, parent: NodeId, row: &Row) -> bool {
        self.scene.marked.contains(&(parent, row.move_code))
            || row.id.node() == Some(self.scene.selected)
    }

    /// Whether the step points to a row, or speaks of its move.
    fn is_shown(&self, parent: NodeId, row: &Row) -> bool {
        let name = row.label.trim_end_matches(['+', '#']);
        self.is_marked(parent, row) || self.scene.named.contains(name)
    }

    fn work(&self, view: &NodeView) -> u64 {
        match self.reader.is_best_first() {
            true => view.visits.into(),
            false => view.nodes,
        }
    }

    fn row(&self, parent: NodeId, row: &Row, ply: usize, work: u64, out: &mut String) {
        let best = !self.scene.asked && self.reader.best_move(parent) == Some(row.move_code);
        let shown = self.is_marked(parent, row);
        let class = match (best, shown) {
            (true, true) => " class=\"best marked\"",
            (true, false) => " class=\"best\"",
            (false, true) => " class=\"marked\"",
            (false, false) => "",
        };
        let _ = write!(
            out,
            "<tr{class}><td class=\"name\">{}{}</td>",
            indent(ply),
            escaped(&row.label)
        );
        for (class, text) in self.cells(parent, row, work) {
            let class = match class {
                "" => String::new(),
                class => format!(" class=\"{class}\""),
            };
            let _ = write!(out, "<td{class}>{}</td>", escaped(&text));
        }
        out.push_str("</tr>\n");
    }

    fn cells(&self, parent: NodeId, row: &Row, work: u64) -> Vec<Cell> {
        let scores = self.scene.lens.of_moves(&self.reader, parent);
        let view = &row.view;
        let mut cells: Vec<Cell> = Vec::new();
        let seen = self.scene.lens.row(&self.reader, view, row.belief.as_ref());
        let value = view.expected.map(|_| seen.value());
        cells.push(("", value.unwrap_or_default()));
        if self.has(Fact::Beliefs) {
            let belief = row.belief.as_ref().filter(|b| b.is_distribution());
            let spread = belief.and_then(|b| scores.spread(b.mean, b.sd));
            cells.push(("", spread.unwrap_or_default()));
            let drawn = belief.map(|b| scores.seen(b.clone()).density);
            let drawn = drawn.map(|density| strip(&density, STRIP, Style::default()));
            cells.push(("strip", drawn.unwrap_or_default()));
        }
        if self.has(Fact::Policy) {
            cells.push(("", view.policy.map_or_else(String::new, number::percent)));
        }
        if self.has(Fact::Work) {
            let share = self.work(view) as f32 / work.max(1) as f32;
            let share = (work > 0).then(|| number::percent(share));
            cells.push(("", share.unwrap_or_default()));
        }
        if self.has(Fact::Proofs) {
            let proven = !is_open(view.proof);
            let proven = proven.then(|| why::proven_words(view.proof, &scores));
            cells.push(("", proven.unwrap_or_default()));
        }
        if self.has(Fact::Fates) {
            let by = why::move_in_fate(&self.reader, view);
            let brief = why::brief_with(view, &scores, by.as_deref());
            cells.push(("words", format!("{} {brief}", view.fate.letter())));
        }
        cells
    }
}

fn indent(ply: usize) -> String {
    "&#8195;".repeat(ply)
}

/// Whether nothing is proven.
fn is_open(proof: Proof) -> bool {
    let open_ends = proof.lower.is_decided() && proof.upper.is_decided();
    open_ends && !proof.is_win() && !proof.is_loss()
}
