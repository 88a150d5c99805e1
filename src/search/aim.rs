//! Why a best-first search goes where it goes next, in the algorithm's own words.

use super::explanation::{Part, Phrase, Unit, Viewpoint, sided};
use tree::NodeId;

/// A reason for which an algorithm goes on at a node. Each algorithm has its own, as constants.
#[derive(Debug, PartialEq)]
pub struct AimInfo {
    /// The name in traces and filters.
    pub name: &'static str,
    /// A sentence about the node that the aim names, without its name; between its pieces stand the numbers. What compares scores
    /// is written for both views: see [`sided`].
    pub words: &'static [&'static str],
    /// The units of the numbers.
    pub units: &'static [Unit],
}

/// What a search is after with its next descent: where that leads, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The node that the descent is about: a move of the root, or the root.
    pub node: NodeId,
    pub info: &'static AimInfo,
    /// The numbers that were compared; there are as many as the reason has units. Expected scores are from the view of the
    /// side to move at the root.
    pub numbers: [f32; 2],
}

impl Aim {
    pub fn new(node: NodeId, info: &'static AimInfo, numbers: [f32; 2]) -> Aim {
        Aim {
            node,
            info,
            numbers,
        }
    }

    /// The numbers with their units.
    pub fn numbers(&self) -> impl Iterator<Item = (f32, Unit)> + '_ {
        let units = self.info.units.iter().copied();
        self.numbers.into_iter().zip(units)
    }

    /// The sentence, with its numbers.
    pub fn phrase(&self, viewpoint: Viewpoint) -> Phrase {
        let mut numbers = self.numbers();
        let pieces = self.info.words.iter().flat_map(|&words| {
            let number = numbers.next().map(|(n, unit)| Part::Number(n.into(), unit));
            [Some(Part::Words(sided(words, viewpoint))), number]
        });
        pieces.flatten().collect()
    }
}
