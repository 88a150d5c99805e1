//! The moves of a stream, which have names, as the tree's moves, which have 16 bits.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use super::line::NULL_MOVE;
use game::{ChessPosition, MoveCode};
use open_trace::{MoveId, Names};
use shakmaty::{CastlingSide, Chess, Color, File, Position as _};

/// The moves of a game that plyscope does not know, whose codes do not have room for all names: by the way to the parent
/// ([`way_on`]) and the code.
#[derive(Debug, Default)]
pub struct Further {
    of: RwLock<HashMap<(u64, MoveCode), MoveId>>,
}

impl Further {
    pub fn name(&self, way: u64, code: MoveCode) -> Option<MoveId> {
        let of = self.of.read().unwrap_or_else(PoisonError::into_inner);
        of.get(&(way, code)).copied()
    }

    /// Gives a move at the end of a way a code that no other move there has; `NONE` if there are too many.
    fn give(&self, way: u64, id: MoveId) -> MoveCode {
        let mut of = self.of.write().unwrap_or_else(PoisonError::into_inner);
        let count = MoveCode::FIRST_SPECIAL - FIRST_FURTHER;
        let first = (id.0 % u32::from(count)) as u16;
        let codes = (first..count)
            .chain(0..first)
            .map(|k| MoveCode(FIRST_FURTHER + k));
        for code in codes {
            if *of.entry((way, code)).or_insert(id) == id {
                return code;
            }
        }
        MoveCode::NONE
    }
}

/// The first code that may mean another move at another place.
const FIRST_FURTHER: u16 = 0xc000;

/// The file from which the rook of a wing castles in the usual game.
fn home_of(wing: CastlingSide) -> File {
    match wing {
        CastlingSide::KingSide => File::H,
        CastlingSide::QueenSide => File::A,
    }
}

/// A way from the root, as far as the codes of moves depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Stands for the moves.
    pub key: u64,
    /// The wings on which a king of chess may castle from e1 or e8 to g and c: its rook, if it has one, stands on h or a.
    wings: u8,
}

const E1: u16 = 4;
const E8: u16 = 60;

/// In the order of their bits.
const WINGS: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::KingSide),
    (Color::White, CastlingSide::QueenSide),
    (Color::Black, CastlingSide::KingSide),
    (Color::Black, CastlingSide::QueenSide),
];

impl Way {
    /// The root of a game; in chess with the kings that stand on e1 and e8.
    pub fn root(position: Option<&ChessPosition>) -> Way {
        let chess = position.map(ChessPosition::chess);
        let mut wings = 0;
        for (i, (color, wing)) in WINGS.into_iter().enumerate() {
            let at_home = |chess: &&Chess| {
                let king = chess.board().king_of(color).map(u16::from);
                // Elsewhere, as in Chess960, the king takes the rook: e1g1 then means the rook on g1.
                let rook = chess.castles().rook(color, wing);
                king == Some(color.fold_wb(E1, E8))
                    && rook.is_none_or(|rook| rook.file() == home_of(wing))
            };
            wings |= u8::from(chess.as_ref().is_some_and(at_home)) << i;
        }
        Way { key: 0, wings }
    }

    /// The way with one more move.
    #[inline]
    pub fn on(self, code: MoveCode) -> Way {
        let left = match code.0 & 63 {
            E1 => 0b0011,
            E8 => 0b1100,
            _ => 0,
        };
        Way {
            key: way_on(self.key, code),
            wings: self.wings & !left,
        }
    }

    /// Castling is the king that captures its rook.
    fn castling(self, code: MoveCode) -> MoveCode {
        let (from, to) = (code.0 & 63, code.0 >> 6 & 63);
        let first = if from == E1 { 0 } else { 2 };
        let to_the_right = to > from;
        if self.wings >> (first + u8::from(!to_the_right)) & 1 == 0 {
            return code;
        }
        let rook = if to_the_right { from + 3 } else { from - 4 };
        MoveCode(from | rook << 6)
    }
}

/// The key of a way with one more move.
pub fn way_on(key: u64, code: MoveCode) -> u64 {
    (key ^ u64::from(code.0).wrapping_add(1))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23)
}

/// The name's code in a game that plyscope does not know.
pub fn plain(id: MoveId) -> Option<MoveCode> {
    let code = u16::try_from(id.0)
        .ok()
        .filter(|&code| code < FIRST_FURTHER)?;
    Some(MoveCode(code))
}

/// Turns the numbers of names into codes.
#[derive(Debug)]
pub struct Codes<'a> {
    names: &'a Names,
    /// `None` where plyscope knows the rules.
    further: Option<&'a Further>,
    /// By [`MoveId`], where the code was asked for.
    known: Vec<Option<Code>>,
    /// How many names are no moves of chess in UCI.
    strange: u16,
}

#[derive(Clone, Copy, Debug)]
enum Code {
    Is(MoveCode),
    /// Castling, or another move of the king, rook or queen between the same squares.
    Castling(MoveCode),
    Further,
}

/// Codes of chess moves end here; names that are none come after.
const FIRST_STRANGE: u16 = 0x6000;

impl<'a> Codes<'a> {
    pub fn new(names: &'a Names, further: Option<&'a Further>) -> Self {
        Codes {
            names,
            further,
            known: Vec::new(),
            strange: 0,
        }
    }

    /// Whether nothing is known of the game but the names of its moves.
    pub fn are_all_that_is_known(&self) -> bool {
        self.further.is_some()
    }

