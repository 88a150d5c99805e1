//! What is searched: chess (by shakmaty), toy trees and any other game for two sides, behind one small trait.

mod axis;
mod board;
pub mod chess;
pub mod endgame;
pub mod history;
mod knowledge;
mod known;
pub mod language;
mod listed;
pub mod load;
pub mod notation;
pub mod openings;
mod perft;
pub mod score;
mod seen;
pub mod toy;

use std::fmt;

use arrayvec::ArrayVec;

use load::LoadError;

pub use axis::Axis;
pub use board::{Board, Cell, Piece};
pub use chess::ChessPosition;
pub use chess::check::Checks;
pub use chess::syzygy::EndgameTables;
pub use endgame::{TableHit, TableResult};
pub use history::{Drawn, History, Repetition};
pub use knowledge::{ChessKnowledge, FOOTPRINTS, Footprint};
pub use known::KnownDraw;
pub use listed::{Listed, MoveList};
pub use perft::perft;
pub use score::{Scale, Score};
pub use seen::{Seen, Sided};
pub use toy::ToyPosition;

/// The largest number of moves in one position (the longest list shakmaty can return).
pub const MAX_MOVES: usize = 270;

/// The legal moves of one position.
pub type Moves<M> = PerMove<M>;

/// Something for each of the legal moves of one position, in their order.
pub type PerMove<T> = ArrayVec<T, MAX_MOVES>;

/// The side to move; in a toy tree White is Max.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Side {
    White,
    Black,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// A move in 16 bits, as the tree stores it. For chess it holds from, to and promotion (castling is the king capturing
/// its rook, so it serves Chess960 too), for toy trees the index of the child.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// No move, as at the root.
    pub const NONE: MoveCode = MoveCode(u16::MAX);
    /// Passing: the null move of null-move pruning, which is never legal.
    pub const PASS: MoveCode = MoveCode(u16::MAX - 1);
    /// No move: the same position, entered again. A program that tells its search may do that.
    pub const SAME: MoveCode = MoveCode(Self::FIRST_SPECIAL + 256);
    /// The first code that is no move's own: from here on they have a meaning in every game.
    pub const FIRST_SPECIAL: u16 = 0xfd00;

    /// What a program's rule of this number searches at a node, beside the node's moves: the position stays.
    pub const fn trial(rule: u8) -> MoveCode {
        MoveCode(Self::FIRST_SPECIAL + rule as u16)
    }

    /// The number of the rule of [`MoveCode::trial`].
    pub const fn rule(self) -> Option<u8> {
        match self.0.checked_sub(Self::FIRST_SPECIAL) {
            Some(n) if n <= u8::MAX as u16 => Some(n as u8),
            _ => None,
        }
    }

    /// Whether the position stays as it is, with the same side to move.
    pub const fn stays(self) -> bool {
        self.0 == Self::SAME.0 || self.rule().is_some()
    }

    /// Whether it stands for a move of the game, legal or not.
    pub const fn is_move(self) -> bool {
        self.0 < Self::FIRST_SPECIAL
    }
}

impl fmt::Debug for MoveCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}", self.0)
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    /// Fifty moves without a capture or pawn move; this depends on the path.
    FiftyMoves,
    /// A toy tree's leaf with an exact value.
    Leaf,
    /// The side to move has lost, in a game whose rules have no other word for it.
    Lost,
    /// The side to move has won, in a game whose rules have no other word for it: one that ends by counting.
    Won,
    /// Neither side has won, in a game whose rules have no other word for it.
    Drawn,
}

impl Ending {
    pub const ALL: [Ending; 8] = [
        Ending::Checkmate,
        Ending::Stalemate,
        Ending::InsufficientMaterial,
        Ending::FiftyMoves,
        Ending::Leaf,
        Ending::Lost,
        Ending::Drawn,
        Ending::Won,
    ];

    /// Whether the side to move has lost.
    #[inline]
    pub fn is_lost(self) -> bool {
        matches!(self, Ending::Checkmate | Ending::Lost)
    }
}

