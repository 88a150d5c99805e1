//! Go on boards of up to 13×13 points: positional superko, suicide is forbidden, area score with komi, and two passes end the game.

mod area;
mod evaluation;
mod playout;
mod sgf;
mod stones;

use std::sync::{Arc, LazyLock};

use crate::result;
use game::load::LoadError;
use game::{
    Axis, Board, ChessKnowledge, Ending, Game, MoveCode, Moves, Piece, Scale, Side, Situation,
    notation,
};

#[cfg(test)]
mod tests;

pub use evaluation::{Counted, PLAYOUTS, Playouts, Weights};
pub use playout::Light;
pub use sgf::SGF;
pub use stones::{Colour, Stones};

use stones::{At, Point, mixed, place, point};

/// A move: a stone on a point, or passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Play(u8);

impl Play {
    pub const PASS: Play = Play(0);

    /// A stone in a column and a row, both counted from 0 at the lower left corner.
    pub fn at(column: u8, row: u8) -> Play {
        Play(point(column, row))
    }

    /// Returns column and row of the stone; `None` for a pass.
    pub fn place(self) -> Option<(u8, u8)> {
        (self != Play::PASS).then(|| place(self.0))
    }
}

/// Points for White, who moves second: a number of halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Komi(i16);

impl Komi {
    pub const NONE: Komi = Komi(0);
    /// What is usual on 9×9 with area score.
    pub const USUAL: Komi = Komi(15);
    /// More than any board can give.
    const MOST: f64 = 1_000.0;

    /// Returns a komi of so many points; `None` unless it is a number of halves.
    pub fn of(points: f64) -> Option<Komi> {
        let halves = points * 2.0;
        let is_one = halves.fract() == 0.0 && points.abs() <= Self::MOST;
        is_one.then_some(Komi(halves as i16))
    }

    /// Returns it in points.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 2.0
    }
}

/// The position in which a game begins.
#[derive(Clone, Debug)]
struct Start {
    stones: Stones,
    turn: Colour,
}

/// The positions before one, oldest first, with the moves that were made in them.
#[derive(Clone, Debug)]
struct Past {
    start: Arc<Start>,
    moves: Vec<(u64, Play)>,
    /// A hash of all of them, in any order.
    mixed: u64,
    /// A bit for each of them, as its hash says: where there is none, a position is new.
    filter: [u64; 8],
    /// The largest number of stones that any of them has.
    most: u32,
}

impl Past {
    /// Adds a position and the move that was made in it.
    fn add(&mut self, hash: u64, m: Play) {
        self.moves.push((hash, m));
        self.mixed = self.mixed.wrapping_add(mixed(hash));
        let (word, bit) = Past::bit(hash);
        self.filter[word] |= bit;
    }

    /// Whether a position with this hash is among them.
    fn has(&self, hash: u64) -> bool {
        let (word, bit) = Past::bit(hash);
        self.filter[word] & bit != 0 && self.moves.iter().any(|(other, _)| *other == hash)
    }

    fn bit(hash: u64) -> (usize, u64) {
        ((hash >> 61) as usize, 1 << (hash >> 55 & 63))
    }
}

/// A position, with the earlier ones that may not come up again.
#[derive(Clone, Debug)]
pub struct Go {
    stones: Stones,
    turn: Colour,
    komi: Komi,
    /// Passes since the last stone.
    passes: u8,
    past: Arc<Past>,
}

/// The code of a pass.
const PASS: MoveCode = MoveCode(MoveCode::FIRST_SPECIAL - 1);

/// The axis of Go's scores, for which White's view is the first side's in other games.
static AXIS: LazyLock<&'static Axis> = LazyLock::new(|| result::axis(name(Colour::White)));

fn name(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "Black",
        Colour::White => "White",
    }
}

fn side_of(colour: Colour) -> Side {
    match colour {
        Colour::Black => Side::Black,
        Colour::White => Side::White,
    }
}

impl Go {
    /// Returns the empty board with Black to move; `None` if there is no board of this size.
    pub fn new(size: u8, komi: Komi) -> Option<Go> {
        Some(Go::from_setup(Stones::new(size)?, Colour::Black, komi))
    }

    /// Returns a game that begins with these stones. The empty board is not one of the earlier positions.
    pub fn from_setup(stones: Stones, turn: Colour, komi: Komi) -> Go {
        let most = stones.count();
        let past = Past {
            start: Arc::new(Start {
                stones: stones.clone(),
                turn,
            }),
            moves: Vec::new(),
            mixed: 0,
            filter: [0; 8],
            most,
        };
        Go {
            stones,
            turn,
            komi,
            passes: 0,
            past: Arc::new(past),
        }
    }

