//! One game between two searches that differ in their options.

use std::cmp::Ordering;

use super::results::Outcome;
use super::{GridCell, Settings};
use algorithms::{JobParts, with_job};
use eval::playout::playout_seed;
use eval::{Evaluator, HandCrafted};
use game::{Ending, Game, MoveCode, Scale, Seen, Side};
use games::go::{Counted, Go};
use search::common::table::Tables;
use search::{
    AnyPosition, Choices, Control, Limits, OptionError, Options, Start, StopReason, Subject,
};
use session::jobs::Worker;
use session::line::best_move;
use tree::Tree;

/// The number of consecutive plies for which a side has to be ahead.
const PATIENCE: u16 = 6;

/// How many playouts count the points of a game of Go that has reached its maximum length.
const FINAL: u32 = 64;

/// The setup for the games of one cell.
#[derive(Debug)]
pub struct Duel<'a> {
    settings: &'a Settings,
    cell: GridCell,
    with: Options,
    without: Options,
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
        let mut game = self.settings.game.opening(number)?;
        let (from, to) = self.cell.into();
        let pair = playout_seed(
            self.settings.seed,
            u32::from(from) << 8 | u32::from(to),
            number as u32,
        );
        let mut judge = Judge::new(self.settings);
        for ply in 0.. {
            match judge.state_of(&game, ply) {
                GameState::Goes => {}
                GameState::Drawn => return Some(Outcome::Drawn),
                GameState::Won(winner) if winner == side => return Some(Outcome::Won),
                GameState::Won(_) => return Some(Outcome::Lost),
            }
            let own = game.position.turn() == side;
            let options = if own { &self.with } else { &self.without };
            let seed = playout_seed(pair, side as u32, u32::from(ply));
            let (code, expected) = self.choose(&game, options, seed, worker)?;
            judge.searched = Some(Seen::new(game.position.turn(), expected));
            if !game.follow(code) {
                return None;
            }
        }
        None
    }

    /// Returns the move that a search of the configured number of playouts would play, and the expected score that it found for the
    /// side to move; `None` if stopped.
    fn choose(
        &self,
        game: &Subject,
        options: &Options,
        seed: u64,
        worker: &Worker,
    ) -> Option<(MoveCode, f32)> {
        let control = worker.control(Limits {
            playouts: Some(u64::from(self.settings.playouts)),
            ..Limits::default()
        })?;
        let tree = tree(self.settings.playouts, game.position.scale());
        self.search(game, options, seed, &control, &tree);
        if control.stopped() == Some(StopReason::User) {
            return None;
        }
        let best = best_move(Some(super::ALGORITHM), &tree, Tree::ROOT)?;
        let expected = tree.view(Tree::ROOT).expected.unwrap_or_default();
        Some((best, expected))
    }

    fn search(&self, game: &Subject, options: &Options, seed: u64, control: &Control, tree: &Tree) {
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
        with_job(game, parts, |job| job.run_unwatched());
    }
}

/// Says when a game is over, and who has won it.
struct Judge<'a> {
    settings: &'a Settings,
    evaluator: HandCrafted,
    /// Who is far ahead, and for how many plies.
    lead: (Side, u16),
    /// What the last search found.
    searched: Option<Seen<f32>>,
}

impl<'a> Judge<'a> {
    fn new(settings: &'a Settings) -> Self {
        Judge {
            settings,
            evaluator: HandCrafted::default(),
            lead: (Side::White, 0),
            searched: None,
        }
    }

    /// Whether the game continues.
    fn state_of(&mut self, game: &Subject, ply: u16) -> GameState {
        let position = &game.position;
        match position.ending(position.has_moves()) {
            Some(Ending::Won) => return GameState::Won(position.turn()),
            Some(ending) if ending.is_lost() => return GameState::Won(position.turn().other()),
            Some(_) => return GameState::Drawn,
            None => {}
        }
        let key = position.key();
        let again = game.history.repetitions(key, position.reversible_plies());
        if again.times >= 2 {
            return GameState::Drawn;
        }
        let value = self.value(position);
        let ahead = match value >= 0 {
            true => Side::White,
            false => Side::Black,
        };
        let margin = self.settings.margin;
        let far = margin > 0 && value.abs() >= margin;
        self.lead = match (far, ahead == self.lead.0) {
            (false, _) => (ahead, 0),
            (true, true) => (ahead, self.lead.1 + 1),
            (true, false) => (ahead, 1),
        };
        match (self.lead.1 >= PATIENCE, ply >= self.settings.plies) {
            (true, _) => GameState::Won(ahead),
            (false, true) => self.counted(position, ahead, far),
            (false, false) => GameState::Goes,
        }
    }

    /// How far White is ahead: see [`Settings::margin`].
    fn value(&self, position: &AnyPosition) -> i32 {
        if let Some(chess) = position.as_chess() {
            let state = self.evaluator.start(chess);
            let value = Seen::new(chess.turn(), self.evaluator.value(&state, chess));
            return i32::from(value.seen_by(Side::White).raw());
        }
        let searched = self.searched.map_or(0.0, |seen| seen.seen_by(Side::White));
        (1_000.0 * searched) as i32
    }

    /// The result of a game that has reached its maximum length.
    fn counted(&self, position: &AnyPosition, ahead: Side, far: bool) -> GameState {
        let halves = match position.downcast_ref::<Go>() {
            Some(go) => Counted::of(go, FINAL).margin,
            None if far && ahead == position.turn() => 1.0,
            None if far => -1.0,
            None => 0.0,
        };
        match halves.total_cmp(&0.0) {
            Ordering::Greater => GameState::Won(position.turn()),
            Ordering::Less => GameState::Won(position.turn().other()),
            Ordering::Equal => GameState::Drawn,
        }
    }
}

/// Returns a tree with room for what this many playouts may expand.
fn tree(playouts: u32, scale: Scale) -> Tree {
    const LEAST: u64 = 4 << 20;
    const A_PLAYOUT: u64 = 16 << 10;
    let bytes = LEAST + A_PLAYOUT * u64::from(playouts);
    Tree::new(super::ALGORITHM.tree_spec(scale, bytes, u16::MAX))
}
