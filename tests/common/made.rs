//! Positions made at random for the check of claims, each kind a place where a search may easily claim too much.

use fastrand::Rng;
use game::chess::arbiter::Arbiter;
use game::{ChessPosition, Game, MoveCode, Situation};
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Move, Piece, Position, Role, Setup, Square};

use crate::claims::shuffled;

/// A kind of position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Few men, with 90 to 100 plies on the fifty-move clock.
    Clocks,
    /// Few men, and a game in which positions have occurred once or twice.
    Repetitions,
    /// A king that may soon have no move.
    Stalemates,
    /// A pawn on the seventh rank, where a queen may not be the right piece.
    Underpromotions,
    /// A capture en passant is legal.
    EnPassant,
    /// A side may castle, with the other king near.
    Castling,
    /// The same with king and rooks on other files.
    Chess960,
}

impl Kind {
    pub const ALL: [Kind; 7] = [
        Kind::Clocks,
        Kind::Repetitions,
        Kind::Stalemates,
        Kind::Underpromotions,
        Kind::EnPassant,
        Kind::Castling,
        Kind::Chess960,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Clocks => "clocks",
            Kind::Repetitions => "repetitions",
            Kind::Stalemates => "stalemates",
            Kind::Underpromotions => "underpromotions",
            Kind::EnPassant => "en-passant",
            Kind::Castling => "castling",
            Kind::Chess960 => "chess960",
        }
    }
}

/// Returns the position of this number; the same seed makes the same ones.
pub fn made(kind: Kind, seed: u64, number: u64) -> Situation<ChessPosition> {
    let mut rng =
        Rng::with_seed(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (kind as u64) << 56);
    loop {
        let attacker = if rng.bool() {
            Color::White
        } else {
            Color::Black
        };
        let mut draft = Draft::new(&mut rng, attacker);
        let found = match kind {
            Kind::Clocks => draft.few_men(90..=100),
            Kind::Repetitions => draft.few_men(0..=60).and_then(|s| played(&s, draft.rng)),
            Kind::Stalemates => draft.stalemate(),
            Kind::Underpromotions => draft.promotion(),
            Kind::EnPassant => draft.en_passant(),
            Kind::Castling => draft.castling(CastlingMode::Standard),
            Kind::Chess960 => draft.castling(CastlingMode::Chess960),
        };
        // Where nobody mates soon there is less to claim.
        if let Some(found) = found
            && (is_decided(&found) || rng.u8(..3) == 0)
        {
            return found;
        }
    }
}

/// Whether a mate is near for either side.
fn is_decided(situation: &Situation<ChessPosition>) -> bool {
    let turn = situation.position.chess().turn();
    let mut arbiter = Arbiter::new(situation);
    let mut mates = |side, plies| arbiter.mates_within(side, plies, &mut 5_000) == Some(true);
    mates(turn, 3) || mates(!turn, 2)
}

/// A position that is being put together.
struct Draft<'r> {
    rng: &'r mut Rng,
    setup: Setup,
    attacker: Color,
}

