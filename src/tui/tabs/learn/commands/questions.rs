//! Questions of lessons and of the quiz: the user's guess, and how it is judged.

use super::still;
use crate::context::{Context, Level};
use crate::overlays::prompt::Prompt;
use crate::panes::tree::RowKey;
use crate::source::Source;
use crate::tabs::learn::trial::{Judged, Trial};
use crate::tabs::learn::{LearnTab, Outcome, Unsaved};
use report::lesson::{guessed, plain};
use screen::keys::Key;
use studies::lesson::answer::{Answer as Right, Guess};
use studies::lesson::progress::Try;
use studies::lesson::script::Script;
use studies::lesson::{Kind, Run};

impl Context {
    pub(crate) fn answer(&mut self) {
        let Some((question, None)) = self.reading.asked() else {
            return;
        };
        match &question.kind {
            Kind::Row(_) => {
                let Some(row) = self.explore.tree.selected_row() else {
                    return;
                };
                if row.parent.is_none() {
                    return self.say(Level::Info, "select a move first, then Enter");
                }
                self.guess(Guess::Row {
                    parent: row.parent,
                    m: row.code,
                });
            }
            Kind::Number { .. } => self.ask_number(""),
            Kind::Choice(choices) => {
                let keys: Vec<String> = (1..choices.len()).map(|key| key.to_string()).collect();
                let (keys, last) = (keys.join(", "), choices.len());
                self.say(Level::Info, format!("press {keys} or {last}"));
            }
        }
    }

    fn ask_number(&mut self, typed: &str) {
        let prompt = Prompt::new("your answer", "a number: 3, -0.5, 87.5 %").with_text(typed);
        self.ask(prompt, |app, text| app.cx.guess_number(text));
    }

    /// Takes a typed number.
    fn guess_number(&mut self, text: &str) -> Result<(), String> {
        let Some(number) = number(text) else {
            return Err("a number is expected".to_owned());
        };
        self.guess(Guess::Number(number));
        Ok(())
    }

    /// Takes a choice that was clicked or whose digit was pressed.
    pub fn choose_answer(&mut self, choice: usize) {
        self.guess(Guess::Choice(choice));
    }

    fn guess(&mut self, guess: Guess) {
        if self.has_wandered() {
            self.say(
                Level::Info,
                "the search has gone elsewhere: here is the step again",
            );
            return self.come_to_step();
        }
        let Some((question, None)) = self.reading.asked() else {
            return;
        };
        let reveal = question.reveal.clone();
        if let Some(playing) = &mut self.reading.playing
            && self.reading.quiz.is_none()
            && !playing.tries.contains_key(&playing.step)
            && let Some(trial) = Trial::start(&playing.lesson, playing.step, guess.clone())
        {
            playing.trial = Some(trial);
            playing.settled = false;
            return;
        }
        self.run_to_answer(guess, reveal);
    }

    /// Runs the search on the screen to the answer.
    fn run_to_answer(&mut self, guess: Guess, reveal: Option<Run>) {
        let script = Script::new(reveal);
        if let Some(quiz) = &mut self.reading.quiz {
            quiz.guess = Some(guess);
            quiz.script = script;
            quiz.settled = false;
        } else if let Some(playing) = &mut self.reading.playing {
            playing.guess = Some(guess);
            playing.script = script;
            playing.settled = false;
        }
        self.mark_from_here();
    }

    /// Takes care of the search that judges a first guess; returns whether there is one.
    pub(super) fn tend_trial(&mut self) -> bool {
        let Some(playing) = &mut self.reading.playing else {
            return false;
        };
        let step = playing.step;
        let question = playing.lesson.steps[step].question.as_ref();
        let (Some(trial), Some(question)) = (&mut playing.trial, question) else {
            return false;
        };
        let judged = trial.tend(question);
        match judged {
            Judged::NotYet => return true,
            Judged::Wrong(guess) => {
                self.keep_answer(&guess, false);
                let Some(playing) = &mut self.reading.playing else {
                    return false;
                };
                playing.trial = None;
                playing.settled = true;
                playing.tries.insert(step, guess);
                playing.hinted.insert(step);
                playing.top = 0;
            }
            Judged::Right(guess) | Judged::Unknown(guess) => {
                let reveal = question.reveal.clone();
                playing.trial = None;
                self.run_to_answer(guess, reveal);
            }
        }
        self.dirty = true;
        true
    }

