//! The option `lines`: so many of the root's moves get exact values, and the others are bounded by the last of them.

use algorithms::Algorithm;
use common::{any_shape, chess, run_toy_with, toy};
use eval::HandCrafted;
use game::Side;
use proptest::prelude::*;
use tree::{Bound, Tree};

use common::Shape;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Against plain minimax: the best moves have their values, no other move is worth more than its bound says, and no
    /// bound lies above the last line.
    #[test]
    fn the_best_moves_of_a_toy_tree_have_their_minimax_values(
        shape in any_shape(4),
        white: bool,
        lines in 1usize..5,
    ) {
        let side = if white { Side::White } else { Side::Black };
        let situation = toy(&shape, side, 0.0);
        let Shape::Node(children) = &shape else { unreachable!("a tree") };
        let own = |child: &Shape| child.minimax(!white) * if white { 1 } else { -1 };
        let values: Vec<i32> = children.iter().map(own).collect();
        let mut sorted = values.clone();
        sorted.sort_by(|a, b| b.cmp(a));
        let last = sorted[lines.min(sorted.len()) - 1];
        let pair = format!("lines={lines}");
        for algorithm in [Algorithm::AlphaBeta, Algorithm::ProbAlphaBeta] {
            let (run, _) = run_toy_with(algorithm, &situation, &[&pair]);
            let mut exact = 0;
            for (child, value) in run.tree.children(Tree::ROOT).zip(&values) {
                let view = run.tree.view(child);
                let window = view.window.expect("a window");
                // From the view of the side to move after the move.
                let found = -i32::from(window.value.raw());
                match window.bound {
                    Bound::Exact => {
                        prop_assert_eq!(found, *value, "{:?}", algorithm);
                        exact += usize::from(*value >= last);
                    }
                    Bound::Lower => prop_assert!(*value <= found && found <= last, "{:?}", algorithm),
                    other => prop_assert!(false, "{:?} {:?}", algorithm, other),
                }
            }
            prop_assert!(exact >= lines.min(sorted.len()), "{:?}: {}", algorithm, exact);
        }
    }
}

/// In chess, too, the best moves are exact, whatever the rules of pruning skip below them.
#[test]
fn the_best_moves_of_a_chess_position_are_exact() {
    let situation = chess(common::KIWIPETE);
    let evaluator = HandCrafted::default();
    for algorithm in [Algorithm::AlphaBeta, Algorithm::ProbAlphaBeta] {
        let mut options = algorithm.default_options();
        options.set("lines", "5").expect("an option");
        let limits = common::depth(5);
        let run = common::run(
            algorithm,
            &situation,
            &evaluator,
            &options,
            limits,
            64 << 20,
        );
        let children = run.tree.children(Tree::ROOT).map(|c| run.tree.view(c));
        let bounds: Vec<Bound> = children.filter_map(|v| Some(v.window?.bound)).collect();
        let exact = bounds.iter().filter(|b| **b == Bound::Exact).count();
        assert!(
            (5..20).contains(&exact),
            "{algorithm}: {exact} of {}",
            bounds.len()
        );
    }
}
