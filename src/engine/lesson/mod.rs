//! Lessons: texts beside a real search that is stopped at the right places, with questions that the search answers.
//!
//! A lesson is a plain file ([`read`](read::Lesson::read) has its grammar, `sample-positions/lessons/README.md` the
//! guide for teachers). [`script`] brings a search to where a step has it, [`answer`] reads off it what the text tells
//! and what a question asks, [`check`] goes through a whole lesson without a screen.

pub mod answer;
pub mod check;
mod glossary;
mod library;
mod read;
pub mod script;
mod setup;
mod text;

pub use glossary::{Glossary, Term};
pub use library::{built_in, is_named, own};
pub use text::{Format, Inline, Prose, Shape, Value};

use super::Config;
use super::breakpoint::{Breakpoint, Claim, Measure, Spot};
use crate::game::Subject;

/// A lesson as it was read.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The file's name.
    pub name: String,
    pub title: String,
    /// What it teaches, in one line.
    pub teaches: String,
    pub minutes: u32,
    /// Posts, papers, mails and books it stands on.
    pub sources: Vec<String>,
    pub steps: Vec<Step>,
}

/// One screenful of a lesson.
#[derive(Clone, Debug)]
pub struct Step {
    pub heading: String,
    /// The line of its heading in the file, from 1.
    pub line: u32,
    /// Begins a new search.
    pub setup: Option<Setup>,
    /// How far it goes on.
    pub runs: Vec<Run>,
    pub show: Show,
    pub text: Vec<Prose>,
    pub question: Option<Question>,
    /// Shown once the question is answered.
    pub after: Vec<Prose>,
}

/// A search before its first event.
#[derive(Clone, Debug)]
pub struct Setup {
    pub line: u32,
    pub subject: Subject,
    pub config: Config,
    /// What is searched, in a few words.
    pub title: String,
}

/// How far a search goes on.
#[derive(Clone, Debug)]
pub struct Run {
    pub line: u32,
    pub to: Target,
}

#[derive(Clone, Debug)]
pub enum Target {
    /// To a breakpoint, so many times.
    Break(Breakpoint, u32),
    Event(u64),
    End,
}

/// What a person is to look at.
#[derive(Clone, Debug, Default)]
pub struct Show {
    pub view: View,
    pub select: Option<Spot>,
    /// Opened, with what leads there.
    pub open: Vec<Spot>,
    /// Set off from the others.
    pub mark: Vec<Spot>,
}

/// What stands beside the text where there is room for one thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The rows of the tree; with room the inspector below.
    #[default]
    Tree,
    /// A toy tree drawn whole.
    Drawing,
    Inspector,
    Board,
}

impl View {
    pub const ALL: [(&'static str, View); 4] = [
        ("tree", View::Tree),
        ("drawing", View::Drawing),
        ("inspector", View::Inspector),
        ("board", View::Board),
    ];
}

/// What a person is asked before the search goes on.
#[derive(Clone, Debug)]
pub struct Question {
    pub line: u32,
    pub ask: Vec<Inline>,
    /// The search goes on as far as this before the answer is read off it.
    pub reveal: Option<Run>,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// A row of the tree.
    Row(Row),
    /// A number, right within the tolerance.
    Number { measure: Measure, tolerance: f64 },
    /// One of several; exactly one of the claims holds.
    Choice(Vec<Choice>),
}

/// Which row is the right one.
#[derive(Clone, Debug)]
pub enum Row {
    /// Where the event happens that the question's run stops at.
    Next,
    /// The child of the place with the greatest (or smallest) number.
    Extreme {
        measure: Measure,
        among: Spot,
        greatest: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Choice {
    pub text: Vec<Inline>,
    pub claim: Claim,
}

impl Lesson {
    /// How many questions it asks.
    #[must_use]
    pub fn questions(&self) -> usize {
        self.steps.iter().filter(|s| s.question.is_some()).count()
    }

    /// The step whose search a step goes on from: the last one with a set-up, up to `step`.
    #[must_use]
    pub fn begins_at(&self, step: usize) -> usize {
        let mut upto = self.steps.iter().take(step + 1);
        upto.rposition(|s| s.setup.is_some()).unwrap_or(0)
    }

    /// The set-up that a step's search began with.
    #[must_use]
    pub fn setup_of(&self, step: usize) -> Option<&Setup> {
        self.steps.get(self.begins_at(step))?.setup.as_ref()
    }

    /// The runs that bring the search from its beginning to a step: those of the steps before with what their
    /// questions ran on, then its own; with its question's too if that `is_answered`.
    #[must_use]
    pub fn way_to(&self, step: usize, is_answered: bool) -> Vec<Run> {
        let mut way = Vec::new();
        for (i, s) in self.steps.iter().enumerate().take(step + 1) {
            if i < self.begins_at(step) {
                continue;
            }
            way.extend(s.runs.iter().cloned());
            if i < step || is_answered {
                way.extend(s.question.iter().filter_map(|q| q.reveal.clone()));
            }
        }
        way
    }
}

impl Step {
    /// The terms that it names, in the text's order.
    #[must_use]
    pub fn terms(&self) -> Vec<String> {
        let question = self.question.iter().flat_map(|q| &q.ask);
        let prose = self.text.iter().chain(&self.after);
        let inlines = prose.flat_map(|p| &p.inlines).chain(question);
        let mut terms = Vec::new();
        for inline in inlines {
            if let Inline::Term { term, .. } = inline
                && !terms.contains(term)
            {
                terms.push(term.clone());
            }
        }
        terms
    }
}
