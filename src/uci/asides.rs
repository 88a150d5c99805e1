//! Answers to commands that start no search: the board, the evaluation, counting moves, the speed.

use std::time::Instant;

use eval::{Evaluated, Evaluator};
use game::load::fen;
use game::{ChessPosition, Game, Situation, perft};
use search::options::evaluation;
use search::{Limits, Options};
use session::{Config, Session, Subject};

/// Positions of an opening, a middlegame and an endgame, for `bench`.
const BENCH: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2QK2R w KQ - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];
/// The nodes for each of them.
const BENCH_NODES: u64 = 200_000;

/// The board from White's side, with the FEN below.
pub(super) fn board(position: &ChessPosition) -> Vec<String> {
    let fen = position.fen();
    let rows = fen.split(' ').next().unwrap_or_default().split('/');
    let mut lines: Vec<String> = rows
        .zip((1..=8).rev())
        .map(|(row, rank)| {
            let squares: String = row
                .chars()
                .flat_map(|c| match c.to_digit(10) {
                    Some(empty) => vec!['.'; empty as usize],
                    None => vec![c],
                })
                .flat_map(|c| [' ', c])
                .collect();
            format!("{rank} {squares}")
        })
        .collect();
    lines.push("   a b c d e f g h".to_owned());
    lines.push(format!("Fen: {fen}"));
    lines.push(format!("Key: {:016X}", position.key()));
    lines
}

/// The value without a search, from the view of the side to move, and what is believed about the truth.
pub(super) fn evaluate(position: &ChessPosition, options: &Options) -> Vec<String> {
    let has_moves = !position.legal_moves().is_empty();
    if position.ending(has_moves).is_some() {
        return vec!["the game is over".to_owned()];
    }
    let which = evaluation(options);
    let evaluator = ChessPosition::evaluator(which);
    let state = evaluator.start(position);
    let value = evaluator.value(&state, position);
    let scale = position.scale();
    let expected = evaluator
        .expected(&state, position)
        .unwrap_or_else(|| scale.expected(value));
    let spread = evaluator.spread(&state, position, value);
    vec![format!(
        "evaluation {}: static value {} centipawns, without quiescence; belief, what a deep search would say: expected score {expected:+.3}, spread {spread:.2} in the logit (side to move)",
        which.name(),
        value.centipawns(),
    )]
}

/// How many lines of play of `depth` moves begin with each legal move, then their sum; `None` if `goes_on` said no.
pub(super) fn divided(
    position: &ChessPosition,
    depth: u32,
    goes_on: &impl Fn() -> bool,
) -> Option<Vec<String>> {
    let mut sum = 0u64;
    let mut lines = Vec::new();
    for m in position.legal_moves() {
        let mut next = position.clone();
        next.play(m);
        let count = perft(&next, depth.saturating_sub(1), goes_on)?;
        sum = sum.saturating_add(count);
        lines.push(format!("{}: {count}", position.uci(m)));
    }
    lines.push(String::new());
    lines.push(format!("Nodes searched: {sum}"));
    Some(lines)
}

/// The speed of the chosen algorithm with its settings, in a few positions.
pub(super) fn bench(
    config: &Config,
    nodes: Option<u64>,
    goes_on: &impl Fn() -> bool,
) -> Vec<String> {
    let limits = Limits {
        nodes: Some(nodes.unwrap_or(BENCH_NODES).max(1)),
        ..Limits::default()
    };
    let mut lines = Vec::new();
    let (mut total, since) = (0, Instant::now());
    for text in BENCH {
        let Ok(read) = fen::parse(text) else { continue };
        if !goes_on() {
            lines.push("info string bench: stopped".to_owned());
            break;
        }
        let config = Config {
            limits,
            tables: None,
            ..config.clone()
        };
        let mut session = Session::start(Subject::from(Situation::new(read.position)), config);
        session.join();
        let nodes = session.status().totals.nodes;
        total += nodes;
        lines.push(format!("info string bench {nodes} nodes: {text}"));
    }
    let speed = total as f64 / since.elapsed().as_secs_f64().max(1e-6);
    lines.push(format!("{total} nodes {speed:.0} nps"));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_and_the_counts() {
        let start = ChessPosition::default();
        let lines = board(&start);
        assert_eq!(lines[0], "8  r n b q k b n r");
        assert_eq!(lines[4], "4  . . . . . . . .");
        assert!(lines[9].starts_with("Fen: rnbqkbnr/"));
        let lines = divided(&start, 3, &|| true).expect("all of it");
        assert!(lines.contains(&"e2e4: 600".to_owned()));
        assert_eq!(lines.last().expect("a sum"), "Nodes searched: 8902");
        assert_eq!(divided(&start, 5, &|| false), None);
    }
}
