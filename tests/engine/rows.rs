//! The rows of trees from real searches: every legal move appears once, and every skipped move is reported.

use algorithms::{ALGORITHMS, Algorithm};
use common::{self, backed_up};
use game::load::fen;
use game::{Game, MoveCode, Situation};
use report::lens::Scores;
use report::why;
use session::{Config, Row, RowId, Session, Source, Subject};
use tree::{Family, Fate, NodeId, Tree};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn searched(algorithm: Algorithm, nodes: u64) -> Session {
    let position = fen::parse(KIWIPETE).expect("a FEN").position;
    let mut session = Session::start(
        Subject::from(Situation::new(position)),
        Config {
            limits: common::nodes(nodes),
            memory: 256 << 20,
            options: algorithm.default_options(),
            ..Config::new(algorithm)
        },
    );
    session.join();
    session
}

fn legal_moves(session: &Session, id: NodeId) -> usize {
    let at = session.situation(id).expect("a node of the tree");
    at.position.legal_moves().len()
}

/// One node in every few, so that all depths occur.
fn sample(session: &Session, step: usize) -> Vec<NodeId> {
    let tree = session.tree();
    let all = (1..=tree.len()).map(NodeId);
    let reached = |id: &NodeId| *id == Tree::ROOT || !tree.node(*id).parent().is_none();
    all.filter(reached).step_by(step).collect()
}

#[test]
fn rows_are_the_legal_moves_each_once_with_a_reason() {
    for row in &ALGORITHMS {
        let session = searched(row.algorithm, 20_000);
        let reader = session.reader();
        for id in sample(&session, 97) {
            let rows = reader.rows(id);
            // And the null move, if it was tried.
            let legal = rows
                .iter()
                .filter(|r| r.move_code != MoveCode::PASS)
                .count();
            assert_eq!(legal, legal_moves(&session, id), "{}", row.name);
            let mut moves: Vec<_> = rows.iter().map(|r| r.move_code).collect();
            moves.sort();
            moves.dedup();
            assert_eq!(moves.len(), rows.len(), "{}: a move twice", row.name);
            for r in &rows {
                let text = why::why(&reader, r);
                assert!(text.ends_with('.') && text.len() > 10, "{text}");
                assert!(!why::brief_with(&r.view, &Scores::plain(reader.scale()), None).is_empty());
            }
        }
    }
}

fn is_skip_by_rule(row: &Row) -> bool {
    matches!(row.id, RowId::Withheld { .. }) && matches!(row.view.fate, Fate::Futility { .. })
}

/// The number of futile moves shown equals what the search counted at the node.
#[test]
fn implied_skips_are_as_many_as_were_made() {
    let session = searched(Algorithm::AlphaBeta, 60_000);
    let reader = session.reader();
    let (mut nodes, mut skips) = (0, 0);
    for id in sample(&session, 1) {
        let view = reader.view(id);
        let Fate::Expanded { skipped, .. } = view.fate else {
            continue;
        };
        if skipped == 0 || view.window.is_none_or(|w| w.depth <= 0) {
            continue;
        }
        let told = reader
            .rows(id)
            .iter()
            .filter(|r| is_skip_by_rule(r))
            .count();
        // A move recorded in an earlier iteration keeps its node and is not reported again.
        assert!(told <= usize::from(skipped), "{told} of {skipped}");
        nodes += 1;
        skips += told;
    }
    assert!(nodes > 100 && skips > 1_000, "{nodes} nodes, {skips} skips");
}

#[test]
fn stored_beliefs_are_shown_as_they_are() {
    for algorithm in [Algorithm::ProbAlphaBeta, Algorithm::Distress] {
        let session = searched(algorithm, 5_000);
        let belief = session.reader().belief(Tree::ROOT).expect("a belief");
        assert_eq!(belief.source, Source::Stored, "{algorithm}");
        assert!(belief.sd > 0.0);
        let grid = session.tree().grid();
        assert!((belief.density.mean(grid) - belief.mean).abs() < 1e-3);
        let (low, high) = (belief.quantile(0.05, grid), belief.quantile(0.95, grid));
        assert!(low <= belief.mean && belief.mean <= high, "{algorithm}");
    }
}

#[test]
fn a_best_line_is_playable_and_begins_with_the_best_move() {
    for row in &ALGORITHMS {
        let session = searched(row.algorithm, 20_000);
        let summary = session.summary();
        let best = summary.best.expect("a best move");
        assert_eq!(summary.pv[0], best);
        assert_eq!(summary.moves[0].row.move_code, best.code, "{}", row.name);
        // A search that evaluates every move at once, which is one on one thread, may prefer a leaf.
        let evaluates_all = row.family == Family::BestFirst && row.goals.two_threads == 1.0;
        let least = 2 - usize::from(evaluates_all);
        assert!(summary.pv.len() >= least, "{}: {:?}", row.name, summary.pv);
        let line = session.best_line(Tree::ROOT);
        assert!(line.len() <= summary.pv.len());
        for (node, name) in line.iter().zip(&summary.pv) {
            assert_eq!(session.tree().node(*node).move_code(), name.code);
        }
    }
}

/// What the inspector shows of a DISTRESS node reproduces the node's belief.
#[test]
fn a_distress_node_is_what_its_back_up_says() {
    let session = searched(Algorithm::Distress, 20_000);
    let reader = session.reader();
    let detail = backed_up(&reader, Tree::ROOT).expect("a back-up of the root");
    assert_eq!(reader.tree.belief(Tree::ROOT), Some(detail.result));
    let grid = reader.tree.grid();
    assert!(detail.r_opt.mean(grid) >= detail.r_pick.mean(grid));
    assert!((detail.policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
}
