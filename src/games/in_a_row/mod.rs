//! Games in which a row of one's own stones wins: tic-tac-toe, and Connect Four on boards of several sizes.

mod evaluation;
mod files;
pub mod solver;

use std::sync::LazyLock;

use crate::result;
use game::load::LoadError;
use game::{
    Axis, Board, Checks, ChessKnowledge, Ending, Game, MoveCode, Moves, Piece, Scale, Side,
    Situation,
};
use text::quote;

pub use evaluation::{COUNTED, Counts, Rows, Weights, counts};
pub use files::{CONNECT_FOUR, TIC_TAC_TOE};

/// The rules of one of these games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    width: u8,
    height: u8,
    /// So many in a row win.
    row: u8,
    /// Whether stones fall to the lowest free cell of a column.
    falls: bool,
}

impl Rules {
    pub const TIC_TAC_TOE: Rules = Rules {
        width: 3,
        height: 3,
        row: 3,
        falls: false,
    };
    pub const CONNECT_FOUR: Rules = Rules {
        width: 7,
        height: 6,
        row: 4,
        falls: true,
    };
    /// The sides that a board of Connect Four may have.
    const SIDES: std::ops::RangeInclusive<u8> = 4..=8;

    /// Returns Connect Four on a board of this size; `None` if it has not 4 to 8 columns and rows, or more cells than fit in 64
    /// bits with one more row.
    pub fn connect_four(width: u8, height: u8) -> Option<Rules> {
        let fits = Self::SIDES.contains(&width) && Self::SIDES.contains(&height);
        (fits && width * (height + 1) <= 64).then_some(Rules {
            width,
            height,
            ..Rules::CONNECT_FOUR
        })
    }

    pub fn width(self) -> u8 {
        self.width
    }

    pub fn height(self) -> u8 {
        self.height
    }

    /// Whether stones fall, as in Connect Four.
    pub fn falls(self) -> bool {
        self.falls
    }

    fn side_name(self, side: Side) -> &'static str {
        match (side, self.falls) {
            (Side::White, true) => "Yellow",
            (Side::Black, true) => "Red",
            (Side::White, false) => "X",
            (Side::Black, false) => "O",
        }
    }

    /// Returns the number of cells.
    pub fn cells(self) -> u32 {
        u32::from(self.width) * u32::from(self.height)
    }

    /// From a column to the next one. Above each column is a bit that no stone has, so that no row goes on in the next.
    #[inline]
    fn stride(self) -> u32 {
        u32::from(self.height) + 1
    }

    #[inline]
    fn column(self, column: u8) -> u64 {
        ((1 << self.height) - 1) << (u32::from(column) * self.stride())
    }

    /// The lowest cells.
    #[inline]
    fn bottom(self) -> u64 {
        let columns = 0..u32::from(self.width);
        columns.fold(0, |all, column| all | 1 << (column * self.stride()))
    }

    /// All cells.
    #[inline]
    fn board(self) -> u64 {
        self.bottom() * ((1 << self.height) - 1)
    }

    /// The directions of rows: up, to the right, and both diagonals, as steps between cells.
    #[inline]
    fn directions(self) -> [u32; 4] {
        let stride = self.stride();
        [1, stride, stride - 1, stride + 1]
    }

    /// The first cells of the rows that these stones make in a direction.
    #[inline]
    fn rows(self, stones: u64, step: u32) -> u64 {
        let pairs = stones & stones >> step;
        match self.row {
            3 => pairs & stones >> (2 * step),
            _ => pairs & pairs >> (2 * step),
        }
    }

    #[inline]
    fn has_row(self, stones: u64) -> bool {
        let [up, right, down, rise] = self.directions();
        let rows = self.rows(stones, up) | self.rows(stones, right);
        rows | self.rows(stones, down) | self.rows(stones, rise) != 0
    }

    /// Whether a side that has moved last has no row, or had none before one of the moves that may have been its last.
    fn was_open(self, stones: u64, all: u64) -> bool {
        let may_be_last = match self.falls {
            true => stones & !(all >> 1),
            false => stones,
        };
        let stones_of = |set: u64| {
            (0..u64::BITS)
                .map(|cell| 1 << cell)
                .filter(move |c| set & c != 0)
        };
        !self.has_row(stones) || stones_of(may_be_last).any(|last| !self.has_row(stones ^ last))
    }

    /// The columns from the middle to the sides.
    #[inline]
    fn columns(self) -> impl Iterator<Item = u8> {
        let (width, middle) = (self.width, self.width / 2);
        // 0, -1, 1, -2, 2, ...
        (0..width).map(move |i| match i % 2 {
            0 => middle + i / 2,
            _ => middle - i.div_ceil(2),
        })
    }
}

