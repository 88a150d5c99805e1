//! What a stream says of itself.

mod read;

use super::value::Value;

pub use read::Refused;
pub(crate) use read::header as read;

/// Declares words of the header: an enum, the word of each variant, and the default.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
        pub enum $name { $($(#[$inner])* $variant),* }

        impl $name {
            pub const ALL: [$name; [$($word),*].len()] = [$($name::$variant),*];

            /// Its word in the header.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }

            /// The one with this word.
            pub fn named(word: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|one| one.word() == word)
            }
        }
    };
}

words! {
    /// In which order the nodes of the tree are searched.
    Order {
        /// Nodes are entered and left: alpha-beta and its relatives.
        #[default]
        DepthFirst "depth-first",
        /// Nodes are expanded and visited: MCTS and its relatives.
        BestFirst "best-first",
    }
}

words! {
    /// From whose side a value is seen.
    View {
        /// The side to move at the node.
        #[default]
        Node "node",
        /// The side that moved there, which is the one to move at the node's parent.
        Parent "parent",
        /// The side to move at the root.
        Root "root",
        /// White, Max.
        First "first",
    }
}

words! {
    /// From where the plies to a win are counted.
    Distance {
        #[default]
        Root "root",
        Node "node",
    }
}

words! {
    /// What values outside the window say.
    Fail {
        /// A value outside the window is a bound.
        #[default]
        Soft "soft",
        /// All values are within the window, and the ends of the window are bounds.
        Hard "hard",
    }
}

words! {
    /// How the value of a `visit` reaches the nodes above.
    Backup {
        /// A node's value is the mean of the visits at and below it.
        #[default]
        Mean "mean",
        /// A node's value is that of its best child.
        Minimax "minimax",
        /// Visits are counted only; `update` tells the values.
        None "none",
    }
}

words! {
    /// Where the nodes are shown that a rule searches between `try` and `tried`.
    Trials {
        /// They hang below the rule, apart from the moves.
        #[default]
        Below "below",
        /// They are rows of the node in which the rule is tried; a move that is searched later is the same row.
        Among "among",
    }
}

words! {
    /// What a reason is the reason for.
    Class {
        /// The node's value is known without a search: by a table, a draw, a mate.
        Known "known",
        /// The node is cut off before its moves.
        Cut "cut",
        /// The node is cut off by one of its moves.
        Cutoff "cutoff",
        /// A move is not searched.
        Skip "skip",
        /// A rule searches below the node.
        Try "try",
        /// Anything else.
        #[default]
        Info "info",
    }
}

words! {
    /// The unit of a reason's number.
    NumberUnit {
        /// A value, from the header's view.
        Value "value",
        /// The difference of two values.
        Difference "difference",
        /// A depth, in the program's units.
        Plies "plies",
        Count "count",
        /// A share from 0 to 1; in the binary form in 65,535ths.
        Share "share",
        Move "move",
        Bound "bound",
        #[default]
        Number "number",
    }
}

/// The unit of the values.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Unit {
    Centipawns,
    /// The probability of a win, 0 to 1.
    Win,
    /// The expected score, −1 to 1.
    Expected,
    /// The program's own, by its name, which may be empty.
    Named(Box<str>),
}

impl Unit {
    pub fn name(&self) -> &str {
        match self {
            Unit::Centipawns => "cp",
            Unit::Win => "win",
            Unit::Expected => "expected",
            Unit::Named(name) => name,
        }
    }
}

/// What the values mean. All numbers but `step` are in units of `step`, as the values are.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueSpec {
    pub unit: Unit,
    /// The least and the greatest value, for a unit that has an expected score.
    pub range: Option<(Value, Value)>,
    pub view: View,
    /// At this value and beyond, an end of a window is open.
    pub infinite: Value,
    /// The value of a win on the board; each ply of distance takes one off. `None`: values tell no distance.
    pub win: Option<Value>,
    pub distance: Distance,
    /// What one step is in the value's unit. Above 0.
    pub step: f64,
    pub fail: Fail,
}

/// A value whose distance from `win` is at most this, and at most half of `win`, is a win in so many plies.
const WIN_PLIES: f64 = 1_000.0;

/// A win so many steps below `win` takes an unknown number of plies, as endgame tables report it.
pub const UNKNOWN_PLIES: u16 = 1_000;

