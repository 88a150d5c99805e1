//! The page on the sources' questions: experiments whose results are a sheet of figures, and what is known of each.

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::keys::{next, walk};
use super::pages::AnyJob;
use super::sources::ALL;
use lab::Position;
use report::lab::verdict::Verdict;
use report::sheet::{Report, Sheet};
use session::Config;
use session::jobs::{BackgroundJob, JobState};

/// What a question is asked with.
#[derive(Debug)]
pub struct Inputs {
    /// Empty where none are needed.
    pub positions: Vec<Position>,
    /// The name of their source.
    pub source: String,
    /// The number of positions, draws or trees.
    pub count: usize,
    /// The nodes of each search.
    pub nodes: u64,
    /// Explore's configuration.
    pub config: Config,
    pub seed: u64,
    pub at_a_time: usize,
}

/// A question with its experiment.
#[derive(Debug)]
pub struct Question {
    /// The name of the experiment, as in `plyscope lab NAME`.
    pub name: &'static str,
    pub question: &'static str,
    /// What is counted: "positions".
    pub unit: &'static str,
    pub needs_positions: bool,
    /// The choices for the largest number of them.
    pub counts: [usize; 5],
    /// The choices for the nodes of each search; empty if there are none.
    pub nodes: &'static [u64],
    /// What will be done with so many, from this source, with these nodes: a sentence without its full stop.
    pub words: fn(&Setting, &str) -> String,
    /// How many seconds of one core it takes.
    pub cpu: fn(&Setting) -> f64,
    pub start: fn(Inputs) -> Result<Box<dyn AnyRun>, String>,
}

/// The settings of a question.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub count: usize,
    pub nodes: u64,
}

impl Question {
    /// The middle ones of the choices.
    pub fn usual(&self) -> Setting {
        let nodes = self.nodes.get(self.nodes.len() / 2);
        Setting {
            count: self.counts[self.counts.len() / 2],
            nodes: nodes.copied().unwrap_or(0),
        }
    }
}

/// The results of an experiment, worked out.
#[derive(Debug)]
pub struct Answer {
    question: &'static str,
    verdict: Verdict,
    pub sheet: Sheet,
    json: Value,
}

impl Answer {
    pub fn of(report: &dyn Report) -> Answer {
        Answer {
            question: report.question(),
            verdict: report.verdict(),
            sheet: report.sheet(),
            json: report.json(),
        }
    }
}

impl Report for Answer {
    fn question(&self) -> &'static str {
        self.question
    }

    fn verdict(&self) -> Verdict {
        self.verdict.clone()
    }

    fn sheet(&self) -> Sheet {
        self.sheet.clone()
    }

    fn json(&self) -> Value {
        self.json.clone()
    }
}

/// A running experiment, whatever it finds.
pub trait AnyRun: Send {
    fn job(&self) -> &dyn AnyJob;

    /// Returns what works out the results from what is found so far.
    fn answer(&self) -> Box<dyn FnOnce() -> Answer + Send>;

    /// Waits for the end.
    fn join(&mut self);
}

/// An experiment, and how its results follow from what it finds; the second argument says that nothing is missing that will
/// not still be looked at.
pub struct Run<F, A> {
    pub job: BackgroundJob<F>,
    pub answer: A,
}

impl<F, A> AnyRun for Run<F, A>
where
    F: Clone + Send + 'static,
    A: Fn(&F, bool) -> Answer + Clone + Send + 'static,
{
    fn job(&self) -> &dyn AnyJob {
        &self.job
    }

    fn answer(&self) -> Box<dyn FnOnce() -> Answer + Send> {
        let state = self.job.progress().0;
        let (answer, found) = (self.answer.clone(), self.job.findings());
        Box::new(move || {
            let mut answer = answer(&found, state != JobState::Stopped);
            answer.json["complete"] = (state == JobState::Done).into();
            answer
        })
    }

    fn join(&mut self) {
        self.job.join();
    }
}

/// The generation of the findings from which an answer follows, and whether no more will come.
type Upto = (u64, bool);

/// An answer with the time that it took.
type Timed = (Answer, Duration);

/// A question that was asked. Its intervals are worked out on a thread of their own, because they can take longer than a frame.
#[derive(Default)]
pub struct Asking {
    run: Option<Box<dyn AnyRun>>,
    pub answer: Option<Answer>,
    /// The number of answers so far.
    answers: u64,
    upto: Option<Upto>,
    thread: Option<(Upto, JoinHandle<Timed>)>,
    /// Before this time an answer is worked out only if it is the last.
    due: Option<Instant>,
}

impl std::fmt::Debug for Asking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} answers", self.answers)
    }
}

/// Between two answers there is so many times the time that one takes.
const REST: u32 = 8;

impl Asking {
    /// Replaces the experiment; the former one is stopped.
    pub fn hold(&mut self, run: Box<dyn AnyRun>) {
        *self = Asking {
            run: Some(run),
            ..Asking::default()
        };
    }

    pub fn job(&self) -> Option<&dyn AnyJob> {
        self.run.as_ref().map(|_| self as &dyn AnyJob)
    }

