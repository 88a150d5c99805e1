//! Formats numbers for display.

use game::{Scale, Score};
use search::explanation::Unit;

/// Formats a score with its sign (`+0.42`, `−1.3`, `#3`) and a true minus sign; the end of an open window is infinite. A score that
/// stands for a large value only nearly has a tilde before it.
pub fn score(scale: Scale, score: Score) -> String {
    if score >= Score::MAX {
        return "+∞".to_owned();
    }
    if score <= Score::MIN {
        return "−∞".to_owned();
    }
    let text = minus(&scale.format(score));
    match scale {
        Scale::Linear(axis) if axis.is_rounded(score) && !score.is_decided() => format!("~{text}"),
        _ => text,
    }
}

/// Formats an amount in the scale's unit without a plus sign (`1.42`).
pub fn amount(scale: Scale, units: i32) -> String {
    let text = scale.format(Score::new(units));
    minus(text.trim_start_matches('+'))
}

/// Formats an expected score in [-1, 1] with its sign and two decimals; exact results have no decimals.
pub fn expected(e: f32) -> String {
    if e.abs() >= 1.0 {
        minus(&format!("{:+.0}", e.clamp(-1.0, 1.0)))
    } else {
        // Avoids "-0.00".
        let rounded = (e * 100.0).round() / 100.0 + 0.0;
        minus(&format!("{rounded:+.2}"))
    }
}

/// Formats a number of another program's reason as it was told, with at most six digits.
pub fn told(number: f64) -> String {
    let size = number.abs();
    if size >= 1e9 || size > 0.0 && size < 1e-4 {
        return minus(&format!("{number:.3e}"));
    }
    let decimals = if size >= 1000.0 { 1 } else { 4 };
    let text = format!("{number:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    minus(if text == "-0" { "0" } else { text })
}

/// Formats a value with its sign and all its digits, but at most so many decimals.
pub fn exactly(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    minus(match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    })
}

/// Formats a value in a toy tree's unit, with its sign. It has as many decimals as the finest value of the file, or
/// enough for four digits, but at most three.
pub fn units(scale: Scale, value: f32) -> String {
    let text = bare(scale, value, usize::MAX).unwrap_or_default();
    if text.starts_with('−') {
        text
    } else {
        format!("+{text}")
    }
}

/// Formats a value like [`units`] but without a plus sign, with as many decimals as fit into `columns`; `None` if not
/// even the rounded number fits.
pub fn bare(scale: Scale, value: f32, columns: usize) -> Option<String> {
    (0..=decimals(scale, value)).rev().find_map(|decimals| {
        let text = format!("{value:.decimals$}");
        let text = match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.'),
            false => text.as_str(),
        };
        let text = if text == "-0" { "0" } else { text };
        (text.len() <= columns).then(|| minus(text))
    })
}

/// Returns the number of decimals worth showing.
fn decimals(scale: Scale, value: f32) -> usize {
    const MOST: usize = 3;
    let of_file = scale.decimals();
    let of_size = match value.abs() {
        0.1..100.0 => 2,
        100.0..1000.0 => 1,
        1000.0.. => 0,
        // Two decimals would leave almost nothing of such a value.
        _ => MOST,
    };
    of_size.min(MOST).max(of_file)
}

/// Formats a depth-first window as in a textbook, `[3, 14]` without the space: its ends in the scale's unit, infinite
/// if it is open, in at most `columns`.
pub fn window(scale: Scale, alpha: Score, beta: Score, columns: usize) -> Option<String> {
    let end = |s: Score, columns: usize| {
        if s <= Score::LOSS {
            Some("−∞".to_owned())
        } else if s >= Score::WIN {
            Some("∞".to_owned())
        } else if s.is_decided() {
            Some(score(scale, s))
        } else {
            bare(scale, scale.units(s), columns)
        }
    };
    // Rounded rather than omitted, with the same room for both ends.
    (0..=8).rev().find_map(|room| {
        let text = format!("[{},{}]", end(alpha, room)?, end(beta, room)?);
        (text.chars().count() <= columns).then_some(text)
    })
}

/// The number below which numbers have an exponent.
const TINY: f64 = 1e-4;

/// Formats a small positive number with two or three significant digits: `0.012`, `0.00051`, `3.1e−6`.
pub fn small(x: f32) -> String {
    if x >= 0.001 {
        format!("{x:.3}")
    } else {
        two_figures(x.into())
    }
}

/// Formats a number above 0 and well below 1 with two significant digits: `0.0057`, `0.00051`, `3.1e−6`.
fn two_figures(x: f64) -> String {
    if x < TINY {
        return format!("{x:.1e}").replace('-', "−");
    }
    let decimals = 1.0 - x.log10().floor();
    format!("{x:.0$}", decimals as usize)
}

/// Formats a count with an SI prefix: `950`, `12.3k`, `4.56M`.
pub fn count(n: u64) -> String {
    let x = n as f64;
    match n {
        0..=9_999 => n.to_string(),
        10_000..=999_499 => format!("{:.1}k", x / 1e3).replace(".0k", "k"),
        999_500..=999_994_999 => format!("{:.2}M", x / 1e6),
        _ => format!("{:.2}G", x / 1e9),
    }
}