    /// The name of a move, as the program calls it.
    pub fn name(&self, id: MoveId) -> &'a str {
        self.names.text(id)
    }

    /// Returns the code of a move. `way` is that to its parent, and `strange` is told of a name that is no move of chess.
    #[inline]
    pub fn code(&mut self, id: MoveId, way: Way, strange: impl FnOnce(MoveCode, &str)) -> MoveCode {
        let known = self.known.get(id.0 as usize).copied().flatten();
        match known.unwrap_or_else(|| self.look_up(id, strange)) {
            Code::Is(code) => code,
            Code::Castling(code) => way.castling(code),
            Code::Further => self
                .further
                .map_or(MoveCode::NONE, |further| further.give(way.key, id)),
        }
    }

    fn look_up(&mut self, id: MoveId, strange: impl FnOnce(MoveCode, &str)) -> Code {
        let code = match self.further {
            Some(_) => plain(id).map_or(Code::Further, Code::Is),
            None => self.of_chess(id, strange),
        };
        self.keep(id, code);
        code
    }

    fn of_chess(&mut self, id: MoveId, strange: impl FnOnce(MoveCode, &str)) -> Code {
        let name = self.names.text(id);
        if name == NULL_MOVE {
            return Code::Is(MoveCode::PASS);
        }
        match uci_code(name.as_bytes()) {
            Some(code) if ["e1g1", "e1c1", "e8g8", "e8c8"].contains(&name) => Code::Castling(code),
            Some(code) => Code::Is(code),
            None => Code::Is(self.give_strange(name, strange)),
        }
    }

    fn give_strange(&mut self, name: &str, strange: impl FnOnce(MoveCode, &str)) -> MoveCode {
        let code = MoveCode(FIRST_STRANGE + self.strange);
        self.strange = (self.strange + 1).min(FIRST_FURTHER - FIRST_STRANGE);
        strange(code, name);
        code
    }

    /// Returns the code of a name that is no legal move; `strange` is told of it the first time.
    pub fn strange(&mut self, id: MoveId, strange: impl FnOnce(MoveCode, &str)) -> MoveCode {
        if let Some(Code::Is(code)) = self.known.get(id.0 as usize).copied().flatten() {
            return code;
        }
        let code = self.give_strange(self.names.text(id), strange);
        self.keep(id, Code::Is(code));
        code
    }

    fn keep(&mut self, id: MoveId, code: Code) {
        let at = id.0 as usize;
        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        self.known[at] = Some(code);
    }
}

/// Returns the code of a move in UCI whatever the position: what `ChessPosition::encode` gives, but for castling.
pub fn uci_code(name: &[u8]) -> Option<MoveCode> {
    let square = |file: u8, rank: u8| {
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        (file < 8 && rank < 8).then(|| u16::from(rank) * 8 + u16::from(file))
    };
    let (from, to, promotion) = match *name {
        [a, b, c, d] => (square(a, b)?, square(c, d)?, 0),
        [a, b, c, d, role] => {
            let role = b"nbrq".iter().position(|r| *r == role)?;
            (square(a, b)?, square(c, d)?, role as u16 + 1)
        }
        _ => return None,
    };
    Some(MoveCode(from | to << 6 | promotion << 12))
}

/// The name in UCI of a code of chess, legal or not; `None` for what is no such code.
pub fn uci_name(code: MoveCode) -> Option<String> {
    if code.0 >= FIRST_STRANGE {
        return None;
    }
    let square = |square: u16| {
        let (file, rank) = (b'a' + (square & 7) as u8, b'1' + (square >> 3) as u8);
        [char::from(file), char::from(rank)]
    };
    let squares = [square(code.0 & 63), square(code.0 >> 6 & 63)];
    let promotion =
        [None, Some('n'), Some('b'), Some('r'), Some('q')].get(usize::from(code.0 >> 12))?;
    Some(squares.into_iter().flatten().chain(*promotion).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game as _;

    #[test]
    fn every_legal_move_has_the_code_of_its_name() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "3k4/8/8/8/8/8/8/4R2K w - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            // Chess960: the rooks stand on g and b, and on f and a.
            "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
            "r3kr2/pppppppp/8/8/8/8/PPPPPPPP/R3KR2 b FAfa - 0 1",
        ] {
            let position = game::load::fen::parse(fen).expect("a position").position;
            let names = Names::default();
            let mut codes = Codes::new(&names, None);
            for m in position.legal_moves() {
                let name = position.uci(m);
                let id = names.intern(&name);
                let way = Way::root(Some(&position));
                let code = codes.code(id, way, |_, _| panic!("{name}"));
                assert_eq!(code, position.encode(m), "{name}");
            }
        }
    }

    #[test]
    fn a_code_has_its_name_back() {
        for name in ["e2e4", "a7b8n", "h2h1q", "e1g1"] {
            let code = uci_code(name.as_bytes()).expect("a code");
            assert_eq!(uci_name(code).as_deref(), Some(name));
        }
        for name in ["", "e2", "e2e9", "e7e8k", "pass", "e2e4qq"] {
            assert_eq!(uci_code(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn there_are_codes_for_more_names_than_codes() {
        let (names, further) = (Names::default(), Further::default());
        let mut codes = Codes::new(&names, Some(&further));
        let mut seen = std::collections::HashSet::new();
        for i in 0..100_000 {
            let id = names.intern(&format!("m{i}"));
            if i % 50 > 0 {
                continue;
            }
            let way = Way { key: 1, wings: 0 };
            let code = codes.code(id, way, |_, _| {});
            assert!(code.is_move() && seen.insert(code), "{i}: {code:?}");
            let back = plain(id).map(|_| id).or_else(|| further.name(1, code));
            assert_eq!(back, Some(id));
        }
    }
}
