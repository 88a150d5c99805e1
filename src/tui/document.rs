//! The open document: the games and positions of a file or sample, one of which is shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use game::load::pgn::Games;
use game::load::{Content, GameTree};
use game::samples::Sample;
use game::{Game, MoveCode, Side, load};
use search::Subjects;
use session::Subject;

/// The open document.
#[derive(Clone, Debug)]
pub struct Document {
    pub title: String,
    /// The file it came from, if any, which is watched for changes.
    pub path: Option<PathBuf>,
    /// The time of that file's last change when it was read.
    modified: Option<SystemTime>,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    File(Box<load::Document>),
    Position(Box<Subject>),
}

/// The game or position of a document that is shown.
#[derive(Clone, Debug)]
pub struct Entry {
    pub title: String,
    /// What to look for, or other remarks; may be empty.
    pub note: String,
    /// What had to be corrected or skipped, and what could not be read.
    pub warnings: Vec<String>,
    /// The moves of the game's main line, numbered as in books: `12.Nf3`, `Nf6`.
    pub moves: Vec<String>,
    source: EntrySource,
}

#[derive(Clone, Debug)]
enum EntrySource {
    File(Box<load::Entry>),
    Position(Box<Subject>),
}

/// When a file last changed, where the system tells.
pub fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

impl Document {
    /// Creates a document with a single position and no file.
    pub fn position(title: impl Into<String>, subject: Subject) -> Document {
        Document {
            title: title.into(),
            path: None,
            modified: None,
            source: Source::Position(Box::new(subject)),
        }
    }

    /// Creates a document from a file that was already read; `path` is where it can be read again, if anywhere.
    pub fn of_file(document: load::Document, path: Option<PathBuf>) -> Document {
        let title = Path::new(&document.name).file_name().map_or_else(
            || document.name.clone(),
            |n| n.to_string_lossy().into_owned(),
        );
        Document {
            title,
            path,
            modified: None,
            source: Source::File(Box::new(document)),
        }
    }

    /// Reads what the command line names: a file, a pipe or standard input.
    ///
    /// # Errors
    /// One line with the file, the place, what was found and what was expected.
    pub fn open(path: &Path) -> Result<Document, String> {
        let modified = modified(path);
        let document = load::Document::open(path).map_err(|e| e.to_string())?;
        // Anything else can be read only once.
        let path = path.is_file().then(|| path.to_owned());
        Ok(Document {
            modified,
            ..Document::of_file(document, path)
        })
    }

    /// Reads a regular file; refuses anything that could make the screen wait.
    ///
    /// # Errors
    /// As [`Document::open`], and if it is not a regular file.
    pub fn open_file(path: &Path) -> Result<Document, String> {
        let modified = modified(path);
        let document = load::Document::open_file(path).map_err(|e| e.to_string())?;
        Ok(Document {
            modified,
            ..Document::of_file(document, Some(path.to_owned()))
        })
    }

    /// Returns whether its file has changed since it was read.
    pub fn is_outdated(&self) -> bool {
        self.path
            .as_ref()
            .is_some_and(|path| modified(path).is_some_and(|now| Some(now) != self.modified))
    }

    /// Reads positions, games or a toy tree from a text that was pasted.
    ///
    /// # Errors
    /// What was found in it, and what was expected.
    pub fn pasted(text: &str) -> Result<Document, String> {
        let document = load::Document::from_bytes("pasted text", text.as_bytes().to_vec());
        let document = document.map_err(|e| e.to_string())?;
        Ok(Document::of_file(document, None))
    }

    /// Reads what a text contains, under a title of its own.
    ///
    /// # Errors
    /// What was found in it, and what was expected.
    pub fn named(title: &str, text: &str) -> Result<Document, String> {
        let document = Document::pasted(text)?;
        Ok(Document {
            title: text::sanitise(title),
            ..document
        })
    }

    /// Opens a built-in sample.
    ///
    /// # Errors
    /// As for a file; a test opens every sample.
    pub fn sample(sample: &Sample) -> Result<Document, String> {
        let document = sample.open().map_err(|e| e.to_string())?;
        Ok(Document::of_file(document, None))
    }

