//! The order in which the positions of a game are searched.

/// Returns the plies `0..plies`, each once: first the ends and the middle, then ever finer halves (van der Corput's
/// sequence), so that a curve through the known values shows the shape of the game early.
pub fn coarse_to_fine(plies: usize) -> Vec<usize> {
    let Some(last) = plies.checked_sub(1) else {
        return Vec::new();
    };
    let parts = plies.next_power_of_two();
    let bits = parts.trailing_zeros();
    let mut seen = vec![false; plies];
    let mut order = Vec::with_capacity(plies);
    let places = (1..parts).map(|k| k.reverse_bits() >> (usize::BITS - bits));
    // The points are at most one ply apart, so the nearest plies include all of them.
    for place in [0, parts].into_iter().chain(places) {
        let ply = (2 * place * last + parts) / (2 * parts);
        if !std::mem::replace(&mut seen[ply], true) {
            order.push(ply);
        }
    }
    order
}

/// Returns the ply that the user is looking at and its neighbours. The one before it is needed to judge the move that
/// led here, and the one after it to judge the move that was played here.
pub(super) fn around(ply: usize, plies: usize) -> Vec<usize> {
    let near = [Some(ply), ply.checked_sub(1), ply.checked_add(1)];
    near.into_iter().flatten().filter(|&p| p < plies).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_the_ends_and_the_middle_to_the_rest() {
        assert_eq!(coarse_to_fine(9), [0, 8, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(coarse_to_fine(5), [0, 4, 2, 1, 3]);
        assert_eq!(coarse_to_fine(0), [0; 0]);
        assert_eq!(coarse_to_fine(1), [0]);
        assert_eq!(coarse_to_fine(2), [0, 1]);
        assert_eq!(coarse_to_fine(160)[..5], [0, 159, 80, 40, 119]);
    }

    #[test]
    fn every_ply_comes_once() {
        for plies in 0..600 {
            let mut order = coarse_to_fine(plies);
            order.sort_unstable();
            assert!(order.into_iter().eq(0..plies), "{plies}");
        }
    }

    /// After the first 2^k + 1 plies no gap is wider than the game divided by 2^k, rounded up.
    #[test]
    fn the_gaps_halve() {
        for plies in [33, 100, 160, 500] {
            let order = coarse_to_fine(plies);
            for parts in [2usize, 4, 8, 16] {
                let mut first = order[..=parts].to_vec();
                first.sort_unstable();
                let widest = first.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0);
                assert!(widest <= (plies - 1).div_ceil(parts) + 1, "{plies} {parts}");
            }
        }
    }

    #[test]
    fn the_neighbours_are_plies_of_the_game() {
        assert_eq!(around(0, 3), [0, 1]);
        assert_eq!(around(2, 3), [2, 1]);
        assert_eq!(around(7, 20), [7, 6, 8]);
        assert_eq!(around(9, 3), [0; 0]);
    }
}
