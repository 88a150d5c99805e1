//! The positions on which an experiment works.

use std::collections::BTreeSet;

use game::Game;
use games::Entry;
use session::Subject;

/// A chess position with legal moves, and the game before it.
#[derive(Clone, Debug)]
pub struct Position {
    /// Its name in its file; for a game, with the ply.
    pub title: String,
    pub fen: String,
    pub subject: Subject,
}

impl Position {
    /// Returns a position, or `None` if it cannot be measured: a toy tree, or a game that is over.
    pub fn new(title: String, subject: Subject) -> Option<Position> {
        let position = subject.position.as_chess()?;
        let moves = position.legal_moves();
        if moves.is_empty() || position.ending(true).is_some() {
            return None;
        }
        let fen = position.fen();
        Some(Position {
            title,
            fen,
            subject,
        })
    }
}

/// Selects this many positions, evenly spread, from however many are offered, without storing them all.
#[derive(Debug)]
pub struct Sampler {
    wanted: usize,
    /// One offered position in `stride` is kept.
    stride: u64,
    offered: u64,
    kept: Vec<(u64, Position)>,
}

impl Sampler {
    pub fn new(wanted: usize) -> Self {
        Sampler {
            wanted: wanted.max(1),
            stride: 1,
            offered: 0,
            kept: Vec::new(),
        }
    }

    /// Offers a position, which is created only if it may be kept.
    pub fn offer(&mut self, make: impl FnOnce() -> Option<Position>) {
        let number = self.offered;
        self.offered += 1;
        if !number.is_multiple_of(self.stride) {
            return;
        }
        let Some(position) = make() else { return };
        self.kept.push((number, position));
        if self.kept.len() >= 4 * self.wanted {
            self.stride *= 2;
            let stride = self.stride;
            self.kept
                .retain(|(number, _)| number.is_multiple_of(stride));
        }
    }

    /// Offers the positions of a file's entry: its only one, or every position of a game's main line.
    pub fn offer_entry(&mut self, entry: &Entry) {
        for ply in 0..=entry.plies() {
            self.offer(|| {
                let title = match entry.plies() {
                    0 => entry.title.clone(),
                    _ => format!("{} · ply {ply}", entry.title),
                };
                Position::new(title, entry.subject_at(ply))
            });
        }
    }

    /// Returns the positions, each once, in the order in which they were offered.
    pub fn finish(self) -> Vec<Position> {
        let mut seen = BTreeSet::new();
        let mut kept: Vec<Position> = self
            .kept
            .into_iter()
            .map(|(_, position)| position)
            .collect();
        kept.retain(|position| seen.insert(position.fen.clone()));
        let n = kept.len();
        if n <= self.wanted {
            return kept;
        }
        // Of n positions, the k-th of `wanted` is number k n / wanted, so they are evenly spread and none is chosen
        // twice.
        let chosen: BTreeSet<usize> = (0..self.wanted).map(|k| k * n / self.wanted).collect();
        let mut number = 0..;
        kept.retain(|_| number.next().is_some_and(|i| chosen.contains(&i)));
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::samples;

    fn sampled(name: &str, wanted: usize) -> Vec<Position> {
        let document = samples::find(name)
            .expect("a sample")
            .open()
            .expect("opens");
        let mut sampler = Sampler::new(wanted);
        for entry in document.entries() {
            sampler.offer_entry(&entry.expect("an entry"));
        }
        sampler.finish()
    }

    #[test]
    fn a_game_gives_positions_spread_over_all_of_it() {
        // There are thirty-three plies, and the last one is mate.
        assert_eq!(sampled("opera-game", 100).len(), 33);
        let few = sampled("opera-game", 4);
        let titles: Vec<&str> = few.iter().map(|p| p.title.as_str()).collect();
        assert_eq!(few.len(), 4);
        assert!(titles[0].ends_with("ply 0"), "{titles:?}");
        assert!(titles[3].ends_with("ply 24"), "{titles:?}");
    }

    #[test]
    fn toy_trees_have_no_positions() {
        assert!(sampled("textbook", 10).is_empty());
    }
}
