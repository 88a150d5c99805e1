//! Integer scores with exact distances to mate, and how they map to the expected score.

use std::fmt;

use super::Axis;

/// A score from the side to move's view: an ordinary evaluation in the game's small integer unit (centipawns in chess),
/// or an exact win or loss with its distance in plies.
///
/// A win in `n` plies is `MATE - n`, a loss `-(MATE - n)`, a draw 0. The weakest win and loss, [`Score::SOME_WIN`] and
/// [`Score::SOME_LOSS`], are certain too, but of unknown length.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize,
)]
pub struct Score(i16);

impl Score {
    pub const DRAW: Score = Score(0);
    /// The side to move has already won (this never arises in chess, where the mated side is to move).
    pub const WIN: Score = Score(32_000);
    /// The side to move is mated.
    pub const LOSS: Score = Score(-32_000);
    /// The side to move wins in an unknown number of plies, as endgame tables report it. Lower than every win of known
    /// length, and the same at every ply.
    pub const SOME_WIN: Score = Score(Self::LIMIT + 1);
    /// The side to move loses in an unknown number of plies.
    pub const SOME_LOSS: Score = Score(-Self::LIMIT - 1);
    /// Lower than every score: an open lower bound of a window.
    pub const MIN: Score = Score(-32_001);
    /// Higher than every score: an open upper bound of a window.
    pub const MAX: Score = Score(32_001);
    /// Ordinary evaluations are within ±`LIMIT`; wins and losses are outside.
    pub const LIMIT: i16 = 30_000;

    /// An ordinary evaluation, clamped to ±[`Score::LIMIT`].
    pub const fn new(value: i32) -> Score {
        let limit = Self::LIMIT as i32;
        if value > limit {
            Score(Self::LIMIT)
        } else if value < -limit {
            Score(-Self::LIMIT)
        } else {
            Score(value as i16)
        }
    }

    /// Converts the stored integer back to a score (the inverse of [`Score::raw`]).
    pub const fn from_raw(raw: i16) -> Score {
        Score(raw)
    }

    pub const fn raw(self) -> i16 {
        self.0
    }

    /// Returns chess' centipawns as a logit, ln((1 + e)/(1 − e)).
    pub fn logit(self) -> f32 {
        f32::from(self.0) / Scale::CENTIPAWNS_A_LOGIT
    }

    /// The side to move wins in `plies` half-moves.
    pub const fn win_in(plies: u16) -> Score {
        Score(Self::WIN.0 - plies as i16)
    }

    /// The side to move is mated in `plies` half-moves.
    pub const fn loss_in(plies: u16) -> Score {
        Score(Self::LOSS.0 + plies as i16)
    }

    pub const fn is_win(self) -> bool {
        self.0 > Self::LIMIT && self.0 <= Self::WIN.0
    }

    pub const fn is_loss(self) -> bool {
        self.0 < -Self::LIMIT && self.0 >= Self::LOSS.0
    }

    /// Whether it is a win or a loss.
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Whether it is a win or a loss of unknown length.
    pub const fn is_without_length(self) -> bool {
        self.0 == Self::SOME_WIN.0 || self.0 == Self::SOME_LOSS.0
    }

    /// Returns centipawns for formats without wins of unknown length, which become ±20,000 as is usual for endgame
    /// tables.
    pub const fn centipawns(self) -> i16 {
        if self.is_without_length() {
            20_000 * self.0.signum()
        } else {
            self.0
        }
    }

    /// Returns the plies to mate: positive if the side to move wins, negative (or zero, if already mated) if it loses.
    /// `None` if the score is not decided or its length is unknown.
    pub fn mate_plies(self) -> Option<i16> {
        if self.is_without_length() {
            None
        } else if self.is_win() {
            Some(Self::WIN.0 - self.0)
        } else if self.is_loss() {
            Some(Self::LOSS.0 - self.0)
        } else {
            None
        }
    }

    /// Returns the signed number of full moves to mate as in UCI: 1 for a mate with the next move, -1 for being mated
    /// by the opponent's next move, 0 if the side to move is already mated.
    pub fn mate_moves(self) -> Option<i16> {
        self.mate_plies()
            .map(|p| if p > 0 { (p + 1) / 2 } else { p / 2 })
    }

