//! The results of the experiment on futility.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::rules::AuditJson;
use crate::sheet::{Cell, Report, Sheet, Table, count, factor, fixed, percent, rare, signed};
use depth_first::margin::Margin;
use lab::statistics::Estimated;
use lab::{
    Changes, DepthChange, Evenness, Findings, Fit, Fits, Origin, QUANTILES, Spread, Stage, Trial,
    failure_interval,
};
use search::AuditRow;

/// The complete or partial results of the experiment.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// The source of the positions.
    pub source: &'a str,
    pub findings: &'a Findings,
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::MARGINS
    }

    fn verdict(&self) -> Verdict {
        verdict::margins(self.findings)
    }

    fn sheet(&self) -> Sheet {
        let findings = self.findings;
        let mut sheet = Sheet::new(format!(
            "{} · {} · {} positions · depth {}",
            findings.tested.name(),
            self.source,
            findings.positions,
            findings.depth,
        ));
        if findings.stage != Stage::Done {
            sheet.note(format!(
                "INTERRUPTED: {} positions measured, {} of {} families tried",
                findings.measured.len(),
                findings.trials.len(),
                findings.families.len(),
            ));
        }
        for origin in [Origin::Static, Origin::Quiescence] {
            changes(&findings.changes(origin), &mut sheet);
        }
        fits(findings, &findings.fits(), &mut sheet);
        if let Some(without) = findings.without {
            sheet.table(
                format!(
                    "Trials of {}: one prune in {} searched anyway; {} nodes with the rule off",
                    findings.tested.name(),
                    findings.audit,
                    number::count(without),
                ),
                trials(findings, without),
            );
            sheet.note(
                "of 1st: saves as much as the first margin does. odds/ply: the factor by which the odds of failing change from depth to\n\
                 depth; 1 is even. p: how likely shares as uneven as these are where all depths fail alike.",
            );
            sheet.table(
                "Share that failed by depth, with its 95 % interval and what was tried",
                by_depth(findings),
            );
            for trial in findings.trials.iter().take(1) {
                sheet.table(
                    format!(
                        "All rules with {} {}; cost: a failure's mean distance from its bound",
                        findings.tested.margin_key(),
                        trial.margin
                    ),
                    rules(&trial.audits),
                );
            }
        }
        sheet
    }

    /// Scores are in centipawns from the view of the side to move at depth 0.
    fn json(&self) -> Value {
        let findings = self.findings;
        let in_check = findings
            .measured
            .iter()
            .filter(|l| l.static_value.is_none());
        let changes =
            [Origin::Static, Origin::Quiescence].map(|o| changes_json(&findings.changes(o)));
        let fits = findings.fits();
        json!({
            "version": VERSION,
            "experiment": "futility",
            "source": self.source,
            "rule": findings.tested.name(),
            "positions": findings.positions,
            "measured": findings.measured.len(),
            "in_check": in_check.count(),
            "depth": findings.depth,
            "complete": findings.stage == Stage::Done,
            "changes": changes,
            "fits": {
                "level": fits.level,
                "branching": fits.branching,
                "families": fits.fits.iter().map(fit_json).collect::<Vec<_>>(),
                "law": fits.law.as_ref().map(fit_json),
            },
            "audit": findings.audit,
            "nodes_without": findings.without,
            "trials": findings.trials.iter().map(|t| trial_json(t, findings)).collect::<Vec<_>>(),
        })
    }
}

/// Adds a table for one starting value, and the fits of its spread.
fn changes(changes: &Changes, sheet: &mut Sheet) {
    let from = match changes.origin {
        Origin::Static => "the static value (positions in check have none)",
        Origin::Quiescence => "quiescence",
    };
    let table = Table::of(&changes.depths)
        .column("depth", |d| d.depth)
        .column("n", |d| d.n)
        .column("mates", |d| d.mates)
        .column("mean", |d| whole_signed(d.mean))
        .column("sd", |d| d.sd.map(whole))
        .column("robust", |d| whole(d.robust_sd))
        .columns(
            0..QUANTILES.len(),
            |i| format!("{:.0} %", QUANTILES[i] * 100.0),
            |d, i| whole_signed(d.quantiles[i]),
        )
        .columns(
            [0, 1],
            |i| ["±95 %", "±99 %"][i],
            |d, i| whole(d.distances[i]),
        );
    sheet.table(
        format!("Change of score from {from}, side to move, centipawns; mates are only counted"),
        table,
    );
    let estimated = |x: &Estimated, decimals| fixed(x.value, decimals).or_error(x.error, decimals);
    let table = Table::of(&changes.spreads)
        .column("spread", |s| s.name)
        .column("a·√d: a", |s| s.root.map(|fit| estimated(&fit.0, 1)))
        .column("rms", |s| s.root.map(|fit| whole(fit.1)))
        .column("a·d: a", |s| s.linear.map(|fit| estimated(&fit.0, 1)))
        .column("rms", |s| s.linear.map(|fit| whole(fit.1)))
        .column("a·d^b: b", |s| s.exponent.map(|b| estimated(&b, 2)));
    sheet.table("", table);
    if let Some(variance) = changes.variance {
        let sigma = variance.sqrt();
        sheet.note(format!(
            "as a random walk: σ = {sigma:.1} a ply (σ² = Σr²/Σd)"
        ));
    }
}