    pub fn stones(&self) -> &Stones {
        &self.stones
    }

    pub fn komi(&self) -> Komi {
        self.komi
    }

    /// Returns who is to move.
    pub fn to_move(&self) -> Colour {
        self.turn
    }

    /// Returns the area of the side to move less the other side's, with komi, in half points.
    pub fn half_points(&self) -> i32 {
        self.half_points_of(&self.stones, self.turn)
    }

    /// The same for a side, of stones to which this game's position has led.
    fn half_points_of(&self, stones: &Stones, side: Colour) -> i32 {
        let black = 2 * stones.area() - i32::from(self.komi.0);
        match side {
            Colour::Black => black,
            Colour::White => -black,
        }
    }

    /// Whether a move is legal, in a game that is not over.
    fn is_legal(&self, m: Play) -> bool {
        m == Play::PASS
            || self.stones.at(m.0) == At::Empty
                && self.stones.lives(m.0, self.turn)
                && !self.repeats(m.0)
    }

    /// Whether a stone there brings up an earlier position, whoever was to move then.
    fn repeats(&self, point: Point) -> bool {
        // With more stones than there ever were, it is new.
        if self.stones.count() >= self.past.most && !self.stones.takes(point, self.turn) {
            return false;
        }
        let after = self.stones.hash_after(point, self.turn);
        self.past.has(after)
    }

    /// The move of this name: a point as `D4`, or `pass`.
    fn named(&self, word: &str) -> Option<Play> {
        if word.eq_ignore_ascii_case("pass") {
            return Some(Play::PASS);
        }
        let mut letters = word.chars();
        let letter = letters.next()?.to_ascii_uppercase();
        let column = COLUMNS.iter().position(|c| *c == letter)?;
        let row: u8 = letters.as_str().parse().ok()?;
        let size = self.stones.size();
        let is_there = (1..=size).contains(&row) && column < usize::from(size);
        is_there.then(|| Play::at(column as u8, row - 1))
    }

    /// Why a move is not legal; `None` if it is.
    fn fault(&self, m: Play) -> Option<&'static str> {
        match self.passes {
            2.. => Some("nothing: the game is over"),
            _ => self.fault_if_it_goes_on(m),
        }
    }

    /// The same in a game that goes on after two passes, as files have it where the sides did not agree.
    fn fault_if_it_goes_on(&self, m: Play) -> Option<&'static str> {
        match m.place() {
            None => None,
            Some(_) if self.stones.at(m.0) != At::Empty => Some("an empty point"),
            Some(_) if !self.stones.lives(m.0, self.turn) => {
                Some("a move that leaves the stone a liberty (suicide is forbidden)")
            }
            Some(_) if self.repeats(m.0) => {
                Some("a move that does not repeat an earlier position (superko)")
            }
            Some(_) => None,
        }
    }
}

/// The letters of columns, without I.
const COLUMNS: [char; Stones::LARGEST as usize] = [
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'L', 'M', 'N',
];

impl ChessKnowledge<Play> for Go {}

impl Game for Go {
    type Move = Play;

    fn turn(&self) -> Side {
        side_of(self.turn)
    }

    /// Stones row by row from above, then the pass.
    fn legal_moves(&self) -> Moves<Play> {
        if self.passes >= 2 {
            return Moves::new();
        }
        let points = self.stones.all().map(Play);
        let legal = points.filter(|m| self.is_legal(*m));
        legal.chain([Play::PASS]).collect()
    }

    fn has_moves(&self) -> bool {
        self.passes < 2
    }

    fn play(&mut self, m: Play) {
        let hash = self.stones.hash();
        let past = Arc::make_mut(&mut self.past);
        past.add(hash, m);
        past.most = past.most.max(self.stones.count());
        match m {
            Play::PASS => {
                self.stones.pass();
                self.passes = self.passes.saturating_add(1);
            }
            Play(point) => {
                self.stones.play(point, self.turn);
                self.passes = 0;
            }
        }
        self.turn = self.turn.other();
    }

    /// Different also where only the earlier positions are: superko forbids other moves then.
    fn key(&self) -> u64 {
        let rules = u64::from(self.stones.size()) << 32 | u64::from(self.komi.0 as u16);
        let here = rules | u64::from(self.passes) << 48 | (self.turn as u64) << 52;
        mixed(self.stones.hash() ^ mixed(here) ^ mixed(self.past.mixed))
    }

    fn ending(&self, _: bool) -> Option<Ending> {
        if self.passes < 2 {
            return None;
        }
        Some(match self.half_points() {
            0 => Ending::Drawn,
            ..0 => Ending::Lost,
            1.. => Ending::Won,
        })
    }