/// One position of a game for two sides, as the searches see it.
///
/// A new game implements the methods without a default, declares that it has no [`ChessKnowledge`], and has a static
/// evaluation (`eval::Evaluator`). A move has the game's own type while a search plays it, and is a
/// [`MoveCode`] in the tree.
pub trait Game:
    ChessKnowledge<<Self as Game>::Move> + Clone + Send + Sync + fmt::Debug + 'static
{
    type Move: Copy + PartialEq + fmt::Debug + Send + Sync;

    fn turn(&self) -> Side;

    /// Whether the rules are known. Without them, the only moves are those that another program told.
    fn has_rules(&self) -> bool {
        true
    }

    /// All legal moves, in a fixed order.
    fn legal_moves(&self) -> Moves<Self::Move>;

    /// Whether there is a legal move; cheaper than listing all.
    fn has_moves(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    /// Makes a legal move.
    fn play(&mut self, m: Self::Move);

    /// A key that is equal for equal positions (side to move, castling and legal en passant included), for repetitions
    /// and tables.
    fn key(&self) -> u64;

    /// How the game ended here, if it did, given whether there are legal moves (the caller already has the list). A
    /// repetition cannot be recognised from a single position; see [`History`].
    fn ending(&self, has_moves: bool) -> Option<Ending>;

    /// The move in 16 bits, different for every legal move of the position.
    fn encode(&self, m: Self::Move) -> MoveCode;

    /// The move in human notation: SAN, or the toy child's name.
    fn label(&self, m: Self::Move) -> String;

    fn scale(&self) -> Scale;

    /// The exact score of an ending, from the view of the side to move. A win is counted one ply after the end: what searches assume
    /// of bounds, that nobody loses with a move of one's own, then holds in games that end by counting too.
    fn ending_score(&self, ending: Ending) -> Score {
        match ending {
            Ending::Won => Score::win_in(1),
            _ if ending.is_lost() => Score::LOSS,
            _ => Score::DRAW,
        }
    }

    /// Plies since the last move that cannot be undone: no position before it can recur.
    fn reversible_plies(&self) -> u32 {
        0
    }

    /// The move in machine notation: UCI, or the toy child's name.
    fn uci(&self, m: Self::Move) -> String {
        self.label(m)
    }

    /// Whether the move may end the game at once in another way than by checkmate. It is cheap and may return true too
    /// often.
    fn may_end(&self, _m: Self::Move) -> bool {
        true
    }

    /// Whether the move may win at once. It is cheap and may return true too often. `checks` belong to this position.
    fn may_win(&self, _checks: &Checks, _m: Self::Move) -> bool {
        true
    }

    /// Whether the game may be over here for lack of legal moves, so that they have to be counted even before they are
    /// needed. It is cheap and may return true too often.
    fn may_be_over(&self) -> bool {
        true
    }

    /// How many replies a legal move leaves, about: for estimates of the work to come. A game may count without making the move.
    fn replies_to(&self, m: Self::Move) -> usize {
        let mut after = self.clone();
        after.play_keyless(m);
        after.legal_moves().len()
    }

    /// Makes a legal move without updating [`Game::key`], for a search that does not use the key. The key of the new position
    /// is unspecified.
    fn play_keyless(&mut self, m: Self::Move) {
        self.play(m);
    }

    /// Finds out once and for all whether the side to move is in check: worthwhile where a search will ask more than once.
    #[inline]
    fn find_checks(&mut self) {}

    /// Takes it as known that the side to move is not in check, in place of [`Game::find_checks`].
    #[inline]
    fn rule_checks_out(&mut self) {}

    /// Lists all legal moves, in the order of [`Game::legal_moves`].
    fn list(&self, list: &mut impl MoveList) {
        for m in self.legal_moves() {
            list.push(self.note(m));
        }
    }

    /// Lists the moves that quiescence searches: all legal moves that are [noisy](ChessKnowledge::is_noisy), or every legal
    /// move when in check.
    fn list_noisy(&self, _list: &mut impl MoveList) {}

    /// The moves that [`Game::list_noisy`] lists.
    fn noisy_moves(&self) -> Moves<Self::Move> {
        let mut list: Moves<Listed> = Moves::new();
        self.list_noisy(&mut list);
        list.into_iter().map(|listed| self.listed(listed)).collect()
    }

    /// Lists legal moves that give check and are not [noisy](ChessKnowledge::is_noisy); castling and the like may be
    /// missing. Not to be called in check.
    fn list_quiet_checks(&self, _list: &mut impl MoveList) {}

    /// Lists all legal moves as [`Game::list`] does, but leaves out those that are neither noisy nor give check, except
    /// `kept`, and returns how many these are. Counting takes less time than listing.
    fn list_most(&self, checks: &Checks, kept: MoveCode, list: &mut impl MoveList) -> usize {
        let mut left_out = 0;
        for m in self.legal_moves() {
            if self.is_noisy(m) || self.encode(m) == kept || self.gives_check_by(checks, m) {
                list.push(self.note(m));
            } else {
                left_out += 1;
            }
        }
        left_out
    }

    /// The move as it is listed.
    #[inline]
    fn note(&self, m: Self::Move) -> Listed {
        Listed::new(self.encode(m), self.is_noisy(m), 0)
    }

    /// The move that was listed at this position.
    #[inline]
    fn listed(&self, listed: Listed) -> Self::Move {
        self.decode_known(listed.code()).expect("a listed move")
    }

    /// [`Footprint::piece_and_square`] of a move as it is listed.
    #[inline]
    fn listed_piece_and_square(&self, listed: Listed) -> usize {
        self.footprint(self.listed(listed)).piece_and_square()
    }

    /// [`ChessKnowledge::gives_check_by`] for a move as it is listed.
    #[inline]
    fn listed_gives_check(&self, checks: &Checks, listed: Listed) -> bool {
        self.gives_check_by(checks, self.listed(listed))
    }

    /// The legal move with this code.
    fn decode(&self, code: MoveCode) -> Option<Self::Move> {
        self.legal_moves()
            .into_iter()
            .find(|&m| self.encode(m) == code)
    }

    /// The legal move with this code, where finding it takes less time than listing all moves; `None` also says that it
    /// would not.
    #[inline]
    fn decode_quickly(&self, _code: MoveCode) -> Option<Self::Move> {
        None
    }

    /// Whether there is a legal move with this code.
    fn has_move(&self, code: MoveCode) -> bool {
        self.decode_quickly(code)
            .or_else(|| self.decode(code))
            .is_some()
    }

    /// The move with a code that is known to be legal here; cheaper than [`Game::decode`], for replaying a line of the
    /// tree.
    fn decode_known(&self, code: MoveCode) -> Option<Self::Move> {
        self.decode(code)
    }

    /// The position after the legal move with this code, or after passing; `None` where that is not possible.
    fn after(&self, code: MoveCode) -> Option<Self> {
        if code == MoveCode::PASS {
            return self.pass();
        }
        if code.stays() {
            return Some(self.clone());
        }
        let m = self.decode_known(code)?;
        let mut next = self.clone();
        next.play(m);
        Some(next)
    }

    /// The position after a move that need not be legal: `None` if it is not.
    fn after_checked(&self, code: MoveCode) -> Option<Self> {
        if code.is_move() {
            self.decode(code)?;
        }
        self.after(code)
    }

    /// The number of the move about to be made, in the usual numbering (White's and Black's moves share one); `None` in
    /// games whose moves are not numbered.
    fn move_number(&self) -> Option<u32> {
        None
    }

    /// Whether each move has a number of its own, as in Go, and not one that White's and Black's share.
    fn numbers_plies(&self) -> bool {
        false
    }

    /// What programs call the game in few letters: `chess`, `go`. Of a game that is nothing but its tree it is `tree`.
    fn game_name(&self) -> &'static str {
        "tree"
    }

    /// The name of a side.
    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::White => "White",
            Side::Black => "Black",
        }
    }

    /// Who has won and by what, where the game is over and its rules say more than [`Ending`] does: `Black wins by 3.5 points`.
    fn verdict(&self) -> Option<String> {
        None
    }

    /// Whether both positions belong to one game, so that equal keys mean equal positions. Each toy tree is a game of
    /// its own.
    fn is_same_game(&self, _other: &Self) -> bool {
        true
    }

    /// Plays moves that the user wrote, one after the other, and null moves ([`notation::PASS`]) only if `may_pass`.
    /// Returns the situation they lead to, and their codes. Unless a game has a notation of its own, the text consists
    /// of names of moves separated by spaces, commas or `›`.
    ///
    /// # Errors
    /// The first word that is not a move there, with its column.
    fn read_moves(
        start: &Situation<Self>,
        text: &str,
        _may_pass: bool,
    ) -> Result<(Situation<Self>, Vec<MoveCode>), LoadError> {
        notation::play_names(start, text)
    }

    /// The position in one line of text, such as chess's FEN, which is also that of a file; `None` in a game without one.
    fn notated(&self) -> Option<String> {
        None
    }

    /// The text of a file that holds this position, and the moves that lead to it from the position that the file then has;
    /// `None` in a game without a format.
    fn written(&self) -> Option<(String, Vec<MoveCode>)> {
        self.notated().map(|text| (text, Vec::new()))
    }

    /// What the board looks like; `None` in a game without one.
    fn board(&self) -> Option<Board> {
        None
    }

    /// The height of a finite tree (toy trees): depth-first searches go there at once, since inner nodes have no value
    /// of their own.
    fn height(&self) -> Option<u16> {
        None
    }

    /// The values that the positions of a finite tree can have before they are searched, as expected scores of the side to
    /// move here. Empty in a game that is no finite tree.
    fn static_values(&self) -> Vec<f32> {
        Vec::new()
    }
}

