//! A formula for a single move: what a row of several has for it, without the row.

use super::program::{Program, Step, called, chosen, clamped, compared, greater, lesser};
use super::{Formula, Sign};

/// The stack for a single move.
struct Single {
    stack: [f32; Single::PLACES],
    height: usize,
}

impl Single {
    /// Deeper programs are computed in rows only.
    const PLACES: usize = 16;

    /// Returns the number of one move, to the last bit what a row of several has for it; `None` if the program is too deep.
    fn run(program: &Program, numbers: &[f32]) -> Option<f32> {
        let mut run = Single {
            stack: [0.0; Single::PLACES],
            height: 0,
        };
        for step in program.steps() {
            run.step(*step, numbers)?;
        }
        run.pop()
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<f32> {
        self.height = self.height.checked_sub(1)?;
        Some(self.stack[self.height])
    }

    #[inline(always)]
    fn step(&mut self, step: Step, numbers: &[f32]) -> Option<()> {
        let result = match step {
            Step::Constant(value) => value,
            Step::Load(place) => *numbers.get(place)?,
            Step::One(function) => called(function, self.pop()?),
            Step::Negate => -self.pop()?,
            Step::Not => 1.0 - self.pop()?,
            Step::Clamp | Step::Choose => {
                let (third, second, first) = (self.pop()?, self.pop()?, self.pop()?);
                match step {
                    Step::Clamp => clamped(first, second, third),
                    _ => chosen(first, second, third),
                }
            }
            Step::Join(_) | Step::Max | Step::Min | Step::Compare(_) | Step::Chain(_) => {
                let (b, a) = (self.pop()?, self.pop()?);
                match step {
                    Step::Join(Sign::Plus) => a + b,
                    Step::Join(Sign::Minus) => a - b,
                    Step::Join(Sign::Times) => a * b,
                    Step::Join(Sign::Over) => a / b,
                    Step::Max => greater(a, b),
                    Step::Min => lesser(a, b),
                    Step::Compare(comparison) => compared(comparison, a, b),
                    Step::Chain(undecided) if a == undecided => b,
                    _ => a,
                }
            }
        };
        *self.stack.get_mut(self.height)? = result;
        self.height += 1;
        Some(())
    }
}

impl Formula {
    /// Returns the value for a single move, of whose numbers each stands at its name's place; `None` where there is no finite
    /// one, or where the formula is too deep for this shorter way.
    pub fn single(&self, numbers: &[f32]) -> Option<f32> {
        Single::run(&self.program, numbers).filter(|value| value.is_finite())
    }
}
