//! The game moves on along the tree of any best-first search: what is kept is sound, and the search can be rewound to its
//! beginning. (`mcts` and `distress` have tests of their own.)

use algorithms::Algorithm;
use common::{chess, finish, play_on, until};
use game::Game;
use session::{Config, Next, Session, Subject};
use tree::{Fate, NodeId, Tree};

const ALL: [Algorithm; 6] = [
    Algorithm::BestFirstMinimax,
    Algorithm::BStar,
    Algorithm::ProbBStar,
    Algorithm::Conspiracy,
    Algorithm::Bpip,
    Algorithm::BayesMcts,
];

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";
const STATIC: [&str; 1] = ["leaf=static"];

fn config(algorithm: Algorithm, nodes: u64, pairs: &[&str]) -> Config {
    let mut config = Config {
        limits: common::nodes(nodes),
        memory: 64 << 20,
        ..Config::new(algorithm)
    };
    for pair in pairs {
        config.options.set_pair(pair).expect("an option");
    }
    config
}

/// Every expanded node has the children of its position, and where an algorithm backs up minimax values, their best.
fn check(session: &Session) -> usize {
    let (reader, algorithm) = (session.reader(), session.config().algorithm);
    let tree = reader.tree;
    let mut nodes = vec![Tree::ROOT];
    let mut at = 0;
    while let Some(&id) = nodes.get(at) {
        at += 1;
        let node = tree.node(id);
        let children: Vec<NodeId> = tree.children(id).collect();
        if children.is_empty() {
            continue;
        }
        // The positions of a few, as that takes its time.
        if at % 16 == 1 {
            let subject = reader.situation(id).expect("a position");
            let moves = subject.position.legal_moves().len();
            assert_eq!(children.len(), moves, "{algorithm}");
        }
        for &child in &children {
            assert_eq!(tree.node(child).parent(), id);
        }
        let is_minimax = matches!(
            algorithm,
            Algorithm::BestFirstMinimax | Algorithm::ProbBStar | Algorithm::Conspiracy
        );
        if is_minimax && !node.proof().is_exact() {
            let known = children.iter().map(|&child| tree.node(child));
            let known = known.filter(|child| child.visits() > 0);
            let best = known.map(|child| -child.expected()).reduce(f32::max);
            let best = best.expect("a child that was looked at");
            let own = node.expected();
            assert!((own - best).abs() < 1e-3, "{algorithm}: {own} of {best}");
        }
        nodes.extend(children);
    }
    nodes.len()
}

#[test]
fn a_game_goes_on_with_the_tree_that_is_there() {
    for algorithm in ALL {
        let mut situation = chess(MIDDLEGAME);
        let start = Subject::from(situation.clone());
        let mut session = Session::start(start, config(algorithm, 12_000, &STATIC));
        let (mut times, mut kept) = (0, 0);
        for _ in 0..6 {
            let next = config(algorithm, 5_000, &STATIC);
            let reuse;
            (session, reuse) = play_on(session, &mut situation, next, false);
            if let Some(reuse) = reuse {
                assert!(reuse.visits > 0 && reuse.visits < reuse.visits_before);
                times += 1;
            }
            let root = session.tree().node(Tree::ROOT);
            kept += root.visits();
            finish(&mut session);
            assert!(check(&session) > 100, "{algorithm}");
            let best = session.best_to_play().expect("a best move");
            let moves = situation.position.legal_moves();
            let mut codes = moves.iter().map(|m| situation.position.encode(*m));
            assert!(codes.any(|code| code == best), "{algorithm}");
        }
        assert!(
            times >= 5 && kept > 50,
            "{algorithm}: {times} times, {kept} visits"
        );
    }
}

#[test]
fn a_search_that_goes_on_can_be_rewound_to_its_beginning() {
    let mut rewound = 0;
    for algorithm in ALL {
        let mut situation = chess(MIDDLEGAME);
        let start = Subject::from(situation.clone());
        let old = Session::start(start, config(algorithm, 20_000, &STATIC));
        let next = config(algorithm, 6_000, &STATIC);
        let (mut new, reuse) = play_on(old, &mut situation, next, true);
        // The move that is played need not have been looked beyond.
        let Some(reuse) = reuse else {
            eprintln!("{algorithm}: none");
            continue;
        };
        rewound += 1;
        finish(&mut new);
        let end = new.tree().copy();
        new.go_to(0);
        until("the beginning", || {
            new.tend();
            !new.is_stepping()
        });
        assert_eq!(new.tree().node(Tree::ROOT).visits(), reuse.visits);
        assert!(new.tree().difference(&end).is_some(), "{algorithm}");
        new.resume();
        finish(&mut new);
        assert_eq!(new.tree().difference(&end), None, "{algorithm}");
    }
    assert!(rewound >= 5, "{rewound}");
}

/// A draw by repetition whose first occurrence is in the game's past is open again, and its ancestors do without it.
#[test]
fn a_repetition_of_the_past_is_no_draw_any_more() {
    let mut taken_back = 0;
    for algorithm in ALL {
        let mut situation = chess("8/8/8/4k3/8/8/4R3/4K3 b - - 0 1");
        let start = Subject::from(situation.clone());
        let mut old = Session::start(start, config(algorithm, 60_000, &STATIC));
        finish(&mut old);
        let is_back = |tree: &Tree, id: NodeId| {
            let is_first = matches!(tree.node(id).fate(), Fate::Repetition { times: 1, .. });
            is_first && tree.node(id).visits() > 0
        };
        let tree = old.tree();
        let of_root = |id: &NodeId| {
            let plies = tree.ply(*id);
            is_back(tree, *id)
                && matches!(tree.node(*id).fate(), Fate::Repetition { plies_back, .. } if plies_back == plies)
        };
        let Some(back) = (2..=tree.len()).map(NodeId).find(of_root) else {
            continue;
        };
        let line = tree.moves_to(back);
        assert!(situation.follow(line[0]));
        let next = config(algorithm, 10_000, &STATIC);
        let subject = Subject::from(situation.clone());
        let (mut new, reuse) = Session::start_after(old, subject, next, Next::default());
        taken_back += reuse.expect("a tree to begin on").taken_back;
        finish(&mut new);
        check(&new);
        let tree = new.tree();
        let at = line[1..]
            .iter()
            .try_fold(Tree::ROOT, |at, &m| tree.child_by_move(at, m));
        assert_eq!(at, Some(back), "{algorithm}");
        assert!(!is_back(tree, back), "{algorithm}");
    }
    assert!(taken_back > 0);
}
