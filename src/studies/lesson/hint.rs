//! Hints for questions: the author's, or one made from what decides the answer.

use super::{Inline, Kind, Question, Row, Target};

/// A hint.
#[derive(Clone, Debug)]
pub enum Hint<'a> {
    /// As the lesson has it.
    Written(&'a [Inline]),
    Made(String),
}

impl Question {
    /// Returns a hint that does not tell the answer.
    pub fn hint(&self) -> Hint<'_> {
        match self.hint.as_slice() {
            [] => Hint::Made(self.made_hint()),
            written => Hint::Written(written),
        }
    }

    /// Returns a hint that says by what the search decides.
    fn made_hint(&self) -> String {
        match &self.kind {
            Kind::Row(Row::Next) => match self.reveal.as_ref().map(|run| &run.to) {
                Some(Target::Break(breakpoint, _)) => {
                    format!(
                        "It is the next row of which this holds: {}.",
                        breakpoint.text()
                    )
                }
                _ => "It is the row at which the search stops next.".to_owned(),
            },
            Kind::Row(Row::Extreme {
                measure,
                among,
                greatest,
            }) => {
                let which = if *greatest { "largest" } else { "smallest" };
                let place = match among.text() {
                    "" => "the root".to_owned(),
                    line => format!("{line:?}"),
                };
                format!("Look below {place} for the {which} {}.", measure.text())
            }
            Kind::Number { measure, .. } => format!("As a formula: {}.", measure.text()),
            Kind::Choice(choices) => {
                let first = choices.first().map_or("", |choice| choice.claim.text());
                format!("Ask of the first answer whether this holds: {first}.")
            }
        }
    }
}
