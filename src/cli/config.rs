//! `plyscope config`: the configuration file that a user can begin with.

use std::io::Write;

use clap::Args;

use super::{Failure, output};
use tui::config;

/// Print a commented configuration file with the defaults, or say where it is looked for.
///
/// Every setting is a comment until it is changed. Options on the command line come before the file.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope config > ~/.config/plyscope/config.toml
  plyscope config --path")]
pub struct Arguments {
    /// Print the name of the file that is read
    #[arg(long)]
    path: bool,
}

/// Prints the file or its name.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = output::stdout();
    if arguments.path {
        let path = config::path().ok_or_else(|| {
            Failure::Input("found no folder for configuration, expected one (set HOME)".into())
        })?;
        writeln!(out, "{}", path.display())?;
    } else {
        out.write_all(config::TEMPLATE.as_bytes())?;
    }
    out.flush()?;
    Ok(())
}
