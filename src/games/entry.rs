//! One entry of a document.

use std::sync::Arc;

use super::GameTree;
use game::load::{Epd, LoadError};
use game::{MoveCode, Situation};
use search::{Recorded, Subject};

/// One position, game or tree of a document, ready to be searched.
#[derive(Clone, Debug)]
pub struct Entry {
    pub title: String,
    /// A hint about what to look for.
    pub hint: Option<String>,
    /// The line of the file on which it begins, from 1.
    pub line: u32,
    /// What was corrected or ignored, one line each.
    pub warnings: Vec<String>,
    /// What could not be read; a game's lines end there.
    pub problems: Vec<LoadError>,
    /// The position, the tree's root, or the game's start position.
    pub start: Subject,
    pub game: Option<Box<GameTree>>,
    /// The EPD record, also for a bare FEN (which has no operations).
    pub epd: Option<Box<Epd>>,
    /// The search of another program that is to be shown.
    pub recorded: Option<Arc<dyn Recorded>>,
}

impl Entry {
    /// A position to search.
    pub fn new(title: String, start: impl Into<Subject>) -> Entry {
        Entry {
            title,
            hint: None,
            line: 1,
            warnings: Vec::new(),
            problems: Vec::new(),
            start: start.into(),
            game: None,
            epd: None,
            recorded: None,
        }
    }

    /// A game, with the title and hint that it gives itself.
    pub fn of_game(game: GameTree) -> Entry {
        let entry = Entry {
            hint: game.hint(),
            problems: game.problems.clone(),
            warnings: game.warnings.iter().map(LoadError::to_string).collect(),
            ..Entry::new(game.title(), game.situation_of(0))
        };
        Entry {
            game: Some(Box::new(game)),
            ..entry
        }
    }

    pub(super) fn of_epd(title: String, epd: Epd) -> Entry {
        let start = Situation::new(epd.position.clone());
        Entry {
            epd: Some(Box::new(epd)),
            ..Entry::new(title, start)
        }
    }

    /// Returns the length of a game's main line in plies; 0 for other entries.
    pub fn plies(&self) -> u32 {
        self.game().map_or(0, GameTree::plies)
    }

    pub fn game(&self) -> Option<&GameTree> {
        self.game.as_deref()
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
        self.epd.as_deref()
    }

    /// Returns where a search starts: the position, the tree's root, or the game's start position.
    pub fn subject(&self) -> Subject {
        self.start.clone()
    }

    /// Returns the main line of a game up to ply `ply` (its end if it is shorter), with the moves before it. Entries
    /// that are not games ignore `ply`.
    pub fn subject_at(&self, ply: u32) -> Subject {
        let line = self.line_through(0);
        self.subject_of(line[(ply as usize).min(line.len() - 1)])
    }

    /// Returns the position at a node of a game, with the moves before it. Entries that are not games ignore `node`.
    pub fn subject_of(&self, node: usize) -> Subject {
        self.game()
            .map_or_else(|| self.subject(), |game| game.situation_of(node).into())
    }

    /// Returns the positions at the nodes of a line from the start of a game, each with the moves before it; a single
    /// one if the entry is not a game.
    pub fn subjects_of(&self, line: &[usize]) -> Vec<Subject> {
        match self.game() {
            Some(game) => game.situations_of(line).map(Subject::from).collect(),
            None => vec![self.subject()],
        }
    }

    /// Returns every position: a single one, or all of a game's main line.
    pub fn subjects(&self) -> impl Iterator<Item = Subject> {
        self.subjects_of(&self.line_through(0)).into_iter()
    }

    /// Returns the move that leads to a node of a game, with the position before it; `None` at the start and for a null
    /// move.
    pub fn move_to(&self, node: usize) -> Option<(Subject, MoveCode)> {
        let found = self.game()?.nodes.get(node)?;
        Some((self.subject_of(found.parent?), found.m?))
    }
}
