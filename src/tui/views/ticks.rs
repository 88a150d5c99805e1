//! Round numbers along an axis of scores.

use ::chart::{Axis, round_step, rounds};

use super::facts::Numbers;
use game::{Scale, Score};

/// Returns round scores along the axis, about four of them.
pub(crate) fn ticks(axis: &Axis, numbers: &Numbers) -> Vec<(f64, String)> {
    if numbers.in_pawns_of_chess() {
        return pawns(axis, numbers);
    }
    let unit = match numbers.scale() {
        Scale::Logistic => 1.0,
        Scale::Linear(axis) => f64::from(axis.range()),
    };
    let (low, high) = (axis.low * unit, axis.high * unit);
    let step = round_step(((high - low) / 4.0).max(1e-3));
    let name = |e: f64| match e {
        0.0 => "0".to_owned(),
        _ => numbers.expected(e as f32),
    };
    rounds(low, high, step)
        .map(|value| value / unit)
        .map(|e| (e, name(e)))
        .collect()
}

/// Returns round numbers of pawns along the axis, apart from each other, which are not evenly spaced on it.
fn pawns(axis: &Axis, numbers: &Numbers) -> Vec<(f64, String)> {
    /// In centipawns, the most important first.
    const ROUND: [i32; 11] = [0, 100, 200, 300, 500, 50, 1000, 150, 25, 75, 10];
    let apart = (axis.high - axis.low) / 7.0;
    let mut ticks: Vec<(f64, String)> = Vec::new();
    for cp in ROUND.into_iter().flat_map(|cp| [cp, -cp]) {
        let score = Score::new(cp);
        let e = f64::from(numbers.scale().expected(score));
        if axis.holds(e) && ticks.iter().all(|(other, _)| (other - e).abs() >= apart) {
            let name = match cp {
                0 => "0".to_owned(),
                _ => numbers.score(score),
            };
            ticks.push((e, name));
        }
    }
    ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    ticks
}
