//! The accumulators: for each side, the sum of the rows of what is on the board in its view, updated move by move.

use arrayvec::ArrayVec;
use shakmaty::{
    Board, ByColor, Castles, CastlingSide, Chess, Color, Move, Position as _, Role, Square,
};

use super::Network;
use super::lanes::{Lanes, Task};
use super::shape::{Block, FIRST_RIGHT, SIDE_BLOCKS, Side};

/// The sums of White's view and of Black's, 128 numbers each, with 2^8 standing for 1.
///
/// They belong to the pieces and the rights to castle; the side to move is no part of them, so passing leaves them as they
/// are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulators {
    white: Side,
    black: Side,
}

impl Accumulators {
    /// Those of no position.
    pub(super) const EMPTY: Accumulators = Accumulators {
        white: [Block::ZERO; SIDE_BLOCKS],
        black: [Block::ZERO; SIDE_BLOCKS],
    };

    #[inline(always)]
    fn of_mut(&mut self, color: Color) -> &mut Side {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    /// The accumulator of one side's view.
    #[inline]
    pub(super) fn of(&self, color: Color) -> &Side {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

/// The way in which one side looks at the board: its own pieces move up, and its king is on files e to h.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct View {
    pub color: Color,
    /// What a square's number is combined with by exclusive or.
    pub flip: usize,
}

impl View {
    #[inline(always)]
    pub fn new(color: Color, king: Square) -> View {
        let ranks = color.fold_wb(0, 56);
        let files = if usize::from(king) & 4 == 0 { 7 } else { 0 };
        View {
            color,
            flip: ranks | files,
        }
    }

    /// Returns the view of a side on this board.
    #[inline(always)]
    pub fn of(board: &Board, color: Color) -> View {
        // Every position that is searched has both kings.
        View::new(color, board.king_of(color).unwrap_or(Square::E1))
    }

    /// Returns the square's number in this view.
    #[inline(always)]
    pub fn square(self, square: Square) -> usize {
        usize::from(square) ^ self.flip
    }

    /// Returns 0 to 5 for a pawn to the king of the viewer, 6 to 11 for the other side's.
    #[inline(always)]
    pub fn kind(self, color: Color, role: Role) -> usize {
        let side = if color == self.color { 0 } else { 6 };
        side + role as usize - 1
    }
}

/// One input of the accumulators.
#[derive(Clone, Copy)]
enum Input {
    Piece(Color, Role, Square),
    Right(Color, CastlingSide),
}

impl Input {
    #[inline(always)]
    fn row(self, view: View) -> usize {
        match self {
            Input::Piece(color, role, square) => view.kind(color, role) * 64 + view.square(square),
            Input::Right(color, side) => {
                let other = if color == view.color { 0 } else { 2 };
                FIRST_RIGHT + other + usize::from(side.is_queen_side())
            }
        }
    }
}

/// What a move takes away and adds, besides changes of a view: at most a king, a captured rook and three rights go.
struct Change {
    removed: ArrayVec<Input, 5>,
    added: ArrayVec<Input, 2>,
}

impl Change {
    /// Returns what a legal move of `us` changes on a board with these rights.
    #[inline(always)]
    fn new(us: Color, castles: &Castles, m: Move) -> Change {
        let mut change = Change {
            removed: ArrayVec::new(),
            added: ArrayVec::new(),
        };
        let (removed, added) = (&mut change.removed, &mut change.added);
        match m {
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => {
                removed.push(Input::Piece(us, role, from));
                added.push(Input::Piece(us, promotion.unwrap_or(role), to));
                if let Some(taken) = capture {
                    removed.push(Input::Piece(!us, taken, to));
                }
                lost_rights(us, castles, role, from, to, removed);
            }
            Move::EnPassant { from, to } => {
                let taken = Square::from_coords(to.file(), from.rank());
                removed.push(Input::Piece(us, Role::Pawn, from));
                removed.push(Input::Piece(!us, Role::Pawn, taken));
                added.push(Input::Piece(us, Role::Pawn, to));
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                removed.push(Input::Piece(us, Role::King, king));
                removed.push(Input::Piece(us, Role::Rook, rook));
                added.push(Input::Piece(us, Role::King, side.king_to(us)));
                added.push(Input::Piece(us, Role::Rook, side.rook_to(us)));
                lost_rights(us, castles, Role::King, king, rook, removed);
            }
            // Drops belong to other chess variants.
            Move::Put { role, to } => added.push(Input::Piece(us, role, to)),
        }
        change
    }
}

/// Whether a move may end a right to castle: one of a king, or from or to the square of a rook that may castle.
#[inline(always)]
fn may_end_rights(castles: &Castles, role: Role, from: Square, to: Square) -> bool {
    let rooks = castles.castling_rights();
    rooks.any() && (role == Role::King || rooks.contains(from) || rooks.contains(to))
}

/// Appends the rights that a move of `us` ends: the king's both, and that of a rook which moves or is captured.
fn lost_rights(
    us: Color,
    castles: &Castles,
    role: Role,
    from: Square,
    to: Square,
    removed: &mut ArrayVec<Input, 5>,
) {
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(rook) = castles.rook(color, side) else {
                continue;
            };
            let of_king = role == Role::King && color == us;
            if of_king || rook == from || rook == to {
                removed.push(Input::Right(color, side));
            }
        }
    }
}

