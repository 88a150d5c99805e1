//! The game moves on along the tree of DISTRESS: what is kept is sound, and the search can be rewound to its beginning.

use std::collections::HashSet;

use algorithms::Algorithm;
use best_first::distress::backed_up;
use common::{KIWIPETE, chess, finish, play_on, until};
use game::Game;
use session::{Config, Next, Session, Subject};
use tree::{Fate, NodeId, Tree};

fn config(nodes: u64, memory: u64, pairs: &[&str]) -> Config {
    let mut config = Config {
        limits: common::nodes(nodes),
        memory,
        ..Config::new(Algorithm::Distress)
    };
    for pair in pairs {
        config.options.set_pair(pair).expect("an option");
    }
    config
}

/// The nodes that can be reached: connected, no belief in two hands, and every expanded node worth what its children's
/// beliefs make of it.
fn check(session: &Session) -> usize {
    let reader = session.reader();
    let tree = reader.tree;
    let options = &session.config().options;
    let mut nodes = vec![Tree::ROOT];
    let mut beliefs = HashSet::new();
    let mut at = 0;
    while let Some(&id) = nodes.get(at) {
        at += 1;
        let node = tree.node(id);
        if node.belief() != 0 {
            assert!(beliefs.insert(node.belief()), "two nodes with one belief");
        }
        let children: Vec<NodeId> = tree.children(id).collect();
        let mut policy = 0.0;
        for &child in &children {
            assert_eq!(tree.node(child).parent(), id);
            let with_belief = tree.node(child).belief() != 0 && !tree.node(child).is_excluded();
            policy += f32::from(u8::from(with_belief)) * tree.node(child).policy();
        }
        if matches!(node.fate(), Fate::Expanded { .. }) && !node.proof().is_exact() {
            assert!((policy - 1.0).abs() < 1e-3, "{policy}");
            let detail = backed_up(tree, options, id);
            assert!(detail.is_some());
        }
        nodes.extend(children);
    }
    nodes.len()
}

#[test]
fn a_game_goes_on_with_the_tree_that_is_there() {
    let mut situation = chess(KIWIPETE);
    let start = Subject::from(situation.clone());
    let mut session = Session::start(start, config(20_000, 64 << 20, &[]));
    let mut kept = 0;
    for _ in 0..8 {
        let reuse;
        (session, reuse) = play_on(
            session,
            &mut situation,
            config(10_000, 64 << 20, &[]),
            false,
        );
        let reuse = reuse.expect("a tree to begin on");
        assert!(reuse.visits > 0 && reuse.visits < reuse.visits_before);
        kept += reuse.visits;
        finish(&mut session);
        let totals = session.status().totals;
        assert!(totals.nodes >= 10_000 && totals.nodes < 11_000);
        check(&session);
        let root = session.tree().node(Tree::ROOT);
        let best = root.fate().best().expect("a best move");
        assert!(
            situation
                .position
                .legal_moves()
                .iter()
                .any(|m| situation.position.encode(*m) == best)
        );
    }
    assert!(kept > 500, "{kept}");
}

#[test]
fn a_search_that_goes_on_can_be_rewound_to_its_beginning() {
    let mut situation = chess(KIWIPETE);
    let start = Subject::from(situation.clone());
    let old = Session::start(start, config(20_000, 64 << 20, &[]));
    let (mut new, reuse) = play_on(old, &mut situation, config(6_000, 64 << 20, &[]), true);
    let reuse = reuse.expect("a tree to begin on");
    finish(&mut new);
    let end = new.tree().copy();
    new.go_to(0);
    until("the beginning", || {
        new.tend();
        !new.is_stepping()
    });
    assert_eq!(new.tree().node(Tree::ROOT).visits(), reuse.visits);
    assert!(new.tree().difference(&end).is_some());
    new.resume();
    finish(&mut new);
    assert_eq!(new.tree().difference(&end), None);
}

/// With little memory a game is searched from move to move: what was left behind makes room for nodes and beliefs.
#[test]
fn places_left_behind_are_given_out_again() {
    let mut situation = chess(KIWIPETE);
    let small = || config(3_000_000, 2 << 20, &["leaf=static"]);
    let mut session = Session::start(Subject::from(situation.clone()), small());
    finish(&mut session);
    assert!(session.tree().is_full());
    let mut grew = 0;
    for _ in 0..6 {
        let reuse;
        (session, reuse) = play_on(session, &mut situation, small(), false);
        let kept = reuse.expect("a tree to begin on").visits;
        finish(&mut session);
        check(&session);
        grew += session.tree().node(Tree::ROOT).visits() - kept;
    }
    assert!(grew > 300, "{grew}");
}

/// A draw by repetition whose first occurrence is in the game's past is open again.
#[test]
fn a_repetition_of_the_past_is_no_draw_any_more() {
    let mut situation = chess("8/8/8/4k3/8/8/4R3/4K3 b - - 0 1");
    let options = ["leaf=static", "allocation=uniform"];
    let start = Subject::from(situation.clone());
    let mut old = Session::start(start, config(200_000, 64 << 20, &options));
    finish(&mut old);
    // The root's own position again, after both sides moved back and forth.
    let is_back = |tree: &Tree, id: NodeId| {
        let times = matches!(
            tree.node(id).fate(),
            Fate::Repetition {
                times: 1,
                plies_back: 4
            }
        );
        times && tree.ply(id) == 4
    };
    let tree = old.tree();
    let back = (2..=tree.len()).map(NodeId).find(|&id| is_back(tree, id));
    let back = back.expect("a repetition of the root");
    let line = tree.moves_to(back);
    assert!(situation.follow(line[0]));
    let next = config(30_000, 64 << 20, &options);
    let subject = Subject::from(situation.clone());
    let (mut new, reuse) = Session::start_after(old, subject, next, Next::default());
    assert!(reuse.expect("a tree to begin on").taken_back > 0);
    finish(&mut new);
    check(&new);
    let tree = new.tree();
    let at = line[1..]
        .iter()
        .try_fold(Tree::ROOT, |at, &m| tree.child_by_move(at, m));
    assert_eq!(at, Some(back));
    assert!(!matches!(tree.node(back).fate(), Fate::Repetition { .. }));
}
