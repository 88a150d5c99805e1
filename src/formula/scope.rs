//! Formulas: expressions in place of a formula of a search.

use std::fmt;

use text::quote;

use super::parse::Parser;
use super::program::Program;
use super::{Expression, Fold, Given, Grammar, ParseError, Test, Typed, Unit};

/// A number that formulas can name at one place.
#[derive(Debug)]
pub struct Name {
    pub name: &'static str,
    pub unit: Unit,
    /// What it is, in one line.
    pub summary: &'static str,
}

/// What formulas can name at one place, and the unit of what they give.
#[derive(Debug)]
pub struct Scope {
    pub names: &'static [Name],
    /// What only a [`Fold`] can name: numbers of each move.
    pub each: &'static [Name],
    pub result: Unit,
}

impl Scope {
    /// The name at a place: first those of all, then those of each move.
    pub(super) fn name(&self, place: usize) -> &Name {
        let own = self.names.len();
        match place < own {
            true => &self.names[place],
            false => &self.each[place - own],
        }
    }
}

/// An expression that takes the place of a formula of a search.
#[derive(Clone, Debug)]
pub struct Formula {
    pub(super) number: Number,
    /// The same for all moves of a node at once.
    pub(super) program: Program,
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

pub(super) type Number = Expression<Named, Test<Named>>;

/// A name in a formula, by its place in the scope, or a fold over the moves.
#[derive(Clone, Debug)]
pub struct Named {
    pub(super) what: What,
    pub(super) name: &'static str,
    /// The byte offset in the text, for errors.
    pub(super) at: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Place(usize),
    Fold(Fold, Box<Formula>),
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Place(_) => f.write_str(self.name),
            What::Fold(_, inner) => write!(f, "{}({inner})", self.name),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}

impl Formula {
    /// The maximum length in characters.
    pub const LONGEST: usize = 1000;

    /// Parses a formula.
    ///
    /// # Errors
    /// Returns the first place that cannot be understood, with the names that exist there; units that do not fit.
    pub fn parse(text: &str, scope: &Scope) -> Result<Formula, ParseError> {
        let mut parser = Parser::new(text, scope);
        let expression = parser.parse_whole(|p| p.number(Parser::sum))?;
        parser.check(&expression)?;
        Ok(Formula::of(expression))
    }

    pub(super) fn of(number: Number) -> Formula {
        Formula {
            program: Program::of(&number),
            number,
        }
    }

    /// Parses a condition; its value is 1 where it holds and 0 where it does not.
    ///
    /// # Errors
    /// As [`Formula::parse`], and a number in place of a condition.
    pub fn condition(text: &str, scope: &Scope) -> Result<Formula, ParseError> {
        let mut parser = Parser::new(text, scope);
        match parser.parse_whole(Parser::either)? {
            Typed::Truth(condition) => {
                parser.test(&condition)?;
                let (yes, no) = (Expression::Constant(1.0), Expression::Constant(0.0));
                let choice = Expression::If(Box::new(condition), Box::new(yes), Box::new(no));
                Ok(Formula::of(choice))
            }
            Typed::Value(number) => {
                let found = quote(&number.to_string());
                Err(parser
                    .cursor
                    .error(0, found, "a condition, not a number".into()))
            }
        }
    }

    /// Whether the formula names the number at this place of its scope: names first, then those of each move.
    pub fn names(&self, place: usize) -> bool {
        any(&self.number, &|what| *what == What::Place(place))
    }

    /// Whether the formula takes numbers from the moves.
    pub fn folds(&self) -> bool {
        any(&self.number, &|what| matches!(what, What::Fold(..)))
    }