impl Network {
    /// Returns the accumulators of a position on its own.
    pub fn start(&self, chess: &Chess) -> Accumulators {
        let sides = ByColor::new_with(|color| self.whole(chess, color));
        Accumulators {
            white: sides.white,
            black: sides.black,
        }
    }

    /// Sets `new` to the accumulators after a legal move of `before`: always those of [`Network::start`] for the position
    /// that it leads to. They are filled in place, because what a vectorised call returns is copied.
    #[inline]
    pub fn advance(
        &self,
        accumulators: &Accumulators,
        before: &Chess,
        m: Move,
        new: &mut Accumulators,
    ) {
        match Rows::of(before, m) {
            Some(rows) => self.path.run(Moved {
                network: self,
                accumulators,
                new,
                rows,
            }),
            None => self.path.run(After {
                network: self,
                accumulators,
                new,
                before,
                m,
            }),
        }
    }

    /// Adds up one side's accumulator.
    fn whole(&self, chess: &Chess, color: Color) -> Side {
        let board = chess.board();
        let view = View::of(board, color);
        let mut rows: ArrayVec<usize, 68> = ArrayVec::new();
        for owner in Color::ALL {
            for role in Role::ALL {
                let squares = board.by_color(owner) & board.by_role(role);
                rows.extend(
                    squares
                        .into_iter()
                        .map(|s| Input::Piece(owner, role, s).row(view)),
                );
            }
            for side in CastlingSide::ALL {
                if chess.castles().has(owner, side) {
                    rows.push(Input::Right(owner, side).row(view));
                }
            }
        }
        self.path.run(Whole {
            network: self,
            rows: &rows,
        })
    }
}

struct Whole<'a> {
    network: &'a Network,
    rows: &'a [usize],
}

impl Task for Whole<'_> {
    type Output = Side;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Side {
        let mut sums = [l.load(&Block::ZERO); SIDE_BLOCKS];
        for (sum, x) in sums.iter_mut().zip(&self.network.bias) {
            *sum = l.load(x);
        }
        for &row in self.rows {
            for (sum, x) in sums.iter_mut().zip(&self.network.inputs[row]) {
                *sum = l.add(*sum, l.load(x));
            }
        }
        let mut side = [Block::ZERO; SIDE_BLOCKS];
        for (block, sum) in side.iter_mut().zip(&sums) {
            *block = l.store(*sum);
        }
        side
    }
}

/// The rows that nearly all moves change, by view: a piece leaves a square and comes to another, where it may take
/// something. No right to castle ends, and no view is mirrored.
struct Rows {
    from: ByColor<usize>,
    to: ByColor<usize>,
    taken: Option<ByColor<usize>>,
}

