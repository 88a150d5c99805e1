//! `plyscope [FILE]`: the workbench.

use clap::Args;

use super::Failure;
use super::options::{Defaults, EngineOptions, InputOptions, SearchOptions, ShowOptions};
use crate::game::load::fen;
use crate::game::{ChessPosition, Situation, Subject};
use crate::tui::document::Document;
use crate::tui::{self, Launch, config};

/// What the workbench opens with.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub input: InputOptions,
    #[command(flatten)]
    pub search: SearchOptions,
    #[command(flatten)]
    pub engines: EngineOptions,
    #[command(flatten)]
    pub show: ShowOptions,
}

/// Opens the workbench.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    // What is wrong on the command line shows before the screen is touched.
    let preferences = config::own();
    let defaults = preferences.as_ref().map_or_else(
        |_| Defaults::default(),
        |own| Defaults {
            algorithm: own.algorithm,
            threads: own.threads,
            memory: own.memory,
        },
    );
    let config = arguments.search.config_or(&defaults)?;
    let known = preferences.as_ref().map_or(&[][..], |own| &own.engines);
    let engines = arguments.engines.specs(known)?;
    let input = &arguments.input;
    let document = match (&input.fen, &input.file) {
        (Some(text), _) => {
            let read = fen::parse(text).map_err(|e| e.in_file("--fen"))?;
            Document::position("position", Subject::Chess(Situation::new(read.position)))
        }
        (None, Some(file)) => Document::open(file).map_err(Failure::Input)?,
        (None, None) => {
            let start = Situation::new(ChessPosition::default());
            Document::position("start position", Subject::Chess(start))
        }
    };
    let launch = Launch {
        pick: input.fen.is_none() && input.file.is_none() && input.moves.is_none(),
        document,
        moves: input.moves.clone(),
        config,
        preferences,
        engines,
        theme: arguments.show.theme.clone(),
        ascii: arguments.show.ascii,
        no_color: arguments.show.no_color
            || std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()),
    };
    tui::run(launch).map_err(|e| Failure::Input(e.to_string()))
}
