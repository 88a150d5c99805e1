//! What the terminal is like that a command writes to.

use std::io::IsTerminal;

/// No table is made for less.
const NARROWEST: usize = 40;

/// Columns of the terminal: what the environment variable COLUMNS says, else what the terminal does. `None`: the output
/// goes to no terminal, and lines may be as long as they are.
#[must_use]
pub fn width() -> Option<usize> {
    let told = std::env::var("COLUMNS").ok().and_then(|v| v.parse().ok());
    let found = || {
        let is_terminal = std::io::stdout().is_terminal();
        let size = is_terminal.then(crossterm::terminal::size)?.ok()?;
        Some(usize::from(size.0))
    };
    told.or_else(found)
        .filter(|n| *n > 0)
        .map(|n: usize| n.max(NARROWEST))
}
