//! Why a node is as it is: the one vocabulary of reasons.
//!
//! [`table`] declares each fate once. Everything else that is asked of a fate (its packing, its numbers by name, its
//! class, what it looks like) follows from there.

mod declare;
mod declared;
mod number;
mod table;

pub use declared::{Declaration, DeclaredReason, DeclaredUnit, ReasonId};
pub use number::{Number, Numbers, Unit, Value};
pub use table::kind;
pub use table::{FATES, Fate};

use game::{MoveCode, Score, Sided};

/// How a depth-first value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bound {
    #[default]
    None,
    /// The true value is at least this (fail high).
    Lower,
    /// The true value is at most this (fail low).
    Upper,
    Exact,
}

impl Sided for Bound {
    fn turned(self) -> Bound {
        match self {
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
            other => other,
        }
    }
}

impl Bound {
    pub fn from_bits(bits: u8) -> Bound {
        match bits & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => Bound::None,
        }
    }
}

/// What a fate says of the search at its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The search has been here, is here, or may come: what became of the node is told by other events than its fate's.
    Open,
    /// The value is known without a search of the moves.
    Known,
    /// Moves were searched until one cut off the others.
    Cutoff,
    /// A rule cut the node off before its moves were searched.
    CutBeforeMoves,
    /// A move that the search decided not to visit. The decision was the parent's, and so is the view of its numbers.
    Skip,
    /// A move that was not visited because an earlier one had cut the parent off. Never stored: the rows of such moves
    /// are made from the parent's fate when somebody looks.
    SiblingCut,
}

/// What the screen colours alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FateRole {
    Dim,
    Searched,
    Cut,
    Skipped,
    Ended,
    Proven,
}

/// One row of the table of fates.
#[derive(Clone, Copy, Debug)]
pub struct FateInfo {
    /// In JSON, filters and breakpoints.
    pub name: &'static str,
    /// One letter, so that no meaning is carried by colour alone.
    pub letter: char,
    /// The sign beside the letter, where the terminal has it.
    pub glyph: char,
    pub role: FateRole,
    pub class: Class,
    /// The rule of the same name gives it.
    pub by_rule: bool,
    /// Its sentence has scores, so that it matters whose view they are from.
    pub scored: bool,
    /// Of a node cut off before its moves: it was thought not to reach alpha, where others are thought to reach beta.
    pub fails_low: bool,
    /// Of a skipped move: where a null window failed low it follows from the parent's own numbers, and needs no node.
    pub implied: bool,
    /// A number that it lacks but others like it have: JSON has it as `null`.
    pub null: Option<&'static str>,
    /// What JSON calls [`Fate::missed_by`], where the fate has it.
    pub missed: Option<Field>,
    /// Its numbers.
    pub fields: &'static [Field],
    /// What it counts as where the moves at a node are counted by what became of them.
    pub group: &'static str,
    /// One line.
    pub summary: &'static str,
}

impl FateInfo {
    /// What most rows have.
    const PLAIN: FateInfo = FateInfo {
        name: "",
        letter: ' ',
        glyph: ' ',
        role: FateRole::Dim,
        class: Class::Open,
        by_rule: false,
        scored: true,
        fails_low: false,
        implied: false,
        null: None,
        missed: None,
        fields: &[],
        group: "searched",
        summary: "",
    };

    /// What failed for its static value and margin.
    const SHORTFALL: Option<Field> = Some(Field {
        name: "shortfall",
        unit: Unit::Margin,
        about: "By how much static value and margin together fall short of alpha; null if alpha is a mate.",
    });

    /// What was cut off for its static value and margin.
    const EXCESS: Option<Field> = Some(Field {
        name: "excess",
        unit: Unit::Margin,
        about: "By how much the static value less the margin is above beta; null if beta is a mate.",
    });

    /// Whether an event carries it: the fates of class [`Class::Open`] are told by no event of their own.
    pub const fn is_told(&self) -> bool {
        !matches!(self.class, Class::Open | Class::SiblingCut)
    }
}

/// What is known of a number of a fate before there is one.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// In JSON and breakpoints.
    pub name: &'static str,
    pub unit: Unit,
    /// What it is; empty where the name says it.
    pub about: &'static str,
}

/// Fates that belong together, under one name.
#[derive(Debug, Clone, Copy)]
pub struct FateFamily {
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Which fates belong to it.
    has: fn(&FateInfo) -> bool,
}

