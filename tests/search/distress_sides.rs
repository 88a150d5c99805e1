//! Back-ups by a formula, for both sides or for each its own.

use algorithms::Algorithm;
use belief::Rule;
use common::{KIWIPETE, Run, chess, run_toy_with, toy_tree};
use eval::HandCrafted;
use game::{Game, Scale};
use search::Options;
use tree::Tree;

fn options(pairs: &[&str]) -> Options {
    let mut options = Algorithm::Distress.default_options();
    for pair in pairs {
        options.set_pair(pair).expect(pair);
    }
    options
}

fn grown(pairs: &[&str]) -> Run {
    common::run(
        Algorithm::Distress,
        &chess(KIWIPETE),
        &HandCrafted::default(),
        &options(pairs),
        common::nodes(10_000),
        32 << 20,
    )
}

/// A rule that is written as a formula, for both sides or for each, grows the same tree as the one that is built in.
#[test]
fn a_rule_and_its_formula_grow_the_same_tree() {
    for rule in Rule::EXAMPLES.into_iter().filter(|r| r.is_blend()) {
        let formula = rule.formula().expect("a blend");
        let built_in = grown(&[&format!("backup={rule}")]);
        for pairs in [
            vec![format!("backup={formula}")],
            vec![
                format!("backup-us={formula}"),
                format!("backup-opponent={formula}"),
            ],
            vec![format!("backup-us={formula}"), format!("backup={rule}")],
            vec![format!("backup-us={rule}"), format!("backup={formula}")],
        ] {
            let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
            let written = grown(&pairs);
            let difference = written.tree.copy().difference(&built_in.tree);
            assert_eq!(difference, None, "{pairs:?}");
            assert_eq!(written.totals.undefined, 0);
        }
    }
}

/// By hand, with Φ and φ the normal distribution and its density: n is Min's. By r_pick it is 2 with probability .15866 and
/// else N(1, 1); by r_opt it is min(2, N(1, 1)), whose mean is 2 - Φ(1) - φ(1) = .91668. Above it stands 1.
#[test]
fn each_side_has_its_own_back_up_by_hand() {
    let situation = toy_tree("max\nn\n  x 2\n  y 1 ± 1\ns 1\n");
    let Scale::Linear(axis) = situation.position.scale() else {
        panic!("a toy tree");
    };
    for (us, opponent, golden) in [
        // .15866 * 2 + .84134 (1 + φ(0)).
        ("r-opt", "r-pick", 1.49430),
        ("1", "0", 1.49430),
        // (.91668 + 1) / 2.
        ("r-pick", "r-opt", 0.95834),
        ("0", "N - 1", 0.95834),
        // Both rules alike for both sides.
        ("r-pick", "0", 1.09191),
        ("1", "r-opt", 1.31563),
    ] {
        let pairs = [
            format!("backup-us={us}"),
            format!("backup-opponent={opponent}"),
        ];
        let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
        let run = run_toy_with(Algorithm::Distress, &situation, &pairs).0;
        let value = run.tree.node(Tree::ROOT).expected() * axis.range();
        assert!((value - golden).abs() < 0.02, "{us} {opponent}: {value}");
    }
}

/// Where a formula has no finite value the built-in one is used, and that is counted.
#[test]
fn a_formula_without_a_value_leaves_the_rule() {
    let rule = grown(&[]);
    let never = grown(&["backup-us=log(-N)"]);
    assert_eq!(never.tree.copy().difference(&rule.tree), None);
    assert!(never.totals.undefined > 100);
    assert!(never.totals.undefined < never.totals.back_ups);
    let both = grown(&["backup=1/(N - N)"]);
    assert_eq!(both.tree.copy().difference(&rule.tree), None);
    // A lone child's belief is its parent's, with no blend to compute.
    assert!(both.totals.undefined > both.totals.back_ups / 2);
    assert!(both.totals.undefined <= both.totals.back_ups);
    let sometimes = grown(&["backup=1/(N - 48)"]);
    assert!(sometimes.totals.undefined > 0);
    assert!(sometimes.totals.undefined < both.totals.undefined);
}

#[test]
fn what_is_no_back_up_is_refused() {
    for (pair, said) in [
        ("backup=1 - exp(-k*H)", "column 10: found \"k\""),
        (
            "backup=gumble:2",
            "expected a formula of H, N, or a back-up rule",
        ),
        ("backup-us=svfc", "found \"svfc\""),
        (
            "backup-us=svfc:.5",
            "or auto, or a back-up rule without numbers of its own",
        ),
        ("backup-opponent=h", "did you mean H?"),
        ("backup-us=", "column 1: found the end"),
    ] {
        let mut options = Algorithm::Distress.default_options();
        let error = options.set_pair(pair).expect_err(pair).to_string();
        assert!(error.contains(said), "{pair}: {error}");
    }
}