/// The axes of tic-tac-toe's and Connect Four's scores.
static AXES: LazyLock<[&'static Axis; 2]> = LazyLock::new(|| {
    [Rules::TIC_TAC_TOE, Rules::CONNECT_FOUR]
        .map(|rules| result::axis(rules.side_name(Side::White)))
});

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InARow {
    rules: Rules,
    /// The stones of the side to move.
    own: u64,
    /// All stones.
    all: u64,
}

/// The cells of tic-tac-toe: the middle, the corners, the edges.
const NINE: [u8; 9] = [5, 0, 2, 8, 10, 1, 4, 6, 9];

impl InARow {
    /// Returns the empty board.
    pub fn new(rules: Rules) -> InARow {
        InARow {
            rules,
            own: 0,
            all: 0,
        }
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the number of stones on the board.
    #[inline]
    pub fn stones(&self) -> u32 {
        self.all.count_ones()
    }

    /// The stones of a side.
    #[inline]
    fn of(&self, side: Side) -> u64 {
        match side == self.turn() {
            true => self.own,
            false => self.all ^ self.own,
        }
    }

    /// Whether the side that moved last has a row.
    #[inline]
    fn is_lost(&self) -> bool {
        self.rules.has_row(self.all ^ self.own)
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.all == self.rules.board()
    }

    /// The cells on which a stone may be put, whether or not the game is over.
    #[inline]
    fn free(&self) -> u64 {
        let open = match self.rules.falls {
            true => self.all + self.rules.bottom(),
            false => !self.all,
        };
        open & self.rules.board()
    }

    /// Whether a stone there makes a row.
    #[inline]
    fn wins(&self, cell: u8) -> bool {
        self.rules.has_row(self.own | 1 << cell)
    }

    /// A column and a row from below.
    fn place(&self, cell: u8) -> (u8, u8) {
        let stride = self.rules.height + 1;
        (cell / stride, cell % stride)
    }

    /// The move of this name: the number of a column, or a cell as `b2`.
    fn named(&self, word: &str) -> Option<u8> {
        let moves = self.legal_moves();
        moves
            .into_iter()
            .find(|m| self.label(*m).eq_ignore_ascii_case(word))
    }
}

impl ChessKnowledge<u8> for InARow {}

impl Game for InARow {
    /// The cell of the new stone: its column times one more than the height of the board, plus its row from below.
    type Move = u8;

    #[inline]
    fn turn(&self) -> Side {
        match self.stones().is_multiple_of(2) {
            true => Side::White,
            false => Side::Black,
        }
    }

    fn legal_moves(&self) -> Moves<u8> {
        if self.is_lost() {
            return Moves::new();
        }
        let free = self.free();
        match self.rules.falls {
            true => { self.rules.columns() }
                .map(|column| free & self.rules.column(column))
                .filter(|cell| *cell != 0)
                .map(|cell| cell.trailing_zeros() as u8)
                .collect(),
            false => NINE
                .into_iter()
                .filter(|cell| free >> cell & 1 == 1)
                .collect(),
        }
    }

    fn has_moves(&self) -> bool {
        !self.is_full() && !self.is_lost()
    }

    #[inline]
    fn play(&mut self, m: u8) {
        self.own ^= self.all;
        self.all |= 1 << m;
    }

