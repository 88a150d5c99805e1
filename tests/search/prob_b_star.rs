//! B* with probabilities: golden numbers, and what holds on every tree.

use algorithms::Algorithm;
use common::{
    HINTED, KIWIPETE, any_shape, check_nesting, expansions, negated, run_chess, run_toy_with,
    sample_tree, toy, toy_tree,
};
use game::{Game, Scale, Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::{Event, Options, Reading, StopReason, Viewpoint};
use tree::Tree;

fn range(situation: &Situation<ToyPosition>) -> f32 {
    match situation.position.scale() {
        Scale::Linear(axis) => axis.range(),
        Scale::Logistic => panic!("a toy tree"),
    }
}

/// Name, real value, optimistic value and chance to reach the target of the root's moves, from the root's side's view.
fn moves(
    run: &common::Run,
    situation: &Situation<ToyPosition>,
    options: &Options,
) -> Vec<(String, f32, f32, f32)> {
    let subject = situation.clone().into();
    let reading = Reading {
        tree: &run.tree,
        subject: &subject,
        options,
        viewpoint: Viewpoint::Own,
        seed: None,
    };
    let range = range(situation);
    let children = run.tree.children(Tree::ROOT);
    let seen = children.map(|c| {
        let node = run.tree.node(c);
        let m = situation.position.decode(node.move_code()).expect("a move");
        let figure = |name| Algorithm::ProbBStar.figure(&reading, c, name);
        let optimistic = figure("optimistic").expect("a number") as f32;
        let chance = figure("chance-to-reach").expect("a number") as f32;
        let real = -node.expected() * range;
        (
            situation.position.label(m),
            real,
            -optimistic * range,
            chance,
        )
    });
    seen.collect()
}

/// Real values (the mean that the moves' leaves back up by minimax), optimistic values and chances. The reference keeps
/// distributions on a grid 100 times as fine, and takes the mean of the distribution for the real value.
#[test]
fn golden_numbers_of_the_samples() {
    // Everything is expanded.
    for (tree, golden) in [
        ("figure1", [("C", 2.4459), ("D", 1.8913)]),
        ("wide-and-narrow", [("sure", 1.0), ("maybe", 2.8865)]),
    ] {
        let situation = sample_tree(tree);
        let (run, options) = run_toy_with(Algorithm::ProbBStar, &situation, &["end=next"]);
        assert_eq!(run.reason, Some(StopReason::Exhausted), "{tree}");
        let bin = 2.0 * range(&situation) / 63.0;
        for ((name, _, optimistic, _), golden) in
            moves(&run, &situation, &options).into_iter().zip(golden)
        {
            assert_eq!(name, golden.0);
            assert!(
                (optimistic - golden.1).abs() < bin,
                "{tree} {name}: {optimistic} {}",
                golden.1
            );
        }
    }
    // Only the root is expanded: A 6 ± 2, B 5 ± 1, C 2 ± 1; the target is 6.1408.
    let situation = toy_tree(HINTED);
    let (run, options) = run_toy_with(Algorithm::ProbBStar, &situation, &["least-chance=0.15"]);
    let asked = run.events.iter().find_map(|event| match event {
        Event::Aim(aim) => Some(*aim),
        _ => None,
    });
    // SELECT ends at once, and A is verified: it falls to 5 with a chance of Φ(-1/2).
    let aim = asked.expect("an aim");
    assert_eq!(aim.info.name, "verify");
    assert!(
        (aim.numbers[0] * range(&situation) - 5.0).abs() < 1e-3,
        "{aim:?}"
    );
    assert!((aim.numbers[1] - 0.308_538).abs() < 0.01, "{aim:?}");
    assert!(!moves(&run, &situation, &options).is_empty());
    let (run, _) = run_toy_with(Algorithm::ProbBStar, &situation, &["least-chance=0.1"]);
    let asked = run.events.iter().find_map(|event| match event {
        Event::Aim(aim) => Some(*aim),
        _ => None,
    });
    let aim = asked.expect("an aim");
    assert_eq!(aim.info.name, "select");
    // A bin is one unit wide.
    assert!(
        (aim.numbers[0] * range(&situation) - 6.1408).abs() < 0.3,
        "{aim:?}"
    );
    assert!((aim.numbers[1] - 0.4719).abs() < 0.06, "{aim:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// A search that goes on ends with minimax's value, and negating all values and exchanging the sides changes nothing.
    #[test]
    fn in_the_end_the_value_is_minimaxs(shape in any_shape(5)) {
        let situation = toy(&shape, Side::White, 0.0);
        let (run, _) = run_toy_with(Algorithm::ProbBStar, &situation, &["end=next"]);
        check_nesting(&run);
        let root = run.tree.node(Tree::ROOT);
        prop_assert_eq!(i32::from(run.tree.scale().score(root.expected()).raw()), shape.minimax(true));
        let other = toy(&negated(&shape), Side::Black, 0.0);
        let (mirrored, _) = run_toy_with(Algorithm::ProbBStar, &other, &["end=next"]);
        prop_assert_eq!(expansions(&mirrored, &other), expansions(&run, &situation));
    }

    /// What it stops for holds: no other move is suspected, and the best one's risk is below the least chance.
    #[test]
    fn it_stops_where_it_says(shape in any_shape(4)) {
        let situation = toy(&shape, Side::White, 3.0);
        let (run, options) = run_toy_with(Algorithm::ProbBStar, &situation, &[]);
        if run.reason == Some(StopReason::Settled) {
            let moves = moves(&run, &situation, &options);
            let best = moves.iter().map(|m| m.1).fold(f32::NEG_INFINITY, f32::max);
            let suspected = moves.iter().any(|m| m.1 < best && m.3 >= 0.15 && m.2 > best);
            prop_assert!(!suspected, "{moves:?}");
        }
    }
}

#[test]
fn a_chess_search_goes_on_to_its_limit() {
    for fen in [KIWIPETE, "6k1/5p1p/6p1/8/8/6P1/q4P1P/4Q1K1 w - - 0 1"] {
        let run = run_chess(Algorithm::ProbBStar, fen, 5_000);
        assert_eq!(run.reason, Some(StopReason::Nodes), "{fen}");
        check_nesting(&run);
    }
}
