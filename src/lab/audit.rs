//! What the audits of many searches found, by rule and depth.

use super::statistics::{Estimated, Tries, homogeneity, log_odds_slope};
use search::{AuditRow, AuditTable, Control, Rule};
use studies::suite::statistics::{Interval, wilson};

/// How a rule's failures depend on depth.
///
/// The measure is the factor by which the odds of failing change per ply (logistic regression of failed and not failed
/// on depth, e^b). At 1 the failures are even; above 1 the rule fails the more often the deeper it prunes. The measure
/// weighs every try alike, has a known error, and does not jump where a depth had no failure, as a ratio of largest to
/// smallest share would. What it cannot see, a share that rises and falls again, appears in the test for homogeneity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evenness {
    pub tried: u64,
    pub failed: u64,
    /// The 95 % interval of the share that failed, over all depths.
    pub interval: Option<Interval>,
    /// The logarithm of the factor, with its standard error.
    pub slope: Option<Estimated>,
    /// The probability of shares that differ at least as much, if the true shares are the same at all depths.
    pub p: Option<f64>,
}

/// Returns what the audits of one search found, by rule and depth.
pub fn audits_of(control: &Control) -> Vec<AuditRow> {
    control.audits().map_or_else(Vec::new, AuditTable::rows)
}

/// Adds the rows of one search to those of others, keeping them ordered by rule and depth.
pub fn add_audits(all: &mut Vec<AuditRow>, rows: impl IntoIterator<Item = AuditRow>) {
    for row in rows {
        let place = |r: &AuditRow| (r.rule as usize, r.depth);
        match all.binary_search_by_key(&place(&row), place) {
            Err(at) => all.insert(at, row),
            Ok(at) => all[at].add(&row),
        }
    }
}

/// Returns the 95 % interval of the share of audits that failed.
pub fn failure_interval(row: &AuditRow) -> Option<Interval> {
    wilson(row.failed as usize, row.tried as usize)
}

impl Evenness {
    /// Returns the 95 % interval of the factor by which the odds of failing change per ply.
    pub fn factor_interval(&self) -> Option<Interval> {
        /// The number of standard deviations that contain 95 % of a normal distribution.
        const Z: f64 = 1.959_963_984_540_054;
        let slope = self.slope?;
        let error = slope.error?;
        Some((
            (slope.value - Z * error).exp(),
            (slope.value + Z * error).exp(),
        ))
    }

    /// Returns the evenness of one rule.
    pub fn of(audits: &[AuditRow], rule: Rule) -> Evenness {
        let rows = || audits.iter().filter(|r| r.rule == rule);
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

    fn row(rule: Rule, depth: u8, tried: u64, failed: u64) -> AuditRow {
        AuditRow {
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
        let futility = Rule::Futility;
        add_audits(&mut all, [row(futility, 2, 10, 1), row(futility, 1, 20, 0)]);
        add_audits(
            &mut all,
            [row(Rule::Razoring, 1, 5, 5), row(futility, 2, 30, 3)],
        );
        let found: Vec<(Rule, u8, u64, u64)> = all
            .iter()
            .map(|t| (t.rule, t.depth, t.tried, t.failed))
            .collect();
        let wanted = [
            (Rule::Razoring, 1, 5, 5),
            (futility, 1, 20, 0),
            (futility, 2, 40, 4),
        ];
        assert_eq!(found, wanted);
        assert_eq!(all[2].cost(), Some(30.0));
        assert_eq!(all[1].cost(), None);
        assert_eq!(all[2].nodes_saved(), Some(40_000.0));
    }

    #[test]
    fn evenness_is_of_one_rule() {
        let mut all = Vec::new();
        let rows = [
            row(Rule::Futility, 1, 100, 20),
            row(Rule::Futility, 2, 100, 30),
            row(Rule::Razoring, 1, 100, 90),
        ];
        add_audits(&mut all, rows);
        let evenness = Evenness::of(&all, Rule::Futility);
        assert_eq!((evenness.tried, evenness.failed), (200, 50));
        let factor = evenness.slope.expect("a slope").value.exp();
        assert!((factor - 30.0 / 70.0 * 4.0).abs() < 1e-6, "{factor}");
        assert!((evenness.p.expect("shares") - 0.102_47).abs() < 1e-4);
    }
}
