//! Counting the leaves of the tree of legal moves, by which move generators are compared.

use super::Game;

/// Returns the number of sequences of `depth` legal moves from a position, or `None` if `goes_on` said no in the middle; it is
/// asked at every position more than two plies above the leaves.
pub fn perft<G: Game>(position: &G, depth: u32, goes_on: &impl Fn() -> bool) -> Option<u64> {
    match depth {
        0 => return Some(1),
        1 => return Some(position.legal_moves().len() as u64),
        3.. if !goes_on() => return None,
        _ => {}
    }
    position.legal_moves().into_iter().try_fold(0u64, |sum, m| {
        let mut next = position.clone();
        next.play(m);
        Some(sum.saturating_add(perft(&next, depth - 1, goes_on)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChessPosition;

    #[test]
    fn the_start_position_has_the_published_counts() {
        let start = ChessPosition::default();
        for (depth, count) in [(0, 1), (1, 20), (2, 400), (3, 8_902), (4, 197_281)] {
            assert_eq!(perft(&start, depth, &|| true), Some(count));
        }
        assert_eq!(perft(&start, 4, &|| false), None);
    }
}
