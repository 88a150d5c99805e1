//! Endgame tables in a search: which positions are looked up, and what follows at a root that is in the tables.
//!
//! Away from the root, a position that the tables know is not searched: it is proven, with the table as the reason
//! ([`Fate::Tablebase`]). A root in the tables is still searched, because the tables say who wins but not how to mate.
//! Its moves that give the result away are left out, and the others are searched without the tables. The move played is
//! a mate that was proven, or otherwise the one that brings the next irreversible move nearest.

use super::{Job, OptionSpec, Options, Range};
use eval::Evaluator;
use game::{Drawn, EndgameTables, Game, KnownDraw, MoveCode, TableHit, TableResult};
use tree::{Fate, Proof, Tree};

/// An option that all algorithms share: the largest number of men for which the tables are used.
pub const TABLE_MEN: OptionSpec = OptionSpec {
    key: "table-men",
    default: "7",
    range: Range::Integer { min: 0, max: 7 },
    summary: "look up positions of at most so many men in the endgame tables (--syzygy); 0: none",
};

/// An option that all algorithms share: whether draws that are known without tables end a line.
pub const KNOWN_DRAWS: OptionSpec = OptionSpec {
    key: "known-draws",
    default: "on",
    range: Range::Switch,
    summary: "positions that are known to be drawn, such as king and pawn against king, are not searched",
};

/// What endgame tables say about the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootInTables {
    /// The best result of any move, and the distance of the move to play.
    pub hit: TableHit,
    /// The move that keeps the result and comes nearest to the next irreversible move, or delays it longest.
    pub best: MoveCode,
    /// The moves that keep the result, the best one first.
    pub kept: Vec<MoveCode>,
    /// The moves that give the result away, each from the view of the side to move after it.
    pub thrown: Vec<(MoveCode, TableHit)>,
}

/// One thread's access to the endgame tables.
#[derive(Clone, Debug)]
pub struct Endgames<'a> {
    /// `None` where nothing is looked up away from the root.
    tables: Option<&'a EndgameTables>,
    men: u32,
    /// Whether any position occurred twice in the game. The tables know nothing of repetitions, so their distances then
    /// prove nothing until the next capture or pawn move.
    repeats: bool,
    /// Whether draws that are known without tables end a line.
    known_draws: bool,
    root: Option<RootInTables>,
}

impl<'a> Endgames<'a> {
    pub fn new<G: Game, E: Evaluator<G>>(job: &Job<'a, G, E>) -> Self {
        let men = most_men(job.options, job.endgames);
        Endgames {
            tables: job.endgames.filter(|_| men > 0),
            men,
            repeats: !Drawn::of(job.situation).is_empty(),
            known_draws: job.options.switch(KNOWN_DRAWS.key),
            root: None,
        }
    }

    /// Looks up the root's moves. If the tables know them, no other position is looked up from then on.
    pub fn enter_root<G: Game, E: Evaluator<G>>(&mut self, job: &Job<G, E>) {
        self.root = root_in_tables(job);
        if self.root.is_some() {
            self.tables = None;
        }
    }

    /// What the tables say about the root.
    #[inline]
    pub fn root(&self) -> Option<&RootInTables> {
        self.root.as_ref()
    }

    /// Whether positions are looked up away from the root.
    #[inline]
    pub fn are_asked(&self) -> bool {
        self.tables.is_some()
    }

    /// Looks up a position away from the root and returns a proven result. `by_distance`: even where the clock of the
    /// fifty moves is running.
    #[inline]
    pub fn look_up<G: Game>(&self, position: &G, by_distance: bool) -> Option<TableHit> {
        let tables = self.tables?;
        if position.men() > self.men {
            return None;
        }
        let hit = position.look_up(tables, by_distance && !self.repeats)?;
        hit.result.is_certain().then_some(hit)
    }

    /// The known draw that a position away from the root is. The root is searched all the same, so that there is a move to
    /// play.
    #[inline]
    pub fn known_draw<G: Game>(&self, position: &G) -> Option<KnownDraw> {
        if self.known_draws {
            position.known_draw()
        } else {
            None
        }
    }
}

/// The largest number of men for which positions are looked up: limited by the option and by the tables.
fn most_men(options: &Options, tables: Option<&EndgameTables>) -> u32 {
    let wished = u32::try_from(options.integer(TABLE_MEN.key)).unwrap_or(0);
    tables.map_or(0, |tables| tables.men().min(wished))
}

/// What the tables say about the root of a search and each of its moves that was not taken out; `None` where they do
/// not know all of them.
pub fn root_in_tables<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Option<RootInTables> {
    let tables = job.endgames?;
    let position = &job.situation.position;
    if position.men() > most_men(job.options, job.endgames) || position.ending(true).is_some() {
        return None;
    }
    let mut moves = position.look_up_moves(tables, job.situation)?;
    let out = job.choices.excluded(Tree::ROOT);
    if moves.iter().any(|(m, _)| out.binary_search(m).is_err()) {
        moves.retain(|(m, _)| out.binary_search(m).is_err());
    }
    // The shortest way comes first for the winning side, the longest for the other; captures and pawn moves are the
    // shortest.
    moves.sort_by_key(|(_, hit)| (-hit.result, hit.dtz));
    let (best, hit) = *moves.first()?;
    let (kept, thrown): (Vec<_>, Vec<_>) =
        moves.into_iter().partition(|(_, h)| h.result == hit.result);
    Some(RootInTables {
        hit,
        best,
        kept: kept.into_iter().map(|(m, _)| m).collect(),
        thrown: thrown.into_iter().map(|(m, hit)| (m, after(hit))).collect(),
    })
}

/// At a root that is a known draw: the move that holds it and leads to the best static value, or `NONE`.
///
/// A search finds all moves that hold the draw equal, and would as soon play one that gives the pawn away.
pub fn best_of_drawn<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> MoveCode {
    let root = &job.situation.position;
    if !job.options.switch(KNOWN_DRAWS.key) || root.known_draw().is_none() {
        return MoveCode::NONE;
    }
    let moves = root.legal_moves().into_iter();
    let held = moves.filter_map(|m| {
        let code = root.encode(m);
        let mut after = root.clone();
        after.play(m);
        after.known_draw()?;
        let value = job.evaluator.value(&job.evaluator.start(&after), &after);
        (!job.choices.excludes(Tree::ROOT, code)).then_some((value, code))
    });
    let best = held.min_by_key(|(value, _)| *value);
    best.map_or(MoveCode::NONE, |(_, code)| code)
}

/// The same result from the view of the side to move after the move.
fn after(hit: TableHit) -> TableHit {
    TableHit {
        result: -hit.result,
        dtz: hit.dtz.map(|d| -d),
        ..hit
    }
}

impl RootInTables {
    /// Bounds on the root's score. No mate is shorter than the way to the next irreversible move.
    pub fn proof(&self) -> Proof {
        Proof::of_table(self.hit)
    }

    /// How many moves were looked up.
    pub fn moves(&self) -> usize {
        self.kept.len() + self.thrown.len()
    }

    /// Whether the tables choose the move unless something better is proven: they do where there is something to win or
    /// to lose.
    pub fn decides(&self) -> bool {
        self.hit.result != TableResult::Draw
    }

    /// Whether this move keeps the result.
    pub fn keeps(&self, m: MoveCode) -> bool {
        self.kept.contains(&m)
    }

    /// The fate of a move that gives the result away.
    pub fn fate(&self, m: MoveCode) -> Option<Fate> {
        let found = self.thrown.iter().find(|(thrown, _)| *thrown == m);
        found.map(|(_, hit)| Fate::Tablebase(*hit))
    }
}
