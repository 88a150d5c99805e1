//! A lesson as a handout: one page, to read, to print or to give to a class, that needs neither scripts nor a network. Its
//! numbers, drawings and answers come from the search, as in the workbench.

mod drawing;
mod rows;
mod words;

use std::collections::HashSet;
use std::fmt::Write as _;

use super::answer;
use crate::html::{self, escaped};
use crate::lens::Lens;
use game::Game;
use game::load::LoadError;
use session::Session;
use studies::lesson::check::{Stop, walk};
use studies::lesson::script::still;
use studies::lesson::{Facts, Glossary, Kind, Lesson, Question, Step, View};
use tree::{NodeId, Tree};

/// Where a handout has the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Below each question, closed; what is closed is not printed.
    Folded,
    /// At the end of the page.
    AtTheEnd,
}

const STYLE: &str = "\
:root { --ink: #222; --dim: #6b6b6b; --paper: #fff; --line: #bbb; --best: #00714f; --box: #f4f4f1; --dark: #d9d9d2; }
@media (prefers-color-scheme: dark) {
:root { --ink: #ddd; --dim: #999; --paper: #1b1b1d; --line: #666; --best: #5fc59b; --box: #27272a; --dark: #3a3a40; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 1.5rem auto; padding: 0 1rem; color: var(--ink); background: var(--paper); }
h1 { line-height: 1.2; } h2 { margin-top: 2.2rem; font-size: 1.2rem; }
.note, figcaption { color: var(--dim); font-size: .9em; }
.figure { font-weight: 600; white-space: nowrap; } .term { font-style: italic; }
pre { font: 1em/1.5 ui-monospace, monospace; overflow-x: auto; } pre.formula { margin: .6rem 0 .6rem 1.5rem; }
figure { margin: 1rem 0; overflow-x: auto; } figure svg { max-width: 100%; height: auto; }
svg .dim, svg .small { fill: var(--dim); } svg .small { font-size: 11px; }
svg path.best, svg rect.marked { stroke: var(--best); } svg rect.selected { stroke: var(--line); }
.beside { display: flex; gap: 1.5rem; flex-wrap: wrap; align-items: flex-start; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92em; }
th, td { padding: .05rem .7rem .05rem 0; text-align: right; } th { font-weight: 600; border-bottom: 1px solid var(--line); }
th.name, td.name, td.words { text-align: left; white-space: nowrap; } td.words { white-space: normal; font-size: .92em; }
td.strip { font-family: ui-monospace, monospace; } tr.best td.name { font-weight: 700; } tr.marked td { background: var(--box); }
table.board { border: 1px solid var(--line); font-size: 1.5rem; line-height: 1; }
table.board td { width: 1.3em; height: 1.3em; padding: 0; text-align: center; } table.board td.dark { background: var(--dark); print-color-adjust: exact; }
.question { border: 1px solid var(--line); border-radius: 4px; padding: .2rem 1rem; margin: 1rem 0; background: var(--box); }
.blank { display: inline-block; min-width: 12rem; border-bottom: 1px solid var(--ink); }
summary { cursor: pointer; color: var(--dim); }
dt { font-weight: 600; margin-top: .5rem; } dd { margin-left: 1.5rem; }
@media print {
:root { --ink: #000; --dim: #444; --paper: #fff; --line: #888; --best: #004d36; --box: #fff; --dark: #ddd; }
body { font-size: 11pt; max-width: none; margin: 0; } details:not([open]) { display: none; }
figure, .question, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
}
";

/// Returns the page of a lesson: its text with the numbers of the search, a drawing or the board and the rows at each step,
/// its questions with hints and answers, and the terms that it mentions. Scores are seen through the lens. Every search of
/// the lesson is run, which takes up to a few seconds.
///
/// # Errors
/// Everything that is wrong with the lesson, as [`walk`] finds it.
pub fn handout(
    lesson: &Lesson,
    glossary: &Glossary,
    answers: Answers,
    lens: Lens,
) -> Result<String, Vec<LoadError>> {
    let mut page = Page {
        lesson,
        lens,
        answers,
        out: html::head(&lesson.title, STYLE),
        end: String::new(),
        step: 0,
        questions: 0,
    };
    let _ = writeln!(
        page.out,
        "<p>{}</p>\n<p class=\"note\">{} minutes · {} questions</p>",
        escaped(&lesson.teaches),
        lesson.minutes,
        lesson.questions()
    );
    walk(lesson, glossary, &mut |stop| page.add(&stop))?;
    Ok(page.finish(glossary))
}

/// The page as far as it is written.
struct Page<'a> {
    lesson: &'a Lesson,
    lens: Lens,
    answers: Answers,
    out: String,
    /// The answers that are printed at the end.
    end: String,
    /// The number of the step, from 1.
    step: usize,
    /// How many questions were asked.
    questions: usize,
}

impl Page<'_> {
    fn add(&mut self, stop: &Stop) {
        match stop {
            Stop::Step(step, session) => self.add_step(step, session),
            Stop::Answered(step, session, right) => {
                let Some(question) = &step.question else {
                    return;
                };
                let text = answer(question, right, &still(session), self.lens);
                self.add_answer(step, question, session, &text);
            }
        }
    }

    fn add_step(&mut self, step: &Step, session: &Session) {
        let now = still(session);
        self.step += 1;
        let _ = writeln!(
            self.out,
            "<h2>{}. {}</h2>",
            self.step,
            escaped(&step.heading)
        );
        words::prose(&mut self.out, &step.text, &now, self.lens);
        let asked = step.question.is_some();
        let shows = match asked {
            true => self.lesson.facts_asked_at(self.step - 1),
            false => self.lesson.facts_at(self.step - 1),
        };
        let scene = self.scene(step, session, shows, asked);
        self.out.push_str(&scene);
        let Some(question) = &step.question else {
            return;
        };
        self.questions += 1;
        let _ = writeln!(
            self.out,
            "<div class=\"question\">\n<p><b>Question {}.</b> {}</p>",
            self.questions,
            words::inlines(&question.ask, &now, self.lens)
        );
        match &question.kind {
            Kind::Choice(choices) => {
                self.out.push_str("<ol>\n");
                for choice in choices {
                    let text = words::inlines(&choice.text, &now, self.lens);
                    let _ = writeln!(self.out, "<li>{text}</li>");
                }
                self.out.push_str("</ol>\n");
            }
            Kind::Number { .. } | Kind::Row(_) => {
                self.out
                    .push_str("<p>Answer: <span class=\"blank\">&#160;</span></p>\n");
            }
        }
        let hint = words::hint(question, &now, self.lens);
        let _ = writeln!(
            self.out,
            "<details class=\"hint\"><summary>Hint</summary><p>{hint}</p></details>"
        );
        if self.answers == Answers::AtTheEnd {
            self.out.push_str("</div>\n");
        }
    }

    /// Adds the answer and what the lesson says then, with a new drawing if the search went on.
    fn add_answer(&mut self, step: &Step, question: &Question, session: &Session, text: &str) {
        let now = still(session);
        let mut answered = format!("<p><b>{}</b></p>\n", escaped(text));
        words::prose(&mut answered, &step.after, &now, self.lens);
        if question.reveal.is_some() {
            let shows = self.lesson.facts_at(self.step - 1);
            answered.push_str(&self.scene(step, session, shows, false));
        }
        match self.answers {
            Answers::Folded => {
                let _ = writeln!(
                    self.out,
                    "<details class=\"answer\"><summary>Answer</summary>\n{answered}</details>\n</div>"
                );
            }
            Answers::AtTheEnd => {
                let ask = words::inlines(&question.ask, &now, self.lens);
                let _ = writeln!(
                    self.end,
                    "<h3>Question {}: {ask}</h3>\n{answered}",
                    self.questions
                );
            }
        }
    }

    /// Returns what the screen shows beside the text: a drawing of a small toy tree, the board in chess, and the rows unless
    /// the step shows the drawing. While a question is open, neither the best move nor an order by value tells its answer.
    fn scene(&self, step: &Step, session: &Session, shows: Facts, asked: bool) -> String {
        let scene = Scene {
            session,
            shows,
            asked,
            lens: self.lens,
            selected: selected(step, session, asked),
            named: words::named(step, &still(session), self.lens),
            marked: step
                .show
                .mark
                .iter()
                .filter_map(|spot| spot.row(session.tree()))
                .collect(),
        };
        let title = self.lesson.setup_of(self.step - 1).map(|s| &s.title);
        let title = title.map_or("", String::as_str);
        let mut out = String::from("<figure>\n");
        let drawn = drawing::svg(&scene);
        let alone = drawn.is_some() && step.show.view == View::Drawing;
        out.push_str("<div class=\"beside\">\n");
        let left = drawn.or_else(|| scene.board());
        out.push_str(&left.unwrap_or_default());
        if !alone {
            out.push_str(&rows::table(&scene, &step.show.open));
        }
        out.push_str("</div>\n");
        let _ = writeln!(
            out,
            "<figcaption>{}</figcaption>\n</figure>",
            escaped(&scene.caption(title))
        );
        out
    }

    fn finish(mut self, glossary: &Glossary) -> String {
        if self.answers == Answers::AtTheEnd && !self.end.is_empty() {
            let _ = write!(self.out, "<h2>Answers</h2>\n{}", self.end);
        }
        let last = self.lesson.steps.len().saturating_sub(1);
        let mut terms = self.lesson.terms_up_to(last, true);
        terms.sort();
        let known = terms.iter().filter_map(|term| glossary.find(term));
        let known: Vec<_> = known.collect();
        if !known.is_empty() {
            self.out.push_str("<h2>Terms</h2>\n<dl>\n");
            for term in known {
                let (name, text) = (escaped(&term.name), escaped(&term.text));
                let source = escaped(&term.source);
                let _ = writeln!(
                    self.out,
                    "<dt>{name}</dt><dd>{text} <span class=\"note\">({source})</span></dd>"
                );
            }
            self.out.push_str("</dl>\n");
        }
        let sources = escaped(&self.lesson.sources.join("; "));
        let _ = write!(
            self.out,
            "<p class=\"note\">Sources: {sources}. Numbers, drawings and answers are from real searches by plyscope.</p>\n{}",
            html::FOOT
        );
        self.out
    }
}

/// Returns the node that is selected: the one that the step names, or that of the event, unless its row may be the answer to
/// an open question.
fn selected(step: &Step, session: &Session, asked: bool) -> NodeId {
    let tree = session.tree();
    let named = step.show.select.as_ref().and_then(|spot| spot.node(tree));
    let event = session.standing().map(|s| s.event.node());
    let event = event.filter(|_| !(asked && step.asks_for_row()));
    let at = named.or(event.filter(|node| tree.contains(*node)));
    at.unwrap_or(Tree::ROOT)
}

/// What is shown beside the text at one moment.
struct Scene<'a> {
    session: &'a Session,
    shows: Facts,
    /// Whether a question is open.
    asked: bool,
    lens: Lens,
    selected: NodeId,
    /// The words of the step, among which are the moves that it speaks of.
    named: HashSet<String>,
    /// The rows that are highlighted: the node and the move.
    marked: Vec<(NodeId, game::MoveCode)>,
}

