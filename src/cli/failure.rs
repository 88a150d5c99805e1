//! Why a command failed, and the corresponding exit status.

use std::io::{self, Write};
use std::process::ExitCode;

use super::{headless, output};
use game::load::LoadError;
use search::OptionError;
use text::sanitise;

/// Why a command did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// The input was refused; one line for each fault says what was found where, and what was expected. Exit status 1.
    Input(String),
    /// Some input was refused and reported, the rest was processed. Exit status 1.
    Reported,
    /// The command line was wrong. Exit status 2.
    Usage(String),
    /// Interrupted by the user. Exit status 130.
    Interrupted,
    /// The reader of the output has closed it. Not an error.
    BrokenPipe,
}

impl Failure {
    /// Prints the failure to standard error and returns the exit status.
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Input(message) => {
                message.lines().for_each(complain);
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

/// Prints clap's own output: `--help`, `--version`, or what is wrong with the command line.
pub fn answer(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let written = error.print().and_then(|()| io::stdout().flush());
        return written.map_or_else(|e| Failure::from(e).report(), |()| ExitCode::SUCCESS);
    }
    // The error quotes the arguments, which may contain control characters.
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

/// Prints one line to standard error with control characters escaped. A closed standard error is ignored.
pub fn complain(message: &str) {
    let _ = writeln!(io::stderr().lock(), "plyscope: {}", sanitise(message));
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        Failure::Input(error.lines())
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
            _ => Failure::Input(format!("{}: {error}", output::name())),
        }
    }
}

impl From<csv::Error> for Failure {
    fn from(error: csv::Error) -> Failure {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Failure::from(error),
            other => Failure::Input(format!("{}: {other:?}", output::name())),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::from(io::Error::from(error))
    }
}
