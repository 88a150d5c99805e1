//! An assignment: what a student's search has to do, and how many points that gives.

mod read;

use std::path::{Path, PathBuf};

use game::load::{LoadError, unreadable};
use search::Subject;
use text::files;

use super::check::Check;
use super::judge::Leaves;

/// The algorithm that a student writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Minimax,
    AlphaBeta,
    /// Monte Carlo tree search that descends by UCT.
    Uct,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Minimax, Kind::AlphaBeta, Kind::Uct];

    /// Returns its name in assignments.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Minimax => "minimax",
            Kind::AlphaBeta => "alpha-beta",
            Kind::Uct => "uct",
        }
    }

    /// Returns the one with this name; `mcts` is another name of UCT.
    pub fn named(name: &str) -> Option<Kind> {
        let name = if name == "mcts" { "uct" } else { name };
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it enters and leaves nodes; otherwise it makes simulations.
    pub fn is_depth_first(self) -> bool {
        self != Kind::Uct
    }

    /// Returns what is checked of it.
    pub fn checks(self) -> &'static [Check] {
        use Check::*;
        match self {
            Kind::Minimax => &[Trace, Moves, Leaves, LeafValues, Complete, Values, Answer],
            Kind::AlphaBeta => &[
                Trace, Moves, Leaves, LeafValues, Complete, Values, Cuts, Windows, Answer,
            ],
            Kind::Uct => &[
                Trace,
                Moves,
                LeafValues,
                Simulations,
                Selection,
                Visits,
                Means,
                Answer,
            ],
        }
    }
}

/// What cuts off the moves of a node that are left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// A value that reaches the bound, as in alpha ≥ beta.
    #[default]
    Cut,
    /// Only one beyond it.
    Search,
    /// Both are right.
    Either,
}

impl Ties {
    const NAMES: [(&'static str, Ties); 3] = [
        ("cut", Ties::Cut),
        ("search", Ties::Search),
        ("either", Ties::Either),
    ];
}

/// Which move at the root is the right answer of a best-first search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chosen {
    /// The one with the most visits, or the one with the greatest mean.
    #[default]
    Either,
    Visits,
    Value,
}

impl Chosen {
    const NAMES: [(&'static str, Chosen); 3] = [
        ("either", Chosen::Either),
        ("visits", Chosen::Visits),
        ("value", Chosen::Value),
    ];
}

/// What the algorithm is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    pub ties: Ties,
    pub leaves: Leaves,
    /// The constant c of UCT, in mean + c √(ln N / n). `None`: only that unvisited moves come first is checked.
    pub exploration: Option<f64>,
    /// The least and the greatest value with which UCT computes.
    pub range: [f64; 2],
    /// Whether simulations end with playouts, so that their values are results of games.
    pub playouts: bool,
    pub answer: Chosen,
    /// The value of a win as the assignment tells it; see [`Rules::win`].
    pub win: Option<f64>,
}

impl Rules {
    /// The value of a win where leaves are worth centipawns: more than all material.
    const WIN_IN_CENTIPAWNS: f64 = 30_000.0;

    /// Returns the value of a win, where the trace names neither that nor a range.
    pub fn win(&self) -> f64 {
        let usual = match self.leaves {
            Leaves::Material => Rules::WIN_IN_CENTIPAWNS,
            Leaves::Own | Leaves::Zero => 1.0,
        };
        self.win.unwrap_or(usual)
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            ties: Ties::default(),
            leaves: Leaves::default(),
            exploration: None,
            range: [-1.0, 1.0],
            playouts: true,
            answer: Chosen::default(),
            win: None,
        }
    }
}

/// What a search has to do.
#[derive(Clone, Debug)]
pub struct Assignment {
    pub title: String,
    /// What the students read.
    pub text: String,
    /// `None`: a search of any kind, which is compared with a reference.
    pub kind: Option<Kind>,
    /// The position to search. `None`: the one of the trace.
    pub root: Option<Subject>,
    /// Plies; `None`: to the end of the game.
    pub depth: Option<u32>,
    /// `None`: any number.
    pub simulations: Option<u64>,
    pub rules: Rules,
    /// Up to how much values may differ, in the program's unit.
    pub tolerance: f64,
    /// The checks with their points.
    pub points: Vec<(Check, f64)>,
    /// The trace with which the search is compared.
    pub against: Option<PathBuf>,
    /// Whether what a check looks at has to be told.
    pub is_strict: bool,
}

/// What the file of an assignment is called in its folder.
pub const FILE: &str = "assignment.toml";

impl Assignment {
    /// An assignment that asks for an algorithm, or for nothing but what a reference does.
    pub fn new(kind: Option<Kind>) -> Assignment {
        let checks = kind.map_or(&[Check::Trace, Check::Reference][..], Kind::checks);
        Assignment {
            title: String::new(),
            text: String::new(),
            kind,
            root: None,
            depth: None,
            simulations: None,
            rules: Rules::default(),
            tolerance: 0.0,
            points: checks.iter().map(|&check| (check, usual(check))).collect(),
            against: None,
            is_strict: false,
        }
    }

    /// Reads an assignment from its file, or from a folder with a file called [`FILE`].
    ///
    /// # Errors
    /// If it cannot be read; otherwise the first error in it.
    pub fn open(path: &Path) -> Result<Assignment, LoadError> {
        let path = match path.is_dir() {
            true => path.join(FILE),
            false => path.to_owned(),
        };
        let name = path.to_string_lossy();
        let text = files::read_text(&path).map_err(|e| unreadable(&e).in_file(&name))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = |file: &str| files::read(&folder.join(file));
        let mut read = Assignment::read(&text, &beside).map_err(|e| match e.file {
            None => e.in_file(&name),
            Some(_) => e,
        })?;
        read.against = read.against.map(|file| folder.join(file));
        Ok(read)
    }

    /// Reads an assignment from a text. `beside` reads the files that it names.
    ///
    /// # Errors
    /// The first error in it.
    pub fn read(
        text: &str,
        beside: &dyn Fn(&str) -> std::io::Result<Vec<u8>>,
    ) -> Result<Assignment, LoadError> {
        read::read(text, beside)
    }

    /// Adds a comparison with a trace.
    pub fn against(mut self, file: PathBuf) -> Assignment {
        if self
            .points
            .iter()
            .all(|(check, _)| *check != Check::Reference)
        {
            self.points.push((Check::Reference, 1.0));
        }
        self.against = Some(file);
        self
    }
}

/// The points of a check, unless an assignment says otherwise.
fn usual(check: Check) -> f64 {
    match check {
        Check::Trace => 0.0,
        _ => 1.0,
    }
}
