//! What came of beliefs that were held against the truth.

use super::spread::Mean;
use crate::belief::score::{CELLS, LEVELS, Pit, histogram};
use crate::engine::suite::statistics::{Interval, wilson_share};

/// A belief against the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    pub pit: Pit,
    pub crps: f64,
    /// Mean less truth.
    pub error: f64,
}

/// The figures of many beliefs.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Positions with a value for the truth.
    pub n: usize,
    /// Of these, those with a point and no distribution.
    pub points: usize,
    /// Share within the central interval of each of [`LEVELS`], with its 95 % interval (Wilson).
    pub coverage: [(f64, Interval); LEVELS.len()],
    pub crps: Mean,
    /// Mean of mean less truth.
    pub bias: Mean,
    /// Root mean square of mean less truth.
    pub rmse: f64,
    /// Shares of the transforms.
    pub pit: [f64; CELLS],
}

impl Figures {
    /// `None` without any. `points`: how many of them are values alone.
    #[must_use]
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
