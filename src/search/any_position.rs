//! A position of any game.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::AnyEvaluator;
use super::erased::{declare, pass};
use eval::playout::{Player, Playout, PlayoutRules};
use eval::{Evaluated, Evaluation, Evaluator};
use game::load::LoadError;
use game::{
    Board, Checks, ChessKnowledge, ChessPosition, Ending, Footprint, Game, History, KnownDraw,
    Listed, MoveCode, MoveList, Moves, Scale, Score, Side, Situation, ToyPosition,
};

/// A position of any game.
///
/// It is itself a [`Game`] whose moves are [`MoveCode`]s: whatever names moves, follows lines, lists rows or searches works
/// on it, at the cost of a call through a pointer for each question. Searches of chess are compiled for chess itself.
#[derive(Clone, Debug)]
pub struct AnyPosition(Arc<dyn AnyGame>);

impl AnyPosition {
    pub fn of<G: Evaluated>(position: G) -> AnyPosition {
        AnyPosition(Arc::new(position))
    }

    /// The position as one of the game `G`; `None` if it is of another game.
    pub fn downcast_ref<G: Game>(&self) -> Option<&G> {
        self.0.as_any().downcast_ref()
    }

    pub fn as_chess(&self) -> Option<&ChessPosition> {
        self.downcast_ref()
    }

    pub fn as_toy(&self) -> Option<&ToyPosition> {
        self.downcast_ref()
    }

    /// The position in Forsyth-Edwards Notation, or in what another game has in its place.
    pub fn fen(&self) -> Option<String> {
        self.0.notated()
    }

    /// Whether both positions are of the same kind of game: both chess, or both toy trees, even different ones.
    pub fn is_same_kind(&self, other: &AnyPosition) -> bool {
        self.0.as_any().type_id() == other.0.as_any().type_id()
    }

    /// Whether both are the same position of the same game, or of the same toy tree.
    pub fn is_same_position(&self, other: &AnyPosition) -> bool {
        self.is_same_kind(other) && self.is_same_game(other) && Game::key(self) == Game::key(other)
    }

    /// The name of the endgame table for the position, such as `KRPvKR`.
    pub fn table_name(&self) -> Option<String> {
        self.as_chess()?.table_name()
    }

    /// Plays a playout from this position.
    pub fn playout(&self, rules: PlayoutRules, seed: u64) -> Option<Playout> {
        self.0.playout(rules, seed)
    }

    /// The static evaluation of the position's game; one with a single evaluation has no use for `which`.
    pub fn evaluator(&self, which: Evaluation) -> AnyEvaluator {
        self.0.evaluator(which)
    }
}

/// The methods of [`Game`] in which no move occurs.
macro_rules! of_game {
    ($with:ident) => {
        $with! { Game:
            fn turn() -> Side;
            fn has_moves() -> bool;
            fn key() -> u64;
            fn ending(has_moves: bool) -> Option<Ending>;
            fn ending_score(ending: Ending) -> Score;
            fn reversible_plies() -> u32;
            fn may_be_over() -> bool;
            fn scale() -> Scale;
            fn move_number() -> Option<u32>;
            fn numbers_plies() -> bool;
            fn height() -> Option<u16>;
            fn static_values() -> Vec<f32>;
            fn game_name() -> &'static str;
            fn has_rules() -> bool;
            fn side_name(side: Side) -> &'static str;
            fn verdict() -> Option<String>;
            fn notated() -> Option<String>;
            fn written() -> Option<(String, Vec<MoveCode>)>;
            fn board() -> Option<Board>;
        }
    };
}

/// The methods of [`ChessKnowledge`] in which no move occurs.
macro_rules! of_knowledge {
    ($with:ident) => {
        $with! { ChessKnowledge:
            fn is_check() -> bool;
            fn can_win(side: Side) -> bool;
            fn has_pieces() -> bool;
            fn pawn_key() -> u64;
            fn material() -> Option<i32>;
            fn men() -> u32;
            fn known_draw() -> Option<KnownDraw>;
        }
    };
}

/// Asks the game itself.
macro_rules! ask {
    ($of:ident: $(fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self, $($arg: $type),*) -> $out { $of::$name(self, $($arg),*) })*
    };
}

