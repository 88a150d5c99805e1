//! `plyscope [FILE]`: the workbench.

use clap::Args;

use super::Failure;
use super::options::{InputOptions, SearchOptions, ShowOptions};

/// What the workbench opens with.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub input: InputOptions,
    #[command(flatten)]
    pub search: SearchOptions,
    #[command(flatten)]
    pub show: ShowOptions,
}

/// Opens the workbench.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    // What is wrong on the command line shows before the screen is touched.
    let _config = arguments.search.config()?;
    Err(Failure::Usage(
        "the workbench is not in this build; see plyscope --help for the commands".into(),
    ))
}
