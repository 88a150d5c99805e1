//! Writing scores: in the unit and from the view of a lens, with words that follow the view.

use super::{Given, Lens, Outcomes, Unit};
use crate::number;
use game::{Scale, Score, Side, Sided};
use search::{Estimate, Viewpoint};
use session::{NodeBelief, NodeValue, Source};
use tree::Bound;

/// Writes scores that are given from one side's view, in the unit and from the view of a lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    pub scale: Scale,
    pub(super) unit: Unit,
    /// The side from whose view they are shown.
    pub(super) side: Side,
    /// Whether that is the other side than the one from whose view they are given.
    pub(super) turned: bool,
    /// Whether mates are shown a ply further off than they are given.
    pub(super) step: bool,
    /// Whether they are written for a column: without the zero before the point.
    pub(super) tight: bool,
}

impl Scores {
    /// Returns scores in pawns, from the view from which they are given.
    pub fn plain(scale: Scale) -> Scores {
        let by = Given::by(Side::White, Side::White);
        Lens::OWN.scores(scale, by)
    }

    /// Returns the side from whose view they are shown.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Whether they are shown from the other view than they are given.
    pub fn is_turned(&self) -> bool {
        self.turned
    }

    /// Returns the view in which an explanation is asked for, so that its numbers are as they are shown.
    pub fn viewpoint(&self) -> Viewpoint {
        match self.turned {
            true => Viewpoint::Mover,
            false => Viewpoint::Own,
        }
    }

    /// Returns the unit, or `None` for a toy tree's own.
    pub fn unit(&self) -> Option<Unit> {
        match self.scale {
            Scale::Logistic => Some(self.unit),
            Scale::Linear(_) => None,
        }
    }

    /// Returns the same for scores that are given as they are shown.
    #[must_use]
    pub fn as_shown(self) -> Scores {
        Scores {
            turned: false,
            step: false,
            ..self
        }
    }

    /// Returns the same for a column: `+.12`.
    #[must_use]
    pub fn tight(self) -> Scores {
        Scores {
            tight: true,
            ..self
        }
    }

    /// Returns a value as it is seen, from the view from which it is given.
    pub fn seen<T: Sided>(&self, value: T) -> T {
        match (self.step, self.turned) {
            (false, false) => value,
            (false, true) => value.turned(),
            (true, true) => value.one_ply_up(),
            (true, false) => value.one_ply_up().turned(),
        }
    }

    /// Writes a score; a win or a loss as `#3`, `−#3` in any unit.
    pub fn score(&self, score: Score) -> String {
        let seen = self.seen(score);
        let plain = |text: String| self.tightened(text);
        match self.unit() {
            Some(Unit::Expected) if !seen.is_decided() => {
                plain(number::expected(self.scale.expected(seen)))
            }
            Some(Unit::Outcomes) if !seen.is_decided() => {
                Outcomes::of(self.scale.expected(seen), 0.0).to_string()
            }
            _ => number::score(self.scale, seen),
        }
    }

    /// Writes a value with the sign of a bound: `≤ +0.09`, `#3`; empty where nothing is known. `belief` is that of the value,
    /// whose spread counts where the unit is the share of games won, drawn and lost.
    pub fn value(&self, value: &NodeValue, belief: Option<&NodeBelief>) -> String {
        let Some(expected) = value.expected else {
            return String::new();
        };
        if let Some(score) = value.score.filter(|score| score.is_decided()) {
            return format!("{}{}", value.sign(), self.score(score));
        }
        let sign = self.sign(value.bound.unwrap_or(Bound::Exact));
        if let Some(wide) = value.wide.and_then(|wide| self.wide(wide)) {
            return format!("{sign}{wide}");
        }
        let (sd, told) = belief.map_or((0.0, false), |b| (b.sd, b.source == Source::Outcomes));
        format!("{sign}{}", self.outcome(expected, sd, told))
    }

    /// Writes a value that no integer score stands for, in pawns or in the program's unit; `None` in other units, which it cannot
    /// be told in more exactly than as an expected score.
    pub fn wide(&self, value: f64) -> Option<String> {
        let seen = if self.turned { 0.0 - value } else { value };
        Some(match (self.scale, self.unit) {
            (Scale::Linear(axis), _) => number::exactly(seen, axis.decimals()),
            (Scale::Logistic, Unit::Pawns) => number::exactly(seen / 100.0, 2),
            _ => return None,
        })
    }

