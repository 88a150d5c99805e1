//! Where the columns of a review disagree.

use super::Found;

/// How far several columns are apart in one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disagreement {
    pub ply: usize,
    /// The highest minus the lowest expected score. A bound, such as an interrupted iteration leaves, counts as its
    /// value.
    pub amount: f32,
    /// Whether the columns would play different moves.
    pub best_moves_differ: bool,
    /// The column with the highest value for White, and the one with the lowest.
    pub highest: usize,
    pub lowest: usize,
}

/// Returns how far the columns are apart at a ply, given what each found there; `None` with fewer than two values.
pub fn disagreement(ply: usize, found: &[Option<&Found>]) -> Option<Disagreement> {
    let known = found.iter().enumerate();
    let known: Vec<(usize, &Found, f32)> = known
        .filter_map(|(column, found)| Some((column, (*found)?, (*found)?.white()?)))
        .collect();
    if known.len() < 2 {
        return None;
    }
    let highest = known.iter().max_by(|a, b| a.2.total_cmp(&b.2))?;
    let lowest = known.iter().min_by(|a, b| a.2.total_cmp(&b.2))?;
    let best = |f: &Found| f.best.as_ref().map(|m| m.code);
    Some(Disagreement {
        ply,
        amount: highest.2 - lowest.2,
        best_moves_differ: known.iter().any(|k| best(k.1) != best(known[0].1)),
        highest: highest.0,
        lowest: lowest.0,
    })
}

/// Returns the `most` plies with the largest disagreement, largest first. Among plies with equal values, those with
/// different best moves come first. Plies at which the columns agree in both are left out.
pub fn rank(mut all: Vec<Disagreement>, most: usize) -> Vec<Disagreement> {
    all.retain(|d| d.amount > 0.0 || d.best_moves_differ);
    all.sort_by(|a, b| {
        let differ = b.best_moves_differ.cmp(&a.best_moves_differ);
        let amount = b.amount.total_cmp(&a.amount);
        amount.then(differ).then(a.ply.cmp(&b.ply))
    });
    all.truncate(most);
    all
}
