//! The results of the matches, in memory and in a file.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{GridCell, Played};
use search::{OptionError, Options};
use studies::suite::statistics::{Interval, wilson_at, wilson_share};
use text::{files, save};
use text::{quote, sanitise};

/// The version of the file.
const VERSION: u32 = 1;
const NAME: &str = "point-differential";

/// The settings shared by all games of one experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    #[serde(default, skip_serializing_if = "Played::is_chess")]
    pub game: Played,
    /// Playouts per move.
    pub playouts: u32,
    /// Plies after the opening at which a game ends.
    pub plies: u16,
    /// Centipawns of static evaluation, or in Go thousandths of the expected score that the searches find. A side that is ahead by
    /// this much for six consecutive plies has won; in chess, so has a side that is ahead by this much when the game reaches its
    /// maximum length. In Go the points are counted then.
    pub margin: i32,
    pub seed: u64,
    /// The options of `mcts`, for both sides, that differ from the defaults.
    pub options: BTreeMap<String, String>,
}

impl Default for Settings {
    /// Returns 100 playouts per move, 120 plies, a margin of six pawns, and seed 1.
    fn default() -> Self {
        Settings {
            game: Played::Chess,
            playouts: 100,
            plies: 120,
            margin: 600,
            seed: 1,
            options: BTreeMap::new(),
        }
    }
}

/// The difference k of Go's playouts, in hundredths of a point, at which e wins are expected for each loss: 5.5 points are then worth
/// the 62 % that Brian Sheppard names (*MCTS and Point Differential*, 2011).
const GO_SCALE: &str = "1123";

impl Settings {
    /// Returns the same for a game: in Go a margin of .9 of the expected score.
    pub fn of(game: Played) -> Settings {
        let settings = Settings::default();
        Settings {
            game,
            margin: match game {
                Played::Chess => settings.margin,
                Played::Go(_) => 900,
            },
            ..settings
        }
    }

    /// Returns the options of a side; `cell` is its point differential, if it has one.
    ///
    /// # Errors
    /// If there is an option that `mcts` does not have or accept.
    pub fn side(&self, cell: Option<GridCell>) -> Result<Options, OptionError> {
        let mut options = super::ALGORITHM.default_options();
        // Playouts ask for nothing that is worth the time of the network.
        options.set("eval", "hand")?;
        if !self.game.is_chess() {
            options.set("differential-scale", GO_SCALE)?;
        }
        for (key, value) in &self.options {
            options.set(key, value)?;
        }
        options.set("leaf", "playouts")?;
        options.set("differential", "none")?;
        if let Some(cell) = cell {
            let share = |per_cent: u8| (f64::from(per_cent) / 100.0).to_string();
            options.set("differential", "declining")?;
            options.set("differential-from", &share(cell.from()))?;
            options.set("differential-to", &share(cell.to()))?;
        }
        Ok(options)
    }
}

/// How a game ended for the side with point differential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    #[serde(rename = "1")]
    Won,
    #[serde(rename = "=")]
    Drawn,
    #[serde(rename = "0")]
    Lost,
}

impl Outcome {
    pub fn other(self) -> Outcome {
        match self {
            Outcome::Won => Outcome::Lost,
            Outcome::Drawn => Outcome::Drawn,
            Outcome::Lost => Outcome::Won,
        }
    }

    /// Returns the result in half points.
    pub(crate) fn halves(self) -> usize {
        match self {
            Outcome::Won => 2,
            Outcome::Drawn => 1,
            Outcome::Lost => 0,
        }
    }
}

/// Two games from one opening, first as White, then as Black.
pub type Pair = [Outcome; 2];

/// One cell's games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub cell: GridCell,
    /// The pairs by number; `None` is a pair that has not been played although a later one has.
    pub pairs: Vec<Option<Pair>>,
}

/// What is known about all cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    version: u32,
    experiment: String,
    pub settings: Settings,
    records: Vec<Record>,
}

