//! An opened file: a list of entries, each of which can be searched.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read, Seek as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use super::{
    Epd, GameTree, LoadError, encoding, labels,
    lines::{self, Lines, PositionLine},
    pgn::{GameSummary, Games},
    toy_tree, unreadable,
};
use crate::ChessPosition;
use crate::language::without_figurines;
use crate::toy::ToyTree;
use text::{decode, files, quote, sanitise};

/// The kind of text in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    Fen,
    Epd,
    Pgn,
    /// A toy tree.
    Tree,
}

impl Kind {
    /// How many bytes are examined.
    const ENOUGH: usize = 64 * 1024;

    /// Returns the kind suggested by the file's name. `.txt` and a missing extension suggest nothing.
    pub fn of_name(name: &str) -> Option<Kind> {
        let extension = Path::new(name).extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "fen" => Some(Kind::Fen),
            "epd" => Some(Kind::Epd),
            "pgn" => Some(Kind::Pgn),
            "tree" => Some(Kind::Tree),
            _ => None,
        }
    }

    /// Returns the kind that the content looks like.
    pub fn of_content(bytes: &[u8]) -> Option<Kind> {
        let text = decode(&bytes[..bytes.len().min(Kind::ENOUGH)]);
        let line = text
            .lines()
            .map(|line| line.trim_start_matches('\u{feff}').trim())
            .find(|line| !line.is_empty() && !line.starts_with(['#', '%']))?;
        let first = line.split_whitespace().next()?;
        let without_comment = line.split('#').next().unwrap_or(line).trim();
        let letters = without_figurines(first);
        let moves = first.starts_with("1.")
            || first == "1"
            || shakmaty::san::SanPlus::from_ascii(letters.as_bytes()).is_ok();
        if moves || line.starts_with(['[', '{']) {
            Some(Kind::Pgn)
        } else if matches!(without_comment.to_ascii_lowercase().as_str(), "max" | "min") {
            Some(Kind::Tree)
        } else if first.matches('/').count() >= 7 || first == "startpos" {
            Some(if line.contains(';') {
                Kind::Epd
            } else {
                Kind::Fen
            })
        } else {
            None
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Fen => "FEN",
            Kind::Epd => "EPD",
            Kind::Pgn => "PGN",
            Kind::Tree => "toy tree",
        })
    }
}

/// An opened file.
#[derive(Clone, Debug)]
pub struct Document {
    /// The name of the file as given.
    pub name: String,
    pub kind: Kind,
    /// Lines that were refused while others could be read. Errors within a game only appear when it is opened.
    pub problems: Vec<LoadError>,
    /// Where it can be read again; `None` for a pipe, which can be read only once, and for what never was a file.
    pub path: Option<PathBuf>,
    /// The time of that file's last change when it was read.
    modified: Option<SystemTime>,
    parts: Parts,
}

#[derive(Clone, Debug)]
enum Parts {
    Positions(Box<Lines>),
    Games(Arc<Games>),
    Tree {
        tree: Arc<ToyTree>,
        title: String,
        hint: Option<String>,
    },
}

/// One position, game or tree of a document, ready to be searched.
#[derive(Clone, Debug)]
pub struct Entry {
    pub title: String,
    /// A hint about what to look for.
    pub hint: Option<String>,
    /// What was corrected or ignored, one line each.
    pub warnings: Vec<String>,
    /// What could not be read; a game's lines end there.
    pub problems: Vec<LoadError>,
    pub content: Content,
}

#[derive(Clone, Debug)]
pub enum Content {
    Position(Box<Epd>),
    Game(Box<GameTree>),
    Tree(Arc<ToyTree>),
}

impl Document {
    /// Opens a file, standard input for `-`, or a pipe (waiting for its data). The games of a large file are indexed in
    /// the background; see [`Document::is_complete`].
    ///
    /// # Errors
    /// If the file cannot be read, its kind is unknown, or nothing in it is usable.
    pub fn open(path: &Path) -> Result<Document, LoadError> {
        Document::open_unread(path)?.usable()
    }

    /// Opens a file like [`Document::open`], also if its only game turns out to be unusable when it is read.
    ///
    /// # Errors
    /// If the file cannot be read, its kind is unknown, or there is nothing in it.
    pub fn open_unread(path: &Path) -> Result<Document, LoadError> {
        let name = path.to_string_lossy();
        if name == "-" {
            let opened = files::read_all(io::stdin().lock()).map(Opened::Bytes);
            return Document::of_opened("standard input", opened);
        }
        let modified = files::modified(path);
        let opened = match fs::metadata(path) {
            // A pipe can only be read once.
            Ok(found) if !found.is_file() => {
                let read = File::open(path).and_then(files::read_all);
                read.map(Opened::Bytes)
            }
            _ => open_file(path),
        };
        let document = Document::of_opened(&name, opened)?;
        Ok(document.at(path, modified))
    }

