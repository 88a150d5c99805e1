//! `plyscope completions` and `plyscope man`: shell completions and the manual page.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::Resettable;
use clap_complete::Shell;

use super::Failure;
use super::output;
use text::save::save;
use text::{nearest, quote};

/// Print completions for a shell.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  plyscope completions bash > ~/.local/share/bash-completion/completions/plyscope")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page of plyscope, or of one of its commands.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope man | man -l -
  plyscope man lab spread | man -l -
  plyscope man --folder ~/.local/share/man/man1")]
pub struct Man {
    /// Print the page of this command
    #[arg(value_name = "COMMAND", conflicts_with = "folder")]
    command: Vec<String>,

    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
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

/// Prints a manual page, or writes all of them.
///
/// # Errors
/// See [`Failure`]; an unknown command is a usage error.
pub fn man(arguments: &Man, command: clap::Command) -> Result<(), Failure> {
    let named = command.name("plyscope");
    if let Some(folder) = &arguments.folder {
        return write_pages(folder, &named, "plyscope");
    }
    let mut page = named;
    let mut name = "plyscope".to_owned();
    for word in &arguments.command {
        let found = page.find_subcommand(word).cloned();
        page = found.ok_or_else(|| {
            let names = page.get_subcommands().map(clap::Command::get_name);
            let meant =
                nearest(word, names).map_or_else(String::new, |m| format!(" (did you mean {m}?)"));
            let word = quote(word);
            Failure::Usage(format!(
                "found no command {word}{meant}, expected one of those in {name} --help"
            ))
        })?;
        name = format!("{name} {word}");
    }
    print(&page_of(page, &name)?)
}

/// Writes the pages of a command and of those below it.
fn write_pages(folder: &Path, command: &clap::Command, name: &str) -> Result<(), Failure> {
    let text = page_of(command.clone(), name)?;
    let path = folder.join(format!("{}.1", name.replace(' ', "-")));
    save(&path, |out| out.write_all(&text))
        .map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?;
    let mut below = command.get_subcommands().filter(|c| c.get_name() != "help");
    below.try_for_each(|c| write_pages(folder, c, &format!("{name} {}", c.get_name())))
}

/// The page of a command. Its examples keep their lines, which a page would otherwise fill up.
fn page_of(command: clap::Command, name: &str) -> Result<Vec<u8>, Failure> {
    let examples = command.get_after_help().map(ToString::to_string);
    let command = command
        .display_name(name.replace(' ', "-"))
        .bin_name(name.to_owned())
        .after_help(Resettable::Reset);
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    if let Some(examples) = examples {
        text.extend_from_slice(b".SH EXAMPLES\n.nf\n");
        for line in examples
            .lines()
            .filter(|line| *line != "Examples:" && *line != "Example:")
        {
            let line = line.replace('\\', "\\e");
            let guard = if line.starts_with(['.', '\'']) {
                "\\&"
            } else {
                ""
            };
            text.extend_from_slice(format!("{guard}{line}\n").as_bytes());
        }
        text.extend_from_slice(b".fi\n");
    }
    Ok(text)
}

fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = output::stdout();
    out.write_all(text)?;
    out.flush()?;
    Ok(())
}
