//! Which external engine to run and how to set it up.

use std::fmt;
use std::time::Duration;

use text::quote;

use super::trace::Tracing;

/// An external engine that speaks UCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The heading of its column: the name in the configuration, or the program's file name.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// `setoption` pairs, in order.
    pub options: Vec<(String, String)>,
    /// The number of lines (MultiPV) to ask for; if it is 1, the option is not sent.
    pub lines: u16,
    pub patience: Patience,
    /// How its search is traced, if it contains an emitter of the open trace.
    pub trace: Option<Tracing>,
}

/// How long an engine may take before it counts as hanging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From its start to `uciok`, and from `isready` to `readyok`, when it loads networks and tables.
    pub ready: Duration,
    /// From `stop` to `bestmove`, and from the end of its budget of nodes or depth to `bestmove`.
    pub stop: Duration,
    /// During a search with a budget and while it has its turn: neither a line nor CPU time.
    pub idle: Duration,
    /// During a search with a budget of nodes or depth, or if the system does not report its CPU time: no line.
    pub silent: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            ready: Duration::from_secs(10),
            stop: Duration::from_secs(5),
            idle: Duration::from_secs(10),
            silent: Duration::from_secs(60),
        }
    }
}

/// Why a command names no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {}, expected {expected}", quote(found))]
pub struct SpecError {
    pub found: String,
    pub expected: &'static str,
}

impl EngineSpec {
    /// The number of lines to ask for by default.
    pub const LINES: u16 = 4;

    /// Parses a program with its arguments as written in a shell: words, quotation marks, backslashes.
    ///
    /// # Errors
    /// If it is empty, or a quotation mark is not closed.
    pub fn parse(text: &str) -> Result<EngineSpec, SpecError> {
        let error = |expected| SpecError {
            found: text.to_owned(),
            expected,
        };
        let command = shell_words::split(text)
            .map_err(|_| error("a closing quotation mark for each opening one"))?;
        let program = command.first().filter(|program| !program.is_empty());
        let program = program.ok_or_else(|| error("a program that speaks UCI"))?;
        Ok(EngineSpec {
            command: command.clone(),
            ..EngineSpec::of_program(program)
        })
    }

    /// Returns the engine that a program with its arguments is.
    ///
    /// # Errors
    /// If there is no program.
    pub fn of_words(command: Vec<String>) -> Result<EngineSpec, SpecError> {
        let program = command.first().filter(|program| !program.is_empty());
        let program = program.ok_or_else(|| SpecError {
            found: String::new(),
            expected: "a program",
        })?;
        let spec = EngineSpec::of_program(program);
        Ok(EngineSpec { command, ..spec })
    }

    /// Returns the engine that this program is when it is started without arguments.
    pub(super) fn of_program(program: &str) -> EngineSpec {
        let name = std::path::Path::new(program).file_name();
        let name = name.map_or_else(
            || program.to_owned(),
            |name| name.to_string_lossy().into_owned(),
        );
        EngineSpec {
            name,
            command: vec![program.to_owned()],
            options: Vec::new(),
            lines: Self::LINES,
            patience: Patience::default(),
            trace: None,
        }
    }

    /// Returns the program and its arguments as they are written in a shell.
    pub fn command_line(&self) -> String {
        shell_words::join(&self.command)
    }

    /// Returns the same engine with only its best line requested: some answer with another best move if asked for more.
    #[must_use]
    pub fn with_one_line(self) -> EngineSpec {
        EngineSpec { lines: 1, ..self }
    }
}

/// Finds an engine by what the user calls it: the name of a known engine, in upper or lower case, or else a command.
///
/// # Errors
/// Returns the same errors as [`EngineSpec::parse`].
pub fn find_engine(text: &str, engines: &[EngineSpec]) -> Result<EngineSpec, SpecError> {
    let name = text.trim();
    let known = engines
        .iter()
        .find(|e| e.name == name)
        .or_else(|| engines.iter().find(|e| e.name.eq_ignore_ascii_case(name)));
    known.map_or_else(|| EngineSpec::parse(text), |engine| Ok(engine.clone()))
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_read_as_a_shell_does() {
        let spec =
            EngineSpec::parse(r#"/opt/my\ lc0/lc0 --weights="a b.pb" '--x=$1'"#).expect("good");
        assert_eq!(
            spec.command,
            ["/opt/my lc0/lc0", "--weights=a b.pb", "--x=$1"]
        );
        assert_eq!(spec.name, "lc0");
        for wrong in ["", "  ", "lc0 'open", "''"] {
            assert!(EngineSpec::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_name_comes_before_a_command() {
        let known = EngineSpec {
            name: "Fish".into(),
            ..EngineSpec::parse("stockfish --x").expect("good")
        };
        let engines = [known.clone()];
        assert_eq!(find_engine("fish", &engines), Ok(known));
        let other = find_engine("fishy", &engines).expect("a command");
        assert_eq!(other.command, ["fishy"]);
    }
}
