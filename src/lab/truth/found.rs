//! What is known of all columns, block by block.

use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::statistics::{Figure, Resamples};
use studies::suite::statistics::wilson_share;

/// What was found in a block of positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    pub positions: u64,
    /// Losses, draws and wins of the side to move.
    pub results: [u64; 3],
    /// The sum, over the positions, of the share of moves that keep the result.
    pub by_chance: f64,
    /// By column.
    pub columns: Vec<Tally>,
}

impl Found {
    pub(super) fn new(columns: usize) -> Found {
        Found {
            columns: vec![Tally::default(); columns],
            ..Found::default()
        }
    }
}

/// What is known so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Truths {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The number of positions of the board.
    pub of: u64,
    /// By block; `None` before it is known.
    pub blocks: Vec<Option<Found>>,
}

impl Truths {
    /// Returns the blocks that were searched.
    pub fn known(&self) -> impl Iterator<Item = &Found> {
        self.blocks.iter().flatten()
    }

    /// Returns the number of positions searched.
    pub fn positions(&self) -> u64 {
        self.known().map(|found| found.positions).sum()
    }

    /// Whether all positions of the board were searched, so that nothing is a sample.
    pub fn is_census(&self) -> bool {
        self.positions() == self.of
    }

    /// Returns the losses, draws and wins of the side to move.
    pub fn results(&self) -> [u64; 3] {
        let add = |sum: [u64; 3], found: &Found| [0, 1, 2].map(|i| sum[i] + found.results[i]);
        self.known().fold([0; 3], add)
    }

    /// Returns the share of positions in which a move at random keeps the result; `None` without any.
    pub fn kept_by_chance(&self) -> Option<f64> {
        let sum: f64 = self.known().map(|found| found.by_chance).sum();
        let all = self.positions();
        (all > 0).then(|| sum / all as f64)
    }

    /// Returns what was found of a column.
    pub fn total(&self, column: usize) -> Tally {
        let mut total = Tally::default();
        let tallies = self.known().filter_map(|found| found.columns.get(column));
        tallies.for_each(|tally| total.add(tally));
        total
    }

    /// Returns the mean of a column's figure, with its interval over resampled blocks unless nothing is a sample. `read` gives a
    /// sum and the number of its parts.
    pub fn mean(
        &self,
        column: usize,
        resamples: &Resamples,
        read: impl Fn(&Tally) -> (f64, f64),
    ) -> Option<Figure> {
        let tallies = self.known().filter_map(|found| found.columns.get(column));
        let parts: Vec<(f64, f64)> = tallies.map(read).collect();
        if !self.is_census() {
            return resamples.ratio(&parts);
        }
        let (sum, count) = parts
            .iter()
            .fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        (count > 0.0).then(|| Figure {
            value: sum / count,
            interval: None,
        })
    }

    /// Returns a share like [`Truths::mean`]. Its interval has also Wilson's, because where nearly all or none hit, resamples show
    /// next to no doubt.
    pub fn share(
        &self,
        column: usize,
        resamples: &Resamples,
        read: impl Fn(&Tally) -> (u64, u64),
    ) -> Option<Figure> {
        let read = |tally: &Tally| {
            let (hits, tries) = read(tally);
            (hits as f64, tries as f64)
        };
        let mut share = self.mean(column, resamples, read)?;
        let tallies = self.known().filter_map(|found| found.columns.get(column));
        let tries: f64 = tallies.map(|tally| read(tally).1).sum();
        let counted = wilson_share(share.value, tries);
        let both = share.interval.zip(counted);
        share.interval = both.map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        Some(share)
    }
}
