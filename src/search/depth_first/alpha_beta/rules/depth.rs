//! Rules that change how deeply something is searched.

use crate::game::Score;
use crate::search::Options;
use crate::search::common::table::Entry;
use crate::tree::Bound;

/// Internal iterative reduction: without a move from the table the order is poor, so the node is searched a ply less
/// deeply; the next visit has a move (Schröder 2020).
#[derive(Clone, Copy, Debug)]
pub struct InternalReduction {
    pub enabled: bool,
    pub min_depth: i32,
}

impl InternalReduction {
    pub(super) fn from_options(options: &Options) -> Self {
        InternalReduction {
            enabled: options.switch("internal-reduction"),
            min_depth: options.integer("internal-reduction-depth") as i32,
        }
    }

    #[must_use]
    pub fn applies(&self, depth: i32, has_table_move: bool) -> bool {
        self.enabled && depth >= self.min_depth && !has_table_move
    }
}

/// A check that loses nothing by exchange is searched a ply deeper.
#[derive(Clone, Copy, Debug)]
pub struct CheckExtension {
    pub enabled: bool,
}

impl CheckExtension {
    pub(super) fn from_options(options: &Options) -> Self {
        CheckExtension {
            enabled: options.switch("check-extension"),
        }
    }
}

/// Singular extension: if no other move comes near the table's, much depends on that one (Anantharaman, Campbell & Hsu
/// 1988, as tested against a lowered bound by Stockfish).
#[derive(Clone, Copy, Debug)]
pub struct Singular {
    pub enabled: bool,
    pub min_depth: i32,
    /// Centipawns a ply of depth that the others have to stay below the table's value.
    pub margin: i32,
    /// The others may be cut on together (multi-cut).
    pub multi_cut: bool,
}

impl Singular {
    pub(super) fn from_options(options: &Options) -> Self {
        Singular {
            enabled: options.switch("singular-extension"),
            min_depth: options.integer("singular-extension-depth") as i32,
            margin: options.integer("singular-extension-margin") as i32,
            multi_cut: options.switch("multi-cut"),
        }
    }

    /// The bound that the other moves have to stay below, where the table knows the move well enough.
    #[must_use]
    pub fn bound(&self, depth: i32, entry: &Entry) -> Option<Score> {
        let known = matches!(entry.bound, Bound::Lower | Bound::Exact)
            && i32::from(entry.depth) >= depth - 3
            && !entry.value.is_decided();
        (self.enabled && depth >= self.min_depth && known)
            .then(|| Score::new(i32::from(entry.value.raw()) - self.margin * depth))
    }

    /// Plies left in the search of the other moves.
    #[must_use]
    pub fn depth(depth: i32) -> i32 {
        (depth - 1) / 2
    }
}

/// What late-move reduction goes by.
#[derive(Clone, Copy, Debug)]
pub struct Late {
    /// Plies left at the parent.
    pub depth: i32,
    /// How many moves were searched before.
    pub number: u8,
    /// The parent's window is open.
    pub open_window: bool,
    pub improving: bool,
    pub quiet: bool,
    /// The quiet move's history, within ± 3 · 2^14.
    pub history: i32,
    pub gives_check: bool,
}

/// Late-move reduction: the later a move stands in the order, the less deeply it is searched at first; if it beats
/// alpha all the same it is searched in full.
#[derive(Clone, Debug)]
pub struct LateMoveReduction {
    pub enabled: bool,
    pub min_depth: i32,
    /// `[depth][number]` in 1024ths of a ply: base + ln(depth) ln(number) / divisor.
    table: Box<[[u16; 64]; 64]>,
}

impl LateMoveReduction {
    /// History worth a ply.
    const HISTORY_A_PLY: i32 = 8_192;
    const PLY: i32 = 1024;

    pub(super) fn from_options(options: &Options) -> Self {
        let base = options.number("late-move-reduction-base");
        let divisor = options.number("late-move-reduction-divisor");
        let plies = |depth: usize, number: usize| {
            base + (depth.max(1) as f64).ln() * (number.max(1) as f64).ln() / divisor
        };
        let row = |depth| std::array::from_fn(|number| (plies(depth, number) * 1024.0) as u16);
        LateMoveReduction {
            enabled: options.switch("late-move-reduction"),
            min_depth: options.integer("late-move-reduction-depth") as i32,
            table: Box::new(std::array::from_fn(row)),
        }
    }

    /// By how many plies the move is searched less deeply at first; at least a ply is left.
    #[inline]
    #[must_use]
    pub fn plies(&self, late: &Late) -> i32 {
        let first = if late.open_window { 2 } else { 1 };
        if !self.enabled || late.depth < self.min_depth || late.number < first {
            return 0;
        }
        let mut parts =
            i32::from(self.table[late.depth.min(63) as usize][usize::from(late.number).min(63)]);
        if late.quiet {
            parts -= late.history * Self::PLY / Self::HISTORY_A_PLY;
        } else {
            parts /= 2;
        }
        if late.open_window {
            parts -= Self::PLY;
        }
        if !late.improving {
            parts += Self::PLY / 2;
        }
        if late.gives_check {
            parts -= Self::PLY;
        }
        (parts / Self::PLY).clamp(0, late.depth - 2)
    }
}
