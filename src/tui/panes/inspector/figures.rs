//! The inspector's figures as text.

use super::content::Content;
use super::explained;
use crate::views::facts::Numbers;
use game::Score;
use game::Sided as _;
use report::why::left_out_by;
use screen::pen::Line;
use screen::theme::Role;
use session::debug::Visit;
use session::{NodeBelief, Policy, Source};
use tree::{Bound, DepthChange, NodeView, Window};

/// Returns the headline: `+.08 ±.21 for White  12.3k visits  ply 4`.
pub(super) fn figure_line(content: &Content, numbers: &Numbers) -> Line {
    let facts = &content.facts;
    let mut line: Line = Vec::new();
    let mean = numbers.mean(facts);
    if !mean.is_empty() {
        line.push((mean, Role::Title));
        let belief = facts.belief.as_ref().filter(|b| is_spread(b));
        if let Some(spread) = belief.and_then(|b| numbers.spread_at(b.mean, b.sd)) {
            line.push((format!(" {spread}"), Role::Spread));
        }
        line.push((format!(" for {}  ", content.side), Role::Dim));
    }
    let proof = numbers.proof(facts.view.proof);
    if !proof.is_empty() {
        line.push((format!("proven {proof}  "), Role::Proven));
    }
    let (visits, nodes) = (u64::from(facts.view.visits), facts.view.nodes);
    if visits > 0 {
        let word = if visits == 1 { "visit" } else { "visits" };
        line.push((format!("{} {word}  ", text::count(visits)), Role::Count));
    }
    if nodes > 0 {
        let word = if nodes == 1 { "node" } else { "nodes" };
        line.push((format!("{} {word}", text::count(nodes)), Role::Count));
    }
    if line.is_empty() && content.visit.is_some() {
        line.push(("being searched".to_owned(), Role::Line));
    } else if line.is_empty() {
        line.push(("not searched".to_owned(), Role::Dim));
    }
    line
}

/// Returns the leading parts of a line that fit as a whole.
pub(super) fn fitting(line: Line, room: usize) -> Line {
    let mut left = room;
    line.into_iter()
        .take_while(|(word, _)| {
            let width = text::width(word.trim_end());
            let fits = width <= left;
            left = left.saturating_sub(text::width(word));
            fits
        })
        .collect()
}

/// Whether a belief says more than a single value does.
fn is_spread(belief: &NodeBelief) -> bool {
    belief.is_distribution() && belief.sd > 0.0
}

