//! The result of a search as text: a head, the best line, and a table of the moves.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::axis::{self, Reach};
use super::lens::{Lens, Scores, Seen};
use super::sheet::{Cell, Table, count, percent};
use super::{number, rules, why};
use belief::{BINS, Density};
use search::StopReason;
use session::{Config, MoveName, MoveSummary, NodeBelief, Policy, Reader, Source, Summary};
use tree::{Fate, Tree};

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

/// Returns the whole report, with a line break at its end; the summary is the reader's.
pub fn search(
    summary: &Summary,
    config: &Config,
    reader: &Reader,
    lens: Lens,
    style: Style,
) -> String {
    let mut out = head(summary, config);
    let _ = writeln!(out, "values: {}", lens.words_at(reader));
    let (scale, root) = (reader.scale(), lens.at(reader, Tree::ROOT));
    match &summary.best {
        Some(best) => {
            let _ = writeln!(
                out,
                "best  {}  {}{}",
                best.san,
                best_value(summary, &root),
                root.spread_of(reader.belief_about_best().as_ref())
            );
            out.push_str(&beliefs(summary, &root));
            let _ = writeln!(out, "line  {}", line(&summary.pv, 24));
        }
        None => {
            let said = match summary.fate {
                Fate::Ended(ending) => {
                    format!("the game is over: {}", why::ended_at_root(reader, ending))
                }
                _ => "no move found yet".to_owned(),
            };
            let _ = writeln!(out, "{said}");
        }
    }
    if !summary.moves.is_empty() {
        out.push('\n');
        out.push_str(&table(summary, reader, lens, style));
    }
    if let Some(undefined) = rules::undefined(&summary.status.totals) {
        let _ = writeln!(out, "\n{undefined}");
    }
    if let Some(rows) = &summary.status.audit {
        out.push_str("\naudit: some of what was pruned, searched anyway, outside the score\n");
        out.push_str(&rules::audit_table(rows, scale, style));
    }
    style.apply(out)
}

/// Returns the algorithm, the work, the time, and why the search ended.
fn head(summary: &Summary, config: &Config) -> String {
    let status = &summary.status;
    let mut out = String::new();
    let _ = write!(out, "{}", config.name());
    if status.totals.depth > 0 {
        let _ = write!(
            out,
            " · depth {}/{}",
            status.totals.depth, status.totals.selective_depth
        );
    }
    let nodes = number::counted(status.totals.nodes, "node");
    let seconds = status.elapsed.as_secs_f64();
    // How fast another program's trace was read is not how fast it searched.
    let _ = match config.algorithm.is_told() {
        true => write!(out, " · {nodes}, read in {seconds:.2} s"),
        false => write!(
            out,
            " · {nodes} in {seconds:.2} s ({}/s) · {}",
            number::count(status.nodes_per_second() as u64),
            number::counted(config.threads as u64, "thread"),
        ),
    };
    let _ = write!(out, " · {} MB", status.tree_bytes >> 20);
    if let Some(unfinished) = summary.unfinished {
        let _ = write!(out, " · {unfinished}");
    }
    if let Some(reason) = summary.stopped_by() {
        let _ = match &summary.decision {
            Some(why) => write!(out, " · ended early: {why}"),
            None if reason == StopReason::Told => write!(out, " · read to its end"),
            None if reason == StopReason::Exhausted => write!(out, " · nothing left to search"),
            None if reason == StopReason::Settled => write!(out, " · ended because it is settled"),
            None => write!(out, " · ended by {}", format!("{reason:?}").to_lowercase()),
        };
    }
    out.push('\n');
    out
}

/// Writes the value of the best move, with the sign of a bound; `–` where nothing is known.
pub fn best_value(summary: &Summary, root: &Scores) -> String {
    let belief = summary.belief.as_ref().filter(|b| b.is_distribution());
    match root.value(&summary.score, belief) {
        text if text.is_empty() => "–".to_owned(),
        text => text,
    }
}

/// Describes the beliefs about the root that are not that about its best move. Empty where there are none.
fn beliefs(summary: &Summary, root: &Scores) -> String {
    let moments = |b: &NodeBelief| {
        let told = b.source == Source::Outcomes;
        root.outcome(b.mean, b.sd, told) + &root.spread_of(Some(b))
    };
    let fitted = summary.belief.as_ref();
    let fitted = fitted.filter(|b| b.source == Source::Calibrated);
    let fitted = fitted.map(|b| format!("{} fitted to how far searches are off", moments(b)));
    let own = summary.backed_up.as_ref();
    let own = own.map(|b| format!("{} backed up from all moves", moments(b)));
    let all: Vec<String> = fitted.into_iter().chain(own).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("belief  {}\n", all.join(" · ")),
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
fn table(summary: &Summary, reader: &Reader, lens: Lens, style: Style) -> String {
    // The visits have a column with that heading.
    let part = match reader.policy() {
        Some(Policy::Visits) => "visits %",
        policy => policy.map_or("", Policy::word),
    };
    let rows: Vec<(&MoveSummary, Seen)> = summary
        .moves
        .iter()
        .map(|m| (m, lens.row(reader, &m.row.view, m.row.belief.as_ref())))
        .collect();
    let heading = lens.heading(reader.scale());
    let rules = axis::rules(reader, Tree::ROOT, lens);
    let axis = (axis::span(reader, Tree::ROOT, Reach::Leaders, lens), &rules);
    let grid = reader.tree.grid();
    let shown = lens.at(reader, Tree::ROOT).as_shown();
    let write = |value: f32| shown.mean(value);
    let table = Table::of(&rows)
        .column("move", |(m, _)| &m.row.label)
        .column(heading, |(m, seen)| {
            Cell::number(seen.scores.value(&m.score, m.row.belief.as_ref()))
        })
        .column("±", |(_, seen)| {
            let spread = seen.spread();
            let spread = spread.strip_prefix(" ±").map(str::to_owned);
            spread.map(Cell::number)
        })
        .column(axis::head(axis, write, AXIS, style), |(_, seen)| {
            axis::line(&seen.plotted(), axis, grid, AXIS, style)
        })
        .column(part, |(m, _)| {
            m.row.view.policy.map(|policy| percent(policy.into()))
        })
        .column("visits", |(m, _)| {
            { reader.is_best_first() }.then(|| count(m.row.view.visits.into()))
        })
        .column("nodes", |(m, _)| count(m.row.view.nodes))
        .column("fate", |(m, _)| m.row.view.fate.letter())
        .column("", |(_, seen)| seen.brief())
        .column("line", |(m, _)| line(m.pv.get(1..).unwrap_or_default(), 8));
    Table::from(table).text(style)
}

/// The width of the value axis.
pub const AXIS: usize = 32;

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
