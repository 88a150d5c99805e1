//! `plyscope lessons`: lists, checks and prints lessons and courses, and reports what was done in them, without a screen.

mod report;
mod shelf;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::failure::{Failure, complain};
use super::output;
use ::report::lens::Lens;
use ::report::lesson::handout::{Answers, handout};
use ::report::lesson::{LessonJson, answer, plain};
use ::report::why::plural;
use game::load::LoadError;
use report::Form;
use session::breakpoint::Still;
use shelf::{Head, Numbered, Shelf};
use studies::lesson::check::{STEPS, Stop, walk};
use studies::lesson::script::still;
use studies::lesson::{Glossary, Hint, Prose, Shape};

/// List the lessons, check them, print one with the search's numbers and answers, or report what was done in them.
///
/// A lesson is a plain file; sample-positions/lessons/README.md describes the format. Without FILE all built-in lessons are
/// used.
///
/// With --course, the lessons are those of a course: a folder with a course.toml that has its title, its lessons in their order
/// (files of the folder, and built-in lessons by name) and its assignments. plyscope --course DIR opens it in the workbench.
///
/// With --handout, one lesson is written as a page that needs neither scripts nor a network: its text with the numbers of
/// the search, a drawing or the board and the rows at each step, and its questions. Hints and answers open with a click;
/// what is closed is not printed.
///
/// With --report, what was done in the lessons is written to a file for a teacher: the steps reached, and every answer to every
/// question with the time when it was given. With --collect, a teacher reads such files and gets a table. Nothing is sent
/// anywhere.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lessons
  plyscope lessons --check
  plyscope lessons my-lesson.md --check
  plyscope lessons 2 --print
  plyscope lessons 2 --handout -o alpha-beta.html
  plyscope lessons my-lesson.md --handout --answers -o solutions.html
  plyscope lessons --course our-course --check
  plyscope lessons --report ada.json --name \"Ada Lovelace\"
  plyscope lessons --collect *.json --csv > class.csv
  plyscope my-lesson.md")]
pub struct Arguments {
    /// A lesson's file, or the number or name of a built-in lesson or of one of the course (repeatable)
    #[arg(value_name = "FILE|NUMBER")]
    lessons: Vec<String>,

    /// Use the lessons of a course: a folder with a course.toml
    #[arg(long, value_name = "DIR")]
    course: Option<PathBuf>,

    /// Check that every step reaches its stop, every number can be computed and every question has exactly one right answer, the one that the lesson expects
    #[arg(long, conflicts_with_all = ["print", "json"])]
    check: bool,

    /// Print the lessons as they appear on the screen, with numbers and answers
    #[arg(long, conflicts_with = "json")]
    print: bool,

    /// Write one lesson as an HTML page with its drawings and questions, to print or to give to a class
    #[arg(long, conflicts_with_all = ["check", "print", "json"])]
    handout: bool,

    /// With --handout: print the answers at the end instead of hiding them below their questions
    #[arg(long, requires = "handout")]
    answers: bool,

    /// Report what was done in the lessons, to a file (JSON, which --collect reads, or .csv or .txt) or printed
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["check", "print", "handout"])]
    report: Option<Option<PathBuf>>,

    /// With --report: the student's name; without it, it is asked for
    #[arg(long, value_name = "NAME", requires = "report")]
    name: Option<String>,

    /// Read the reports of students and print a table: a line for each lesson of each student
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["lessons", "course", "check", "print", "handout", "report"])]
    collect: Vec<PathBuf>,

    /// Print the list as JSON: an array of lessons or of what was collected, or an object for a course or a report
    #[arg(long)]
    json: bool,

    /// With --report or --collect: print comma-separated values
    #[arg(long, conflicts_with_all = ["json", "check", "print", "handout"])]
    csv: bool,
}

/// A course.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CourseJson<'a> {
    /// Its title.
    title: &'a str,
    /// Who made it; null if the file does not say.
    author: Option<&'a str>,
    /// Its lessons, in their order.
    lessons: Vec<LessonJson<'a>>,
    /// Its assignments, in their order.
    assignments: Vec<AssignmentJson<'a>>,
}

/// An assignment of a course.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AssignmentJson<'a> {
    /// Its title.
    title: &'a str,
    /// Its name in the course.
    name: &'a str,
    /// The command that judges a student's work.
    command: String,
}

