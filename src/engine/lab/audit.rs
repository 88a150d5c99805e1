//! What the audits of many searches found, by rule and depth.

use super::statistics::{Estimated, Tries, homogeneity, log_odds_slope};
use crate::engine::suite::statistics::{Interval, wilson};
use crate::search::{AuditRow, Control};

/// One rule at one depth, all searches of a trial together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuditTally {
    pub rule: &'static str,
    /// Plies left where the rule pruned; 0 in quiescence.
    pub depth: u8,
    /// How often it pruned.
    pub pruned: u64,
    /// How many of these were searched all the same.
    pub tried: u64,
    /// Of these, how many were pruned wrongly.
    pub failed: u64,
    /// Nodes that the audits took.
    pub nodes: u64,
    /// By how much the failures missed their bound in all, centipawns; those that were mates are in `decided`.
    pub lost: i64,
    pub decided: u64,
    /// The same in expected score, mates included.
    pub lost_expected: f64,
}

/// How a rule's failures go with depth.
///
/// The measure is the factor by which the odds of failing change a ply (logistic regression of failed and not failed on
/// depth, e^b): 1 is even, above 1 the rule fails the more the deeper it prunes. It counts every try alike, knows its own
/// error, and does not jump where a depth had no failure, as a ratio of largest to smallest share would. What it can't
/// see, a share that rises and falls again, shows in the test for homogeneity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evenness {
    pub tried: u64,
    pub failed: u64,
    /// 95 %, of the share that failed at any depth.
    pub interval: Option<Interval>,
    /// ln of the factor, with its standard error.
    pub slope: Option<Estimated>,
    /// How likely shares as different as these are, if they are the same at all depths.
    pub p: Option<f64>,
}

impl AuditTally {
    /// What the audits of one search found.
    #[must_use]
    pub fn of(control: &Control) -> Vec<AuditTally> {
        let rows = control.audits().map_or_else(Vec::new, |table| table.rows());
        rows.into_iter().map(AuditTally::from).collect()
    }

    /// Adds the rows of one search to those of others.
    pub fn add(all: &mut Vec<AuditTally>, rows: impl IntoIterator<Item = AuditTally>) {
        for row in rows {
            let place = all.binary_search_by_key(&(row.rule, row.depth), |t| (t.rule, t.depth));
            match place {
                Err(place) => all.insert(place, row),
                Ok(place) => {
                    let sum = &mut all[place];
                    sum.pruned += row.pruned;
                    sum.tried += row.tried;
                    sum.failed += row.failed;
                    sum.nodes += row.nodes;
                    sum.lost += row.lost;
                    sum.decided += row.decided;
                    sum.lost_expected += row.lost_expected;
                }
            }
        }
    }

    /// An estimate of the nodes saved: what an audit took, for each prune. `None` where nothing was tried.
    #[must_use]
    pub fn nodes_saved(&self) -> Option<f64> {
        (self.tried > 0).then(|| self.nodes as f64 / self.tried as f64 * self.pruned as f64)
    }

    /// 95 %, of the share that failed.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        wilson(self.failed as usize, self.tried as usize)
    }

    /// By how many centipawns a failure missed its bound, on average; mates left out.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        let ordinary = self.failed - self.decided.min(self.failed);
        (ordinary > 0).then(|| self.lost as f64 / ordinary as f64)
    }

    /// The same in expected score, mates included.
    #[must_use]
    pub fn expected_cost(&self) -> Option<f64> {
        (self.failed > 0).then(|| self.lost_expected / self.failed as f64)
    }
}

impl From<AuditRow> for AuditTally {
    fn from(row: AuditRow) -> Self {
        AuditTally {
            rule: row.rule.name(),
            depth: row.depth,
            pruned: row.pruned,
            tried: row.tried,
            failed: row.failed,
            nodes: row.nodes,
            lost: row.lost,
            decided: row.decided,
            lost_expected: row.lost_expected,
        }
    }
}

impl Evenness {
    /// 95 %, of the factor by which the odds of failing change a ply.
    #[must_use]
    pub fn factor_interval(&self) -> Option<Interval> {
        /// Standard deviations that hold 95 % of a normal distribution.
        const Z: f64 = 1.959_963_984_540_054;
        let slope = self.slope?;
        let error = slope.error?;
        Some((
            (slope.value - Z * error).exp(),
            (slope.value + Z * error).exp(),
        ))
    }

    /// Of one rule.
    #[must_use]
    pub fn of(tallies: &[AuditTally], rule: &str) -> Evenness {
        let rows = || tallies.iter().filter(|r| r.rule == rule);
        let tries: Vec<Tries> = rows()
            .map(|r| Tries {
                depth: f64::from(r.depth),
                tried: r.tried as f64,
                failed: r.failed as f64,
            })
            .collect();
        let tried = rows().map(|r| r.tried).sum();
        let failed = rows().map(|r| r.failed).sum();
        Evenness {
            tried,
            failed,
            interval: wilson(failed as usize, tried as usize),
            slope: log_odds_slope(&tries),
            p: homogeneity(&tries),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rule: &'static str, depth: u8, tried: u64, failed: u64) -> AuditTally {
        AuditTally {
            rule,
            depth,
            pruned: tried * 10,
            tried,
            failed,
            nodes: tried * 100,
            lost: 30 * failed as i64,
            decided: 0,
            lost_expected: 0.1 * failed as f64,
        }
    }

    #[test]
    fn searches_are_added_up_by_rule_and_depth() {
        let mut all = Vec::new();
        let futility = "futility";
        AuditTally::add(&mut all, [row(futility, 2, 10, 1), row(futility, 1, 20, 0)]);
        AuditTally::add(
            &mut all,
            [row("razoring", 1, 5, 5), row(futility, 2, 30, 3)],
        );
        let found: Vec<(&str, u8, u64, u64)> = all
            .iter()
            .map(|t| (t.rule, t.depth, t.tried, t.failed))
            .collect();
        let wanted = [
            (futility, 1, 20, 0),
            (futility, 2, 40, 4),
            ("razoring", 1, 5, 5),
        ];
        assert_eq!(found, wanted);
        assert_eq!(all[1].cost(), Some(30.0));
        assert_eq!(all[0].cost(), None);
        assert_eq!(all[1].nodes_saved(), Some(40_000.0));
    }

    #[test]
    fn evenness_is_of_one_rule() {
        let mut all = Vec::new();
        let rows = [
            row("futility", 1, 100, 20),
            row("futility", 2, 100, 30),
            row("razoring", 1, 100, 90),
        ];
        AuditTally::add(&mut all, rows);
        let evenness = Evenness::of(&all, "futility");
        assert_eq!((evenness.tried, evenness.failed), (200, 50));
        let factor = evenness.slope.expect("a slope").value.exp();
        assert!((factor - 30.0 / 70.0 * 4.0).abs() < 1e-6, "{factor}");
        assert!((evenness.p.expect("shares") - 0.102_47).abs() < 1e-4);
    }
}
