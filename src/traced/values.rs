//! From the values that a program tells to those of the tree.

use super::reasons::Place;
use game::{Axis, Game, Scale, Score, Side};
use open_trace::{Distance, Header, UNKNOWN_PLIES, Unit, Value, ValueSpec, View};
use tree::Proof;

/// How a program's values become scores and expected scores of the side to move.
#[derive(Clone, Debug)]
pub struct Values {
    spec: ValueSpec,
    scale: Scale,
    /// What is taken off a value, in steps, so that it changes its sign with the side.
    centre: f64,
    /// The integer scores in one step.
    scores_in_a_step: f64,
    /// The least value that may be a win, in steps.
    least_win: f64,
    /// Beyond so many integer scores steps are no longer even.
    even_to: f64,
    /// The units of an expected score of 1; `None` where the scale is not linear.
    range: Option<f64>,
    /// The units of the scale in one of the program's.
    shown: f64,
    root: Side,
}

/// Who sees a value: the sides to move at its node, and at the parent.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    pub node: Side,
    /// `None` at the root.
    pub parent: Option<Side>,
}

/// The steps of an expected score of 1 where a program says neither a unit that plyscope knows nor a range: as far as values
/// go. A power of two, so that a value is the same after being divided by it.
const UNKNOWN_RANGE: f64 = (1_u64 << 31) as f64;

/// The integer scores in an expected score of 1, where a value is one.
const EXPECTED_STEPS: f64 = 10_000.0;

impl Values {
    /// The values of a search from this position. Those of a toy tree are in the unit of its leaves.
    pub fn of<G: Game>(header: &Header, root: &G) -> Values {
        let (turn, first) = (root.turn(), root.side_name(Side::White));
        let range = match (&header.value.unit, header.value.range, root.scale()) {
            (Unit::Named(_), None, Scale::Linear(axis)) if is_toy(root) => axis.range(),
            _ => return Values::new(header, turn, first),
        };
        let mut header = header.clone();
        let most = f64::from(range) / header.value.step;
        header.value.range = Value::new(-most).zip(Value::new(most));
        Values::new(&header, turn, first)
    }

    /// `root` is the side to move at the root, and `first` the name of the side whose view is shown.
    pub fn new(header: &Header, root: Side, first: &'static str) -> Values {
        let spec = header.value.clone();
        let ends = match (&spec.unit, spec.range) {
            (_, Some((low, high))) => Some((spec.in_unit(low), spec.in_unit(high))),
            (Unit::Win, None) => Some((0.0, 1.0)),
            (Unit::Expected, None) => Some((-1.0, 1.0)),
            (Unit::Centipawns | Unit::Named(_), None) => None,
        };
        let centre = spec.centre() * spec.step;
        let own_unit = |axis| named(spec.unit.name(), spec.step, first, axis);
        let (scale, shown, per_unit, range) = match (ends, &spec.unit) {
            (Some((low, high)), unit) => {
                let range = (high - centre).max(centre - low);
                match unit {
                    // Values that have no sign are shown as expected scores: a scale has 0 in its middle.
                    Unit::Named(_) | Unit::Centipawns if centre == 0.0 => {
                        let per_unit = steps_in_a_unit(&spec, range);
                        let axis = Axis::even(per_unit as f32, range as f32);
                        (own_unit(axis), 1.0, per_unit, Some(range))
                    }
                    _ => {
                        let axis = Axis::even(EXPECTED_STEPS as f32, 1.0);
                        let scale = named("expected", spec.step / range, first, axis);
                        (scale, 1.0 / range, EXPECTED_STEPS / range, Some(range))
                    }
                }
            }
            (None, Unit::Named(_)) => {
                let per_unit = steps_in_a_unit(&spec, 0.0);
                let range = UNKNOWN_RANGE * spec.step;
                let axis = Axis::boundless(per_unit as f32, range as f32);
                (own_unit(axis), 1.0, per_unit, Some(range))
            }
            (None, _) => (Scale::Logistic, 1.0, 1.0, None),
        };
        let least_win = spec
            .win
            .zip(spec.longest_win())
            .map(|(win, most)| win.get() - most);
        let even_to = match scale {
            Scale::Linear(axis) if axis.is_boundless() => f64::from(axis.even_to()) * per_unit,
            _ => f64::from(Score::LIMIT),
        };
        Values {
            centre: spec.centre(),
            scale,
            even_to,
            scores_in_a_step: spec.step * per_unit,
            least_win: least_win.unwrap_or(f64::INFINITY),
            range,
            shown,
            spec,
            root,
        }
    }

    /// The scale of the tree.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    #[inline]
    pub fn spec(&self) -> &ValueSpec {
        &self.spec
    }

