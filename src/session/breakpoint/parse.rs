//! Parses breakpoints. One grammar serves parsing, error messages and completion: wherever the parser asks for
//! something that is not there, it records that. The records furthest to the right are what was expected.

mod measure;
mod scan;

use scan::is_of_word;

use super::BreakpointError;
use super::condition::{Comparison, Condition, Kinds, Number, Sign};
use super::place::NamedNode;
use super::words::{CLAUSES, FIGURES, Figure, KINDS, Keyword};
use crate::Subject;
use crate::legality::Rules;
use text::quote;
use tree::ReasonId;

/// The maximum length in characters.
const LONGEST: usize = 4000;
/// The maximum number of nested parentheses, bars and signs.
const DEEPEST: usize = 50;

/// What may follow at one place of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Keyword(Keyword),
    Kind,
    Figure,
    Number,
    Sign(&'static str),
    NamedNode,
    ClosingQuote,
    End,
}

/// Why parsing stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// Something else was expected, as recorded in the parser.
    Unexpected,
    Said(BreakpointError),
}

type Read<T> = Result<T, Stop>;

/// A condition or a number; which of the two parentheses contain is known only after they are parsed.
enum Typed {
    Truth(Condition),
    Value(Number),
}

impl Typed {
    fn is_truth(&self) -> bool {
        matches!(self, Typed::Truth(_))
    }
}