impl Scene<'_> {
    /// Returns the board of the selected node, if the game has one.
    fn board(&self) -> Option<String> {
        let at = self.session.situation(self.selected)?;
        let board = at.position.board()?;
        let mut out = String::from("<table class=\"board\">\n");
        for (r, rank) in board.cells.into_iter().enumerate() {
            out.push_str("<tr>");
            for (f, piece) in rank.into_iter().enumerate() {
                let class = if (r + f) % 2 == 1 {
                    " class=\"dark\""
                } else {
                    ""
                };
                let piece = piece.map_or_else(String::new, |piece| piece.sign.into());
                let _ = write!(out, "<td{class}>{piece}</td>");
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</table>\n");
        Some(out)
    }

    /// Says what is searched, with which algorithm, and where the board is.
    fn caption(&self, title: &str) -> String {
        let algorithm = self.session.config().name();
        let position = &self.session.subject().position;
        let mut text = format!("{title} · {algorithm}");
        if position.as_toy().is_some() {
            text.push_str(" · values from Max's view");
            return text;
        }
        let reader = self.session.reader();
        let line = reader.names(Tree::ROOT, &reader.tree.moves_to(self.selected));
        if !line.is_empty() {
            let names: Vec<String> = line.into_iter().map(|m| m.san).collect();
            let _ = write!(text, " · the board after {}", names.join(" "));
        }
        if let Some(at) = reader.situation(self.selected) {
            let side = at.position.side_name(at.position.turn());
            let _ = write!(text, ", {side} to move");
        }
        let root = position.side_name(position.turn());
        let _ = write!(text, " · {}", self.lens.words(reader.scale(), root));
        text
    }
}
