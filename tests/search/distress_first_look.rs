//! DISTRESS: the moves that wait for a first look of their own.

use algorithms::Algorithm;
use common::{KIWIPETE, chess};
use eval::priors::priors;
use eval::{ChessEvaluator, HandCrafted};
use game::{Game, Score};
use search::Event;
use session::{Config, Session, Subject};
use tree::{Fate, NodeId, Tree};

const OPEN_GAME: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

/// A finished search of so many nodes, with these options.
fn searched(fen: &str, nodes: u64, options: &[(&str, &str)]) -> Session {
    let mut config = Config {
        limits: common::nodes(nodes),
        ..Config::new(Algorithm::Distress)
    };
    for (key, value) in options {
        config.options.set(key, value).expect("an option");
    }
    let mut session = Session::start(Subject::from(chess(fen)), config);
    session.join();
    session
}

/// The moves that wait, with the nodes they belong to.
fn waiting(tree: &Tree) -> Vec<(NodeId, NodeId)> {
    let all = (2..=tree.len()).map(NodeId);
    let waits =
        |id: &NodeId| tree.node(*id).fate() == Fate::Unvisited && tree.belief(*id).is_some();
    all.filter(waits)
        .map(|id| (tree.node(id).parent(), id))
        .collect()
}

#[test]
fn a_move_that_waits_has_a_belief_and_cost_nothing() {
    let session = searched(OPEN_GAME, 20_000, &[("first-look", "policy")]);
    let tree = session.tree();
    let waiting = waiting(tree);
    assert!(waiting.len() > 1_000, "{}", waiting.len());
    let mut interrupted = 0;
    for (parent, id) in waiting {
        assert_ne!(parent, Tree::ROOT, "the root's moves are all looked at");
        let node = tree.node(id);
        assert_eq!(node.visits(), 0);
        // The search may have ended in the middle of a first look.
        interrupted += usize::from(node.nodes() > 0);
        assert!(!node.proof().is_exact());
        assert!(tree.belief(id).is_some_and(|b| b.sd(tree.grid()) > 0.0));
        let looked_at = tree.children(parent).filter(|c| tree.node(*c).visits() > 0);
        assert!(looked_at.count() > 0);
        if let Fate::Expanded { best, .. } = tree.node(parent).fate() {
            assert_ne!(best, node.move_code(), "nobody plays it");
        }
    }
    assert!(interrupted <= 1);
}

/// Of the moves of one expansion, one with more of the policy is expected to be better, but for pairs between which the best
/// of those that were looked at has risen.
#[test]
fn a_greater_share_of_the_policy_makes_a_better_belief() {
    let session = searched(KIWIPETE, 5_000, &[]);
    let tree = session.tree();
    let evaluator = ChessEvaluator::default();
    let (mut alike, mut compared) = (0, 0);
    for parent in (2..=tree.len()).map(NodeId) {
        let waits = |c: &NodeId| tree.node(*c).fate() == Fate::Unvisited;
        let waiting: Vec<NodeId> = tree.children(parent).filter(waits).collect();
        if waiting.len() < 2 {
            continue;
        }
        let mut position = chess(KIWIPETE).position;
        for code in tree.moves_to(parent) {
            position.play(position.decode(code).expect("a move"));
        }
        let shares = priors(&evaluator, &position);
        let share = |id: NodeId| {
            let code = tree.node(id).move_code();
            let found = shares.iter().find(|(m, _)| position.encode(*m) == code);
            found.expect("a legal move").1
        };
        for pair in waiting.windows(2) {
            let [better, worse] = [pair[0], pair[1]];
            assert!(tree.node(better).favour() >= tree.node(worse).favour());
            alike += usize::from(share(better) >= share(worse));
            compared += 1;
        }
    }
    assert!(
        compared > 100 && alike * 20 > compared * 19,
        "{alike} of {compared}"
    );
}

/// In a larger search the moves that wait are those of its beginning, as far as they were not looked at since.
#[test]
fn fewer_moves_wait_where_only_a_small_search_lets_them() {
    let waiting = |nodes, first_look| {
        let session = searched(OPEN_GAME, nodes, &[("first-look", first_look)]);
        waiting(session.tree()).len()
    };
    assert_eq!(waiting(9_000, "auto"), waiting(9_000, "policy"));
    let (few, many) = (waiting(40_000, "auto"), waiting(40_000, "policy"));
    assert!(0 < few && few * 2 < many, "{few} {many}");
}

#[test]
fn no_move_waits_where_all_are_looked_at_or_nothing_has_a_policy() {
    for options in [
        &[("first-look", "all")][..],
        &[("eval", "hand")],
        &[("leaf", "quiescence")],
        &[("leaf", "static")],
    ] {
        let session = searched(KIWIPETE, 10_000, options);
        let tree = session.tree();
        assert_eq!(waiting(tree).len(), 0, "{options:?}");
    }
}

/// By hand there is no policy, so that the option changes nothing at all.
#[test]
fn by_hand_both_settings_grow_the_same_tree() {
    let run = |first_look| {
        let mut options = Algorithm::Distress.default_options();
        options.set("first-look", first_look).expect("an option");
        common::run(
            Algorithm::Distress,
            &chess(KIWIPETE),
            &HandCrafted::default(),
            &options,
            common::nodes(20_000),
            64 << 20,
        )
    };
    let (one, other) = (run("policy"), run("all"));
    assert!(one.tree.difference(&other.tree).is_none());
}

/// What waits is looked at in its turn: its first visit is a search, which is told, and it is counted like any other.
#[test]
fn a_first_look_is_a_visit_of_its_own() {
    let run = common::run(
        Algorithm::Distress,
        &chess(OPEN_GAME),
        &ChessEvaluator::default(),
        &Algorithm::Distress.default_options(),
        common::nodes(20_000),
        64 << 20,
    );
    let (mut looks, mut entered) = (0, NodeId::NONE);
    let mut evaluated = vec![false; run.tree.len() as usize + 1];
    for event in &run.events {
        match *event {
            Event::Enter { node, .. } => entered = node,
            Event::Evaluate { node, .. } => {
                let first = !std::mem::replace(&mut evaluated[node.0 as usize], true);
                looks += usize::from(first && node == entered && node != Tree::ROOT);
            }
            _ => {}
        }
    }
    assert!(looks > 100, "{looks}");
    let children = run.tree.children(Tree::ROOT);
    let sum: u64 = children.map(|c| run.tree.node(c).nodes()).sum();
    let root = run.tree.node(Tree::ROOT).nodes();
    assert!(sum <= root && root <= sum + 1_000, "{sum} of {root}");
}

#[test]
fn mates_are_found_though_moves_wait() {
    // A mate with the next move, and two in two moves.
    for (fen, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("r4kr1/1b2R1n1/pq4p1/4Q3/1p4P1/5P2/PPP4P/1K2R3 w - - 0 1", 3),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
    ] {
        let session = searched(fen, 100_000, &[]);
        let proof = session.tree().node(Tree::ROOT).proof();
        assert!(proof.lower >= Score::win_in(plies), "{fen}: {proof:?}");
    }
}
