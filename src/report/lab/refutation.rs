//! The results of the experiment on hidden refutations.

use serde_json::{Value, json};

use super::chart_over;
use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Report, Sheet, Table, count, fixed, letter, percent};
use chart::plot::page;
use chart::{Chart, Series};
use lab::refutation::{ColumnFigures, ERROR, LOSS, MARGIN, Plan, Refutations, WORTH};
use lab::statistics::{Figure, Resamples};

/// The results, with what was asked.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub plan: &'a Plan,
    pub complete: bool,
    pub resamples: &'a Resamples,
    pub found: &'a Refutations,
}

/// A column with its figures, and how much more often it gave the move up than the first one.
type Row<'a> = (usize, &'a str, Option<ColumnFigures>, Option<Figure>);

impl Results<'_> {
    fn rows(&self) -> Vec<Row<'_>> {
        let row = |(i, name)| {
            let figures = self.found.figures(i, self.resamples);
            let above = self.found.recovered_against(i, 0, self.resamples);
            (i, name, figures, above)
        };
        let names = self.found.columns.iter().map(String::as_str);
        names.enumerate().map(row).collect()
    }
}

fn between(figure: &Figure, write: impl Fn(f64) -> Cell) -> Cell {
    let interval = figure.interval.filter(|_| figure.value.is_finite());
    write(figure.value).within(interval, write)
}

fn nodes(x: f64) -> Cell {
    match x.is_finite() {
        true => count(x.round() as u64),
        false => "never".into(),
    }
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::refutation::QUESTION
    }

    fn verdict(&self) -> Verdict {
        verdict::refutation::verdict(self.found, self.resamples)
    }

    fn sheet(&self) -> Sheet {
        let plan = self.plan;
        let mut sheet = Sheet::new(format!(
            "refutation · {} random trees · {} moves · hidden for {} plies · {} nodes each · seed {}",
            self.found.searched(),
            plan.branching,
            plan.hidden,
            number::count(plan.nodes),
            plan.seed,
        ));
        sheet.note(format!(
            "moves worth ±{WORTH} · best by {MARGIN} · refutation costs {LOSS} · error {ERROR} × Student's t with 3 degrees of freedom"
        ));
        if !self.complete {
            sheet.note("INTERRUPTED: what is missing was not searched");
        }
        let rows = self.rows();
        type Read = fn(&ColumnFigures) -> Cell;
        let columns: [(&str, Read); 7] = [
            ("saw it", |f| between(&f.sighted, percent)),
            ("at node", |f| between(&f.sighted_at, nodes)),
            ("changes before", |f| between(&f.changes, |x| fixed(x, 1))),
            ("held before", |f| {
                f.held.map(|h| between(&h, percent)).into()
            }),
            ("gave it up", |f| between(&f.recovered, percent)),
            ("nodes after", |f| between(&f.recovery, nodes)),
            ("control strayed", |f| between(&f.strayed, percent)),
        ];
        let table = Table::of(&rows)
            .column("", |row| letter(row.0))
            .column("column", |row| row.1)
            .columns(
                columns,
                |(head, _)| head,
                |row, (_, read)| row.2.as_ref().map(read),
            );
        sheet.table("", table);
        sheet.table("", Table::default());
        sheet.note(
            "saw it: a search reached a position whose value shows the refutation · held before: the share of moments with the \
             best-looking move · gave it up: ended with another move · nodes after: median from the first sight to the last moment \
             with the refuted move · control strayed: ended with another move although there is no refutation",
        );
        let of = |which: usize| {
            move |row: &Row| {
                let spread = row.2.as_ref().and_then(|f| f.spread[which]);
                spread.map(|sd| between(&sd, |x| fixed(x, 3)))
            }
        };
        if rows
            .iter()
            .any(|row| row.2.is_some_and(|f| f.spread[2].is_some()))
        {
            let spreads = Table::of(&rows)
                .column("", |row| letter(row.0))
                .column("sd before", of(0))
                .column("widest after", of(1))
                .column("at the end", of(2))
                .column("control at the end", of(3));
            sheet.table("", spreads);
            sheet.note(
                "standard deviation of the root's belief, in expected score: just before the refutation is first seen, at its widest \
                 after that, and at the end",
            );
        }
        let points = |x: f64| Cell::number(number::minus(&format!("{:+.1} %", 100.0 * x)));
        let others = Table::of(rows.get(1..).unwrap_or_default())
            .column("", |row| letter(row.0))
            .column("gave it up more often than A", |row| {
                row.3.as_ref().map(|above| between(above, points))
            });
        sheet.table("", others);
        sheet
    }

    fn json(&self) -> Value {
        let plan = self.plan;
        let column = |(_, name, figures, above): &Row| {
            let figures = figures.map(|figures| {
                let mut object = json!(figures);
                object["recovered_above_first"] = json!(above);
                object
            });
            json!({"name": name, "figures": figures})
        };
        json!({
            "version": VERSION,
            "experiment": "refutation",
            "complete": self.complete,
            "trees": plan.trees,
            "searched": self.found.searched(),
            "nodes": plan.nodes,
            "branching": plan.branching,
            "hidden": plan.hidden,
            "seed": plan.seed,
            "loss": LOSS,
            "margin": MARGIN,
            "columns": self.rows().iter().map(column).collect::<Vec<Value>>(),
        })
    }
}

/// The nodes after the first sight at which the picture reads the searches.
const AFTER: [f64; 11] = [
    100.0, 200.0, 400.0, 800.0, 1_600.0, 3_200.0, 6_400.0, 12_800.0, 25_600.0, 51_200.0, 102_400.0,
];

/// Returns a picture of how many searches have given the refuted move up for good, by the nodes since its refutation came
/// into sight.
pub fn svg(results: &Results) -> String {
    let found = results.found;
    let ends = || AFTER.iter().filter(|after| **after <= found.nodes as f64);
    let series = found.columns.iter().enumerate().map(|(column, name)| {
        let rows = found.courses.iter().filter_map(|row| row[column].as_ref());
        let known: Vec<Option<f64>> = rows.map(|[course, _]| course.recovery).collect();
        let within = |after: f64| known.iter().flatten().filter(|r| **r <= after).count();
        let share = |after: f64| within(after) as f64 / known.len().max(1) as f64;
        Series {
            name: name.clone(),
            place: column,
            points: ends()
                .map(|after| ((after / 100.0).log2(), share(*after)))
                .collect(),
            ..Series::default()
        }
    });
    let chart = Chart {
        title: String::from("Searches that have given the refuted move up for good"),
        series: series.collect(),
        level: Some(1.0),
        ..Chart::default()
    };
    let chart = chart_over(
        chart,
        "nodes since the refutation was first seen: 100 times 2 to the power of",
    );
    let title = format!(
        "Hidden refutations: {} trees, {} nodes each, hidden for {} plies",
        found.searched(),
        number::count(found.nodes),
        results.plan.hidden,
    );
    page(&title, &[chart], &[])
}
