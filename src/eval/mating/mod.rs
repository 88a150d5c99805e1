//! How long it still takes to mate a lone king.
//!
//! Material and piece squares say that such an endgame is won, but not how much progress has been made. With a single
//! queen or rook the distance is exact ([`mate_tables`]). Otherwise it is estimated by a linear function fitted to exact
//! distances (least squares over 12,000 random won positions of each endgame) of how far the lone king is from the
//! centre, how far the kings are apart, and who is to move (R² .69 with a queen or a rook, .64 with two bishops, .54
//! with bishop and knight). The winning plan is to drive the king to the edge and to bring up one's own king: D. Slate
//! and L. Atkin, *Chess 4.5*, 1977.

mod mate_tables;

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::MovesLeft;

/// Moves to mate: `base + edge * steps from the centre + kings * distance of the kings + reply * (1 if the lone king is
/// to move) + corner * steps to the bishop's corner`.
#[derive(Clone, Copy, Debug)]
struct Fit {
    base: f32,
    edge: f32,
    kings: f32,
    reply: f32,
    corner: f32,
}

const QUEEN: Fit = Fit {
    base: 4.3,
    edge: -0.70,
    kings: 0.85,
    reply: 0.74,
    corner: 0.0,
};
const ROOK: Fit = Fit {
    base: 10.0,
    edge: -1.60,
    kings: 1.17,
    reply: 1.66,
    corner: 0.0,
};
const TWO_BISHOPS: Fit = Fit {
    base: 11.2,
    edge: -1.34,
    kings: 1.09,
    reply: 2.19,
    corner: 0.0,
};
const BISHOP_AND_KNIGHT: Fit = Fit {
    base: 19.6,
    edge: -1.79,
    kings: 1.40,
    reply: 2.90,
    corner: 1.11,
};
/// Two or more queens and rooks.
const SEVERAL: Fit = Fit {
    base: 1.9,
    edge: -0.10,
    kings: 0.03,
    reply: 0.08,
    corner: 0.0,
};

/// The number of moves after a promotion until the queen mates, in addition to the pawn's own.
const AFTER_PROMOTION: f32 = 10.0;

/// Returns the estimate for a position in which one side has only its king and the other has mating material.
pub(super) fn moves_left(board: &Board, turn: Color) -> Option<MovesLeft> {
    let bare = |c: Color| board.by_color(c).count() == 1;
    let weak = [Color::White, Color::Black]
        .into_iter()
        .find(|&c| bare(c))?;
    let own = board.by_color(!weak);
    let (strong_king, weak_king) = (board.king_of(!weak)?, board.king_of(weak)?);
    let (moves, certain) = match fit(board, own) {
        Some(_) if own.count() == 2 => (exact_moves(board, weak, turn)?, true),
        Some(fit) => {
            let mut moves = fit.base
                + fit.edge * steps_from_centre(weak_king)
                + fit.kings * strong_king.distance(weak_king) as f32
                + fit.corner * steps_to_corner(weak_king, own & board.bishops());
            if turn == weak {
                moves += fit.reply;
            }
            (moves.max(1.0), true)
        }
        None => {
            let pawns = board.pawns() & own;
            let rank = |s: Square| u32::from(s.rank());
            // White's pawns promote if Black is the side with the lone king.
            let left = |s: Square| weak.fold_wb(rank(s), 7 - rank(s));
            let steps = pawns.into_iter().map(left).min()?;
            (AFTER_PROMOTION + steps as f32, false)
        }
    };
    Some(MovesLeft {
        moves,
        certain,
        wins: turn != weak,
    })
}

/// Returns the moves to mate with a lone queen or rook; infinity if the piece is lost or it is stalemate.
fn exact_moves(board: &Board, weak: Color, turn: Color) -> Option<f32> {
    let own = board.by_color(!weak);
    let piece = (own & !board.kings()).first()?;
    let role: Role = board.role_at(piece)?;
    let place = [board.king_of(weak)?, board.king_of(!weak)?, piece];
    let plies = mate_tables::plies(role, place, turn != weak);
    Some(plies.map_or(f32::INFINITY, |p| f32::from(p.div_ceil(2))))
}

fn fit(board: &Board, own: Bitboard) -> Option<Fit> {
    let (queens, rooks) = (board.queens() & own, board.rooks() & own);
    let (bishops, knights) = (board.bishops() & own, board.knights() & own);
    let light = bishops & Bitboard::LIGHT_SQUARES;
    Some(match (queens.count(), rooks.count()) {
        (q, r) if q + r > 1 => SEVERAL,
        (1, _) => QUEEN,
        (_, 1) => ROOK,
        _ if light.any() && light != bishops => TWO_BISHOPS,
        _ if bishops.any() && knights.any() => BISHOP_AND_KNIGHT,
        _ => return None,
    })
}

/// The distance from the four central squares, files and ranks added: 0 to 6.
fn steps_from_centre(king: Square) -> f32 {
    let steps = |at: u32| if at < 4 { 3 - at } else { at - 4 };
    (steps(king.file().into()) + steps(king.rank().into())) as f32
}

/// King moves to the nearer corner of the bishops' colour.
fn steps_to_corner(king: Square, bishops: Bitboard) -> f32 {
    let corners = if (bishops & Bitboard::LIGHT_SQUARES).any() {
        [Square::A8, Square::H1]
    } else {
        [Square::A1, Square::H8]
    };
    let steps = corners.map(|corner| king.distance(corner));
    steps[0].min(steps[1]) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::load::fen;
    use shakmaty::Position as _;

    fn left(text: &str) -> Option<MovesLeft> {
        let position = fen::parse(text).expect("a FEN").position;
        moves_left(position.chess().board(), position.chess().turn())
    }

    #[test]
    fn only_a_lone_king_is_mated_and_only_by_enough() {
        for none in [
            "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
            "8/8/4k3/8/8/4K1N1/6N1/8 w - - 0 1",
            "8/8/4k2p/8/8/4K3/8/R7 w - - 0 1",
            "8/8/4k3/8/8/4K1B1/8/8 b - - 0 1",
        ] {
            assert_eq!(left(none), None, "{none}");
        }
        let pawn = left("8/8/4k3/8/P7/4K3/8/8 w - - 0 1").expect("a pawn");
        assert!(!pawn.certain && pawn.wins && pawn.moves > 12.0);
        let rook = left("8/8/4k3/8/8/4K3/8/R7 b - - 0 1").expect("a rook");
        assert!(rook.certain && !rook.wins);
    }

    #[test]
    fn with_one_piece_it_is_exact() {
        for (fen, moves) in [
            ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 1.0),
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 1.0),
            ("7k/7R/5K2/8/8/8/8/8 b - - 0 1", f32::INFINITY),
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", f32::INFINITY),
        ] {
            assert_eq!(left(fen).expect("an estimate").moves, moves, "{fen}");
        }
    }

    #[test]
    fn progress_shortens_it() {
        let chain = [
            "8/8/8/3k4/8/8/8/1KB2B2 w - - 0 1",
            "8/8/8/3k4/8/3K4/8/2B2B2 w - - 0 1",
            "3k4/8/8/8/8/3K4/8/2B2B2 w - - 0 1",
            "3k4/8/3K4/8/8/8/8/2B2B2 w - - 0 1",
            "k7/8/1K6/8/8/8/8/2B2B2 w - - 0 1",
        ];
        let moves = chain.map(|fen| left(fen).expect("won").moves);
        assert!(moves.is_sorted_by(|a, b| a > b), "{moves:?}");
    }
}
