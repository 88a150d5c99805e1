//! The results of the experiment on every ply, with a file of all draws.

use std::sync::Arc;

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::{OptionsJson, VERSION};
use crate::number;
use crate::sheet::{Cell, Report, Rows, Sheet, Table, factor, fixed, letter, percent, signed};
use belief::score::{CELLS, LEVELS};
use lab::plies::fit::{Aim, Fitted};
use lab::plies::{Band, Correlation, GAPS, HELD, Labelled, PlyFigures, STABLE, Verdicts, Whole};
use lab::statistics::{Figure, Resamples};
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
    pub verdicts: &'a Verdicts,
    pub resamples: &'a Resamples,
    pub fits: &'a [Fitted],
    pub judged: Option<&'a Judged>,
}

/// The judgement of what was fitted, on the other half of the positions.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The search's own back-up, then [`WITHOUT_PARAMETERS`], then the fits in their order.
    pub verdicts: Verdicts,
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

/// Writes a figure with its interval.
fn between(figure: &Figure, write: impl Fn(f64) -> Cell) -> Cell {
    write(figure.value).within(figure.interval, write)
}

fn short(x: f64) -> Cell {
    fixed(x, 3)
}

/// A figure of one ply.
type Read = fn(&PlyFigures) -> Option<Cell>;

/// The figures that are compared ply by ply.
const BY_PLY: [(&str, Read); 4] = [
    ("Mean standard deviation by ply", |f| {
        Some(short(f.sd.value))
    }),
    (
        "Root mean square of mean minus truth, which is the standard deviation that a calibrated belief would have",
        |f| (f.n > 0).then(|| short(f.rmse)),
    ),
    ("Truths within the central 80 % interval", |f| {
        f.coverage.map(|c| percent(c[1].value))
    }),
    ("Continuous ranked probability score", |f| {
        f.crps.map(|c| fixed(c.value, 4))
    }),
];

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::PLIES
    }

    fn verdict(&self) -> Verdict {
        verdict::plies(self.verdicts, self.resamples)
    }

    fn sheet(&self) -> Sheet {
        let verdicts = self.verdicts;
        let mut sheet = Sheet::new(format!(
            "plies · {} · {} positions · distress, {} nodes each\ntruth: {}",
            self.source,
            self.positions,
            number::count(self.nodes),
            self.truth,
        ));
        if !self.complete {
            sheet.note(format!("INTERRUPTED: {} trees grown", verdicts.trees()));
        }
        let unlabelled = self.unlabelled();
        if unlabelled > 0 {
            sheet.note(format!(
                "{unlabelled} of {} draws have no label: only their spread counts",
                verdicts.lines.len()
            ));
        }
        let names: Vec<String> = verdicts
            .candidates
            .iter()
            .map(ToString::to_string)
            .collect();
        let figures = |band| -> Vec<Vec<PlyFigures>> {
            let of = |candidate| verdicts.figures(candidate, band, self.resamples);
            (0..names.len()).map(of).collect()
        };
        let plies = figures(Band::Ply);
        let Some(first) = plies.first().filter(|f| !f.is_empty()) else {
            sheet.table("no node was drawn", Table::default());
            return sheet;
        };
        sheet.table(
            "Inner nodes by ply, as the search backed them up",
            own_table(first),
        );
        for (title, cell) in BY_PLY {
            sheet.table(title, by_ply(&names, &plies, 'p', cell));
        }
        sheet.table(
            "Mean standard deviation by the number of back-ups on the most probable line",
            by_ply(&names, &figures(Band::Height), 'b', BY_PLY[0].1),
        );
        sheet.table("Leaves by ply", own_table(&verdicts.leaves(self.resamples)));
        let places: Vec<usize> = (0..names.len()).collect();
        let rows = wholes(verdicts, self.resamples, &places, 0);
        let table = figures_of(named(&rows, &names), "above A", "").column("PIT off by", |row| {
            row.whole.as_ref().map(|w| short(w.distance))
        });
        let over = format!(
            "Over the plies {} (those that a quarter of the trees reach)",
            plies_of(verdicts)
        );
        sheet.table(over, amounts(table));
        let known: Vec<Row> = rows.into_iter().filter(|row| row.whole.is_some()).collect();
        let transforms = named(&known, &names).columns(
            0..CELLS,
            |i| format!(".{i}"),
            |row, i| row.whole.as_ref().map(|w| fixed(100.0 * w.pit[i], 1)),
        );
        sheet.table(
            "Probability integral transform, percent in each tenth",
            transforms,
        );
        sheet.table(correlation_line(self.correlation), Table::default());
        if let Some(judged) = self.judged {
            fits(self.fits, judged, &mut sheet);
        }
        sheet
    }

    fn json(&self) -> Value {
        let (verdicts, resamples) = (self.verdicts, self.resamples);
        let back_up = |candidate: usize| {
            json!({
                "backup": verdicts.candidates[candidate].to_string(),
                "by_ply": verdicts.figures(candidate, Band::Ply, resamples),
                "by_height": verdicts.figures(candidate, Band::Height, resamples),
                "crps_above_first": verdicts.against(candidate, 0, resamples),
                "whole": verdicts.whole(candidate, resamples).map(whole_json),
            })
        };
        let fits = self.judged.map(|judged| {
            let candidates = &judged.verdicts.candidates;
            let fitted_from = candidates.len() - self.fits.len();
            let one = |place: usize| {
                let fit = place.checked_sub(fitted_from).map(|i| self.fits[i]);
                json!({
                    "backup": candidates[place].to_string(),
                    "family": fit.map(|f| format!("{:?}", f.family)),
                    "aim": fit.map(|f| f.aim.name()),
                    "loss": fit.map(|f| f.loss),
                    "whole": judged.verdicts.whole(place, &judged.resamples).map(whole_json),
                })
            };
            json!({
                "fitted_on": judged.fitted_on,
                "judged_on": judged.verdicts.trees(),
                "correlation": correlation_json(&judged.correlation),
                "back_ups": (0..candidates.len()).map(one).collect::<Vec<Value>>(),
            })
        });
        json!({
            "version": VERSION,
            "experiment": "plies",
            "source": self.source,
            "complete": self.complete,
            "positions": self.positions,
            "trees": verdicts.trees(),
            "nodes": self.nodes,
            "options": OptionsJson::Own(self.options.clone()),
            "truth": self.truth,
            "unlabelled": self.unlabelled(),
            "levels": LEVELS,
            "correlation": correlation_json(self.correlation),
            "back_ups": (0..verdicts.candidates.len()).map(back_up).collect::<Vec<Value>>(),
            "leaves": verdicts.leaves(resamples),
            "fits": fits,
        })
    }
}

