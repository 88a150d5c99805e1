//! Several threads on one tree, inspected all the while: whatever it says is proven is true, at every moment.
//!
//! The truth comes from a retrograde solution of king and queen or rook against king, which shares no code with the
//! searches. `PLYSCOPE_STRESS=600 cargo test --release --test search shared_tree -- --nocapture` runs for ten minutes.

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use fastrand::Rng;
use game::{ChessKnowledge as _, ChessPosition, Game, Situation};
use session::{Config, Next, Session, State, Subject};
use shakmaty::{CastlingMode, Role};
use tree::{NodeId, Tree};

use common::{self, endgame::Endgame};

/// More threads than the machine has cores, so that they interrupt each other anywhere.
const THREADS: usize = 4;

#[derive(Debug, Default)]
struct Figures {
    searches: u64,
    reused: u64,
    looks: u64,
    /// The number of proven nodes.
    proofs: u64,
}

fn config(algorithm: Algorithm, nodes: u64, seed: u64) -> Config {
    Config {
        threads: THREADS,
        memory: 16 << 20,
        seed,
        limits: common::nodes(nodes),
        ..Config::new(algorithm)
    }
}

/// Descends at random from the root and compares what each node says with the truth. Anything read may be slightly out
/// of date.
fn look(
    tree: &Tree,
    start: &ChessPosition,
    endgame: &Endgame,
    rng: &mut Rng,
    figures: &mut Figures,
) {
    let (mut position, mut at) = (start.clone(), Tree::ROOT);
    for _ in 0..4 {
        let node = tree.node(at);
        let proof = node.proof();
        // Read after the proof, because the mark is set before the proof is.
        if !node.is_path_dependent() && node.visits() > 0 && has_all_men(&position) {
            let truth = endgame.truth(position.chess());
            assert!(
                proof.lower <= truth && truth <= proof.upper,
                "{}: {proof:?}, in truth {truth:?}",
                position.fen()
            );
            figures.proofs += u64::from(proof.is_certain());
        }
        figures.looks += 1;
        let children: Vec<NodeId> = tree.children(at).collect();
        let Some(&child) = rng.choice(&children) else {
            break;
        };
        let node = tree.node(child);
        assert_eq!(node.parent(), at, "a child that is not its parent's");
        let m = position.decode(node.move_code()).expect("a legal move");
        position.play(m);
        at = child;
    }
}

fn has_all_men(position: &ChessPosition) -> bool {
    position.men() == 3
}

/// One search after the other along a game, each reusing what is left of the previous tree where possible.
fn game(algorithm: Algorithm, endgame: &Endgame, rng: &mut Rng, figures: &mut Figures) {
    let samples = endgame.sample(31, 400);
    let (chess, _) = rng.choice(&samples).expect("a position").clone();
    let mut situation = Situation::new(ChessPosition::new(chess, CastlingMode::Standard));
    let mut before: Option<Session> = None;
    for _ in 0..6 {
        let subject = Subject::from(situation.clone());
        let config = config(algorithm, rng.u64(200..20_000), rng.u64(..));
        let mut session = match before.take() {
            None => Session::start(subject, config),
            Some(old) => {
                let (session, reuse) = Session::start_after(old, subject, config, Next::default());
                figures.reused += u64::from(reuse.is_some());
                session
            }
        };
        figures.searches += 1;
        while !matches!(session.status().state, State::Finished(_)) {
            look(session.tree(), &situation.position, endgame, rng, figures);
        }
        session.join();
        for _ in 0..200 {
            look(session.tree(), &situation.position, endgame, rng, figures);
        }
        let Some(m) = session
            .best_to_play()
            .filter(|_| !situation.position.legal_moves().is_empty())
        else {
            return;
        };
        if !situation.follow(m) || !has_all_men(&situation.position) {
            return;
        }
        before = Some(session);
    }
}

#[test]
fn what_is_read_is_so_while_others_write() {
    let seconds = std::env::var("PLYSCOPE_STRESS")
        .ok()
        .and_then(|text| text.parse().ok());
    let length = Duration::from_secs(seconds.unwrap_or(2));
    let endgames = [Role::Queen, Role::Rook].map(Endgame::solve);
    let mut rng = Rng::with_seed(20_261_123);
    let mut figures = Figures::default();
    let begin = Instant::now();
    while begin.elapsed() < length || figures.searches < 20 {
        for endgame in &endgames {
            for algorithm in [Algorithm::Mcts, Algorithm::Distress] {
                game(algorithm, endgame, &mut rng, &mut figures);
            }
        }
    }
    println!("{figures:?}");
    assert!(figures.reused > 0 && figures.proofs > 100, "{figures:?}");
}
