//! Text in UTF-16, as some Windows programs save it, is converted to UTF-8.

use super::LoadError;

/// How many of the first bytes are examined for the encoding.
pub(super) const ENOUGH: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wide {
    Little,
    Big,
}

/// Whether a file with this beginning is UTF-16 (or UTF-32), by its byte order mark or because nearly every other byte
/// is zero.
pub fn is_wide(beginning: &[u8]) -> bool {
    wide(beginning).is_some()
}

fn wide(bytes: &[u8]) -> Option<Wide> {
    match bytes {
        [0xff, 0xfe, ..] => return Some(Wide::Little),
        [0xfe, 0xff, ..] => return Some(Wide::Big),
        _ => {}
    }
    let (pairs, _) = bytes[..bytes.len().min(ENOUGH)].as_chunks::<2>();
    // Byte-oriented text has no zeros, and tags and moves at the beginning contain few letters of other scripts.
    let zeros = |at: usize| {
        let few = pairs.iter().filter(|pair| pair[at] != 0).count();
        pairs.len() >= 2 && 4 * few <= pairs.len() && pairs.iter().all(|pair| pair[1 - at] != 0)
    };
    if zeros(1) {
        Some(Wide::Little)
    } else if zeros(0) {
        Some(Wide::Big)
    } else {
        None
    }
}

/// Converts the text to UTF-8. Bytes that are not UTF-16 are returned unchanged.
///
/// # Errors
/// If it is UTF-32, or truncated or invalid UTF-16.
pub fn utf8(bytes: Vec<u8>) -> Result<Vec<u8>, LoadError> {
    let Some(order) = wide(&bytes) else {
        return Ok(bytes);
    };
    if bytes.starts_with(&[0xff, 0xfe, 0, 0]) {
        return Err(LoadError::new("UTF-32 text", "UTF-8 or UTF-16"));
    }
    let broken = |at: usize| {
        let found = format!("UTF-16 text that is broken at byte {}", 2 * at + 1);
        LoadError::new(found, "UTF-8, or valid UTF-16")
    };
    let (pairs, rest) = bytes.as_chunks::<2>();
    let unit = |&pair: &[u8; 2]| match order {
        Wide::Little => u16::from_le_bytes(pair),
        Wide::Big => u16::from_be_bytes(pair),
    };
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut at = 0;
    for c in char::decode_utf16(pairs.iter().map(unit)) {
        let c = c.map_err(|_| broken(at))?;
        at += c.len_utf16();
        text.push(c);
    }
    if !rest.is_empty() {
        return Err(broken(at));
    }
    let marked = text.strip_prefix('\u{feff}').map(str::to_owned);
    Ok(marked.unwrap_or(text).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wide_bytes(text: &str, order: Wide) -> Vec<u8> {
        let bytes = |unit: u16| match order {
            Wide::Little => unit.to_le_bytes(),
            Wide::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }

    proptest! {
        #[test]
        fn every_text_comes_back(text in any::<String>(), big in any::<bool>()) {
            let order = if big { Wide::Big } else { Wide::Little };
            let marked = wide_bytes(&format!("\u{feff}{text}"), order);
            // In little endian, a zero character after the mark would make it the mark of UTF-32.
            prop_assume!(!text.starts_with('\0'));
            prop_assert!(is_wide(&marked));
            prop_assert_eq!(utf8(marked).expect("valid"), text.into_bytes());
        }

        #[test]
        fn what_has_no_zero_and_no_mark_stays(bytes in prop::collection::vec(1u8..0xfe, 0..80)) {
            prop_assert!(!is_wide(&bytes));
            prop_assert_eq!(utf8(bytes.clone()).expect("as it is"), bytes);
        }
    }

    #[test]
    fn text_without_a_mark_is_known_by_its_zeros() {
        for order in [Wide::Little, Wide::Big] {
            let bytes = wide_bytes("[Event \"x\"]\n\n1. e4 ♘f6", order);
            assert_eq!(
                utf8(bytes).expect("valid"),
                "[Event \"x\"]\n\n1. e4 ♘f6".as_bytes()
            );
        }
    }

    #[test]
    fn broken_text_is_refused() {
        for bytes in [
            &b"\xff\xfe\x00\x00a\0\0\0"[..],
            b"\xff\xfea\0\x00\xd8b\0",
            b"\xfe\xff\0a\0",
        ] {
            assert!(utf8(bytes.to_vec()).is_err(), "{bytes:?}");
        }
    }
}
