//! One side of a game: a search that follows it and keeps what it knows.

use std::sync::Arc;

use super::{Stopped, finish};
use belief::score::Forecast;
use game::{Game as _, MoveCode};
use search::common::table::Tables;
use session::jobs::Worker;
use session::{Budget, Config, Next, NodeBelief, Session, Source, Subject};
use studies::review::sized;
use tree::Tree;

/// A side. Its search keeps the tree, if the algorithm reuses it, and the tables from move to move, as in a game by UCI.
#[derive(Debug)]
pub(crate) struct Player {
    config: Config,
    /// The search of the move before.
    session: Option<Session>,
}

/// The move that a side plays.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub played: MoveCode,
    pub opinion: Option<Opinion>,
}

/// What a side believes about its move, in expected scores from its own view.
#[derive(Clone, Debug)]
pub(crate) struct Opinion {
    pub forecast: Forecast,
    pub sd: f32,
    /// The shares of the policy; empty if the algorithm has none.
    pub shares: Vec<(MoveCode, f32)>,
}

impl Player {
    /// Creates a side for one game that searches so many nodes for each move.
    pub fn new(config: &Config, nodes: u64, seed: u64) -> Player {
        let sized = Config {
            table: config.table,
            seed,
            ..sized(config, Budget::Nodes(nodes))
        };
        Player {
            config: Config {
                tables: Some(Arc::new(Tables::new(sized.table_bytes()))),
                ..sized
            },
            session: None,
        }
    }

    /// Searches the position to which the game has come.
    pub fn choose(&mut self, at: &Subject, worker: &Worker) -> Result<Chosen, Stopped> {
        let config = self.config.clone();
        let mut session = match self.session.take() {
            Some(before) => Session::start_after(before, at.clone(), config, Next::default()).0,
            None => Session::start(at.clone(), config),
        };
        finish(&mut session, worker)?;
        // With very few nodes nothing may be known.
        let any = || {
            let moves = at.position.legal_moves();
            moves.first().map(|m| at.position.encode(*m))
        };
        let played = session.best_to_play().or_else(any).ok_or(Stopped)?;
        let opinion = opinion(&session, played);
        self.session = session.can_be_followed().then_some(session);
        Ok(Chosen { played, opinion })
    }
}

/// Returns what a search believes about a move; `None` if it has no distribution, or has proven the result.
fn opinion(session: &Session, played: MoveCode) -> Option<Opinion> {
    if !session.config().algorithm.info().beliefs {
        return None;
    }
    let reader = session.reader();
    let rows = reader.rows(Tree::ROOT);
    let row = rows.iter().find(|row| row.move_code == played)?;
    let stored = |b: &&NodeBelief| b.source == Source::Stored && !row.view.proof.is_exact();
    let belief = row.belief.as_ref().filter(stored)?;
    let shares = reader.shares(rows.iter().map(|row| &row.view));
    let of = rows.iter().zip(shares);
    let shares = of.filter_map(|(row, s)| Some((row.move_code, s.best.or(s.visits)?)));
    Some(Opinion {
        forecast: Forecast::of(&belief.density, reader.tree.grid()),
        sd: belief.sd,
        shares: shares.collect(),
    })
}
