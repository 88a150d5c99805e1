//! DISTRESS: back-ups compared with back-ups by hand, proofs, events, determinism, two threads.

use algorithms::Algorithm;
use belief::{BINS, BackUp, Cdf, Rule, Ties};
use common::{KIWIPETE, Shape, any_shape, check_nesting, chess, run_chess, run_toy, toy};
use game::{Ending, Score, Side};
use proptest::prelude::*;
use search::{Event, StopReason};
use session::{Config, Session, Subject};
use tree::{Fate, NodeId, Proof, Tree};

fn open(proof: Proof) -> bool {
    proof.lower.is_loss() && proof.upper.is_win()
}

/// Every inner node without proven bounds holds exactly what a back-up of its children gives, bit for bit.
fn check_back_ups(tree: &Tree, rule: Rule, ties: Ties) -> usize {
    let mut back_up = BackUp::new(rule, ties);
    let mut checked = 0;
    for id in (1..=tree.len()).map(NodeId) {
        let node = tree.node(id);
        if !matches!(node.fate(), Fate::Expanded { .. }) {
            continue;
        }
        let children: Vec<NodeId> = tree.children(id).collect();
        let beliefs: Vec<Cdf> = children
            .iter()
            .map(|c| tree.belief(*c).expect("a belief").negated())
            .collect();
        let mut policy = vec![0.0; beliefs.len()];
        let belief = back_up.run(&beliefs, &mut policy);
        let sum: f32 = policy.iter().sum();
        assert!((sum - 1.0).abs() < 1e-4);
        for (child, share) in children.iter().zip(&policy) {
            assert_eq!(tree.node(*child).policy(), *share);
        }
        if open(node.proof()) {
            assert_eq!(tree.belief(id), Some(belief));
            assert!((node.expected() - belief.mean(tree.grid())).abs() < 1e-4);
        }
        checked += 1;
    }
    checked
}

#[test]
fn every_node_is_the_back_up_of_its_children() {
    let run = run_chess(Algorithm::Distress, KIWIPETE, 30_000);
    let backed_up = check_back_ups(&run.tree, Rule::default(), Ties::default());
    assert!(backed_up > 8, "{backed_up}");
    let mut options = Algorithm::Distress.default_options();
    options.set("backup", "exp:1.5").expect("a rule");
    options.set("ties", "essay").expect("a word");
    options.set("allocation", "ucb").expect("a word");
    options.set("leaf", "quiescence").expect("a word");
    options.set("eval", "hand").expect("a word");
    let limits = common::nodes(20_000);
    let run = common::run(
        Algorithm::Distress,
        &chess(KIWIPETE),
        &eval::HandCrafted::default(),
        &options,
        limits,
        256 << 20,
    );
    let backed_up = check_back_ups(&run.tree, Rule::Exponential(1.5), Ties::Essay);
    assert!(backed_up > 5, "{backed_up}");
}

#[test]
fn nodes_are_counted_once_and_the_limit_is_kept() {
    let run = run_chess(Algorithm::Distress, KIWIPETE, 20_000);
    assert_eq!(run.totals.nodes, 20_000);
    assert_eq!(run.tree.node(Tree::ROOT).nodes(), 20_000);
    assert_eq!(run.reason, Some(StopReason::Nodes));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    /// With exact leaves DISTRESS is a solver: the root's proof is the minimax value, and its belief is that atom.
    #[test]
    fn exact_trees_are_solved(shape in any_shape(5), max in any::<bool>()) {
        let side = if max { Side::White } else { Side::Black };
        let situation = toy(&shape, side, 0.0);
        let run = run_toy(Algorithm::Distress, &situation, 100_000);
        prop_assert_eq!(run.reason, Some(StopReason::Solved));
        let value = shape.minimax(max) * if max { 1 } else { -1 };
        let root = run.tree.node(Tree::ROOT);
        prop_assert_eq!(root.proof(), Proof::exact(Score::new(value)));
        let bin = run.tree.grid().bin_of(run.tree.scale().expected(Score::new(value)));
        prop_assert_eq!(run.tree.belief(Tree::ROOT), Some(Cdf::atom(bin)));
        check_nesting(&run);
    }

    /// With uncertain leaves the finished tree holds the exact back-up, in whatever order it grew.
    #[test]
    fn uncertain_trees_end_in_the_same_belief_whatever_the_order(shape in any_shape(4)) {
        let situation = toy(&shape, Side::White, 3.0);
        let mut beliefs = Vec::new();
        for allocation in ["criticality", "puct", "ucb"] {
            let mut options = Algorithm::Distress.default_options();
            options.set("allocation", allocation).expect("a word");
            let limits = common::nodes(100_000);
            let run = common::run(
                Algorithm::Distress,
                &situation,
                &eval::ToyEvaluator,
                &options,
                limits,
                64 << 20,
            );
            prop_assert_eq!(run.reason, Some(StopReason::Exhausted));
            prop_assert!(!run.tree.node(Tree::ROOT).proof().is_certain());
            check_back_ups(&run.tree, Rule::default(), Ties::default());
            // Criticality opens only what matters: a move that cannot be best may stay unopened.
            if allocation != "criticality" {
                beliefs.push(run.tree.belief(Tree::ROOT));
            }
        }
        prop_assert_eq!(&beliefs[0], &beliefs[1]);
    }
}

