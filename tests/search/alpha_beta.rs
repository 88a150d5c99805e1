//! Compares alpha-beta with plain minimax, on published and random toy trees and in chess.

use std::collections::HashMap;

use algorithms::Algorithm;
use common::{KIWIPETE, Shape, any_shape, check_nesting, run_chess, run_toy, toy};
use game::{Ending, Score, Side};
use proptest::prelude::*;
use search::{Event, StopReason};
use tree::{Fate, NodeId, Tree};

fn root_value(tree: &Tree) -> i16 {
    tree.view(Tree::ROOT)
        .score
        .expect("a value at the root")
        .raw()
}

fn leaves_seen(run: &common::Run) -> usize {
    run.events
        .iter()
        .filter(|e| {
            matches!(
                e,
                Event::End {
                    fate: Fate::Ended(Ending::Leaf),
                    ..
                }
            )
        })
        .count()
}

#[test]
fn published_trees_have_their_published_values() {
    for (tree, value) in [
        ("[[3,12,8],[2,4,6],[14,5,2]]", 3),
        (
            "[[[[41,5],[12,90]],[[101,80],[20,30]]],[[[34,80],[36,35]],[[50,36],[25,3]]]]",
            35,
        ),
        ("[[5,2],[3,4]]", 3),
        (
            "[[[[8,20],[18,16]],[[24,20],[10,12,4]]],[[[8,21],[11,5,10]],[[32,27],[10,9,4,3]]]]",
            16,
        ),
    ] {
        let run = run_toy(
            Algorithm::AlphaBeta,
            &toy(&Shape::parse(tree), Side::White, 0.0),
            10_000,
        );
        assert_eq!(root_value(&run.tree), value, "{tree}");
        assert_eq!(run.reason, Some(StopReason::Solved));
    }
}

