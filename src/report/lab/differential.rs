//! The grid of point differentials: tables, JSON and CSV.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use crate::json::{VERSION, Version};
use crate::number;
use crate::text::{Style, align};
use lab::differential::{GridCell, Results, Settings, Tally, elo};
use studies::suite::statistics::Interval;

/// A description of the interval.
pub const INTERVAL: &str = "95 % by Wilson, draws as half wins";

/// The whole experiment as one object.
#[derive(Serialize, Debug)]
pub struct DifferentialJson<'a> {
    version: Version,
    experiment: &'static str,
    /// Whether all games that were to be played have been.
    complete: bool,
    games: usize,
    playouts: u32,
    plies: u16,
    margin: i32,
    seed: u64,
    options: &'a BTreeMap<String, String>,
    /// How the intervals are computed.
    interval: &'static str,
    cells: Vec<CellJson>,
}

/// One cell: the side with point differential against the side without.
#[derive(Serialize, Debug)]
struct CellJson {
    /// w with all pieces on the board, and with only kings and pawns.
    from: f64,
    to: f64,
    games: usize,
    won: usize,
    drawn: usize,
    lost: usize,
    /// Pairs of games (colours swapped) by their points: 0, 1/2, 1, 3/2, 2.
    pairs: [usize; 5],
    score: Option<f64>,
    interval: Option<Interval>,
    elo: Option<f64>,
    elo_interval: Option<[Option<f64>; 2]>,
}

/// Returns the difference in Elo, or `None` if it is infinite.
fn finite(score: f64) -> Option<f64> {
    Some(elo(score)).filter(|e| e.is_finite())
}

impl CellJson {
    fn new(cell: GridCell, tally: &Tally) -> CellJson {
        CellJson {
            from: f64::from(cell.from()) / 100.0,
            to: f64::from(cell.to()) / 100.0,
            games: tally.games(),
            won: tally.won,
            drawn: tally.drawn,
            lost: tally.lost,
            pairs: tally.pairs,
            score: tally.score(),
            interval: tally.interval(),
            elo: tally.score().and_then(finite),
            elo_interval: tally
                .interval()
                .map(|(low, high)| [finite(low), finite(high)]),
        }
    }
}

/// Returns the one object of the experiment.
pub fn whole<'a>(results: &'a Results, cells: &[GridCell], complete: bool) -> DifferentialJson<'a> {
    let settings = &results.settings;
    let of = |&cell: &GridCell| CellJson::new(cell, &results.tally(cell));
    let cells: Vec<CellJson> = cells.iter().map(of).collect();
    DifferentialJson {
        version: VERSION,
        experiment: "point-differential",
        complete,
        games: cells.iter().map(|c| c.games).sum(),
        playouts: settings.playouts,
        plies: settings.plies,
        margin: settings.margin,
        seed: settings.seed,
        options: &settings.options,
        interval: INTERVAL,
        cells,
    }
}

/// Writes one line per cell, after a line with the titles.
///
/// # Errors
/// If `out` cannot be written to.
pub fn csv(results: &Results, cells: &[GridCell], out: impl Write) -> csv::Result<()> {
    #[derive(Serialize)]
    struct Line {
        from: f64,
        to: f64,
        games: usize,
        won: usize,
        drawn: usize,
        lost: usize,
        score: Option<f64>,
        score_low: Option<f64>,
        score_high: Option<f64>,
        elo: Option<f64>,
        playouts: u32,
        seed: u64,
    }
    let mut writer = csv::Writer::from_writer(out);
    for &cell in cells {
        let one = CellJson::new(cell, &results.tally(cell));
        writer.serialize(Line {
            from: one.from,
            to: one.to,
            games: one.games,
            won: one.won,
            drawn: one.drawn,
            lost: one.lost,
            score: one.score,
            score_low: one.interval.map(|i| i.0),
            score_high: one.interval.map(|i| i.1),
            elo: one.elo,
            playouts: results.settings.playouts,
            seed: results.settings.seed,
        })?;
    }
    writer.flush()?;
    Ok(())
}

/// Writes everything as a JSON file.
///
/// # Errors
/// If `out` cannot be written to.
pub fn json(
    results: &Results,
    cells: &[GridCell],
    complete: bool,
    mut out: impl Write,
) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, &whole(results, cells, complete))?;
    writeln!(out)
}

/// Returns a table with one line per cell.
pub fn text(results: &Results, cells: &[GridCell], complete: bool, style: Style) -> String {
    let mut out = format!(
        "point differential against none · {}\n",
        words(&results.settings)
    );
    if !complete {
        out.push_str("INTERRUPTED: not all games were played\n");
    }
    let _ = writeln!(
        out,
        "w at the start × at the end of a game; score of the side with it, {INTERVAL}\n"
    );
    let head = [
        "cell", "games", "+", "=", "−", "score", "from", "to", "Elo", "from", "to", "",
    ];
    let mut rows = vec![head.map(String::from)];
    rows.extend(cells.iter().map(|&cell| row(cell, &results.tally(cell))));
    out.push_str(&align(&rows, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    style.apply(out)
}

/// Describes the settings that all games share: `100 playouts a move · 120 plies · seed 1`.
pub fn words(settings: &Settings) -> String {
    let mut out = format!(
        "{} playouts a move · {} plies · seed {}",
        settings.playouts, settings.plies, settings.seed
    );
    for (key, value) in &settings.options {
        let _ = write!(out, " · {key}={value}");
    }
    out
}

fn row(cell: GridCell, tally: &Tally) -> [String; 12] {
    let share = |s: Option<f64>| s.map_or_else(String::new, |s| format!("{:.1} %", 100.0 * s));
    let rating = |s: Option<f64>| s.map_or_else(String::new, elo_words);
    let interval = tally.interval();
    let verdict = match tally.differs() {
        Some(true) => "better",
        Some(false) => "worse",
        None => "",
    };
    [
        cell.to_string(),
        tally.games().to_string(),
        tally.won.to_string(),
        tally.drawn.to_string(),
        tally.lost.to_string(),
        share(tally.score()),
        share(interval.map(|i| i.0)),
        share(interval.map(|i| i.1)),
        rating(tally.score()),
        rating(interval.map(|i| i.0)),
        rating(interval.map(|i| i.1)),
        verdict.to_owned(),
    ]
}

/// Formats the difference in Elo for a score, with its sign, in whole points: `+12`, `−∞`.
pub fn elo_words(score: f64) -> String {
    let rating = elo(score);
    if rating.is_finite() {
        number::minus(&format!("{:+.0}", rating))
    } else if rating > 0.0 {
        "+∞".to_owned()
    } else {
        "−∞".to_owned()
    }
}
