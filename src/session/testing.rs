//! What several unit tests begin with.

use super::{Config, Session, Subject};
use algorithms::Algorithm;
use game::Situation;
use game::load::fen;
use search::Limits;

/// A finished search of a quiet middlegame.
pub fn searched(algorithm: Algorithm, nodes: u64) -> Session {
    const FEN: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";
    searched_fen(algorithm, FEN, nodes)
}

/// A finished search of a position.
pub fn searched_fen(algorithm: Algorithm, position: &str, nodes: u64) -> Session {
    let position = fen::parse(position).expect("a position").position;
    let config = Config {
        memory: 64 << 20,
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        ..Config::new(algorithm)
    };
    let mut session = Session::start(Subject::from(Situation::new(position)), config);
    session.wait(|| false);
    session
}