    /// Writes a belief's standard deviation with its sign, ` ±0.21`; empty without a distribution, and in a unit without
    /// spreads.
    pub fn spread_of(&self, belief: Option<&NodeBelief>) -> String {
        let belief = belief.filter(|b| b.is_distribution());
        let spread = belief.and_then(|b| self.spread(b.mean, b.sd));
        spread.map_or_else(String::new, |spread| format!(" ±{spread}"))
    }

    /// Writes an expected score.
    pub fn mean(&self, mean: f32) -> String {
        self.outcome(mean, 0.0, false)
    }

    /// Writes the mean of an estimate, whose spread counts where the unit is the share of games won, drawn and lost.
    pub fn mean_of(&self, estimate: Estimate) -> String {
        self.outcome(estimate.mean, estimate.sd.unwrap_or(0.0), false)
    }

    /// Writes an expected score with a standard deviation. `told` says that they are those of games won, drawn and lost
    /// themselves, as an engine tells them, and not of an expectation of how games end.
    pub fn outcome(&self, mean: f32, sd: f32, told: bool) -> String {
        let seen = self.seen(mean);
        match (self.scale, self.unit) {
            (Scale::Linear(axis), _) => number::units(self.scale, seen * axis.range()),
            (_, Unit::Pawns) if seen.abs() >= 1.0 => {
                let certain = if seen > 0.0 {
                    Score::SOME_WIN
                } else {
                    Score::SOME_LOSS
                };
                number::score(self.scale, certain)
            }
            (_, Unit::Pawns) => number::score(self.scale, self.scale.score(seen)),
            (_, Unit::Expected) => self.tightened(number::expected(seen)),
            (_, Unit::Outcomes) if told => Outcomes::told(seen, sd).to_string(),
            (_, Unit::Outcomes) => Outcomes::of(seen, sd).to_string(),
        }
    }

    /// Writes a standard deviation of the expected score around a mean, without a sign: in pawns half the distance
    /// between the scores one standard deviation below and above the mean. `None` for shares of games, which have none.
    pub fn spread(&self, mean: f32, sd: f32) -> Option<String> {
        Some(match (self.scale, self.unit) {
            (Scale::Linear(axis), _) => {
                let text = number::units(self.scale, sd * axis.range());
                text.trim_start_matches('+').to_owned()
            }
            (_, Unit::Outcomes) => return None,
            (_, Unit::Pawns) => {
                let half = (self.pawns(mean + sd) - self.pawns(mean - sd)) / 2.0;
                self.amount_of(half)
            }
            _ => self.amount_of(sd),
        })
    }

    /// Writes how far two expected scores are apart, without a sign.
    pub fn apart(&self, high: f32, low: f32) -> String {
        match (self.scale, self.unit) {
            (Scale::Linear(axis), _) => {
                let text = number::units(self.scale, (high - low).abs() * axis.range());
                text.trim_start_matches('+').to_owned()
            }
            (_, Unit::Pawns) => self.amount_of((self.pawns(high) - self.pawns(low)).abs()),
            (_, Unit::Outcomes) => format!("{:.2} of expected score", (high - low).abs()),
            _ => self.amount_of((high - low).abs()),
        }
    }

    fn pawns(&self, mean: f32) -> f32 {
        const CERTAIN: f32 = 0.999;
        self.scale
            .units(self.scale.score(mean.clamp(-CERTAIN, CERTAIN)))
    }

    fn amount_of(&self, amount: f32) -> String {
        // A column has room for three characters.
        let text = match self.tight && amount >= 0.995 {
            true => format!("{amount:.1}"),
            false => format!("{amount:.2}"),
        };
        match text.strip_prefix("0.").filter(|_| self.tight) {
            Some(decimals) => format!(".{decimals}"),
            None => text,
        }
    }

    fn tightened(&self, text: String) -> String {
        if self.tight && text.len() > 3 {
            text.replacen("0.", ".", 1)
        } else {
            text
        }
    }

    /// Writes a margin given in the score's integer unit, without a sign. It is always in pawns, as the rules have it.
    pub fn amount(&self, units: i32) -> String {
        let text = number::amount(self.scale, units);
        match self.unit() {
            Some(Unit::Expected | Unit::Outcomes) => format!("{text} pawns"),
            _ => text,
        }
    }

