//! Rules that skip single moves.

use super::{Seen, cut::margin};
use crate::game::Score;
use crate::search::Options;
use crate::search::depth_first::margin::Margin;
use crate::tree::Fate;

/// Futility: a quiet move that gives no check is not thought to lift the static value by more than a margin (Schaeffer
/// 1986, Heinz 1998; how the margin should grow with depth is the futility-margin post's question).
#[derive(Clone, Debug)]
pub struct Futility {
    pub enabled: bool,
    /// Deepest remaining depth at which moves are skipped.
    pub max_depth: i32,
    pub margin: Margin,
}

impl Futility {
    pub(super) fn from_options(options: &Options) -> Self {
        Futility {
            enabled: options.switch("futility"),
            max_depth: options.integer("futility-depth") as i32,
            margin: margin(options, "futility-margin"),
        }
    }

    /// Whether the quiet moves that give no check are skipped: one verdict for all of them.
    #[inline]
    #[must_use]
    pub fn skip(&self, seen: &Seen) -> Option<Fate> {
        if !self.enabled || seen.depth > self.max_depth || seen.alpha.is_decided() {
            return None;
        }
        let margin = self.margin.at(seen.depth);
        (seen.above(seen.alpha) + margin <= 0).then_some(Fate::Futility {
            static_value: seen.static_value,
            margin: margin as i16,
            alpha: seen.alpha,
            depth: seen.depth as u8,
        })
    }

    /// The most a skipped move is thought to reach: static value + margin.
    #[must_use]
    pub fn ceiling(&self, seen: &Seen) -> Score {
        Score::new(i32::from(seen.static_value.raw()) + self.margin.at(seen.depth))
    }
}

/// Late-move pruning: after so many moves in vain the other quiet ones are not thought to do better.
#[derive(Clone, Copy, Debug)]
pub struct LateMoves {
    pub enabled: bool,
    pub max_depth: i32,
    /// Moves searched at least; the square of the depth comes on top.
    pub base: i32,
}

impl LateMoves {
    pub(super) fn from_options(options: &Options) -> Self {
        LateMoves {
            enabled: options.switch("late-move-pruning"),
            max_depth: options.integer("late-move-pruning-depth") as i32,
            base: options.integer("late-move-pruning-base") as i32,
        }
    }

    /// After how many moves the rest is skipped: half as many where the side to move is not getting better.
    #[must_use]
    pub fn limit(&self, seen: &Seen) -> Option<i32> {
        if !self.enabled || seen.depth > self.max_depth || seen.alpha.is_decided() {
            return None;
        }
        let limit = self.base + seen.depth * seen.depth;
        Some(if seen.improving { limit } else { limit / 2 }.max(1))
    }

    /// Why a quiet move that comes after the limit is skipped.
    #[must_use]
    pub fn fate(limit: i32, depth: i32) -> Fate {
        Fate::LateMove {
            searched: limit.min(255) as u8,
            depth: depth as u8,
        }
    }
}

/// Moves that lose material by static exchange, more than the depth left could make good.
#[derive(Clone, Copy, Debug)]
pub struct LosingMoves {
    pub enabled: bool,
    pub max_depth: i32,
    /// Centipawns that a quiet move may lose, a ply of depth.
    pub quiet: i32,
    /// The same for captures and promotions.
    pub noisy: i32,
}

impl LosingMoves {
    pub(super) fn from_options(options: &Options) -> Self {
        LosingMoves {
            enabled: options.switch("losing-moves"),
            max_depth: options.integer("losing-moves-depth") as i32,
            quiet: options.integer("losing-moves-quiet") as i32,
            noisy: options.integer("losing-moves-noisy") as i32,
        }
    }

    /// What the move's exchange has to bring at least (negative), and the fate if it does not.
    #[must_use]
    pub fn threshold(&self, seen: &Seen, quiet: bool) -> Option<(i32, Fate)> {
        if !self.enabled || seen.depth > self.max_depth || seen.alpha.is_decided() {
            return None;
        }
        let threshold = -seen.depth * if quiet { self.quiet } else { self.noisy };
        let fate = Fate::LosingMove {
            threshold: threshold as i16,
            depth: seen.depth as u8,
        };
        Some((threshold, fate))
    }
}
