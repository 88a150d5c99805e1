//! What the experiment on calibration found: tables for people, and JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::belief::score::{CELLS, LEVELS};
use crate::engine::compare::Budget;
use crate::engine::lab::calibration::{Calibration, Figures};
use crate::engine::lab::report::{Aim, Fitted, Judgement, fit};
use crate::engine::suite::statistics::Interval;
use crate::eval::fitted::Report;
use crate::report::compare::{budget, budget_json, letter};
use crate::report::json::VERSION;
use crate::report::number;
use crate::report::text::{Style, align};

/// Findings with where they are from.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub source: &'a str,
    pub kind: Option<char>,
    /// In the file, of that kind.
    pub labels: usize,
    pub budget: Budget,
    pub threads: usize,
    pub seed: u64,
    pub complete: bool,
    pub found: &'a Calibration,
    /// Whether a report is fitted.
    pub fit: bool,
}

/// The experiment as JSON.
#[derive(Serialize, Debug)]
pub struct CalibrationJson<'a> {
    version: u32,
    experiment: &'static str,
    source: &'a str,
    kind: Option<char>,
    labels: usize,
    positions: usize,
    answered: usize,
    complete: bool,
    #[serde(serialize_with = "budget_json")]
    budget: Budget,
    threads: usize,
    seed: u64,
    levels: [f64; LEVELS.len()],
    columns: Vec<ColumnJson<'a>>,
    troubles: Vec<&'a str>,
}

#[derive(Serialize, Debug)]
struct ColumnJson<'a> {
    name: &'a str,
    #[serde(flatten)]
    figures: Option<FiguresJson>,
    agreement: Option<AgreementJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fit: Option<FitJson>,
}

/// A fitted report, and how it does.
#[derive(Serialize, Debug)]
struct FitJson {
    shift: f32,
    slope: f32,
    width: [f32; 4],
    trained: usize,
    held_out: usize,
    now: JudgementJson,
    then: JudgementJson,
}

#[derive(Serialize, Debug)]
struct JudgementJson {
    loss: f64,
    crps: f64,
    coverage: [f64; LEVELS.len()],
}

impl From<Judgement> for JudgementJson {
    fn from(j: Judgement) -> Self {
        JudgementJson {
            loss: j.loss,
            crps: j.crps,
            coverage: j.coverage,
        }
    }
}

impl From<Fitted> for FitJson {
    fn from(fitted: Fitted) -> Self {
        let Report {
            shift,
            slope,
            width,
        } = fitted.report;
        FitJson {
            shift,
            slope,
            width,
            trained: fitted.trained,
            held_out: fitted.held_out,
            now: fitted.now.into(),
            then: fitted.then.into(),
        }
    }
}

#[derive(Serialize, Debug)]
struct FiguresJson {
    n: usize,
    points: usize,
    coverage: Vec<CoverageJson>,
    crps: f64,
    crps_error: Option<f64>,
    bias: f64,
    bias_error: Option<f64>,
    rmse: f64,
    pit: [f64; CELLS],
}

#[derive(Serialize, Debug)]
struct CoverageJson {
    level: f64,
    share: f64,
    interval: Interval,
}

#[derive(Serialize, Debug)]
struct AgreementJson {
    hits: usize,
    n: usize,
    interval: Interval,
}

impl From<&Figures> for FiguresJson {
    fn from(figures: &Figures) -> FiguresJson {
        let coverage = LEVELS.iter().zip(figures.coverage);
        FiguresJson {
            n: figures.n,
            points: figures.points,
            coverage: coverage
                .map(|(&level, (share, interval))| CoverageJson {
                    level,
                    share,
                    interval,
                })
                .collect(),
            crps: figures.crps.value,
            crps_error: figures.crps.error,
            bias: figures.bias.value,
            bias_error: figures.bias.error,
            rmse: figures.rmse,
            pit: figures.pit,
        }
    }
}

/// The one object of the experiment.
#[must_use]
pub fn whole<'a>(results: &Results<'a>) -> CalibrationJson<'a> {
    let found = results.found;
    let column = |(place, name): (usize, &'a String)| ColumnJson {
        name,
        figures: found.figures(place).as_ref().map(FiguresJson::from),
        agreement: found
            .agreement(place)
            .map(|(hits, n, interval)| AgreementJson { hits, n, interval }),
        fit: fitted(results, place).map(FitJson::from),
    };
    CalibrationJson {
        version: VERSION,
        experiment: "calibration",
        source: results.source,
        kind: results.kind,
        labels: results.labels,
        positions: found.answers.len(),
        answered: found.answered(),
        complete: results.complete,
        budget: results.budget,
        threads: results.threads,
        seed: results.seed,
        levels: LEVELS,
        columns: found.columns.iter().enumerate().map(column).collect(),
        troubles: found.troubles(),
    }
}

/// A column's fitted report, where one is wanted and the column has what it takes.
fn fitted(results: &Results, column: usize) -> Option<Fitted> {
    let samples = results.fit.then(|| results.found.samples(column))?;
    fit(Aim::Root, &samples)
}

