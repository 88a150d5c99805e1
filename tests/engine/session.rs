//! Sessions: pausing, budgets, and re-searching what was not recorded.

use std::time::Duration;

use algorithms::Algorithm;
use common::{KIWIPETE, chess, until};
use search::StopReason;
use session::{Config, Session, State, Subject};
use tree::{Fate, NodeId, Tree};

fn kiwipete(edit: impl FnOnce(&mut Config)) -> Session {
    let mut config = Config::new(Algorithm::AlphaBeta);
    edit(&mut config);
    Session::start(Subject::from(chess(KIWIPETE)), config)
}

#[test]
fn a_paused_search_stands_still_and_goes_on() {
    for threads in [1, 2] {
        let mut session = kiwipete(|c| c.threads = threads);
        until("the start", || session.status().totals.nodes > 1_000);
        session.pause();
        until("standing still", || session.is_still());
        let (nodes, size) = (session.status().totals.nodes, session.tree().len());
        assert_eq!(session.status().state, State::Paused);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(
            (session.status().totals.nodes, session.tree().len()),
            (nodes, size)
        );
        session.resume();
        until("going on", || session.status().totals.nodes > nodes);
    }
}

#[test]
fn two_threads_share_the_table_and_stop_at_the_limit() {
    let mut session = kiwipete(|c| {
        c.threads = 2;
        c.limits.nodes = Some(200_000);
    });
    session.join();
    let status = session.status();
    assert_eq!(status.state, State::Finished(StopReason::Nodes));
    assert!(
        (200_000..202_000).contains(&status.totals.nodes),
        "{}",
        status.totals.nodes
    );
    assert!(session.tree().node(Tree::ROOT).fate().best().is_some());
}

fn walk(tree: &Tree) -> impl Iterator<Item = NodeId> + '_ {
    let mut stack = vec![Tree::ROOT];
    std::iter::from_fn(move || {
        let id = stack.pop()?;
        stack.extend(tree.children(id));
        Some(id)
    })
}

/// Opens a node and checks the result of the re-search.
fn open_again(session: &Session, node: NodeId) {
    let tree = session.tree();
    let before = tree.view(node);
    session.search_again(node);
    until("the re-search", || {
        tree.node(node).child_count() > 0 && session.is_still()
    });
    until("the mark", || tree.view(node).again);
    assert_eq!(
        tree.view(node).window.map(|w| (w.alpha, w.beta, w.depth)),
        before.window.map(|w| (w.alpha, w.beta, w.depth))
    );
    for child in tree.children(node) {
        let child = tree.view(child);
        assert!(child.again || child.visits == 0, "{child:?}");
    }
    assert!(!session.can_search_again(node));
}

#[test]
fn a_node_from_the_table_can_be_searched_again() {
    let mut session = kiwipete(|c| c.limits.nodes = Some(100_000));
    session.join();
    let node = walk(session.tree())
        .find(|&id| {
            matches!(session.tree().node(id).fate(), Fate::TableHit { .. })
                && session.can_search_again(id)
        })
        .expect("a table hit");
    open_again(&session, node);
}

#[test]
fn what_the_budget_left_out_can_be_searched_again() {
    let mut session = kiwipete(|c| {
        c.memory = 1 << 20;
        c.limits.nodes = Some(100_000);
    });
    session.join();
    assert!(session.status().totals.unrecorded > 0);
    let node = walk(session.tree())
        .find(|&id| session.can_search_again(id))
        .expect("an unrecorded subtree");
    open_again(&session, node);
}

#[test]
fn opening_a_node_does_not_end_a_running_search() {
    let mut session = kiwipete(|_| ());
    let mut found = None;
    until("a table hit", || {
        session.pause();
        until("standing still", || session.is_still());
        found = walk(session.tree()).find(|&id| session.can_search_again(id));
        session.resume();
        found.is_some()
    });
    let node = found.expect("found");
    session.search_again(node);
    until("the re-search", || {
        session.tree().view(node).again || session.tree().node(node).child_count() > 0
    });
    let nodes = session.status().totals.nodes;
    until("going on", || {
        session.status().state == State::Running && session.status().totals.nodes > nodes
    });
}
