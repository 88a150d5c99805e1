//! The claim of a probabilistic cutoff holds: a short version of `cargo run --release --features examples --example cut_confidence`.

#[path = "../../benches/cut_confidence/experiment.rs"]
mod experiment;

use algorithms::Algorithm;
use experiment::{Kind, Tally, searched};
use studies::suite::statistics::wilson;

/// Kinds of trees: some at whose roots leftovers add up, one at whose depth "at most alpha" is taken as certain, and
/// the last with many cutoffs of nodes some of whose children were themselves cut off.
const KINDS: [Kind; 4] = [
    Kind {
        shape: &[3, 25, 6],
        spread: 1.0,
        exact: 0.0,
    },
    Kind {
        shape: &[2, 20, 2, 2],
        spread: 0.5,
        exact: 0.3,
    },
    Kind {
        shape: &[2, 2, 2, 2, 2, 2, 2, 2],
        spread: 1.0,
        exact: 0.0,
    },
    Kind {
        shape: &[4, 4, 4, 4],
        spread: 0.3,
        exact: 0.0,
    },
];

fn tally(rule: &str, confidence: &str, trees: u64) -> (Tally, usize) {
    let level: f64 = confidence.parse().expect("a number");
    let (mut tally, mut leaves) = (Tally::default(), 0);
    for kind in KINDS {
        for number in 0..trees {
            let options = [("confidence", confidence), ("refuted", rule)];
            let found = searched(&kind.draw(number), Algorithm::ProbAlphaBeta, &options);
            leaves += found.leaves;
            for cut in found.cuts {
                tally.add(&cut, level);
            }
        }
    }
    (tally, leaves)
}

#[test]
fn no_cut_is_less_sure_than_it_says() {
    for confidence in ["0.7", "0.9", "0.975"] {
        let (found, _) = tally("bounded", confidence, 24);
        assert!(
            found.cuts > 100 && found.resting > 5,
            "{confidence}: {found:?}"
        );
        assert_eq!(
            (found.below, found.overstated),
            (0, 0),
            "{confidence}: {found:?}"
        );
        let level: f64 = confidence.parse().expect("a number");
        let (_, most) = wilson(found.wrong, found.cuts).expect("cuts");
        assert!(most <= 1.0 - level, "{confidence}: {found:?}");
    }
}

/// The check can fail: if cut-off children count as they were, or as at most alpha, cutoffs claim too much.
#[test]
fn the_other_ways_to_count_overstate() {
    for rule in ["literal", "truncated"] {
        let (found, leaves) = tally(rule, "0.7", 12);
        assert!(found.below > 0 && found.overstated > 0, "{rule}: {found:?}");
        let (_, bounded) = tally("bounded", "0.7", 12);
        assert!(
            leaves < bounded,
            "{rule}: {leaves} leaves, bounded {bounded}"
        );
    }
}
