//! The value of a position by playouts, and the belief that goes with it, fitted to the results of games.

use std::sync::{Arc, OnceLock};

use super::playout::Light;
use super::{Go, Play};
use crate::result::{self, ResultBelief};
use belief::Cdf;

use eval::{Evaluated, Evaluator, LeafShape, PlayedOut};
use game::{Game, Score};

/// Plays a position out a few times.
#[derive(Clone, Copy, Debug, Default)]
pub struct Playouts;

impl Evaluated for Go {
    type Evaluator = Playouts;
}

/// How many playouts make a static value.
pub const PLAYOUTS: u32 = 8;

/// What the playouts of a position say, from its side to move's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    /// The logit of the share of playouts that it wins, with one more win and one more loss.
    pub logit: f32,
    /// The mean difference, komi included, as a share of the board.
    pub margin: f32,
}

impl Counted {
    /// Plays a position out. The same position gives the same numbers.
    pub fn of(position: &Go, playouts: u32) -> Counted {
        let mut random = fastrand::Rng::with_seed(position.stones.hash() ^ position.turn as u64);
        let start = position.light();
        let (mut won, mut margin) = (0.0, 0.0);
        for _ in 0..playouts {
            let ended = played_out(position, start.clone(), &mut random, &mut || true);
            let half_points = ended.map_or(0, |(half_points, _)| half_points);
            won += outcome(half_points);
            margin += half_points as f32 / 2.0;
        }
        let share = (won as f32 + 1.0) / (playouts as f32 + 2.0);
        Counted {
            logit: (share / (1.0 - share)).ln(),
            margin: margin / (playouts * position.stones.points()) as f32,
        }
    }
}

impl Go {
    /// The game that playouts of this position continue.
    fn light(&self) -> Light {
        Light::new(self.stones.clone(), self.turn, self.passes)
    }
}

/// Plays a position out, of which `game` is a copy. Returns the difference for its side to move, in half points, and the number of moves; `None` if `count`,
/// which is called before each, ends it.
fn played_out(
    position: &Go,
    mut game: Light,
    random: &mut fastrand::Rng,
    count: &mut dyn FnMut() -> bool,
) -> Option<(i32, u16)> {
    while !game.is_over() {
        if !count() {
            return None;
        }
        game.step(random);
    }
    let half_points = position.half_points_of(&game.stones, position.turn);
    Some((half_points, game.plies()))
}

/// 1 for a win, 0.5 for a draw, 0 for a loss.
fn outcome(half_points: i32) -> f64 {
    f64::from(half_points.signum() + 1) / 2.0
}

/// How much what was counted says of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// What [`Counted::logit`] and [`Counted::margin`] are worth, and the move, in the logit of the expected score.
    pub logit: f32,
    pub margin: f32,
    pub to_move: f32,
    /// The belief about the result.
    pub belief: ResultBelief,
}

impl Weights {
    /// Fitted to the results of games on 9×9 (`benches/go_fit.rs`). Once the share of wins is known, a larger difference of points says
    /// little, and rather the opposite.
    pub const FITTED: Weights = Weights {
        logit: 1.253,
        margin: -0.777,
        to_move: 0.195,
        belief: ResultBelief {
            times: 9.75,
            scale: 10.0,
            spread: 1.6,
        },
    };

    /// Returns the expected score of the side to move.
    pub fn expected(&self, counted: &Counted) -> f32 {
        let Counted { logit, margin } = counted;
        let logit = self.to_move + self.logit * logit + self.margin * margin;
        (logit / 2.0).tanh()
    }
}

/// What is known of a position: its playouts are played when somebody asks for its value.
#[derive(Clone, Debug, Default)]
pub struct Known {
    counted: Arc<OnceLock<Counted>>,
    /// See [`Evaluator::phase`].
    phase: f64,
}

impl Known {
    fn of(position: &Go) -> Known {
        let stones = position.stones();
        // Two eyes for each side stay empty.
        let most = f64::from(stones.points()) - 4.0;
        Known {
            counted: Arc::default(),
            phase: match most > 0.0 {
                true => (1.0 - f64::from(stones.count()) / most).max(0.0),
                false => 0.0,
            },
        }
    }

    fn expected(&self, position: &Go) -> f32 {
        let counted = self.counted.get_or_init(|| Counted::of(position, PLAYOUTS));
        Weights::FITTED.expected(counted)
    }
}

impl Evaluator<Go> for Playouts {
    type State = Known;

    fn start(&self, position: &Go) -> Known {
        Known::of(position)
    }

    fn after(&self, _: &Known, before: &Go, m: Play) -> Known {
        let mut position = before.clone();
        position.play(m);
        Known::of(&position)
    }

    fn value(&self, known: &Known, position: &Go) -> Score {
        result::score(known.expected(position))
    }

    fn expected(&self, known: &Known, position: &Go) -> Option<f32> {
        Some(known.expected(position))
    }

    fn phase(&self, known: &Known) -> f64 {
        known.phase
    }

    fn spread(&self, _: &Known, _: &Go, _: Score) -> f32 {
        Weights::FITTED.belief.spread
    }

    fn belief(&self, _: &Known, position: &Go, value: Score, shape: &LeafShape) -> Cdf {
        Weights::FITTED
            .belief
            .belief(position.scale(), value, shape)
    }

    fn play_out(
        &self,
        position: &Go,
        random: &mut fastrand::Rng,
        count: &mut dyn FnMut() -> bool,
    ) -> Option<PlayedOut> {
        let (half_points, plies) = played_out(position, position.light(), random, count)?;
        Some(PlayedOut {
            plies,
            outcome: outcome(half_points),
            difference: 50 * half_points,
        })
    }
}
