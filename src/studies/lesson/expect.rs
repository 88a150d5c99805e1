//! What the author of a lesson takes to be the answer to a question: the text below the question goes on from it, so the
//! search has to agree.

use super::answer::{Answer, Guess, NoAnswer};
use super::{Kind, Question};
use session::breakpoint::{NodePath, Still};

/// The answer that the author has in mind.
#[derive(Clone, Debug)]
pub enum Expected {
    Row(NodePath),
    Number(f64),
    /// The index of the choice.
    Choice(usize),
}

impl Question {
    /// Compares the search's answer with the one that the author expects, if the lesson says which.
    ///
    /// # Errors
    /// If the search gives another one.
    pub(super) fn meets(&self, answer: &Answer, still: &Still) -> Result<(), NoAnswer> {
        let Some(expected) = &self.expect else {
            return Ok(());
        };
        let guess = match expected {
            Expected::Row(place) => place
                .row(still.reader.tree)
                .map(|(parent, m)| Guess::Row { parent, m }),
            Expected::Number(x) => Some(Guess::Number(*x)),
            Expected::Choice(index) => Some(Guess::Choice(*index)),
        };
        if guess.is_some_and(|guess| answer.fits(&guess)) {
            return Ok(());
        }
        let expected = match expected {
            Expected::Row(place) => place.text().to_owned(),
            Expected::Number(x) => x.to_string(),
            Expected::Choice(index) => self.choice(*index),
        };
        Err(NoAnswer {
            found: format!("the answer {}", self.words(answer, still)),
            expected,
        })
    }

    fn words(&self, answer: &Answer, still: &Still) -> String {
        match *answer {
            Answer::Row { .. } => answer.row_name(still).unwrap_or_default(),
            Answer::Number { value, .. } => value.to_string(),
            Answer::Choice(index) => self.choice(index),
        }
    }

    /// A choice by its number and its claim.
    fn choice(&self, index: usize) -> String {
        match &self.kind {
            Kind::Choice(choices) => match choices.get(index) {
                Some(choice) => format!("{} ({})", index + 1, choice.claim.text()),
                None => (index + 1).to_string(),
            },
            Kind::Row(_) | Kind::Number { .. } => (index + 1).to_string(),
        }
    }
}
