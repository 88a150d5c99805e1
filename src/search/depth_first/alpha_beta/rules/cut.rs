//! Rules that cut a node off before its moves are searched.

use super::Seen;
use super::prob_cut::Percentile;
use crate::game::Score;
use crate::search::Options;
use crate::search::depth_first::margin::Margin;
use crate::tree::Fate;

/// Razoring: so far below alpha that only a capture could help, and quiescence says none does.
#[derive(Clone, Debug)]
pub struct Razoring {
    pub enabled: bool,
    pub max_depth: i32,
    pub margin: Margin,
}

impl Razoring {
    pub(super) fn from_options(options: &Options) -> Self {
        Razoring {
            enabled: options.switch("razoring"),
            max_depth: options.integer("razoring-depth") as i32,
            margin: margin(options, "razoring-margin"),
        }
    }

    /// The margin, where static value + margin is not above alpha: then quiescence is asked.
    #[must_use]
    pub fn suspects(&self, seen: &Seen) -> Option<i32> {
        let margin = self.margin.at(seen.depth);
        (self.enabled
            && seen.depth <= self.max_depth
            && !seen.alpha.is_decided()
            && seen.above(seen.alpha) + margin <= 0)
            .then_some(margin)
    }

    /// The verdict after quiescence brought `value`.
    #[must_use]
    pub fn cut(seen: &Seen, margin: i32, value: Score) -> Option<Fate> {
        (value <= seen.alpha).then_some(Fate::Razoring {
            static_value: seen.static_value,
            margin: margin as i16,
            value,
            depth: seen.depth as u8,
        })
    }
}

/// Reverse futility: so far above beta that the opponent is not thought to make it good (Heinz calls it static
/// null-move pruning).
#[derive(Clone, Debug)]
pub struct ReverseFutility {
    pub enabled: bool,
    pub max_depth: i32,
    pub margin: Margin,
}

impl ReverseFutility {
    pub(super) fn from_options(options: &Options) -> Self {
        ReverseFutility {
            enabled: options.switch("reverse-futility"),
            max_depth: options.integer("reverse-futility-depth") as i32,
            margin: margin(options, "reverse-futility-margin"),
        }
    }

    /// The value is at least static value - margin. A side that is getting better is asked a ply's margin less.
    #[must_use]
    pub fn cut(&self, seen: &Seen) -> Option<(Score, Fate)> {
        if !self.enabled || seen.depth > self.max_depth || seen.beta.is_decided() {
            return None;
        }
        let margin = self.margin.at(seen.depth - i32::from(seen.improving));
        let least = Score::new(i32::from(seen.static_value.raw()) - margin);
        let fate = Fate::ReverseFutility {
            static_value: seen.static_value,
            margin: margin as i16,
            beta: seen.beta,
            depth: seen.depth as u8,
        };
        (least >= seen.beta).then_some((least, fate))
    }
}

/// Null move: if even passing reaches beta, a move will (Donninger 1993). Wrong in zugzwang, so not with king and
/// pawns alone, and verified by a search without null moves where much depth is at stake (Tabibi & Netanyahu 2002).
#[derive(Clone, Copy, Debug)]
pub struct NullMove {
    pub enabled: bool,
    pub min_depth: i32,
    /// Plies the search after the pass is shallower, and one more for each `divisor` plies of depth.
    pub reduction: i32,
    pub divisor: i32,
    /// From this depth on a cut is verified.
    pub verification: i32,
}

impl NullMove {
    /// A ply more for so many centipawns above beta, three at most.
    const CENTIPAWNS_A_PLY: i32 = 150;

    pub(super) fn from_options(options: &Options) -> Self {
        NullMove {
            enabled: options.switch("null-move"),
            min_depth: options.integer("null-move-depth") as i32,
            reduction: options.integer("null-move-reduction") as i32,
            divisor: options.integer("null-move-divisor") as i32,
            verification: options.integer("null-move-verification") as i32,
        }
    }

    /// By how many plies the search after the pass is shallower; `None`: no pass is tried.
    #[must_use]
    pub fn reduction(&self, seen: &Seen) -> Option<i32> {
        let above = seen.above(seen.beta);
        let tries =
            self.enabled && seen.depth >= self.min_depth && above >= 0 && !seen.beta.is_decided();
        tries.then(|| {
            self.reduction + seen.depth / self.divisor + (above / Self::CENTIPAWNS_A_PLY).min(3)
        })
    }

    #[must_use]
    pub fn needs_verification(&self, depth: i32) -> bool {
        depth >= self.verification
    }
}

/// ProbCut: what a shallow search says is taken for what a deep one would say.
///
/// By percentile it is Buro's (1995). By a fixed margin it is what today's chess engines call so, which is another thing:
/// only captures are tried, first in quiescence, then a few plies deep, against beta plus a margin in centipawns that no
/// regression stands behind.
#[derive(Clone, Copy, Debug)]
pub struct ProbCut {
    pub enabled: bool,
    /// `None`: by a fixed margin.
    pub percentile: Option<Percentile>,
    pub min_depth: i32,
    /// Centipawns above beta.
    pub margin: i32,
    /// Plies the shallow search is shallower.
    pub reduction: i32,
}

impl ProbCut {
    pub(super) fn from_options(options: &Options) -> Self {
        ProbCut {
            enabled: options.switch("prob-cut"),
            percentile: (options.word("prob-cut-by") == "percentile")
                .then(|| Percentile::from_options(options)),
            min_depth: options.integer("prob-cut-depth") as i32,
            margin: options.integer("prob-cut-margin") as i32,
            reduction: options.integer("prob-cut-reduction") as i32,
        }
    }

    /// The bound that a capture has to reach; `None`: not tried.
    #[must_use]
    pub fn raised(&self, seen: &Seen) -> Option<Score> {
        (self.enabled && seen.depth >= self.min_depth && !seen.beta.is_decided())
            .then(|| Score::new(i32::from(seen.beta.raw()) + self.margin))
    }
}

/// A margin from the table of options, which has checked the word.
pub(super) fn margin(options: &Options, key: &str) -> Margin {
    let word = options.word(key);
    word.parse().expect("the table of options has checked it")
}