/// Adds every family's margin by depth, with the share of changes that exceed it.
fn fits(findings: &Findings, fits: &Fits, sheet: &mut Sheet) {
    let way = match findings.tested.direction() > 0.0 {
        true => "rises",
        false => "falls",
    };
    let growth = fits.branching.map_or_else(String::new, |branching| {
        format!("; the tree grows {branching} times an iteration")
    });
    let share = number::percent(fits.level as f32);
    let title = format!(
        "Margins fitted so that {share} of the {way} from the static value go beyond (quantile regression through 0):\n\
         centipawns, and the share beyond, by depth{growth}"
    );
    let all: Vec<&Fit> = fits.fits.iter().chain(&fits.law).collect();
    let rows: Vec<MarginRow> = all
        .iter()
        .flat_map(|fit| {
            [
                MarginRow::Margin(fit.margin, Some(fit.distance)),
                MarginRow::Beyond(&fit.beyond),
            ]
        })
        .collect();
    let deepest = all.iter().map(|fit| fit.beyond.len()).max().unwrap_or(0);
    sheet.table(title, margins(&rows, deepest));
    if fits.law.is_some() {
        sheet.note("The last one has σ by σ² = Σr²/Σd in place of a fitted one.");
    }
}

/// A row of the table of margins.
#[derive(Clone, Copy, Debug)]
pub enum MarginRow<'a> {
    /// A margin, and its distance from the measured quantile.
    Margin(Margin, Option<f64>),
    /// The share of the changes beyond the margin above, by depth from 1 on.
    Beyond(&'a [f64]),
}

/// Returns margins by depth, up to the deepest.
pub fn margins(rows: &[MarginRow], deepest: usize) -> Table {
    let table = Table::of(rows)
        .column("", |row| match row {
            MarginRow::Margin(margin, _) => family_letter(margin).into(),
            MarginRow::Beyond(_) => Cell::default(),
        })
        .column("margin", |row| match row {
            MarginRow::Margin(margin, _) => margin.to_string(),
            MarginRow::Beyond(_) => "  beyond".to_owned(),
        })
        .columns(
            1..=deepest,
            |depth| format!("d{depth}"),
            |row, depth| match row {
                MarginRow::Margin(margin, _) => Cell::from(margin.at(depth as i32)),
                MarginRow::Beyond(shares) => shares.get(depth - 1).map(|s| percent(*s)).into(),
            },
        )
        .minor(deepest.saturating_sub(1))
        .column("rms", |row| match row {
            MarginRow::Margin(_, distance) => distance.map(whole),
            MarginRow::Beyond(_) => None,
        });
    table.into()
}

fn family_letter(margin: &Margin) -> char {
    margin.formula().family().letter
}

/// Returns what the trials found: a row for each family.
pub fn trials(findings: &Findings, without: u64) -> Table {
    let evenness = |t: &Trial| Evenness::of(&t.audits, findings.tested.rule());
    let rows: Vec<_> = findings.trials.iter().map(|t| (t, evenness(t))).collect();
    let table = Table::of(&rows)
        .column("", |(trial, _)| family_letter(&trial.margin))
        .column("margin", |(trial, _)| trial.margin.to_string())
        .column("nodes", |(trial, _)| count(trial.nodes))
        .minor(1)
        .column("saves", |(trial, _)| {
            percent(1.0 - trial.nodes as f64 / without.max(1) as f64)
        })
        .column("of 1st", |(trial, _)| trial.saving.map(percent))
        .column("tried", |(_, e)| count(e.tried))
        .column("failed", |(_, e)| count(e.failed))
        .minor(2)
        .column("fails", |(_, e)| {
            let share = || rare(e.failed as f64 / e.tried as f64).among(e.interval);
            (e.tried > 0).then(share)
        })
        .column("odds/ply", |(_, e)| {
            e.slope.map(|slope| factor(slope.value.exp(), 2))
        })
        .column("95 %", |(_, e)| {
            let interval = e.factor_interval();
            interval.map(|(low, high)| Cell::number(format!("{low:.2}–{high:.2}")))
        })
        .column("p", |(_, e)| e.p.map(probability));
    table.into()
}