impl Arguments {
    fn form(&self) -> Result<Form, Failure> {
        match (self.json, self.csv) {
            (true, _) => Ok(Form::Json),
            (_, true) if self.report.is_none() && self.collect.is_empty() => {
                let why = "--csv: found neither --report nor --collect, expected one of them";
                Err(Failure::Usage(why.into()))
            }
            (_, true) => Ok(Form::Csv),
            _ => Ok(Form::Text),
        }
    }
}

/// Lists, checks or prints the lessons, or reports what was done in them.
///
/// # Errors
/// See [`Failure`]. All lessons are checked, and each problem is reported on a line of its own.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let form = arguments.form()?;
    let mut out = output::stdout();
    if !arguments.collect.is_empty() {
        return report::collect(&arguments.collect, form, &mut out);
    }
    let shelf = Shelf::of(&arguments.lessons, arguments.course.as_deref())?;
    if let Some(file) = &arguments.report {
        let name = arguments.name.as_deref();
        return report::report(&shelf, name, file.as_deref(), form, &mut out);
    }
    if arguments.handout {
        return write_handout(&shelf, arguments.answers, &mut out);
    }
    let mut refused = false;
    if arguments.check || arguments.print {
        for one in &shelf.lessons {
            refused |= !one.go_through(arguments.print, &shelf.glossary, &mut out)?;
        }
        refused |= complain_of_assignments(shelf.course.as_ref());
    } else {
        refused |= list(&shelf, arguments.json, &mut out)?;
    }
    out.flush()?;
    if refused {
        Err(Failure::Reported)
    } else {
        Ok(())
    }
}

/// Reports the assignments that can't be used; returns whether there is one.
fn complain_of_assignments(course: Option<&Head>) -> bool {
    let assignments = course.iter().flat_map(|course| &course.assignments);
    let faults = assignments.filter_map(|one| one.as_ref().err());
    let faults = faults.inspect(|error| complain(&error.to_string()));
    faults.count() > 0
}

/// Lists the lessons and assignments that can be used, and reports the others; returns whether there is one of these.
fn list(shelf: &Shelf, json: bool, out: &mut impl Write) -> Result<bool, Failure> {
    let mut refused = false;
    let read = shelf
        .lessons
        .iter()
        .filter_map(|one| match &one.listed.lesson {
            Ok(lesson) => Some(LessonJson::new(one.number, lesson)),
            Err(error) => {
                complain(&error.to_string());
                refused = true;
                None
            }
        });
    let lessons: Vec<LessonJson> = read.collect();
    refused |= complain_of_assignments(shelf.course.as_ref());
    let Some(course) = &shelf.course else {
        if json {
            serde_json::to_writer_pretty(&mut *out, &lessons)?;
            writeln!(out)?;
        } else {
            list_lessons(out, &lessons)?;
        }
        return Ok(refused);
    };
    let assignments = course.assignments.iter().flatten();
    let assignments = assignments.map(|one| AssignmentJson {
        title: &one.title,
        name: &one.name,
        command: one.command(),
    });
    let course = CourseJson {
        title: &course.title,
        author: course.author.as_deref(),
        lessons,
        assignments: assignments.collect(),
    };
    if json {
        serde_json::to_writer_pretty(&mut *out, &course)?;
        writeln!(out)?;
    } else {
        list_course(out, &course)?;
    }
    Ok(refused)
}

fn list_course(out: &mut impl Write, course: &CourseJson) -> io::Result<()> {
    match course.author {
        Some(author) => writeln!(out, "{}, by {author}\n", course.title)?,
        None => writeln!(out, "{}\n", course.title)?,
    }
    list_lessons(out, &course.lessons)?;
    if course.assignments.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nAssignments")?;
    for one in &course.assignments {
        writeln!(out, "    {}\n        {}", one.title, one.command)?;
    }
    Ok(())
}

/// Writes the only lesson as a page.
fn write_handout(shelf: &Shelf, answers: bool, out: &mut impl Write) -> Result<(), Failure> {
    let [one] = &shelf.lessons[..] else {
        let found = shelf.lessons.len();
        let why = format!("--handout: found {found} lessons, expected one");
        return Err(Failure::Usage(why));
    };
    let refused = |error: &LoadError| Failure::Input(error.to_string());
    let lesson = one.listed.lesson.as_ref().map_err(refused)?;
    let answers = match answers {
        true => Answers::AtTheEnd,
        false => Answers::Folded,
    };
    match handout(lesson, &shelf.glossary, answers, Lens::default()) {
        Ok(page) => {
            out.write_all(page.as_bytes())?;
            out.flush()?;
            Ok(())
        }
        Err(mut faults) => {
            let last = faults.pop();
            for fault in &faults {
                complain(&fault.to_string());
            }
            // Leaves what was in the file.
            Err(last.map_or(Failure::Reported, Failure::from))
        }
    }
}

