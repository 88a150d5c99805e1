//! Rows that stand for several moves: those that were never searched, and those that hardly can be the best.

use std::collections::{HashMap, HashSet};

use super::{Names, Row, RowKey, Sort};
use game::MoveCode;
use report::gauge::{self, is_unsearched};
use session::{Policy, Reader, Standing};
use tree::{Family, Fate, NodeId, NodeView};

/// What the moves have in common for which a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// They are unlikely to be the best, or got next to no visits.
    Unlikely,
    /// The search did not look at them.
    Unsearched,
}

/// The fewest moves for which one row stands.
const LEAST: usize = 4;

/// The rows that are shown however unlikely they are, and the share below which a move counts as unlikely.
const SHOWN: usize = 5;
const UNLIKELY: f32 = 0.01;

/// How many moves that a margin decided are shown.
const MARGINS: usize = 3;

/// Whether nothing but a static value and a margin decided it.
fn is_by_margin(fate: Fate) -> bool {
    matches!(
        fate,
        Fate::Futility { .. } | Fate::DeltaPruning { .. } | Fate::ReverseFutility { .. }
    )
}

impl Fold {
    const ALL: [Fold; 2] = [Fold::Unlikely, Fold::Unsearched];

    /// Returns the code by which its row is known among the moves.
    pub fn code(self) -> MoveCode {
        MoveCode(MoveCode::PASS.0 - 1 - self as u16)
    }

    /// Returns the fold whose row has this code.
    pub fn of_code(code: MoveCode) -> Option<Fold> {
        Fold::ALL.into_iter().find(|fold| fold.code() == code)
    }
}

/// Whether a node has so many moves that one row may stand for some of them.
pub(super) fn may_fold(names: &Names) -> bool {
    names.len() > LEAST
}

/// What a row that stands for several moves says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    pub words: String,
    /// The moves, whether they are shown or not.
    moves: Vec<MoveCode>,
    pub open: bool,
}

/// The folds of the rows shown.
#[derive(Debug, Default)]
pub struct Folds {
    /// Those that the user opened.
    open: HashSet<(NodeId, Fold)>,
    shown: HashMap<(NodeId, Fold), Folded>,
    /// What was folded when the rows were made last.
    before: HashMap<(NodeId, Fold), Folded>,
}

impl Folds {
    /// Forgets what rows say, before they are made anew.
    pub fn begin(&mut self) {
        self.before = std::mem::take(&mut self.shown);
    }

    pub fn get(&self, row: &Row) -> Option<&Folded> {
        self.shown.get(&(row.parent, Fold::of_code(row.code)?))
    }

    pub fn is_open(&self, row: &Row) -> bool {
        self.get(row).is_some_and(|folded| folded.open)
    }

    /// Opens a fold, or closes it.
    pub fn set_open(&mut self, row: &Row, open: bool) {
        if let Some(fold) = Fold::of_code(row.code) {
            match open {
                true => self.open.insert((row.parent, fold)),
                false => self.open.remove(&(row.parent, fold)),
            };
        }
    }

    /// Returns the fold to which a row belongs.
    pub fn of(&self, key: RowKey) -> Option<RowKey> {
        let fold = Fold::ALL.into_iter().find(|&fold| {
            let folded = self.shown.get(&(key.parent, fold));
            folded.is_some_and(|folded| folded.moves.contains(&key.code))
        })?;
        Some(RowKey {
            parent: key.parent,
            code: fold.code(),
        })
    }

