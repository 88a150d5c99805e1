//! Opening and leaving lessons and the quiz: another tab comes, and what is explored is put aside.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::App;
use crate::context::{Effect, Level};
use crate::tabs::Tab;
use crate::tabs::learn::quiz::Quiz;
use crate::tabs::learn::{Playing, Row};
use studies::course::Course;
use studies::lesson::script::Script;
use studies::lesson::{Lesson, own};

impl App {
    /// Handles Enter: starts the chosen lesson; answers; goes on to the next step or question.
    pub fn lesson_next(&mut self) {
        if self.cx.reading.quiz.is_some() {
            return self.cx.quiz_next();
        }
        let Some(playing) = &self.cx.reading.playing else {
            let at = self.tabs.learn.list.selected;
            return self.open_lesson(at);
        };
        if !playing.settled {
            return;
        }
        if !playing.is_answered() {
            return self.cx.answer();
        }
        let last = playing.step + 1 == playing.lesson.steps.len();
        if last {
            return self.tabs.learn.finish_lesson(&mut self.cx);
        }
        self.cx.go_to_step(playing.step + 1);
    }

    /// Opens a lesson of the list.
    pub fn open_lesson(&mut self, at: usize) {
        let listed = match self.tabs.learn.shelf().row(at) {
            Some(Row::Lesson(listed)) => listed,
            Some(Row::Assignment(Ok(assignment))) => {
                let what = format!("when it is done: {}", assignment.command());
                return self.cx.say(Level::Info, what);
            }
            Some(Row::Assignment(Err(error))) => {
                let what = error.to_string();
                return self.cx.say(Level::Error, what);
            }
            None => return,
        };
        let (path, kept_as) = (listed.path.clone(), listed.kept_as.clone());
        // A file of a course may have been saved since the list was made.
        let lesson = match &path {
            Some(path) => own(path).map(Arc::new),
            None => listed.lesson.clone(),
        };
        let lesson = match lesson {
            Ok(lesson) => lesson,
            Err(error) => return self.cx.say(Level::Error, error.to_string()),
        };
        let done = self.tabs.learn.progress.of(&kept_as);
        let step = done.as_ref().map_or(0, |r| r.step);
        let last = lesson.steps.len() - 1;
        self.play(lesson, path, Some(kept_as), step.min(last));
        if let (Some(record), Some(playing)) =
            (done.filter(|_| step > 0), &mut self.cx.reading.playing)
        {
            playing.earlier = record.answers;
        }
        if step > 0 {
            self.cx.say(
                Level::Info,
                "resumed where you left – Backspace goes back a step",
            );
        }
    }

    /// Opens the user's own lesson.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn open_own_lesson(&mut self, path: &Path) -> Result<(), String> {
        let lesson = own(path).map_err(|e| e.to_string())?;
        self.play(Arc::new(lesson), Some(path.to_owned()), None, 0);
        Ok(())
    }

    /// Shows a course in Learn, in the place of the built-in lessons.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn open_course(&mut self, folder: &Path) -> Result<(), String> {
        let course = Course::open(folder).map_err(|e| e.to_string())?;
        self.tabs.learn.teach(course);
        self.cx.leave_text();
        self.show_tab(Tab::Learn);
        self.cx.effects.push(Effect::Watch);
        Ok(())
    }

    /// Reads the course again after its file was saved; if it is broken, the old one stays.
    pub fn reload_course(&mut self) {
        let Some((_, folder)) = &self.tabs.learn.shelf().course else {
            return;
        };
        match Course::open(folder) {
            Ok(course) => {
                let what = format!("{}: read again", course.title);
                self.tabs.learn.teach(course);
                self.cx.say(Level::Info, what);
            }
            Err(error) => {
                let what = format!("{error} (the old is kept)");
                self.cx.say(Level::Error, what);
            }
        }
    }

    fn play(
        &mut self,
        lesson: Arc<Lesson>,
        path: Option<PathBuf>,
        kept_as: Option<String>,
        step: usize,
    ) {
        self.cx.leave_text();
        self.show_tab(Tab::Learn);
        let before = self.cx.clear_desk();
        self.cx.reading.playing = Some(Playing {
            lesson,
            path,
            kept_as,
            unsaved: Vec::new(),
            step,
            script: Script::default(),
            settled: false,
            stood: None,
            guess: None,
            trial: None,
            tries: std::collections::BTreeMap::new(),
            hinted: std::collections::BTreeSet::new(),
            earlier: std::collections::BTreeMap::new(),
            outcomes: std::collections::BTreeMap::new(),
            top: 0,
            before,
        });
        self.cx.explore.debug.shown = true;
        self.cx.effects.push(Effect::Watch);
        self.cx.come_to_step();
    }

    /// Goes back to the list; from there, and from the quiz, to Explore.
    pub fn leave_lesson(&mut self) {
        if self.cx.search_is_stepping() && !self.cx.reading.is_under_way() {
            return self.cancel();
        }
        let was_lesson = self.cx.reading.playing.is_some();
        self.cx.leave_text();
        if !was_lesson {
            self.show_tab(Tab::Explore);
        }
    }

    /// Starts a quiz on Explore's position, or ends it.
    pub fn toggle_quiz(&mut self) {
        if self.cx.reading.quiz.is_some() {
            return self.leave_lesson();
        }
        if self.cx.reading.playing.is_some() {
            return self.cx.say(Level::Info, "Esc leaves the lesson first");
        }
        if !self.cx.can_step() {
            return;
        }
        // The search restarts with one thread, so that it can be followed.
        self.cx.config.threads = 1;
        self.cx.start_quiz_search();
        self.show_tab(Tab::Learn);
        self.cx.explore.debug.shown = true;
        let seed = fastrand::u64(..);
        self.cx.reading.quiz = Some(Quiz::new(if self.cx.timeless { 1 } else { seed }));
        self.cx.quiz_seek();
    }
}
