//! A mark in a line of text.

use super::{Plotted, Rules};
use crate::text::Style;
use belief::Grid;
use chart::value::{How, Sign, Span, Style as Marks};

/// Draws a mark in so many columns, with the rules of its siblings behind it.
pub fn line(
    plotted: &Plotted,
    (span, rules): (Span, &Rules),
    grid: &Grid,
    columns: usize,
    style: Style,
) -> String {
    let mut cells = vec![' '; columns];
    let (best, window) = match style.ascii {
        false => ('│', '┊'),
        true => ('|', ':'),
    };
    for (value, sign) in [
        (rules.alpha, window),
        (rules.beta, window),
        (rules.best, best),
    ] {
        if let Some(at) = value.and_then(|value| span.column(value, columns)) {
            cells[at] = sign;
        }
    }
    let how = How {
        style: Marks::Chance,
        from: plotted.from,
        levels: 8,
    };
    plotted.mark.draw(span, columns, how, grid, |at, sign| {
        cells[at] = drawn(sign, style);
    });
    cells.into_iter().collect()
}

/// Returns what stands in a cell.
fn drawn(sign: Sign, style: Style) -> char {
    const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const PLAIN: [char; 9] = [' ', '_', ',', '-', '=', '+', 'x', 'X', '#'];
    let (rich, plain) = match sign {
        Sign::Level(level) => {
            let level = usize::from(level.min(8));
            (BARS[level], PLAIN[level])
        }
        Sign::Point => ('●', 'o'),
        Sign::FaintPoint => ('○', '.'),
        Sign::Line => ('─', '-'),
        Sign::Heavy => ('━', '='),
        Sign::Dashes => ('╌', '.'),
        Sign::Closes => ('┤', ']'),
        Sign::Opens => ('├', '['),
        Sign::Hatch => ('▒', ':'),
        Sign::Static => ('s', 's'),
        Sign::Carried => ('╋', '+'),
        Sign::Gap => ('·', '.'),
        Sign::Bound => ('┊', ':'),
        Sign::Below => ('◂', '<'),
        Sign::Above => ('▸', '>'),
    };
    if style.ascii { plain } else { rich }
}

/// Returns the ends of the axis and the value of the best move in so many columns: `−1.28 ──── ★ +0.39 ── +0.80`.
pub fn head(
    (span, rules): (Span, &Rules),
    write: impl Fn(f32) -> String,
    columns: usize,
    style: Style,
) -> String {
    let (low, high) = (write(span.low), write(span.high));
    let (dash, star) = match style.ascii {
        false => ('─', '★'),
        true => ('-', '*'),
    };
    let room = columns.saturating_sub(low.chars().count() + high.chars().count() + 2);
    let mut between = vec![dash; room];
    let begin = low.chars().count() + 1;
    let at = rules.best.and_then(|value| span.column(value, columns));
    if let Some(place) = at
        .and_then(|at| at.checked_sub(begin))
        .filter(|at| *at < room)
    {
        between[place] = star;
    }
    let between: String = between.into_iter().collect();
    format!("{low} {between} {high}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use chart::value::{From, Mark};

    #[test]
    fn a_line_has_the_mark_before_the_rules() {
        let rules = Rules {
            best: Some(0.5),
            alpha: Some(-0.5),
            beta: None,
        };
        let draw = |mark, ascii| {
            let plotted = Plotted {
                mark,
                from: From::Low,
            };
            line(
                &plotted,
                (Span::WHOLE, &rules),
                &Grid::sinh(),
                20,
                Style { ascii },
            )
        };
        assert_eq!(draw(Mark::Exact(0.0), false), "     ┊    ●    │    ");
        assert_eq!(draw(Mark::AtMost(0.0), false), "╌╌╌╌╌╌╌╌╌╌┤    │    ");
        assert!(draw(Mark::AtMost(0.0), true).is_ascii());
        let named = head(
            (Span::WHOLE, &rules),
            |x| format!("{x:+.0}"),
            20,
            Style::default(),
        );
        assert_eq!(named, "-1 ────────────★─ +1");
    }
}