/// Figures below each other, each a name and a value, in three groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub value: Vec<(&'static str, String)>,
    pub work: Vec<(&'static str, String)>,
    pub decision: Vec<(&'static str, String)>,
}

/// Returns the node's figures.
pub(super) fn groups(content: &Content, numbers: &Numbers) -> Groups {
    Groups {
        value: value(content, numbers),
        work: work(content),
        decision: decision(content, numbers),
    }
}

/// Returns what the node is worth, by all that is known of it.
fn value(content: &Content, numbers: &Numbers) -> Vec<(&'static str, String)> {
    let (facts, view) = (&content.facts, &content.facts.view);
    let mut rows = Vec::new();
    let spread = facts.belief.as_ref().filter(|b| is_spread(b));
    // The bins have no place for values whose size nobody knows.
    if let Some(b) = spread.filter(|_| !numbers.scale().is_boundless()) {
        let q = |p| numbers.quantile(b.quantile(p, &content.grid));
        rows.push(("5/50/95 %", format!("{}  {}  {}", q(0.05), q(0.5), q(0.95))));
        let source = match b.source {
            Source::Stored => "kept by the search",
            Source::Calibrated => "fitted to how far searches are off",
            Source::Outcomes => "win, draw and loss as the engine tells",
            Source::Visits => "the replies' values by their visits",
            Source::Point => "a single value",
            Source::Interval => "an interval",
        };
        rows.push(("belief", source.to_owned()));
    }
    rows.extend(means(content, numbers));
    if let Some(w) = view.window {
        let bound = match w.bound {
            Bound::Lower => "a lower bound",
            Bound::Upper => "an upper bound",
            Bound::Exact => "exact at this depth",
            Bound::None => "not finished",
        };
        let exact = view.wide.and_then(|wide| numbers.wide(wide));
        let value = exact.unwrap_or_else(|| numbers.score(w.value));
        rows.push(("value", format!("{value}, {bound}")));
    }
    if let Some(s) = view.static_value {
        let more = explained::of_static_value(content, numbers);
        rows.push(("static", format!("{}{more}", numbers.score(s))));
    }
    if let Some(audit) = view.audit() {
        // Given by the side to move where the rule was applied.
        let own = content.is_root || view.fate.is_skip();
        let value = content.scores.seen(match own {
            true => audit.value,
            false => audit.value.one_ply_up(),
        });
        let verdict = if audit.failed { "wrong" } else { "right" };
        rows.push((
            "audit",
            format!(
                "{}: the {} was {verdict}",
                numbers.score(value),
                left_out_by(view.fate)
            ),
        ));
    }
    rows
}

/// Returns how much was searched below the node, and how deeply.
fn work(content: &Content) -> Vec<(&'static str, String)> {
    let view = &content.facts.view;
    let mut rows = Vec::new();
    let visits = u64::from(view.visits);
    if view.nodes > 0 || visits > 0 {
        let word = if visits == 1 { "visit" } else { "visits" };
        let nodes = if view.nodes == 1 { "node" } else { "nodes" };
        let nodes = format!("{} {nodes}", text::count(view.nodes));
        rows.push((
            "searched",
            format!("{nodes}, {} {word}", text::count(visits)),
        ));
    }
    if let Some(w) = view.window.filter(|_| content.depths) {
        let depth = format!("{}, iteration {}", plies_left(w.depth), view.iteration);
        rows.push(("depth", depth));
    }
    if let Some(treated) = treated(view) {
        rows.push(("changed", treated));
    }
    if let Some(key) = content.key {
        rows.push(("key", format!("{key:016x}")));
    }
    if view.again {
        rows.push(("recorded", "by a re-search".to_owned()));
    }
    if content.is_root && view.visits == 0 && content.visit.is_none() {
        rows.push(("state", "not searched yet".to_owned()));
    }
    rows
}

/// Returns what the search decides by.
fn decision(content: &Content, numbers: &Numbers) -> Vec<(&'static str, String)> {
    let view = &content.facts.view;
    let mut rows = Vec::new();
    if let Some(visit) = &content.visit {
        rows.extend(visited(content, numbers, visit));
    }
    if let Some(w) = view.window {
        rows.push(("window", window_words(numbers, w.alpha, w.beta)));
    }
    // Another program need not have priors.
    let has_prior = |share: &f32| *share > 0.0 || content.policy != Some(Policy::Prior);
    if let Some(share) = view.policy.filter(has_prior) {
        let word = content.policy.map_or("best", Policy::word);
        rows.push((word, text::percent(share)));
    }
    rows.extend(explained::facts(content, numbers));
    rows
}

/// Returns the root's figures other than the mean of its belief, each with its meaning.
fn means(content: &Content, numbers: &Numbers) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let spread = content.facts.belief.as_ref().is_some_and(is_spread);
    let Some(reported) = content.reported.as_ref().filter(|_| spread) else {
        return rows;
    };
    if let Some(e) = content.facts.view.expected {
        rows.push(("score", format!("{}, the best move's", numbers.expected(e))));
    }
    let told = |b: &NodeBelief| numbers.with_spread(b);
    if let Some(own) = &content.facts.belief {
        rows.push(("backed up", format!("{}, from all moves", told(own))));
    }
    if reported.source == Source::Calibrated {
        rows.push(("reported", format!("{}, fitted", told(reported))));
    }
    rows
}

/// Returns by how much the parent changed the depth: `−2 as move 14, then in full`.
fn treated(view: &NodeView) -> Option<String> {
    if view.fate.is_skip() {
        return None;
    }
    let plies = |n: u8| if n == 1 { "ply" } else { "plies" };
    Some(match view.treatment.depth {
        DepthChange::None => return None,
        DepthChange::Reduced {
            plies: n,
            number,
            again,
        } => {
            let then = if again { ", then in full" } else { "" };
            format!("{n} {} less, as move {number}{then}", plies(n))
        }
        DepthChange::Check => "1 ply more, a check".to_owned(),
        DepthChange::Singular { plies: n } => format!("{n} {} more, singular", plies(n)),
    })
}

fn plies_left(depth: i8) -> String {
    match depth {
        Window::UNTOLD => "not told".to_owned(),
        -127..=0 => "quiescence".to_owned(),
        1 => "1 ply left".to_owned(),
        _ => format!("{depth} plies left"),
    }
}

/// Returns the window with which the search entered the node, and what it found so far, from the view of the figures.
fn visited(content: &Content, numbers: &Numbers, visit: &Visit) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let is_root = content.is_root;
    if let Some(e) = visit.entered {
        let own = e.alpha..=e.beta;
        let window = match is_root {
            true => own,
            false => own.one_ply_up(),
        };
        let (alpha, beta) = content.scores.seen(window).into_inner();
        let depth = plies_left(e.depth);
        let window = window_words(numbers, alpha, beta);
        rows.push(("now", format!("{window}, {depth}")));
    }
    if let Some((_, best)) = visit.best {
        let mean = content.seen(best.mean);
        let spread = best.sd.and_then(|sd| numbers.spread_at(mean, sd));
        let spread = spread.map_or_else(String::new, |spread| format!(" {spread}"));
        let so_far = numbers.expected(mean) + &spread;
        rows.push(("so far", so_far));
    }
    rows
}

fn window_words(numbers: &Numbers, alpha: Score, beta: Score) -> String {
    let end = |s: Score, open: &str| {
        if s <= Score::LOSS || s >= Score::WIN {
            open.to_owned()
        } else {
            numbers.score(s)
        }
    };
    format!("{} … {}", end(alpha, "open"), end(beta, "open"))
}
