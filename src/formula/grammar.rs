//! The part of the grammar that all places share: conditions, sums, products and functions.

use text::quote;

use super::{
    Comparison, Cursor, Expects, Expression, FUNCTIONS, Function, ParseError, Sign, is_of_word,
};

/// A condition or a number; which of the two parentheses contain is known only after they are parsed.
#[derive(Debug)]
pub enum Typed<L, T> {
    Truth(T),
    Value(Expression<L, T>),
}

impl<L, T> Typed<L, T> {
    fn is_truth(&self) -> bool {
        matches!(self, Typed::Truth(_))
    }
}

/// A word that joins conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    And,
    Or,
    Not,
}

impl Joint {
    pub const fn word(self) -> &'static str {
        match self {
            Joint::And => "and",
            Joint::Or => "or",
            Joint::Not => "not",
        }
    }
}

/// Why parsing stopped.
#[derive(Debug)]
pub enum Stop {
    /// Something else was expected, as noted in the cursor.
    Unexpected,
    Said(ParseError),
}

type Read<T> = Result<T, Stop>;
type Number<'a, G> = Expression<<G as Grammar<'a>>::Name, <G as Grammar<'a>>::Truth>;
type Either<'a, G> = Typed<<G as Grammar<'a>>::Name, <G as Grammar<'a>>::Truth>;