    /// Whether the experiment has ended and its last answer is known.
    pub fn is_answered(&self) -> bool {
        let run = self.run.as_deref();
        run.is_some_and(|run| run.job().has_ended() && self.upto == Some(upto(run)))
    }

    /// Takes the answer that was worked out, and has the next one worked out if something new was found.
    pub fn update(&mut self) {
        if self.thread.as_ref().is_some_and(|(_, t)| t.is_finished()) {
            self.take();
        }
        let Some(run) = self.run.as_deref().filter(|_| self.thread.is_none()) else {
            return;
        };
        let now = upto(run);
        let is_due = now.1 || self.due.is_none_or(|due| Instant::now() >= due);
        if self.upto == Some(now) || !is_due {
            return;
        }
        let answer = run.answer();
        let timed = move || {
            let begun = Instant::now();
            (answer(), begun.elapsed())
        };
        // If the system starts no thread now, it may later.
        let thread = thread::Builder::new().name("answer".into()).spawn(timed);
        self.thread = thread.ok().map(|thread| (now, thread));
    }

    /// Waits for the answer that is being worked out, and takes it.
    fn take(&mut self) {
        let Some((upto, thread)) = self.thread.take() else {
            return;
        };
        if let Ok((answer, time)) = thread.join() {
            self.answer = Some(answer);
            self.answers += 1;
            self.due = Some(Instant::now() + REST * time);
        }
        self.upto = Some(upto);
    }

    /// Waits for the end: for tests.
    pub fn join(&mut self) {
        if let Some(run) = &mut self.run {
            run.join();
        }
        while self.run.is_some() && !self.is_answered() {
            self.update();
            self.take();
        }
    }
}

fn upto(run: &dyn AnyRun) -> Upto {
    let has_ended = run.job().has_ended();
    (run.job().generation(), has_ended)
}

impl AnyJob for Asking {
    fn progress(&self) -> (JobState, usize, usize) {
        let run = self.run.as_deref();
        run.map_or((JobState::Stopped, 0, 0), |run| run.job().progress())
    }

    fn generation(&self) -> u64 {
        let found = self.run.as_deref().map_or(0, |run| run.job().generation());
        let comes = self.thread.as_ref().is_some_and(|(_, t)| t.is_finished());
        found + self.answers + u64::from(comes)
    }

    /// It goes on until its last answer is known, so that the screen waits for that.
    fn has_ended(&self) -> bool {
        self.run.is_none() || self.is_answered()
    }

    fn stop(&self) {
        if let Some(run) = &self.run {
            run.job().stop();
        }
    }
}

/// The state of the page.
#[derive(Debug)]
pub struct QuestionsPage {
    /// The question that is shown, by its number in [`ALL`].
    pub chosen: usize,
    asked: [(Setting, Asking); ALL.len()],
    /// The first line of the results that is shown.
    pub top: usize,
}

impl Default for QuestionsPage {
    fn default() -> Self {
        QuestionsPage {
            chosen: 0,
            asked: ALL.each_ref().map(|q| (q.usual(), Asking::default())),
            top: 0,
        }
    }
}

impl QuestionsPage {
    /// Returns the question that is shown.
    pub fn question(&self) -> &'static Question {
        &ALL[self.chosen]
    }

    pub fn setting(&self) -> Setting {
        self.asked[self.chosen].0
    }

    pub fn setting_mut(&mut self) -> &mut Setting {
        &mut self.asked[self.chosen].0
    }

    pub fn asking(&self) -> &Asking {
        &self.asked[self.chosen].1
    }

    pub fn asking_mut(&mut self) -> &mut Asking {
        &mut self.asked[self.chosen].1
    }

    /// Returns what is known of the question with this name.
    pub fn named(&self, name: &str) -> Option<&Asking> {
        let at = ALL.iter().position(|question| question.name == name)?;
        Some(&self.asked[at].1)
    }

    /// Returns the name of the question that is being answered.
    pub fn running(&self) -> Option<&'static str> {
        let mut all = ALL.iter().zip(&self.asked);
        let (question, _) = all.find(|(_, (_, asking))| !asking.has_ended())?;
        Some(question.name)
    }

    pub fn update(&mut self) {
        self.asked
            .iter_mut()
            .for_each(|(_, asking)| asking.update());
    }

    /// Shows a question.
    pub fn show(&mut self, question: usize) {
        (self.chosen, self.top) = (question, 0);
    }

    /// Shows the question so many further on.
    pub fn turn(&mut self, by: isize) {
        let mut chosen = self.chosen;
        walk(&mut chosen, by, ALL.len());
        self.show(chosen);
    }

    pub fn next_count(&mut self) {
        let question = self.question();
        next(&mut self.setting_mut().count, &question.counts);
    }

    pub fn next_nodes(&mut self) {
        let question = self.question();
        if !question.nodes.is_empty() {
            next(&mut self.setting_mut().nodes, question.nodes);
        }
    }

    /// Shows the results from so many lines further down.
    pub fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by);
    }
}
