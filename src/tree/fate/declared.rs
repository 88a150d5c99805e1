//! Reasons that other programs declare for what they do, beside the table of plyscope's own.
//!
//! A declared reason is kept for as long as plyscope runs, so that whatever has a fate also has its name, letter and class.
//! The same declaration is kept once, however often a stream is opened.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::{Class, FATES, FateInfo, FateRole, Field};

/// A reason that a program declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub name: String,
    pub class: Class,
    /// The names of its numbers, and what each is.
    pub numbers: Vec<(String, DeclaredUnit)>,
    /// The sentence, with `{name}` where a number stands.
    pub text: Option<String>,
}

/// What a number of a declared reason is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeclaredUnit {
    /// A value, from the view of the side to move at the node whose search gave the reason.
    Value,
    /// A difference of values.
    Difference,
    Plies,
    Count,
    /// A part of a whole, from 0 to 1.
    Share,
    /// A move of the node.
    Move,
    /// 0 none, 1 lower, 2 upper, 3 exact.
    Bound,
    Number,
}

/// A declared reason as it is kept.
#[derive(Debug)]
pub struct DeclaredReason {
    /// What the table of fates says of its own; of a declared reason's numbers it has the names.
    pub info: FateInfo,
    /// The place in [`FATES`] of the fate that has the same name.
    pub own: Option<usize>,
    pub units: &'static [DeclaredUnit],
    pub text: Option<&'static str>,
}

/// The number of a declared reason, in the order in which plyscope met them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReasonId(pub(super) u16);

/// The most reasons that are kept apart; later ones are all "told".
const MOST: usize = 4096;

static KEPT: [OnceLock<&'static DeclaredReason>; MOST] = [const { OnceLock::new() }; MOST];
/// How many there are; held while one is added.
static COUNT: Mutex<usize> = Mutex::new(0);

impl ReasonId {
    /// The reason of a program that says no more than that it has one.
    pub const UNKNOWN: ReasonId = ReasonId(u16::MAX);

    /// What was declared; of [`ReasonId::UNKNOWN`] nothing was.
    pub fn declared(self) -> Option<&'static DeclaredReason> {
        KEPT.get(usize::from(self.0))?.get().copied()
    }

    /// The place in [`FATES`] of the fate that has the same name.
    pub fn meant(self) -> Option<usize> {
        self.declared()?.own
    }

    /// All reasons declared so far.
    pub fn all() -> impl Iterator<Item = (ReasonId, &'static DeclaredReason)> {
        let known = KEPT.iter().map_while(|cell| cell.get().copied());
        (0..).map(ReasonId).zip(known)
    }
}

impl Declaration {
    /// Keeps the declaration, once.
    pub fn kept(&self) -> ReasonId {
        let mut count = COUNT.lock().unwrap_or_else(PoisonError::into_inner);
        let known = ReasonId::all().find(|(_, reason)| self.is_that_of(reason));
        if let Some((id, _)) = known {
            return id;
        }
        let Some(cell) = KEPT.get(*count) else {
            return ReasonId::UNKNOWN;
        };
        let reason: &'static DeclaredReason = Box::leak(Box::new(self.lasting()));
        cell.get_or_init(|| reason);
        *count += 1;
        ReasonId((*count - 1) as u16)
    }

    fn is_that_of(&self, kept: &DeclaredReason) -> bool {
        let numbers = kept.info.fields.iter().map(|field| field.name);
        kept.info.name == self.name
            && kept.info.class == self.class
            && kept.text == self.text.as_deref()
            && self.numbers.iter().map(|(_, unit)| unit).eq(kept.units)
            && self
                .numbers
                .iter()
                .map(|(name, _)| name.as_str())
                .eq(numbers)
    }

