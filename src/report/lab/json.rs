//! The results as JSON.

use serde::Serialize;

use super::Results;
use crate::json::{VERSION, Version};
use crate::rules::AuditJson;
use lab::statistics::Estimated;
use lab::{Changes, DepthChange, Evenness, Findings, Fit, Origin, QUANTILES, Spread, Stage, Trial};
use studies::suite::statistics::Interval;

/// The whole experiment. Scores are in centipawns from the view of the side to move at depth 0.
#[derive(Serialize, Debug)]
pub struct LabJson<'a> {
    version: Version,
    experiment: &'static str,
    source: &'a str,
    /// The tested rule.
    rule: &'static str,
    positions: usize,
    measured: usize,
    in_check: usize,
    depth: u16,
    complete: bool,
    changes: Vec<ChangesJson>,
    fits: FitsJson,
    /// One prune in this many was searched anyway; 0 means no trials.
    audit: u32,
    nodes_without: Option<u64>,
    trials: Vec<TrialJson>,
}

#[derive(Serialize, Debug)]
struct ChangesJson {
    from: &'static str,
    /// The shares for which `quantiles` are given.
    shares: [f64; QUANTILES.len()],
    depths: Vec<DepthJson>,
    spreads: Vec<SpreadJson>,
    /// sum r^2 / sum d.
    variance: Option<f64>,
}

#[derive(Serialize, Debug)]
struct DepthJson {
    depth: u16,
    n: usize,
    mates: usize,
    mean: f64,
    sd: Option<f64>,
    robust_sd: f64,
    quantiles: [f64; QUANTILES.len()],
    distance_95: f64,
    distance_99: f64,
}

#[derive(Serialize, Debug)]
struct SpreadJson {
    of: &'static str,
    root: Option<LineJson>,
    linear: Option<LineJson>,
    exponent: Option<EstimatedJson>,
}

#[derive(Serialize, Debug)]
struct LineJson {
    a: f64,
    error: Option<f64>,
    rms: f64,
}

#[derive(Serialize, Debug)]
struct EstimatedJson {
    value: f64,
    error: Option<f64>,
}

#[derive(Serialize, Debug)]
struct FitsJson {
    level: f64,
    branching: Option<f64>,
    families: Vec<FitJson>,
    law: Option<FitJson>,
}

#[derive(Serialize, Debug)]
struct FitJson {
    family: &'static str,
    margin: String,
    /// By depth from 1 on, like the next field.
    centipawns: Vec<i32>,
    beyond: Vec<f64>,
    rms: f64,
}

#[derive(Serialize, Debug)]
struct TrialJson {
    family: &'static str,
    margin: String,
    nodes: u64,
    finished: usize,
    /// The share of the nodes without the rule.
    saved: Option<f64>,
    /// The share of the nodes saved by the first family, or by the given margin.
    saving: Option<f64>,
    evenness: EvennessJson,
    rules: Vec<AuditJson>,
}

#[derive(Serialize, Debug)]
struct EvennessJson {
    tried: u64,
    failed: u64,
    interval: Option<Interval>,
    /// The factor by which the odds of failing change per ply.
    odds_a_ply: Option<f64>,
    odds_interval: Option<Interval>,
    p: Option<f64>,
}

/// Returns the one object of the experiment.
pub fn whole<'a>(results: &Results<'a>) -> LabJson<'a> {
    let findings = results.findings;
    let fits = findings.fits();
    LabJson {
        version: VERSION,
        experiment: "futility",
        source: results.source,
        rule: findings.tested.name(),
        positions: findings.positions,
        measured: findings.measured.len(),
        in_check: findings
            .measured
            .iter()
            .filter(|l| l.static_value.is_none())
            .count(),
        depth: findings.depth,
        complete: findings.stage == Stage::Done,
        changes: [Origin::Static, Origin::Quiescence]
            .map(|origin| ChangesJson::new(&findings.changes(origin)))
            .into(),
        fits: FitsJson {
            level: fits.level,
            branching: fits.branching,
            families: fits.fits.iter().map(FitJson::new).collect(),
            law: fits.law.as_ref().map(FitJson::new),
        },
        audit: findings.audit,
        nodes_without: findings.without,
        trials: findings
            .trials
            .iter()
            .map(|trial| TrialJson::new(trial, findings))
            .collect(),
    }
}

impl ChangesJson {
    fn new(changes: &Changes) -> Self {
        ChangesJson {
            from: match changes.origin {
                Origin::Static => "static",
                Origin::Quiescence => "quiescence",
            },
            shares: QUANTILES,
            depths: changes.depths.iter().map(DepthJson::new).collect(),
            spreads: changes.spreads.iter().map(SpreadJson::new).collect(),
            variance: changes.variance,
        }
    }
}

impl DepthJson {
    fn new(d: &DepthChange) -> Self {
        DepthJson {
            depth: d.depth,
            n: d.n,
            mates: d.mates,
            mean: d.mean,
            sd: d.sd,
            robust_sd: d.robust_sd,
            quantiles: d.quantiles,
            distance_95: d.distances[0],
            distance_99: d.distances[1],
        }
    }
}

impl SpreadJson {
    fn new(spread: &Spread) -> Self {
        let line = |(a, rms): (Estimated, f64)| LineJson {
            a: a.value,
            error: a.error,
            rms,
        };
        SpreadJson {
            of: spread.name,
            root: spread.root.map(line),
            linear: spread.linear.map(line),
            exponent: spread.exponent.map(|e| EstimatedJson {
                value: e.value,
                error: e.error,
            }),
        }
    }
}

impl FitJson {
    fn new(fit: &Fit) -> Self {
        FitJson {
            family: fit.margin.formula().family().name,
            margin: fit.margin.to_string(),
            centipawns: (1..=fit.beyond.len() as i32)
                .map(|d| fit.margin.at(d))
                .collect(),
            beyond: fit.beyond.clone(),
            rms: fit.distance,
        }
    }
}

impl TrialJson {
    fn new(trial: &Trial, findings: &Findings) -> Self {
        let evenness = Evenness::of(&trial.audits, findings.tested.rule());
        let share = |without: u64| 1.0 - trial.nodes as f64 / without as f64;
        TrialJson {
            family: trial.margin.formula().family().name,
            margin: trial.margin.to_string(),
            nodes: trial.nodes,
            finished: trial.finished,
            saved: findings.without.filter(|n| *n > 0).map(share),
            saving: trial.saving,
            evenness: EvennessJson {
                tried: evenness.tried,
                failed: evenness.failed,
                interval: evenness.interval,
                odds_a_ply: evenness.slope.map(|s| s.value.exp()),
                odds_interval: evenness.factor_interval(),
                p: evenness.p,
            },
            rules: trial.audits.iter().map(AuditJson::from).collect(),
        }
    }
}