/// Formats a count of things: `1 node`, `12.3k nodes`.
pub fn counted(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(n))
}

/// Formats a share in [0, 1] in per cent: `41 %`, and below ten with a decimal.
pub fn percent(share: f32) -> String {
    let p = share * 100.0;
    if p < 9.95 {
        format!("{p:.1} %")
    } else {
        format!("{p:.0} %")
    }
}

/// Formats a share that may be far below one per cent, in per cent with two significant digits: `12 %`, `1.2 %`, `0.047
/// %`.
pub fn rare(share: f64) -> String {
    let p = share * 100.0;
    match p.abs() {
        p if p < 5e-4 => "0 %".to_owned(),
        small if small < 0.0995 => format!("{p:.3} %"),
        small if small < 0.995 => format!("{p:.2} %"),
        small if small < 9.95 => format!("{p:.1} %"),
        _ => format!("{p:.0} %"),
    }
}

/// Formats a range of such shares (`0.047–0.053 %`).
pub fn rare_between(low: f64, high: f64) -> String {
    format!("{}–{}", rare(low).trim_end_matches(" %"), rare(high))
}

/// Formats a time given in milliseconds: `3.1 ms`, `812 ms`, `12.3 s`, `75 min`.
pub fn time(milliseconds: f64) -> String {
    match milliseconds {
        ms if ms < 99.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms if ms < 99_950.0 => format!("{:.1} s", ms / 1e3),
        ms if ms < 999_500.0 => format!("{:.0} s", ms / 1e3),
        ms => format!("{:.0} min", ms / 6e4),
    }
}

/// Formats a number of an explanation whose form does not depend on where it is shown.
pub fn of_unit(scale: Scale, value: f64, unit: Unit) -> String {
    match unit {
        Unit::Of(one, _) if value == 1.0 => format!("1 {one}"),
        Unit::Of(_, several) => format!("{} {several}", count(value as u64)),
        Unit::Probability => {
            probability((value.clamp(0.0, 1.0) * f64::from(u16::MAX)).round() as u16)
        }
        Unit::Magnitude => magnitude(value),
        Unit::Gain => magnitude(match scale {
            Scale::Linear(axis) => value * f64::from(axis.range()),
            Scale::Logistic => value,
        }),
        Unit::Fraction => fraction(value),
        Unit::Fixed(decimals) => minus(&format!("{value:.0$}", usize::from(decimals))),
        Unit::Rounded(decimals) => {
            let text = format!("{value:.0$}", usize::from(decimals));
            let text = match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.'),
                false => text.as_str(),
            };
            minus(text)
        }
        Unit::Difference => {
            let unit = match scale {
                Scale::Logistic => " cp",
                Scale::Linear(_) => "",
            };
            minus(&format!("{value:+.0}{unit}"))
        }
        Unit::Expected | Unit::Spread | Unit::Score | Unit::Share | Unit::Count => {
            value.to_string()
        }
    }
}

/// Formats a number from 0 up: `183`, `12.5`, `1.50`, `.63`, `.0057`, `3.1e−6`.
fn magnitude(x: f64) -> String {
    if x >= 99.95 {
        format!("{x:.0}")
    } else if x >= 9.995 {
        format!("{x:.1}")
    } else if x >= 0.0095 || x == 0.0 {
        fraction(x)
    } else {
        without_zero(&two_figures(x))
    }
}

/// Formats a number from 0 up with two decimals: `.63`, `1.50`.
fn fraction(x: f64) -> String {
    without_zero(&format!("{x:.2}"))
}

/// Drops the zero before the decimal point: `.63`.
fn without_zero(text: &str) -> String {
    match text.strip_prefix("0.") {
        Some(decimals) => format!(".{decimals}"),
        None => text.to_owned(),
    }
}

/// Formats a probability given in 1/65535, with one decimal (`97.5 %`).
pub fn probability(of_65535: u16) -> String {
    format!("{:.1} %", f64::from(of_65535) * 100.0 / 65535.0)
}

/// Replaces the hyphen before a number by a minus sign.
pub fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// Writes a number with so many decimals and a minus sign, which one that is rounded to 0 does not have.
pub fn rounded(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    match text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        true => minus(&text),
        false => text.replace('-', ""),
    }
}