/// Sharp mates need breadth: the DISTRESS essay's UCB formula finds most of them, and none is ever wrong.
#[test]
fn mates_are_proven_and_shown_as_atoms() {
    let mut options = Algorithm::Distress.default_options();
    options.set("allocation", "ucb").expect("a word");
    options.set("leaf", "static").expect("a word");
    let limits = common::nodes(100_000);
    let positions = common::positions("mates/sunfish_mate2.fen");
    let taken = positions.len().min(20);
    let mut proven = 0;
    for fen in positions.iter().take(taken) {
        let run = common::run(
            Algorithm::Distress,
            &chess(fen),
            &eval::HandCrafted::default(),
            &options,
            limits,
            256 << 20,
        );
        let proof = run.tree.node(Tree::ROOT).proof();
        assert!(
            proof.lower <= Score::win_in(3) && proof.upper >= Score::win_in(3),
            "{fen}"
        );
        if proof.is_exact() {
            proven += 1;
            assert_eq!(run.tree.belief(Tree::ROOT), Some(Cdf::atom(BINS - 1)));
            assert_eq!(run.reason, Some(StopReason::Solved));
        }
    }
    assert!(proven * 10 >= taken * 9, "{proven} of {taken}");
}

#[test]
fn stalemate_is_a_draw() {
    let run = run_chess(Algorithm::Distress, "7K/5q2/6k1/8/8/8/8/8 w - - 0 1", 1_000);
    let root = run.tree.node(Tree::ROOT);
    assert_eq!(root.fate(), Fate::Ended(Ending::Stalemate));
    assert_eq!(root.proof(), Proof::exact(Score::DRAW));
    assert_eq!(run.tree.belief(Tree::ROOT), Some(Cdf::atom(belief::MIDDLE)));
}

#[test]
fn two_runs_are_the_same_event_for_event() {
    let a = run_chess(Algorithm::Distress, KIWIPETE, 60_000);
    let b = run_chess(Algorithm::Distress, KIWIPETE, 60_000);
    assert!(a.events.len() > 400, "{}", a.events.len());
    assert!(a.events == b.events);
    check_nesting(&a);
    let back_ups = a
        .events
        .iter()
        .filter(|e| matches!(e, Event::BackUp { .. }))
        .count();
    assert_eq!(back_ups as u64, a.totals.back_ups);
}

#[test]
fn two_threads_leave_a_tree_that_is_backed_up() {
    let mut config = Config::new(Algorithm::Distress);
    config.threads = 2;
    config.limits.nodes = Some(300_000);
    config.options.set("leaf", "quiescence").expect("a word");
    config.memory = 1 << 30;
    let mut session = Session::start(Subject::from(chess(KIWIPETE)), config);
    session.join();
    let tree = session.tree();
    assert_eq!(tree.node(Tree::ROOT).nodes(), session.status().totals.nodes);
    let leaves = (1..=tree.len()).map(|i| tree.node(NodeId(i)));
    for node in leaves {
        assert_ne!(node.fate(), Fate::Interrupted, "a claim was left behind");
    }
    let backed_up = check_back_ups(tree, Rule::default(), Ties::default());
    assert!(backed_up > 50, "{backed_up}");
    let shape = Shape::parse(
        "[[[[41,5],[12,90]],[[101,80],[20,30]]],[[[34,80],[36,35]],[[50,36],[25,3]]]]",
    );
    let mut config = Config::new(Algorithm::Distress);
    config.threads = 2;
    let mut session = Session::start(Subject::from(toy(&shape, Side::White, 0.0)), config);
    session.join();
    assert_eq!(
        session.tree().node(Tree::ROOT).proof(),
        Proof::exact(Score::new(35))
    );
}
