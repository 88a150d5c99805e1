//! Lessons: text beside a real search that is stopped at the right places, with questions whose answers come from the
//! search.
//!
//! A lesson is a plain file. [`read`] documents its grammar, and
//! `sample-positions/lessons/README.md` is the guide for authors. [`script`] brings a search to the point that a step
//! asks for, [`answer`] reads the numbers in the text and the answers to questions off it, and [`check`] walks through
//! a whole lesson without a screen.

pub mod answer;
pub mod check;
mod expect;
mod facts;
mod glossary;
mod hint;
mod library;
pub mod progress;
mod read;
pub mod script;
mod setup;
mod text;

pub use expect::Expected;
pub use facts::{Fact, Facts};
pub use glossary::{Glossary, Term};
pub use hint::Hint;
pub use library::{built_in, is_named, own};
pub use text::{Format, Inline, Prose, Shape, Value};

use session::Config;
use session::Subject;
use session::breakpoint::{Breakpoint, Measure, NodePath, Predicate};

/// A parsed lesson.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The name of the file.
    pub name: String,
    pub title: String,
    /// What it teaches, in one line.
    pub teaches: String,
    pub minutes: u32,
    /// The posts, papers, mails and books on which it is based.
    pub sources: Vec<String>,
    /// What the screen shows from the first step on; `None` if the lesson does not say, and then it shows everything.
    pub shows: Option<Facts>,
    pub steps: Vec<Step>,
}

