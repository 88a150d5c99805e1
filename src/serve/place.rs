//! The position a session begins with: a FEN, a file, or a text, with moves played from it.

use std::path::Path;
use std::sync::Arc;

use crate::rpc::{Parameters, RpcError};
use game::load::{LoadError, toy_tree};
use game::{ChessPosition, Game as _, Situation};
use games::Document;
use search::Recorded;
use session::{Config, Subject};
use text::files;
use text::{decode, quote};

/// What to open. With nothing else it is the start position of chess.
#[derive(Clone, Debug, Default)]
pub struct Place {
    pub fen: Option<String>,
    pub file: Option<String>,
    /// The content of a file instead of its name.
    pub text: Option<String>,
    /// The entry of the file, from 1.
    pub game: Option<usize>,
    /// The position after this many half-moves of a game; the last one without it.
    pub ply: Option<u32>,
    /// Moves to be played from there.
    pub moves: Option<String>,
}

/// A position that was opened.
#[derive(Debug)]
pub struct Opened {
    pub subject: Subject,
    /// The title in its file.
    pub title: Option<String>,
    /// What was corrected or ignored, one line each.
    pub warnings: Vec<String>,
    /// For a toy tree: the line of each of its nodes in the file.
    pub lines: Vec<u32>,
    /// The search of another program that the file has.
    pub recorded: Option<Arc<dyn Recorded>>,
}

impl Place {
    /// Reads what is to be opened.
    ///
    /// # Errors
    /// If a parameter is not what it should be.
    pub fn of(given: &Parameters) -> Result<Place, RpcError> {
        let most = u64::from(u32::MAX);
        Ok(Place {
            fen: given.text("fen")?,
            file: given.text("file")?,
            text: given.text("text")?,
            game: given.whole("game", 1, most)?.map(|n| n as usize),
            ply: given.whole("ply", 0, most)?.map(|n| n as u32),
            moves: given.line("moves")?,
        })
    }

    /// Opens it.
    ///
    /// # Errors
    /// If two things are to be opened at once, or something can't be read.
    pub fn open(&self) -> Result<Opened, LoadError> {
        let given = [
            ("fen", self.fen.is_some()),
            ("file", self.file.is_some()),
            ("text", self.text.is_some()),
        ];
        let given: Vec<&str> = given.iter().filter(|g| g.1).map(|g| g.0).collect();
        if given.len() > 1 {
            return Err(LoadError::new(given.join(" and "), "one of them"));
        }
        let mut opened = match (&self.fen, &self.file, &self.text) {
            (Some(text), ..) => of_fen(text)?,
            (None, Some(file), _) => self.of_file(file)?,
            (None, None, Some(text)) => self.of_text(text)?,
            (None, None, None) => Opened::of(Situation::new(ChessPosition::default()).into()),
        };
        let entry = [("game", self.game.is_some()), ("ply", self.ply.is_some())];
        if let Some((name, _)) = entry.iter().find(|e| e.1)
            && self.file.is_none()
            && self.text.is_none()
        {
            let expected = "file or text with it";
            return Err(LoadError::new(format!("{name} alone"), expected));
        }
        if let Some(moves) = &self.moves {
            let played = opened.subject.play_text(moves);
            opened.subject = played.map_err(|e| e.in_file("moves"))?;
            opened.recorded = None;
        }
        Ok(opened)
    }

    fn of_file(&self, file: &str) -> Result<Opened, LoadError> {
        let document = Document::open_file(Path::new(file))?;
        let lines = || files::read(Path::new(file)).ok();
        self.entry(&document, lines)
    }

    fn of_text(&self, text: &str) -> Result<Opened, LoadError> {
        let document = Document::from_bytes("text", text.as_bytes().to_vec())?;
        self.entry(&document, || Some(text.as_bytes().to_vec()))
    }

