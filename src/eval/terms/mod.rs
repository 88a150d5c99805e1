//! The terms of the hand-crafted evaluation besides material and piece squares. Each counts something on the board,
//! from one side's view.
//!
//! The terms do not know their weights; they report counts to a [`Tally`]. The evaluation's tally adds up weights
//! (`tables.rs`), the one of the breakdown and the fit keeps the counts. So what is explained and fitted is exactly
//! what is evaluated.

mod endgame;
mod king;
mod pawn_king;
mod pawns;
mod pieces;
mod tally;
mod threats;
mod view;

use shakmaty::{Board, Color};

use super::hand_crafted::TaperedSum;

pub use endgame::Scale;
pub(super) use endgame::scale;
use pawn_king::PawnKing;
pub(super) use pawn_king::PawnKingCache;
pub use tally::Counts;
pub(super) use tally::Worth;
use view::{Attacks, View};

macro_rules! names {
    ($(#[$about:meta])* $kind:ident: $($(#[doc = $doc:literal])* $name:ident = $text:literal,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $kind { $($(#[doc = $doc])* $name,)* }

        impl $kind {
            /// All of them, in the order of the tables.
            pub const ALL: &'static [$kind] = &[$($kind::$name,)*];
            pub const COUNT: usize = Self::ALL.len();

            /// The name in lower case with hyphens.
            pub fn name(self) -> &'static str {
                match self { $($kind::$name => $text,)* }
            }

            /// What is counted, in one line.
            pub fn about(self) -> &'static str {
                match self { $($kind::$name => concat!($($doc),*).trim_ascii(),)* }
            }
        }
    };
}

names! {
    /// What is counted for a side. Its weights, one for the middlegame and one for the endgame per index, are in
    /// `tables.rs`.
    Term:
    /// side to move
    Tempo = "tempo",
    /// two bishops or more
    BishopPair = "bishop-pair",
    /// pawns without own pawns on the adjacent files
    IsolatedPawn = "isolated-pawn",
    /// pawns left behind whose next square is guarded by a pawn
    BackwardPawn = "backward-pawn",
    /// pawns behind an own pawn on the same file; those also isolated
    DoubledPawn = "doubled-pawn",
    /// isolated and backward pawns with no enemy pawn in front of them
    UnopposedWeakPawn = "unopposed-weak-pawn",
    /// pawns beside a pawn, by rank; defended by one; both
    ConnectedPawn = "connected-pawn",
    /// passed pawns by rank
    PassedPawn = "passed-pawn",
    /// passed pawns that cannot advance, by rank
    BlockedPasser = "blocked-passer",
    /// passed pawns with a path neither occupied nor attacked, by rank
    FreePasser = "free-passer",
    /// other passed pawns that can advance safely, by rank
    SafeStepPasser = "safe-step-passer",
    /// the own king's distance from the square in front of a passed pawn, by its rank
    PasserOwnKing = "passer-own-king",
    /// the enemy king's distance from the square in front of a passed pawn, by its rank
    PasserEnemyKing = "passer-enemy-king",
    /// passed pawns with a pawn beside or behind them
    SupportedPasser = "supported-passer",
    /// passed pawns that a lone king cannot catch
    UnstoppablePasser = "unstoppable-passer",
    /// own rooks behind own passed pawns; the enemy's rooks there
    RookBehindPasser = "rook-behind-passer",
    /// knights by the squares they can go to
    KnightMobility = "knight-mobility",
    /// bishops by the squares they can go to
    BishopMobility = "bishop-mobility",
    /// rooks by the squares they can go to
    RookMobility = "rook-mobility",
    /// queens by the squares they can go to
    QueenMobility = "queen-mobility",
    /// knights on outposts; bishops on outposts; outposts a knight can reach
    Outpost = "outpost",
    /// knights and bishops behind a pawn
    MinorBehindPawn = "minor-behind-pawn",
    /// rooks on half-open files; on open files
    RookOnFile = "rook-on-file",
    /// own pawns on a bishop's colour; those of them that are blocked
    BishopsPawn = "bishops-pawn",
    /// squares that both sides attack and the enemy does not control
    Restriction = "restriction",
    /// pawns directly in front of the king; one rank further
    Shelter = "shelter",
    /// half-open files near the king; open ones; the king's own file if open or half-open
    KingFile = "king-file",
    /// enemy pawns near the king by distance (1 to 4 ranks); those blocked by an own pawn
    Storm = "storm",
    /// minor pieces, rooks, queens attacked by a pawn
    PawnThreat = "pawn-threat",
    /// minor pieces, rooks, queens attacked by a minor piece
    MinorThreat = "minor-threat",
    /// minor pieces, queens attacked by a rook
    RookThreat = "rook-threat",
    /// attacked and undefended pawns; pieces
    Hanging = "hanging",
    /// pawns attacked twice and defended once; pieces
    Outnumbered = "outnumbered",
    /// pawns attacked by the king; pieces
    KingThreat = "king-threat",
    /// pieces that a pawn can attack by a safe advance
    PushThreat = "push-threat",
}

