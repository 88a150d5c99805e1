//! `plyscope lessons`: checks the lessons or prints them, without a screen.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::failure::{Failure, complain};
use super::output;
use game::load::LoadError;
use report::lens::Lens;
use report::lesson::handout::{Answers, handout};
use report::lesson::{LessonJson, answer, plain};
use session::breakpoint::Still;
use studies::lesson::check::{STEPS, Stop, walk};
use studies::lesson::script::still;
use studies::lesson::{Glossary, Hint, Lesson, Prose, Shape, built_in, own};

/// List the lessons, check them, or print one with the search's numbers and answers.
///
/// A lesson is a plain file; sample-positions/lessons/README.md describes the format. Without FILE all built-in lessons are
/// used.
///
/// With --handout, one lesson is written as a page that needs neither scripts nor a network: its text with the numbers of
/// the search, a drawing or the board and the rows at each step, and its questions. Hints and answers open with a click;
/// what is closed is not printed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lessons
  plyscope lessons --check
  plyscope lessons my-lesson.md --check
  plyscope lessons 2 --print
  plyscope lessons 2 --handout -o alpha-beta.html
  plyscope lessons my-lesson.md --handout --answers -o solutions.html
  plyscope my-lesson.md")]
pub struct Arguments {
    /// A lesson's file, or the number or name of a built-in lesson (repeatable)
    #[arg(value_name = "FILE|NUMBER")]
    lessons: Vec<String>,

    /// Check that every step reaches its stop, every number can be computed and every question has exactly one right answer
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

    /// Print the list as a JSON array
    #[arg(long)]
    json: bool,
}

/// A lesson, with its number if it is built in.
struct Listed {
    number: Option<usize>,
    lesson: Result<Lesson, LoadError>,
}

/// Lists, checks or prints the lessons.
///
/// # Errors
/// See [`Failure`]. All lessons are checked, and each problem is reported on a line of its own.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let listed = listed(&arguments.lessons)?;
    let mut out = output::stdout();
    if arguments.handout {
        return write_handout(&listed, arguments.answers, &mut out);
    }
    let mut refused = false;
    if arguments.check || arguments.print {
        let glossary = Glossary::built_in()?;
        for one in &listed {
            refused |= !one.go_through(arguments.print, &glossary, &mut out)?;
        }
    } else {
        let read = listed
            .iter()
            .zip(1..)
            .filter_map(|(one, i)| match &one.lesson {
                Ok(lesson) => Some((one.number.unwrap_or(i), lesson)),
                Err(error) => {
                    complain(&error.to_string());
                    refused = true;
                    None
                }
            });
        let rows: Vec<LessonJson> = read.map(|(n, l)| LessonJson::new(n, l)).collect();
        if arguments.json {
            serde_json::to_writer_pretty(&mut out, &rows)?;
            writeln!(out)?;
        } else {
            list(&mut out, &rows)?;
        }
    }
    out.flush()?;
    if refused {
        Err(Failure::Reported)
    } else {
        Ok(())
    }
}

/// Writes the only lesson as a page.
fn write_handout(listed: &[Listed], answers: bool, out: &mut impl Write) -> Result<(), Failure> {
    let [one] = listed else {
        let found = listed.len();
        let why = format!("--handout: found {found} lessons, expected one");
        return Err(Failure::Usage(why));
    };
    let refused = |error: &LoadError| Failure::Input(error.to_string());
    let lesson = one.lesson.as_ref().map_err(refused)?;
    let answers = match answers {
        true => Answers::AtTheEnd,
        false => Answers::Folded,
    };
    let glossary = Glossary::built_in()?;
    match handout(lesson, &glossary, answers, Lens::default()) {
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

/// Returns the requested lessons, or all built-in ones if none was named.
fn listed(asked: &[String]) -> Result<Vec<Listed>, Failure> {
    let built_in = (1..).zip(built_in()).map(|(number, lesson)| Listed {
        number: Some(number),
        lesson,
    });
    let mut built_in: Vec<Listed> = built_in.collect();
    if asked.is_empty() {
        return Ok(built_in);
    }
    let mut listed = Vec::new();
    for name in asked {
        let is = |one: &Listed| {
            let own_name = one.lesson.as_ref().map(|l| l.name.as_str());
            let number = one.number.map(|n| n.to_string());
            number.as_ref() == Some(name)
                || own_name.is_ok_and(|n| n == name || n.trim_end_matches(".md") == name)
        };
        let file = PathBuf::from(name);
        match built_in.iter().position(is) {
            Some(at) if !file.exists() => listed.push(built_in.remove(at)),
            _ => listed.push(Listed {
                number: None,
                lesson: own(&file),
            }),
        }
    }
    Ok(listed)
}

fn list(out: &mut impl Write, rows: &[LessonJson]) -> io::Result<()> {
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

impl Listed {
    /// Returns `false` if the lesson fails the check.
    fn go_through(
        &self,
        print: bool,
        glossary: &Glossary,
        out: &mut impl Write,
    ) -> Result<bool, Failure> {
        let lesson = match &self.lesson {
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
        if self.number.is_some() && !STEPS.contains(&lesson.steps.len()) {
            let found = format!("{} steps", lesson.steps.len());
            let expected = format!("{} to {}", STEPS.start(), STEPS.end());
            faults.push(LoadError::new(found, expected).in_file(&lesson.name));
        }
        if print {
            writeln!(out, "# {}\n{}\n", lesson.title, lesson.teaches)?;
            out.write_all(&text)?;
            writeln!(out, "Sources: {}\n", lesson.sources.join("; "))?;
        } else if faults.is_empty() {
            let (steps, questions) = (lesson.steps.len(), lesson.questions());
            writeln!(
                out,
                "{}: {steps} steps, {questions} questions hold",
                lesson.name
            )?;
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
