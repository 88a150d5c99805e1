//! The Game tab: the list of games, the moves with their variations, and the review of the game.

pub mod chart;
mod commands;
pub(crate) mod keys;
pub mod list;
pub mod moves;
pub mod retry;
pub mod review;
mod screen;
pub(crate) mod view;

use games::Document;
use list::GameList;
use moves::MovesView;
use retry::Retry;
use review::Reviewed;

use ::screen::list::List;
use algorithms::Algorithm;
use session::{Budget, Config};
use studies::compare::ColumnSpec;

/// A pane of the tab that can have the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamePane {
    /// The games of the file.
    Games,
    /// The moves of the current game.
    Moves,
    /// The results of the review: marks, and where its columns disagree.
    Findings,
}

/// What can be clicked in the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameTarget {
    Pane(GamePane),
    /// A game or position of the document, by its row in the list.
    Entry(usize),
    /// A move, by its node.
    Move(usize),
    /// The chart above the game.
    Chart,
    /// A row of the list of disagreements.
    Finding(usize),
}

/// The state of the tab.
#[derive(Debug)]
pub struct GameTab {
    pub pane: GamePane,
    pub list: GameList,
    pub moves: MovesView,
    /// The columns of the next review, and the budget for each position.
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
    /// The column whose marks are shown.
    pub judge: usize,
    pub review: Option<Reviewed>,
    /// The marked move that is being retried.
    pub retry: Option<Retry>,
    /// Finished reviews of other games of the document, with their entries.
    kept: Vec<(usize, Reviewed)>,
    /// The list of disagreements.
    pub ranked: List,
    /// Whether the user has gone to the selected disagreement.
    pub visited: bool,
    /// When the opened file was written from here; it was read again afterwards.
    pub written: Option<std::time::SystemTime>,
    /// Whether the other games of the file are written with the reviewed one.
    pub all_games: bool,
    /// Whether the review was paused for a comparison.
    pub held: bool,
    /// Whether Explore's search was paused for the review.
    pub paused_explore: bool,
}

impl GameTab {
    /// The largest number of columns; more could not be told apart.
    pub const MOST_COLUMNS: usize = 4;
    /// The number of reviews kept of games that the user has left.
    const KEPT: usize = 16;

    /// Creates the tab with the three algorithms that differ most and 20,000 nodes per position. Memory and seed are
    /// those of `base`; its threads do not matter.
    pub fn new(base: &Config) -> GameTab {
        let column = |algorithm: Algorithm| {
            ColumnSpec::Own(Config {
                algorithm,
                options: algorithm.default_options(),
                ..base.clone()
            })
        };
        GameTab {
            pane: GamePane::Moves,
            list: GameList::default(),
            moves: MovesView::default(),
            columns: Algorithm::SIDE_BY_SIDE.map(column).into(),
            budget: Budget::Nodes(20_000),
            judge: 0,
            review: None,
            retry: None,
            kept: Vec::new(),
            ranked: List::default(),
            visited: false,
            held: false,
            all_games: true,
            written: None,
            paused_explore: false,
        }
    }

    /// Leaves the game of an entry: a finished review of it is kept, any other one ends.
    pub fn leave(&mut self, entry: usize) {
        self.retry = None;
        self.moves.forget();
        self.ranked = List::default();
        self.visited = false;
        self.kept.retain(|(other, _)| *other != entry);
        if let Some(review) = self.review.take().filter(|r| r.review.is_complete()) {
            self.kept.push((entry, review));
            if self.kept.len() > Self::KEPT {
                self.kept.remove(0);
            }
        }
    }

    /// Comes to the game of an entry: a review of it that was kept is shown again.
    pub fn enter(&mut self, entry: usize) {
        let at = self.kept.iter().position(|(other, _)| *other == entry);
        self.review = at.map(|at| self.kept.remove(at).1);
        self.judge = self.judge.min(self.shown_columns().len().saturating_sub(1));
    }

    /// Starts with another document; nothing of the old one is kept. If there may be several games, the list is shown
    /// first.
    pub fn begin(&mut self, document: &Document) {
        let several = document.len() > 1 || !document.is_complete();
        self.pane = if several {
            GamePane::Games
        } else {
            GamePane::Moves
        };
        self.written = None;
        self.kept.clear();
        self.review = None;
        self.retry = None;
        self.list.forget();
        self.moves.forget();
        self.ranked = List::default();
    }

    /// Called when the document was read again: the review of the game stays if its main line is unchanged; `line` is
    /// then its nodes in the new game.
    pub fn reloaded(&mut self, line: Option<Vec<usize>>) {
        self.kept.clear();
        self.retry = None;
        self.list.forget();
        self.moves.forget();
        match (&mut self.review, line) {
            (Some(review), Some(line)) => review.line = line,
            _ => self.review = None,
        }
    }

    /// Returns the columns of the review that is shown, or else those of the next one.
    pub fn shown_columns(&self) -> &[ColumnSpec] {
        match &self.review {
            Some(reviewed) => reviewed.review.columns(),
            None => &self.columns,
        }
    }

    /// Whether there is a review and all its results are known.
    pub fn is_complete(&self) -> bool {
        self.review.as_ref().is_some_and(|r| r.review.is_complete())
    }

    pub fn is_running(&self) -> bool {
        self.review.as_ref().is_some_and(|r| r.review.is_running())
    }
}
