//! What is open: a file's or sample's games and positions, one of which is looked at.

use std::path::PathBuf;

use crate::game::{Game, MoveCode, Situation, Subject};

/// What is open.
#[derive(Clone, Debug)]
pub struct Document {
    pub title: String,
    /// Where it came from, if from a file: watched for changes.
    pub path: Option<PathBuf>,
    /// At least one.
    pub entries: Vec<Entry>,
}

/// One game or position.
#[derive(Clone, Debug)]
pub struct Entry {
    pub title: String,
    /// What to look for, or other words about it; may be empty.
    pub note: String,
    pub start: Subject,
    /// The moves of the game with their names.
    pub moves: Vec<(MoveCode, String)>,
    /// Plies already played when it is opened.
    pub opened_at: usize,
    /// Half-moves played before the first of `moves`: even if White (or Max) is to move there.
    pub first_ply: usize,
}

impl Entry {
    /// A position without a game.
    #[must_use]
    pub fn position(title: impl Into<String>, note: impl Into<String>, start: Subject) -> Entry {
        Entry {
            title: title.into(),
            note: note.into(),
            first_ply: first_ply(&start),
            start,
            moves: Vec::new(),
            opened_at: 0,
        }
    }

    /// The position after some plies of the game (all there are, if there are fewer), with the game before it.
    #[must_use]
    pub fn at(&self, ply: usize) -> Subject {
        let moves = &self.moves[..ply.min(self.moves.len())];
        match &self.start {
            Subject::Chess(s) => Subject::Chess(play(s, moves)),
            Subject::Toy(s) => Subject::Toy(play(s, moves)),
        }
    }

    /// `12.` or `12…` before the move at `index`.
    #[must_use]
    pub fn number(&self, index: usize) -> String {
        let ply = self.first_ply + index;
        let dots = if ply % 2 == 0 { "." } else { "…" };
        format!("{}{dots}", ply / 2 + 1)
    }
}

fn play<G: Game>(start: &Situation<G>, moves: &[(MoveCode, String)]) -> Situation<G> {
    let mut situation = start.clone();
    for (code, _) in moves {
        let Some(m) = situation.position.decode(*code) else {
            break;
        };
        situation.play(m);
    }
    situation
}

/// Half-moves before a position, by its move number.
#[must_use]
pub fn first_ply(subject: &Subject) -> usize {
    use shakmaty::Position as _;
    match subject {
        Subject::Chess(s) => {
            let chess = s.position.chess();
            2 * (chess.fullmoves().get() as usize - 1) + usize::from(chess.turn().is_black())
        }
        Subject::Toy(s) => usize::from(s.position.turn() == crate::game::Side::Black),
    }
}

impl Document {
    /// A single position.
    #[must_use]
    pub fn single(title: impl Into<String>, start: Subject) -> Document {
        let title = title.into();
        Document {
            entries: vec![Entry::position(title.clone(), "", start)],
            title,
            path: None,
        }
    }
}
