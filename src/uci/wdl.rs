//! Shares of won, drawn and lost, as UCI reports them, read from a belief about the truth.
//!
//! A position with the expected score e above 0 counts as won e of the time and drawn otherwise, one below 0 as lost −e of the
//! time; the shares are the means under the belief. So won − lost is the mean expected score.

use std::fmt;

use belief::Grid;
use belief::special::{expected, logit};
use eval::{Evaluated, Evaluator, Valued};
use game::{ChessPosition, Score};
use search::options::evaluation;
use session::{NodeBelief, Session, Source};

/// Shares of won, drawn and lost in permille, from the view of the side to move; together 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shares {
    win: u16,
    draw: u16,
    loss: u16,
}

impl Shares {
    fn of(win: f64, loss: f64) -> Shares {
        let permille = |p: f64| (p.clamp(0.0, 1.0) * 1000.0).round() as u16;
        let win = permille(win);
        let loss = permille(loss).min(1000 - win);
        Shares {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }

    /// Those of a drawn game.
    pub const DRAWN: Shares = Shares {
        win: 0,
        draw: 1000,
        loss: 0,
    };

    /// Those of a proven result; `None` of any other score.
    pub fn proven(score: Score) -> Option<Shares> {
        match () {
            () if score.is_win() => Some(Shares::of(1.0, 0.0)),
            () if score.is_loss() => Some(Shares::of(0.0, 1.0)),
            () => None,
        }
    }

    /// Those of a distribution over the expected score; `None` where the search keeps none.
    pub fn of_belief(belief: &NodeBelief, grid: &Grid) -> Option<Shares> {
        if !matches!(belief.source, Source::Stored | Source::Calibrated) {
            return None;
        }
        let bins = belief.density.0.iter().zip(grid.centres());
        Some(Shares::mean(
            bins.map(|(mass, e)| (f64::from(*mass), f64::from(*e))),
        ))
    }

    /// Those of the belief fitted to the truth of positions that were searched as deeply; `None` where the evaluation has
    /// no such fit.
    pub fn of_depth(
        session: &Session,
        position: &ChessPosition,
        score: Score,
        depth: u16,
    ) -> Option<Shares> {
        let which = evaluation(&session.config().options);
        let evaluator = ChessPosition::evaluator(which);
        let state = evaluator.start(position);
        let valued = Valued {
            value: score,
            depth: depth.min(255) as u8,
        };
        let (location, width) = evaluator.searched(&state, position, &valued)?;
        // Equally likely slices, by the quantiles in their middle.
        const SLICES: u32 = 64;
        let slices = (0..SLICES).map(|i| {
            let p = (f64::from(i) + 0.5) / f64::from(SLICES);
            let place = f64::from(location) + f64::from(width) * logit(2.0 * p - 1.0);
            (1.0 / f64::from(SLICES), expected(place))
        });
        Some(Shares::mean(slices))
    }

    /// The means over masses at expected scores.
    fn mean(masses: impl Iterator<Item = (f64, f64)>) -> Shares {
        let (win, loss) = masses.fold((0.0, 0.0), |(win, loss), (mass, e)| {
            (win + mass * e.max(0.0), loss + mass * (-e).max(0.0))
        });
        Shares::of(win, loss)
    }

    /// The share of draws, in [0, 1].
    pub fn draw(self) -> f64 {
        f64::from(self.draw) / 1000.0
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::Density;
    use tree::Bound;

    #[test]
    fn shares_are_whole_and_together_a_thousand() {
        assert_eq!(Shares::of(0.3335, 0.3335).to_string(), "334 332 334");
        assert_eq!(Shares::of(1.0, 0.2).to_string(), "1000 0 0");
        assert_eq!(
            Shares::proven(Score::win_in(3)).expect("a win").to_string(),
            "1000 0 0"
        );
        assert_eq!(Shares::proven(Score::new(300)), None);
    }

    #[test]
    fn won_less_lost_is_the_mean_expected_score() {
        let grid = Grid::sinh();
        let belief = |mean, sd| NodeBelief {
            density: Density::normal_expected(&grid, mean, sd),
            mean,
            sd,
            source: Source::Stored,
            bound: Bound::Exact,
        };
        let Shares { win, draw, loss } =
            Shares::of_belief(&belief(0.0, 0.3), &grid).expect("shares");
        // E max(0, N(0, 0.3)) = 0.3 / √(2π) = 0.1197.
        assert!(
            (i32::from(win) - 120).abs() <= 6 && (i32::from(loss) - 120).abs() <= 6,
            "{win} {draw} {loss}"
        );
        for (mean, sd) in [(0.5, 0.2), (-0.3, 0.1), (0.1, 0.4)] {
            let belief = belief(mean, sd);
            let Shares { win, loss, .. } = Shares::of_belief(&belief, &grid).expect("shares");
            let found = (f32::from(win) - f32::from(loss)) / 1000.0;
            let wanted = belief.density.mean(&grid);
            assert!((found - wanted).abs() < 0.01, "{found} {wanted}");
        }
        let visits = NodeBelief {
            source: Source::Visits,
            ..belief(0.0, 0.3)
        };
        assert_eq!(Shares::of_belief(&visits, &grid), None);
    }
}
