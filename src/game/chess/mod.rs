//! Chess and Chess960 by shakmaty.

pub mod arbiter;
pub(super) mod check;
pub mod key;
mod king_and_pawn;
mod known_draws;
mod legal;
mod plain;
pub mod see;
pub mod syzygy;

use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Move, Position, Role,
    Square, san::SanPlus, zobrist::Zobrist64,
};

use super::{
    ChessKnowledge, Ending, Footprint, Game, KnownDraw, Listed, MoveCode, MoveList, Moves, Scale,
    Side, Situation, TableHit, load::LoadError, notation,
};
use check::Checks;
use syzygy::EndgameTables;

/// A chess position with a Zobrist key that is updated incrementally.
#[derive(Clone, Debug)]
pub struct ChessPosition {
    chess: Chess,
    key: u64,
    /// The file of a *legal* en passant capture, which is part of the key.
    ep_file: Option<File>,
    mode: CastlingMode,
    /// The pieces that give check, where [`Game::find_checks`] looked for them.
    checkers: Option<Bitboard>,
    /// Null moves among the half-moves that the clock counts.
    null_moves: u32,
}

impl Default for ChessPosition {
    fn default() -> Self {
        ChessPosition::new(Chess::default(), CastlingMode::Standard)
    }
}

impl ChessPosition {
    /// Creates a position. `mode` only decides how castling is written in UCI and FEN; the rules are the same.
    pub fn new(chess: Chess, mode: CastlingMode) -> Self {
        let key = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        let ep_file = chess.legal_ep_square().map(Square::file);
        ChessPosition {
            checkers: Some(chess.checkers()),
            chess,
            key,
            ep_file,
            mode,
            null_moves: 0,
        }
    }

    /// Makes a legal move but leaves the key as it is.
    #[inline]
    fn make(&mut self, m: Move) {
        self.chess.play_unchecked(m);
        self.checkers = None;
        self.null_moves = self.null_moves.min(self.chess.halfmoves());
    }

    /// The pieces that give check.
    #[inline]
    fn checkers(&self) -> Bitboard {
        self.checkers.unwrap_or_else(|| self.chess.checkers())
    }

    /// The half-moves since the last capture or pawn move.
    #[inline]
    fn clock(&self) -> u32 {
        self.chess.halfmoves() - self.null_moves
    }

    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    #[inline]
    fn is_insufficient_material(&self) -> bool {
        let board = self.chess.board();
        // Any of these suffices, and nearly every position has one.
        let enough = board.pawns() | board.rooks_and_queens();
        enough.is_empty() && self.chess.is_insufficient_material()
    }

    /// The side that wins with king and pawn against king, unless the fifty-move rule or a repetition prevents it; `None` in
    /// a draw, and with other men.
    pub fn won_by_pawn(&self) -> Option<Side> {
        known_draws::won_by_pawn(&self.chess).map(|color| color.fold_wb(Side::White, Side::Black))
    }

    pub fn castling_mode(&self) -> CastlingMode {
        self.mode
    }

    /// The position in Forsyth-Edwards Notation.
    pub fn fen(&self) -> String {
        let setup = self.chess.to_setup(EnPassantMode::Legal);
        shakmaty::fen::Fen::try_from(setup)
            .map(|fen| fen.to_string())
            .unwrap_or_default()
    }
}

/// The promotions in the upper bits of a move code.
const PROMOTIONS: [Option<Role>; 5] = [
    None,
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
];

impl Game for ChessPosition {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        match self.chess.turn() {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }

    fn legal_moves(&self) -> Moves<Move> {
        self.chess.legal_moves()
    }

    fn has_moves(&self) -> bool {
        legal::has_moves(self)
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let (mover, castles) = (self.chess.turn(), self.chess.castles().clone());
        self.make(m);
        self.update_key(mover, &castles, m);
    }

