//! The text of a step, with the search's present figures inserted.

use super::words::{words, wrap_words, write_prose};
use crate::context::Context;
use crate::source::Source;
use crate::tabs::learn::{Outcome, Playing};
use report::lens::Lens;
use report::lesson::{Piece, Tone, answer, guessed, pieces};
use screen::pen::{Line, Pen};
use screen::theme::Role;
use session::breakpoint::Still;
use studies::lesson::answer::{Answer, Guess};
use studies::lesson::script::still;
use studies::lesson::{Hint, Kind, Prose, Question, Shape};

/// The text of a page, taken from the application before it is drawn.
pub(super) struct Page {
    pub title: String,
    pub place: String,
    heading: String,
    text: Vec<(Shape, Vec<Piece>)>,
    asked: Option<Asked>,
    /// The wrong first guess, and the hint.
    tried: Option<String>,
    tip: Option<Vec<Piece>>,
    after: Vec<(Shape, Vec<Piece>)>,
    /// What to do next.
    hint: String,
    under_way: bool,
    wandered: bool,
}

struct Asked {
    ask: Vec<Piece>,
    choices: Vec<Vec<Piece>>,
    /// The chosen answer and the right one, once the question is answered.
    marks: Option<(usize, usize)>,
    /// Whether the guess was right, and what the answer is.
    verdict: Option<(bool, String)>,
}

impl Page {
    pub fn of(cx: &Context) -> Option<Page> {
        let Some(Source::Live(session)) = &cx.session else {
            return None;
        };
        let now = still(session);
        let under_way = cx.reading.is_under_way();
        let (question, outcome) = match cx.reading.asked() {
            Some((question, outcome)) => (Some(question), outcome),
            None => (None, None),
        };
        let asked = question.map(|q| Asked::of(q, outcome, &now, cx.lens));
        let wandered = cx.has_wandered();
        let hint = hint(cx, question, outcome, wandered);
        if let Some(quiz) = &cx.reading.quiz {
            let event = now.event.map(|e| cx.lens.event(&now.reader, &e));
            let plain = |text: String| Piece {
                text,
                tone: Tone::Plain,
            };
            let told = event.map(|e| (Shape::Paragraph, vec![plain(e)]));
            return Some(Page {
                title: "quiz".into(),
                place: format!("{} of {} right", quiz.right, quiz.asked),
                heading: "What happens next?".into(),
                text: told.into_iter().filter(|_| !under_way).collect(),
                asked: asked.filter(|_| !under_way),
                tried: None,
                tip: None,
                after: Vec::new(),
                hint,
                under_way,
                wandered: false,
            });
        }
        let playing = cx.reading.playing.as_ref()?;
        let step = &playing.lesson.steps[playing.step];
        let set = |prose: &[Prose]| -> Vec<(Shape, Vec<Piece>)> {
            prose
                .iter()
                .map(|p| (p.shape, pieces(&p.inlines, &now, cx.lens)))
                .collect()
        };
        let (done, all) = (playing.step + 1, playing.lesson.steps.len());
        let answered = playing.is_answered() && !under_way;
        Some(Page {
            title: playing.lesson.title.clone(),
            place: format!("step {done} of {all}"),
            heading: step.heading.clone(),
            text: set(&step.text),
            asked,
            tried: question.and_then(|q| tried(playing, q, &now, cx.lens)),
            tip: question
                .filter(|_| playing.is_hinted())
                .map(|q| tip(q, &now, cx.lens)),
            after: if answered {
                set(&step.after)
            } else {
                Vec::new()
            },
            hint,
            under_way,
            wandered,
        })
    }

    /// Returns the forms of the page, the roomiest first. If there is little room, the hint in the bottom line is enough,
    /// and at a second try the question matters more than the text above it.
    pub fn forms(&self) -> Vec<Form> {
        let mut forms = vec![Form::Whole, Form::WithoutKeys];
        if self.tip.is_some() {
            forms.push(Form::QuestionOnly);
        }
        forms
    }

    /// Returns the lines, and the line number and index of each choice.
    pub fn write(&self, width: usize, pen: &Pen, form: Form) -> (Vec<Line>, Vec<(usize, usize)>) {
        let (mut lines, mut choices): (Vec<Line>, Vec<(usize, usize)>) = Default::default();
        let plain = |text: &str, role: Role| -> Vec<Line> {
            let text = pen.glyphs.text(text);
            let wrapped = text::wrap(&text, width).into_iter();
            wrapped.map(|line| vec![(line, role)]).collect()
        };
        lines.extend(plain(&self.heading, Role::Heading));
        if self.wandered {
            let words = "You have wandered off: x comes back to the step.";
            lines.extend(plain(words, Role::Warning));
        }
        // Once the question is answered, only its explanation matters.
        let answered = self.asked.as_ref().is_some_and(|a| a.verdict.is_some());
        if (!answered || self.after.is_empty()) && form != Form::QuestionOnly {
            write_prose(&self.text, width, pen, &mut lines);
        }
        if let Some(asked) = &self.asked {
            asked.write(width, pen, &mut lines, &mut choices);
        }
        if let Some(tried) = &self.tried {
            lines.extend(plain(tried, Role::Warning));
        }
        if let Some(tip) = &self.tip {
            lines.push(Vec::new());
            let mut words_of_tip = vec![("Hint: ".to_owned(), Role::Key)];
            words_of_tip.extend(words(tip, Role::Text, pen));
            lines.extend(wrap_words(&words_of_tip, width, ""));
        }
        write_prose(&self.after, width, pen, &mut lines);
        if self.under_way {
            lines.push(Vec::new());
            lines.extend(plain("searching…", Role::Running));
        } else if form == Form::Whole && !self.hint.is_empty() {
            lines.push(Vec::new());
            lines.extend(plain(&self.hint, Role::Key));
        }
        (lines, choices)
    }
}

