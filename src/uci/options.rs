//! The options that the other program can set: the server's own, and those of the algorithm from the table of
//! algorithms.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::kind::Kind;
use super::report::Wishes;
use algorithms::{ALGORITHMS, Algorithm};
use game::EndgameTables;
use search::common::table::Tables;
use search::{Options, Range};
use session::{Config, machine_memory};
use text::quote;

/// The current settings.
#[derive(Debug)]
pub(super) struct Settings {
    /// Includes the tables of the current game.
    pub config: Config,
    /// The options set for algorithms other than the chosen one.
    others: Vec<(Algorithm, Options)>,
    /// What the other program wants to be told.
    pub wishes: Wishes,
    /// The other program analyses: nothing ends a search early.
    pub analyses: bool,
    /// Castling is written as the king capturing its rook, even where the castling rights do not require it.
    pub chess960: bool,
    pub overhead: Duration,
    /// Whether a depth-first search records its tree.
    pub tree: bool,
    /// Whether the options of every algorithm are listed.
    pub lists_all: bool,
    /// Notices that are still to be sent.
    notices: Vec<String>,
    /// The number of damaged endgame tables reported so far.
    problems_reported: usize,
}

/// The server's own options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ServerOption {
    Algorithm,
    Hash,
    Threads,
    MultiPv,
    Chess960,
    Overhead,
    Tree,
    TreeMemory,
    SyzygyPath,
    ClearHash,
    Ponder,
    Analyse,
    ShowWdl,
    MoveStats,
    LiveStats,
}

/// The names of the server's options, in the order in which they are listed.
const SERVER_OPTIONS: [(ServerOption, &str); 15] = [
    (ServerOption::Algorithm, "Algorithm"),
    (ServerOption::Hash, "Hash"),
    (ServerOption::Threads, "Threads"),
    (ServerOption::MultiPv, "MultiPV"),
    (ServerOption::Chess960, "UCI_Chess960"),
    (ServerOption::Overhead, "Move Overhead"),
    (ServerOption::Tree, "Tree"),
    (ServerOption::TreeMemory, "Tree Memory"),
    (ServerOption::SyzygyPath, "SyzygyPath"),
    (ServerOption::ClearHash, "Clear Hash"),
    (ServerOption::Ponder, "Ponder"),
    (ServerOption::Analyse, "UCI_AnalyseMode"),
    (ServerOption::ShowWdl, "UCI_ShowWDL"),
    (ServerOption::MoveStats, "VerboseMoveStats"),
    (ServerOption::LiveStats, "LogLiveStats"),
];

/// The option of depth-first searches by which several moves get exact values.
const LINES: &str = "lines";
/// How UCI writes an empty path.
const NO_PATH: &str = "<empty>";
const MEBIBYTE: u64 = 1 << 20;
/// In bytes.
const DEFAULT_HASH: u64 = 64 * MEBIBYTE;
const DEFAULT_OVERHEAD: u64 = 10;
/// As many as a position can have moves.
const MOST_LINES: u64 = 256;