names! {
    /// What puts pressure on the enemy king. These are weighted, added up, and squared if the sum is positive
    /// (`tables.rs`).
    Danger:
    /// always
    Base = "base",
    /// knights attacking the king's zone
    Knight = "knight",
    /// bishops attacking the king's zone
    Bishop = "bishop",
    /// rooks attacking the king's zone
    Rook = "rook",
    /// queens attacking the king's zone
    Queen = "queen",
    /// attacks by these on the squares around the king
    RingAttack = "ring-attack",
    /// squares around the king that are attacked and barely defended
    WeakSquare = "weak-square",
    /// squares around the king that pawns attack
    PawnAttack = "pawn-attack",
    /// squares around the king that minor pieces defend
    Defender = "defender",
    /// pawns that shield the king (the near ones twice)
    Shield = "shield",
    /// no queen among the attackers
    NoQueen = "no-queen",
    /// a safe check by a knight
    KnightCheck = "knight-check",
    /// a safe check by a bishop
    BishopCheck = "bishop-check",
    /// a safe check by a rook
    RookCheck = "rook-check",
    /// a safe check by a queen
    QueenCheck = "queen-check",
    /// squares for other, unsafe checks
    UnsafeCheck = "unsafe-check",
}

/// Receives what the terms count; one for each side.
pub(super) trait Tally {
    /// Adds `count` to row `index` of the term.
    fn add(&mut self, term: Term, index: usize, count: i32);

    /// Adds `count` to a kind of pressure on the enemy king.
    fn press(&mut self, danger: Danger, count: i32);
}

/// Counts everything on the board for White and for Black.
#[inline(always)]
pub(super) fn count_all<T: Tally>(board: &Board, turn: Color, tallies: &mut [T; 2]) {
    let views = View::both(board);
    let pawn_kings = PawnKing::both(&views, tallies);
    rest(&views, &pawn_kings, turn, tallies);
}

/// Returns the worth of everything on the board, White's view.
#[inline(always)]
pub(super) fn worth(board: &Board, turn: Color, cache: &PawnKingCache) -> TaperedSum {
    let views = View::both(board);
    let (sum, pawn_kings) = cache.get(&views);
    let mut worths = [Worth::NOTHING; 2];
    rest(&views, &pawn_kings, turn, &mut worths);
    let [white, black] = worths.map(Worth::total);
    sum.plus(white).minus(black)
}

/// Counts what depends on more than pawns and kings. A loop over the two sides instead of the same code twice keeps the
/// code in the instruction cache half as large.
#[inline(always)]
fn rest<T: Tally>(
    views: &[View; 2],
    pawn_kings: &[PawnKing; 2],
    turn: Color,
    tallies: &mut [T; 2],
) {
    tallies[turn.fold_wb(0, 1)].add(Term::Tempo, 0, 1);
    // Each side's attacks in its own orientation.
    let mut attacks = [Attacks::NONE; 2];
    for (i, view) in views.iter().enumerate() {
        attacks[i] = pieces::pieces(view, &mut tallies[i]);
    }
    for (i, view) in views.iter().enumerate() {
        let (own, enemy) = (&attacks[i], attacks[1 - i].flipped());
        tallies[i].press(Danger::Shield, pawn_kings[1 - i].shield);
        side(view, &pawn_kings[i], own, &enemy, &mut tallies[i]);
    }
}

/// Counts what depends on both sides' attacks.
#[inline(always)]
fn side<T: Tally>(
    view: &View,
    pawn_king: &PawnKing,
    own: &Attacks,
    enemy: &Attacks,
    tally: &mut T,
) {
    pawns::passers(view, pawn_king.passed, own, enemy, tally);
    pieces::places(view, pawn_king, own, tally);
    pieces::restriction(view, own, enemy, tally);
    threats::threats(view, own, enemy, tally);
    king::attack(view, pawn_king, own, enemy, tally);
}