#[derive(Debug)]
pub(super) struct Parser<'a> {
    text: &'a str,
    subject: &'a Subject,
    /// The byte offset at which parsing continues.
    at: usize,
    /// The furthest byte offset at which something was asked for in vain, and what it was.
    furthest: usize,
    expected: Vec<Expected>,
    /// Where the moves of the place parsed last begin, and whether they are in quotes.
    pub place: Option<(usize, bool)>,
    pub places: usize,
    depth: usize,
    /// Whether a measure or a claim is parsed, which may ask more than a breakpoint.
    measures: bool,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, subject: &'a Subject) -> Self {
        Parser {
            text,
            subject,
            at: 0,
            furthest: 0,
            expected: Vec::new(),
            place: None,
            places: 0,
            depth: 0,
            measures: false,
        }
    }

    /// Parses the whole text.
    pub fn read(&mut self) -> Result<Condition, BreakpointError> {
        self.read_whole(Self::any)
    }

    /// Parses the whole text as one part of the grammar.
    fn read_whole<T>(&mut self, part: fn(&mut Self) -> Read<T>) -> Result<T, BreakpointError> {
        let read = self.whole(part);
        read.map_err(|stop| match stop {
            Stop::Said(error) => error,
            Stop::Unexpected => self.unexpected(),
        })
    }

    /// Returns what could have followed at the very end of the text; nothing if parsing stopped before.
    pub fn expected_at_end(&self) -> &[Expected] {
        if self.furthest == self.text.len() {
            &self.expected
        } else {
            &[]
        }
    }

    fn whole<T>(&mut self, part: fn(&mut Self) -> Read<T>) -> Read<T> {
        let length = self.text.chars().count();
        if length > LONGEST {
            let expected = format!("at most {LONGEST}");
            return Err(self.say(0, format!("{length} characters"), expected));
        }
        let read = part(self)?;
        self.skip_space();
        if self.at < self.text.len() {
            self.note(Expected::End);
            return Err(Stop::Unexpected);
        }
        Ok(read)
    }

    /// Parses alternatives.
    fn any(&mut self) -> Read<Condition> {
        let mut conditions = vec![self.all()?];
        while self.keyword(Keyword::Or) {
            conditions.push(self.all()?);
        }
        Ok(Condition::any(conditions))
    }

    /// Parses clauses that must all hold.
    fn all(&mut self) -> Read<Condition> {
        let mut conditions = vec![self.clause()?];
        loop {
            if self.keyword(Keyword::And) {
                conditions.push(self.clause()?);
            } else if let Some(condition) = self.clause_if_any()? {
                conditions.push(condition);
            } else {
                return Ok(Condition::all(conditions));
            }
        }
    }

    fn clause(&mut self) -> Read<Condition> {
        self.clause_if_any()?.ok_or(Stop::Unexpected)
    }

    fn clause_if_any(&mut self) -> Read<Option<Condition>> {
        Ok(Some(if self.keyword(Keyword::On) {
            self.kinds()?
        } else if self.keyword(Keyword::At) {
            Condition::At(self.place()?)
        } else if self.keyword(Keyword::Under) {
            Condition::Under(self.place()?)
        } else if self.keyword(Keyword::When) {
            let condition = self.either()?;
            self.truth(condition)?
        } else if self.keyword(Keyword::Changes) {
            Condition::Changes(self.place()?)
        } else if self.keyword(Keyword::Not) {
            let inner = self.deeper(Self::clause)?;
            Condition::Not(Box::new(inner))
        } else if self.sign("(") {
            let inner = self.deeper(Self::any)?;
            self.require(")")?;
            inner
        } else {
            return Ok(None);
        }))
    }

    fn kinds(&mut self) -> Read<Condition> {
        let mut kinds = Kinds::default();
        loop {
            self.skip_space();
            let word = self.word(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
            let known = KINDS.iter().find(|k| k.name.eq_ignore_ascii_case(word));
            let declared = || {
                let mut all = ReasonId::all().map(|(_, reason)| reason.info.name);
                all.find(|name| name.eq_ignore_ascii_case(word))
            };
            match (known, declared) {
                (Some(known), _) => kinds.add(known, || Rules::of(&self.subject.position)),
                (None, declared) => match declared() {
                    Some(name) => kinds.add_declared(name),
                    None => {
                        self.note(Expected::Kind);
                        return Err(Stop::Unexpected);
                    }
                },
            }
            self.at += word.len();
            if !self.sign(",") {
                return Ok(Condition::On(kinds));
            }
        }
    }

    /// Parses moves in quotes, or one move without them.
    fn place(&mut self) -> Read<NamedNode> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let opening = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (start, moves, end) = match opening {
            Some(quote) => {
                let start = self.at + 1;
                self.place = Some((start, true));
                let Some(length) = self.text[start..].find(quote) else {
                    self.at = self.text.len();
                    self.note(Expected::ClosingQuote);
                    return Err(Stop::Unexpected);
                };
                (start, &self.text[start..start + length], start + length + 1)
            }
            None => {
                let word =
                    self.word(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '"' | '|' | ','));
                self.place = Some((self.at, false));
                if word.is_empty() {
                    self.note(Expected::NamedNode);
                    return Err(Stop::Unexpected);
                }
                (self.at, word, self.at + word.len())
            }
        };
        let line = match self.subject.read_line(moves) {
            _ if opening.is_none() && moves.eq_ignore_ascii_case(ROOT) => {
                self.subject.read_line("")
            }
            Err(_) if moves.trim().eq_ignore_ascii_case(ROOT) => self.subject.read_line(""),
            line => line,
        };
        let line = line.map_err(|e| {
            let inside = e.column.map_or(0, |c| c as usize - 1);
            let skipped: usize = moves.chars().take(inside).map(char::len_utf8).sum();
            self.say(start + skipped, e.found, e.expected)
        })?;
        self.at = end;
        self.place = None;
        let slot = self.places;
        self.places += 1;
        Ok(NamedNode {
            moves: line.moves.into(),
            text: line.text,
            slot,
        })
    }

    /// Parses conditions joined by `or`, up to one that begins another clause.
    fn either(&mut self) -> Read<Typed> {
        let first = self.both()?;
        if !first.is_truth() || !self.joined_by(Keyword::Or) {
            return Ok(first);
        }
        let mut conditions = vec![self.truth(first)?];
        loop {
            let next = self.both()?;
            conditions.push(self.truth(next)?);
            if !self.joined_by(Keyword::Or) {
                return Ok(Typed::Truth(Condition::any(conditions)));
            }
        }
    }

    /// Parses conditions joined by `and`, up to one that begins another clause.
    fn both(&mut self) -> Read<Typed> {
        let first = self.negation()?;
        if !first.is_truth() || !self.joined_by(Keyword::And) {
            return Ok(first);
        }
        let mut conditions = vec![self.truth(first)?];
        loop {
            let next = self.negation()?;
            conditions.push(self.truth(next)?);
            if !self.joined_by(Keyword::And) {
                return Ok(Typed::Truth(Condition::all(conditions)));
            }
        }
    }

    /// Whether the keyword comes next and joins conditions rather than clauses. A clause begins with a word of its own,
    /// possibly after `not` and parentheses.
    fn joined_by(&mut self, keyword: Keyword) -> bool {
        let before = self.at;
        if !self.keyword(keyword) {
            return false;
        }
        let behind = self.at;
        while self.keyword(Keyword::Not) || self.sign("(") {}
        // All are tried, so that each is recorded as expected: a clause could follow here as well.
        let begins: Vec<bool> = CLAUSES.iter().map(|c| self.keyword_stands(*c)).collect();
        let clause = begins.contains(&true);
        self.at = if clause { before } else { behind };
        !clause
    }

    fn negation(&mut self) -> Read<Typed> {
        if !self.keyword(Keyword::Not) {
            return self.comparison();
        }
        let inner = self.deeper(Self::negation)?;
        let inner = self.truth(inner)?;
        Ok(Typed::Truth(Condition::Not(Box::new(inner))))
    }

    fn comparison(&mut self) -> Read<Typed> {
        let left = match self.sum()? {
            Typed::Value(left) => left,
            truth => return Ok(truth),
        };
        let Some(comparison) = self.comparison_sign() else {
            return Ok(match left {
                Number::Figure(figure) if figure.info().is_flag => {
                    Typed::Truth(Condition::Flag(figure))
                }
                Number::Wide(wide) if wide.is_flag() => {
                    Typed::Truth(Condition::Holds(Number::Wide(wide)))
                }
                other => Typed::Value(other),
            });
        };
        let right = self.number(Self::sum)?;
        Ok(Typed::Truth(Condition::Compare(left, comparison, right)))
    }

    fn comparison_sign(&mut self) -> Option<Comparison> {
        // Includes other spellings; longer signs come before those that are their beginnings.
        let spellings = [
            ("<=", Comparison::AtMost),
            ("≤", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("≥", Comparison::AtLeast),
            ("!=", Comparison::Unequal),
            ("≠", Comparison::Unequal),
            ("==", Comparison::Equal),
        ];
        self.skip_space();
        let rest = &self.text[self.at..];
        let plain = Comparison::ALL.iter().map(|c| (c.name(), *c));
        let found = spellings
            .into_iter()
            .chain(plain)
            .find(|s| rest.starts_with(s.0));
        match found {
            Some((text, comparison)) => {
                self.at += text.len();
                Some(comparison)
            }
            None => {
                Comparison::ALL
                    .iter()
                    .for_each(|c| self.note(Expected::Sign(c.name())));
                None
            }
        }
    }

    fn sum(&mut self) -> Read<Typed> {
        self.joined(1, Self::product)
    }

    fn product(&mut self) -> Read<Typed> {
        self.joined(2, Self::factor)
    }

    fn joined(&mut self, strength: u8, part: fn(&mut Self) -> Read<Typed>) -> Read<Typed> {
        let mut left = match part(self)? {
            Typed::Value(left) => left,
            truth => return Ok(truth),
        };
        let signs = || Sign::ALL.iter().filter(|s| s.strength() == strength);
        while let Some(sign) = signs().find(|s| self.sign(s.name())) {
            let right = self.number(part)?;
            left = Number::Join(Box::new(left), *sign, Box::new(right));
        }
        Ok(Typed::Value(left))
    }

    fn factor(&mut self) -> Read<Typed> {
        if self.sign("-") {
            let inner = self.deeper(|p| p.number(Self::factor))?;
            return Ok(Typed::Value(match inner {
                Number::Constant(number) => Number::Constant(-number),
                other => Number::Negated(Box::new(other)),
            }));
        }
        if self.sign("|") {
            let inner = self.deeper(|p| p.number(Self::sum))?;
            self.require("|")?;
            return Ok(Typed::Value(Number::Absolute(Box::new(inner))));
        }
        if self.sign("(") {
            let inner = self.deeper(Self::either)?;
            self.require(")")?;
            return Ok(inner);
        }
        if self.measures
            && let Some(wide) = self.wide()?
        {
            return Ok(Typed::Value(Number::Wide(Box::new(wide))));
        }
        if let Some(figure) = self.figure() {
            return Ok(Typed::Value(Number::Figure(figure)));
        }
        if let Some(name) = self.declared_number() {
            return Ok(Typed::Value(Number::Declared(name)));
        }
        Ok(Typed::Value(Number::Constant(self.constant()?)))
    }

    /// Parses the name of a number of a reason that another program declared.
    fn declared_number(&mut self) -> Option<&'static str> {
        let word = self.word(is_of_word);
        let fields = ReasonId::all().flat_map(|(_, reason)| reason.info.fields);
        let mut names = fields.map(|field| field.name);
        let name = names.find(|name| name.eq_ignore_ascii_case(word))?;
        self.at += word.len();
        Some(name)
    }

    fn figure(&mut self) -> Option<Figure> {
        self.skip_space();
        let word = self.word(is_of_word);
        let row = FIGURES.iter().find(|f| f.name.eq_ignore_ascii_case(word));
        match row {
            Some(row) => {
                self.at += word.len();
                Some(row.figure)
            }
            None => {
                self.note(Expected::Figure);
                None
            }
        }
    }

    /// Parses `1000`, `0.2`, `1_000`, `10k` or `2M`.
    fn constant(&mut self) -> Read<f64> {
        let word = self.word(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
        let (digits, factor) = match word.trim_end_matches(['k', 'K', 'M']) {
            all if all.len() == word.len() => (all, 1.0),
            digits if word == format!("{digits}M") => (digits, 1e6),
            digits if word.len() == digits.len() + 1 => (digits, 1e3),
            _ => ("", 1.0),
        };
        let plain = digits.replace('_', "");
        let is_plain = plain.chars().all(|c| c.is_ascii_digit() || c == '.');
        let value = plain.parse::<f64>().ok().map(|v| v * factor);
        match value.filter(|v| is_plain && v.is_finite()) {
            Some(value) => {
                self.at += word.len();
                Ok(value)
            }
            None => {
                self.note(Expected::Number);
                Err(Stop::Unexpected)
            }
        }
    }

    /// Requires a condition. After a lone number a comparison is missing, which was asked for here.
    fn truth(&self, typed: Typed) -> Read<Condition> {
        match typed {
            Typed::Truth(condition) => Ok(condition),
            Typed::Value(_) => Err(Stop::Unexpected),
        }
    }

    /// Parses a part that must be a number.
    fn number(&mut self, part: fn(&mut Self) -> Read<Typed>) -> Read<Number> {
        self.skip_space();
        let start = self.at;
        match part(self)? {
            Typed::Value(number) => Ok(number),
            Typed::Truth(_) => {
                let found = quote(&self.text[start..self.at]);
                Err(self.say(start, found, "a number, not a condition".into()))
            }
        }
    }
}

/// The word for the root, where moves are expected.
pub(super) const ROOT: &str = "root";
