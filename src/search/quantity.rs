//! Parses amounts as users type them: counts, durations, sizes.

use std::time::Duration;

/// Parses a duration: `500ms`, `10s`, `1.5s`, `2m`, `1h`.
///
/// # Errors
/// The error says what was expected.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a duration such as 500ms, 10s or 2m".to_string();
    let (number, unit) = split_unit(text);
    let scale = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| expected())
}

/// Parses a size in bytes: `512M`, `2G`, `65536K`, `4096` (bytes).
///
/// # Errors
/// Any other text, and a size below 1K; the error says what was expected.
pub fn size(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 512M or 2G".to_string();
    let (number, unit) = split_unit(text);
    let shift = match unit.trim_end_matches(['B', 'b']).trim_end_matches('i') {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        _ => return Err(expected()),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    let bytes = number * f64::from(1u32 << shift);
    if bytes >= 1024.0 {
        Ok(bytes as u64)
    } else {
        Err(format!("{} (at least 1K)", expected()))
    }
}

/// Parses a count: `100000`, `100_000`, `500k`, `2M`.
///
/// # Errors
/// Any other text, and 0; the error says what was expected.
pub fn count(text: &str) -> Result<u64, String> {
    let expected = || "expected a number above 0 such as 100000, 500k or 2M".to_string();
    let plain = text.replace('_', "");
    let (number, unit) = split_unit(&plain);
    let scale = match unit {
        "" => 1.0,
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" => 1e9,
        _ => return Err(expected()),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    let count = (number * scale).round();
    if count >= 1.0 {
        Ok(count as u64)
    } else {
        Err(expected())
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let at = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    (&text[..at], text[at..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in [
            "",
            "10",
            "s",
            "-1s",
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
        for wrong in ["", "M", "12", "1T", "-1G"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts() {
        assert_eq!(count("100_000"), Ok(100_000));
        assert_eq!(count("1.5M"), Ok(1_500_000));
        for wrong in ["", "0", "k", "-5", "1e5"] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }
}
