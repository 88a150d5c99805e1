//! Where things are on this machine.

use std::path::PathBuf;

/// A path as a person types it: `~/` is the home folder.
#[must_use]
pub fn home_expanded(text: &str) -> PathBuf {
    match text.strip_prefix("~/") {
        Some(rest) => etcetera::home_dir().map_or_else(|_| PathBuf::from(text), |h| h.join(rest)),
        None => PathBuf::from(text),
    }
}
