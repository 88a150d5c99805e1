//! The positions from which the games begin.

use fastrand::Rng;

use super::Stopped;
use super::judge::Judge;
use crate::differential::OPENINGS;
use algorithms::Algorithm;
use eval::playout::playout_seed;
use game::{ChessPosition, Game as _, Scale, Score, Situation};
use session::jobs::Worker;
use session::{Config, Subject};
use studies::review::Found;

/// The value in centipawns up to which a position counts as even.
pub const BALANCED: i32 = 60;
/// The random plies after an opening that was played before.
pub const PLIES: usize = 4;

/// The nodes of the search that says whether a position is even.
const NODES: u64 = 5_000;
/// How often random plies are drawn for one opening.
const DRAWS: usize = 1_000;

/// Returns the opening of a pair: first each of [`OPENINGS`] as it is, then the same lines with random plies after which
/// the position is still about even.
pub(crate) fn opening(number: usize, seed: u64, worker: &Worker) -> Result<Subject, Stopped> {
    let (round, line) = (number / OPENINGS.len(), OPENINGS[number % OPENINGS.len()]);
    let start = Subject::from(Situation::new(ChessPosition::default()));
    let line = start.play_text(line).map_err(|_| Stopped)?;
    if round == 0 {
        return Ok(line);
    }
    let judge = Judge::new(&Config::new(Algorithm::AlphaBeta), NODES);
    for draw in 0..DRAWS {
        let mut rng = Rng::with_seed(mixed(seed, number, draw));
        let Some(drawn) = continued(&line, &mut rng) else {
            continue;
        };
        if is_even(&drawn, &judge, worker)? {
            return Ok(drawn);
        }
    }
    // No draw was even, which has never happened.
    Ok(line)
}

/// Returns a seed for one of many things.
pub(crate) fn mixed(seed: u64, number: usize, part: usize) -> u64 {
    playout_seed(seed, number as u32, part as u32)
}

/// Continues with random plies; `None` if the game ends.
fn continued(line: &Subject, rng: &mut Rng) -> Option<Subject> {
    let mut at = line.clone();
    for _ in 0..PLIES {
        let moves = at.position.legal_moves();
        let m = *moves.get(rng.usize(..moves.len().max(1)))?;
        at.play(m);
    }
    Found::over(&at, true).is_none().then_some(at)
}

/// Whether a short search finds neither side much better.
fn is_even(at: &Subject, judge: &Judge, worker: &Worker) -> Result<bool, Stopped> {
    let most = super::points(Scale::Logistic.expected(Score::new(BALANCED))) - 0.5;
    let verdict = judge.search(at, worker)?;
    Ok(verdict.is_some_and(|v| (v.value - 0.5).abs() <= most + 1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::jobs::Pool;
    use std::collections::BTreeSet;

    /// Every opening of two rounds is even by a search with more nodes, within what a deeper look may change, and no two are
    /// the same.
    #[test]
    fn drawn_openings_are_even_distinct_and_reproducible() {
        let pool = Pool::new("test", 1, (0, 0));
        let worker = pool.worker();
        let at = |number, seed| opening(number, seed, &worker).expect("an opening");
        let longer = Judge::new(&Config::new(Algorithm::AlphaBeta), 2 * NODES);
        let mut keys = BTreeSet::new();
        let mut far = 0;
        for number in 0..2 * OPENINGS.len() {
            let drawn = at(number, 1);
            assert!(keys.insert(drawn.position.key()), "{number}");
            assert!(Found::over(&drawn, true).is_none());
            if number < OPENINGS.len() {
                continue;
            }
            let line = at(number % OPENINGS.len(), 1);
            assert_eq!(drawn.history.len(), line.history.len() + PLIES);
            let verdict = longer.search(&drawn, &worker).expect("searched");
            let apart = (verdict.expect("a value").value - 0.5).abs();
            assert!(apart < 0.2, "{number}: {apart}");
            // 60 centipawns are 0.082 points.
            far += usize::from(apart > 0.11);
        }
        assert!(far <= 3, "{far} of 24 openings are not even");
        assert_eq!(at(30, 1).position.key(), at(30, 1).position.key());
        assert_ne!(at(30, 1).position.key(), at(30, 2).position.key());
    }
}
