//! The kinds of difference between columns, and how they are found.

use std::cmp::Ordering;

use super::interval::Interval;
use super::merge::{Merged, MergedCell, MergedNode, held_best};
use crate::engine::{GrownBy, Reader};
use crate::game::{MoveCode, Scale};
use crate::tree::{Fate, Proof};

/// How two columns differ about a move. Columns are counted from 0; figures are from the view of the side that plays
/// the move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// `here` decided not to search the move that `there` considers best.
    PrunedHereBestThere {
        here: usize,
        there: usize,
        /// The reason, with its numbers: a fate for which [`Fate::is_skip`] is true.
        fate: Fate,
    },
    /// The proofs of the two columns cannot both be true: either there is a mistake, or a proof holds on one path only.
    Contradiction {
        one: usize,
        other: usize,
        one_proof: Proof,
        other_proof: Proof,
    },
    /// The result is certain in `here` and open in `there`, which searched the move too.
    ProvenHere {
        here: usize,
        there: usize,
        proof: Proof,
    },
    /// The expected scores are at least the threshold apart, taking bounds into account.
    Value { high: usize, low: usize, by: f32 },
    /// The best replies to the move differ.
    BestReply {
        one: usize,
        other: usize,
        one_reply: MoveCode,
        other_reply: MoveCode,
    },
    /// `there` considers the move best or spent much on it; `here` searched other moves but not this one.
    NotVisited {
        here: usize,
        there: usize,
        /// The share of the work of `there` at this node; `None` if it reports none.
        share: Option<f32>,
    },
}

/// The kinds of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    PrunedHereBestThere,
    Contradiction,
    ProvenHere,
    Value,
    BestReply,
    NotVisited,
}

impl Kind {
    /// All kinds, worst first.
    pub const ALL: [Kind; 6] = [
        Kind::PrunedHereBestThere,
        Kind::Contradiction,
        Kind::ProvenHere,
        Kind::Value,
        Kind::BestReply,
        Kind::NotVisited,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::PrunedHereBestThere => "pruned",
            Kind::Contradiction => "contradiction",
            Kind::ProvenHere => "proven",
            Kind::Value => "value",
            Kind::BestReply => "reply",
            Kind::NotVisited => "not visited",
        }
    }

    /// Returns one letter, so that colour is never the only sign.
    pub fn letter(self) -> char {
        match self {
            Kind::PrunedHereBestThere => 'P',
            Kind::Contradiction => 'C',
            Kind::ProvenHere => '!',
            Kind::Value => 'V',
            Kind::BestReply => 'R',
            Kind::NotVisited => 'N',
        }
    }

    pub fn summary(self) -> &'static str {
        match self {
            Kind::PrunedHereBestThere => "not searched by one, the best move of another",
            Kind::Contradiction => "what two have proven can't both be true",
            Kind::ProvenHere => "certain in one, open in another",
            Kind::Value => "the expected scores differ",
            Kind::BestReply => "the best replies differ",
            Kind::NotVisited => "not visited by one, much searched by another",
        }
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KindSet(u8);

impl KindSet {
    pub const NONE: KindSet = KindSet(0);
    pub const ALL: KindSet = KindSet((1 << Kind::ALL.len()) - 1);

    pub fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }

    /// Returns the set with the kind added if it was missing, and removed if it was present.
    pub fn toggled(self, kind: Kind) -> KindSet {
        KindSet(self.0 ^ 1 << kind as u8)
    }
}

impl FromIterator<Kind> for KindSet {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> KindSet {
        let bits = kinds.into_iter().map(|kind| 1 << kind as u8);
        KindSet(bits.fold(0, |set, bit| set | bit))
    }
}

/// The thresholds from which something counts as a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// The difference of expected scores, used as it is: two columns with a constant offset differ everywhere.
    pub value: f32,
    /// The share of a column's work at a node from which a move counts as important.
    pub share: f32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            value: 0.1,
            share: 0.05,
        }
    }
}

impl Difference {
    pub fn kind(&self) -> Kind {
        match self {
            Difference::PrunedHereBestThere { .. } => Kind::PrunedHereBestThere,
            Difference::Contradiction { .. } => Kind::Contradiction,
            Difference::ProvenHere { .. } => Kind::ProvenHere,
            Difference::Value { .. } => Kind::Value,
            Difference::BestReply { .. } => Kind::BestReply,
            Difference::NotVisited { .. } => Kind::NotVisited,
        }
    }

