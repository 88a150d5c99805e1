//! What is searched, whatever the game.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::any_job::AnyJob;
use super::common::table::Tables;
use super::options::evaluation;
use super::{Algorithm, Choices, Control, Job, Options, Start};
use crate::eval::playout::{Player, Playout, PlayoutRules};
use crate::eval::{Evaluated, Evaluation, Evaluator};
use crate::game::load::{Content, Entry, LoadError};
use crate::game::{
    Checks, ChessKnowledge, ChessPosition, EndgameTables, Ending, Game, History, MoveCode, Moves,
    Scale, Score, Side, Situation, ToyPosition,
};
use crate::tree::Tree;

/// A position of any game, with the game that led to it: the start of a search.
///
/// It is made from a [`Situation`] of a game that has an evaluation: `Subject::from(situation)`.
pub type Subject = Situation<AnyPosition>;

/// A position of any game.
///
/// It is itself a [`Game`] whose moves are [`MoveCode`]s. Whatever names moves, follows lines or lists rows works on
/// it, at the cost of a call through a pointer for each question. Searches are compiled for the game itself.
#[derive(Clone, Debug)]
pub struct AnyPosition(Arc<dyn AnyGame>);

impl AnyPosition {
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
}

/// The parts of a [`Job`] that do not depend on its game's types; see there.
#[derive(Clone, Copy, Debug)]
pub struct JobParts<'a> {
    pub algorithm: Algorithm,
    pub tree: &'a Tree,
    pub tables: &'a Tables,
    pub endgames: Option<&'a EndgameTables>,
    pub options: &'a Options,
    pub control: &'a Control,
    pub start: Start,
    pub choices: &'a Choices,
    pub seed: u64,
}

impl Situation<AnyPosition> {
    /// The same in the types of the game `G`; `None` if it is of another game.
    pub fn downcast<G: Game>(&self) -> Option<Situation<G>> {
        self.map(|position| position.downcast_ref::<G>().cloned())
    }

    /// A chess position with its game; `None` if it is not chess.
    pub fn chess(&self) -> Option<Situation<ChessPosition>> {
        self.downcast()
    }

    /// Builds a job from the subject, in its game's own types, and passes it to `task`.
    pub fn with_job<T>(&self, parts: JobParts, task: impl FnOnce(&dyn AnyJob) -> T) -> T {
        let (mut task, mut answer) = (Some(task), None);
        let position = &self.position.0;
        position.with_job(&self.history, parts, &mut |job| {
            answer = task.take().map(|task| task(job));
        });
        answer.expect("a job is made once")
    }
}

impl<G: Evaluated> From<Situation<G>> for Situation<AnyPosition> {
    fn from(situation: Situation<G>) -> Subject {
        let subject = situation.map(|position| Some(AnyPosition(Arc::new(position.clone()))));
        subject.expect("every position has this form")
    }
}

impl Entry {
    /// Returns where a search starts: the position, the tree's root, or the game's start position.
    pub fn subject(&self) -> Subject {
        self.subject_at(0)
    }

    /// Returns the main line of a game up to ply `ply` (its end if it is shorter), with the moves before it. Entries
    /// that are not games ignore `ply`.
    pub fn subject_at(&self, ply: u32) -> Subject {
        match &self.content {
            Content::Position(epd) => Situation::new(epd.position.clone()).into(),
            Content::Game(game) => game.situation_at(ply).into(),
            Content::Tree(tree) => Situation::new(ToyPosition::root(Arc::clone(tree))).into(),
        }
    }

    /// Returns every position: a single one, or all of a game's main line.
    pub fn subjects(&self) -> impl Iterator<Item = Subject> + '_ {
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
    /// Calls `task` once.
    fn with_job(&self, history: &History, parts: JobParts, task: &mut dyn FnMut(&dyn AnyJob));
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
        Some(AnyPosition(Arc::new(next)))
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
        Ok((end.into(), moves))
    }

    fn playout(&self, rules: PlayoutRules, seed: u64) -> Option<Playout> {
        let evaluator = G::evaluator(Evaluation::HandCrafted);
        let state = evaluator.start(self);
        let uncounted = || Ok::<(), ()>(());
        let mut player = Player::new(rules);
        player.play(&evaluator, self, &state, seed, uncounted).ok()
    }

    fn with_job(&self, history: &History, parts: JobParts, task: &mut dyn FnMut(&dyn AnyJob)) {
        let situation = Situation::with_history(self.clone(), history.clone());
        task(&Job {
            algorithm: parts.algorithm,
            situation: &situation,
            evaluator: &G::evaluator(evaluation(parts.options)),
            tree: parts.tree,
            tables: parts.tables,
            endgames: parts.endgames,
            options: parts.options,
            control: parts.control,
            start: parts.start,
            choices: parts.choices,
            seed: parts.seed,
        });
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
        start: &Subject,
        text: &str,
        may_pass: bool,
    ) -> Result<(Subject, Vec<MoveCode>), LoadError> {
        let (mut end, moves) = start
            .position
            .0
            .read_moves(&start.history, text, may_pass)?;
        end.continue_from(start);
        Ok((end, moves))
    }
}