/// The table of families of fates: filters and breakpoints know them by these names. A family may have the name of one of
/// its fates, which then stands for the whole family; another family has that fate alone.
pub static FATE_FAMILIES: [FateFamily; 5] = [
    FateFamily {
        name: "forward-pruning",
        summary: "pruned by a rule: a node before its moves, or a single move",
        has: |fate| fate.by_rule,
    },
    FateFamily {
        name: "node-pruning",
        summary: "a rule cut the node off before its moves",
        has: |fate| fate.by_rule && matches!(fate.class, Class::CutBeforeMoves),
    },
    FateFamily {
        name: "move-pruning",
        summary: "a rule skipped the move",
        has: |fate| fate.by_rule && matches!(fate.class, Class::Skip),
    },
    FateFamily {
        name: "futility",
        summary: "pruned by a margin around the static value: a move, a capture, or a node (reverse futility)",
        has: |fate| matches!(fate.name, "futility" | "delta-pruning" | "reverse-futility"),
    },
    FateFamily {
        name: "move-futility",
        summary: "a quiet move was skipped by futility",
        has: |fate| fate.name == "futility",
    },
];

/// Returns the fates whose names mean nothing but the fate, with their indices in [`FATES`].
pub fn named_fates() -> impl Iterator<Item = (usize, &'static FateInfo)> {
    let is_family = |name| FATE_FAMILIES.iter().any(|family| family.name == name);
    let fates = FATES.iter().enumerate();
    fates.filter(move |(_, fate)| !is_family(fate.name))
}

impl FateFamily {
    /// Its fates, a bit each by [`Fate::kind`].
    pub fn bits(&self) -> u32 {
        let all = FATES.iter().enumerate();
        all.fold(0, |bits, (i, fate)| bits | u32::from((self.has)(fate)) << i)
    }
}

