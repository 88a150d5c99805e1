//! Positions of games that plyscope does not know: all that is known is how one came there, and who is to move.

use std::sync::Arc;

use super::codes::{Further, plain, way_on};
use belief::{Cdf, Grid};
use eval::{Evaluated, Evaluator, LeafShape};
use game::load::LoadError;
use game::{ChessKnowledge, Ending, Game, MoveCode, Moves, Scale, Score, Side, Situation};
use open_trace::Names;
use text::quote;

/// A game of which only the names of its moves are known.
#[derive(Debug)]
pub struct TracedGame {
    pub(super) names: Arc<Names>,
    pub(super) further: Further,
    scale: Scale,
    /// The root, as the program describes it.
    root: Box<str>,
}

impl TracedGame {
    pub fn new(names: Arc<Names>, scale: Scale, root: &str) -> TracedGame {
        TracedGame {
            names,
            further: Further::default(),
            scale,
            root: root.into(),
        }
    }
}

/// A position of such a game. Every move that has a name can be played.
#[derive(Clone, Debug)]
pub struct TracedPosition {
    game: Arc<TracedGame>,
    /// The way from the root.
    way: u64,
    side: Side,
}

impl TracedPosition {
    /// What the first side is called.
    pub const FIRST: &str = "Max";

    pub fn root(game: Arc<TracedGame>, side: Side) -> TracedPosition {
        TracedPosition { game, way: 0, side }
    }

    pub(super) fn game(&self) -> &Arc<TracedGame> {
        &self.game
    }
}

impl ChessKnowledge<MoveCode> for TracedPosition {}

impl Game for TracedPosition {
    type Move = MoveCode;

    fn turn(&self) -> Side {
        self.side
    }

    fn has_rules(&self) -> bool {
        false
    }

    /// None is known: the tree has the moves that the program told.
    fn legal_moves(&self) -> Moves<MoveCode> {
        Moves::new()
    }

    fn play(&mut self, m: MoveCode) {
        self.way = way_on(self.way, m);
        self.side = self.side.other();
    }

    fn key(&self) -> u64 {
        self.way
    }

    fn ending(&self, _has_moves: bool) -> Option<Ending> {
        None
    }

    fn may_be_over(&self) -> bool {
        false
    }

    fn encode(&self, m: MoveCode) -> MoveCode {
        m
    }

    fn decode(&self, code: MoveCode) -> Option<MoveCode> {
        (!self.label(code).is_empty()).then_some(code)
    }

    fn label(&self, m: MoveCode) -> String {
        let id = match plain(open_trace::MoveId(m.0.into())) {
            Some(_) => Some(open_trace::MoveId(m.0.into())),
            None => self.game.further.name(self.way, m),
        };
        id.map_or_else(String::new, |id| self.game.names.text(id).to_owned())
    }

    fn scale(&self) -> Scale {
        self.game.scale
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::White => TracedPosition::FIRST,
            Side::Black => "Min",
        }
    }

    fn is_same_game(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.game, &other.game)
    }

    /// Every move that the program has named can be played.
    fn read_moves(
        start: &Situation<Self>,
        text: &str,
        _may_pass: bool,
    ) -> Result<(Situation<Self>, Vec<MoveCode>), LoadError> {
        let game = Arc::clone(start.position.game());
        let whole = text.trim();
        // A name may have spaces in it.
        let words: Vec<&str> = match () {
            () if whole.contains(['›', ',']) => whole.split(['›', ',']).map(str::trim).collect(),
            () if game.names.find(whole).is_some() => vec![whole],
            () => whole.split_whitespace().collect(),
        };
        let (mut end, mut moves) = (start.clone(), Vec::new());
        for word in words {
            let code = game.names.find(word).and_then(plain);
            let Some(code) = code.filter(|&code| end.follow(code)) else {
                let before = text.find(word).unwrap_or(0);
                let column = text[..before].chars().count() as u32 + 1;
                let error = LoadError::new(quote(word), "a move that the program has named");
                return Err(error.at_column(column));
            };
            moves.push(code);
        }
        Ok((end, moves))
    }

    fn notated(&self) -> Option<String> {
        let root = &*self.game.root;
        (self.way == 0 && !root.is_empty()).then(|| root.to_owned())
    }
}

/// Nothing is known about the value of such a position.
#[derive(Clone, Debug, Default)]
pub struct NoEvaluator;

impl Evaluator<TracedPosition> for NoEvaluator {
    type State = ();

    fn start(&self, _: &TracedPosition) {}

    fn after(&self, &(): &(), _: &TracedPosition, _: MoveCode) {}

    fn value(&self, &(): &(), _: &TracedPosition) -> Score {
        Score::DRAW
    }

    fn spread(&self, &(): &(), _: &TracedPosition, _: Score) -> f32 {
        0.0
    }

    fn belief(&self, &(): &(), position: &TracedPosition, value: Score, _: &LeafShape) -> Cdf {
        let expected = position.scale().expected(value);
        Cdf::atom(Grid::of(position.scale().points()).bin_of(expected))
    }
}

impl Evaluated for TracedPosition {
    type Evaluator = NoEvaluator;
}
