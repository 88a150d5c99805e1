//! What searches may use of a game beyond its rules; in practice, of chess.

use super::{Checks, EndgameTables, KnownDraw, MoveCode, Side, Situation, TableHit};

/// A piece and the square it moves to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint(u16);

/// The number of footprints, [`Footprint::NONE`] included.
pub const FOOTPRINTS: usize = 2 * 6 * 64 + 1;

impl Footprint {
    /// No move, or a game without pieces.
    pub const NONE: Footprint = Footprint(FOOTPRINTS as u16 - 1);

    #[inline]
    pub fn new(side: Side, piece: usize, square: usize) -> Footprint {
        let place = (side as usize * 6 + piece) * 64 + square;
        debug_assert!(place < FOOTPRINTS - 1);
        Footprint(place as u16)
    }

    pub const PIECES_AND_SQUARES: usize = 6 * 64;

    /// The index without the side, below [`Footprint::PIECES_AND_SQUARES`].
    #[inline]
    pub fn piece_and_square(self) -> usize {
        let (index, count) = (self.index(), Self::PIECES_AND_SQUARES);
        let of_a_side = if index < count { index } else { index - count };
        // `NONE` has no index of its own.
        of_a_side.min(count - 1)
    }

    /// The index, below [`FOOTPRINTS`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What searches know about chess beyond the rules that every game has: captures and exchanges, checks, passing, the
/// pawn structure and endgame tables.
///
/// Every method defaults to the answer of a game that has nothing of the kind. Another game therefore only needs `impl
/// ChessKnowledge<u8> for ConnectFour {}`, and the searches, which are compiled for each game, drop what depends on it.
/// `M` is a move: the trait cannot name [`Game::Move`](super::Game::Move), because it is a supertrait of `Game`.
pub trait ChessKnowledge<M>: Sized {
    /// Whether the move is a capture or a promotion; in chess a promotion to a rook or bishop counts as a quiet move.
    fn is_noisy(&self, _m: M) -> bool {
        false
    }

    fn is_check(&self) -> bool {
        false
    }

    /// Whether the move gives check; cheaper than playing it.
    fn gives_check(&self, _m: M) -> bool {
        false
    }

    /// Computes what [`ChessKnowledge::gives_check_by`] needs, once for all moves of a position.
    #[inline]
    fn checks(&self) -> Checks {
        Checks::NONE
    }

    /// Like [`ChessKnowledge::gives_check`], with `checks` of the same position.
    fn gives_check_by(&self, _checks: &Checks, _m: M) -> bool {
        false
    }

    /// The position with the other side to move, as after a null move; `None` in check, and in games without passing.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// What [`ChessKnowledge::pass`] returns, more quickly, for a search: only the counters of moves may differ that no rule
    /// depends on.
    #[inline]
    fn null_move(&self) -> Option<Self> {
        self.pass()
    }

    /// Whether the side has enough pieces to win, however badly the other side plays.
    fn can_win(&self, _side: Side) -> bool {
        true
    }

    /// Whether the side to move has more than king and pawns. Without pieces, passing would often be its best move
    /// (zugzwang), so a null move proves nothing.
    fn has_pieces(&self) -> bool {
        false
    }

    /// The moving piece and its target square, below [`FOOTPRINTS`]: the key under which move ordering remembers moves.
    fn footprint(&self, _m: M) -> Footprint {
        Footprint::NONE
    }

    /// A hash of the pawns: a static evaluation makes similar errors in positions with the same pawns.
    fn pawn_key(&self) -> u64 {
        0
    }

    /// Whether the exchange that the legal move starts is worth at least `threshold` to its mover, in the game's
    /// integer unit (centipawns).
    fn see_ge(&self, _m: M, _threshold: i32) -> bool {
        true
    }

    /// What the move gains immediately, in the game's integer unit: the captured piece and the gain by promotion.
    fn capture_gain(&self, _m: M) -> i32 {
        0
    }

    /// The material lead of the side to move, in the game's integer unit; `None` in games without material.
    fn material(&self) -> Option<i32> {
        None
    }

    /// How valuable the moving piece is, with 0 for the least valuable: of two captures of the same piece, the one by
    /// the less valuable piece comes first.
    fn attacker(&self, _m: M) -> i32 {
        0
    }

    /// The number of pieces on the board, kings included; in games without a board, more than any table has.
    #[inline]
    fn men(&self) -> u32 {
        u32::MAX
    }

    /// The known draw that the position is, whatever its clock and its history; `None` where the game is over.
    #[inline]
    fn known_draw(&self) -> Option<KnownDraw> {
        None
    }

    /// What endgame tables say about the position, given the plies since the last irreversible move
    /// ([`Game::reversible_plies`](super::Game::reversible_plies)). `None` where the game is over. Where the clock is
    /// running and only distances would help, nothing is looked up unless `by_distance`.
    fn look_up(&self, _tables: &EndgameTables, _by_distance: bool) -> Option<TableHit> {
        None
    }

    /// What endgame tables say about every legal move, each from the view of the side that plays it; distances count
    /// from this position. `None` where they do not know all of them.
    fn look_up_moves(
        &self,
        _tables: &EndgameTables,
        _situation: &Situation<Self>,
    ) -> Option<Vec<(MoveCode, TableHit)>> {
        None
    }

    /// The name of the endgame table for the position, such as `KRPvKR`.
    fn table_name(&self) -> Option<String> {
        None
    }
}