/// A parser of expressions at one place, which knows the names that exist there and what a condition is.
pub trait Grammar<'a>: Sized {
    type Name;
    type Truth;
    type Expected: Expects;

    /// The maximum length in characters.
    const LONGEST: usize;
    /// The maximum number of nested parentheses, bars, signs and functions.
    const DEEPEST: usize;

    fn cursor(&mut self) -> &mut Cursor<'a, Self::Expected>;
    /// The error where the text went wrong, with what could have followed.
    fn unexpected_here(&mut self) -> ParseError;

    /// Parses a name of this place, or notes that one was expected and returns `None`.
    fn name(&mut self) -> Read<Option<Self::Name>>;
    /// Consumes the word if it comes next and joins conditions.
    fn joint(&mut self, joint: Joint) -> bool;

    fn compare(a: Number<'a, Self>, comparison: Comparison, b: Number<'a, Self>) -> Self::Truth;
    fn not(inner: Self::Truth) -> Self::Truth;
    fn all(conditions: Vec<Self::Truth>) -> Self::Truth;
    fn any(conditions: Vec<Self::Truth>) -> Self::Truth;
    /// A number that is followed by no comparison: a condition by itself, or a number after all.
    fn alone(number: Number<'a, Self>) -> Either<'a, Self>;

    /// Parses the whole text as one part of the grammar.
    ///
    /// # Errors
    /// Returns the first place that cannot be understood.
    fn parse_whole<T>(&mut self, part: impl FnOnce(&mut Self) -> Read<T>) -> Result<T, ParseError> {
        self.whole(part).map_err(|stop| match stop {
            Stop::Unexpected => self.unexpected_here(),
            Stop::Said(error) => error,
        })
    }

    fn whole<T>(&mut self, part: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let length = self.cursor().text().chars().count();
        if length > Self::LONGEST {
            let expected = format!("at most {}", Self::LONGEST);
            return Err(self.say(0, format!("{length} characters"), expected));
        }
        let read = part(self)?;
        match self.cursor().is_at_end() {
            true => Ok(read),
            false => Err(Stop::Unexpected),
        }
    }

    /// An error at a byte offset.
    fn say(&mut self, at: usize, found: String, expected: String) -> Stop {
        Stop::Said(self.cursor().error(at, found, expected))
    }

    /// Parses a part one nesting level deeper.
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.cursor().depth += 1;
        if self.cursor().depth > Self::DEEPEST {
            let at = self.cursor().at;
            return Err(self.say(
                at,
                "one level more".into(),
                format!("at most {}", Self::DEEPEST),
            ));
        }
        let read = part(self);
        self.cursor().depth -= 1;
        read
    }

    fn sign(&mut self, sign: &'static str) -> bool {
        self.cursor().sign(sign)
    }

    fn require(&mut self, sign: &'static str) -> Read<()> {
        match self.sign(sign) {
            true => Ok(()),
            false => Err(Stop::Unexpected),
        }
    }

    /// Parses conditions joined by `or`, or a number.
    fn either(&mut self) -> Read<Either<'a, Self>> {
        self.joined_by(Joint::Or, Self::both, Self::any)
    }

    /// Parses conditions joined by `and`, or a number.
    fn both(&mut self) -> Read<Either<'a, Self>> {
        self.joined_by(Joint::And, Self::negation, Self::all)
    }

    fn joined_by(
        &mut self,
        joint: Joint,
        part: fn(&mut Self) -> Read<Either<'a, Self>>,
        join: fn(Vec<Self::Truth>) -> Self::Truth,
    ) -> Read<Either<'a, Self>> {
        let first = part(self)?;
        if !first.is_truth() || !self.joint(joint) {
            return Ok(first);
        }
        let mut conditions = vec![Self::truth(first)?];
        loop {
            conditions.push(Self::truth(part(self)?)?);
            if !self.joint(joint) {
                return Ok(Typed::Truth(join(conditions)));
            }
        }
    }

    fn negation(&mut self) -> Read<Either<'a, Self>> {
        if !self.joint(Joint::Not) {
            return self.comparison();
        }
        let inner = self.deeper(Self::negation)?;
        Ok(Typed::Truth(Self::not(Self::truth(inner)?)))
    }

    fn comparison(&mut self) -> Read<Either<'a, Self>> {
        let left = match self.sum()? {
            Typed::Value(left) => left,
            truth => return Ok(truth),
        };
        let Some(comparison) = self.comparison_sign() else {
            return Ok(Self::alone(left));
        };
        let right = self.number(Self::sum)?;
        Ok(Typed::Truth(Self::compare(left, comparison, right)))
    }

    fn comparison_sign(&mut self) -> Option<Comparison> {
        let cursor = self.cursor();
        cursor.skip_space();
        let plain = Comparison::ALL.iter().map(|c| (c.name(), *c));
        let mut all = Comparison::SPELLINGS.into_iter().chain(plain);
        match all.find(|s| cursor.rest().starts_with(s.0)) {
            Some((text, comparison)) => {
                cursor.at += text.len();
                Some(comparison)
            }
            None => {
                let signs = Comparison::ALL.iter().map(|c| c.name());
                signs.for_each(|sign| cursor.note(Self::Expected::sign(sign)));
                None
            }
        }
    }

    fn sum(&mut self) -> Read<Either<'a, Self>> {
        self.terms(1, Self::product)
    }

    fn product(&mut self) -> Read<Either<'a, Self>> {
        self.terms(2, Self::factor)
    }

    fn terms(
        &mut self,
        strength: u8,
        part: fn(&mut Self) -> Read<Either<'a, Self>>,
    ) -> Read<Either<'a, Self>> {
        let mut left = match part(self)? {
            Typed::Value(left) => left,
            truth => return Ok(truth),
        };
        let signs = || Sign::ALL.iter().filter(|s| s.strength() == strength);
        while let Some(sign) = signs().find(|s| self.sign(s.name())) {
            let right = self.number(part)?;
            left = Expression::Join(Box::new(left), *sign, Box::new(right));
        }
        Ok(Typed::Value(left))
    }

    fn factor(&mut self) -> Read<Either<'a, Self>> {
        if self.sign("-") {
            let inner = self.deeper(|p| p.number(Self::factor))?;
            return Ok(Typed::Value(match inner {
                Expression::Constant(number) => Expression::Constant(-number),
                other => Expression::Negated(Box::new(other)),
            }));
        }
        if self.sign("|") {
            let inner = self.deeper(|p| p.number(Self::sum))?;
            self.require("|")?;
            return Ok(Typed::Value(Expression::Absolute(Box::new(inner))));
        }
        if self.sign("(") {
            let inner = self.deeper(Self::either)?;
            self.require(")")?;
            return Ok(inner);
        }
        if let Some(call) = self.call()? {
            return Ok(Typed::Value(call));
        }
        if let Some(name) = self.name()? {
            return Ok(Typed::Value(Expression::Named(name)));
        }
        self.cursor().note(Self::Expected::function());
        match self.cursor().constant() {
            Some(constant) => Ok(Typed::Value(Expression::Constant(constant))),
            None => Err(Stop::Unexpected),
        }
    }

    /// Parses a function with its numbers, or `if`; returns `None` without consuming anything if neither comes next.
    fn call(&mut self) -> Read<Option<Number<'a, Self>>> {
        let cursor = self.cursor();
        cursor.skip_space();
        let (start, word) = (cursor.at, cursor.word(is_of_word));
        let function = Function::named(word);
        let is_choice = word.eq_ignore_ascii_case("if");
        if !is_choice && function.is_none() {
            return Ok(None);
        }
        cursor.at += word.len();
        if !cursor.sign("(") {
            // Perhaps it is the name of a number here.
            cursor.at = start;
            return Ok(None);
        }
        let Some(function) = function else {
            let condition = self.deeper(|p| Self::truth(p.either()?))?;
            self.require(",")?;
            let a = self.deeper(|p| p.number(Self::sum))?;
            self.require(",")?;
            let b = self.deeper(|p| p.number(Self::sum))?;
            self.require(")")?;
            return Ok(Some(Expression::If(
                Box::new(condition),
                Box::new(a),
                Box::new(b),
            )));
        };
        let (least, most) = FUNCTIONS[function as usize].takes;
        let mut numbers = vec![self.deeper(|p| p.number(Self::sum))?];
        while numbers.len() < most && self.sign(",") {
            numbers.push(self.deeper(|p| p.number(Self::sum))?);
        }
        if numbers.len() < least {
            self.require(",")?;
        }
        self.require(")")?;
        Ok(Some(Expression::Call(function, numbers)))
    }

    /// Requires a condition. After a lone number a comparison is missing, which the cursor has noted.
    fn truth(typed: Either<'a, Self>) -> Read<Self::Truth> {
        match typed {
            Typed::Truth(condition) => Ok(condition),
            Typed::Value(_) => Err(Stop::Unexpected),
        }
    }

    /// Parses a part that must be a number.
    fn number(&mut self, part: fn(&mut Self) -> Read<Either<'a, Self>>) -> Read<Number<'a, Self>> {
        self.cursor().skip_space();
        let start = self.cursor().at;
        match part(self)? {
            Typed::Value(number) => Ok(number),
            Typed::Truth(_) => {
                let cursor = self.cursor();
                let found = quote(&cursor.text()[start..cursor.at]);
                Err(self.say(start, found, "a number, not a condition".into()))
            }
        }
    }
}
