//! Draws that are known without endgame tables.

/// Why a position is a draw, whatever its material suggests: a theorem that holds for every position it names.
///
/// Each of them holds at every clock and with every history, because neither side can be forced to lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownDraw {
    /// King and pawn against king, in a position that is solved as a draw.
    KingAndPawn,
    /// Rook pawns on one file, and bishops that do not control its promotion square, against a king in that corner.
    WrongBishop,
    /// Rook pawns on one file against a king in their promotion corner.
    RookPawns,
    /// Two knights against a king that is not mated by the next move.
    TwoKnights,
    /// One minor piece each, and no mate by the next move.
    MinorEach,
}

impl KnownDraw {
    pub const ALL: [KnownDraw; 5] = [
        KnownDraw::KingAndPawn,
        KnownDraw::WrongBishop,
        KnownDraw::RookPawns,
        KnownDraw::TwoKnights,
        KnownDraw::MinorEach,
    ];

    /// Names what the draw rests on.
    pub fn words(self) -> &'static str {
        match self {
            KnownDraw::KingAndPawn => "king and pawn against king",
            KnownDraw::WrongBishop => "wrong bishop",
            KnownDraw::RookPawns => "rook pawns against a king in the corner",
            KnownDraw::TwoKnights => "two knights against king",
            KnownDraw::MinorEach => "one minor piece each",
        }
    }

    /// Says why it is a draw, in a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            KnownDraw::KingAndPawn => "Every position of these men is solved.",
            KnownDraw::WrongBishop => {
                "The bishop does not control the corner where the pawn promotes, so the king cannot be driven out of it."
            }
            KnownDraw::RookPawns => {
                "The king cannot be driven out of the corner where the pawns promote."
            }
            KnownDraw::TwoKnights => {
                "Two knights cannot force mate, and there is no mate by the next move."
            }
            KnownDraw::MinorEach => {
                "Neither side can force mate, and there is no mate by the next move."
            }
        }
    }
}
