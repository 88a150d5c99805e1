//! A proof in the explorer: exactly the rows that prove a result, and what the inspector says about it.

use algorithms::Algorithm;
use game::Situation;
use game::load::fen;
use report::why;
use session::{Config, Session, Subject};
use tree::{Fate, Tree};
use tui::panes::tree::{Explorer, Filter};

/// Mate in two with two rooks, and the same with Black to move.
const WON: &str = "7k/8/8/8/8/1R6/R7/K7 w - - 0 1";
const LOST: &str = "6k1/8/8/8/8/1R6/R7/K7 b - - 0 1";

fn search(position: &str, nodes: u64) -> Session {
    let read = fen::parse(position).expect("a FEN");
    let config = Config {
        memory: 64 << 20,
        limits: common::nodes(nodes),
        threads: 1,
        ..Config::new(Algorithm::Mcts)
    };
    let mut session = Session::start(Subject::from(Situation::new(read.position)), config);
    session.join();
    session
}

fn explorer(session: &Session) -> Explorer {
    let mut explorer = Explorer::default();
    explorer.refresh(session.reader(), false);
    explorer
}

#[test]
fn of_a_proof_one_move_is_shown_for_the_winner_and_every_reply() {
    for (position, wins) in [(WON, true), (LOST, false)] {
        let session = search(position, 200_000);
        let reader = session.reader();
        let root = reader.tree.node(Tree::ROOT);
        assert!(root.proof().is_certain(), "{position}");
        let mut explorer = explorer(&session);
        let (top, size) = explorer.show_proof(reader).expect("a proof");
        assert_eq!(top, Tree::ROOT);
        assert!(size.complete && size.nodes > size.plies);
        // Open everything in it.
        let mut at = 0;
        while let Some(row) = explorer.rows().get(at).copied() {
            if explorer.open_node(reader, row.node) {
                explorer.refresh(reader, false);
            }
            at += 1;
        }
        assert_eq!(explorer.rows().len(), size.nodes);
        assert!(explorer.hidden() > 0);
        for row in explorer.rows() {
            let below = explorer.rows().iter().filter(|r| r.parent == row.node);
            let legal = reader.rows(row.node).len();
            let winner_moves = (row.depth % 2 == 0) == wins;
            let expected = match reader.tree.node(row.node).fate() {
                Fate::Ended(_) => 0,
                _ if winner_moves => 1,
                _ => legal,
            };
            assert_eq!(below.count(), expected, "{row:?}");
        }
        explorer.set_filter(Filter::All);
        explorer.refresh(reader, false);
        assert!(explorer.rows().len() > size.nodes);
        assert_eq!(explorer.hidden(), 0);
    }
}

#[test]
fn the_proof_of_a_node_keeps_the_way_to_it_and_nothing_else_above() {
    let session = search(WON, 200_000);
    let reader = session.reader();
    let mut explorer = explorer(&session);
    let best = reader.best_move(Tree::ROOT).expect("a move");
    let child = reader.tree.child_by_move(Tree::ROOT, best).expect("a node");
    explorer.reveal(reader, child);
    let (top, _) = explorer.show_proof(reader).expect("a proof");
    assert_eq!(top, child);
    explorer.refresh(reader, false);
    let depths: Vec<u16> = explorer.rows().iter().take(3).map(|r| r.depth).collect();
    assert_eq!(depths, [0, 1, 2]);
    let siblings = explorer.rows().iter().filter(|r| r.depth == 1);
    assert_eq!(siblings.count(), 1);
}

#[test]
fn where_nothing_is_proven_the_rows_stay() {
    let session = search(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        2_000,
    );
    let mut explorer = explorer(&session);
    let before = explorer.rows().len();
    assert_eq!(explorer.show_proof(session.reader()), None);
    explorer.refresh(session.reader(), false);
    assert_eq!(
        (explorer.rows().len(), explorer.filter.clone()),
        (before, Filter::All)
    );
}

#[test]
fn a_lost_position_names_its_moves_with_their_distances() {
    let session = search(LOST, 200_000);
    let reader = session.reader();
    let sentence = why::why_node(&reader, Tree::ROOT);
    let words = "all 5 moves lose, none later than Kf7 (in 3 moves: Kf7, Kg7; in 2: Kh7, Kf8, Kh8)";
    assert!(sentence.contains(words), "{sentence}");
}
