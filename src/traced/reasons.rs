//! From the reasons that a program declares to the fates of the tree.

use std::sync::OnceLock;

use game::{MoveCode, Score, Sided as _};
use open_trace::{Class as TraceClass, Header, MoveId, NumberUnit, Told, Value};
use search::Rule;
use tree::{Class, Declaration, DeclaredUnit, FATES, Fate, FateUnit, ReasonId, Tree};

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
    /// Whether there are moves among its numbers.
    pub has_moves: bool,
    /// The rule of plyscope's own search of this name, which may be said to be the search of that rule.
    pub rule: Option<Rule>,
    /// The fate of plyscope's own table that it is, if its numbers are those, and where each of the fate's is among them.
    own: Option<(usize, Box<[usize]>)>,
    kept: ReasonId,
    units: Vec<NumberUnit>,
    names: Vec<Box<str>>,
}

/// What follows a rule's name in that of the search which it begins, where the name itself is that of a fate.
pub const SEARCH: &str = " search";

/// The codes of the moves among a reason's numbers.
pub type MoveNumbers = [Option<(MoveId, MoveCode)>; 2];

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
        let place = |name: &str| {
            declared
                .numbers
                .iter()
                .position(|number| &*number.name == name)
        };
        let own = FATES.iter().enumerate().find_map(|(kind, fate)| {
            let is_it = fate.name == &*declared.name
                && fate.class == class
                && fate.fields.is_empty() == declared.numbers.is_empty();
            let fields = is_it.then(|| fate.fields.iter())?;
            let places: Option<Box<[usize]>> = fields.map(|field| place(field.name)).collect();
            Some((kind, places?))
        });
        Reason {
            name: declared.name.clone(),
            class: declared.class,
            has_moves: declared
                .numbers
                .iter()
                .any(|number| number.unit == NumberUnit::Move),
            rule: Rule::ALL.into_iter().find(|rule| {
                let name = &*declared.name;
                rule.name() == name.strip_suffix(SEARCH).unwrap_or(name)
            }),
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

    /// The number of this name among those told.
    pub fn number(&self, told: &Told, name: &str) -> Option<f64> {
        let at = self.names.iter().position(|own| **own == *name)?;
        told.numbers.get(at).copied().flatten()
    }

    /// The fate of a node, or of a move, for this reason. `codes`: of the moves among the numbers.
    pub fn fate(
        &self,
        tree: &Tree,
        before: Fate,
        told: &Told,
        values: &Values,
        place: Place,
        codes: MoveNumbers,
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
                        _ if values.is_open(own) => open_end(own).raw().into(),
                        None => values.score(own, place.ply).raw().into(),
                        Some(wide) => tree::wide_number(wide),
                    }
                }),
                NumberUnit::Difference => match values.wide(number) {
                    None => values.difference(number),
                    Some(wide) => tree::wide_number(wide),
                },
                NumberUnit::Move => {
                    let known = codes.iter().flatten().find(|(id, _)| id.0 == number as u32);
                    f64::from(known.map_or(MoveCode::NONE, |(_, code)| *code).0)
                }
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
        let own = self.own.as_ref().and_then(|(kind, places)| {
            let mut places = places.iter();
            Fate::assembled(*kind, |field| {
                let number = match (numbers[*places.next()?], field.unit) {
                    (share, FateUnit::Probability) => share * f64::from(u16::MAX),
                    // No move, and no bound, are not told.
                    (none, FateUnit::Move) if none.is_nan() => f64::from(MoveCode::NONE.0),
                    (none, FateUnit::Bound) if none.is_nan() => 0.0,
                    (number, _) => number,
                };
                number.is_finite().then_some(number.round() as i64)
            })
        });
        own.unwrap_or_else(|| tree.told_fate(before, self.kept, numbers))
    }
}

/// The score of an open end of a window.
fn open_end(own: f64) -> Score {
    match own > 0.0 {
        true => Score::MAX,
        false => Score::MIN,
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
    static UNTOLD: OnceLock<ReasonId> = OnceLock::new();
    let text = "no move was searched, and the program does not say why";
    *UNTOLD.get_or_init(|| plain("untold", Class::Known, text))
}

/// The reason of a node whose moves were searched, but left out by a filter.
pub fn unsent() -> ReasonId {
    static UNSENT: OnceLock<ReasonId> = OnceLock::new();
    let text = "its moves were searched, but a filter left them out";
    *UNSENT.get_or_init(|| plain("not-sent", Class::Open, text))
}

/// A reason without numbers.
fn plain(name: &str, class: Class, text: &str) -> ReasonId {
    let declaration = Declaration {
        name: name.into(),
        class,
        numbers: Vec::new(),
        text: Some(text.into()),
    };
    declaration.kept()
}