/// Why a file of results cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {what}")]
pub struct ResultsError {
    file: String,
    what: String,
}

impl Results {
    pub fn new(settings: Settings) -> Results {
        Results {
            version: VERSION,
            experiment: String::from(NAME),
            settings,
            records: Vec::new(),
        }
    }

    /// Reads a results file; returns `None` if there is none.
    ///
    /// # Errors
    /// If the file cannot be read, is of another kind or of another version; the error says what was found and
    /// expected.
    pub fn open(path: &Path) -> Result<Option<Results>, ResultsError> {
        let error = |what: String| ResultsError {
            file: path.display().to_string(),
            what: sanitise(&what),
        };
        let text = match files::read_text(path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(error(format!("can't be read: {e}"))),
        };
        parse(&text).map(Some).map_err(error)
    }

    /// Replaces the file at `path`, keeping the pairs that another process has added to it meanwhile if they were
    /// played with the same settings. Creates the folder if it is missing.
    ///
    /// # Errors
    /// If it cannot be written; the file is then unchanged.
    pub fn save(&mut self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        save::alone(path, || {
            if let Ok(Some(found)) = Results::open(path) {
                self.merge(found);
            }
            save::save(path, |out: &mut dyn Write| {
                serde_json::to_writer(&mut *out, self)?;
                writeln!(out)
            })
        })
    }

    /// Adds the pairs that are missing here, if they were played with the same settings.
    pub(super) fn merge(&mut self, other: Results) {
        if other.settings != self.settings {
            return;
        }
        for record in other.records {
            for (number, pair) in record.pairs.into_iter().enumerate() {
                if let Some(pair) = pair.filter(|_| !self.has(record.cell, number)) {
                    self.add(record.cell, number, pair);
                }
            }
        }
    }

    pub fn record(&self, cell: GridCell) -> Option<&Record> {
        self.records.iter().find(|r| r.cell == cell)
    }

    /// Whether a pair of games has been played.
    pub fn has(&self, cell: GridCell, number: usize) -> bool {
        let record = self.record(cell);
        record.is_some_and(|r| matches!(r.pairs.get(number), Some(Some(_))))
    }

    pub fn add(&mut self, cell: GridCell, number: usize, pair: Pair) {
        let place = match self.records.iter().position(|r| r.cell == cell) {
            Some(place) => place,
            None => {
                self.records.push(Record {
                    cell,
                    pairs: Vec::new(),
                });
                self.records.sort_by_key(|r| r.cell);
                self.records.partition_point(|r| r.cell < cell)
            }
        };
        let pairs = &mut self.records[place].pairs;
        if pairs.len() <= number {
            pairs.resize(number + 1, None);
        }
        pairs[number] = Some(pair);
    }

    /// Returns the figures of a cell; all zeros if nothing was played.
    pub fn tally(&self, cell: GridCell) -> Tally {
        let pairs = self.record(cell).map_or(&[][..], |r| &r.pairs);
        Tally::of(pairs.iter().flatten())
    }

    /// Returns the number of games of all cells.
    pub fn games(&self) -> usize {
        let pairs = self.records.iter().flat_map(|r| r.pairs.iter().flatten());
        2 * pairs.count()
    }
}

/// Parses a file's text, in which the results of several runs may stand one after another, or returns what is wrong with it.
fn parse(text: &str) -> Result<Results, String> {
    let mut objects = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let mut all: Option<Results> = None;
    let mut end = 0;
    while let Some(found) = objects.next() {
        found.map_err(|e| format!("no JSON object: {e}"))?;
        let begin = std::mem::replace(&mut end, objects.byte_offset());
        let results = parse_one(&text[begin..end])?;
        match &mut all {
            None => all = Some(results),
            Some(all) if all.settings == results.settings => all.merge(results),
            Some(_) => {
                return Err("found results of several settings, expected one".to_owned());
            }
        }
    }
    all.ok_or_else(|| "no JSON object: the file is empty".to_owned())
}