fn plies_of(verdicts: &Verdicts) -> String {
    let plies = verdicts.reached();
    match (plies.first(), plies.last()) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::from("none"),
    }
}

/// Returns the figures of one back-up by ply, with the intervals of the spread and the score.
fn own_table(figures: &[PlyFigures]) -> Table {
    let table = Table::of(figures)
        .column("ply", |f| f.at)
        .column("draws", |f| f.n)
        .column("trees", |f| f.trees)
        .column("sd", |f| between(&f.sd, short))
        .column("rmse", |f| short(f.rmse))
        .column("bias", |f| signed(f.bias, 3))
        .columns(
            0..LEVELS.len(),
            |i| number::percent(LEVELS[i] as f32),
            |f, i| f.coverage.map(|c| percent(c[i].value)),
        )
        .column("CRPS", |f| f.crps.map(|c| between(&c, short)));
    table.into()
}

/// Returns one figure of all back-ups, ply by ply.
fn by_ply(names: &[String], figures: &[Vec<PlyFigures>], head: char, cell: Read) -> Table {
    let places: Vec<usize> = figures
        .first()
        .into_iter()
        .flatten()
        .map(|f| f.at)
        .collect();
    let rows: Vec<_> = names.iter().zip(figures).enumerate().collect();
    let dot = || Cell::number("·".to_owned());
    let table = Table::of(&rows)
        .column("", |row| letter(row.0))
        .column("back-up", |row| row.1.0)
        .columns(
            places,
            |at| format!("{head}{at}"),
            |row, at| {
                let found = row.1.1.iter().find(|f| f.at == at);
                found.and_then(cell).unwrap_or_else(dot)
            },
        );
    table.into()
}

/// A back-up with its figures over all plies, and its score less that of another one, which is missing for that one itself.
struct Row {
    place: usize,
    whole: Option<Whole>,
    above: Option<Figure>,
}

fn wholes(verdicts: &Verdicts, resamples: &Resamples, places: &[usize], other: usize) -> Vec<Row> {
    let row = |&place: &usize| Row {
        place,
        whole: verdicts.whole(place, resamples),
        above: verdicts
            .whole_against(place, other, resamples)
            .filter(|_| place != other),
    };
    places.iter().map(row).collect()
}

/// Begins a table of back-ups with their letters.
fn named<'a>(rows: &'a [Row], names: &[String]) -> Rows<'a, Row> {
    Table::of(rows)
        .column("", |row| letter(row.place))
        .column("back-up", |row| &names[row.place])
}

