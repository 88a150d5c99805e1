//! The quiz on the position that Explore searches.

use crate::context::{Context, Level};
use crate::panes::Pane;
use crate::source::Source;
use crate::tabs::learn::LearnTab;
use session::Session;

impl Context {
    pub(crate) fn start_quiz_search(&mut self) {
        self.stop_search();
        let (subject, config) = (self.subject.clone(), self.config.clone());
        let session = Session::start_paused(subject, config);
        self.look_at(Source::Live(Box::new(session)));
    }

    pub(crate) fn quiz_seek(&mut self) {
        let family = self.config.algorithm.info().family;
        if let Some(quiz) = &mut self.reading.quiz {
            quiz.seek(family, &self.subject);
        }
    }

    pub(crate) fn quiz_next(&mut self) {
        match self.reading.asked() {
            Some((_, None)) => self.answer(),
            Some((_, Some(_))) => self.quiz_seek(),
            None => {}
        }
    }

    /// Called when the search ended before a stop: it starts again from the beginning, if that can lead to a question.
    pub(super) fn quiz_missed(&mut self) {
        let Some(quiz) = &mut self.reading.quiz else {
            return;
        };
        let answering = quiz.guess.is_some();
        if !quiz.missed() {
            quiz.settled = true;
            self.say(Level::Info, "nothing more to ask here: Esc leaves the quiz");
            return;
        }
        if answering {
            self.say(
                Level::Info,
                "the search ended before that: another question",
            );
        }
        self.start_quiz_search();
        self.quiz_seek();
    }
}

impl LearnTab {
    pub(super) fn settle_quiz(&mut self, cx: &mut Context) {
        let Some(quiz) = &mut cx.reading.quiz else {
            return;
        };
        if let Some(guess) = quiz.guess.take() {
            quiz.settled = true;
            return self.judge(cx, guess);
        }
        let Some(Source::Live(session)) = &cx.session else {
            return;
        };
        if !quiz.ask(session) {
            return cx.quiz_missed();
        }
        if quiz.settled {
            cx.explore.focus = Pane::Tree;
        } else {
            cx.quiz_seek();
        }
    }
}
