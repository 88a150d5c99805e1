//! `plyscope eval --depth`: how sure a value is that a search of some plies found.

use schemars::JsonSchema;
use serde::Serialize;

use belief::{BINS, Grid};
use eval::fitted::Searched;
use game::{Scale, Score};
use lab::searched::{SearchedValue, values_by_depth};
use report::json::MomentsJson;
use report::number;
use report::sheet::{Cell, Table, fixed};
use report::text::{Style, strip};
use session::Subject;

/// At most so many nodes a position.
pub(super) const NODES: u64 = 1_000_000;

/// The value that a search of one depth found, and the belief about it.
#[derive(Serialize, JsonSchema)]
pub(super) struct DepthJson {
    /// The plies before quiescence.
    depth: u8,
    /// Centipawns for the side to move.
    cp: i32,
    #[serde(flatten)]
    moments: MomentsJson,
    /// The probability of each bin of the belief, on the edges of `belief`.
    #[schemars(inner(range(min = 0)))]
    pmf: Vec<f32>,
    #[serde(skip)]
    strip: String,
}

/// Searches a chess position to every depth up to this one.
pub(super) fn of_depths(subject: &Subject, depth: u16, style: Style) -> Vec<DepthJson> {
    let grid = Grid::sinh();
    let json = |at: SearchedValue| {
        let density = Searched::IN_USE.belief(&grid, &at.found);
        let cdf = density.cdf();
        DepthJson {
            depth: at.found.depth,
            cp: at.value.raw().into(),
            moments: MomentsJson {
                mean: cdf.mean(&grid),
                sd: cdf.sd(&grid),
            },
            strip: strip(&density, 21, style),
            pmf: density.0[..BINS].to_vec(),
        }
    };
    values_by_depth(subject, depth, NODES)
        .into_iter()
        .map(json)
        .collect()
}

pub(super) fn depths_text(depths: &[DepthJson]) -> String {
    let table = Table::of(depths)
        .column("depth", |at| at.depth)
        .column("value", |at| {
            Cell::number(number::score(Scale::Logistic, Score::new(at.cp)))
        })
        .column("expected", |at| {
            Cell::number(number::expected(at.moments.mean))
        })
        .column("±", |at| fixed(at.moments.sd.into(), 2))
        .column("belief", |at| &at.strip);
    let table = Table::from(table).text(Style::default());
    let lines: Vec<String> = table.lines().map(|line| format!("  {line}")).collect();
    format!(
        "  how sure the value of a search is, by its depth in plies before quiescence\n{}",
        lines.join("\n")
    )
}
