//! Checks a lesson without a screen: every run must reach its stop, every place must exist, every number must have a
//! value, every question must have exactly one right answer, the one that the author expects, and every term must be in
//! the glossary.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::answer::Answer;
use super::script::{Script, begin, still};
use super::{Glossary, Inline, Lesson, Step, Value};
use game::load::LoadError;
use session::Session;
use session::breakpoint::{NodePath, Still};
use tree::{NodeId, Tree};

/// The longest time that a lesson's search may take between two stops.
const PATIENCE: Duration = Duration::from_secs(120);

/// The allowed number of steps of a built-in lesson.
pub const STEPS: std::ops::RangeInclusive<usize> = 5..=15;

/// A point at which the walk through a lesson stops.
#[derive(Debug)]
pub enum Stop<'a> {
    /// At a step, before its question.
    Step(&'a Step, &'a Session),
    /// After its question, with the answer.
    Answered(&'a Step, &'a Session, Answer),
}

/// Checks a whole lesson.
///
/// # Errors
/// Returns everything that is wrong, each with file and line.
pub fn check(lesson: &Lesson, glossary: &Glossary) -> Result<(), Vec<LoadError>> {
    walk(lesson, glossary, &mut |_| {})
}

/// Walks through a lesson, checks it and calls `look` at each stop.
///
/// # Errors
/// See [`check`].
pub fn walk(
    lesson: &Lesson,
    glossary: &Glossary,
    look: &mut dyn FnMut(Stop),
) -> Result<(), Vec<LoadError>> {
    let mut faults = Vec::new();
    let mut session: Option<Session> = None;
    for (i, step) in lesson.steps.iter().enumerate() {
        unshown(lesson, i, &mut faults);
        if let Some(setup) = &step.setup {
            session = Some(begin(setup));
        }
        let Some(session) = &mut session else {
            break;
        };
        let mut checked = Checked {
            step,
            glossary,
            faults: &mut faults,
        };
        if !checked.go(session, look) {
            // The following steps depend on this one.
            break;
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    let name = |fault: LoadError| fault.in_file(&lesson.name);
    Err(faults.into_iter().map(name).collect())
}

/// Notes what a step's text reads although the screen does not show it.
fn unshown(lesson: &Lesson, step: usize, faults: &mut Vec<LoadError>) {
    let shown = lesson.facts_at(step);
    for (line, read) in lesson.steps[step].reads() {
        for fact in read.without(shown).iter() {
            let found = format!("a number of what is not shown: {}", fact.name());
            let fault = LoadError::new(found, format!("{} in shows or adds", fact.name()));
            faults.push(fault.at_line(line));
        }
    }
}

struct Checked<'a> {
    step: &'a Step,
    glossary: &'a Glossary,
    faults: &'a mut Vec<LoadError>,
}

impl Checked<'_> {
    /// Runs the step, and returns `false` if the search does not reach the point that the step asks for.
    fn go(&mut self, session: &mut Session, look: &mut dyn FnMut(Stop)) -> bool {
        if !self.run(Script::new(self.step.runs.clone()), session) {
            return false;
        }
        self.look(&still(session));
        look(Stop::Step(self.step, session));
        let Some(question) = &self.step.question else {
            return true;
        };
        self.words(&question.ask, question.line, &still(session));
        self.words(&question.hint, question.line, &still(session));
        if let super::Kind::Choice(choices) = &question.kind {
            for choice in choices {
                self.words(&choice.text, question.line, &still(session));
            }
        }
        let shown = rows_shown(session);
        if !self.run(Script::new(question.reveal.clone()), session) {
            return false;
        }
        if let Ok(Answer::Row { parent, .. }) = question.answer(&still(session))
            && parent != Tree::ROOT
            && !shown.contains(&parent)
        {
            self.fault(
                question.line,
                "a row that is not there when it is asked for",
                "one",
            );
        }
        let answer = question.answer(&still(session)).and_then(|answer| {
            question.meets(&answer, &still(session))?;
            Ok(answer)
        });
        match answer {
            Ok(answer) => look(Stop::Answered(self.step, session, answer)),
            Err(e) => self.fault(question.line, &e.found, &e.expected),
        }
        for prose in &self.step.after {
            self.words(&prose.inlines, prose.line, &still(session));
        }
        true
    }

    fn fault(&mut self, line: u32, found: &str, expected: &str) {
        self.faults
            .push(LoadError::new(found, expected).at_line(line));
    }

    fn run(&mut self, mut script: Script, session: &mut Session) -> bool {
        let since = Instant::now();
        while !script.is_done() {
            session.tend();
            if let Err(missed) = script.tend(session) {
                self.fault(missed.line, &missed.found, &missed.expected);
                return false;
            }
            if since.elapsed() > PATIENCE {
                self.fault(self.step.line, "no stop in two minutes", "one");
                return false;
            }
            std::thread::sleep(Duration::from_micros(50));
        }
        true
    }

    fn look(&mut self, still: &Still) {
        let show = &self.step.show;
        for spot in show.select.iter().chain(&show.mark) {
            if !is_row(spot, still) {
                self.fault(
                    self.step.line,
                    &format!("no row {:?}", spot.text()),
                    "one in the tree",
                );
            }
        }
        for spot in &show.open {
            if spot.node(still.reader.tree).is_none() {
                self.fault(
                    self.step.line,
                    &format!("no node {:?}", spot.text()),
                    "one in the tree",
                );
            }
        }
        for prose in &self.step.text {
            self.words(&prose.inlines, prose.line, still);
        }
    }

    fn words(&mut self, inlines: &[Inline], line: u32, still: &Still) {
        for inline in inlines {
            match inline {
                Inline::Term { term, .. } if self.glossary.find(term).is_none() => {
                    self.fault(line, &format!("[[{term}]]"), "a term of the glossary");
                }
                Inline::Value(value, _) => {
                    if let Some(missing) = missing(value, still) {
                        self.fault(
                            line,
                            &format!("nothing for {{{missing}}}"),
                            "a figure of the search",
                        );
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the nodes whose moves are visible as rows so far. Only those and the root's moves can be selected.
fn rows_shown(session: &Session) -> HashSet<NodeId> {
    let tree = session.tree();
    let has_moves = |id: &NodeId| tree.node(*id).child_count() > 0;
    tree.ids().filter(has_moves).collect()
}

fn is_row(spot: &NodePath, still: &Still) -> bool {
    match spot.row(still.reader.tree) {
        Some((parent, m)) => still
            .reader
            .fates(parent)
            .iter()
            .any(|(code, _)| *code == m),
        None => spot.text().is_empty(),
    }
}

/// Returns the placeholder's text if it has no value here.
fn missing(value: &Value, still: &Still) -> Option<String> {
    let tree = still.reader.tree;
    let best = |spot: &NodePath| {
        let node = spot.node(tree)?;
        still.reader.best_move(node)
    };
    let (there, text) = match value {
        Value::Number(measure) => {
            let finite = measure.of(still).is_some_and(f64::is_finite);
            (finite, measure.text().to_owned())
        }
        Value::Best(spot) => (best(spot).is_some(), format!("best of {:?}", spot.text())),
        Value::Line(spot) => (best(spot).is_some(), format!("line of {:?}", spot.text())),
        Value::Move(spot) => (is_row(spot, still), format!("move of {:?}", spot.text())),
        Value::Sentence(spot) => (
            is_row(spot, still),
            format!("sentence of {:?}", spot.text()),
        ),
        Value::Event => (still.event.is_some(), "event".to_owned()),
    };
    (!there).then_some(text)
}
