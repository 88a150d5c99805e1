//! plyscope's own fates and rules as declared reasons.

use open_trace::{Class as ToldClass, Number, NumberUnit, Reason};
use search::Rule;
use tree::{Class, DepthChange, FATES, Fate, FateInfo, FateUnit, kind};

use super::super::reasons::SEARCH;

/// The reasons that a stream of plyscope's own declares.
#[derive(Debug)]
pub struct Declared {
    reasons: Vec<Reason>,
    /// The number of each fate's reason.
    fates: Vec<Option<u8>>,
    /// The numbers of the reasons of [`SEARCHING`] and of [`CHANGING`].
    searches: Vec<u8>,
    changes: Vec<u8>,
}

/// The rules that begin a search of their own.
const SEARCHING: [Rule; 4] = [
    Rule::Razoring,
    Rule::NullMove,
    Rule::ProbCut,
    Rule::SingularExtension,
];

/// The rules that change the depth to which a move is searched.
const CHANGING: [Rule; 3] = [
    Rule::LateMoveReduction,
    Rule::CheckExtension,
    Rule::SingularExtension,
];

impl Declared {
    pub fn new() -> Declared {
        let mut declared = Declared {
            reasons: Vec::new(),
            fates: Vec::new(),
            searches: Vec::new(),
            changes: Vec::new(),
        };
        for (of, fate) in FATES.iter().enumerate() {
            // Rows of these are made from their parent's fate; and another program's reasons are its own.
            let is_none = fate.class == Class::SiblingCut || of == usize::from(kind::Told);
            let n = (!is_none).then(|| declared.next());
            declared.fates.push(n);
            if !is_none {
                declared.add(of_fate(fate));
            }
        }
        for rule in SEARCHING {
            declared.searches.push(declared.next());
            declared.add(Reason {
                n: 0,
                name: format!("{}{SEARCH}", rule.name()).into(),
                class: ToldClass::Try,
                numbers: vec![
                    number("bound", NumberUnit::Value),
                    number("depth", NumberUnit::Plies),
                ],
                text: "a search of {depth} plies against {bound}".into(),
            });
        }
        for rule in CHANGING {
            declared.changes.push(declared.next());
            declared.add(Reason {
                n: 0,
                name: rule.name().into(),
                class: ToldClass::Info,
                numbers: Vec::new(),
                text: "".into(),
            });
        }
        declared
    }

    /// The number of the reason that is added next.
    fn next(&self) -> u8 {
        self.reasons.len() as u8 + 1
    }

    fn add(&mut self, reason: Reason) {
        let n = self.next();
        self.reasons.push(Reason { n, ..reason });
    }

    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    pub fn of_fate(&self, fate: Fate) -> Option<u8> {
        self.fates[fate.kind()]
    }

    /// The reason of a rule's own search; 0 for a rule that has none.
    pub fn search_of(&self, rule: Rule) -> u8 {
        let place = SEARCHING.into_iter().position(|one| one == rule);
        place.map_or(0, |place| self.searches[place])
    }

    /// By how many plies the next node is searched deeper, and the reason of the rule that says so; `None` where nothing new is
    /// said.
    pub fn of_change(&self, change: DepthChange) -> Option<(i16, u8)> {
        let (plies, rule) = match change {
            DepthChange::None | DepthChange::Reduced { again: true, .. } => return None,
            DepthChange::Reduced { plies, .. } => (-i16::from(plies), Rule::LateMoveReduction),
            DepthChange::Check => (1, Rule::CheckExtension),
            DepthChange::Singular { plies } => (i16::from(plies), Rule::SingularExtension),
        };
        let place = CHANGING.into_iter().position(|one| one == rule)?;
        Some((plies, self.changes[place]))
    }
}

fn of_fate(fate: &FateInfo) -> Reason {
    let class = match fate.class {
        Class::Known => ToldClass::Known,
        Class::CutBeforeMoves => ToldClass::Cut,
        Class::Cutoff => ToldClass::Cutoff,
        Class::Skip | Class::SiblingCut => ToldClass::Skip,
        Class::Open => ToldClass::Info,
    };
    let numbers = fate.fields.iter();
    Reason {
        n: 0,
        name: fate.name.into(),
        class,
        numbers: numbers
            .map(|field| number(field.name, unit(field.unit)))
            .collect(),
        text: fate.summary.into(),
    }
}

fn number(name: &str, unit: NumberUnit) -> Number {
    Number {
        name: name.into(),
        unit,
    }
}

fn unit(unit: FateUnit) -> NumberUnit {
    match unit {
        FateUnit::Score => NumberUnit::Value,
        FateUnit::Margin => NumberUnit::Difference,
        FateUnit::Plies => NumberUnit::Plies,
        FateUnit::Count => NumberUnit::Count,
        FateUnit::Probability => NumberUnit::Share,
        FateUnit::Move => NumberUnit::Move,
        FateUnit::Bound => NumberUnit::Bound,
        FateUnit::Bin
        | FateUnit::Flag
        | FateUnit::Ending
        | FateUnit::Known
        | FateUnit::Table
        | FateUnit::Number
        | FateUnit::Place
        | FateUnit::Reason => NumberUnit::Number,
    }
}
