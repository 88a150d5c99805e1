//! The condition of an `if` in a formula.

use std::fmt;

use super::{Comparison, Expression, Given};

/// A condition on the numbers that a formula names.
#[derive(Clone, Debug, PartialEq)]
pub enum Test<L> {
    Compare(Expression<L, Test<L>>, Comparison, Expression<L, Test<L>>),
    Not(Box<Test<L>>),
    All(Vec<Test<L>>),
    Any(Vec<Test<L>>),
}

impl<L> Test<L> {
    /// Whether it holds; `None` if a number in it is missing or none.
    pub fn holds(&self, given: &mut impl Given<L, Test<L>>) -> Option<bool> {
        Some(match self {
            Test::Compare(a, comparison, b) => {
                let (a, b) = (a.value(given)?, b.value(given)?);
                if a.is_nan() || b.is_nan() {
                    return None;
                }
                comparison.holds(a, b)
            }
            Test::Not(inner) => !inner.holds(given)?,
            Test::All(inner) => {
                for test in inner {
                    if !test.holds(given)? {
                        return Some(false);
                    }
                }
                true
            }
            Test::Any(inner) => {
                for test in inner {
                    if test.holds(given)? {
                        return Some(true);
                    }
                }
                false
            }
        })
    }
}

impl<L: fmt::Display> fmt::Display for Test<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |f: &mut fmt::Formatter<'_>, tests: &[Test<L>], between: &str| {
            for (i, test) in tests.iter().enumerate() {
                f.write_str(if i > 0 { between } else { "" })?;
                match test {
                    Test::Compare(..) | Test::Not(_) => write!(f, "{test}")?,
                    _ => write!(f, "({test})")?,
                }
            }
            Ok(())
        };
        match self {
            Test::Compare(a, comparison, b) => write!(f, "{a} {} {b}", comparison.name()),
            Test::Not(inner) => match &**inner {
                Test::All(_) | Test::Any(_) => write!(f, "not ({inner})"),
                _ => write!(f, "not {inner}"),
            },
            Test::All(tests) => join(f, tests, " and "),
            Test::Any(tests) => join(f, tests, " or "),
        }
    }
}
