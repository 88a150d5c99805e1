//! The editor of positions: pieces, the side to move, castling rights, en passant, the clock and the move number.

mod view;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use shakmaty::{
    Board, CastlingSide, Color, EnPassantMode, File, Piece, Position as _, Rank, Square,
};

use super::{KeyHint, Overlay};
use crate::component::Event;
use crate::context::{Ask, Context, Level};
use crate::reach::{Reach, Sight};
use game::ChessPosition;
use game::load::fen::{self, ReadFen};
use screen::keys::Key;
use screen::pen::Pen;

/// A part of the editor: what the keys act on, and what can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Square(Square),
    /// A piece of the palette; `None` takes pieces away.
    Brush(Option<Piece>),
    Field(Field),
    Clear,
    Start,
    Flip,
    Open,
    Cancel,
}

/// What is set beside the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Turn,
    /// Castling of a side, on the king's side or not.
    Castling(Color, bool),
    /// The file of a pawn that has just moved two squares.
    EnPassant,
    Clock,
    Number,
}

impl Field {
    const ALL: [Field; 8] = [
        Field::Turn,
        Field::Castling(Color::White, true),
        Field::Castling(Color::White, false),
        Field::Castling(Color::Black, true),
        Field::Castling(Color::Black, false),
        Field::EnPassant,
        Field::Clock,
        Field::Number,
    ];
}

/// What a key or click asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Stay,
    Cancel,
    Open,
}

/// A position that is being set up. It need not be legal until it is opened.
#[derive(Clone, Debug)]
pub struct SetUp {
    board: Board,
    cursor: Square,
    /// The field that has the keys; `None`: the board.
    field: Option<Field>,
    /// What a click on a square places: a piece or nothing. `None`: a click moves the cursor.
    brush: Option<Option<Piece>>,
    turn: Color,
    /// The rights, in the order `KQkq`.
    castling: [bool; 4],
    en_passant: Option<File>,
    clock: u32,
    number: u32,
    flipped: bool,
    /// Why the position can't be opened.
    fault: String,
}

/// The largest half-move clock and move number.
const MOST: [u32; 2] = [150, 999];

impl SetUp {
    pub fn new(position: &ChessPosition, flipped: bool) -> SetUp {
        let setup = position.chess().to_setup(EnPassantMode::Always);
        let castles = position.chess().castles();
        let right = |color, king_side| castles.has(color, CastlingSide::from_king_side(king_side));
        SetUp {
            cursor: if flipped { Square::E7 } else { Square::E2 },
            field: None,
            brush: None,
            turn: setup.turn,
            castling: [
                right(Color::White, true),
                right(Color::White, false),
                right(Color::Black, true),
                right(Color::Black, false),
            ],
            en_passant: setup.ep_square.map(Square::file),
            clock: setup.halfmoves.min(MOST[0]),
            number: setup.fullmoves.get().min(MOST[1]),
            flipped,
            fault: String::new(),
            board: setup.board,
        }
    }

