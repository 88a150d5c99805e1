//! Whether a side can mate at all, found by trying every move: an independent truth for claims that a position is not lost.
//!
//! A move that is neither a capture nor a pawn move raises the half-move clock, and the others cannot be taken back, so no
//! position with its clock ever recurs, and trying everything comes to an end. Near the end of the clock that is soon.

use std::collections::{HashMap, HashSet};

use game::{ChessPosition, Situation};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position, Setup, Square,
    zobrist::Zobrist64,
};

use crate::clocked::Clocked;

/// Lines longer than this are given up.
const DEEPEST: u32 = 400;

/// What can be reached from one position, with the game before it.
pub struct Outcome<'a> {
    root: Chess,
    /// Positions whose next occurrence is the third one of the game.
    twice: HashSet<u64>,
    men: usize,
    /// The truth about three men, where it is known.
    clocked: Option<&'a Clocked>,
    known: HashMap<(u64, u32, Color), bool>,
}

impl<'a> Outcome<'a> {
    pub fn new(situation: &Situation<ChessPosition>, clocked: Option<&'a Clocked>) -> Outcome<'a> {
        let root = situation.position.chess().clone();
        let mut seen = HashSet::new();
        let keys = situation.history.keys().iter().copied();
        let twice = keys.chain([key_of(&root)]).filter(|key| !seen.insert(*key));
        Outcome {
            twice: twice.collect(),
            men: root.board().occupied().count(),
            root,
            clocked,
            known: HashMap::new(),
        }
    }

    /// Whether a side can force a mate from the position on, or after this move; `None` if that takes a look at more than
    /// `budget` positions.
    pub fn mates(&mut self, after: Option<Move>, attacker: Color, budget: u64) -> Option<bool> {
        let mut board = self.root.clone();
        if let Some(m) = after {
            board.play_unchecked(m);
        }
        self.tries(&board, attacker, u32::from(after.is_some()), &mut {
            budget
        })
    }

    fn tries(
        &mut self,
        board: &Chess,
        attacker: Color,
        ply: u32,
        budget: &mut u64,
    ) -> Option<bool> {
        *budget = budget.checked_sub(1)?;
        let attacks = board.turn() == attacker;
        let mut moves: Vec<Move> = board.legal_moves().into_iter().collect();
        if moves.is_empty() {
            return Some(board.is_check() && !attacks);
        }
        let key = key_of(board);
        let over = board.halfmoves() >= 100 || ply > 0 && self.twice.contains(&key);
        if over || board.has_insufficient_material(attacker) {
            return Some(false);
        }
        if let Some(truth) = self.truth(board) {
            return Some(if attacks {
                truth.is_win()
            } else {
                truth.is_loss()
            });
        }
        if ply >= DEEPEST {
            return None;
        }
        let place = (key, board.halfmoves(), attacker);
        if let Some(&known) = self.known.get(&place) {
            return Some(known);
        }
        let after = |m: &Move| {
            let mut next = board.clone();
            next.play_unchecked(*m);
            next
        };
        if attacks {
            moves.sort_by_cached_key(|m| !after(m).is_check());
        }
        let mut found = !attacks;
        for m in &moves {
            if self.tries(&after(m), attacker, ply + 1, budget)? == attacks {
                found = attacks;
                break;
            }
        }
        self.known.insert(place, found);
        Some(found)
    }

    /// The exact score of three men, where no earlier position of the game can occur again.
    fn truth(&self, board: &Chess) -> Option<game::Score> {
        let men = board.board().occupied().count();
        if men > 3 || men == self.men && !self.twice.is_empty() || board.castles().any() {
            return None;
        }
        self.clocked?.truth(&as_white(board)?)
    }
}

/// The position as [`Clocked`] knows it: White has the man beside the kings, and a pawn stands on one of the left files.
fn as_white(board: &Chess) -> Option<Chess> {
    let men = board.board().occupied() & !board.board().kings();
    let black = (men & board.board().black()).any();
    let right = (men & board.board().pawns())
        .first()
        .is_some_and(|at| usize::from(at) % 8 > 3);
    if !black && !right {
        return Some(board.clone());
    }
    let mut setup = Setup::empty();
    setup.halfmoves = board.halfmoves();
    setup.turn = if black { !board.turn() } else { board.turn() };
    for (at, Piece { color, role }) in board.board().clone() {
        let mut to = u32::from(at);
        if black {
            to ^= 56;
        }
        if right {
            to ^= 7;
        }
        let color = if black { !color } else { color };
        setup
            .board
            .set_piece_at(Square::new(to), Piece { color, role });
    }
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

fn key_of(board: &Chess) -> u64 {
    board.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}
