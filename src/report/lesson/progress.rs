//! What somebody did in the lessons, as one file that a teacher collects, and the table over several such files.

use game::load::LoadError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use super::unsearched;
use crate::sheet::{Cell, Sheet, Table};
use studies::lesson::progress::{Given, Record, Try};
use studies::lesson::{Lesson, Step};
use text::{date, sanitise};

/// The format of the file.
const VERSION: u32 = 1;
/// What the file says it is.
const KIND: &str = "plyscope-lessons";

/// What one student did in the lessons, or in those of a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportJson {
    /// The version of this format: 1.
    pub version: u32,
    /// What the file is: always `plyscope-lessons`.
    pub kind: String,
    /// The name that the student gave.
    pub student: String,
    /// The title of the course; null for the built-in lessons.
    pub course: Option<String>,
    /// When the report was made: a UTC time as in `2026-11-24T17:05:09Z`.
    pub made: String,
    /// The lessons, in their order.
    pub lessons: Vec<LessonReport>,
}

/// What was done in one lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LessonReport {
    /// The name of its file, or its name in the course.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Whether its last step was finished at least once.
    pub done: bool,
    /// Its steps, in their order.
    pub steps: Vec<StepReport>,
}

/// What was done in one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepReport {
    /// Its heading.
    pub heading: String,
    /// Whether the student came to it.
    pub reached: bool,
    /// Its question; null if it asks nothing.
    pub question: Option<QuestionReport>,
}

/// What was answered to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionReport {
    /// The question, as it was on the screen; numbers of the search are left out of one that was not answered.
    pub ask: String,
    /// The answers, the first one first.
    pub tries: Vec<TryReport>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TryReport {
    /// The answer, as it was on the screen.
    pub answer: String,
    /// Whether the search gave the same answer.
    pub right: bool,
    /// Whether the hint was on the screen.
    pub hinted: bool,
    /// When it was given: a UTC time.
    pub at: String,
}

impl From<&Try> for TryReport {
    fn from(given: &Try) -> TryReport {
        TryReport {
            answer: given.answer.clone(),
            right: given.right,
            hinted: given.hinted,
            at: date::moment(given.at),
        }
    }
}

impl QuestionReport {
    fn of(step: &Step, given: Option<&Given>) -> Option<QuestionReport> {
        let question = step.question.as_ref()?;
        Some(QuestionReport {
            ask: match given {
                Some(given) => given.ask.clone(),
                None => unsearched(&question.ask),
            },
            tries: given.map_or_else(Vec::new, |given| {
                given.tries.iter().map(TryReport::from).collect()
            }),
        })
    }

    fn is_solved(&self) -> bool {
        self.tries.iter().any(|one| one.right)
    }

    fn at_once(&self) -> bool {
        self.tries.first().is_some_and(|first| first.right)
    }
}

impl LessonReport {
    /// Makes the report of a lesson, which has this name, from what is saved of it.
    pub fn new(name: &str, lesson: &Lesson, record: Option<&Record>) -> LessonReport {
        let done = record.is_some_and(|record| record.done);
        let reached = match record {
            Some(_) if done => lesson.steps.len(),
            Some(record) => record.step + 1,
            None => 0,
        };
        let steps = lesson.steps.iter().enumerate().map(|(i, step)| StepReport {
            heading: step.heading.clone(),
            reached: i < reached,
            question: QuestionReport::of(step, record.and_then(|record| record.given.get(&i))),
        });
        LessonReport {
            name: name.to_owned(),
            title: lesson.title.clone(),
            done,
            steps: steps.collect(),
        }
    }

    fn questions(&self) -> impl Iterator<Item = &QuestionReport> {
        self.steps.iter().filter_map(|step| step.question.as_ref())
    }

    fn reached(&self) -> usize {
        self.steps.iter().filter(|step| step.reached).count()
    }

    fn count(&self, is: fn(&QuestionReport) -> bool) -> usize {
        self.questions().filter(|question| is(question)).count()
    }

