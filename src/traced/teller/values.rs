//! From the scores and expected scores of the tree to the values of a stream.

use game::{Scale, Score};
use open_trace::{Distance, UNKNOWN_PLIES, Unit, Value, ValueSpec};
use tree::Family;

/// How scores become values, from the view of the side to move.
#[derive(Clone, Debug)]
pub struct ToldValues {
    spec: ValueSpec,
    scale: Scale,
    steps_in_a_score: f64,
}

/// The steps in a unit of chess' scores where values are expected scores, whose values are no whole centipawns.
const FINE: f64 = 10_000.0;

/// The value of a win in the unit of a toy tree, in steps: beyond all that its file can have.
const FURTHEST: f64 = 2e9;

/// The value of a win, in centipawns.
const WIN: f64 = 32_000.0;

impl ToldValues {
    pub fn new(scale: Scale, family: Family) -> ToldValues {
        let fine = match family {
            Family::DepthFirst => 1.0,
            Family::BestFirst => FINE,
        };
        let steps = |number: f64| Value::new(number.round());
        match scale {
            Scale::Logistic => ToldValues {
                spec: ValueSpec {
                    unit: Unit::Centipawns,
                    infinite: steps((WIN + 1.0) * fine).unwrap_or(Value::MAX),
                    win: steps(WIN * fine),
                    distance: Distance::Node,
                    step: 1.0 / fine,
                    ..ValueSpec::default()
                },
                scale,
                steps_in_a_score: fine,
            },
            Scale::Linear(axis) => {
                // What a score stands for need not be a whole number of anything, if the file's values are far apart.
                let range = f64::from(axis.range());
                let most = 1e8;
                let finest = f64::from(axis.value(Score::new(1))).abs();
                let per_unit = match family {
                    Family::DepthFirst if finest > 0.0 => (1.0 / finest).min(most / range),
                    _ => most / range,
                };
                let per_unit = 10_f64.powf(per_unit.log10().round());
                let end = Value::new(range * per_unit);
                ToldValues {
                    spec: ValueSpec {
                        unit: Unit::Named(axis.unit().into()),
                        range: end.map(|end| (end.negated(), end)),
                        infinite: steps(FURTHEST + 1.0).unwrap_or(Value::MAX),
                        win: steps(FURTHEST),
                        step: 1.0 / per_unit,
                        distance: Distance::Node,
                        ..ValueSpec::default()
                    },
                    scale,
                    steps_in_a_score: f64::from(axis.value(Score::new(1))) * per_unit,
                }
            }
        }
    }

    pub fn spec(&self) -> &ValueSpec {
        &self.spec
    }

    /// The value of a score; `None` for an open end of a window.
    pub fn score(&self, score: Score) -> Option<Value> {
        if score <= Score::MIN || score >= Score::MAX {
            return None;
        }
        if score.is_decided() {
            let plies = score.mate_plies().map(|plies| plies.unsigned_abs());
            return self.win_in(plies, score > Score::DRAW);
        }
        let steps = match self.scale {
            Scale::Logistic => f64::from(score.raw()) * self.steps_in_a_score,
            Scale::Linear(axis) => f64::from(axis.value(score)) / self.spec.step,
        };
        Value::new(steps.round())
    }

    /// A win or a loss in so many plies; `None`: nobody knows in how many.
    fn win_in(&self, plies: Option<u16>, wins: bool) -> Option<Value> {
        let win = self.spec.win?;
        let plies = plies.unwrap_or(UNKNOWN_PLIES).min(UNKNOWN_PLIES);
        let value = Value::new(win.get() - f64::from(plies))?;
        Some(if wins { value } else { value.negated() })
    }

    /// A score as a number, which an open end of a window is too.
    pub fn number(&self, score: Score) -> Option<f64> {
        match score {
            Score::MIN => Some(-self.spec.infinite.get()),
            Score::MAX => Some(self.spec.infinite.get()),
            _ => self.score(score).map(Value::get),
        }
    }

    /// A difference of scores, in steps.
    pub fn difference(&self, margin: i16) -> f64 {
        (f64::from(margin) * self.steps_in_a_score).round()
    }

    /// The value of an expected score.
    pub fn expected(&self, expected: f32) -> Option<Value> {
        let expected = f64::from(expected);
        if expected.abs() >= 1.0 {
            return self.win_in(Some(0), expected > 0.0);
        }
        Value::new(self.steps(expected).round())
    }

    /// The standard deviation of an expected score.
    pub fn spread(&self, sd: f32) -> Option<Value> {
        let sd = f64::from(sd);
        (sd > 0.0 && sd < 1.0).then(|| Value::new(self.steps(sd).round()))?
    }

    fn steps(&self, expected: f64) -> f64 {
        match self.scale {
            Scale::Logistic => {
                expected.atanh() * f64::from(Scale::CENTIPAWNS) * self.steps_in_a_score
            }
            Scale::Linear(axis) => expected * f64::from(axis.range()) / self.spec.step,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::values::{Sides, Values};
    use super::*;
    use game::{Axis, Side};
    use open_trace::Header;

    fn read(told: &ToldValues) -> Values {
        let header = Header {
            value: told.spec().clone(),
            ..Header::default()
        };
        Values::new(&header, Side::White, "White")
    }

    const AT_ROOT: Sides = Sides {
        node: Side::White,
        parent: None,
    };

    #[test]
    fn a_score_has_its_value_back() {
        for family in [Family::DepthFirst, Family::BestFirst] {
            let told = ToldValues::new(Scale::Logistic, family);
            let values = read(&told);
            let ordinary = (-30_000..=30_000).step_by(7).map(Score::new);
            let wins = (0..900).flat_map(|n| [Score::win_in(n), Score::loss_in(n)]);
            let unknown = [Score::SOME_WIN, Score::SOME_LOSS];
            for score in ordinary.chain(wins).chain(unknown) {
                let value = told.score(score).expect("a value");
                let own = values.own(value, AT_ROOT);
                assert_eq!(values.score(own, 3), score, "{family:?}: {value:?}");
            }
            assert_eq!(told.score(Score::MIN).or(told.score(Score::MAX)), None);
        }
    }

    #[test]
    fn an_expected_score_has_its_value_back() {
        let toy = Scale::Linear(Axis::even(100.0, 50.0).kept());
        for scale in [Scale::Logistic, toy] {
            let told = ToldValues::new(scale, Family::BestFirst);
            let values = read(&told);
            for i in -1000..=1000 {
                let expected = i as f32 / 1000.0;
                let value = told.expected(expected).expect("a value");
                let back = values.expected(values.own(value, AT_ROOT));
                assert!((back - expected).abs() < 1e-6, "{expected}: {back}");
            }
        }
    }

    #[test]
    fn a_score_of_a_toy_tree_is_the_value_of_its_file() {
        for family in [Family::DepthFirst, Family::BestFirst] {
            let axis = Axis::even(100.0, 50.0).kept();
            let told = ToldValues::new(Scale::Linear(axis), family);
            let values = read(&told);
            for score in (-5000..=5000).step_by(13).map(Score::new) {
                let value = told.score(score).expect("a value");
                assert_eq!(told.spec().in_unit(value) as f32, axis.value(score));
                let back = values.score(values.own(value, AT_ROOT), 0);
                assert_eq!(
                    values.scale().units(back),
                    f64::from(axis.value(score)) as f32
                );
            }
        }
    }
}
