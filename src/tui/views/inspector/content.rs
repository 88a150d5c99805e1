//! What the inspector shows, gathered while the tree is read.

use super::super::facts::{Facts, Withheld};
use super::product::Shares;
use crate::belief::{Density, Detail, Grid};
use crate::engine::debug::Visit;
use crate::engine::{Reader, Shown};
use crate::game::{Scale, Score};
use crate::report::{playout, rules, why};
use crate::search::best_first::distress::{Choice, Urgency};
use crate::tree::{Family, NodeId};
use crate::tui::app::App;
use crate::tui::explorer::Row;
use crate::tui::source::Source;
use crate::tui::text;

/// Everything that is drawn, gathered while the tree is read.
pub(super) struct Content {
    pub title: String,
    pub facts: Facts,
    pub children: Vec<Child>,
    pub why: String,
    /// The search is in the middle of the node.
    pub visit: Option<Visit>,
    pub grid: Grid,
    pub scale: Scale,
    pub family: Family,
    /// The search keeps beliefs and with them a policy of its own.
    pub beliefs: bool,
    /// Whose view the figures are.
    pub side: &'static str,
    pub is_root: bool,
    /// DISTRESS: what the node's belief is made of, from its own view.
    pub back_up: Option<Detail>,
    /// The names of the moves that went into it, in its order.
    pub backed_up: Vec<String>,
    /// DISTRESS: where the next visit goes, with the names of all moves in the tree's order.
    pub choice: Option<(Choice, Vec<String>)>,
    /// At a root whose belief was backed up from its moves: what is reported of it.
    pub reported: Option<Shown>,
    /// DISTRESS: what the node's figure for the allocation is, and the figure.
    pub urgency: Option<(Urgency, f32)>,
    /// Probabilistic alpha-beta: how the node's maximum came about.
    pub product: Option<Shares>,
    /// The side to move at the node is getting better, where the search tells.
    pub improving: bool,
    /// The evaluation, where correction history made something else of it; from the view of the figures.
    pub correction: Option<Score>,
    /// At the root: how often each rule was applied.
    pub rules: Vec<(&'static str, u64)>,
}

pub(super) struct Child {
    pub name: String,
    pub share: f32,
    /// From the view of the figures shown.
    pub density: Option<Density>,
    pub mean: Option<f32>,
}

pub(super) fn gather(app: &App) -> Option<Content> {
    let (row, reader) = app.selected()?;
    let facts = Facts::of(reader, &row, &mut Withheld::default())?;
    let is_root = row.parent.is_none();
    let title = if is_root {
        "the position searched".to_owned()
    } else {
        app.selected_line()
    };
    let visit = app.debug.visit(row.node).copied();
    let why = if let Some(visit) = &visit {
        why::why_visited(&reader, visit)
    } else if row.node.is_none() {
        let rows = reader.rows(row.parent);
        let found = rows.iter().find(|r| r.move_code == row.code)?;
        why::why(&reader, found)
    } else {
        why::why_node(&reader, row.node)
    };
    let choice = reader.choice(row.node);
    let (backed_up, names) = match &choice {
        Some(_) => names(reader, row.node),
        None => Default::default(),
    };
    let choice = choice.map(|choice| (choice, names));
    let seed = app.session.as_ref().map(Source::seed);
    let playout = seed.and_then(|seed| playout::sentence(&reader, row.node, seed));
    let why = [Some(why), playout].into_iter().flatten();
    let why: Vec<String> = why.collect();
    Some(Content {
        title,
        children: children(reader, &row),
        why: text::harmless(&why.join(" ")),
        visit,
        grid: reader.tree.grid().clone(),
        scale: reader.scale(),
        family: reader.tree.family(),
        beliefs: reader.searcher.has_beliefs(),
        side: side(app, &row),
        is_root,
        reported: (is_root && reader.backed_up().is_some())
            .then(|| reader.reported())
            .flatten(),
        urgency: reader.urgency(&facts.view),
        back_up: reader.back_up(row.node),
        choice,
        backed_up,
        product: Shares::of(&reader, row.node),
        improving: facts.view.improving && reader.tells_improving(),
        correction: correction(reader, &row, &facts),
        rules: match app.status().filter(|_| is_root) {
            Some(status) => rules::applied(&status.totals),
            None => Vec::new(),
        },
        facts,
    })
}

fn correction(reader: Reader, row: &Row, facts: &Facts) -> Option<Score> {
    // The figures are the mover's, the evaluation is the node's own.
    let own = if row.parent.is_none() { 1 } else { -1 };
    let value = Score::new(own * i32::from(facts.view.static_value?.raw()));
    let (evaluation, _) = reader.correction(row.node, value)?;
    Some(Score::new(own * i32::from(evaluation.raw())))
}

/// The side whose view the figures are: who plays the row's move, at the root who is to move.
fn side(app: &App, row: &Row) -> &'static str {
    use crate::game::{Game, Side, Subject};
    let turn = match &app.subject {
        Subject::Chess(s) => s.position.turn(),
        Subject::Toy(s) => s.position.turn(),
    };
    let toy = matches!(app.subject, Subject::Toy(_));
    // The root's side plays the moves of odd depth.
    let first = row.depth == 0 || row.depth % 2 == 1;
    match (turn == Side::White, first, toy) {
        (true, true, false) | (false, false, false) => "White",
        (_, _, false) => "Black",
        (true, true, true) | (false, false, true) => "Max",
        (_, _, true) => "Min",
    }
}

/// The recorded children with their shares, greatest first. Their beliefs are turned to the view of the figures
/// shown: the mover's at a move, which is the children's side to move, and the root's own at the root.
fn children(reader: Reader, row: &Row) -> Vec<Child> {
    if row.node.is_none() || reader.tree.node(row.node).child_count() == 0 {
        return Vec::new();
    }
    let rows = reader.rows(row.node);
    let by_policy = reader.is_best_first() && rows.iter().any(|r| r.view.has_belief);
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
            let turned = |b: &Shown| {
                if row.parent.is_none() {
                    b.clone()
                } else {
                    b.negated()
                }
            };
            let belief = r.belief.as_ref().map(turned);
            Child {
                name: text::harmless(&r.label),
                share,
                mean: belief.as_ref().map(|b| b.mean),
                density: belief.filter(Shown::is_distribution).map(|b| b.density),
            }
        })
        .collect();
    children.sort_by(|a, b| b.share.total_cmp(&a.share));
    children
}

/// The names of the moves that go into a DISTRESS node's back-up, and of all; in the tree's order.
fn names(reader: Reader, node: NodeId) -> (Vec<String>, Vec<String>) {
    let rows = reader.rows(node);
    let name = |child: NodeId| {
        let row = rows.iter().find(|r| r.id.node() == Some(child));
        row.map_or_else(String::new, |r| text::harmless(&r.label))
    };
    let children: Vec<NodeId> = reader.tree.children(node).collect();
    let taken = children.iter().filter(|c| reader.is_backed_up(**c));
    (
        taken.map(|c| name(*c)).collect(),
        children.iter().map(|c| name(*c)).collect(),
    )
}

fn work(reader: Reader, node: Option<NodeId>) -> f64 {
    node.map_or(0.0, |id| match reader.tree.family() {
        Family::BestFirst => f64::from(reader.tree.node(id).visits()),
        Family::DepthFirst => reader.tree.node(id).nodes() as f64,
    })
}
