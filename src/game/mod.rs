//! What is searched: chess (by shakmaty), toy trees and any other game of two sides, behind one small trait.

pub mod chess;
pub mod endgame;
pub mod history;
mod knowledge;
pub mod language;
pub mod load;
pub mod notation;
pub mod samples;
pub mod score;
pub mod text;
pub mod toy;

use std::fmt;

use arrayvec::ArrayVec;

use load::LoadError;

pub use chess::ChessPosition;
pub use chess::check::Checks;
pub use chess::syzygy::EndgameTables;
pub use endgame::{TableHit, TableResult};
pub use history::{Drawn, History, Repetition};
pub use knowledge::{ChessKnowledge, FOOTPRINTS, Footprint};
pub use score::{Scale, Score};
pub use toy::ToyPosition;

/// At most this many moves in one position (the longest list shakmaty can return).
pub const MAX_MOVES: usize = 270;

/// The legal moves of one position.
pub type Moves<M> = ArrayVec<M, MAX_MOVES>;

/// Who is to move at a node: White is Max in a toy tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Side {
    White,
    Black,
}

impl Side {
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// A move in 16 bits, as the tree stores it: for chess from, to and promotion (castling is the king taking
/// its rook, so it serves Chess960 too), for toy trees the index of the child.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// No move: the root's.
    pub const NONE: MoveCode = MoveCode(u16::MAX);
    /// Passing: the null move of null-move pruning, never a legal one.
    pub const PASS: MoveCode = MoveCode(u16::MAX - 1);
}

impl fmt::Debug for MoveCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}", self.0)
    }
}

/// How a position without continuation ended, and whether that holds whatever the path to it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    /// Fifty moves without capture or pawn move: depends on the path.
    FiftyMoves,
    /// A toy tree's leaf with an exact value.
    Leaf,
    /// The side to move has lost, in a game whose rules have no other word for it.
    Lost,
    /// Nobody has won, in a game whose rules have no other word for it.
    Drawn,
}

impl Ending {
    /// Whether the side to move has lost.
    #[inline]
    #[must_use]
    pub fn is_lost(self) -> bool {
        matches!(self, Ending::Checkmate | Ending::Lost)
    }
}