    /// Opens a regular file and nothing else, so that it never blocks.
    ///
    /// # Errors
    /// As for [`Document::open`], and if it is not a regular file.
    pub fn open_file(path: &Path) -> Result<Document, LoadError> {
        let modified = files::modified(path);
        let document = Document::of_opened(&path.to_string_lossy(), open_file(path))?;
        document.at(path, modified).usable()
    }

    /// Notes where the document was read, unless that can be read only once.
    fn at(self, path: &Path, modified: Option<SystemTime>) -> Document {
        let path = path.is_file().then(|| path.to_owned());
        Document {
            path,
            modified,
            ..self
        }
    }

    /// Whether its file has changed since it was read.
    pub fn is_outdated(&self) -> bool {
        let now = self.path.as_deref().and_then(files::modified);
        now.is_some() && now != self.modified
    }

    /// Refuses a document whose only game is unusable.
    fn usable(self) -> Result<Document, LoadError> {
        if let Some(games) = self.games()
            && games.len() == 1
            && games.is_complete()
        {
            games.game(0).map_err(|e| e.in_file(&self.name))?;
        }
        Ok(self)
    }

    fn of_opened(shown: &str, opened: io::Result<Opened>) -> Result<Document, LoadError> {
        let read = match opened {
            Ok(Opened::Bytes(bytes)) => return Document::of_bytes(shown, bytes),
            Ok(Opened::Games(games)) => Document::of_games(shown, games),
            Err(e) => Err(unreadable(&e)),
        };
        read.map_err(|e| e.in_file(shown))
    }

