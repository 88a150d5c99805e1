//! Commands of the Learn tab: lessons and quiz drive the search beside their text.

mod questions;
mod quiz;

use std::sync::Arc;

use super::Desk;
use crate::context::{Context, Effect, Level};
use crate::panes::Pane;
use crate::panes::tree::RowKey;
use crate::source::Source;
use crate::tabs::Tab;
use crate::tabs::explore::{HeldBy, OnBoard};
use crate::tabs::learn::LearnTab;
use session::State;
use studies::lesson::progress::Record;
use studies::lesson::script::{Missed, Script, begin, still};
use studies::lesson::{View, own};
use tree::Tree;

/// Opening and leaving.
impl Context {
    /// Puts aside what Explore shows.
    pub(crate) fn clear_desk(&mut self) -> Desk {
        let runs = self.state() == Some(State::Running);
        let mut session = self.session_to_end();
        if let Some(session) = &mut session {
            session.pause();
        }
        Desk {
            subject: self.subject.clone(),
            config: self.config.clone(),
            detour: self.detour.clone(),
            session,
            drawing: std::mem::take(&mut self.explore.drawing),
            entry: (self.entry, self.current.clone()),
            node: self.node,
            ply: self.ply,
            runs,
            debugger: self.explore.debug.shown,
        }
    }

    /// Ends a lesson or the quiz, and restores what was explored before.
    pub(crate) fn leave_text(&mut self) {
        self.dirty = true;
        if self.reading.quiz.take().is_some() {
            self.set_breakpoints();
        }
        let Some(playing) = self.reading.playing.take() else {
            return;
        };
        let desk = playing.before;
        self.stop_search();
        self.subject = desk.subject;
        self.config = desk.config;
        self.detour = desk.detour;
        self.explore.drawing = desk.drawing;
        (self.entry, self.current) = desk.entry;
        (self.node, self.ply) = (desk.node, desk.ply);
        self.explore.debug.shown = desk.debugger;
        self.explore.focus = Pane::Tree;
        match desk.session {
            Some(session) => {
                self.look_at(session);
                self.set_breakpoints();
                if desk.runs
                    && let Some(session) = &mut self.session
                {
                    session.resume();
                }
            }
            None => self.start_search(),
        }
        self.effects.push(Effect::Watch);
    }
}

/// Steps.
impl Context {
    /// Handles Backspace: goes to the previous step.
    pub fn lesson_back(&mut self) {
        match &self.reading.playing {
            Some(playing) if playing.step > 0 => self.go_to_step(playing.step - 1),
            Some(_) => self.say(Level::Info, "this is the first step: Esc leaves the lesson"),
            None => {}
        }
    }

    /// Returns to the step's place in the search, after the user has wandered off.
    pub fn lesson_return(&mut self) {
        if self.reading.playing.is_some() {
            self.come_to_step();
        } else if let Some(quiz) = &mut self.reading.quiz {
            quiz.question = None;
            self.quiz_seek();
        }
    }

    pub(crate) fn go_to_step(&mut self, step: usize) {
        let Some(playing) = &mut self.reading.playing else {
            return;
        };
        let goes_on = step == playing.step + 1 && playing.lesson.steps[step].setup.is_none();
        playing.step = step;
        playing.trial = None;
        playing.top = 0;
        let wandered = self.has_wandered();
        if !goes_on || wandered {
            return self.come_to_step();
        }
        // Continuing from here is quicker and keeps what is open.
        if let Some(playing) = &mut self.reading.playing {
            let runs = playing.lesson.steps[step].runs.clone();
            let answered = playing.outcomes.contains_key(&step);
            let question = playing.lesson.steps[step].question.as_ref();
            let reveal = question.filter(|_| answered).and_then(|q| q.reveal.clone());
            playing.script = Script::new(runs.into_iter().chain(reveal));
            playing.settled = false;
        }
        self.mark_from_here();
    }

