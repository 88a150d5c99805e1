//! The Learn tab: which lessons there are and were done, the one that is open, the quiz.

mod commands;
pub(in crate::tui) mod keys;
pub mod progress;
pub mod quiz;
mod screen;
pub(in crate::tui) mod view;

pub use screen::LearnScreen;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::engine::debug::EventPosition;
use crate::engine::lesson::answer::{Answer, Guess};
use crate::engine::lesson::script::Script;
use crate::engine::lesson::{Glossary, Lesson, Question, built_in};
use crate::engine::{Config, Subject};
use crate::game::load::LoadError;
use crate::tui::document::Entry;
use crate::tui::list::ListState;
use crate::tui::panes::drawing::Drawing;
use crate::tui::source::Source;
use progress::Progress;
use quiz::Quiz;

/// The tab.
#[derive(Debug, Default)]
pub struct LearnTab {
    /// Read when it is asked for the first time.
    shelf: OnceLock<Shelf>,
    pub list: ListState,
    pub playing: Option<Playing>,
    pub quiz: Option<Quiz>,
    pub progress: Progress,
}

/// What comes with the program, and the lesson a person brought.
#[derive(Debug)]
pub struct Shelf {
    pub lessons: Vec<Result<Arc<Lesson>, LoadError>>,
    pub glossary: Glossary,
}

/// An open lesson.
#[derive(Debug)]
pub struct Playing {
    pub lesson: Arc<Lesson>,
    /// A person's own file: read again when it changes.
    pub path: Option<PathBuf>,
    pub step: usize,
    /// What brings the search to the step.
    pub script: Script,
    /// The step is on the screen as it shall be: nothing is under way.
    pub settled: bool,
    /// Where the search stood then.
    pub stood: Option<EventPosition>,
    /// What the person says, while the search goes on to the answer.
    pub guess: Option<Guess>,
    /// By step, those answered.
    pub outcomes: BTreeMap<usize, Outcome>,
    /// First line of the text that is shown.
    pub top: usize,
    /// What was explored before the lesson.
    pub before: Desk,
}

/// How a question came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub guess: Guess,
    pub answer: Answer,
}

impl Outcome {
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.answer.fits(&self.guess)
    }
}

/// What Explore showed, put aside.
#[derive(Debug)]
pub struct Desk {
    pub subject: Subject,
    pub config: Config,
    pub detour: Option<(Subject, String)>,
    pub session: Option<Source>,
    pub drawing: Drawing,
    /// The place in the document: entry, node of its game and ply.
    pub entry: (usize, Entry),
    pub node: usize,
    pub ply: usize,
    /// It ran and is to run again.
    pub runs: bool,
    /// The debugger was shown.
    pub debugger: bool,
}

impl LearnTab {
    /// The lessons and the glossary that come with the program.
    #[must_use]
    pub fn shelf(&self) -> &Shelf {
        self.shelf.get_or_init(|| Shelf {
            lessons: built_in().into_iter().map(|l| l.map(Arc::new)).collect(),
            glossary: Glossary::built_in().unwrap_or_default(),
        })
    }

    /// Whether a text stands beside the live search.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.playing.is_some() || self.quiz.is_some()
    }

    /// Whether something is under way that will settle.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.playing.as_ref().is_some_and(|p| !p.settled)
            || self.quiz.as_ref().is_some_and(|q| !q.settled)
    }

    /// The question to be answered, and how it came out.
    #[must_use]
    pub fn asked(&self) -> Option<(&Question, Option<&Outcome>)> {
        if let Some(quiz) = &self.quiz {
            return Some((quiz.question.as_ref()?, quiz.outcome.as_ref()));
        }
        let playing = self.playing.as_ref()?;
        Some((playing.question()?, playing.outcome()))
    }

    /// The terms that the text on the screen names.
    #[must_use]
    pub fn terms(&self) -> Vec<String> {
        let playing = self.playing.as_ref();
        playing.map_or_else(Vec::new, |p| p.lesson.steps[p.step].terms())
    }
}

impl Playing {
    #[must_use]
    pub fn question(&self) -> Option<&Question> {
        self.lesson.steps[self.step].question.as_ref()
    }

    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcomes.get(&self.step)
    }

    /// The question is answered, or there is none.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.question().is_none() || self.outcome().is_some()
    }

    /// Questions answered, and those answered rightly.
    #[must_use]
    pub fn score(&self) -> (usize, usize) {
        let right = self.outcomes.values().filter(|o| o.is_right()).count();
        (self.outcomes.len(), right)
    }
}
