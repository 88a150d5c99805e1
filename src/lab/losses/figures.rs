//! What the games of a budget come to: results, and what was lost where.

use serde::Serialize;

use super::{End, Judged, JudgedGame, JudgedMove, Kind, Losses};
use crate::differential::{Outcome, Tally};
use crate::statistics::{Figure, Resamples};
use studies::review::Phase;

/// Some falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sum {
    pub falls: usize,
    /// How far they fell together, in points.
    pub sum: f64,
}

impl Sum {
    fn add(&mut self, fall: f64) {
        self.falls += 1;
        self.sum += fall;
    }

    /// Returns both together.
    #[must_use]
    pub fn with(self, other: Sum) -> Sum {
        Sum {
            falls: self.falls + other.falls,
            sum: self.sum + other.sum,
        }
    }
}

/// Which of a column's games count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    All,
    Lost,
    /// Drawn and won.
    Other,
}

impl Which {
    pub const ALL: [Which; 3] = [Which::All, Which::Lost, Which::Other];

    fn counts(self, outcome: Outcome) -> bool {
        match self {
            Which::All => true,
            Which::Lost => outcome == Outcome::Lost,
            Which::Other => outcome != Outcome::Lost,
        }
    }
}

/// The falls of one side's moves in some games, by kind and phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    pub games: usize,
    /// The moves that were judged.
    pub moves: usize,
    /// By [`Kind`], then by [`Phase`].
    pub falls: [[Sum; Phase::ALL.len()]; Kind::ALL.len()],
    /// The falls below the threshold, by [`Phase`].
    pub drift: [Sum; Phase::ALL.len()],
}

impl Account {
    fn add(&mut self, phase: Phase, judged: &Judged) {
        self.moves += 1;
        let fall = judged.fall();
        match judged.kind {
            Some(kind) => self.falls[kind as usize][phase as usize].add(fall),
            None if fall > 0.0 => self.drift[phase as usize].add(fall),
            None => {}
        }
    }
}

impl Losses {
    /// Returns the games of a budget so far.
    pub fn played(&self, budget: usize) -> impl Iterator<Item = &JudgedGame> {
        self.games[budget].iter().flatten()
    }

    /// Returns the number of games so far, over all budgets.
    pub fn count(&self) -> usize {
        self.games.iter().flatten().flatten().count()
    }

    /// Whether all games were played.
    pub fn is_complete(&self) -> bool {
        self.games.iter().flatten().all(Option::is_some)
    }

    /// Returns the results of a column.
    pub fn tally(&self, budget: usize, column: usize) -> Tally {
        let outcome = |game: &JudgedGame| outcome(game, column);
        let mut tally = Tally::default();
        for pair in self.games[budget].chunks(2) {
            match pair {
                [Some(one), Some(other)] => tally.add(&[outcome(one), outcome(other)]),
                _ => pair.iter().flatten().for_each(|g| tally.count(outcome(g))),
            }
        }
        tally
    }

    /// Returns how many games ended in each way, by [`End`].
    pub fn ends(&self, budget: usize) -> [usize; End::ALL.len()] {
        let mut ends = [0; End::ALL.len()];
        self.played(budget).for_each(|g| ends[g.end as usize] += 1);
        ends
    }

    /// Returns the moves of a column that the judge has no value for.
    pub fn unjudged(&self, budget: usize, column: usize) -> usize {
        let moves = self.played(budget).flat_map(|game| &game.moves);
        let own = moves.filter(|m| m.column == column);
        own.filter(|m| m.judged.is_none()).count()
    }

    /// Returns the falls of a side's moves in the games that `column` won, drew or lost.
    pub fn account(&self, budget: usize, (column, which): (usize, Which), side: usize) -> Account {
        let mut account = Account::default();
        let games = self.played(budget);
        for game in games.filter(|game| which.counts(outcome(game, column))) {
            account.games += 1;
            for (m, judged) in judged(game, side) {
                account.add(m.phase, &judged);
            }
        }
        account
    }

    /// Returns the mean fall of a column's moves in some of its games. The resamples are over all games.
    pub fn mean_fall(
        &self,
        budget: usize,
        (column, which): (usize, Which),
        resamples: &Resamples,
    ) -> Option<Figure> {
        let of_game = |game: &JudgedGame| {
            let falls = judged(game, column).map(|(_, judged)| judged.fall());
            let (sum, moves) = falls.fold((0.0, 0.0), |(s, n), fall| (s + fall, n + 1.0));
            which.counts(outcome(game, column)).then_some((sum, moves))
        };
        let games: Vec<Option<(f64, f64)>> = self.played(budget).map(of_game).collect();
        resamples.figure(|weights| {
            let (mut sum, mut all) = (0.0, 0.0);
            for (i, game) in games.iter().enumerate() {
                let weight = weights.map_or(1.0, |w| w[i]);
                let (fell, moves) = game.unwrap_or_default();
                sum += weight * fell;
                all += weight * moves;
            }
            (all > 0.0).then(|| sum / all)
        })
    }
}

/// Returns the result for a column.
fn outcome(game: &JudgedGame, column: usize) -> Outcome {
    match column {
        0 => game.outcome,
        _ => game.outcome.other(),
    }
}

/// Returns the moves of a side that were judged.
fn judged(game: &JudgedGame, side: usize) -> impl Iterator<Item = (&JudgedMove, Judged)> {
    let own = game.moves.iter().filter(move |m| m.column == side);
    own.filter_map(|m| Some((m, m.judged?)))
}
