//! How long a depth-first search that plays by a clock thinks about a move, within its limits.

use game::{MoveCode, Score};

/// What the iterations so far say about how much time the position deserves.
#[derive(Debug, Default)]
pub(super) struct Pace {
    best: MoveCode,
    /// Iterations since the best move changed.
    steady: usize,
    /// The scores of the two iterations before, the newer first: odd and even depths see the same position differently.
    scores: [Option<Score>; 2],
}

impl Pace {
    /// The factor by the number of iterations since the best move changed: a new move needs verification, one that
    /// stays needs no more proof.
    const STEADY: [f64; 5] = [1.5, 1.2, 1.0, 0.85, 0.75];
    /// The most that a fall of the score adds: a move that saves the game has to be found.
    const FALL: f64 = 0.6;
    /// The fall in centipawns that adds all of it.
    const DEEPEST: f64 = 80.0;

    /// The factor for the soft limit after one more iteration with this best move and score.
    pub fn factor(&mut self, best: MoveCode, score: Score) -> f64 {
        self.steady = if best == self.best {
            self.steady + 1
        } else {
            0
        };
        self.best = best;
        let known: Vec<f64> = self
            .scores
            .iter()
            .flatten()
            .map(|s| f64::from(s.raw()))
            .collect();
        let before = known.iter().sum::<f64>() / known.len().max(1) as f64;
        let fall = if known.is_empty() {
            0.0
        } else {
            before - f64::from(score.raw())
        };
        self.scores = [Some(score), self.scores[0]];
        let steady = Self::STEADY[self.steady.min(Self::STEADY.len() - 1)];
        steady * (1.0 + Self::FALL * (fall / Self::DEEPEST).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors(iterations: &[(u16, i32)]) -> Vec<f64> {
        let mut pace = Pace::default();
        let factor = |&(m, cp): &(u16, i32)| pace.factor(MoveCode(m), Score::new(cp));
        iterations.iter().map(factor).collect()
    }

    #[test]
    fn a_steady_move_gets_less_time_and_a_new_one_more() {
        let found = factors(&[
            (1, 20),
            (1, 20),
            (1, 20),
            (1, 20),
            (1, 20),
            (1, 20),
            (2, 20),
        ]);
        assert_eq!(found, [1.5, 1.2, 1.0, 0.85, 0.75, 0.75, 1.5]);
    }

    #[test]
    fn a_falling_score_gets_more_time_and_a_rising_one_no_less() {
        let steady = factors(&[(1, 0), (1, 0), (1, 0)])[2];
        let falling = factors(&[(1, 0), (1, 0), (1, -40)])[2];
        let lost = factors(&[(1, 0), (1, 0), (1, -29_000)])[2];
        let rising = factors(&[(1, 0), (1, 0), (1, 90)])[2];
        assert!(falling > steady && lost > falling && lost <= 1.6 * steady + 1e-9);
        assert_eq!(rising, steady);
    }

    #[test]
    fn odd_and_even_depths_that_differ_are_no_fall() {
        let swinging = factors(&[(1, 30), (1, -10), (1, 30), (1, -10), (1, 30)]);
        let steady = factors(&[(1, 30), (1, 30), (1, 30), (1, 30), (1, 30)]);
        assert_eq!(swinging[4], steady[4]);
    }
}
