//! The results of a review as they are saved, so that an interrupted review can be continued.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::found::to_move;
use super::{Found, reader};
use game::{Game as _, Score};
use session::record::{self, Recorded, RunHeader};
use session::{MoveName, NodeValue, Subject};
use tree::{Bound, Fate, Proof};

/// Identifies a run: a run with a different header cannot continue with these results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the record's format.
    pub plyscope_review: u32,
    /// The version of plyscope.
    pub version: String,
    /// A hash over the text of all games.
    pub games: String,
    /// The number of games.
    pub count: usize,
    /// The columns as written on the command line.
    pub columns: Vec<String>,
    pub budget: String,
    /// The bytes for each tree, if given.
    pub memory: Option<u64>,
    pub seed: u64,
    /// The endgame tables, if given.
    pub syzygy: Option<String>,
}

impl Header {
    /// The version of the record's format.
    pub const FORMAT: u32 = 1;
}

impl RunHeader for Header {
    const RECORD: &str = "a record of plyscope review";

    fn fields(&self) -> Vec<String> {
        vec![
            format!("format {}", self.plyscope_review),
            format!("version {}", self.version),
            format!("games {} ({} of them)", self.games, self.count),
            format!("columns {}", self.columns.join(" ")),
            format!("budget {}", self.budget),
            record::memory_field(self.memory),
            format!("seed {}", self.seed),
            record::tables_field(self.syzygy.as_deref()),
        ]
    }
}

/// What one column found in one position, from the side to move's view: see [`Found`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// The number of the game among those of the run, from 1.
    pub game: usize,
    pub ply: usize,
    pub column: usize,
    /// The best line, in UCI.
    pv: Vec<String>,
    expected: Option<f32>,
    /// As in [`Score::raw`].
    score: Option<i16>,
    /// 0 exact, 1 at least, 2 at most.
    bound: Option<u8>,
    /// The proven bounds, as in [`Score::raw`].
    proof: (i16, i16),
    line_short: bool,
    sd: Option<f32>,
    outcomes: bool,
    band: Option<[f32; 5]>,
    nodes: u64,
    cpu_ns: u64,
    depth: u16,
}

impl Recorded for Saved {
    type Header = Header;
    type Key = (usize, usize, usize);

    fn key(&self) -> Self::Key {
        (self.game, self.ply, self.column)
    }

    fn belongs_to(&self, header: &Header) -> bool {
        self.column < header.columns.len()
    }

    fn expected(header: &Header) -> String {
        let columns = header.columns.len();
        format!("what one of {columns} columns found in one position")
    }
}

/// An open record of a review.
pub type Record = record::Record<Saved>;

const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

impl Saved {
    /// Returns a result of the game with this number, ready to be saved.
    pub fn new(game: usize, ply: usize, column: usize, found: &Found) -> Saved {
        let value = &found.score;
        let code = |bound| BOUNDS.iter().position(|b| *b == bound);
        Saved {
            game,
            ply,
            column,
            pv: found.pv.iter().map(|m| m.uci.clone()).collect(),
            expected: value.expected,
            score: value.score.map(Score::raw),
            bound: value.bound.and_then(code).map(|code| code as u8),
            proof: (value.proof.lower.raw(), value.proof.upper.raw()),
            line_short: value.is_line_short,
            sd: found.sd,
            outcomes: found.outcomes,
            band: found.band,
            nodes: found.nodes,
            cpu_ns: found.cpu.as_nanos() as u64,
            depth: found.depth,
        }
    }

    /// Returns the result, which was found in this position; `None` if a move of its line is not legal there.
    pub fn found(&self, subject: &Subject) -> Option<Found> {
        let mut position = subject.position.clone();
        let mut pv: Vec<MoveName> = Vec::with_capacity(self.pv.len());
        for uci in &self.pv {
            let moves = position.legal_moves();
            let m = *moves.iter().find(|&&m| position.uci(m) == *uci)?;
            pv.push(reader::name(&position, m));
            position = position.after(m)?;
        }
        let bound = |code: u8| BOUNDS.get(usize::from(code)).copied();
        Some(Found {
            side: to_move(subject),
            scale: subject.position.scale(),
            best: pv.first().cloned(),
            score: NodeValue {
                wide: None,
                expected: self.expected,
                score: self.score.map(Score::from_raw),
                bound: self.bound.and_then(bound),
                proof: Proof {
                    lower: Score::from_raw(self.proof.0),
                    upper: Score::from_raw(self.proof.1),
                },
                is_line_short: self.line_short,
            },
            sd: self.sd,
            outcomes: self.outcomes,
            band: self.band,
            pv,
            nodes: self.nodes,
            cpu: Duration::from_nanos(self.cpu_ns),
            depth: self.depth,
            // Only positions in which the game is not over are searched.
            fate: Fate::default(),
        })
    }
}
