//! From the reasons that a program declares to the fates of the tree.

use game::{MoveCode, Sided as _};
use open_trace::{Class as TraceClass, Header, NumberUnit, Told, Value};
use search::Rule;
use tree::{Class, Declaration, DeclaredUnit, FATES, Fate, ReasonId, Tree};

use super::values::{Sides, Values};

/// The declared reasons of a program, by their numbers.
#[derive(Debug)]
pub struct Reasons {
    of: Vec<Option<Reason>>,
}

#[derive(Debug)]
pub struct Reason {
    pub name: Box<str>,
    pub class: TraceClass,
    /// The fate of plyscope's own table that it is, if its numbers are those.
    own: Option<usize>,
    kept: ReasonId,
    units: Vec<NumberUnit>,
    names: Vec<Box<str>>,
}

/// Where a reason is given: what its numbers are seen from.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub sides: Sides,
    pub ply: u16,
}

impl Reasons {
    pub fn new(header: &Header) -> Reasons {
        let mut of = Vec::new();
        of.resize_with(256, || None);
        for reason in &header.reasons {
            of[usize::from(reason.n)] = Some(Reason::new(reason));
        }
        Reasons { of }
    }

    pub fn get(&self, n: u8) -> Option<&Reason> {
        self.of.get(usize::from(n))?.as_ref()
    }

    /// All declared reasons with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (u8, &Reason)> {
        let numbered = (0..=u8::MAX).zip(&self.of);
        numbered.filter_map(|(n, reason)| Some((n, reason.as_ref()?)))
    }
}

impl Reason {
    fn new(declared: &open_trace::Reason) -> Reason {
        let class = match declared.class {
            TraceClass::Known => Class::Known,
            TraceClass::Cut => Class::CutBeforeMoves,
            TraceClass::Cutoff => Class::Cutoff,
            TraceClass::Skip => Class::Skip,
            TraceClass::Try | TraceClass::Info => Class::Open,
        };
        let declaration = Declaration {
            name: declared.name.to_string(),
            class,
            numbers: declared
                .numbers
                .iter()
                .map(|number| (number.name.to_string(), unit_of(number.unit)))
                .collect(),
            text: (!declared.text.is_empty()).then(|| declared.text.to_string()),
        };
        let has = |name: &str| declared.numbers.iter().any(|number| &*number.name == name);
        let own = FATES.iter().position(|fate| {
            fate.name == &*declared.name
                && fate.class == class
                && !fate.fields.is_empty()
                && fate.fields.iter().all(|field| has(field.name))
        });
        Reason {
            name: declared.name.clone(),
            class: declared.class,
            own,
            kept: declaration.kept(),
            units: declared.numbers.iter().map(|number| number.unit).collect(),
            names: declared
                .numbers
                .iter()
                .map(|number| number.name.clone())
                .collect(),
        }
    }

    /// The rule of plyscope's own search of this name.
    pub fn rule(&self) -> Option<Rule> {
        Rule::ALL
            .into_iter()
            .find(|rule| rule.name() == &*self.name)
    }

    /// The fate of a node, or of a move, for this reason. `code` turns a move's number into its code.
    pub fn fate(
        &self,
        tree: &Tree,
        before: Fate,
        told: &Told,
        values: &Values,
        place: Place,
        mut code: impl FnMut(u32) -> MoveCode,
    ) -> Fate {
        if told.numbers.len() != self.units.len() {
            return tree.told_fate(before, self.kept, &[]);
        }
        let mut numbers = [f64::NAN; open_trace::limits::NUMBERS];
        for ((to, unit), number) in numbers.iter_mut().zip(&self.units).zip(told.numbers) {
            let Some(number) = *number else {
                continue;
            };
            *to = match unit {
                NumberUnit::Value => Value::new(number).map_or(f64::NAN, |value| {
                    let own = values.own(value, place.sides);
                    match values.wide(own) {
                        None => values.score(own, place.ply).raw().into(),
                        Some(wide) => tree::wide_number(wide),
                    }
                }),
                NumberUnit::Difference => match values.wide(number) {
                    None => values.difference(number),
                    Some(wide) => tree::wide_number(wide),
                },
                NumberUnit::Move => f64::from(code(number as u32).0),
                NumberUnit::Bound if values.turns(place.sides) => {
                    f64::from(tree::Bound::from_bits(number as u8).turned() as u8)
                }
                NumberUnit::Plies
                | NumberUnit::Count
                | NumberUnit::Share
                | NumberUnit::Bound
                | NumberUnit::Number => number,
            };
        }
        let numbers = &numbers[..self.units.len()];
        let own = self.own.and_then(|kind| {
            Fate::assembled(kind, |field| {
                let at = self.names.iter().position(|name| **name == *field.name)?;
                let number = numbers[at];
                number.is_finite().then_some(number.round() as i64)
            })
        });
        own.unwrap_or_else(|| tree.told_fate(before, self.kept, numbers))
    }
}

fn unit_of(unit: NumberUnit) -> DeclaredUnit {
    match unit {
        NumberUnit::Value => DeclaredUnit::Value,
        NumberUnit::Difference => DeclaredUnit::Difference,
        NumberUnit::Plies => DeclaredUnit::Plies,
        NumberUnit::Count => DeclaredUnit::Count,
        NumberUnit::Share => DeclaredUnit::Share,
        NumberUnit::Move => DeclaredUnit::Move,
        NumberUnit::Bound => DeclaredUnit::Bound,
        NumberUnit::Number => DeclaredUnit::Number,
    }
}

/// The reason of a node that the program left without one, and without having searched a move.
pub fn untold() -> ReasonId {
    static UNTOLD: std::sync::OnceLock<ReasonId> = std::sync::OnceLock::new();
    *UNTOLD.get_or_init(|| {
        let declaration = Declaration {
            name: "untold".into(),
            class: Class::Known,
            numbers: Vec::new(),
            text: Some("no move was searched, and the program does not say why".into()),
        };
        declaration.kept()
    })
}
