//! Exact distances to mate with king and queen, or king and rook, against a lone king. They are computed by retrograde
//! analysis when first needed (in about 0.1 s), with the lone king in one eighth of the board.

use std::sync::OnceLock;

use shakmaty::{Bitboard, Role, Square, attacks};

/// Not mated in any number of moves: a draw, or not legal.
const NEVER: u8 = u8::MAX;

/// The number of plies to mate by [`index`].
#[derive(Debug)]
struct Distances {
    /// With the side that has the piece to move: odd numbers.
    win: Vec<u8>,
    /// With the lone king to move: even numbers, 0 for mated.
    loss: Vec<u8>,
}

/// The squares of the lone king, the other king and the piece.
type Placement = [Square; 3];

/// Returns the number of plies to mate with best play, or `None` if there is no mate or the piece is another one.
pub(super) fn plies(role: Role, place: Placement, wins: bool) -> Option<u8> {
    static QUEEN: OnceLock<Distances> = OnceLock::new();
    static ROOK: OnceLock<Distances> = OnceLock::new();
    let solved = match role {
        Role::Queen => &QUEEN,
        Role::Rook => &ROOK,
        _ => return None,
    };
    let solved = solved.get_or_init(|| Distances::solve(role));
    let table = if wins { &solved.win } else { &solved.loss };
    let plies = table[index(place)];
    (plies != NEVER).then_some(plies)
}

/// The index of a place, with the board turned so that the lone king is on a1, b1, c1, d1, b2, c2, d2, c3, d3 or d4.
fn index(place: Placement) -> usize {
    let [weak, ..] = place;
    let (file, rank) = (u32::from(weak.file()), u32::from(weak.rank()));
    let by_file = if file > 3 { 7 } else { 0 };
    let by_rank = if rank > 3 { 56 } else { 0 };
    let swaps = rank.min(7 - rank) > file.min(7 - file);
    place.iter().fold(0, |sum, &square| {
        let at = u32::from(square) ^ by_file ^ by_rank;
        let at = if swaps { at >> 3 | (at & 7) << 3 } else { at };
        sum << 6 | at as usize
    })
}

/// All the places that [`index`] distinguishes, with the kings apart.
fn places() -> impl Iterator<Item = Placement> {
    let triangle = Square::ALL.into_iter().filter(|s| {
        let (file, rank) = (u32::from(s.file()), u32::from(s.rank()));
        file < 4 && rank <= file
    });
    triangle.flat_map(|weak| {
        let kings = Square::ALL
            .into_iter()
            .filter(move |s| s.distance(weak) > 1);
        kings.flat_map(move |strong| {
            let pieces = Square::ALL.into_iter();
            let pieces = pieces.filter(move |&s| s != weak && s != strong);
            pieces.map(move |piece| [weak, strong, piece])
        })
    })
}

fn reach(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Queen => attacks::queen_attacks(from, occupied),
        _ => attacks::rook_attacks(from, occupied),
    }
}

impl Distances {
    fn solve(role: Role) -> Distances {
        let mut known = Distances {
            win: vec![NEVER; 1 << 18],
            loss: vec![NEVER; 1 << 18],
        };
        let places: Vec<Placement> = places().collect();
        // Mates first, then wins in 1, losses in 2 and so on.
        for plies in 0..NEVER {
            let mut news = Vec::new();
            for &place in &places {
                let at = index(place);
                let found = if plies % 2 == 0 {
                    known.loss[at] == NEVER && known.is_lost(role, place, plies)
                } else {
                    known.win[at] == NEVER && known.is_won(role, place, plies)
                };
                if found {
                    news.push(at);
                }
            }
            let table = if plies % 2 == 0 {
                &mut known.loss
            } else {
                &mut known.win
            };
            news.iter().for_each(|&at| table[at] = plies);
            if news.is_empty() {
                break;
            }
        }
        known
    }

    /// Whether the lone king, to move, is mated in exactly this many plies, provided that it is not mated in fewer.
    fn is_lost(&self, role: Role, [weak, strong, piece]: Placement, plies: u8) -> bool {
        // The king does not block the line through its own square.
        let seen = reach(role, piece, Bitboard::from_square(strong));
        let barred = seen | attacks::king_attacks(strong) | Bitboard::from_square(strong);
        let mut moves = (attacks::king_attacks(weak) & !barred)
            .into_iter()
            .peekable();
        if moves.peek().is_none() {
            return plies == 0 && seen.contains(weak);
        }
        // Capturing the piece draws.
        plies > 0 && moves.all(|to| to != piece && self.win[index([to, strong, piece])] < plies)
    }

    /// Whether the side with the piece, to move, mates in exactly this many plies, provided that it does not mate in
    /// fewer.
    fn is_won(&self, role: Role, [weak, strong, piece]: Placement, plies: u8) -> bool {
        let kings = Bitboard::from_square(strong) | Bitboard::from_square(weak);
        let moves = reach(role, piece, kings);
        if moves.contains(weak) {
            // It is illegal for the lone king to be in check here.
            return false;
        }
        let lost = |place: Placement| self.loss[index(place)] == plies - 1;
        let steps = attacks::king_attacks(strong) & !attacks::king_attacks(weak);
        let steps = steps & !Bitboard::from_square(piece) & !kings;
        let mut by_piece = (moves & !kings).into_iter();
        by_piece.any(|to| lost([weak, strong, to]))
            || steps.into_iter().any(|to| lost([weak, to, piece]))
    }
}
