//! A position of any game.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::AnyEvaluator;
use eval::playout::{Player, Playout, PlayoutRules};
use eval::{Evaluated, Evaluation, Evaluator};
use game::load::LoadError;
use game::{
    Checks, ChessKnowledge, ChessPosition, Ending, Footprint, Game, History, Listed, MoveCode,
    MoveList, Moves, Scale, Score, Side, Situation, ToyPosition,
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

    /// The position in Forsyth-Edwards Notation; `None` if it is not chess.
    pub fn fen(&self) -> Option<String> {
        self.as_chess().map(ChessPosition::fen)
    }

    /// Whether both positions are of the same kind of game: both chess, or both toy trees, even different ones.
    pub fn is_same_kind(&self, other: &AnyPosition) -> bool {
        self.0.as_any().type_id() == other.0.as_any().type_id()
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

/// What [`AnyPosition`] asks of the game behind it: the methods of [`Game`], with codes for moves. It is implemented
/// once, for every game with an evaluation.
trait AnyGame: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn turn(&self) -> Side;
    fn legal_moves(&self) -> Moves<MoveCode>;
    fn has_moves(&self) -> bool;
    /// See [`Game::list_noisy`].
    fn noisy_moves(&self) -> Moves<Listed>;
    /// See [`Game::list_quiet_checks`].
    fn quiet_checks(&self) -> Moves<Listed>;
    fn after(&self, code: MoveCode) -> Option<AnyPosition>;
    fn key(&self) -> u64;
    fn ending(&self, has_moves: bool) -> Option<Ending>;
    fn ending_score(&self, ending: Ending) -> Score;
    fn reversible_plies(&self) -> u32;
    fn may_be_over(&self) -> bool;
    fn may_end(&self, code: MoveCode) -> bool;
    fn may_win(&self, code: MoveCode) -> bool;
    fn is_noisy(&self, code: MoveCode) -> bool;
    fn is_check(&self) -> bool;
    fn gives_check(&self, code: MoveCode) -> bool;
    fn can_win(&self, side: Side) -> bool;
    fn has_pieces(&self) -> bool;
    fn footprint(&self, code: MoveCode) -> Footprint;
    fn pawn_key(&self) -> u64;
    fn see_ge(&self, code: MoveCode, threshold: i32) -> bool;
    fn capture_gain(&self, code: MoveCode) -> i32;
    fn material(&self) -> Option<i32>;
    fn attacker(&self, code: MoveCode) -> i32;
    fn men(&self) -> u32;
    /// Empty where the code is not a move in this position.
    fn label(&self, code: MoveCode) -> String;
    /// Empty where the code is not a move in this position.
    fn uci(&self, code: MoveCode) -> String;
    fn decode(&self, code: MoveCode) -> Option<MoveCode>;
    fn scale(&self) -> Scale;
    fn move_number(&self) -> Option<u32>;
    fn height(&self) -> Option<u16>;
    /// See [`Game::static_values`].
    fn static_values(&self) -> Vec<f32>;
    /// See [`Game::written`].
    fn written(&self) -> Option<(String, Vec<MoveCode>)>;
    fn side_name(&self, side: Side) -> &'static str;
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

    fn turn(&self) -> Side {
        Game::turn(self)
    }

    fn legal_moves(&self) -> Moves<MoveCode> {
        let moves = Game::legal_moves(self);
        moves.into_iter().map(|m| self.encode(m)).collect()
    }

    fn after(&self, code: MoveCode) -> Option<AnyPosition> {
        let next = Game::after(self, code)?;
        Some(AnyPosition::of(next))
    }

    fn key(&self) -> u64 {
        Game::key(self)
    }

    fn ending(&self, has_moves: bool) -> Option<Ending> {
        Game::ending(self, has_moves)
    }

    fn ending_score(&self, ending: Ending) -> Score {
        Game::ending_score(self, ending)
    }

    fn reversible_plies(&self) -> u32 {
        Game::reversible_plies(self)
    }

    fn has_moves(&self) -> bool {
        Game::has_moves(self)
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

    fn may_be_over(&self) -> bool {
        Game::may_be_over(self)
    }

    fn may_end(&self, code: MoveCode) -> bool {
        let m = self.decode_known(code);
        m.is_some_and(|m| Game::may_end(self, m))
    }

    fn is_noisy(&self, code: MoveCode) -> bool {
        let m = self.decode_known(code);
        m.is_some_and(|m| ChessKnowledge::is_noisy(self, m))
    }

    fn is_check(&self) -> bool {
        ChessKnowledge::is_check(self)
    }

    fn can_win(&self, side: Side) -> bool {
        ChessKnowledge::can_win(self, side)
    }

    fn has_pieces(&self) -> bool {
        ChessKnowledge::has_pieces(self)
    }

    fn footprint(&self, code: MoveCode) -> Footprint {
        let m = self.decode_known(code);
        m.map_or(Footprint::NONE, |m| ChessKnowledge::footprint(self, m))
    }

    fn pawn_key(&self) -> u64 {
        ChessKnowledge::pawn_key(self)
    }

    fn see_ge(&self, code: MoveCode, threshold: i32) -> bool {
        let m = self.decode_known(code);
        m.is_some_and(|m| ChessKnowledge::see_ge(self, m, threshold))
    }

    fn capture_gain(&self, code: MoveCode) -> i32 {
        let m = self.decode_known(code);
        m.map_or(0, |m| ChessKnowledge::capture_gain(self, m))
    }

    fn material(&self) -> Option<i32> {
        ChessKnowledge::material(self)
    }

    fn attacker(&self, code: MoveCode) -> i32 {
        let m = self.decode_known(code);
        m.map_or(0, |m| ChessKnowledge::attacker(self, m))
    }

    fn men(&self) -> u32 {
        ChessKnowledge::men(self)
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

    fn scale(&self) -> Scale {
        Game::scale(self)
    }

    fn move_number(&self) -> Option<u32> {
        Game::move_number(self)
    }

    fn height(&self) -> Option<u16> {
        Game::height(self)
    }

    fn static_values(&self) -> Vec<f32> {
        Game::static_values(self)
    }

    fn written(&self) -> Option<(String, Vec<MoveCode>)> {
        Game::written(self)
    }

    fn side_name(&self, side: Side) -> &'static str {
        Game::side_name(self, side)
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
    fn is_noisy(&self, m: MoveCode) -> bool {
        self.0.is_noisy(m)
    }

    fn is_check(&self) -> bool {
        self.0.is_check()
    }

    fn gives_check(&self, m: MoveCode) -> bool {
        self.0.gives_check(m)
    }

    fn gives_check_by(&self, _: &Checks, m: MoveCode) -> bool {
        self.0.gives_check(m)
    }

    fn can_win(&self, side: Side) -> bool {
        self.0.can_win(side)
    }

    fn has_pieces(&self) -> bool {
        self.0.has_pieces()
    }

    fn footprint(&self, m: MoveCode) -> Footprint {
        self.0.footprint(m)
    }

    fn pawn_key(&self) -> u64 {
        self.0.pawn_key()
    }

    fn see_ge(&self, m: MoveCode, threshold: i32) -> bool {
        self.0.see_ge(m, threshold)
    }

    fn capture_gain(&self, m: MoveCode) -> i32 {
        self.0.capture_gain(m)
    }

    fn material(&self) -> Option<i32> {
        self.0.material()
    }

    fn attacker(&self, m: MoveCode) -> i32 {
        self.0.attacker(m)
    }

    fn men(&self) -> u32 {
        self.0.men()
    }

    fn pass(&self) -> Option<AnyPosition> {
        self.0.after(MoveCode::PASS)
    }
}

impl Game for AnyPosition {
    type Move = MoveCode;

    fn turn(&self) -> Side {
        self.0.turn()
    }

    fn legal_moves(&self) -> Moves<MoveCode> {
        self.0.legal_moves()
    }

    fn has_moves(&self) -> bool {
        self.0.has_moves()
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

    fn may_be_over(&self) -> bool {
        self.0.may_be_over()
    }

    fn may_end(&self, m: MoveCode) -> bool {
        self.0.may_end(m)
    }

    fn play(&mut self, m: MoveCode) {
        if let Some(next) = self.0.after(m) {
            *self = next;
        }
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn ending(&self, has_moves: bool) -> Option<Ending> {
        self.0.ending(has_moves)
    }

    fn ending_score(&self, ending: Ending) -> Score {
        self.0.ending_score(ending)
    }

    fn reversible_plies(&self) -> u32 {
        self.0.reversible_plies()
    }

    fn encode(&self, m: MoveCode) -> MoveCode {
        m
    }

    fn decode(&self, code: MoveCode) -> Option<MoveCode> {
        self.0.decode(code)
    }

    fn decode_known(&self, code: MoveCode) -> Option<MoveCode> {
        Some(code)
    }

    fn after(&self, code: MoveCode) -> Option<AnyPosition> {
        self.0.after(code)
    }

    fn may_win(&self, _: &Checks, m: MoveCode) -> bool {
        self.0.may_win(m)
    }

    fn label(&self, m: MoveCode) -> String {
        self.0.label(m)
    }

    fn uci(&self, m: MoveCode) -> String {
        self.0.uci(m)
    }

    fn scale(&self) -> Scale {
        self.0.scale()
    }

    fn move_number(&self) -> Option<u32> {
        self.0.move_number()
    }

    fn height(&self) -> Option<u16> {
        self.0.height()
    }

    fn static_values(&self) -> Vec<f32> {
        self.0.static_values()
    }

    fn written(&self) -> Option<(String, Vec<MoveCode>)> {
        self.0.written()
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.0.side_name(side)
    }

    fn is_same_game(&self, other: &AnyPosition) -> bool {
        self.0.is_same_game(other)
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