/// What has the same answer in the game's own types.
trait Plain {
    of_game!(declare);
    of_knowledge!(declare);
}

impl<G: Game> Plain for G {
    of_game!(ask);
    of_knowledge!(ask);
}

/// What [`AnyPosition`] asks of the game behind it beside [`Plain`]: the methods of [`Game`] with codes for moves. It is implemented
/// once, for every game with an evaluation.
trait AnyGame: Plain + fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn legal_moves(&self) -> Moves<MoveCode>;
    /// See [`Game::list_noisy`].
    fn noisy_moves(&self) -> Moves<Listed>;
    /// See [`Game::list_quiet_checks`].
    fn quiet_checks(&self) -> Moves<Listed>;
    fn after(&self, code: MoveCode) -> Option<AnyPosition>;
    fn replies_to(&self, code: MoveCode) -> usize;
    fn may_end(&self, code: MoveCode) -> bool;
    fn may_win(&self, code: MoveCode) -> bool;
    fn is_noisy(&self, code: MoveCode) -> bool;
    fn gives_check(&self, code: MoveCode) -> bool;
    fn footprint(&self, code: MoveCode) -> Footprint;
    fn see_ge(&self, code: MoveCode, threshold: i32) -> bool;
    fn capture_gain(&self, code: MoveCode) -> i32;
    fn attacker(&self, code: MoveCode) -> i32;
    /// Empty where the code is not a move in this position.
    fn label(&self, code: MoveCode) -> String;
    /// Empty where the code is not a move in this position.
    fn uci(&self, code: MoveCode) -> String;
    fn decode(&self, code: MoveCode) -> Option<MoveCode>;
    fn is_same_game(&self, other: &AnyPosition) -> bool;
    fn read_moves(
        &self,
        history: &History,
        text: &str,
        may_pass: bool,
    ) -> Result<(Situation<AnyPosition>, Vec<MoveCode>), LoadError>;
    fn playout(&self, rules: PlayoutRules, seed: u64) -> Option<Playout>;
    fn evaluator(&self, which: Evaluation) -> AnyEvaluator;
}

impl<G: Evaluated> AnyGame for G {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn legal_moves(&self) -> Moves<MoveCode> {
        let moves = Game::legal_moves(self);
        moves.into_iter().map(|m| self.encode(m)).collect()
    }

    fn after(&self, code: MoveCode) -> Option<AnyPosition> {
        let next = Game::after(self, code)?;
        Some(AnyPosition::of(next))
    }

    fn noisy_moves(&self) -> Moves<Listed> {
        let mut list = Moves::new();
        Game::list_noisy(self, &mut list);
        list
    }

    fn quiet_checks(&self) -> Moves<Listed> {
        let mut list = Moves::new();
        Game::list_quiet_checks(self, &mut list);
        list
    }

    fn replies_to(&self, code: MoveCode) -> usize {
        let m = self.decode_known(code);
        m.map_or(0, |m| Game::replies_to(self, m))
    }

    fn may_end(&self, code: MoveCode) -> bool {
        let m = self.decode_known(code);
        m.is_some_and(|m| Game::may_end(self, m))
    }

    fn is_noisy(&self, code: MoveCode) -> bool {
        let m = self.decode_known(code);
        m.is_some_and(|m| ChessKnowledge::is_noisy(self, m))
    }

    fn footprint(&self, code: MoveCode) -> Footprint {
        let m = self.decode_known(code);
        m.map_or(Footprint::NONE, |m| ChessKnowledge::footprint(self, m))
    }

    fn see_ge(&self, code: MoveCode, threshold: i32) -> bool {
        let m = self.decode_known(code);
        m.is_some_and(|m| ChessKnowledge::see_ge(self, m, threshold))
    }

    fn capture_gain(&self, code: MoveCode) -> i32 {
        let m = self.decode_known(code);
        m.map_or(0, |m| ChessKnowledge::capture_gain(self, m))
    }

    fn attacker(&self, code: MoveCode) -> i32 {
        let m = self.decode_known(code);
        m.map_or(0, |m| ChessKnowledge::attacker(self, m))
    }

    fn gives_check(&self, code: MoveCode) -> bool {
        let m = self.decode_known(code);
        m.is_some_and(|m| ChessKnowledge::gives_check(self, m))
    }

