//! `plyscope eval --pieces` and `--policy`: what each piece adds to the value, and how likely each move looks.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use eval::ChessEvaluator;
use eval::pieces::{PieceWorth, pieces};
use eval::priors::priors;
use game::{ChessPosition, Game};
use report::number;

/// One piece.
#[derive(Serialize, JsonSchema)]
pub(super) struct PieceJson {
    /// Its square, e4.
    square: String,
    /// Its letter as in a FEN: capitals are White's.
    piece: String,
    /// Centipawns that it adds for its owner; null if the position without it cannot be evaluated.
    worth: Option<i32>,
}

/// One move.
#[derive(Serialize, JsonSchema)]
pub(super) struct MoveJson {
    /// The move in standard algebraic notation.
    san: String,
    /// The move in UCI notation.
    uci: String,
    /// The probability that it is the best, as it looks.
    #[schemars(range(min = 0, max = 1))]
    share: f64,
}

pub(super) fn of_pieces(evaluator: &ChessEvaluator, position: &ChessPosition) -> Vec<PieceJson> {
    let json = |p: PieceWorth| PieceJson {
        square: p.square.to_string(),
        piece: p.piece.char().to_string(),
        worth: p.worth,
    };
    pieces(evaluator, position).into_iter().map(json).collect()
}

/// The share of each legal move, the likeliest first.
pub(super) fn of_moves(evaluator: &ChessEvaluator, position: &ChessPosition) -> Vec<MoveJson> {
    let json = |(m, share)| MoveJson {
        san: position.label(m),
        uci: position.uci(m),
        share,
    };
    priors(evaluator, position).into_iter().map(json).collect()
}

/// A board, White below, with each piece and its worth.
pub(super) fn pieces_text(pieces: &[PieceJson]) -> String {
    let mut out = String::from("  each piece, and what it adds for its owner (centipawns)\n");
    for rank in ('1'..='8').rev() {
        let mut line = format!("  {rank} ");
        for file in 'a'..='h' {
            let square = format!("{file}{rank}");
            let at = pieces.iter().find(|p| p.square == square);
            let _ = match at {
                Some(p) => {
                    let worth = p.worth.map_or_else(String::new, |w| w.to_string());
                    write!(line, " {}{worth:>5} ", p.piece)
                }
                None => write!(line, " ·      "),
            };
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push_str("    ");
    out.extend(('a'..='h').map(|file| format!(" {file}      ")));
    out.trim_end().to_owned()
}

/// The moves and their shares, four a line.
pub(super) fn moves_text(moves: &[MoveJson]) -> String {
    let mut out = String::from("  how likely each move looks to be the best");
    for (i, m) in moves.iter().enumerate() {
        out.push_str(if i % 4 == 0 { "\n  " } else { "  " });
        let _ = write!(out, "{:<7} {:>6}", m.san, number::percent(m.share as f32));
    }
    out
}
