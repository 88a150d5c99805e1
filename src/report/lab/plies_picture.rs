//! The figures by ply as a picture: spread, coverage, score and transforms.

use super::chart_over;
use super::plies::Results;
use crate::number;
use chart::plot::{Histogram, page};
use chart::{Band, Chart, Series};
use lab::plies::{self, PlyFigures};
use lab::statistics::Figure;

/// What one plot shows: its title, a figure of each ply, and the level that it is compared with.
type Plot = (&'static str, fn(&PlyFigures) -> Option<Figure>, Option<f64>);

const PLOTS: [Plot; 4] = [
    ("Mean standard deviation", |f| Some(f.sd), None),
    (
        "Root mean square error of the mean",
        |f| {
            (f.n > 0).then_some(Figure {
                value: f.rmse,
                interval: None,
            })
        },
        None,
    ),
    (
        "Truths within the central 80 % interval",
        |f| f.coverage.map(|c| c[1]),
        Some(0.8),
    ),
    ("Continuous ranked probability score", |f| f.crps, None),
];

/// Returns the picture.
pub fn svg(results: &Results) -> String {
    let verdicts = results.verdicts;
    let names: Vec<String> = verdicts
        .candidates
        .iter()
        .map(ToString::to_string)
        .collect();
    let reached = verdicts.reached();
    let by_ply: Vec<Vec<PlyFigures>> = (0..names.len())
        .map(|candidate| {
            let mut figures = verdicts.figures(candidate, plies::Band::Ply, results.resamples);
            figures.retain(|f| f.at == 0 || reached.contains(&f.at));
            figures
        })
        .collect();
    let plots = PLOTS.map(|(title, read, level)| {
        let known = |figures: &[PlyFigures]| -> Vec<(f64, Figure)> {
            let known = figures.iter().filter_map(|f| Some((f.at as f64, read(f)?)));
            known.collect()
        };
        let lines = names.iter().zip(&by_ply).enumerate();
        let series = lines.map(|(place, (name, figures))| Series {
            name: name.clone(),
            place,
            points: known(figures).iter().map(|(x, f)| (*x, f.value)).collect(),
            ..Series::default()
        });
        // One interval for each ply, or they would hide each other.
        let first = by_ply.first().map(|figures| known(figures));
        let range = |(x, f): (f64, Figure)| f.interval.map(|(low, high)| (x, low, high));
        let ranges = first.into_iter().flatten().filter_map(range);
        let band = Band {
            ranges: ranges.collect(),
            ..Band::default()
        };
        chart_over(
            Chart {
                title: title.to_owned(),
                series: series.collect(),
                bands: vec![band],
                level,
                ..Chart::default()
            },
            "ply",
        )
    });
    let histograms: Vec<Histogram> = names
        .iter()
        .enumerate()
        .filter_map(|(candidate, name)| {
            let whole = verdicts.whole(candidate, results.resamples)?;
            Some(Histogram {
                title: format!("PIT {name}"),
                shares: whole.pit.to_vec(),
            })
        })
        .collect();
    let title = format!(
        "Beliefs by ply: {} trees of {} nodes; bars: 95 % intervals of {}; truth: {}",
        verdicts.trees(),
        number::count(results.nodes),
        names.first().map_or("", String::as_str),
        results.truth,
    );
    page(&title, &plots, &histograms)
}
