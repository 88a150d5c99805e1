//! The state of the Learn tab: the lessons and the progress in them, the open one, the quiz.

mod commands;
mod exports;
pub(crate) mod keys;
mod layout;
pub mod progress;
pub mod quiz;
mod screen;
mod trial;
pub(crate) mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use progress::Progress;
use quiz::Quiz;
use trial::Trial;

use crate::context::Context;
use crate::panes::drawing::Drawing;
use crate::source::Source;
use crate::tabs::Tab;
use ::screen::list::List;
use game::load::LoadError;
use games::Entry;
use session::debug::EventPosition;
use session::{Config, Subject};
use studies::course::{self, Assignment, Course, Listed};
use studies::lesson::answer::{Answer, Guess};
use studies::lesson::progress::Try;
use studies::lesson::script::Script;
use studies::lesson::{Fact, Glossary, Lesson, Question};

/// What can be clicked in the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnTarget {
    /// A lesson in the list.
    Lesson(usize),
    /// The text of a lesson.
    Text,
    /// An answer of a quiz.
    Choice(usize),
}

/// The state of the tab.
#[derive(Debug, Default)]
pub struct LearnTab {
    /// The lessons, which are read on first use.
    shelf: OnceLock<Shelf>,
    pub list: List,
    pub progress: Progress,
}

/// What is read beside the live search: a lesson's text, or the questions of a quiz. What the reader shall not see yet, the
/// panes leave out.
#[derive(Debug, Default)]
pub struct Reading {
    pub playing: Option<Playing>,
    pub quiz: Option<Quiz>,
}

/// The lessons and the glossary that come with the program, or those of a course.
#[derive(Debug)]
pub struct Shelf {
    pub lessons: Vec<Listed>,
    pub assignments: Vec<Result<Assignment, LoadError>>,
    pub glossary: Glossary,
    /// The title of the course, and its folder.
    pub course: Option<(String, PathBuf)>,
}

/// A row of the list.
#[derive(Debug)]
pub enum Row<'a> {
    Lesson(&'a Listed),
    Assignment(&'a Result<Assignment, LoadError>),
}

/// An answer that has been judged and is to be saved with the progress.
#[derive(Clone, Debug)]
pub struct Unsaved {
    pub step: usize,
    /// The question, as it was on the screen.
    pub ask: String,
    pub given: Try,
}

/// An open lesson.
#[derive(Debug)]
pub struct Playing {
    pub lesson: Arc<Lesson>,
    /// The user's own file, or that of a course, which is read again when it changes.
    pub path: Option<PathBuf>,
    /// The name under which progress is saved; `None` for the user's own file, which they are writing rather than learning from.
    pub kept_as: Option<String>,
    /// Answers that are not saved yet.
    pub unsaved: Vec<Unsaved>,
    pub step: usize,
    /// The script that runs the search to the step's place.
    pub script: Script,
    /// Whether the step is fully shown and nothing is under way.
    pub settled: bool,
    /// Where the search was then.
    pub stood: Option<EventPosition>,
    /// The user's guess, while the search runs on to the answer.
    pub guess: Option<Guess>,
    /// The first guess at a question, while a search of its own finds out whether it is right.
    pub trial: Option<Trial>,
    /// The wrong first guesses, by step: a second try follows.
    pub tries: BTreeMap<usize, Guess>,
    /// The steps at which the hint is shown.
    pub hinted: BTreeSet<usize>,
    /// The questions answered before the lesson was left and resumed, by step, and whether rightly.
    pub earlier: BTreeMap<usize, bool>,
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
    /// Returns the lessons and the glossary: those that come with the program, unless a course is taught.
    pub fn shelf(&self) -> &Shelf {
        self.shelf.get_or_init(Shelf::built_in)
    }

    /// Returns the file of the course that is taught.
    pub fn course_file(&self) -> Option<PathBuf> {
        let (_, folder) = self.shelf.get()?.course.as_ref()?;
        Some(folder.join(course::FILE))
    }

    /// Shows the lessons of a course from now on.
    pub fn teach(&mut self, course: Course) {
        self.shelf = OnceLock::from(Shelf::of(course));
    }
}

impl Shelf {
    fn built_in() -> Shelf {
        Shelf {
            lessons: Listed::built_in(),
            assignments: Vec::new(),
            glossary: Glossary::built_in().unwrap_or_default(),
            course: None,
        }
    }

    fn of(course: Course) -> Shelf {
        Shelf {
            lessons: course.lessons,
            assignments: course.assignments,
            glossary: course.glossary,
            course: Some((course.title, course.folder)),
        }
    }

    /// Returns the number of rows of the list: the lessons, then the assignments.
    pub fn rows(&self) -> usize {
        self.lessons.len() + self.assignments.len()
    }

    /// Returns a row of the list.
    pub fn row(&self, at: usize) -> Option<Row<'_>> {
        match at.checked_sub(self.lessons.len()) {
            None => self.lessons.get(at).map(Row::Lesson),
            Some(at) => self.assignments.get(at).map(Row::Assignment),
        }
    }

    /// Returns a lesson of the list, if the row has one that can be read.
    pub fn lesson(&self, at: usize) -> Option<&Arc<Lesson>> {
        self.lessons.get(at)?.lesson.as_ref().ok()
    }
}

