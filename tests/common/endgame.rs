//! A retrograde solver for small endgames: an independent truth.
#![allow(dead_code)]

use game::Score;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Piece, Position, Role, Setup, Square};

/// King and one white piece against king, solved backwards from the mates.
pub struct Endgame {
    piece: Role,
    /// By [`Endgame::index`]: the exact score for the side to move, or `None` if the position is not legal.
    pub scores: Vec<Option<Score>>,
}

impl Endgame {
    const SIZE: usize = 2 << 18;

    fn index(turn: Color, white_king: Square, black_king: Square, piece: Square) -> usize {
        let square = |s: Square| usize::from(s);
        ((turn as usize * 64 + square(white_king)) * 64 + square(black_king)) * 64 + square(piece)
    }

    fn position(piece: Role, index: usize) -> Option<Chess> {
        let square = |shift: usize| Square::new((index >> shift & 63) as u32);
        let (white_king, black_king, at) = (square(12), square(6), square(0));
        if white_king == black_king || at == white_king || at == black_king {
            return None;
        }
        let mut setup = Setup::empty();
        setup.turn = if index >> 18 == Color::White as usize {
            Color::White
        } else {
            Color::Black
        };
        for (square, color, role) in [
            (white_king, Color::White, Role::King),
            (black_king, Color::Black, Role::King),
            (at, Color::White, piece),
        ] {
            setup.board.set_piece_at(square, Piece { color, role });
        }
        Chess::from_setup(setup, CastlingMode::Standard).ok()
    }

    pub fn solve(piece: Role) -> Endgame {
        let mut scores = vec![None; Self::SIZE];
        // Where the moves lead; capturing the piece leads to a draw.
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); Self::SIZE];
        for index in 0..Self::SIZE {
            let Some(position) = Self::position(piece, index) else {
                continue;
            };
            scores[index] = Some(Score::DRAW);
            let moves = position.legal_moves();
            if moves.is_empty() && position.is_check() {
                scores[index] = Some(Score::LOSS);
            }
            for m in moves {
                let mut next = position.clone();
                next.play_unchecked(m);
                let board = next.board();
                let at = board.white() & board.by_role(piece);
                successors[index].push(
                    match (
                        board.king_of(Color::White),
                        board.king_of(Color::Black),
                        at.first(),
                    ) {
                        (Some(w), Some(b), Some(p)) => Self::index(next.turn(), w, b, p),
                        _ => usize::MAX,
                    },
                );
            }
        }
        loop {
            let mut changed = false;
            for index in 0..Self::SIZE {
                if successors[index].is_empty() {
                    continue;
                }
                let worth = |&to: &usize| {
                    let score = scores.get(to).copied().flatten();
                    score.unwrap_or(Score::DRAW).one_ply_up()
                };
                let best = successors[index].iter().map(worth).max();
                if best != scores[index] {
                    scores[index] = best;
                    changed = true;
                }
            }
            if !changed {
                return Endgame { piece, scores };
            }
        }
    }

    /// Returns positions that are mates within `plies`, for or against the side to move, or draws, spread over all of
    /// them.
    pub fn sample(&self, plies: u16, count: usize) -> Vec<(Chess, Score)> {
        let wanted = |score: Score| {
            let mate = score.mate_plies().map(i16::unsigned_abs);
            mate.is_none_or(|distance| distance <= plies)
        };
        let fits: Vec<(usize, Score)> = self
            .scores
            .iter()
            .enumerate()
            .filter_map(|(i, score)| Some((i, score.filter(|&s| wanted(s))?)))
            .collect();
        (0..count)
            .filter_map(|i| {
                // A step without a common factor visits positions of all kinds.
                let (index, score) = fits[i * 7_919 % fits.len()];
                Some((Self::position(self.piece, index)?, score))
            })
            .collect()
    }

    /// Returns the exact score for the side to move, by squares.
    pub fn score_at(&self, turn: Color, white: Square, black: Square, piece: Square) -> Score {
        let score = self.scores[Self::index(turn, white, black, piece)];
        score.unwrap_or(Score::DRAW)
    }

    /// Returns the position at an index of [`Endgame::scores`].
    pub fn at(&self, index: usize) -> Option<Chess> {
        Self::position(self.piece, index)
    }

    /// Returns the exact score for the side to move in a position with these pieces, or after the piece was captured.
    pub fn truth(&self, position: &Chess) -> Score {
        let board = position.board();
        let at = (board.white() & board.by_role(self.piece)).first();
        let (Some(white), Some(black)) = (board.king_of(Color::White), board.king_of(Color::Black))
        else {
            return Score::DRAW;
        };
        let index = at.map(|at| Self::index(position.turn(), white, black, at));
        let score = index.and_then(|index| self.scores[index]);
        score.unwrap_or(Score::DRAW)
    }
}

/// King and pawn against king, the pawn White's, solved backwards with shakmaty's moves, as won or not.
pub struct PawnEndgame {
    /// By the index of the position; `None` if that is not legal.
    won: Vec<Option<bool>>,
}

/// Where a move leads.
#[derive(Clone, Copy)]
enum Next {
    To(usize),
    /// The pawn was captured or has promoted: whether White wins.
    Known(bool),
}

impl PawnEndgame {
    pub fn solve() -> PawnEndgame {
        let promoted = [Role::Queen, Role::Rook].map(Endgame::solve);
        let mut won = vec![None; Endgame::SIZE];
        let mut successors: Vec<Vec<Next>> = vec![Vec::new(); Endgame::SIZE];
        for index in 0..Endgame::SIZE {
            let Some(position) = Endgame::position(Role::Pawn, index) else {
                continue;
            };
            let moves = position.legal_moves();
            let mated = moves.is_empty() && position.is_check();
            won[index] = Some(mated && position.turn() == Color::Black);
            successors[index] = moves
                .into_iter()
                .map(|m| {
                    let mut next = position.clone();
                    next.play_unchecked(m);
                    let board = next.board();
                    let kings = [Color::White, Color::Black].map(|c| board.king_of(c));
                    match (board.pawns().first(), kings) {
                        (Some(pawn), [Some(white), Some(black)]) => {
                            Next::To(Endgame::index(next.turn(), white, black, pawn))
                        }
                        _ => Next::Known(promoted.iter().any(|e| e.truth(&next).is_loss())),
                    }
                })
                .collect();
        }
        loop {
            let mut changed = false;
            for index in 0..Endgame::SIZE {
                if won[index] != Some(false) || successors[index].is_empty() {
                    continue;
                }
                let wins = |next: &Next| match *next {
                    Next::To(to) => won[to] == Some(true),
                    Next::Known(wins) => wins,
                };
                let white = index >> 18 == Color::White as usize;
                let now = match white {
                    true => successors[index].iter().any(wins),
                    false => successors[index].iter().all(wins),
                };
                won[index] = Some(now);
                changed |= now;
            }
            if !changed {
                return PawnEndgame { won };
            }
        }
    }

    /// Returns every legal position, with whether White wins.
    pub fn all(&self) -> impl Iterator<Item = (Chess, bool)> {
        let won = self.won.iter().enumerate();
        won.filter_map(|(i, won)| Some((Endgame::position(Role::Pawn, i)?, (*won)?)))
    }
}
