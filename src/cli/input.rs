//! Turns the command line into positions to search.

use std::sync::Arc;

use super::Failure;
use super::failure::complain;
use super::options::{InputOptions, SearchOptions};
use game::load::{Epd, LoadError};
use game::{ChessPosition, Situation};
use games::{Document, Entry};
use search::{AnyPosition, Recorded, is_same_search};
use session::{Config, Subject};

/// One position to work on.
#[derive(Debug)]
pub struct Input {
    /// The title in the file.
    pub title: Option<String>,
    pub subject: Subject,
    /// The EPD record with its operations, if the file has them.
    pub epd: Option<Epd>,
    /// The search of another program that the file has.
    pub recorded: Option<Arc<dyn Recorded>>,
}

/// Which positions of a game to use.
#[derive(Clone, Copy, Debug)]
pub enum OfGames {
    /// The one before its first move.
    Start,
    /// The last one.
    Last,
    /// The one after this many half-moves, which the user asked for.
    Ply(u32),
    /// All positions of the main line.
    All,
}

/// The positions, in order. Entries that cannot be read are reported on standard error and counted; the others are used
/// all the same.
#[derive(Debug)]
pub struct Inputs {
    pub positions: Vec<Input>,
    pub refused: usize,
}

impl Inputs {
    /// Collects everything the command line names: a FEN, the entries of a file, or the start position.
    ///
    /// # Errors
    /// If nothing in it can be used.
    pub fn gather(options: &InputOptions, of_games: OfGames) -> Result<Inputs, Failure> {
        let mut inputs = Inputs {
            positions: Vec::new(),
            refused: 0,
        };
        if let (OfGames::Ply(_), None) = (of_games, &options.file) {
            let why = "--ply: found no file, expected one with a game (name it before the options)";
            return Err(Failure::Usage(why.into()));
        }
        match (&options.fen, &options.file) {
            (Some(text), _) => {
                let read = games::position_of_fen(text).map_err(|e| e.in_file("--fen"))?;
                for warning in &read.warnings {
                    complain(&format!("--fen: {warning}"));
                }
                inputs.positions.push(untitled(read.subject));
            }
            (None, Some(file)) => {
                let document = Document::open(file)?;
                for problem in &document.problems {
                    inputs.refuse(problem);
                }
                for entry in document.entries() {
                    match entry {
                        Ok(entry) => inputs.add(&entry, of_games),
                        Err(problem) => inputs.refuse(&problem),
                    }
                }
            }
            (None, None) => inputs
                .positions
                .push(untitled(Situation::new(ChessPosition::default()).into())),
        }
        inputs.play(options.moves.as_deref())?;
        if inputs.positions.is_empty() {
            return Err(Failure::Reported);
        }
        Ok(inputs)
    }

    /// Returns the positions on their own.
    pub fn places(&self) -> impl Iterator<Item = &AnyPosition> {
        self.positions.iter().map(|input| &input.subject.position)
    }

    fn refuse(&mut self, problem: &LoadError) {
        complain(&problem.to_string());
        self.refused += 1;
    }

    fn add(&mut self, entry: &Entry, of_games: OfGames) {
        for warning in &entry.warnings {
            complain(warning);
        }
        for problem in &entry.problems {
            self.refuse(problem);
        }
        let title = Some(entry.title.clone());
        let ply = match of_games {
            OfGames::Start => 0,
            OfGames::Last => u32::MAX,
            OfGames::Ply(ply) if ply <= entry.plies() => ply,
            OfGames::Ply(ply) => {
                let found = match entry.game() {
                    Some(game) => format!("a game of {} half-moves", game.plies()),
                    None => "a position without a game".to_owned(),
                };
                let expected = format!("at least {ply} half-moves for --ply");
                self.refuse(&LoadError::new(found, expected).in_file(&entry.title));
                return;
            }
            OfGames::All => 0,
        };
        match of_games {
            OfGames::Start | OfGames::Last | OfGames::Ply(_) => self.positions.push(Input {
                title,
                subject: entry.subject_at(ply),
                epd: entry.epd().cloned(),
                recorded: entry.recorded.clone(),
            }),
            OfGames::All => self.positions.extend(entry.subjects().map(|subject| Input {
                title: title.clone(),
                subject,
                epd: entry.epd().cloned(),
                recorded: entry.recorded.clone(),
            })),
        }
    }

    fn play(&mut self, moves: Option<&str>) -> Result<(), Failure> {
        if let Some(text) = moves {
            for input in &mut self.positions {
                input.subject = input
                    .subject
                    .play_text(text)
                    .map_err(|e| e.in_file("--moves"))?;
            }
        }
        Ok(())
    }

    /// Returns the only position, and whether part of its file was refused ([`Inputs::verdict`]).
    ///
    /// # Errors
    /// If the file has several positions.
    pub fn single(mut self) -> Result<(Input, Result<(), Failure>), Failure> {
        let verdict = self.verdict();
        match (self.positions.len(), self.positions.pop()) {
            (1, Some(input)) => Ok((input, verdict)),
            (n, _) => Err(Failure::Input(format!(
                "found {n} positions, expected one (name a file with one position, or use --fen)"
            ))),
        }
    }

    /// Succeeds unless something was refused.
    ///
    /// # Errors
    /// If something was refused; it has been reported already.
    pub fn verdict(&self) -> Result<(), Failure> {
        if self.refused == 0 {
            Ok(())
        } else {
            Err(Failure::Reported)
        }
    }
}

impl Input {
    /// Returns the configuration that reads the file's own search, unless there is none or an algorithm was asked for; otherwise
    /// `config` itself.
    pub fn config(&self, asked: &SearchOptions, config: &Config) -> Config {
        match &self.recorded {
            Some(recorded) if asked.algorithm.is_none() => Config {
                limits: asked.limits(),
                ..config.reading(Arc::clone(recorded))
            },
            _ => config.clone(),
        }
    }

    /// Whether this is another thread of a recorded search.
    pub fn is_of(&self, search: &Arc<dyn Recorded>) -> bool {
        let recorded = self.recorded.as_ref();
        recorded.is_some_and(|recorded| is_same_search(recorded.as_ref(), search.as_ref()))
    }

    /// Returns the FEN, or `None` for a toy tree.
    pub fn fen(&self) -> Option<String> {
        self.subject.position.fen()
    }
}

fn untitled(subject: Subject) -> Input {
    Input {
        title: None,
        subject,
        epd: None,
        recorded: None,
    }
}
