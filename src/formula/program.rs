//! A formula as a short program for a stack, and what its steps do to 32-bit numbers.

use super::scope::{Named, Number, What};
use super::{Comparison, Expression, Function, Sign, Test};

/// The steps that compute a number, in the order of a stack.
#[derive(Clone, Debug, Default)]
pub(super) struct Program(Vec<Step>);

#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Constant(f32),
    /// The column of a name.
    Load(usize),
    Join(Sign),
    One(Function),
    Negate,
    Max,
    Min,
    Clamp,
    /// 1 where it holds, 0 where it does not.
    Compare(Comparison),
    Not,
    /// The second where the first is this, else the first.
    Chain(f32),
    /// The second or the third, as the first is 1 or 0.
    Choose,
}

impl Program {
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    pub fn of(number: &Number) -> Program {
        let mut program = Program::default();
        program.number(number);
        program
    }

    fn number(&mut self, number: &Number) {
        match number {
            Expression::Constant(value) => self.0.push(Step::Constant(*value as f32)),
            Expression::Named(named) => self.0.push(match named.what {
                What::Place(place) => Step::Load(place),
                // There are no moves of moves.
                What::Fold(..) => Step::Constant(f32::NAN),
            }),
            Expression::Negated(inner) => self.all(&[inner], Step::Negate),
            Expression::Absolute(inner) => self.all(&[inner], Step::One(Function::Abs)),
            Expression::Join(a, sign, b) => self.all(&[a, b], Step::Join(*sign)),
            Expression::Call(function, numbers) => match (function, numbers.as_slice()) {
                (Function::Max | Function::Min, [first, others @ ..]) => {
                    let step = match function {
                        Function::Max => Step::Max,
                        _ => Step::Min,
                    };
                    self.number(first);
                    others.iter().for_each(|other| self.all(&[other], step));
                }
                (Function::Clamp, [a, low, high]) => self.all(&[a, low, high], Step::Clamp),
                (function, [a]) => self.all(&[a], Step::One(*function)),
                _ => self.0.push(Step::Constant(f32::NAN)),
            },
            Expression::If(test, a, b) => {
                self.test(test);
                self.all(&[a, b], Step::Choose);
            }
        }
    }

    fn all(&mut self, numbers: &[&Number], step: Step) {
        numbers.iter().for_each(|number| self.number(number));
        self.0.push(step);
    }

    fn test(&mut self, test: &Test<Named>) {
        match test {
            Test::Compare(a, comparison, b) => self.all(&[a, b], Step::Compare(*comparison)),
            Test::Not(inner) => {
                self.test(inner);
                self.0.push(Step::Not);
            }
            Test::All(tests) => self.chain(tests, 1.0),
            Test::Any(tests) => self.chain(tests, 0.0),
        }
    }

    /// The first of the conditions that says something other than `undecided`, or that.
    fn chain(&mut self, tests: &[Test<Named>], undecided: f32) {
        self.0.push(Step::Constant(undecided));
        for test in tests {
            self.test(test);
            self.0.push(Step::Chain(undecided));
        }
    }
}

#[inline(always)]
pub(super) fn greater(a: f32, b: f32) -> f32 {
    if b > a || b.is_nan() { b } else { a }
}

#[inline(always)]
pub(super) fn lesser(a: f32, b: f32) -> f32 {
    if b < a || b.is_nan() { b } else { a }
}

#[inline(always)]
pub(super) fn clamped(a: f32, low: f32, high: f32) -> f32 {
    match low <= high {
        true => a.clamp(low, high),
        false => f32::NAN,
    }
}

#[inline(always)]
pub(super) fn compared(comparison: Comparison, a: f32, b: f32) -> f32 {
    match a.is_nan() || b.is_nan() {
        true => f32::NAN,
        false => f32::from(u8::from(comparison.holds(a.into(), b.into()))),
    }
}

#[inline(always)]
pub(super) fn chosen(test: f32, a: f32, b: f32) -> f32 {
    match test {
        1.0 => a,
        0.0 => b,
        _ => f32::NAN,
    }
}

pub(super) fn called(function: Function, v: f32) -> f32 {
    match function {
        Function::Abs => v.abs(),
        Function::Sqrt => v.sqrt(),
        Function::Exp => v.exp(),
        Function::Log => v.ln(),
        function => function.of(&[v.into()]).map_or(f32::NAN, |v| v as f32),
    }
}
