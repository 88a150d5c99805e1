//! Why a command did not do what was asked, and the exit status that says so.

use std::io::{self, Write};
use std::process::ExitCode;

use super::headless;
use crate::game::load::LoadError;
use crate::game::text::sanitise;
use crate::search::OptionError;

/// Why a command ended without success.
#[derive(Debug)]
pub enum Failure {
    /// The input was refused: one line that says what, where, and what was expected. Exit status 1.
    Input(String),
    /// Refusals that were reported already, while the rest was done. Exit status 1.
    Reported,
    /// The command line was wrong. Exit status 2.
    Usage(String),
    /// A person interrupted it. Exit status 130.
    Interrupted,
    /// Whoever read the output has gone away: no failure.
    BrokenPipe,
}

impl Failure {
    /// Says it on standard error and gives the exit status.
    #[must_use]
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Input(message) => {
                complain(&message);
                ExitCode::from(1)
            }
            Failure::Reported => ExitCode::from(1),
            Failure::Usage(message) => {
                complain(&message);
                ExitCode::from(2)
            }
            Failure::Interrupted => ExitCode::from(headless::STATUS),
            Failure::BrokenPipe => ExitCode::SUCCESS,
        }
    }
}

/// clap's own answer: `--help`, `--version`, or what is wrong with the command line.
pub fn answer(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let written = error.print().and_then(|()| io::stdout().flush());
        return written.map_or_else(|e| Failure::from(e).report(), |()| ExitCode::SUCCESS);
    }
    // What was typed is quoted there.
    let harmless = std::env::args_os().all(|argument| {
        let argument = argument.to_string_lossy();
        sanitise(&argument) == argument
    });
    if harmless {
        let _ = error.print();
    } else {
        let mut out = io::stderr().lock();
        for line in error.render().to_string().lines() {
            let _ = writeln!(out, "{}", sanitise(line));
        }
    }
    ExitCode::from(2)
}

/// One line on standard error, harmless to the terminal. A closed standard error is nobody's business.
pub fn complain(message: &str) {
    let _ = writeln!(io::stderr().lock(), "plyscope: {}", sanitise(message));
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<OptionError> for Failure {
    fn from(error: OptionError) -> Failure {
        Failure::Usage(format!("--set: {error}"))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Input(format!("standard output: {error}")),
        }
    }
}

impl From<csv::Error> for Failure {
    fn from(error: csv::Error) -> Failure {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Failure::from(error),
            other => Failure::Input(format!("standard output: {other:?}")),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::from(io::Error::from(error))
    }
}
