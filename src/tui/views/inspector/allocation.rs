//! Where the next visit that comes to a DISTRESS node goes, and why: the allocation's terms as rows of numbers.

use super::content::Content;
use super::{LISTED, Line};
use crate::search::best_first::distress::{By, Choice, Reason, State, Term};
use crate::tui::text;
use crate::tui::theme::Role;

/// A column of the table.
struct Column {
    name: &'static str,
    width: usize,
    value: fn(&Term) -> String,
    /// Columns go in this order where there is no room: the highest first.
    goes: u8,
}

const NAME: usize = 9;

fn columns(choice: &Choice) -> Vec<Column> {
    let column = |name, width, goes, value| Column {
        name,
        width,
        value,
        goes,
    };
    let mut columns = vec![
        column("policy", 7, 2, |t| text::percent(t.policy)),
        column("visits", 8, 4, |t| text::count(u64::from(t.visits))),
    ];
    if choice.allocation.adjust {
        columns.push(column("A", 5, 5, |t| {
            t.adjustment.map_or(String::new(), small)
        }));
    }
    if choice.terms.iter().any(|t| t.bonus.is_some()) {
        columns.push(column("few", 7, 3, |t| {
            t.bonus.map_or(String::new(), |b| format!("+{}", small(b)))
        }));
    } else if choice.by_value {
        columns.push(column("worth", 8, 3, |t| {
            t.value.map_or(String::new(), small)
        }));
    } else {
        columns.push(column("urgency", 9, 3, |t| small(t.urgency)));
    }
    columns.push(column("score", 8, 0, |t| match t.state {
        State::Open => small(t.score),
        State::Settled => "settled".to_owned(),
        State::Closed => "closed".to_owned(),
        State::Out => "out".to_owned(),
    }));
    columns.push(column("share", 7, 1, |t| text::percent(t.share)));
    columns
}

/// A heading, the formula, a line a move, and the choice in words.
pub(super) fn lines(content: &Content, room: usize) -> Vec<Line> {
    let Some((choice, names)) = &content.choice else {
        return Vec::new();
    };
    let mut columns = columns(choice);
    while columns.iter().map(|c| c.width).sum::<usize>() + NAME > room && columns.len() > 1 {
        let goes = columns.iter().map(|c| c.goes).max();
        columns.retain(|c| Some(c.goes) != goes);
    }
    let heading = if choice.by_budget {
        "where the next budgets go"
    } else {
        "where the next visit goes"
    };
    let mut lines = vec![vec![(heading.to_owned(), Role::Heading)]];
    let wrapped = |words: &str, role| {
        let lines = text::wrap(words, room).into_iter();
        lines.map(move |l| vec![(l, role)])
    };
    lines.extend(wrapped(&formula(choice), Role::Dim));
    let head = columns
        .iter()
        .map(|c| format!("{:>w$}", c.name, w = c.width));
    lines.push(vec![(
        format!("{:NAME$}{}", "", head.collect::<String>()),
        Role::Dim,
    )]);
    let mut order: Vec<usize> = (0..choice.terms.len()).collect();
    let open = |i: usize| choice.terms[i].state == State::Open;
    order.sort_by(|&a, &b| {
        let scores = choice.terms[b].score.total_cmp(&choice.terms[a].score);
        open(b).cmp(&open(a)).then(scores)
    });
    for &place in order.iter().take(LISTED) {
        let term = &choice.terms[place];
        let chosen = choice.chosen == Some(place);
        let role = if chosen { Role::Title } else { Role::Text };
        let cells = columns
            .iter()
            .map(|c| format!("{:>w$}", (c.value)(term), w = c.width));
        lines.push(vec![
            (format!("{:<NAME$}", names[place]), Role::Move),
            (cells.collect(), if open(place) { role } else { Role::Dim }),
        ]);
    }
    lines.extend(wrapped(&sentence(choice, names), Role::Text));
    lines
}

/// The score in the field's signs.
fn formula(choice: &Choice) -> String {
    let c = small(choice.allocation.exploration);
    let sum = format!("Σv = {}", text::count(u64::from(choice.visits)));
    match choice.allocation.by {
        By::Puct if choice.allocation.adjust => {
            format!("score = π + {c} A √Σv / (1 + v), {sum}, A = 1/√rank by first value")
        }
        By::Puct if choice.allocation.by_spread => format!(
            "score = π + {c} × {} √Σv / (1 + v), {sum}, c times the belief's spread",
            small(choice.scale)
        ),
        By::Puct => format!("score = π + {c} √Σv / (1 + v), {sum}"),
        By::Ucb => format!("score = π + {c} √(ln Σv / (v + 1)), {sum}"),
        By::Vpi if choice.by_value => {
            "score = what knowing the move's value would be worth, in expected score".to_owned()
        }
        By::Vpi | By::Criticality => "score = π × urgency, the most critical leaf below".to_owned(),
    }
}

/// The choice in words.
fn sentence(choice: &Choice, names: &[String]) -> String {
    let chosen = choice
        .chosen
        .map(|place| (&names[place], &choice.terms[place]));
    let Some((name, term)) = chosen else {
        return "Nothing below this node can be searched.".to_owned();
    };
    match choice.reason {
        Reason::Nothing => "Nothing below this node can be searched.".to_owned(),
        Reason::OnlyOpen => format!("{name}: nothing else is open."),
        Reason::LeastVisited => format!(
            "{name}: no belief is at stake any more; it was visited least, and proofs may be found."
        ),
        Reason::Highest if choice.by_budget => format!(
            "{name} gets the largest part of a budget, {}.",
            text::percent(term.share)
        ),
        Reason::Highest => {
            let score = small(term.score);
            match term.bonus {
                Some(bonus) => format!(
                    "{name}: {} + {} = {score} is the highest score.",
                    small(term.policy),
                    small(bonus)
                ),
                None if choice.by_value => {
                    format!("{name}: {score} is the most that knowing a move is worth.")
                }
                None => format!(
                    "{name}: {} × {} = {score} is the highest score.",
                    small(term.policy),
                    small(term.urgency)
                ),
            }
        }
    }
}

/// A number from 0 up: `183`, `12.5`, `1.50`, `.63`, `3.1e-6`.
fn small(x: f32) -> String {
    if x >= 99.95 {
        format!("{x:.0}")
    } else if x >= 9.995 {
        format!("{x:.1}")
    } else if x >= 0.0095 || x == 0.0 {
        let text = format!("{x:.2}");
        text.strip_prefix('0').map_or(text.clone(), str::to_owned)
    } else {
        format!("{x:.1e}")
    }
}
