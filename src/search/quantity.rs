//! Parses amounts as users type them: counts, durations, sizes.

use std::time::Duration;

/// Parses a duration: `500ms`, `10s`, `1.5s`, `2m`, `1h`, `5m30s`.
///
/// # Errors
/// The error says what was expected.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a duration such as 500ms, 10s or 5m30s".to_string();
    let mut rest = text.trim();
    let mut seconds = 0.0;
    while !rest.is_empty() || text.trim().is_empty() {
        let (number, after) = split_number(rest);
        let after = after.trim_start();
        let end = after.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, after) = after.split_at(end.unwrap_or(after.len()));
        let scale = match unit {
            "ms" => 1e-3,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(expected()),
        };
        let number: f64 = number.parse().map_err(|_| expected())?;
        seconds += number * scale;
        rest = after.trim_start();
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| expected())
}

/// Parses a size in bytes: `512M`, `2G`, `1T`, `65536K`, `4096` (bytes).
///
/// # Errors
/// Any other text, and a size below 1K or one that no machine counts; the error says what was expected.
pub fn size(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 512M or 2G".to_string();
    let (number, unit) = split_number(text.trim());
    let shift = match unit
        .trim()
        .trim_end_matches(['B', 'b'])
        .trim_end_matches('i')
    {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        _ => return Err(expected()),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    let bytes = number * (1u64 << shift) as f64;
    match bytes {
        _ if bytes >= MOST => Err(format!("{} (less than 2^63 bytes)", expected())),
        _ if bytes >= 1024.0 => Ok(bytes as u64),
        _ => Err(format!("{} (at least 1K)", expected())),
    }
}

/// Parses a count: `100000`, `100_000`, `1e6`, `500k`, `2M`, `1G`, `1T`.
///
/// # Errors
/// Any other text, 0, and more than can be counted; the error says what was expected.
pub fn count(text: &str) -> Result<u64, String> {
    let expected = || "expected a number above 0 such as 100000, 1e6, 500k or 2M".to_string();
    let plain = text.replace('_', "");
    let (number, unit) = split_number(plain.trim());
    let scale: u64 = match unit.trim() {
        "" => 1,
        "k" | "K" => 1_000,
        "m" | "M" => 1_000_000,
        "g" | "G" => 1_000_000_000,
        "t" | "T" => 1_000_000_000_000,
        _ => return Err(expected()),
    };
    let too_large = || format!("{} (less than 2^63)", expected());
    // Whole numbers are exact, however long.
    if let Ok(whole) = number.parse::<u64>() {
        let count = whole.checked_mul(scale).filter(|n| *n < 1 << 63);
        return count.ok_or_else(too_large).and_then(|n| match n {
            0 => Err(expected()),
            n => Ok(n),
        });
    }
    let number: f64 = number.parse().map_err(|_| expected())?;
    let count = (number * scale as f64).round();
    match count {
        _ if count >= MOST => Err(too_large()),
        _ if count >= 1.0 => Ok(count as u64),
        _ => Err(expected()),
    }
}

/// 2^63: what is larger is a slip.
const MOST: f64 = 9_223_372_036_854_775_808.0;

/// Divides a text after the number at its beginning: digits, a point, and an exponent (`1.5e6`).
fn split_number(text: &str) -> (&str, &str) {
    let digits = |from: usize| {
        let end = text[from..].find(|c: char| !c.is_ascii_digit());
        end.map_or(text.len(), |n| from + n)
    };
    let mut at = digits(0);
    if text[at..].starts_with('.') {
        at = digits(at + 1);
    }
    if at > 0 && text[at..].starts_with(['e', 'E']) {
        let sign = usize::from(text[at + 1..].starts_with(['+', '-']));
        let end = digits(at + 1 + sign);
        if end > at + 1 + sign {
            at = end;
        }
    }
    text.split_at(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("5m30s"), Ok(Duration::from_secs(330)));
        assert_eq!(
            duration("1h 2 m 250 ms"),
            Ok(Duration::from_millis(3_720_250))
        );
        assert_eq!(duration("1e2ms"), Ok(Duration::from_millis(100)));
        for wrong in [
            "",
            "10",
            "s",
            "-1s",
            "5m30",
            "5mm",
            "1e99s",
            "10 parsecs",
            "99999999999999999999h",
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("1T"), Ok(1 << 40));
        for wrong in ["", "M", "12", "1P", "-1G", "99999999T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts() {
        assert_eq!(count("100_000"), Ok(100_000));
        assert_eq!(count("1.5M"), Ok(1_500_000));
        assert_eq!(count("1e6"), Ok(1_000_000));
        assert_eq!(count("2.5e3k"), Ok(2_500_000));
        assert_eq!(count("1T"), Ok(1_000_000_000_000));
        assert_eq!(count("9007199254740993"), Ok(9_007_199_254_740_993));
        for wrong in [
            "",
            "0",
            "k",
            "-5",
            "e5",
            "1e",
            "1e30",
            "99999999999999999999",
            "1ek",
        ] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }
}
