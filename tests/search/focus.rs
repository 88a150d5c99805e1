//! "Search this node more": the node gets its nodes, and then the search continues as usual.

use algorithms::Algorithm;
use common::legs::{ALGORITHMS, Stage, check_best_first, snapshot, walk};
use common::{KIWIPETE, any_shape, chess, toy};
use eval::{HandCrafted, ToyEvaluator};
use game::{Score, Side};
use proptest::prelude::*;
use search::{Event, EventKind, Focus, Start, StopReason};
use tree::{Family, Fate, NodeId, Tree};

fn focus(start: Start, node: NodeId, nodes: u64) -> Start {
    Start {
        focus: Some(Focus { node, nodes }),
        ..start
    }
}

fn is_best_first(algorithm: Algorithm) -> bool {
    algorithm.info().family == Family::BestFirst
}

/// Returns a reply to a move that is not the best: a place that the search would not visit by itself.
fn remote(tree: &Tree) -> NodeId {
    let best = tree.node(Tree::ROOT).fate().best();
    let open = |&id: &NodeId| {
        !matches!(
            tree.node(id).fate(),
            Fate::Ended(_) | Fate::Repetition { .. }
        )
    };
    let moves: Vec<NodeId> = tree
        .children(Tree::ROOT)
        .filter(|&c| {
            Some(tree.node(c).move_code()) != best && !tree.node(c).first_child().is_none()
        })
        .collect();
    let last = *moves.last().expect("another move");
    tree.children(last).filter(open).last().expect("a reply")
}

#[test]
fn the_node_gets_its_nodes() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in ALGORITHMS {
        let stage = Stage::new(algorithm, &situation, &evaluator);
        let (leg, _) = stage.leg(Start::default(), 30_000);
        let id = remote(&stage.tree);
        let node = stage.tree.node(id);
        let parent = stage.tree.node(node.parent());
        let root = stage.tree.node(Tree::ROOT);
        let before = [node.nodes(), parent.nodes(), root.nodes()];
        let (leg, events) = stage.leg(focus(leg.next, id, 12_000), 12_000);
        assert_eq!(leg.reason, Some(StopReason::Nodes));
        for (at, before) in [node, parent, root].into_iter().zip(before) {
            let got = at.nodes() - before;
            assert!((11_900..13_000).contains(&got), "{algorithm}: {got}");
        }
        assert_eq!(leg.next.focus, None, "{algorithm}");
        if is_best_first(algorithm) {
            check_best_first(&stage.tree, algorithm);
            // Every descent passed through it.
            let entered = |wanted: NodeId| {
                let to = |e: &&Event| matches!(e, Event::Enter { node, .. } if *node == wanted);
                events.iter().filter(to).count()
            };
            assert_eq!(entered(id), entered(Tree::ROOT));
        } else {
            let view = stage.tree.view(id);
            assert!(view.again, "{algorithm}");
            assert!(!events.iter().any(|e| e.kind() == EventKind::Iteration));
            assert!(
                events
                    .iter()
                    .all(|e| stage.tree.path(e.node()).contains(&id))
            );
        }
        // Then it continues as usual.
        let (leg, events) = stage.leg(leg.next, 30_000);
        assert_eq!(events[0].kind(), EventKind::Iteration);
        let elsewhere =
            |e: &Event| e.kind() == EventKind::Enter && !stage.tree.path(e.node()).contains(&id);
        assert!(events.iter().any(elsewhere) && leg.next.focus.is_none());
    }
}

#[test]
fn a_depth_first_focus_goes_deeper_than_before_and_ends_with_its_nodes() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in [Algorithm::AlphaBeta, Algorithm::ProbAlphaBeta] {
        let stage = Stage::new(algorithm, &situation, &evaluator);
        let (leg, _) = stage.leg(Start::default(), 30_000);
        let id = remote(&stage.tree);
        let known = stage.tree.view(id).window.map_or(0, |w| w.depth.max(0));
        let (leg, events) = stage.leg(focus(leg.next, id, 20_000), 60_000);
        let depths: Vec<i8> = events
            .iter()
            .take_while(|e| e.kind() != EventKind::Iteration)
            .filter_map(|e| match *e {
                Event::Enter { node, depth, .. } if node == id => Some(depth),
                _ => None,
            })
            .collect();
        assert!(
            depths.len() > 1 && depths[0] == known + 1,
            "{algorithm}: {depths:?}"
        );
        assert!(depths.is_sorted(), "{algorithm}: {depths:?}");
        assert!(events.iter().any(|e| e.kind() == EventKind::Iteration));
        assert_eq!(leg.reason, Some(StopReason::Nodes));
        assert_eq!(leg.next.focus, None);
    }
}

