//! One game between two searches that differ in their options.

use super::results::Outcome;
use super::{GridCell, OPENINGS, Settings};
use algorithms::{JobParts, with_job};
use eval::playout::playout_seed;
use eval::{Evaluator, HandCrafted};
use game::{ChessPosition, Ending, Game, MoveCode, Scale, Side, Situation};
use search::common::table::Tables;
use search::{Choices, Control, Limits, OptionError, Options, Start, StopReason};
use session::jobs::Worker;
use session::line::best_move;
use tree::Tree;

/// The number of consecutive plies for which a side has to be ahead.
const PATIENCE: u16 = 6;

/// The setup for the games of one cell.
#[derive(Debug)]
pub struct Duel<'a> {
    settings: &'a Settings,
    cell: GridCell,
    with: Options,
    without: Options,
    evaluator: HandCrafted,
    /// Empty tables, because a best-first search does not use them.
    tables: Tables,
}

/// Whether a game is over, and how.
enum GameState {
    Goes,
    Won(Side),
    Drawn,
}

impl<'a> Duel<'a> {
    /// Creates the setup for the games of one cell.
    ///
    /// # Errors
    /// If the settings contain an option that `mcts` does not accept.
    pub fn new(settings: &'a Settings, cell: GridCell) -> Result<Self, OptionError> {
        Ok(Duel {
            settings,
            cell,
            with: settings.side(Some(cell))?,
            without: settings.side(None)?,
            evaluator: HandCrafted::default(),
            tables: Tables::new(0),
        })
    }

    /// Plays both games of a pair. Returns `None` if stopped.
    pub fn pair(&self, number: usize, worker: &Worker) -> Option<[Outcome; 2]> {
        let white = self.game(number, Side::White, worker)?;
        let black = self.game(number, Side::Black, worker)?;
        Some([white, black])
    }

    /// Plays one game; `side` has the point differential.
    fn game(&self, number: usize, side: Side, worker: &Worker) -> Option<Outcome> {
        let mut game = opening(number)?;
        let (from, to) = self.cell.into();
        let pair = playout_seed(
            self.settings.seed,
            u32::from(from) << 8 | u32::from(to),
            number as u32,
        );
        let mut lead = (Side::White, 0);
        for ply in 0.. {
            match self.state_of(&game, ply, &mut lead) {
                GameState::Goes => {}
                GameState::Drawn => return Some(Outcome::Drawn),
                GameState::Won(winner) if winner == side => return Some(Outcome::Won),
                GameState::Won(_) => return Some(Outcome::Lost),
            }
            let own = game.position.turn() == side;
            let options = if own { &self.with } else { &self.without };
            let seed = playout_seed(pair, side as u32, u32::from(ply));
            let code = self.choose(&game, options, seed, worker)?;
            if !game.follow(code) {
                return None;
            }
        }
        None
    }

    /// Returns the move that a search of the configured number of playouts would play, or `None` if stopped.
    fn choose(
        &self,
        game: &Situation<ChessPosition>,
        options: &Options,
        seed: u64,
        worker: &Worker,
    ) -> Option<MoveCode> {
        let control = worker.control(Limits {
            playouts: Some(u64::from(self.settings.playouts)),
            ..Limits::default()
        })?;
        let tree = tree(self.settings.playouts);
        self.search(game, options, seed, &control, &tree);
        let halted = control.stopped() == Some(StopReason::User);
        (!halted).then(|| best_move(Some(super::ALGORITHM), &tree, Tree::ROOT))?
    }

    fn search(
        &self,
        situation: &Situation<ChessPosition>,
        options: &Options,
        seed: u64,
        control: &Control,
        tree: &Tree,
    ) {
        let parts = JobParts {
            recorded: None,
            algorithm: super::ALGORITHM,
            tree,
            tables: &self.tables,
            endgames: None,
            options,
            control,
            start: Start::default(),
            choices: &Choices::default(),
            seed,
        };
        with_job(&situation.clone().into(), parts, |job| job.run_unwatched());
    }

    /// Whether the game continues. `lead` holds who is far ahead and for how many plies.
    fn state_of(
        &self,
        game: &Situation<ChessPosition>,
        ply: u16,
        lead: &mut (Side, u16),
    ) -> GameState {
        let position = &game.position;
        let moves = !position.legal_moves().is_empty();
        match position.ending(moves) {
            Some(Ending::Checkmate) => return GameState::Won(position.turn().other()),
            Some(_) => return GameState::Drawn,
            None => {}
        }
        let key = position.key();
        let again = game.history.repetitions(key, position.reversible_plies());
        if again.times >= 2 {
            return GameState::Drawn;
        }
        let margin = self.settings.margin;
        let state = self.evaluator.start(position);
        let value = i32::from(self.evaluator.value(&state, position).raw());
        let ahead = if value >= 0 {
            position.turn()
        } else {
            position.turn().other()
        };
        let far = margin > 0 && value.abs() >= margin;
        *lead = match (far, ahead == lead.0) {
            (false, _) => (ahead, 0),
            (true, true) => (ahead, lead.1 + 1),
            (true, false) => (ahead, 1),
        };
        match (lead.1 >= PATIENCE, ply >= self.settings.plies) {
            (true, _) => GameState::Won(ahead),
            (false, true) if far => GameState::Won(ahead),
            (false, true) => GameState::Drawn,
            (false, false) => GameState::Goes,
        }
    }
}

/// Returns the position after a pair's opening.
fn opening(number: usize) -> Option<Situation<ChessPosition>> {
    let start = Situation::new(ChessPosition::default());
    start.play_text(OPENINGS[number % OPENINGS.len()]).ok()
}

/// Returns a tree with room for what this many playouts may expand.
fn tree(playouts: u32) -> Tree {
    const LEAST: u64 = 4 << 20;
    const A_PLAYOUT: u64 = 16 << 10;
    let bytes = LEAST + A_PLAYOUT * u64::from(playouts);
    Tree::new(super::ALGORITHM.tree_spec(Scale::Logistic, bytes, u16::MAX))
}
