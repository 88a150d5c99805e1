//! What alpha-beta explains about a node: what its static value is composed of, and what the driver's passes know.

use super::driver::Driver;
use super::passes::{Sides, bounds_of};
use eval::{ChessEvaluator, Evaluator};
use game::{Scale, Score};
use search::Options;
use search::explanation::{Explanation, Fact, Reading, Viewpoint, phrase};
use search::options::evaluation;
use tree::NodeId;

pub(super) fn explain(reading: &Reading, node: NodeId) -> Explanation {
    let view = reading.tree.view(node);
    let mut found = Explanation::default();
    let driver = Driver::from_options(reading.options, reading.tree.scale());
    if driver.makes_passes() && view.window.is_some() {
        found.facts.extend(bounds(reading, node));
    }
    let Some(static_value) = view.static_value else {
        return found;
    };
    let mut say = |value| {
        found.facts.push(Fact {
            name: "static",
            value,
        });
    };
    if let Some((evaluation, _)) = correction(reading, node, static_value) {
        say(phrase!["evaluated ", reading.score(evaluation)]);
    }
    if view.improving && tells_improving(reading.options, reading.tree.scale()) {
        say(phrase!["improving"]);
    }
    found
}

/// What the passes of the latest iteration know about a node's value: f− and f+ of the sources.
fn bounds(reading: &Reading, node: NodeId) -> Option<Fact> {
    let Sides { low, high } = bounds_of(reading.tree, node);
    let (least, most) = match reading.viewpoint {
        Viewpoint::Own => (low, high),
        Viewpoint::Mover => (high, low),
    };
    let value = match (least, most) {
        (Some(least), Some(most)) if least == most => phrase!["exactly ", reading.score(least)],
        (Some(least), Some(most)) => phrase![
            "at least ",
            reading.score(least),
            ", at most ",
            reading.score(most)
        ],
        (Some(least), None) => phrase!["at least ", reading.score(least)],
        (None, Some(most)) => phrase!["at most ", reading.score(most)],
        (None, None) => return None,
    };
    Some(Fact {
        name: "bounds",
        value,
    })
}

/// What correction history added to the evaluation; see [`search::algorithm::Implementation::correction`].
pub(super) fn correction(
    reading: &Reading,
    node: NodeId,
    static_value: Score,
) -> Option<(Score, i32)> {
    if !reading.options.switch("correction-history") {
        return None;
    }
    let situation = reading.situation(node)?;
    let at = situation.position.as_chess()?;
    let evaluator = ChessEvaluator::shared(evaluation(reading.options));
    let evaluation = evaluator.value(&evaluator.start(at), at);
    let by = i32::from(static_value.raw()) - i32::from(evaluation.raw());
    (by != 0).then_some((evaluation, by))
}

pub(super) fn tells_improving(options: &Options, scale: Scale) -> bool {
    scale == Scale::Logistic && options.switch("improving")
}