    /// Returns what is taken off a value, in steps, so that it changes its sign with the side.
    pub fn centre(&self) -> f64 {
        self.centre
    }

    /// Returns the units of an expected score of 1, counted from the centre; `None` where the scale is not linear.
    pub fn range(&self) -> Option<f64> {
        self.range
    }

    /// Whether values of a node are turned to become those of its side to move.
    #[inline]
    pub fn turns(&self, sides: Sides) -> bool {
        match self.spec.view {
            View::Node => false,
            View::Parent => sides.parent.unwrap_or(sides.node.other()) != sides.node,
            View::Root => sides.node != self.root,
            View::First => sides.node != Side::White,
        }
    }

    /// Returns a value as the side to move has it: in steps, and changing its sign with the side.
    #[inline]
    pub fn own(&self, value: Value, sides: Sides) -> f64 {
        let own = value.get() - self.centre;
        match self.turns(sides) {
            true => 0.0 - own,
            false => own,
        }
    }

    /// Returns the integer score of an own value at a node so many plies from the root.
    #[inline]
    pub fn score(&self, own: f64, ply: u16) -> Score {
        if let Some(plies) = self.plies_to_win(own) {
            let from_here = match self.spec.distance {
                // A win that comes before the node is a mistake of the program, and its distance is not known.
                Distance::Root => plies.checked_sub(ply),
                Distance::Node => Some(plies),
            };
            return match (own > 0.0, from_here.filter(|_| plies != UNKNOWN_PLIES)) {
                (true, None) => Score::SOME_WIN,
                (false, None) => Score::SOME_LOSS,
                (true, Some(plies)) => Score::win_in(plies),
                (false, Some(plies)) => Score::loss_in(plies),
            };
        }
        let scores = self.in_scores(own);
        if scores.abs() > self.even_to {
            return self.large(own);
        }
        // Rounded.
        Score::new((scores + 0.5_f64.copysign(scores)) as i32)
    }

    /// Returns proven bounds of a node's value. `plies` to the end of the game.
    pub fn proof(
        &self,
        (lower, upper): (Option<Value>, Option<Value>),
        plies: Option<u16>,
        place: Place,
    ) -> Proof {
        let bound = |value: Value| {
            let own = self.own(value, place.sides);
            let is_known = self.plies_to_win(own).is_some();
            match (self.expected(own), plies) {
                (1.0.., Some(plies)) => Score::win_in(plies),
                (..=-1.0, Some(plies)) => Score::loss_in(plies),
                (1.0.., None) if !is_known => Score::SOME_WIN,
                (..=-1.0, None) if !is_known => Score::SOME_LOSS,
                _ => self.score(own, place.ply),
            }
        };
        let (mut lower, mut upper) = (lower.map(bound), upper.map(bound));
        if self.turns(place.sides) {
            std::mem::swap(&mut lower, &mut upper);
        }
        Proof {
            lower: lower.unwrap_or(Proof::OPEN.lower),
            upper: upper.unwrap_or(Proof::OPEN.upper),
        }
    }

    /// Returns the integer score nearest to a value beyond the even ones.
    #[cold]
    fn large(&self, own: f64) -> Score {
        match self.scale {
            Scale::Linear(axis) if axis.is_boundless() => axis.score(self.in_scale(own) as f32),
            _ => Score::new(self.in_scores(own) as i32),
        }
    }

    /// Returns the end of a window: open where the program says so, or says nothing.
    #[inline]
    pub fn end(&self, own: Option<f64>, ply: u16, open: Score) -> Score {
        match own {
            Some(own) if !self.is_open(own) => match self.score(own, ply) {
                // What lies before the node cannot be reached there.
                Score::SOME_WIN if self.is_too_early(own, ply) => Score::WIN,
                Score::SOME_LOSS if self.is_too_early(own, ply) => Score::LOSS,
                score => score,
            },
            _ => open,
        }
    }

    /// Whether an own value is a win or a loss that comes before its node, so many plies from the root.
    fn is_too_early(&self, own: f64, ply: u16) -> bool {
        self.spec.distance == Distance::Root && self.plies_to_win(own).is_some_and(|at| at < ply)
    }

    /// Whether an end of a window with this own value is open.
    pub fn is_open(&self, own: f64) -> bool {
        own.abs() >= self.spec.infinite.get()
    }

    /// Returns an own value in the scale's unit where no integer score stands for exactly this one.
    #[inline]
    pub fn wide(&self, own: f64) -> Option<f64> {
        let fits = self.plies_to_win(own).is_some() || self.in_scores(own).abs() <= self.even_to;
        (!fits).then(|| self.in_scale(own))
    }

