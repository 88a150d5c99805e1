//! MCTS with certainty propagation: proofs compared with minimax and known mates, events, determinism, two threads.

use std::collections::HashMap;

use algorithms::Algorithm;
use common::{KIWIPETE, Shape, any_shape, check_nesting, chess, run_chess, run_toy, toy};
use game::{Ending, Game, Score, Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::{Event, Limits, StopReason};
use session::{Config, Session, State, Subject};
use tree::{Fate, NodeId, Proof, Tree};

const PUBLISHED: [(&str, i32); 4] = [
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
];

#[test]
fn published_trees_are_solved_to_their_published_values() {
    for (tree, value) in PUBLISHED {
        let situation = toy(&Shape::parse(tree), Side::White, 0.0);
        let run = run_toy(Algorithm::Mcts, &situation, 10_000);
        assert_eq!(run.reason, Some(StopReason::Solved), "{tree}");
        let proof = run.tree.node(Tree::ROOT).proof();
        assert_eq!(proof, Proof::exact(Score::new(value)), "{tree}");
    }
}

/// Returns the exact score of a toy position from the side to move's view, by brute force.
fn minimax(position: &ToyPosition) -> Score {
    let moves = position.legal_moves();
    let scores = moves.into_iter().map(|m| {
        let mut after = position.clone();
        after.play(m);
        minimax(&after).one_ply_up()
    });
    scores
        .max()
        .unwrap_or_else(|| position.ending_score(Ending::Leaf))
}

fn place(tree: &Tree, id: NodeId, situation: &Situation<ToyPosition>) -> ToyPosition {
    let mut position = situation.position.clone();
    for code in tree.moves_to(id) {
        let m = position.decode(code).expect("a move of the tree");
        position.play(m);
    }
    position
}

/// Bounds never loosen and never exclude the truth, neither after any step nor at the end.
fn check_bounds(run: &common::Run, situation: &Situation<ToyPosition>) {
    let mut known: HashMap<NodeId, Proof> = HashMap::new();
    for event in &run.events {
        if let Event::Prove { node, proof } = event {
            let before = known.insert(*node, *proof).unwrap_or(Proof::OPEN);
            assert!(before.lower <= proof.lower && proof.upper <= before.upper);
            let truth = minimax(&place(&run.tree, *node, situation));
            assert!(
                proof.lower <= truth && truth <= proof.upper,
                "{proof:?} excludes {truth:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn random_trees_are_solved_and_no_bound_is_ever_wrong(shape in any_shape(5), max in any::<bool>()) {
        let side = if max { Side::White } else { Side::Black };
        let situation = toy(&shape, side, 0.0);
        let run = run_toy(Algorithm::Mcts, &situation, 100_000);
        prop_assert_eq!(run.reason, Some(StopReason::Solved));
        let root = run.tree.node(Tree::ROOT);
        prop_assert_eq!(root.proof(), Proof::exact(minimax(&situation.position)));
        prop_assert_eq!(root.nodes(), run.totals.nodes);
        check_bounds(&run, &situation);
        check_nesting(&run);
        // The fate names a move that really has the value.
        let best = root.fate().best().expect("a best move");
        let child = run.tree.child_by_move(Tree::ROOT, best).expect("in the tree");
        prop_assert_eq!(run.tree.node(child).proof().lower.one_ply_up().max(root.proof().lower), root.proof().lower);
    }

    /// Leaves with a spread prove nothing: nothing is solved, and the search ends when nothing is left to look at.
    #[test]
    fn uncertain_leaves_prove_nothing(shape in any_shape(3)) {
        let situation = toy(&shape, Side::White, 2.0);
        let run = run_toy(Algorithm::Mcts, &situation, 100_000);
        prop_assert_eq!(run.reason, Some(StopReason::Exhausted));
        prop_assert!(!run.tree.node(Tree::ROOT).proof().is_certain());
        let horizon = Fate::Horizon { static_value: Score::DRAW }.kind();
        prop_assert!(run.totals.fates[horizon] > 0);
    }
}

/// Mates in one to three are all proven, most of those in four, and no bound ever excludes the true distance.
#[test]
fn mates_are_proven_with_their_exact_distance() {
    for (name, moves, take, nodes, least) in [
        ("mates/sunfish_mate1.fen", 1, 100, 200, 1.0),
        ("mates/sunfish_mate2.fen", 2, 300, 10_000, 1.0),
        ("mates/sunfish_mate3.fen", 3, 100, 200_000, 1.0),
        ("mates/sunfish_mate4.fen", 4, 8, 300_000, 0.5),
    ] {
        let truth = Score::win_in(2 * moves - 1);
        let positions = common::positions(name);
        let taken = positions.len().min(take);
        let mut proven = 0;
        for fen in positions.iter().take(taken) {
            let run = run_chess(Algorithm::Mcts, fen, nodes);
            let proof = run.tree.node(Tree::ROOT).proof();
            assert!(
                proof.lower <= truth && truth <= proof.upper,
                "{fen}: {proof:?}"
            );
            if proof.is_exact() {
                proven += 1;
                assert_eq!(run.reason, Some(StopReason::Solved));
            }
        }
        println!("{name}: {proven} of {taken} proven");
        assert!(
            f64::from(proven) >= least * taken as f64,
            "{name}: {proven} of {taken}"
        );
    }
}

#[test]
fn stalemate_is_no_loss() {
    // Qf7 would be stalemate; Qf8 mates.
    let run = run_chess(Algorithm::Mcts, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 50_000);
    assert_eq!(
        run.tree.node(Tree::ROOT).proof(),
        Proof::exact(Score::win_in(1))
    );
    // White to move has no move and is not in check.
    let run = run_chess(Algorithm::Mcts, "7K/5q2/6k1/8/8/8/8/8 w - - 0 1", 1_000);
    assert_eq!(
        run.tree.node(Tree::ROOT).fate(),
        Fate::Ended(Ending::Stalemate)
    );
    assert_eq!(run.tree.node(Tree::ROOT).proof(), Proof::exact(Score::DRAW));
    // Capturing the last pawn is an immediate draw.
    let run = run_chess(Algorithm::Mcts, "8/8/8/8/8/1k6/1p6/K7 w - - 0 1", 50_000);
    for child in run.tree.children(Tree::ROOT) {
        assert!(!run.tree.node(child).proof().is_win() || run.tree.node(child).proof().is_exact());
    }
}

#[test]
fn two_runs_are_the_same_event_for_event() {
    let a = run_chess(Algorithm::Mcts, KIWIPETE, 3_000);
    let b = run_chess(Algorithm::Mcts, KIWIPETE, 3_000);
    assert_eq!(a.totals.nodes, 3_000);
    assert!(a.events.len() > 10_000);
    assert!(a.events == b.events);
    check_nesting(&a);
}

#[test]
fn visits_and_nodes_add_up() {
    let run = run_chess(Algorithm::Mcts, KIWIPETE, 20_000);
    let tree = &run.tree;
    assert_eq!(tree.node(Tree::ROOT).nodes(), 20_000);
    assert_eq!(
        u64::from(tree.node(Tree::ROOT).visits()),
        run.totals.playouts
    );
    for id in 1..=tree.len() {
        let node = tree.node(NodeId(id));
        let below: u64 = tree
            .children(NodeId(id))
            .map(|c| tree.node(c).nodes())
            .sum();
        assert!(below <= node.nodes() || node.visits() == 0);
        let prior: f32 = tree
            .children(NodeId(id))
            .map(|c| tree.node(c).policy())
            .sum();
        assert!(node.child_count() == 0 || (prior - 1.0).abs() < 1e-3);
    }
}

/// A position that recurs within the tree is a draw as long as both sides want it, but that does not prove one.
#[test]
fn a_first_repetition_is_a_draw_without_proof() {
    let run = run_chess(Algorithm::Mcts, "7k/8/8/8/8/8/r7/7K w - - 0 1", 30_000);
    let nodes = (1..=run.tree.len()).map(|id| run.tree.node(NodeId(id)));
    let repeated: Vec<_> = nodes
        .filter(|n| matches!(n.fate(), Fate::Repetition { .. }))
        .collect();
    assert!(repeated.len() > 10, "{}", repeated.len());
    for node in repeated {
        assert_eq!(node.expected(), 0.0);
        assert!(!node.proof().is_exact());
    }
}

/// The third occurrence, counting the game's history, is a proven draw that is marked as holding only on this path.
#[test]
fn a_third_occurrence_is_proven_for_this_path_only() {
    let mut situation = chess("7k/8/8/8/8/8/r7/7K w - - 0 1");
    for uci in ["h1g1", "a2b2", "g1h1", "b2a2", "h1g1", "a2b2", "g1h1"] {
        let m = situation
            .position
            .legal_moves()
            .into_iter()
            .find(|m| situation.position.uci(*m) == uci)
            .expect("legal");
        situation.play(m);
    }
    let run = common::run(
        Algorithm::Mcts,
        &situation,
        &eval::HandCrafted::default(),
        &Algorithm::Mcts.default_options(),
        common::nodes(5_000),
        64 << 20,
    );
    let third = run
        .tree
        .children(Tree::ROOT)
        .map(|id| run.tree.node(id))
        .find(|n| matches!(n.fate(), Fate::Repetition { times: 2, .. }))
        .expect("Ra2 stands for the third time");
    assert_eq!(third.proof(), Proof::exact(Score::DRAW));
    assert!(third.is_path_dependent());
    let root = run.tree.node(Tree::ROOT);
    assert!(root.proof().lower >= Score::DRAW && root.is_path_dependent());
}

fn session(subject: Subject, threads: usize, nodes: u64, memory: u64) -> Session {
    let mut config = Config::new(Algorithm::Mcts);
    config.threads = threads;
    config.limits.nodes = Some(nodes);
    config.memory = memory;
    let mut session = Session::start(subject, config);
    session.join();
    session
}

#[test]
fn two_threads_prove_nothing_wrong_and_leave_a_consistent_tree() {
    for fen in common::positions("mates/sunfish_mate2.fen").iter().take(8) {
        let session = session(Subject::from(chess(fen)), 2, 2_000_000, 512 << 20);
        let proof = session.tree().node(Tree::ROOT).proof();
        assert_eq!(proof, Proof::exact(Score::win_in(3)), "{fen}");
    }
    for (tree, value) in PUBLISHED {
        let situation = toy(&Shape::parse(tree), Side::White, 0.0);
        let session = session(Subject::from(situation), 2, 100_000, 64 << 20);
        let proof = session.tree().node(Tree::ROOT).proof();
        assert_eq!(proof, Proof::exact(Score::new(value)), "{tree}");
    }
    let session = session(Subject::from(chess(KIWIPETE)), 2, 300_000, 1 << 30);
    let (tree, totals) = (session.tree(), session.status().totals);
    assert_eq!(tree.node(Tree::ROOT).nodes(), totals.nodes);
    assert_eq!(u64::from(tree.node(Tree::ROOT).visits()), totals.playouts);
    for id in 1..=tree.len() {
        let node = tree.node(NodeId(id));
        assert_ne!(node.fate(), Fate::Interrupted, "a claim was left behind");
        assert!(node.expected().abs() <= 1.0);
        if node.visits() > 0 {
            assert!((node.total() / f64::from(node.visits())).abs() <= 1.0 + 1e-6);
        }
    }
}

#[test]
fn a_full_memory_ends_the_search_and_says_so() {
    let session = session(Subject::from(chess(KIWIPETE)), 1, u64::MAX, 1 << 20);
    assert_eq!(session.status().state, State::Finished(StopReason::Memory));
    assert!(session.tree().len() <= (1 << 20) / 64);
}

#[test]
fn depth_is_the_deepest_ply() {
    let limits = Limits {
        depth: Some(2),
        nodes: Some(100_000),
        ..Limits::default()
    };
    let run = common::run(
        Algorithm::Mcts,
        &chess(KIWIPETE),
        &eval::HandCrafted::default(),
        &Algorithm::Mcts.default_options(),
        limits,
        256 << 20,
    );
    assert_eq!(run.totals.selective_depth, 2);
    assert_eq!(run.reason, Some(StopReason::Exhausted));
}

/// Even in the middle of an expansion with quiescence at every child, a thread looks up at least every 256 nodes (about
/// 0.1 ms) and then unwinds without counting another one.
#[test]
fn a_stop_is_answered_within_a_few_hundred_nodes() {
    for algorithm in [Algorithm::Mcts, Algorithm::Distress] {
        let mut config = Config::new(algorithm);
        config.memory = 256 << 20;
        let mut session = Session::start(Subject::from(chess(KIWIPETE)), config);
        while session.status().totals.nodes < 10_000 {
            std::thread::yield_now();
        }
        session.stop();
        // The published count may lag by what a thread counts between two looks.
        let before = session.status().totals.nodes;
        session.join();
        let after = session.status().totals.nodes;
        assert_eq!(session.status().state, State::Finished(StopReason::User));
        assert!(after - before <= 2 * 256, "{algorithm}: {}", after - before);
    }
}