/// Parses the results of one run.
fn parse_one(text: &str) -> Result<Results, String> {
    /// The maximum number of pairs: a larger number cannot be meant.
    const MOST: usize = 1_000_000;
    #[derive(Deserialize)]
    struct Head {
        version: Option<u64>,
        experiment: Option<String>,
    }
    let head: Head = serde_json::from_str(text).map_err(|e| format!("no JSON object: {e}"))?;
    if head.experiment.as_deref() != Some(NAME) {
        let found = head.experiment.as_deref().map_or("nothing".into(), quote);
        return Err(format!("experiment: found {found}, expected {NAME:?}"));
    }
    if head.version != Some(u64::from(VERSION)) {
        let found = head.version.map_or("nothing".into(), |v| v.to_string());
        return Err(format!("version: found {found}, expected {VERSION}"));
    }
    let results: Results = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let sorted = results.records.windows(2).all(|w| w[0].cell < w[1].cell);
    if !sorted {
        return Err("records: expected each cell once, in order".into());
    }
    if results.records.iter().any(|r| r.pairs.len() > MOST) {
        return Err(format!("records: expected at most {MOST} pairs a cell"));
    }
    if results.settings.playouts == 0 || results.settings.margin < 0 {
        return Err("settings: expected at least one playout and no negative margin".into());
    }
    results
        .settings
        .side(None)
        .map_err(|e| format!("settings: {e}"))?;
    Ok(results)
}

/// A cell's figures, for the side with point differential.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub won: usize,
    pub drawn: usize,
    pub lost: usize,
    /// The number of pairs by the half points they scored, 0 to 4.
    pub pairs: [usize; 5],
}

impl Tally {
    fn of<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> Tally {
        let mut tally = Tally::default();
        pairs.into_iter().for_each(|pair| tally.add(pair));
        tally
    }

    /// Adds the games of a pair.
    pub(crate) fn add(&mut self, pair: &Pair) {
        pair.iter().for_each(|outcome| self.count(*outcome));
        self.pairs[pair[0].halves() + pair[1].halves()] += 1;
    }

    /// Adds a game whose pair is not complete.
    pub(crate) fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Won => self.won += 1,
            Outcome::Drawn => self.drawn += 1,
            Outcome::Lost => self.lost += 1,
        }
    }

    pub fn games(&self) -> usize {
        self.won + self.drawn + self.lost
    }

    /// Returns points over games, or `None` if there are no games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.won as f64 + self.drawn as f64 / 2.0) / games as f64)
    }

    /// Returns Wilson's 95 % interval of the score, with a draw as half a win. If there are draws it is wider than
    /// necessary.
    pub fn interval(&self) -> Option<Interval> {
        wilson_share(self.score()?, self.games() as f64)
    }

    /// Returns Wilson's interval of the score as wide as so many standard deviations.
    pub fn interval_at(&self, z: f64) -> Option<Interval> {
        wilson_at(z, self.score()?, self.games() as f64)
    }

    /// Whether the interval excludes an even score: true if better, false if worse than without point differential.
    pub fn differs(&self) -> Option<bool> {
        let (low, high) = self.interval()?;
        if low > 0.5 {
            Some(true)
        } else {
            (high < 0.5).then_some(false)
        }
    }
}

