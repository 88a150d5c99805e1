//! The evaluation of toy trees: what the file says.
use super::{Evaluator, LeafShape};
use crate::belief::Cdf;
use crate::game::{Score, ToyPosition};

#[derive(Clone, Debug, Default)]
pub struct ToyEvaluator {}

impl Evaluator<ToyPosition> for ToyEvaluator {
    type State = ();
    fn start(&self, _: &ToyPosition) {}
    fn after(&self, (): (), _: &ToyPosition, _: u16) {}
    fn value(&self, (): (), position: &ToyPosition) -> Score {
        position.score_of(position.node().value.unwrap_or(position.tree().leaf_mean))
    }
    fn gain(&self, (): (), _: &ToyPosition, _: u16) -> i32 {
        0
    }
    fn spread(&self, (): (), _: &ToyPosition, _: Score) -> f32 {
        0.1
    }
    fn belief(&self, (): (), _: &ToyPosition, _: Score, _: &LeafShape) -> Cdf {
        Cdf([0; 64])
    }
}
