//! The results as text.

use std::fmt::Write as _;

use super::Results;
use crate::compare::{budget, letter};
use crate::number;
use crate::text::{Style, align, wrap};
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
    let mut rows = vec![
        [
            "", "column", "solved", "", "95 %", "points", "95 %", "to it*", "CPU*", "CPU",
            "trouble",
        ]
        .map(String::from),
    ];
    let mut any_kept = false;
    for (i, name) in results.columns.iter().enumerate() {
        let tally = tally(results.answers, i);
        any_kept |= tally.kept_nodes.is_some();
        let name = style.cut(name, width.map_or(usize::MAX, |_| NAME));
        rows.push(style.cells(row(letter(i), name, &tally)));
    }
    let mut out = align(&rows, &[2, 3, 4, 5, 6, 7, 8, 9, 10]);
    if any_kept {
        out.push_str(
            "* nodes and CPU time to the solution that was kept, median over what was solved\n",
        );
    }
    out
}

fn row(letter: char, name: String, t: &Tally) -> [String; 11] {
    let share = t.solved as f32 / t.tried.max(1) as f32;
    let tried = |text: String| if t.tried > 0 { text } else { String::new() };
    let points = |text: String| if t.possible > 0 { text } else { String::new() };
    [
        letter.to_string(),
        name,
        tried(format!("{}/{}", t.solved, t.tried)),
        tried(number::percent(share)),
        t.interval.map_or_else(String::new, |(low, high)| {
            format!("{:.1}–{:.1} %", low * 100.0, high * 100.0)
        }),
        points(format!("{}/{}", t.points, t.possible)),
        t.points_interval
            .map_or_else(String::new, |(low, high)| format!("{low:.0}–{high:.0}")),
        t.kept_nodes
            .map_or_else(String::new, |n| number::count(n as u64)),
        t.kept_cpu_ms.map_or_else(String::new, number::time),
        number::time(t.cpu_ms),
        if t.troubles > 0 {
            t.troubles.to_string()
        } else {
            String::new()
        },
    ]
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
