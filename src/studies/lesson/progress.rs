//! How far somebody got in a lesson, and what they answered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The progress in one lesson, or in the quiz.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The step where the user left, from 0.
    pub step: usize,
    pub done: bool,
    /// The questions answered in the last complete run (in the first run, so far), and those answered correctly.
    pub asked: usize,
    pub right: usize,
    /// The questions answered in a run that is not complete, by step, and whether rightly.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<usize, bool>,
    /// Every answer of every run, by step. Files of plyscope 0.1 do not have it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub given: BTreeMap<usize, Given>,
}

/// What was answered to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The question, as it was on the screen.
    pub ask: String,
    /// The answers, the first one first.
    pub tries: Vec<Try>,
}

/// One answer to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Try {
    /// The answer, as it was on the screen.
    pub answer: String,
    pub right: bool,
    /// Whether the hint was on the screen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hinted: bool,
    /// When it was given, in seconds since the beginning of 1970 (UTC).
    pub at: u64,
}

impl Given {
    /// The most answers to a question that are kept; later ones replace the last.
    const MOST: usize = 50;

    /// Adds an answer to a question; if another question is asked in its place now, the answers to the former one go.
    pub fn add(&mut self, ask: &str, given: Try) {
        if self.ask != ask {
            ask.clone_into(&mut self.ask);
            self.tries.clear();
        }
        self.tries.truncate(Given::MOST - 1);
        self.tries.push(given);
    }

    /// Whether one of the answers was right.
    pub fn is_solved(&self) -> bool {
        self.tries.iter().any(|one| one.right)
    }

    /// Whether the first answer was right.
    pub fn at_once(&self) -> bool {
        self.tries.first().is_some_and(|first| first.right)
    }
}

impl Record {
    /// Combines the record with a later one. The score of a completed lesson stays until the lesson is completed again, and
    /// the answers given stay.
    #[must_use]
    pub fn with(self, now: &Record) -> Record {
        let done = self.done || now.done;
        let (asked, right) = match self.done && !now.done {
            true => (self.asked, self.right),
            false => (now.asked, now.right),
        };
        Record {
            step: now.step,
            done,
            asked,
            right,
            answers: now.answers.clone(),
            given: self.given,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(answer: &str, right: bool) -> Try {
        Try {
            answer: answer.into(),
            right,
            ..Try::default()
        }
    }

    #[test]
    fn answers_are_added_until_the_question_is_another() {
        let mut given = Given::default();
        given.add("2 + 2?", one("5", false));
        given.add("2 + 2?", one("4", true));
        assert!(given.is_solved() && !given.at_once());
        assert_eq!(given.tries.len(), 2);
        given.add("2 + 3?", one("5", true));
        assert!(given.at_once());
        assert_eq!((given.ask.as_str(), given.tries.len()), ("2 + 3?", 1));
        for _ in 0..100 {
            given.add("2 + 3?", one("6", false));
        }
        assert_eq!(given.tries.len(), Given::MOST);
        assert!(given.at_once(), "the first answers stay");
    }

    #[test]
    fn a_record_without_answers_is_read_as_before() {
        let old = r#"{"step": 3, "done": true, "asked": 4, "right": 2}"#;
        let read: Record = serde_json::from_str(old).expect("a record");
        assert_eq!(
            (read.step, read.done, read.asked, read.right),
            (3, true, 4, 2)
        );
        assert!(read.given.is_empty());
        let written = serde_json::to_string(&read).expect("text");
        assert!(!written.contains("given"), "{written}");
    }
}
