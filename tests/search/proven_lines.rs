//! What is proven of a root is what is played and shown: the best move's own bounds prove it, the line follows the
//! proof, and a distance that is called exact comes with a line that mates after exactly that many plies.

use algorithms::{ALGORITHMS, Algorithm};
use game::{Ending, Game, Score, Situation};
use session::{Config, Session, Subject, Summary};
use tree::{Family, Fate, NodeId, Tree};

const MATES: &str = include_str!("../fixtures/mates/mates.tsv");

/// The plies to mate (0: only known to be a win) and the position.
fn mates() -> impl Iterator<Item = (u16, &'static str)> {
    let lines = MATES.lines().filter(|l| !l.starts_with('#'));
    lines.filter_map(|l| {
        let (plies, fen) = l.split_once('\t')?;
        Some((plies.parse().ok()?, fen))
    })
}

fn search(algorithm: Algorithm, fen: &str, nodes: u64, threads: usize) -> Session {
    search_by("network", algorithm, fen, nodes, threads)
}

fn search_by(eval: &str, algorithm: Algorithm, fen: &str, nodes: u64, threads: usize) -> Session {
    let mut config = Config {
        limits: common::nodes(nodes),
        threads,
        memory: 256 << 20,
        table: 1 << 20,
        ..Config::new(algorithm)
    };
    config.options.set("eval", eval).expect("an option");
    let mut session = Session::start(Subject::from(common::chess(fen)), config);
    session.join();
    session
}

/// Whether a line from the root ends in mate.
fn mates_at_its_end(fen: &str, line: &[session::MoveName]) -> bool {
    let mut at: Situation<_> = common::chess(fen);
    assert!(line.iter().all(|m| at.follow(m.code)), "{fen}: {line:?}");
    let has_moves = !at.position.legal_moves().is_empty();
    at.position.ending(has_moves) == Some(Ending::Checkmate)
}

/// A claimed exact distance has a mating line of that length. Returns how many such claims there are.
fn exact_claims_have_their_lines(fen: &str, summary: &Summary, what: &str) -> usize {
    let moves = summary.moves.iter().map(|m| (&m.score, &m.pv));
    let claims = std::iter::once((&summary.score, &summary.pv)).chain(moves);
    let mut exact = 0;
    for (score, line) in claims {
        if score.mate_is_exact() != Some(true) {
            continue;
        }
        exact += 1;
        let plies = score
            .proof
            .lower
            .mate_plies()
            .expect("a mate")
            .unsigned_abs();
        assert_eq!(line.len(), usize::from(plies), "{what}: {line:?}");
        assert!(mates_at_its_end(fen, line), "{what}: {line:?}");
    }
    exact
}

/// If the root's lower bound is a win, the best move's own bound proves a win that is at least as short, and so on
/// along the line: for each move of the winner, and for every reply.
fn the_line_follows_the_proof(session: &Session, what: &str) -> bool {
    let tree = session.tree();
    let root = tree.node(Tree::ROOT);
    if !root.proof().is_win() {
        return false;
    }
    let line = session.best_line(Tree::ROOT);
    let shown: Vec<NodeId> = std::iter::once(Tree::ROOT).chain(line).collect();
    for (ply, pair) in shown.windows(2).enumerate() {
        let (parent, child) = (tree.node(pair[0]).proof(), tree.node(pair[1]).proof());
        let handed = child.one_ply_up();
        if ply % 2 == 0 {
            assert!(
                handed.lower >= parent.lower,
                "{what}, ply {ply}: {parent:?}, {child:?}"
            );
        } else {
            assert!(
                handed.upper <= parent.upper,
                "{what}, ply {ply}: {parent:?}, {child:?}"
            );
        }
    }
    let summary = session.summary();
    let best = summary.best.as_ref().map(|m| m.code);
    assert_eq!(best, session.best_to_play(), "{what}");
    assert_eq!(best, Some(summary.moves[0].row.move_code), "{what}");
    assert!(
        summary.moves[0].score.proof.lower >= root.proof().lower,
        "{what}"
    );
    let recorded = session.recorded_line(summary.pv[0].code);
    let score = summary.score.score.expect("a value");
    let expected = session.expected_line(recorded, score);
    assert!(expected.len() >= summary.pv.len(), "{what}: {expected:?}");
    true
}

/// If a node is proven lost, so is every move from it, whichever thread searched it.
fn every_reply_to_a_lost_node_is_proven(session: &Session, what: &str) -> usize {
    let tree = session.tree();
    let mut lost = 0;
    for id in (1..=tree.len()).map(NodeId) {
        let node = tree.node(id);
        let upper = node.proof().upper;
        if !upper.is_loss() || !matches!(node.fate(), Fate::Expanded { .. }) {
            continue;
        }
        lost += 1;
        for child in tree.children(id) {
            let handed = tree.node(child).proof().one_ply_up();
            assert!(
                handed.upper <= upper,
                "{what}, {id:?}: {upper:?}, {handed:?}"
            );
        }
    }
    lost
}

