//! Plays one game.

use super::player::{Opinion, Player};
use super::{Outcome, Stopped};
use game::{Ending, Game as _, MoveCode, Side};
use session::Subject;
use session::jobs::Worker;
use studies::review::Found;
use tree::Fate;

/// The moves of each side after which a game is drawn.
pub const LONGEST: usize = 200;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum End {
    Checkmate,
    Stalemate,
    Repetition,
    FiftyMoves,
    TooLittleMaterial,
    /// After [`LONGEST`] moves of each side.
    Length,
}

impl End {
    pub const ALL: [End; 6] = [
        End::Checkmate,
        End::Stalemate,
        End::Repetition,
        End::FiftyMoves,
        End::TooLittleMaterial,
        End::Length,
    ];

    pub fn name(self) -> &'static str {
        [
            "checkmate",
            "stalemate",
            "repetition",
            "fifty moves",
            "too little material",
            "length",
        ][self as usize]
    }

    /// Returns how the game ends here after so many plies, if it does.
    fn of(at: &Subject, plies: usize) -> Option<End> {
        let by_rules = Found::over(at, true).map(|found| match found.fate {
            Fate::Repetition { .. } => End::Repetition,
            Fate::Ended(Ending::InsufficientMaterial) => End::TooLittleMaterial,
            Fate::Ended(Ending::FiftyMoves) => End::FiftyMoves,
            Fate::Ended(ending) if ending.is_lost() => End::Checkmate,
            _ => End::Stalemate,
        });
        by_rules.or((plies >= 2 * LONGEST).then_some(End::Length))
    }
}

/// A game that was played.
#[derive(Debug)]
pub(crate) struct Played {
    /// The column that had White.
    pub white: usize,
    /// The position after the opening.
    pub start: Subject,
    pub moves: Vec<(MoveCode, Option<Opinion>)>,
    pub end: End,
    /// The result for the first column.
    pub outcome: Outcome,
}

/// Returns the column to move.
pub(super) fn to_move(at: &Subject, white: usize) -> usize {
    match at.position.turn() {
        Side::White => white,
        Side::Black => 1 - white,
    }
}

/// Plays from a position to the end.
pub(crate) fn play(
    start: Subject,
    white: usize,
    mut players: [Player; 2],
    worker: &Worker,
) -> Result<Played, Stopped> {
    let mut at = start.clone();
    let mut moves = Vec::new();
    let end = loop {
        if let Some(end) = End::of(&at, moves.len()) {
            break end;
        }
        let chosen = players[to_move(&at, white)].choose(&at, worker)?;
        if !at.follow(chosen.played) {
            return Err(Stopped);
        }
        moves.push((chosen.played, chosen.opinion));
    };
    let outcome = match (end, to_move(&at, white)) {
        (End::Checkmate, 0) => Outcome::Lost,
        (End::Checkmate, _) => Outcome::Won,
        _ => Outcome::Drawn,
    };
    Ok(Played {
        white,
        start,
        moves,
        end,
        outcome,
    })
}
