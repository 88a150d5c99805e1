//! What is searched, whatever the game.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use belief::Cdf;
use eval::playout::{Player, Playout, PlayoutRules};
use eval::{Evaluated, Evaluation, Evaluator, LeafShape, MovesLeft, Valued};
use game::load::{Content, Entry, LoadError};
use game::{
    Checks, ChessKnowledge, ChessPosition, Ending, Game, History, MoveCode, Moves, PerMove, Scale,
    Score, Side, Situation, ToyPosition,
};

/// A position of any game, with the game that led to it: the start of a search.
///
/// `Subject::of(situation)` makes one of any game that has an evaluation; a chess position and a toy tree also have
/// `From`.
#[derive(Clone, Debug)]
pub struct Subject(Situation<AnyPosition>);

impl Subject {
    pub fn of<G: Evaluated>(situation: Situation<G>) -> Subject {
        let situation = situation.map(|position| Some(AnyPosition::of(position.clone())));
        Subject(situation.expect("every position has this form"))
    }

    /// The same in the types of the game `G`; `None` if it is of another game.
    pub fn downcast<G: Game>(&self) -> Option<Situation<G>> {
        self.map(|position| position.downcast_ref::<G>().cloned())
    }

    /// A chess position with its game; `None` if it is not chess.
    pub fn chess(&self) -> Option<Situation<ChessPosition>> {
        self.downcast()
    }

    /// See [`Situation::play_text`].
    ///
    /// # Errors
    /// The first word that is not a move there, with its column.
    pub fn play_text(&self, text: &str) -> Result<Subject, LoadError> {
        Ok(self.read_moves(text, false)?.0)
    }

    /// See [`Game::read_moves`].
    ///
    /// # Errors
    /// The first word that is not a move there, with its column.
    pub fn read_moves(
        &self,
        text: &str,
        may_pass: bool,
    ) -> Result<(Subject, Vec<MoveCode>), LoadError> {
        let (mut end, moves) = self.position.0.read_moves(&self.history, text, may_pass)?;
        end.continue_from(self);
        Ok((end, moves))
    }
}

impl Deref for Subject {
    type Target = Situation<AnyPosition>;

    fn deref(&self) -> &Situation<AnyPosition> {
        &self.0
    }
}

impl DerefMut for Subject {
    fn deref_mut(&mut self) -> &mut Situation<AnyPosition> {
        &mut self.0
    }
}

impl From<Situation<AnyPosition>> for Subject {
    fn from(situation: Situation<AnyPosition>) -> Subject {
        Subject(situation)
    }
}

impl From<Situation<ChessPosition>> for Subject {
    fn from(situation: Situation<ChessPosition>) -> Subject {
        Subject::of(situation)
    }
}

impl From<Situation<ToyPosition>> for Subject {
    fn from(situation: Situation<ToyPosition>) -> Subject {
        Subject::of(situation)
    }
}

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

/// The positions of an [`Entry`] as starts of searches.
pub trait Subjects {
    /// Returns where a search starts: the position, the tree's root, or the game's start position.
    fn subject(&self) -> Subject {
        self.subject_at(0)
    }

    /// Returns the main line of a game up to ply `ply` (its end if it is shorter), with the moves before it. Entries
    /// that are not games ignore `ply`.
    fn subject_at(&self, ply: u32) -> Subject;

    /// Returns every position: a single one, or all of a game's main line.
    fn subjects(&self) -> impl Iterator<Item = Subject> + '_;
}

impl Subjects for Entry {
    fn subject_at(&self, ply: u32) -> Subject {
        match &self.content {
            Content::Position(epd) => Situation::new(epd.position.clone()).into(),
            Content::Game(game) => game.situation_at(ply).into(),
            Content::Tree(tree) => Situation::new(ToyPosition::root(Arc::clone(tree))).into(),
        }
    }

    fn subjects(&self) -> impl Iterator<Item = Subject> + '_ {
        (0..=self.plies()).map(|ply| self.subject_at(ply))
    }
}

