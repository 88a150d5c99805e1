//! A fate with its numbers, as JSON.

use serde::Serialize;

use super::figures::Figures;
use crate::game::Score;
use crate::report::json::bound_name;
use crate::report::why::ending_words;
use crate::tree::{Fate, NodeView};

/// A fate by its name in [`crate::tree::FATES`], with the numbers that decided it.
#[derive(Serialize, Debug)]
pub struct FateJson {
    pub name: &'static str,
    #[serde(flatten)]
    pub numbers: Numbers,
}

/// Scores are in the integer unit, from the view of the side to move at the event's node; probabilities in [0, 1].
#[derive(Serialize, Debug)]
#[serde(untagged)]
pub enum Numbers {
    /// `losing-exchange`.
    None {},
    /// `beta-cutoff`: the move that reached beta, and how many were searched with it.
    Cutoff {
        by: Option<String>,
        value: i16,
        beta: i16,
        searched: u8,
    },
    /// `probabilistic-cutoff`: `beta` is an expected score, the lower edge of a bin of beliefs.
    Probable {
        probability: f32,
        confidence: f32,
        beta: f32,
        searched: u8,
    },
    /// `stand-pat`.
    StandPat {
        #[serde(rename = "static")]
        static_value: i16,
        beta: i16,
    },
    /// `futility` (`depth`: plies left) and `delta-pruning` (`depth` is `null`): static + margin is not above alpha.
    Short {
        #[serde(rename = "static")]
        static_value: i16,
        margin: i16,
        alpha: i16,
        depth: Option<u8>,
    },
    /// `reverse-futility`: static - margin reaches beta with `depth` plies left.
    Above {
        #[serde(rename = "static")]
        static_value: i16,
        margin: i16,
        beta: i16,
        depth: u8,
    },
    /// `razoring`: static + margin is not above alpha, and quiescence brought `value`.
    Razored {
        #[serde(rename = "static")]
        static_value: i16,
        margin: i16,
        value: i16,
        depth: u8,
    },
    /// `null-move`: what passing brought, in a search `reduction` plies shallower.
    Passed {
        value: i16,
        beta: i16,
        reduction: u8,
        verified: bool,
    },
    /// `prob-cut`: the capture that reached `raised` in a search of `depth` plies.
    Raised {
        by: Option<String>,
        value: i16,
        raised: i16,
        depth: u8,
    },
    /// `multi-cut`: what the other moves bring in a search of `depth` plies.
    Several { value: i16, beta: i16, depth: u8 },
    /// `late-move`: so many moves came before it, `depth` plies left.
    Late { limit: u8, depth: u8 },
    /// `losing-move`: the exchange is worth less than this, `depth` plies left.
    Losing { threshold: i16, depth: u8 },
    /// `table-hit`: the entry, from a search to `depth`.
    Table {
        value: i16,
        depth: u8,
        bound: Option<&'static str>,
    },
    /// `tablebase`: the result in words, the distance to zeroing in plies (negative for the losing side), and the plies on the
    /// fifty-move clock.
    Endgame {
        result: &'static str,
        dtz: Option<i16>,
        clock: u8,
    },
    /// `ended`.
    Ended { ending: &'static str },
    /// `repetition`: earlier occurrences, and plies back to the latest of them.
    Repetition { times: u8, plies_back: u16 },
}

impl FateJson {
    /// `view` has the fate and says where it was given.
    pub(super) fn new(figures: Figures, view: &NodeView) -> FateJson {
        FateJson {
            name: view.fate.name(),
            numbers: numbers(figures, view),
        }
    }
}

/// Fates that no event tells have no numbers here.
fn numbers(figures: Figures, view: &NodeView) -> Numbers {
    let share = |of_65535: u16| f32::from(of_65535) / 65535.0;
    match view.fate {
        Fate::BetaCutoff {
            by,
            value,
            beta,
            searched,
        } => Numbers::Cutoff {
            by: figures.name(view.id, by),
            value: value.raw(),
            beta: beta.raw(),
            searched,
        },
        Fate::ProbabilisticCutoff {
            searched,
            probability,
            confidence,
            beta_bin,
        } => Numbers::Probable {
            probability: share(probability),
            confidence: share(confidence),
            beta: figures.reader.tree.grid().edges()[usize::from(beta_bin)],
            searched,
        },
        Fate::StandPat { static_value, beta } => Numbers::StandPat {
            static_value: static_value.raw(),
            beta: beta.raw(),
        },
        Fate::Futility {
            static_value,
            margin,
            alpha,
            depth,
        } => short(static_value, margin, alpha, Some(depth)),
        Fate::DeltaPruning {
            static_value,
            margin,
            alpha,
        } => short(static_value, margin, alpha, None),
        Fate::TableHit {
            value,
            depth,
            bound,
        } => Numbers::Table {
            value: value.raw(),
            depth,
            bound: bound_name(bound),
        },
        Fate::Ended(ending) => Numbers::Ended {
            ending: ending_words(ending),
        },
        Fate::Repetition { times, plies_back } => Numbers::Repetition { times, plies_back },
        Fate::ReverseFutility {
            static_value,
            margin,
            beta,
            depth,
        } => Numbers::Above {
            static_value: static_value.raw(),
            margin,
            beta: beta.raw(),
            depth,
        },
        Fate::Razoring {
            static_value,
            margin,
            value,
            depth,
        } => Numbers::Razored {
            static_value: static_value.raw(),
            margin,
            value: value.raw(),
            depth,
        },
        Fate::NullMove {
            value,
            beta,
            reduction,
            verified,
        } => Numbers::Passed {
            value: value.raw(),
            beta: beta.raw(),
            reduction,
            verified,
        },
        Fate::ProbCut {
            by,
            value,
            raised,
            depth,
        } => Numbers::Raised {
            by: figures.name(view.id, by),
            value: value.raw(),
            raised: raised.raw(),
            depth,
        },
        Fate::MultiCut { value, beta, depth } => Numbers::Several {
            value: value.raw(),
            beta: beta.raw(),
            depth,
        },
        Fate::LateMove { searched, depth } => Numbers::Late {
            limit: searched,
            depth,
        },
        Fate::LosingMove { threshold, depth } => Numbers::Losing { threshold, depth },
        Fate::Tablebase(hit) => Numbers::Endgame {
            result: hit.result.words(),
            dtz: hit.dtz,
            clock: hit.clock,
        },
        Fate::Unvisited
        | Fate::Frontier
        | Fate::Expanded { .. }
        | Fate::Horizon { .. }
        | Fate::LosingExchange
        | Fate::Proven { .. }
        | Fate::SiblingCutoff { .. }
        | Fate::SiblingProbabilisticCutoff { .. }
        | Fate::Unrecorded
        | Fate::Excluded
        | Fate::Interrupted => Numbers::None {},
    }
}

fn short(static_value: Score, margin: i16, alpha: Score, depth: Option<u8>) -> Numbers {
    Numbers::Short {
        static_value: static_value.raw(),
        margin,
        alpha: alpha.raw(),
        depth,
    }
}
