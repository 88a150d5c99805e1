//! Parses breakpoints. One grammar serves parsing, error messages and completion: wherever the parser asks for
//! something that is not there, it records that. The records furthest to the right are what was expected.

mod measure;
mod scan;

use super::BreakpointError;
use super::complete::in_words;
use super::condition::{Condition, Kinds, Number, Quantity};
use super::place::NamedNode;
use super::words::{CLAUSES, FIGURES, Figure, KINDS, Keyword};
use crate::Subject;
use crate::legality::Rules;
use formula::{Comparison, Cursor, Expects, Grammar, Joint, Stop, Typed, is_of_word};
use tree::ReasonId;

/// What may follow at one place of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Keyword(Keyword),
    Kind,
    Figure,
    Function,
    Number,
    Sign(&'static str),
    NamedNode,
    ClosingQuote,
    End,
}

type Read<T> = Result<T, Stop>;

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

#[derive(Debug)]
pub(super) struct Parser<'a> {
    cursor: Cursor<'a, Expected>,
    subject: &'a Subject,
    /// Where the moves of the place parsed last begin, and whether they are in quotes.
    pub place: Option<(usize, bool)>,
    pub places: usize,
    /// Whether a measure or a claim is parsed, which may ask more than a breakpoint.
    measures: bool,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, subject: &'a Subject) -> Self {
        Parser {
            cursor: Cursor::new(text),
            subject,
            place: None,
            places: 0,
            measures: false,
        }
    }

    /// Parses the whole text.
    pub fn read(&mut self) -> Result<Condition, BreakpointError> {
        self.parse_whole(Self::alternatives)
    }

    /// Returns what could have followed at the very end of the text; nothing if parsing stopped before.
    pub fn expected_at_end(&self) -> &[Expected] {
        self.cursor.expected_at_end()
    }

    /// Parses alternatives.
    fn alternatives(&mut self) -> Read<Condition> {
        let mut conditions = vec![self.clauses()?];
        while self.keyword(Keyword::Or) {
            conditions.push(self.clauses()?);
        }
        Ok(Condition::any(conditions))
    }

    /// Parses clauses that must all hold.
    fn clauses(&mut self) -> Read<Condition> {
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
            Self::truth(self.either()?)?
        } else if self.keyword(Keyword::Changes) {
            Condition::Changes(self.place()?)
        } else if self.keyword(Keyword::Not) {
            let inner = self.deeper(Self::clause)?;
            Condition::Not(Box::new(inner))
        } else if self.sign("(") {
            let inner = self.deeper(Self::alternatives)?;
            self.require(")")?;
            inner
        } else {
            return Ok(None);
        }))
    }

    fn kinds(&mut self) -> Read<Condition> {
        let mut kinds = Kinds::default();
        loop {
            self.cursor.skip_space();
            let word = self
                .cursor
                .word(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
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
                        self.cursor.note(Expected::Kind);
                        return Err(Stop::Unexpected);
                    }
                },
            }
            self.cursor.at += word.len();
            if !self.sign(",") {
                return Ok(Condition::On(kinds));
            }
        }
    }

    /// Parses moves in quotes, or one move without them.
    fn place(&mut self) -> Read<NamedNode> {
        self.cursor.skip_space();
        let text = self.cursor.text();
        let (at, rest) = (self.cursor.at, self.cursor.rest());
        let opening = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (start, moves, end) = match opening {
            Some(quote) => {
                let start = at + 1;
                self.place = Some((start, true));
                let Some(length) = text[start..].find(quote) else {
                    self.cursor.at = text.len();
                    self.cursor.note(Expected::ClosingQuote);
                    return Err(Stop::Unexpected);
                };
                (start, &text[start..start + length], start + length + 1)
            }
            None => {
                let word = self
                    .cursor
                    .word(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '"' | '|' | ','));
                self.place = Some((at, false));
                if word.is_empty() {
                    self.cursor.note(Expected::NamedNode);
                    return Err(Stop::Unexpected);
                }
                (at, word, at + word.len())
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
        self.cursor.at = end;
        self.place = None;
        let slot = self.places;
        self.places += 1;
        Ok(NamedNode {
            moves: line.moves.into(),
            text: line.text,
            slot,
        })
    }

    /// Parses the name of a number of a reason that another program declared.
    fn declared_number(&mut self) -> Option<&'static str> {
        let word = self.cursor.word(is_of_word);
        let fields = ReasonId::all().flat_map(|(_, reason)| reason.info.fields);
        let mut names = fields.map(|field| field.name);
        let name = names.find(|name| name.eq_ignore_ascii_case(word))?;
        self.cursor.at += word.len();
        Some(name)
    }

    fn figure(&mut self) -> Option<Figure> {
        let word = self.cursor.word(is_of_word);
        let row = FIGURES.iter().find(|f| f.name.eq_ignore_ascii_case(word));
        match row {
            Some(row) => {
                self.cursor.at += word.len();
                Some(row.figure)
            }
            None => {
                self.cursor.note(Expected::Figure);
                None
            }
        }
    }
}