impl Fate {
    /// Its row in [`FATES`], or what was declared of it.
    #[inline]
    pub fn info(self) -> &'static FateInfo {
        if let Fate::Told { reason, .. } = self
            && let Some(declared) = reason.declared()
        {
            return &declared.info;
        }
        &FATES[self.kind()]
    }

    /// Its place in [`FATES`], where a declared reason that has the name of one of those has its place.
    #[inline]
    pub fn meant(self) -> usize {
        match self {
            Fate::Told { reason, .. } => reason.meant().unwrap_or(self.kind()),
            _ => self.kind(),
        }
    }

    pub fn name(self) -> &'static str {
        self.info().name
    }

    pub fn letter(self) -> char {
        self.info().letter
    }

    /// The result is known without a search of the moves: by the rules of the game, by a repetition, by an endgame table,
    /// or as a known draw.
    #[inline]
    pub fn is_end(self) -> bool {
        matches!(
            self,
            Fate::Ended(_) | Fate::Repetition { .. } | Fate::Tablebase(_) | Fate::KnownDraw { .. }
        )
    }

    /// A move that the search decided not to visit.
    #[inline]
    pub fn is_skip(self) -> bool {
        matches!(self.info().class, Class::Skip | Class::SiblingCut)
    }

    /// A leaf of a best-first tree that has been evaluated and can still be expanded.
    #[inline]
    pub fn is_frontier(self) -> bool {
        matches!(
            self,
            Fate::Frontier | Fate::LeafFailsLow { .. } | Fate::LeafFailsHigh { .. }
        )
    }

    /// A node whose remaining moves were cut off.
    #[inline]
    pub fn is_cutoff(self) -> bool {
        self.info().class == Class::Cutoff
    }

    /// A node that was cut off before its moves were searched.
    #[inline]
    pub fn is_cut_before_moves(self) -> bool {
        self.info().class == Class::CutBeforeMoves
    }

    /// Something was left out by a rule, or because its worth was probable enough: what an audit may find wrong.
    #[inline]
    pub fn is_auditable(self) -> bool {
        self.info().by_rule || matches!(self, Fate::ProbabilisticCutoff { .. })
    }

    /// The pruned move or node was thought not to beat alpha; otherwise the node was thought to reach beta.
    pub fn fails_low(self) -> bool {
        match self {
            Fate::ProbCut { value, raised, .. } => value < raised,
            _ => self.is_skip() || self.info().fails_low,
        }
    }

    /// The score of this name among its numbers.
    #[inline]
    pub fn score(self, name: &str) -> Option<Score> {
        match self.number(name)? {
            Value::Score(score) => Some(score),
            _ => None,
        }
    }

    /// By how much the static value with its margin falls short of alpha, or without it is above beta: at least 0. `None` if
    /// the bound is a mate, or the fate compares nothing of the kind.
    pub fn missed_by(self) -> Option<i32> {
        self.info().missed?;
        let Some(Value::Margin(margin)) = self.number("margin") else {
            return None;
        };
        let (at, margin) = (i32::from(self.score("static")?.raw()), i32::from(margin));
        let bound = |name| self.score(name).filter(|bound| !bound.is_decided());
        match (bound("alpha"), bound("beta")) {
            (Some(alpha), _) => Some(i32::from(alpha.raw()) - (at + margin)),
            (_, Some(beta)) => Some(at - margin - i32::from(beta.raw())),
            (None, None) => None,
        }
    }

    /// The fate with another best move, if its moves were searched.
    #[must_use]
    pub fn with_best(self, best: MoveCode) -> Fate {
        match self {
            Fate::Expanded {
                searched,
                skipped,
                moves,
                margin,
                ..
            } => Fate::Expanded {
                best,
                searched,
                skipped,
                moves,
                margin,
            },
            other => other,
        }
    }

    /// The move the node's value comes from, where the fate knows one.
    pub fn best(self) -> Option<MoveCode> {
        // The move in a skipped move's fate is a sibling of it.
        self.named_move().filter(|_| !self.is_skip())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_named_like_a_fate_has_it_and_the_fate_has_a_name_of_its_own() {
        for family in &FATE_FAMILIES {
            assert!(family.bits() != 0, "{}", family.name);
            let Some(fate) = FATES.iter().position(|f| f.name == family.name) else {
                continue;
            };
            assert!(family.bits() >> fate & 1 == 1, "{}", family.name);
            let alone = FATE_FAMILIES.iter().any(|f| f.bits() == 1 << fate);
            assert!(alone, "{}", family.name);
        }
    }

    #[test]
    fn futility_is_every_decision_by_a_margin_of_that_name() {
        let family = FATE_FAMILIES.iter().find(|f| f.name == "futility");
        let bits = family.expect("a family").bits();
        for fate in FATES.iter().filter(|f| f.name.contains("futility")) {
            let at = FATES.iter().position(|f| f.name == fate.name);
            assert!(bits >> at.expect("it is there") & 1 == 1, "{}", fate.name);
        }
        assert_eq!(bits.count_ones(), 3);
    }

    #[test]
    fn what_compares_a_static_value_and_a_margin_with_a_bound_says_by_how_much_it_misses() {
        for fate in &FATES {
            let has = |name| fate.fields.iter().any(|field| field.name == name);
            let compares = has("static") && has("margin") && (has("alpha") || has("beta"));
            assert_eq!(fate.missed.is_some(), compares, "{}", fate.name);
        }
        let score = Score::new;
        let futile = |alpha| Fate::Futility {
            static_value: score(-120),
            margin: 100,
            alpha,
            depth: 1,
        };
        assert_eq!(futile(score(35)).missed_by(), Some(55));
        assert_eq!(futile(Score::win_in(3)).missed_by(), None);
        let cut = Fate::ReverseFutility {
            static_value: score(200),
            margin: 120,
            beta: score(-10),
            depth: 2,
        };
        assert_eq!(cut.missed_by(), Some(90));
        assert_eq!(Fate::Frontier.missed_by(), None);
    }

    #[test]
    fn letters_and_names_are_unique() {
        for (i, a) in FATES.iter().enumerate() {
            assert!(!a.name.is_empty() && !a.summary.is_empty());
            for b in &FATES[i + 1..] {
                assert!(
                    a.name != b.name && a.letter != b.letter,
                    "{} / {}",
                    a.name,
                    b.name
                );
            }
        }
    }

    #[test]
    fn what_a_rule_pruned_was_skipped_or_cut_before_its_moves() {
        for fate in FATES.iter().filter(|f| f.by_rule) {
            let pruned = matches!(fate.class, Class::Skip | Class::CutBeforeMoves);
            assert!(pruned, "{}", fate.name);
        }
    }
}
