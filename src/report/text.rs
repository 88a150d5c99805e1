//! The result of a search as text: a head, the best line, and a table of the moves.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::sheet::{Cell, Table, count, fixed, percent};
use super::{number, rules, why};
use belief::{BINS, Density};
use game::Scale;
use search::StopReason;
use session::{Config, MoveName, MoveSummary, NodeBelief, NodeValue, Source, Summary};
use tree::Fate;

/// How a report is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Use no characters outside ASCII.
    pub ascii: bool,
}

impl Style {
    /// Returns the text as this style shows it.
    pub fn apply(self, text: String) -> String {
        if self.ascii {
            number::ascii(&text)
        } else {
            text
        }
    }

    /// Returns the text as this style shows it, or as much of it as fits into `width` columns with a mark that it
    /// continues.
    pub fn cut(self, text: &str, width: usize) -> String {
        let text = self.apply(text.to_owned());
        if text.width() <= width {
            return text;
        }
        let mark = self.apply("…".to_owned());
        let mut shown = String::new();
        for c in text.chars() {
            if shown.width() + c.width().unwrap_or(0) + mark.width() > width {
                break;
            }
            shown.push(c);
        }
        shown + &mark
    }
}

/// Returns the whole report, with a line break at its end.
pub fn search(summary: &Summary, config: &Config, scale: Scale, style: Style) -> String {
    let mut out = head(summary, config);
    match &summary.best {
        Some(best) => {
            let _ = writeln!(
                out,
                "best  {}  {}{}",
                best.san,
                verdict(&summary.score, scale),
                match summary.backed_up {
                    // The spread belongs to a different mean.
                    Some(_) => String::new(),
                    None => spread(summary.belief.as_ref()),
                }
            );
            out.push_str(&beliefs(summary));
            let _ = writeln!(out, "line  {}", line(&summary.pv, 24));
        }
        None if matches!(summary.fate, Fate::Ended(_)) => {
            let _ = writeln!(out, "the game is over: {}", ended(summary.fate));
        }
        None => out.push_str("no move found yet\n"),
    }
    if !summary.moves.is_empty() {
        out.push('\n');
        out.push_str(&table(summary, scale, style));
    }
    if let Some(rows) = &summary.status.audit {
        out.push_str(
            "\naudit: one in so many of the pruned, searched all the same outside the score\n",
        );
        out.push_str(&rules::audit_table(rows, scale, style));
    }
    style.apply(out)
}

fn ended(fate: Fate) -> String {
    match fate {
        Fate::Ended(ending) => why::ending_words(ending).to_owned(),
        _ => String::new(),
    }
}

/// Returns the algorithm, the work, the time, and why the search ended.
fn head(summary: &Summary, config: &Config) -> String {
    let status = &summary.status;
    let mut out = String::new();
    let _ = write!(out, "{}", config.algorithm.name());
    if status.totals.depth > 0 {
        let _ = write!(
            out,
            " · depth {}/{}",
            status.totals.depth, status.totals.selective_depth
        );
    }
    let _ = write!(
        out,
        " · {} nodes in {:.2} s ({}/s) · {} thread{} · {} MB",
        number::count(status.totals.nodes),
        status.elapsed.as_secs_f64(),
        number::count(status.nodes_per_second() as u64),
        config.threads,
        if config.threads == 1 { "" } else { "s" },
        status.tree_bytes >> 20,
    );
    if let Some(reason) = summary.stopped_by() {
        let _ = match &summary.decision {
            Some(why) => write!(out, " · ended early: {why}"),
            None if reason == StopReason::Exhausted => write!(out, " · nothing left to search"),
            None if reason == StopReason::Settled => write!(out, " · ended because it is settled"),
            None => write!(out, " · ended by {}", format!("{reason:?}").to_lowercase()),
        };
    }
    out.push('\n');
    out
}

/// Formats a value in the displayed unit; empty if there is none.
pub fn value(v: &NodeValue, scale: Scale) -> String {
    if let Some(units) = v.toy_units(scale) {
        return number::units(scale, units);
    }
    v.score
        .map_or_else(String::new, |score| number::score(scale, score))
}

/// Formats a value with its bound, and its expected score: `≤ +0.12 (e +0.03)`.
pub fn verdict(v: &NodeValue, scale: Scale) -> String {
    let sign = v.sign();
    let space = if sign.is_empty() { "" } else { " " };
    match (v.score, v.expected) {
        (Some(score), _) if score.is_decided() => {
            format!("{sign}{space}{}", number::score(scale, score))
        }
        (Some(_), Some(e)) => {
            let (value, e) = (value(v, scale), number::expected(e));
            format!("{sign}{space}{value} (e {e})")
        }
        _ => "–".into(),
    }
}

/// Describes the beliefs of a root whose mean is not that of the best move. Empty for other roots.
fn beliefs(summary: &Summary) -> String {
    let Some(own) = &summary.backed_up else {
        return String::new();
    };
    let mut out = String::from("belief  ");
    let moments = |b: &NodeBelief| format!("e {} ±{:.2}", number::expected(b.mean), b.sd);
    if let Some(told) = summary
        .belief
        .as_ref()
        .filter(|b| b.source == Source::Calibrated)
    {
        let _ = write!(
            out,
            "{} fitted to how far searches are off · ",
            moments(told)
        );
    }
    let _ = writeln!(out, "{} backed up from all moves", moments(own));
    out
}

