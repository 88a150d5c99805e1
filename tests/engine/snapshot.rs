//! Whatever is shown of a search comes from one snapshot of it: at whichever node it is stopped, the header, the rows, the
//! best lines, the answer to why, the summary, JSON and Compare say the same.

use algorithms::{ALGORITHMS, Algorithm};
use game::Situation;
use game::load::fen;
use report::json::SearchResult;
use search::Limits;
use session::{Config, NodeValue, Session, Subject};
use studies::compare::Merged;
use tree::{Bound, Family, Tree};

/// Quiet, sharp, a drawn and a won endgame, with the other side to move, in check, one move only, and mate in one.
const POSITIONS: [&str; 8] = [
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "8/8/8/4k3/8/4K3/4P3/8 b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "r1b1k2r/ppp2ppp/2n5/3qp3/1b1P4/2N1PN2/PP3PPP/R1BQKB1R b KQkq - 0 8",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "7k/7p/8/8/8/8/6q1/7K w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn stopped(fen: &str, algorithm: Algorithm, nodes: u64, options: &[(&str, &str)]) -> Session {
    let position = fen::parse(fen).expect("a position").position;
    let mut config = Config {
        memory: 64 << 20,
        table: 4 << 20,
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        ..Config::new(algorithm)
    };
    for (key, value) in options {
        config.options.set(key, value).expect("an option");
    }
    let mut session = Session::start(Subject::from(Situation::new(position)), config);
    session.wait(|| false);
    session
}

/// Asserts that everything that shows the search's root says the same; returns whether the search was within an iteration.
fn assert_one_snapshot(session: &Session, what: &str) -> bool {
    let reader = session.reader();
    let (scale, snapshot, summary) = (reader.scale(), reader.snapshot(), session.summary());
    let Some(first) = snapshot.moves.first() else {
        return false;
    };
    // The shares of one kind are parts of one whole.
    for sum in [
        snapshot.shares.iter().filter_map(|s| s.work).sum::<f32>(),
        snapshot.shares.iter().filter_map(|s| s.visits).sum(),
        snapshot.shares.iter().filter_map(|s| s.best).sum(),
    ] {
        assert!(sum == 0.0 || (sum - 1.0).abs() < 1e-4, "{what}: {sum}");
    }
    let Some(best) = snapshot.best else {
        return false;
    };
    let header = summary.score;
    let named = summary.best.as_ref().map(|name| name.code);
    assert_eq!(named, Some(best), "{what}");
    assert_eq!(first.move_code, best, "{what}: the first of the best lines");
    assert_eq!(session.best_to_play(), named, "{what}: the move to play");
    assert_eq!(summary.pv.first().map(|name| name.code), named, "{what}");
    let row = NodeValue::of(&first.view, scale);
    if first.view.expected.is_none() {
        return false;
    }
    let shown = |value: &NodeValue| (value.expected, value.score, value.bound);
    // Proven bounds of the root may say more than those of the move.
    let proven = snapshot.root.proof != first.view.proof;
    if !proven {
        assert_eq!(shown(&header), shown(&row), "{what}: header and row");
    }
    let root = NodeValue::of(&reader.view(Tree::ROOT), scale);
    assert_eq!(header.expected, root.expected, "{what}: header and root");
    // Why.
    let why = reader.answer(Tree::ROOT, best).expect("a legal move");
    assert!(why.is_best && why.place.0 == 1, "{what}: {:?}", why.place);
    assert_eq!(why.asked.view.expected, row.expected, "{what}: why");
    for other in &snapshot.moves[1..] {
        let why = reader.answer(Tree::ROOT, other.move_code).expect("legal");
        let rival = why.rival.expect("the best move");
        assert!(!why.is_best && rival.code == best, "{what}: why not");
        assert_eq!(rival.view.expected, row.expected, "{what}: why not");
    }
    // JSON.
    let json = SearchResult::of_session(session, None);
    let json = serde_json::to_value(json).expect("JSON");
    assert_eq!(json["best"]["uci"], json["moves"][0]["uci"], "{what}");
    if !proven {
        for number in ["expected", "cp", "mate", "bound"] {
            let (header, row) = (&json["score"][number], &json["moves"][0][number]);
            assert_eq!(header, row, "{what}: {number} in JSON");
        }
    }
    // Compare.
    let merged = Merged::new(session.subject(), vec![Some(reader)]);
    for row in merged.rows(&[]) {
        let Some(cell) = row.cells[0].as_ref() else {
            continue;
        };
        let is_first = row.name.code == best;
        // Where every move failed low none is best.
        assert!(!cell.is_best || is_first, "{what}: Compare");
        if is_first {
            assert_eq!(cell.rank, Some(1), "{what}: Compare");
            assert_eq!(cell.expected(), first.view.expected, "{what}: Compare");
        }
    }
    // No bound comes before a value that it cannot beat.
    let bound = |row: &session::Row| NodeValue::of(&row.view, scale).bound;
    let mut least = f32::INFINITY;
    for row in &snapshot.moves[1..] {
        match (bound(row), row.view.expected) {
            (Some(Bound::Exact), Some(e)) => {
                let decided = row.view.proof.is_win() || row.view.proof.is_loss();
                assert!(
                    decided || e <= least || least.is_infinite(),
                    "{what}: {}",
                    row.label
                );
            }
            (Some(Bound::Upper), Some(e)) if !row.view.proof.is_loss() => least = least.min(e),
            _ => {}
        }
    }
    snapshot.unfinished.is_some_and(|u| {
        let moves = u.moves.expect("the rules know them");
        assert!(u.searched <= moves && moves <= 218, "{what}: {u:?}");
        true
    })
}

#[test]
fn everything_shown_is_of_one_snapshot_wherever_the_search_is_stopped() {
    let mut within = 0;
    let mut check = |algorithm: Algorithm, options: &[(&str, &str)], most: u64, up: u64| {
        for fen in POSITIONS {
            let mut nodes = 1;
            while nodes < most {
                let session = stopped(fen, algorithm, nodes, options);
                let what = format!("{} {options:?} {nodes} nodes of {fen}", algorithm.name());
                within += usize::from(assert_one_snapshot(&session, &what));
                nodes = (nodes + 1).max(nodes * (10 + up) / 10);
            }
        }
    };
    for row in &ALGORITHMS {
        check(row.algorithm, &[], 1_000, 9);
    }
    for driver in ["mtdf", "negascout", "sss*", "dual*"] {
        check(Algorithm::AlphaBeta, &[("driver", driver)], 3_000, 12);
    }
    check(Algorithm::AlphaBeta, &[("lines", "3")], 3_000, 8);
    check(Algorithm::ProbAlphaBeta, &[("lines", "3")], 3_000, 8);
    check(Algorithm::ProbAlphaBeta, &[("confidence", "0.7")], 3_000, 8);
    assert!(within > 100, "{within} searches stopped in an iteration");
}

/// An iteration that fails low has a bound for the root, although the one before had its value; the value is shown.
#[test]
fn a_fail_low_in_an_unfinished_iteration_does_not_replace_a_finished_value() {
    let (mut bounds, mut shown) = (0, 0);
    for fen in POSITIONS {
        let mut nodes = 300;
        while nodes < 60_000 {
            let session = stopped(fen, Algorithm::AlphaBeta, nodes, &[]);
            let reader = session.reader();
            let (live, view) = (reader.live(Tree::ROOT), reader.view(Tree::ROOT));
            let bound = |view: &tree::NodeView| view.window.map(|w| w.bound);
            bounds += usize::from(bound(&live) == Some(Bound::Upper));
            if session.tree().last_step().is_some_and(|(_, whole)| whole) {
                assert_eq!(bound(&view), Some(Bound::Exact), "{nodes} {fen}");
                shown += usize::from(live.expected != view.expected);
            }
            nodes = nodes * 5 / 4;
        }
    }
    assert!(bounds > 5 && shown > 20, "{bounds} {shown}");
}

/// A search that goes on, is stepped back or is read from a file shows what it showed.
#[test]
fn a_copy_of_the_tree_shows_the_same_step() {
    for algorithm in [Algorithm::AlphaBeta, Algorithm::ProbAlphaBeta] {
        for nodes in [700, 2_345, 9_876] {
            let session = stopped(POSITIONS[0], algorithm, nodes, &[]);
            let tree = session.tree();
            assert_eq!(tree.family(), Family::DepthFirst);
            let mut bytes = Vec::new();
            tree.write(&mut bytes, &|_| true).expect("written");
            let read = Tree::read(&mut &bytes[..], &|_| true).expect("a tree");
            for other in [tree.copy(), read] {
                assert_eq!(other.last_step(), tree.last_step());
                for id in std::iter::once(Tree::ROOT).chain(tree.children(Tree::ROOT)) {
                    assert_eq!(other.view(id), tree.view(id));
                    assert_eq!(other.belief(id), tree.belief(id));
                    assert_eq!(other.line_at_last_step(id), tree.line_at_last_step(id));
                }
            }
        }
    }
}

/// While a search runs, the parts of a node's moves add up, and what is held does not move.
#[test]
fn a_running_search_is_shown_at_one_moment() {
    for algorithm in [Algorithm::Distress, Algorithm::Mcts, Algorithm::AlphaBeta] {
        let position = fen::parse(POSITIONS[0]).expect("a position").position;
        let config = Config {
            memory: 64 << 20,
            threads: 2,
            ..Config::new(algorithm)
        };
        let session = Session::start(Subject::from(Situation::new(position)), config);
        let reader = session.reader();
        while session.status().totals.nodes < 3_000 {
            std::thread::yield_now();
        }
        let begun = session.status().totals.nodes;
        for _ in 0..100 {
            reader.hold();
            let first = reader.snapshot();
            for id in std::iter::once(Tree::ROOT).chain(reader.tree.children(Tree::ROOT)) {
                let shares = reader.shares_at(id);
                let sum = |of: fn(&session::Shares) -> Option<f32>| -> f32 {
                    shares.iter().filter_map(|(_, shares)| of(shares)).sum()
                };
                for sum in [sum(|s| s.work), sum(|s| s.visits), sum(|s| s.best)] {
                    assert!(sum == 0.0 || (sum - 1.0).abs() < 1e-4, "{sum}");
                }
            }
            let again = reader.snapshot();
            if reader.is_best_first() {
                let shown = |s: &session::Snapshot| {
                    let moves = s.moves.iter().map(|row| (row.move_code, row.view.expected));
                    (
                        s.best,
                        s.root.expected,
                        s.root.visits,
                        moves.collect::<Vec<_>>(),
                    )
                };
                assert_eq!(shown(&first), shown(&again), "{}", algorithm.name());
                assert_eq!(first.belief, again.belief);
            }
            let header = NodeValue::of(&reader.view(Tree::ROOT), reader.scale());
            if reader.is_best_first() && !first.root.proof.is_exact() {
                assert_eq!(header.expected, first.moves[0].view.expected);
            }
            reader.tree.release();
        }
        assert!(session.status().totals.nodes > begun, "it goes on");
    }
}

/// A result that is proven is shown with its line up to the mate.
#[test]
fn the_best_line_of_a_proven_mate_ends_with_the_mate() {
    let mut whole = 0;
    for (fen, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 5),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
    ] {
        for row in &ALGORITHMS {
            let session = stopped(fen, row.algorithm, 30_000, &[]);
            let reader = session.reader();
            let proof = reader.view(Tree::ROOT).proof;
            let known = proof.is_exact() && proof.lower.mate_plies() == Some(plies);
            if known {
                let line = reader.line_shown(Tree::ROOT);
                assert_eq!(line.len(), plies as usize, "{} {fen}", row.algorithm.name());
                whole += 1;
            }
        }
    }
    assert!(whole > 20, "{whole}");
}
