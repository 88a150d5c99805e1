//! The numbers behind a row in words: of its fate, its belief and its search, in one unit and from one view.

use crate::lens::{Lens, Scores, Seen};
use crate::number;
use crate::why::value_words;
use session::{NodeBelief, Policy, Reader};
use tree::{Fate, NodeView, Number, Value, Window};

/// A number with what it is.
pub type Named = (String, String);

/// Returns the numbers that decided a row's fate, under the names of JSON, as the lens shows them.
fn fate_numbers(reader: &Reader, view: &NodeView, lens: Lens) -> Vec<Named> {
    let fate = view.fate;
    // The numbers of a skipped move are given where it could have been played.
    let (scores, at) = match fate.is_skip() || view.id.is_none() {
        true => (lens.of_moves(reader, view.parent), view.parent),
        false => (lens.at(reader, view.id), view.id),
    };
    let mut named = Vec::new();
    // Where no move was skipped, the margin by which moves are skipped has decided nothing.
    let none_skipped = matches!(fate, Fate::Expanded { skipped: 0, .. });
    for Number { name, value } in reader.tree.numbers_of(fate) {
        if none_skipped && matches!(name, "skipped" | "margin") {
            continue;
        }
        if let Value::Table(hit) = value {
            named.push(("result".to_owned(), hit.result.words().to_owned()));
            let dtz = hit.dtz.map(|dtz| number::minus(&dtz.to_string()));
            named.extend(dtz.map(|dtz| ("dtz".to_owned(), dtz)));
            named.push(("clock".to_owned(), hit.clock.to_string()));
            continue;
        }
        let Some(text) = value_words(value, reader, at, &scores) else {
            continue;
        };
        named.push((seen_name(name, &scores).to_owned(), text));
    }
    let missed = fate.info().missed.zip(fate.missed_by());
    named.extend(missed.map(|(field, by)| (field.name.to_owned(), scores.amount(by))));
    named
}

/// Returns the name of a number as the other side would call it, where the numbers are turned.
fn seen_name(name: &'static str, scores: &Scores) -> &'static str {
    match name {
        "alpha" => scores.alpha(),
        "beta" => scores.beta(),
        name => name,
    }
}

/// Returns everything that is known of a row in numbers.
pub fn numbers(seen: &Seen, lens: Lens) -> Vec<Named> {
    let (reader, view) = (seen.reader, seen.view);
    let mut named = Vec::new();
    let mut add = |name: &str, value: String| named.push((name.to_owned(), value));
    add("value", format!("{}{}", seen.value(), seen.spread()));
    if let Some(points) = seen
        .belief()
        .and_then(|b| quantiles(reader, &b, &seen.scores))
    {
        add("5, 50 and 95 % of the belief", points);
    }
    if let Some(window) = seen.window() {
        add("window", window);
    }
    let depth = view.window.and_then(Window::plies_left);
    if let Some(depth) = depth.filter(|_| view.visits > 0) {
        add("depth", number::minus(&depth.to_string()));
    }
    let fate = fate_numbers(reader, view, lens);
    let own_static = view
        .static_value
        .filter(|_| !fate.iter().any(|(name, _)| name == "static"));
    if let Some(value) = own_static {
        add("static", seen.scores.score(value));
    }
    if let Some(policy) = view.policy {
        // The best move is among the fate's numbers.
        let name = match reader.policy() {
            Some(Policy::Best) => "chance to be best",
            Some(Policy::Visits) => "part of the visits",
            policy => policy.map_or("policy", Policy::word),
        };
        add(name, number::percent(policy));
    }
    if view.visits > 0 {
        add("visits", number::count(view.visits.into()));
    }
    add("nodes", number::count(view.nodes));
    add("fate", view.fate.name().to_owned());
    for (name, value) in fate {
        add(&name, value);
    }
    named
}

/// Returns the 5, 50 and 95 % points of a belief that is given as it is shown; `None` in a unit without such points.
fn quantiles(reader: &Reader, belief: &NodeBelief, scores: &Scores) -> Option<String> {
    if reader.scale().is_boundless() {
        return None;
    }
    // A share of games has no quantiles.
    scores.spread(belief.mean, belief.sd)?;
    let grid = reader.tree.grid();
    let shown = scores.as_shown();
    let at = |p: f32| shown.mean(belief.quantile(p, grid));
    Some(format!("{} · {} · {}", at(0.05), at(0.5), at(0.95)))
}
