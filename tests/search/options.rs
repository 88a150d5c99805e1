//! Every option of alpha-beta does something: there is a search that it changes.

use crate::erased::searched;
use algorithms::Algorithm;
use common::KIWIPETE;
use search::{OptionSpec, Range, Subject};

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
            between(min, max, [now * 2, now / 2, now + 1, now - 1])
        }
        Range::Number { min, max } => {
            let now: f64 = spec.default.parse().expect("a number");
            let near = [now * 2.0, now / 2.0, (now + min) / 2.0, (now + max) / 2.0];
            between(min, max, near)
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

/// Returns the ends of a range and what of four values is within it.
fn between<N: PartialOrd + Copy + ToString>(min: N, max: N, near: [N; 4]) -> Vec<String> {
    let within = near.into_iter().filter(|n| (min..=max).contains(n));
    let all = within.chain([min, max]);
    all.map(|n| n.to_string()).collect()
}

/// Whether a search of one of the positions is changed by one of the option's values.
fn matters(spec: &OptionSpec, subjects: &[Subject]) -> bool {
    CONTEXTS.iter().any(|context| {
        let mut options = Algorithm::AlphaBeta.default_options();
        for pair in *context {
            options.set_pair(pair).expect("an option");
        }
        subjects.iter().any(|subject| {
            let plain = searched(Algorithm::AlphaBeta, subject, &options, NODES, false);
            others(spec).iter().any(|value| {
                let mut changed = options.clone();
                changed.set(spec.key, value).expect("a value");
                searched(Algorithm::AlphaBeta, subject, &changed, NODES, false) != plain
            })
        })
    })
}

#[test]
fn every_option_changes_a_search() {
    let subjects = [KIWIPETE, ENDING].map(|fen| Subject::from(common::chess(fen)));
    let options = Algorithm::AlphaBeta.info().options;
    let asked = options.iter().filter(|spec| spec.key != LEFT_OUT);
    let idle = asked.filter(|spec| !matters(spec, &subjects));
    let idle: Vec<&str> = idle.map(|spec| spec.key).collect();
    assert!(idle.is_empty(), "{idle:#?}");
}
