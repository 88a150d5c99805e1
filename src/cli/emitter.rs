//! `plyscope emitter`: what an engine includes so that plyscope can show its search.

use std::io::Write;

use clap::{Args, ValueEnum};
use open_trace::Language;

use super::{Failure, output};

/// Print the file that lets your engine write its search for plyscope.
///
/// Each emitter is one file without dependencies under the Zero-Clause BSD licence: take it into any program. The documentation's page
/// "Trace your engine in an afternoon" shows what to call where.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope emitter c -o plyscope_trace.h
  plyscope emitter cpp -o plyscope_trace.hpp
  plyscope emitter python -o plyscope_trace.py
  plyscope emitter rust -o src/plyscope_trace.rs")]
pub struct Arguments {
    /// The language of the engine
    #[arg(value_enum)]
    language: Choice,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Choice {
    /// C99: plyscope_trace.h
    C,
    /// C++17: plyscope_trace.hpp
    Cpp,
    /// Python 3.8: plyscope_trace.py, writes JSON lines
    Python,
    /// Rust 2021: plyscope_trace.rs
    Rust,
}

/// Prints the emitter.
///
/// # Errors
/// If it cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let language = match arguments.language {
        Choice::C => Language::C,
        Choice::Cpp => Language::Cpp,
        Choice::Python => Language::Python,
        Choice::Rust => Language::Rust,
    };
    let mut out = output::stdout();
    out.write_all(language.emitter().as_bytes())?;
    out.flush()?;
    Ok(())
}
