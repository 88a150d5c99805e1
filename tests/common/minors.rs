//! A solver of king and two minor pieces, on the same or on different sides: an independent truth, without a clock.

use std::collections::HashSet;

use game::Score;
use shakmaty::{Bitboard, Chess, Color, Position as _, Role, Square, attacks};

/// Two minor pieces besides the kings.
pub type Men = [(Color, Role); 2];

/// The squares of the white king, the black king and the two pieces, and the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub squares: [Square; 4],
    pub turn: Color,
}

/// All positions of two minor pieces that are not draws.
pub struct Minors {
    pub men: Men,
    /// The side to move is mated.
    pub mated: HashSet<u32>,
    /// The side to move mates at once.
    pub mating: HashSet<u32>,
    /// The side to move is not mated, and all its moves let the other side mate at once.
    pub forced: HashSet<u32>,
}

fn at(king: Color) -> usize {
    king.fold_wb(0, 1)
}

impl Place {
    pub fn index(self) -> u32 {
        let squares = self.squares.into_iter();
        squares.fold(u32::from(self.turn.is_white()), |sum, s| {
            sum << 6 | u32::from(s)
        })
    }

    pub fn of(index: u32) -> Place {
        Place {
            squares: [18, 12, 6, 0].map(|shift| Square::new(index >> shift & 63)),
            turn: Color::from_white(index >> 24 == 1),
        }
    }
}

impl Minors {
    fn color(&self, man: usize) -> Color {
        match man {
            0 => Color::White,
            1 => Color::Black,
            _ => self.men[man - 2].0,
        }
    }

    fn reach(&self, man: usize, from: Square, occupied: Bitboard) -> Bitboard {
        match man {
            0 | 1 => attacks::king_attacks(from),
            _ if self.men[man - 2].1 == Role::Knight => attacks::knight_attacks(from),
            _ => attacks::bishop_attacks(from, occupied),
        }
    }

    /// Whether a side is in check, without the man that was `taken`.
    fn is_check(&self, squares: [Square; 4], side: Color, taken: Option<usize>) -> bool {
        let men = (0..4).filter(|&man| Some(man) != taken);
        let occupied: Bitboard = men.clone().map(|man| squares[man]).collect();
        let king = squares[at(side)];
        men.filter(|&man| self.color(man) != side)
            .any(|man| self.reach(man, squares[man], occupied).contains(king))
    }

    pub fn is_legal(&self, place: Place) -> bool {
        let all: Bitboard = place.squares.into_iter().collect();
        all.count() == 4 && !self.is_check(place.squares, !place.turn, None)
    }

    /// Where the moves lead; `None` where one captures, which leaves too little to mate.
    fn moves(&self, Place { squares, turn }: Place) -> Vec<Option<Place>> {
        let occupied: Bitboard = squares.into_iter().collect();
        let mut all = Vec::new();
        for man in (0..4).filter(|&man| self.color(man) == turn) {
            for to in self.reach(man, squares[man], occupied) {
                let taken = squares.iter().position(|&s| s == to);
                if taken.is_some_and(|taken| taken < 2 || self.color(taken) == turn) {
                    continue;
                }
                let mut next = squares;
                next[man] = to;
                if !self.is_check(next, turn, taken) {
                    all.push(taken.is_none().then_some(Place {
                        squares: next,
                        turn: !turn,
                    }));
                }
            }
        }
        all
    }

    /// The legal positions from which a move without a capture leads to this one.
    fn before(&self, Place { squares, turn }: Place) -> Vec<Place> {
        let occupied: Bitboard = squares.into_iter().collect();
        let men = (0..4).filter(|&man| self.color(man) != turn);
        let all = men.flat_map(|man| {
            let from = self.reach(man, squares[man], occupied) & !occupied;
            from.into_iter().map(move |from| {
                let mut earlier = squares;
                earlier[man] = from;
                Place {
                    squares: earlier,
                    turn: !turn,
                }
            })
        });
        all.filter(|&place| self.is_legal(place)).collect()
    }

    pub fn solve(men: Men) -> Minors {
        let mut solved = Minors {
            men,
            mated: HashSet::new(),
            mating: HashSet::new(),
            forced: HashSet::new(),
        };
        let mated = solved
            .checks()
            .into_iter()
            .filter(|&place| solved.is_legal(place) && solved.moves(place).is_empty());
        let mated: HashSet<u32> = mated.map(Place::index).collect();
        let before = |places: &HashSet<u32>| {
            let places = places.iter().map(|&index| Place::of(index));
            let all = places.flat_map(|place| solved.before(place));
            all.collect::<Vec<Place>>()
        };
        let mating: HashSet<u32> = before(&mated).into_iter().map(Place::index).collect();
        let forced = before(&mating).into_iter().filter(|&place| {
            let mut moves = solved.moves(place).into_iter();
            moves.all(|to| to.is_some_and(|to| mating.contains(&to.index())))
        });
        let forced = forced.map(Place::index).collect();
        solved.mated = mated;
        solved.mating = mating;
        solved.forced = forced;
        solved
    }

    /// The places where the side to move is in check by a minor piece.
    fn checks(&self) -> Vec<Place> {
        let mut all = Vec::new();
        let kings = Square::ALL.into_iter().flat_map(|white| {
            let apart = Square::ALL
                .into_iter()
                .filter(move |b| b.distance(white) > 1);
            apart.map(move |black| [white, black])
        });
        for ([white, black], turn) in kings.flat_map(|k| Color::ALL.map(|turn| (k, turn))) {
            let king = [white, black][at(turn)];
            // On an empty board, so that most places are passed over quickly.
            let may_check = |man: usize| {
                let attacks = self.reach(man, king, Bitboard::EMPTY);
                if self.color(man) == turn {
                    Bitboard::EMPTY
                } else {
                    attacks
                }
            };
            let (first, second) = (may_check(2), may_check(3));
            for a in Square::ALL {
                let others = if first.contains(a) {
                    Bitboard::FULL
                } else {
                    second
                };
                all.extend(others.into_iter().filter_map(|b| {
                    let squares = [white, black, a, b];
                    let men: Bitboard = squares.into_iter().collect();
                    let is_check = men.count() == 4 && self.is_check(squares, turn, None);
                    is_check.then_some(Place { squares, turn })
                }));
            }
        }
        all
    }

    /// The place of a position with these men, if it is one.
    pub fn place(&self, position: &Chess) -> Option<Place> {
        let board = position.board();
        if board.occupied().count() != 4 {
            return None;
        }
        let mut left = board.occupied() & !board.kings();
        let mut find = |(color, role): (Color, Role)| {
            let found = (left & board.by_color(color) & board.by_role(role)).first()?;
            left.discard(found);
            Some(found)
        };
        let men = [find(self.men[0])?, find(self.men[1])?];
        Some(Place {
            squares: [
                board.king_of(Color::White)?,
                board.king_of(Color::Black)?,
                men[0],
                men[1],
            ],
            turn: position.turn(),
        })
    }

    /// The score for the side to move, if the position has these men.
    pub fn truth(&self, position: &Chess) -> Option<Score> {
        let index = self.place(position)?.index();
        Some(if self.mated.contains(&index) {
            Score::LOSS
        } else if self.mating.contains(&index) {
            Score::win_in(1)
        } else if self.forced.contains(&index) {
            Score::loss_in(2)
        } else {
            Score::DRAW
        })
    }
}
