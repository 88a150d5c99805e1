//! The results of the experiment on every ply: tables, JSON and a file of all draws.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use crate::json::{VERSION, options as options_json};
use crate::number;
use crate::text::{Style, align};
use belief::score::LEVELS;
use lab::plies::fit::{Aim, Fitted};
use lab::plies::{
    Band, Correlation, Figure, GAPS, HELD, Labelled, PlyFigures, STABLE, Sheet, Whole,
};
use lab::spread::letter;
use lab::statistics::Resamples;
use search::Options;

/// The results, with what was asked.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub source: &'a str,
    /// Where the labels come from, in words.
    pub truth: &'a str,
    pub options: &'a Options,
    pub nodes: u64,
    /// The number of positions that were asked for.
    pub positions: usize,
    pub complete: bool,
    pub trees: &'a [Arc<Labelled>],
    pub correlation: &'a Correlation,
    pub sheet: &'a Sheet,
    pub resamples: &'a Resamples,
    pub fits: &'a [Fitted],
    pub judged: Option<&'a Judged>,
}

/// The judgement of what was fitted, on the other half of the positions.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The search's own back-up, then [`WITHOUT_PARAMETERS`], then the fits in their order.
    pub sheet: Sheet,
    pub resamples: Resamples,
    /// The correlation measured on the half of the fits.
    pub correlation: Correlation,
    /// The number of trees of that half.
    pub fitted_on: usize,
}

/// The back-ups that need no fit.
pub const WITHOUT_PARAMETERS: [&str; 6] = [
    "r-opt",
    "r-pick",
    "best-child",
    "entropy",
    "inverse-effective",
    "effective-share",
];

impl Results<'_> {
    fn unlabelled(&self) -> usize {
        let specimens = self.trees.iter().flat_map(|t| &t.specimens);
        specimens.filter(|s| s.truth.is_none()).count()
    }
}

fn short(x: f64) -> String {
    number::minus(&format!("{x:.3}"))
}

fn signed(x: f64) -> String {
    number::minus(&format!("{x:+.4}"))
}

/// Writes a figure with its interval, each by `write`.
fn between(figure: &Figure, write: fn(f64) -> String) -> String {
    match figure.interval {
        Some((low, high)) => {
            format!("{} [{}, {}]", write(figure.value), write(low), write(high))
        }
        None => write(figure.value),
    }
}

/// Returns the results as text.
pub fn text(results: &Results, style: Style) -> String {
    let sheet = results.sheet;
    let mut out = format!(
        "plies · {} · {} positions · distress, {} nodes each\ntruth: {}\n",
        results.source,
        results.positions,
        number::count(results.nodes),
        results.truth,
    );
    if !results.complete {
        let _ = writeln!(out, "INTERRUPTED: {} trees grown", sheet.trees());
    }
    let unlabelled = results.unlabelled();
    if unlabelled > 0 {
        let _ = writeln!(
            out,
            "{unlabelled} of {} draws have no label: only their spread counts",
            sheet.lines.len()
        );
    }
    let names: Vec<String> = sheet.candidates.iter().map(ToString::to_string).collect();
    let figures: Vec<Vec<PlyFigures>> = (0..names.len())
        .map(|c| sheet.figures(c, Band::Ply, results.resamples))
        .collect();
    let Some(first) = figures.first().filter(|f| !f.is_empty()) else {
        out.push_str("\nno node was drawn\n");
        return style.apply(out);
    };
    out.push_str("\nInner nodes by ply, as the search backed them up\n");
    out.push_str(&own_table(first));
    let tables: [(&str, Cell); 4] = [
        ("Mean standard deviation by ply", |f| {
            Some(short(f.sd.value))
        }),
        (
            "Root mean square of mean minus truth, which is the standard deviation that a calibrated belief would have",
            |f| (f.n > 0).then(|| short(f.rmse)),
        ),
        ("Truths within the central 80 % interval", |f| {
            f.coverage.map(|c| number::percent(c[1].value as f32))
        }),
        ("Continuous ranked probability score", |f| {
            f.crps.map(|c| format!("{:.4}", c.value))
        }),
    ];
    for (title, cell) in tables {
        let _ = writeln!(out, "\n{title}");
        out.push_str(&by_ply(&names, &figures, "p", cell));
    }
    let heights: Vec<Vec<PlyFigures>> = (0..names.len())
        .map(|c| sheet.figures(c, Band::Height, results.resamples))
        .collect();
    out.push_str("\nMean standard deviation by the number of back-ups on the most probable line\n");
    out.push_str(&by_ply(&names, &heights, "b", |f| Some(short(f.sd.value))));
    out.push_str("\nLeaves by ply\n");
    out.push_str(&own_table(&sheet.leaves(results.resamples)));
    let _ = writeln!(
        out,
        "\nOver the plies {} (those that a quarter of the trees reach)",
        plies_of(sheet)
    );
    out.push_str(&wholes(sheet, results.resamples, &names, 0));
    out.push_str("\nProbability integral transform, percent in each tenth\n");
    out.push_str(&transforms(sheet, results.resamples, &names));
    let _ = writeln!(out, "\n{}", correlation_line(results.correlation));
    if let Some(judged) = results.judged {
        out.push_str(&fits_text(results.fits, judged));
    }
    style.apply(out)
}

