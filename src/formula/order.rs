//! How a formula's values run along a row of moves, as far as that can be seen without computing them.

use super::scope::{Named, Number, What};
use super::{Expression, Formula, Function, Sign, Test};

/// How numbers run along a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Same,
    /// None is greater than the one before.
    Falls,
    /// None is smaller than the one before.
    Rises,
    /// Nothing is known.
    Any,
}

impl Order {
    fn with(self, other: Order) -> Order {
        match (self, other) {
            (Order::Same, order) | (order, Order::Same) => order,
            (a, b) if a == b => a,
            _ => Order::Any,
        }
    }

    fn turned(self) -> Order {
        match self {
            Order::Falls => Order::Rises,
            Order::Rises => Order::Falls,
            order => order,
        }
    }
}

/// What is known of a number along a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    pub order: Order,
    /// None is below 0.
    pub is_positive: bool,
}

impl Course {
    pub const fn new(order: Order, is_positive: bool) -> Course {
        Course { order, is_positive }
    }

    const UNKNOWN: Course = Course::new(Order::Any, false);

    fn times(self, other: Course) -> Course {
        let is_positive = self.is_positive && other.is_positive;
        let order = match (self.order, other.order) {
            (Order::Same, Order::Same) => Order::Same,
            (Order::Same, order) if self.is_positive => order,
            (order, Order::Same) if other.is_positive => order,
            (a, b) if is_positive => a.with(b),
            _ => Order::Any,
        };
        Course { order, is_positive }
    }
}

impl Formula {
    /// Whether no value along a row is greater than the one before, as far as that can be seen; `of` says what is known of a
    /// name's numbers, by its place.
    pub fn falls_along(&self, of: impl Fn(usize) -> Course) -> bool {
        let row = Row {
            of,
            begins_finite: false,
        };
        matches!(row.number(&self.number).order, Order::Same | Order::Falls)
    }

    /// Whether no value along a row is smaller than the one before if the first one is finite, as far as that can be seen.
    pub fn rises_along(&self, of: impl Fn(usize) -> Course) -> bool {
        let row = Row {
            of,
            begins_finite: true,
        };
        matches!(row.number(&self.number).order, Order::Same | Order::Rises)
    }
}

/// What is known of a row.
struct Row<F> {
    /// What is known of a name's numbers, by its place.
    of: F,
    /// Whether the first value of the whole formula is known to be finite, so that each number which counts has a value there.
    begins_finite: bool,
}

impl<F: Fn(usize) -> Course> Row<F> {
    fn number(&self, number: &Number) -> Course {
        match number {
            Expression::Constant(value) => Course::new(Order::Same, *value >= 0.0),
            Expression::Named(Named {
                what: What::Place(place),
                ..
            }) => (self.of)(*place),
            Expression::Named(_) => Course::UNKNOWN,
            Expression::Negated(inner) => Course::new(self.number(inner).order.turned(), false),
            Expression::Absolute(inner) => match self.number(inner) {
                known if known.is_positive => known,
                known if known.order == Order::Same => Course::new(Order::Same, true),
                _ => Course::new(Order::Any, true),
            },
            Expression::Join(a, sign, b) => {
                let (a, b) = (self.number(a), self.number(b));
                match sign {
                    Sign::Plus => {
                        Course::new(a.order.with(b.order), a.is_positive && b.is_positive)
                    }
                    Sign::Minus => Course::new(a.order.with(b.order.turned()), false),
                    Sign::Times => a.times(b),
                    // Some quotients may have no value, unless all have the same divisor.
                    Sign::Over if b.order == Order::Same => a.times(b),
                    Sign::Over => Course::UNKNOWN,
                }
            }
            Expression::Call(function, numbers) => {
                let numbers: Vec<Course> = numbers.iter().map(|n| self.number(n)).collect();
                self.called(*function, &numbers)
            }
            Expression::If(test, a, b) if self.is_same(test) => {
                let (a, b) = (self.number(a), self.number(b));
                Course::new(a.order.with(b.order), a.is_positive && b.is_positive)
            }
            Expression::If(..) => Course::UNKNOWN,
        }
    }

    fn called(&self, function: Function, numbers: &[Course]) -> Course {
        let all = numbers
            .iter()
            .fold(Order::Same, |order, n| order.with(n.order));
        let mut signs = numbers.iter().map(|n| n.is_positive);
        match (function, numbers) {
            (Function::Exp | Function::Phi, _) => Course::new(all, true),
            (Function::Abs, [a]) if a.is_positive => *a,
            (Function::Sqrt, [a]) if a.is_positive => *a,
            // What has a value at the beginning and rises has one everywhere.
            (Function::Sqrt | Function::Log, [a])
                if self.begins_finite && a.order == Order::Rises =>
            {
                Course::new(Order::Rises, function == Function::Sqrt)
            }
            (Function::Max, _) => Course::new(all, signs.any(|s| s)),
            (Function::Min, _) => Course::new(all, signs.all(|s| s)),
            (Function::Clamp, [a, low, high]) if low.order.with(high.order) == Order::Same => {
                Course::new(a.order, low.is_positive)
            }
            // Where all numbers are the same, so are the results, or there are none.
            _ if all == Order::Same => Course::new(Order::Same, false),
            _ => Course::UNKNOWN,
        }
    }