impl<'a> Grammar<'a> for Parser<'a> {
    type Name = Quantity;
    type Truth = Condition;
    type Expected = Expected;

    const LONGEST: usize = 4000;
    const DEEPEST: usize = 50;

    fn cursor(&mut self) -> &mut Cursor<'a, Expected> {
        &mut self.cursor
    }

    fn unexpected_here(&mut self) -> BreakpointError {
        let expected = self.cursor.missing();
        let kinds = expected.contains(&Expected::Kind);
        self.cursor.unexpected(in_words(expected), |c| {
            is_of_word(c) || kinds && c == '-' || c == '.'
        })
    }

    fn name(&mut self) -> Read<Option<Quantity>> {
        self.cursor.skip_space();
        if self.measures
            && let Some(wide) = self.wide()?
        {
            return Ok(Some(Quantity::Wide(Box::new(wide))));
        }
        if let Some(figure) = self.figure() {
            return Ok(Some(Quantity::Figure(figure)));
        }
        Ok(self.declared_number().map(Quantity::Declared))
    }

    /// Joins conditions rather than clauses. A clause begins with a word of its own, possibly after `not` and parentheses.
    fn joint(&mut self, joint: Joint) -> bool {
        let keyword = match joint {
            Joint::Not => return self.keyword(Keyword::Not),
            Joint::And => Keyword::And,
            Joint::Or => Keyword::Or,
        };
        let before = self.cursor.at;
        if !self.keyword(keyword) {
            return false;
        }
        let behind = self.cursor.at;
        while self.keyword(Keyword::Not) || self.sign("(") {}
        // All are tried, so that each is recorded as expected: a clause could follow here as well.
        let begins: Vec<bool> = CLAUSES.iter().map(|c| self.keyword_stands(*c)).collect();
        let clause = begins.contains(&true);
        self.cursor.at = if clause { before } else { behind };
        !clause
    }

    fn compare(a: Number, comparison: Comparison, b: Number) -> Condition {
        Condition::Compare(a, comparison, b)
    }

    fn not(inner: Condition) -> Condition {
        Condition::Not(Box::new(inner))
    }

    fn all(conditions: Vec<Condition>) -> Condition {
        Condition::all(conditions)
    }

    fn any(conditions: Vec<Condition>) -> Condition {
        Condition::any(conditions)
    }

    fn alone(number: Number) -> Typed<Quantity, Condition> {
        match number {
            Number::Named(Quantity::Figure(figure)) if figure.info().is_flag => {
                Typed::Truth(Condition::Flag(figure))
            }
            Number::Named(Quantity::Wide(wide)) if wide.is_flag() => {
                Typed::Truth(Condition::Holds(Number::Named(Quantity::Wide(wide))))
            }
            other => Typed::Value(other),
        }
    }
}

/// The word for the root, where moves are expected.
pub(super) const ROOT: &str = "root";
