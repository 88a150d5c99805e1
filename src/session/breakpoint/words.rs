//! The words of the language, each with one line of documentation. The parser, completion, help and README use this
//! table.

use std::sync::LazyLock;

use search::event::{EVENTS, EventKind};
use tree::{FATE_FAMILIES, FateFamily, named_fates};

/// One word or sign of the language.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    pub name: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// What it means, in one line.
    pub summary: &'static str,
}

const fn word(name: &'static str, form: &'static str, summary: &'static str) -> Word {
    Word {
        name,
        form,
        summary,
    }
}

/// The words that begin or join clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    On,
    At,
    Under,
    When,
    Changes,
    Not,
    And,
    Or,
}

/// The words that begin a clause.
pub(super) const CLAUSES: [Keyword; 5] = [
    Keyword::On,
    Keyword::At,
    Keyword::Under,
    Keyword::When,
    Keyword::Changes,
];

/// The table of clauses, in the order of [`Keyword`].
pub static KEYWORDS: [Word; 8] = [
    word(
        "on",
        "on KIND[,KIND…]",
        "the event is of one of these kinds, or tells one of these fates",
    ),
    word(
        "at",
        "at \"MOVES\"",
        "it happens at the node these moves lead to from the root (\"\" or root: the root itself)",
    ),
    word(
        "under",
        "under \"MOVES\"",
        "it happens at that node or below it",
    ),
    word(
        "when",
        "when CONDITION",
        "figures of the event or of its node compare so",
    ),
    word(
        "changes",
        "changes \"MOVES\"",
        "that node's value, belief, fate, proof or number of children is not what it was at the event before",
    ),
    word("not", "not CLAUSE", "the clause does not hold"),
    word(
        "and",
        "CLAUSE and CLAUSE",
        "both hold; clauses side by side mean the same",
    ),
    word("or", "CLAUSE or CLAUSE", "one of them holds"),
];

impl Keyword {
    pub(super) fn name(self) -> &'static str {
        KEYWORDS[self as usize].name
    }
}

/// The signs in a condition.
pub static SIGNS: [Word; 13] = [
    word("<", "a < b", "less than"),
    word("<=", "a <= b", "at most"),
    word(">", "a > b", "more than"),
    word(">=", "a >= b", "at least"),
    word("=", "a = b", "equal"),
    word("!=", "a != b", "not equal"),
    word("+", "a + b", "plus"),
    word("-", "a - b, -a", "minus"),
    word("*", "a * b", "times"),
    word("/", "a / b", "divided by"),
    word("|", "|a|", "the absolute value"),
    word("(", "(…)", "parentheses group clauses, conditions and sums"),
    word(",", "on KIND,KIND", "another kind"),
];

/// A word that may follow `on`.
#[derive(Clone, Debug)]
pub struct KindWord {
    pub name: &'static str,
    /// What it means, in one line.
    pub summary: &'static str,
    /// The kinds of events that it names, one bit each.
    pub(super) kinds: u32,
    /// The fates that it names, one bit each by [`tree::Fate::kind`].
    pub(super) fates: u32,
    /// It names values that do not follow from the moves.
    pub(super) unexplained: bool,
    /// It names moves that the rules do not have.
    pub(super) illegal: bool,
}

/// The word for values that do not follow from the moves, which only another program's search can have.
pub(super) static UNEXPLAINED: KindWord = KindWord {
    name: "unexplained",
    summary: "another program leaves a node with a value that its moves do not give",
    kinds: 0,
    fates: 0,
    unexplained: true,
    illegal: false,
};

/// The word for moves that the rules do not have, which only another program's search can have.
pub(super) static ILLEGAL: KindWord = KindWord {
    name: "illegal",
    summary: "another program makes a move that the rules of chess do not have",
    kinds: 0,
    fates: 0,
    unexplained: false,
    illegal: true,
};

/// The kinds of events that carry a fate.
pub(super) const WITH_FATE: u32 = bit(EventKind::Prune)
    | bit(EventKind::TableHit)
    | bit(EventKind::End)
    | bit(EventKind::Cut)
    | bit(EventKind::Audit)
    | bit(EventKind::Told);