    /// The same outcome one ply earlier in the tree, from the other side's view.
    #[inline]
    pub const fn one_ply_up(self) -> Score {
        if self.is_ordinary() || self.is_without_length() {
            Score(-self.0)
        } else if self.0 > 0 {
            Score(-(self.0 - 1))
        } else {
            Score(-(self.0 + 1))
        }
    }

    /// Whether it is an ordinary evaluation, as nearly all scores are.
    #[inline]
    const fn is_ordinary(self) -> bool {
        self.0.unsigned_abs() <= Self::LIMIT as u16
    }
}

impl Score {
    /// The inverse of [`Score::one_ply_up`], for passing a window's bounds down to a child.
    #[inline]
    pub const fn one_ply_down(self) -> Score {
        if self.is_ordinary() {
            return Score(-self.0);
        }
        // Next to the wins of unknown length a step is one unit as everywhere, because no known win is that long.
        let next = self.0 == Self::SOME_WIN.0 + 1 || self.0 == Self::SOME_LOSS.0 - 1;
        let raw = if self.is_without_length() || next {
            -self.0
        } else if self.0 > 0 {
            -(self.0 + 1)
        } else {
            -(self.0 - 1)
        };
        if raw < Self::MIN.0 {
            Self::MIN
        } else if raw > Self::MAX.0 {
            Self::MAX
        } else {
            Score(raw)
        }
    }
}

impl std::ops::Neg for Score {
    type Output = Score;
    /// The other side's view of the same node, without a ply passing.
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_plies() {
            _ if self.is_without_length() && self.0 > 0 => f.write_str("some win"),
            _ if self.is_without_length() => f.write_str("some loss"),
            Some(p) if p > 0 => write!(f, "win in {p}"),
            Some(p) => write!(f, "loss in {}", -p),
            None => write!(f, "{}", self.0),
        }
    }
}

/// How integer scores map to the expected score in [-1, +1] and to the numbers that are displayed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Chess: e = tanh(cp / 360), the formula for all scores and labels; displayed in pawns.
    Logistic,
    /// Toy trees: e = value / range, displayed in the file's unit.
    Linear(&'static Axis),
}

impl Scale {
    /// The centipawns for which e = tanh(1).
    pub const CENTIPAWNS: f32 = 360.0;
    /// The centipawns of a logit: with the chances (1 + e)/2, ln((1 + e)/(1 − e)) = 1.
    pub const CENTIPAWNS_A_LOGIT: f32 = Self::CENTIPAWNS / 2.0;

    /// A toy tree's scale with even steps, so many to the unit, and the same distance between the points of its beliefs.
    pub fn linear(per_unit: f32, range: f32) -> Scale {
        Scale::Linear(Axis::even(per_unit, range).kept())
    }

    /// Whether both are the same but for the names of the unit and of the side.
    pub fn is_like(self, other: Scale) -> bool {
        match (self, other) {
            (Scale::Linear(one), Scale::Linear(other)) => one.is_like(other),
            (one, other) => one == other,
        }
    }

    /// Returns the expected score of an integer score, ±1 for wins and losses.
    pub fn expected(self, score: Score) -> f32 {
        if score.0 > Score::LIMIT {
            1.0
        } else if score.0 < -Score::LIMIT {
            -1.0
        } else {
            match self {
                Scale::Logistic => (f32::from(score.0) / Self::CENTIPAWNS).tanh(),
                Scale::Linear(axis) => (axis.value(score) / axis.range()).clamp(-1.0, 1.0),
            }
        }
    }

    /// Returns the integer score nearest to an expected score; never a win or a loss.
    pub fn score(self, expected: f32) -> Score {
        let e = expected.clamp(-1.0, 1.0);
        match self {
            Scale::Logistic => {
                let centipawns = Self::CENTIPAWNS * e.clamp(-0.999_999, 0.999_999).atanh();
                Score::new(centipawns.round() as i32)
            }
            Scale::Linear(axis) => axis.score(e * axis.range()),
        }
    }

