//! The root of a search that knows the chance of each move to be the best: which one leads, how sure that is, what could still
//! overtake it, and what is decided.

use super::sentence::{Teller, plural};
use crate::axis::LEADS;
use crate::lens::Unit;
use crate::number;
use game::MoveCode;
use session::{NodeBelief, Policy, Row};
use tree::Tree;

/// How many rivals are named.
const NAMED: usize = 2;

impl Teller<'_> {
    /// Says which move leads and which could overtake it. `None` at other nodes, and in other searches.
    pub(super) fn leaders(&self, best: MoveCode) -> Option<String> {
        let known = self.now && self.view.id == Tree::ROOT;
        if !known || best == MoveCode::NONE || self.reader.policy() != Some(Policy::Best) {
            return None;
        }
        let rows = self.reader.rows(Tree::ROOT);
        let first = rows.iter().find(|row| row.move_code == best)?;
        let mut rivals: Vec<&Row> = rows
            .iter()
            .filter(|row| row.move_code != best && chance(row) >= LEADS)
            .collect();
        rivals.sort_by(|a, b| chance(b).total_cmp(&chance(a)));
        let name = text::sanitise(&first.label);
        let percent = text::percent(chance(first));
        let lead = match rivals.iter().all(|row| chance(row) <= chance(first)) {
            true => format!("{name} is most likely the best move ({percent})"),
            false => format!("{name} would be played (chance to be best {percent})"),
        };
        let worth = first
            .view
            .expected
            .map(|e| format!(", worth {}", self.scores.mean(e)));
        let range = first.belief.as_ref().and_then(|b| self.range(b));
        let searched = rows.iter().filter(|row| row.view.visits > 0).count();
        Some(format!(
            "{lead}{}{}.{}{}",
            worth.unwrap_or_default(),
            range.unwrap_or_default(),
            overtaking(&rivals),
            counted(&rows, searched)
        ))
    }

    /// Returns the quantiles between which the value lies with nine tenths of the mass.
    fn range(&self, belief: &NodeBelief) -> Option<String> {
        if !belief.is_distribution() {
            return None;
        }
        let grid = self.reader.tree.grid();
        let own = belief.quantile(0.05, grid)..=belief.quantile(0.95, grid);
        let (low, high) = self.scores.seen(own).into_inner();
        let shown = self.scores.as_shown();
        let write = |e: f32| match shown.unit() {
            // Shares of games have no quantiles.
            Some(Unit::Outcomes) => number::expected(e),
            _ => shown.mean(e),
        };
        Some(format!(" (5 to 95%: {} to {})", write(low), write(high)))
    }
}

/// Returns the chance of a move to be the best.
fn chance(row: &Row) -> f32 {
    row.view.policy.unwrap_or(0.0)
}

/// Names the moves that could still overtake the first.
fn overtaking(rivals: &[&Row]) -> String {
    let named: Vec<String> = rivals
        .iter()
        .take(NAMED)
        .map(|row| {
            let name = text::sanitise(&row.label);
            format!("{name} ({})", text::percent(chance(row)))
        })
        .collect();
    let more = rivals.len().saturating_sub(NAMED);
    match (named.as_slice(), more) {
        ([], _) => " No other move has a chance of 2%.".to_owned(),
        ([only], _) => format!(" {only} could still overtake it."),
        (two, 0) => format!(" {} could still overtake it.", two.join(" and ")),
        (two, more) => format!(
            " {} and {} could still overtake it.",
            two.join(", "),
            plural(more as u64, "other")
        ),
    }
}

/// Says how many moves were searched and how many are decided.
fn counted(rows: &[Row], searched: usize) -> String {
    let all = rows.iter().filter(|row| row.move_code.is_move()).count();
    let decided = |of: fn(&Row) -> bool| rows.iter().filter(|row| of(row)).count();
    let won = decided(|row| row.view.proof.is_win());
    let lost = decided(|row| row.view.proof.is_loss());
    let drawn = decided(|row| row.view.proof.is_exact() && !row.view.proof.lower.is_decided());
    let searched = match searched == all {
        true if all == 1 => " It is the only move".to_owned(),
        true => format!(" All {all} moves were searched"),
        false => format!(
            " {searched} of {} were searched",
            plural(all as u64, "move")
        ),
    };
    let kinds = [(won, "won"), (drawn, "drawn"), (lost, "lost")];
    let kinds: Vec<String> = kinds
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match kinds.is_empty() {
        true => format!("{searched}; none is decided."),
        false => format!("{searched}; decided: {}.", kinds.join(", ")),
    }
}