/// Every kind of event.
pub(super) const ALL_KINDS: u32 = (1 << EVENTS.len()) - 1;

pub(super) const fn bit(kind: EventKind) -> u32 {
    1 << kind as u16
}

/// The words that may follow `on`: the kinds of events as in [`EVENTS`], then the fates that events carry as in
/// [`tree::FATES`].
pub static KINDS: LazyLock<Vec<KindWord>> = LazyLock::new(|| {
    let mut words: Vec<KindWord> = EVENTS
        .iter()
        .map(|row| KindWord {
            name: row.name,
            summary: row.summary,
            kinds: bit(row.kind),
            fates: 0,
            unexplained: false,
            illegal: false,
        })
        .collect();
    for (i, fate) in named_fates() {
        let known = words.iter().any(|w| w.name == fate.name);
        if known || !fate.is_told() {
            continue;
        }
        words.push(KindWord {
            name: fate.name,
            summary: fate.summary,
            kinds: 0,
            fates: 1 << i,
            unexplained: false,
            illegal: false,
        });
    }
    words.extend(FATE_FAMILIES.iter().map(|family| KindWord {
        name: family.name,
        summary: family.summary,
        kinds: 0,
        fates: FateFamily::bits(family),
        unexplained: false,
        illegal: false,
    }));
    words.push(UNEXPLAINED.clone());
    words.push(ILLEGAL.clone());
    words
});

/// A figure that a condition can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    Visits,
    Nodes,
    Children,
    Ply,
    Depth,
    Iteration,
    Alpha,
    Beta,
    Value,
    Static,
    Margin,
    Expected,
    Before,
    Sd,
    Policy,
    Urgency,
    Lower,
    Upper,
    Proven,
    Moves,
    Searched,
    Failed,
}

/// One row of the table of figures.
#[derive(Clone, Copy, Debug)]
pub struct FigureInfo {
    pub figure: Figure,
    pub name: &'static str,
    /// What it means, in one line, with the unit.
    pub summary: &'static str,
    /// The only kind of event that has it; `None` if the node or several kinds of events have it.
    pub only: Option<EventKind>,
    /// Whether it is 1 or 0 and a condition by itself.
    pub is_flag: bool,
}

/// The table of figures, in the order of [`Figure`].
///
/// All are from the view of the side to move at the event's node (for a pruned move: at its parent). The event's own
/// figure takes precedence over the node's. Scores are in centipawns, or in a toy tree in the file's own unit. A win in
/// n plies is 32000 − n, and an open window ends at infinity. A comparison with a missing figure does not hold.
pub static FIGURES: [FigureInfo; 22] = {
    const fn row(figure: Figure, name: &'static str, summary: &'static str) -> FigureInfo {
        FigureInfo {
            figure,
            name,
            summary,
            only: None,
            is_flag: false,
        }
    }
    const fn told(
        kind: EventKind,
        figure: Figure,
        name: &'static str,
        summary: &'static str,
    ) -> FigureInfo {
        FigureInfo {
            only: Some(kind),
            ..row(figure, name, summary)
        }
    }
    use Figure::*;
    [
        row(
            Visits,
            "visits",
            "visits of the node (depth-first: times it was searched)",
        ),
        row(Nodes, "nodes", "nodes searched in its subtree"),
        row(Children, "children", "children recorded in the tree"),
        row(Ply, "ply", "plies from the root, which has 0"),
        row(
            Depth,
            "depth",
            "depth-first: plies still to search, 0 or less in quiescence",
        ),
        row(
            Iteration,
            "iteration",
            "depth-first: the iteration that was here last",
        ),
        row(Alpha, "alpha", "lower end of the window (score)"),
        row(Beta, "beta", "upper end of the window (score)"),
        row(
            Value,
            "value",
            "the value just found, else the node's latest (score)",
        ),
        row(Static, "static", "static value (score)"),
        told(
            EventKind::Prune,
            Margin,
            "margin",
            "a pruned move's margin or gain (score); only at a prune",
        ),
        row(Expected, "expected", "expected score, -1 to 1"),
        told(
            EventKind::BackUp,
            Before,
            "before",
            "expected score before the back-up, -1 to 1; only at a back-up",
        ),
        row(
            Sd,
            "sd",
            "standard deviation of the belief, in expected score",
        ),
        row(
            Policy,
            "policy",
            "best-first: share of the parent's policy or prior, 0 to 1",
        ),
        row(
            Urgency,
            "urgency",
            "DISTRESS: how much the most urgent leaf below matters here (policies times spread over the root of its price); with allocation puct, ucb and uniform the spread of the widest open leaf",
        ),
        row(
            Lower,
            "lower",
            "proven lower bound as expected score: 1 is a proven win",
        ),
        row(
            Upper,
            "upper",
            "proven upper bound as expected score: -1 is a proven loss",
        ),
        FigureInfo {
            is_flag: true,
            ..row(
                Proven,
                "proven",
                "the result is certain (when proven), as a number 1 or 0",
            )
        },
        row(Moves, "moves", "legal moves, where the node's were listed"),
        row(
            Searched,
            "searched",
            "moves searched, where the node is expanded or cut off",
        ),
        FigureInfo {
            is_flag: true,
            ..told(
                EventKind::Audit,
                Failed,
                "failed",
                "the audit found the rule wrong (when failed), as a number 1 or 0; only at an audit",
            )
        },
    ]
};

