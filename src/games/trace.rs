//! Streams of other programs' searches. Each search is an entry, and each thread of a depth-first one.

use std::sync::Arc;

use super::{Entries, Entry, Format, Reading};
use game::load::{LoadError, fen};
use game::{ChessPosition, Side, Situation};
use open_trace::{Header, Refused, SearchStart, Side as ToldSide};
use search::{Recorded, Subject};
use text::sanitise;
use traced::{Contents, Recording, Source, TracedGame, TracedPosition, Values};

pub const TRACE: Format = Format {
    name: "search trace",
    one: "a search trace",
    extension: "plytrace",
    detect: |line| line.starts_with("{\"plyscope-trace\"") || line.contains("PLYTR"),
    reading: Reading::Stream(read),
    write: None,
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
        return Err(LoadError::new(
            "no search",
            "a stream with at least one search",
        ));
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

/// Returns the position at the root of a search, the usual one of its game where the program says something else than that.
pub fn root(recording: &Recording) -> Subject {
    subject(recording, &mut Vec::new())
}

/// The position at the root of a search.
fn subject(recording: &Recording, warnings: &mut Vec<String>) -> Subject {
    let start = &recording.start;
    if is_chess(recording.header(), start) {
        match chess(start) {
            Ok(subject) => return subject,
            Err(error) => warnings.push(format!("the root: {error}")),
        }
    }
    let side = match start.side {
        Some(ToldSide::Second) => Side::Black,
        _ => Side::White,
    };
    let scale = Values::new(recording.header(), side).scale();
    let root = start.root.as_deref().unwrap_or_default();
    let game = TracedGame::new(Arc::clone(recording.names()), scale, root);
    Subject::of(Situation::new(TracedPosition::root(Arc::new(game), side)))
}

/// Whether a search is told to be one of chess.
pub fn is_chess(header: &Header, start: &SearchStart) -> bool {
    header.game.eq_ignore_ascii_case("chess") || start.fen.is_some()
}

/// Returns the root of a search of chess.
///
/// # Errors
/// If its FEN or its moves cannot be read.
pub fn chess(start: &SearchStart) -> Result<Subject, LoadError> {
    let position = match &start.fen {
        Some(text) if text != "startpos" => fen::parse(text)?.position,
        _ => ChessPosition::default(),
    };
    let subject = Subject::from(Situation::new(position));
    match start.moves.is_empty() {
        true => Ok(subject),
        false => subject.play_text(&start.moves.join(" ")),
    }
}

fn refused(refused: Refused) -> LoadError {
    let trace = "a search trace: a line with \"plyscope-trace\"";
    match refused {
        Refused::NoHeader { found } => LoadError::new(found, trace),
        Refused::Empty => LoadError::new("nothing", trace),
        Refused::Version(version) => LoadError::new(
            format!("version {version} of the search trace"),
            "at most version 1: a newer plyscope may read it",
        ),
    }
}