impl Settings {
    pub fn new(config: Config) -> Settings {
        let mut settings = Settings {
            config: Config {
                table: DEFAULT_HASH.min(most_memory()),
                ..config
            },
            others: Vec::new(),
            wishes: Wishes {
                lines: 1,
                ..Wishes::default()
            },
            analyses: false,
            chess960: false,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD),
            tree: false,
            lists_all: false,
            notices: Vec::new(),
            problems_reported: 0,
        };
        settings.clear_tables();
        settings
    }

    /// Forgets the contents of the tables, for a new game or after a change of the search's options.
    pub fn clear_tables(&mut self) {
        // The old tables are dropped first: there may not be enough memory for both.
        self.config.tables = None;
        self.config.tables = Some(Arc::new(Tables::new(self.config.table)));
    }

    /// Returns one line per option: the server's own, those of the chosen algorithm by their keys, and where it was asked for those
    /// of every algorithm as `algorithm.key`. These can be set whether they are listed or not; programs such as PolyGlot and XBoard
    /// have room for some two hundred options.
    pub fn list(&self) -> Vec<String> {
        let own = SERVER_OPTIONS
            .iter()
            .map(|&(own, name)| (name, self.kind(own)));
        let chosen = self.config.options.iter();
        let chosen = chosen.map(|(spec, value)| (spec.key, Kind::of(spec, value)));
        let short = own
            .chain(chosen)
            .map(|(name, kind)| format!("option name {name} {kind}"));
        let every = match self.lists_all {
            true => &ALGORITHMS[..],
            false => &[],
        };
        let long = every.iter().flat_map(|row| {
            let options = self.options_of(row.algorithm);
            let lines = options.iter().map(|(spec, value)| {
                format!(
                    "option name {}.{} {}",
                    row.name,
                    spec.key,
                    Kind::of(spec, value)
                )
            });
            lines.collect::<Vec<String>>()
        });
        short.chain(long).collect()
    }

    /// The options of an algorithm, chosen or not.
    fn options_of(&self, algorithm: Algorithm) -> Options {
        let other = self.others.iter().find(|(a, _)| *a == algorithm);
        match other {
            _ if algorithm == self.config.algorithm => self.config.options.clone(),
            Some((_, options)) => options.clone(),
            None => algorithm.default_options(),
        }
    }

    /// The options of the chosen algorithm for a search of a root with so many moves, as many of which get an exact value as
    /// lines are wanted.
    pub fn options_for(&self, moves: usize) -> Options {
        let mut options = self.config.options.clone();
        let lines = self.wishes.lines.min(moves);
        let has_lines = options.iter().any(|(spec, _)| spec.key == LINES);
        if lines > 1 && has_lines {
            // The range of the option is that of MultiPV.
            let _ = options.set(LINES, &lines.to_string());
        }
        options
    }

    fn kind(&self, own: ServerOption) -> Kind {
        let most = most_memory() / MEBIBYTE;
        let spin = |value: u64, min, max| Kind::Spin {
            value: value.clamp(min, max),
            min,
            max,
        };
        match own {
            ServerOption::Algorithm => Kind::Combo {
                value: self.config.algorithm.name().to_owned(),
                words: ALGORITHMS.iter().map(|a| a.name).collect(),
            },
            ServerOption::Hash => spin(self.config.table / MEBIBYTE, 1, most),
            ServerOption::Threads => spin(self.config.threads as u64, 1, 256),
            ServerOption::MultiPv => spin(self.wishes.lines as u64, 1, MOST_LINES),
            ServerOption::Chess960 => Kind::Check(self.chess960),
            ServerOption::Overhead => spin(self.overhead.as_millis() as u64, 0, 5000),
            ServerOption::Tree => Kind::Check(self.tree),
            ServerOption::TreeMemory => spin(self.config.memory / MEBIBYTE, 1, most),
            ServerOption::SyzygyPath => {
                let tables = self.config.endgames.as_ref();
                let path = tables.map(|tables| tables.path().display().to_string());
                Kind::Text(path.unwrap_or_else(|| NO_PATH.to_owned()))
            }
            ServerOption::ClearHash => Kind::Button,
            // A search ponders because it is told to; this says that it can.
            ServerOption::Ponder => Kind::Check(false),
            ServerOption::Analyse => Kind::Check(self.analyses),
            ServerOption::ShowWdl => Kind::Check(self.wishes.wdl),
            ServerOption::MoveStats => Kind::Check(self.wishes.statistics),
            ServerOption::LiveStats => Kind::Check(self.wishes.live_statistics),
        }
    }

    /// Sets an option by its name, in upper or lower case.
    ///
    /// # Errors
    /// Says in one line what was found and what was expected.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let own = SERVER_OPTIONS
            .iter()
            .find(|(_, known)| known.eq_ignore_ascii_case(name));
        match own {
            Some(&(own, name)) => self
                .set_own(own, value)
                .map_err(|expected| format!("{name} = {}: expected {expected}", quote(value))),
            None => match name.split_once('.') {
                Some((algorithm, key)) => self.set_of(named(algorithm)?, key, value),
                None => self.set_of(self.config.algorithm, name, value),
            },
        }
    }

    fn set_own(&mut self, own: ServerOption, value: &str) -> Result<(), String> {
        let number = || match self.kind(own) {
            Kind::Spin { min, max, .. } => {
                let number = value.parse().ok().filter(|n| (min..=max).contains(n));
                number.ok_or_else(|| format!("a whole number from {min} to {max}"))
            }
            _ => Err(String::new()),
        };
        match own {
            ServerOption::Algorithm => self.choose(value)?,
            ServerOption::Hash => {
                self.config.table = number()? * MEBIBYTE;
                self.clear_tables();
            }
            ServerOption::Threads => self.config.threads = number()? as usize,
            ServerOption::MultiPv => self.wishes.lines = number()? as usize,
            ServerOption::Chess960 => self.chess960 = switch(value)?,
            ServerOption::Overhead => self.overhead = Duration::from_millis(number()?),
            ServerOption::Tree => self.tree = switch(value)?,
            ServerOption::TreeMemory => self.config.memory = number()? * MEBIBYTE,
            ServerOption::SyzygyPath => self.find_endgames(value)?,
            ServerOption::ClearHash => self.clear_tables(),
            ServerOption::Ponder => {
                switch(value)?;
            }
            ServerOption::Analyse => self.analyses = switch(value)?,
            ServerOption::ShowWdl => self.wishes.wdl = switch(value)?,
            ServerOption::MoveStats => self.wishes.statistics = switch(value)?,
            ServerOption::LiveStats => self.wishes.live_statistics = switch(value)?,
        }
        Ok(())
    }

    /// Opens other endgame tables, or none. Results found with the previous ones are no longer valid.
    fn find_endgames(&mut self, path: &str) -> Result<(), String> {
        let none = path.is_empty() || path == NO_PATH;
        let found = match none {
            true => None,
            false => Some(EndgameTables::open(Path::new(path)).map_err(|e| e.expected())?),
        };
        self.config.endgames = found.map(|(tables, passed_over)| {
            self.notices.extend(passed_over);
            Arc::new(tables)
        });
        self.problems_reported = 0;
        self.clear_tables();
        Ok(())
    }

    /// Returns the notices that are still to be sent, one per line; each is sent once.
    pub fn take_notices(&mut self) -> Vec<String> {
        if let Some(tables) = &self.config.endgames {
            let problems = tables.problems();
            let news = problems.iter().skip(self.problems_reported);
            self.notices.extend(news.cloned());
            self.problems_reported = problems.len();
        } else {
            self.problems_reported = 0;
        }
        std::mem::take(&mut self.notices)
    }

    /// Switches to another algorithm, with the options set for it earlier.
    fn choose(&mut self, name: &str) -> Result<(), String> {
        let algorithm = algorithm_of(name)?;
        if algorithm == self.config.algorithm {
            return Ok(());
        }
        let known = self.others.iter().position(|(a, _)| *a == algorithm);
        let options = match known {
            Some(at) => self.others.swap_remove(at).1,
            None => algorithm.default_options(),
        };
        let options = std::mem::replace(&mut self.config.options, options);
        self.others.push((self.config.algorithm, options));
        self.config.algorithm = algorithm;
        self.clear_tables();
        Ok(())
    }

    fn set_of(&mut self, algorithm: Algorithm, name: &str, value: &str) -> Result<(), String> {
        let specs = algorithm.info().options;
        let Some(spec) = specs.iter().find(|s| s.key.eq_ignore_ascii_case(name)) else {
            return Err(format!("{algorithm} has no option {}", quote(name)));
        };
        let value = match spec.range {
            Range::Choice(words) => words.iter().find(|w| w.eq_ignore_ascii_case(value)),
            _ => None,
        }
        .map_or(value, |word| *word);
        let before = self.options_of(algorithm);
        let mut options = before.clone();
        options.set(spec.key, value).map_err(|e| e.to_string())?;
        if algorithm != self.config.algorithm {
            self.others.retain(|(a, _)| *a != algorithm);
            self.others.push((algorithm, options));
        } else if options != before {
            // Results found with other options are no longer valid.
            self.config.options = options;
            self.clear_tables();
        }
        Ok(())
    }
}