    /// Returns an own value in the scale's unit.
    #[inline]
    pub fn in_scale(&self, own: f64) -> f64 {
        self.in_unit(own) * self.shown
    }

    /// Returns an own value in the program's unit, but changing its sign with the side.
    #[inline]
    pub fn in_unit(&self, own: f64) -> f64 {
        own * self.spec.step
    }

    /// Returns the difference of two values as that of integer scores.
    pub fn difference(&self, steps: f64) -> f64 {
        self.in_scores(steps)
    }

    /// Returns the expected score of an own value.
    pub fn expected(&self, own: f64) -> f32 {
        if self.plies_to_win(own).is_some() {
            return if own > 0.0 { 1.0 } else { -1.0 };
        }
        match self.range {
            Some(range) => (self.in_unit(own) / range).clamp(-1.0, 1.0) as f32,
            None => (self.in_scores(own) as f32 / Scale::CENTIPAWNS).tanh(),
        }
    }

    #[inline]
    fn in_scores(&self, steps: f64) -> f64 {
        steps * self.scores_in_a_step
    }

    /// Returns in how many plies an own value is a win, above 0, or a loss; `None` if it is neither.
    #[inline]
    pub fn plies_to_win(&self, own: f64) -> Option<u16> {
        match own.abs() >= self.least_win {
            true => self.spec.win_in(Value::new(own)?),
            false => None,
        }
    }
}

/// Whether a position is of a toy tree, all of whose leaves are known.
fn is_toy<G: Game>(position: &G) -> bool {
    position.height().is_some()
}

/// A tree's scale in a unit in which the program's step is so large, from the view of a side.
fn named(unit: &str, step: f64, first: &'static str, axis: Axis) -> Scale {
    let unit = if unit.is_empty() {
        "program's unit"
    } else {
        unit
    };
    // What the program tells apart, but a mean is told by two decimals well enough.
    let decimals = (-step.log10()).ceil().clamp(0.0, 2.0) as u8;
    Scale::Linear(axis.named(unit, first, decimals).kept())
}

