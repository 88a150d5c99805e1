//! The results as text.

use std::fmt::Write as _;

use super::Results;
use crate::number;
use crate::text::{Style, align};
use lab::statistics::Estimated;
use lab::{
    Changes, DepthChange, Evenness, Findings, Fit, Fits, Origin, QUANTILES, Spread, Stage, Trial,
    failure_interval,
};
use search::AuditRow;
use studies::suite::statistics::Interval;

/// Returns all sections.
pub fn text(results: &Results, style: Style) -> String {
    let findings = results.findings;
    let mut out = head(results);
    for origin in [Origin::Static, Origin::Quiescence] {
        out.push('\n');
        out.push_str(&changes(&findings.changes(origin)));
    }
    out.push('\n');
    out.push_str(&fits(findings, &findings.fits()));
    if let Some(without) = findings.without {
        out.push('\n');
        out.push_str(&trials(findings, without));
        out.push('\n');
        out.push_str(&by_depth(findings));
        if let Some(trial) = findings.trials.first() {
            out.push('\n');
            out.push_str(&rules(findings, trial));
        }
    }
    style.apply(out)
}

fn head(results: &Results) -> String {
    let findings = results.findings;
    let mut out = format!(
        "{} · {} · {} positions · depth {}\n",
        findings.tested.name(),
        results.source,
        findings.positions,
        findings.depth,
    );
    if findings.stage != Stage::Done {
        let measured = findings.measured.len();
        let _ = writeln!(
            out,
            "INTERRUPTED: {measured} positions measured, {} of {} families tried",
            findings.trials.len(),
            findings.families.len(),
        );
    }
    out
}

/// Returns a table for one starting value, and the fits of its spread.
fn changes(changes: &Changes) -> String {
    let from = match changes.origin {
        Origin::Static => "the static value (positions in check have none)",
        Origin::Quiescence => "quiescence",
    };
    let mut out =
        format!("Change of score from {from}, side to move, centipawns; mates are only counted\n");
    let mut head: Vec<String> = ["depth", "n", "mates", "mean", "sd", "robust"]
        .map(String::from)
        .into();
    head.extend(QUANTILES.iter().map(|p| format!("{:.0} %", p * 100.0)));
    head.extend(["±95 %", "±99 %"].map(String::from));
    let right: Vec<usize> = (0..head.len()).collect();
    let mut rows = vec![head];
    rows.extend(changes.depths.iter().map(depth_row));
    out.push_str(&align(&rows, &right));
    out.push('\n');
    let head = ["spread", "a·√d: a", "rms", "a·d: a", "rms", "a·d^b: b"];
    let mut rows = vec![head.map(String::from)];
    rows.extend(changes.spreads.iter().map(spread_row));
    out.push_str(&align(&rows, &[1, 2, 3, 4, 5]));
    if let Some(variance) = changes.variance {
        let sigma = variance.sqrt();
        let _ = writeln!(out, "as a random walk: σ = {sigma:.1} a ply (σ² = Σr²/Σd)");
    }
    out
}

fn depth_row(d: &DepthChange) -> Vec<String> {
    let mut row = vec![
        d.depth.to_string(),
        d.n.to_string(),
        d.mates.to_string(),
        signed(d.mean),
        d.sd.map_or_else(String::new, whole),
        whole(d.robust_sd),
    ];
    row.extend(d.quantiles.iter().map(|q| signed(*q)));
    row.extend(d.distances.iter().map(|q| whole(*q)));
    row
}

fn spread_row(spread: &Spread) -> [String; 6] {
    let fit = |fit: &Option<(Estimated, f64)>| match fit {
        Some((a, rms)) => (with_error(a, 1), whole(*rms)),
        None => Default::default(),
    };
    let (root, root_rms) = fit(&spread.root);
    let (linear, linear_rms) = fit(&spread.linear);
    [
        spread.name.to_owned(),
        root,
        root_rms,
        linear,
        linear_rms,
        spread
            .exponent
            .map_or_else(String::new, |b| with_error(&b, 2)),
    ]
}

/// Returns every family's margin by depth, with the share of changes that exceed it.
fn fits(findings: &Findings, fits: &Fits) -> String {
    let way = if findings.tested.direction() > 0.0 {
        "rises"
    } else {
        "falls"
    };
    let mut out = format!(
        "Margins fitted so that {} of the {way} from the static value go beyond (quantile regression through 0):\n\
         centipawns, and the share beyond, by depth",
        number::percent(fits.level as f32)
    );
    if let Some(branching) = fits.branching {
        let _ = write!(out, "; the tree grows {branching} times an iteration");
    }
    out.push('\n');
    let deepest = fits.fits.iter().map(|f| f.beyond.len()).max().unwrap_or(0);
    let mut head = vec!["margin".to_owned()];
    head.extend((1..=deepest).map(|d| format!("d{d}")));
    head.push("rms".into());
    let right: Vec<usize> = (1..head.len()).collect();
    let mut rows = vec![head];
    for fit in fits.fits.iter().chain(&fits.law) {
        rows.push(margin_row(fit, deepest));
        let mut beyond = vec!["  beyond".to_owned()];
        beyond.extend(fit.beyond.iter().map(|b| number::percent(*b as f32)));
        beyond.resize(deepest + 2, String::new());
        rows.push(beyond);
    }
    out.push_str(&align(&rows, &right));
    if fits.law.is_some() {
        out.push_str("The last one has σ by σ² = Σr²/Σd in place of a fitted one.\n");
    }
    out
}

