//! What searches may use of a game beyond its rules: in truth, of chess.

use super::{Checks, EndgameTables, MoveCode, Moves, Side, Situation, TableHit};

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

/// What searches know of chess beyond the rules that every game has: captures and exchanges, checks, passing, the pawn
/// structure and endgame tables.
///
/// Every method defaults to the answer of a game that has nothing of the kind, so that another game writes no more than
/// `impl ChessKnowledge<u8> for ConnectFour {}`, and the searches, which are compiled for each game, drop what rests on it.
/// `M` is a move: the trait can't name [`Game::Move`](super::Game::Move), of which it is a part.
pub trait ChessKnowledge<M>: Sized {
    /// Appends what quiescence looks at: all legal moves that are [noisy](ChessKnowledge::is_noisy), or every legal move
    /// when in check.
    fn noisy_moves(&self, _moves: &mut Moves<M>) {}

    /// Appends legal moves that give check and are not [noisy](ChessKnowledge::is_noisy); castling and the like may be
    /// missing. Not to be called in check.
    fn quiet_checks(&self, _moves: &mut Moves<M>) {}

    /// A capture or promotion; in chess a promotion to a rook or bishop counts as a quiet move.
    fn is_noisy(&self, _m: M) -> bool {
        false
    }

    fn is_check(&self) -> bool {
        false
    }

    /// Whether the move gives check, cheaper than playing it.
    fn gives_check(&self, _m: M) -> bool {
        false
    }

    /// What [`ChessKnowledge::gives_check_by`] needs, found once for all moves of a position.
    #[inline]
    fn checks(&self) -> Checks {
        Checks::NONE
    }

    /// As [`ChessKnowledge::gives_check`], with `checks` from the same position.
    fn gives_check_by(&self, _checks: &Checks, _m: M) -> bool {
        false
    }

    /// The other side to move, as after a null move; `None` in check, and where nobody may pass.
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
    fn footprint(&self, _m: M) -> Footprint {
        Footprint::NONE
    }

    /// A hash of the pawns: positions with equal ones are misjudged alike by a static evaluation.
    fn pawn_key(&self) -> u64 {
        0
    }

    /// Whether the exchange that the legal move begins is worth at least `threshold` to its mover, in the game's
    /// integer unit (centipawns).
    fn see_ge(&self, _m: M, _threshold: i32) -> bool {
        true
    }

    /// What the move wins at once, in the game's integer unit: the piece taken and the gain by promotion.
    fn capture_gain(&self, _m: M) -> i32 {
        0
    }

    /// The lead of the side to move in material, in the game's integer unit; `None` in games without material.
    fn material(&self) -> Option<i32> {
        None
    }

    /// How valuable the moving piece is, 0 the least: of two captures of the same piece, the one by the lesser piece
    /// comes first.
    fn attacker(&self, _m: M) -> i32 {
        0
    }

    /// Pieces and kings on the board; without a board more than any table has.
    #[inline]
    fn men(&self) -> u32 {
        u32::MAX
    }

    /// What endgame tables say of the position, given the plies since the last irreversible move
    /// ([`Game::reversible_plies`](super::Game::reversible_plies)). Never of one in which the game is over. Looks up nothing
    /// where the clock is running and only distances would help, unless `by_distance`.
    fn look_up(&self, _tables: &EndgameTables, _by_distance: bool) -> Option<TableHit> {
        None
    }

    /// What endgame tables say of every legal move, each from the view of the side that plays it: distances count from this
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
}
