//! What a search's rules did and what audits found about them, as text and JSON.

use schemars::JsonSchema;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::number;
use super::schema::RuleName;
use super::sheet::{Cell, Table, count, percent};
use super::text::Style;
use game::{Scale, Score};
use lab::failure_interval;
use search::{AuditRow, Rule, Totals};

/// Returns the rules that were applied at all, in the order of the table, with their counts.
pub fn applied(totals: &Totals) -> Vec<(&'static str, u64)> {
    let count = |rule: Rule| (rule.name(), totals.applied(rule));
    Rule::ALL
        .into_iter()
        .map(count)
        .filter(|(_, n)| *n > 0)
        .collect()
}

/// Says how often a formula had no finite value, if it ever happened.
pub fn undefined(totals: &Totals) -> Option<String> {
    let times = match totals.undefined {
        0 => return None,
        1 => "once".to_owned(),
        n => format!("{} times", number::count(n)),
    };
    Some(format!(
        "a formula had no finite value {times}: the built-in one was used"
    ))
}

/// Serialises how often each rule was applied; only rules that were.
pub(super) fn rules<S: Serializer>(totals: &Totals, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for (name, count) in applied(totals) {
        map.serialize_entry(name, &count)?;
    }
    map.end()
}

/// The audits of one rule at one depth.
#[derive(Serialize, JsonSchema, Debug, Clone, PartialEq)]
pub struct AuditJson {
    #[schemars(with = "RuleName")]
    pub rule: &'static str,
    /// The plies left where the rule pruned; 0 in quiescence, 31 for 31 and more.
    pub depth: u8,
    /// How often it pruned.
    pub pruned: u64,
    /// How many of these were searched anyway.
    pub tried: u64,
    /// How many of those showed that the rule was wrong.
    pub failed: u64,
    /// The 95 % interval of the share that failed, by Wilson's score; null if nothing was tried.
    pub interval: Option<(f64, f64)>,
    /// The nodes that the audits took.
    pub nodes: u64,
    /// An estimate of the nodes that the rule saved; null if nothing was tried.
    pub nodes_saved: Option<f64>,
    /// By how much a failure missed its bound on average, in the integer unit, without mates; null without failures.
    pub cost_cp: Option<f64>,
    /// The same in expected score, mates included; null without failures.
    pub cost_expected: Option<f64>,
    /// The number of failures in which a mate was missed.
    pub mates: u64,
}

impl From<&AuditRow> for AuditJson {
    fn from(row: &AuditRow) -> AuditJson {
        AuditJson {
            rule: row.rule.name(),
            depth: row.depth,
            pruned: row.pruned,
            tried: row.tried,
            failed: row.failed,
            interval: failure_interval(row),
            nodes: row.nodes,
            nodes_saved: row.nodes_saved(),
            cost_cp: row.cost(),
            cost_expected: row.expected_cost(),
            mates: row.decided,
        }
    }
}

/// Returns one row per rule for all depths together, with the greatest depth.
pub fn by_rule(rows: &[AuditRow]) -> Vec<(AuditRow, u8)> {
    let mut sums: Vec<(AuditRow, u8)> = Vec::new();
    for row in rows {
        match sums.last_mut().filter(|(sum, _)| sum.rule == row.rule) {
            None => sums.push((*row, row.depth)),
            Some((sum, deepest)) => {
                *deepest = row.depth;
                sum.add(row);
            }
        }
    }
    sums
}

/// Returns the audits as a table with one row per rule.
pub fn audit_table(rows: &[AuditRow], scale: Scale, style: Style) -> String {
    let sums = by_rule(rows);
    let positive = |n: u64| Some(n).filter(|n| *n > 0);
    let table = Table::of(&sums)
        .column("rule", |(row, _)| row.rule.name())
        .column("depth", |(row, deepest)| {
            Cell::number(match (row.depth, *deepest) {
                (a, b) if a == b => a.to_string(),
                (a, b) => format!("{a}–{b}"),
            })
        })
        .column("pruned", |(row, _)| count(row.pruned))
        .column("tried", |(row, _)| count(row.tried))
        .column("failed", |(row, _)| count(row.failed))
        .column("%", |(row, _)| {
            positive(row.tried).map(|tried| percent(row.failed as f64 / tried as f64))
        })
        .column("95 %", |(row, _)| {
            let percents = |(low, high)| format!("{:.1}–{:.1}", low * 100.0, high * 100.0);
            failure_interval(row).map(percents).map(Cell::number)
        })
        .column("saved", |(row, _)| {
            // The saved nodes differ by depth, so they are added up instead of estimated from the sums.
            let of_rule = rows.iter().filter(|r| r.rule == row.rule);
            count(of_rule.filter_map(AuditRow::nodes_saved).sum::<f64>() as u64)
        })
        .column("lost", |(row, _)| {
            let mean = row.cost().map(|c| c.min(f64::from(Score::MAX.raw())));
            mean.map(|mean| Cell::number(number::amount(scale, mean as i32)))
        })
        .column("mates", |(row, _)| positive(row.decided));
    Table::from(table).text(style)
}
