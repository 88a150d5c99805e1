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
    /// For each rule the number of its search's reason.
    searches: Vec<u8>,
    /// For each rule the number of the reason of its changes of depth.
    rules: Vec<u8>,
}

impl Declared {
    pub fn new() -> Declared {
        let mut declared = Declared {
            reasons: Vec::new(),
            fates: Vec::new(),
            searches: Vec::new(),
            rules: Vec::new(),
        };
        for (of, fate) in FATES.iter().enumerate() {
            // Rows of these are made from their parent's fate; and another program's reasons are its own.
            let is_none = fate.class == Class::SiblingCut || of == usize::from(kind::Told);
            let n = (!is_none).then(|| declared.add(of_fate(fate)));
            declared.fates.push(n);
        }
        for rule in Rule::ALL {
            let search = declared.add(Reason {
                n: 0,
                name: format!("{}{SEARCH}", rule.name()).into(),
                class: ToldClass::Try,
                numbers: vec![
                    number("bound", NumberUnit::Value),
                    number("depth", NumberUnit::Plies),
                ],
                text: "a search of {depth} plies against {bound}".into(),
            });
            declared.searches.push(search);
            let taken = declared.reasons.iter().find(|r| *r.name == *rule.name());
            let n = taken.map(|reason| reason.n);
            let n = n.unwrap_or_else(|| {
                declared.add(Reason {
                    n: 0,
                    name: rule.name().into(),
                    class: ToldClass::Info,
                    numbers: Vec::new(),
                    text: "".into(),
                })
            });
            declared.rules.push(n);
        }
        declared
    }

    fn add(&mut self, reason: Reason) -> u8 {
        let n = self.reasons.len() as u8 + 1;
        self.reasons.push(Reason { n, ..reason });
        n
    }

    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    pub fn of_fate(&self, fate: Fate) -> Option<u8> {
        self.fates[fate.kind()]
    }

    pub fn search_of(&self, rule: Rule) -> u8 {
        self.searches[rule as usize]
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
        Some((plies, self.rules[rule as usize]))
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
