//! What a side believed about its moves, and whether it knew its doubt where it fell.

use serde::Serialize;

use super::player::Opinion;
use super::{Judged, JudgedMove, Losses};
use crate::statistics::{Figure, Resamples};
use belief::score::{LEVELS, Pit};
use game::MoveCode;
use studies::suite::statistics::median;

/// What a side believed about the move that it played, compared with the judge's value after it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Doubt {
    /// The share of the policy of the judge's own move; `None` if there is no policy or no such move.
    pub share: Option<f64>,
    /// Where the judge's value falls in the belief.
    pub pit: Pit,
    /// The standard deviation of the belief, in points.
    pub sd: f64,
}

impl Doubt {
    /// Compares an opinion with the judge's value after the move, in points, and its own move.
    pub(super) fn of(opinion: &Opinion, after: f64, asked: Option<MoveCode>) -> Doubt {
        let of_asked = opinion.shares.iter().find(|(m, _)| Some(*m) == asked);
        Doubt {
            share: of_asked.map(|(_, share)| f64::from(*share)),
            pit: opinion.forecast.pit(2.0 * after - 1.0),
            sd: f64::from(opinion.sd) / 2.0,
        }
    }

    /// Returns how probable a value as low as the judge's was.
    pub fn as_low(&self) -> f64 {
        self.pit.high
    }
}

/// What a column believed at some of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BeliefFigures {
    /// The number of moves.
    pub moves: usize,
    /// The median share of the policy of the judge's own move.
    pub share: Option<Figure>,
    /// The mean of how probable a value as low as the judge's was.
    pub as_low: Figure,
    /// The mean standard deviation, in points.
    pub sd: Figure,
    /// The shares of the judge's values within the central intervals of [`LEVELS`].
    pub coverage: [Figure; LEVELS.len()],
}

/// What a column believed where it fell, and at its other moves as the control: of positions that were [open](Judged::was_open),
/// because beyond them beliefs are narrow and hardly anything can fall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Beliefs {
    pub at_falls: Option<BeliefFigures>,
    pub elsewhere: Option<BeliefFigures>,
    /// The mean standard deviation at falls over that elsewhere.
    pub sd_ratio: Option<Figure>,
}

impl Losses {
    /// Returns what a column believed; `None` if its algorithm has no beliefs. The resamples are over the games.
    pub fn beliefs(&self, budget: usize, column: usize, resamples: &Resamples) -> Option<Beliefs> {
        if !self.has_beliefs[column] {
            return None;
        }
        let games = self.doubts(budget, column);
        let mean_sd = |at_falls: bool, weights: Option<&[f64]>| {
            games.mean(at_falls, weights, |doubt| doubt.sd)
        };
        let sd_ratio = resamples.figure(|weights| {
            let elsewhere = mean_sd(false, weights).filter(|sd| *sd > 0.0)?;
            Some(mean_sd(true, weights)? / elsewhere)
        });
        Some(Beliefs {
            at_falls: games.figures(true, resamples),
            elsewhere: games.figures(false, resamples),
            sd_ratio,
        })
    }

    fn doubts(&self, budget: usize, column: usize) -> Doubts {
        let own = |m: &&JudgedMove| m.column == column;
        let of_move = |m: &JudgedMove| {
            let judged = m.judged.filter(Judged::was_open)?;
            Some((judged.kind.is_some(), m.doubt?))
        };
        let games = self.played(budget);
        Doubts(
            games
                .map(|game| game.moves.iter().filter(own).filter_map(of_move).collect())
                .collect(),
        )
    }
}

/// By game, what was believed at each move and whether it was a fall.
struct Doubts(Vec<Vec<(bool, Doubt)>>);

impl Doubts {
    /// Returns the doubts at falls or at the other moves, each with the weight of its game.
    fn at<'a>(
        &'a self,
        falls: bool,
        weights: Option<&'a [f64]>,
    ) -> impl Iterator<Item = (f64, &'a Doubt)> {
        let games = self.0.iter().enumerate();
        games.flat_map(move |(i, game)| {
            let weight = weights.map_or(1.0, |w| w[i]);
            let wanted = game.iter().filter(move |(fell, _)| *fell == falls);
            wanted.map(move |(_, doubt)| (weight, doubt))
        })
    }

    fn mean(
        &self,
        falls: bool,
        weights: Option<&[f64]>,
        read: impl Fn(&Doubt) -> f64,
    ) -> Option<f64> {
        let (mut sum, mut all) = (0.0, 0.0);
        for (weight, doubt) in self.at(falls, weights) {
            sum += weight * read(doubt);
            all += weight;
        }
        (all > 0.0).then(|| sum / all)
    }

    fn median_share(&self, falls: bool, weights: Option<&[f64]>) -> Option<f64> {
        let known = self.at(falls, weights);
        let known = known.filter_map(|(weight, doubt)| Some((weight as usize, doubt.share?)));
        let repeated = known.flat_map(|(times, share)| std::iter::repeat_n(share, times));
        median(&repeated.collect::<Vec<f64>>())
    }

    fn figures(&self, falls: bool, resamples: &Resamples) -> Option<BeliefFigures> {
        let mean = |read: &dyn Fn(&Doubt) -> f64| {
            resamples.figure(|weights| self.mean(falls, weights, read))
        };
        let within = |level: f64| mean(&|doubt| doubt.pit.covered(level));
        let [half, most, nearly] = LEVELS.map(within);
        Some(BeliefFigures {
            moves: self.at(falls, None).count(),
            share: resamples.figure(|weights| self.median_share(falls, weights)),
            as_low: mean(&Doubt::as_low)?,
            sd: mean(&|doubt| doubt.sd)?,
            coverage: [half?, most?, nearly?],
        })
    }
}
