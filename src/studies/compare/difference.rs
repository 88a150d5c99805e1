//! The kinds of difference between columns, and which of them are flagged.

use std::cmp::Ordering;

use super::apart::Apart;
use game::MoveCode;
use tree::{Fate, Proof};

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
    /// The least distance of expected scores that is worth a note, however sure the columns are.
    pub value: f32,
    /// How many times the joint uncertainty two values have to be apart for the difference to be flagged.
    pub sigmas: f32,
    /// The share of a column's work at a node from which a move counts as important.
    pub share: f32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            value: 0.1,
            sigmas: 1.0,
            share: 0.05,
        }
    }
}

/// A difference as it was found, with what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub difference: Difference,
    /// The two values that the difference is judged by: those of the move itself where the columns differ about its value
    /// or its proof. Where they choose differently, they are the values that one column gives to both choices. `None` if
    /// there is nothing to compare.
    pub apart: Option<Apart>,
    /// Whether the two values are further apart than their joint uncertainty explains. A contradiction always is.
    pub flagged: bool,
}

impl Found {
    pub fn kind(&self) -> Kind {
        self.difference.kind()
    }

    /// Orders what was found at one move: what is flagged first, and then as in [`Difference::worst_first`].
    pub fn worst_first(&self, other: &Found) -> Ordering {
        let flagged = other.flagged.cmp(&self.flagged);
        flagged.then_with(|| self.difference.worst_first(&other.difference))
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