    /// Returns the value for these numbers, in the order of the scope's names; `None` if it is not finite.
    pub fn value(&self, numbers: &[f64]) -> Option<f64> {
        let value = self.number.value(&mut Numbers(numbers))?;
        value.is_finite().then_some(value)
    }
}

/// Whether something holds of any name in an expression, its conditions and its folds.
fn any(number: &Number, of: &impl Fn(&What) -> bool) -> bool {
    match number {
        Expression::Constant(_) => false,
        Expression::Named(named) => {
            let inside = match &named.what {
                What::Place(_) => false,
                What::Fold(_, inner) => any(&inner.number, of),
            };
            inside || of(&named.what)
        }
        Expression::Negated(inner) | Expression::Absolute(inner) => any(inner, of),
        Expression::Join(a, _, b) => any(a, of) || any(b, of),
        Expression::Call(_, numbers) => numbers.iter().any(|n| any(n, of)),
        Expression::If(test, a, b) => any_in(test, of) || any(a, of) || any(b, of),
    }
}

fn any_in(test: &Test<Named>, of: &impl Fn(&What) -> bool) -> bool {
    match test {
        Test::Compare(a, _, b) => any(a, of) || any(b, of),
        Test::Not(inner) => any_in(inner, of),
        Test::All(tests) | Test::Any(tests) => tests.iter().any(|t| any_in(t, of)),
    }
}

struct Numbers<'a>(&'a [f64]);

