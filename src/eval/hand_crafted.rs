//! The hand-crafted evaluation: tapered piece-square sums, updated move by move in one integer, plus the terms.

use std::sync::Arc;

use shakmaty::{Board, CastlingSide, Color, Move, Position, Role, Square};

use super::fitted::{Features, Report};
use super::instruction_set::InstructionSet;
use super::tables::{SCALE, SQUARES};
use super::terms::{self, PawnKingCache};
use super::{Evaluator, LeafShape, MovesLeft, Width, mating};
use belief::{BINS, Cdf, Grid, LeafTable};
use game::{ChessPosition, Scale, Score};

/// Evaluates material, piece squares and the terms in [`terms`], interpolated between middlegame and endgame by the
/// pieces left.
///
/// The tables are fitted so that e = tanh(cp / 360) is the expected score of the quiet positions at the end of
/// quiescence search (see `tables.rs`).
#[derive(Clone, Debug)]
pub struct HandCrafted {
    leaves: Arc<LeafTable>,
    instructions: InstructionSet,
    pawn_kings: Arc<PawnKingCache>,
}

impl Default for HandCrafted {
    fn default() -> Self {
        HandCrafted {
            leaves: Arc::new(LeafTable::new(&Grid::sinh())),
            instructions: InstructionSet::detect(),
            pawn_kings: Arc::default(),
        }
    }
}

/// Middlegame sum, endgame sum (both in centipawns, White's view) and phase, packed into one integer so that a move
/// costs one addition per piece: 24 signed bits for each sum and 16 for the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaperedSum(i64);

/// The phase at the start of a game: knights and bishops count 1, rooks 2, queens 4.
const FULL_PHASE: i32 = 24;
const PHASE_WEIGHTS: [i32; 6] = [0, 1, 1, 2, 4, 0];

impl TaperedSum {
    pub(super) const EMPTY: TaperedSum = TaperedSum(0);

    /// The sum over all pieces.
    pub(super) fn of(board: &Board) -> TaperedSum {
        board.iter().fold(TaperedSum::EMPTY, |sum, (square, p)| {
            sum.plus(piece(p.color, p.role, square))
        })
    }

    pub(super) const fn pack(middlegame: i32, endgame: i32, phase: i32) -> TaperedSum {
        TaperedSum(middlegame as i64 + ((endgame as i64) << 24) + ((phase as i64) << 48))
    }

    /// Adding half a field before the shift gives back what a negative lower field borrowed.
    pub(super) const fn middlegame(self) -> i32 {
        ((self.0 << 40) >> 40) as i32
    }

    pub(super) const fn endgame(self) -> i32 {
        (((self.0 + (1 << 23)) << 16) >> 40) as i32
    }

    /// 24 at the start, 0 with only kings and pawns left; after promotions it may exceed 24.
    const fn raw_phase(self) -> i32 {
        ((self.0 + (1 << 47)) >> 48) as i32
    }

    pub(super) const fn plus(self, other: TaperedSum) -> TaperedSum {
        TaperedSum(self.0.wrapping_add(other.0))
    }

    pub(super) const fn minus(self, other: TaperedSum) -> TaperedSum {
        TaperedSum(self.0.wrapping_sub(other.0))
    }

    pub(super) const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// Unpacks two sums without a phase from the lowest 48 bits.
    pub(super) const fn from_sums(bits: u64) -> TaperedSum {
        TaperedSum((bits as i64) << 16 >> 16)
    }

    /// The sum multiplied by `count`; the fields must not overflow.
    pub(super) const fn times(self, count: i32) -> TaperedSum {
        TaperedSum(self.0.wrapping_mul(count as i64))
    }

    /// The phase, 0..=24, where 24 means a pure middlegame.
    pub(super) fn phase(self) -> i32 {
        self.raw_phase().clamp(0, FULL_PHASE)
    }
}

/// `TABLE[color][role - 1][square]`: what a piece contributes, White's view.
static TABLE: [[[TaperedSum; 64]; 6]; 2] = build_table();

const fn build_table() -> [[[TaperedSum; 64]; 6]; 2] {
    let mut table = [[[TaperedSum::EMPTY; 64]; 6]; 2];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let (mg, eg) = SQUARES[role][square];
            let (mg, eg) = (mg as i32, eg as i32);
            let phase = PHASE_WEIGHTS[role];
            table[Color::White as usize][role][square] = TaperedSum::pack(mg, eg, phase);
            // Black sees the board upside down.
            table[Color::Black as usize][role][square ^ 56] = TaperedSum::pack(-mg, -eg, phase);
            square += 1;
        }
        role += 1;
    }
    table
}

#[inline]
fn piece(color: Color, role: Role, square: Square) -> TaperedSum {
    TABLE[color as usize][role as usize - 1][usize::from(square)]
}

/// Returns how a legal move of `color` changes the sum, White's view.
#[inline]
fn difference(color: Color, m: Move) -> TaperedSum {
    match m {
        Move::Normal {
            role,
            from,
            capture,
            to,
            promotion,
        } => {
            let moved = piece(color, promotion.unwrap_or(role), to).minus(piece(color, role, from));
            match capture {
                Some(taken) => moved.minus(piece(!color, taken, to)),
                None => moved,
            }
        }
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            piece(color, Role::Pawn, to)
                .minus(piece(color, Role::Pawn, from))
                .minus(piece(!color, Role::Pawn, taken))
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_queen_side(rook < king);
            let king_to = Square::from_coords(side.king_to_file(), king.rank());
            let rook_to = Square::from_coords(side.rook_to_file(), king.rank());
            piece(color, Role::King, king_to)
                .minus(piece(color, Role::King, king))
                .plus(piece(color, Role::Rook, rook_to))
                .minus(piece(color, Role::Rook, rook))
        }
        // Drops belong to other chess variants.
        Move::Put { role, to } => piece(color, role, to),
    }
}

