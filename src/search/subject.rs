//! What is searched, whatever the game.

use std::ops::{Deref, DerefMut};

use super::AnyPosition;
use eval::Evaluated;
use game::load::LoadError;
use game::{ChessPosition, Game, MoveCode, Situation, ToyPosition};

/// A position of any game, with the game that led to it: the start of a search.
///
/// `Subject::of(situation)` makes one of any game that has an evaluation; a chess position and a toy tree also have
/// `From`.
#[derive(Clone, Debug)]
pub struct Subject(Situation<AnyPosition>);

impl Subject {
    pub fn of<G: Evaluated>(situation: Situation<G>) -> Subject {
        let situation = situation.map(|position| Some(AnyPosition::of(position.clone())));
        Subject(situation.expect("every position has this form"))
    }

    /// The same in the types of the game `G`; `None` if it is of another game.
    pub fn downcast<G: Game>(&self) -> Option<Situation<G>> {
        self.map(|position| position.downcast_ref::<G>().cloned())
    }

    /// A chess position with its game; `None` if it is not chess.
    pub fn chess(&self) -> Option<Situation<ChessPosition>> {
        self.downcast()
    }

    /// Whether `other` is the same position with the same number of moves before it, or the same place of the same toy
    /// tree.
    pub fn is_same(&self, other: &Subject) -> bool {
        // Apart from what the key covers, a FEN only has its two clocks.
        let facts = |s: &Subject| {
            let at = &s.position;
            let clocks = (at.reversible_plies(), at.move_number());
            (at.key(), clocks, s.history.len())
        };
        self.position.is_same_game(&other.position) && facts(self) == facts(other)
    }

    /// See [`Situation::play_text`].
    ///
    /// # Errors
    /// The first word that is not a move there, with its column.
    pub fn play_text(&self, text: &str) -> Result<Subject, LoadError> {
        Ok(self.read_moves(text, false)?.0)
    }

    /// See [`Game::read_moves`].
    ///
    /// # Errors
    /// The first word that is not a move there, with its column.
    pub fn read_moves(
        &self,
        text: &str,
        may_pass: bool,
    ) -> Result<(Subject, Vec<MoveCode>), LoadError> {
        let (end, moves) = AnyPosition::read_moves(self, text, may_pass)?;
        Ok((Subject(end), moves))
    }
}

impl Deref for Subject {
    type Target = Situation<AnyPosition>;

    fn deref(&self) -> &Situation<AnyPosition> {
        &self.0
    }
}

impl DerefMut for Subject {
    fn deref_mut(&mut self) -> &mut Situation<AnyPosition> {
        &mut self.0
    }
}

impl From<Situation<AnyPosition>> for Subject {
    fn from(situation: Situation<AnyPosition>) -> Subject {
        Subject(situation)
    }
}

impl From<Situation<ChessPosition>> for Subject {
    fn from(situation: Situation<ChessPosition>) -> Subject {
        Subject::of(situation)
    }
}

impl From<Situation<ToyPosition>> for Subject {
    fn from(situation: Situation<ToyPosition>) -> Subject {
        Subject::of(situation)
    }
}
