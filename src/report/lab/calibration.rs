//! The results of the experiment on calibration: tables and JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::compare::{budget, letter};
use crate::json::{VERSION, Version};
use crate::number;
use crate::text::{Style, align};
use belief::score::{CELLS, LEVELS};
use eval::fitted::{Curved, Report};
use lab::calibration::{Calibration, Figures};
use lab::report::{Aim, Fitted, Judgement, fit};
use session::Budget;
use studies::suite::statistics::Interval;

/// Results with their source.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub source: &'a str,
    pub kind: Option<char>,
    /// The number of labels in the file, of that kind.
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
    version: Version,
    experiment: &'static str,
    source: &'a str,
    kind: Option<char>,
    labels: usize,
    positions: usize,
    answered: usize,
    complete: bool,
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
    control: Option<ControlJson>,
    agreement: Option<AgreementJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fit: Option<FitJson>,
}

/// A fitted report, and how well it does.
#[derive(Serialize, Debug)]
struct FitJson {
    shift: f32,
    slope: f32,
    bend: f32,
    width: [f32; 4],
    swell: f32,
    trained: usize,
    held_out: usize,
    now: JudgementJson,
    then: JudgementJson,
}

#[derive(Serialize, Debug)]
struct JudgementJson {
    loss: f64,
    crps: f64,
    rmse: f64,
    coverage: [f64; LEVELS.len()],
}

impl From<Judgement> for JudgementJson {
    fn from(j: Judgement) -> Self {
        JudgementJson {
            loss: j.loss,
            crps: j.crps,
            rmse: j.rmse,
            coverage: j.coverage,
        }
    }
}

