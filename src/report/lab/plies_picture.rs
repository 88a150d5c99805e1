//! The figures by ply as a picture: spread, coverage, score and transforms.

use super::plies::Results;
use crate::number;
use crate::plot::{Histogram, Lines, Series, page};
use lab::plies::{Band, Figure, PlyFigures};

/// Returns the picture.
pub fn svg(results: &Results) -> String {
    let sheet = results.sheet;
    let names: Vec<String> = sheet.candidates.iter().map(ToString::to_string).collect();
    let reached = sheet.reached();
    let by_ply: Vec<Vec<PlyFigures>> = (0..names.len())
        .map(|candidate| {
            let mut figures = sheet.figures(candidate, Band::Ply, results.resamples);
            figures.retain(|f| f.at == 0 || reached.contains(&f.at));
            figures
        })
        .collect();
    let plot = |title: &str, read: &dyn Fn(&PlyFigures) -> Option<Figure>, level, from_zero| {
        let lines = names.iter().zip(&by_ply);
        let series = lines.enumerate().map(|(number, (name, figures))| {
            let known = figures.iter().filter_map(|f| Some((f.at as f64, read(f)?)));
            let known: Vec<(f64, Figure)> = known.collect();
            Series {
                name: name.clone(),
                points: known.iter().map(|(x, f)| (*x, f.value)).collect(),
                // One interval for each ply, or they would hide each other.
                bands: known
                    .iter()
                    .filter(|_| number == 0)
                    .filter_map(|(x, f)| f.interval.map(|(low, high)| (*x, low, high)))
                    .collect(),
            }
        });
        Lines {
            title: title.to_owned(),
            x: String::from("ply"),
            series: series.collect(),
            level,
            from_zero,
        }
    };
    let root_mean_square = |f: &PlyFigures| {
        (f.n > 0).then_some(Figure {
            value: f.rmse,
            interval: None,
        })
    };
    let plots = [
        plot("Mean standard deviation", &|f| Some(f.sd), None, true),
        plot(
            "Root mean square error of the mean",
            &root_mean_square,
            None,
            true,
        ),
        plot(
            "Truths within the central 80 % interval",
            &|f| f.coverage.map(|c| c[1]),
            Some(0.8),
            true,
        ),
        plot(
            "Continuous ranked probability score",
            &|f| f.crps,
            None,
            true,
        ),
    ];
    let histograms: Vec<Histogram> = names
        .iter()
        .enumerate()
        .filter_map(|(candidate, name)| {
            let whole = sheet.whole(candidate, results.resamples)?;
            Some(Histogram {
                title: format!("PIT {name}"),
                shares: whole.pit.to_vec(),
            })
        })
        .collect();
    let title = format!(
        "Beliefs by ply: {} trees of {} nodes; bars: 95 % intervals of {}; truth: {}",
        sheet.trees(),
        number::count(results.nodes),
        names.first().map_or("", String::as_str),
        results.truth,
    );
    page(&title, &plots, &histograms)
}