fn probability(p: f64) -> Cell {
    Cell::number(match p < 1e-9 {
        true => "<1e-9".to_owned(),
        false => number::small(p as f32),
    })
}

/// Returns the failure rates of the tested rule, with a row per depth and two columns per family.
pub fn by_depth(findings: &Findings) -> Table {
    let rule = findings.tested.rule();
    let of = |trial: &Trial, depth: u8| {
        let mut found = trial.audits.iter();
        found.find(|t| t.rule == rule && t.depth == depth).copied()
    };
    let depths = 0..=findings.depth as u8;
    let known = |depth: &u8| findings.trials.iter().any(|t| of(t, *depth).is_some());
    let depths: Vec<u8> = depths.filter(known).collect();
    let mut table = Table::of(&depths).column("depth", |depth| *depth);
    for trial in &findings.trials {
        let name = trial.margin.formula().family().name;
        table = table
            .column(name, |depth| of(trial, *depth).as_ref().and_then(failed))
            .column("tried", |depth| of(trial, *depth).map(|t| count(t.tried)))
            .minor(1);
    }
    table.into()
}

/// Returns the share that failed.
fn failed(t: &AuditRow) -> Option<Cell> {
    let share = || rare(t.failed as f64 / t.tried as f64).among(failure_interval(t));
    (t.tried > 0).then(share)
}

/// Returns the audits of every rule in one trial.
fn rules(audits: &[AuditRow]) -> Table {
    let table = Table::of(audits)
        .column("rule", |t| t.rule.name())
        .column("depth", |t| t.depth)
        .column("pruned", |t| count(t.pruned))
        .column("tried", |t| count(t.tried))
        .column("failed", |t| count(t.failed))
        .column("fails", failed)
        .column("saves", |t| t.nodes_saved().map(|n| count(n as u64)))
        .column("cp", |t| t.cost().map(whole))
        .column("e", |t| t.expected_cost().map(|e| fixed(e, 3)))
        .column("mates", |t| t.decided);
    table.into()
}

fn whole(x: f64) -> Cell {
    fixed(x, 0)
}

fn whole_signed(x: f64) -> Cell {
    // Avoids "-0".
    signed(x.round() + 0.0, 0)
}

fn changes_json(changes: &Changes) -> Value {
    let depth = |d: &DepthChange| {
        json!({
            "depth": d.depth,
            "n": d.n,
            "mates": d.mates,
            "mean": d.mean,
            "sd": d.sd,
            "robust_sd": d.robust_sd,
            "quantiles": d.quantiles,
            "distance_95": d.distances[0],
            "distance_99": d.distances[1],
        })
    };
    let line = |(a, rms): (Estimated, f64)| json!({"a": a.value, "error": a.error, "rms": rms});
    let spread = |spread: &Spread| {
        json!({
            "of": spread.name,
            "root": spread.root.map(line),
            "linear": spread.linear.map(line),
            "exponent": spread.exponent,
        })
    };
    json!({
        "from": match changes.origin {
            Origin::Static => "static",
            Origin::Quiescence => "quiescence",
        },
        "shares": QUANTILES,
        "depths": changes.depths.iter().map(depth).collect::<Vec<_>>(),
        "spreads": changes.spreads.iter().map(spread).collect::<Vec<_>>(),
        "variance": changes.variance,
    })
}

fn fit_json(fit: &Fit) -> Value {
    let depths = 1..=fit.beyond.len() as i32;
    json!({
        "family": fit.margin.formula().family().name,
        "margin": fit.margin.to_string(),
        "centipawns": depths.map(|d| fit.margin.at(d)).collect::<Vec<_>>(),
        "beyond": fit.beyond,
        "rms": fit.distance,
    })
}

fn trial_json(trial: &Trial, findings: &Findings) -> Value {
    let evenness = Evenness::of(&trial.audits, findings.tested.rule());
    let share = |without: u64| 1.0 - trial.nodes as f64 / without as f64;
    json!({
        "family": trial.margin.formula().family().name,
        "margin": trial.margin.to_string(),
        "nodes": trial.nodes,
        "finished": trial.finished,
        "saved": findings.without.filter(|n| *n > 0).map(share),
        "saving": trial.saving,
        "evenness": {
            "tried": evenness.tried,
            "failed": evenness.failed,
            "interval": evenness.interval,
            "odds_a_ply": evenness.slope.map(|s| s.value.exp()),
            "odds_interval": evenness.factor_interval(),
            "p": evenness.p,
        },
        "rules": trial.audits.iter().map(AuditJson::from).collect::<Vec<_>>(),
    })
}
