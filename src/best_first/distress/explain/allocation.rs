//! Where the next visit of DISTRESS goes, and why.

use crate::distress::allocate::By;
use crate::distress::terms::{Choice, Reason, State, Term as ChildTerm};
use search::explanation::{Block, Column, Phrase, Row, Tone, Unit, phrase};

/// The terms by which the next visit chooses, the highest score first.
pub(super) fn allocation(choice: &Choice) -> Block {
    let mut terms: Vec<(usize, &ChildTerm)> = choice.terms.iter().enumerate().collect();
    let open = |term: &ChildTerm| term.state == State::Open;
    terms.sort_by(|(_, a), (_, b)| {
        let scores = b.score.total_cmp(&a.score);
        open(b).cmp(&open(a)).then(scores)
    });
    let columns = columns(choice);
    let row = |(place, term): (usize, &ChildTerm)| {
        let tone = match open(term) {
            true if choice.chosen == Some(place) => Tone::Chosen,
            true => Tone::Plain,
            false => Tone::Quiet,
        };
        let cell = |(_, value): &(Column, Cell)| (tone, value(term));
        Row {
            child: term.child,
            cells: columns.iter().map(cell).collect(),
        }
    };
    Block {
        title: match choice.by_budget {
            true => "where the next budgets go",
            false => "where the next visit goes",
        },
        formula: Some(formula(choice)),
        rows: terms.into_iter().map(row).collect(),
        notes: vec![(Tone::Plain, reason(choice))],
        columns: columns.into_iter().map(|(column, _)| column).collect(),
        leads: false,
    }
}

type Cell = fn(&ChildTerm) -> Phrase;

fn columns(choice: &Choice) -> Vec<(Column, Cell)> {
    fn maybe(value: Option<f32>) -> Phrase {
        value.map_or_else(Phrase::new, |v| phrase![(v, Unit::Magnitude)])
    }
    let column = |name, width, dispensable, value: Cell| {
        let column = Column {
            name,
            width,
            dispensable,
        };
        (column, value)
    };
    let mut columns = vec![
        column("policy", 7, 2, |t| phrase![(t.policy, Unit::Share)]),
        column("visits", 8, 4, |t| phrase![(t.visits, Unit::Count)]),
    ];
    if choice.allocation.adjust {
        columns.push(column("A", 5, 5, |t| maybe(t.adjustment)));
    }
    if choice.terms.iter().any(|t| t.bonus.is_some()) {
        columns.push(column("few", 7, 3, |t| {
            t.bonus
                .map_or_else(Phrase::new, |b| phrase!["+", (b, Unit::Magnitude)])
        }));
    } else {
        if choice.by_value {
            columns.push(column("worth", 8, 3, |t| maybe(t.value)));
        }
        columns.push(column("urgency", 9, 3, |t| maybe(Some(t.urgency))));
    }
    let score: Cell = match choice.allocation.by {
        // It may be below 0.
        By::Formula => |t| score(t, Unit::Fixed(4)),
        _ => |t| score(t, Unit::Magnitude),
    };
    columns.push(column("score", 8, 0, score));
    columns.push(column("share", 7, 1, |t| phrase![(t.share, Unit::Share)]));
    columns
}

/// A move's score, or why it has none.
fn score(term: &ChildTerm, unit: Unit) -> Phrase {
    match term.state {
        State::Open => phrase![(term.score, unit)],
        State::Settled => phrase!["settled"],
        State::Closed => phrase!["closed"],
        State::Out => phrase!["out"],
    }
}

/// The score in the field's signs.
fn formula(choice: &Choice) -> Phrase {
    let c = (choice.allocation.exploration, Unit::Magnitude);
    let sum = (choice.visits, Unit::Count);
    match choice.allocation.by {
        By::Puct if choice.allocation.adjust => phrase![
            "score = π + ",
            c,
            " A √Σv / (1 + v), Σv = ",
            sum,
            ", A = 1/√rank by first value",
        ],
        By::Puct if choice.allocation.by_spread => phrase![
            "score = π + ",
            c,
            " × ",
            (choice.scale, Unit::Magnitude),
            " √Σv / (1 + v), Σv = ",
            sum,
            ", c times the belief's spread",
        ],
        By::Puct => phrase!["score = π + ", c, " √Σv / (1 + v), Σv = ", sum],
        By::Ucb => phrase!["score = π + ", c, " √(ln Σv / (v + 1)), Σv = ", sum],
        By::Vpi | By::Alternate if choice.by_value => {
            phrase!["score = value of information × urgency"]
        }
        By::Computation if choice.by_gain => {
            phrase!["score = gain / price of the leaf below that is worth most"]
        }
        By::Uniform => phrase!["score = 1 / (1 + v)"],
        By::Formula => {
            let own = choice.allocation.own.as_ref();
            let formula = own.map_or_else(String::new, |own| own.to_string());
            phrase![format!("score = {formula}, N = "), sum]
        }
        By::Vpi | By::Alternate | By::Computation | By::Criticality => {
            phrase!["score = π × urgency, the most critical leaf below"]
        }
    }
}

/// The choice in words.
fn reason(choice: &Choice) -> Phrase {
    let nothing = || phrase!["Nothing below this node can be searched."];
    let Some(term) = choice.chosen.map(|place| &choice.terms[place]) else {
        return nothing();
    };
    let name = term.child;
    let score = (term.score, Unit::Magnitude);
    let policy = (term.policy, Unit::Magnitude);
    match choice.reason {
        Reason::Nothing => nothing(),
        Reason::OnlyOpen => phrase![name, ": nothing else is open."],
        Reason::LeastVisited => phrase![
            name,
            ": no belief is at stake any more; it was visited least, and proofs may be found.",
        ],
        Reason::Highest if choice.by_budget => phrase![
            name,
            " gets the largest part of a budget, ",
            (term.share, Unit::Share),
            ".",
        ],
        Reason::Highest => match term.bonus {
            Some(bonus) => phrase![
                name,
                ": ",
                policy,
                " + ",
                (bonus, Unit::Magnitude),
                " = ",
                score,
                " is the highest score.",
            ],
            None if choice.by_value => phrase![
                name,
                ": ",
                (term.value.unwrap_or(0.0), Unit::Magnitude),
                " × ",
                (term.urgency, Unit::Magnitude),
                " = ",
                score,
                " is the highest score.",
            ],
            None if choice.by_gain => phrase![
                name,
                ": looking at a leaf below it gains ",
                score,
                " a node, the most of all.",
            ],
            None if choice.allocation.by == By::Uniform => {
                phrase![name, ": it was visited least."]
            }
            None if choice.allocation.by == By::Formula => {
                let score = (term.score, Unit::Fixed(4));
                phrase![name, ": ", score, " is the highest score."]
            }
            None => phrase![
                name,
                ": ",
                policy,
                " × ",
                (term.urgency, Unit::Magnitude),
                " = ",
                score,
                " is the highest score.",
            ],
        },
    }
}