/// One screenful of a lesson.
#[derive(Clone, Debug)]
pub struct Step {
    pub heading: String,
    /// The line of its heading in the file, from 1.
    pub line: u32,
    /// Starts a new search.
    pub setup: Option<Setup>,
    /// How far the search runs.
    pub runs: Vec<Run>,
    pub show: Show,
    pub text: Vec<Prose>,
    pub question: Option<Question>,
    /// Shown when the question has been answered.
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

/// How far a search runs.
#[derive(Clone, Debug)]
pub struct Run {
    pub line: u32,
    pub to: Target,
}

#[derive(Clone, Debug)]
pub enum Target {
    /// Runs until a breakpoint has fired this many times.
    Break(Breakpoint, u32),
    Event(u64),
    End,
}

/// What to show to the reader.
#[derive(Clone, Debug, Default)]
pub struct Show {
    pub view: View,
    pub select: Option<NodePath>,
    /// Nodes to open, together with their ancestors.
    pub open: Vec<NodePath>,
    /// Nodes to highlight.
    pub mark: Vec<NodePath>,
    /// What the screen shows in addition from this step on.
    pub adds: Option<Facts>,
}

/// What is shown beside the text if there is room for only one thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The rows of the tree; if there is room, with the inspector below.
    #[default]
    Tree,
    /// A complete drawing of a toy tree.
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

/// A question to answer before the search continues.
#[derive(Clone, Debug)]
pub struct Question {
    pub line: u32,
    pub ask: Vec<Inline>,
    /// The author's hint; empty if there is none.
    pub hint: Vec<Inline>,
    /// How far the search runs before the answer is read off it.
    pub reveal: Option<Run>,
    pub kind: Kind,
    /// What the author takes to be the answer; the check compares it with the search's.
    pub expect: Option<Expected>,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// A row of the tree.
    Row(Row),
    /// A number, which must be within the tolerance.
    Number { measure: Measure, tolerance: f64 },
    /// One of several choices, exactly one of which is true.
    Choice(Vec<Choice>),
}

/// Which row is the answer.
#[derive(Clone, Debug)]
pub enum Row {
    /// The one at which the event happens that stops the question's run.
    Next,
    /// The child of the place with the largest (or smallest) number.
    Extreme {
        measure: Measure,
        among: NodePath,
        greatest: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Choice {
    pub text: Vec<Inline>,
    pub claim: Predicate,
}

impl Lesson {
    /// Returns the number of questions.
    pub fn questions(&self) -> usize {
        self.steps.iter().filter(|s| s.question.is_some()).count()
    }

    /// Returns what the screen shows in a step.
    pub fn facts_at(&self, step: usize) -> Facts {
        let added = self.steps.iter().take(step + 1);
        let added = added.filter_map(|step| step.show.adds);
        added.fold(self.shows.unwrap_or(Facts::ALL), Facts::with)
    }

    /// Returns what the screen shows while the question of a step is open: not the number that it asks for.
    pub fn facts_asked_at(&self, step: usize) -> Facts {
        let question = self.steps[step].question.as_ref();
        let asked = question.map_or(Facts::VALUES, Question::asks_for);
        self.facts_at(step).without(asked)
    }

    /// Returns the terms that the lesson has mentioned up to a step, those of the step first and then the latest; without
    /// those below its question unless that `is_answered`.
    pub fn terms_up_to(&self, step: usize, is_answered: bool) -> Vec<String> {
        let here = &self.steps[step];
        let mut all = match is_answered {
            true => here.terms(),
            false => here.terms_asked(),
        };
        let earlier = self.steps[..step].iter().rev().flat_map(Step::terms);
        for term in earlier {
            if !all.contains(&term) {
                all.push(term);
            }
        }
        all
    }

    /// Returns the step that started the search of this step: the last one with a setup, up to `step`.
    pub fn begins_at(&self, step: usize) -> usize {
        let mut upto = self.steps.iter().take(step + 1);
        upto.rposition(|s| s.setup.is_some()).unwrap_or(0)
    }

    /// Returns the setup with which a step's search was started.
    pub fn setup_of(&self, step: usize) -> Option<&Setup> {
        self.steps.get(self.begins_at(step))?.setup.as_ref()
    }

    /// Returns the runs that bring the search from its start to a step: those of the earlier steps and of their
    /// questions, then its own, and its question's as well if that `is_answered`.
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

impl Question {
    /// Whether it asks which row has the most or the least of something.
    pub fn compares_rows(&self) -> bool {
        matches!(self.kind, Kind::Row(Row::Extreme { .. }))
    }

    /// Returns what the screen has as a number and the question asks for.
    fn asks_for(&self) -> Facts {
        match &self.kind {
            Kind::Number { measure, .. } => Facts::read_by(measure.text()).figures(),
            Kind::Row(_) | Kind::Choice(_) => Facts::VALUES,
        }
    }
}

impl Step {
    /// Whether its question asks for a row of the tree.
    pub fn asks_for_row(&self) -> bool {
        let question = self.question.as_ref();
        question.is_some_and(|q| matches!(q.kind, Kind::Row(_)))
    }

    /// Returns what its text reads off the screen, with the line: the numbers in it, and what a question compares.
    pub fn reads(&self) -> Vec<(u32, Facts)> {
        let of_inlines = |line: u32, inlines: &[Inline]| {
            let facts = inlines.iter().map(Inline::reads);
            (line, facts.fold(Facts::VALUES, Facts::with))
        };
        let prose = self.text.iter().chain(&self.after);
        let mut read: Vec<(u32, Facts)> = prose.map(|p| of_inlines(p.line, &p.inlines)).collect();
        if let Some(question) = &self.question {
            let line = question.line;
            read.push(of_inlines(line, &question.ask));
            read.push(of_inlines(line, &question.hint));
            if let Kind::Row(Row::Extreme { measure, .. }) = &question.kind {
                read.push((line, Facts::read_by(measure.text())));
            }
        }
        read
    }

    /// Returns the terms that it mentions, in the order of the text.
    pub fn terms(&self) -> Vec<String> {
        let hint = self.question.iter().flat_map(|q| &q.hint);
        let after = self.after.iter().flat_map(|p| &p.inlines);
        let mut terms = self.terms_asked();
        add_terms(&mut terms, hint.chain(after));
        terms
    }

    /// Returns the terms in the text above its question and in the question.
    fn terms_asked(&self) -> Vec<String> {
        let text = self.text.iter().flat_map(|p| &p.inlines);
        let ask = self.question.iter().flat_map(|q| &q.ask);
        let mut terms = Vec::new();
        add_terms(&mut terms, text.chain(ask));
        terms
    }
}

/// Adds the terms among these pieces that are not there yet.
fn add_terms<'a>(terms: &mut Vec<String>, inlines: impl Iterator<Item = &'a Inline>) {
    for inline in inlines {
        if let Inline::Term { term, .. } = inline
            && !terms.contains(term)
        {
            terms.push(term.clone());
        }
    }
}