    /// Returns the position in Forsyth-Edwards Notation as it is set up, legal or not.
    pub fn fen(&self) -> String {
        let turn = self.turn.char();
        let rights: String = "KQkq"
            .chars()
            .zip(self.castling)
            .filter_map(|(c, right)| right.then_some(c))
            .collect();
        let rights = if rights.is_empty() { "-" } else { &rights };
        let square = self.en_passant.map_or("-".to_owned(), |file| {
            let rank = self.turn.fold_wb(Rank::Sixth, Rank::Third);
            Square::from_coords(file, rank).to_string()
        });
        let mut ranks = Vec::new();
        for rank in Rank::ALL.into_iter().rev() {
            let mut text = String::new();
            let mut empty = 0;
            for file in File::ALL {
                match self.board.piece_at(Square::from_coords(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text += &std::mem::take(&mut empty).to_string();
                        }
                        text.push(piece.char());
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            ranks.push(text);
        }
        let board = ranks.join("/");
        format!(
            "{board} {turn} {rights} {square} {} {}",
            self.clock, self.number
        )
    }

    /// Returns the position if it is legal, perhaps with a note.
    ///
    /// # Errors
    /// Why it is not, in plain words.
    pub fn position(&self) -> Result<ReadFen, String> {
        let read = fen::parse(&self.fen()).map_err(|e| match e.expected.is_empty() {
            true => e.found,
            false => format!("found {}, expected {}", e.found, e.expected),
        })?;
        // What a file may get wrong is corrected there; here the user can correct it.
        let mut faults = read
            .warnings
            .iter()
            .filter(|what| *what != fen::IS_CHESS960);
        match faults.next() {
            Some(what) => Err(what.trim_end_matches(": ignored").to_owned()),
            None => Ok(read),
        }
    }

    /// Places a piece, or takes one away.
    fn put(&mut self, square: Square, piece: Option<Piece>) {
        match piece {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => self.board.discard_piece_at(square),
        }
        self.fault.clear();
    }

    fn clear(&mut self) {
        self.board = Board::empty();
        self.castling = [false; 4];
        self.en_passant = None;
        (self.clock, self.number) = (0, 1);
        self.fault.clear();
    }

    fn start(&mut self) {
        *self = SetUp {
            field: self.field,
            brush: self.brush,
            ..SetUp::new(&ChessPosition::default(), self.flipped)
        };
    }

    pub fn key(&mut self, key: Key) -> Wish {
        match key.code {
            KeyCode::Esc => return Wish::Cancel,
            KeyCode::Char('c') if key.ctrl => return Wish::Cancel,
            KeyCode::Enter => return Wish::Open,
            KeyCode::Tab => {
                self.next_field(if key.shift { -1 } else { 1 });
                return Wish::Stay;
            }
            _ => {}
        }
        match self.field {
            None => self.board_key(key),
            Some(field) => self.field_key(field, key),
        }
        Wish::Stay
    }

    /// Gives the keys to the next of the board and the fields.
    fn next_field(&mut self, by: isize) {
        let at = self
            .field
            .and_then(|f| Field::ALL.iter().position(|g| *g == f));
        let at = at.map_or(0, |at| at as isize + 1) + by;
        let next = at.rem_euclid(Field::ALL.len() as isize + 1) as usize;
        self.field = next.checked_sub(1).map(|i| Field::ALL[i]);
    }

    fn board_key(&mut self, key: Key) {
        let (x, y) = match key.code {
            KeyCode::Left => (-1, 0),
            KeyCode::Right => (1, 0),
            KeyCode::Up => (0, 1),
            KeyCode::Down => (0, -1),
            KeyCode::Backspace | KeyCode::Delete => return self.put(self.cursor, None),
            _ => return self.letter(key),
        };
        let (x, y) = if self.flipped { (-x, -y) } else { (x, y) };
        let file = self.cursor.file().offset(x);
        let rank = self.cursor.rank().offset(y);
        if let (Some(file), Some(rank)) = (file, rank) {
            self.cursor = Square::from_coords(file, rank);
        }
    }

    fn letter(&mut self, key: Key) {
        match key.typed() {
            Some(' ' | '.') => self.put(self.cursor, None),
            Some('c') => self.clear(),
            Some('s') => self.start(),
            Some('f' | 'F') => self.flipped = !self.flipped,
            Some('w') => self.change(Field::Turn, 1),
            Some(c) => {
                if let Some(piece) = Piece::from_char(c) {
                    self.put(self.cursor, Some(piece));
                }
            }
            None => {}
        }
    }

    fn field_key(&mut self, field: Field, key: Key) {
        match key.code {
            KeyCode::Up => self.next_field(-1),
            KeyCode::Down => self.next_field(1),
            KeyCode::Left => self.change(field, -1),
            KeyCode::Right | KeyCode::Char(' ') => self.change(field, 1),
            KeyCode::Backspace => self.type_digit(field, None),
            KeyCode::Delete if field == Field::EnPassant => self.en_passant = None,
            _ => match (field, key.typed()) {
                (Field::Clock | Field::Number, Some(c)) => {
                    if let Some(digit) = c.to_digit(10) {
                        self.type_digit(field, Some(digit));
                    }
                }
                (Field::EnPassant, Some(c)) => {
                    self.en_passant = File::from_char(c).or(self.en_passant);
                }
                (Field::Turn, Some('w')) => self.turn = Color::White,
                (Field::Turn, Some('b')) => self.turn = Color::Black,
                _ => {}
            },
        }
        self.fault.clear();
    }

    /// Adds a digit to a number, or removes the last.
    fn type_digit(&mut self, field: Field, digit: Option<u32>) {
        let (number, most) = match field {
            Field::Clock => (&mut self.clock, MOST[0]),
            Field::Number => (&mut self.number, MOST[1]),
            _ => return,
        };
        *number = match digit {
            Some(digit) => (*number * 10 + digit).min(most),
            None => *number / 10,
        };
    }

    /// Changes a field to its next or previous value.
    fn change(&mut self, field: Field, by: i32) {
        match field {
            Field::Turn => self.turn = self.turn.other(),
            Field::Castling(color, king_side) => {
                let right = &mut self.castling[right_of(color, king_side)];
                *right = !*right;
            }
            Field::EnPassant => {
                // The ninth value is none.
                let at = self.en_passant.map_or(8, |file| u32::from(file) as i32);
                let next = (at + by).rem_euclid(9) as u32;
                self.en_passant = (next < 8).then(|| File::new(next));
            }
            Field::Clock => self.clock = self.clock.saturating_add_signed(by).min(MOST[0]),
            Field::Number => {
                self.number = self.number.saturating_add_signed(by).clamp(1, MOST[1]);
            }
        }
        self.fault.clear();
    }

    pub fn click(&mut self, part: Part) -> Wish {
        match part {
            Part::Square(square) => {
                (self.cursor, self.field) = (square, None);
                if let Some(brush) = self.brush {
                    // The same piece again takes it away.
                    let here = self.board.piece_at(square);
                    self.put(square, brush.filter(|_| here != brush));
                }
            }
            Part::Brush(brush) => {
                self.brush = (self.brush != Some(brush)).then_some(brush);
                self.field = None;
            }
            Part::Field(field) => {
                self.field = Some(field);
                self.change(field, 1);
            }
            Part::Clear => self.clear(),
            Part::Start => self.start(),
            Part::Flip => self.flipped = !self.flipped,
            Part::Open => return Wish::Open,
            Part::Cancel => return Wish::Cancel,
        }
        Wish::Stay
    }
}

fn right_of(color: Color, king_side: bool) -> usize {
    match (color, king_side) {
        (Color::White, true) => 0,
        (Color::White, false) => 1,
        (Color::Black, true) => 2,
        (Color::Black, false) => 3,
    }
}

impl Context {
    /// Opens the editor with the position on the board, or the starting position in a toy tree.
    pub fn ask_set_up(&mut self) {
        let subject = self.subject_on_board();
        let position = &subject.position;
        if position.as_chess().is_none() && position.as_toy().is_none() {
            let what = "positions are set up in chess alone: open one as a file, or play moves (m)";
            return self.say(Level::Info, what);
        }
        let start = ChessPosition::default();
        let position = subject.position.as_chess().unwrap_or(&start);
        let setup = SetUp::new(position, self.explore.flipped);
        self.open(setup);
    }
}

impl Overlay for SetUp {
    fn keys(&self) -> Vec<KeyHint> {
        vec![
            ("Enter", "open"),
            ("Tab", "next field"),
            ("c", "clear"),
            ("s", "start position"),
            ("w", "side to move"),
            ("f", "flip"),
            ("Esc", "cancel"),
        ]
    }

    fn handle(&mut self, reach: &mut Reach, event: &Event) -> bool {
        let wish = match event.of() {
            Event::Key(key, _) => self.key(key),
            Event::Click(Some(part), _) => self.click(part),
            _ => Wish::Stay,
        };
        match wish {
            Wish::Stay => true,
            Wish::Cancel => false,
            Wish::Open => match self.position() {
                Ok(read) => {
                    reach.cx().asks.push(Ask::Open(Box::new(read)));
                    false
                }
                Err(why) => {
                    self.fault = why;
                    true
                }
            },
        }
    }

    /// Nothing that was set up is lost by a click beside it.
    fn click_beside(&mut self, _: &mut Reach) -> bool {
        true
    }

    /// Takes a position from pasted text, if it is one.
    fn paste(&mut self, _: &mut Reach, text: &str) -> bool {
        match fen::parse(text.trim()) {
            Ok(read) => *self = SetUp::new(&read.position, self.flipped),
            Err(what) => self.fault = what.to_string(),
        }
        true
    }

    fn draw(&self, _: Sight, pen: &mut Pen, area: Rect) {
        view::draw(pen, area, self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn press(setup: &mut SetUp, keys: &str) -> Wish {
        let mut wish = Wish::Stay;
        for key in keys.split(' ') {
            wish = setup.key(Key::parse(key).expect("a key"));
        }
        wish
    }

    #[test]
    fn a_position_is_set_up_by_keys() {
        let mut setup = SetUp::new(&ChessPosition::default(), false);
        press(&mut setup, "c");
        assert_eq!(setup.fen(), "8/8/8/8/8/8/8/8 w - - 0 1");
        assert!(
            setup
                .position()
                .expect_err("no kings")
                .contains("a king on each side")
        );
        // From e2: a white king on e1, a black one on e8, a rook beside.
        press(&mut setup, "Down K Right Right Right R");
        press(&mut setup, "Up Up Up Up Up Up Up k");
        assert_eq!(setup.fen(), "7k/8/8/8/8/8/8/4K2R w - - 0 1");
        let why = setup.position().expect_err("Black is in check");
        assert!(why.contains("side that just moved in check"), "{why}");
        press(&mut setup, "space Left Left Left k Tab");
        assert_eq!(setup.field, Some(Field::Turn));
        press(&mut setup, "space Tab space");
        assert_eq!(setup.fen(), "4k3/8/8/8/8/8/8/4K2R b K - 0 1");
        press(&mut setup, "Tab Tab Tab Tab Tab 1 7 Tab Backspace 4 2");
        assert_eq!(setup.fen(), "4k3/8/8/8/8/8/8/4K2R b K - 17 42");
        assert!(setup.position().is_ok());
        assert_eq!(press(&mut setup, "Enter"), Wish::Open);
        assert_eq!(press(&mut setup, "Esc"), Wish::Cancel);
    }

    #[test]
    fn rights_and_en_passant_that_cannot_be_are_refused_in_plain_words() {
        let mut setup = SetUp::new(&ChessPosition::default(), false);
        setup.put(Square::H1, None);
        let why = setup.position().expect_err("no rook");
        assert!(
            why.contains("castling rights without king and rook"),
            "{why}"
        );
        setup.castling[0] = false;
        assert!(setup.position().is_ok());
        setup.change(Field::EnPassant, 1);
        let why = setup.position().expect_err("no pawn");
        assert!(why.contains("en passant square without a pawn"), "{why}");
        setup.change(Field::EnPassant, -1);
        assert!(setup.position().is_ok());
    }

    #[test]
    fn rights_of_chess960_are_taken_and_noted() {
        let read = fen::parse("4k3/8/8/8/8/8/4P3/4KR2 w K - 0 1").expect("a FEN");
        let setup = SetUp::new(&read.position, false);
        assert_eq!(setup.castling, [true, false, false, false]);
        let again = setup.position().expect("legal");
        assert_eq!(again.position.fen(), read.position.fen());
        assert_eq!(again.warnings, [fen::IS_CHESS960]);
    }

    #[test]
    fn the_mouse_places_and_takes_pieces() {
        let mut setup = SetUp::new(&ChessPosition::default(), false);
        let queen = Piece {
            color: Color::White,
            role: shakmaty::Role::Queen,
        };
        setup.click(Part::Square(Square::E4));
        assert_eq!(setup.board.piece_at(Square::E4), None);
        setup.click(Part::Brush(Some(queen)));
        setup.click(Part::Square(Square::E4));
        assert_eq!(setup.board.piece_at(Square::E4), Some(queen));
        setup.click(Part::Square(Square::E4));
        assert_eq!(setup.board.piece_at(Square::E4), None);
        setup.click(Part::Brush(None));
        setup.click(Part::Square(Square::E2));
        assert_eq!(setup.board.piece_at(Square::E2), None);
        setup.click(Part::Start);
        assert_eq!(setup.fen(), ChessPosition::default().fen());
        setup.click(Part::Clear);
        assert_eq!(setup.board, Board::empty());
        assert_eq!(setup.click(Part::Cancel), Wish::Cancel);
    }

    proptest! {
        /// Whatever is pressed, the text is a FEN that says whether it is legal.
        #[test]
        fn no_keys_lead_astray(keys in proptest::collection::vec("[KQRBNPkqrbnpcsfwx 0-9.]|Up|Down|Left|Right|Tab|Delete|Backspace", 0..60)) {
            let mut setup = SetUp::new(&ChessPosition::default(), false);
            for key in keys {
                let key = if key == " " { "space".to_owned() } else { key };
                prop_assert_eq!(setup.key(Key::parse(&key).expect("a key")), Wish::Stay);
            }
            if let Ok(read) = setup.position() {
                let again = SetUp::new(&read.position, false);
                prop_assert_eq!(again.board, setup.board);
                prop_assert_eq!(again.turn, setup.turn);
                prop_assert_eq!(again.castling, setup.castling);
            }
        }
    }
}
