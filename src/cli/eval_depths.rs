//! `plyscope eval --depth`: how sure a value is that a search of some plies found.

use schemars::JsonSchema;
use serde::Serialize;

use belief::{BINS, Grid};
use eval::fitted::Searched;
use game::{Scale, Score};
use lab::searched::{SearchedValue, values_by_depth};
use report::json::MomentsJson;
use report::number;
use report::text::{Style, align, strip};
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
    let mut rows = vec![
        ["depth", "value", "expected", "±", "belief"]
            .map(str::to_owned)
            .to_vec(),
    ];
    rows.extend(depths.iter().map(|at| {
        vec![
            at.depth.to_string(),
            number::score(Scale::Logistic, Score::new(at.cp)),
            number::expected(at.moments.mean),
            format!("{:.2}", at.moments.sd),
            at.strip.clone(),
        ]
    }));
    let table = align(&rows, &[0, 1, 2, 3]);
    let lines: Vec<String> = table.lines().map(|line| format!("  {line}")).collect();
    format!(
        "  how sure the value of a search is, by its depth in plies before quiescence\n{}",
        lines.join("\n")
    )
}
