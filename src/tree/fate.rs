//! Why a node is as it is: the one vocabulary of reasons.

mod pack;

use crate::game::{Ending, MoveCode, Score, TableHit};

/// Why a node is as it is, with the numbers that decided it.
///
/// Scores are from the view of the side to move at the node, except in the fates of moves that were *not*
/// searched ([`Fate::is_skip`]): there the decision was the parent's, and so is the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fate {
    /// In the tree, but nothing looked at it yet.
    #[default]
    Unvisited,
    /// Evaluated, not expanded yet (best-first).
    Frontier,
    /// Its moves were searched; `best` is the one its value comes from (`MoveCode::NONE` if not one move).
    ///
    /// `skipped` moves have no node of their own: in a null window that failed low every skip rests on the same
    /// numbers, which this node has (static value, alpha, depth, and `margin`), so their rows are made when
    /// somebody looks.
    Expanded {
        best: MoveCode,
        searched: u8,
        skipped: u8,
        moves: u8,
        margin: i16,
    },
    /// Where the depth ended: quiescence found nothing to change the static value, or there is none.
    Horizon { static_value: Score },
    /// Quiescence: the static value alone reaches beta.
    StandPat { static_value: Score, beta: Score },
    /// The game ends here.
    Ended(Ending),
    /// The position stood before, `plies_back` plies ago; `times` counts the earlier occurrences.
    Repetition { times: u8, plies_back: u16 },
    /// The move `by`, the `searched`-th of `moves`, reached beta: the remaining moves can't matter.
    BetaCutoff {
        by: MoveCode,
        value: Score,
        beta: Score,
        searched: u8,
    },
    /// P(max >= beta) reached the confidence level after `searched` moves. Probabilities in 1/65535; `beta_bin`
    /// is a bin of the belief grid.
    ProbabilisticCutoff {
        searched: u8,
        probability: u16,
        confidence: u16,
        beta_bin: u8,
    },
    /// Skipped: static value + margin <= alpha with `depth` plies left (parent's view).
    Futility {
        static_value: Score,
        margin: i16,
        alpha: Score,
        depth: u8,
    },
    /// Cut before its moves: static value - margin >= beta with `depth` plies left (reverse futility).
    ReverseFutility {
        static_value: Score,
        margin: i16,
        beta: Score,
        depth: u8,
    },
    /// Cut before its moves: static value + margin <= alpha, and quiescence (`value`) could not lift it above alpha.
    Razoring {
        static_value: Score,
        margin: i16,
        value: Score,
        depth: u8,
    },
    /// Cut before its moves: even after passing the value, `reduction` plies shallower, reaches beta. `verified`: so
    /// it does with a move, searched without null moves.
    NullMove {
        value: Score,
        beta: Score,
        reduction: u8,
        verified: bool,
    },
    /// Cut before its moves: the capture `by` reaches `raised` (beta + margin) in a search of `depth` plies. By percentile
    /// there is no move: the node itself, searched `depth` plies, reaches `raised` (then it is thought to reach beta) or
    /// stays below (then it is thought not to beat alpha).
    ProbCut {
        by: MoveCode,
        value: Score,
        raised: Score,
        depth: u8,
    },
    /// Cut before its moves: without the table's move, and shallower, `value` reaches beta too: more than one move does
    /// (multi-cut, from the singular test).
    MultiCut {
        value: Score,
        beta: Score,
        depth: u8,
    },
    /// Skipped: `searched` moves, the limit for `depth` plies left, came before it (parent's view).
    LateMove { searched: u8, depth: u8 },
    /// Skipped: by static exchange it loses more than `threshold` centipawns (negative) with `depth` plies left.
    LosingMove { threshold: i16, depth: u8 },
    /// Quiescence skipped the capture: static value + gain of the capture and margin <= alpha (parent's view).
    DeltaPruning {
        static_value: Score,
        margin: i16,
        alpha: Score,
    },
    /// Quiescence skipped the capture: the exchange on its square loses material.
    LosingExchange,
    /// Not searched: the transposition table knew enough.
    TableHit {
        value: Score,
        depth: u8,
        bound: Bound,
    },
    /// Proven by its children: `by` is the one that proves a win, or holds out longest.
    Proven { by: MoveCode, children: u8 },
    /// Not searched: an earlier sibling (`by`) had already refuted the parent (parent's view). Not stored in
    /// the tree; the rows of such moves are made from the parent's [`Fate::BetaCutoff`].
    SiblingCutoff {
        by: MoveCode,
        value: Score,
        beta: Score,
    },
    /// Not searched: the parent was cut off at the confidence level. Made from the parent's fate like the above.
    SiblingProbabilisticCutoff { probability: u16, confidence: u16 },
    /// Searched, but below what the tree's budget of memory could record.
    Unrecorded,
    /// The search was stopped in the middle of this node.
    Interrupted,
    /// Not searched: a person took the move out.
    Excluded,
    /// An endgame table knows the result: nothing is searched below. From the side to move's view; where nobody visited the
    /// node, it stands below a root in the tables, whose side to move does not play this: it throws the result away.
    Tablebase(TableHit),
}