fn list_lessons(out: &mut impl Write, rows: &[LessonJson]) -> io::Result<()> {
    let widest = rows.iter().map(|r| r.title.chars().count()).max();
    let width = widest.unwrap_or(0);
    for row in rows {
        let (number, title, teaches) = (row.number, row.title, row.teaches);
        let minutes = row.minutes;
        writeln!(
            out,
            "{number:>2}  {title:width$}  {minutes:>2} min  {teaches}"
        )?;
    }
    Ok(())
}

impl Numbered {
    /// Returns `false` if the lesson fails the check.
    fn go_through(
        &self,
        print: bool,
        glossary: &Glossary,
        out: &mut impl Write,
    ) -> Result<bool, Failure> {
        let lesson = match &self.listed.lesson {
            Ok(lesson) => lesson,
            Err(error) => {
                complain(&error.to_string());
                return Ok(false);
            }
        };
        let mut text = Vec::new();
        let checked = walk(lesson, glossary, &mut |stop| {
            if print {
                write_stop(&mut text, &stop);
            }
        });
        let mut faults = checked.err().unwrap_or_default();
        if self.is_built_in && !STEPS.contains(&lesson.steps.len()) {
            let found = format!("{} steps", lesson.steps.len());
            let expected = format!("{} to {}", STEPS.start(), STEPS.end());
            faults.push(LoadError::new(found, expected).in_file(&lesson.name));
        }
        if print {
            writeln!(out, "# {}\n{}\n", lesson.title, lesson.teaches)?;
            out.write_all(&text)?;
            writeln!(out, "Sources: {}\n", lesson.sources.join("; "))?;
        } else if faults.is_empty() {
            let steps = plural(lesson.steps.len() as u64, "step");
            let holds = match lesson.questions() as u64 {
                1 => "1 question holds".to_owned(),
                questions => format!("{questions} questions hold"),
            };
            writeln!(out, "{}: {steps}, {holds}", lesson.name)?;
        }
        for fault in &faults {
            complain(&fault.to_string());
        }
        Ok(faults.is_empty())
    }
}

/// Writing to memory cannot fail.
fn write_stop(out: &mut Vec<u8>, stop: &Stop) {
    let _ = match stop {
        Stop::Step(step, session) => write_step(out, step, &still(session)),
        Stop::Answered(step, session, right) => {
            let Some(question) = &step.question else {
                return;
            };
            let now = still(session);
            let text = answer(question, right, &now, Lens::default());
            writeln!(out, "A: {text}\n").and_then(|()| write_prose(out, &step.after, &now))
        }
    };
}

fn write_step(out: &mut impl Write, step: &studies::lesson::Step, still: &Still) -> io::Result<()> {
    writeln!(out, "## {}\n", step.heading)?;
    write_prose(out, &step.text, still)?;
    let Some(question) = &step.question else {
        return Ok(());
    };
    writeln!(out, "Q: {}", plain(&question.ask, still, Lens::default()))?;
    let hint = match question.hint() {
        Hint::Written(inlines) => plain(inlines, still, Lens::default()),
        Hint::Made(text) => text,
    };
    writeln!(out, "Hint: {hint}")?;
    if let studies::lesson::Kind::Choice(choices) = &question.kind {
        for choice in choices {
            writeln!(out, "   - {}", plain(&choice.text, still, Lens::default()))?;
        }
    }
    Ok(())
}

fn write_prose(out: &mut impl Write, prose: &[Prose], still: &Still) -> io::Result<()> {
    for (i, part) in prose.iter().enumerate() {
        let text = plain(&part.inlines, still, Lens::default());
        match part.shape {
            Shape::Paragraph => writeln!(out, "{text}\n")?,
            Shape::Item => writeln!(out, "- {text}")?,
            Shape::Formula => writeln!(out, "    {text}")?,
        }
        let together = prose.get(i + 1).is_some_and(|n| n.shape == part.shape);
        if part.shape != Shape::Paragraph && !together {
            writeln!(out)?;
        }
    }
    Ok(())
}
