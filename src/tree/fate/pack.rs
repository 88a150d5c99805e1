//! A fate in eight bytes: its kind in the lowest, its numbers above.

use super::{Bound, Fate};
use crate::game::{Ending, MoveCode, Score, TableHit, TableResult};

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
            Fate::ReverseFutility {
                static_value,
                margin,
                beta,
                depth,
            } => pack(k, s(static_value), margin as u16, s(beta), depth),
            Fate::Razoring {
                static_value,
                margin,
                value,
                depth,
            } => pack(k, s(static_value), margin as u16, s(value), depth),
            Fate::NullMove {
                value,
                beta,
                reduction,
                verified,
            } => pack(k, s(value), s(beta), verified.into(), reduction),
            Fate::ProbCut {
                by,
                value,
                raised,
                depth,
            } => pack(k, by.0, s(value), s(raised), depth),
            Fate::MultiCut { value, beta, depth } => pack(k, s(value), s(beta), 0, depth),
            Fate::LateMove { searched, depth } => pack(k, searched.into(), 0, 0, depth),
            Fate::LosingMove { threshold, depth } => pack(k, threshold as u16, 0, 0, depth),
            Fate::Tablebase(TableHit { result, dtz, clock }) => pack(
                k,
                result as u16,
                dtz.unwrap_or(0) as u16,
                u16::from(dtz.is_some()),
                clock,
            ),
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
            19 => Fate::ReverseFutility {
                static_value: s(a),
                margin: b as i16,
                beta: s(c),
                depth: d,
            },
            20 => Fate::Razoring {
                static_value: s(a),
                margin: b as i16,
                value: s(c),
                depth: d,
            },
            21 => Fate::NullMove {
                value: s(a),
                beta: s(b),
                verified: c & 1 == 1,
                reduction: d,
            },
            22 => Fate::ProbCut {
                by: MoveCode(a),
                value: s(b),
                raised: s(c),
                depth: d,
            },
            23 => Fate::MultiCut {
                value: s(a),
                beta: s(b),
                depth: d,
            },
            24 => Fate::LateMove {
                searched: a as u8,
                depth: d,
            },
            25 => Fate::LosingMove {
                threshold: a as i16,
                depth: d,
            },
            26 => Fate::Tablebase(TableHit {
                result: TableResult::ALL[usize::from(a).min(TableResult::ALL.len() - 1)],
                dtz: (c & 1 == 1).then_some(b as i16),
                clock: d,
            }),
            _ => Fate::Unvisited,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::FATES;
    use super::*;
    use proptest::prelude::*;

    fn any_fate() -> impl Strategy<Value = Fate> {
        (any::<u64>(), 0..FATES.len() as u8)
            .prop_map(|(bits, k)| Fate::from_bits(bits << 8 | u64::from(k)))
    }

    proptest! {
        #[test]
        fn every_fate_survives_packing(fate in any_fate()) {
            prop_assert_eq!(Fate::from_bits(fate.to_bits()), fate);
            prop_assert!(fate.kind() < FATES.len());
        }
    }
}