impl Rows {
    /// `None` for other moves.
    #[inline(always)]
    fn of(before: &Chess, m: Move) -> Option<Rows> {
        let Move::Normal {
            role,
            from,
            capture,
            to,
            promotion,
        } = m
        else {
            return None;
        };
        if role == Role::King || may_end_rights(before.castles(), role, from, to) {
            return None;
        }
        let us = before.turn();
        let views = ByColor::new_with(|color| View::of(before.board(), color));
        let rows = |input: Input| views.as_ref().map(|&view| input.row(view));
        Some(Rows {
            from: rows(Input::Piece(us, role, from)),
            to: rows(Input::Piece(us, promotion.unwrap_or(role), to)),
            taken: capture.map(|taken| rows(Input::Piece(!us, taken, to))),
        })
    }
}

struct Moved<'a> {
    network: &'a Network,
    accumulators: &'a Accumulators,
    new: &'a mut Accumulators,
    rows: Rows,
}

impl Task for Moved<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let inputs = &self.network.inputs;
        // Loops, because closures would be compiled without the vector instructions.
        for color in Color::ALL {
            let (old, new) = (self.accumulators.of(color), self.new.of_mut(color));
            let from = &inputs[*self.rows.from.get(color)];
            let to = &inputs[*self.rows.to.get(color)];
            match &self.rows.taken {
                Some(taken) => combine(l, old, new, [from, &inputs[*taken.get(color)]], [to]),
                None => combine(l, old, new, [from], [to]),
            }
        }
    }
}

/// Any other move.
struct After<'a> {
    network: &'a Network,
    accumulators: &'a Accumulators,
    new: &'a mut Accumulators,
    before: &'a Chess,
    m: Move,
}

impl Task for After<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let castles = self.before.castles();
        let change = Change::new(self.before.turn(), castles, self.m);
        for color in Color::ALL {
            let view = View::of(self.before.board(), color);
            if self.mirrors(view) {
                *self.new.of_mut(color) = self.mirrored(color);
                continue;
            }
            let mut side = *self.accumulators.of(color);
            for &input in &change.removed {
                combine(l, &{ side }, &mut side, [self.row(input, view)], []);
            }
            for &input in &change.added {
                combine(l, &{ side }, &mut side, [], [self.row(input, view)]);
            }
            *self.new.of_mut(color) = side;
        }
    }
}

impl<'a> After<'a> {
    #[inline(always)]
    fn row(&self, input: Input, view: View) -> &'a Side {
        &self.network.inputs[input.row(view)]
    }

    /// Whether the move mirrors the files of this view.
    #[inline(always)]
    fn mirrors(&self, view: View) -> bool {
        let us = self.before.turn();
        let to = match self.m {
            Move::Normal {
                role: Role::King,
                to,
                ..
            } => to,
            Move::Castle { king, rook } => CastlingSide::from_queen_side(rook < king).king_to(us),
            _ => return false,
        };
        us == view.color && View::new(us, to) != view
    }

    /// Adds up the accumulator of a side all of whose squares are others now.
    #[cold]
    fn mirrored(&self, color: Color) -> Side {
        let mut after = self.before.clone();
        after.play_unchecked(self.m);
        self.network.whole(&after, color)
    }
}

/// Sets `new` to `old` without some rows and with others.
#[inline(always)]
fn combine<L: Lanes, const REMOVED: usize, const ADDED: usize>(
    l: L,
    old: &Side,
    new: &mut Side,
    removed: [&Side; REMOVED],
    added: [&Side; ADDED],
) {
    for (k, (old, new)) in old.iter().zip(new).enumerate() {
        let mut sum = l.load(old);
        for row in removed {
            sum = l.sub(sum, l.load(&row[k]));
        }
        for row in added {
            sum = l.add(sum, l.load(&row[k]));
        }
        *new = l.store(sum);
    }
}
