//! How far a node is from answering a yes-or-no question, for descents that look for a mate.

/// The proof and disproof number of the question "is there a mate within this many plies?": roughly, how many positions
/// still have to be settled for a yes, and for a no.
///
/// Source: Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994. Alternatives that all have to
/// be settled are not added up, but counted as the hardest one plus one for each of the others (weak proof-number
/// search, Ueda et al. 2008). This keeps the numbers small, and a position reached in two ways is not counted twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    pub proof: u16,
    pub disproof: u16,
}

/// Marks a word that holds proof numbers; an algorithm's own figure there is never negative.
const TAG: u32 = 1 << 31;
const BITS: u32 = 12;

impl ProofNumbers {
    const NEVER: u16 = (1 << BITS) - 1;
    /// The most plies that a question can be about.
    pub const FARTHEST: u16 = (1 << (31 - 2 * BITS)) - 1;

    pub const SHOWN: ProofNumbers = ProofNumbers {
        proof: 0,
        disproof: Self::NEVER,
    };
    pub const REFUTED: ProofNumbers = ProofNumbers {
        proof: Self::NEVER,
        disproof: 0,
    };
    /// Nothing has been searched yet.
    pub const UNKNOWN: ProofNumbers = ProofNumbers {
        proof: 1,
        disproof: 1,
    };

    /// The numbers of an unexamined node whose side to move has this many moves; `any` means that one yes among them is
    /// enough.
    pub fn of_moves(moves: usize, any: bool) -> ProofNumbers {
        let moves = moves.clamp(1, 256) as u16;
        let (proof, disproof) = if any { (1, moves) } else { (moves, 1) };
        ProofNumbers { proof, disproof }
    }

    /// Whether the answer is neither yes nor no.
    pub fn is_open(self) -> bool {
        self.proof != 0 && self.disproof != 0
    }

    /// Computes a node's numbers from its children's; `any` means that one yes among them is enough (the side to mate
    /// is to move).
    pub fn above(children: impl Iterator<Item = ProofNumbers>, any: bool) -> ProofNumbers {
        let (mut least, mut hardest, mut open) = (Self::NEVER, 0, 0);
        for child in children {
            let (one, all) = if any {
                (child.proof, child.disproof)
            } else {
                (child.disproof, child.proof)
            };
            least = least.min(one);
            hardest = hardest.max(all);
            open += u16::from(all > 0);
        }
        let all = match open {
            0 => 0,
            _ if least == 0 => Self::NEVER,
            _ => (hardest + open - 1).min(Self::NEVER - 1),
        };
        if any {
            ProofNumbers {
                proof: least,
                disproof: all,
            }
        } else {
            ProofNumbers {
                proof: all,
                disproof: least,
            }
        }
    }

    /// Encodes the numbers as a node's word, with the plies that the question is about.
    pub(super) fn to_bits(self, plies: u16) -> u32 {
        let plies = u32::from(plies.min(Self::FARTHEST));
        TAG | plies << (2 * BITS) | u32::from(self.disproof) << BITS | u32::from(self.proof)
    }

    /// Decodes the plies of the question and the numbers; `None` if the word holds something else.
    pub(super) fn from_bits(bits: u32) -> Option<(u16, ProofNumbers)> {
        (bits & TAG != 0).then(|| {
            let part = |shift: u32| (bits >> shift) as u16 & Self::NEVER;
            let numbers = ProofNumbers {
                proof: part(0),
                disproof: part(BITS),
            };
            ((bits >> (2 * BITS)) as u16 & Self::FARTHEST, numbers)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_numbers() -> impl Strategy<Value = ProofNumbers> {
        prop_oneof![
            Just(ProofNumbers::SHOWN),
            Just(ProofNumbers::REFUTED),
            (1u16..4000, 1u16..4000).prop_map(|(proof, disproof)| ProofNumbers { proof, disproof }),
        ]
    }

    proptest! {
        #[test]
        fn a_question_is_settled_as_its_parts_settle_it(
            children in prop::collection::vec(any_numbers(), 1..8),
            any: bool,
        ) {
            let above = ProofNumbers::above(children.iter().copied(), any);
            let (yes, no) = (ProofNumbers::SHOWN, ProofNumbers::REFUTED);
            let (one, all) = if any { (yes, no) } else { (no, yes) };
            if children.contains(&one) {
                prop_assert_eq!(above, one);
            } else if children.iter().all(|&c| c == all) {
                prop_assert_eq!(above, all);
            } else {
                prop_assert!(above.is_open());
            }
        }

        #[test]
        fn a_word_keeps_numbers_and_plies(numbers in any_numbers(), plies in 0u16..=127) {
            let bits = numbers.to_bits(plies);
            prop_assert_eq!(ProofNumbers::from_bits(bits), Some((plies, numbers)));
        }
    }

    #[test]
    fn an_urgency_is_no_proof_number() {
        for urgency in [0.0f32, 1.0, 0.0123, f32::MAX] {
            assert_eq!(ProofNumbers::from_bits(urgency.to_bits()), None);
        }
    }
}
