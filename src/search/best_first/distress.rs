use crate::eval::Evaluator;
use crate::game::Game;
use crate::search::{Job, OptionSpec, Probe};
pub const OPTIONS: &[OptionSpec] = &[];
pub fn run<G: Game, E: Evaluator<G>, P: Probe>(_job: &Job<G, E>, _thread: usize, _probe: &mut P) {}