    /// Whether a condition holds for all or for none.
    fn is_same(&self, test: &Test<Named>) -> bool {
        let same = |number: &Number| self.number(number).order == Order::Same;
        match test {
            Test::Compare(a, _, b) => same(a) && same(b),
            Test::Not(inner) => self.is_same(inner),
            Test::All(tests) | Test::Any(tests) => tests.iter().all(|t| self.is_same(t)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Column, Name, Scope, Sheet, Unit};
    use super::*;

    const fn name(name: &'static str) -> Name {
        Name {
            name,
            unit: Unit::NONE,
            summary: "",
        }
    }

    static SCOPE: Scope = Scope {
        names: &[name("Q"), name("n"), name("P"), name("rank")],
        each: &[],
        result: Unit::NONE,
    };

    fn known(place: usize) -> Course {
        match place {
            0 => Course::new(Order::Same, false),
            1 => Course::new(Order::Same, true),
            2 => Course::new(Order::Falls, true),
            _ => Course::new(Order::Rises, true),
        }
    }

    fn falls(text: &str) -> bool {
        let formula = Formula::parse(text, &SCOPE).unwrap_or_else(|e| panic!("{text}: {e}"));
        let falls = formula.falls_along(known);
        // Whatever is said to fall does.
        let columns = [
            Column::Same(-0.3),
            Column::Same(0.0),
            Column::Each(&[0.5, 0.3, 0.1, 0.1]),
            Column::Each(&[1.0, 2.0, 3.0, 4.0]),
        ];
        let mut sheet = Sheet::default();
        let values = formula.values(4, &columns, &mut sheet);
        assert!(
            !falls || values.is_sorted_by(|a, b| a >= b),
            "{text}: {values:?}"
        );
        falls
    }

    #[test]
    fn what_falls_with_the_prior_is_seen() {
        for text in [
            "Q",
            "P",
            "Q + 1.5*P*sqrt(n)/(1 + n)",
            "if(n = 0, 9 - rank/1k, Q + sqrt(8*log(n)/n))",
            "-rank",
            "exp(P) - rank*n",
            "max(P, Q) + min(P, .2)",
            "clamp(P - rank, -3, 1)",
            "sqrt(P)*phi(P)",
            "|P|*2",
        ] {
            assert!(falls(text), "{text}");
        }
        for text in [
            "rank",
            "-P",
            "P*Q",
            "P*(0 - 1)",
            "1/P",
            "P/rank",
            "P - 1/rank",
            "log(P)",
            "P*rank",
            "if(rank > 2, 1, 0)",
            "if(n = 0, P, rank)",
            "|P - rank|",
            "clamp(P, 0, rank)",
        ] {
            assert!(!falls(text), "{text}");
        }
    }

    /// Along rank, with everything else as it is.
    fn rises(text: &str) -> bool {
        let formula = Formula::parse(text, &SCOPE).unwrap_or_else(|e| panic!("{text}: {e}"));
        let rises = formula.rises_along(|place| match place {
            0 => Course::new(Order::Same, false),
            3 => Course::new(Order::Rises, true),
            _ => Course::new(Order::Same, true),
        });
        for (q, n, p) in [(-0.3, 0.0, 0.5), (0.8, 3.0, 0.1), (0.0, 1.0, 0.9)] {
            let at = |rank: u8| formula.single(&[q, n, p, rank.into()]);
            let values: Vec<Option<f32>> = (1..40).map(at).collect();
            let holds = values.iter().all(Option::is_some) && values.is_sorted();
            assert!(!rises || values[0].is_none() || holds, "{text}: {values:?}");
        }
        rises
    }

    #[test]
    fn what_rises_from_a_finite_beginning_is_seen() {
        for text in [
            "Q + 1.5*P*sqrt(rank)/(1 + n)",
            "if(n = 0, 9, Q + sqrt(8*log(rank)/n))",
            "Q*P",
            "log(rank - 5)",
            "-(0 - rank)",
            "Q + sqrt(log(rank))",
        ] {
            assert!(rises(text), "{text}");
        }
        for text in [
            "-rank",
            "Q*rank",
            "Q/rank",
            "if(rank > 3, 1, 0)",
            "log(rank)*log(rank)",
        ] {
            assert!(!rises(text), "{text}");
        }
    }
}