fn spread(belief: Option<&NodeBelief>) -> String {
    match belief.filter(|b| b.is_distribution()) {
        Some(b) => format!("  ±{:.2}", b.sd),
        None => String::new(),
    }
}

/// Returns at most `most` moves in a row.
pub fn line(moves: &[MoveName], most: usize) -> String {
    let mut words: Vec<&str> = moves.iter().take(most).map(|m| m.san.as_str()).collect();
    if moves.len() > most {
        words.push("…");
    }
    words.join(" ")
}

/// Returns the table of all moves; columns that no move fills are left out.
fn table(summary: &Summary, scale: Scale, style: Style) -> String {
    let belief = |m: &MoveSummary| m.row.belief.clone().filter(|b| b.is_distribution());
    let table = Table::of(&summary.moves)
        .column("move", |m| &m.row.label)
        .column("score", |m| {
            Cell::number(format!("{}{}", m.score.sign(), value(&m.score, scale)))
        })
        .column("e", |m| {
            m.score.expected.map(number::expected).map(Cell::number)
        })
        .column("±", |m| belief(m).map(|b| fixed(b.sd.into(), 2)))
        .column("belief", |m| {
            belief(m).map(|b| strip(&b.density, 14, style))
        })
        .column("share", |m| {
            m.row.view.policy.map(|policy| percent(policy.into()))
        })
        .column("visits", |m| {
            m.row.view.policy.map(|_| count(m.row.view.visits.into()))
        })
        .column("nodes", |m| count(m.row.view.nodes))
        .column("fate", |m| m.row.view.fate.letter())
        .column("", |m| why::brief(&m.row.view, scale))
        .column("line", |m| line(m.pv.get(1..).unwrap_or_default(), 8));
    Table::from(table).text(style)
}

/// Arranges words with spaces between them in lines of at most `width` columns, each beginning with `indent` spaces;
/// `mark` follows every word except the last.
pub fn wrap<W: AsRef<str>>(words: &[W], mark: &str, indent: usize, width: Option<usize>) -> String {
    let most = width.unwrap_or(usize::MAX);
    let mut out = String::new();
    let mut line = " ".repeat(indent);
    for (i, word) in words.iter().map(W::as_ref).enumerate() {
        let mark = if i + 1 < words.len() { mark } else { "" };
        let begun = line.width() > indent;
        if begun && line.width() + 1 + word.width() + mark.width() > most {
            out.push_str(&line);
            out.push('\n');
            line = " ".repeat(indent);
        } else if begun {
            line.push(' ');
        }
        line.push_str(word);
        line.push_str(mark);
    }
    out.push_str(&line);
    out.push('\n');
    out
}

/// Draws a distribution in one line of block characters, with losses on the left. Each column's height is its share of
/// the fullest one.
pub fn strip(density: &Density, columns: usize, style: Style) -> String {
    const BLOCKS: [char; 9] = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const PLAIN: [char; 9] = ['.', '_', ',', '-', '=', '+', 'o', 'O', '#'];
    let marks = if style.ascii { PLAIN } else { BLOCKS };
    let mut mass = vec![0.0f32; columns];
    for (bin, p) in density.0[..BINS].iter().enumerate() {
        mass[bin * columns / BINS] += p;
    }
    let most = mass.iter().copied().fold(0.0, f32::max);
    mass.iter()
        .map(|m| {
            let height = if most > 0.0 { m / most * 8.0 } else { 0.0 };
            // Any visible mass gets at least the lowest block.
            let step = if *m > 1e-4 {
                (height.round() as usize).max(1)
            } else {
                0
            };
            marks[step.min(8)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_wide_is_cut_and_wrapped() {
        let (rich, plain) = (Style::default(), Style { ascii: true });
        assert_eq!(rich.cut("distress", 8), "distress");
        assert_eq!(rich.cut("distress", 5), "dist…");
        assert_eq!(plain.cut("distress", 5), "di...");
        assert_eq!(plain.cut("±1 − 2", 6), "+-1...");
        let words = ["one", "two", "three"].map(String::from);
        assert_eq!(wrap(&words, ",", 2, Some(11)), "  one, two,\n  three\n");
        assert_eq!(wrap(&words, ",", 2, None), "  one, two, three\n");
        assert_eq!(wrap(&words, ",", 0, Some(1)), "one,\ntwo,\nthree\n");
    }

    #[test]
    fn a_strip_shows_where_the_mass_is() {
        let strip_of = |d: &Density| strip(d, 7, Style::default());
        assert_eq!(strip_of(&Density::atom(0)), "█······");
        assert_eq!(strip_of(&Density::atom(BINS - 1)), "······█");
        assert_eq!(strip_of(&Density::uniform()), "███████");
        assert!(strip(&Density::uniform(), 7, Style { ascii: true }).is_ascii());
    }

    #[test]
    fn plain_style_is_ascii() {
        let text = Style { ascii: true }.apply("−1 ±.2 · ≥ ≤ ∞ … –".into());
        assert!(text.is_ascii(), "{text}");
    }
}
