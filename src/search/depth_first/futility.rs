//! Per-move futility pruning: the margin, and the decision as a fate.

use crate::game::Score;
use crate::search::Options;
use crate::tree::Fate;

/// How far a quiet move may lift a position, by the plies left: linear, as the margin post (seed 5) argues.
#[derive(Clone, Copy, Debug)]
pub struct Futility {
    enabled: bool,
    /// Deepest remaining depth at which moves are skipped.
    max_depth: i32,
    /// Integer score units a ply.
    per_ply: i32,
}

impl Futility {
    #[must_use]
    pub fn from_options(options: &Options) -> Self {
        Futility {
            enabled: options.switch("futility"),
            max_depth: options.integer("futility-depth") as i32,
            per_ply: options.integer("futility-margin") as i32,
        }
    }

    #[must_use]
    pub fn off() -> Self {
        Futility {
            enabled: false,
            max_depth: 0,
            per_ply: 0,
        }
    }

    #[must_use]
    pub fn margin(&self, depth: i32) -> i32 {
        self.per_ply * depth
    }

    /// Whether quiet moves that give no check may be skipped at a node with `depth` plies left: then with this
    /// fate, all numbers from the view of the side to move at the node. `None`: they must be searched.
    #[inline]
    #[must_use]
    pub fn skip(&self, static_value: Option<Score>, alpha: Score, depth: i32) -> Option<Fate> {
        let static_value = static_value?;
        if !self.enabled || depth > self.max_depth || alpha.is_decided() {
            return None;
        }
        let margin = self.margin(depth);
        (i32::from(static_value.raw()) + margin <= i32::from(alpha.raw())).then_some(
            Fate::Futility {
                static_value,
                margin: margin as i16,
                alpha,
                depth: depth as u8,
            },
        )
    }

    /// The most a skipped move is thought to reach: static value + margin.
    #[must_use]
    pub fn ceiling(&self, static_value: Option<Score>, depth: i32) -> Score {
        static_value.map_or(Score::LOSS, |s| {
            Score::new(i32::from(s.raw()) + self.margin(depth))
        })
    }
}