    /// Opens the content of a file with this name, in UTF-8, Latin-1 or UTF-16. The kind is taken from the extension or
    /// else from the content.
    ///
    /// # Errors
    /// If the kind is unknown, or nothing in it is usable.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Document, LoadError> {
        Document::of_bytes(name, bytes)?.usable()
    }

    /// Makes a document of a single position.
    pub fn position(name: &str, position: ChessPosition) -> Document {
        let lines = Lines::of_position(name, position);
        Document::of(name, Kind::Fen, Parts::Positions(Box::new(lines)))
    }

    /// Reads positions, games or a toy tree from a text that was pasted.
    ///
    /// # Errors
    /// What was found in it, and what was expected.
    pub fn pasted(text: &str) -> Result<Document, LoadError> {
        Document::from_bytes("pasted text", text.as_bytes().to_vec())
    }

    fn of(name: &str, kind: Kind, parts: Parts) -> Document {
        Document {
            name: sanitise(name),
            kind,
            problems: Vec::new(),
            path: None,
            modified: None,
            parts,
        }
    }

    fn of_bytes(name: &str, bytes: Vec<u8>) -> Result<Document, LoadError> {
        let bytes = labels::unpacked(bytes).and_then(encoding::utf8);
        let bytes = bytes.map_err(|e| e.in_file(name))?;
        let kind = Kind::of_name(name).or_else(|| Kind::of_content(&bytes));
        let read = match kind {
            Some(Kind::Pgn) => Document::of_games(name, Games::new(bytes)),
            Some(kind @ (Kind::Fen | Kind::Epd)) => Document::of_lines(name, kind, &bytes),
            Some(Kind::Tree) => Document::of_tree(name, &bytes),
            None => {
                let text = decode(&bytes[..bytes.len().min(200)]);
                let found = match text.trim().lines().next() {
                    Some(line) => quote(line),
                    None => "nothing".to_owned(),
                };
                Err(LoadError::new(found, "a FEN, an EPD, a PGN or a toy tree"))
            }
        };
        read.map_err(|e| e.in_file(name))
    }

    fn of_lines(name: &str, kind: Kind, bytes: &[u8]) -> Result<Document, LoadError> {
        let mut lines = lines::parse(&decode(bytes));
        let refused = std::mem::take(&mut lines.problems).into_iter();
        let problems: Vec<LoadError> = refused.map(|e| e.in_file(name)).collect();
        if lines.positions.is_empty() {
            let nothing = LoadError::new("no position", format!("one per line, as {kind}"));
            return Err(problems.into_iter().next().unwrap_or(nothing));
        }
        Ok(Document {
            problems,
            ..Document::of(name, kind, Parts::Positions(Box::new(lines)))
        })
    }

    fn of_games(name: &str, games: Games) -> Result<Document, LoadError> {
        if games.is_empty() {
            games.wait_complete()?;
            return Err(LoadError::new("no game", "games in PGN"));
        }
        Ok(Document::of(name, Kind::Pgn, Parts::Games(Arc::new(games))))
    }

    fn of_tree(name: &str, bytes: &[u8]) -> Result<Document, LoadError> {
        let read = toy_tree::parse(&decode(bytes))?;
        let stem = Path::new(name).file_stem().map(|s| s.to_string_lossy());
        let title = read.title.or_else(|| stem.map(|s| s.into_owned()));
        let parts = Parts::Tree {
            tree: Arc::new(read.tree),
            title: sanitise(&title.unwrap_or_default()),
            hint: read.hint.map(|hint| sanitise(&hint)),
        };
        Ok(Document::of(name, Kind::Tree, parts))
    }

    /// Returns its name without the folders.
    pub fn file_name(&self) -> &str {
        let name = Path::new(&self.name).file_name();
        name.and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// Returns the title and hint of the whole file: those at its top, or else those of its first entry.
    pub fn caption(&self) -> (String, Option<String>) {
        if let Parts::Positions(lines) = &self.parts
            && let Some(caption) = &lines.caption
        {
            return caption.clone();
        }
        match self.entry(0) {
            Ok(entry) => (entry.title, entry.hint),
            Err(_) => (self.name.clone(), None),
        }
    }

    /// Returns the number of entries, at least one. For a large file of games it is the number found so far.
    pub fn len(&self) -> usize {
        match &self.parts {
            Parts::Positions(lines) => lines.positions.len(),
            Parts::Games(games) => games.len(),
            Parts::Tree { .. } => 1,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the title of entry `i`, or an empty one beyond the end. Cheap enough to be called for every visible row
    /// of a list.
    pub fn title(&self, i: usize) -> String {
        match &self.parts {
            Parts::Positions(lines) => lines
                .positions
                .get(i)
                .map_or_else(String::new, |p| p.title(self.len() == 1)),
            Parts::Games(games) => games.summary(i).map_or_else(String::new, |s| s.title()),
            Parts::Tree { title, .. } if i == 0 => title.clone(),
            _ => String::new(),
        }
    }

    /// Returns the line of the file on which entry `i` begins, from 1.
    pub fn line(&self, i: usize) -> Option<u32> {
        match &self.parts {
            Parts::Positions(lines) => lines.positions.get(i).map(|p| p.line),
            Parts::Games(games) => games.span(i).map(|span| span.line),
            Parts::Tree { .. } => (i == 0).then_some(1),
        }
    }

    /// Opens entry `i`.
    ///
    /// # Errors
    /// If there is no such entry, or the game's start position is not usable.
    pub fn entry(&self, i: usize) -> Result<Entry, LoadError> {
        match &self.parts {
            Parts::Positions(lines) => match lines.positions.get(i) {
                Some(position) => Ok(self.of_line(position)),
                None => Err(self.no_entry(i)),
            },
            Parts::Games(games) => {
                let placed = |error: LoadError| {
                    let error = error.in_file(&self.name);
                    if i == 0 && games.is_complete() && games.len() == 1 {
                        error
                    } else {
                        error.in_game(i as u32 + 1)
                    }
                };
                let game = games.game(i).map_err(placed)?;
                Ok(Entry {
                    title: game.title(),
                    hint: game.hint(),
                    warnings: Vec::new(),
                    problems: game.problems.iter().cloned().map(placed).collect(),
                    content: Content::Game(Box::new(game)),
                })
            }
            Parts::Tree { tree, title, hint } if i == 0 => Ok(Entry {
                title: title.clone(),
                hint: hint.clone(),
                warnings: Vec::new(),
                problems: Vec::new(),
                content: Content::Tree(Arc::clone(tree)),
            }),
            Parts::Tree { .. } => Err(self.no_entry(i)),
        }
    }

    /// Opens the first entry that can be opened; returns it with its index.
    ///
    /// # Errors
    /// What is wrong with the first one, if none can be opened.
    pub fn first_entry(&self) -> Result<(usize, Entry), LoadError> {
        let opened = |i| self.entry(i).map(|entry| (i, entry));
        opened(0).or_else(|fault| (1..self.len()).find_map(|i| opened(i).ok()).ok_or(fault))
    }

    fn of_line(&self, position: &PositionLine) -> Entry {
        let warnings = position.epd.warnings.iter();
        Entry {
            title: position.title(self.len() == 1),
            hint: position.hint(),
            warnings: warnings
                .map(|w| format!("{}:{}: {}", self.name, position.line, sanitise(w)))
                .collect(),
            problems: Vec::new(),
            content: Content::Position(Box::new(position.epd.clone())),
        }
    }

    fn no_entry(&self, i: usize) -> LoadError {
        let found = format!("{} in it", self.len());
        LoadError::new(found, format!("a number {}", i + 1)).in_file(&self.name)
    }

    /// Returns all entries in the order of the file. Waits for those that are not found yet, and ends with an error if
    /// the file could not be read to its end.
    pub fn entries(&self) -> impl Iterator<Item = Result<Entry, LoadError>> + '_ {
        let found = (0..)
            .take_while(|&i| self.wait_for(i))
            .map(|i| self.entry(i));
        let fault = std::iter::once_with(|| self.games()?.wait_complete().err());
        found.chain(fault.flatten().map(|e| Err(e.in_file(&self.name))))
    }

    /// Returns the games if this is a file of games.
    pub fn games(&self) -> Option<&Arc<Games>> {
        match &self.parts {
            Parts::Games(games) => Some(games),
            _ => None,
        }
    }

    /// Returns what the tags of game `i` say; `None` for anything that is not a game.
    pub fn summary(&self, i: usize) -> Option<GameSummary> {
        self.games()?.summary(i)
    }

    /// Whether all entries have been found.
    pub fn is_complete(&self) -> bool {
        self.games().is_none_or(|games| games.is_complete())
    }

    /// Waits until entry `i` is found. Returns `false` if there is no such entry.
    pub fn wait_for(&self, i: usize) -> bool {
        self.games()
            .map_or(i < self.len(), |games| games.wait_for(i))
    }
}

enum Opened {
    Bytes(Vec<u8>),
    /// A file of games, which is not read into memory.
    Games(Games),
}

fn open_file(path: &Path) -> io::Result<Opened> {
    let mut file = files::open(path)?;
    let mut beginning = Vec::new();
    let part = file.by_ref().take(Kind::ENOUGH as u64);
    { part }.read_to_end(&mut beginning)?;
    file.rewind()?;
    let kind = Kind::of_name(&path.to_string_lossy()).or_else(|| Kind::of_content(&beginning));
    match kind {
        Some(Kind::Pgn) if !encoding::is_wide(&beginning) => Games::open(path).map(Opened::Games),
        _ => files::read_all(file).map(Opened::Bytes),
    }
}

impl Entry {
    /// Returns the length of a game's main line in plies; 0 for other entries.
    pub fn plies(&self) -> u32 {
        self.game().map_or(0, GameTree::plies)
    }

    pub fn game(&self) -> Option<&GameTree> {
        match &self.content {
            Content::Game(game) => Some(game),
            _ => None,
        }
    }

    /// See [`GameTree::line_through`]; node 0 alone if the entry is not a game.
    pub fn line_through(&self, node: usize) -> Vec<usize> {
        self.game()
            .map_or_else(|| vec![0], |game| game.line_through(node))
    }

    /// See [`GameTree::names_of`]; nothing if the entry is not a game.
    pub fn names_of(&self, line: &[usize]) -> Vec<String> {
        self.game()
            .map_or_else(Vec::new, |game| game.names_of(line))
    }

    /// Returns the EPD record, also for a bare FEN (which has no operations).
    pub fn epd(&self) -> Option<&Epd> {
        match &self.content {
            Content::Position(epd) => Some(epd),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_saved_after_it_was_read_is_outdated() {
        let path =
            std::env::temp_dir().join(format!("plyscope-outdated-{}.pgn", std::process::id()));
        fs::write(&path, "1. e4 *\n").expect("written");
        let read = Document::open(&path).expect("a game");
        let again = Document::open_file(&path).expect("a game");
        assert!(!read.is_outdated() && !again.is_outdated());
        let file = File::options().write(true).open(&path).expect("a file");
        let later = SystemTime::now() + std::time::Duration::from_secs(5);
        file.set_modified(later).expect("a time");
        assert!(read.is_outdated() && again.is_outdated());
        fs::remove_file(&path).expect("removed");
        assert!(!read.is_outdated(), "nothing is there to read");
        assert!(!Document::pasted("1. e4 *").expect("a game").is_outdated());
    }
}