    /// Whether nobody knows how large values become, so that they have no expected score: see [`Axis::boundless`].
    pub fn is_boundless(self) -> bool {
        matches!(self, Scale::Linear(axis) if axis.is_boundless())
    }

    /// Converts a score to the displayed unit: pawns, or the unit of the tree file.
    pub fn units(self, score: Score) -> f32 {
        match self {
            Scale::Logistic => f32::from(score.0) / 100.0,
            Scale::Linear(axis) => axis.value(score),
        }
    }

    /// Converts a number in the displayed unit to the nearest score.
    pub fn score_of_units(self, units: f32) -> Score {
        match self {
            Scale::Logistic => Score::new((units * 100.0).round() as i32),
            Scale::Linear(axis) => axis.score(units),
        }
    }

    /// The points above 0 at which beliefs are kept, in expected score; `None` in chess, whose grid is always the same.
    pub fn points(self) -> Option<&'static [f32; Axis::POINTS]> {
        match self {
            Scale::Logistic => None,
            Scale::Linear(axis) => Some(axis.points()),
        }
    }

    /// The decimals with which a number in the displayed unit is told from its neighbours.
    pub fn decimals(self) -> usize {
        match self {
            Scale::Logistic => 2,
            Scale::Linear(axis) => axis.decimals(),
        }
    }

    /// Formats an ordinary score in the displayed unit (`+0.42`, `-1.3`), wins and losses as `#3`, `-#2`, and those of
    /// unknown length as `win`, `loss`.
    pub fn format(self, score: Score) -> String {
        match (score.mate_moves(), self) {
            _ if score == Score::SOME_WIN => "win".to_owned(),
            _ if score == Score::SOME_LOSS => "loss".to_owned(),
            (Some(m), _) if score.is_win() => format!("#{m}"),
            (Some(m), _) => format!("-#{}", -m),
            (None, Scale::Logistic) => format!("{:+.2}", self.units(score)),
            (None, Scale::Linear(axis)) => {
                let text = format!("{:+.*}", axis.decimals().max(3), self.units(score));
                text.trim_end_matches('0').trim_end_matches('.').to_string()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_full_moves_as_uci_does() {
        assert_eq!(Score::win_in(1).mate_moves(), Some(1));
        assert_eq!(Score::win_in(3).mate_moves(), Some(2));
        assert_eq!(Score::loss_in(2).mate_moves(), Some(-1));
        assert_eq!(Score::loss_in(0).mate_moves(), Some(0));
        assert_eq!(Score::new(99).mate_moves(), None);
    }

    #[test]
    fn a_ply_up_negates_and_lengthens() {
        assert_eq!(Score::loss_in(0).one_ply_up(), Score::win_in(1));
        assert_eq!(Score::win_in(1).one_ply_up(), Score::loss_in(2));
        assert_eq!(Score::new(33).one_ply_up(), Score::new(-33));
    }

    #[test]
    fn a_win_of_unknown_length_stays_one() {
        let (win, loss) = (Score::SOME_WIN, Score::SOME_LOSS);
        assert_eq!((win.one_ply_up(), loss.one_ply_up()), (loss, win));
        assert_eq!((win.one_ply_down(), loss.one_ply_down()), (loss, win));
        assert!(win.is_win() && loss.is_loss() && win < Score::win_in(500));
        assert_eq!((win.mate_plies(), loss.mate_moves()), (None, None));
        // The null window next to it has no score inside.
        let next = Score::from_raw(win.raw() + 1);
        assert_eq!(win.one_ply_down().raw() - next.one_ply_down().raw(), 1);
        assert_eq!(Scale::Logistic.format(loss), "loss");
    }

    #[test]
    fn the_formula_for_chess() {
        let s = Scale::Logistic;
        assert!((s.expected(Score::new(360)) - 1f32.tanh()).abs() < 1e-6);
        for cp in [-900, -33, 0, 7, 250, 1200] {
            assert_eq!(s.score(s.expected(Score::new(cp))), Score::new(cp));
        }
        assert_eq!(s.expected(Score::win_in(5)), 1.0);
    }
}
