//! The results of the experiment on calibration.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::compare::budget;
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Report, Rows, Sheet, Table, fixed, letter, percent, rare_between, signed};
use belief::score::{CELLS, LEVELS};
use eval::fitted::{Curved, Report as Line};
use lab::calibration::{Calibration, Figures};
use lab::report::{Aim, Fitted, Judgement, fit};
use session::Budget;

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

/// A fit of the leaf's width.
#[derive(Clone, Copy, Debug)]
pub struct Leaf(pub Fitted);

impl Report for Leaf {
    fn question(&self) -> &'static str {
        verdict::LEAF
    }

    fn verdict(&self) -> Verdict {
        verdict::leaf(&self.0)
    }

    fn sheet(&self) -> Sheet {
        Sheet::new(format!("leaf: {}", fit_words(&self.0)))
    }

    fn json(&self) -> Value {
        fit_json(&self.0)
    }
}

fn fit_json(fitted: &Fitted) -> Value {
    let Curved { line, bend, swell } = fitted.report;
    // Fits are rounded to three digits, which a conversion to f64 would hide.
    let digits = |x: f32| (f64::from(x) * 1e3).round() / 1e3;
    let judgement = |j: &Judgement| json!({"loss": j.loss, "crps": j.crps, "rmse": j.rmse, "coverage": j.coverage});
    json!({
        "shift": digits(line.shift),
        "slope": digits(line.slope),
        "bend": digits(bend),
        "width": line.width.map(digits),
        "swell": digits(swell),
        "trained": fitted.trained,
        "held_out": fitted.held_out,
        "now": judgement(&fitted.now),
        "then": judgement(&fitted.then),
    })
}

fn figures_json(figures: &Figures) -> Value {
    let level =
        |(&level, (share, interval))| json!({"level": level, "share": share, "interval": interval});
    json!({
        "n": figures.n,
        "points": figures.points,
        "coverage": LEVELS.iter().zip(figures.coverage).map(level).collect::<Vec<_>>(),
        "crps": figures.crps.value,
        "crps_error": figures.crps.error,
        "bias": figures.bias.value,
        "bias_error": figures.bias.error,
        "rmse": figures.rmse,
        "pit": figures.pit,
    })
}

/// Describes a fit and how well it does.
fn fit_words(fitted: &Fitted) -> String {
    let Curved { line, bend, swell } = fitted.report;
    let Line {
        shift,
        slope,
        width: [a, b, c, d],
    } = line;
    let judged = [("in use", fitted.now), ("fitted", fitted.then)].map(|(what, j)| {
        let coverage = j.coverage.map(|c| number::percent(c as f32)).join(" / ");
        format!(
            "\n  {what}: loss {:.4}, CRPS {:.4}, rmse {:.4}, within 50/80/90 %: {coverage}",
            j.loss, j.crps, j.rmse
        )
    });
    format!(
        "fitted to {}, judged by {} others\n  location = {shift:+.3} {slope:+.3} m {bend:+.3} tanh(m/2)   \
         ln width = {a:+.3} {b:+.3} ln(1+|m|) {swell:+.3} ln(1+|m|)^2 {c:+.3} phase {d:+.3} advanced pawns{}",
        fitted.trained,
        fitted.held_out,
        judged.concat()
    )
}

/// A column: its place, its figures and those of its control.
#[derive(Clone, Debug)]
struct Column<'a> {
    place: usize,
    name: &'a str,
    figures: Option<Figures>,
    control: Option<Figures>,
}

fn columns<'a>(found: &Calibration, names: &[&'a str]) -> Vec<Column<'a>> {
    let column = |(place, name): (usize, &&'a str)| Column {
        place,
        name,
        figures: found.figures(place),
        control: found.control(place),
    };
    let names = names.iter().take(found.columns.len());
    names.enumerate().map(column).collect()
}

/// Returns the figures of every column, which is called by its name here.
pub fn by_column(found: &Calibration, names: &[&str]) -> Table {
    table(found, &columns(found, names))
}

fn table(found: &Calibration, columns: &[Column]) -> Table {
    let agreement = |column: &Column| found.agreement(column.place);
    let table = Table::of(columns)
        .column("", |column| letter(column.place))
        .column("column", |column| column.name)
        .column("points", |column| Some(column.points()).filter(|n| *n > 0))
        .minor(1);
    let table = figures(table, |column| column.figures.as_ref())
        .column("move", |column| {
            agreement(column).map(|(hits, n, _)| percent(hits as f64 / n as f64))
        })
        .column("95 %", |column| {
            agreement(column).map(|(.., interval)| rare_between(interval))
        })
        .minor(1);
    table.into()
}

impl Column<'_> {
    /// Returns the number of positions where the column had a value alone.
    fn points(&self) -> usize {
        self.figures.as_ref().map_or(0, |f| f.points)
    }
}

/// Adds the columns of figures.
fn figures<'a, T>(table: Rows<'a, T>, of: impl Fn(&'a T) -> Option<&'a Figures>) -> Rows<'a, T> {
    let mut table = table.column("n", |row| of(row).map(|f| f.n));
    for (i, level) in LEVELS.iter().enumerate() {
        table = table
            .column(number::percent(*level as f32), |row| {
                of(row).map(|f| percent(f.coverage[i].0))
            })
            .column("95 %", |row| of(row).map(|f| rare_between(f.coverage[i].1)))
            .minor(1);
    }
    table
        .column("CRPS", |row| {
            of(row).map(|f| fixed(f.crps.value, 4).or_error(f.crps.error, 4))
        })
        .column("bias", |row| {
            of(row).map(|f| signed(f.bias.value, 3).or_error(f.bias.error, 3))
        })
        .column("rmse", |row| of(row).map(|f| fixed(f.rmse, 3)))
}

