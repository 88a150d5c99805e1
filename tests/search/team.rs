//! Several threads of alpha-beta: that they divide the moves of a node, and that this changes no value.

use algorithms::Algorithm;
use common::{KIWIPETE, chess};
use depth_first::alpha_beta::without_rules;
use game::Score;
use search::Options;
use session::{Config, Session};
use tree::{Fate, Tree};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

/// Nothing whose result depends on what was searched before: no rules, no table, full quiescence.
fn exact() -> Options {
    let mut options = without_rules(&Algorithm::AlphaBeta.default_options());
    for pair in ["table=off", "delta-pruning=off"] {
        options.set_pair(pair).expect("an option");
    }
    options
}

fn session(fen: &str, options: Options, threads: usize, depth: u16) -> Session {
    let mut config = Config::new(Algorithm::AlphaBeta);
    config.options = options;
    config.threads = threads;
    config.limits.depth = Some(depth);
    config.memory = 256 << 20;
    let mut session = Session::start(chess(fen).into(), config);
    session.join();
    session
}

/// The root's value, and how many of its moves were searched.
fn found(session: &Session) -> (Score, u8) {
    let root = session.tree().view(Tree::ROOT);
    match root.fate {
        Fate::Expanded { searched, .. } => (root.score.expect("a value"), searched),
        other => panic!("the root is {other:?}"),
    }
}

/// The threads put moves off, and each of them is searched in the end: without it, the value would be another one.
#[test]
fn threads_that_divide_the_moves_find_the_same_value() {
    for (fen, depth) in [(KIWIPETE, 4), (MIDDLEGAME, 4), (ENDGAME, 6)] {
        let one = found(&session(fen, exact(), 1, depth));
        for threads in [2, 2, 3, 8] {
            let several = found(&session(fen, exact(), threads, depth));
            assert_eq!(several, one, "{fen}: {threads} threads");
        }
    }
}
