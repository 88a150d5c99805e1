//! Figures of beliefs that were compared with the truth.

use super::spread::Mean;
use belief::score::{CELLS, LEVELS, Pit, histogram};
use studies::suite::statistics::{Interval, wilson_share};

/// A belief compared with the truth.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Judged {
    pub pit: Pit,
    pub crps: f64,
    /// Mean minus truth.
    pub error: f64,
}

/// The figures of many beliefs.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The number of positions whose truth is a value.
    pub n: usize,
    /// The number of these that have a point and no distribution.
    pub points: usize,
    /// The share within the central interval of each of [`LEVELS`], with its 95 % interval (Wilson).
    pub coverage: [(f64, Interval); LEVELS.len()],
    pub crps: Mean,
    /// The mean of the belief's mean minus the truth.
    pub bias: Mean,
    /// The root mean square of the belief's mean minus the truth.
    pub rmse: f64,
    /// The distribution of the transforms, as shares.
    pub pit: [f64; CELLS],
}

impl Figures {
    /// Returns the figures, or `None` if there are no beliefs. `points` is the number of them that are single values.
    pub fn of(judged: &[Judged], points: usize) -> Option<Figures> {
        let n = judged.len();
        let all = |f: fn(&Judged) -> f64| judged.iter().map(f).collect::<Vec<f64>>();
        let pits: Vec<Pit> = judged.iter().map(|j| j.pit).collect();
        let coverage = LEVELS.map(|level| {
            let share = pits.iter().map(|p| p.covered(level)).sum::<f64>() / n as f64;
            (share, wilson_share(share, n as f64).unwrap_or((0.0, 1.0)))
        });
        let errors = all(|j| j.error);
        Some(Figures {
            n,
            points,
            coverage,
            crps: Mean::of(&all(|j| j.crps))?,
            rmse: (errors.iter().map(|e| e * e).sum::<f64>() / n as f64).sqrt(),
            bias: Mean::of(&errors)?,
            pit: histogram(&pits),
        })
    }
}
