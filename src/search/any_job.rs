//! What can be done with a job of any game.

use super::common::context::Context;
use super::common::quiescence::{CaptureRules, Quiescence};
use super::endgame::root_in_tables;
use super::{Choices, Free, Interrupt, Job, OpenedLeaf, Reuse, Start, Watched};
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Score};
use crate::tree::NodeId;

/// A [`Job`] of any game. Every call leads to code compiled for the game.
pub trait AnyJob {
    /// Runs one thread of the search; see [`super::run`].
    fn run(&self, thread: usize, probe: Watched) -> Start;

    /// Runs a single-threaded search that nobody watches.
    fn run_unwatched(&self) -> Start;

    /// See [`super::apply_choices()`].
    fn apply_choices(&self, before: &Choices) -> Start;

    /// See [`super::move_on`].
    fn move_on(&self, moves: &[MoveCode]) -> Option<Reuse>;

    /// See [`super::search_again`].
    fn search_again(&self, node: NodeId);

    /// See [`super::open_leaf`].
    fn open_leaf(&self, leaf: &OpenedLeaf, probe: Watched);

    /// Whether the endgame tables know the root's moves.
    fn is_root_in_tables(&self) -> bool;

    /// The value of the position before any move is searched.
    ///
    /// # Errors
    /// [`Interrupt`] if the search was stopped.
    fn standing(&self) -> Result<Standing, Interrupt>;
}

/// The value of a position before any move is searched, from the view of its side to move.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// `None` in check.
    pub static_value: Option<Score>,
    /// The value by quiescence that leaves out no capture because of its small gain.
    pub quiescence: Score,
}

impl<G: Game, E: Evaluator<G>> AnyJob for Job<'_, G, E> {
    fn run(&self, thread: usize, mut probe: Watched) -> Start {
        super::run(self, thread, &mut probe)
    }

    fn run_unwatched(&self) -> Start {
        super::run(self, 0, &mut Free)
    }

    fn apply_choices(&self, before: &Choices) -> Start {
        super::apply_choices(self, before)
    }

    fn move_on(&self, moves: &[MoveCode]) -> Option<Reuse> {
        super::move_on(self, moves)
    }

    fn search_again(&self, node: NodeId) {
        super::search_again(self, node, &mut Free);
    }

    fn open_leaf(&self, leaf: &OpenedLeaf, mut probe: Watched) {
        super::open_leaf(self, leaf, &mut probe);
    }

    fn is_root_in_tables(&self) -> bool {
        root_in_tables(self).is_some()
    }

    fn standing(&self) -> Result<Standing, Interrupt> {
        let position = &self.situation.position;
        let state = self.evaluator.start(position);
        let mut probe = Free;
        let mut context = Context::new(self, 0, &mut probe);
        let quiescence = Quiescence {
            evaluator: self.evaluator,
            rules: CaptureRules::DEFAULT,
            corrections: None,
            static_values: None,
        };
        let value = quiescence.search(
            &mut context,
            NodeId::NONE,
            position,
            &state,
            Score::MIN,
            Score::MAX,
            0,
            0,
        )?;
        let static_value = self.evaluator.value(&state, position);
        Ok(Standing {
            static_value: (!position.is_check()).then_some(static_value),
            quiescence: value,
        })
    }
}
