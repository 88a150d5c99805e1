//! What alpha-beta reads from the transposition table, and what it stores there.

use super::AlphaBeta;
use crate::MAX_DEPTH;
use game::{Game, MoveCode, Score};
use search::Probe;
use search::common::context::Visit;
use search::common::table::{Entry, Table, Tables};
use tree::{Bound, Fate};

/// Where values are kept: in one table, or lower and upper bounds each in a table of their own.
#[derive(Clone, Copy)]
pub(super) struct Store<'a> {
    main: &'a Table,
    /// The upper bounds, where `main` has the lower ones alone.
    upper: Option<&'a Table>,
    /// Nodes with fewer plies left are not kept.
    least_depth: i32,
}

impl<'a> Store<'a> {
    /// One ply from the horizon, a search costs less than waiting for the table's memory.
    const LEAST_DEPTH: i32 = 2;

    pub fn single(main: &'a Table) -> Self {
        Store {
            main,
            upper: None,
            least_depth: Self::LEAST_DEPTH,
        }
    }

    /// Both bounds of every node; with `leaves`, those at the horizon as well.
    pub fn both(tables: &'a Tables, leaves: bool) -> Self {
        let both = tables.bounds();
        Store {
            main: &both.lower,
            upper: Some(&both.upper),
            least_depth: if leaves { i32::MIN } else { Self::LEAST_DEPTH },
        }
    }

    /// Whether leaves are kept as well.
    pub fn keeps_leaves(&self) -> bool {
        self.least_depth == i32::MIN
    }

    /// Fetches from memory what will be asked soon about a node with `depth` plies left.
    #[inline]
    pub fn fetch(&self, depth: i32, key: impl FnOnce() -> u64) {
        if depth >= self.least_depth {
            self.main.fetch(key());
        }
    }

    #[inline]
    fn get(&self, key: u64) -> Known {
        Known {
            entry: self.main.get(key),
            upper: self.upper.and_then(|table| table.get(key)),
        }
    }

    /// The value of a leaf that was stored by [`Store::put_leaf`].
    pub fn leaf(&self, key: u64) -> Option<Score> {
        self.main.get(key).map(|entry| entry.value)
    }

    /// Stores the exact value of a leaf.
    pub fn put_leaf(&self, key: u64, value: Score) {
        let entry = Entry {
            best: MoveCode::NONE,
            value,
            depth: 0,
            bound: Bound::Exact,
            static_value: None,
        };
        self.put(key, entry);
    }

    fn put(&self, key: u64, entry: Entry) {
        match self.upper {
            None => self.main.put(key, entry),
            Some(upper) => {
                if entry.bound != Bound::Upper {
                    self.main.put(key, entry);
                }
                if entry.bound != Bound::Lower {
                    upper.put(key, entry);
                }
            }
        }
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    entry: Option<Entry>,
    /// The upper bound, where it is kept for itself.
    upper: Option<Entry>,
}

impl Known {
    /// The entry that knows the move to search first: a lower bound's move was good enough to cut off the others.
    #[inline]
    pub fn first(&self) -> Option<Entry> {
        self.entry.or(self.upper)
    }

    /// The entry that ends a visit, with the fate; see [`cutoff`].
    #[inline]
    pub fn cutoff(&self, visit: &Visit, exact: bool, clock: u32) -> Option<(Score, Fate)> {
        let ends = |entry: Option<Entry>| {
            let entry = entry?;
            cutoff(&entry, visit, exact, clock).map(|fate| (entry.value, fate))
        };
        ends(self.entry).or_else(|| ends(self.upper))
    }
}

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    /// The table, at nodes that use it.
    #[inline]
    fn table_for(&self, visit: &Visit) -> Option<&Store<'a>> {
        self.table
            .as_ref()
            .filter(|store| visit.depth >= store.least_depth && !visit.on_choices)
    }

    /// What the table knows about a node just entered.
    #[inline]
    pub(super) fn known<G: Game>(&self, visit: &Visit, position: &G) -> Known {
        let asked = self.root.again.is_none() || visit.node != self.root.again;
        match self.table_for(visit).filter(|_| asked) {
            Some(table) => table.get(self.context.place_in_table(position)),
            None => Known::default(),
        }
    }

    /// Stores in the table what a node's moves yielded.
    pub(super) fn remember(
        &self,
        visit: &Visit,
        key: u64,
        value: Score,
        best: MoveCode,
        static_value: Option<Score>,
    ) {
        let Some(table) = self.table_for(visit) else {
            return;
        };
        table.put(
            key,
            Entry {
                best,
                value,
                depth: visit.depth as i8,
                bound: visit.bound_of(value),
                static_value,
            },
        );
    }
}