impl Figure {
    pub fn info(self) -> &'static FigureInfo {
        &FIGURES[self as usize]
    }
}

/// Example breakpoints that show the language, with their meaning.
pub static EXAMPLES: [(&str, &str); 12] = [
    ("on best-change", "another move would be played"),
    ("on cutoff", "wherever moves are cut off"),
    (
        "on futility",
        "wherever futility prunes: a quiet move, a capture, a node (move-futility: quiet moves only)",
    ),
    (
        "on prove at root",
        "the root's proven bounds become tighter",
    ),
    ("at \"\"", "the search comes (back) to the root"),
    (
        "on best-change, iteration",
        "the best move changes or an iteration begins",
    ),
    ("when visits >= 1000", "a node gets its thousandth visit"),
    (
        "when |expected - before| > 0.2",
        "a back-up moves a node by more than 0.2",
    ),
    (
        "when sd < 0.05 and not proven",
        "a node becomes nearly sure without a proof",
    ),
    (
        "(on prove or on cutoff) when ply <= 2",
        "near the root: a proof or a cutoff",
    ),
    (
        "on cutoff when depth >= 4 and searched > 3",
        "a late cutoff far from the leaves",
    ),
    ("on audit when failed", "what was pruned was best after all"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use tree::FATES;

    #[test]
    fn the_tables_stand_in_their_enums_order() {
        assert_eq!(KEYWORDS[Keyword::Or as usize].name, "or");
        for clause in CLAUSES {
            assert!(KEYWORDS[clause as usize].form.starts_with(clause.name()));
        }
        for (i, row) in FIGURES.iter().enumerate() {
            assert_eq!(row.figure as usize, i);
        }
    }

    #[test]
    fn no_word_stands_for_two_things() {
        let words = KEYWORDS.iter().map(|w| w.name);
        let mut names: Vec<&str> = words.chain(FIGURES.iter().map(|f| f.name)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        let mut kinds: Vec<&str> = KINDS.iter().map(|k| k.name).collect();
        let count = kinds.len();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), count);
    }

    #[test]
    fn every_fate_that_events_carry_has_a_word() {
        for fate in FATES.iter().filter(|f| f.is_told()) {
            assert!(KINDS.iter().any(|w| w.name == fate.name), "{}", fate.name);
        }
        for (i, fate) in FATES.iter().enumerate() {
            let family = FATE_FAMILIES.iter().any(|f| f.bits() >> i & 1 == 1);
            assert!(!family || fate.is_told(), "{}", fate.name);
        }
    }
}
