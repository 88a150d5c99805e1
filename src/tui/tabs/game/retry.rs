//! Retrying the marked moves of a game: the user guesses a better one, and the search that marked it judges the guess.

use std::collections::BTreeMap;

use screen::list::List;
use session::MoveName;
use studies::review::{Guessed, Mark, Trial};

/// How a marked move was retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retried {
    /// Solved, with this many guesses.
    Solved(usize),
    GivenUp,
}

/// The marked moves retried so far, by column and ply.
#[derive(Clone, Debug, Default)]
pub struct Score {
    retried: BTreeMap<(usize, usize), Retried>,
}

impl Score {
    pub fn of(&self, column: usize, ply: usize) -> Option<Retried> {
        self.retried.get(&(column, ply)).copied()
    }

    /// Notes how a marked move was retried; only the first time counts.
    pub fn note(&mut self, column: usize, ply: usize, retried: Retried) {
        self.retried.entry((column, ply)).or_insert(retried);
    }

    /// Says how many of a column's marks that were retried were solved.
    pub fn words(&self, column: usize) -> String {
        let (solved, at_once, all) = self.counts(column);
        format!("{solved} of {all} solved, {at_once} on the first try")
    }

    /// Returns how many of a column's marks were solved, how many of these with the first guess, and how many were
    /// retried.
    pub fn counts(&self, column: usize) -> (usize, usize, usize) {
        let own = self.retried.iter().filter(|((c, _), _)| *c == column);
        let all: Vec<Retried> = own.map(|(_, retried)| *retried).collect();
        let solved = all.iter().filter(|r| matches!(r, Retried::Solved(_)));
        let at_once = all.iter().filter(|r| **r == Retried::Solved(1));
        (solved.count(), at_once.count(), all.len())
    }
}

/// A marked move that is being retried.
#[derive(Debug)]
pub struct Retry {
    /// The ply at which it was played.
    pub ply: usize,
    /// The column that marked it.
    pub column: usize,
    pub mark: Mark,
    /// The node of the position.
    pub node: usize,
    /// The legal moves, by name, which tells nothing of their worth.
    pub moves: Vec<MoveName>,
    pub list: List,
    /// The guess that is being judged.
    pub trial: Option<Trial>,
    /// The guesses so far.
    pub guesses: Vec<Guessed>,
    /// Whether the solution is shown because the user gave up.
    pub given_up: bool,
}

impl Retry {
    /// Whether the move played and the best line are shown again.
    pub fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// Returns how it ended; `None` while it is open.
    pub fn outcome(&self) -> Option<Retried> {
        if self.given_up {
            return Some(Retried::GivenUp);
        }
        // Guesses after the first good one are out of curiosity.
        let good = self.guesses.iter().position(Guessed::is_good)?;
        Some(Retried::Solved(good + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_try_counts() {
        let mut score = Score::default();
        score.note(0, 6, Retried::GivenUp);
        score.note(0, 6, Retried::Solved(1));
        score.note(0, 8, Retried::Solved(2));
        score.note(0, 10, Retried::Solved(1));
        score.note(1, 6, Retried::Solved(1));
        assert_eq!(score.of(0, 6), Some(Retried::GivenUp));
        assert_eq!(score.counts(0), (2, 1, 3));
        assert_eq!(score.counts(1), (1, 1, 1));
        assert_eq!(score.counts(2), (0, 0, 0));
    }
}