/// Replaces the special characters in reports by plain ASCII.
pub fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '−' | '–' => plain.push('-'),
            '±' => plain.push_str("+-"),
            '≥' => plain.push_str(">="),
            '≤' => plain.push_str("<="),
            '∞' => plain.push_str("inf"),
            '·' => plain.push('|'),
            '…' => plain.push_str("..."),
            '→' => plain.push_str("->"),
            '√' => plain.push_str("sqrt "),
            '²' => plain.push_str("^2"),
            'σ' => plain.push_str("sigma"),
            'μ' => plain.push_str("mu"),
            'π' => plain.push_str("pi"),
            'α' => plain.push_str("alpha"),
            'β' => plain.push_str("beta"),
            '∏' => plain.push_str("prod "),
            'Σ' => plain.push_str("sum "),
            '×' => plain.push('x'),
            c if c.is_ascii() => plain.push(c),
            _ => plain.push('?'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_rounded_to_nothing_has_no_sign() {
        for (x, decimals, text) in [
            (-0.004, 2, "0.00"),
            (-0.006, 2, "−0.01"),
            (-0.0, 0, "0"),
            (1.25, 1, "1.2"),
        ] {
            assert_eq!(rounded(x, decimals), text);
        }
    }

    #[test]
    fn counts_keep_three_figures() {
        let shown: Vec<String> = [0, 9_999, 12_345, 999_499, 999_600, 4_560_000, 2_000_000_000]
            .into_iter()
            .map(count)
            .collect();
        assert_eq!(
            shown,
            ["0", "9999", "12.3k", "999.5k", "1.00M", "4.56M", "2.00G"]
        );
    }

    #[test]
    fn rare_shares_keep_two_figures() {
        let shown = [0.0, 1e-9, 0.000_47, 0.012, 0.001_5, 0.5].map(rare);
        assert_eq!(shown, ["0 %", "0 %", "0.047 %", "1.2 %", "0.15 %", "50 %"]);
        assert_eq!(rare_between(0.0, 0.000_53), "0–0.053 %");
    }

    #[test]
    fn numbers_of_an_explanation_have_an_exponent_only_below_a_ten_thousandth() {
        let units = [
            Unit::Magnitude,
            Unit::Fraction,
            Unit::Probability,
            Unit::Fixed(3),
            Unit::Rounded(4),
            Unit::Difference,
        ];
        let mut value = TINY;
        while value < 1e6 {
            for unit in units {
                let text = of_unit(Scale::Logistic, value, unit);
                assert!(!text.contains('e'), "{value} {unit:?}: {text}");
            }
            value *= 1.07;
        }
        let shown = [1e-4, 0.000_514, 0.005_68, 0.25, 3.1e-6].map(magnitude);
        assert_eq!(shown, [".00010", ".00051", ".0057", ".25", "3.1e−6"]);
        let shown = [0.000_514, 0.012_3, 3.1e-6].map(small);
        assert_eq!(shown, ["0.00051", "0.012", "3.1e−6"]);
    }

    #[test]
    fn times_keep_two_or_three_figures() {
        let shown = [0.04, 3.12, 812.4, 12_345.0, 250_000.0, 4_500_000.0].map(time);
        assert_eq!(
            shown,
            ["0.0 ms", "3.1 ms", "812 ms", "12.3 s", "250 s", "75 min"]
        );
    }

    #[test]
    fn expected_scores_have_signs() {
        assert_eq!(expected(-0.001), "+0.00");
        assert_eq!(expected(-0.126), "−0.13");
        assert_eq!(expected(1.0), "+1");
        assert_eq!(expected(-1.0), "−1");
    }

    fn toy(per_unit: f32) -> Scale {
        Scale::linear(per_unit, 20.0)
    }

    #[test]
    fn units_of_a_toy_tree_keep_the_figures_that_say_something() {
        let shown = |scale, values: &[f32]| -> Vec<String> {
            values.iter().map(|&v| units(scale, v)).collect()
        };
        let values = [
            3.0, -0.0001, -1.25, 0.333_333, 10.0, 41.372, 812.345, 12_345.6, 0.0312,
        ];
        assert_eq!(
            shown(toy(1.0), &values),
            [
                "+3", "+0", "−1.25", "+0.33", "+10", "+41.37", "+812.3", "+12346", "+0.031"
            ]
        );
        // Values given in the file are shown in full.
        assert_eq!(shown(toy(1000.0), &[12.125, 0.5]), ["+12.125", "+0.5"]);
    }

    #[test]
    fn decimals_go_where_there_is_no_room() {
        let shown = [5, 4, 3, 2, 1].map(|columns| bare(toy(1.0), 41.372, columns));
        let expected = [Some("41.37"), Some("41.4"), Some("41"), Some("41"), None];
        assert_eq!(shown, expected.map(|e| e.map(str::to_owned)));
        assert_eq!(bare(toy(1.0), -0.4, 2).as_deref(), Some("0"));
    }

    #[test]
    fn windows_show_what_is_open() {
        let w = |a, b, columns| window(toy(10.0), a, b, columns);
        let (a, b) = (Score::new(12), Score::new(-35));
        assert_eq!(w(Score::MIN, Score::MAX, 9).as_deref(), Some("[−∞,∞]"));
        assert_eq!(w(a, Score::MAX, 9).as_deref(), Some("[1.2,∞]"));
        assert_eq!(w(b, a, 10).as_deref(), Some("[−3.5,1.2]"));
        assert_eq!(w(b, a, 8).as_deref(), Some("[−4,1.2]"));
        assert_eq!(w(b, a, 5), None);
    }

    #[test]
    fn amounts_follow_the_scale() {
        assert_eq!(amount(Scale::Logistic, 142), "1.42");
        let toy = Scale::linear(100.0, 5.0);
        assert_eq!(amount(toy, 150), "1.5");
    }
}
