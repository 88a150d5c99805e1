//! Three-man endgames with the half-move clock, solved backwards: an independent truth for claims near the fifty-move
//! rule. White has the piece or pawn.

use game::Score;
use shakmaty::{Chess, Color, Position, Role, Square};

use crate::endgame::Endgame;

/// Plies to White's mate, or [`DRAWN`] if there is none.
type Plies = u8;
const DRAWN: Plies = u8::MAX;
/// From this clock on, a position without a mate is a draw.
const LAST: usize = 100;

/// The tables of king and pawn against king for all files, and the endgames they promote to.
pub struct Clocked {
    queen: Endgame,
    rook: Endgame,
    /// By file; see [`File`].
    pawn: Vec<File>,
}

/// The pawns of one file: by rank (1 to 6 for the second to the seventh), clock and [`index`].
struct File {
    tables: Vec<Vec<Vec<Plies>>>,
}

const KINGS: usize = 2 * 64 * 64;

fn index(white_to_move: bool, white: usize, black: usize) -> usize {
    (usize::from(white_to_move) * 64 + white) * 64 + black
}

fn distance(a: usize, b: usize) -> usize {
    let (files, ranks) = ((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
    files.max(ranks)
}

fn around(square: usize) -> impl Iterator<Item = usize> {
    (0..64).filter(move |&to| distance(square, to) == 1)
}

/// The pawn attacks the square.
fn guards(pawn: usize, square: usize) -> bool {
    square / 8 == pawn / 8 + 1 && (square % 8).abs_diff(pawn % 8) == 1
}

impl Clocked {
    /// `files` are those on which a pawn may be.
    pub fn solve(files: impl IntoIterator<Item = usize>) -> Clocked {
        let mut clocked = Clocked {
            queen: Endgame::solve(Role::Queen),
            rook: Endgame::solve(Role::Rook),
            pawn: Vec::new(),
        };
        let files: Vec<usize> = files.into_iter().collect();
        clocked.pawn = (0..8)
            .map(|file| File {
                tables: match files.contains(&file) {
                    true => clocked.solve_file(file),
                    false => Vec::new(),
                },
            })
            .collect();
        clocked
    }

    fn solve_file(&self, file: usize) -> Vec<Vec<Vec<Plies>>> {
        let mut tables = vec![Vec::new(); 8];
        for rank in (1..7).rev() {
            // Backwards from the end of the clock: a king move leads to the next clock, a pawn move to a rank solved
            // before.
            let mut clocks: Vec<Vec<Plies>> = vec![Vec::new(); LAST + 1];
            for clock in (0..=LAST).rev() {
                let later = clocks.get(clock + 1).cloned().unwrap_or_default();
                let mut table = vec![DRAWN; KINGS];
                for white in 0..64 {
                    for black in 0..64 {
                        self.fill(&mut table, &tables, &later, rank * 8 + file, white, black);
                    }
                }
                clocks[clock] = table;
            }
            tables[rank] = clocks;
        }
        tables
    }

    fn fill(
        &self,
        table: &mut [Plies],
        tables: &[Vec<Vec<Plies>>],
        later: &[Plies],
        pawn: usize,
        white: usize,
        black: usize,
    ) {
        if distance(white, black) <= 1 || pawn == white || pawn == black {
            return;
        }
        table[index(false, white, black)] = self.of_black(later, pawn, white, black);
        if !guards(pawn, black) {
            table[index(true, white, black)] = self.of_white(tables, later, pawn, white, black);
        }
    }

    fn of_black(&self, later: &[Plies], pawn: usize, white: usize, black: usize) -> Plies {
        let mut longest: Option<Plies> = None;
        for to in around(black) {
            if distance(white, to) <= 1 || guards(pawn, to) {
                continue;
            }
            let plies = match later {
                _ if to == pawn => DRAWN,
                [] => DRAWN,
                later => one_more(later[index(true, white, to)]),
            };
            longest = Some(longest.map_or(plies, |l| l.max(plies)));
        }
        match longest {
            Some(plies) => plies,
            None if guards(pawn, black) => 0,
            None => DRAWN,
        }
    }

    fn of_white(
        &self,
        tables: &[Vec<Vec<Plies>>],
        later: &[Plies],
        pawn: usize,
        white: usize,
        black: usize,
    ) -> Plies {
        let mut shortest = DRAWN;
        // At the end of the clock the game is over, whatever could be played.
        if later.is_empty() {
            return DRAWN;
        }
        for to in around(white) {
            if distance(to, black) > 1 && to != pawn {
                shortest = shortest.min(one_more(later[index(false, to, black)]));
            }
        }
        let mut at = pawn;
        for step in 1..=2 {
            at += 8;
            if at == white || at == black || step == 2 && pawn / 8 != 1 {
                break;
            }
            let plies = if at / 8 == 7 {
                self.promoted(white, black, at)
            } else {
                tables[at / 8][0][index(false, white, black)]
            };
            shortest = shortest.min(one_more(plies));
        }
        shortest
    }

    fn promoted(&self, white: usize, black: usize, at: usize) -> Plies {
        let square = |s: usize| Square::new(s as u32);
        let score = |endgame: &Endgame| {
            endgame.score_at(Color::Black, square(white), square(black), square(at))
        };
        let plies = [score(&self.queen), score(&self.rook)].map(|score| match score.mate_plies() {
            Some(plies) if score.is_loss() => plies.unsigned_abs() as Plies,
            _ => DRAWN,
        });
        plies[0].min(plies[1])
    }

    /// Returns the exact score for the side to move, taking the clock into account; `None` for other endgames, or for a
    /// file that was not solved.
    pub fn truth(&self, position: &Chess) -> Option<Score> {
        let board = position.board();
        let clock = position.halfmoves();
        let pieces = board.white() & !board.kings();
        if (board.black() & !board.kings()).any() || pieces.count() > 1 {
            return None;
        }
        let Some(at) = pieces.first() else {
            return Some(Score::DRAW);
        };
        if clock as usize >= LAST && !position.is_checkmate() {
            return Some(Score::DRAW);
        }
        let endgame = match board.role_at(at)? {
            Role::Queen => &self.queen,
            Role::Rook => &self.rook,
            Role::Pawn => return self.of_pawn(position, usize::from(at)),
            _ => return Some(Score::DRAW),
        };
        let score = endgame.truth(position);
        // Only the lone king can reset the clock, and that is a draw.
        let in_time = |plies: i16| u32::from(plies.unsigned_abs()) + clock <= LAST as u32;
        Some(match score.mate_plies() {
            Some(plies) if !in_time(plies) => Score::DRAW,
            _ => score,
        })
    }

    fn of_pawn(&self, position: &Chess, pawn: usize) -> Option<Score> {
        let board = position.board();
        let (white, black) = (board.king_of(Color::White)?, board.king_of(Color::Black)?);
        let clocks = self.pawn[pawn % 8].tables.get(pawn / 8)?;
        let white_to_move = position.turn() == Color::White;
        let clock = (position.halfmoves() as usize).min(LAST);
        let table = &clocks[clock];
        let plies = table[index(white_to_move, usize::from(white), usize::from(black))];
        Some(match plies {
            DRAWN => Score::DRAW,
            plies if white_to_move => Score::win_in(plies.into()),
            plies => Score::loss_in(plies.into()),
        })
    }
}

fn one_more(plies: Plies) -> Plies {
    if plies == DRAWN { DRAWN } else { plies + 1 }
}