/// Russell and Norvig, figure 5.2: from left to right alpha-beta reads seven of the nine leaves, all except 4 and 6.
#[test]
fn the_textbook_tree_skips_the_two_published_leaves() {
    let situation = toy(
        &Shape::parse("[[3,12,8],[2,4,6],[14,5,2]]"),
        Side::White,
        0.0,
    );
    let run = run_toy(Algorithm::AlphaBeta, &situation, 10_000);
    assert_eq!(leaves_seen(&run), 7);
    let second = run
        .tree
        .children(Tree::ROOT)
        .nth(1)
        .expect("the second child");
    assert_eq!(run.tree.children(second).count(), 1);
    let Fate::BetaCutoff {
        searched,
        value,
        beta,
        ..
    } = run.tree.node(second).fate()
    else {
        panic!("{:?}", run.tree.node(second).fate());
    };
    assert_eq!((searched, value, beta), (1, Score::new(-2), Score::new(-3)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_trees_have_their_minimax_value(shape in any_shape(6), white: bool) {
        let side = if white { Side::White } else { Side::Black };
        let run = run_toy(Algorithm::AlphaBeta, &toy(&shape, side, 0.0), 1_000_000);
        let minimax = shape.minimax(white) as i16;
        prop_assert_eq!(root_value(&run.tree), if white { minimax } else { -minimax });
        prop_assert!(leaves_seen(&run) <= shape.leaves());
        check_nesting(&run);
    }
}

#[test]
fn mates_are_found_with_their_distance() {
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        // From Sunfish's collection of mates in two.
        (
            "8/1p3Qb1/p5pk/P1p1p1p1/1P2P1P1/2P1N2n/5P1P/4qB1K w - - 1 0",
            2,
        ),
        (
            "3rrk2/2p2pR1/p4n2/1p1PpP2/2p2q1P/3P1BQ1/PPP5/6RK w - - 1 0",
            2,
        ),
    ] {
        let run = run_chess(Algorithm::AlphaBeta, fen, 2_000_000);
        let score = run.tree.view(Tree::ROOT).score.expect("a score");
        assert_eq!(score.mate_moves(), Some(mate), "{fen}: {score:?}");
        assert_eq!(run.reason, Some(StopReason::Solved), "{fen}");
    }
}

#[test]
fn stalemate_is_a_draw_and_checkmate_a_loss_in_nothing() {
    let stalemate = run_chess(
        Algorithm::AlphaBeta,
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        1_000,
    );
    assert_eq!(
        stalemate.tree.node(Tree::ROOT).fate(),
        Fate::Ended(Ending::Stalemate)
    );
    assert_eq!(root_value(&stalemate.tree), 0);
    let mate = run_chess(
        Algorithm::AlphaBeta,
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        1_000,
    );
    assert_eq!(
        mate.tree.node(Tree::ROOT).fate(),
        Fate::Ended(Ending::Checkmate)
    );
    assert_eq!(mate.tree.view(Tree::ROOT).score, Some(Score::LOSS));
}

#[test]
fn one_thread_is_deterministic_event_for_event() {
    let (a, b) = (
        run_chess(Algorithm::AlphaBeta, KIWIPETE, 60_000),
        run_chess(Algorithm::AlphaBeta, KIWIPETE, 60_000),
    );
    assert_eq!(a.totals, b.totals);
    assert!(a.events == b.events);
    check_nesting(&a);
}

/// Replays the events: each node's fate is what its last event said.
#[test]
fn every_fate_is_explained_by_an_event() {
    let run = run_chess(Algorithm::AlphaBeta, KIWIPETE, 60_000);
    let mut said: HashMap<NodeId, Fate> = HashMap::new();
    let mut skipped = HashMap::new();
    let mut entered: HashMap<NodeId, bool> = HashMap::new();
    for event in &run.events {
        match *event {
            Event::Prune { parent, m, fate } => {
                skipped
                    .entry((parent, m))
                    .or_insert_with(Vec::new)
                    .push(fate);
            }
            Event::Cut { node, fate }
            | Event::TableHit { node, fate }
            | Event::End { node, fate, .. } => {
                said.insert(node, fate);
            }
            Event::Enter { node, .. } => {
                said.remove(&node);
                entered.insert(node, true);
            }
            _ => {}
        }
    }
    let mut seen = 0;
    let mut stack = vec![Tree::ROOT];
    while let Some(id) = stack.pop() {
        stack.extend(run.tree.children(id));
        let fate = run.tree.node(id).fate();
        match fate {
            Fate::Unvisited => assert!(!entered.contains_key(&id)),
            Fate::Expanded { .. } | Fate::Horizon { .. } | Fate::Interrupted => {
                assert!(entered[&id])
            }
            Fate::Futility { .. }
            | Fate::LateMovePruning { .. }
            | Fate::LosingMoves { .. }
            | Fate::DeltaPruning { .. }
            | Fate::LosingCaptures => {
                let node = run.tree.node(id);
                assert!(skipped[&(node.parent(), node.move_code())].contains(&fate));
            }
            _ if said.contains_key(&id) => assert_eq!(said[&id], fate, "node {id:?}"),
            // Entered again when the run was stopped, so the fate of the previous iteration is kept.
            _ => assert!(entered[&id], "{fate:?} of {id:?} is not explained"),
        }
        seen += 1;
    }
    assert!(seen > 30_000, "{seen} nodes");
    let counted: u64 = run.totals.fates.iter().sum();
    assert!(counted as usize >= seen / 2);
}

#[test]
fn a_small_budget_is_used_up_without_harm() {
    let situation = common::chess(KIWIPETE);
    let limits = common::nodes(100_000);
    let options = Algorithm::AlphaBeta.default_options();
    let run = common::run(
        Algorithm::AlphaBeta,
        &situation,
        &eval::HandCrafted::default(),
        &options,
        limits,
        1 << 20,
    );
    assert!(run.tree.len() <= run.tree.capacity());
    assert!(run.totals.unrecorded > 0, "what is not recorded is counted");
    assert!(run.tree.node(Tree::ROOT).fate().best().is_some());
}
