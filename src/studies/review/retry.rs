//! A guess at a better move, judged by the search that marked the move played.

use super::{Loss, Mark, MarkKind, Review, reader};
use game::Game as _;
use session::{MoveName, Subject};

/// A guess that a column of a review judges: it searches the position and the one after the guess, with the review's
/// budget.
#[derive(Debug)]
pub struct Trial {
    pub guess: MoveName,
    review: Review,
}

impl Review {
    /// Returns the legal moves at a ply, by name.
    pub fn legal_moves(&self, ply: usize) -> Vec<MoveName> {
        let Some(position) = self.position(ply).map(|s| &s.position) else {
            return Vec::new();
        };
        let moves = position.legal_moves().into_iter();
        let mut names: Vec<MoveName> = moves.map(|m| reader::name(position, m)).collect();
        names.sort_by(|a, b| a.san.cmp(&b.san));
        names
    }

    /// Starts to judge a guess at a ply by one of the columns; `None` if the move is not legal there.
    pub fn try_out(&self, column: usize, ply: usize, guess: &MoveName) -> Option<Trial> {
        let before = self.position(ply)?;
        let after: Subject = before.play_text(&guess.uci).ok()?;
        let column = self.columns().get(column)?.clone();
        let review = Review::start(vec![before.clone(), after], vec![column], self.budget(), 1);
        Some(Trial {
            guess: guess.clone(),
            review,
        })
    }
}

impl Trial {
    /// Returns whether the judgement is complete.
    pub fn is_complete(&self) -> bool {
        self.review.is_complete()
    }

    /// Returns what the guess loses, once it is known; `None` also if the column cannot say.
    pub fn loss(&self) -> Option<Loss> {
        self.review.losses(0).first().copied().flatten()
    }
}

/// A guess with what it loses.
#[derive(Clone, Debug, PartialEq)]
pub struct Guessed {
    pub guess: MoveName,
    /// `None` if the column could not judge it.
    pub loss: Option<Loss>,
}

impl Guessed {
    /// Returns the verdict on a guess that needs no search: the column's own best move, or the move that was played.
    pub fn known(mark: &Mark, guess: &MoveName) -> Option<Guessed> {
        let loss = if guess.code == mark.best.code {
            Loss {
                drop: 0.0,
                at_least: false,
                after: mark.loss.before,
                ..mark.loss
            }
        } else if guess.code == mark.played.code {
            mark.loss
        } else {
            return None;
        };
        Some(Guessed {
            guess: guess.clone(),
            loss: Some(loss),
        })
    }

    /// Whether the guess would not have been marked.
    pub fn is_good(&self) -> bool {
        let drop = self.loss.map(|loss| loss.drop);
        drop.is_some_and(|drop| drop < MarkKind::Inaccuracy.least())
    }
}
