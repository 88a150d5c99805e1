//! A review as the tab shows it: its results and what follows from them, updated when there are new ones.

use std::sync::Arc;

use super::retry::Score;
use external::Trouble;
use game::load::pgn::Annotation;
use studies::review::{Disagreement, Found, Mark, Review, Summary, Tally, Wanted};

/// A review and what follows from its results so far.
#[derive(Debug)]
pub struct Reviewed {
    pub review: Review,
    /// The nodes of the reviewed line, by ply.
    pub line: Vec<usize>,
    /// Results by column and ply, as of `generation`.
    pub found: Vec<Vec<Option<Arc<Found>>>>,
    /// Marks by column, at the ply at which the move was played.
    pub marks: Vec<Vec<Option<Mark>>>,
    /// White's and Black's totals, by column.
    pub tallies: Vec<[Tally; 2]>,
    /// Accuracy and marks by side and phase, by column.
    pub summaries: Vec<Summary>,
    /// The marked moves that were retried.
    pub score: Score,
    /// Where the columns disagree most, the largest disagreement first.
    pub ranked: Vec<Disagreement>,
    generation: Option<u64>,
    /// Columns whose trouble was reported.
    told: Vec<bool>,
}

impl Reviewed {
    /// The largest number of disagreements in the list.
    const RANKED: usize = 100;

    pub fn new(review: Review, line: Vec<usize>) -> Reviewed {
        let mut made = Reviewed {
            review,
            line,
            found: Vec::new(),
            marks: Vec::new(),
            tallies: Vec::new(),
            summaries: Vec::new(),
            score: Score::default(),
            ranked: Vec::new(),
            generation: None,
            told: Vec::new(),
        };
        made.update();
        made
    }

    /// Takes new results; returns whether there were any.
    pub fn update(&mut self) -> bool {
        let generation = self.review.generation();
        if self.generation == Some(generation) {
            return false;
        }
        self.generation = Some(generation);
        let (review, plies) = (&self.review, self.review.len());
        let columns = 0..review.columns().len();
        self.found = columns
            .clone()
            .map(|c| (0..plies).map(|ply| review.result(c, ply)).collect())
            .collect();
        self.marks = columns.clone().map(|c| review.marks(c)).collect();
        self.tallies = columns.clone().map(|c| review.tally(c)).collect();
        self.summaries = columns.map(|c| review.summary(c)).collect();
        self.ranked = review.disagreements(Self::RANKED);
        true
    }

    /// Returns the trouble of a column that was not reported yet.
    pub fn new_trouble(&mut self) -> Option<(usize, Trouble)> {
        self.told.resize(self.review.columns().len(), false);
        let untold = (0..self.told.len()).filter(|&c| !self.told[c]);
        let (column, trouble) = untold
            .filter_map(|c| Some((c, self.review.trouble(c)?)))
            .next()?;
        self.told[column] = true;
        Some((column, trouble))
    }

    /// Whether there are results that [`Reviewed::update`] has not taken yet.
    pub fn has_news(&self) -> bool {
        self.generation != Some(self.review.generation())
    }

    /// Returns a number that changes whenever new results are taken.
    pub fn generation(&self) -> u64 {
        self.generation.unwrap_or(0)
    }

    /// Returns the ply of a node of the reviewed line.
    pub fn ply_of(&self, node: usize) -> Option<usize> {
        // The nodes of a line are in ascending order.
        self.line.binary_search(&node).ok()
    }

    /// Returns what a column found at a ply.
    pub fn found(&self, column: usize, ply: usize) -> Option<&Found> {
        self.found.get(column)?.get(ply)?.as_deref()
    }

    /// Returns the annotations that a column adds to the game.
    pub fn annotations(&self, column: usize) -> Vec<Annotation> {
        let wanted = Wanted::default();
        self.review.annotations(column, &self.line, wanted)
    }

    /// Returns a column's mark for the move that leads to a node.
    pub fn mark(&self, column: usize, node: usize) -> Option<&Mark> {
        let ply = self.ply_of(node)?.checked_sub(1)?;
        self.marks.get(column)?.get(ply)?.as_ref()
    }
}
