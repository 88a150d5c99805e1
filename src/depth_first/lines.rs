//! The best moves of the root with exact values, of which an analysis wants more than one.
//!
//! A move of the root is searched against the value of the last of the lines that are wanted: what is worth more gets its
//! exact value, and what is worth less is only bounded.

use game::{MoveCode, Score};
use search::{OptionSpec, Options, Range};

pub(super) const LINES: OptionSpec = OptionSpec {
    key: "lines",
    default: "1",
    range: Range::Integer { min: 1, max: 256 },
    summary: "how many of the root's moves get an exact value; the others are bounded by the last of these (MultiPV of UCI)",
};

/// A move of the root that is worth more than the others, and what it is worth to the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    code: MoveCode,
    score: Score,
    /// What another move has to exceed to take this one's place.
    bound: Score,
}

/// The lines of the iteration under way.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    wanted: usize,
    /// Best first; the first of equals stays first.
    found: Vec<Found>,
}

impl Lines {
    pub fn new(options: &Options) -> Lines {
        Lines {
            wanted: options.integer(LINES.key) as usize,
            found: Vec::new(),
        }
    }

    /// One line only, as in searches that say nothing about the others.
    pub fn one() -> Lines {
        Lines {
            wanted: 1,
            found: Vec::new(),
        }
    }

    /// All moves.
    pub fn all() -> Lines {
        Lines {
            wanted: usize::MAX,
            found: Vec::new(),
        }
    }

    /// Whether more than the best move gets an exact value.
    pub fn are_several(&self) -> bool {
        self.wanted > 1
    }

    /// Begins an iteration.
    pub fn begin(&mut self) {
        self.found.clear();
    }

    /// Adds a move that was worth more than [`Lines::alpha`]; the last line may fall out. `bound` is what the next moves are
    /// searched against where this is the last line.
    pub fn add(&mut self, code: MoveCode, score: Score, bound: Score) {
        let better = |f: &Found| (f.bound, f.score) >= (bound, score);
        let place = self.found.partition_point(better);
        self.found.insert(place, Found { code, score, bound });
        self.found.truncate(self.wanted);
    }

    /// What a move has to exceed to be one of the lines; [`Score::MIN`] until there are as many as wanted.
    pub fn alpha(&self) -> Score {
        match self.found.get(self.wanted - 1) {
            Some(last) => last.bound,
            None => Score::MIN,
        }
    }

    /// The moves with their scores, best first.
    pub fn scores(&self) -> Vec<(MoveCode, Score)> {
        self.found.iter().map(|f| (f.code, f.score)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_what_others_have_to_exceed() {
        let mut lines = Lines {
            wanted: 2,
            ..Lines::one()
        };
        let at = Score::new;
        for (code, score, alpha) in [
            (1, 10, None),
            (2, 30, Some(10)),
            (3, 20, Some(20)),
            (4, 30, Some(30)),
        ] {
            lines.add(MoveCode(code), at(score), at(score));
            assert_eq!(lines.alpha(), alpha.map_or(Score::MIN, at));
        }
        assert_eq!(
            lines.scores(),
            [(MoveCode(2), at(30)), (MoveCode(4), at(30))]
        );
        lines.begin();
        assert_eq!(lines.alpha(), Score::MIN);
    }
}
