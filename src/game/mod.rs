//! What is searched: chess (by shakmaty) and toy trees, behind one small trait.

pub mod chess;
pub mod endgame;
pub mod history;
pub mod language;
pub mod load;
pub mod notation;
pub mod samples;
pub mod score;
pub mod text;
pub mod toy;

use std::fmt;

use arrayvec::ArrayVec;

pub use chess::ChessPosition;
pub use chess::syzygy::EndgameTables;
pub use endgame::{TableHit, TableResult};
pub use history::{Drawn, History, Repetition};
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

/// A piece and the square it moves to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint(u16);

/// How many footprints there are, [`Footprint::NONE`] included.
pub const FOOTPRINTS: usize = 2 * 6 * 64 + 1;

impl Footprint {
    /// No move, or a game without pieces.
    pub const NONE: Footprint = Footprint(FOOTPRINTS as u16 - 1);

    #[inline]
    #[must_use]
    pub fn new(side: Side, piece: usize, square: usize) -> Footprint {
        let place = (side as usize * 6 + piece) * 64 + square;
        debug_assert!(place < FOOTPRINTS - 1);
        Footprint(place as u16)
    }

    pub const PIECES_AND_SQUARES: usize = 6 * 64;

    /// Without the side, below [`Footprint::PIECES_AND_SQUARES`].
    #[inline]
    #[must_use]
    pub fn piece_and_square(self) -> usize {
        let (index, count) = (self.index(), Self::PIECES_AND_SQUARES);
        let of_a_side = if index < count { index } else { index - count };
        // `NONE` has no place of its own.
        of_a_side.min(count - 1)
    }

    /// Below [`FOOTPRINTS`].
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
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
}

