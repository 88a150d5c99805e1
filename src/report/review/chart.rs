//! The expected score of each column over a game, as a small SVG.

use std::fmt::Write as _;

use crate::html::escaped;
use crate::plot::{COLOURS, DASHES};
use studies::review::{MarkKind, Review};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 30.0;
const RIGHT: f64 = 10.0;
const EDGE: f64 = 10.0;

/// Draws a line for each column, from White's view, and the judge's marks on its line.
pub fn svg(review: &Review, judge: usize, names: &[String]) -> String {
    let last = review.len().saturating_sub(1).max(1) as f64;
    let x = |ply: usize| LEFT + ply as f64 / last * (WIDTH - LEFT - RIGHT);
    let y = |e: f32| EDGE + f64::from(1.0 - e) / 2.0 * (HEIGHT - 2.0 * EDGE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
         <title>Expected score from White's view, by ply: {}</title>\n",
        escaped(&names.join(", "))
    );
    for (level, label) in [(1.0, "+1"), (0.0, "0"), (-1.0, "−1")] {
        let at = y(level);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#ccc\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"10\">{label}</text>",
            WIDTH - RIGHT,
            LEFT - 5.0,
            at + 3.5
        );
    }
    for column in 0..review.columns().len() {
        let colour = COLOURS[column % COLOURS.len()];
        let known = (0..review.len()).filter_map(|ply| {
            let white = review.result(column, ply)?.white()?;
            Some(format!("{:.1},{:.1}", x(ply), y(white)))
        });
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"{}\"/>",
            known.collect::<Vec<_>>().join(" "),
            DASHES[column % DASHES.len()]
        );
    }
    for (ply, mark) in review.marks(judge).iter().enumerate() {
        let after = review
            .result(judge, ply + 1)
            .and_then(|found| found.white());
        let (Some(mark), Some(white)) = (mark, after) else {
            continue;
        };
        let radius = match mark.kind {
            MarkKind::Inaccuracy => 2.5,
            MarkKind::Mistake => 3.5,
            MarkKind::Blunder => 4.5,
        };
        let _ = writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"#fff\" stroke=\"{}\"><title>{}{}</title></circle>",
            x(ply + 1),
            y(white),
            COLOURS[judge % COLOURS.len()],
            escaped(&mark.played.san),
            mark.kind.sign()
        );
    }
    out.push_str("</svg>\n");
    out
}
