//! What positions are worth by the rules, and what values of a trace say of it.

use game::{Game, Side, Sided};
use open_trace::{Distance, Header, Unit, Value};
use search::AnyPosition;
use traced::Values;

pub(super) use traced::Sides;

/// What a position is worth for its side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// In the unit of the game: that of a toy tree's file, or centipawns.
    Number(f64),
    /// A win (1), a draw (0) or a loss (-1).
    Result(i8),
}

impl Worth {
    /// Returns a number by which worths of one game are ordered.
    pub fn key(self) -> f64 {
        match self {
            Worth::Number(number) => number,
            Worth::Result(result) => f64::from(result) * 1e9,
        }
    }
}

impl Sided for Worth {
    fn turned(self) -> Worth {
        match self {
            Worth::Number(number) => Worth::Number(number.turned()),
            Worth::Result(result) => Worth::Result(0 - result),
        }
    }
}

/// How a search values unfinished positions at its last ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaves {
    /// As the program likes; its values are not checked.
    #[default]
    Own,
    /// With 0.
    Zero,
    /// With the material lead of the side to move, in centipawns; chess alone has that.
    Material,
}

impl Leaves {
    pub const NAMES: [(&'static str, Leaves); 3] = [
        ("own", Leaves::Own),
        ("zero", Leaves::Zero),
        ("material", Leaves::Material),
    ];

    /// Returns what an unfinished position is worth as a leaf; `None`: the program decides.
    pub fn of(self, position: &AnyPosition) -> Option<Worth> {
        use game::ChessKnowledge as _;
        match self {
            Leaves::Own => None,
            Leaves::Zero => Some(Worth::Result(0)),
            Leaves::Material => Some(Worth::Number(position.material()?.into())),
        }
    }
}

/// Returns what a position is worth if the game is over there.
pub fn over(position: &AnyPosition) -> Option<Worth> {
    if let Some(toy) = position.as_toy() {
        let node = toy.node();
        // A leaf with a spread is one too.
        let number = node.value.filter(|_| node.children.is_empty())?;
        let white = Worth::Number(decimal(number));
        return Some(match position.turn() {
            Side::White => white,
            Side::Black => white.turned(),
        });
    }
    let ending = position.ending(position.has_moves())?;
    let score = position.ending_score(ending);
    Some(Worth::Result(
        i8::from(score.is_win()) - i8::from(score.is_loss()),
    ))
}

/// A number of a file as it is written there: 3.1 and not 3.0999999.
fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// How the values of a trace are read.
#[derive(Clone, Debug)]
pub struct Judge {
    values: Values,
    /// Up to how much values may differ, in the program's unit.
    tolerance: f64,
    /// The value of a win, where the header names neither that nor a range.
    win: f64,
}

/// Numbers are told with so many digits.
const ROUNDING: f64 = 1e-6;

impl Judge {
    pub fn new(header: &Header, root: Side, tolerance: f64, win: f64) -> Judge {
        Judge {
            values: Values::new(header, root, "Max"),
            tolerance,
            win,
        }
    }

    /// Returns a value as the side to move has it; see [`Values::own`].
    pub fn own(&self, value: Value, sides: Sides) -> f64 {
        self.values.own(value, sides)
    }

    /// See [`Values::turns`].
    pub fn turns(&self, sides: Sides) -> bool {
        self.values.turns(sides)
    }

    /// Returns an own value as the program tells it, in its unit.
    pub fn told(&self, own: f64, sides: Sides) -> f64 {
        let seen = match self.values.turns(sides) {
            true => own.turned(),
            false => own,
        };
        self.values.in_unit(seen + self.values.centre())
    }

    /// Whether two own values are the same, as far as the tolerance goes.
    pub fn is_same(&self, one: f64, other: f64) -> bool {
        let apart = self.values.in_unit(one - other).abs();
        one == other
            || apart <= self.tolerance + ROUNDING * (1.0 + self.values.in_unit(other).abs())
    }

    /// Whether two own values are the same but for what is lost where means are told in whole steps.
    pub fn is_near(&self, one: f64, other: f64) -> bool {
        self.is_same(one, other) || self.values.spec().step < 1.0 && (one - other).abs() <= 1.0
    }

    /// Whether an own value is so far out that it is an open end of a window.
    pub fn is_open(&self, own: f64) -> bool {
        self.values.is_open(own)
    }

    /// Returns what an own value says about the node before it, for the other side.
    pub fn one_ply_up(&self, own: f64) -> f64 {
        match self.values.plies_to_win(own) {
            Some(_) if self.values.spec().distance == Distance::Node => {
                (own - own.signum()).turned()
            }
            _ => own.turned(),
        }
    }

    /// Whether an own value of a node says that its position has this worth for `side`, which is to move there. At a leaf so
    /// many plies from the root, a win on the board is told with that distance or without one.
    pub fn agrees(&self, own: f64, worth: Worth, side: Side, leaf_at: Option<u32>) -> bool {
        let Worth::Result(result) = worth else {
            return self.is_same(own, self.wanted(worth, 0, side));
        };
        if let Some(plies) = self.values.plies_to_win(own) {
            let is_near = leaf_at.is_none_or(|ply| plies == 0 || u32::from(plies) == ply);
            return is_near && (own > 0.0) == (result > 0) && result != 0;
        }
        let is_decided = self.values.spec().win.is_some() && result != 0;
        !is_decided && self.is_same(own, self.wanted(worth, 0, side))
    }

    /// Returns the own value of a node with this worth, so many plies from the root.
    pub fn wanted(&self, worth: Worth, ply: u32, side: Side) -> f64 {
        let spec = self.values.spec();
        let has_range = spec.range.is_some();
        let is_score = matches!(spec.unit, Unit::Win | Unit::Expected);
        let end = self.values.range().filter(|_| has_range || is_score);
        match worth {
            Worth::Number(number) => {
                let centre = self.values.in_unit(self.values.centre());
                let off = match side {
                    Side::White => centre,
                    Side::Black => centre.turned(),
                };
                (number - off) / spec.step
            }
            Worth::Result(result) => {
                let size = match (spec.win, end) {
                    (Some(win), _) if spec.distance == Distance::Root => win.get() - f64::from(ply),
                    (Some(win), _) => win.get(),
                    (None, Some(end)) => end / spec.step,
                    (None, None) => self.win / spec.step,
                };
                f64::from(result) * size
            }
        }
    }

    /// Returns an own value in the program's unit.
    pub fn in_unit(&self, own: f64) -> f64 {
        self.values.in_unit(own)
    }

    /// Returns the own value of a number in the program's unit.
    pub fn of_unit(&self, number: f64) -> f64 {
        number / self.values.spec().step
    }

    /// Returns an own value in a range that an assignment computes with: [-1, 1] or [0, 1].
    pub fn in_range(&self, own: f64, [low, high]: [f64; 2]) -> f64 {
        let spec = self.values.spec();
        let end = match (spec.range, &spec.unit) {
            (Some(_), _) | (None, Unit::Win | Unit::Expected) => self.values.range(),
            _ => None,
        };
        let share = self.values.in_unit(own) / end.unwrap_or(self.win);
        (low + high) / 2.0 + share * (high - low) / 2.0
    }
}
