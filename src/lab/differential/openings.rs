//! The openings with which the games begin.

/// Lines of three to five moves after which neither side is much better. Moves and names are facts, as in lichess's
/// collection of openings (CC0).
pub const OPENINGS: [&str; 24] = [
    "e4 e5 Nf3 Nc6 Bb5 a6",
    "e4 e5 Nf3 Nc6 Bc4 Bc5",
    "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4",
    "e4 e5 Nc3 Nf6 Bc4",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6",
    "e4 c5 Nf3 Nc6 Bb5 g6",
    "e4 c5 Nc3 Nc6 g3 g6",
    "e4 e6 d4 d5 Nc3 Nf6",
    "e4 e6 d4 d5 e5 c5",
    "e4 c6 d4 d5 exd5 cxd5",
    "e4 c6 d4 d5 e5 Bf5",
    "e4 d5 exd5 Qxd5 Nc3 Qa5",
    "e4 d6 d4 Nf6 Nc3 g6",
    "d4 d5 c4 e6 Nc3 Nf6",
    "d4 d5 c4 c6 Nf3 Nf6",
    "d4 d5 c4 dxc4 Nf3 Nf6",
    "d4 d5 Nf3 Nf6 Bf4 c5",
    "d4 Nf6 c4 e6 Nc3 Bb4",
    "d4 Nf6 c4 e6 Nf3 b6",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6",
    "d4 Nf6 c4 g6 Nc3 d5",
    "d4 f5 g3 Nf6 Bg2 e6",
    "c4 e5 Nc3 Nf6 Nf3 Nc6",
    "Nf3 d5 g3 Nf6 Bg2 e6",
];

#[cfg(test)]
mod tests {
    use super::*;
    use game::{ChessPosition, Situation};

    #[test]
    fn every_opening_can_be_played_and_none_twice() {
        let start = Situation::new(ChessPosition::default());
        let mut keys = std::collections::BTreeSet::new();
        for line in OPENINGS {
            let after = start.play_text(line).expect(line);
            use game::Game;
            assert!(keys.insert(after.position.key()), "{line}");
        }
    }
}