/// What [`AnyPosition`] asks of the game behind it: the methods of [`Game`], with codes for moves. It is implemented
/// once, for every game with an evaluation.
trait AnyGame: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn turn(&self) -> Side;
    fn legal_moves(&self) -> Moves<MoveCode>;
    fn after(&self, code: MoveCode) -> Option<AnyPosition>;
    fn key(&self) -> u64;
    fn ending(&self, has_moves: bool) -> Option<Ending>;
    fn ending_score(&self, ending: Ending) -> Score;
    fn reversible_plies(&self) -> u32;
    fn is_noisy(&self, code: MoveCode) -> bool;
    fn gives_check(&self, code: MoveCode) -> bool;
    fn may_win(&self, code: MoveCode) -> bool;
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
    fn side_name(&self, side: Side) -> &'static str;
    fn is_same_game(&self, other: &AnyPosition) -> bool;
    fn read_moves(
        &self,
        history: &History,
        text: &str,
        may_pass: bool,
    ) -> Result<(Subject, Vec<MoveCode>), LoadError>;
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

    fn is_noisy(&self, code: MoveCode) -> bool {
        let m = self.decode_known(code);
        m.is_some_and(|m| ChessKnowledge::is_noisy(self, m))
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
    ) -> Result<(Subject, Vec<MoveCode>), LoadError> {
        let start = Situation::with_history(self.clone(), history.clone());
        let (end, moves) = G::read_moves(&start, text, may_pass)?;
        Ok((Subject::of(end), moves))
    }

    fn playout(&self, rules: PlayoutRules, seed: u64) -> Option<Playout> {
        let evaluator = G::evaluator(Evaluation::HandCrafted);
        let state = evaluator.start(self);
        let uncounted = || Ok::<(), ()>(());
        let mut player = Player::new(rules);
        player.play(&evaluator, self, &state, seed, uncounted).ok()
    }

    fn evaluator(&self, which: Evaluation) -> AnyEvaluator {
        AnyEvaluator(Arc::new(Of::<G>(G::evaluator(which))))
    }
}

/// Only the parts of chess knowledge that are used outside of searches.
impl ChessKnowledge<MoveCode> for AnyPosition {
    fn is_noisy(&self, m: MoveCode) -> bool {
        self.0.is_noisy(m)
    }

    fn gives_check(&self, m: MoveCode) -> bool {
        self.0.gives_check(m)
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
        let (end, moves) = Subject(start.clone()).read_moves(text, may_pass)?;
        Ok((end.0, moves))
    }
}

/// The static evaluation of any game.
#[derive(Clone, Debug)]
pub struct AnyEvaluator(Arc<dyn AnyEvaluation>);

/// The state that an [`AnyEvaluator`] carries along a line of play.
#[derive(Clone, Debug)]
pub struct AnyState(Arc<dyn State>);

/// The evaluator of the game `G`.
struct Of<G: Evaluated>(G::Evaluator);

impl<G: Evaluated> fmt::Debug for Of<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(std::any::type_name::<G::Evaluator>())
            .finish()
    }
}

impl<G: Evaluated> Of<G> {
    fn position<'a>(&self, at: &'a AnyPosition) -> &'a G {
        at.downcast_ref()
            .expect("a position of the evaluator's game")
    }

    fn state<'a>(&self, state: &'a AnyState) -> &'a <G::Evaluator as Evaluator<G>>::State {
        let state = (*state.0).as_state().downcast_ref();
        state.expect("a state of the evaluator's game")
    }
}

/// What can be an evaluator's state.
trait State: fmt::Debug + Send + Sync {
    fn as_state(&self) -> &dyn Any;
}

impl<S: fmt::Debug + Send + Sync + 'static> State for S {
    fn as_state(&self) -> &dyn Any {
        self
    }
}

/// What [`AnyEvaluator`] asks of the evaluator behind it: the methods of [`Evaluator`], with codes for moves.
trait AnyEvaluation: fmt::Debug + Send + Sync {
    fn start(&self, position: &AnyPosition) -> AnyState;
    fn after(&self, state: &AnyState, before: &AnyPosition, m: MoveCode) -> AnyState;
    fn value(&self, state: &AnyState, position: &AnyPosition) -> Score;
    fn gain(&self, state: &AnyState, position: &AnyPosition, m: MoveCode) -> i32;
    fn policy(&self, state: &AnyState, position: &AnyPosition) -> Option<PerMove<i32>>;
    fn expected(&self, state: &AnyState, position: &AnyPosition) -> Option<f32>;
    fn phase(&self, state: &AnyState) -> f64;
    fn moves_left(&self, position: &AnyPosition) -> Option<MovesLeft>;
    fn spread(&self, state: &AnyState, position: &AnyPosition, value: Score) -> f32;
    fn searched(&self, state: &AnyState, at: &AnyPosition, valued: &Valued) -> Option<(f32, f32)>;
    fn belief(&self, state: &AnyState, at: &AnyPosition, value: Score, shape: &LeafShape) -> Cdf;
}