    /// Returns the time of the last answer.
    fn last(&self) -> Option<&str> {
        let tries = self.questions().flat_map(|question| &question.tries);
        tries.map(|one| one.at.as_str()).max()
    }
}

/// What is expected of a file that is no report.
const EXPECTED: &str = "a report by plyscope lessons --report";

impl ReportJson {
    /// Makes a report of lessons; `at` is the present time, in seconds since the beginning of 1970.
    pub fn new(
        student: &str,
        course: Option<&str>,
        at: u64,
        lessons: Vec<LessonReport>,
    ) -> ReportJson {
        ReportJson {
            version: VERSION,
            kind: KIND.to_owned(),
            student: student.to_owned(),
            course: course.map(str::to_owned),
            made: date::moment(at),
            lessons,
        }
    }

    /// Reads a report.
    ///
    /// # Errors
    /// If the text is something else, damaged, or of another version; says where and what.
    pub fn read(text: &str) -> Result<ReportJson, LoadError> {
        let read: ReportJson = serde_json::from_str(text).map_err(|e| {
            // The place is said in front.
            let what = e.to_string();
            let what = what
                .rsplit_once(" at line ")
                .map_or(&*what, |(what, _)| what);
            let place = (e.line() as u32, e.column().max(1) as u32);
            let found = match e.classify() {
                Category::Eof => "the end of the text".to_owned(),
                Category::Data => what.to_owned(),
                Category::Syntax | Category::Io => format!("no JSON ({what})"),
            };
            LoadError::new(found, EXPECTED).at(place.0.max(1), place.1)
        })?;
        if read.kind != KIND {
            return Err(LoadError::new(text::quote(&read.kind), EXPECTED));
        }
        if read.version != VERSION {
            let found = format!("version {}", read.version);
            return Err(LoadError::new(found, format!("version {VERSION}")));
        }
        Ok(read)
    }

    /// Returns the report for a reader: a line for each lesson, and the answers to the questions of those begun.
    pub fn sheet(&self) -> Sheet {
        let course = self
            .course
            .iter()
            .map(|title| format!(" · {}", plain(title)));
        let course: String = course.collect();
        let title = format!("{}{course} · {}", plain(&self.student), self.made);
        let mut sheet = Sheet::new(title);
        sheet.table("", lessons_of(&self.lessons));
        for lesson in &self.lessons {
            let answered: Vec<Answered> = self.answered(lesson).collect();
            if !answered.is_empty() {
                let table = Table::of(&answered)
                    .column("step", |row| row.step)
                    .column("question", |row| plain(&row.question.ask))
                    .column("answer", |row| plain(&row.given.answer))
                    .column("", |row| if row.given.right { "right" } else { "wrong" })
                    .column("hint", |row| if row.given.hinted { "hint" } else { "" });
                sheet.table(plain(&lesson.title), table);
            }
        }
        sheet
    }

    /// Returns every answer as comma-separated values.
    pub fn csv(&self) -> String {
        let all = self.lessons.iter().flat_map(|lesson| self.answered(lesson));
        let all: Vec<Answered> = all.collect();
        let table = Table::of(&all)
            .column("student", |_| harmless(&self.student))
            .column("course", |_| self.course.as_deref().map(harmless))
            .column("lesson", |row| harmless(&row.lesson.name))
            .column("step", |row| row.step)
            .column("question", |row| harmless(&row.question.ask))
            .column("try", |row| row.number)
            .column("answer", |row| harmless(&row.given.answer))
            .column("right", |row| if row.given.right { "yes" } else { "no" })
            .column("hint", |row| if row.given.hinted { "yes" } else { "no" })
            .column("at", |row| harmless(&row.given.at));
        Table::from(table).csv()
    }

    fn answered<'a>(&self, lesson: &'a LessonReport) -> impl Iterator<Item = Answered<'a>> {
        let steps = (1..).zip(&lesson.steps);
        let asked = steps.filter_map(|(step, s)| Some((step, s.question.as_ref()?)));
        asked.flat_map(move |(step, question)| {
            let tries = (1..).zip(&question.tries);
            tries.map(move |(number, given)| Answered {
                lesson,
                step,
                question,
                number,
                given,
            })
        })
    }
}

