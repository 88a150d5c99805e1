//! What rules did: sentences for what was pruned, for audits of it, and for changed depths.

use super::sentence::Teller;
use super::{left_out_by, raised, treated};
use game::Score;
use session::GrownBy;
use tree::{DepthChange, NodeView};

/// The name and value of the bound against which a rule pruned.
type Bound = (&'static str, Score);

impl Teller<'_> {
    pub(super) fn amount(&self, margin: i16) -> String {
        self.scores.amount(i32::from(margin))
    }

    /// Returns the alpha and beta with which the node was last searched, if they belong to the fate.
    pub(super) fn window_now(&self) -> Option<(Score, Score)> {
        let window = self.view.window.filter(|_| self.now)?;
        Some((window.alpha, window.beta))
    }

    /// Compares the static value plus a margin with alpha and says how much is missing.
    pub(super) fn shortfall(
        &self,
        what: &str,
        static_value: Score,
        margin: i16,
        margin_words: &str,
        alpha: Option<Score>,
    ) -> String {
        let sum = raised(static_value, margin);
        let verdict = match alpha.filter(|&alpha| sum <= alpha) {
            // A razored node is not compared with the window of another visit.
            None => format!("not {} {}", self.scores.above(), self.scores.alpha()),
            Some(alpha) if sum == alpha => {
                let (above, name) = (self.scores.above(), self.scores.alpha());
                format!("not {above} {name} {}", self.score(alpha))
            }
            Some(alpha) => self.against(sum, (self.scores.alpha(), alpha)),
        };
        format!(
            "{what}: static value {} {} {margin_words} = {} is {verdict}",
            self.score(static_value),
            self.scores.plus(),
            self.score(sum)
        )
    }

    /// Describes a distance: `0.25 above beta +0.35`. If one of the two is a mate, the distance is left out.
    pub(super) fn against(&self, value: Score, (name, bound): Bound) -> String {
        let side = match value.cmp(&bound) {
            std::cmp::Ordering::Less => self.scores.below(),
            std::cmp::Ordering::Equal => "at",
            std::cmp::Ordering::Greater => self.scores.above(),
        };
        let distance = match self.scores.distance(value, bound) {
            none if none.is_empty() => none,
            distance => distance + " ",
        };
        format!("{distance}{side} {name} {}", self.score(bound))
    }

    /// Describes what a capture reached, against beta + margin.
    pub(super) fn above_raised(&self, value: Score, raised: Score) -> String {
        let against = self.against(value, ("", raised)).replace("  ", " ");
        let margin = self.window_now().map(|(_, beta)| {
            let margin = i32::from(raised.raw()) - i32::from(beta.raw());
            (beta, margin)
        });
        match margin {
            Some((beta, margin)) if margin >= 0 && !beta.is_decided() => format!(
                "{against} ({} {} {} margin {})",
                self.scores.beta(),
                self.score(beta),
                self.scores.plus(),
                self.scores.amount(margin)
            ),
            _ => format!(
                "{against} ({} {} margin)",
                self.scores.beta(),
                self.scores.plus()
            ),
        }
    }

    /// Whether the search found that the side to move is getting better at a node. False if the rule is off, because
    /// the search then always assumes so.
    pub(super) fn improves(&self, view: &NodeView) -> bool {
        view.improving && self.reader.tells_improving()
    }

    pub(super) fn parent_improves(&self) -> Option<bool> {
        let known = self.now && self.reader.tells_improving() && !self.view.parent.is_none();
        known.then(|| self.reader.view(self.view.parent).improving)
    }

    /// Describes what a search of the pruned move or node, outside the score, found.
    pub(super) fn audit(&self) -> Option<String> {
        let audit = self.view.audit()?;
        let low = self.view.fate.fails_low();
        let verdict = if audit.failed { "wrong" } else { "right" };
        let what = left_out_by(self.view.fate);
        // The search was against the bound and no more exact than necessary.
        let at = if low == audit.failed {
            self.scores.at_least()
        } else {
            self.scores.at_most()
        };
        let bound = self.audit_bound().filter(|&(_, bound)| {
            // The bound of another visit says nothing about this audit.
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
            "Searched all the same, outside the score, it is worth {at} {}{against}: the {what} was {verdict}.",
            self.score(audit.value)
        ))
    }

    /// Returns the bound that the pruned move or node was assumed not to reach, or to reach.
    fn audit_bound(&self) -> Option<Bound> {
        let fate = self.view.fate;
        if let Some(alpha) = fate.score("alpha") {
            return Some((self.scores.alpha(), alpha));
        }
        if let Some(beta) = fate.score("beta") {
            return Some((self.scores.beta(), beta));
        }
        let window = match self.decided_at() {
            at if at.is_none() => None,
            at if at == self.view.id => self.view.window,
            at => self.reader.view(at).window,
        }?;
        Some(if fate.fails_low() {
            (self.scores.alpha(), window.alpha)
        } else {
            (self.scores.beta(), window.beta)
        })
    }

    /// Describes how the parent changed the depth to which the node was searched.
    pub(super) fn treatment(&self) -> Option<String> {
        let change = self.view.treatment.depth;
        if self.view.fate.is_skip() || change == DepthChange::None {
            return None;
        }
        let mut text = treated(change, self.bound_of_parent());
        if let DepthChange::Reduced { again: false, .. } = change
            && self.view.visits > 0
        {
            let alpha = self.bound_of_parent();
            text = text.replace('.', &format!("; at that depth it did not beat {alpha}."));
        }
        let mut letters = text.chars();
        let first = letters.next()?.to_uppercase();
        Some(first.chain(letters).collect())
    }

    /// Describes by how much correction history changed a static value that the sentence has named.
    pub(super) fn correction(&self) -> Option<String> {
        let value = self.view.fate.score("static")?;
        if !matches!(self.reader.searcher, GrownBy::Own(..)) {
            return None;
        }
        let (before, by) = self.reader.correction(self.decided_at(), value)?;
        let more = self.scores.word(by > 0, by <= 0);
        let what = if more { "adds" } else { "takes off" };
        Some(format!(
            "The evaluation is {}; correction history {what} {}.",
            self.score(before),
            self.scores.amount(by.abs())
        ))
    }

    /// Returns the name of the bound that a move must beat, which is its parent's.
    fn bound_of_parent(&self) -> &'static str {
        self.lens.of_moves(self.reader, self.view.parent).alpha()
    }
}

pub(super) const BEFORE_MOVES: &str = "Cut off before its moves";