/// One position of a game of two sides, as the searches see it.
///
/// Moves are the game's own type on the way of the search, [`MoveCode`] in the tree.
pub trait Game: Clone + Send + Sync + fmt::Debug + 'static {
    type Move: Copy + PartialEq + fmt::Debug + Send + Sync;

    fn turn(&self) -> Side;

    /// All legal moves, in a fixed order.
    fn legal_moves(&self) -> Moves<Self::Move>;

    /// Appends what quiescence looks at: all legal moves that are [`Game::is_noisy`], or every legal move when in check.
    fn noisy_moves(&self, moves: &mut Moves<Self::Move>);

    /// Appends legal moves that give check and are not [`Game::is_noisy`]; castling and the like may be missing. Not to be
    /// asked in check.
    fn quiet_checks(&self, _moves: &mut Moves<Self::Move>) {}

    /// A capture or promotion (in chess not to a rook or bishop: those count as quiet moves).
    fn is_noisy(&self, m: Self::Move) -> bool;

    fn is_check(&self) -> bool;

    /// Whether the move gives check, cheaper than playing it.
    fn gives_check(&self, m: Self::Move) -> bool;

    /// What [`Game::gives_check_by`] needs, found once for all moves of a position.
    type Checks: Copy + fmt::Debug;

    fn checks(&self) -> Self::Checks;

    /// As [`Game::gives_check`], with `checks` from the same position.
    fn gives_check_by(&self, checks: &Self::Checks, m: Self::Move) -> bool;

    /// The other side to move, as after a null move; none in check, and where nobody may pass.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// Whether the side has pieces enough to win, however badly the other plays.
    fn can_win(&self, _side: Side) -> bool {
        true
    }

    /// Whether the side to move has more than king and pawns: without, passing is often the best it could do
    /// (zugzwang), and a null move proves nothing.
    fn has_pieces(&self) -> bool {
        false
    }

    /// The piece that moves and where it goes, below [`FOOTPRINTS`]: what moves are remembered by in move ordering.
    fn footprint(&self, _m: Self::Move) -> Footprint {
        Footprint::NONE
    }

    /// A hash of the pawns: positions with equal ones are misjudged alike by a static evaluation.
    fn pawn_key(&self) -> u64 {
        0
    }

    /// Whether the exchange that the legal move begins is worth at least `threshold` to its mover, in the game's
    /// integer unit (centipawns). Always true where nothing is exchanged.
    fn see_ge(&self, _m: Self::Move, _threshold: i32) -> bool {
        true
    }

    /// What the move wins at once, in the game's integer unit: the piece taken and the gain by promotion.
    fn capture_gain(&self, _m: Self::Move) -> i32 {
        0
    }

    /// What the side to move has more than the other in pieces, in the game's integer unit. `None` where there are none.
    fn material(&self) -> Option<i32> {
        None
    }

    /// How valuable the piece is that moves, 0 the least: among captures of the same piece the lesser one goes first.
    fn attacker(&self, _m: Self::Move) -> i32 {
        0
    }

    /// Makes a legal move.
    fn play(&mut self, m: Self::Move);

    /// Makes a legal move without keeping [`Game::key`] up to date: for quiescence, which asks for no key.
    /// A position reached so has an unspecified key.
    fn play_keyless(&mut self, m: Self::Move) {
        self.play(m);
    }

    /// Equal for equal positions (side to move, castling and legal en passant included): for repetition and tables.
    fn key(&self) -> u64;

    /// Plies since the last move that can't be undone: no earlier position can be repeated.
    fn reversible_plies(&self) -> u32;

    /// The ending here, given whether there are legal moves (the caller has the list already). Repetition is not
    /// seen from one position: see [`History`].
    fn ending(&self, has_moves: bool) -> Option<Ending>;

    /// The exact score of an ending, side to move.
    fn ending_score(&self, ending: Ending) -> Score;

    fn encode(&self, m: Self::Move) -> MoveCode;

    /// The move's code and whether it is [`Game::is_noisy`], found at once.
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

    /// Whether the move may end the game at once in another way than by checkmate: cheap, and may say yes too often.
    fn may_end(&self, _m: Self::Move) -> bool {
        false
    }

    /// Makes the legal move with this code, or passes; `None` where neither can be done.
    fn after(&self, code: MoveCode) -> Option<Self> {
        if code == MoveCode::PASS {
            return self.pass();
        }
        let m = self.decode_known(code)?;
        let mut next = self.clone();
        next.play(m);
        Some(next)
    }

    /// The move as people write it: SAN, or the toy child's name.
    fn label(&self, m: Self::Move) -> String;

    /// The move as machines write it: UCI, or the toy child's name.
    fn uci(&self, m: Self::Move) -> String;

    fn scale(&self) -> Scale;

    /// The number of the move about to be made, as people count (White's and Black's share one); none in toy trees.
    fn move_number(&self) -> Option<u32> {
        None
    }

    /// Pieces and kings on the board; without a board more than any table has.
    #[inline]
    fn men(&self) -> u32 {
        u32::MAX
    }

    /// What endgame tables tell of the position, given the plies since the last irreversible move ([`Game::reversible_plies`]).
    /// Never of one in which the game is over. Looks up nothing where the clock is running and only distances would help,
    /// unless `by_distance`.
    fn look_up(&self, _tables: &EndgameTables, _by_distance: bool) -> Option<TableHit> {
        None
    }

    /// What endgame tables tell of every legal move, each from the view of the side that plays it: distances count from this
    /// position. `None` where they do not know all of them.
    fn look_up_moves(
        &self,
        _tables: &EndgameTables,
        _situation: &Situation<Self>,
    ) -> Option<Vec<(MoveCode, TableHit)>> {
        None
    }

    /// The name of the endgame table that the position is in, `KRPvKR`.
    fn table_name(&self) -> Option<String> {
        None
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
}

impl<G: Game> Situation<G> {
    /// The moves by which the game went on from `earlier` to here, none where it is the same place; `None` where this is
    /// another game, or one that went another way.
    #[must_use]
    pub fn moves_since(&self, earlier: &Situation<G>) -> Option<Vec<MoveCode>> {
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

/// The games plyscope knows, for those above that don't care which.
#[derive(Clone, Debug)]
pub enum Subject {
    Chess(Situation<ChessPosition>),
    Toy(Situation<ToyPosition>),
}

impl Subject {
    /// See [`Situation::follow`].
    pub fn follow(&mut self, code: MoveCode) -> bool {
        match self {
            Subject::Chess(s) => s.follow(code),
            Subject::Toy(s) => s.follow(code),
        }
    }

    /// See [`Situation::moves_since`].
    #[must_use]
    pub fn moves_since(&self, earlier: &Subject) -> Option<Vec<MoveCode>> {
        match (self, earlier) {
            (Subject::Chess(now), Subject::Chess(then)) => now.moves_since(then),
            (Subject::Toy(now), Subject::Toy(then)) => {
                let same = now.position.tree() == then.position.tree();
                same.then(|| now.moves_since(then)).flatten()
            }
            _ => None,
        }
    }
}
