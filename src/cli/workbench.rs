//! `plyscope [FILE]`: the workbench.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::options::{Defaults, EngineOptions, InputOptions, SearchOptions, ShowOptions};
use super::plain;
use ::tui::{Launch, RunError, config};
use algorithms::Algorithm;
use external::ProgramSpec;
use game::ChessPosition;
use games::{Document, trace};
use search::Recorded;
use session::Config;
use session::saved::{check_version, is_saved};
use studies::course::Course;
use studies::lesson;

/// What the workbench opens with.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub input: InputOptions,
    #[command(flatten)]
    pub search: SearchOptions,
    #[command(flatten)]
    pub engines: EngineOptions,
    #[command(flatten)]
    pub show: ShowOptions,

    /// Show the search in this trace in Compare (repeatable). No other columns are opened, except the one of FILE if that is
    /// a trace, too
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "course"])]
    pub trace: Vec<PathBuf>,

    /// Theme of the workbench: a name or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub theme: Option<String>,

    /// Begin with the presenter's view, for a class: board, axis and text are large (F5 ends it)
    #[arg(long)]
    pub presenter: bool,

    /// Line by line instead of a screen: type words, read sentences. For screen readers, braille displays and scripts (see `help`
    /// there)
    #[arg(long, conflicts_with_all = ["trace", "theme", "presenter", "course", "engine"])]
    pub plain: bool,

    /// Open the lessons of a course: a folder with a course.toml (see `plyscope lessons`)
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "fen", "moves"])]
    pub course: Option<PathBuf>,
}

/// Opens the workbench.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments, no_color: bool) -> Result<(), Failure> {
    // Errors on the command line must be printed before the workbench takes over the screen.
    let mut preferences = config::own();
    let with_tables = arguments.search.machine.syzygy.is_none();
    let defaults = match &mut preferences {
        Ok(own) => Defaults::of(own, with_tables),
        Err(_) => Defaults::default(),
    };
    let config = arguments.search.config_or(&defaults)?;
    if arguments.plain {
        return plain::run(&arguments.input, config);
    }
    let known = preferences.as_ref().map_or(&[][..], |own| &own.engines);
    let engines = arguments.engines.specs(known)?;
    let input = &arguments.input;
    // Errors in a lesson must be printed before that, too.
    let lesson = input.file.clone().filter(|f| lesson::is_named(f));
    if let Some(path) = &lesson {
        lesson::own(path)?;
    }
    let is_course = |folder: &PathBuf| Course::is_in(folder);
    let course = arguments.course.clone();
    let course = course.or_else(|| input.file.clone().filter(is_course));
    if let Some(folder) = &course {
        Course::open(folder)?;
    }
    let session = input.file.clone().filter(|f| is_saved(f));
    if let Some(path) = &session {
        check_version(path).map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?;
    }
    let is_document = lesson.is_none() && session.is_none() && course.is_none();
    let document = match (&input.fen, &input.file) {
        (Some(text), _) => Document::of_line("--fen", text).map_err(|e| e.in_file("--fen"))?,
        (None, Some(file)) if is_document => Document::open(file)?,
        (None, _) => Document::position("start position", ChessPosition::default()),
    };
    let beside = traces(&document, &arguments.trace)?;
    let launch = Launch {
        pick: arguments.trace.is_empty()
            && input.fen.is_none()
            && input.file.is_none()
            && input.moves.is_none()
            && course.is_none(),
        beside,
        session,
        lesson,
        course,
        moves: input.moves.clone(),
        config,
        engines,
        presenter: arguments.presenter,
        theme: arguments.theme.clone(),
        ascii: arguments.show.ascii,
        ..launch(document, preferences, no_color)
    };
    begin(launch)
}

/// Returns the searches in these traces, which are of a document's first position.
fn traces(document: &Document, files: &[PathBuf]) -> Result<Vec<Arc<dyn Recorded>>, Failure> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let (_, entry) = document.first_entry()?;
    let root = entry.subject();
    let read = |file: &PathBuf| Ok(trace::first_in(file, &root)?);
    files.iter().map(read).collect()
}

/// Opens the workbench with searches of a position side by side.
///
/// # Errors
/// See [`Failure`].
pub fn compare(
    document: Document,
    beside: Vec<Arc<dyn Recorded>>,
    ascii: bool,
    no_color: bool,
) -> Result<(), Failure> {
    begin(Launch {
        beside,
        ascii,
        ..launch(document, config::own(), no_color)
    })
}

/// The usual way to begin.
fn launch(
    document: Document,
    preferences: Result<config::Preferences, String>,
    no_color: bool,
) -> Launch {
    Launch {
        document,
        beside: Vec::new(),
        program: None,
        session: None,
        lesson: None,
        course: None,
        pick: false,
        moves: None,
        config: Config::new(Algorithm::DEFAULT),
        preferences,
        engines: Vec::new(),
        presenter: false,
        theme: None,
        ascii: false,
        no_color: no_color || std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()),
    }
}

fn begin(launch: Launch) -> Result<(), Failure> {
    // The fonts of the Linux console have neither chess pieces nor fine bars.
    let is_console = std::env::var_os("TERM").is_some_and(|name| name == "linux");
    let launch = Launch {
        ascii: launch.ascii || is_console,
        ..launch
    };
    tui::run(launch).map_err(|e| match e {
        RunError::Interrupted => Failure::Interrupted,
        other => Failure::Input(other.to_string()),
    })
}

/// Opens the workbench with a program whose search is shown.
///
/// # Errors
/// See [`Failure`].
pub fn attach(program: ProgramSpec, no_color: bool) -> Result<(), Failure> {
    let subject = program.search.as_ref().map(|(subject, _)| subject.clone());
    let chess = subject.and_then(|subject| subject.position.as_chess().cloned());
    let document = Document::position("start position", chess.unwrap_or_default());
    begin(Launch {
        program: Some(program),
        ..launch(document, config::own(), no_color)
    })
}
