//! Properties of the terminal that a command writes to.

use std::io::IsTerminal;

use super::output;

/// The narrowest width for which tables are laid out.
const NARROWEST: usize = 40;

/// Returns the width of the terminal in columns: the environment variable COLUMNS if set, otherwise the terminal's own.
/// `None` if the output does not go to a terminal, so that lines may have any length.
pub fn width() -> Option<usize> {
    let told = std::env::var("COLUMNS").ok().and_then(|v| v.parse().ok());
    let found = || {
        let is_terminal = std::io::stdout().is_terminal() && !output::is_file();
        let size = is_terminal.then(crossterm::terminal::size)?.ok()?;
        Some(usize::from(size.0))
    };
    told.or_else(found)
        .filter(|n| *n > 0)
        .map(|n: usize| n.max(NARROWEST))
}