/// One position of a game of two sides, as the searches see it.
///
/// A new game implements what has no default here, says that it has no [`ChessKnowledge`], and has a static evaluation
/// ([`crate::eval::Evaluator`]). A move is of the game's own type while a search plays it, and a [`MoveCode`] in the tree.
pub trait Game:
    ChessKnowledge<<Self as Game>::Move> + Clone + Send + Sync + fmt::Debug + 'static
{
    type Move: Copy + PartialEq + fmt::Debug + Send + Sync;

    fn turn(&self) -> Side;

    /// All legal moves, in a fixed order.
    fn legal_moves(&self) -> Moves<Self::Move>;

    /// Makes a legal move.
    fn play(&mut self, m: Self::Move);

    /// Equal for equal positions (side to move, castling and legal en passant included): for repetition and tables.
    fn key(&self) -> u64;

    /// The ending here, given whether there are legal moves (the caller has the list already). Repetition can't be seen
    /// from a single position: see [`History`].
    fn ending(&self, has_moves: bool) -> Option<Ending>;

    /// The move in 16 bits, different for every legal move of the position.
    fn encode(&self, m: Self::Move) -> MoveCode;

    /// The move as people write it: SAN, or the toy child's name.
    fn label(&self, m: Self::Move) -> String;

    fn scale(&self) -> Scale;

    /// The exact score of an ending, side to move.
    fn ending_score(&self, ending: Ending) -> Score {
        if ending.is_lost() {
            Score::LOSS
        } else {
            Score::DRAW
        }
    }

    /// Plies since the last move that can't be undone: no position before it can be repeated.
    fn reversible_plies(&self) -> u32 {
        0
    }

    /// The move as machines write it: UCI, or the toy child's name.
    fn uci(&self, m: Self::Move) -> String {
        self.label(m)
    }

    /// Whether the move may end the game at once in another way than by checkmate: cheap, and may say yes too often.
    fn may_end(&self, _m: Self::Move) -> bool {
        true
    }

    /// Whether the move may win at once: cheap, and may say yes too often. `checks` are of this position.
    fn may_win(&self, _checks: &Checks, _m: Self::Move) -> bool {
        true
    }

    /// Whether the game may be over here for want of legal moves, so that they have to be counted even before they are
    /// needed: cheap, and may say yes too often.
    fn may_be_over(&self) -> bool {
        true
    }

    /// Makes a legal move without keeping [`Game::key`] up to date: for quiescence, which never asks for the key.
    /// The key of the position reached is unspecified.
    fn play_keyless(&mut self, m: Self::Move) {
        self.play(m);
    }

    /// The move's code and whether it is noisy ([`ChessKnowledge::is_noisy`]), found at once.
    #[inline]
    fn note(&self, m: Self::Move) -> (MoveCode, bool) {
        (self.encode(m), self.is_noisy(m))
    }

    /// The legal move with this code.
    fn decode(&self, code: MoveCode) -> Option<Self::Move> {
        self.legal_moves()
            .into_iter()
            .find(|&m| self.encode(m) == code)
    }

    /// The move with a code that is known to be legal here: cheaper than [`Game::decode`], for replaying a line of
    /// the tree.
    fn decode_known(&self, code: MoveCode) -> Option<Self::Move> {
        self.decode(code)
    }

    /// The position after the legal move with this code, or after passing; `None` where that is not possible.
    fn after(&self, code: MoveCode) -> Option<Self> {
        if code == MoveCode::PASS {
            return self.pass();
        }
        let m = self.decode_known(code)?;
        let mut next = self.clone();
        next.play(m);
        Some(next)
    }

    /// The number of the move about to be made, as people count (White's and Black's share one); `None` in games whose
    /// moves are not numbered.
    fn move_number(&self) -> Option<u32> {
        None
    }

    /// What people call a side.
    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::White => "White",
            Side::Black => "Black",
        }
    }

    /// Whether both belong to one game, so that equal keys mean equal positions. Each toy tree is a game of its own.
    fn is_same_game(&self, _other: &Self) -> bool {
        true
    }

    /// Plays moves written by a person one after the other, null moves ([`notation::PASS`]) only if `may_pass`: the
    /// situation they lead to, and their codes. Unless a game has a notation of its own, they are names of moves separated
    /// by spaces, commas or `›`.
    ///
    /// # Errors
    /// The first word that is not a move there, with its column.
    fn read_moves(
        start: &Situation<Self>,
        text: &str,
        _may_pass: bool,
    ) -> Result<(Situation<Self>, Vec<MoveCode>), LoadError> {
        notation::play_names(start, text)
    }

    /// The whole height of a finite tree (toy trees): depth-first searches go there at once, since inner nodes
    /// have no value of their own.
    fn height(&self) -> Option<u16> {
        None
    }
}

/// A position with the game that led to it: what a search starts from.
#[derive(Clone, Debug)]
pub struct Situation<G> {
    pub position: G,
    pub history: History,
}

impl<G: Game> Situation<G> {
    #[must_use]
    pub fn new(position: G) -> Self {
        Situation {
            position,
            history: History::default(),
        }
    }

    /// Goes on by a legal move.
    pub fn play(&mut self, m: G::Move) {
        self.history.push(self.position.key());
        self.position.play(m);
    }

    /// Goes on by the move with this code, or by passing; false, and nothing happens, where that can't be done.
    pub fn follow(&mut self, code: MoveCode) -> bool {
        let Some(next) = self.position.after(code) else {
            return false;
        };
        self.history.push(self.position.key());
        self.position = next;
        true
    }

    /// The moves by which the game went on from `earlier` to here, none where it is the same place; `None` where this is
    /// another game, or one that went another way.
    #[must_use]
    pub fn moves_since(&self, earlier: &Situation<G>) -> Option<Vec<MoveCode>> {
        if !self.position.is_same_game(&earlier.position) {
            return None;
        }
        let later = self.history.keys().strip_prefix(earlier.history.keys())?;
        let ends_at = [self.position.key()];
        let mut keys = later.iter().chain(&ends_at);
        if *keys.next()? != earlier.position.key() {
            return None;
        }
        let mut position = earlier.position.clone();
        let mut moves = Vec::with_capacity(later.len());
        for &key in keys {
            let (m, next) = position.legal_moves().into_iter().find_map(|m| {
                let mut next = position.clone();
                next.play(m);
                (next.key() == key).then_some((m, next))
            })?;
            moves.push(position.encode(m));
            position = next;
        }
        // The same pieces, but by another way before `earlier`.
        let same = position.reversible_plies() == self.position.reversible_plies();
        same.then_some(moves)
    }
}