/// Returns the difference in Elo that corresponds to a score; infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cell(text: &str) -> GridCell {
        text.parse().expect("a cell")
    }

    fn some() -> Results {
        let mut results = Results::new(Settings::default());
        results.add(cell("8x0"), 2, [Outcome::Won, Outcome::Drawn]);
        results.add(cell("8x0"), 0, [Outcome::Won, Outcome::Lost]);
        results.add(cell("0x1"), 0, [Outcome::Lost, Outcome::Lost]);
        results
    }

    #[test]
    fn pairs_are_counted() {
        let results = some();
        let tally = results.tally(cell("8x0"));
        assert_eq!((tally.won, tally.drawn, tally.lost), (2, 1, 1));
        assert_eq!(tally.pairs, [0, 0, 1, 1, 0]);
        assert_eq!(tally.score(), Some(0.625));
        assert!(results.has(cell("8x0"), 2) && !results.has(cell("8x0"), 1));
        assert_eq!(results.games(), 6);
        assert_eq!(results.tally(cell("4x4")).score(), None);
    }

    /// A score of 0.625 in 400 games: Wilson's interval, and +88.7 Elo.
    #[test]
    fn figures_are_the_textbooks() {
        let tally = Tally {
            won: 200,
            drawn: 100,
            lost: 100,
            pairs: [0; 5],
        };
        let (low, high) = tally.interval().expect("games");
        assert!((low - 0.5766).abs() < 1e-3 && (high - 0.6711).abs() < 1e-3);
        assert_eq!(tally.differs(), Some(true));
        assert!((elo(0.625) - 88.74).abs() < 0.01);
        assert_eq!(elo(0.5), 0.0);
    }

    #[test]
    fn the_sides_differ_by_the_differential_alone() {
        let settings = Settings {
            options: BTreeMap::from([("playout-length".into(), "16".into())]),
            ..Settings::default()
        };
        let plain = settings.side(None).expect("options");
        let with = settings.side(Some(cell("8x1"))).expect("options");
        assert_eq!(plain.word("differential"), "none");
        assert_eq!(with.number("differential-from"), 0.08);
        assert_eq!(with.number("differential-to"), 0.01);
        assert_eq!(with.integer("playout-length"), 16);
        let differing = plain.iter().zip(with.iter()).filter(|(a, b)| a.1 != b.1);
        assert!(differing.count() <= 3);
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let folder = std::env::temp_dir().join(format!("plyscope-pd-{}", std::process::id()));
        let path = folder.join("deeper").join("results.json");
        assert_eq!(Results::open(&path), Ok(None));
        some().save(&path).expect("written");
        assert_eq!(Results::open(&path), Ok(Some(some())));
        let text = std::fs::read_to_string(&path).expect("there");
        for (what, expected) in [
            (
                text.replace("\"version\":1", "\"version\":2"),
                "version: found 2, expected 1",
            ),
            (text.replace(NAME, "futility"), "experiment: found"),
            (text.replace("[8,0]", "[8,3]"), "8x3"),
            (
                text.replace("[\"1\",\"0\"]", "[\"1\",\"2\"]"),
                "unknown variant",
            ),
            (text[..text.len() / 2].to_owned(), "no JSON object"),
            (text.replace("[0,1]", "[8,0]"), "each cell once"),
            (
                text.replace("\"options\":{}", "\"options\":{\"x\":\"1\"}"),
                "unknown option",
            ),
            (String::new(), "no JSON object"),
        ] {
            std::fs::write(&path, &what).expect("written");
            let error = Results::open(&path).expect_err(expected).to_string();
            assert!(
                error.contains(expected) && error.contains("results.json"),
                "{error}"
            );
        }
        let _ = std::fs::remove_dir_all(&folder);
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_refused_or_whole(text in "\\PC{0,60}", cut in 0usize..400) {
            prop_assert!(parse(&text).is_err());
            let whole = serde_json::to_string(&some()).expect("JSON");
            let cut = cut.min(whole.len());
            let part = whole.get(..cut).unwrap_or_default();
            prop_assert!(cut == whole.len() || parse(part).is_err());
        }

        #[test]
        fn the_interval_holds_the_score(won in 0usize..200, drawn in 0usize..200, lost in 0usize..200) {
            let tally = Tally { won, drawn, lost, pairs: [0; 5] };
            match (tally.score(), tally.interval()) {
                (Some(score), Some((low, high))) => {
                    prop_assert!(low <= score + 1e-12 && score <= high + 1e-12);
                }
                (None, None) => prop_assert_eq!(tally.games(), 0),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
