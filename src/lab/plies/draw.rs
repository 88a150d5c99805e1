//! Which nodes of a tree are judged.

use fastrand::Rng;

use super::grown::{BackedNode, BackedTree};

/// How many nodes are drawn from a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// The last ply from which nodes are drawn.
    pub plies: u16,
    /// The number of draws at each ply below the root, of inner nodes and of leaves.
    pub per_ply: usize,
}

/// The plies whose first drawn node gives a family: the plies of two different sides to move.
const FAMILY_PLIES: [u16; 2] = [0, 1];
/// The number of children in a family.
const FAMILY: usize = 4;

/// The nodes drawn from one tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Drawn {
    /// Inner nodes and leaves, ply after ply; a node that was drawn twice is listed twice.
    pub nodes: Vec<usize>,
    /// The most probable children of the first inner nodes drawn at [`FAMILY_PLIES`].
    pub families: Vec<Vec<usize>>,
}

/// Draws nodes at every ply: inner nodes with a probability in proportion to their visits, leaves all with the same.
/// A node may be drawn twice. The root is drawn once. What is proven is left out, because it has no spread.
pub(super) fn draw(tree: &BackedTree, draws: Draws, rng: &mut Rng) -> Drawn {
    let mut drawn = Drawn::default();
    for ply in 0..=draws.plies {
        let at = |is_inner: bool| {
            let open = move |n: &BackedNode| n.ply == ply && n.is_open && n.is_inner == is_inner;
            let nodes = tree.nodes().iter().enumerate();
            nodes.filter(move |(_, n)| open(n))
        };
        let times = if ply == 0 { 1 } else { draws.per_ply };
        let inner: Vec<(usize, u64)> = at(true).map(|(i, n)| (i, n.visits.into())).collect();
        let leaves: Vec<(usize, u64)> = at(false).map(|(i, _)| (i, 1)).collect();
        let inner: Vec<usize> = (0..times).filter_map(|_| one_of(&inner, rng)).collect();
        if let Some(first) = inner.first().filter(|_| FAMILY_PLIES.contains(&ply)) {
            let open = |child: &usize| tree.nodes()[*child].is_open;
            let likeliest = tree.likeliest(*first).into_iter().filter(open);
            drawn.families.push(likeliest.take(FAMILY).collect());
        }
        drawn.nodes.extend(inner);
        drawn
            .nodes
            .extend((0..times).filter_map(|_| one_of(&leaves, rng)));
    }
    drawn
}

/// Draws one of the entries with a probability in proportion to their weights. `None` if all weights are 0.
fn one_of(weighted: &[(usize, u64)], rng: &mut Rng) -> Option<usize> {
    let all: u64 = weighted.iter().map(|(_, weight)| weight).sum();
    if all == 0 {
        return None;
    }
    let mut left = rng.u64(..all);
    let found = weighted.iter().find(|(_, weight)| {
        let here = left < *weight;
        left = left.saturating_sub(*weight);
        here
    });
    found.map(|(place, _)| *place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_their_weights() {
        let mut rng = Rng::with_seed(5);
        let weighted = [(7, 1), (8, 0), (9, 3)];
        let mut counts = [0; 3];
        for _ in 0..4_000 {
            let place = one_of(&weighted, &mut rng).expect("a weight");
            counts[place - 7] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((900..1_100).contains(&counts[0]), "{counts:?}");
        assert_eq!(one_of(&[(1, 0)], &mut rng), None);
        assert_eq!(one_of(&[], &mut rng), None);
    }
}
