//! A move that a search did not look at, searched anyway: beside that search and without changing it.

use game::Sided as _;
use std::time::Duration;

use super::session::Session;
use super::status::State;
use super::{Config, Subject};
use game::MoveCode;
use search::Limits;
use tree::{Family, NodeView, Tree};

/// As much as one waits for.
const NODES: u64 = 200_000;
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 64 << 20;
const TABLE: u64 = 8 << 20;

/// A search of the position after one move.
#[derive(Debug)]
pub struct Forced {
    session: Session,
    code: MoveCode,
}

/// What the search has found so far.
#[derive(Clone, Debug)]
pub struct Found {
    /// The move's figures from the view of the side that plays it.
    pub view: NodeView,
    /// The move, then the best line after it.
    pub line: Vec<MoveCode>,
    pub nodes: u64,
    /// The plies to which the move was searched, itself included; 0 if the search does not count them.
    pub depth: u16,
    pub done: bool,
}

impl Forced {
    /// Starts to search the position after a move with the algorithm and options of `config`, on one thread. A
    /// depth-first search goes `depth` plies deep. `None` if the move is not legal.
    pub fn start(
        at: &Subject,
        code: MoveCode,
        config: &Config,
        depth: Option<u16>,
    ) -> Option<Forced> {
        let mut after = at.clone();
        if !after.follow(code) {
            return None;
        }
        let by_depth = config.algorithm.info().family == Family::DepthFirst;
        let config = Config {
            limits: Limits {
                nodes: Some(NODES),
                time: Some(TIME),
                depth: depth.filter(|_| by_depth).map(|depth| depth.max(1)),
                ..Limits::default()
            },
            threads: 1,
            memory: MEMORY,
            table: TABLE,
            cores: None,
            tables: None,
            bell: None,
            ..config.clone()
        };
        let session = Session::start(after, config);
        Some(Forced { session, code })
    }

    /// Returns what has been found so far.
    pub fn found(&self) -> Found {
        let reader = self.session.reader();
        let status = self.session.status();
        let mut line = vec![self.code];
        line.extend(reader.best_moves(Tree::ROOT));
        let depth = match status.totals.depth {
            0 => 0,
            depth => depth + 1,
        };
        Found {
            view: reader.view(Tree::ROOT).one_ply_up(),
            line,
            nodes: status.totals.nodes,
            depth,
            done: matches!(status.state, State::Finished(_)),
        }
    }

    /// Waits for the end of the search.
    pub fn wait(&mut self) -> Found {
        self.session.wait(|| false);
        self.found()
    }
}