/// Adds the figures over all plies; `itself` stands where the score is compared with itself.
fn figures_of<'a>(table: Rows<'a, Row>, above: &str, itself: &str) -> Rows<'a, Row> {
    type Read = fn(&Whole) -> Cell;
    let columns: [(&str, Read); 4] = [
        ("sd a ply", |w| between(&w.growth, |x| factor(x, 3))),
        ("range of sd", |w| between(&w.range, |x| factor(x, 2))),
        ("coverage off by", |w| between(&w.miss, short)),
        ("CRPS", |w| between(&w.crps, |x| fixed(x, 4))),
    ];
    table
        .columns(
            columns,
            |(head, _)| head,
            |row, (_, read)| row.whole.as_ref().map(read),
        )
        .column(above, |row| match row.above {
            Some(above) => between(&above, |x| signed(x, 4)),
            None => itself.into(),
        })
}

/// Adds what the figures over all plies amount to.
fn amounts(table: Rows<'_, Row>) -> Table {
    let spread = |whole: &Whole| {
        if whole.is_stable() {
            "stable"
        } else {
            "drifts"
        }
    };
    let coverage = |whole: &Whole| if whole.is_held() { "holds" } else { "fails" };
    let table = table
        .column("spread", |row| row.whole.as_ref().map(spread))
        .column("coverage", |row| row.whole.as_ref().map(coverage));
    table.into()
}

fn correlation_line(correlation: &Correlation) -> String {
    let parts = correlation.by_gap.iter().zip(correlation.pairs).enumerate();
    let parts = parts.map(|(i, (value, pairs))| {
        let place = GAPS
            .get(i)
            .map_or_else(|| "beyond".to_owned(), |end| format!("below {end}"));
        format!("{place}: {} ({pairs} pairs)", short(*value).text)
    });
    format!(
        "Correlation of siblings' errors by the distance of their means in units of their spread: {}",
        parts.collect::<Vec<_>>().join(", ")
    )
}

/// Adds what was fitted, for each aim beside the back-ups without parameters.
fn fits(fits: &[Fitted], judged: &Judged, sheet: &mut Sheet) {
    let verdicts = &judged.verdicts;
    let names: Vec<String> = verdicts
        .candidates
        .iter()
        .map(ToString::to_string)
        .collect();
    let title = format!(
        "Fitted on {} positions, judged on the other {}: plies {}. Stable: range of sd at most ×{STABLE}; the coverage \
         holds: off by at most {HELD}",
        judged.fitted_on,
        verdicts.trees(),
        plies_of(verdicts),
    );
    sheet.table(title, Table::default());
    sheet.note(correlation_line(&judged.correlation));
    let fitted_from = names.len() - fits.len();
    for aim in Aim::ALL {
        let of_aim = (0..fits.len()).filter(|i| fits[*i].aim == aim);
        let places = (0..fitted_from).chain(of_aim.map(|i| fitted_from + i));
        let places: Vec<usize> = places.collect();
        let control = places.last().copied().unwrap_or(0);
        let rows = wholes(verdicts, &judged.resamples, &places, control);
        let table = Table::of(&rows).column("back-up", |row| &names[row.place]);
        let table = figures_of(table, "above the control's", "the control");
        let title = match aim {
            Aim::Spread => "Parameters by spread: an even spread and the coverage that is promised",
            Aim::Score => "Parameters by score: the mean CRPS",
        };
        sheet.table(title, amounts(table));
    }
}

fn whole_json(whole: Whole) -> Value {
    let mut object = json!(whole);
    object["stable"] = whole.is_stable().into();
    object["held"] = whole.is_held().into();
    object
}

fn correlation_json(correlation: &Correlation) -> Value {
    json!({"up_to": GAPS, "by_gap": correlation.by_gap, "pairs": correlation.pairs})
}

impl Results<'_> {
    /// Returns all draws as CSV: one line for each draw and back-up.
    pub fn csv(&self) -> String {
        let draws = self.verdicts.lines.iter();
        let rows = draws.flat_map(|line| {
            let specimen = &self.trees[line.tree].specimens[line.specimen];
            let beliefs = self.verdicts.candidates.iter().zip(&line.beliefs);
            beliefs.map(move |belief| (line.tree, specimen, belief))
        });
        let rows: Vec<_> = rows.collect();
        let exact = |x: f64| Cell::number(format!("{x:.6}"));
        let table = Table::of(&rows)
            .column("tree", |row| row.0)
            .column("ply", |row| row.1.ply)
            .column("back_ups", |row| row.1.height)
            .column("kind", |row| row.1.kind.name())
            .column("fen", |row| &row.1.fen)
            .column("truth", |row| row.1.truth.map(exact))
            .column("backup", |row| row.2.0.to_string())
            .column("mean", |row| exact(row.2.1.mean))
            .column("sd", |row| exact(row.2.1.sd))
            .column("crps", |row| row.2.1.judged.map(|j| exact(j.crps)))
            .column("pit_low", |row| row.2.1.judged.map(|j| exact(j.pit.low)))
            .column("pit_high", |row| row.2.1.judged.map(|j| exact(j.pit.high)));
        Table::from(table).csv()
    }
}