/// One answer with its question.
struct Answered<'a> {
    lesson: &'a LessonReport,
    /// The number of its step, from 1.
    step: usize,
    question: &'a QuestionReport,
    /// The number of the answer, from 1.
    number: usize,
    given: &'a TryReport,
}

/// Returns the table with a line for each lesson.
fn lessons_of(lessons: &[LessonReport]) -> Table {
    Table::of(lessons)
        .column("lesson", |row| plain(&row.title))
        .column("steps", |row| of(row.reached(), row.steps.len()))
        .column("answered", |row| {
            let answered = row.count(|question| !question.tries.is_empty());
            of(answered, row.questions().count())
        })
        .column("right", |row| row.count(QuestionReport::is_solved))
        .column("at once", |row| row.count(QuestionReport::at_once))
        .column("last answer", |row| row.last().map(plain))
        .into()
}

fn of(some: usize, all: usize) -> Cell {
    Cell::number(format!("{some}/{all}"))
}

/// Text from a file that somebody else has written, for a terminal.
fn plain(text: &str) -> String {
    sanitise(text)
}

/// The same for a spreadsheet, which would take what begins so for a formula.
fn harmless(text: &str) -> String {
    let text = plain(text);
    match text.starts_with(['=', '+', '-', '@', '\t']) && text.parse::<f64>().is_err() {
        true => format!("'{text}"),
        false => text,
    }
}

/// One lesson of one student, among those that a teacher has collected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CollectedJson {
    /// The name that the student gave.
    pub student: String,
    /// The title of the course; null for the built-in lessons.
    pub course: Option<String>,
    /// The name of the lesson's file, or its name in the course; null if the student has begun none.
    pub lesson: Option<String>,
    /// The lesson's title; null if the student has begun none.
    pub title: Option<String>,
    /// The number of steps that the student came to.
    pub reached: usize,
    /// The number of the lesson's steps.
    pub steps: usize,
    /// Whether the lesson was finished at least once.
    pub done: bool,
    /// The number of questions that were answered.
    pub answered: usize,
    /// The number of the lesson's questions.
    pub questions: usize,
    /// The number of questions with a right answer.
    pub right: usize,
    /// The number of questions whose first answer was right.
    pub at_once: usize,
    /// When the last answer was given: a UTC time; null if none was.
    pub last: Option<String>,
    /// The file of the report.
    pub file: String,
}

impl CollectedJson {
    /// Returns the rows of a report: one for each lesson that was begun, or a single one if none was.
    pub fn of(report: &ReportJson, file: &str) -> Vec<CollectedJson> {
        let row = |lesson: Option<&LessonReport>| CollectedJson {
            student: report.student.clone(),
            course: report.course.clone(),
            lesson: lesson.map(|lesson| lesson.name.clone()),
            title: lesson.map(|lesson| lesson.title.clone()),
            reached: lesson.map_or(0, LessonReport::reached),
            steps: lesson.map_or(0, |lesson| lesson.steps.len()),
            done: lesson.is_some_and(|lesson| lesson.done),
            answered: lesson.map_or(0, |l| l.count(|question| !question.tries.is_empty())),
            questions: lesson.map_or(0, |lesson| lesson.questions().count()),
            right: lesson.map_or(0, |lesson| lesson.count(QuestionReport::is_solved)),
            at_once: lesson.map_or(0, |lesson| lesson.count(QuestionReport::at_once)),
            last: lesson.and_then(LessonReport::last).map(str::to_owned),
            file: file.to_owned(),
        };
        let begun = report.lessons.iter().filter(|lesson| lesson.reached() > 0);
        let rows: Vec<CollectedJson> = begun.map(|lesson| row(Some(lesson))).collect();
        match rows.is_empty() {
            true => vec![row(None)],
            false => rows,
        }
    }
}

