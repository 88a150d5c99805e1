//! Every option of alpha-beta does something: there is a search that it changes.

use crate::erased::searched;
use algorithms::Algorithm;
use common::KIWIPETE;
use search::{OptionSpec, Options, Range, Subject};

/// A rook ending, where passing, checks and exchanges matter less than with many pieces.
const ENDING: &str = "8/5pk1/3r2p1/p1R4p/1p2P2P/1P3PP1/P4K2/8 w - - 0 1";
/// Nodes of each search.
const NODES: u64 = 20_000;
/// What has to be chosen so that an option matters, tried in this order.
const CONTEXTS: &[&[&str]] = &[&[], &["prob-cut-by=percentile"], &["driver=mtdf"]];
/// Matters only where endgame tables are at hand.
const LEFT_OUT: &str = "table-men";

/// Returns values of an option other than its default.
fn others(spec: &OptionSpec) -> Vec<String> {
    let values: Vec<String> = match spec.range {
        Range::Switch => vec!["on".into(), "off".into()],
        Range::Choice(words) => words.iter().map(|word| (*word).into()).collect(),
        Range::Integer { min, max } => {
            let now: i64 = spec.default.parse().expect("a number");
            let near = [now * 2, now / 2, now + 1, now - 1];
            let within = near.map(|n| n.clamp(min, max));
            [min]
                .into_iter()
                .chain(within)
                .chain([max])
                .map(|n| n.to_string())
                .collect()
        }
        Range::Number { min, max } => {
            let now: f64 = spec.default.parse().expect("a number");
            let near = [now * 2.0, now / 2.0, (now + min) / 2.0, (now + max) / 2.0];
            let within = near.map(|n| n.clamp(min, max));
            [min]
                .into_iter()
                .chain(within)
                .chain([max])
                .map(|n| n.to_string())
                .collect()
        }
        Range::Word { check, .. } => {
            let words = ["linear:400", "linear:0", "100", "0"].into_iter();
            words.filter(|word| check(word)).map(Into::into).collect()
        }
    };
    let default = spec.parse(spec.default).ok();
    values
        .into_iter()
        .filter(|value| spec.parse(value).ok() != default)
        .collect()
}

/// Returns the algorithm's defaults but for a context, if the algorithm knows its options.
fn within(algorithm: Algorithm, context: &[&str]) -> Option<Options> {
    let mut options = algorithm.default_options();
    for pair in context {
        options.set_pair(pair).ok()?;
    }
    Some(options)
}

/// Whether a search of one of the positions is changed by one of the option's values.
fn matters(algorithm: Algorithm, spec: &OptionSpec, subjects: &[Subject]) -> bool {
    let contexts = CONTEXTS
        .iter()
        .filter_map(|context| within(algorithm, context));
    contexts.into_iter().any(|options| {
        subjects.iter().any(|subject| {
            let plain = searched(algorithm, subject, &options, NODES, false);
            others(spec).iter().any(|value| {
                let mut changed = options.clone();
                changed
                    .set_pair(&format!("{}={value}", spec.key))
                    .expect("a value");
                searched(algorithm, subject, &changed, NODES, false) != plain
            })
        })
    })
}

#[test]
fn every_option_changes_a_search() {
    let subjects = [KIWIPETE, ENDING].map(|fen| Subject::from(common::chess(fen)));
    let options = Algorithm::AlphaBeta.info().options;
    let asked = options.iter().filter(|spec| spec.key != LEFT_OUT);
    let idle = asked.filter(|spec| !matters(Algorithm::AlphaBeta, spec, &subjects));
    let idle: Vec<&str> = idle.map(|spec| spec.key).collect();
    assert!(idle.is_empty(), "{idle:#?}");
}
