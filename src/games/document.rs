//! An opened file: a list of entries, each of which can be searched.

use std::{
    fs::{self, File},
    io::{self, Read, Seek as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use super::{Entries, Entry, FORMATS, Format, Reading, chess, trace};
use game::load::fen::ReadFen;
use game::load::pgn::{GameSummary, Games};
use game::load::{LoadError, encoding, labels, unreadable};
use game::{ChessPosition, Situation};
use open_trace::Names;
use search::AnyPosition;
use text::{decode, files, quote, sanitise};
use traced::{InFile, InMemory, Recording, Source};

/// An opened file.
#[derive(Clone, Debug)]
pub struct Document {
    /// The name of the file as given.
    pub name: String,
    pub format: &'static Format,
    /// Lines that were refused while others could be read. Errors within a game only appear when it is opened.
    pub problems: Vec<LoadError>,
    /// Where it can be read again; `None` for a pipe, which can be read only once, and for what never was a file.
    pub path: Option<PathBuf>,
    /// The time of that file's last change when it was read.
    modified: Option<SystemTime>,
    /// The title and hint of the whole file.
    caption: Option<(String, Option<String>)>,
    parts: Parts,
}

#[derive(Clone, Debug)]
pub(super) enum Parts {
    Read(Arc<[Entry]>),
    /// Each is read when it is opened.
    Games(Arc<Games>),
}

impl Document {
    /// Opens a file, standard input for `-`, or a pipe (waiting for its data). The games of a large file are indexed in
    /// the background; see [`Document::is_complete`].
    ///
    /// # Errors
    /// If the file cannot be read, its format is unknown, or nothing in it is usable.
    pub fn open(path: &Path) -> Result<Document, LoadError> {
        Document::open_unread(path)?.usable()
    }

    /// Opens a file like [`Document::open`], also if its only game turns out to be unusable when it is read.
    ///
    /// # Errors
    /// If the file cannot be read, its format is unknown, or there is nothing in it.
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
            Ok(Opened::Stream(source)) => match trace::TRACE.reading {
                Reading::Stream(read) => {
                    read(source).map(|read| Document::of_entries(shown, &trace::TRACE, read))
                }
                _ => Err(unknown(FORMATS, &[])),
            },
            Err(e) => Err(unreadable(&e)),
        };
        read.map_err(|e| e.in_file(shown))
    }

    /// Opens the content of a file with this name, in UTF-8, Latin-1 or UTF-16. The format is taken from the extension
    /// or else from the content.
    ///
    /// # Errors
    /// If the format is unknown, or nothing in it is usable.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Document, LoadError> {
        Document::of_bytes(name, bytes)?.usable()
    }

    /// Makes a document of a single position.
    pub fn position(name: &str, position: ChessPosition) -> Document {
        let entry = Entry::new(sanitise(name), Situation::new(position));
        Document::of(name, &chess::FEN, Parts::Read([entry].into()))
    }

    /// Makes a document of a search that a program is sending.
    pub fn traced(name: &str, recording: Recording) -> Document {
        let entry = trace::entry(recording, true);
        Document::of(name, &trace::TRACE, Parts::Read([entry].into()))
    }

    /// Opens a file with other programs' searches, some of whose moves are known by their names, in the order of their numbers.
    ///
    /// # Errors
    /// If it can't be read, or is no such file.
    pub fn of_trace(path: &Path, names: Arc<Names>) -> Result<Document, LoadError> {
        let modified = files::modified(path);
        let source = Arc::new(InFile::with_names(path, names));
        let opened = files::open(path).map(|_| Opened::Stream(source));
        let document = Document::of_opened(&path.to_string_lossy(), opened)?;
        Ok(document.at(path, modified))
    }

    /// Makes a document of a FEN, with what was corrected in it.
    pub fn of_fen(name: &str, read: ReadFen) -> Document {
        let start = Situation::new(read.position);
        let entry = Entry {
            warnings: read.warnings,
            ..Entry::new(sanitise(name), start)
        };
        Document::of(name, &chess::FEN, Parts::Read([entry].into()))
    }

    /// Reads positions, games or a toy tree from a text that was pasted.
    ///
    /// # Errors
    /// What was found in it, and what was expected.
    pub fn pasted(text: &str) -> Result<Document, LoadError> {
        Document::from_bytes("pasted text", text.as_bytes().to_vec())
    }

    pub(super) fn of(name: &str, format: &'static Format, parts: Parts) -> Document {
        Document {
            name: sanitise(name),
            format,
            caption: None,
            problems: Vec::new(),
            path: None,
            modified: None,
            parts,
        }
    }

    /// Opens the content of a file like [`Document::from_bytes`], in one of the given formats.
    ///
    /// # Errors
    /// If it has none of them, or nothing in it is usable.
    pub fn in_formats(
        formats: &[&'static Format],
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<Document, LoadError> {
        let read = || {
            let traces = formats.iter().find_map(|format| match format.reading {
                Reading::Stream(read) => Some((*format, read)),
                _ => None,
            });
            if let Some((format, read)) = traces.filter(|_| is_stream(&bytes)) {
                let read = read(Arc::new(InMemory::new(bytes)))?;
                return Ok(Document::of_entries(name, format, read));
            }
            let bytes = labels::unpacked(bytes).and_then(encoding::utf8)?;
            let Some(format) = Format::of(formats, name, &bytes) else {
                return Err(unknown(formats, &bytes));
            };
            match format.reading {
                Reading::Bytes(read) => {
                    let read = read(name, &bytes)?;
                    Ok(Document::of_entries(name, format, read))
                }
                Reading::Games => Document::of_games(name, Games::new(bytes)),
                Reading::Stream(read) => {
                    let read = read(Arc::new(InMemory::new(bytes)))?;
                    Ok(Document::of_entries(name, format, read))
                }
                Reading::Whole(read) => {
                    let read = read(name, &decode(&bytes))?;
                    Ok(Document::of_entries(name, format, read))
                }
            }
        };
        read().map_err(|e| e.in_file(name))
    }

    fn of_bytes(name: &str, bytes: Vec<u8>) -> Result<Document, LoadError> {
        Document::in_formats(FORMATS, name, bytes)
    }

    fn of_entries(name: &str, format: &'static Format, read: Entries) -> Document {
        let problems = read.problems.into_iter();
        Document {
            problems: problems.map(|e| e.in_file(name)).collect(),
            caption: read.caption,
            ..Document::of(name, format, Parts::Read(read.entries.into()))
        }
    }

    fn of_games(name: &str, games: Games) -> Result<Document, LoadError> {
        if games.is_empty() {
            games.wait_complete()?;
            return Err(LoadError::new("no game", "games in PGN"));
        }
        Ok(Document::of(
            name,
            &chess::PGN,
            Parts::Games(Arc::new(games)),
        ))
    }

    /// Returns its name without the folders.
    pub fn file_name(&self) -> &str {
        let name = Path::new(&self.name).file_name();
        name.and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// Returns the title and hint of the whole file: those at its top, or else those of its first entry.
    pub fn caption(&self) -> (String, Option<String>) {
        match (&self.caption, self.entry(0)) {
            (Some(caption), _) => caption.clone(),
            (None, Ok(entry)) => (entry.title, entry.hint),
            (None, Err(_)) => (self.name.clone(), None),
        }
    }

    /// Returns the number of entries, at least one. For a large file of games it is the number found so far.
    pub fn len(&self) -> usize {
        match &self.parts {
            Parts::Read(entries) => entries.len(),
            Parts::Games(games) => games.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the title of entry `i`, or an empty one beyond the end. Cheap enough to be called for every visible row
    /// of a list.
    pub fn title(&self, i: usize) -> String {
        let title = match &self.parts {
            Parts::Read(entries) => entries.get(i).map(|entry| entry.title.clone()),
            Parts::Games(games) => games.summary(i).map(|s| s.title()),
        };
        title.unwrap_or_default()
    }

    /// Returns the line of the file on which entry `i` begins, from 1.
    pub fn line(&self, i: usize) -> Option<u32> {
        match &self.parts {
            Parts::Read(entries) => entries.get(i).map(|entry| entry.line),
            Parts::Games(games) => games.span(i).map(|span| span.line),
        }
    }

    /// Opens entry `i`.
    ///
    /// # Errors
    /// If there is no such entry, or the game's start position is not usable.
    pub fn entry(&self, i: usize) -> Result<Entry, LoadError> {
        match &self.parts {
            Parts::Read(entries) => {
                let Some(entry) = entries.get(i) else {
                    let found = match self.len() {
                        1 => "1 entry".to_owned(),
                        all => format!("{all} entries"),
                    };
                    let error = LoadError::new(found, format!("an entry {}", i + 1));
                    return Err(error.in_file(&self.name));
                };
                let in_file = |error: &LoadError| error.clone().in_file(&self.name);
                let placed = |w: &String| format!("{}:{}: {}", self.name, entry.line, sanitise(w));
                Ok(Entry {
                    problems: entry.problems.iter().map(in_file).collect(),
                    warnings: match entry.game() {
                        // These have places of their own.
                        Some(game) => { game.warnings.iter() }
                            .map(|warning| in_file(warning).to_string())
                            .collect(),
                        None => entry.warnings.iter().map(placed).collect(),
                    },
                    ..entry.clone()
                })
            }
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
                let problems = game.problems.iter().cloned().map(placed).collect();
                let warnings = game.warnings.iter().cloned().map(placed);
                Ok(Entry {
                    line: self.line(i).unwrap_or(1),
                    problems,
                    warnings: warnings.map(String::from).collect(),
                    ..Entry::of_game(game.map(AnyPosition::of))
                })
            }
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

/// Says what was found instead of one of the formats.
fn unknown(formats: &[&Format], bytes: &[u8]) -> LoadError {
    let text = decode(&bytes[..bytes.len().min(200)]);
    let found = match text.trim().lines().next() {
        Some(line) => quote(line),
        None => "nothing".to_owned(),
    };
    let names: Vec<&str> = formats.iter().map(|format| format.one).collect();
    let expected = match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    };
    LoadError::new(found, expected)
}

enum Opened {
    Bytes(Vec<u8>),
    /// A file of games, which is not read into memory.
    Games(Games),
    /// A stream, which is not read into memory either.
    Stream(Arc<dyn Source>),
}

/// Whether bytes begin like another program's search.
fn is_stream(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(64)];
    beginning.starts_with(b"\x89PLYTR\r\n") || beginning.starts_with(b"{\"plyscope-trace\"")
}

fn open_file(path: &Path) -> io::Result<Opened> {
    let mut file = files::open(path)?;
    let mut beginning = Vec::new();
    let part = file.by_ref().take(Format::ENOUGH as u64);
    { part }.read_to_end(&mut beginning)?;
    file.rewind()?;
    let extension = path.extension().and_then(|e| e.to_str());
    let is_named = extension.is_some_and(|e| e.eq_ignore_ascii_case(trace::TRACE.extension));
    if is_named || is_stream(&beginning) {
        return Ok(Opened::Stream(Arc::new(InFile::new(path))));
    }
    let format = Format::of(FORMATS, &path.to_string_lossy(), &beginning);
    match format.map(|format| &format.reading) {
        Some(Reading::Games) if !encoding::is_wide(&beginning) => {
            Games::open(path).map(Opened::Games)
        }
        _ => files::read_all(file).map(Opened::Bytes),
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
