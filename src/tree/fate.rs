//! Why a node is as it is: the one vocabulary of reasons, packed into eight bytes.

use crate::game::{Ending, MoveCode, Score};

/// Why a node is as it is, with the numbers that decided it.
///
/// Scores are from the view of the side to move at the node, except in the fates of moves that were *not*
/// searched ([`Fate::is_skip`]): there the decision was the parent's, and so is the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fate {
    /// In the tree, but nothing looked at it yet.
    #[default]
    Unvisited,
    /// Evaluated, not expanded yet (best-first).
    Frontier,
    /// Its moves were searched; `best` is the one its value comes from (`MoveCode::NONE` if not one move).
    ///
    /// `skipped` moves have no node of their own: in a null window that failed low every skip rests on the same
    /// numbers, which this node has (static value, alpha, depth, and `margin`), so their rows are made when
    /// somebody looks.
    Expanded {
        best: MoveCode,
        searched: u8,
        skipped: u8,
        moves: u8,
        margin: i16,
    },
    /// Where the depth ended: quiescence found nothing to change the static value, or there is none.
    Horizon { static_value: Score },
    /// Quiescence: the static value alone reaches beta.
    StandPat { static_value: Score, beta: Score },
    /// The game ends here.
    Ended(Ending),
    /// The position stood before, `plies_back` plies ago; `times` counts the earlier occurrences.
    Repetition { times: u8, plies_back: u16 },
    /// The move `by`, the `searched`-th of `moves`, reached beta: the remaining moves can't matter.
    BetaCutoff {
        by: MoveCode,
        value: Score,
        beta: Score,
        searched: u8,
    },
    /// P(max >= beta) reached the confidence level after `searched` moves. Probabilities in 1/65535; `beta_bin`
    /// is a bin of the belief grid.
    ProbabilisticCutoff {
        searched: u8,
        probability: u16,
        confidence: u16,
        beta_bin: u8,
    },
    /// Skipped: static value + margin <= alpha with `depth` plies left (parent's view).
    Futility {
        static_value: Score,
        margin: i16,
        alpha: Score,
        depth: u8,
    },
    /// Quiescence skipped the capture: static value + gain of the capture and margin <= alpha (parent's view).
    DeltaPruning {
        static_value: Score,
        margin: i16,
        alpha: Score,
    },
    /// Quiescence skipped the capture: the exchange on its square loses material.
    LosingExchange,
    /// Not searched: the transposition table knew enough.
    TableHit {
        value: Score,
        depth: u8,
        bound: Bound,
    },
    /// Proven by its children: `by` is the one that proves a win, or holds out longest.
    Proven { by: MoveCode, children: u8 },
    /// Not searched: an earlier sibling (`by`) had already refuted the parent (parent's view). Not stored in
    /// the tree; the rows of such moves are made from the parent's [`Fate::BetaCutoff`].
    SiblingCutoff {
        by: MoveCode,
        value: Score,
        beta: Score,
    },
    /// Not searched: the parent was cut off at the confidence level. Made from the parent's fate like the above.
    SiblingProbabilisticCutoff { probability: u16, confidence: u16 },
    /// Searched, but below what the tree's budget of memory could record.
    Unrecorded,
    /// The search was stopped in the middle of this node.
    Interrupted,
    /// Not searched: a person took the move out.
    Excluded,
}

/// How a depth-first value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bound {
    #[default]
    None,
    /// The true value is at least this (fail high).
    Lower,
    /// The true value is at most this (fail low).
    Upper,
    Exact,
}

impl Bound {
    pub(crate) fn from_bits(bits: u8) -> Bound {
        match bits & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => Bound::None,
        }
    }
}

/// One row a kind of fate: its place in counters, its name in JSON, its letter and glyph on the screen.
#[derive(Debug, Clone, Copy)]
pub struct FateKind {
    pub name: &'static str,
    /// One letter, so that no meaning is carried by colour alone.
    pub letter: char,
    pub summary: &'static str,
}

const fn kind(name: &'static str, letter: char, summary: &'static str) -> FateKind {
    FateKind {
        name,
        letter,
        summary,
    }
}