#[inline]
pub(super) fn taper(middlegame: i32, endgame: i32, phase: i32) -> i32 {
    (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Returns the value for the side to move.
#[inline(always)]
pub(super) fn value(state: &TaperedSum, position: &ChessPosition, cache: &PawnKingCache) -> Score {
    let chess = position.chess();
    let worth = terms::worth(chess.board(), chess.turn(), cache);
    let value = blend(state.plus(worth), chess.board());
    Score::new(chess.turn().fold_wb(value, -value))
}

/// Interpolates between middlegame and endgame by the pieces left and scales drawish endgames down; centipawns, White's
/// view.
#[inline(always)]
pub(super) fn blend(sum: TaperedSum, board: &Board) -> i32 {
    let strong = Color::from_white(sum.endgame() >= 0);
    let scale = SCALE[terms::scale(board, strong).index()];
    taper(sum.middlegame(), sum.endgame() * scale / 64, sum.phase())
}

/// Returns the number of pawns of either side on their sixth or seventh rank.
pub(super) fn advanced_pawns(board: &Board) -> u32 {
    const BLACKS_SIXTH_AND_SEVENTH: u64 = 0x0000_0000_00ff_ff00;
    let white = (board.pawns() & board.white()).0 & BLACKS_SIXTH_AND_SEVENTH.swap_bytes();
    let black = (board.pawns() & board.black()).0 & BLACKS_SIXTH_AND_SEVENTH;
    (white | black).count_ones()
}

impl Evaluator<ChessPosition> for HandCrafted {
    type State = TaperedSum;

    fn start(&self, position: &ChessPosition) -> TaperedSum {
        TaperedSum::of(position.chess().board())
    }

    #[inline]
    fn after(&self, state: &TaperedSum, before: &ChessPosition, m: Move) -> TaperedSum {
        state.plus(difference(before.chess().turn(), m))
    }

    // Not inlined, because it is large: one copy serves all callers.
    #[inline(never)]
    fn value(&self, state: &TaperedSum, position: &ChessPosition) -> Score {
        self.instructions.value(*state, position, &self.pawn_kings)
    }

    #[inline]
    fn gain(&self, state: &TaperedSum, position: &ChessPosition, m: Move) -> i32 {
        let color = position.chess().turn();
        let change = difference(color, m);
        let gain = taper(change.middlegame(), change.endgame(), state.phase());
        if color == Color::White { gain } else { -gain }
    }

    fn phase(&self, state: &TaperedSum) -> f64 {
        f64::from(state.phase()) / f64::from(FULL_PHASE)
    }

    fn moves_left(&self, position: &ChessPosition) -> Option<MovesLeft> {
        let chess = position.chess();
        mating::moves_left(chess.board(), chess.turn())
    }

    /// Returns the scale tau of a logistic in the logit. It is wider in the endgame, where much is already decided, and
    /// where pawns are near promotion.
    fn spread(&self, state: &TaperedSum, position: &ChessPosition, value: Score) -> f32 {
        let limit = Score::LIMIT;
        let value = value.raw().clamp(-limit, limit);
        let features = Features {
            phase: state.phase() as f32 / FULL_PHASE as f32,
            advanced: advanced_pawns(position.chess().board()).min(4) as f32 / 4.0,
        };
        Report::LEAF
            .shape(f32::from(value) / Scale::CENTIPAWNS_A_LOGIT, &features)
            .1
    }

    /// A logistic in the logit around q/180 + bias. A proven win or loss is an atom in its end bin, and nothing else
    /// puts mass there.
    fn belief(
        &self,
        state: &TaperedSum,
        position: &ChessPosition,
        value: Score,
        shape: &LeafShape,
    ) -> Cdf {
        if value.is_win() {
            return Cdf::atom(BINS - 1);
        }
        if value.is_loss() {
            return Cdf::atom(0);
        }
        let tau = match shape.width {
            Width::Fixed(tau) => tau,
            Width::Fitted => self.spread(state, position, value),
        };
        self.leaves.get(value.logit() + shape.bias, tau)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_fields_do_not_disturb_one_another() {
        for (mg, eg, phase) in [(0, 0, 0), (-1, 1, 24), (5000, -7000, 3), (-8000, -9000, 62)] {
            let sum = TaperedSum::pack(mg, eg, phase);
            assert_eq!(
                (sum.middlegame(), sum.endgame(), sum.raw_phase()),
                (mg, eg, phase)
            );
            let back = TaperedSum::EMPTY.minus(sum);
            assert_eq!(
                (back.middlegame(), back.endgame(), back.raw_phase()),
                (-mg, -eg, -phase)
            );
        }
    }

    #[test]
    fn the_start_is_worth_the_tempo() {
        let (eval, start) = (HandCrafted::default(), ChessPosition::default());
        let state = eval.start(&start);
        assert_eq!(state, TaperedSum::pack(0, 0, FULL_PHASE));
        assert_eq!(
            eval.value(&state, &start),
            Score::new(crate::tables::WEIGHTS[0][0].0.into())
        );
    }
}