/// Whether a table entry ends the visit. It never does at the root or inside an open window, where the line is wanted;
/// where a short mate is at stake (`exact`), only a mate that was found does, since any other value may be due to
/// pruning. `clock`: plies since the last move that cannot be undone.
pub(crate) fn cutoff(entry: &Entry, visit: &Visit, exact: bool, clock: u32) -> Option<Fate> {
    if visit.ply == 0 || !visit.is_null_window() || i32::from(entry.depth) < visit.depth {
        return None;
    }
    let Entry { value, bound, .. } = *entry;
    if !is_in_time(value, entry.depth, clock) {
        return None;
    }
    let (low, high) = (value <= visit.alpha, value >= visit.beta);
    let usable = match bound {
        _ if exact => is_found(value, bound) && (value.is_win() && high || value.is_loss() && low),
        Bound::Exact => true,
        Bound::Lower => high,
        Bound::Upper => low,
        Bound::None => false,
    };
    usable.then_some(Fate::TableHit {
        value,
        depth: entry.depth.max(0) as u8,
        bound,
    })
}

/// Whether the value says that one side mates, and not just that no faster mate was found.
pub(crate) fn is_found(value: Score, bound: Bound) -> bool {
    value.is_win() && bound != Bound::Upper || value.is_loss() && bound != Bound::Lower
}

/// Whether a win or loss found at another clock also holds at this one: the mate has to come before the fifty moves are
/// up. The length of a win by the endgame tables is unknown; it depends on a capture or pawn move within the depth
/// searched.
pub(crate) fn is_in_time(value: Score, depth: i8, clock: u32) -> bool {
    /// Extensions can turn one ply of depth into two.
    const LONGEST: u32 = 2;
    if !value.is_decided() {
        return true;
    }
    let plies = match value.mate_plies() {
        Some(plies) => u32::from(plies.unsigned_abs()),
        None => LONGEST * u32::from(MAX_DEPTH.min(depth.unsigned_abs().into())) + UNSEEN,
    };
    clock + plies <= FIFTY_MOVES
}

/// Plies that extensions may add beyond twice the depth.
const UNSEEN: u32 = 40;
/// The number of plies without a capture or pawn move that ends the game, unless one side is mated.
const FIFTY_MOVES: u32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_taken_from_the_table_only_where_it_comes_in_time() {
        let mate = Score::win_in(5);
        assert!(is_in_time(mate, 5, 95) && !is_in_time(mate, 5, 96));
        let lost = Score::loss_in(8);
        assert!(is_in_time(lost, 8, 92) && !is_in_time(lost, 8, 93));
        assert!(is_in_time(Score::new(700), 9, 99), "no mate");
        assert!(is_in_time(Score::SOME_WIN, 10, 40));
        assert!(!is_in_time(Score::SOME_LOSS, 10, 41));
    }

    #[test]
    fn that_no_mate_was_found_is_no_find() {
        assert!(is_found(Score::win_in(5), Bound::Lower));
        assert!(is_found(Score::loss_in(4), Bound::Upper));
        assert!(!is_found(Score::win_in(5), Bound::Upper));
        assert!(!is_found(Score::loss_in(4), Bound::Lower));
        assert!(!is_found(Score::new(30), Bound::Exact));
    }
}
