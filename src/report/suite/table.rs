//! The results as text.

use std::fmt::Write as _;

use super::Results;
use crate::compare::budget;
use crate::number;
use crate::sheet::{Cell, Table, count, letter, percent};
use crate::text::{Style, wrap};
use game::Scale;
use studies::suite::statistics::Interval;
use studies::suite::{Answers, Outcome, Pair, Tally, pairs, tally};

/// The length to which a column's name is cut if the width is limited.
const NAME: usize = 24;

/// Returns everything: the figures of each column, of each pair, and what was not tried; in lines of `width` columns if
/// that is limited.
pub fn text(results: &Results, style: Style, width: Option<usize>) -> String {
    let mut out = head(results, style, width);
    out.push('\n');
    out.push_str(&table(results, style, width));
    let pairs = pairs(results.answers, results.columns.len());
    for pair in &pairs {
        out.push('\n');
        out.push_str(&paired(results, pair, style, width));
    }
    if !results.untried.is_empty() {
        let n = results.untried.len();
        let _ = writeln!(out, "\nnot tried (no bm, am, dm, points in c0): {n}");
        let titles = results.untried.iter().map(|t| style.apply(t.clone()));
        out.push_str(&wrap(&titles.collect::<Vec<_>>(), ",", 2, width));
    }
    style.apply(out)
}

fn head(results: &Results, style: Style, width: Option<usize>) -> String {
    let threads = match results.threads {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    };
    let mut out = format!(
        "{} · {} positions · {} each · {threads} · seed {}\n",
        style.cut(results.suite, width.unwrap_or(usize::MAX).min(80) / 3),
        results.wanted,
        budget(results.budget),
        results.seed,
    );
    if !results.is_whole() {
        let _ = writeln!(
            out,
            "INTERRUPTED: {} of {} positions; the figures are of these",
            results.answers.len(),
            results.wanted
        );
    }
    out
}

fn table(results: &Results, style: Style, width: Option<usize>) -> String {
    let names = results.columns.iter().enumerate();
    let tally = |(i, name): (usize, &String)| {
        let name = style.cut(name, width.map_or(usize::MAX, |_| NAME));
        (letter(i), name, tally(results.answers, i))
    };
    let rows: Vec<(char, String, Tally)> = names.map(tally).collect();
    let table = Table::of(&rows)
        .column("", |row| row.0)
        .column("column", |row| &row.1)
        .column("solved", |(.., t)| {
            (t.tried > 0).then(|| Cell::number(format!("{}/{}", t.solved, t.tried)))
        })
        .column("", |(.., t)| {
            (t.tried > 0).then(|| percent(t.solved as f64 / t.tried as f64))
        })
        .column("95 %", |(.., t)| {
            let percents = |(low, high)| format!("{:.1}–{:.1} %", low * 100.0, high * 100.0);
            t.interval.map(percents).map(Cell::number)
        })
        .column("points", |(.., t)| {
            (t.possible > 0).then(|| Cell::number(format!("{}/{}", t.points, t.possible)))
        })
        .column("95 %", |(.., t)| {
            let interval = t.points_interval;
            interval.map(|(low, high)| Cell::number(format!("{low:.0}–{high:.0}")))
        })
        .column("to it*", |(.., t)| t.kept_nodes.map(|n| count(n as u64)))
        .column("CPU*", |(.., t)| {
            t.kept_cpu_ms.map(number::time).map(Cell::number)
        })
        .column("CPU", |(.., t)| Cell::number(number::time(t.cpu_ms)))
        .column("trouble", |(.., t)| Some(t.troubles).filter(|n| *n > 0));
    let mut out = Table::from(table).text(style);
    if rows.iter().any(|(.., tally)| tally.kept_nodes.is_some()) {
        out.push_str(
            "* nodes and CPU time to the solution that was kept, median over what was solved\n",
        );
    }
    out
}

fn paired(results: &Results, pair: &Pair, style: Style, width: Option<usize>) -> String {
    let (a, b) = (letter(pair.a), letter(pair.b));
    let mut out = format!("{a} and {b}:");
    let judged = pair.both + pair.neither + pair.only_a.len() + pair.only_b.len();
    if judged > 0 {
        let _ = write!(
            out,
            " both {}, neither {}, only {a} {}, only {b} {} (p = {})",
            pair.both,
            pair.neither,
            pair.only_a.len(),
            pair.only_b.len(),
            number::small(pair.p as f32),
        );
    }
    out.push('\n');
    for (name, only) in [(a, &pair.only_a), (b, &pair.only_b)] {
        if !only.is_empty() {
            let titles: Vec<String> = only
                .iter()
                .map(|i| style.apply(results.answers[*i].title.clone()))
                .collect();
            let _ = writeln!(out, "  only {name}:");
            out.push_str(&wrap(&titles, ",", 4, width));
        }
    }
    if let Some((mean, interval)) = pair.points {
        let _ = writeln!(
            out,
            "  points of {a} less those of {b}, a position: {}{}",
            number::minus(&format!("{mean:+.2}")),
            interval.map_or_else(String::new, between),
        );
    }
    out
}

fn between((low, high): Interval) -> String {
    let text = number::minus(&format!("{low:+.2} to {high:+.2}"));
    format!(" (95 %: {text})")
}

/// Returns one position as a line: what each column chose, and whether that solves it.
pub fn position(answers: &Answers, style: Style) -> String {
    let mut out = answers.title.clone();
    for (i, outcome) in answers.columns.iter().enumerate() {
        let _ = write!(out, "  {} {}", letter(i), verdict(outcome));
    }
    style.apply(out)
}

fn verdict(outcome: &Outcome) -> String {
    if outcome.trouble.is_some() {
        return "trouble".into();
    }
    let mut words = Vec::new();
    words.push(outcome.best.as_ref().map_or("–", |b| &b.san).to_owned());
    if let Some(score) = outcome.score() {
        words.push(number::score(Scale::Logistic, score));
    }
    match (outcome.solved, outcome.kept) {
        (Some(true), Some(kept)) => {
            words.push(format!("solved at {}", number::count(kept.nodes)));
        }
        (Some(true), None) => words.push("solved".into()),
        (Some(false), _) => words.push("not solved".into()),
        (None, _) => {}
    }
    if let Some(points) = outcome.points {
        words.push(format!("{points} points"));
    }
    words.join(" ")
}