/// The table of fates, indexed by [`Fate::kind`].
pub const FATES: [FateKind; 19] = [
    kind("unvisited", '.', "in the tree, not looked at yet"),
    kind("frontier", 'o', "evaluated, not expanded yet"),
    kind("expanded", 'E', "its moves were searched"),
    kind("horizon", 'H', "the depth ended here"),
    kind(
        "stand-pat",
        'S',
        "quiescence: the static value alone reaches beta",
    ),
    kind("ended", '#', "the game ends here"),
    kind("repetition", 'R', "the position stood before"),
    kind("beta-cutoff", 'X', "cut off: one move reached beta"),
    kind(
        "probabilistic-cutoff",
        'P',
        "cut off: P(max >= beta) reached the confidence level",
    ),
    kind(
        "futility",
        'F',
        "skipped: static value + margin is not above alpha",
    ),
    kind(
        "delta-pruning",
        'D',
        "skipped capture: static value + gain is not above alpha",
    ),
    kind("losing-exchange", 'L', "skipped capture: it loses material"),
    kind("table-hit", 'T', "taken from the transposition table"),
    kind("proven", '!', "proven by its children"),
    kind(
        "sibling-cutoff",
        'x',
        "not searched: an earlier move refuted the parent",
    ),
    kind(
        "sibling-probabilistic-cutoff",
        'p',
        "not searched: the parent was cut off at the confidence level",
    ),
    kind(
        "unrecorded",
        'U',
        "searched, but the tree's memory was used up",
    ),
    kind(
        "interrupted",
        'I',
        "the search was stopped in the middle of it",
    ),
    kind("excluded", 'N', "not searched: taken out by hand"),
];

const ENDINGS: [Ending; 5] = [
    Ending::Checkmate,
    Ending::Stalemate,
    Ending::InsufficientMaterial,
    Ending::FiftyMoves,
    Ending::Leaf,
];

fn pack(kind: u8, a: u16, b: u16, c: u16, d: u8) -> u64 {
    u64::from(kind)
        | u64::from(a) << 8
        | u64::from(b) << 24
        | u64::from(c) << 40
        | u64::from(d) << 56
}

