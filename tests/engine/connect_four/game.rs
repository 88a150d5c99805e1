//! Connect Four with a static evaluation: everything that a new game has to implement.

use plyscope::belief::{Cdf, Density, Grid};
use plyscope::eval::{Evaluated, Evaluator, LeafShape};
use plyscope::game::{ChessKnowledge, Ending, Game, MoveCode, Moves, Scale, Score, Side};

/// Seven columns of seven bits each, of which six are used: bit 0 is the lowest cell of the left column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConnectFour {
    /// White's and Black's stones.
    stones: [u64; 2],
}

const COLUMN: u64 = 0b11_1111;

fn column(m: u8) -> u64 {
    COLUMN << (7 * m)
}

/// Counts the fours up, right and along the diagonals.
fn fours(stones: u64) -> i32 {
    let along = |s: u32| stones & stones >> s & stones >> (2 * s) & stones >> (3 * s);
    [1, 6, 7, 8]
        .map(|step| along(step).count_ones() as i32)
        .iter()
        .sum()
}

impl ConnectFour {
    pub fn all(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// Whether the side to move has already lost.
    pub fn is_lost(&self) -> bool {
        fours(self.stones[self.turn().other() as usize]) > 0
    }

    /// Returns the result with best play, for the side to move: 1, 0 or -1.
    pub fn minimax(&self) -> i32 {
        let moves = self.legal_moves();
        if moves.is_empty() {
            return -i32::from(self.is_lost());
        }
        let result = |m| {
            let mut next = *self;
            next.play(m);
            -next.minimax()
        };
        moves.into_iter().map(result).max().expect("a move")
    }
}

impl ChessKnowledge<u8> for ConnectFour {}

impl Game for ConnectFour {
    /// The column, counted from the left.
    type Move = u8;

    fn turn(&self) -> Side {
        match self.all().count_ones() % 2 {
            0 => Side::White,
            _ => Side::Black,
        }
    }

    fn legal_moves(&self) -> Moves<u8> {
        let over = self.is_lost();
        let open = |&m: &u8| !over && column(m) & !self.all() != 0;
        [3, 2, 4, 1, 5, 0, 6].into_iter().filter(open).collect()
    }

    fn play(&mut self, m: u8) {
        let lowest = (self.all() & column(m)) + (1 << (7 * m));
        self.stones[self.turn() as usize] |= lowest;
    }

    fn key(&self) -> u64 {
        let mix = |x: u64| (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mix(mix(self.stones[0] + 1) ^ self.stones[1])
    }

    fn ending(&self, has_moves: bool) -> Option<Ending> {
        match self.is_lost() {
            true => Some(Ending::Lost),
            false => (!has_moves).then_some(Ending::Drawn),
        }
    }

    fn encode(&self, m: u8) -> MoveCode {
        MoveCode(m.into())
    }

    fn label(&self, m: u8) -> String {
        (m + 1).to_string()
    }

    fn scale(&self) -> Scale {
        Scale::Logistic
    }
}

/// Counts the fours that each side can still make.
#[derive(Clone, Debug)]
pub struct OpenFours(Grid);

impl Default for OpenFours {
    fn default() -> Self {
        OpenFours(Grid::sinh())
    }
}

impl Evaluated for ConnectFour {
    type Evaluator = OpenFours;
}

impl Evaluator<ConnectFour> for OpenFours {
    type State = ();

    fn start(&self, _: &ConnectFour) {}

    fn after(&self, (): (), _: &ConnectFour, _: u8) {}

    fn value(&self, (): (), position: &ConnectFour) -> Score {
        let board: u64 = (0..7).map(column).sum();
        let open = |side: Side| fours(board & !position.stones[side.other() as usize]);
        let turn = position.turn();
        Score::new(10 * (open(turn) - open(turn.other())))
    }

    fn gain(&self, (): (), _: &ConnectFour, m: u8) -> i32 {
        10 * (3 - (i32::from(m) - 3).abs())
    }

    /// The standard deviation of the logit.
    fn spread(&self, (): (), _: &ConnectFour, _: Score) -> f32 {
        0.8
    }

    fn belief(&self, (): (), at: &ConnectFour, value: Score, shape: &LeafShape) -> Cdf {
        if value.is_decided() {
            return Cdf::atom(self.0.bin_of(at.scale().expected(value)));
        }
        let logit = f32::from(value.raw()) / (Scale::CENTIPAWNS / 2.0);
        Density::normal_logit(&self.0, logit + shape.bias, 0.8).cdf()
    }
}