    fn entry(
        &self,
        document: &Document,
        bytes: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Result<Opened, LoadError> {
        let number = self.game.unwrap_or(1);
        let Some(index) = number.checked_sub(1) else {
            return Err(LoadError::new("game 0", "a number from 1 on"));
        };
        document.wait_for(index);
        let entry = document.entry(index)?;
        if self.ply.is_some_and(|ply| ply > entry.plies()) {
            let found = format!("{} half-moves", entry.plies());
            let expected = format!("at least {} for ply", self.ply.unwrap_or(0));
            return Err(LoadError::new(found, expected).in_file(&entry.title));
        }
        let subject = entry.subject_at(self.ply.unwrap_or(u32::MAX));
        let lines = match subject.position.as_toy() {
            Some(_) => bytes().and_then(|bytes| toy_tree::parse(&decode(&bytes)).ok()),
            None => None,
        };
        let problems = entry.problems.iter().map(LoadError::to_string);
        Ok(Opened {
            title: Some(entry.title.clone()).filter(|title| !title.is_empty()),
            warnings: entry.warnings.iter().cloned().chain(problems).collect(),
            lines: lines.map(|read| read.lines).unwrap_or_default(),
            recorded: entry.recorded.clone(),
            ..Opened::of(subject)
        })
    }
}

fn of_fen(text: &str) -> Result<Opened, LoadError> {
    let read = games::position_of_fen(text).map_err(|e| e.in_file("fen"))?;
    Ok(Opened {
        warnings: read.warnings,
        ..Opened::of(read.subject)
    })
}

impl Opened {
    /// A position without a file.
    pub fn of(subject: Subject) -> Opened {
        Opened {
            subject,
            title: None,
            warnings: Vec::new(),
            lines: Vec::new(),
            recorded: None,
        }
    }

    /// Returns the configuration of its search; see [`reading`].
    ///
    /// # Errors
    /// As there.
    pub fn config(&self, config: Config, is_asked: bool) -> Result<Config, RpcError> {
        reading(self.recorded.as_ref(), &self.subject, config, is_asked)
    }
}

/// Returns the configuration that reads the recorded search, unless there is none or an algorithm was asked for: otherwise `config`
/// itself.
///
/// # Errors
/// If an algorithm was asked for, and the rules of the game are not known.
pub fn reading(
    recorded: Option<&Arc<dyn Recorded>>,
    subject: &Subject,
    config: Config,
    is_asked: bool,
) -> Result<Config, RpcError> {
    match recorded {
        Some(recorded) if !is_asked => Ok(Config {
            limits: config.limits,
            ..config.reading(Arc::clone(recorded))
        }),
        Some(_) if !subject.position.has_rules() => {
            let why = "plyscope does not know this game, expected no algorithm: the recorded search is read";
            Err(RpcError::parameter("algorithm", why))
        }
        _ => Ok(config),
    }
}

/// Returns the moves from a position to the node of a toy tree on a line of its file; `lines` are those of the nodes.
///
/// # Errors
/// If the position is no toy tree, or there is no node below it on that line.
pub fn way_to_line(subject: &Subject, lines: &[u32], line: u32) -> Result<String, String> {
    let Some(root) = subject.position.as_toy() else {
        return Err("only the lines of a toy tree are nodes".into());
    };
    let nodes = &root.tree().nodes;
    let mut at = lines
        .iter()
        .position(|of| *of == line)
        .ok_or_else(|| format!("line {line} is no node of the tree"))?;
    let mut names = Vec::new();
    while at as u32 != root.index() {
        let Some(node) = nodes.get(at) else {
            return Err(format!("line {line} is no node of the tree"));
        };
        let Some(parent) = node.parent else {
            let name = quote(&root.node().name);
            return Err(format!(
                "line {line} is not below {name}, where the search begins"
            ));
        };
        names.push(node.name.as_str());
        at = parent as usize;
    }
    names.reverse();
    Ok(names.join(" "))
}
