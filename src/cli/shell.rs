//! `plyscope completions` and `plyscope man`: shell completions and the manual page.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use super::Failure;

/// Print completions for a shell.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  plyscope completions bash > ~/.local/share/bash-completion/completions/plyscope")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  plyscope man | man -l -")]
pub struct Man {
    /// Print the page of a single command
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Prints the completions.
///
/// # Errors
/// See [`Failure`].
pub fn completions(arguments: &Completions, mut command: clap::Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "plyscope", &mut text);
    print(&text)
}

/// Prints the manual page.
///
/// # Errors
/// See [`Failure`]; an unknown command is a usage error.
pub fn man(arguments: &Man, command: clap::Command) -> Result<(), Failure> {
    let command = match &arguments.command {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| {
                Failure::Usage(format!(
                    "found no command {name:?}, expected one of those in plyscope --help"
                ))
            })?
            .display_name(format!("plyscope-{name}"))
            .bin_name(format!("plyscope {name}")),
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    print(&text)
}

fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text)?;
    out.flush()?;
    Ok(())
}