impl Fate {
    /// The row in [`FATES`].
    #[must_use]
    pub const fn kind(self) -> usize {
        match self {
            Fate::Unvisited => 0,
            Fate::Frontier => 1,
            Fate::Expanded { .. } => 2,
            Fate::Horizon { .. } => 3,
            Fate::StandPat { .. } => 4,
            Fate::Ended(_) => 5,
            Fate::Repetition { .. } => 6,
            Fate::BetaCutoff { .. } => 7,
            Fate::ProbabilisticCutoff { .. } => 8,
            Fate::Futility { .. } => 9,
            Fate::DeltaPruning { .. } => 10,
            Fate::LosingExchange => 11,
            Fate::TableHit { .. } => 12,
            Fate::Proven { .. } => 13,
            Fate::SiblingCutoff { .. } => 14,
            Fate::SiblingProbabilisticCutoff { .. } => 15,
            Fate::Unrecorded => 16,
            Fate::Interrupted => 17,
            Fate::Excluded => 18,
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        FATES[self.kind()].name
    }

    #[must_use]
    pub fn letter(self) -> char {
        FATES[self.kind()].letter
    }

    /// A move that the search decided not to visit.
    #[must_use]
    pub const fn is_skip(self) -> bool {
        matches!(
            self,
            Fate::Futility { .. }
                | Fate::DeltaPruning { .. }
                | Fate::LosingExchange
                | Fate::Excluded
                | Fate::SiblingCutoff { .. }
                | Fate::SiblingProbabilisticCutoff { .. }
        )
    }

    /// A node whose remaining moves were cut off.
    #[must_use]
    pub const fn is_cutoff(self) -> bool {
        matches!(
            self,
            Fate::BetaCutoff { .. } | Fate::ProbabilisticCutoff { .. }
        )
    }

    /// The move the node's value comes from, where the fate knows one.
    #[must_use]
    pub const fn best(self) -> Option<MoveCode> {
        match self {
            Fate::Expanded { best: m, .. }
            | Fate::BetaCutoff { by: m, .. }
            | Fate::Proven { by: m, .. }
                if m.0 != MoveCode::NONE.0 =>
            {
                Some(m)
            }
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn to_bits(self) -> u64 {
        let k = self.kind() as u8;
        let s = |score: Score| score.raw() as u16;
        match self {
            Fate::Unvisited
            | Fate::Frontier
            | Fate::LosingExchange
            | Fate::Unrecorded
            | Fate::Interrupted
            | Fate::Excluded => pack(k, 0, 0, 0, 0),
            Fate::Expanded {
                best,
                searched,
                skipped,
                moves,
                margin,
            } => pack(
                k,
                best.0,
                u16::from(searched) | u16::from(skipped) << 8,
                margin as u16,
                moves,
            ),
            Fate::Horizon { static_value } => pack(k, s(static_value), 0, 0, 0),
            Fate::StandPat { static_value, beta } => pack(k, s(static_value), s(beta), 0, 0),
            Fate::Ended(ending) => pack(
                k,
                ENDINGS.iter().position(|e| *e == ending).unwrap_or(0) as u16,
                0,
                0,
                0,
            ),
            Fate::Repetition { times, plies_back } => pack(k, times.into(), plies_back, 0, 0),
            Fate::BetaCutoff {
                by,
                value,
                beta,
                searched,
            } => pack(k, by.0, s(value), s(beta), searched),
            Fate::ProbabilisticCutoff {
                searched,
                probability,
                confidence,
                beta_bin,
            } => pack(k, probability, confidence, beta_bin.into(), searched),
            Fate::Futility {
                static_value,
                margin,
                alpha,
                depth,
            } => pack(k, s(static_value), margin as u16, s(alpha), depth),
            Fate::DeltaPruning {
                static_value,
                margin,
                alpha,
            } => pack(k, s(static_value), margin as u16, s(alpha), 0),
            Fate::TableHit {
                value,
                depth,
                bound,
            } => pack(k, s(value), bound as u16, 0, depth),
            Fate::Proven { by, children } => pack(k, by.0, 0, 0, children),
            Fate::SiblingCutoff { by, value, beta } => pack(k, by.0, s(value), s(beta), 0),
            Fate::SiblingProbabilisticCutoff {
                probability,
                confidence,
            } => pack(k, probability, confidence, 0, 0),
        }
    }

    pub(crate) fn from_bits(bits: u64) -> Fate {
        let (a, b, c, d) = (
            (bits >> 8) as u16,
            (bits >> 24) as u16,
            (bits >> 40) as u16,
            (bits >> 56) as u8,
        );
        let s = |raw: u16| Score::from_raw(raw as i16);
        match bits as u8 {
            1 => Fate::Frontier,
            2 => Fate::Expanded {
                best: MoveCode(a),
                searched: b as u8,
                skipped: (b >> 8) as u8,
                moves: d,
                margin: c as i16,
            },
            3 => Fate::Horizon { static_value: s(a) },
            4 => Fate::StandPat {
                static_value: s(a),
                beta: s(b),
            },
            5 => Fate::Ended(ENDINGS[usize::from(a).min(ENDINGS.len() - 1)]),
            6 => Fate::Repetition {
                times: a as u8,
                plies_back: b,
            },
            7 => Fate::BetaCutoff {
                by: MoveCode(a),
                value: s(b),
                beta: s(c),
                searched: d,
            },
            8 => Fate::ProbabilisticCutoff {
                searched: d,
                probability: a,
                confidence: b,
                beta_bin: c as u8,
            },
            9 => Fate::Futility {
                static_value: s(a),
                margin: b as i16,
                alpha: s(c),
                depth: d,
            },
            10 => Fate::DeltaPruning {
                static_value: s(a),
                margin: b as i16,
                alpha: s(c),
            },
            11 => Fate::LosingExchange,
            12 => Fate::TableHit {
                value: s(a),
                bound: Bound::from_bits(b as u8),
                depth: d,
            },
            13 => Fate::Proven {
                by: MoveCode(a),
                children: d,
            },
            14 => Fate::SiblingCutoff {
                by: MoveCode(a),
                value: s(b),
                beta: s(c),
            },
            15 => Fate::SiblingProbabilisticCutoff {
                probability: a,
                confidence: b,
            },
            16 => Fate::Unrecorded,
            17 => Fate::Interrupted,
            18 => Fate::Excluded,
            _ => Fate::Unvisited,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_fate() -> impl Strategy<Value = Fate> {
        (any::<u64>(), 0u8..19).prop_map(|(bits, k)| Fate::from_bits(bits << 8 | u64::from(k)))
    }

    proptest! {
        #[test]
        fn every_fate_survives_packing(fate in any_fate()) {
            prop_assert_eq!(Fate::from_bits(fate.to_bits()), fate);
            prop_assert!(fate.kind() < FATES.len());
        }
    }

    #[test]
    fn letters_and_names_are_unique() {
        for (i, a) in FATES.iter().enumerate() {
            for b in &FATES[i + 1..] {
                assert!(
                    a.name != b.name && a.letter != b.letter,
                    "{} / {}",
                    a.name,
                    b.name
                );
            }
        }
    }
}