type Cell = fn(&PlyFigures) -> Option<String>;

fn plies_of(sheet: &Sheet) -> String {
    let plies = sheet.reached();
    match (plies.first(), plies.last()) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::from("none"),
    }
}

/// Returns the figures of one back-up by ply, with the intervals of the spread and the score.
fn own_table(figures: &[PlyFigures]) -> String {
    let head = [
        "ply", "draws", "trees", "sd", "rmse", "bias", "50 %", "80 %", "90 %", "CRPS",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    for f in figures {
        let covered = |level: usize| {
            f.coverage
                .map_or_else(String::new, |c| number::percent(c[level].value as f32))
        };
        rows.push(vec![
            f.at.to_string(),
            f.n.to_string(),
            f.trees.to_string(),
            between(&f.sd, short),
            short(f.rmse),
            number::minus(&format!("{:+.3}", f.bias)),
            covered(0),
            covered(1),
            covered(2),
            f.crps.map_or_else(String::new, |c| between(&c, short)),
        ]);
    }
    align(&rows, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
}

fn by_ply(names: &[String], figures: &[Vec<PlyFigures>], head: &str, cell: Cell) -> String {
    let places: Vec<usize> = figures
        .first()
        .map_or_else(Vec::new, |row| row.iter().map(|f| f.at).collect());
    let mut top = vec![String::new(), String::from("back-up")];
    top.extend(places.iter().map(|at| format!("{head}{at}")));
    let right: Vec<usize> = (2..top.len()).collect();
    let mut rows = vec![top];
    for (place, (name, row)) in names.iter().zip(figures).enumerate() {
        let mut cells = vec![letter(place).to_string(), name.clone()];
        cells.extend(places.iter().map(|at| {
            let found = row.iter().find(|f| f.at == *at);
            found.and_then(cell).unwrap_or_else(|| "·".to_owned())
        }));
        rows.push(cells);
    }
    align(&rows, &right)
}

/// Returns the figures over all plies, one line for each back-up, with the difference of the score from another's.
fn wholes(sheet: &Sheet, resamples: &Resamples, names: &[String], other: usize) -> String {
    let head = [
        "",
        "back-up",
        "sd a ply",
        "range of sd",
        "coverage off by",
        "CRPS",
    ];
    let mut top = head.map(String::from).to_vec();
    top.push(format!("above {}", letter(other)));
    top.extend(["PIT off by", "spread", "coverage"].map(String::from));
    let mut rows = vec![top];
    for (place, name) in names.iter().enumerate() {
        let mut row = vec![letter(place).to_string(), name.clone()];
        if let Some(whole) = sheet.whole(place, resamples) {
            row.extend(whole_cells(&whole));
            let above = sheet.whole_against(place, other, resamples);
            let above = above.filter(|_| place != other);
            row.push(above.map_or_else(String::new, |a| between(&a, signed)));
            row.push(short(whole.distance));
            row.extend(verdicts(&whole));
        }
        row.resize(10, String::new());
        rows.push(row);
    }
    align(&rows, &[7])
}

fn whole_cells(whole: &Whole) -> [String; 4] {
    let factor = |x: f64| format!("×{x:.3}");
    let wide = |x: f64| format!("×{x:.2}");
    [
        between(&whole.growth, factor),
        between(&whole.range, wide),
        between(&whole.miss, short),
        between(&whole.crps, |x| format!("{x:.4}")),
    ]
}

fn verdicts(whole: &Whole) -> [String; 2] {
    let spread = if whole.is_stable() {
        "stable"
    } else {
        "drifts"
    };
    let coverage = if whole.is_held() { "holds" } else { "fails" };
    [spread.to_owned(), coverage.to_owned()]
}

fn transforms(sheet: &Sheet, resamples: &Resamples, names: &[String]) -> String {
    let mut rows = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let Some(whole) = sheet.whole(place, resamples) else {
            continue;
        };
        let mut row = vec![letter(place).to_string(), name.clone()];
        row.extend(whole.pit.map(|cell| format!("{:.1}", 100.0 * cell)));
        rows.push(row);
    }
    align(&rows, &(2..12).collect::<Vec<usize>>())
}

fn correlation_line(correlation: &Correlation) -> String {
    let mut parts = Vec::new();
    for (i, (value, pairs)) in correlation.by_gap.iter().zip(correlation.pairs).enumerate() {
        let where_ = match GAPS.get(i) {
            Some(end) => format!("below {end}"),
            None => String::from("beyond"),
        };
        parts.push(format!("{where_}: {} ({pairs} pairs)", short(*value)));
    }
    format!(
        "Correlation of siblings' errors by the distance of their means in units of their spread: {}",
        parts.join(", ")
    )
}

fn fits_text(fits: &[Fitted], judged: &Judged) -> String {
    let sheet = &judged.sheet;
    let names: Vec<String> = sheet.candidates.iter().map(ToString::to_string).collect();
    let mut out = format!(
        "\nFitted on {} positions, judged on the other {}: plies {}. Stable: range of sd at most ×{STABLE}; the coverage \
         holds: off by at most {HELD}\n",
        judged.fitted_on,
        sheet.trees(),
        plies_of(sheet),
    );
    let _ = writeln!(out, "{}", correlation_line(&judged.correlation));
    let fitted_from = names.len() - fits.len();
    for aim in Aim::ALL {
        let _ = writeln!(
            out,
            "\nParameters by {}",
            match aim {
                Aim::Spread => "spread: an even spread and the coverage that is promised",
                Aim::Score => "score: the mean CRPS",
            }
        );
        let places: Vec<usize> = (0..fitted_from)
            .chain(
                (0..fits.len())
                    .filter(|i| fits[*i].aim == aim)
                    .map(|i| fitted_from + i),
            )
            .collect();
        let control = places.last().copied().unwrap_or(0);
        let head = [
            "back-up",
            "sd a ply",
            "range of sd",
            "coverage off by",
            "CRPS",
            "above the control's",
            "spread",
            "coverage",
        ];
        let mut rows = vec![head.map(String::from).to_vec()];
        for &place in &places {
            let mut row = vec![names[place].clone()];
            if let Some(whole) = sheet.whole(place, &judged.resamples) {
                row.extend(whole_cells(&whole));
                let above = sheet.whole_against(place, control, &judged.resamples);
                let above = above.filter(|_| place != control);
                row.push(above.map_or_else(|| "the control".to_owned(), |a| between(&a, signed)));
                row.extend(verdicts(&whole));
            }
            row.resize(8, String::new());
            rows.push(row);
        }
        out.push_str(&align(&rows, &[]));
    }
    out
}

/// The options as one object.
#[derive(Serialize)]
struct OptionsJson(#[serde(serialize_with = "options_json")] Options);

fn figure_json(figure: &Figure) -> Value {
    json!({
        "value": figure.value,
        "interval": figure.interval.map(|(low, high)| [low, high]),
    })
}

fn plies_json(figures: &[PlyFigures]) -> Vec<Value> {
    let one = |f: &PlyFigures| {
        json!({
            "at": f.at, "n": f.n, "trees": f.trees,
            "sd": figure_json(&f.sd), "rmse": f.rmse, "bias": f.bias,
            "coverage": f.coverage.map(|c| c.map(|level| figure_json(&level))),
            "crps": f.crps.map(|c| figure_json(&c)),
            "pit": f.pit, "distance": f.distance,
        })
    };
    figures.iter().map(one).collect()
}

fn whole_json(sheet: &Sheet, candidate: usize, resamples: &Resamples) -> Option<Value> {
    let whole = sheet.whole(candidate, resamples)?;
    Some(json!({
        "growth": figure_json(&whole.growth), "range": figure_json(&whole.range),
        "miss": figure_json(&whole.miss), "crps": figure_json(&whole.crps),
        "pit": whole.pit, "distance": whole.distance,
        "stable": whole.is_stable(), "held": whole.is_held(),
    }))
}

fn correlation_json(correlation: &Correlation) -> Value {
    json!({"up_to": GAPS, "by_gap": correlation.by_gap, "pairs": correlation.pairs})
}

/// Returns the one object of the experiment.
pub fn json(results: &Results) -> Value {
    let (sheet, resamples) = (results.sheet, results.resamples);
    let back_up = |candidate: usize| {
        let against = sheet.against(candidate, 0, resamples);
        let against: Vec<Option<Value>> = against
            .iter()
            .map(|f| f.as_ref().map(figure_json))
            .collect();
        json!({
            "backup": sheet.candidates[candidate].to_string(),
            "by_ply": plies_json(&sheet.figures(candidate, Band::Ply, resamples)),
            "by_height": plies_json(&sheet.figures(candidate, Band::Height, resamples)),
            "crps_above_first": against,
            "whole": whole_json(sheet, candidate, resamples),
        })
    };
    let fits = results.judged.map(|judged| {
        let fitted_from = judged.sheet.candidates.len() - results.fits.len();
        let one = |place: usize| {
            let fit = place.checked_sub(fitted_from).map(|i| results.fits[i]);
            json!({
                "backup": judged.sheet.candidates[place].to_string(),
                "family": fit.map(|f| format!("{:?}", f.family)),
                "aim": fit.map(|f| f.aim.name()),
                "loss": fit.map(|f| f.loss),
                "whole": whole_json(&judged.sheet, place, &judged.resamples),
            })
        };
        json!({
            "fitted_on": judged.fitted_on,
            "judged_on": judged.sheet.trees(),
            "correlation": correlation_json(&judged.correlation),
            "back_ups": (0..judged.sheet.candidates.len()).map(one).collect::<Vec<Value>>(),
        })
    });
    json!({
        "version": VERSION,
        "experiment": "plies",
        "source": results.source,
        "complete": results.complete,
        "positions": results.positions,
        "trees": sheet.trees(),
        "nodes": results.nodes,
        "options": OptionsJson(results.options.clone()),
        "truth": results.truth,
        "unlabelled": results.unlabelled(),
        "levels": LEVELS,
        "correlation": correlation_json(results.correlation),
        "back_ups": (0..sheet.candidates.len()).map(back_up).collect::<Vec<Value>>(),
        "leaves": plies_json(&sheet.leaves(resamples)),
        "fits": fits,
    })
}

/// Returns all draws as CSV: one line for each draw and back-up.
pub fn csv(results: &Results) -> String {
    let mut out =
        String::from("tree,ply,back_ups,kind,fen,truth,backup,mean,sd,crps,pit_low,pit_high\n");
    for line in &results.sheet.lines {
        let specimen = &results.trees[line.tree].specimens[line.specimen];
        for (candidate, belief) in results.sheet.candidates.iter().zip(&line.beliefs) {
            let optional = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.6}"));
            let judged = belief.judged;
            let _ = writeln!(
                out,
                "{},{},{},{},{},{},\"{candidate}\",{:.6},{:.6},{},{},{}",
                line.tree,
                specimen.ply,
                specimen.height,
                specimen.kind.name(),
                specimen.fen,
                optional(specimen.truth),
                belief.mean,
                belief.sd,
                optional(judged.map(|j| j.crps)),
                optional(judged.map(|j| j.pit.low)),
                optional(judged.map(|j| j.pit.high)),
            );
        }
    }
    out
}
