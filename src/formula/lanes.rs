//! A formula for all moves of a node at once.
//!
//! Each step is taken for every move before the next step, so that the processor takes several moves at a time. The steps
//! are those of 32-bit numbers, as in the searches themselves: a formula that is written like the one built in gives its
//! number to the last bit.

use super::scope::{Number, What};
use super::{Comparison, Expression, Formula, Function, Given, Sign, Test, scope::Named};

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// The same number for every move.
    Same(f32),
    /// A number for each move.
    Each(&'a [f32]),
}

/// The paper on which a formula is computed; kept from node to node.
#[derive(Debug, Default)]
pub struct Sheet {
    spare: Vec<Vec<f32>>,
    result: Vec<f32>,
}

impl Formula {
    /// Returns the values for `count` moves; NaN where there is no finite one. `columns` are in the order of the scope's names.
    pub fn values<'s>(&self, count: usize, columns: &[Column], sheet: &'s mut Sheet) -> &'s [f32] {
        let found = Steps {
            count,
            columns,
            sheet,
        }
        .number(&self.0);
        let mut result = std::mem::take(&mut sheet.result);
        result.clear();
        match found {
            Lane::Same(value) => result.resize(count, value),
            Lane::Column(column) => result.extend_from_slice(&column[..count]),
            Lane::Own(own) => {
                result.extend_from_slice(&own);
                sheet.spare.push(own);
            }
        }
        for value in &mut result {
            *value = if value.is_finite() { *value } else { f32::NAN };
        }
        sheet.result = result;
        &sheet.result
    }

    /// Returns the value of a formula that folds over `count` moves: `own` are the numbers of the scope's names, `each` the
    /// columns of what it names for each move. `None` if it is not finite.
    pub fn folded(
        &self,
        own: &[f64],
        (count, each): (usize, &[Column]),
        sheet: &mut Sheet,
    ) -> Option<f64> {
        let own_columns = own.iter().map(|v| Column::Same(*v as f32));
        let columns: Vec<Column> = own_columns.chain(each.iter().copied()).collect();
        let mut given = Folded {
            own,
            columns: &columns,
            count,
            sheet,
        };
        self.0.value(&mut given).filter(|v| v.is_finite())
    }
}

struct Folded<'a> {
    own: &'a [f64],
    columns: &'a [Column<'a>],
    count: usize,
    sheet: &'a mut Sheet,
}

impl Given<Named, Test<Named>> for Folded<'_> {
    fn number(&mut self, name: &Named) -> Option<f64> {
        let (fold, inner) = match &name.what {
            What::Place(place) => return self.own.get(*place).copied(),
            What::Fold(fold, inner) => (fold, inner),
        };
        let count = self.count;
        let steps = Steps {
            count,
            columns: self.columns,
            sheet: self.sheet,
        };
        match { steps }.number(inner) {
            Lane::Same(value) => fold.of(std::iter::repeat_n(value, count)),
            Lane::Column(column) => fold.of(column[..count].iter().copied()),
            Lane::Own(own) => {
                let value = fold.of(own.iter().copied());
                self.sheet.spare.push(own);
                value
            }
        }
    }

    fn holds(&mut self, condition: &Test<Named>) -> Option<bool> {
        condition.holds(self)
    }
}

/// A number of each move; NaN where it is missing.
enum Lane<'a> {
    Same(f32),
    Column(&'a [f32]),
    Own(Vec<f32>),
}

struct Steps<'s, 'a> {
    count: usize,
    columns: &'a [Column<'a>],
    sheet: &'s mut Sheet,
}