    /// Returns the moves that no row shows.
    pub fn hidden(&self) -> impl Iterator<Item = RowKey> + '_ {
        let closed = self.shown.iter().filter(|(_, folded)| !folded.open);
        closed.flat_map(|(&(parent, _), folded)| {
            let moves = folded.moves.iter();
            moves.map(move |&code| RowKey { parent, code })
        })
    }

    /// Whether a move was behind a row when the rows were made last.
    fn was_in(&self, parent: NodeId, fold: Fold, code: MoveCode) -> bool {
        let folded = self.before.get(&(parent, fold));
        folded.is_some_and(|folded| folded.moves.contains(&code))
    }

    /// Whether any moves at a node were.
    fn knows(&self, parent: NodeId) -> bool {
        Fold::ALL
            .into_iter()
            .any(|fold| self.before.contains_key(&(parent, fold)))
    }

    /// Puts the moves at a node that can be told together behind rows of their own. `stays` says which rows are never
    /// hidden; `asked` is a row that the user asked for: what it belongs to is opened.
    pub(super) fn fold(
        &mut self,
        reader: Reader,
        standings: &[Standing],
        siblings: &mut Vec<(f64, Row)>,
        (sort, frozen): (Sort, bool),
        stays: impl Fn(&Row) -> bool,
        asked: Option<RowKey>,
    ) {
        let Some(parent) = siblings.first().map(|(_, row)| row.parent) else {
            return;
        };
        let views: HashMap<MoveCode, NodeView> = standings
            .iter()
            .map(|s| (s.view.move_code, s.view))
            .collect();
        let view = |row: &Row| views.get(&row.code);
        let unsearched = |row: &Row| view(row).is_none_or(is_unsearched);
        // Before the search has come to any move there is nothing to tell apart.
        if siblings.iter().all(|(_, row)| unsearched(row)) {
            return;
        }
        let by_weight = matches!(sort, Sort::Best | Sort::Work | Sort::Score);
        let shares = Shares::of(reader, &views);
        let (mut place, mut margins) = (0, 0);
        let mut kinds: Vec<Option<Fold>> = Vec::with_capacity(siblings.len());
        for (_, row) in siblings.iter() {
            // The first that a margin decided show by how much they fall short.
            let by_margin = view(row).is_some_and(|v| is_by_margin(v.fate));
            margins += usize::from(by_margin);
            let searched = !unsearched(row) && !by_margin;
            place += usize::from(searched);
            let unlikely = by_weight
                && searched
                && place > SHOWN
                && view(row).is_some_and(|v| shares.of_move(v).is_some_and(|s| s < UNLIKELY));
            let before = || {
                Fold::ALL
                    .into_iter()
                    .find(|&fold| self.was_in(parent, fold, row.code))
            };
            kinds.push(match (searched, unlikely) {
                _ if frozen && self.knows(parent) => before(),
                _ if stays(row) || by_margin && margins <= MARGINS => None,
                (false, _) => Some(Fold::Unsearched),
                (true, true) => Some(Fold::Unlikely),
                (true, false) => None,
            });
        }
        for fold in Fold::ALL {
            let of_fold = || {
                let rows = siblings.iter().zip(&kinds);
                rows.filter(move |(_, kind)| **kind == Some(fold))
                    .map(|((_, row), _)| row)
            };
            if of_fold().count() < LEAST {
                kinds
                    .iter_mut()
                    .filter(|k| **k == Some(fold))
                    .for_each(|k| *k = None);
                continue;
            }
            let moves: Vec<MoveCode> = of_fold().map(|row| row.code).collect();
            if asked.is_some_and(|key| key.parent == parent && moves.contains(&key.code)) {
                self.open.insert((parent, fold));
            }
            let of_moves: Vec<&NodeView> =
                moves.iter().filter_map(|code| views.get(code)).collect();
            let words = match fold {
                Fold::Unsearched => unsearched_words(moves.len(), &of_moves),
                Fold::Unlikely => shares.words(moves.len(), &of_moves),
            };
            let open = self.open.contains(&(parent, fold));
            let folded = Folded { words, moves, open };
            self.shown.insert((parent, fold), folded);
        }
        let all = std::mem::take(siblings);
        let depth = all.first().map_or(0, |(_, row)| row.depth);
        let mut behind: [Vec<(f64, Row)>; 2] = Default::default();
        for (one, kind) in all.into_iter().zip(kinds) {
            match kind {
                None => siblings.push(one),
                Some(fold) => behind[fold as usize].push(one),
            }
        }
        for (fold, rows) in Fold::ALL.into_iter().zip(behind) {
            if rows.is_empty() {
                continue;
            }
            let head = Row {
                parent,
                node: NodeId::NONE,
                code: fold.code(),
                depth,
                last: false,
            };
            siblings.push((f64::NEG_INFINITY, head));
            if self.open.contains(&(parent, fold)) {
                siblings.extend(rows);
            }
        }
    }
}

/// How likely moves are to be best, or what share of the visits they have.
struct Shares {
    policy: bool,
    visits: Option<f32>,
}

impl Shares {
    fn of(reader: Reader, views: &HashMap<MoveCode, NodeView>) -> Shares {
        let best_first = reader.tree.family() == Family::BestFirst;
        let visits: f32 = views.values().map(|v| v.visits as f32).sum();
        Shares {
            policy: best_first && reader.policy() == Some(Policy::Best),
            visits: Some(visits).filter(|&v| best_first && v > 0.0),
        }
    }

    fn of_move(&self, view: &NodeView) -> Option<f32> {
        match self.policy {
            true => view.policy,
            false => self.visits.map(|all| view.visits as f32 / all),
        }
    }

    fn words(&self, count: usize, views: &[&NodeView]) -> String {
        let together: f32 = views.iter().filter_map(|v| self.of_move(v)).sum();
        let share = text::percent(together);
        let share = share.trim();
        let decided = views.iter().filter(|v| v.proof.is_certain()).count();
        let mut words = match self.policy {
            true => format!("{count} more moves, together {share} likely to be best"),
            false => format!("{count} more moves, together {share} of the visits"),
        };
        if decided > 0 {
            let lost = views.iter().filter(|v| v.proof.is_certain());
            // The views are those of the side that plays the moves.
            let all_lost = lost.clone().all(|v| v.proof.is_loss());
            words += &format!(" · {decided} {}", if all_lost { "lost" } else { "decided" });
        }
        words
    }
}

fn unsearched_words(count: usize, views: &[&NodeView]) -> String {
    let groups = gauge::gauge(views.iter().copied());
    let reasons = groups.iter().map(|g| format!("{} {}", g.count, g.name));
    let reasons = reasons.collect::<Vec<_>>().join(" · ");
    match groups.as_slice() {
        [] => format!("{count} more not searched"),
        [only] => format!("{count} more not searched: {}", only.name),
        _ => format!("{count} more not searched: {reasons}"),
    }
}
