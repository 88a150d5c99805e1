//! A formula for all moves of a node at once.
//!
//! It is a short program for a stack whose places hold the numbers of all moves, so that each step is a loop in which the
//! processor takes several moves at a time. The steps are those of 32-bit numbers, as in the searches themselves: a formula that
//! is written like the one built in gives its number to the last bit.

use super::program::{Program, Step, called, chosen, clamped, compared, greater, lesser};
use super::scope::{Named, What};
use super::{Formula, Function, Given, Sign, Test};

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// The same number for every move.
    Same(f32),
    /// A number for each move.
    Each(&'a [f32]),
}

/// What stands at a place of the stack.
#[derive(Clone, Copy, Debug)]
enum Operand {
    /// The same number for every move.
    Same(f32),
    /// The column of a name that has a number for each move.
    Column(usize),
    /// A number for each move, in the row of the paper that belongs to the place.
    Row,
}

/// The paper on which a formula is computed; kept from node to node.
#[derive(Debug, Default)]
pub struct Sheet {
    stack: Vec<Operand>,
    /// A row for each place of the stack.
    rows: Vec<f32>,
}

/// A computation: the columns, the number of moves, and the paper.
struct Run<'a> {
    columns: &'a [Column<'a>],
    count: usize,
    stack: &'a mut Vec<Operand>,
    rows: &'a mut Vec<f32>,
}

impl Run<'_> {
    fn step(&mut self, step: Step) {
        match step {
            Step::Constant(value) => self.push(Operand::Same(value)),
            Step::Load(place) => self.push(match self.columns[place] {
                Column::Same(value) => Operand::Same(value),
                Column::Each(_) => Operand::Column(place),
            }),
            Step::Join(sign) => match sign {
                Sign::Plus => self.join(|a, b| a + b),
                Sign::Minus => self.join(|a, b| a - b),
                Sign::Times => self.join(|a, b| a * b),
                Sign::Over => self.join(|a, b| a / b),
            },
            Step::One(function) => self.call(function),
            Step::Negate => self.map(|v| -v),
            Step::Max => self.join(greater),
            Step::Min => self.join(lesser),
            Step::Clamp => self.three(clamped),
            Step::Compare(comparison) => self.join(|a, b| compared(comparison, a, b)),
            Step::Not => self.map(|v| 1.0 - v),
            Step::Chain(undecided) => self.join(|a, b| if a == undecided { b } else { a }),
            Step::Choose => self.three(chosen),
        }
    }

    /// Puts an operand on the stack; its row is there from then on.
    fn push(&mut self, operand: Operand) {
        self.stack.push(operand);
        let needed = self.stack.len() * self.count;
        if self.rows.len() < needed {
            self.rows.resize(needed, 0.0);
        }
    }

    /// Takes an operand from the stack. A program never takes more than it has put there.
    fn pop(&mut self) -> Operand {
        self.stack.pop().unwrap_or(Operand::Same(f32::NAN))
    }

    /// Writes an operand into the row of this place of the stack.
    fn write(&mut self, place: usize, operand: Operand) {
        let row = &mut self.rows[place * self.count..][..self.count];
        match operand {
            Operand::Same(value) => row.fill(value),
            Operand::Column(column) => {
                let Column::Each(column) = self.columns[column] else {
                    return;
                };
                let known = column.len().min(self.count);
                row[..known].copy_from_slice(&column[..known]);
                row[known..].fill(0.0);
            }
            Operand::Row => {}
        }
    }

    #[inline]
    fn map(&mut self, step: impl Fn(f32) -> f32) {
        let result = match self.pop() {
            Operand::Same(value) => Operand::Same(step(value)),
            operand => {
                let place = self.stack.len();
                self.write(place, operand);
                let row = &mut self.rows[place * self.count..][..self.count];
                row.iter_mut().for_each(|v| *v = step(*v));
                Operand::Row
            }
        };
        self.push(result);
    }

    #[inline]
    fn join(&mut self, step: impl Fn(f32, f32) -> f32) {
        let (second, first) = (self.pop(), self.pop());
        let result = match (first, second) {
            (Operand::Same(a), Operand::Same(b)) => Operand::Same(step(a, b)),
            _ => {
                let (place, count) = (self.stack.len(), self.count);
                self.write(place, first);
                let (rows, further) = self.rows.split_at_mut((place + 1) * count);
                let row = &mut rows[place * count..];
                let pairs = |row: &mut [f32], others: &[f32]| {
                    row.iter_mut()
                        .zip(others)
                        .for_each(|(a, b)| *a = step(*a, *b));
                };
                match second {
                    Operand::Same(b) => row.iter_mut().for_each(|a| *a = step(*a, b)),
                    Operand::Row => pairs(row, &further[..count]),
                    Operand::Column(column) => match self.columns[column] {
                        Column::Each(others) if others.len() >= count => pairs(row, others),
                        _ => {
                            self.write(place + 1, second);
                            let (rows, further) = self.rows.split_at_mut((place + 1) * count);
                            pairs(&mut rows[place * count..], &further[..count]);
                        }
                    },
                }
                Operand::Row
            }
        };
        self.push(result);
    }

    #[inline]
    fn three(&mut self, step: impl Fn(f32, f32, f32) -> f32) {
        let (third, second, first) = (self.pop(), self.pop(), self.pop());
        let result = match (first, second, third) {
            (Operand::Same(a), Operand::Same(b), Operand::Same(c)) => Operand::Same(step(a, b, c)),
            _ => {
                let (place, count) = (self.stack.len(), self.count);
                for (i, operand) in [first, second, third].into_iter().enumerate() {
                    self.write(place + i, operand);
                }
                let (rows, further) = self.rows.split_at_mut((place + 1) * count);
                let (second, third) = further.split_at(count);
                let others = second.iter().zip(third);
                for (a, (b, c)) in rows[place * count..].iter_mut().zip(others) {
                    *a = step(*a, *b, *c);
                }
                Operand::Row
            }
        };
        self.push(result);
    }

    fn call(&mut self, function: Function) {
        match function {
            Function::Abs => self.map(f32::abs),
            Function::Sqrt => self.map(f32::sqrt),
            Function::Exp => self.map(f32::exp),
            Function::Log => self.map(f32::ln),
            function => self.map(|v| called(function, v)),
        }
    }
}

