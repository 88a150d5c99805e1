//! How a parent's search treated one of its moves, if it was not simply searched one ply less deeply.

use game::Score;

/// How the depth of a move was changed, and what an audit found about a pruned move or node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Treatment {
    pub depth: DepthChange,
    /// The result of searching it anyway; `None` if it was not audited.
    pub audit: Option<Audit>,
}

/// The worth of a pruned move or node when it was searched anyway, without affecting the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audit {
    /// From the parent's view for a skipped move, from its own view for a node that was cut off.
    pub value: Score,
    /// Whether the rule was wrong: the value is on the other side of the bound against which it pruned.
    pub failed: bool,
}

/// How the depth of a move differs from one ply less than its parent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DepthChange {
    #[default]
    None,
    /// Late-move reduction: the `number`-th move was searched `plies` less deeply; `again` says that it beat alpha at
    /// that depth and was searched again at full depth.
    Reduced { plies: u8, number: u8, again: bool },
    /// A check: searched one ply more deeply.
    Check,
    /// Singular extension: none of the other moves reached the bound of the singular test, so this one was searched
    /// `plies` more deeply.
    Singular { plies: u8 },
}

impl Treatment {
    /// Bits 0-3: three times the kind of change plus 0 without an audit, 1 with one, 2 with a failed one. Bits 4-7:
    /// plies, 8-15: number, 16-31: the audit's value.
    #[inline]
    pub(super) fn to_bits(self) -> u32 {
        if self == Treatment::default() {
            return 0;
        }
        let (kind, plies, number) = match self.depth {
            DepthChange::None => (0, 0, 0),
            DepthChange::Reduced {
                plies,
                number,
                again,
            } => (1 + u32::from(again), plies, number),
            DepthChange::Check => (3, 1, 0),
            DepthChange::Singular { plies } => (4, plies, 0),
        };
        let (audited, value) = self.audit.map_or((0, 0), |audit| {
            let value = u32::from(audit.value.raw() as u16);
            (1 + u32::from(audit.failed), value)
        });
        (kind * 3 + audited) | u32::from(plies.min(15)) << 4 | u32::from(number) << 8 | value << 16
    }

    pub(super) fn from_bits(bits: u32) -> Treatment {
        let plies = (bits >> 4 & 15) as u8;
        let (kind, audited) = ((bits & 15) / 3, (bits & 15) % 3);
        let depth = match kind {
            1 | 2 => DepthChange::Reduced {
                plies,
                number: (bits >> 8) as u8,
                again: kind == 2,
            },
            3 => DepthChange::Check,
            4 => DepthChange::Singular { plies },
            _ => DepthChange::None,
        };
        let audit = (audited > 0).then(|| Audit {
            value: Score::from_raw((bits >> 16) as i16),
            failed: audited == 2,
        });
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
            audit in proptest::option::of((-32_001i16..=32_001, any::<bool>())),
        ) {
            let audit = audit.map(|(value, failed)| Audit { value: Score::from_raw(value), failed });
            let treatment = Treatment { depth, audit };
            prop_assert_eq!(Treatment::from_bits(treatment.to_bits()), treatment);
        }
    }
}