    /// Restarts the step's search and runs it to the step's place.
    pub(crate) fn come_to_step(&mut self) {
        let Some(playing) = &mut self.reading.playing else {
            return;
        };
        let answered = playing.outcomes.contains_key(&playing.step);
        let Some(setup) = playing.lesson.setup_of(playing.step) else {
            return;
        };
        playing.script = Script::to_step(&playing.lesson, playing.step, answered);
        playing.settled = false;
        playing.guess = None;
        playing.trial = None;
        let session = begin(setup);
        let (subject, config) = (setup.subject.clone(), setup.config.clone());
        self.stop_search();
        self.subject = subject;
        self.config = config;
        self.detour = None;
        self.explore.drawing = crate::panes::drawing::Drawing::default();
        self.look_at(Source::Live(Box::new(session)));
        self.explore
            .tree
            .set_filter(crate::panes::tree::Filter::default());
        self.tab = Tab::Learn;
    }

    /// Whether the search is no longer where the step left it.
    pub fn has_wandered(&self) -> bool {
        let (Some(playing), Some(source)) = (&self.reading.playing, &self.session) else {
            return false;
        };
        let Some(setup) = playing.lesson.setup_of(playing.step) else {
            return false;
        };
        if self.explore.outer.is_some() {
            return playing.settled;
        }
        let place = source.place();
        let stood = playing.stood.is_none_or(|s| s.now == place.now);
        let same = self.subject.is_same(&setup.subject)
            && self.config.algorithm == setup.config.algorithm
            && self.config.options == setup.config.options;
        playing.settled && !(stood && same)
    }

    fn missed(&mut self, missed: &Missed) {
        if self.reading.quiz.is_some() {
            return self.quiz_missed();
        }
        if let Some(playing) = &mut self.reading.playing {
            playing.settled = true;
            playing.guess = None;
            let what = format!("{}: {missed}", playing.lesson.name);
            self.say(Level::Error, what);
        }
    }

    /// Shows what the step is about.
    fn show_step(&mut self) {
        let Some(playing) = &self.reading.playing else {
            return;
        };
        let lesson = Arc::clone(&playing.lesson);
        let show = &lesson.steps[playing.step].show;
        let Some(source) = &self.session else {
            return;
        };
        let reader = source.reader();
        for spot in &show.open {
            if let Some(node) = spot.node(reader.tree) {
                self.explore.tree.reveal(reader, node);
                self.explore.tree.open_node(reader, node);
            }
        }
        if let Some(spot) = &show.select {
            match spot.row(reader.tree) {
                Some((parent, m)) => self
                    .explore
                    .tree
                    .reveal_row(reader, RowKey { parent, code: m }),
                None => self.explore.tree.reveal(reader, Tree::ROOT),
            }
            let node = spot.node(reader.tree).unwrap_or(Tree::ROOT);
            self.explore.board_node = Some(OnBoard::new(node, HeldBy::Lesson));
        }
        self.explore.focus = match show.view {
            View::Tree | View::Drawing => Pane::Tree,
            View::Inspector => Pane::Inspector,
            View::Board => Pane::Board,
        };
        self.explore.drawing.want(show.view == View::Drawing);
        self.explore.inspector_top = 0;
        // The row at which the search stands, or that the step is about, may be the answer.
        if lesson.steps[playing.step].asks_for_row() && !playing.is_answered() {
            self.explore.tree.select(0);
            if show.select.is_none() {
                self.explore.board_node = None;
            }
        }
    }

    /// Whether the lesson marks a row.
    pub fn is_marked(&self, key: RowKey) -> bool {
        let (Some(playing), Some(source)) = (&self.reading.playing, &self.session) else {
            return false;
        };
        let tree = source.reader().tree;
        let marks = &playing.lesson.steps[playing.step].show.mark;
        marks.iter().any(|spot| match spot.row(tree) {
            Some((parent, m)) => (parent, m) == (key.parent, key.code),
            None => key.parent.is_none(),
        })
    }
}

impl LearnTab {
    pub(crate) fn finish_lesson(&mut self, cx: &mut Context) {
        let Some(playing) = &cx.reading.playing else {
            return;
        };
        let (asked, right) = playing.score();
        let title = playing.lesson.title.clone();
        self.note_progress(cx, true);
        cx.leave_text();
        let count = self.shelf().rows();
        self.list.walk(1, count);
        let score = match asked {
            0 => String::new(),
            _ => format!(", {right} of {asked} correct"),
        };
        cx.say(Level::Info, format!("done: {title}{score}"));
    }