const PIECES: [Role; 6] = [
    Role::Queen,
    Role::Rook,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

impl<'r> Draft<'r> {
    fn new(rng: &'r mut Rng, attacker: Color) -> Draft<'r> {
        let mut setup = Setup::empty();
        setup.turn = if rng.bool() {
            Color::White
        } else {
            Color::Black
        };
        Draft {
            rng,
            setup,
            attacker,
        }
    }

    /// A square seen from the attacker's side of the board.
    fn square(&self, file: u32, rank: u32) -> Square {
        let rank = if self.attacker == Color::White {
            rank
        } else {
            7 - rank
        };
        Square::new(rank * 8 + file)
    }

    fn put(&mut self, color: Color, role: Role, square: Square) -> Option<()> {
        let on_edge = matches!(u32::from(square) / 8, 0 | 7);
        if self.setup.board.piece_at(square).is_some() || role == Role::Pawn && on_edge {
            return None;
        }
        self.setup.board.set_piece_at(square, Piece { color, role });
        Some(())
    }

    fn anywhere(&mut self) -> Square {
        Square::new(self.rng.u32(..64))
    }

    /// A square at most so far from another one.
    fn near(&mut self, square: Square, far: i32) -> Option<Square> {
        let at = u32::from(square) as i32;
        let file = at % 8 + self.rng.i32(-far..=far);
        let rank = at / 8 + self.rng.i32(-far..=far);
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        on_board.then(|| Square::new((rank * 8 + file) as u32))
    }

    /// A square where a king is mated easily: mostly on an edge.
    fn corner(&mut self) -> Square {
        let edge = [0, 7][self.rng.usize(..2)];
        let other = self.rng.u32(..8);
        match self.rng.u8(..5) {
            0 => self.anywhere(),
            1 | 2 => Square::new(edge * 8 + other),
            3 => Square::new(other * 8 + edge),
            _ => Square::new(edge * 8 + [0, 7][self.rng.usize(..2)]),
        }
    }

    /// So many men of a side at random.
    fn men(&mut self, color: Color, count: usize) -> Option<()> {
        for _ in 0..count {
            let role = PIECES[self.rng.usize(..PIECES.len())];
            let square = self.anywhere();
            self.put(color, role, square)?;
        }
        Some(())
    }

    /// The position, if it is a legal one and the game is not over.
    fn finished(&self, mode: CastlingMode) -> Option<Situation<ChessPosition>> {
        let chess = Chess::from_setup(self.setup.clone(), mode).ok()?;
        let position = ChessPosition::new(chess, mode);
        goes_on(&position).then(|| Situation::new(position))
    }

    /// Both kings, near each other.
    fn kings(&mut self) -> Option<(Square, Square)> {
        let defender = self.corner();
        let attacker = match self.rng.u8(..4) {
            0 => self.anywhere(),
            _ => self.near(defender, 3)?,
        };
        self.put(!self.attacker, Role::King, defender)?;
        self.put(self.attacker, Role::King, attacker)?;
        Some((attacker, defender))
    }

    fn few_men(
        &mut self,
        clock: std::ops::RangeInclusive<u32>,
    ) -> Option<Situation<ChessPosition>> {
        self.kings()?;
        let more = self.rng.usize(..3);
        let heavy = [Role::Queen, Role::Rook, Role::Pawn][self.rng.usize(..3)];
        let square = self.anywhere();
        self.put(self.attacker, heavy, square)?;
        if more > 0 {
            let color = if self.rng.bool() {
                self.attacker
            } else {
                !self.attacker
            };
            self.men(color, 1)?;
        }
        self.setup.halfmoves = self.rng.u32(clock);
        self.finished(CastlingMode::Standard)
    }

    fn stalemate(&mut self) -> Option<Situation<ChessPosition>> {
        let (_, defender) = self.kings()?;
        for _ in 0..=self.rng.usize(..2) {
            let role = [Role::Queen, Role::Rook, Role::Pawn][self.rng.usize(..3)];
            let square = self.near(defender, 4)?;
            self.put(self.attacker, role, square)?;
        }
        let count = self.rng.usize(..2);
        self.men(!self.attacker, count)?;
        let found = self.finished(CastlingMode::Standard)?;
        let board = found.position.chess();
        let stalemates = |board: &Chess| {
            let mut next = board.legal_moves().into_iter().map(|m| after(board, m));
            next.any(|next| next.is_stalemate())
        };
        let soon = stalemates(board)
            || board
                .legal_moves()
                .into_iter()
                .any(|m| stalemates(&after(board, m)));
        soon.then_some(found)
    }

    fn promotion(&mut self) -> Option<Situation<ChessPosition>> {
        let file = self.rng.u32(..8);
        let (pawn, target) = (self.square(file, 6), self.square(file, 7));
        self.put(self.attacker, Role::Pawn, pawn)?;
        let defender = self.near(target, 2)?;
        self.put(!self.attacker, Role::King, defender)?;
        let king = match self.rng.bool() {
            true => self.near(defender, 3)?,
            false => self.anywhere(),
        };
        self.put(self.attacker, Role::King, king)?;
        let (own, others) = (self.rng.usize(..2), self.rng.usize(..3));
        self.men(self.attacker, own)?;
        self.men(!self.attacker, others)?;
        self.setup.turn = self.attacker;
        let found = self.finished(CastlingMode::Standard)?;
        let board = found.position.chess();
        // A knight that gives check, or a queen that stalemates.
        let motif = |m: &Move| match m.promotion() {
            Some(Role::Knight) => after(board, *m).is_check(),
            Some(Role::Queen) => after(board, *m).is_stalemate(),
            _ => false,
        };
        let moves = board.legal_moves();
        let promotes = moves.iter().any(|m| m.is_promotion());
        let fits = promotes && (moves.iter().any(motif) || self.rng.u8(..4) == 0);
        fits.then_some(found)
    }

    fn en_passant(&mut self) -> Option<Situation<ChessPosition>> {
        let file = self.rng.u32(..8);
        let beside = if self.rng.bool() {
            file.checked_add(1).filter(|f| *f < 8)?
        } else {
            file.checked_sub(1)?
        };
        let (own, other) = (self.square(file, 4), self.square(beside, 4));
        let target = self.square(beside, 5);
        self.put(self.attacker, Role::Pawn, own)?;
        self.put(!self.attacker, Role::Pawn, other)?;
        let from = self.square(beside, 6);
        let defender = match self.rng.bool() {
            true => self.near(target, 3)?,
            false => self.corner(),
        };
        let king = match self.rng.bool() {
            true => self.near(defender, 3)?,
            false => self.anywhere(),
        };
        if [defender, king].iter().any(|k| *k == from || *k == target) {
            return None;
        }
        self.put(!self.attacker, Role::King, defender)?;
        self.put(self.attacker, Role::King, king)?;
        let (own, others) = (self.rng.usize(..3), self.rng.usize(..2));
        self.men(self.attacker, own)?;
        self.men(!self.attacker, others)?;
        self.setup.turn = self.attacker;
        self.setup.ep_square = Some(target);
        let found = self.finished(CastlingMode::Standard)?;
        let moves = found.position.chess().legal_moves();
        moves.iter().any(|m| m.is_en_passant()).then_some(found)
    }

    fn castling(&mut self, mode: CastlingMode) -> Option<Situation<ChessPosition>> {
        let (king, files) = match mode {
            CastlingMode::Standard => (4, [0, 7]),
            CastlingMode::Chess960 => {
                let king = self.rng.u32(1..7);
                (king, [self.rng.u32(..king), self.rng.u32(king + 1..8)])
            }
        };
        let at = self.square(king, 0);
        self.put(self.attacker, Role::King, at)?;
        let which = self.rng.usize(..3);
        for (i, file) in files.into_iter().enumerate() {
            if which == 2 || which == i {
                let rook = self.square(file, 0);
                self.put(self.attacker, Role::Rook, rook)?;
                self.setup.castling_rights.add(rook);
            }
        }
        let defender = match self.rng.u8(..4) {
            0 => self.corner(),
            _ => {
                let (file, rank) = (self.rng.u32(..8), self.rng.u32(1..4));
                self.square(file, rank)
            }
        };
        self.put(!self.attacker, Role::King, defender)?;
        let (own, others) = (self.rng.usize(..3), self.rng.usize(..2));
        self.men(self.attacker, own)?;
        self.men(!self.attacker, others)?;
        let found = self.finished(mode)?;
        let moves = found.position.chess().legal_moves();
        let castles = moves.iter().any(|m| m.is_castle());
        (castles || self.rng.u8(..4) == 0).then_some(found)
    }
}

fn after(board: &Chess, m: Move) -> Chess {
    let mut next = board.clone();
    next.play_unchecked(m);
    next
}

/// A game in which both sides went back and forth, once or twice, and perhaps began to do so once more.
fn played(start: &Situation<ChessPosition>, rng: &mut Rng) -> Option<Situation<ChessPosition>> {
    let mut line: Vec<MoveCode> = Vec::new();
    let mut at = start.clone();
    for _ in 0..2 {
        let board = at.position.chess().clone();
        let mut moves: Vec<Move> = board.legal_moves().into_iter().collect();
        moves.retain(|m| !m.is_zeroing());
        let checks: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|m| after(&board, *m).is_check())
            .collect();
        if !checks.is_empty() && rng.bool() {
            moves = checks;
        }
        if moves.is_empty() {
            return None;
        }
        let m = moves[rng.usize(..moves.len())];
        line.push(at.position.encode(m));
        at.play(m);
    }
    let mut situation = shuffled(start, &line, rng.usize(1..=2))?;
    for code in line.into_iter().take(rng.usize(..3)) {
        let m = situation.position.decode(code)?;
        situation.play(m);
    }
    goes_on(&situation.position).then_some(situation)
}

fn goes_on(position: &ChessPosition) -> bool {
    let has_moves = !position.legal_moves().is_empty();
    position.ending(has_moves).is_none()
}
