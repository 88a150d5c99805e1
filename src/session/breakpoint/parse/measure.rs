//! The parts of the grammar that only measures have.

use super::scan::is_of_word;
use super::{Condition, Number, Parser, Read, Stop};
use crate::Subject;
use crate::breakpoint::BreakpointError;
use crate::breakpoint::measure::{Fates, Function, Wide, no_fate};
use crate::breakpoint::place::NamedNode;
use crate::breakpoint::words::FIGURES;
use algorithms::ALGORITHMS;
use text::quote;

impl<'a> Parser<'a> {
    /// Returns a parser for measures and claims.
    pub fn measuring(text: &'a str, subject: &'a Subject) -> Self {
        Parser {
            measures: true,
            ..Parser::new(text, subject)
        }
    }

    /// Parses the whole text as a number.
    pub fn read_number(&mut self) -> Result<Number, BreakpointError> {
        self.read_whole(|p| p.number(Self::sum))
    }

    /// Parses the whole text as a condition on figures.
    pub fn read_truth(&mut self) -> Result<Condition, BreakpointError> {
        self.read_whole(|p| {
            let typed = p.either()?;
            p.truth(typed)
        })
    }

    /// Parses one of the words that only measures have; returns `None` without consuming anything if the next word is
    /// another.
    pub(super) fn wide(&mut self) -> Read<Option<Wide>> {
        self.skip_space();
        let start = self.at;
        let word = self.word(is_of_word).to_ascii_lowercase();
        self.at += word.len();
        let function = Function::ALL.iter().find(|f| f.0 == word);
        let mut own = ALGORITHMS.iter().flat_map(|a| a.figures);
        let own = own.find(|name| **name == word);
        let figure = FIGURES.iter().find(|f| f.name == word);
        Ok(Some(match word.as_str() {
            "chance" => {
                let above = self.argument()?;
                Wide::Chance(Box::new(above), self.of_place()?)
            }
            "quantile" => {
                let share = self.argument()?;
                Wide::Quantile(Box::new(share), self.of_place()?)
            }
            "rank" => Wide::Rank(self.of_place()?),
            "share" => Wide::Share(self.of_place()?),
            "leaves" => Wide::Leaves,
            "total" => Wide::Total,
            "audited" => Wide::Audited { wrong: false },
            "wrong" => Wide::Audited { wrong: true },
            "count" => {
                self.require("(")?;
                let fates = self.fates()?;
                let place = if self.sign(",") {
                    Some(self.place()?)
                } else {
                    None
                };
                self.require(")")?;
                Wide::Count(fates, place)
            }
            "has" => {
                self.require("(")?;
                let fates = self.fates()?;
                self.require(")")?;
                Wide::Has(fates, self.of_place()?)
            }
            _ => match (function, own, figure) {
                (Some((_, function)), ..) => Wide::Call(*function, self.arguments()?),
                (_, Some(name), _) => Wide::Own(name, self.of_place()?),
                (.., Some(row)) if self.of_follows() => Wide::Of(row.figure, self.of_place()?),
                _ => {
                    self.at = start;
                    return Ok(None);
                }
            },
        }))
    }

    fn argument(&mut self) -> Read<Number> {
        self.require("(")?;
        let number = self.deeper(|p| p.number(Self::sum))?;
        self.require(")")?;
        Ok(number)
    }

    fn arguments(&mut self) -> Read<Vec<Number>> {
        self.require("(")?;
        let mut numbers = vec![self.deeper(|p| p.number(Self::sum))?];
        while self.sign(",") {
            numbers.push(self.deeper(|p| p.number(Self::sum))?);
        }
        self.require(")")?;
        Ok(numbers)
    }

    fn of_follows(&mut self) -> bool {
        self.skip_space();
        self.word(is_of_word).eq_ignore_ascii_case("of")
    }

    fn of_place(&mut self) -> Read<NamedNode> {
        if !self.of_follows() {
            let found = self.word(is_of_word);
            let found = if found.is_empty() {
                "none".to_owned()
            } else {
                quote(found)
            };
            return Err(self.say(self.at, found, "of and a place".into()));
        }
        self.at += "of".len();
        self.place()
    }

    fn fates(&mut self) -> Read<Fates> {
        self.skip_space();
        let word = self.word(|c| c.is_alphanumeric() || c == '-');
        let Some(fates) = Fates::named(&word.to_ascii_lowercase()) else {
            return Err(Stop::Said(no_fate(self.column(self.at), word)));
        };
        self.at += word.len();
        Ok(fates)
    }
}