    fn note_progress(&mut self, cx: &mut Context, done: bool) {
        let Some(playing) = &cx.reading.playing else {
            return;
        };
        let Some(name) = playing.kept_as.clone() else {
            return;
        };
        let (asked, right) = playing.score();
        let record = Record {
            step: if done { 0 } else { playing.step },
            done,
            asked,
            right,
            answers: match done {
                true => std::collections::BTreeMap::new(),
                false => playing.answered(),
            },
            ..Record::default()
        };
        if let Err(e) = self.progress.note(&name, record) {
            cx.say(Level::Warning, format!("progress is not kept: {e}"));
        }
    }

    /// Saves the answers that were judged.
    pub(super) fn note_answers(&mut self, cx: &mut Context) {
        let Some(playing) = &mut cx.reading.playing else {
            return;
        };
        let unsaved = std::mem::take(&mut playing.unsaved);
        let Some(name) = playing.kept_as.clone() else {
            return;
        };
        for one in unsaved {
            let noted = self
                .progress
                .note_answer(&name, one.step, &one.ask, &one.given);
            if let Err(e) = noted {
                cx.say(Level::Warning, format!("the answer is not kept: {e}"));
            }
        }
    }

    /// Runs the lesson's or quiz's script on, once per turn of the main loop, after the search was tended.
    pub(super) fn tend_learn(&mut self, cx: &mut Context) {
        if !cx.reading.is_under_way() {
            return;
        }
        if cx.tend_trial() {
            return self.note_answers(cx);
        }
        let Some(Source::Live(session)) = &mut cx.session else {
            return;
        };
        let script = match (&mut cx.reading.quiz, &mut cx.reading.playing) {
            (Some(quiz), _) => &mut quiz.script,
            (None, Some(playing)) => &mut playing.script,
            (None, None) => return,
        };
        let tended = if script.is_done() {
            Ok(())
        } else {
            script.tend(session)
        };
        let done = script.is_done();
        let seen = session.standing() == cx.explore.debug.stop;
        if let Err(missed) = tended {
            cx.missed(&missed);
        } else if done && seen {
            self.settle(cx);
        }
    }

    /// Called when the search has arrived at its goal.
    fn settle(&mut self, cx: &mut Context) {
        cx.dirty = true;
        if cx.reading.quiz.is_some() {
            return self.settle_quiz(cx);
        }
        let place = cx.session.as_ref().map(Source::place);
        let Some(playing) = &mut cx.reading.playing else {
            return;
        };
        playing.settled = true;
        playing.stood = place;
        if let Some(guess) = playing.guess.take() {
            self.judge(cx, guess);
        } else {
            cx.show_step();
        }
        cx.set_breakpoints();
        self.note_progress(cx, false);
    }
}

/// The text, the list, the file.
impl Context {
    /// Scrolls the text.
    pub fn scroll_text(&mut self, by: isize) {
        if let Some(playing) = &mut self.reading.playing {
            playing.top = playing.top.saturating_add_signed(by);
        }
    }

    /// Reads the file of the open lesson again after it was written; if it is broken, the old lesson stays.
    pub fn reload_lesson(&mut self) {
        let Some(path) = self.reading.playing.as_ref().and_then(|p| p.path.clone()) else {
            return;
        };
        match own(&path) {
            Ok(lesson) => {
                let Some(playing) = &mut self.reading.playing else {
                    return;
                };
                // Earlier answers may no longer be valid.
                playing.outcomes.clear();
                playing.tries.clear();
                playing.hinted.clear();
                playing.earlier.clear();
                playing.step = playing.step.min(lesson.steps.len() - 1);
                playing.lesson = Arc::new(lesson);
                let name = playing.lesson.name.clone();
                self.say(Level::Info, format!("{name}: read again"));
                self.come_to_step();
            }
            Err(error) => self.say(Level::Error, format!("{error} (the old is kept)")),
        }
    }
}