impl Given<Named, Test<Named>> for Numbers<'_> {
    fn number(&mut self, name: &Named) -> Option<f64> {
        match name.what {
            What::Place(place) => self.0.get(place).copied(),
            What::Fold(..) => None,
        }
    }

    fn holds(&mut self, condition: &Test<Named>) -> Option<bool> {
        condition.holds(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static SCOPE: Scope = Scope {
        names: &[
            Name {
                name: "depth",
                unit: Unit::PLIES,
                summary: "plies left",
            },
            Name {
                name: "static",
                unit: Unit::CENTIPAWNS,
                summary: "the static value",
            },
            Name {
                name: "H",
                unit: Unit::NONE,
                summary: "the entropy",
            },
        ],
        each: &[],
        result: Unit::CENTIPAWNS,
    };

    fn value(text: &str, numbers: [f64; 3]) -> Option<f64> {
        let formula = Formula::parse(text, &SCOPE).unwrap_or_else(|e| panic!("{text}: {e}"));
        formula.value(&numbers)
    }

    fn error(text: &str) -> String {
        match Formula::parse(text, &SCOPE) {
            Ok(formula) => panic!("{text} was taken for {formula}"),
            Err(error) => error.to_string(),
        }
    }

    /// By hand, with depth 4, static value −50 and entropy 1.5.
    #[test]
    fn golden_values() {
        for (text, golden) in [
            ("130*depth", 520.0),
            ("1 + 2*3 - 4/8", 6.5),
            ("2*-depth*10", -80.0),
            // As texts print it.
            ("2*−depth*10 − 1", -81.0),
            ("(1+2)*(3-5)", -6.0),
            ("10 - 4 - 3", 3.0),
            ("100 / 5 / 2", 10.0),
            ("150*sqrt(depth)", 300.0),
            ("|static| + abs(static)", 100.0),
            ("if(depth > 3, 100, 200)*1", 100.0),
            ("if(depth > 4 or static < -49 and not H = 2, 1, 2)", 1.0),
            ("IF(depth <= 3, 7, static)", -50.0),
            ("min(static, 3, max(static, -10))", -50.0),
            ("clamp(static, -20, 20)", -20.0),
            ("100*(1 - exp(-H))", 77.686_983_985),
            ("100*phi(H)", 93.319_279_873),
            ("10*inv_phi(0.975)", 19.599_639_845),
            ("ln(10)*1k", 2_302.585_092_994),
            ("static*depth/depth", -50.0),
        ] {
            let found = value(text, [4.0, -50.0, 1.5]).expect(text);
            assert!((found - golden).abs() < 1e-6, "{text}: {found}");
        }
    }

    #[test]
    fn what_is_not_finite_is_no_value() {
        for text in [
            "1/(depth - 4)*10",
            "log(H - 1.5)",
            "sqrt(-1)",
            "exp(1k)",
            "0/(H*0)",
        ] {
            assert_eq!(value(text, [4.0, 0.0, 1.5]), None, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_column_and_the_names_that_exist() {
        for (text, said) in [
            (
                "130*dept",
                "column 5: found \"dept\", did you mean depth? Expected one of: depth,",
            ),
            ("130*", "column 5: found the end, expected one of: "),
            ("sqr(4)", "did you mean sqrt?"),
            ("130 depth", "column 5: found \"depth\", expected one of: "),
            (
                "depth + static",
                "column 9: found \"static\" in centipawns, expected plies",
            ),
            (
                "depth",
                "column 1: found \"depth\" in plies, expected centipawns",
            ),
            (
                "exp(static)",
                "column 5: found \"static\" in centipawns, expected a number without",
            ),
            (
                "if(depth > static, 1, 2)",
                "column 12: found \"static\" in centipawns",
            ),
            (
                "sqrt(sqrt(static))*1",
                "in centipawns^(1/2), expected a unit that has a root",
            ),
            (
                "if(depth, 1, 2)",
                "column 9: found \",\", expected one of: ",
            ),
            (
                "(depth > 3)",
                "found \"(depth > 3)\", expected a number, not a condition",
            ),
            (
                "clamp(static, 1)",
                "column 16: found \")\", expected one of:",
            ),
            ("sqrt(1, 2)", "column 7: found \",\""),
            ("H H", "column 3: found \"H\""),
            ("", "column 1: found the end"),
            ("130 * ünknown", "column 7: found \"ünknown\""),
            ("9e999", "column 1: found \"9e999\""),
        ] {
            let found = error(text);
            assert!(found.contains(said), "{text}: {found}");
        }
    }

    /// By hand, with depth 4 and static value -50.
    #[test]
    fn conditions_hold_or_do_not() {
        let holds = |text: &str| {
            let condition = Formula::condition(text, &SCOPE).unwrap_or_else(|e| panic!("{e}"));
            condition.value(&[4.0, -50.0, 1.5])
        };
        assert_eq!(holds("depth <= 4 and static < 0"), Some(1.0));
        assert_eq!(holds("not (depth <= 4) or static > 12*depth"), Some(0.0));
        assert_eq!(holds("1/(H - 1.5) > 0/0"), None);
        let error = |text: &str| match Formula::condition(text, &SCOPE) {
            Ok(formula) => panic!("{formula}"),
            Err(error) => error.to_string(),
        };
        assert!(error("depth").contains("found \"depth\", expected a condition, not a number"));
        assert!(error("depth < static").contains("column 9: found \"static\" in centipawns"));
        assert!(error("depth <").contains("column 8: found the end"));
    }

    #[test]
    fn long_and_deep_texts_are_refused() {
        let long = "1+".repeat(5000) + "1";
        assert!(error(&long).contains("found 10001 characters, expected at most 1000"));
        for open in ["(", "-", "|", "sqrt(", "if("] {
            let deep = open.repeat(1000 / open.len());
            assert!(error(&deep).contains("one level more"), "{open}");
        }
        let fits = "(".repeat(49) + "1" + &")".repeat(49);
        assert_eq!(value(&fits, [0.0; 3]), Some(1.0));
    }

    fn any_expression() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            (0u32..1000).prop_map(|n| (f64::from(n) / 8.0).to_string()),
            Just("H".to_owned()),
        ];
        leaf.prop_recursive(5, 40, 3, |inner| {
            let pair = (inner.clone(), inner.clone());
            prop_oneof![
                (pair.clone(), prop::sample::select(vec!["+", "-", "*", "/"]))
                    .prop_map(|((a, b), sign)| format!("({a}) {sign} ({b})")),
                inner.clone().prop_map(|a| format!("-({a})")),
                inner.clone().prop_map(|a| format!("sqrt(|{a}|)")),
                (pair.clone(), inner).prop_map(|((a, b), c)| format!("if({a} < {b}, {c}, -{c})")),
                pair.prop_map(|(a, b)| format!("max({a}, {b})")),
            ]
        })
    }

    proptest! {
        /// What is written reads back as the same expression, and means the same.
        #[test]
        fn a_formula_reads_back(text in any_expression(), h in 0.0..4.0) {
            let scope = Scope { result: Unit::Any, ..SCOPE };
            let formula = Formula::parse(&text, &scope).expect("a formula");
            let again = Formula::parse(&formula.to_string(), &scope).expect("a formula");
            prop_assert_eq!(&formula, &again);
            prop_assert_eq!(formula.value(&[1.0, 1.0, h]), again.value(&[1.0, 1.0, h]));
        }

        #[test]
        fn no_text_is_too_much(text in "[-+*/()|,<>=! a-zA-Z0-9_.é]{0,60}") {
            let _ = Formula::parse(&text, &SCOPE).map(|f| f.value(&[1.0, 2.0, 3.0]));
        }
    }
}