fn margin_row(fit: &Fit, deepest: usize) -> Vec<String> {
    let mut row = vec![fit.margin.to_string()];
    row.extend((1..=deepest).map(|d| fit.margin.at(d as i32).to_string()));
    row.push(whole(fit.distance));
    row
}

fn trials(findings: &Findings, without: u64) -> String {
    let mut out = format!(
        "Trials of {}: one prune in {} searched all the same; {} nodes with the rule off\n",
        findings.tested.name(),
        findings.audit,
        number::count(without),
    );
    let head = [
        "margin",
        "nodes",
        "saved",
        "of the first",
        "tried",
        "failed",
        "share",
        "95 %",
        "odds a ply",
        "95 %",
        "p (even)",
    ];
    let mut rows = vec![head.map(String::from)];
    for trial in &findings.trials {
        rows.push(trial_row(
            trial,
            &Evenness::of(&trial.audits, findings.tested.rule()),
            without,
        ));
    }
    out.push_str(&align(&rows, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    out.push_str(
        "odds a ply: the factor by which the odds of failing change from depth to depth; 1 is even. p: how likely shares as\n\
         uneven as these are where all depths fail alike.\n",
    );
    out
}

fn trial_row(trial: &Trial, evenness: &Evenness, without: u64) -> [String; 11] {
    let percent = |share: f64| number::percent(share as f32);
    let saved = 1.0 - trial.nodes as f64 / without.max(1) as f64;
    let share = evenness.failed as f64 / evenness.tried.max(1) as f64;
    let factor = |slope: &Estimated| format!("×{:.2}", slope.value.exp());
    [
        trial.margin.to_string(),
        number::count(trial.nodes),
        number::minus(&percent(saved)),
        trial.saving.map_or_else(String::new, percent),
        number::count(evenness.tried),
        number::count(evenness.failed),
        if evenness.tried > 0 {
            number::rare(share)
        } else {
            String::new()
        },
        evenness.interval.map_or_else(String::new, between),
        evenness.slope.as_ref().map_or_else(String::new, factor),
        evenness
            .factor_interval()
            .map_or_else(String::new, |(low, high)| format!("{low:.2}–{high:.2}")),
        evenness
            .p
            .map_or_else(String::new, |p| number::small(p.max(1e-30) as f32)),
    ]
}

/// Returns the failure rates of the tested rule, with a row per depth and a column per family.
fn by_depth(findings: &Findings) -> String {
    let rule = findings.tested.rule();
    let mut out =
        String::from("Share that failed by depth, with its 95 % interval and what was tried\n");
    let mut head = vec!["depth".to_owned()];
    for trial in &findings.trials {
        head.push(trial.margin.formula().family().name.to_owned());
        head.extend(["95 %", "tried"].map(String::from));
    }
    let right: Vec<usize> = (0..head.len()).collect();
    let mut rows = vec![head];
    for depth in 0..=findings.depth as u8 {
        let of = |trial: &Trial| {
            let found = trial.audits.iter();
            found.copied().find(|t| t.rule == rule && t.depth == depth)
        };
        if !findings.trials.iter().any(|t| of(t).is_some()) {
            continue;
        }
        let mut row = vec![depth.to_string()];
        for trial in &findings.trials {
            row.extend(of(trial).map_or_else(Default::default, |t| share(&t)));
        }
        rows.push(row);
    }
    out.push_str(&align(&rows, &right));
    out
}

/// Returns the rate, its interval and the number of trials.
fn share(t: &AuditRow) -> [String; 3] {
    let Some(interval) = failure_interval(t) else {
        return [String::new(), String::new(), "0".into()];
    };
    let share = t.failed as f64 / t.tried as f64;
    [
        number::rare(share),
        between(interval),
        number::count(t.tried),
    ]
}

/// Returns the audits of every rule in one trial.
fn rules(findings: &Findings, trial: &Trial) -> String {
    let mut out = format!(
        "All rules with {} {}; cost: a failure's mean distance from its bound\n",
        findings.tested.margin_key(),
        trial.margin
    );
    let head = [
        "rule", "depth", "pruned", "tried", "failed", "share", "95 %", "saves", "cp", "e", "mates",
    ];
    let mut rows = vec![head.map(String::from)];
    for t in &trial.audits {
        let [share, interval, tried] = share(t);
        rows.push([
            t.rule.name().to_owned(),
            t.depth.to_string(),
            number::count(t.pruned),
            tried,
            number::count(t.failed),
            share,
            interval,
            t.nodes_saved()
                .map_or_else(String::new, |n| number::count(n as u64)),
            t.cost().map_or_else(String::new, whole),
            t.expected_cost()
                .map_or_else(String::new, |e| format!("{e:.3}")),
            t.decided.to_string(),
        ]);
    }
    out.push_str(&align(&rows, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    out
}

fn between((low, high): Interval) -> String {
    number::rare_between(low, high)
}

fn whole(x: f64) -> String {
    format!("{x:.0}")
}

fn signed(x: f64) -> String {
    // Avoids "-0".
    number::minus(&format!("{:+.0}", x.round() + 0.0))
}

fn with_error(x: &Estimated, decimals: usize) -> String {
    let value = number::minus(&format!("{:.decimals$}", x.value));
    match x.error {
        Some(error) => format!("{value} ± {error:.decimals$}"),
        None => value,
    }
}