/// Returns the algorithm of a name in upper or lower case; the error lists the names.
fn algorithm_of(name: &str) -> Result<Algorithm, String> {
    let found = ALGORITHMS
        .iter()
        .find(|a| a.name.eq_ignore_ascii_case(name));
    found.map(|a| a.algorithm).ok_or_else(|| {
        let names: Vec<&str> = ALGORITHMS.iter().map(|a| a.name).collect();
        names.join(" | ")
    })
}

/// The same for the first part of an option's long name.
fn named(algorithm: &str) -> Result<Algorithm, String> {
    algorithm_of(algorithm).map_err(|names| format!("{}: expected {names}", quote(algorithm)))
}

/// The limit for a table or a tree: half of the machine's memory.
fn most_memory() -> u64 {
    (machine_memory() / 2).max(16 * MEBIBYTE)
}

fn switch(value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err("true or false".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(algorithm: Algorithm) -> Settings {
        Settings::new(Config::new(algorithm))
    }

    #[test]
    fn no_algorithm_has_an_option_of_the_servers_name() {
        for row in &ALGORITHMS {
            for option in row.options {
                assert!(
                    SERVER_OPTIONS
                        .iter()
                        .all(|(_, own)| !own.eq_ignore_ascii_case(option.key)),
                    "{}: {}",
                    row.name,
                    option.key
                );
            }
        }
    }

    #[test]
    fn every_option_of_every_algorithm_takes_back_its_default() {
        for row in &ALGORITHMS {
            let mut settings = settings(Algorithm::AlphaBeta);
            settings
                .set("ALGORITHM", &row.name.to_uppercase())
                .expect("a name");
            let before = settings.config.options.clone();
            for option in row.options {
                settings
                    .set(&option.key.to_uppercase(), option.default)
                    .expect(option.key);
            }
            assert_eq!(settings.config.options, before);
            let listed = settings.list();
            assert_eq!(listed.len(), SERVER_OPTIONS.len() + row.options.len());
            settings.lists_all = true;
            let listed = settings.list();
            let all = ALGORITHMS
                .iter()
                .map(|row| row.options.len())
                .sum::<usize>();
            assert_eq!(listed.len(), SERVER_OPTIONS.len() + row.options.len() + all);
            assert!(listed[0].contains(&format!("default {} var", row.name)));
        }
    }

    #[test]
    fn what_was_set_for_an_algorithm_is_known_when_it_comes_back() {
        let mut settings = settings(Algorithm::AlphaBeta);
        settings.set("killers", "off").expect("an option");
        let set = settings.config.options.clone();
        settings.set("Algorithm", "mcts").expect("a name");
        assert!(settings.set("killers", "off").is_err());
        settings.set("Algorithm", "alpha-beta").expect("a name");
        assert_eq!(settings.config.options, set);
    }

    #[test]
    fn long_names_reach_every_algorithm() {
        let mut settings = settings(Algorithm::AlphaBeta);
        let is_long = |line: &String| line.starts_with("option name mcts.");
        assert!(!settings.list().iter().any(is_long));
        settings.lists_all = true;
        settings.set("MCTS.Exploration", "2").expect("an option");
        settings
            .set("alpha-beta.killers", "off")
            .expect("an option");
        assert!(!settings.config.options.switch("killers"));
        let listed = settings.list();
        assert!(listed.contains(&"option name mcts.exploration type string default 2".to_owned()));
        assert!(listed.contains(&"option name killers type check default false".to_owned()));
        settings.set("Algorithm", "mcts").expect("a name");
        assert_eq!(settings.config.options.number("exploration"), 2.0);
        for (name, expected) in [
            ("a-star.exploration", "expected alpha-beta | "),
            ("mcts.killers", "mcts has no option"),
        ] {
            let error = settings.set(name, "1").expect_err(name);
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn as_many_lines_as_there_are_moves() {
        let mut settings = settings(Algorithm::AlphaBeta);
        assert_eq!(settings.options_for(20), settings.config.options);
        settings.set("MultiPV", "5").expect("an option");
        assert_eq!(settings.options_for(20).integer(LINES), 5);
        assert_eq!(settings.options_for(3).integer(LINES), 3);
    }

    #[test]
    fn wrong_values_say_what_was_expected_and_change_nothing() {
        let mut settings = settings(Algorithm::AlphaBeta);
        for (name, value, expected) in [
            ("Threads", "many", "a whole number from 1 to 256"),
            ("Threads", "0", "a whole number from 1 to 256"),
            ("Hash", "-1", "a whole number from 1"),
            ("Hash", "99999999999999999999", "a whole number"),
            ("Tree", "maybe", "true or false"),
            ("Algorithm", "a-star", "alpha-beta | prob"),
            ("killers", "maybe", "on or off"),
            ("banana", "1", "has no option \"banana\""),
        ] {
            let error = settings.set(name, value).expect_err(name);
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(
            settings.config.options,
            Algorithm::AlphaBeta.default_options()
        );
    }

    #[test]
    fn tables_live_until_something_changes() {
        let mut settings = settings(Algorithm::AlphaBeta);
        let tables = |s: &Settings| s.config.tables.clone().expect("tables");
        let mut changes = |name: &str, value: &str| {
            let before = tables(&settings);
            settings.set(name, value).expect(name);
            !Arc::ptr_eq(&before, &tables(&settings))
        };
        assert!(!changes("Threads", "2"));
        assert!(!changes("killers", "on"));
        assert!(changes("killers", "off"));
        assert!(changes("Clear Hash", ""));
        assert!(changes("Hash", "2"));
        assert!(changes("Algorithm", "mcts"));
    }
}
