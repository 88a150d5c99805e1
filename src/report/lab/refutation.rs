//! The results of the experiment on hidden refutations: a table, JSON and a picture.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::json::VERSION;
use crate::number;
use crate::plot::{Lines, Series, page};
use crate::text::{Style, align};
use lab::refutation::{ColumnFigures, ERROR, Figure, LOSS, MARGIN, Plan, Refutations, WORTH};
use lab::spread::letter;
use lab::statistics::Resamples;

/// The results, with what was asked.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub plan: &'a Plan,
    pub complete: bool,
    pub resamples: &'a Resamples,
    pub found: &'a Refutations,
}

impl Results<'_> {
    fn figures(&self) -> Vec<(usize, &str, Option<ColumnFigures>)> {
        let names = self.found.columns.iter().enumerate();
        let figures = |(i, name)| (i, name, self.found.figures(i, self.resamples));
        names.map(|(i, n)| figures((i, n.as_str()))).collect()
    }
}

fn between(figure: &Figure, write: fn(f64) -> String) -> String {
    match figure.interval {
        Some((low, high)) if figure.value.is_finite() => {
            format!("{} [{}, {}]", write(figure.value), write(low), write(high))
        }
        _ => write(figure.value),
    }
}

fn percent(x: f64) -> String {
    number::percent(x as f32)
}

fn nodes(x: f64) -> String {
    if x.is_finite() {
        number::count(x.round() as u64)
    } else {
        String::from("never")
    }
}

fn plain(x: f64) -> String {
    format!("{x:.1}")
}

/// Returns the results as text.
pub fn text(results: &Results, style: Style) -> String {
    let plan = results.plan;
    let mut out = format!(
        "refutation · {} random trees · {} moves · hidden for {} plies · {} nodes each · seed {}\n",
        results.found.searched(),
        plan.branching,
        plan.hidden,
        number::count(plan.nodes),
        plan.seed,
    );
    let _ = writeln!(
        out,
        "moves worth ±{WORTH} · best by {MARGIN} · refutation costs {LOSS} · error {ERROR} × Student's t with 3 degrees of freedom"
    );
    if !results.complete {
        out.push_str("INTERRUPTED: what is missing was not searched\n");
    }
    let head = [
        "",
        "column",
        "saw it",
        "at node",
        "changes before",
        "held before",
        "gave it up",
        "nodes after",
        "control strayed",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    for (place, name, figures) in results.figures() {
        let mut row = vec![letter(place).to_string(), name.to_owned()];
        if let Some(f) = figures {
            row.extend([
                between(&f.sighted, percent),
                between(&f.sighted_at, nodes),
                between(&f.changes, plain),
                f.held.map_or_else(String::new, |h| between(&h, percent)),
                between(&f.recovered, percent),
                between(&f.recovery, nodes),
                between(&f.strayed, percent),
            ]);
        }
        row.resize(head.len(), String::new());
        rows.push(row);
    }
    out.push('\n');
    out.push_str(&align(&rows, &[]));
    out.push_str(
        "\nsaw it: a search reached a position whose value shows the refutation · held before: the share of moments with the \
         best-looking move · gave it up: ended with another move · nodes after: median from the first sight to the last moment \
         with the refuted move · control strayed: ended with another move although there is no refutation\n",
    );
    let mut rows = vec![
        ["", "gave it up more often than A"]
            .map(String::from)
            .to_vec(),
    ];
    for place in 1..results.found.columns.len() {
        let above = results.found.recovered_against(place, 0, results.resamples);
        let points = |x: f64| number::minus(&format!("{:+.1} %", 100.0 * x));
        let cell = above.map_or_else(String::new, |a| between(&a, points));
        rows.push(vec![letter(place).to_string(), cell]);
    }
    out.push('\n');
    out.push_str(&align(&rows, &[]));
    style.apply(out)
}

fn figure_json(figure: &Figure) -> Value {
    json!({
        "value": figure.value.is_finite().then_some(figure.value),
        "interval": figure.interval.map(|(low, high)| [low, high]),
    })
}

/// Returns the one object of the experiment.
pub fn json(results: &Results) -> Value {
    let plan = results.plan;
    let column = |(place, name, figures): (usize, &str, Option<ColumnFigures>)| {
        let above = results.found.recovered_against(place, 0, results.resamples);
        let figures = figures.map(|f| {
            json!({
                "sighted": figure_json(&f.sighted),
                "sighted_at": figure_json(&f.sighted_at),
                "changes": figure_json(&f.changes),
                "held": f.held.map(|h| figure_json(&h)),
                "recovered": figure_json(&f.recovered),
                "recovery": figure_json(&f.recovery),
                "strayed": figure_json(&f.strayed),
                "recovered_above_first": above.map(|a| figure_json(&a)),
            })
        });
        json!({"name": name, "figures": figures})
    };
    json!({
        "version": VERSION,
        "experiment": "refutation",
        "complete": results.complete,
        "trees": plan.trees,
        "searched": results.found.searched(),
        "nodes": plan.nodes,
        "branching": plan.branching,
        "hidden": plan.hidden,
        "seed": plan.seed,
        "loss": LOSS,
        "margin": MARGIN,
        "columns": results.figures().into_iter().map(column).collect::<Vec<Value>>(),
    })
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
    let lines = found.columns.iter().enumerate().map(|(column, name)| {
        let rows = found.courses.iter().filter_map(|row| row[column].as_ref());
        let known: Vec<Option<f64>> = rows.map(|[course, _]| course.recovery).collect();
        let within = |after: f64| known.iter().flatten().filter(|r| **r <= after).count();
        let share = |after: f64| within(after) as f64 / known.len().max(1) as f64;
        Series {
            name: name.clone(),
            points: ends()
                .map(|after| ((after / 100.0).log2(), share(*after)))
                .collect(),
            bands: Vec::new(),
        }
    });
    let plot = Lines {
        title: String::from("Searches that have given the refuted move up for good"),
        x: String::from("nodes since the refutation was first seen: 100 times 2 to the power of"),
        series: lines.collect(),
        level: Some(1.0),
        from_zero: true,
    };
    let title = format!(
        "Hidden refutations: {} trees, {} nodes each, hidden for {} plies",
        found.searched(),
        number::count(found.nodes),
        results.plan.hidden,
    );
    page(&title, &[plot], &[])
}