impl From<Fitted> for FitJson {
    fn from(fitted: Fitted) -> Self {
        let Curved { line, bend, swell } = fitted.report;
        FitJson {
            shift: line.shift,
            slope: line.slope,
            bend,
            width: line.width,
            swell,
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

/// A column's mean with a width from the errors of other positions, and how the column's belief compares with the
/// controls.
#[derive(Serialize, Debug)]
struct ControlJson {
    #[serde(flatten)]
    figures: FiguresJson,
    /// By column: the CRPS of this column's belief minus that of the other one's control; negative if the belief is
    /// better.
    belief_less_control: Vec<DifferenceJson>,
}

#[derive(Serialize, Debug)]
struct DifferenceJson {
    crps: Option<f64>,
    crps_error: Option<f64>,
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

/// Returns the one object of the experiment.
pub fn whole<'a>(results: &Results<'a>) -> CalibrationJson<'a> {
    let found = results.found;
    let column = |(place, name): (usize, &'a String)| ColumnJson {
        name,
        figures: found.figures(place).as_ref().map(FiguresJson::from),
        control: controlled(found, place),
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

fn controlled(found: &Calibration, column: usize) -> Option<ControlJson> {
    let against = |other| {
        let difference = found.against_control(column, other);
        DifferenceJson {
            crps: difference.map(|d| d.value),
            crps_error: difference.and_then(|d| d.error),
        }
    };
    Some(ControlJson {
        figures: FiguresJson::from(&found.control(column)?),
        belief_less_control: (0..found.columns.len()).map(against).collect(),
    })
}

/// Returns a column's fitted report, if one is wanted and the column has the data for it.
fn fitted(results: &Results, column: usize) -> Option<Fitted> {
    let samples = results.fit.then(|| results.found.samples(column))?;
    fit(Aim::Root, &samples)
}

/// Writes the fitted reports as text.
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

/// Returns a fit of the leaf's width as text.
pub fn leaf_text(fitted: &Fitted) -> String {
    format!("leaf: {}\n", fit_words(fitted))
}

/// Returns the same fit as one JSON object.
pub fn leaf_json(fitted: Fitted) -> impl Serialize {
    FitJson::from(fitted)
}

/// Describes a fit and how well it does, without a line end.
fn fit_words(fitted: &Fitted) -> String {
    let Curved { line, bend, swell } = fitted.report;
    let Report {
        shift,
        slope,
        width: [a, b, c, d],
    } = line;
    let mut out = format!(
        "fitted to {}, judged by {} others\n  location = {shift:+.3} {slope:+.3} m {bend:+.3} tanh(m/2)   \
         ln width = {a:+.3} {b:+.3} ln(1+|m|) {swell:+.3} ln(1+|m|)^2 {c:+.3} phase {d:+.3} advanced pawns",
        fitted.trained, fitted.held_out,
    );
    for (what, j) in [("in use", fitted.now), ("fitted", fitted.then)] {
        let coverage = j.coverage.map(|c| number::percent(c as f32)).join(" / ");
        let _ = write!(
            out,
            "\n  {what}: loss {:.4}, CRPS {:.4}, rmse {:.4}, within 50/80/90 %: {coverage}",
            j.loss, j.crps, j.rmse
        );
    }
    out
}

/// Returns the results as text.
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
    out.push_str(&controls(found, &figures));
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
    let mut head: Vec<String> = ["", "column", "points"].map(String::from).into();
    head.extend(figure_heads());
    head.extend(["move", "95 %"].map(String::from));
    let right: Vec<usize> = (2..head.len()).collect();
    let mut rows = vec![head];
    for (place, name) in found.columns.iter().enumerate() {
        let mut row = vec![letter(place).to_string(), name.clone()];
        let figures = figures[place].as_ref();
        let points = figures.map_or(0, |f| f.points);
        row.push(if points > 0 {
            points.to_string()
        } else {
            String::new()
        });
        row.extend(figure_cells(figures));
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

/// Returns the control of every column, and whether a belief says more than the best of them. Empty if there are too
/// few positions.
fn controls(found: &Calibration, figures: &[Option<Figures>]) -> String {
    let columns = found.columns.iter().enumerate();
    let controls: Vec<(usize, &String, Figures)> = columns
        .filter_map(|(place, name)| Some((place, name, found.control(place)?)))
        .collect();
    let best = controls
        .iter()
        .min_by(|a, b| a.2.crps.value.total_cmp(&b.2.crps.value));
    let Some((best, _, _)) = best else {
        return String::new();
    };
    let mut out = String::from(
        "\nControl: the column's mean alone, with the errors of the positions in other tenths of the file, by sixths of its size\n",
    );
    let mut head: Vec<String> = ["", "mean of"].map(String::from).into();
    head.extend(figure_heads());
    head.extend([
        "belief less own control".to_owned(),
        format!("less {}'s", letter(*best)),
    ]);
    let right: Vec<usize> = (2..head.len()).collect();
    let mut rows = vec![head];
    for (place, name, control) in &controls {
        let mut row = vec![letter(*place).to_string(), (*name).clone()];
        row.extend(figure_cells(Some(control)));
        // A column that only has points has no belief to compare.
        let believes = figures[*place].as_ref().is_some_and(|f| f.points < f.n);
        row.extend([*place, *best].map(|other| {
            let difference = found.against_control(*place, other);
            difference
                .filter(|_| believes)
                .map_or_else(String::new, |d| {
                    number::minus(&with_error_signed(d.value, d.error))
                })
        }));
        rows.push(row);
    }
    out.push_str(&align(&rows, &right));
    out.push_str(
        "belief less control: difference of CRPS ± standard error; below 0 the belief says more than that value with an error bar\n",
    );
    out
}

fn figure_heads() -> Vec<String> {
    let mut heads = vec!["n".to_owned()];
    for level in LEVELS {
        heads.extend([number::percent(level as f32), "95 %".into()]);
    }
    heads.extend(["CRPS", "bias", "rmse"].map(String::from));
    heads
}

/// Returns one cell for each of [`figure_heads`].
fn figure_cells(figures: Option<&Figures>) -> Vec<String> {
    let Some(f) = figures else {
        return vec![String::new(); figure_heads().len()];
    };
    let mut cells = vec![f.n.to_string()];
    for (share, interval) in f.coverage {
        cells.extend([number::percent(share as f32), between(interval)]);
    }
    cells.push(with_error(f.crps.value, f.crps.error));
    let error = f
        .bias
        .error
        .map_or_else(String::new, |e| format!("±{e:.3}"));
    cells.push(number::minus(&format!("{:+.3}", f.bias.value)) + &error);
    cells.push(format!("{:.3}", f.rmse));
    cells
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

fn with_error_signed(x: f64, error: Option<f64>) -> String {
    let error = error.map_or_else(String::new, |e| format!("±{e:.4}"));
    format!("{x:+.4}{error}")
}

fn with_error(x: f64, error: Option<f64>) -> String {
    match error {
        Some(error) => format!("{x:.4}±{error:.4}"),
        None => format!("{x:.4}"),
    }
}