    #[inline]
    fn play_keyless(&mut self, m: Move) {
        self.make(m);
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn reversible_plies(&self) -> u32 {
        self.clock()
    }

    #[inline]
    fn ending(&self, has_moves: bool) -> Option<Ending> {
        if !has_moves {
            Some(if self.is_check() {
                Ending::Checkmate
            } else {
                Ending::Stalemate
            })
        } else if self.clock() >= 100 {
            Some(Ending::FiftyMoves)
        } else if self.is_insufficient_material() {
            Some(Ending::InsufficientMaterial)
        } else {
            None
        }
    }

    #[inline]
    fn encode(&self, m: Move) -> MoveCode {
        if let Move::Normal {
            from,
            to,
            promotion: None,
            ..
        } = m
        {
            return MoveCode(u16::from(from) | u16::from(to) << 6);
        }
        let from = m.from().map_or(0, u16::from);
        // Roles are numbered from the pawn, 1, so this gives 1 for a knight to 4 for a queen.
        let promotion = m.promotion().map_or(0, |role| role as u16 - 1);
        MoveCode(from | u16::from(m.to()) << 6 | promotion << 12)
    }

    fn notated(&self) -> Option<String> {
        Some(self.fen())
    }

    /// From White's side, with the chess pieces of Unicode. Moves are shown by arrows, not at cells.
    fn board(&self) -> Option<crate::Board> {
        let piece = |piece: shakmaty::Piece| crate::Piece {
            sign: match piece.color {
                Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
                Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
            }[piece.role as usize - 1],
            side: piece.color.fold_wb(Side::White, Side::Black),
        };
        let at = |file, rank| self.chess.board().piece_at(Square::from_coords(file, rank));
        let row = |rank| File::ALL.map(|file| at(file, rank).map(piece)).to_vec();
        Some(crate::Board {
            cells: shakmaty::Rank::ALL.into_iter().rev().map(row).collect(),
            columns: File::ALL.map(|file| file.char().to_string()).to_vec(),
            rows: shakmaty::Rank::ALL
                .map(|rank| rank.char().to_string())
                .into_iter()
                .rev()
                .collect(),
            moves: Vec::new(),
        })
    }

    #[inline]
    fn find_checks(&mut self) {
        self.checkers = Some(self.chess.checkers());
    }

    #[inline]
    fn rule_checks_out(&mut self) {
        self.checkers = Some(Bitboard::EMPTY);
    }

    fn list(&self, list: &mut impl MoveList) {
        legal::list(self, list);
    }

    #[inline]
    fn list_noisy(&self, list: &mut impl MoveList) {
        legal::list_noisy(self, list);
    }

    #[inline]
    fn list_quiet_checks(&self, list: &mut impl MoveList) {
        legal::list_quiet_checks(self, list);
    }

    #[inline]
    fn list_most(&self, checks: &Checks, kept: MoveCode, list: &mut impl MoveList) -> usize {
        legal::list_most(self, checks, kept, list)
    }

    #[inline]
    fn note(&self, m: Move) -> Listed {
        match m {
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion: None,
            } => plain::plain(role, from, to, capture),
            _ => Listed::new(self.encode(m), self.is_noisy(m), 0),
        }
    }

    #[inline]
    fn listed(&self, listed: Listed) -> Move {
        plain::plain_move(listed)
            .or_else(|| self.decode_known(listed.code()))
            .expect("a listed move")
    }

    #[inline]
    fn listed_piece_and_square(&self, listed: Listed) -> usize {
        plain::plain_piece_and_square(listed)
            .unwrap_or_else(|| self.footprint(self.listed(listed)).piece_and_square())
    }

    #[inline]
    fn listed_gives_check(&self, checks: &Checks, listed: Listed) -> bool {
        match plain::plain_squares(listed) {
            Some((role, from, to)) => checks.given_by_plain(role, from, to),
            None => self.gives_check(self.listed(listed)),
        }
    }

    #[inline]
    fn decode_quickly(&self, code: MoveCode) -> Option<Move> {
        legal::find_plain(self, code)
    }

    fn decode_known(&self, code: MoveCode) -> Option<Move> {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        let (from, to) = (square(code.0), square(code.0 >> 6));
        let board = self.chess.board();
        let role = board.role_at(from)?;
        let capture = board.role_at(to);
        Some(
            if role == Role::King && board.by_color(self.chess.turn()).contains(to) {
                Move::Castle {
                    king: from,
                    rook: to,
                }
            } else if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
                Move::EnPassant { from, to }
            } else {
                Move::Normal {
                    role,
                    from,
                    capture,
                    to,
                    promotion: PROMOTIONS.get(usize::from(code.0 >> 12)).copied()?,
                }
            },
        )
    }

    /// Only a capture that leaves so few men that perhaps neither side can mate.
    fn may_end(&self, m: Move) -> bool {
        m.is_capture() && self.chess.board().occupied().count() <= 5
    }

    /// Only a mate wins.
    #[inline]
    fn may_win(&self, checks: &Checks, m: Move) -> bool {
        self.gives_check_by(checks, m)
    }

    /// Without a check there is nearly always a legal move; a stalemate is found when the moves are needed.
    #[inline]
    fn may_be_over(&self) -> bool {
        self.is_check()
    }

    fn label(&self, m: Move) -> String {
        SanPlus::from_move(self.chess.clone(), m).to_string()
    }

    fn uci(&self, m: Move) -> String {
        m.to_uci(self.mode).to_string()
    }

    fn scale(&self) -> Scale {
        Scale::Logistic
    }

    fn read_moves(
        start: &Situation<ChessPosition>,
        text: &str,
        may_pass: bool,
    ) -> Result<(Situation<ChessPosition>, Vec<MoveCode>), LoadError> {
        notation::play_codes(start, text, may_pass)
    }

    fn game_name(&self) -> &'static str {
        "chess"
    }

    fn move_number(&self) -> Option<u32> {
        Some(self.chess.fullmoves().get())
    }
}

