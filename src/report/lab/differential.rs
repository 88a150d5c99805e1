//! The grid of point differentials.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Report, Sheet, Table};
use lab::differential::{GridCell, Played, Results, Settings, Tally, elo};

/// A description of the interval.
pub const INTERVAL: &str = "95 % by Wilson, draws as half wins";

/// The cells that were asked for, with what was played.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    pub results: &'a Results,
    pub cells: &'a [GridCell],
    /// Whether all games that were to be played have been.
    pub complete: bool,
}

/// Returns the difference in Elo, or `None` if it is infinite.
fn finite(score: f64) -> Option<f64> {
    Some(elo(score)).filter(|e| e.is_finite())
}

/// Returns the results of a match as an object, to which a report adds what else it has.
pub fn match_json(tally: &Tally) -> Value {
    let interval = tally.interval();
    json!({
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        // Pairs of games (colours swapped) by their points: 0, 1/2, 1, 3/2, 2.
        "pairs": tally.pairs,
        "score": tally.score(),
        "interval": interval,
        "elo": tally.score().and_then(finite),
        "elo_interval": interval.map(|(low, high)| [finite(low), finite(high)]),
    })
}

/// Returns a weight: w with all pieces on the board, or with only kings and pawns.
fn weight(per_cent: u8) -> f64 {
    f64::from(per_cent) / 100.0
}

impl Grid<'_> {
    fn tallies(&self) -> Vec<(GridCell, Tally)> {
        let tally = |&cell: &GridCell| (cell, self.results.tally(cell));
        self.cells.iter().map(tally).collect()
    }

    /// Returns one line per cell, with all digits.
    pub fn csv(&self) -> String {
        let settings = &self.results.settings;
        let exact = |x: f64| Cell::number(format!("{x:?}"));
        let tallies = self.tallies();
        let table = Table::of(&tallies)
            .column("from", |(cell, _)| exact(weight(cell.from())))
            .column("to", |(cell, _)| exact(weight(cell.to())))
            .column("games", |(_, t)| t.games())
            .column("won", |(_, t)| t.won)
            .column("drawn", |(_, t)| t.drawn)
            .column("lost", |(_, t)| t.lost)
            .column("score", |(_, t)| t.score().map(exact))
            .column("score_low", |(_, t)| t.interval().map(|i| exact(i.0)))
            .column("score_high", |(_, t)| t.interval().map(|i| exact(i.1)))
            .column("elo", |(_, t)| t.score().and_then(finite).map(exact))
            .column("playouts", |_| settings.playouts)
            .column("seed", |_| settings.seed);
        Table::from(table).csv()
    }
}

impl Report for Grid<'_> {
    fn question(&self) -> &'static str {
        match self.results.settings.game {
            Played::Chess => verdict::PLAYOUTS,
            Played::Go(_) => verdict::PLAYOUTS_OF_GO,
        }
    }

    fn verdict(&self) -> Verdict {
        verdict::playouts(&self.tallies())
    }

    fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(format!(
            "point differential against none · {}",
            words(&self.results.settings)
        ));
        if !self.complete {
            sheet.note("INTERRUPTED: not all games were played");
        }
        sheet.note(format!(
            "w at the start × at the end of a game; score of the side with it, {INTERVAL}"
        ));
        let share = |s: f64| Cell::number(format!("{:.1} %", 100.0 * s));
        let rating = |s: f64| Cell::number(elo_words(s));
        let verdict = |better| if better { "better" } else { "worse" };
        let tallies = self.tallies();
        let table = Table::of(&tallies)
            .column("cell", |(cell, _)| cell.to_string())
            .column("games", |(_, t)| t.games())
            .column("+", |(_, t)| t.won)
            .column("=", |(_, t)| t.drawn)
            .column("−", |(_, t)| t.lost)
            .column("score", |(_, t)| t.score().map(share))
            .column("from", |(_, t)| t.interval().map(|i| share(i.0)))
            .column("to", |(_, t)| t.interval().map(|i| share(i.1)))
            .column("Elo", |(_, t)| t.score().map(rating))
            .column("from", |(_, t)| t.interval().map(|i| rating(i.0)))
            .column("to", |(_, t)| t.interval().map(|i| rating(i.1)))
            .column("", |(_, t)| t.differs().map(verdict));
        sheet.table("", table);
        sheet
    }

    fn json(&self) -> Value {
        let settings = &self.results.settings;
        let tallies = self.tallies();
        let cell = |(cell, tally): &(GridCell, Tally)| {
            let mut object = match_json(tally);
            object["from"] = weight(cell.from()).into();
            object["to"] = weight(cell.to()).into();
            object["games"] = tally.games().into();
            object
        };
        json!({
            "version": VERSION,
            "experiment": "point-differential",
            "complete": self.complete,
            "games": tallies.iter().map(|(_, tally)| tally.games()).sum::<usize>(),
            "game": settings.game,
            "playouts": settings.playouts,
            "plies": settings.plies,
            "margin": settings.margin,
            "seed": settings.seed,
            "options": settings.options,
            "interval": INTERVAL,
            "cells": tallies.iter().map(cell).collect::<Vec<_>>(),
        })
    }
}

/// Describes the settings that all games share: `100 playouts a move · 120 plies · seed 1`.
pub fn words(settings: &Settings) -> String {
    let options = settings.options.iter();
    let options = options.map(|(key, value)| format!(" · {key}={value}"));
    let game = match settings.game {
        Played::Chess => String::new(),
        game => format!("{game} · "),
    };
    format!(
        "{game}{} playouts a move · {} plies · seed {}{}",
        settings.playouts,
        settings.plies,
        settings.seed,
        options.collect::<String>()
    )
}

/// Formats the difference in Elo for a score, with its sign, in whole points: `+12`, `−∞`.
pub fn elo_words(score: f64) -> String {
    match elo(score) {
        rating if rating.is_finite() => number::minus(&format!("{rating:+.0}")),
        rating if rating > 0.0 => "+∞".to_owned(),
        _ => "−∞".to_owned(),
    }
}