impl<G: Evaluated> AnyEvaluation for Of<G> {
    fn start(&self, position: &AnyPosition) -> AnyState {
        AnyState(Arc::new(self.0.start(self.position(position))))
    }

    fn after(&self, state: &AnyState, before: &AnyPosition, m: MoveCode) -> AnyState {
        let (before, own) = (self.position(before), self.state(state));
        match before.decode_known(m) {
            Some(m) => AnyState(Arc::new(self.0.after(own, before, m))),
            None => state.clone(),
        }
    }

    fn value(&self, state: &AnyState, position: &AnyPosition) -> Score {
        self.0.value(self.state(state), self.position(position))
    }

    fn gain(&self, state: &AnyState, position: &AnyPosition, m: MoveCode) -> i32 {
        let at = self.position(position);
        let m = at.decode_known(m);
        m.map_or(0, |m| self.0.gain(self.state(state), at, m))
    }

    fn policy(&self, state: &AnyState, position: &AnyPosition) -> Option<PerMove<i32>> {
        let at = self.position(position);
        self.0.policy(self.state(state), at, &at.legal_moves())
    }

    fn expected(&self, state: &AnyState, position: &AnyPosition) -> Option<f32> {
        self.0.expected(self.state(state), self.position(position))
    }

    fn phase(&self, state: &AnyState) -> f64 {
        self.0.phase(self.state(state))
    }

    fn moves_left(&self, position: &AnyPosition) -> Option<MovesLeft> {
        self.0.moves_left(self.position(position))
    }

    fn spread(&self, state: &AnyState, position: &AnyPosition, value: Score) -> f32 {
        self.0
            .spread(self.state(state), self.position(position), value)
    }

    fn searched(&self, state: &AnyState, at: &AnyPosition, valued: &Valued) -> Option<(f32, f32)> {
        self.0
            .searched(self.state(state), self.position(at), valued)
    }

    fn belief(&self, state: &AnyState, at: &AnyPosition, value: Score, shape: &LeafShape) -> Cdf {
        self.0
            .belief(self.state(state), self.position(at), value, shape)
    }
}

impl Evaluator<AnyPosition> for AnyEvaluator {
    type State = AnyState;

    fn start(&self, position: &AnyPosition) -> AnyState {
        self.0.start(position)
    }

    fn after(&self, state: &AnyState, before: &AnyPosition, m: MoveCode) -> AnyState {
        self.0.after(state, before, m)
    }

    fn value(&self, state: &AnyState, position: &AnyPosition) -> Score {
        self.0.value(state, position)
    }

    fn gain(&self, state: &AnyState, position: &AnyPosition, m: MoveCode) -> i32 {
        self.0.gain(state, position, m)
    }

    fn policy(
        &self,
        state: &AnyState,
        position: &AnyPosition,
        _moves: &Moves<MoveCode>,
    ) -> Option<PerMove<i32>> {
        self.0.policy(state, position)
    }

    fn expected(&self, state: &AnyState, position: &AnyPosition) -> Option<f32> {
        self.0.expected(state, position)
    }

    fn phase(&self, state: &AnyState) -> f64 {
        self.0.phase(state)
    }

    fn moves_left(&self, position: &AnyPosition) -> Option<MovesLeft> {
        self.0.moves_left(position)
    }

    fn spread(&self, state: &AnyState, position: &AnyPosition, value: Score) -> f32 {
        self.0.spread(state, position, value)
    }

    fn searched(
        &self,
        state: &AnyState,
        position: &AnyPosition,
        valued: &Valued,
    ) -> Option<(f32, f32)> {
        self.0.searched(state, position, valued)
    }

    fn belief(
        &self,
        state: &AnyState,
        position: &AnyPosition,
        value: Score,
        shape: &LeafShape,
    ) -> Cdf {
        self.0.belief(state, position, value, shape)
    }
}
