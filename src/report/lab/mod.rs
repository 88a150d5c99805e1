//! The results of the Lab's experiments: for each a [`Report`](super::sheet::Report).

pub mod calibration;
pub mod cuts;
pub mod depths;
pub mod differential;
pub mod focus;
pub mod futility;
pub mod losses;
pub mod losses_pgn;
pub mod maximum;
pub mod pairs;
pub mod playouts;
pub mod plies;
pub mod plies_picture;
pub mod refutation;
pub mod schema;
pub mod spread;
pub mod sweep;
pub mod truth;
pub mod verdict;
pub mod walks;

use crate::number;
use chart::{Axis, Chart};

/// Returns the chart with axes over all its figures, the heights from 0 on.
fn chart_over(mut chart: Chart, x: &str) -> Chart {
    let write = |tick: f64, decimals: usize| number::minus(&format!("{:.decimals$}", tick + 0.0));
    let points = || chart.series.iter().flat_map(|s| &s.points);
    let ranges = chart.bands.iter().flat_map(|b| &b.ranges);
    let ends = ranges.flat_map(|range| [range.1, range.2]);
    let heights = points().map(|p| p.1).chain(ends).chain(chart.level);
    let heights = Axis::over(heights, true, write);
    chart.x = Axis::over(points().map(|p| p.0), false, write).named(x);
    chart.y = heights;
    chart
}
