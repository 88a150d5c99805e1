//! How well a shallow search's value predicts a deep one's: linear regressions by pairs of depths, for ProbCut (Buro
//! 1995).

use super::DepthSeries;

/// The regression v = a v' + b + e by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub n: usize,
    pub a: f64,
    /// In centipawns, like sigma.
    pub b: f64,
    /// The standard deviation of the residuals: their sum of squares over n - 2.
    pub sigma: f64,
    /// The correlation.
    pub r: f64,
}

impl Line {
    /// Fits a line through points (v', v). Returns `None` if there are fewer than three, or either side does not vary.
    pub fn through(points: &[(f64, f64)]) -> Option<Line> {
        if points.len() < 3 {
            return None;
        }
        let n = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (v, deep) in points {
            xx += (v - x) * (v - x);
            xy += (v - x) * (deep - y);
            yy += (deep - y) * (deep - y);
        }
        if xx <= 0.0 || yy <= 0.0 {
            return None;
        }
        let a = xy / xx;
        let b = y - a * x;
        let squares: f64 = points
            .iter()
            .map(|(v, deep)| (deep - a * v - b).powi(2))
            .sum();
        Some(Line {
            n: points.len(),
            a,
            b,
            sigma: (squares / (n - 2.0)).sqrt(),
            r: xy / (xx * yy).sqrt(),
        })
    }

    /// Whether a cut may rest on it: the deep value rises with the shallow one and follows it closely.
    pub fn is_usable(&self) -> bool {
        self.a > 0.0 && self.r >= LEAST_CORRELATION
    }
}

/// Below this correlation a shallow value says too little about the deep one.
pub const LEAST_CORRELATION: f64 = 0.8;

/// The fit for one pair of depths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairFit {
    pub deep: u16,
    pub shallow: u16,
    /// The regression; `None` if too few positions reached the depth.
    pub line: Option<Line>,
    /// The number of positions left out: a mate at either depth, or a shallow value beyond the range.
    pub left_out: usize,
}

/// Fits all pairs of depths of the same parity up to the deepest, with shallow depths from 1 on. Only positions whose
/// shallow value is within ±`within` centipawns count: a rule is applied near the window, and far from it the errors
/// are different.
pub fn pairs(measured: &[DepthSeries], within: f64) -> Vec<PairFit> {
    let deepest = measured.iter().map(|l| l.scores.len()).max().unwrap_or(0);
    let mut found = Vec::new();
    for deep in 3..=deepest {
        for shallow in (1..deep - 1).filter(|s| (deep - s).is_multiple_of(2)) {
            let reached = measured.iter().filter(|l| l.scores.len() >= deep);
            let (mut points, mut left_out) = (Vec::new(), 0);
            for series in reached {
                let (v, to) = (series.scores[shallow - 1], series.scores[deep - 1]);
                let at = f64::from(v.raw());
                if v.is_decided() || to.is_decided() || at.abs() > within {
                    left_out += 1;
                } else {
                    points.push((at, f64::from(to.raw())));
                }
            }
            found.push(PairFit {
                deep: deep as u16,
                shallow: shallow as u16,
                line: Line::through(&points),
                left_out,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Score;

    #[test]
    fn a_golden_line() {
        let points = [
            (-100.0, -110.0),
            (-50.0, -40.0),
            (0.0, 10.0),
            (50.0, 45.0),
            (100.0, 120.0),
        ];
        let line = Line::through(&points).expect("a line");
        assert!((line.a - 1.09).abs() < 1e-9 && (line.b - 5.0).abs() < 1e-9);
        assert!((line.sigma - 11.510_864).abs() < 1e-6, "{line:?}");
        assert!((line.r - 0.993_375).abs() < 1e-6 && line.is_usable());
    }

    #[test]
    fn what_says_little_or_the_contrary_is_refused() {
        let falling = Line::through(&[(0.0, 2.0), (1.0, 1.0), (2.0, 0.0)]).expect("a line");
        assert!(falling.a < 0.0 && !falling.is_usable());
        let loose = Line::through(&[(0.0, 0.0), (1.0, 3.0), (2.0, 0.0), (3.0, 3.0)]);
        assert!(!loose.expect("a line").is_usable());
        assert_eq!(Line::through(&[(0.0, 0.0), (1.0, 1.0)]), None);
        assert_eq!(Line::through(&[(1.0, 0.0), (1.0, 1.0), (1.0, 2.0)]), None);
    }

    fn series(scores: &[Score]) -> DepthSeries {
        DepthSeries {
            static_value: None,
            quiescence: Score::DRAW,
            nodes: vec![1; scores.len()],
            scores: scores.to_vec(),
        }
    }

    #[test]
    fn pairs_have_one_parity_and_leave_mates_and_far_values_out() {
        let at = |v: i32| series(&[v, 3 * v, 2 * v + 5, 0].map(Score::new));
        let mut measured: Vec<DepthSeries> = (-10..=10).map(|i| at(10 * i)).collect();
        measured.push(series(&[
            Score::new(7),
            Score::DRAW,
            Score::win_in(3),
            Score::win_in(3),
        ]));
        measured.push(at(900));
        let found = pairs(&measured, 500.0);
        let depths: Vec<(u16, u16)> = found.iter().map(|p| (p.deep, p.shallow)).collect();
        assert_eq!(depths, [(3, 1), (4, 2)]);
        let line = found[0].line.expect("a line");
        assert_eq!((line.n, found[0].left_out), (21, 2));
        assert!((line.a - 2.0).abs() < 1e-9 && (line.b - 5.0).abs() < 1e-9);
        assert!(line.sigma < 1e-9);
    }
}