/// A position with the game that led to it: the start of a search.
#[derive(Clone, Debug)]
pub struct Situation<G> {
    pub position: G,
    pub history: History,
    /// How the game went, as far as it is known move by move.
    played: Played<G>,
}

/// A position and the moves that led from there to another one.
#[derive(Clone, Debug)]
pub struct Played<G> {
    pub start: G,
    pub moves: Vec<MoveCode>,
}

impl<G: Game> Situation<G> {
    pub fn new(position: G) -> Self {
        Situation {
            played: Played {
                start: position.clone(),
                moves: Vec::new(),
            },
            position,
            history: History::default(),
        }
    }

    /// A position whose earlier ones are known by their keys alone.
    pub fn with_history(position: G, history: History) -> Self {
        Situation {
            history,
            ..Situation::new(position)
        }
    }

    /// Where the game began, or began again after a null move, and the moves since.
    pub fn played(&self) -> &Played<G> {
        &self.played
    }

    /// The same game in other types; `None` if one of its positions has no such form. Codes of moves stay the same.
    pub fn map<H>(&self, form: impl Fn(&G) -> Option<H>) -> Option<Situation<H>> {
        Some(Situation {
            position: form(&self.position)?,
            history: self.history.clone(),
            played: Played {
                start: form(&self.played.start)?,
                moves: self.played.moves.clone(),
            },
        })
    }

