//! Numbers as they are shown.

/// Formats a whole number with thousands separators: `4,711`.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a count in at most five columns: `999`, `12.3k`, `1.21M`, `45.0M`, `3.20G`.
pub fn count(n: u64) -> String {
    let scaled = |unit: f64, letter: char| {
        let v = n as f64 / unit;
        if v < 9.995 {
            format!("{v:.2}{letter}")
        } else if v < 99.95 {
            format!("{v:.1}{letter}")
        } else {
            format!("{v:.0}{letter}")
        }
    };
    match n {
        0..=9_999 => n.to_string(),
        10_000..=999_499 => scaled(1e3, 'k'),
        999_500..=999_499_999 => scaled(1e6, 'M'),
        _ => scaled(1e9, 'G'),
    }
}

/// Returns a round number without superfluous zeros: `10M`, `1.5M`, `250k`, `12,345`.
pub fn count_of(n: u64) -> String {
    let scaled = |unit: u64, letter: char| {
        let text = format!("{:.2}", n as f64 / unit as f64);
        format!(
            "{}{letter}",
            text.trim_end_matches('0').trim_end_matches('.')
        )
    };
    match n {
        1_000_000_000.. => scaled(1_000_000_000, 'G'),
        1_000_000.. => scaled(1_000_000, 'M'),
        100_000.. => scaled(1_000, 'k'),
        _ => thousands(n),
    }
}

/// Returns a number of bytes: `512 KiB`, `118 MiB`, `1.5 GiB`.
pub fn bytes(n: u64) -> String {
    match n {
        0..=1_048_575 => format!("{} KiB", n >> 10),
        1_048_576..=1_073_741_823 => format!("{} MiB", n >> 20),
        _ => format!("{:.1} GiB", n as f64 / 1_073_741_824.0),
    }
}

/// Returns a standard deviation of the expected score: `.21`.
pub fn spread(sd: f32) -> String {
    let hundredths = (sd * 100.0).round() as i32;
    if hundredths >= 100 {
        format!("{:.1}", sd)
    } else {
        format!(".{:02}", hundredths.max(0))
    }
}

/// Returns a share as a whole percentage; a positive share that rounds to 0 is `<1%`.
pub fn percent(share: f32) -> String {
    let p = (share * 100.0).round() as i32;
    if p == 0 && share > 0.0 {
        "<1%".to_owned()
    } else {
        format!("{p}%")
    }
}

/// Returns a duration: `0.8 s`, `12 s`, `3:05`.
pub fn duration(d: std::time::Duration) -> String {
    let s = d.as_secs();
    match s {
        0..=9 => format!("{:.1} s", d.as_secs_f64()),
        10..=59 => format!("{s} s"),
        60..=3599 => format!("{}:{:02}", s / 60, s % 60),
        _ => format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_keep_their_columns() {
        assert_eq!(count(9_999), "9999");
        assert_eq!(count(10_000), "10.0k");
        assert_eq!(count(999_499), "999k");
        assert_eq!(count(999_500), "1.00M");
        assert_eq!(count(12_345_678), "12.3M");
        assert_eq!(count(999_600_000), "1.00G");
        assert_eq!(spread(0.207), ".21");
        assert_eq!(percent(0.002), "<1%");
        assert_eq!(thousands(4_711), "4,711");
        assert_eq!((thousands(0), thousands(999)), ("0".into(), "999".into()));
        assert_eq!(thousands(12_345_678), "12,345,678");
        assert_eq!(bytes(118 << 20), "118 MiB");
    }

    proptest! {
        #[test]
        fn counts_are_at_most_five_wide(n in 0u64..999_000_000_000) {
            prop_assert!(count(n).len() <= 5, "{}", count(n));
        }
    }
}