    fn encode(&self, m: Play) -> MoveCode {
        match m {
            Play::PASS => PASS,
            Play(point) => MoveCode(point.into()),
        }
    }

    fn label(&self, m: Play) -> String {
        match m.place() {
            Some((column, row)) => format!("{}{}", COLUMNS[usize::from(column)], row + 1),
            None => "pass".to_owned(),
        }
    }

    /// The expected score, from -1 to 1, in thousandths.
    fn scale(&self) -> Scale {
        Scale::Linear(*AXIS)
    }

    /// Every empty point and the pass, legal or not.
    fn replies_to(&self, m: Play) -> usize {
        let empty = self.stones.empty().len();
        match m {
            Play::PASS if self.passes >= 1 => 0,
            Play::PASS => empty + 1,
            _ => empty,
        }
    }

    fn may_end(&self, m: Play) -> bool {
        m == Play::PASS && self.passes == 1
    }

    fn may_win(&self, _: &game::Checks, m: Play) -> bool {
        self.may_end(m)
    }

    fn may_be_over(&self) -> bool {
        self.passes >= 2
    }

    fn decode(&self, code: MoveCode) -> Option<Play> {
        let m = self.decode_known(code)?;
        (self.passes < 2 && self.is_legal(m)).then_some(m)
    }

    fn decode_quickly(&self, code: MoveCode) -> Option<Play> {
        self.decode(code)
    }

    fn decode_known(&self, code: MoveCode) -> Option<Play> {
        if code == PASS {
            return Some(Play::PASS);
        }
        let point = u8::try_from(code.0).ok()?;
        self.stones.has(point).then_some(Play(point))
    }

    fn numbers_plies(&self) -> bool {
        true
    }

    fn game_name(&self) -> &'static str {
        "go"
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::White => name(Colour::White),
            Side::Black => name(Colour::Black),
        }
    }

    fn verdict(&self) -> Option<String> {
        if self.passes < 2 {
            return None;
        }
        let half_points = self.half_points_of(&self.stones, Colour::Black);
        let winner = match half_points {
            0 => return Some("drawn, with the same number of points for both sides".to_owned()),
            ..0 => name(Colour::White),
            1.. => name(Colour::Black),
        };
        let points = f64::from(half_points.abs()) / 2.0;
        let unit = if points == 1.0 { "point" } else { "points" };
        Some(format!("{winner} wins by {points} {unit}"))
    }

    /// Each size and each komi is a game of its own.
    fn is_same_game(&self, other: &Self) -> bool {
        self.komi == other.komi && self.stones.size() == other.stones.size()
    }

    fn read_moves(
        start: &Situation<Self>,
        text: &str,
        _: bool,
    ) -> Result<(Situation<Self>, Vec<MoveCode>), LoadError> {
        notation::play_words(start, text, |position, word| {
            let m = position.named(word).ok_or("a point such as D4, or pass")?;
            match position.fault(m) {
                Some(fault) => Err(fault.to_owned()),
                None => Ok(m),
            }
        })
    }

    /// The stones and who is to move, as an SGF file on one line; not what superko forbids.
    fn notated(&self) -> Option<String> {
        Some(sgf::setup(&self.stones, self.turn, self.komi))
    }

    /// Where the game began, and all its moves.
    fn written(&self) -> Option<(String, Vec<MoveCode>)> {
        let Past { start, moves, .. } = &*self.past;
        let moves = moves.iter().map(|(_, m)| self.encode(*m));
        let text = sgf::setup(&start.stones, start.turn, self.komi);
        Some((text, moves.collect()))
    }

    fn board(&self) -> Option<Board> {
        let size = self.stones.size();
        let piece = |column, row| match self.stones.at(point(column, row)) {
            At::Stone(colour) => Some(Piece {
                sign: match colour {
                    Colour::Black => '●',
                    Colour::White => '○',
                },
                side: side_of(colour),
            }),
            _ => None,
        };
        let shown = |m: Play| {
            let (column, row) = m.place()?;
            let cell = (usize::from(column), usize::from(size - 1 - row));
            Some((self.encode(m), cell))
        };
        let rows = (0..size).rev();
        Some(Board {
            cells: { rows.clone() }
                .map(|row| (0..size).map(|column| piece(column, row)).collect())
                .collect(),
            columns: { COLUMNS[..usize::from(size)].iter() }
                .map(char::to_string)
                .collect(),
            rows: rows.map(|row| (row + 1).to_string()).collect(),
            moves: self.legal_moves().into_iter().filter_map(shown).collect(),
        })
    }
}