impl<'a> Steps<'_, 'a> {
    fn number(&mut self, number: &Number) -> Lane<'a> {
        match number {
            Expression::Constant(value) => Lane::Same(*value as f32),
            Expression::Named(named) => match named.what {
                What::Place(place) => match self.columns[place] {
                    Column::Same(value) => Lane::Same(value),
                    Column::Each(column) => Lane::Column(column),
                },
                // There are no moves of moves.
                What::Fold(..) => Lane::Same(f32::NAN),
            },
            Expression::Negated(inner) => self.map(inner, |v| -v),
            Expression::Absolute(inner) => self.map(inner, f32::abs),
            Expression::Join(a, sign, b) => {
                let (a, b) = (self.number(a), self.number(b));
                match sign {
                    Sign::Plus => self.join(a, b, |a, b| a + b),
                    Sign::Minus => self.join(a, b, |a, b| a - b),
                    Sign::Times => self.join(a, b, |a, b| a * b),
                    Sign::Over => self.join(a, b, |a, b| a / b),
                }
            }
            Expression::Call(function, numbers) => self.call(*function, numbers),
            Expression::If(test, a, b) => {
                let (test, a, b) = (self.test(test), self.number(a), self.number(b));
                self.choose(test, a, b)
            }
        }
    }

    fn call(&mut self, function: Function, numbers: &[Number]) -> Lane<'a> {
        let Some((first, others)) = numbers.split_first() else {
            return Lane::Same(f32::NAN);
        };
        match function {
            Function::Abs => self.map(first, f32::abs),
            Function::Exp => self.map(first, f32::exp),
            Function::Log => self.map(first, f32::ln),
            Function::Sqrt => self.map(first, f32::sqrt),
            Function::Phi | Function::InvPhi => self.map(first, |v| {
                let value = function.of(&[v.into()]);
                value.map_or(f32::NAN, |v| v as f32)
            }),
            Function::Max => self.among(first, others, |a, b| if b > a { b } else { a }),
            Function::Min => self.among(first, others, |a, b| if b < a { b } else { a }),
            Function::Clamp => {
                let [low, high] = others else {
                    return Lane::Same(f32::NAN);
                };
                let (a, low, high) = (self.number(first), self.number(low), self.number(high));
                self.clamp(a, low, high)
            }
        }
    }

    /// One of several numbers.
    fn among(&mut self, first: &Number, others: &[Number], pick: fn(f32, f32) -> f32) -> Lane<'a> {
        let first = self.number(first);
        others.iter().fold(first, |a, b| {
            let b = self.number(b);
            self.join(a, b, |a, b| match a.is_nan() || b.is_nan() {
                true => f32::NAN,
                false => pick(a, b),
            })
        })
    }

    fn clamp(&mut self, a: Lane<'a>, low: Lane<'a>, high: Lane<'a>) -> Lane<'a> {
        let low = self.owned(low);
        let high = self.owned(high);
        let mut a = self.owned(a);
        for (a, (low, high)) in a.iter_mut().zip(low.iter().zip(&high)) {
            *a = match low <= high {
                true => a.clamp(*low, *high),
                false => f32::NAN,
            };
        }
        self.sheet.spare.extend([low, high]);
        Lane::Own(a)
    }

    /// 1 where the condition holds, 0 where it does not, NaN where nobody can say.
    fn test(&mut self, test: &Test<Named>) -> Lane<'a> {
        match test {
            Test::Compare(a, comparison, b) => {
                let (a, b) = (self.number(a), self.number(b));
                let comparison: Comparison = *comparison;
                self.join(a, b, |a, b| match a.is_nan() || b.is_nan() {
                    true => f32::NAN,
                    false => f32::from(u8::from(comparison.holds(a.into(), b.into()))),
                })
            }
            Test::Not(inner) => {
                let inner = self.test(inner);
                self.map_lane(inner, |v| 1.0 - v)
            }
            Test::All(inner) => self.chain(inner, 1.0),
            Test::Any(inner) => self.chain(inner, 0.0),
        }
    }

    /// The first of the conditions that says something other than `undecided`, or that.
    fn chain(&mut self, tests: &[Test<Named>], undecided: f32) -> Lane<'a> {
        tests.iter().fold(Lane::Same(undecided), |before, test| {
            let next = self.test(test);
            self.join(before, next, |a, b| if a == undecided { b } else { a })
        })
    }

    fn choose(&mut self, test: Lane<'a>, a: Lane<'a>, b: Lane<'a>) -> Lane<'a> {
        match test {
            Lane::Same(1.0) => a,
            Lane::Same(0.0) => b,
            Lane::Same(_) => Lane::Same(f32::NAN),
            test => {
                let (mut test, a, b) = (self.owned(test), self.owned(a), self.owned(b));
                for (test, (a, b)) in test.iter_mut().zip(a.iter().zip(&b)) {
                    *test = match *test {
                        1.0 => *a,
                        0.0 => *b,
                        _ => f32::NAN,
                    };
                }
                self.sheet.spare.extend([a, b]);
                Lane::Own(test)
            }
        }
    }

    fn map(&mut self, inner: &Number, step: impl Fn(f32) -> f32) -> Lane<'a> {
        let inner = self.number(inner);
        self.map_lane(inner, step)
    }

    fn map_lane(&mut self, lane: Lane<'a>, step: impl Fn(f32) -> f32) -> Lane<'a> {
        match lane {
            Lane::Same(value) => Lane::Same(step(value)),
            lane => {
                let mut own = self.owned(lane);
                own.iter_mut().for_each(|v| *v = step(*v));
                Lane::Own(own)
            }
        }
    }

    #[inline]
    fn join(&mut self, a: Lane<'a>, b: Lane<'a>, step: impl Fn(f32, f32) -> f32) -> Lane<'a> {
        match (a, b) {
            (Lane::Same(a), Lane::Same(b)) => Lane::Same(step(a, b)),
            (a, Lane::Same(b)) => self.map_lane(a, |a| step(a, b)),
            (Lane::Same(a), b) => self.map_lane(b, |b| step(a, b)),
            (Lane::Own(mut a), Lane::Own(b)) => {
                a.iter_mut().zip(&b).for_each(|(a, b)| *a = step(*a, *b));
                self.sheet.spare.push(b);
                Lane::Own(a)
            }
            (Lane::Column(a), Lane::Own(mut b)) => {
                b.iter_mut().zip(a).for_each(|(b, a)| *b = step(*a, *b));
                Lane::Own(b)
            }
            (a, Lane::Column(b)) => {
                let mut a = self.owned(a);
                a.iter_mut().zip(b).for_each(|(a, b)| *a = step(*a, *b));
                Lane::Own(a)
            }
        }
    }

    fn owned(&mut self, lane: Lane<'a>) -> Vec<f32> {
        let mut paper = || {
            let mut paper = self.sheet.spare.pop().unwrap_or_default();
            paper.clear();
            paper
        };
        match lane {
            Lane::Own(own) => own,
            Lane::Same(value) => {
                let mut own = paper();
                own.resize(self.count, value);
                own
            }
            Lane::Column(column) => {
                let mut own = paper();
                own.extend_from_slice(&column[..self.count]);
                own
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Name, Scope, Unit};
    use super::*;
    use proptest::prelude::*;

    const fn name(name: &'static str) -> Name {
        Name {
            name,
            unit: Unit::NONE,
            summary: "",
        }
    }

    static MOVE: Scope = Scope {
        names: &[name("Q"), name("n"), name("N")],
        each: &[],
        result: Unit::NONE,
    };

    static NODE: Scope = Scope {
        names: &[name("N"), name("first")],
        each: &[name("Q"), name("n")],
        result: Unit::NONE,
    };

    const Q: [f32; 4] = [0.5, -0.25, 0.0, 0.75];
    const VISITS: [f32; 4] = [3.0, 1.0, 0.0, 2.0];

    fn values(text: &str) -> Vec<f32> {
        let formula = Formula::parse(text, &MOVE).unwrap_or_else(|e| panic!("{text}: {e}"));
        let columns = [Column::Each(&Q), Column::Each(&VISITS), Column::Same(6.0)];
        formula.values(4, &columns, &mut Sheet::default()).to_vec()
    }

    fn folded(text: &str) -> Option<f64> {
        let formula = Formula::parse(text, &NODE).unwrap_or_else(|e| panic!("{text}: {e}"));
        let each = [Column::Each(&Q), Column::Each(&VISITS)];
        formula.folded(&[6.0, 0.25], (4, &each), &mut Sheet::default())
    }

    /// By hand.
    #[test]
    fn a_number_for_each_move() {
        assert_eq!(values("Q"), Q);
        assert_eq!(values("N"), [6.0; 4]);
        assert_eq!(values("n + 1"), [4.0, 2.0, 1.0, 3.0]);
        assert_eq!(values("2 - n"), [-1.0, 1.0, 2.0, 0.0]);
        assert_eq!(values("Q*n - n"), [-1.5, -1.25, 0.0, -0.5]);
        assert_eq!(values("if(n > 1, Q, -1)"), [0.5, -1.0, -1.0, 0.75]);
        assert_eq!(values("max(Q, n/4, .1)"), [0.75, 0.25, 0.1, 0.75]);
        assert_eq!(values("min(|Q|, .3)"), [0.3, 0.25, 0.0, 0.3]);
        assert_eq!(values("clamp(Q, 0, n)"), [0.5, 0.0, 0.0, 0.75]);
        assert_eq!(
            values("if(not (n = 0 or Q < 0), 1, 0)"),
            [1.0, 0.0, 0.0, 1.0]
        );
        assert_eq!(
            values("if(n > 0 and Q > .6, sqrt(n*n), 0)"),
            [0.0, 0.0, 0.0, 2.0]
        );
        let quotients = values("Q/n");
        assert!(quotients[2].is_nan() && quotients[3] == 0.375);
        // What is not chosen does no harm.
        assert_eq!(values("if(n = 0, 9, 6/n)"), [2.0, 6.0, 9.0, 3.0]);
    }

    /// By hand: 0.5 · 3 − 0.25 + 0.75 · 2 = 2.75.
    #[test]
    fn one_number_from_all_moves() {
        assert_eq!(folded("sum(n*Q)"), Some(2.75));
        assert_eq!(folded("(first + sum(n*Q))/(1 + sum(n))"), Some(3.0 / 7.0));
        assert_eq!(folded("most(Q)"), Some(0.75));
        assert_eq!(folded("least(Q - n) + N"), Some(3.5));
        assert_eq!(folded("sum(N)"), Some(24.0));
        assert_eq!(folded("most(if(n > 0, Q, -9)) - least(Q)"), Some(1.0));
        assert_eq!(folded("most(Q/n)"), None);
        assert_eq!(folded("if(sum(n) > 100, 1, 0)"), Some(0.0));
        let none = Formula::parse("most(Q)", &NODE).expect("a formula");
        assert_eq!(
            none.folded(
                &[6.0, 0.25],
                (0, &[Column::Each(&[]); 2]),
                &mut Sheet::default()
            ),
            None
        );
    }

    #[test]
    fn folds_are_only_where_there_are_moves() {
        let said = |text: &str, scope: &Scope| match Formula::parse(text, scope) {
            Ok(formula) => panic!("{formula}"),
            Err(error) => error.to_string(),
        };
        assert!(said("sum(Q)", &MOVE).contains("found \"sum\""));
        let said_at_node = said("Q", &NODE);
        assert!(
            said_at_node.contains("sum, most, least, N, first,"),
            "{said_at_node}"
        );
        assert!(said("sum(most(Q))", &NODE).contains("found \"most\""));
        assert!(said("sum(P)", &NODE).contains("found \"P\""));
        let formula = Formula::parse("N + sum( n*Q )/most(n)", &NODE).expect("a formula");
        assert_eq!(formula.to_string(), "N + sum(n * Q) / most(n)");
        assert!(formula.names(0) && !formula.names(1) && formula.names(2) && formula.names(3));
    }

    fn any_expression() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            (0u32..64).prop_map(|n| (f64::from(n) / 8.0).to_string()),
            prop::sample::select(vec!["Q", "n", "N"]).prop_map(str::to_owned),
        ];
        let single = leaf.clone();
        leaf.prop_recursive(4, 30, 3, move |inner| {
            let single = single.clone();
            let pair = (inner.clone(), inner.clone());
            let ends = (single.clone(), single.clone());
            let test = (
                ends.clone(),
                prop::sample::select(vec!["<", ">=", "=", "!="]),
            )
                .prop_map(|((a, b), sign)| format!("{a} {sign} {b}"));
            let joined = (
                test.clone(),
                test,
                prop::sample::select(vec!["and", "or", "and not"]),
            )
                .prop_map(|(a, b, word)| format!("({a}) {word} ({b})"));
            prop_oneof![
                (pair.clone(), prop::sample::select(vec!["+", "-"]))
                    .prop_map(|((a, b), sign)| format!("({a}) {sign} ({b})")),
                (
                    inner.clone(),
                    single.clone(),
                    prop::sample::select(vec!["*", "/"])
                )
                    .prop_map(|(a, b, sign)| format!("({a}) {sign} {b}")),
                inner.clone().prop_map(|a| format!("-|{a}|")),
                inner.clone().prop_map(|a| format!("phi({a})")),
                (single, prop::sample::select(vec!["sqrt", "log", "exp"]))
                    .prop_map(|(a, f)| format!("{f}({a})")),
                (joined, pair.clone()).prop_map(|(t, (a, b))| format!("if({t}, {a}, {b})")),
                (pair, prop::sample::select(vec!["min", "max"]))
                    .prop_map(|((a, b), f)| format!("{f}({a}, {b})")),
                (inner, ends).prop_map(|(a, (b, c))| format!("clamp({a}, {b}, {c})")),
            ]
        })
    }

    proptest! {
        /// All moves at once and each by itself give the same, as far as the digits go. So that no digit decides whether there
        /// is a value, only numbers as they are given are compared, divided by, or taken a root of.
        #[test]
        fn all_at_once_is_each_by_itself(text in any_expression()) {
            let formula = Formula::parse(&text, &Scope { result: Unit::Any, ..MOVE }).expect("a formula");
            let columns = [Column::Each(&Q), Column::Each(&VISITS), Column::Same(6.0)];
            let mut sheet = Sheet::default();
            let found = formula.values(4, &columns, &mut sheet);
            for (i, found) in found.iter().enumerate() {
                let one = formula.value(&[Q[i].into(), VISITS[i].into(), 6.0]);
                let close = |v: f64| (f64::from(*found) - v).abs() <= 1e-3 * v.abs().max(1.0);
                prop_assert!(one.map_or(found.is_nan(), close), "{} {:?} {}", text, one, found);
            }
        }
    }
}