    fn may_win(&self, code: MoveCode) -> bool {
        let m = self.decode_known(code);
        m.is_some_and(|m| Game::may_win(self, &self.checks(), m))
    }

    fn label(&self, code: MoveCode) -> String {
        let m = self.decode_known(code);
        m.map_or_else(String::new, |m| Game::label(self, m))
    }

    fn uci(&self, code: MoveCode) -> String {
        let m = self.decode_known(code);
        m.map_or_else(String::new, |m| Game::uci(self, m))
    }

    fn decode(&self, code: MoveCode) -> Option<MoveCode> {
        Game::decode(self, code).map(|m| self.encode(m))
    }

    fn is_same_game(&self, other: &AnyPosition) -> bool {
        let other = other.downcast_ref();
        other.is_some_and(|other| Game::is_same_game(self, other))
    }

    fn read_moves(
        &self,
        history: &History,
        text: &str,
        may_pass: bool,
    ) -> Result<(Situation<AnyPosition>, Vec<MoveCode>), LoadError> {
        let start = Situation::with_history(self.clone(), history.clone());
        let (end, moves) = G::read_moves(&start, text, may_pass)?;
        let end = end.map(|position| Some(AnyPosition::of(position.clone())));
        Ok((end.expect("every position has this form"), moves))
    }

    fn playout(&self, rules: PlayoutRules, seed: u64) -> Option<Playout> {
        let evaluator = G::evaluator(Evaluation::HandCrafted);
        let state = evaluator.start(self);
        let uncounted = || Ok::<(), ()>(());
        let mut player = Player::new(rules);
        player.play(&evaluator, self, &state, seed, uncounted).ok()
    }

    fn evaluator(&self, which: Evaluation) -> AnyEvaluator {
        AnyEvaluator::of::<G>(which)
    }
}

/// Everything but endgame tables, which are looked up in searches of chess alone.
impl ChessKnowledge<MoveCode> for AnyPosition {
    of_knowledge!(pass);
    pass! { ChessKnowledge:
        fn is_noisy(m: MoveCode) -> bool;
        fn gives_check(m: MoveCode) -> bool;
        fn footprint(m: MoveCode) -> Footprint;
        fn see_ge(m: MoveCode, threshold: i32) -> bool;
        fn capture_gain(m: MoveCode) -> i32;
        fn attacker(m: MoveCode) -> i32;
    }

    fn gives_check_by(&self, _: &Checks, m: MoveCode) -> bool {
        self.0.gives_check(m)
    }

    fn pass(&self) -> Option<AnyPosition> {
        self.0.after(MoveCode::PASS)
    }
}

impl Game for AnyPosition {
    type Move = MoveCode;

    of_game!(pass);
    pass! { Game:
        fn legal_moves() -> Moves<MoveCode>;
        fn replies_to(m: MoveCode) -> usize;
        fn may_end(m: MoveCode) -> bool;
        fn decode(code: MoveCode) -> Option<MoveCode>;
        fn after(code: MoveCode) -> Option<AnyPosition>;
        fn label(m: MoveCode) -> String;
        fn uci(m: MoveCode) -> String;
        fn is_same_game(other: &AnyPosition) -> bool;
    }

    fn list_noisy(&self, list: &mut impl MoveList) {
        for listed in self.0.noisy_moves() {
            list.push(listed);
        }
    }

    fn list_quiet_checks(&self, list: &mut impl MoveList) {
        for listed in self.0.quiet_checks() {
            list.push(listed);
        }
    }

    fn play(&mut self, m: MoveCode) {
        if let Some(next) = self.0.after(m) {
            *self = next;
        }
    }

    fn encode(&self, m: MoveCode) -> MoveCode {
        m
    }

    fn decode_known(&self, code: MoveCode) -> Option<MoveCode> {
        Some(code)
    }

    fn may_win(&self, _: &Checks, m: MoveCode) -> bool {
        self.0.may_win(m)
    }

    fn read_moves(
        start: &Situation<AnyPosition>,
        text: &str,
        may_pass: bool,
    ) -> Result<(Situation<AnyPosition>, Vec<MoveCode>), LoadError> {
        let at = &start.position;
        let (mut end, moves) = at.0.read_moves(&start.history, text, may_pass)?;
        end.continue_from(start);
        Ok((end, moves))
    }
}
