//! What an editor's `launch` asks for.

use serde_json::{Map, Value};

use crate::place::{Opened, Place};
use crate::rpc::{Parameters, RpcError, config};
use session::Config;
use text::nearest;

/// The arguments of `launch` and what they mean.
pub const ARGUMENTS: [(&str, &str); 17] = [
    (
        "program",
        "a .pgn, .fen, .epd, .sgf, .c4, .ttt, .tree or .plytrace file",
    ),
    ("file", "the same"),
    ("text", "the content of such a file"),
    ("fen", "a position"),
    ("game", "the entry of the file, from 1"),
    ("ply", "the position after this many half-moves of a game"),
    ("moves", "moves to play from there"),
    (
        "algorithm",
        "its name; a recorded search is read without one",
    ),
    ("options", "its options, as an object"),
    ("nodes", "ends after this many nodes"),
    ("time", "ends after this time"),
    ("depth", "ends at this depth"),
    ("memory", "memory for tree, tables and going back"),
    ("seed", "of everything random"),
    (
        "stopOnEntry",
        "whether it waits before its first event; true",
    ),
    (
        "stopOnEnd",
        "whether it stays to be looked at when it has ended; true",
    ),
    ("breakpoints", "a list of further breakpoints"),
];

/// A search that is to be shown.
#[derive(Debug)]
pub struct Launch {
    pub config: Config,
    /// The file, if it is one.
    pub file: Option<String>,
    pub stop_on_entry: bool,
    pub stop_on_end: bool,
    pub breakpoints: Vec<String>,
}

/// Reads the arguments, and opens the position.
///
/// # Errors
/// What was found and what was expected.
pub fn read(arguments: &Map<String, Value>, base: &Config) -> Result<(Launch, Opened), RpcError> {
    let given = Parameters::unchecked(arguments.clone());
    let file = given.text("program")?.filter(|file| !file.is_empty());
    let place = Place {
        file: file.or(given.text("file")?),
        ..Place::of(&given)?
    };
    let opened = place.open()?;
    let wanted = Config {
        threads: 1,
        ..config(&given, base)?
    };
    let launch = Launch {
        config: opened.config(wanted, given.has("algorithm"))?,
        file: place.file.clone(),
        stop_on_entry: given.optional_flag("stopOnEntry")?.unwrap_or(true),
        stop_on_end: given.optional_flag("stopOnEnd")?.unwrap_or(true),
        breakpoints: given.texts("breakpoints")?.unwrap_or_default(),
    };
    Ok((launch, opened))
}

/// Returns a remark on each argument that looks mistyped. Editors add arguments of their own, so others are passed over.
pub fn mistyped(arguments: &Map<String, Value>) -> Vec<String> {
    let names = || ARGUMENTS.iter().map(|(name, _)| *name);
    // Those that every launch has.
    let usual = ["name", "type", "request", "noDebug", "cwd"];
    let unknown = arguments.keys().filter(|key| {
        let key = key.as_str();
        !usual.contains(&key) && !key.starts_with('_') && !names().any(|name| name == key)
    });
    unknown
        .filter_map(|key| {
            let meant = nearest(key, names())?;
            Some(format!(
                "launch: {key} means nothing here: did you mean {meant}?"
            ))
        })
        .collect()
}