    /// Returns the two columns: the one named first in a sentence, then the other.
    pub fn columns(&self) -> (usize, usize) {
        match *self {
            Difference::PrunedHereBestThere { here, there, .. }
            | Difference::ProvenHere { here, there, .. }
            | Difference::NotVisited { here, there, .. } => (here, there),
            Difference::Contradiction { one, other, .. }
            | Difference::BestReply { one, other, .. } => (one, other),
            Difference::Value { high, low, .. } => (high, low),
        }
    }

    /// Returns how bad the difference is, in (0, 4]; greater is worse. Kinds are ordered as in [`Kind::ALL`]. A move
    /// pruned by its own numbers is worse than one cut off with its siblings, values count by their distance, and
    /// unvisited moves by their share.
    pub fn severity(&self) -> f32 {
        match *self {
            Difference::PrunedHereBestThere { fate, .. } => match fate {
                Fate::SiblingCutoff { .. } | Fate::SiblingProbabilisticCutoff { .. } => 3.5,
                _ => 4.0,
            },
            Difference::Contradiction { .. } => 3.0,
            Difference::ProvenHere { .. } => 2.5,
            Difference::Value { by, .. } => 1.0 + by.clamp(0.0, 2.0) / 2.0,
            Difference::BestReply { .. } => 0.75,
            Difference::NotVisited { share, .. } => {
                0.25 + share.unwrap_or(0.0).clamp(0.0, 1.0) / 4.0
            }
        }
    }

    /// Orders differences worst first. This is a total order: by severity, then kind, then columns.
    pub fn worst_first(&self, other: &Difference) -> Ordering {
        let by_severity = other.severity().total_cmp(&self.severity());
        by_severity.then_with(|| {
            let key = |d: &Difference| (d.kind(), d.columns());
            key(self).cmp(&key(other))
        })
    }
}

/// The two columns whose expected scores are furthest apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widest {
    high: usize,
    low: usize,
    pub by: f32,
}

/// Returns `None` if no two columns differ: one interval's lower end must be above another's upper end.
pub(super) fn widest(cells: &[Option<MergedCell>]) -> Option<Widest> {
    let mut high: Option<(usize, f32)> = None;
    let mut low: Option<(usize, f32)> = None;
    for (column, cell) in known(cells) {
        let Some(interval) = Interval::of(cell) else {
            continue;
        };
        if high.is_none_or(|(_, e)| interval.low > e) {
            high = Some((column, interval.low));
        }
        if low.is_none_or(|(_, e)| interval.high < e) {
            low = Some((column, interval.high));
        }
    }
    let ((high, top), (low, bottom)) = high.zip(low)?;
    (top > bottom).then_some(Widest {
        high,
        low,
        by: top - bottom,
    })
}

/// The merged node at which moves are compared.
pub(super) struct Here<'a> {
    merged: &'a Merged<'a>,
    /// For each column, whether an unvisited move here means anything.
    chose: Vec<bool>,
}

