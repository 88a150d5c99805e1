//! Quantities as people write them.

/// A number of bytes: `512M`, `2G`, `65536K`, `4096`.
///
/// # Errors
/// What was expected.
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

/// The digits in front, and what stands behind them.
#[must_use]
pub fn split_unit(text: &str) -> (&str, &str) {
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
    fn sizes() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("4096"), Ok(4096));
        for wrong in ["", "M", "12", "1T", "-1G"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
