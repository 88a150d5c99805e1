//! The audit: a sample of what the rules pruned is searched after all, outside the score, to see whether the rules were
//! right.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use super::Rule;
use game::{Scale, Score};

/// Depths are counted up to this one; deeper ones count as this one. Quiescence is depth 0.
pub const DEPTHS: usize = 32;

/// The unit in which costs are summed: this fraction of the expected score.
const UNIT: f32 = (1 << 20) as f32;

#[derive(Debug, Default)]
struct Cell {
    pruned: AtomicU64,
    tried: AtomicU64,
    failed: AtomicU64,
    nodes: AtomicU64,
    centipawns: AtomicI64,
    decided: AtomicU64,
    expected: AtomicI64,
}

/// What the audits of a search found, by rule and depth; all threads add to it.
#[derive(Debug)]
pub struct AuditTable {
    cells: Box<[[Cell; DEPTHS]; Rule::ALL.len()]>,
}

/// The audits of one rule at one depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuditRow {
    pub rule: Rule,
    /// Plies remaining where the rule pruned; 0 in quiescence.
    pub depth: u8,
    /// How often the rule pruned while the audit was on.
    pub pruned: u64,
    /// How many of these prunings were audited.
    pub tried: u64,
    /// How many of the audited prunings would have changed the node's result: a move whose value is above alpha, or a
    /// node whose value is above alpha or below beta although the rule claimed the opposite.
    pub failed: u64,
    /// The nodes that the audits took: one pruning saved `nodes / tried`, and all of them `pruned` times as much.
    pub nodes: u64,
    /// By how much the failures missed their bound in total, in the game's integer unit; those that were mates are
    /// counted in `decided` instead.
    pub lost: i64,
    pub decided: u64,
    /// The same in expected score, mates included.
    pub lost_expected: f64,
}

impl AuditRow {
    /// An estimate of the nodes that the rule saved at this depth; `None` where nothing was audited.
    pub fn nodes_saved(&self) -> Option<f64> {
        (self.tried > 0).then(|| self.nodes as f64 / self.tried as f64 * self.pruned as f64)
    }

    /// By how much a failure missed its bound on average, in the game's integer unit, without mates.
    pub fn cost(&self) -> Option<f64> {
        let ordinary = self.failed - self.decided.min(self.failed);
        (ordinary > 0).then(|| self.lost as f64 / ordinary as f64)
    }

    /// The same in expected score, mates included.
    pub fn expected_cost(&self) -> Option<f64> {
        (self.failed > 0).then(|| self.lost_expected / self.failed as f64)
    }

    /// Adds the audits of another row.
    pub fn add(&mut self, row: &AuditRow) {
        self.pruned += row.pruned;
        self.tried += row.tried;
        self.failed += row.failed;
        self.nodes += row.nodes;
        self.lost += row.lost;
        self.decided += row.decided;
        self.lost_expected += row.lost_expected;
    }
}

impl Default for AuditTable {
    fn default() -> Self {
        AuditTable {
            cells: Box::new(std::array::from_fn(|_| Default::default())),
        }
    }
}

impl AuditTable {
    fn cell(&self, rule: Rule, depth: i32) -> &Cell {
        &self.cells[rule as usize][(depth.max(0) as usize).min(DEPTHS - 1)]
    }

    /// Counts something that the rule pruned.
    pub fn count(&self, rule: Rule, depth: i32) {
        self.cell(rule, depth).pruned.fetch_add(1, Relaxed);
    }

    /// Counts an audit that took `nodes` nodes. `missed`: the rule was wrong, with the value found (first) and the
    /// bound (second) on whose wrong side it is.
    pub fn add(
        &self,
        rule: Rule,
        depth: i32,
        nodes: u64,
        missed: Option<(Score, Score)>,
        scale: Scale,
    ) {
        let cell = self.cell(rule, depth);
        cell.tried.fetch_add(1, Relaxed);
        cell.nodes.fetch_add(nodes, Relaxed);
        let Some((value, bound)) = missed else {
            return;
        };
        cell.failed.fetch_add(1, Relaxed);
        if value.is_decided() || bound.is_decided() {
            cell.decided.fetch_add(1, Relaxed);
        } else {
            let lost = i64::from(value.raw()) - i64::from(bound.raw());
            cell.centipawns.fetch_add(lost.abs(), Relaxed);
        }
        let lost = (scale.expected(value) - scale.expected(bound)).abs();
        cell.expected.fetch_add((lost * UNIT) as i64, Relaxed);
    }

    /// Adds what other audits have counted.
    pub fn add_rows(&self, rows: &[AuditRow]) {
        for row in rows {
            let cell = self.cell(row.rule, i32::from(row.depth));
            cell.pruned.fetch_add(row.pruned, Relaxed);
            cell.tried.fetch_add(row.tried, Relaxed);
            cell.failed.fetch_add(row.failed, Relaxed);
            cell.nodes.fetch_add(row.nodes, Relaxed);
            cell.decided.fetch_add(row.decided, Relaxed);
            cell.centipawns.fetch_add(row.lost, Relaxed);
            let expected = (row.lost_expected * f64::from(UNIT)) as i64;
            cell.expected.fetch_add(expected, Relaxed);
        }
    }

    /// The rules and depths at which anything was pruned, in order.
    pub fn rows(&self) -> Vec<AuditRow> {
        let mut rows = Vec::new();
        for (rule, cells) in Rule::ALL.into_iter().zip(self.cells.iter()) {
            for (depth, cell) in cells.iter().enumerate() {
                let row = AuditRow {
                    rule,
                    depth: depth as u8,
                    pruned: cell.pruned.load(Relaxed),
                    tried: cell.tried.load(Relaxed),
                    failed: cell.failed.load(Relaxed),
                    nodes: cell.nodes.load(Relaxed),
                    lost: cell.centipawns.load(Relaxed),
                    decided: cell.decided.load(Relaxed),
                    lost_expected: cell.expected.load(Relaxed) as f64 / f64::from(UNIT),
                };
                if row.pruned > 0 || row.tried > 0 {
                    rows.push(row);
                }
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_tell_what_was_added() {
        let table = AuditTable::default();
        for _ in 0..10 {
            table.count(Rule::Futility, 2);
        }
        let scale = Scale::Logistic;
        table.add(Rule::Futility, 2, 100, None, scale);
        let missed = (Score::new(150), Score::new(100));
        table.add(Rule::Futility, 2, 300, Some(missed), scale);
        table.add(
            Rule::NullMove,
            40,
            7,
            Some((Score::loss_in(3), Score::new(0))),
            scale,
        );
        let [null_move, futility] = table.rows().try_into().expect("two rows");
        assert_eq!(
            (futility.pruned, futility.tried, futility.failed),
            (10, 2, 1)
        );
        assert_eq!((futility.lost, futility.nodes_saved()), (50, Some(2000.0)));
        let lost = f64::from(scale.expected(Score::new(150)) - scale.expected(Score::new(100)));
        assert!((futility.lost_expected - lost).abs() < 1e-5);
        assert_eq!(
            (null_move.depth, null_move.decided, null_move.lost),
            (31, 1, 0)
        );
        assert!((null_move.lost_expected - 1.0).abs() < 1e-5);
    }
}
