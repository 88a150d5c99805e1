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
        matches!(course(&self.number, &of).order, Order::Same | Order::Falls)
    }
}

fn course(number: &Number, of: &impl Fn(usize) -> Course) -> Course {
    match number {
        Expression::Constant(value) => Course::new(Order::Same, *value >= 0.0),
        Expression::Named(Named {
            what: What::Place(place),
            ..
        }) => of(*place),
        Expression::Named(_) => Course::UNKNOWN,
        Expression::Negated(inner) => Course::new(course(inner, of).order.turned(), false),
        Expression::Absolute(inner) => match course(inner, of) {
            known if known.is_positive => known,
            known if known.order == Order::Same => Course::new(Order::Same, true),
            _ => Course::new(Order::Any, true),
        },
        Expression::Join(a, sign, b) => {
            let (a, b) = (course(a, of), course(b, of));
            match sign {
                Sign::Plus => Course::new(a.order.with(b.order), a.is_positive && b.is_positive),
                Sign::Minus => Course::new(a.order.with(b.order.turned()), false),
                Sign::Times => a.times(b),
                // Some quotients may have no value, unless all have the same divisor.
                Sign::Over if b.order == Order::Same => a.times(b),
                Sign::Over => Course::UNKNOWN,
            }
        }
        Expression::Call(function, numbers) => {
            let numbers: Vec<Course> = numbers.iter().map(|n| course(n, of)).collect();
            called(*function, &numbers)
        }
        Expression::If(test, a, b) if is_same(test, of) => {
            let (a, b) = (course(a, of), course(b, of));
            Course::new(a.order.with(b.order), a.is_positive && b.is_positive)
        }
        Expression::If(..) => Course::UNKNOWN,
    }
}

fn called(function: Function, numbers: &[Course]) -> Course {
    let all = numbers
        .iter()
        .fold(Order::Same, |order, n| order.with(n.order));
    let mut signs = numbers.iter().map(|n| n.is_positive);
    match (function, numbers) {
        (Function::Exp | Function::Phi, _) => Course::new(all, true),
        (Function::Abs, [a]) if a.is_positive => *a,
        (Function::Sqrt, [a]) if a.is_positive => *a,
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
fn is_same(test: &Test<Named>, of: &impl Fn(usize) -> Course) -> bool {
    let same = |number: &Number| course(number, of).order == Order::Same;
    match test {
        Test::Compare(a, _, b) => same(a) && same(b),
        Test::Not(inner) => is_same(inner, of),
        Test::All(tests) | Test::Any(tests) => tests.iter().all(|t| is_same(t, of)),
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
}
