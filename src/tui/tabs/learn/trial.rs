//! The first guess at a lesson's question is judged by a search of its own, so that the one on the screen does not move:
//! if the guess is wrong, there is a second try.

use session::Session;
use studies::lesson::answer::{Answer, Guess};
use studies::lesson::script::{Script, begin, still};
use studies::lesson::{Lesson, Question};

/// A guess that is being judged.
#[derive(Debug)]
pub struct Trial {
    guess: Guess,
    /// The lesson's search, which is deterministic, run to the answer.
    session: Box<Session>,
    script: Script,
}

/// What is known of a guess.
#[derive(Debug, PartialEq)]
pub enum Judged {
    NotYet,
    Right(Guess),
    Wrong(Guess),
    /// The search did not come to an answer, which the search on the screen will report.
    Unknown(Guess),
}

impl Trial {
    /// Starts the search for the answer at a step; `None` if the step has no search.
    pub fn start(lesson: &Lesson, step: usize, guess: Guess) -> Option<Trial> {
        let setup = lesson.setup_of(step)?;
        Some(Trial {
            guess,
            session: Box::new(begin(setup)),
            script: Script::to_step(lesson, step, true),
        })
    }

    /// Runs the search on, once per turn of the main loop.
    pub fn tend(&mut self, question: &Question) -> Judged {
        self.session.tend();
        let guess = || self.guess.clone();
        match self.script.tend(&mut self.session) {
            Err(_) => Judged::Unknown(guess()),
            Ok(()) if !self.script.is_done() => Judged::NotYet,
            Ok(()) => match question.answer(&still(&self.session)) {
                Ok(answer) if Answer::fits(&answer, &self.guess) => Judged::Right(guess()),
                Ok(_) => Judged::Wrong(guess()),
                Err(_) => Judged::Unknown(guess()),
            },
        }
    }
}
