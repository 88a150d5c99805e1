//! The functions of numbers.

use statrs::function::erf::{erfc, erfc_inv};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Abs,
    Clamp,
    Exp,
    InvPhi,
    Log,
    Max,
    Min,
    Phi,
    Sqrt,
}

/// One row of the table of functions.
#[derive(Clone, Copy, Debug)]
pub struct FunctionInfo {
    pub function: Function,
    pub name: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// What it means, in one line.
    pub summary: &'static str,
    /// How many numbers it takes: at least, at most.
    pub takes: (usize, usize),
}

const fn row(
    function: Function,
    name: &'static str,
    form: &'static str,
    takes: (usize, usize),
    summary: &'static str,
) -> FunctionInfo {
    FunctionInfo {
        function,
        name,
        form,
        summary,
        takes,
    }
}

/// The most numbers that `min` and `max` take.
const MANY: usize = 64;

/// The table of functions, in the order of [`Function`].
pub static FUNCTIONS: [FunctionInfo; 9] = [
    row(Function::Abs, "abs", "abs(a)", (1, 1), "the absolute value"),
    row(
        Function::Clamp,
        "clamp",
        "clamp(a, low, high)",
        (3, 3),
        "a, but at least low and at most high",
    ),
    row(
        Function::Exp,
        "exp",
        "exp(a)",
        (1, 1),
        "e to the power of a",
    ),
    row(
        Function::InvPhi,
        "inv_phi",
        "inv_phi(p)",
        (1, 1),
        "below which a standard normal number lies with probability p",
    ),
    row(
        Function::Log,
        "log",
        "log(a)",
        (1, 1),
        "the natural logarithm",
    ),
    row(
        Function::Max,
        "max",
        "max(a, b, …)",
        (1, MANY),
        "the largest",
    ),
    row(
        Function::Min,
        "min",
        "min(a, b, …)",
        (1, MANY),
        "the smallest",
    ),
    row(
        Function::Phi,
        "phi",
        "phi(z)",
        (1, 1),
        "the probability that a standard normal number is below z",
    ),
    row(Function::Sqrt, "sqrt", "sqrt(a)", (1, 1), "the square root"),
];

impl Function {
    pub fn info(self) -> &'static FunctionInfo {
        &FUNCTIONS[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The function of this name, which may be written in capitals; `ln` is another name of `log`.
    pub fn named(word: &str) -> Option<Function> {
        let word = if word.eq_ignore_ascii_case("ln") {
            "log"
        } else {
            word
        };
        let row = FUNCTIONS.iter().find(|f| f.name.eq_ignore_ascii_case(word));
        row.map(|f| f.function)
    }

    /// Returns the value, or `None` where the function has none.
    pub fn of(self, numbers: &[f64]) -> Option<f64> {
        let first = *numbers.first()?;
        if numbers.iter().any(|n| n.is_nan()) {
            return None;
        }
        let fold = |f: fn(f64, f64) -> f64| numbers.iter().copied().reduce(f);
        let value = match self {
            Function::Abs => first.abs(),
            Function::Clamp => match *numbers {
                [a, low, high] if low <= high => a.clamp(low, high),
                _ => f64::NAN,
            },
            Function::Exp => first.exp(),
            Function::InvPhi if !(0.0..=1.0).contains(&first) => f64::NAN,
            Function::InvPhi => -std::f64::consts::SQRT_2 * erfc_inv(2.0 * first),
            Function::Log => first.ln(),
            Function::Max => fold(f64::max)?,
            Function::Min => fold(f64::min)?,
            Function::Phi => 0.5 * erfc(-first / std::f64::consts::SQRT_2),
            Function::Sqrt => first.sqrt(),
        };
        (!value.is_nan()).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_its_enums_order() {
        for (i, row) in FUNCTIONS.iter().enumerate() {
            assert_eq!(row.function as usize, i);
            assert_eq!(
                Function::named(&row.name.to_uppercase()),
                Some(row.function)
            );
            assert!(row.form.starts_with(row.name));
        }
        assert!(FUNCTIONS.is_sorted_by_key(|f| f.name));
        assert_eq!(Function::named("ln"), Some(Function::Log));
    }

    /// Values of the normal distribution from tables (Abramowitz and Stegun 1964, table 26.1).
    #[test]
    fn golden_values() {
        for (function, numbers, golden) in [
            (Function::Phi, &[1.0][..], 0.841_344_746),
            (Function::Phi, &[-2.0], 0.022_750_132),
            (Function::InvPhi, &[0.975], 1.959_963_985),
            (Function::InvPhi, &[0.5], 0.0),
            (Function::Log, &[7.0], 1.945_910_149),
            (Function::Exp, &[2.0], 7.389_056_099),
            (Function::Sqrt, &[3.0], 1.732_050_808),
            (Function::Clamp, &[5.0, -1.0, 3.0], 3.0),
            (Function::Clamp, &[-5.0, -1.0, 3.0], -1.0),
            (Function::Max, &[1.0, 7.0, 3.0], 7.0),
            (Function::Min, &[1.0, 7.0, -3.0], -3.0),
            (Function::Abs, &[-4.0], 4.0),
        ] {
            let found = function.of(numbers).expect("a value");
            assert!((found - golden).abs() < 1e-8, "{function:?} {found}");
        }
    }

    #[test]
    fn where_a_function_has_no_value_there_is_none() {
        for (function, numbers) in [
            (Function::Sqrt, &[-1.0][..]),
            (Function::Log, &[-1.0]),
            (Function::InvPhi, &[1.5]),
            (Function::InvPhi, &[f64::NAN]),
            (Function::Clamp, &[1.0, 3.0, 2.0]),
            (Function::Max, &[]),
        ] {
            assert_eq!(function.of(numbers), None, "{function:?}");
        }
        assert_eq!(Function::InvPhi.of(&[1.0]), Some(f64::INFINITY));
    }
}