/// How a depth-first value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bound {
    #[default]
    None,
    /// The true value is at least this (fail high).
    Lower,
    /// The true value is at most this (fail low).
    Upper,
    Exact,
}

impl Bound {
    pub(crate) fn from_bits(bits: u8) -> Bound {
        match bits & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => Bound::None,
        }
    }
}

/// One row a kind of fate: its place in counters, its name in JSON, its letter and glyph on the screen.
#[derive(Debug, Clone, Copy)]
pub struct FateKind {
    pub name: &'static str,
    /// One letter, so that no meaning is carried by colour alone.
    pub letter: char,
    pub summary: &'static str,
}

const fn kind(name: &'static str, letter: char, summary: &'static str) -> FateKind {
    FateKind {
        name,
        letter,
        summary,
    }
}

/// The table of fates, indexed by [`Fate::kind`].
pub const FATES: [FateKind; 27] = [
    kind("unvisited", '.', "in the tree, not looked at yet"),
    kind("frontier", 'o', "evaluated, not expanded yet"),
    kind("expanded", 'E', "its moves were searched"),
    kind("horizon", 'H', "the depth ended here"),
    kind(
        "stand-pat",
        'S',
        "quiescence: the static value alone reaches beta",
    ),
    kind("ended", '#', "the game ends here"),
    kind("repetition", 'R', "the position stood before"),
    kind("beta-cutoff", 'X', "cut off: one move reached beta"),
    kind(
        "probabilistic-cutoff",
        'P',
        "cut off: P(max >= beta) reached the confidence level",
    ),
    kind(
        "futility",
        'F',
        "skipped: static value + margin is not above alpha",
    ),
    kind(
        "delta-pruning",
        'D',
        "skipped capture: static value + gain is not above alpha",
    ),
    kind("losing-exchange", 'L', "skipped capture: it loses material"),
    kind("table-hit", 'T', "taken from the transposition table"),
    kind("proven", '!', "proven by its children"),
    kind(
        "sibling-cutoff",
        'x',
        "not searched: an earlier move refuted the parent",
    ),
    kind(
        "sibling-probabilistic-cutoff",
        'p',
        "not searched: the parent was cut off at the confidence level",
    ),
    kind(
        "unrecorded",
        'U',
        "searched, but the tree's memory was used up",
    ),
    kind(
        "interrupted",
        'I',
        "the search was stopped in the middle of it",
    ),
    kind("excluded", 'N', "not searched: taken out by hand"),
    kind(
        "reverse-futility",
        'V',
        "cut off: static value - margin reaches beta",
    ),
    kind(
        "razoring",
        'Z',
        "cut off: static value + margin is not above alpha, nor is quiescence",
    ),
    kind("null-move", 'M', "cut off: even passing reaches beta"),
    kind(
        "prob-cut",
        'C',
        "cut off: a capture is far above beta in a shallow search",
    ),
    kind(
        "multi-cut",
        'K',
        "cut off: several moves reach beta in a shallow search",
    ),
    kind(
        "late-move",
        'Q',
        "skipped: so many moves came before it in vain",
    ),
    kind(
        "losing-move",
        'G',
        "skipped: by static exchange it loses too much",
    ),
    kind(
        "tablebase",
        'Y',
        "an endgame table (Syzygy) knows the result",
    ),
];

/// Fates that belong together, under one name.
#[derive(Debug, Clone, Copy)]
pub struct FateFamily {
    pub name: &'static str,
    /// Names in [`FATES`].
    pub members: &'static [&'static str],
    /// One line.
    pub summary: &'static str,
}

/// The table of families of fates: filters and breakpoints know them by these names.
pub static FATE_FAMILIES: [FateFamily; 3] = [
    FateFamily {
        name: "forward-pruning",
        members: &[
            "futility",
            "delta-pruning",
            "losing-exchange",
            "late-move",
            "losing-move",
            "reverse-futility",
            "razoring",
            "null-move",
            "prob-cut",
            "multi-cut",
        ],
        summary: "pruned by a rule: a node before its moves, or a single move",
    },
    FateFamily {
        name: "node-pruning",
        members: &[
            "reverse-futility",
            "razoring",
            "null-move",
            "prob-cut",
            "multi-cut",
        ],
        summary: "a rule cut the node off before its moves",
    },
    FateFamily {
        name: "move-pruning",
        members: &[
            "futility",
            "delta-pruning",
            "losing-exchange",
            "late-move",
            "losing-move",
        ],
        summary: "a rule skipped the move",
    },
];