/// Returns what was collected for a reader: a line for each lesson of each student, and below it what the class found hard.
pub fn collected(rows: &[CollectedJson], reports: &[ReportJson]) -> Sheet {
    let mut sheet = Sheet::default();
    let table = Table::of(rows)
        .column("student", |row| plain(&row.student))
        .column("course", |row| row.course.as_deref().map(plain))
        .column("lesson", |row| {
            row.title
                .as_deref()
                .map_or_else(|| "none begun".into(), plain)
        })
        .column("steps", |row| of(row.reached, row.steps))
        .column("answered", |row| of(row.answered, row.questions))
        .column("right", |row| row.right)
        .column("at once", |row| row.at_once)
        .column("last answer", |row| row.last.as_deref().map(plain))
        .column("file", |row| plain(&row.file));
    sheet.table("", table);
    let hard = hardest(reports);
    if !hard.is_empty() {
        let table = Table::of(&hard)
            .column("lesson", |row| plain(&row.lesson))
            .column("step", |row| row.step)
            .column("question", |row| plain(&row.ask))
            .column("right at once", |row| of(row.at_once, row.answered));
        sheet.table(
            "Questions that fewer than half answered right at once",
            table,
        );
    }
    sheet
}

/// Returns the same as comma-separated values: a line for each lesson of each student.
pub fn collected_csv(rows: &[CollectedJson]) -> String {
    let yes = |is: bool| if is { "yes" } else { "no" };
    let table = Table::of(rows)
        .column("student", |row| harmless(&row.student))
        .column("course", |row| row.course.as_deref().map(harmless))
        .column("lesson", |row| row.lesson.as_deref().map(harmless))
        .column("title", |row| row.title.as_deref().map(harmless))
        .column("reached", |row| row.reached)
        .column("steps", |row| row.steps)
        .column("done", |row| yes(row.done))
        .column("answered", |row| row.answered)
        .column("questions", |row| row.questions)
        .column("right", |row| row.right)
        .column("at_once", |row| row.at_once)
        .column("last", |row| row.last.as_deref().map(harmless))
        .column("file", |row| harmless(&row.file));
    Table::from(table).csv()
}

/// A question, and how many of those who answered it were right at once.
struct Hard {
    lesson: String,
    step: usize,
    ask: String,
    answered: usize,
    at_once: usize,
}

/// Returns the reports without those of which the same student has sent a later one for the same course.
fn latest(reports: &[ReportJson]) -> impl Iterator<Item = &ReportJson> {
    // Of two that were made in the same second, the second one counts.
    let all = || reports.iter().enumerate();
    let is_same = |one: &ReportJson, other: &ReportJson| {
        (&one.student, &one.course) == (&other.student, &other.course)
    };
    all().filter_map(move |(i, one)| {
        let is_later = |(j, other): (usize, &ReportJson)| (&other.made, j) > (&one.made, i);
        let replaced = all().any(|(j, other)| is_same(one, other) && is_later((j, other)));
        (!replaced).then_some(one)
    })
}

/// Returns the questions that at least two students answered and fewer than half of them right at once, the hardest first.
fn hardest(reports: &[ReportJson]) -> Vec<Hard> {
    let mut all: Vec<Hard> = Vec::new();
    for lesson in latest(reports).flat_map(|report| &report.lessons) {
        for (step, s) in (1..).zip(&lesson.steps) {
            let Some(question) = s.question.as_ref().filter(|q| !q.tries.is_empty()) else {
                continue;
            };
            let is = |hard: &&mut Hard| {
                hard.lesson == lesson.title && hard.step == step && hard.ask == question.ask
            };
            let at_once = usize::from(question.at_once());
            match all.iter_mut().find(is) {
                Some(hard) => {
                    hard.answered += 1;
                    hard.at_once += at_once;
                }
                None => all.push(Hard {
                    lesson: lesson.title.clone(),
                    step,
                    ask: question.ask.clone(),
                    answered: 1,
                    at_once,
                }),
            }
        }
    }
    all.retain(|hard| hard.answered >= 2 && 2 * hard.at_once < hard.answered);
    let share = |hard: &Hard| hard.at_once as f64 / hard.answered as f64;
    all.sort_by(|a, b| share(a).total_cmp(&share(b)));
    all
}
