//! Shares of won, drawn and lost, as UCI reports them, read from a belief about the truth.

use std::fmt;

use crate::belief::Grid;
use crate::belief::special::{logistic_cdf, logit};
use crate::engine::{NodeBelief, Session, Source};
use crate::eval::{Evaluated, Evaluator, Valued};
use crate::game::{ChessPosition, Score};
use crate::search::options::evaluation;

/// The expected score beyond which a position counts as won, and below whose negative as lost.
const DECIDED: f64 = 0.5;

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
        let edges = grid.edges();
        let above = |limit: f64| -> f64 {
            let bins = belief.density.0.iter().zip(edges.windows(2));
            let part = |(mass, edges): (&f32, &[f32])| {
                let (low, high) = (f64::from(edges[0]), f64::from(edges[1]));
                let share = ((high - limit) / (high - low).max(1e-9)).clamp(0.0, 1.0);
                f64::from(*mass) * share
            };
            bins.map(part).sum()
        };
        Some(Shares::of(above(DECIDED), 1.0 - above(-DECIDED)))
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
        let below = |e: f64| logistic_cdf((logit(e) - f64::from(location)) / f64::from(width));
        Some(Shares::of(1.0 - below(DECIDED), below(-DECIDED)))
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
    use crate::belief::Density;
    use crate::tree::Bound;

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
    fn a_belief_is_split_at_half_a_point() {
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
        // P(|N(0, 0.3)| > 0.5) = 0.0956, half of it on either side.
        assert!(
            (i32::from(win) - 48).abs() <= 8 && (i32::from(loss) - 48).abs() <= 8,
            "{win} {draw} {loss}"
        );
        let Shares { win, .. } = Shares::of_belief(&belief(0.5, 0.2), &grid).expect("shares");
        assert!((i32::from(win) - 500).abs() < 30, "{win}");
        let visits = NodeBelief {
            source: Source::Visits,
            ..belief(0.0, 0.3)
        };
        assert_eq!(Shares::of_belief(&visits, &grid), None);
    }
}
