//! DISTRESS with searched leaves: how deeply, how often, what is proven, and the reported belief.

use crate::common;

use common::{KIWIPETE, chess};
use plyscope::belief::BINS;
use plyscope::engine::{Config, Session, Source, Subject};
use plyscope::eval::HandCrafted;
use plyscope::game::load::fen;
use plyscope::game::{Score, Situation};
use plyscope::search::{Algorithm, Limits};
use plyscope::tree::{Fate, NodeId, Tree};

#[test]
fn a_leaf_is_searched_a_ply_deeper_a_visit_before_it_is_expanded() {
    let mut config = config(60_000);
    config.options.set("leaf-depth", "1").expect("a depth");
    config.options.set("leaf-deepest", "3").expect("a depth");
    let mut session = Session::start(Subject::from(chess(KIWIPETE)), config);
    session.join();
    let reader = session.reader();
    let tree = reader.tree;
    let (mut expanded, mut leaves, mut deepened) = (0, 0, 0);
    for id in (2..=tree.len()).map(NodeId) {
        let node = tree.node(id);
        match node.fate() {
            Fate::Expanded { .. } => {
                assert_eq!(node.leaf_depth(), 3);
                expanded += 1;
                // What its own search found is not given up.
                let depths = tree.children(id).map(|c| tree.node(c));
                let depths = depths.filter(|c| !matches!(c.fate(), Fate::Ended(_)));
                assert!(depths.map(|c| c.leaf_depth()).all(|d| (2..=3).contains(&d)));
            }
            Fate::Frontier => {
                assert!((1..=3).contains(&node.leaf_depth()));
                leaves += 1;
                let made_with = if node.parent() == Tree::ROOT { 1 } else { 2 };
                let visits = u32::from(node.leaf_depth()) - made_with + 1;
                assert_eq!(node.visits(), visits, "a visit a ply");
                deepened += u32::from(visits > 1);
            }
            _ => {}
        }
    }
    assert!(
        expanded > 2 && leaves > 60 && deepened > 5,
        "{expanded} {leaves} {deepened}"
    );
}

fn config(nodes: u64) -> Config {
    Config {
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        ..Config::new(Algorithm::Distress)
    }
}

#[test]
fn no_mate_that_a_leaf_finds_is_wrong() {
    // Mates in two: the bounds never claim less, and never that there is none.
    let mates = [
        "8/1p3Qb1/p5pk/P1p1p1p1/1P2P1P1/2P1N2n/5P1P/4qB1K w - - 0 1",
        "3rrk2/2p2pR1/p4n2/1p1PpP2/2p2q1P/3P1BQ1/PPP5/6RK w - - 0 1",
        "r4kr1/1b2R1n1/pq4p1/4Q3/1p4P1/5P2/PPP4P/1K2R3 w - - 0 1",
    ];
    let mut proven = 0;
    for mate in mates {
        let position = fen::parse(mate).expect("a FEN").position;
        let subject = Subject::from(Situation::new(position));
        let mut session = Session::start(subject, config(40_000));
        session.join();
        let proof = session.reader().tree.node(Tree::ROOT).proof();
        assert!(proof.lower <= Score::win_in(3), "{mate}: {proof:?}");
        assert!(proof.upper >= Score::win_in(3), "{mate}: {proof:?}");
        proven += usize::from(proof.is_win());
    }
    assert!(proven >= 2, "{proven}");
}

#[test]
fn two_thousand_nodes_bring_a_move_and_are_counted() {
    for nodes in [2_000, 5_000] {
        let mut session = Session::start(Subject::from(chess(KIWIPETE)), config(nodes));
        session.join();
        let summary = session.summary();
        assert!(summary.best.is_some(), "{nodes}");
        let counted = summary.status.totals.nodes;
        assert!(counted.abs_diff(nodes) < 300, "{counted} of {nodes}");
    }
}

#[test]
fn one_thread_does_the_same_again() {
    let run = || {
        common::run(
            Algorithm::Distress,
            &chess(KIWIPETE),
            &HandCrafted::default(),
            &Algorithm::Distress.default_options(),
            config(20_000).limits,
            256 << 20,
        )
    };
    let (one, other) = (run(), run());
    assert_eq!(one.events.len(), other.events.len());
    assert!(one.tree.difference(&other.tree).is_none());
}

#[test]
fn the_reported_belief_has_the_fitted_width_and_the_own_one_stays() {
    let summary = |word: &str| {
        let mut config = config(5_000);
        config.options.set("calibrated", word).expect("a switch");
        let mut session = Session::start(Subject::from(chess(KIWIPETE)), config);
        session.join();
        session.summary()
    };
    let (on, off) = (summary("on"), summary("off"));
    let own = on.own_belief.expect("a belief");
    assert_eq!(Some(&own), off.belief.as_ref());
    let reported = on.belief.expect("a belief");
    assert_eq!(reported.source, Source::Calibrated);
    assert!(reported.sd > 0.05 && reported.sd != own.sd);
    let mass: f32 = reported.density.0[..BINS].iter().sum();
    assert!((mass - 1.0).abs() < 1e-4);
}
