//! How formulas are read: the names that exist at their place, and units that fit.

use text::quote;

use super::scope::{Name, Named, Number, Scope, What};
use super::{
    Comparison, Cursor, Expects, Expression, FUNCTIONS, Fold, Formula, Function, Grammar, Joint,
    ParseError, Stop, Test, Typed, Unit, is_of_word,
};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Expected {
    Sign(&'static str),
    Joint(&'static str),
    Function,
    Fold,
    Name,
    Number,
    End,
}

impl Expects for Expected {
    fn sign(sign: &'static str) -> Self {
        Expected::Sign(sign)
    }
    fn function() -> Self {
        Expected::Function
    }
    fn number() -> Self {
        Expected::Number
    }
    fn end() -> Self {
        Expected::End
    }
}

pub(super) struct Parser<'a, 's> {
    pub cursor: Cursor<'a, Expected>,
    scope: &'s Scope,
    /// Whether the numbers of each move have names here.
    in_fold: bool,
}

impl<'a, 's> Parser<'a, 's> {
    pub fn new(text: &'a str, scope: &'s Scope) -> Self {
        Parser {
            cursor: Cursor::new(text),
            scope,
            in_fold: false,
        }
    }
}

impl Parser<'_, '_> {
    /// Refuses an expression whose unit is not that of the place.
    pub fn check(&self, expression: &Number) -> Result<(), ParseError> {
        let unit = self.unit(expression)?;
        if unit.with(self.scope.result).is_some() {
            return Ok(());
        }
        let found = format!("{} in {unit}", quote(self.cursor.text().trim()));
        let expected = self.scope.result.to_string();
        Err(self.cursor.error(0, found, expected))
    }

    /// The unit of an expression, or which of its parts do not fit.
    fn unit(&self, expression: &Number) -> Result<Unit, ParseError> {
        Ok(match expression {
            Expression::Constant(_) => Unit::Any,
            Expression::Named(named) => match &named.what {
                What::Place(place) => self.scope.name(*place).unit,
                What::Fold(_, inner) => self.unit(&inner.number)?,
            },
            Expression::Negated(inner) | Expression::Absolute(inner) => self.unit(inner)?,
            Expression::Join(a, sign, b) => {
                let (unit, other) = (self.unit(a)?, self.unit(b)?);
                match sign.strength() {
                    1 => self.fitting(unit, b)?,
                    _ if sign.name() == "*" => unit.times(other, 1),
                    _ => unit.times(other, -1),
                }
            }
            Expression::If(condition, a, b) => {
                self.test(condition)?;
                let unit = self.unit(a)?;
                self.fitting(unit, b)?
            }
            Expression::Call(Function::Sqrt, inner) => {
                let unit = self.unit(&inner[0])?;
                match unit.root() {
                    Some(root) => root,
                    None => return Err(self.misfit(&inner[0], unit, "a unit that has a root")),
                }
            }
            Expression::Call(
                function @ (Function::Exp | Function::Log | Function::Phi | Function::InvPhi),
                inner,
            ) => {
                self.fitting(Unit::NONE, &inner[0])?;
                match function {
                    Function::Phi => Unit::NONE,
                    // A quantile or an exponent may be scaled to any unit.
                    _ => Unit::Any,
                }
            }
            Expression::Call(_, inner) => {
                let mut unit = self.unit(&inner[0])?;
                for number in &inner[1..] {
                    unit = self.fitting(unit, number)?;
                }
                unit
            }
        })
    }

    pub fn test(&self, test: &Test<Named>) -> Result<(), ParseError> {
        match test {
            Test::Compare(a, _, b) => {
                let unit = self.unit(a)?;
                self.fitting(unit, b).map(drop)
            }
            Test::Not(inner) => self.test(inner),
            Test::All(inner) | Test::Any(inner) => inner.iter().try_for_each(|t| self.test(t)),
        }
    }

    /// The unit of an expression that has to fit another one.
    fn fitting(&self, wanted: Unit, expression: &Number) -> Result<Unit, ParseError> {
        let unit = self.unit(expression)?;
        match unit.with(wanted) {
            Some(unit) => Ok(unit),
            None => Err(self.misfit(expression, unit, &wanted.to_string())),
        }
    }

    fn misfit(&self, expression: &Number, unit: Unit, expected: &str) -> ParseError {
        let mut at = None;
        expression.each_name(&mut |named| at = at.or(Some(named.at)));
        let found = format!("{} in {unit}", quote(&expression.to_string()));
        self.cursor
            .error(at.unwrap_or(0), found, expected.to_owned())
    }
}

impl Parser<'_, '_> {
    /// Parses a fold over the moves, if the word that comes next is one and there are moves to fold.
    fn fold(&mut self, word: &str) -> Result<Option<Named>, Stop> {
        if self.in_fold || self.scope.each.is_empty() {
            return Ok(None);
        }
        let Some(fold) = Fold::named(word) else {
            self.cursor.note(Expected::Fold);
            return Ok(None);
        };
        let at = self.cursor.at;
        self.cursor.at += word.len();
        self.require("(")?;
        self.in_fold = true;
        let inner = self.deeper(|p| p.number(Self::sum))?;
        self.require(")")?;
        self.in_fold = false;
        Ok(Some(Named {
            name: fold.name(),
            what: What::Fold(fold, Box::new(Formula::of(inner))),
            at,
        }))
    }
}

impl<'a> Grammar<'a> for Parser<'a, '_> {
    type Name = Named;
    type Truth = Test<Named>;
    type Expected = Expected;

    const LONGEST: usize = Formula::LONGEST;
    const DEEPEST: usize = 50;

    fn cursor(&mut self) -> &mut Cursor<'a, Expected> {
        &mut self.cursor
    }

    fn unexpected_here(&mut self) -> ParseError {
        let mut names = Vec::new();
        for e in self.cursor.missing() {
            match e {
                Expected::Sign(sign) | Expected::Joint(sign) => names.push((*sign).to_owned()),
                Expected::Function => {
                    names.extend(FUNCTIONS.iter().map(|f| f.name.to_owned()));
                    names.push("if".to_owned());
                }
                Expected::Fold => names.extend(Fold::ALL.map(|f| f.name().to_owned())),
                Expected::Name => {
                    let each = if self.in_fold { self.scope.each } else { &[] };
                    names.extend(
                        self.scope
                            .names
                            .iter()
                            .chain(each)
                            .map(|n| n.name.to_owned()),
                    );
                }
                Expected::Number => names.push("a number".to_owned()),
                Expected::End => names.push("the end".to_owned()),
            }
        }
        let error = self.cursor.unexpected(names, |c| is_of_word(c) || c == '.');
        let is_found = |n: &&Name| !self.in_fold && error.found == quote(n.name);
        match self.scope.each.iter().find(is_found) {
            Some(of_move) => ParseError {
                meant: Some(format!("most({})", of_move.name)),
                ..error
            },
            None => error,
        }
    }

    fn name(&mut self) -> Result<Option<Named>, Stop> {
        self.cursor.skip_space();
        let (at, word) = (self.cursor.at, self.cursor.word(is_of_word));
        if let Some(fold) = self.fold(word)? {
            return Ok(Some(fold));
        }
        let each = if self.in_fold { self.scope.each } else { &[] };
        let mut names = self.scope.names.iter().chain(each);
        let Some(place) = names.position(|n| n.name == word) else {
            self.cursor.note(Expected::Name);
            return Ok(None);
        };
        self.cursor.at += word.len();
        Ok(Some(Named {
            name: self.scope.name(place).name,
            what: What::Place(place),
            at,
        }))
    }

    fn joint(&mut self, joint: Joint) -> bool {
        let word = joint.word();
        self.cursor.skip_space();
        let found = self.cursor.word(is_of_word).eq_ignore_ascii_case(word);
        match found {
            true => self.cursor.at += word.len(),
            false => self.cursor.note(Expected::Joint(word)),
        }
        found
    }

    fn compare(a: Number, comparison: Comparison, b: Number) -> Test<Named> {
        Test::Compare(a, comparison, b)
    }

    fn not(inner: Test<Named>) -> Test<Named> {
        Test::Not(Box::new(inner))
    }

    fn all(conditions: Vec<Test<Named>>) -> Test<Named> {
        Test::All(conditions)
    }

    fn any(conditions: Vec<Test<Named>>) -> Test<Named> {
        Test::Any(conditions)
    }

    fn alone(number: Number) -> Typed<Named, Test<Named>> {
        Typed::Value(number)
    }
}
