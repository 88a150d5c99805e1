//! Which program, and how it is set up.

use std::fmt;

/// A program that speaks UCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// As a column is headed: the name in the configuration, or the program's file name.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// `setoption` pairs, in order.
    pub options: Vec<(String, String)>,
    /// Lines asked for.
    pub lines: u16,
}

/// A command that names no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {found:?}, expected {expected}")]
pub struct SpecError {
    pub found: String,
    pub expected: &'static str,
}

impl EngineSpec {
    /// A program with its arguments as one writes them in a shell.
    ///
    /// # Errors
    /// If there is nothing in it, or a quotation mark is not closed.
    pub fn parse(text: &str) -> Result<EngineSpec, SpecError> {
        let command: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let Some(program) = command.first() else {
            return Err(SpecError {
                found: text.to_owned(),
                expected: "a program that speaks UCI",
            });
        };
        let name = std::path::Path::new(program).file_name();
        let name = name.map_or_else(|| program.clone(), |n| n.to_string_lossy().into_owned());
        Ok(EngineSpec {
            name,
            command,
            options: Vec::new(),
            lines: 4,
        })
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
