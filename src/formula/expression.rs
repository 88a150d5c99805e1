//! Expressions: how they are computed and written.

use std::fmt;

use super::Function;

/// A number that is computed from others. `L` is what a name stands for, `T` a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression<L, T> {
    Constant(f64),
    Named(L),
    Negated(Box<Self>),
    Absolute(Box<Self>),
    Join(Box<Self>, Sign, Box<Self>),
    Call(Function, Vec<Self>),
    /// The first number where the condition holds, else the second.
    If(Box<T>, Box<Self>, Box<Self>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Plus,
    Minus,
    Times,
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
}

/// What names stand for while an expression is computed.
pub trait Given<L, T> {
    /// Returns the number of this name, or `None` if it is missing.
    fn number(&mut self, name: &L) -> Option<f64>;
    /// Whether a condition holds.
    fn holds(&mut self, condition: &T) -> Option<bool>;
}

impl<L, T> Expression<L, T> {
    /// Returns the number, or `None` if one in it is missing or a function has no value there.
    pub fn value(&self, given: &mut impl Given<L, T>) -> Option<f64> {
        Some(match self {
            Expression::Constant(value) => *value,
            Expression::Named(name) => given.number(name)?,
            Expression::Negated(inner) => -inner.value(given)?,
            Expression::Absolute(inner) => inner.value(given)?.abs(),
            Expression::Join(a, sign, b) => sign.of(a.value(given)?, b.value(given)?),
            Expression::Call(function, arguments) => match arguments.as_slice() {
                [a] => function.of(&[a.value(given)?])?,
                [a, b] => function.of(&[a.value(given)?, b.value(given)?])?,
                many => {
                    let many: Option<Vec<f64>> = many.iter().map(|a| a.value(given)).collect();
                    function.of(&many?)?
                }
            },
            Expression::If(condition, a, b) => {
                let chosen = if given.holds(condition)? { a } else { b };
                chosen.value(given)?
            }
        })
    }

    /// Calls a function on every name outside of conditions.
    pub fn each_name<'a>(&'a self, note: &mut impl FnMut(&'a L)) {
        match self {
            Expression::Constant(_) => {}
            Expression::Named(name) => note(name),
            Expression::Negated(inner) | Expression::Absolute(inner) => inner.each_name(note),
            Expression::Join(a, _, b) | Expression::If(_, a, b) => {
                a.each_name(note);
                b.each_name(note);
            }
            Expression::Call(_, arguments) => {
                arguments.iter().for_each(|a| a.each_name(note));
            }
        }
    }
}

impl Sign {
    pub const ALL: [Sign; 4] = [Sign::Plus, Sign::Minus, Sign::Times, Sign::Over];

    pub const fn name(self) -> &'static str {
        match self {
            Sign::Plus => "+",
            Sign::Minus => "-",
            Sign::Times => "*",
            Sign::Over => "/",
        }
    }

    /// Returns how strongly the sign binds: 1 for sums, 2 for products.
    pub const fn strength(self) -> u8 {
        match self {
            Sign::Plus | Sign::Minus => 1,
            Sign::Times | Sign::Over => 2,
        }
    }

    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Sign::Plus => a + b,
            Sign::Minus => a - b,
            Sign::Times => a * b,
            Sign::Over => a / b,
        }
    }
}

impl Comparison {
    pub const ALL: [Comparison; 6] = [
        Comparison::Less,
        Comparison::AtMost,
        Comparison::More,
        Comparison::AtLeast,
        Comparison::Equal,
        Comparison::Unequal,
    ];

    /// Other spellings. Longer signs come before those that are their beginnings.
    pub(super) const SPELLINGS: [(&'static str, Comparison); 7] = [
        ("<=", Comparison::AtMost),
        ("≤", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("≥", Comparison::AtLeast),
        ("!=", Comparison::Unequal),
        ("≠", Comparison::Unequal),
        ("==", Comparison::Equal),
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::More => ">",
            Comparison::AtLeast => ">=",
            Comparison::Equal => "=",
            Comparison::Unequal => "!=",
        }
    }

    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::More => a > b,
            Comparison::AtLeast => a >= b,
            Comparison::Equal => a == b,
            Comparison::Unequal => a != b,
        }
    }
}

/// Writes the expression so that it can be parsed again, with no more parentheses than necessary.
impl<L: fmt::Display, T: fmt::Display> fmt::Display for Expression<L, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Constant(value) => write!(f, "{value}"),
            Expression::Named(name) => write!(f, "{name}"),
            Expression::Negated(inner) => {
                f.write_str("-")?;
                inner.write_within(f, 3)
            }
            Expression::Absolute(inner) => write!(f, "|{inner}|"),
            Expression::Join(a, sign, b) => {
                a.write_within(f, sign.strength())?;
                write!(f, " {} ", sign.name())?;
                b.write_within(f, sign.strength() + 1)
            }
            Expression::Call(function, arguments) => {
                write!(f, "{}(", function.name())?;
                for (i, argument) in arguments.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{argument}")?;
                }
                f.write_str(")")
            }
            Expression::If(condition, a, b) => write!(f, "if({condition:#}, {a}, {b})"),
        }
    }
}

impl<L: fmt::Display, T: fmt::Display> Expression<L, T> {
    /// Writes the expression, in parentheses if it binds less strongly than `strength`.
    fn write_within(&self, f: &mut fmt::Formatter<'_>, strength: u8) -> fmt::Result {
        match self {
            Expression::Join(_, sign, _) if sign.strength() < strength => write!(f, "({self})"),
            _ => write!(f, "{self}"),
        }
    }
}
