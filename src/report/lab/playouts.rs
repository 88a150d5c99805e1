//! The results of the experiment on the differences at both ends of playouts.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Report, Sheet, Table, count, fixed, percent, signed};
use lab::playouts::{LENGTHS, OfEnd, OfLength, Playouts};
use lab::statistics::{Figure, Resamples};

/// The results, with what was asked.
#[derive(Debug)]
pub struct Results<'a> {
    source: &'a str,
    playouts: u32,
    complete: bool,
    found: &'a Playouts,
    by_length: Vec<OfLength>,
    by_end: Vec<OfEnd>,
}

/// So many resamples of the positions give the intervals.
const RESAMPLES: usize = 1_000;

/// The place in [`LENGTHS`] of the playouts that are shown by their ends: as long as those of `mcts`.
const SHOWN: usize = 2;

impl<'a> Results<'a> {
    /// Works out the intervals. `playouts` of each length from each position.
    pub fn new(source: &'a str, playouts: u32, complete: bool, found: &'a Playouts) -> Self {
        let resamples = Resamples::new(found.known().len(), RESAMPLES, 1);
        Results {
            source,
            playouts,
            complete,
            found,
            by_length: found.by_length(&resamples),
            by_end: found.by_end(SHOWN, &resamples),
        }
    }
}

fn between(figure: &Figure, write: impl Fn(f64) -> Cell) -> Cell {
    write(figure.value).within(figure.interval, write)
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::playouts::QUESTION
    }

    fn verdict(&self) -> Verdict {
        let known = self.found.known().len();
        verdict::playouts::verdict(known, &self.by_length, &self.by_end)
    }

    fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(format!(
            "playouts · {} · {} of {} positions · {} of each length from each",
            self.source,
            self.found.known().len(),
            self.found.played.len(),
            number::count(self.playouts.into()),
        ));
        if !self.complete {
            sheet.note("INTERRUPTED: what is missing was not played");
        }
        let table = Table::of(&self.by_length)
            .column("plies", |row| usize::from(row.length))
            .column("playouts", |row| count(row.playouts as u64))
            .column("slope", |row| {
                row.slope.as_ref().map(|s| between(s, |x| fixed(x, 2)))
            })
            .column("correlation", |row| {
                row.correlation
                    .as_ref()
                    .map(|c| between(c, |x| fixed(x, 2)))
            })
            .column("change", |row| between(&row.change, |x| fixed(x, 0)))
            .column("still ahead", |row| {
                row.kept.as_ref().map(|kept| between(kept, percent))
            });
        sheet.table(
            "material at the end by that at the leaf, for the side to move there",
            table,
        );
        sheet.note("slope: 1 in a random walk, 0 if the end says nothing of the leaf (control)");
        sheet.note("change: its standard deviation, in centipawns");
        sheet.note("still ahead: where a side is ahead at the leaf, how often it is at the end");
        let border = |at: Option<i32>| at.map(|x| signed(f64::from(x), 0));
        let table = Table::of(&self.by_end)
            .column("end from", |row| border(row.from))
            .column("to", |row| border(row.to))
            .column("playouts", |row| count(row.playouts as u64))
            .column("mean at the leaf", |row| {
                between(&row.leaf, |x| signed(x, 0))
            });
        sheet.table(
            format!(
                "material at the leaf by that at the end of {} plies, in centipawns",
                LENGTHS[SHOWN]
            ),
            table,
        );
        sheet
    }

    fn json(&self) -> Value {
        json!({
            "version": VERSION,
            "experiment": "playouts",
            "source": self.source,
            "positions": self.found.played.len(),
            "played": self.found.known().len(),
            "playouts": self.playouts,
            "complete": self.complete,
            "by_length": self.by_length,
            "shown_length": LENGTHS[SHOWN],
            "by_end": self.by_end,
        })
    }
}