    /// Shows the hint for the lesson's question.
    pub fn show_hint(&mut self) {
        let playing = self.reading.playing.as_mut();
        match playing.filter(|p| p.settled && !p.is_answered()) {
            Some(playing) => {
                playing.hinted.insert(playing.step);
                playing.top = 0;
            }
            None => self.say(Level::Info, "no question is open that has a hint"),
        }
    }
}

impl LearnTab {
    /// Reads the answer from the search and compares the guess with it.
    pub(super) fn judge(&mut self, cx: &mut Context, guess: Guess) {
        let Some(Source::Live(session)) = &cx.session else {
            return;
        };
        let Some((question, _)) = cx.reading.asked() else {
            return;
        };
        let said = guess.clone();
        let outcome = match question.answer(&still(session)) {
            Ok(answer) => Outcome { guess, answer },
            Err(e) => {
                let line = question.line;
                return cx.say(Level::Error, format!("line {line}: {e}"));
            }
        };
        if let Right::Row { parent, m } = outcome.answer {
            let key = RowKey { parent, code: m };
            cx.with_tree(|explorer, reader| explorer.reveal_row(reader, key));
        }
        if let Some(quiz) = &mut cx.reading.quiz {
            quiz.judged();
            quiz.asked += 1;
            quiz.right += usize::from(outcome.is_right());
            let right = outcome.is_right();
            quiz.outcome = Some(outcome);
            if let Err(e) = self.progress.note_quiz(right) {
                cx.say(Level::Warning, format!("the score is not kept: {e}"));
            }
        } else if let Some(playing) = &mut cx.reading.playing {
            let right = outcome.is_right();
            playing.top = 0;
            playing.outcomes.insert(playing.step, outcome);
            cx.keep_answer(&said, right);
            self.note_answers(cx);
        }
    }
}

impl Context {
    /// Puts an answer to the lesson's question, as it is on the screen, among those to be saved.
    fn keep_answer(&mut self, guess: &Guess, right: bool) {
        let (lens, at) = match self.timeless {
            true => (self.lens, 0),
            false => (self.lens, text::date::now()),
        };
        let Some(Source::Live(session)) = &self.session else {
            return;
        };
        let Some(playing) = &mut self.reading.playing else {
            return;
        };
        let step = playing.step;
        let Some(question) = &playing.lesson.steps[step].question else {
            return;
        };
        let now = still(session);
        let unsaved = Unsaved {
            step,
            ask: plain(&question.ask, &now, lens),
            given: Try {
                answer: guessed(question, guess, &now, lens),
                right,
                hinted: playing.hinted.contains(&step),
                at,
            },
        };
        playing.unsaved.push(unsaved);
    }
}

impl Context {
    /// Handles a key that answers the question on the screen; returns false if the key has its usual meaning.
    pub(in crate::tabs::learn) fn answer_key(&mut self, key: Key) -> bool {
        if self.reading.is_under_way() {
            return false;
        }
        let Some((question, None)) = self.reading.asked() else {
            return false;
        };
        let typed = key.typed().filter(|_| !key.ctrl && !key.alt);
        match (&question.kind, typed) {
            (Kind::Choice(choices), Some(c)) => {
                let digit = c.to_digit(10).map(|d| d as usize);
                let chosen = digit.filter(|d| (1..=choices.len()).contains(d));
                if let Some(chosen) = chosen {
                    self.choose_answer(chosen - 1);
                }
                chosen.is_some()
            }
            (Kind::Number { .. }, Some(c)) if c.is_ascii_digit() || c == '.' || c == '-' => {
                self.ask_number(&c.to_string());
                true
            }
            _ => false,
        }
    }
}

/// Parses a number in the usual notations: `3`, `−0.5`, `87.5 %`, `.875`.
fn number(text: &str) -> Option<f64> {
    let plain = text.trim().replace('−', "-").replace(',', ".");
    let (digits, unit) = match plain.strip_suffix('%') {
        Some(digits) => (digits.trim(), 0.01),
        None => (plain.as_str(), 1.0),
    };
    let value: f64 = digits.parse().ok()?;
    value.is_finite().then_some(value * unit)
}