impl ValueSpec {
    /// A value in its unit.
    pub fn in_unit(&self, value: Value) -> f64 {
        value.get() * self.step
    }

    /// A number in the value's unit as a value: in steps, and whole where it is so close to a whole number that only rounding
    /// can be the difference.
    pub fn from_unit(&self, number: f64) -> Option<Value> {
        let steps = number / self.step;
        let whole = steps.round();
        let near = (steps - whole).abs() <= 1e-6;
        Value::new(if near { whole } else { steps })
    }

    /// Whether an end of a window with this value is open.
    pub fn is_open(&self, end: Value) -> bool {
        end.get().abs() >= self.infinite.get()
    }

    /// If the value is a win (above 0) or a loss (below 0) at a known distance: the plies to it.
    pub fn win_in(&self, value: Value) -> Option<u16> {
        let plies = self.win?.get() - value.get().abs();
        (0.0..=self.longest_win()?)
            .contains(&plies)
            .then_some(plies as u16)
    }

    /// The most plies that a win can take. A small value of a win leaves room for values that are none.
    pub fn longest_win(&self) -> Option<f64> {
        Some(WIN_PLIES.min(self.win?.get() / 2.0))
    }

    /// What is taken off a value, in steps, so that it changes its sign with the side: the middle of values that have no sign.
    pub fn centre(&self) -> f64 {
        match (&self.unit, self.range) {
            (_, Some((low, high))) if low.get() >= 0.0 => (low.get() + high.get()) / 2.0,
            (Unit::Win, None) => 0.5 / self.step,
            _ => 0.0,
        }
    }

    /// The expected score of a value, −1 to 1 from the same view, where unit and range tell it.
    pub fn expected(&self, value: Value) -> Option<f64> {
        let number = self.in_unit(value);
        let expected = match (&self.unit, self.range) {
            (_, Some((low, high))) => {
                2.0 * (value.get() - low.get()) / (high.get() - low.get()) - 1.0
            }
            (Unit::Win, None) => 2.0 * number - 1.0,
            (Unit::Expected, None) => number,
            (Unit::Centipawns | Unit::Named(_), None) => return None,
        };
        Some(expected.clamp(-1.0, 1.0))
    }
}

impl Default for ValueSpec {
    fn default() -> Self {
        ValueSpec {
            unit: Unit::Named("".into()),
            range: None,
            view: View::default(),
            infinite: Value::MAX,
            win: None,
            distance: Distance::default(),
            step: 1.0,
            fail: Fail::default(),
        }
    }
}

/// A number of a reason.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Number {
    pub name: Box<str>,
    pub unit: NumberUnit,
}

/// A reason that the program declares.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reason {
    /// Its number in the binary form, from 1.
    pub n: u8,
    pub name: Box<str>,
    pub class: Class,
    pub numbers: Vec<Number>,
    /// The sentence, in which `{name}` stands for a number. May be empty.
    pub text: Box<str>,
}

/// What a stream says of itself. All texts can be printed as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub version: u32,
    /// The program's name and version. May be empty.
    pub engine: Box<str>,
    /// The game, such as `chess`. May be empty.
    pub game: Box<str>,
    pub order: Order,
    pub value: ValueSpec,
    pub backup: Backup,
    pub trials: Trials,
    /// A ply in the program's units of depth. At least 1.
    pub depth_step: u16,
    /// The declared reasons, each with a number of its own.
    pub reasons: Vec<Reason>,
    /// Whether the program listens to the control channel.
    pub control: bool,
}

/// The version that this crate reads and writes.
pub const VERSION: u32 = 1;

impl Header {
    /// The reason with this number, if it is declared.
    pub fn reason(&self, n: u8) -> Option<&Reason> {
        self.reasons.iter().find(|reason| reason.n == n)
    }

    /// The reason with this name, if it is declared.
    pub fn reason_named(&self, name: &str) -> Option<&Reason> {
        self.reasons.iter().find(|reason| &*reason.name == name)
    }
}

impl Default for Header {
    fn default() -> Self {
        Header {
            version: VERSION,
            engine: "".into(),
            game: "".into(),
            order: Order::default(),
            value: ValueSpec::default(),
            backup: Backup::default(),
            trials: Trials::default(),
            depth_step: 1,
            reasons: Vec::new(),
            control: false,
        }
    }
}
