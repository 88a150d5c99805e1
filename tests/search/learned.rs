//! Searches with the network as their evaluation.

use algorithms::Algorithm;
use common::legs::{ALGORITHMS, Stage, snapshot};
use common::{KIWIPETE, chess};
use eval::network::Learned;
use game::{Game, MoveCode};
use search::Start;

#[test]
fn a_search_with_the_network_is_reproducible() {
    let (situation, evaluator) = (chess(KIWIPETE), Learned::default());
    let run = || {
        let stage = Stage::new(Algorithm::AlphaBeta, &situation, &evaluator);
        let (leg, events) = stage.leg(Start::default(), 20_000);
        (leg.next, leg.totals.nodes, events, snapshot(&stage.tree))
    };
    let (next, nodes, events, tree) = run();
    assert!(next.best != MoveCode::NONE && next.depth > 2 && nodes >= 20_000);
    assert!(!next.score.is_decided(), "{:?}", next.score);
    assert!(run() == (next, nodes, events, tree));
}

/// A queen is left hanging, and every algorithm takes it.
#[test]
fn every_algorithm_searches_with_the_network() {
    let situation = chess("4k3/pp3ppp/8/3q4/4P3/8/PP3PPP/4K3 w - - 0 1");
    let evaluator = Learned::default();
    for algorithm in ALGORITHMS {
        let stage = Stage::new(algorithm, &situation, &evaluator);
        let (leg, _) = stage.leg(Start::default(), 2_000);
        let best = situation.position.decode(leg.next.best).expect("a move");
        assert_eq!(situation.position.uci(best), "e4d5", "{algorithm}");
    }
}
