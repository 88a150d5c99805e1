//! All positions of king and pawn against king, solved as won or drawn: a bitbase, which is computed by retrograde analysis
//! when first needed (in about a millisecond).
//!
//! Source: M. R. B. Clarke, *A Quantitative Study of King and Pawn against King*, 1977. That it is done with sets of squares is
//! plyscope's own.

use std::sync::OnceLock;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// For each place of the pawn (files a to d, ranks 2 to 7) and of its king: where the other king loses.
#[derive(Debug)]
struct Bitbase {
    /// With the pawn's side to move.
    moving: Vec<Bitboard>,
    /// With the lone king to move.
    waiting: Vec<Bitboard>,
}

const PAWN_PLACES: usize = 24;

/// A position of king and pawn against king.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingAndPawn {
    /// The side with the pawn.
    pub side: Color,
    pub pawn: Square,
    /// The king of the pawn's side.
    pub strong: Square,
    /// The lone king.
    pub weak: Square,
    /// The side to move.
    pub turn: Color,
}

/// Whether the side with the pawn wins.
pub(super) fn is_won(position: &KingAndPawn) -> bool {
    static SOLVED: OnceLock<Bitbase> = OnceLock::new();
    let solved = SOLVED.get_or_init(Bitbase::solve);
    let KingAndPawn { side, turn, .. } = *position;
    // The board is turned so that the pawn is White's and on the left half.
    let by_rank = side.fold_wb(0, 56);
    let by_file = if position.pawn.file() as u32 > 3 {
        7
    } else {
        0
    };
    let turned = |square: Square| Square::new(u32::from(square) ^ by_rank ^ by_file);
    let at = index(turned(position.pawn), turned(position.strong));
    let wins = if turn == side {
        solved.moving[at]
    } else {
        solved.waiting[at]
    };
    wins.contains(turned(position.weak))
}

/// The index of a white pawn on files a to d and of its king.
fn index(pawn: Square, strong: Square) -> usize {
    let (file, rank) = (pawn.file() as usize, pawn.rank() as usize);
    ((rank - 1) * 4 + file) * 64 + usize::from(strong)
}

/// The squares next to any of these.
fn next_to(squares: Bitboard) -> Bitboard {
    let around = squares.into_iter().map(attacks::king_attacks);
    around.fold(Bitboard::EMPTY, |sum, around| sum | around)
}

impl Bitbase {
    fn solve() -> Bitbase {
        let mut known = Bitbase {
            moving: vec![Bitboard::EMPTY; PAWN_PLACES * 64],
            waiting: vec![Bitboard::EMPTY; PAWN_PLACES * 64],
        };
        // A pawn only moves on to ranks that are already solved.
        for rank in (1..7).rev() {
            for file in 0..4 {
                known.solve_pawn(Square::new(rank * 8 + file));
            }
        }
        known
    }

    /// Adds won positions until there are no more.
    fn solve_pawn(&mut self, pawn: Square) {
        loop {
            let mut is_changed = false;
            for strong in Square::ALL.into_iter().filter(|&s| s != pawn) {
                let at = index(pawn, strong);
                let before = (self.moving[at], self.waiting[at]);
                self.waiting[at] = self.lost(pawn, strong);
                self.moving[at] = self.won(pawn, strong);
                is_changed |= before != (self.moving[at], self.waiting[at]);
            }
            if !is_changed {
                return;
            }
        }
    }

    /// Where the lone king, to move, loses: it has a move or is mated, and every move of it leads to a won position.
    fn lost(&self, pawn: Square, strong: Square) -> Bitboard {
        let checked = attacks::pawn_attacks(Color::White, pawn);
        let kept_off = attacks::king_attacks(strong) | Bitboard::from_square(strong);
        let targets = !(kept_off | checked);
        // The pawn's own square is among them where it is unprotected: no won position has the king there.
        let escapes = targets & !self.moving[index(pawn, strong)];
        let on_board = !(kept_off | Bitboard::from_square(pawn));
        on_board & !next_to(escapes) & (next_to(targets) | checked)
    }

    /// Where the lone king loses if the pawn's side, to move, has a move to a lost position.
    fn won(&self, pawn: Square, strong: Square) -> Bitboard {
        let own = Bitboard::from_square(pawn) | Bitboard::from_square(strong);
        let around = attacks::king_attacks(strong);
        let on_board = !(own | around | attacks::pawn_attacks(Color::White, pawn));
        let by_king = (around & !own).into_iter();
        let by_king = by_king.map(|to| self.waiting[index(pawn, to)]);
        let by_king = by_king.fold(Bitboard::EMPTY, |sum, lost| sum | lost);
        on_board & (by_king | self.won_by_pawn(pawn, strong))
    }

    fn won_by_pawn(&self, pawn: Square, strong: Square) -> Bitboard {
        let ahead = |steps: u32| Square::new(u32::from(pawn) + 8 * steps);
        let next = ahead(1);
        if next == strong {
            return Bitboard::EMPTY;
        }
        match u32::from(pawn) / 8 {
            6 => won_by_promotion(next, strong),
            1 if ahead(2) != strong => {
                let blocked = Bitboard::from_square(next);
                let double = self.waiting[index(ahead(2), strong)] & !blocked;
                self.waiting[index(next, strong)] | double
            }
            _ => self.waiting[index(next, strong)],
        }
    }
}

/// Where the lone king loses after a promotion on this square: it cannot capture the new piece, and a queen or a rook
/// does not stalemate it.
fn won_by_promotion(at: Square, strong: Square) -> Bitboard {
    let around = attacks::king_attacks(strong);
    let kings = Bitboard::from_square(strong);
    let is_guarded = around.contains(at);
    let wins = |weak: Square| {
        let steps = attacks::king_attacks(weak);
        if steps.contains(at) && !is_guarded {
            return false;
        }
        [Role::Queen, Role::Rook].into_iter().any(|role| {
            // The lone king does not block the line through its own square.
            let seen = match role {
                Role::Queen => attacks::queen_attacks(at, kings),
                _ => attacks::rook_attacks(at, kings),
            };
            seen.contains(weak) || (steps & !(seen | around)).any()
        })
    };
    let free = !(around | kings | Bitboard::from_square(at));
    free.into_iter().filter(|&weak| wins(weak)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_positions_are_won_as_other_programs_count() {
        let solved = Bitbase::solve();
        let count = |sets: &[Bitboard]| sets.iter().map(|s| s.count()).sum::<usize>();
        // The number that Stockfish asserts for its bitbase.
        assert_eq!(count(&solved.moving) + count(&solved.waiting), 111_282);
    }

    #[test]
    fn colours_and_files_are_turned() {
        use Square::*;
        let at = |side, pawn, strong, weak, turn| {
            is_won(&KingAndPawn {
                side,
                pawn,
                strong,
                weak,
                turn,
            })
        };
        let (white, black) = (Color::White, Color::Black);
        // With the opposition the defender draws.
        assert!(at(white, E5, E6, E8, white) && at(white, E5, E6, E8, black));
        assert!(at(white, D4, D5, D7, black) && !at(white, D4, D5, D7, white));
        assert!(at(black, D5, D4, D2, white) && !at(black, D5, D4, D2, black));
        assert!(at(white, E4, E5, E7, black) && !at(white, E4, E5, E7, white));
        // A rook pawn does not win against the king in its corner.
        assert!(!at(white, H5, H6, H8, white) && !at(black, A4, A3, A1, black));
    }
}