    #[inline]
    fn key(&self) -> u64 {
        let size = u64::from(self.rules.width) << 4 | u64::from(self.rules.height);
        let mix = |x: u64| {
            let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ x >> 31
        };
        mix(mix(self.own ^ size << 56).wrapping_add(self.all.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    #[inline]
    fn ending(&self, _: bool) -> Option<Ending> {
        if self.is_lost() {
            return Some(Ending::Lost);
        }
        self.is_full().then_some(Ending::Drawn)
    }

    #[inline]
    fn encode(&self, m: u8) -> MoveCode {
        MoveCode(m.into())
    }

    fn label(&self, m: u8) -> String {
        let (column, row) = self.place(m);
        match self.rules.falls {
            true => (column + 1).to_string(),
            false => format!("{}{}", char::from(b'a' + column), row + 1),
        }
    }

    /// The expected score, from -1 to 1, in thousandths.
    fn scale(&self) -> Scale {
        Scale::Linear(AXES[usize::from(self.rules.falls)])
    }

    #[inline]
    fn may_end(&self, m: u8) -> bool {
        self.stones() + 1 == self.rules.cells() || self.wins(m)
    }

    #[inline]
    fn may_win(&self, _: &Checks, m: u8) -> bool {
        self.wins(m)
    }

    #[inline]
    fn may_be_over(&self) -> bool {
        self.is_full()
    }

    #[inline]
    fn decode_quickly(&self, code: MoveCode) -> Option<u8> {
        let m = u8::try_from(code.0).ok().filter(|m| *m < 64)?;
        (self.free() >> m & 1 == 1 && !self.is_lost()).then_some(m)
    }

    #[inline]
    fn decode_known(&self, code: MoveCode) -> Option<u8> {
        u8::try_from(code.0).ok()
    }

    fn decode(&self, code: MoveCode) -> Option<u8> {
        self.decode_quickly(code)
    }

    fn game_name(&self) -> &'static str {
        match self.rules.falls {
            true => files::CONNECT4,
            false => files::TICTACTOE,
        }
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.rules.side_name(side)
    }

    fn verdict(&self) -> Option<String> {
        if self.is_lost() {
            let row = if self.rules.row == 3 { "three" } else { "four" };
            let winner = self.side_name(self.turn().other());
            return Some(format!("{winner} has {row} in a row"));
        }
        let is_full = self.is_full();
        is_full.then(|| "drawn, with a full board".to_owned())
    }

    /// Each size is a game of its own.
    fn is_same_game(&self, other: &Self) -> bool {
        self.rules == other.rules
    }

    /// Also reads the moves of Connect Four without spaces: `4453`.
    fn read_moves(
        start: &Situation<Self>,
        text: &str,
        _: bool,
    ) -> Result<(Situation<Self>, Vec<MoveCode>), LoadError> {
        let mut situation = start.clone();
        let mut codes = Vec::new();
        for (at, word) in words(text, start.position.rules.falls) {
            let position = situation.position;
            let Some(m) = position.named(word) else {
                let moves = position.legal_moves().into_iter();
                let mut names: Vec<String> = moves.map(|m| position.label(m)).collect();
                names.sort();
                let expected = match names.as_slice() {
                    [] => "nothing: the game is over".to_owned(),
                    names => format!("one of {}", names.join(" ")),
                };
                let column = text[..at].chars().count() as u32 + 1;
                return Err(LoadError::new(quote(word), expected).at_column(column));
            };
            codes.push(position.encode(m));
            situation.play(m);
        }
        Ok((situation, codes))
    }

    fn notated(&self) -> Option<String> {
        Some(files::written(self))
    }

    fn board(&self) -> Option<Board> {
        let Rules {
            width,
            height,
            falls,
            ..
        } = self.rules;
        let piece = |column: u8, row: u8| {
            let cell = u32::from(column) * self.rules.stride() + u32::from(row);
            let has = |side| self.of(side) >> cell & 1 == 1;
            let sides = [(Side::White, 'X'), (Side::Black, 'O')].into_iter();
            sides
                .map(|(side, sign)| Piece { sign, side })
                .find(|piece| has(piece.side))
        };
        let shown = |m: u8| {
            let (column, row) = self.place(m);
            let cell = (usize::from(column), usize::from(height - 1 - row));
            (self.encode(m), cell)
        };
        let letter = |column: u8| match falls {
            true => (column + 1).to_string(),
            false => char::from(b'a' + column).to_string(),
        };
        let rows = (0..height).rev();
        Some(Board {
            cells: { rows.clone() }
                .map(|row| (0..width).map(|column| piece(column, row)).collect())
                .collect(),
            columns: (0..width).map(letter).collect(),
            rows: match falls {
                true => Vec::new(),
                false => rows.map(|row| (row + 1).to_string()).collect(),
            },
            moves: self.legal_moves().into_iter().map(shown).collect(),
        })
    }
}

/// The words of a text with their places; digits that stand together are words of their own where columns are numbered.
fn words(text: &str, are_columns: bool) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut begin = None;
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '›');
    let is_column = |c: char| are_columns && c.is_ascii_digit();
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if let Some(from) = begin
            && (ends(c) || is_column(c) || text[from..].starts_with(is_column))
        {
            words.push((from, &text[from..at]));
            begin = None;
        }
        if begin.is_none() && !ends(c) {
            begin = Some(at);
        }
    }
    words
}