impl<'a> Here<'a> {
    pub fn new(merged: &'a Merged<'a>, merged_node: &MergedNode) -> Here<'a> {
        let nodes = merged_node.nodes.iter().enumerate();
        let chose = nodes.map(|(column, node)| {
            let reader = merged.reader(column);
            reader
                .zip(*node)
                .is_some_and(|(r, node)| chooses(r, node, merged.scale()))
        });
        Here {
            merged,
            chose: chose.collect(),
        }
    }

    /// Returns the differences of the given kinds, worst first.
    pub fn differences(&self, cells: &[Option<MergedCell>], kinds: KindSet) -> Vec<Difference> {
        let mut found = Vec::new();
        if kinds.has(Kind::PrunedHereBestThere) {
            pruned(cells, &mut found);
        }
        if kinds.has(Kind::Contradiction) {
            found.extend(contradiction(cells));
        }
        if kinds.has(Kind::ProvenHere) {
            found.extend(proven(cells));
        }
        if kinds.has(Kind::Value) {
            found.extend(self.value(cells));
        }
        if kinds.has(Kind::BestReply) {
            found.extend(self.reply(cells));
        }
        if kinds.has(Kind::NotVisited) {
            self.not_visited(cells, &mut found);
        }
        found.sort_by(Difference::worst_first);
        found
    }

    fn value(&self, cells: &[Option<MergedCell>]) -> Option<Difference> {
        let Widest { high, low, by } = widest(cells)?;
        (by >= self.merged.thresholds.value).then_some(Difference::Value { high, low, by })
    }

    /// Compares the first column that has a reply with the first one that has a different reply.
    fn reply(&self, cells: &[Option<MergedCell>]) -> Option<Difference> {
        let searched = known(cells).filter(|(_, cell)| cell.is_visited() && cell.view.children > 0);
        let mut replies = searched.filter_map(|(column, cell)| {
            let reader = self.merged.reader(column)?;
            Some((column, held_best(reader, cell.id.node()?)?))
        });
        let (one, one_reply) = replies.next()?;
        let (other, other_reply) = replies.find(|(_, reply)| *reply != one_reply)?;
        Some(Difference::BestReply {
            one,
            other,
            one_reply,
            other_reply,
        })
    }

    fn not_visited(&self, cells: &[Option<MergedCell>], found: &mut Vec<Difference>) {
        let least = self.merged.thresholds.share;
        let much = known(cells)
            .filter(|(_, c)| c.is_visited() && (c.is_best || c.share.is_some_and(|s| s >= least)));
        let share = |cell: &MergedCell| cell.share.unwrap_or(0.0);
        let most = much.reduce(|most, next| {
            if share(next.1) > share(most.1) {
                next
            } else {
                most
            }
        });
        let Some((there, cell)) = most else {
            return;
        };
        let missing = known(cells).filter(|(column, other)| {
            self.chose[*column] && other.view.fate == Fate::Unvisited && other.view.visits == 0
        });
        found.extend(missing.map(|(here, _)| Difference::NotVisited {
            here,
            there,
            share: cell.share,
        }));
    }
}

/// Whether a column chose among the moves of a node. At a leaf it did not, and in quiescence it looks only at captures,
/// which is a matter of depth. An external engine does not report everything it searched.
fn chooses(reader: &Reader, node: crate::tree::NodeId, scale: Scale) -> bool {
    if matches!(reader.searcher, GrownBy::External) {
        return false;
    }
    let quiescence =
        scale == Scale::Logistic && reader.view(node).window.is_some_and(|w| w.depth <= 0);
    let tree = reader.tree;
    !quiescence
        && tree
            .children(node)
            .any(|child| tree.node(child).visits() > 0)
}

fn known(cells: &[Option<MergedCell>]) -> impl Iterator<Item = (usize, &MergedCell)> {
    let cells = cells.iter().enumerate();
    cells.filter_map(|(column, cell)| Some((column, cell.as_ref()?)))
}

fn pruned(cells: &[Option<MergedCell>], found: &mut Vec<Difference>) {
    let best = known(cells).find(|(_, cell)| cell.is_best && cell.is_visited());
    let Some((there, _)) = best else {
        return;
    };
    let skipped = known(cells).filter(|(_, cell)| cell.view.fate.is_skip());
    found.extend(skipped.map(|(here, cell)| Difference::PrunedHereBestThere {
        here,
        there,
        fate: cell.view.fate,
    }));
}

fn contradiction(cells: &[Option<MergedCell>]) -> Option<Difference> {
    let proofs = || known(cells).map(|(column, cell)| (column, cell.view.proof));
    proofs().find_map(|(one, one_proof)| {
        let later = proofs().filter(|(column, _)| *column > one);
        let mut against =
            later.filter(|(_, p)| one_proof.lower > p.upper || p.lower > one_proof.upper);
        let (other, other_proof) = against.next()?;
        Some(Difference::Contradiction {
            one,
            other,
            one_proof,
            other_proof,
        })
    })
}

fn proven(cells: &[Option<MergedCell>]) -> Option<Difference> {
    let (here, cell) = known(cells).find(|(_, cell)| cell.view.proof.is_certain())?;
    // Where the game has ended nothing is left to prove, whether or not the search recorded a proof.
    let open = |cell: &MergedCell| {
        cell.is_visited()
            && !cell.view.proof.is_certain()
            && !matches!(cell.view.fate, Fate::Ended(_))
    };
    let (there, _) = known(cells).find(|(_, cell)| open(cell))?;
    Some(Difference::ProvenHere {
        here,
        there,
        proof: cell.view.proof,
    })
}
