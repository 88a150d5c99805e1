//! Numbers as people read them.

use crate::game::{Scale, Score};

/// A score with its sign (`+0.42`, `−1.3`, `#3`), with a real minus sign.
#[must_use]
pub fn score(scale: Scale, score: Score) -> String {
    minus(&scale.format(score))
}

/// An amount in the scale's unit without a plus sign (`1.42`).
#[must_use]
pub fn amount(scale: Scale, units: i32) -> String {
    let text = scale.format(Score::new(units));
    minus(text.trim_start_matches('+'))
}

/// An expected score in [-1, 1] with two decimals and its sign; exact results without decimals.
#[must_use]
pub fn expected(e: f32) -> String {
    if e.abs() >= 1.0 {
        minus(&format!("{:+.0}", e.clamp(-1.0, 1.0)))
    } else {
        // Not "-0.00".
        let rounded = (e * 100.0).round() / 100.0 + 0.0;
        minus(&format!("{rounded:+.2}"))
    }
}

/// A value in a toy tree's own unit, with its sign and at most three decimals.
#[must_use]
pub fn units(value: f32) -> String {
    // Not "-0".
    let rounded = (value * 1e3).round() / 1e3 + 0.0;
    let text = format!("{rounded:+.3}");
    minus(text.trim_end_matches('0').trim_end_matches('.'))
}

/// A small positive number with two figures that count: `0.012`, `3.1e-6`.
pub fn small(x: f32) -> String {
    if x >= 0.001 {
        format!("{x:.3}")
    } else {
        format!("{x:.1e}")
    }
}

/// A count with an SI prefix: `950`, `12.3k`, `4.56M`.
#[must_use]
pub fn count(n: u64) -> String {
    let x = n as f64;
    match n {
        0..=9_999 => n.to_string(),
        10_000..=999_499 => format!("{:.1}k", x / 1e3).replace(".0k", "k"),
        999_500..=999_994_999 => format!("{:.2}M", x / 1e6),
        _ => format!("{:.2}G", x / 1e9),
    }
}

/// A share in [0, 1] as per cent: `41 %`, and below ten with a decimal.
#[must_use]
pub fn percent(share: f32) -> String {
    let p = share * 100.0;
    if p < 9.95 {
        format!("{p:.1} %")
    } else {
        format!("{p:.0} %")
    }
}

/// A time given in milliseconds: `3.1 ms`, `812 ms`, `12.3 s`, `75 min`.
#[must_use]
pub fn time(milliseconds: f64) -> String {
    match milliseconds {
        ms if ms < 99.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms if ms < 99_950.0 => format!("{:.1} s", ms / 1e3),
        ms if ms < 999_500.0 => format!("{:.0} s", ms / 1e3),
        ms => format!("{:.0} min", ms / 6e4),
    }
}

/// A probability given in 1/65535, with one decimal (`97.5 %`).
#[must_use]
pub fn probability(of_65535: u16) -> String {
    format!("{:.1} %", f64::from(of_65535) * 100.0 / 65535.0)
}

/// The hyphen in front of a number as a minus sign.
#[must_use]
pub fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// The text with plain ASCII in place of the signs that reports use.
#[must_use]
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

    #[test]
    fn units_of_a_toy_tree_keep_three_decimals() {
        let shown: Vec<String> = [3.0, -0.0001, -1.25, 0.333_333, 10.0]
            .into_iter()
            .map(units)
            .collect();
        assert_eq!(shown, ["+3", "+0", "−1.25", "+0.333", "+10"]);
    }

    #[test]
    fn amounts_follow_the_scale() {
        assert_eq!(amount(Scale::Logistic, 142), "1.42");
        let toy = Scale::Linear {
            per_unit: 100.0,
            range: 5.0,
        };
        assert_eq!(amount(toy, 150), "1.5");
    }
}
