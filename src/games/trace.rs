//! Streams of other programs' searches. Each search is an entry, and each thread of a depth-first one.

mod root;

use std::path::Path;
use std::sync::Arc;

pub use root::{check, is_chess, told};

use super::{Entries, Entry, Format, Reading};
use game::load::{LoadError, unreadable};
use game::{ChessPosition, Game as _, Side, Situation};
use open_trace::{MoveId, Record, Refused, Side as ToldSide};
use search::{Recorded, Subject};
use text::{quote, sanitise};
use traced::{Contents, InFile, Recording, Source, TracedGame, TracedPosition, Values};

pub const TRACE: Format = Format {
    name: "search trace",
    one: "a search trace",
    extension: "plytrace",
    detect: |line| line.starts_with("{\"plyscope-trace\"") || line.contains("PLYTR"),
    reading: Reading::Stream(read),
    write: None,
    boards: &[],
};

fn read(source: Arc<dyn Source>) -> Result<Entries, LoadError> {
    let contents = Contents::of(source).map_err(refused)?;
    let alone = contents.recordings.len() == 1;
    let engine = sanitise(&contents.header.engine);
    let problems = contents
        .troubles
        .iter()
        .map(|trouble| trouble.to_string())
        .collect();
    let mut entries = Vec::new();
    for recording in contents.recordings {
        entries.push(entry(recording, alone));
    }
    if entries.is_empty() {
        return Err(none());
    }
    let first: &mut Entry = &mut entries[0];
    first.warnings.extend::<Vec<String>>(problems);
    let name = match engine.is_empty() {
        true => None,
        false => Some((engine, None)),
    };
    Ok(Entries {
        caption: name,
        entries,
        problems: Vec::new(),
    })
}

/// Makes an entry of a recorded search.
pub fn entry(recording: Recording, alone: bool) -> Entry {
    let mut warnings = Vec::new();
    let start = subject(&recording, &mut warnings);
    let engine = match recording.header().engine.is_empty() {
        true => "a program".to_owned(),
        false => sanitise(&recording.header().engine),
    };
    let number = recording.search() + 1;
    let title = match (alone, recording.thread()) {
        (true, _) => engine,
        (false, Some(thread)) if thread > 0 => {
            format!("{engine}, search {number}, thread {thread}")
        }
        (false, _) => format!("{engine}, search {number}"),
    };
    let hint = recording.start.limits.as_deref().map(sanitise);
    Entry {
        hint,
        warnings,
        recorded: Some(Arc::new(recording)),
        ..Entry::new(title, start)
    }
}

/// Reads the first search in a file as one of this position.
///
/// # Errors
/// As [`first_of`], with the name of the file.
pub fn first_in(file: &Path, root: &Subject) -> Result<Arc<dyn Recorded>, LoadError> {
    let opened = std::fs::File::open(file).map_err(|error| unreadable(&error));
    let first = opened.and_then(|_| first_of(Arc::new(InFile::new(file)), root));
    first.map_err(|error| error.in_file(&file.to_string_lossy()))
}

/// Returns the first search of a stream as one of this position.
///
/// # Errors
/// If there is none, or it is of another position or game.
pub fn first_of(source: Arc<dyn Source>, root: &Subject) -> Result<Arc<dyn Recorded>, LoadError> {
    let contents = Contents::of(source).map_err(refused)?;
    let recording = contents.recordings.into_iter().next().ok_or_else(none)?;
    check(recording.header(), &recording.start, root)?;
    let position = &root.position;
    let m = first_move(&recording).map(|m| recording.names().text(m).to_owned());
    match m.filter(|m| traced::named(position, &position.legal_moves(), m).is_none()) {
        Some(m) => {
            let found = format!("a search that begins with {}", quote(&m));
            Err(LoadError::new(found, root::in_words(root)))
        }
        None => Ok(Arc::new(recording)),
    }
}

/// The first move that a search makes: its root may not be told.
fn first_move(recording: &Recording) -> Option<MoveId> {
    let mut reader = recording.reader()?;
    while let Ok(Some(_)) = reader.advance() {
        match reader.lent().record() {
            Record::Enter { m, .. } if !m.is_none() => return Some(m),
            Record::Expand { children, .. } => return children.first().map(|child| child.m),
            _ => {}
        }
    }
    None
}

/// Returns the position at the root of a search, the usual one of its game where the program says something else than that.
pub fn root(recording: &Recording) -> Subject {
    subject(recording, &mut Vec::new())
}

/// The position at the root of a search.
fn subject(recording: &Recording, warnings: &mut Vec<String>) -> Subject {
    let (header, start) = (recording.header(), &recording.start);
    match told(header, start) {
        Ok(Some(subject)) => return subject,
        Ok(None) if is_chess(header, start) => {
            return Subject::from(Situation::new(ChessPosition::default()));
        }
        Ok(None) => {}
        Err(error) => warnings.push(format!("the root: {error}")),
    }
    let side = match start.side {
        Some(ToldSide::Second) => Side::Black,
        _ => Side::White,
    };
    let scale = Values::new(header, side, TracedPosition::FIRST).scale();
    let root = start.root.as_deref().unwrap_or_default();
    let game = TracedGame::new(Arc::clone(recording.names()), scale, root);
    Subject::of(Situation::new(TracedPosition::root(Arc::new(game), side)))
}

fn none() -> LoadError {
    LoadError::new("no search", "a stream with at least one search")
}

fn refused(refused: Refused) -> LoadError {
    let trace = "a search trace: a line with \"plyscope-trace\"";
    match refused {
        Refused::NoHeader { found } => LoadError::new(found, trace),
        Refused::BrokenHeader { found } => LoadError::new(
            format!("a header that is cut off or not JSON, {found}"),
            "a whole line of JSON as the first one",
        ),
        Refused::CutOff => LoadError::new(
            "a binary search trace that is cut off within its header",
            "a whole one",
        ),
        Refused::Empty => LoadError::new("nothing", trace),
        Refused::ReadFailed(error) => LoadError::message(format!("cannot be read ({error})")),
        Refused::Version(version) => LoadError::new(
            format!("version {version} of the search trace"),
            "at most version 1: a newer plyscope may read it",
        ),
    }
}