    fn lasting(&self) -> DeclaredReason {
        fn lasting(text: &str) -> &'static str {
            Box::leak(text.to_owned().into_boxed_str())
        }
        let numbers = self.numbers.iter();
        let fields: Vec<Field> = numbers
            .clone()
            .map(|(name, _)| Field {
                name: lasting(name),
                unit: super::Unit::Number,
                about: "",
            })
            .collect();
        let units: Vec<DeclaredUnit> = numbers.map(|(_, unit)| *unit).collect();
        // A program that means one of plyscope's own reasons means its letter too.
        let place = FATES.iter().position(|fate| fate.name == self.name);
        let own = place.map(|place| &FATES[place]);
        let (role, group) = match self.class {
            Class::Skip | Class::SiblingCut => (FateRole::Skipped, "pruned"),
            Class::Cutoff | Class::CutBeforeMoves => (FateRole::Cut, "cut"),
            Class::Known => (FateRole::Ended, "known"),
            Class::Open => (FateRole::Searched, "searched"),
        };
        DeclaredReason {
            info: FateInfo {
                name: lasting(&self.name),
                letter: own.map_or_else(|| free_letter(&self.name), |fate| fate.letter),
                glyph: own.map_or('◇', |fate| fate.glyph),
                role,
                class: self.class,
                by_rule: matches!(self.class, Class::Skip | Class::CutBeforeMoves),
                scored: units
                    .iter()
                    .any(|unit| matches!(unit, DeclaredUnit::Value | DeclaredUnit::Difference)),
                fields: Box::leak(fields.into_boxed_slice()),
                group: own.map_or(group, |fate| fate.group),
                summary: self
                    .text
                    .as_deref()
                    .map_or("a reason that a program declared", lasting),
                ..FateInfo::PLAIN
            },
            own: place,
            units: Box::leak(units.into_boxed_slice()),
            text: self.text.as_deref().map(lasting),
        }
    }
}

/// A letter that no fate of the table has, and no declared reason as long as there are others: one of the name's own where
/// there is such a one.
fn free_letter(name: &str) -> char {
    let of_fate = |letter: char| FATES.iter().any(|fate| fate.letter == letter);
    let declared = |letter: char| ReasonId::all().any(|(_, r)| r.info.letter == letter);
    let letters = name.chars().filter(char::is_ascii_alphabetic);
    let cased = letters.flat_map(|c| [c.to_ascii_uppercase(), c.to_ascii_lowercase()]);
    let others = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    let free = cased.chain(others).filter(|&c| !of_fate(c));
    let first = free.clone().next();
    { free }.find(|&c| !declared(c)).or(first).unwrap_or('?')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fate;

    fn late(text: Option<&str>) -> Declaration {
        Declaration {
            name: "late-quiet".into(),
            class: Class::Skip,
            numbers: vec![("count".into(), DeclaredUnit::Count)],
            text: text.map(Into::into),
        }
    }

    #[test]
    fn a_declaration_is_kept_once_and_has_a_letter_that_no_other_fate_has() {
        let first = late(None).kept();
        assert_eq!(late(None).kept(), first);
        assert_ne!(late(Some("{count} quiet moves came before")).kept(), first);
        let fate = Fate::Told {
            reason: first,
            numbers: 0,
        };
        assert_eq!(fate.name(), "late-quiet");
        assert!(fate.is_skip() && fate.is_auditable());
        assert!(FATES.iter().all(|own| own.letter != fate.letter()));
        assert_eq!(Fate::from_bits(fate.to_bits()), fate);
    }

    #[test]
    fn a_reason_named_like_a_fate_has_its_letter() {
        let reason = Declaration {
            name: "razoring".into(),
            class: Class::CutBeforeMoves,
            numbers: Vec::new(),
            text: None,
        };
        let fate = Fate::Told {
            reason: reason.kept(),
            numbers: 0,
        };
        let own = FATES.iter().find(|fate| fate.name == "razoring");
        assert_eq!(Some(fate.letter()), own.map(|own| own.letter));
    }

    #[test]
    fn a_reason_that_nobody_declared_is_told() {
        let fate = Fate::Told {
            reason: ReasonId::UNKNOWN,
            numbers: 7,
        };
        assert_eq!((fate.name(), fate.is_skip()), ("told", false));
    }
}