impl Results<'_> {
    fn columns(&self) -> Vec<Column<'_>> {
        let names: Vec<&str> = self.found.columns.iter().map(String::as_str).collect();
        columns(self.found, &names)
    }

    /// Returns a column's fitted report, if one is wanted and the column has the data for it.
    fn fitted(&self, column: usize) -> Option<Fitted> {
        let samples = self.fit.then(|| self.found.samples(column))?;
        fit(Aim::Root, &samples)
    }

    /// Adds the control of every column, and whether a belief says more than the best of them; nothing if there are too few
    /// positions.
    fn controls(&self, columns: &[Column], sheet: &mut Sheet) {
        let controlled: Vec<&Column> = columns.iter().filter(|c| c.control.is_some()).collect();
        let crps = |column: &Column| column.control.as_ref().map_or(f64::NAN, |f| f.crps.value);
        let best = controlled.iter().min_by(|a, b| crps(a).total_cmp(&crps(b)));
        let Some(best) = best.map(|column| column.place) else {
            return;
        };
        // A column that only has points has no belief to compare.
        let less = |column: &Column, other| {
            let believes = column.figures.as_ref().is_some_and(|f| f.points < f.n);
            let difference = self.found.against_control(column.place, other);
            difference
                .filter(|_| believes)
                .map(|d| signed(d.value, 4).or_error(d.error, 4))
        };
        let table = Table::of(&controlled)
            .column("", |column| letter(column.place))
            .column("mean of", |column| column.name);
        let table = figures(table, |column| column.control.as_ref())
            .column("belief less own control", |column| {
                less(column, column.place)
            })
            .column(format!("less {}'s", letter(best)), |column| {
                less(column, best)
            });
        sheet.table(
            "Control: the column's mean alone, with the errors of the positions in other tenths of the file, by sixths of its size",
            table,
        );
        sheet.note(
            "belief less control: difference of CRPS ± standard error; below 0 the belief says more than that value with an error bar",
        );
    }
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::CALIBRATION
    }

    fn verdict(&self) -> Verdict {
        let names: Vec<&str> = self.found.columns.iter().map(String::as_str).collect();
        verdict::calibration(self.found, &names)
    }

    fn sheet(&self) -> Sheet {
        let found = self.found;
        let kind = self
            .kind
            .map_or_else(String::new, |k| format!(" of kind {k}"));
        let mut sheet = Sheet::new(format!(
            "calibration · {} · {} of {} labels{kind} · {} each · seed {}",
            self.source,
            found.answers.len(),
            self.labels,
            budget(self.budget),
            self.seed
        ));
        if !self.complete {
            sheet.note(format!(
                "INTERRUPTED: the figures are of the {} positions that every column answered",
                found.answered()
            ));
        }
        let columns = self.columns();
        sheet.table("", table(found, &columns));
        if columns.iter().any(|column| column.points() > 0) {
            sheet.note("points: positions where it had a value alone; their CRPS is its distance, their coverage means nothing");
        }
        self.controls(&columns, &mut sheet);
        let judged: Vec<&Column> = columns.iter().filter(|c| c.figures.is_some()).collect();
        let tenth =
            |column: &Column, i: usize| column.figures.as_ref().map(|f| fixed(100.0 * f.pit[i], 1));
        let histograms = Table::of(&judged)
            .column("", |column| letter(column.place))
            .column("column", |column| column.name)
            .columns(0..CELLS, |i| format!(".{i}"), |column, i| tenth(column, i));
        sheet.table(
            "Where the truth lies in the belief (PIT), per cent in each tenth; 10 each is calibrated",
            histograms,
        );
        for column in columns.iter().filter(|_| self.fit) {
            let words = self.fitted(column.place).as_ref().map(fit_words);
            let words = words.unwrap_or_else(|| "too few of its beliefs to fit".to_owned());
            let title = format!("{} {}: {words}", letter(column.place), column.name);
            sheet.table(title, Table::default());
        }
        for trouble in found.troubles() {
            sheet.note(format!("trouble: {trouble}"));
        }
        sheet
    }

    fn json(&self) -> Value {
        let found = self.found;
        let columns = self.columns();
        let difference = |column: &Column, other: usize| {
            let difference = found.against_control(column.place, other);
            json!({"crps": difference.map(|d| d.value), "crps_error": difference.and_then(|d| d.error)})
        };
        let column = |column: &Column| {
            let mut object = column
                .figures
                .as_ref()
                .map_or_else(|| json!({}), figures_json);
            object["name"] = column.name.into();
            object["control"] = column
                .control
                .as_ref()
                .map(|control| {
                    let mut object = figures_json(control);
                    let others = 0..columns.len();
                    object["belief_less_control"] =
                        others.map(|other| difference(column, other)).collect();
                    object
                })
                .into();
            object["agreement"] = found
                .agreement(column.place)
                .map(|(hits, n, interval)| json!({"hits": hits, "n": n, "interval": interval}))
                .into();
            if let Some(fitted) = self.fitted(column.place) {
                object["fit"] = fit_json(&fitted);
            }
            object
        };
        json!({
            "version": VERSION,
            "experiment": "calibration",
            "source": self.source,
            "kind": self.kind,
            "labels": self.labels,
            "positions": found.answers.len(),
            "answered": found.answered(),
            "complete": self.complete,
            "budget": self.budget,
            "threads": self.threads,
            "seed": self.seed,
            "levels": LEVELS,
            "columns": columns.iter().map(column).collect::<Vec<_>>(),
            "troubles": found.troubles(),
        })
    }
}
