//! The board as one side sees it, with its own first rank at the bottom, so that every term is written only once.

use shakmaty::{Bitboard, Board, Color, File, Rank, Square};

/// The pieces of one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Army {
    pub all: Bitboard,
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    pub king: Square,
}

impl Army {
    #[inline(always)]
    fn of(board: &Board, color: Color) -> Army {
        let all = board.by_color(color);
        Army {
            all,
            pawns: board.pawns() & all,
            knights: board.knights() & all,
            bishops: board.bishops() & all,
            rooks: board.rooks() & all,
            queens: board.queens() & all,
            // Every position that is searched has both kings.
            king: board.king_of(color).unwrap_or(Square::A1),
        }
    }

    #[inline(always)]
    fn flipped(self) -> Army {
        Army {
            all: self.all.flip_vertical(),
            pawns: self.pawns.flip_vertical(),
            knights: self.knights.flip_vertical(),
            bishops: self.bishops.flip_vertical(),
            rooks: self.rooks.flip_vertical(),
            queens: self.queens.flip_vertical(),
            king: self.king.flip_vertical(),
        }
    }

    #[inline(always)]
    pub fn minors(&self) -> Bitboard {
        self.knights | self.bishops
    }

    /// Everything except pawns and the king.
    #[inline(always)]
    pub fn pieces(&self) -> Bitboard {
        self.minors() | self.rooks | self.queens
    }
}

/// Both armies, with `own`'s first rank at the bottom.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub own: Army,
    pub enemy: Army,
    pub occupied: Bitboard,
    /// Squares attacked by pawns.
    pub own_pawn_attacks: Bitboard,
    pub enemy_pawn_attacks: Bitboard,
}

impl View {
    /// Returns White's view and Black's view.
    #[inline(always)]
    pub fn both(board: &Board) -> [View; 2] {
        let (white, black) = (Army::of(board, Color::White), Army::of(board, Color::Black));
        [
            View::new(white, black),
            View::new(black.flipped(), white.flipped()),
        ]
    }

    #[inline(always)]
    fn new(own: Army, enemy: Army) -> View {
        View {
            own,
            enemy,
            occupied: own.all | enemy.all,
            own_pawn_attacks: sideways(up(own.pawns)),
            enemy_pawn_attacks: sideways(down(enemy.pawns)),
        }
    }
}

/// What one side attacks, in the same orientation as the view it was computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attacks {
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    pub king: Bitboard,
    /// Attacked by anything, pawns and king included.
    pub all: Bitboard,
    /// Attacked by two pieces or more.
    pub twice: Bitboard,
}

impl Attacks {
    pub const NONE: Attacks = Attacks {
        knights: Bitboard::EMPTY,
        bishops: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
        queens: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
        twice: Bitboard::EMPTY,
    };

    /// The attacks of pawns and king; [`Attacks::add`] adds the pieces.
    #[inline(always)]
    pub fn start(view: &View) -> Attacks {
        let king = shakmaty::attacks::king_attacks(view.own.king);
        let pawns = up(view.own.pawns);
        Attacks {
            king,
            all: view.own_pawn_attacks | king,
            twice: (view.own_pawn_attacks & king) | (left(pawns) & right(pawns)),
            ..Attacks::NONE
        }
    }

    #[inline(always)]
    pub fn add(&mut self, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
    }

    #[inline(always)]
    pub fn flipped(self) -> Attacks {
        Attacks {
            knights: self.knights.flip_vertical(),
            bishops: self.bishops.flip_vertical(),
            rooks: self.rooks.flip_vertical(),
            queens: self.queens.flip_vertical(),
            king: self.king.flip_vertical(),
            all: self.all.flip_vertical(),
            twice: self.twice.flip_vertical(),
        }
    }
}

/// Moves one rank towards the enemy.
#[inline(always)]
pub(super) const fn up(b: Bitboard) -> Bitboard {
    Bitboard(b.0 << 8)
}

/// Moves one rank back.
#[inline(always)]
pub(super) const fn down(b: Bitboard) -> Bitboard {
    Bitboard(b.0 >> 8)
}

#[inline(always)]
pub(super) const fn left(b: Bitboard) -> Bitboard {
    Bitboard((b.0 & !Bitboard::from_file(File::A).0) >> 1)
}

#[inline(always)]
pub(super) const fn right(b: Bitboard) -> Bitboard {
    Bitboard((b.0 & !Bitboard::from_file(File::H).0) << 1)
}

/// Moves one file to either side.
#[inline(always)]
pub(super) const fn sideways(b: Bitboard) -> Bitboard {
    Bitboard(left(b).0 | right(b).0)
}

/// These squares and everything in front of them.
#[inline(always)]
pub(super) const fn fill_up(b: Bitboard) -> Bitboard {
    let b = b.0;
    let b = b | b << 8;
    let b = b | b << 16;
    Bitboard(b | b << 32)
}

/// These squares and everything behind them.
#[inline(always)]
pub(super) const fn fill_down(b: Bitboard) -> Bitboard {
    let b = b.0;
    let b = b | b >> 8;
    let b = b | b >> 16;
    Bitboard(b | b >> 32)
}

/// The whole files of these squares.
#[inline(always)]
pub(super) const fn files(b: Bitboard) -> Bitboard {
    Bitboard(fill_up(b).0 | fill_down(b).0)
}

#[inline(always)]
pub(super) fn count(b: Bitboard) -> i32 {
    b.count() as i32
}

/// Returns the rank, 0 for one's own first rank.
#[inline(always)]
pub(super) fn rank(square: Square) -> usize {
    usize::from(square) >> 3
}

/// The ranks from `first` to `last`, where one's own first rank is 0.
pub(super) const fn ranks(first: u32, last: u32) -> Bitboard {
    let mut all = 0;
    let mut r = first;
    while r <= last {
        all |= Bitboard::from_rank(Rank::First).0 << (8 * r);
        r += 1;
    }
    Bitboard(all)
}

/// Returns `b` if the condition holds and nothing otherwise, without a branch.
#[inline(always)]
pub(super) const fn when(condition: bool, b: Bitboard) -> Bitboard {
    Bitboard(b.0 & (condition as u64).wrapping_neg())
}

/// The number of king moves from one square to the other on an empty board.
#[inline(always)]
pub(super) fn distance(a: Square, b: Square) -> i32 {
    let a = i32::from(a);
    let b = i32::from(b);
    let files = ((a & 7) - (b & 7)).abs();
    let ranks = ((a >> 3) - (b >> 3)).abs();
    files.max(ranks)
}