    /// Says that the record of this game goes on with that of `earlier`, of whose position it began.
    pub fn continue_from(&mut self, earlier: &Situation<G>) {
        if self.played.start.key() == earlier.position.key() {
            let later = std::mem::take(&mut self.played.moves);
            self.played = earlier.played.clone();
            self.played.moves.extend(later);
        }
    }

    /// Begins the record anew: what came before can't be written as moves.
    pub fn restart(&mut self) {
        self.played.start = self.position.clone();
        self.played.moves.clear();
    }

    /// Continues with a legal move.
    pub fn play(&mut self, m: G::Move) {
        self.history.push(self.position.key());
        self.played.moves.push(self.position.encode(m));
        self.position.play(m);
    }

    /// [`Situation::follow`] with a move that is known to be legal, which takes less time.
    pub fn follow_known(&mut self, code: MoveCode) -> bool {
        let Some(next) = self.position.after(code) else {
            return false;
        };
        self.history.push(self.position.key());
        self.position = next;
        match code {
            MoveCode::PASS => self.restart(),
            code if code.stays() => {}
            code => self.played.moves.push(code),
        }
        true
    }

    /// Continues with the move of this code if it is legal, or by passing if that is possible. Otherwise it returns false and
    /// does nothing.
    pub fn follow(&mut self, code: MoveCode) -> bool {
        let legal = !code.is_move() || self.position.decode(code).is_some();
        legal && self.follow_known(code)
    }

    /// The moves by which the game continued from `earlier` to here, empty if it is the same place; `None` if this is
    /// another game, or one that went another way.
    pub fn moves_since(&self, earlier: &Situation<G>) -> Option<Vec<MoveCode>> {
        if !self.position.is_same_game(&earlier.position) {
            return None;
        }
        let later = self.history.keys().strip_prefix(earlier.history.keys())?;
        let ends_at = [self.position.key()];
        let mut keys = later.iter().chain(&ends_at);
        if *keys.next()? != earlier.position.key() {
            return None;
        }
        let mut position = earlier.position.clone();
        let mut moves = Vec::with_capacity(later.len());
        for &key in keys {
            let (m, next) = position.legal_moves().into_iter().find_map(|m| {
                let mut next = position.clone();
                next.play(m);
                (next.key() == key).then_some((m, next))
            })?;
            moves.push(position.encode(m));
            position = next;
        }
        // The same pieces, reached by another way before `earlier`, would have a different count.
        let same = position.reversible_plies() == self.position.reversible_plies();
        same.then_some(moves)
    }
}