impl ChessKnowledge<Move> for ChessPosition {
    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        legal::is_noisy(m)
    }

    #[inline]
    fn is_check(&self) -> bool {
        self.checkers().any()
    }

    fn gives_check(&self, m: Move) -> bool {
        check::gives_check(&self.chess, m)
    }

    fn checks(&self) -> Checks {
        Checks::new(&self.chess)
    }

    #[inline]
    fn gives_check_by(&self, checks: &Checks, m: Move) -> bool {
        checks.gives_check(&self.chess, m)
    }

    fn pass(&self) -> Option<ChessPosition> {
        if self.is_check() {
            return None;
        }
        let mut setup = self.chess.to_setup(EnPassantMode::Always);
        if setup.turn == Color::Black {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        setup.swap_turn();
        let chess = Chess::from_setup(setup, self.mode).ok()?;
        Some(ChessPosition {
            chess,
            key: self.key_after_passing(),
            ep_file: None,
            mode: self.mode,
            // The side that passes attacked no king.
            checkers: Some(Bitboard::EMPTY),
            null_moves: self.null_moves,
        })
    }

    #[inline]
    fn null_move(&self) -> Option<ChessPosition> {
        let board = self.chess.board();
        let bound = board.pawns() | board.kings() | self.chess.castles().castling_rights();
        let Some(still) = (board.by_color(self.chess.turn()) & !bound).first() else {
            return self.pass();
        };
        if self.is_check() {
            return None;
        }
        let mut chess = self.chess.clone();
        // The side to move changes, and nothing else, when a piece that has no right to castle goes where it is.
        chess.play_unchecked(Move::Normal {
            role: board.role_at(still)?,
            from: still,
            capture: None,
            to: still,
            promotion: None,
        });
        Some(ChessPosition {
            chess,
            key: self.key_after_passing(),
            ep_file: None,
            mode: self.mode,
            checkers: Some(Bitboard::EMPTY),
            null_moves: self.null_moves + 1,
        })
    }

    #[inline]
    fn can_win(&self, side: Side) -> bool {
        let color = match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        };
        !self.chess.has_insufficient_material(color)
    }

    #[inline]
    fn has_pieces(&self) -> bool {
        let board = self.chess.board();
        let ours = board.by_color(self.chess.turn());
        (ours & !(board.pawns() | board.kings())).any()
    }

    #[inline]
    fn attacker(&self, m: Move) -> i32 {
        m.role() as i32
    }

    #[inline]
    fn footprint(&self, m: Move) -> Footprint {
        Footprint::new(self.turn(), m.role() as usize - 1, usize::from(m.to()))
    }

    #[inline]
    fn pawn_key(&self) -> u64 {
        let board = self.chess.board();
        key::of_pawns(board.pawns() & board.white(), board.pawns() & board.black())
    }

    #[inline]
    fn see_ge(&self, m: Move, threshold: i32) -> bool {
        see::see_ge(&self.chess, m, threshold)
    }

    #[inline]
    fn capture_gain(&self, m: Move) -> i32 {
        see::capture_gain(m)
    }

    #[inline]
    fn material(&self) -> Option<i32> {
        let board = self.chess.board();
        let ours = board.by_color(self.chess.turn());
        let worth = |role| {
            let pieces = board.by_role(role);
            let more = (pieces & ours).count() as i32 - (pieces & !ours).count() as i32;
            more * see::exchange_value(role)
        };
        Some(Role::ALL[..5].iter().map(|&role| worth(role)).sum())
    }

    #[inline]
    fn men(&self) -> u32 {
        self.chess.board().occupied().count() as u32
    }

    #[inline]
    fn known_draw(&self) -> Option<KnownDraw> {
        known_draws::known_draw(self)
    }

    fn look_up(&self, tables: &EndgameTables, by_distance: bool) -> Option<TableHit> {
        tables.look_up(self, by_distance)
    }

    fn look_up_moves(
        &self,
        tables: &EndgameTables,
        situation: &Situation<ChessPosition>,
    ) -> Option<Vec<(MoveCode, TableHit)>> {
        tables.look_up_moves(situation)
    }

    fn table_name(&self) -> Option<String> {
        Some(syzygy::table_name(&self.chess))
    }
}
