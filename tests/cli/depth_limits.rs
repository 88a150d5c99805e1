//! `--depth N` has one meaning: a depth-first search finishes iteration N; a best-first one ends when its best line is
//! N plies long and stable, or when nothing is left to expand above ply N.

use crate::cli_support;
use crate::uci_support;

use algorithms::{ALGORITHMS, Algorithm};
use cli_support::plyscope;
use game::Side;
use search::{Limits, StopReason};
use session::{Config, Session, Subject};
use tree::{Family, NodeId, Tree};
use uci_support::Server;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ENDGAME: &str = "8/5pk1/6p1/8/R7/6P1/r4PK1/8 w - - 0 1";

fn search(algorithm: Algorithm, subject: Subject, depth: u16, nodes: Option<u64>) -> Session {
    let config = Config {
        limits: Limits {
            depth: Some(depth),
            nodes,
            ..Limits::default()
        },
        memory: 512 << 20,
        table: 1 << 20,
        ..Config::new(algorithm)
    };
    let mut session = Session::start(subject, config);
    session.join();
    session
}

fn best_first() -> impl Iterator<Item = Algorithm> {
    let rows = ALGORITHMS.iter().map(|row| row.algorithm);
    rows.filter(|a| a.info().family == Family::BestFirst)
}

/// Returns the deepest ply of a node that has children.
fn deepest_expanded(tree: &Tree) -> usize {
    let inner = (1..tree.len()).map(NodeId);
    let inner = inner.filter(|&id| !tree.node(id).first_child().is_none());
    inner.map(|id| tree.path(id).len() - 1).max().unwrap_or(0)
}

#[test]
fn a_best_first_search_ends_with_its_line_and_looks_no_deeper() {
    for algorithm in best_first() {
        for fen in [START, ENDGAME, common::KIWIPETE] {
            for depth in [1, 2, 4] {
                let what = format!("{algorithm:?}, depth {depth}, {fen}");
                let subject = Subject::from(common::chess(fen));
                let session = search(algorithm, subject, depth, Some(3_000_000));
                let reason = session.summary().stopped_by();
                assert_ne!(reason, Some(StopReason::Nodes), "{what}: ran away");
                let tree = session.tree();
                assert!(deepest_expanded(tree) < usize::from(depth), "{what}");
                // Its line is as long as requested, including the search below the last leaf, unless nothing is left to
                // expand.
                let line = session.best_line(Tree::ROOT);
                let ahead = line.last().map_or(0, |&id| match algorithm {
                    Algorithm::Distress => usize::from(tree.node(id).leaf_depth()),
                    _ => 0,
                });
                let whole = line.len() + ahead >= usize::from(depth);
                assert!(
                    whole || session.status().totals.nodes < 100_000,
                    "{what}: {line:?}"
                );
            }
        }
    }
}

#[test]
fn the_same_search_ends_at_the_same_node() {
    for algorithm in best_first() {
        let run = || {
            let session = search(algorithm, Subject::from(common::chess(START)), 4, None);
            (session.status().totals.nodes, session.best_line(Tree::ROOT))
        };
        assert_eq!(run(), run(), "{algorithm:?}");
    }
}

#[test]
fn toy_trees_end_at_every_depth() {
    let shape = common::Shape::parse("[[3,12,[8,1]],[2,[4,5],6],[14,5,[2,[7,9]]]]");
    for row in &ALGORITHMS {
        for spread in [0.0, 2.0] {
            for depth in 1..=5 {
                let toy = Subject::from(common::toy(&shape, Side::White, spread));
                let session = search(row.algorithm, toy, depth, Some(1_000_000));
                let reason = session.summary().stopped_by();
                let what = format!("{}, depth {depth}, ±{spread}", row.name);
                assert!(
                    !matches!(reason, None | Some(StopReason::Nodes)),
                    "{what}: {reason:?}"
                );
            }
        }
    }
}

#[test]
fn uci_and_compare_end_too() {
    for row in &ALGORITHMS {
        let mut server = Server::of(row.name);
        server.position(common::KIWIPETE, &[]);
        let answer = server.go("go depth 3");
        assert!(answer.last().nodes < 5_000_000, "{}: {answer:?}", row.name);
        server.quit();
    }
    let columns = ["alpha-beta", "prob-alpha-beta", "mcts", "distress"];
    let mut arguments = vec!["compare", "--depth", "3", "--json"];
    arguments.extend(columns.iter().flat_map(|name| ["-a", name]));
    let lines = plyscope(&arguments).clean().json_lines();
    assert!(!lines.is_empty());
}

#[test]
fn the_help_says_what_a_depth_is() {
    let help = plyscope(&["search", "--help"]).clean().out;
    let words: Vec<&str> = help.split_whitespace().collect();
    let text = words.join(" ");
    for part in [
        "finished iteration N",
        "N plies long",
        "while the nodes doubled",
        "nothing is left to expand above ply N",
    ] {
        assert!(text.contains(part), "{part}");
    }
}
