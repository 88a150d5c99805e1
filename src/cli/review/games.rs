//! The games that a review is about: which games of which files.

use std::path::{Path, PathBuf};

use super::Arguments;
use crate::Failure;
use crate::failure::complain;
use crate::fnv::Fnv;
use game::load::LoadError;
use games::{Document, Entry, FORMATS, GameTree};
use session::Subject;

/// One of the games.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// Its number among the games of all files, from 1.
    pub number: usize,
    /// The index of its file.
    pub file: usize,
    /// Its index in the file.
    pub game: usize,
}

/// The files and the games chosen from them.
#[derive(Debug)]
pub struct Selection {
    files: Vec<Document>,
    pub games: Vec<Chosen>,
    /// Whether a file could not be read.
    pub refused: bool,
}

impl Selection {
    /// Opens the files and chooses the games that the command line asks for. Files that cannot be read are reported.
    ///
    /// # Errors
    /// If there is no game at all, or none with the given number.
    pub fn gather(arguments: &Arguments) -> Result<Selection, Failure> {
        let mut chosen = Selection {
            files: Vec::new(),
            games: Vec::new(),
            refused: false,
        };
        let mut all = 0;
        for path in &arguments.files {
            match open(path) {
                Ok((document, faults)) => {
                    faults.iter().for_each(|fault| chosen.refuse(fault));
                    let file = chosen.files.len();
                    chosen.games.extend((0..document.len()).map(|game| Chosen {
                        number: all + game + 1,
                        file,
                        game,
                    }));
                    all += document.len();
                    chosen.files.push(document);
                }
                Err(problem) => chosen.refuse(&problem),
            }
        }
        if all == 0 {
            return Err(Failure::Reported);
        }
        let (first, last) = arguments.range.range().unwrap_or((1, all));
        let within = |c: &Chosen| (first..=last).contains(&c.number);
        chosen.games.retain(within);
        if chosen.games.is_empty() {
            return Err(Failure::Usage(format!(
                "found game {first}, expected a number from 1 to {all}"
            )));
        }
        if let Some(shard) = arguments.shard {
            let mut places = 0..;
            chosen
                .games
                .retain(|_| places.next().is_some_and(|place| shard.has(place)));
        }
        Ok(chosen)
    }

    fn refuse(&mut self, problem: &LoadError) {
        complain(&problem.to_string());
        self.refused = true;
    }

    /// Whether one of the files is this one.
    pub fn contain_file(arguments: &Arguments, path: &Path) -> bool {
        let real = |p: &Path| p.canonicalize().ok();
        let path = real(path);
        let mut files = arguments.files.iter().map(PathBuf::as_path);
        path.is_some() && files.any(|file| real(file) == path)
    }

    pub fn file(&self, chosen: Chosen) -> &Document {
        &self.files[chosen.file]
    }

    /// Returns the names of two formats of the files, if there are several.
    pub fn formats(&self) -> Option<[&'static str; 2]> {
        let mut names = self.files.iter().map(|document| document.format.name);
        let first = names.next()?;
        Some([first, names.find(|name| *name != first)?])
    }

    /// Reads a game.
    ///
    /// # Errors
    /// If it is not a game; see [`Document::entry`].
    pub fn read(&self, chosen: Chosen) -> Result<Entry, LoadError> {
        self.file(chosen).entry(chosen.game)
    }

    /// Returns a hash over the texts of the games.
    ///
    /// # Errors
    /// If a file cannot be read any more.
    pub fn hash(&self) -> Result<String, LoadError> {
        let mut hash = Fnv::new();
        for &chosen in &self.games {
            hash.add(format!("{} ", chosen.number).as_bytes());
            hash.add(&self.file(chosen).text_of(chosen.game)?);
        }
        Ok(hash.to_string())
    }
}

/// Opens a file of games and waits until all are found; also returns what went wrong on the way.
fn open(path: &Path) -> Result<(Document, Vec<LoadError>), LoadError> {
    let document = Document::open_unread(path)?;
    if !document.can_be_written() {
        let written = FORMATS.iter().filter(|format| format.has_games());
        let names: Vec<&str> = written.map(|format| format.name).collect();
        let expected = format!("games: {}", names.join(", "));
        return Err(LoadError::new(document.format.name, expected).in_file(&document.name));
    }
    let fault = document
        .games()
        .and_then(|games| games.wait_complete().err());
    let fault = fault.map(|e| e.in_file(&document.name));
    let faults = document.problems.iter().cloned().chain(fault).collect();
    Ok((document, faults))
}

/// Returns the positions of a game's main line.
pub fn positions(tree: &GameTree) -> Vec<Subject> {
    tree.situations_of(&tree.main_line())
        .map(Subject::from)
        .collect()
}