impl FateFamily {
    /// Its fates, a bit each by [`Fate::kind`].
    #[must_use]
    pub fn bits(&self) -> u32 {
        let all = FATES.iter().enumerate();
        all.fold(0, |bits, (i, fate)| {
            bits | u32::from(self.members.contains(&fate.name)) << i
        })
    }
}

impl Fate {
    /// The row in [`FATES`].
    #[must_use]
    pub const fn kind(self) -> usize {
        match self {
            Fate::Unvisited => 0,
            Fate::Frontier => 1,
            Fate::Expanded { .. } => 2,
            Fate::Horizon { .. } => 3,
            Fate::StandPat { .. } => 4,
            Fate::Ended(_) => 5,
            Fate::Repetition { .. } => 6,
            Fate::BetaCutoff { .. } => 7,
            Fate::ProbabilisticCutoff { .. } => 8,
            Fate::Futility { .. } => 9,
            Fate::DeltaPruning { .. } => 10,
            Fate::LosingExchange => 11,
            Fate::TableHit { .. } => 12,
            Fate::Proven { .. } => 13,
            Fate::SiblingCutoff { .. } => 14,
            Fate::SiblingProbabilisticCutoff { .. } => 15,
            Fate::Unrecorded => 16,
            Fate::Interrupted => 17,
            Fate::Excluded => 18,
            Fate::ReverseFutility { .. } => 19,
            Fate::Razoring { .. } => 20,
            Fate::NullMove { .. } => 21,
            Fate::ProbCut { .. } => 22,
            Fate::MultiCut { .. } => 23,
            Fate::LateMove { .. } => 24,
            Fate::LosingMove { .. } => 25,
            Fate::Tablebase(_) => 26,
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        FATES[self.kind()].name
    }

    #[must_use]
    pub fn letter(self) -> char {
        FATES[self.kind()].letter
    }

    /// A move that the search decided not to visit.
    #[must_use]
    pub const fn is_skip(self) -> bool {
        matches!(
            self,
            Fate::Futility { .. }
                | Fate::DeltaPruning { .. }
                | Fate::LosingExchange
                | Fate::LateMove { .. }
                | Fate::LosingMove { .. }
                | Fate::Excluded
                | Fate::SiblingCutoff { .. }
                | Fate::SiblingProbabilisticCutoff { .. }
        )
    }

    /// A node whose remaining moves were cut off.
    #[must_use]
    pub const fn is_cutoff(self) -> bool {
        matches!(
            self,
            Fate::BetaCutoff { .. } | Fate::ProbabilisticCutoff { .. }
        )
    }

    /// A node that was cut off before its moves were searched.
    #[must_use]
    pub const fn is_cut_before_moves(self) -> bool {
        matches!(
            self,
            Fate::ReverseFutility { .. }
                | Fate::Razoring { .. }
                | Fate::NullMove { .. }
                | Fate::ProbCut { .. }
                | Fate::MultiCut { .. }
        )
    }

    /// A rule has pruned the move, or the node: what an audit may find wrong.
    #[must_use]
    pub const fn is_pruned(self) -> bool {
        self.is_cut_before_moves()
            || matches!(
                self,
                Fate::Futility { .. }
                    | Fate::DeltaPruning { .. }
                    | Fate::LosingExchange
                    | Fate::LateMove { .. }
                    | Fate::LosingMove { .. }
            )
    }

    /// The move the node's value comes from, where the fate knows one.
    #[must_use]
    pub const fn best(self) -> Option<MoveCode> {
        match self {
            Fate::Expanded { best: m, .. }
            | Fate::BetaCutoff { by: m, .. }
            | Fate::ProbCut { by: m, .. }
            | Fate::Proven { by: m, .. }
                if m.0 != MoveCode::NONE.0 =>
            {
                Some(m)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that were both would select more than the fate it says.
    #[test]
    fn no_family_is_named_like_a_fate() {
        for family in &FATE_FAMILIES {
            assert!(
                FATES.iter().all(|f| f.name != family.name),
                "{}",
                family.name
            );
            assert_eq!(family.bits().count_ones() as usize, family.members.len());
        }
    }

    #[test]
    fn letters_and_names_are_unique() {
        for (i, a) in FATES.iter().enumerate() {
            for b in &FATES[i + 1..] {
                assert!(
                    a.name != b.name && a.letter != b.letter,
                    "{} / {}",
                    a.name,
                    b.name
                );
            }
        }
    }
}