impl Sheet {
    /// The numbers of `count` moves.
    fn run(&mut self, program: &Program, count: usize, columns: &[Column]) -> &mut [f32] {
        self.stack.clear();
        let mut run = Run {
            columns,
            count,
            stack: &mut self.stack,
            rows: &mut self.rows,
        };
        program.steps().iter().for_each(|step| run.step(*step));
        let result = run.pop();
        // Its row is the first.
        run.push(Operand::Row);
        run.write(0, result);
        &mut self.rows[..count]
    }
}

impl Formula {
    /// More names no scope has.
    const MOST_NAMES: usize = 16;

    /// Returns the values for `count` moves; NaN where there is no finite one. `columns` are in the order of the scope's names.
    pub fn values<'s>(&self, count: usize, columns: &[Column], sheet: &'s mut Sheet) -> &'s [f32] {
        let values = sheet.run(&self.program, count, columns);
        for value in &mut *values {
            *value = if value.is_finite() { *value } else { f32::NAN };
        }
        values
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
        let all = own_columns.chain(each.iter().copied());
        let mut columns = [Column::Same(f32::NAN); Self::MOST_NAMES];
        for (column, of) in columns.iter_mut().zip(all) {
            *column = of;
        }
        let mut given = Folded {
            own,
            columns: &columns,
            count,
            sheet,
        };
        self.number.value(&mut given).filter(|v| v.is_finite())
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
        match &name.what {
            What::Place(place) => self.own.get(*place).copied(),
            What::Fold(fold, inner) => {
                let numbers = self.sheet.run(&inner.program, self.count, self.columns);
                fold.of(numbers.iter().copied())
            }
        }
    }

    fn holds(&mut self, condition: &Test<Named>) -> Option<bool> {
        condition.holds(self)
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
                let single = formula.single(&[Q[i], VISITS[i], 6.0]);
                prop_assert_eq!(single.map(f32::to_bits), Some(*found).filter(|v| v.is_finite()).map(f32::to_bits), "{}", text);
                let one = formula.value(&[Q[i].into(), VISITS[i].into(), 6.0]);
                let close = |v: f64| (f64::from(*found) - v).abs() <= 1e-3 * v.abs().max(1.0);
                prop_assert!(one.map_or(found.is_nan(), close), "{} {:?} {}", text, one, found);
            }
        }
    }
}