/// Fitted reports in words.
fn fits(results: &Results, out: &mut String) {
    for (place, name) in results.found.columns.iter().enumerate() {
        let Some(fitted) = fitted(results, place) else {
            let _ = writeln!(
                out,
                "\n{} {name}: too few of its beliefs to fit",
                letter(place)
            );
            continue;
        };
        let _ = writeln!(out, "\n{} {name}: {}", letter(place), fit_words(&fitted));
    }
}

/// A fit of the leaf's width, as text.
#[must_use]
pub fn leaf_text(fitted: &Fitted) -> String {
    format!("leaf: {}\n", fit_words(fitted))
}

/// The same as one JSON object.
#[must_use]
pub fn leaf_json(fitted: Fitted) -> impl Serialize {
    FitJson::from(fitted)
}

/// A fit and how it does, without a line's end.
fn fit_words(fitted: &Fitted) -> String {
    let Report {
        shift,
        slope,
        width: [a, b, c, d],
    } = fitted.report;
    let mut out = format!(
        "fitted to {}, judged by {} others\n  location = {shift:+.3} {slope:+.3} m   \
         ln width = {a:+.3} {b:+.3} ln(1+|m|) {c:+.3} phase {d:+.3} advanced pawns",
        fitted.trained, fitted.held_out,
    );
    for (what, j) in [("in use", fitted.now), ("fitted", fitted.then)] {
        let coverage = j.coverage.map(|c| number::percent(c as f32)).join(" / ");
        let _ = write!(
            out,
            "\n  {what}: loss {:.4}, CRPS {:.4}, within 50/80/90 %: {coverage}",
            j.loss, j.crps
        );
    }
    out
}

/// The same for people.
#[must_use]
pub fn text(results: &Results, style: Style) -> String {
    let found = results.found;
    let kind = results
        .kind
        .map_or_else(String::new, |k| format!(" of kind {k}"));
    let mut out = format!(
        "calibration · {} · {} of {} labels{kind} · {} each · seed {}\n",
        results.source,
        found.answers.len(),
        results.labels,
        budget(results.budget),
        results.seed
    );
    if !results.complete {
        let _ = writeln!(
            out,
            "INTERRUPTED: the figures are of the {} positions that every column answered",
            found.answered()
        );
    }
    out.push('\n');
    let figures: Vec<Option<Figures>> =
        (0..found.columns.len()).map(|c| found.figures(c)).collect();
    out.push_str(&table(found, &figures));
    if figures.iter().flatten().any(|f| f.points > 0) {
        out.push_str("points: positions where it had a value alone; their CRPS is its distance, their coverage means nothing\n");
    }
    out.push_str("\nWhere the truth lies in the belief (PIT), per cent in each tenth; 10 each is calibrated\n");
    out.push_str(&histograms(found, &figures));
    if results.fit {
        fits(results, &mut out);
    }
    for trouble in found.troubles() {
        let _ = writeln!(out, "trouble: {trouble}");
    }
    style.apply(out)
}

fn table(found: &Calibration, figures: &[Option<Figures>]) -> String {
    let mut head: Vec<String> = ["", "column", "n", "points"].map(String::from).into();
    for level in LEVELS {
        head.extend([number::percent(level as f32), "95 %".into()]);
    }
    head.extend(["CRPS", "bias", "rmse", "move", "95 %"].map(String::from));
    let right: Vec<usize> = (2..head.len()).collect();
    let mut rows = vec![head];
    for (place, name) in found.columns.iter().enumerate() {
        let mut row = vec![letter(place).to_string(), name.clone()];
        match &figures[place] {
            Some(f) => {
                row.push(f.n.to_string());
                row.push(if f.points > 0 {
                    f.points.to_string()
                } else {
                    String::new()
                });
                for (share, interval) in f.coverage {
                    row.extend([number::percent(share as f32), between(interval)]);
                }
                row.push(with_error(f.crps.value, f.crps.error));
                let bias = format!("{:+.3}", f.bias.value);
                let error = f
                    .bias
                    .error
                    .map_or_else(String::new, |e| format!("±{e:.3}"));
                row.push(number::minus(&bias) + &error);
                row.push(format!("{:.3}", f.rmse));
            }
            None => row.resize(13, String::new()),
        }
        match found.agreement(place) {
            Some((hits, n, interval)) => {
                row.extend([number::percent(hits as f32 / n as f32), between(interval)])
            }
            None => row.extend([String::new(), String::new()]),
        }
        rows.push(row);
    }
    align(&rows, &right)
}

fn histograms(found: &Calibration, figures: &[Option<Figures>]) -> String {
    let mut head = vec![String::new(), "column".to_owned()];
    head.extend((0..CELLS).map(|c| format!(".{c}")));
    let right: Vec<usize> = (2..head.len()).collect();
    let mut rows = vec![head];
    for (place, name) in found.columns.iter().enumerate() {
        let Some(figures) = &figures[place] else {
            continue;
        };
        let mut row = vec![letter(place).to_string(), name.clone()];
        row.extend(
            figures
                .pit
                .iter()
                .map(|share| format!("{:.1}", 100.0 * share)),
        );
        rows.push(row);
    }
    align(&rows, &right)
}

fn between((low, high): Interval) -> String {
    number::rare_between(low, high)
}

fn with_error(x: f64, error: Option<f64>) -> String {
    match error {
        Some(error) => format!("{x:.4}±{error:.4}"),
        None => format!("{x:.4}"),
    }
}
