//! Uniform search: every move of the root gets its own value, at the same depth.

use algorithms::Algorithm;
use common::{KIWIPETE, Shape, any_shape, check_nesting, run_chess, run_toy, toy};
use game::{Game, Side};
use proptest::prelude::*;
use tree::{Bound, Tree};

proptest! {
    #[test]
    fn every_root_move_of_a_toy_tree_has_its_minimax_value(shape in any_shape(4)) {
        let situation = toy(&shape, Side::White, 0.0);
        let run = run_toy(Algorithm::Uniform, &situation, 1_000_000);
        check_nesting(&run);
        let Shape::Node(children) = &shape else { unreachable!() };
        let found: Vec<i32> = run
            .tree
            .children(Tree::ROOT)
            .map(|c| -i32::from(run.tree.view(c).score.expect("a value").raw()))
            .collect();
        let wanted: Vec<i32> = children.iter().map(|c| c.minimax(false)).collect();
        prop_assert_eq!(found, wanted);
        prop_assert_eq!(situation.position.turn(), Side::White);
    }
}

#[test]
fn no_root_move_of_a_chess_position_has_a_mere_bound() {
    let run = run_chess(Algorithm::Uniform, KIWIPETE, 60_000);
    let windows = |run: &common::Run| {
        let of = |c| run.tree.view(c).window.map(|w| (w.bound, w.depth));
        run.tree
            .children(Tree::ROOT)
            .filter_map(of)
            .collect::<Vec<_>>()
    };
    let all = windows(&run);
    assert_eq!(all.len(), 48);
    assert!(
        all.iter().all(|(bound, _)| *bound == Bound::Exact),
        "{all:?}"
    );
    // Extensions aside, no move is a whole iteration ahead of another.
    let depths = all.iter().map(|(_, depth)| *depth);
    let (least, most) = (
        depths.clone().min().expect("moves"),
        depths.max().expect("moves"),
    );
    assert!(most - least <= 2, "{all:?}");
    // The control: alpha-beta knows only bounds of most.
    let bounds = windows(&run_chess(Algorithm::AlphaBeta, KIWIPETE, 60_000));
    let exact = bounds
        .iter()
        .filter(|(bound, _)| *bound == Bound::Exact)
        .count();
    assert!(exact < 10, "{exact}");
}
