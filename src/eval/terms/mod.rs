//! The terms of the hand-crafted evaluation beside material and places: each counts something on the board, from
//! one side's view.
//!
//! The terms do not know their weights. They report to a [`Tally`]: the evaluation's sums weights (`tables.rs`), the
//! breakdown's and the fit's keeps the counts. So what is explained and fitted is what is evaluated.

mod endgame;
mod ground;
mod king;
mod pawns;
mod pieces;
mod tally;
mod threats;
mod view;

use shakmaty::{Board, Color};

use super::hand_crafted::TaperedSum;

pub use endgame::Scale;
pub(super) use endgame::scale;
use ground::Ground;
pub(super) use ground::GroundCache;
pub use tally::Counts;
pub(super) use tally::Worth;
use view::{Attacks, View};

macro_rules! names {
    ($(#[$about:meta])* $kind:ident: $($(#[doc = $doc:literal])* $name:ident = $text:literal,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $kind { $($(#[doc = $doc])* $name,)* }

        impl $kind {
            /// In the order of the tables.
            pub const ALL: &'static [$kind] = &[$($kind::$name,)*];
            pub const COUNT: usize = Self::ALL.len();

            /// In lower case, with hyphens.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($kind::$name => $text,)* }
            }

            /// What is counted, one line.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $($kind::$name => concat!($($doc),*).trim_ascii(),)* }
            }
        }
    };
}

names! {
    /// What is counted for a side; its weights, a middlegame and an endgame one for each index, are in `tables.rs`.
    Term:
    /// side to move
    Tempo = "tempo",
    /// two bishops or more
    BishopPair = "bishop-pair",
    /// pawns without own pawns on the files beside
    IsolatedPawn = "isolated-pawn",
    /// pawns that are left behind and whose way is guarded by a pawn
    BackwardPawn = "backward-pawn",
    /// pawns behind an own one on the file; isolated too
    DoubledPawn = "doubled-pawn",
    /// isolated and backward pawns without an enemy pawn before them
    UnopposedWeakPawn = "unopposed-weak-pawn",
    /// pawns beside a pawn, by rank; defended by one; both
    ConnectedPawn = "connected-pawn",
    /// passed pawns by rank
    PassedPawn = "passed-pawn",
    /// passed pawns that cannot step, by rank
    BlockedPasser = "blocked-passer",
    /// passed pawns with a way neither held nor attacked, by rank
    FreePasser = "free-passer",
    /// other passed pawns whose next step is safe, by rank
    SafeStepPasser = "safe-step-passer",
    /// the own king's distance from the square before a passed pawn, by its rank
    PasserOwnKing = "passer-own-king",
    /// the enemy king's distance from the square before a passed pawn, by its rank
    PasserEnemyKing = "passer-enemy-king",
    /// passed pawns with a pawn beside or behind them
    SupportedPasser = "supported-passer",
    /// passed pawns a bare king cannot catch
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
    /// knights on outposts; bishops; outposts a knight can go to
    Outpost = "outpost",
    /// knights and bishops behind a pawn
    MinorBehindPawn = "minor-behind-pawn",
    /// rooks on half-open files; on open files
    RookOnFile = "rook-on-file",
    /// own pawns on a bishop's colour; those that are blocked
    BishopsPawn = "bishops-pawn",
    /// squares both sides attack and the enemy does not hold
    Restriction = "restriction",
    /// pawns right before the king; one rank further
    Shelter = "shelter",
    /// half-open files before the king; open ones; his own if open or half-open
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
    /// pieces a pawn can attack by a safe step
    PushThreat = "push-threat",
}

names! {
    /// What presses the enemy's king: weighted, added up, and squared if above 0 (`tables.rs`).
    Danger:
    /// always
    Base = "base",
    /// knights that attack the king's zone
    Knight = "knight",
    /// bishops that attack the king's zone
    Bishop = "bishop",
    /// rooks that attack the king's zone
    Rook = "rook",
    /// queens that attack the king's zone
    Queen = "queen",
    /// attacks on the squares around the king by these
    RingAttack = "ring-attack",
    /// squares around the king that are attacked and hardly defended
    WeakSquare = "weak-square",
    /// squares around the king that pawns attack
    PawnAttack = "pawn-attack",
    /// squares around the king that minor pieces defend
    Defender = "defender",
    /// pawns that shield the king (the near ones twice)
    Shield = "shield",
    /// attackers without a queen
    NoQueen = "no-queen",
    /// a safe check by a knight
    KnightCheck = "knight-check",
    /// a safe check by a bishop
    BishopCheck = "bishop-check",
    /// a safe check by a rook
    RookCheck = "rook-check",
    /// a safe check by a queen
    QueenCheck = "queen-check",
    /// squares for other checks
    UnsafeCheck = "unsafe-check",
}

/// Who is told what the terms count, one for each side.
pub(super) trait Tally {
    /// The side has `count` more of what row `index` of the term says.
    fn add(&mut self, term: Term, index: usize, count: i32);

    /// The side presses the enemy's king by so much more.
    fn press(&mut self, danger: Danger, count: i32);
}

/// Counts everything on the board for White and for Black.
#[inline(always)]
pub(super) fn count_all<T: Tally>(board: &Board, turn: Color, tallies: &mut [T; 2]) {
    let views = View::both(board);
    let grounds = Ground::both(&views, tallies);
    rest(&views, &grounds, turn, tallies);
}

/// What everything on the board is worth, White's view.
#[inline(always)]
pub(super) fn worth(board: &Board, turn: Color, cache: &GroundCache) -> TaperedSum {
    let views = View::both(board);
    let (sum, grounds) = cache.get(&views);
    let mut worths = [Worth::NOTHING; 2];
    rest(&views, &grounds, turn, &mut worths);
    let [white, black] = worths.map(Worth::total);
    sum.plus(white).minus(black)
}

/// What pawns and kings alone do not decide. The sides are looked at in loops and not one after the other in the text:
/// half the code stays near the processor.
#[inline(always)]
fn rest<T: Tally>(views: &[View; 2], grounds: &[Ground; 2], turn: Color, tallies: &mut [T; 2]) {
    tallies[turn.fold_wb(0, 1)].add(Term::Tempo, 0, 1);
    // Each side's in its own orientation.
    let mut attacks = [Attacks::NONE; 2];
    for (i, view) in views.iter().enumerate() {
        attacks[i] = pieces::pieces(view, &mut tallies[i]);
    }
    for (i, view) in views.iter().enumerate() {
        let (own, enemy) = (&attacks[i], attacks[1 - i].flipped());
        tallies[i].press(Danger::Shield, grounds[1 - i].shield);
        side(view, &grounds[i], own, &enemy, &mut tallies[i]);
    }
}

/// What needs both sides' attacks.
#[inline(always)]
fn side<T: Tally>(view: &View, ground: &Ground, own: &Attacks, enemy: &Attacks, tally: &mut T) {
    pawns::passers(view, ground.passed, own, enemy, tally);
    pieces::places(view, ground, own, tally);
    pieces::restriction(view, own, enemy, tally);
    threats::threats(view, own, enemy, tally);
    king::attack(view, ground, own, enemy, tally);
}
