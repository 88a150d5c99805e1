//! A review as the tab shows it: its results with what is made of them, made anew when there are new ones.

use std::sync::Arc;

use crate::engine::external::Trouble;
use crate::engine::review::{Disagreement, Found, Mark, Review, Tally, Wanted};
use crate::game::load::pgn::Annotation;

/// A review and what follows from its results so far.
#[derive(Debug)]
pub struct Reviewed {
    pub review: Review,
    /// The nodes of the reviewed line, by ply.
    pub line: Vec<usize>,
    /// Results by column and ply, as of `generation`.
    pub found: Vec<Vec<Option<Arc<Found>>>>,
    /// Marks by column, at the ply the move was played at.
    pub marks: Vec<Vec<Option<Mark>>>,
    /// White's and Black's sums, by column.
    pub tallies: Vec<[Tally; 2]>,
    /// Where the columns disagree most, largest first.
    pub ranked: Vec<Disagreement>,
    generation: Option<u64>,
    /// Columns whose trouble was told.
    told: Vec<bool>,
}

impl Reviewed {
    /// Disagreements listed.
    const RANKED: usize = 100;

    #[must_use]
    pub fn new(review: Review, line: Vec<usize>) -> Reviewed {
        let mut made = Reviewed {
            review,
            line,
            found: Vec::new(),
            marks: Vec::new(),
            tallies: Vec::new(),
            ranked: Vec::new(),
            generation: None,
            told: Vec::new(),
        };
        made.update();
        made
    }

    /// Takes over new results. True: there were some.
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
        self.tallies = columns.map(|c| review.tally(c)).collect();
        self.ranked = review.disagreements(Self::RANKED);
        true
    }

    /// The trouble of a column that was not told yet.
    pub fn new_trouble(&mut self) -> Option<(usize, Trouble)> {
        self.told.resize(self.review.columns().len(), false);
        let untold = (0..self.told.len()).filter(|&c| !self.told[c]);
        let (column, trouble) = untold
            .filter_map(|c| Some((c, self.review.trouble(c)?)))
            .next()?;
        self.told[column] = true;
        Some((column, trouble))
    }

    /// Whether there are results that [`Reviewed::update`] has not taken over.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.generation != Some(self.review.generation())
    }

    /// Changes with the results taken over.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.unwrap_or(0)
    }

    /// The ply of a node of the reviewed line.
    #[must_use]
    pub fn ply_of(&self, node: usize) -> Option<usize> {
        // Nodes of a line stand in order.
        self.line.binary_search(&node).ok()
    }

    /// What a column found at a ply.
    #[must_use]
    pub fn found(&self, column: usize, ply: usize) -> Option<&Found> {
        self.found.get(column)?.get(ply)?.as_deref()
    }

    /// What a column has to write into the game.
    #[must_use]
    pub fn annotations(&self, column: usize) -> Vec<Annotation> {
        let wanted = Wanted::default();
        self.review.annotations(column, &self.line, wanted)
    }

    /// A column's mark for the move that leads to a node.
    #[must_use]
    pub fn mark(&self, column: usize, node: usize) -> Option<&Mark> {
        let ply = self.ply_of(node)?.checked_sub(1)?;
        self.marks.get(column)?.get(ply)?.as_ref()
    }
}