/// How much of a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Whole,
    /// Without the line that says which key goes on.
    WithoutKeys,
    /// Without the text above the question as well.
    QuestionOnly,
}

/// Says that the first guess was wrong.
fn tried(playing: &Playing, question: &Question, now: &Still, lens: Lens) -> Option<String> {
    let said = match playing.tried()? {
        Guess::Choice(choice) => format!("Answer {}", choice + 1),
        other => guessed(question, other, now, lens),
    };
    let said = said.trim_end_matches('.');
    Some(format!("{said} is not right. Try again."))
}

/// Returns the hint for a question.
fn tip(question: &Question, now: &Still, lens: Lens) -> Vec<Piece> {
    match question.hint() {
        Hint::Written(inlines) => pieces(inlines, now, lens),
        Hint::Made(text) => vec![Piece {
            text,
            tone: Tone::Plain,
        }],
    }
}

fn hint(
    cx: &Context,
    question: Option<&Question>,
    outcome: Option<&Outcome>,
    wandered: bool,
) -> String {
    let lesson = cx.reading.playing.as_ref();
    let last = lesson.is_some_and(|p| p.step + 1 == p.lesson.steps.len());
    let hint = match (question, outcome) {
        _ if wandered || cx.presenting => "",
        (Some(q), None) => match q.kind {
            Kind::Row(_) if cx.is_drawn() => "Select the node with the arrows, then press Enter.",
            Kind::Row(_) => "Select the row with the arrows, then press Enter.",
            Kind::Number { .. } => "Type a number.",
            Kind::Choice(_) => "Press the answer's digit.",
        },
        (None, _) if lesson.is_none() => "",
        _ if last => "Enter ends the lesson.",
        _ => "Enter continues.",
    };
    hint.to_owned()
}

impl Asked {
    fn of(question: &Question, outcome: Option<&Outcome>, now: &Still, lens: Lens) -> Asked {
        let choices = match &question.kind {
            Kind::Choice(choices) => choices.iter().map(|c| pieces(&c.text, now, lens)).collect(),
            _ => Vec::new(),
        };
        let marks = outcome.and_then(|o| match (&o.guess, &o.answer) {
            (Guess::Choice(chosen), Answer::Choice(right)) => Some((*chosen, *right)),
            _ => None,
        });
        let verdict = outcome.map(|o| {
            let right = answer(question, &o.answer, now, lens);
            let said = match &o.guess {
                Guess::Choice(_) => String::new(),
                other => guessed(question, other, now, lens),
            };
            let told = match (o.is_right(), said.as_str()) {
                (true, _) => format!("Right: {right}."),
                (false, "") => format!("No; the answer is {right}."),
                (false, said) => format!("Not {said}; the answer is {right}."),
            };
            (o.is_right(), told.replace("..", "."))
        });
        Asked {
            ask: pieces(&question.ask, now, lens),
            choices,
            marks,
            verdict,
        }
    }

    fn write(
        &self,
        width: usize,
        pen: &Pen,
        lines: &mut Vec<Line>,
        places: &mut Vec<(usize, usize)>,
    ) {
        lines.push(Vec::new());
        let ask: Vec<(String, Role)> = words(&self.ask, Role::Title, pen);
        lines.extend(wrap_words(&ask, width, ""));
        for (i, choice) in self.choices.iter().enumerate() {
            let role = match self.marks {
                Some((_, right)) if right == i => Role::Win,
                Some((chosen, _)) if chosen == i => Role::Loss,
                _ => Role::Text,
            };
            let mut line = vec![(format!("{} ", i + 1), Role::Key)];
            line.extend(words(choice, role, pen));
            for part in wrap_words(&line, width, "  ") {
                places.push((lines.len(), i));
                lines.push(part);
            }
        }
        if let Some((right, told)) = &self.verdict {
            let role = if *right { Role::Win } else { Role::Loss };
            let told = pen.glyphs.text(told);
            lines.extend(
                text::wrap(&told, width)
                    .into_iter()
                    .map(|l| vec![(l, role)]),
            );
        }
    }
}