    /// Writes how far two scores are apart; empty if they are not, or one of them is a win or a loss.
    pub fn distance(&self, one: Score, other: Score) -> String {
        let off = (i32::from(one.raw()) - i32::from(other.raw())).abs();
        if off == 0 || one.is_decided() || other.is_decided() {
            return String::new();
        }
        match self.unit() {
            Some(Unit::Expected | Unit::Outcomes) => {
                self.apart(self.scale.expected(one), self.scale.expected(other))
            }
            _ if self.scale.is_boundless() => {
                self.apart(self.scale.expected(one), self.scale.expected(other))
            }
            _ => number::amount(self.scale, off),
        }
    }

    /// Writes a window; open ends are infinite.
    pub fn window(&self, alpha: Score, beta: Score, between: &str) -> String {
        // An open end is no mate, so it is not a ply nearer or farther in another view. The window of a search that asks
        // for infinitely much is infinite at both ends.
        let infinite = |low: bool, high: bool| match (low, high) {
            (true, _) => Some(self.turned),
            (_, true) => Some(!self.turned),
            _ => None,
        };
        let low = infinite(alpha <= Score::LOSS, alpha >= Score::MAX);
        let high = infinite(beta <= Score::MIN, beta >= Score::WIN);
        let ends = match self.turned {
            true => (high, low),
            false => (low, high),
        };
        let (alpha, beta) = self.seen(alpha..=beta).into_inner();
        let shown = self.as_shown();
        let text = |infinite, end| match infinite {
            Some(true) => "+∞".to_owned(),
            Some(false) => "−∞".to_owned(),
            None => shown.score(end),
        };
        format!("{}{between}{}", text(ends.0, alpha), text(ends.1, beta))
    }

    /// Writes a score with the sign of a bound: `≤ +0.09`. Of a mate it is the number of moves that is bounded: a mate in at
    /// most two moves, which is worth at least that much, is `≤ #2`, and `≤ −#2` seen from the other side.
    pub fn bounded(&self, bound: Bound, score: Score) -> String {
        let bound = match self.seen(score).is_win() {
            true => bound.turned(),
            false => bound,
        };
        format!("{}{}", self.sign(bound), self.score(score))
    }

    /// Returns the sign of a bound with the blank after it.
    pub fn sign(&self, bound: Bound) -> &'static str {
        match (self.seen(bound), self.tight) {
            (Bound::Lower, false) => "≥ ",
            (Bound::Upper, false) => "≤ ",
            (Bound::Lower, true) => "≥",
            (Bound::Upper, true) => "≤",
            (Bound::Exact | Bound::None, _) => "",
        }
    }

    /// Returns the word for what the numbers say as they are given, or the one for what the other side sees.
    pub fn word<T>(&self, given: T, turned: T) -> T {
        if self.turned { turned } else { given }
    }

    /// Returns `at least` for a lower bound; seen from the other side it is an upper bound.
    pub fn at_least(&self) -> &'static str {
        self.word("at least", "at most")
    }

    pub fn at_most(&self) -> &'static str {
        self.word("at most", "at least")
    }

    pub fn above(&self) -> &'static str {
        self.word("above", "below")
    }

    pub fn below(&self) -> &'static str {
        self.word("below", "above")
    }

    /// Returns the name of the node's alpha, which the other side calls beta.
    pub fn alpha(&self) -> &'static str {
        self.word("alpha", "beta")
    }

    /// Returns the name of the node's beta, which the other side calls alpha.
    pub fn beta(&self) -> &'static str {
        self.word("beta", "alpha")
    }

    /// Returns the sign with which a margin is added to a score.
    pub fn plus(&self) -> char {
        self.word('+', '−')
    }

    pub fn minus(&self) -> char {
        self.word('−', '+')
    }

    /// Returns the name of these numbers in a sentence.
    pub fn noun(&self) -> &'static str {
        match (self.scale, self.unit) {
            (Scale::Logistic, Unit::Expected) => "expected score",
            (Scale::Logistic, Unit::Outcomes) => "win/draw/loss",
            (_, Unit::Pawns) | (Scale::Linear(_), _) => "value",
        }
    }
}