#[test]
fn an_interrupted_focus_goes_on_in_the_next_leg() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in ALGORITHMS {
        let stage = Stage::new(algorithm, &situation, &evaluator);
        let (leg, _) = stage.leg(Start::default(), 30_000);
        let id = remote(&stage.tree);
        let before = stage.tree.node(id).nodes();
        let mut start = focus(leg.next, id, 9_000);
        let mut legs = 0;
        let mut counted = 0;
        while let Some(left) = start.focus {
            assert_eq!(
                (left.node, left.nodes),
                (id, 9_000 - counted),
                "{algorithm}"
            );
            let (leg, _) = stage.leg(start, 2_000.min(left.nodes));
            counted += leg.totals.nodes;
            start = leg.next;
            legs += 1;
        }
        assert!(legs >= 4, "{algorithm}: {legs}");
        assert!(stage.tree.node(id).nodes() - before >= 8_900, "{algorithm}");
    }
}

#[test]
fn several_threads_share_a_focus() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in [Algorithm::Mcts, Algorithm::Distress] {
        let stage = Stage::new(algorithm, &situation, &evaluator);
        let (leg, _) = stage.leg(Start::default(), 30_000);
        let id = remote(&stage.tree);
        let before = stage.tree.node(id).nodes();
        stage.threads(focus(leg.next, id, 30_000), 30_000, 2);
        let got = stage.tree.node(id).nodes() - before;
        // One thread may have finished its share when the other has hardly started.
        assert!(got >= 15_000, "{algorithm}: {got}");
        check_best_first(&stage.tree, algorithm);
    }
}

/// A node with nothing left to search costs nothing.
#[test]
fn a_focus_on_what_is_known_ends_at_once() {
    let situation = chess("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let evaluator = HandCrafted::default();
    for algorithm in [Algorithm::Mcts, Algorithm::Distress] {
        let mut stage = Stage::new(algorithm, &situation, &evaluator);
        let (leg, _) = stage.leg(Start::default(), 20_000);
        let mate = stage
            .tree
            .child_by_move(Tree::ROOT, leg.next.best)
            .expect("the mate");
        assert_eq!(stage.tree.node(mate).proof().upper, Score::LOSS);
        let mut choices = search::Choices::default();
        choices.set(Tree::ROOT, stage.tree.node(mate).move_code(), true);
        let start = stage.choose(leg.next, choices);
        let visits = stage.tree.node(mate).visits();
        let (leg, _) = stage.leg(focus(start, mate, 10_000), 5_000);
        assert_eq!(
            (leg.reason, leg.next.focus),
            (Some(StopReason::Nodes), None)
        );
        assert_eq!(stage.tree.node(mate).visits(), visits, "{algorithm}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    /// For any node of any toy tree, at any time, the value found afterwards is the minimax value, and twice the same.
    #[test]
    fn a_focus_anywhere_does_no_harm(
        shape in any_shape(4), max in any::<bool>(), first in 1u64..40, at in any::<prop::sample::Index>(),
        nodes in 1u64..20, spread in prop::bool::weighted(0.3),
    ) {
        let side = if max { Side::White } else { Side::Black };
        let spread_here = if spread { 2.0 } else { 0.0 };
        let (situation, evaluator) = (toy(&shape, side, spread_here), ToyEvaluator);
        for algorithm in ALGORITHMS {
            let run = || {
                let stage = Stage::new(algorithm, &situation, &evaluator);
                let (leg, _) = stage.leg(Start::default(), first);
                let known = walk(&stage.tree);
                let node = known[at.index(known.len())];
                let before = stage.tree.node(node).nodes();
                let (focused, mut events) = stage.leg(focus(leg.next, node, nodes), nodes);
                if is_best_first(algorithm) {
                    check_best_first(&stage.tree, algorithm);
                }
                let got = stage.tree.node(node).nodes() - before;
                let (leg, rest) = stage.leg(focused.next, 100_000);
                events.extend(rest);
                (events, snapshot(&stage.tree), leg.reason, stage.tree.view(Tree::ROOT).score, got)
            };
            let (a, b) = (run(), run());
            prop_assert!(a.0 == b.0 && a.1 == b.1, "{}: not the same twice", algorithm);
            if !spread {
                prop_assert_eq!(a.2, Some(StopReason::Solved), "{}", algorithm);
                let truth = shape.minimax(max) * if max { 1 } else { -1 };
                let score = a.3.expect("a value");
                let off = (i32::from(score.raw()) - truth).abs();
                prop_assert!(off <= i32::from(algorithm == Algorithm::ProbAlphaBeta), "{}: {:?}, not {}", algorithm, score, truth);
            }
        }
    }
}
