//! Test data too large for the repository: suites, labels, endgame tables, games.
#![allow(dead_code)]

use std::path::PathBuf;

/// Returns a file or folder below the folder named by the environment variable `PLYSCOPE_TEST_DATA`. Without it, prints
/// that the test skipped something.
pub fn data(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("PLYSCOPE_TEST_DATA") else {
        println!("left out: {name}, since PLYSCOPE_TEST_DATA names no folder");
        return None;
    };
    let path = PathBuf::from(folder).join(name);
    if !path.exists() {
        println!("left out: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// Returns the lines of a file of positions without comments; none if it does not exist.
pub fn positions(name: &str) -> Vec<String> {
    let text = data(name).map(|path| std::fs::read_to_string(path).expect("a text"));
    let text = text.unwrap_or_default();
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(String::from)
        .collect()
}
