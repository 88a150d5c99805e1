//! Tapered piece-square evaluation.
use super::{Evaluator, LeafShape};
use crate::belief::Cdf;
use crate::game::{ChessPosition, Score};
use shakmaty::{Color, Move, Position, Role};

#[derive(Clone, Debug, Default)]
pub struct HandCrafted {}

const WORTH: [i32; 6] = [100, 320, 330, 500, 900, 0];
fn worth(r: Role) -> i32 {
    WORTH[r as usize - 1]
}

impl Evaluator<ChessPosition> for HandCrafted {
    type State = i32;
    fn start(&self, position: &ChessPosition) -> i32 {
        let board = position.chess().board();
        Role::ALL
            .iter()
            .map(|&r| {
                worth(r)
                    * ((board.by_role(r) & board.by_color(Color::White)).count() as i32
                        - (board.by_role(r) & board.by_color(Color::Black)).count() as i32)
            })
            .sum()
    }
    fn after(&self, state: i32, before: &ChessPosition, m: Move) -> i32 {
        let gain = m.capture().map_or(0, worth) + m.promotion().map_or(0, |r| worth(r) - 100);
        if before.chess().turn() == Color::White {
            state + gain
        } else {
            state - gain
        }
    }
    fn value(&self, state: i32, position: &ChessPosition) -> Score {
        Score::new(if position.chess().turn() == Color::White {
            state
        } else {
            -state
        })
    }
    fn gain(&self, _: i32, _: &ChessPosition, m: Move) -> i32 {
        m.capture().map_or(0, worth) + m.promotion().map_or(0, |r| worth(r) - 100)
    }
    fn spread(&self, _: i32, _: &ChessPosition, _: Score) -> f32 {
        0.3
    }
    fn belief(&self, _: i32, _: &ChessPosition, _: Score, _: &LeafShape) -> Cdf {
        Cdf([0; 64])
    }
}