fn sweep(algorithm: Algorithm, limits: &[u64], threads: usize) -> (usize, usize) {
    let (mut wins, mut exact) = (0, 0);
    for (plies, fen) in mates() {
        for &nodes in limits {
            if nodes >= 20_000 && plies == 1 {
                continue;
            }
            let what = format!("{algorithm:?}, {nodes} nodes, {threads} threads: {fen}");
            let session = search(algorithm, fen, nodes, threads);
            every_reply_to_a_lost_node_is_proven(&session, &what);
            wins += usize::from(the_line_follows_the_proof(&session, &what));
            exact += exact_claims_have_their_lines(fen, &session.summary(), &what);
        }
    }
    println!("{algorithm:?}, {threads} threads: {wins} wins, {exact} exact claims");
    (wins, exact)
}

#[test]
fn mcts_plays_and_shows_what_it_proved() {
    let (wins, exact) = sweep(Algorithm::Mcts, &[60, 700, 5_000, 20_000], 1);
    assert!(wins > 50 && exact > 100, "{wins} wins, {exact} exact");
}

#[test]
fn distress_plays_and_shows_what_it_proved() {
    let (wins, exact) = sweep(Algorithm::Distress, &[60, 700, 5_000, 20_000], 1);
    assert!(wins > 40 && exact > 40, "{wins} wins, {exact} exact");
}

#[test]
fn so_do_several_threads() {
    for algorithm in [Algorithm::Mcts, Algorithm::Distress] {
        let (wins, _) = sweep(algorithm, &[700, 20_000], 4);
        assert!(wins > 20, "{algorithm:?}: {wins} wins");
    }
}

/// Threads other than the main one also prove things after it has ended.
#[test]
fn the_last_thread_has_the_last_word() {
    let fen = "8/8/8/8/8/6P1/6k1/4KR1R w K - 0 1";
    for i in 0..60 {
        let session = search(Algorithm::Mcts, fen, 20_000, 4);
        the_line_follows_the_proof(&session, &format!("run {i}"));
    }
}

/// The win is proven long before its distance is; the search continued with a move that was not the one of the proof.
#[test]
fn a_win_of_open_length_is_played_by_its_proof() {
    let (_, fen) = mates()
        .find(|(plies, _)| *plies == 0)
        .expect("the position");
    let follows = |nodes| {
        let session = search_by("hand", Algorithm::Mcts, fen, nodes, 1);
        the_line_follows_the_proof(&session, &format!("{nodes} nodes"))
    };
    follows(100_000);
    assert!(follows(500_000), "a win");
}

/// Positions with a mate near the best line, where stopped searches once expected moves that get mated.
const NEAR_A_MATE: [&str; 6] = [
    "1kr3r1/p3p2p/1p1pP3/6P1/3KQ2P/PB6/RP6/8 b - - 2 31",
    "4Q3/pk6/1p1Q2K1/1r4P1/7r/P7/RP6/8 b - - 0 40",
    "r5k1/p5bp/2p3p1/8/3q4/1P4B1/P2p2KP/3R4 w - - 0 27",
    "2k3r1/p1p2p2/bN5p/3p4/1n1P1P1q/1P5r/P1PQ1RB1/R5K1 b - - 0 26",
    "6r1/5k2/3q1n1Q/8/1p1pP3/5n2/1P6/2R4K w - - 1 42",
    "8/7p/2nNkN2/8/6P1/8/1r3r2/1n1K4 w - - 13 47",
];

/// However a search ends, it expects nobody to play into a proven mate while another move is left, and its line ends in
/// a mate only if its value is one.
#[test]
fn nobody_is_expected_to_play_into_a_mate() {
    let cases = ALGORITHMS
        .iter()
        .flat_map(|row| NEAR_A_MATE.map(|fen| (row.algorithm, fen)));
    for (algorithm, fen) in cases {
        for nodes in [60, 200, 369, 600, 1100] {
            let session = search_by("hand", algorithm, fen, nodes, 1);
            let what = format!("{} {nodes} nodes, {fen}", algorithm.info().name);
            let summary = session.summary();
            let is_decided = summary.score.score.is_none_or(Score::is_decided);
            assert!(
                is_decided || !mates_at_its_end(fen, &summary.pv),
                "{what}: {:?}",
                summary.pv
            );
            for step in session.iterations_after(0) {
                let line = session.reader().names(Tree::ROOT, &step.lines[0].moves);
                assert!(
                    step.score.is_decided() || !mates_at_its_end(fen, &line),
                    "{what}: {step:?}"
                );
            }
            let tree = session.tree();
            for id in (1..=tree.len()).map(NodeId) {
                let best = match tree.node(id).fate() {
                    Fate::Expanded { best, .. } if tree.family() == Family::BestFirst => {
                        tree.child_by_move(id, best)
                    }
                    _ => None,
                };
                let is_loss = |child| tree.node(child).proof().is_win();
                let is_left = |child| !is_loss(child);
                assert!(
                    !best.is_some_and(is_loss) || !tree.children(id).any(is_left),
                    "{what}: {:?}",
                    session.reader().line_shown(id)
                );
            }
        }
    }
}