impl Reading {
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

    /// Whether the screen shows a fact beside the text: what the lesson has not introduced is left out, and so is the
    /// number that an open question asks for.
    pub fn shows(&self, fact: Fact) -> bool {
        let playing = self.playing.as_ref();
        playing.is_none_or(|p| {
            let shown = match p.is_answered() {
                true => p.lesson.facts_at(p.step),
                false => p.lesson.facts_asked_at(p.step),
            };
            shown.has(fact)
        })
    }

    /// Whether a question is open, so that nothing may be shown that tells its answer.
    pub fn is_asking(&self) -> bool {
        self.asked().is_some_and(|(_, outcome)| outcome.is_none())
    }

    /// Returns the terms that the text on the screen mentions.
    pub fn terms(&self) -> Vec<String> {
        let playing = self.playing.as_ref();
        playing.map_or_else(Vec::new, |p| p.lesson.steps[p.step].terms())
    }
}

impl Context {
    /// Whether the present tab shows a fact; only a lesson leaves some out.
    pub(crate) fn shows(&self, fact: Fact) -> bool {
        self.tab != Tab::Learn || self.reading.shows(fact)
    }

    /// Whether best moves are not shown, because a question is open whose answer they may be.
    pub(crate) fn hides_best(&self) -> bool {
        self.tab == Tab::Learn && self.reading.is_asking()
    }

    /// Whether the search's place is not marked, because an open question asks which row has the most or the least of something:
    /// a search often ends at that row. A question about the next row starts from the place.
    pub(crate) fn hides_place(&self) -> bool {
        let asked = self.reading.asked();
        let compares = asked.is_some_and(|(q, _)| q.compares_rows());
        self.hides_best() && compares
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

    /// Returns the answered questions, by step, and whether they were answered correctly: in this run, or before it was
    /// resumed.
    pub fn answered(&self) -> BTreeMap<usize, bool> {
        let mut answered = self.earlier.clone();
        answered.extend(self.outcomes.iter().map(|(step, o)| (*step, o.is_right())));
        answered
    }

    /// Returns the number of questions answered, and of those answered correctly.
    pub fn score(&self) -> (usize, usize) {
        let answered = self.answered();
        (
            answered.len(),
            answered.values().filter(|right| **right).count(),
        )
    }

    /// Returns the wrong first guess at the question on the screen, while it is open.
    pub fn tried(&self) -> Option<&Guess> {
        self.tries.get(&self.step).filter(|_| !self.is_answered())
    }

    /// Whether the hint for the question on the screen is shown.
    pub fn is_hinted(&self) -> bool {
        self.hinted.contains(&self.step) && !self.is_answered()
    }
}