    /// Returns the number of games or positions; at least one.
    pub fn len(&self) -> usize {
        match &self.source {
            Source::File(d) => d.len().max(1),
            Source::Position(_) => 1,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the file, if the document has one: its games, what is known of each, and whether all have been found.
    pub fn file(&self) -> Option<&load::Document> {
        match &self.source {
            Source::File(d) => Some(d),
            Source::Position(_) => None,
        }
    }

    /// Whether all entries have been found.
    pub fn is_complete(&self) -> bool {
        self.file().is_none_or(load::Document::is_complete)
    }

    /// Returns the games, if this is a file of games.
    pub fn games(&self) -> Option<&Arc<Games>> {
        self.file()?.games()
    }

    /// Returns the title of entry `i`; cheap enough for lists.
    pub fn title_of(&self, i: usize) -> String {
        match &self.source {
            Source::File(d) => d.title(i),
            Source::Position(_) => self.title.clone(),
        }
    }

    /// Returns the lines that were refused while others were opened.
    pub fn problems(&self) -> Vec<String> {
        match &self.source {
            Source::File(d) => d.problems.iter().map(ToString::to_string).collect(),
            Source::Position(_) => Vec::new(),
        }
    }

    /// Opens entry `i`.
    ///
    /// # Errors
    /// A game that cannot be played from its beginning.
    pub fn entry(&self, i: usize) -> Result<Entry, String> {
        match &self.source {
            Source::File(d) => d.entry(i).map(Entry::of_file).map_err(|e| e.to_string()),
            Source::Position(subject) => Ok(Entry {
                title: self.title.clone(),
                note: String::new(),
                warnings: Vec::new(),
                moves: Vec::new(),
                source: EntrySource::Position(subject.clone()),
            }),
        }
    }

    /// Returns the first entry that can be opened, with its index.
    ///
    /// # Errors
    /// What is wrong with the first one, if none can be opened.
    pub fn first_entry(&self) -> Result<(usize, Entry), String> {
        let mut fault = None;
        for i in 0..self.len() {
            match self.entry(i) {
                Ok(entry) => return Ok((i, entry)),
                Err(what) => fault = fault.or(Some(what)),
            }
        }
        Err(fault.unwrap_or_else(|| format!("{}: nothing in it to search", self.title)))
    }
}

impl Entry {
    fn of_file(entry: load::Entry) -> Entry {
        let mut warnings = entry.warnings.clone();
        warnings.extend(entry.problems.iter().map(ToString::to_string));
        let mut made = Entry {
            title: entry.title.clone(),
            note: entry.hint.clone().unwrap_or_default(),
            warnings,
            moves: Vec::new(),
            source: EntrySource::File(Box::new(entry)),
        };
        made.moves = made.names_of(&made.line_through(0));
        made
    }

    /// Returns what was read for it; `None` for a position that does not come from a file.
    pub fn content(&self) -> Option<&Content> {
        match &self.source {
            EntrySource::File(entry) => Some(&entry.content),
            EntrySource::Position(_) => None,
        }
    }

    /// Returns the position after `ply` plies of the game (or at its end, if it is shorter), with the moves before it.
    pub fn at(&self, ply: usize) -> Subject {
        match &self.source {
            EntrySource::File(entry) => entry.subject_at(u32::try_from(ply).unwrap_or(u32::MAX)),
            EntrySource::Position(subject) => (**subject).clone(),
        }
    }

    /// Returns the game with its variations; `None` if the entry is not a game.
    pub fn game(&self) -> Option<&GameTree> {
        match &self.source {
            EntrySource::File(entry) => entry.game(),
            EntrySource::Position(_) => None,
        }
    }

    /// Returns the position at a node of the game, with the moves before it; the only position if the entry is not a
    /// game.
    pub fn at_node(&self, node: usize) -> Subject {
        match self.game() {
            Some(game) => game.situation_of(node).into(),
            None => self.at(0),
        }
    }

    /// Returns the line through a node, beginning at the start: the moves to the node, then the first move of each
    /// position after it. Each node's index in the line is its ply.
    pub fn line_through(&self, node: usize) -> Vec<usize> {
        let Some(game) = self.game() else {
            return vec![0];
        };
        let parent = |&i: &usize| game.nodes.get(i)?.parent;
        let mut line: Vec<usize> = std::iter::successors(Some(node), parent).collect();
        line.reverse();
        let next = |&i: &usize| game.nodes.get(i)?.children.first().copied();
        line.extend(std::iter::successors(Some(node), next).skip(1));
        line
    }

    /// Returns the positions of a line, each with the moves before it.
    pub fn subjects_of(&self, line: &[usize]) -> Vec<Subject> {
        let Some(game) = self.game() else {
            return vec![self.at(0)];
        };
        game.situations_of(line).map(Subject::from).collect()
    }

    /// Returns the moves of a line in the format of [`Entry::moves`].
    pub fn names_of(&self, line: &[usize]) -> Vec<String> {
        let Some(game) = self.game() else {
            return Vec::new();
        };
        let name = |(i, &node): (usize, &usize)| {
            let numbered = game.numbered(node);
            // White's moves are numbered; Black's only at the beginning.
            if i == 0 || !numbered.contains("...") {
                numbered
            } else {
                game.nodes[node].san.clone()
            }
        };
        line.iter().skip(1).enumerate().map(name).collect()
    }

    /// Returns the move that leads to a node of the game, with the position before it; `None` at the start and for a
    /// null move.
    pub fn move_to(&self, node: usize) -> Option<(Subject, MoveCode)> {
        let found = self.game()?.nodes.get(node)?;
        let before = self.at_node(found.parent?);
        let code = before.position.as_chess()?.encode(found.m?);
        Some((before, code))
    }

    /// Returns the node that is reached by the moves that lead to `node` in `other`, or by as many of them as exist
    /// here.
    pub fn node_like(&self, other: &Entry, node: usize) -> usize {
        let (Some(here), Some(there)) = (self.game(), other.game()) else {
            return 0;
        };
        let mut at = 0;
        for &step in other.line_through(node).iter().skip(1) {
            let san = &there.nodes[step].san;
            let mut children = here.nodes[at].children.iter();
            match children.find(|&&child| here.nodes[child].san == *san) {
                Some(&child) => at = child,
                None => break,
            }
            if step == node {
                break;
            }
        }
        at
    }
}

/// Whether two subjects are the same position with the same number of moves before it, or the same place of the same
/// toy tree.
pub fn same_subject(a: &Subject, b: &Subject) -> bool {
    // Apart from what the key covers, a FEN only has its two clocks.
    let facts = |s: &Subject| {
        let at = &s.position;
        let clocks = (at.reversible_plies(), at.move_number());
        (at.key(), clocks, s.history.len())
    };
    a.position.is_same_game(&b.position) && facts(a) == facts(b)
}

/// Returns the side to move.
pub fn turn(subject: &Subject) -> Side {
    subject.position.turn()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_saved_after_it_was_read_is_outdated() {
        let path =
            std::env::temp_dir().join(format!("plyscope-outdated-{}.pgn", std::process::id()));
        std::fs::write(&path, "1. e4 *\n").expect("written");
        let read = Document::open(&path).expect("a game");
        let again = Document::open_file(&path).expect("a game");
        assert!(!read.is_outdated() && !again.is_outdated());
        let file = std::fs::File::options()
            .write(true)
            .open(&path)
            .expect("a file");
        let later = SystemTime::now() + std::time::Duration::from_secs(5);
        file.set_modified(later).expect("a time");
        assert!(read.is_outdated() && again.is_outdated());
        std::fs::remove_file(&path).expect("removed");
        assert!(!read.is_outdated(), "nothing is there to read");
        assert!(!Document::pasted("1. e4 *").expect("a game").is_outdated());
    }
}
