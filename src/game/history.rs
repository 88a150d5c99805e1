//! The earlier positions of a game, and what repeating them means.

use super::{Game, Situation};

/// The keys of the positions before the current one, oldest first, for counting repetitions.
#[derive(Clone, Debug, Default)]
pub struct History {
    keys: Vec<u64>,
}

impl History {
    pub fn new(keys: Vec<u64>) -> History {
        History { keys }
    }

    /// Records the position that is left, before a move is made.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Returns the keys, oldest first.
    #[inline]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Forgets everything after the first `len` positions.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
    }

    /// Returns how often the position `key` occurred within the last `reversible_plies` plies, and how many plies ago
    /// it last did.
    #[inline]
    pub fn repetitions(&self, key: u64, reversible_plies: u32) -> Repetition {
        let window = (reversible_plies as usize).min(self.keys.len());
        let mut found = Repetition {
            times: 0,
            plies_back: 0,
        };
        // A position can only recur after 4, 6, ... plies.
        let mut back = 4;
        while back <= window {
            if self.keys[self.keys.len() - back] == key {
                found.times += 1;
                if found.plies_back == 0 {
                    found.plies_back = back as u16;
                }
            }
            back += 2;
        }
        found
    }
}

/// The result of [`History::repetitions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// How often the position occurred before; 2 makes a threefold repetition.
    pub times: u8,
    /// Plies back to its latest occurrence, or 0 if there is none.
    pub plies_back: u16,
}

/// The positions that are a draw as soon as they arise, because they have already occurred twice: the third time ends
/// the game.
///
/// A shortest forced mate never visits a position twice. So a search that treats these positions and no others as draws
/// is right about mates from its root, whichever path leads to a position, and its results may be stored for other
/// paths.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// The keys, and for each the number of positions before its latest occurrence.
    positions: Vec<(u64, usize)>,
    /// The number of positions before the root.
    before_root: usize,
}

impl Drawn {
    /// Returns the positions that have occurred twice so far, including the current one.
    pub fn of<G: Game>(situation: &Situation<G>) -> Drawn {
        let keys = situation.history.keys();
        let window = (situation.position.reversible_plies() as usize).min(keys.len());
        let since = keys.len() - window;
        let now = situation.position.key();
        let within = || keys[since..].iter().copied().chain([now]);
        let mut positions: Vec<(u64, usize)> = Vec::new();
        for (i, key) in within().enumerate() {
            if within().take(i).any(|earlier| earlier == key) {
                positions.retain(|(known, _)| *known != key);
                positions.push((key, since + i));
            }
        }
        Drawn {
            positions,
            before_root: keys.len(),
        }
    }

    /// Whether no position has occurred twice, which is nearly always the case.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the repetition that the position `ply` plies after the root would be, if it is one of these.
    pub fn repetition(&self, key: u64, ply: u16) -> Option<Repetition> {
        let (_, at) = self.positions.iter().find(|(known, _)| *known == key)?;
        let plies_back = self.before_root + usize::from(ply) - at;
        (plies_back > 0).then_some(Repetition {
            times: 2,
            plies_back: plies_back as u16,
        })
    }

    /// A number by which tables separate results that were found with different drawn positions; 0 if there are none.
    pub fn salt(&self) -> u64 {
        let mixed = |key: u64| (key ^ key >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let keys = self.positions.iter().map(|(key, _)| mixed(*key));
        keys.fold(0, |salt, key| salt ^ key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::fen;
    use crate::{ChessPosition, Situation, notation};

    fn played(moves: &str) -> Situation<ChessPosition> {
        let read = fen::parse("8/8/8/5Q2/8/8/k1K5/8 w - - 0 2").expect("a FEN");
        let start = Situation::new(read.position);
        let (played, _) = notation::play_moves(&start, moves).expect("legal moves");
        played
    }

    #[test]
    fn what_has_stood_twice_is_drawn_when_it_comes_again() {
        assert!(Drawn::of(&played("")).is_empty());
        assert!(Drawn::of(&played("c2d3 a2a1 d3c2")).is_empty());
        // The start position for the second time; returning to it once more is a draw.
        let once = played("c2d3 a2a1 d3c2 a1a2");
        let drawn = Drawn::of(&once);
        assert_eq!(drawn.positions.len(), 1);
        assert_ne!(drawn.salt(), 0);
        let key = once.position.key();
        assert_eq!(drawn.repetition(key, 0), None, "it stands there now");
        let back = drawn.repetition(key, 4).expect("the third time");
        assert_eq!((back.times, back.plies_back), (2, 4));
        let twice = Drawn::of(&played("c2d3 a2a1 d3c2 a1a2 c2d3 a2a1"));
        assert_eq!(twice.positions.len(), 3);
        assert_ne!(twice.salt(), drawn.salt());
    }
}
