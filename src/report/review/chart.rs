//! The expected score of each column over a game, with the judge's marks.

use std::sync::Arc;

use crate::sheet::letter;
use chart::{Axis, Band, Chart, Mark, Series, plot};
use studies::review::{self, Found, MarkKind, Review};

/// Returns a series for each column with the central 80 % of its beliefs, from the view of White or whoever has its
/// place, by ply, and the judge's marks
/// at the positions after the moves. The heights have no ticks: they may be written in any unit.
pub fn chart(
    review: &Review,
    names: &[String],
    judge: usize,
    marks: &[Option<review::Mark>],
    found: impl Fn(usize, usize) -> Option<Arc<Found>>,
) -> Chart {
    let plies = review.len();
    let of = |column: usize| (0..plies).map(move |ply| (ply as f64, column, ply));
    let series = names.iter().enumerate().map(|(column, name)| {
        let known = |(x, column, ply)| Some((x, f64::from(found(column, ply)?.white()?)));
        let series = Series {
            name: name.clone(),
            letter: letter(column),
            place: column,
            points: of(column).filter_map(known).collect(),
            ..Series::default()
        };
        series.lettered_apart(column, names.len())
    });
    let band = |column| {
        let range = |(x, column, ply)| {
            let [low, _, _, _, high] = found(column, ply)?.band?;
            Some((x, f64::from(low), f64::from(high)))
        };
        Band {
            place: column,
            sparse: 3,
            ranges: of(column).filter_map(range).collect(),
        }
    };
    let mark = |(ply, mark): (usize, &Option<review::Mark>)| {
        let (mark, after) = (mark.as_ref()?, found(judge, ply + 1)?.white()?);
        Some(Mark {
            at: (ply as f64 + 1.0, f64::from(after)),
            place: judge,
            sign: mark.kind.sign(),
            words: mark.played.san.clone(),
            weight: match mark.kind {
                MarkKind::Inaccuracy => 0,
                MarkKind::Mistake => 1,
                MarkKind::Blunder => 2,
            },
        })
    };
    Chart {
        title: format!(
            "Expected score from {}'s view, by ply: {}",
            review.side_names()[0],
            names.join(", ")
        ),
        x: Axis::new(0.0, plies.saturating_sub(1).max(1) as f64),
        y: Axis::new(-1.0, 1.0),
        series: series.collect(),
        bands: (0..names.len()).map(band).collect(),
        marks: marks.iter().enumerate().filter_map(mark).collect(),
        ..Chart::default()
    }
}

/// Draws the chart as a small SVG; the beliefs' ranges would hide each other.
pub fn svg(review: &Review, judge: usize, names: &[String]) -> String {
    let marks = review.marks(judge);
    let found = |column, ply| review.result(column, ply);
    let mut chart = chart(review, names, judge, &marks, found);
    chart.bands.clear();
    let ends = [(1.0, "+1"), (0.0, "0"), (-1.0, "−1")];
    chart.y.ticks = ends.map(|(e, label)| (e, label.to_owned())).to_vec();
    plot::strip(&chart, (720.0, 150.0))
}
