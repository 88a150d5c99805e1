//! The state of the Learn tab: the lessons and the progress in them, the open one, the quiz.

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

/// The state of the tab.
#[derive(Debug, Default)]
pub struct LearnTab {
    /// The lessons, which are read on first use.
    shelf: OnceLock<Shelf>,
    pub list: ListState,
    pub playing: Option<Playing>,
    pub quiz: Option<Quiz>,
    pub progress: Progress,
}

/// The lessons and the glossary that come with the program.
#[derive(Debug)]
pub struct Shelf {
    pub lessons: Vec<Result<Arc<Lesson>, LoadError>>,
    pub glossary: Glossary,
}

/// An open lesson.
#[derive(Debug)]
pub struct Playing {
    pub lesson: Arc<Lesson>,
    /// The user's own file, which is read again when it changes.
    pub path: Option<PathBuf>,
    pub step: usize,
    /// The script that runs the search to the step's place.
    pub script: Script,
    /// Whether the step is fully shown and nothing is under way.
    pub settled: bool,
    /// Where the search was then.
    pub stood: Option<EventPosition>,
    /// The user's guess, while the search runs on to the answer.
    pub guess: Option<Guess>,
    /// The outcomes of the answered questions, by step.
    pub outcomes: BTreeMap<usize, Outcome>,
    /// The first visible line of the text.
    pub top: usize,
    /// What was explored before the lesson.
    pub before: Desk,
}

/// The outcome of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub guess: Guess,
    pub answer: Answer,
}

impl Outcome {
    pub fn is_right(&self) -> bool {
        self.answer.fits(&self.guess)
    }
}

/// What Explore showed before it was put aside.
#[derive(Debug)]
pub struct Desk {
    pub subject: Subject,
    pub config: Config,
    pub detour: Option<(Subject, String)>,
    pub session: Option<Source>,
    pub drawing: Drawing,
    /// The place in the document: entry, node of its game, and ply.
    pub entry: (usize, Entry),
    pub node: usize,
    pub ply: usize,
    /// Whether it was running and will be resumed.
    pub runs: bool,
    /// Whether the debugger was shown.
    pub debugger: bool,
}

impl LearnTab {
    /// Returns the lessons and the glossary that come with the program.
    pub fn shelf(&self) -> &Shelf {
        self.shelf.get_or_init(|| Shelf {
            lessons: built_in().into_iter().map(|l| l.map(Arc::new)).collect(),
            glossary: Glossary::built_in().unwrap_or_default(),
        })
    }

    /// Whether a text is open beside the live search.
    pub fn is_open(&self) -> bool {
        self.playing.is_some() || self.quiz.is_some()
    }

    /// Whether a script is still under way.
    pub fn is_under_way(&self) -> bool {
        self.playing.as_ref().is_some_and(|p| !p.settled)
            || self.quiz.as_ref().is_some_and(|q| !q.settled)
    }

    /// Returns the question on the screen, and its outcome if it was answered.
    pub fn asked(&self) -> Option<(&Question, Option<&Outcome>)> {
        if let Some(quiz) = &self.quiz {
            return Some((quiz.question.as_ref()?, quiz.outcome.as_ref()));
        }
        let playing = self.playing.as_ref()?;
        Some((playing.question()?, playing.outcome()))
    }

    /// Returns the terms that the text on the screen mentions.
    pub fn terms(&self) -> Vec<String> {
        let playing = self.playing.as_ref();
        playing.map_or_else(Vec::new, |p| p.lesson.steps[p.step].terms())
    }
}

impl Playing {
    pub fn question(&self) -> Option<&Question> {
        self.lesson.steps[self.step].question.as_ref()
    }

    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcomes.get(&self.step)
    }

    /// Whether the question is answered, or there is none.
    pub fn is_answered(&self) -> bool {
        self.question().is_none() || self.outcome().is_some()
    }

    /// Returns the number of questions answered, and of those answered correctly.
    pub fn score(&self) -> (usize, usize) {
        let right = self.outcomes.values().filter(|o| o.is_right()).count();
        (self.outcomes.len(), right)
    }
}
