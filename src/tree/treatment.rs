//! How a parent's search treated one of its moves, where it was not searched plainly one ply shallower.

use crate::game::Score;

/// What was done with a move's depth, and what an audit found of a move or node that was pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Treatment {
    pub depth: DepthChange,
    /// What searching it all the same brought, outside the score: for a skipped move from its parent's view, for a node
    /// that was cut off from its own.
    pub audit: Option<Score>,
}

/// By how much more or less than a ply the depth fell with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DepthChange {
    #[default]
    None,
    /// Late-move reduction: the `number`-th move, searched `plies` shallower; `again`: it beat alpha so, and was searched
    /// in full.
    Reduced { plies: u8, number: u8, again: bool },
    /// A check: searched a ply deeper.
    Check,
    /// Singular extension: none of the other moves reached the bound that the singular test put to them, so this one was
    /// searched `plies` deeper.
    Singular { plies: u8 },
}

impl Treatment {
    /// Bits 0-1 kind, 2-5 plies, 6-13 number, 14 again, 15 whether there is an audit, 16-31 its score.
    pub(super) fn to_bits(self) -> u32 {
        let (kind, plies, number, again) = match self.depth {
            DepthChange::None => (0, 0, 0, false),
            DepthChange::Reduced {
                plies,
                number,
                again,
            } => (1, plies, number, again),
            DepthChange::Check => (2, 1, 0, false),
            DepthChange::Singular { plies } => (3, plies, 0, false),
        };
        let audit = self
            .audit
            .map_or(0, |score| 1 << 15 | u32::from(score.raw() as u16) << 16);
        kind | u32::from(plies.min(15)) << 2
            | u32::from(number) << 6
            | u32::from(again) << 14
            | audit
    }

    pub(super) fn from_bits(bits: u32) -> Treatment {
        let plies = (bits >> 2 & 15) as u8;
        let depth = match bits & 3 {
            1 => DepthChange::Reduced {
                plies,
                number: (bits >> 6) as u8,
                again: bits >> 14 & 1 == 1,
            },
            2 => DepthChange::Check,
            3 => DepthChange::Singular { plies },
            _ => DepthChange::None,
        };
        let audit = (bits >> 15 & 1 == 1).then(|| Score::from_raw((bits >> 16) as i16));
        Treatment { depth, audit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn depth_change() -> impl Strategy<Value = DepthChange> {
        prop_oneof![
            Just(DepthChange::None),
            Just(DepthChange::Check),
            (1u8..16).prop_map(|plies| DepthChange::Singular { plies }),
            (1u8..16, any::<u8>(), any::<bool>()).prop_map(|(plies, number, again)| {
                DepthChange::Reduced {
                    plies,
                    number,
                    again,
                }
            }),
        ]
    }

    proptest! {
        #[test]
        fn a_treatment_survives_packing(
            depth in depth_change(),
            audit in proptest::option::of(-32_001i16..=32_001),
        ) {
            let treatment = Treatment { depth, audit: audit.map(Score::from_raw) };
            prop_assert_eq!(Treatment::from_bits(treatment.to_bits()), treatment);
        }
    }
}
