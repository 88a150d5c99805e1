//! What rules did: sentences for the pruned, for audits of it, and for depths that were changed.

use super::sentence::{Teller, plural};
use super::{number, raised, treated};
use crate::engine::Searcher;
use crate::game::{MoveCode, Score};
use crate::tree::{DepthChange, Fate, NodeView};

/// The word for the bound a rule pruned against.
type Bound = (&'static str, Score);

impl Teller<'_> {
    /// The sentence for what a rule pruned; `None` for other fates.
    pub(super) fn pruned(&self) -> Option<String> {
        Some(match self.view.fate {
            Fate::Futility {
                static_value,
                margin,
                alpha,
                depth,
            } => {
                let margin_words = format!("margin {} (depth {depth})", self.amount(margin));
                self.shortfall(
                    "Not searched",
                    static_value,
                    margin,
                    &margin_words,
                    Some(alpha),
                ) + "."
            }
            Fate::DeltaPruning {
                static_value,
                margin,
                alpha,
            } => {
                let margin_words = format!("capture and margin {}", self.amount(margin));
                self.shortfall(
                    "Not searched",
                    static_value,
                    margin,
                    &margin_words,
                    Some(alpha),
                ) + "."
            }
            Fate::Razoring {
                static_value,
                margin,
                value,
                depth,
            } => {
                let margin_words = format!("margin {} (depth {depth})", self.amount(margin));
                let alpha = self.window_now().map(|(alpha, _)| alpha);
                let sum = self.shortfall(BEFORE_MOVES, static_value, margin, &margin_words, alpha);
                format!(
                    "{sum}, and quiescence brings no more than {}.",
                    self.score(value)
                )
            }
            Fate::ReverseFutility {
                static_value,
                margin,
                beta,
                depth,
            } => format!(
                "{BEFORE_MOVES}: static value {} − margin {} (depth {depth}{}) = {} is {}.",
                self.score(static_value),
                self.amount(margin),
                if self.now && self.improves(&self.view) {
                    ", improving"
                } else {
                    ""
                },
                self.score(raised(static_value, -margin)),
                self.against(raised(static_value, -margin), ("beta", beta)),
            ),
            Fate::NullMove {
                value,
                beta,
                reduction,
                verified,
            } => format!(
                "{BEFORE_MOVES}: even passing brings {}, {}, in a search {} shallower{}.",
                self.score(value),
                self.against(value, ("beta", beta)),
                plural(reduction, "ply"),
                if verified {
                    "; a search without passing agrees"
                } else {
                    ""
                }
            ),
            Fate::ProbCut {
                by,
                value,
                raised,
                depth,
            } if by == MoveCode::NONE => format!(
                "{BEFORE_MOVES}: {} {} says that a full one {} in all probability (the threshold is {}).",
                self.score(value),
                searched_to(depth),
                if value < raised {
                    "does not beat alpha"
                } else {
                    "reaches beta"
                },
                self.score(raised),
            ),
            Fate::ProbCut {
                by,
                value,
                raised,
                depth,
            } => format!(
                "{BEFORE_MOVES}: {} brings {} {}, {}.",
                self.own_move(by),
                self.score(value),
                searched_to(depth),
                self.above_raised(value, raised),
            ),
            Fate::MultiCut { value, beta, depth } => format!(
                "{BEFORE_MOVES}: without the table's move there is still {} {}, {}: more than one move reaches it.",
                self.score(value),
                searched_to(depth),
                self.against(value, ("beta", beta)),
            ),
            Fate::LateMove { searched, depth } => format!(
                "Not searched: {} came before it in vain, the limit with {} left{}.",
                plural(searched, "move"),
                plural(depth, "ply"),
                if self.parent_improves() == Some(false) {
                    " where the side to move is not improving"
                } else {
                    ""
                }
            ),
            Fate::LosingMove { threshold, depth } => format!(
                "Not searched: by static exchange it loses more than the {} allowed with {} left.",
                self.amount(-threshold),
                plural(depth, "ply")
            ),
            Fate::LosingExchange => {
                "Not searched: the exchange on its square loses material.".into()
            }
            _ => return None,
        })
    }

    fn amount(&self, margin: i16) -> String {
        number::amount(self.scale, i32::from(margin))
    }

    /// Alpha and beta that the node was searched with last, where they go with the fate.
    fn window_now(&self) -> Option<(Score, Score)> {
        let window = self.view.window.filter(|_| self.now)?;
        Some((window.alpha, window.beta))
    }

    /// Static value + something against alpha: how much is missing.
    fn shortfall(
        &self,
        what: &str,
        static_value: Score,
        margin: i16,
        margin_words: &str,
        alpha: Option<Score>,
    ) -> String {
        let sum = raised(static_value, margin);
        let verdict = match alpha.filter(|&alpha| sum <= alpha) {
            // A razored node need not say how far it is from the window of another visit.
            None => "not above alpha".to_owned(),
            Some(alpha) if sum == alpha => format!("not above alpha {}", self.score(alpha)),
            Some(alpha) => self.against(sum, ("alpha", alpha)),
        };
        format!(
            "{what}: static value {} + {margin_words} = {} is {verdict}",
            self.score(static_value),
            self.score(sum)
        )
    }

    /// `0.25 above beta +0.35`; without the distance where one of both is a mate.
    fn against(&self, value: Score, (name, bound): Bound) -> String {
        let side = match value.cmp(&bound) {
            std::cmp::Ordering::Less => "below",
            std::cmp::Ordering::Equal => "at",
            std::cmp::Ordering::Greater => "above",
        };
        let off = i32::from(value.raw()) - i32::from(bound.raw());
        let distance = if off == 0 || value.is_decided() || bound.is_decided() {
            String::new()
        } else {
            format!("{} ", number::amount(self.scale, off.abs()))
        };
        format!("{distance}{side} {name} {}", self.score(bound))
    }

    /// What a capture reached, against beta + margin.
    fn above_raised(&self, value: Score, raised: Score) -> String {
        let against = self.against(value, ("", raised)).replace("  ", " ");
        let margin = self.window_now().map(|(_, beta)| {
            let margin = i32::from(raised.raw()) - i32::from(beta.raw());
            (beta, margin)
        });
        match margin {
            Some((beta, margin)) if margin >= 0 && !beta.is_decided() => format!(
                "{against} (beta {} + margin {})",
                self.score(beta),
                number::amount(self.scale, margin)
            ),
            _ => format!("{against} (beta + margin)"),
        }
    }

    /// Whether the search told that the side to move is getting better at a node: not where the rule is off, which takes
    /// it for always so.
    fn improves(&self, view: &NodeView) -> bool {
        view.improving && self.reader.tells_improving()
    }

    fn parent_improves(&self) -> Option<bool> {
        let known = self.now && self.reader.tells_improving() && !self.view.parent.is_none();
        known.then(|| self.reader.view(self.view.parent).improving)
    }

    /// What a search of the pruned, outside the score, found.
    pub(super) fn audit(&self) -> Option<String> {
        let audit = self.view.audit()?;
        let low = is_below(self.view.fate);
        let verdict = if audit.failed { "wrong" } else { "right" };
        // Searched against the bound, and no further than needed.
        let at = if low == audit.failed {
            "at least"
        } else {
            "at most"
        };
        let bound = self.audit_bound().filter(|&(_, bound)| {
            // The bound of another visit says nothing of this audit.
            let missed = if low {
                audit.value > bound
            } else {
                audit.value < bound
            };
            missed == audit.failed
        });
        let against = bound.map_or_else(String::new, |bound| {
            format!(", {}", self.against(audit.value, bound))
        });
        Some(format!(
            "Searched all the same, outside the score, it is worth {at} {}{against}: the rule was {verdict}.",
            self.score(audit.value)
        ))
    }

    /// What the pruned was thought not to reach, or to reach.
    fn audit_bound(&self) -> Option<Bound> {
        let alpha_of = |view: NodeView| view.window.map(|w| ("alpha", w.alpha));
        match self.view.fate {
            Fate::Futility { alpha, .. } | Fate::DeltaPruning { alpha, .. } => {
                Some(("alpha", alpha))
            }
            Fate::ReverseFutility { beta, .. }
            | Fate::NullMove { beta, .. }
            | Fate::MultiCut { beta, .. } => Some(("beta", beta)),
            Fate::ProbCut { .. } => self.view.window.map(|w| ("beta", w.beta)),
            Fate::Razoring { .. } => alpha_of(self.view),
            _ if !self.view.parent.is_none() => alpha_of(self.reader.view(self.view.parent)),
            _ => None,
        }
    }

    /// How the parent changed the depth that the node was searched to.
    pub(super) fn treatment(&self) -> Option<String> {
        let change = self.view.treatment.depth;
        if self.view.fate.is_skip() || change == DepthChange::None {
            return None;
        }
        let mut text = treated(change);
        if let DepthChange::Reduced { again: false, .. } = change
            && self.view.visits > 0
        {
            text = text.replace('.', "; it did not beat alpha so.");
        }
        let mut letters = text.chars();
        let first = letters.next()?.to_uppercase();
        Some(first.chain(letters).collect())
    }

    /// By how much correction history moved a static value that the sentence has named.
    pub(super) fn correction(&self) -> Option<String> {
        let (at, value) = match self.view.fate {
            Fate::Futility { static_value, .. } | Fate::DeltaPruning { static_value, .. } => {
                (self.view.parent, static_value)
            }
            Fate::ReverseFutility { static_value, .. }
            | Fate::Razoring { static_value, .. }
            | Fate::StandPat { static_value, .. }
            | Fate::Horizon { static_value } => (self.view.id, static_value),
            _ => return None,
        };
        if !matches!(self.reader.searcher, Searcher::Own(..)) {
            return None;
        }
        let (before, by) = self.reader.correction(at, value)?;
        let what = if by > 0 { "adds" } else { "takes off" };
        Some(format!(
            "The evaluation is {}; correction history {what} {}.",
            self.score(before),
            number::amount(self.scale, by.abs())
        ))
    }
}

const BEFORE_MOVES: &str = "Cut off before its moves";

/// Whether the rule took the move or node for one that does not reach alpha (else: for one that reaches beta).
pub(in crate::report) fn is_below(fate: Fate) -> bool {
    fate.is_skip() || matches!(fate, Fate::Razoring { .. })
}

fn searched_to(depth: u8) -> String {
    match depth {
        0 => "in quiescence".into(),
        _ => format!("in a search of {}", plural(depth, "ply")),
    }
}
