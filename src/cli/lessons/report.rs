//! `plyscope lessons --report` and `--collect`: what a student did, as a file, and the table over several such files.

use std::io::{self, BufRead as _, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use super::shelf::Shelf;
use super::{Failure, complain, output};
use game::load::unreadable;
use report::lesson::progress::{CollectedJson, LessonReport, ReportJson, collected, collected_csv};
use report::text::Style;
use text::{date, files, sanitise, save};
use tui::tabs::lab::differential::folder;
use tui::tabs::learn::progress::Progress;

/// How figures are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Csv,
    Json,
}

/// The longest name of a student, in characters.
const LONGEST: usize = 200;

/// Writes what was done in the lessons of a shelf: to a file, as its name ends, or printed.
///
/// # Errors
/// If there is no name, the progress can't be read, or the file can't be written.
pub(super) fn report(
    shelf: &Shelf,
    name: Option<&str>,
    file: Option<&Path>,
    form: Form,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (progress, fault) = Progress::open(folder());
    if let Some(fault) = fault {
        return Err(Failure::Input(fault));
    }
    let student = match name {
        Some(name) => name.trim().to_owned(),
        None => asked()?,
    };
    if student.is_empty() || student.chars().count() > LONGEST {
        let why = format!("--name: found no name, expected one of up to {LONGEST} characters");
        return Err(Failure::Usage(why));
    }
    let mut lessons = Vec::new();
    let mut refused = false;
    for one in &shelf.lessons {
        match &one.listed.lesson {
            Ok(lesson) => {
                let record = progress.of(&one.listed.kept_as);
                lessons.push(LessonReport::new(&one.listed.name, lesson, record.as_ref()));
            }
            Err(error) => {
                complain(&error.to_string());
                refused = true;
            }
        }
    }
    let course = shelf.course.as_ref().map(|course| course.title.as_str());
    let made = ReportJson::new(&sanitise(&student), course, date::now(), lessons);
    match file {
        Some(file) => {
            let form = form_of(file).unwrap_or(match form {
                Form::Text => Form::Json,
                other => other,
            });
            let text = printed(&made, form)?;
            save::save(file, |to| to.write_all(text.as_bytes()))
                .map_err(|e| Failure::Input(format!("{}: {e}", file.display())))?;
            if !output::is_quiet() {
                let begun = made.lessons.iter();
                let begun = begun.filter(|lesson| lesson.steps.iter().any(|step| step.reached));
                let lessons = match begun.count() {
                    1 => "1 lesson".to_owned(),
                    n => format!("{n} lessons"),
                };
                complain(&format!("{}: report of {lessons}", file.display()));
            }
        }
        None => {
            out.write_all(printed(&made, form)?.as_bytes())?;
            out.flush()?;
        }
    }
    match refused {
        true => Err(Failure::Reported),
        false => Ok(()),
    }
}

fn printed(report: &ReportJson, form: Form) -> Result<String, Failure> {
    Ok(match form {
        Form::Text => report.sheet().text(Style::default()),
        Form::Csv => report.csv(),
        Form::Json => serde_json::to_string_pretty(report)? + "\n",
    })
}

/// Returns the form that the end of a file's name asks for.
fn form_of(file: &Path) -> Option<Form> {
    let extension = file.extension()?.to_str()?.to_lowercase();
    match extension.as_str() {
        "csv" => Some(Form::Csv),
        "txt" => Some(Form::Text),
        "json" => Some(Form::Json),
        _ => None,
    }
}

/// Asks for the student's name. It is never taken from the system.
fn asked() -> Result<String, Failure> {
    if !io::stdin().is_terminal() {
        let why = "--report: found no name, expected --name NAME".to_owned();
        return Err(Failure::Usage(why));
    }
    let mut to = io::stderr().lock();
    write!(to, "Your name, as your teacher knows you: ")?;
    to.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// Reads reports and prints the table over them. Those that can't be read are reported, and the others are used.
///
/// # Errors
/// If one can't be read.
pub(super) fn collect(paths: &[PathBuf], form: Form, out: &mut impl Write) -> Result<(), Failure> {
    let mut refused = false;
    let mut rows: Vec<CollectedJson> = Vec::new();
    let mut reports: Vec<ReportJson> = Vec::new();
    for path in paths {
        let name = path.to_string_lossy();
        let read = files::read_text(path).map_err(|e| unreadable(&e));
        match read.and_then(|text| ReportJson::read(&text)) {
            Ok(report) => {
                rows.extend(CollectedJson::of(&report, &name));
                reports.push(report);
            }
            Err(error) => {
                complain(&error.in_file(&name).to_string());
                refused = true;
            }
        }
    }
    let by = |row: &CollectedJson| (row.student.to_lowercase(), row.course.clone());
    rows.sort_by_key(by);
    match form {
        Form::Text if rows.is_empty() => {}
        Form::Text => {
            let sheet = collected(&rows, &reports);
            out.write_all(sheet.text(Style::default()).as_bytes())?;
        }
        Form::Csv => out.write_all(collected_csv(&rows).as_bytes())?,
        Form::Json => {
            serde_json::to_writer_pretty(&mut *out, &rows)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    match refused {
        true => Err(Failure::Reported),
        false => Ok(()),
    }
}
