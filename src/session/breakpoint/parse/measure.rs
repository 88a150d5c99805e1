//! The parts of the grammar that only measures have.

use super::{Condition, Number, Parser, Read, Stop};
use crate::Subject;
use crate::breakpoint::BreakpointError;
use crate::breakpoint::measure::{Fates, Wide, no_fate};
use crate::breakpoint::place::NamedNode;
use crate::breakpoint::words::FIGURES;
use algorithms::ALGORITHMS;
use formula::{Grammar as _, is_of_word};
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
        self.parse_whole(|p| p.number(Self::sum))
    }

    /// Parses the whole text as a condition on figures.
    pub fn read_truth(&mut self) -> Result<Condition, BreakpointError> {
        self.parse_whole(|p| Self::truth(p.either()?))
    }

    /// Parses one of the words that only measures have; returns `None` without consuming anything if the next word is
    /// another.
    pub(super) fn wide(&mut self) -> Read<Option<Wide>> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word(is_of_word).to_ascii_lowercase();
        self.cursor.at += word.len();
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
            _ => match (own, figure) {
                (Some(name), _) => Wide::Own(name, self.of_place()?),
                (_, Some(row)) if self.of_follows() => Wide::Of(row.figure, self.of_place()?),
                _ => {
                    self.cursor.at = start;
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

    fn of_follows(&mut self) -> bool {
        self.cursor.skip_space();
        self.cursor.word(is_of_word).eq_ignore_ascii_case("of")
    }

    fn of_place(&mut self) -> Read<NamedNode> {
        if !self.of_follows() {
            let found = self.cursor.word(is_of_word);
            let found = if found.is_empty() {
                "none".to_owned()
            } else {
                quote(found)
            };
            return Err(self.say(self.cursor.at, found, "of and a place".into()));
        }
        self.cursor.at += "of".len();
        self.place()
    }

    fn fates(&mut self) -> Read<Fates> {
        self.cursor.skip_space();
        let word = self.cursor.word(|c| c.is_alphanumeric() || c == '-');
        let Some(fates) = Fates::named(&word.to_ascii_lowercase()) else {
            return Err(Stop::Said(no_fate(
                self.cursor.column(self.cursor.at),
                word,
            )));
        };
        self.cursor.at += word.len();
        Ok(fates)
    }
}