/// Returns the integer scores in one unit: one for each step of the program, unless the range has too many.
fn steps_in_a_unit(spec: &ValueSpec, range: f64) -> f64 {
    let wished = (1.0 / spec.step).max(1.0);
    let most = f64::from(Score::LIMIT);
    if wished * range <= most {
        wished
    } else {
        // Powers of ten, so that a decimal stays a decimal.
        10_f64.powf((most / range).log10().floor()).min(wished)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(unit: Unit, spec: impl FnOnce(&mut ValueSpec)) -> Values {
        let mut header = Header::default();
        header.value.unit = unit;
        spec(&mut header.value);
        Values::new(&header, Side::White, "White")
    }

    fn value(number: f64) -> Value {
        Value::new(number).expect("a value")
    }

    const WHITE: Sides = Sides {
        node: Side::White,
        parent: Some(Side::Black),
    };
    const BLACK: Sides = Sides {
        node: Side::Black,
        parent: Some(Side::White),
    };

    #[test]
    fn a_value_is_turned_to_the_side_to_move() {
        for (view, white, black) in [
            (View::Node, 30.0, 30.0),
            (View::Parent, -30.0, -30.0),
            (View::Root, 30.0, -30.0),
            (View::First, 30.0, -30.0),
        ] {
            let values = values(Unit::Centipawns, |spec| spec.view = view);
            assert_eq!(values.own(value(30.0), WHITE), white, "{view:?}");
            assert_eq!(values.own(value(30.0), BLACK), black, "{view:?}");
        }
    }

    #[test]
    fn a_probability_of_a_win_changes_its_sign_with_the_side() {
        let values = values(Unit::Win, |spec| {
            spec.step = 0.001;
            spec.view = View::First;
        });
        assert_eq!(values.own(value(700.0), WHITE), 200.0);
        assert_eq!(values.own(value(700.0), BLACK), -200.0);
        assert!((values.expected(200.0) - 0.4).abs() < 1e-6);
        let score = values.score(200.0, 0);
        assert!((values.scale().expected(score) - 0.4).abs() < 1e-4);
    }

    #[test]
    fn values_without_a_sign_are_expected_scores_however_they_are_declared() {
        let range = |low, high| Some((value(low), value(high)));
        let declared = [
            (Unit::Win, 0.0001, None),
            (Unit::Win, 0.0001, range(0.0, 10_000.0)),
            (Unit::Win, 1.0, range(0.0, 1.0)),
            (Unit::Named("share".into()), 0.0001, range(0.0, 10_000.0)),
            (Unit::Named("share".into()), 1.0, range(0.0, 1.0)),
            (Unit::Named("points".into()), 0.5, range(0.0, 200.0)),
        ];
        for (unit, step, range) in declared {
            let most = range.map_or(1.0 / step, |(_, high)| high.get());
            let values = values(unit.clone(), |spec| (spec.step, spec.range) = (step, range));
            let shown = |share: f64| {
                let own = values.own(value(share * most), WHITE);
                let score = values.score(own, 0);
                assert!((values.in_scale(own) - f64::from(values.expected(own))).abs() < 1e-6);
                values.scale().units(score)
            };
            assert_eq!(shown(0.515), 0.03, "{unit:?} {step}");
            assert_eq!((shown(1.0), shown(0.0)), (1.0, -1.0));
            let Scale::Linear(axis) = values.scale() else {
                panic!("an axis");
            };
            assert_eq!((axis.unit(), axis.range()), ("expected", 1.0));
        }
    }

    #[test]
    fn wins_keep_their_distance_from_the_node() {
        let cp = |distance| {
            values(Unit::Centipawns, |spec| {
                spec.win = Value::new(32_000.0);
                spec.distance = distance;
            })
        };
        let from_root = cp(Distance::Root);
        assert_eq!(from_root.score(31_995.0, 2), Score::win_in(3));
        assert_eq!(from_root.score(-31_994.0, 2), Score::loss_in(4));
        assert_eq!(cp(Distance::Node).score(31_995.0, 2), Score::win_in(5));
        // Before its node there is none: an entry of a table, taken as it is, from further up.
        assert_eq!(from_root.score(31_996.0, 5), Score::SOME_WIN);
        assert_eq!(from_root.score(-31_996.0, 5), Score::SOME_LOSS);
        assert_eq!(from_root.end(Some(31_997.0), 5, Score::MAX), Score::WIN);
        assert_eq!(from_root.expected(31_995.0), 1.0);
        assert_eq!(from_root.wide(31_995.0), None);
    }

    #[test]
    fn a_small_value_of_a_win_leaves_room_for_others() {
        let points = values(Unit::Named("points".into()), |spec| {
            spec.win = Value::new(100.0)
        });
        assert_eq!(points.score(97.0, 0), Score::win_in(3));
        assert_eq!(points.score(-96.0, 1), Score::loss_in(3));
        assert_eq!(points.score(3.0, 0), Score::new(3));
        assert_eq!(points.score(0.0, 0), Score::DRAW);
    }

    #[test]
    fn a_value_without_a_range_is_itself_on_the_scale() {
        let points = values(Unit::Named("points".into()), |spec| spec.step = 0.5);
        let score = points.score(25.0, 0);
        assert_eq!(points.scale().units(score), 12.5);
        assert_eq!(points.wide(25.0), None);
        let wide = points.wide(2e6);
        assert_eq!(wide, Some(1e6));
        let score = points.score(2e6, 0);
        assert!(!score.is_decided() && points.score(2.01e6, 0) > score);
        // A large score stands for its value to a thousandth.
        assert!((points.scale().units(score) - 1e6).abs() < 1e3);
        assert_eq!(points.expected(2e6) * (1_u64 << 30) as f32, 1e6);
    }

    #[test]
    fn wins_of_a_large_value_are_wins_beside_ordinary_values() {
        let points = values(Unit::Named("points".into()), |spec| {
            spec.win = Value::new(1e6);
            spec.infinite = value(1_000_001.0);
        });
        assert_eq!(points.score(999_997.0, 0), Score::win_in(3));
        assert!(!points.score(31_000.0, 0).is_decided());
        assert_eq!(points.end(Some(1_000_001.0), 0, Score::MAX), Score::MAX);
        assert_eq!(points.expected(999_997.0), 1.0);
    }

    #[test]
    fn a_range_gives_an_expected_score() {
        let discs = values(Unit::Named("discs".into()), |spec| {
            spec.range = Some((value(-64.0), value(64.0)));
        });
        assert_eq!(discs.expected(16.0), 0.25);
        let score = discs.score(16.0, 0);
        assert_eq!(discs.scale().expected(score), 0.25);
        assert_eq!(discs.scale().units(score), 16.0);
    }

    #[test]
    fn an_end_at_infinity_is_open() {
        let cp = values(Unit::Centipawns, |spec| spec.infinite = value(32_001.0));
        assert_eq!(cp.end(Some(32_001.0), 0, Score::MAX), Score::MAX);
        assert_eq!(cp.end(None, 0, Score::MIN), Score::MIN);
        assert_eq!(cp.end(Some(-20.0), 0, Score::MIN), Score::new(-20));
    }
}
