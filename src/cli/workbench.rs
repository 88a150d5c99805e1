//! `plyscope [FILE]`: the workbench.

use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::options::{Defaults, EngineOptions, InputOptions, SearchOptions, ShowOptions};
use crate::engine::{Subject, lesson};
use crate::game::load::fen;
use crate::game::{ChessPosition, EndgameTables, Situation};
use crate::tui::config::Preferences;
use crate::tui::document::Document;
use crate::tui::{self, Launch, RunError, config};

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

/// Opens the endgame tables of the configuration. Problems with them are added to its warnings.
fn own_tables(own: &mut Preferences) -> Option<Arc<EndgameTables>> {
    let path = own.syzygy.as_deref()?;
    let mut warn = |what: String| own.warnings.push(format!("config.toml: syzygy: {what}"));
    match EndgameTables::open(path) {
        Ok((tables, passed_over)) => {
            passed_over.into_iter().for_each(warn);
            Some(Arc::new(tables))
        }
        Err(e) => {
            warn(e.to_string());
            None
        }
    }
}

/// Opens the workbench.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    // Errors on the command line must be printed before the workbench takes over the screen.
    let mut preferences = config::own();
    let endgames = match (&mut preferences, &arguments.search.machine.syzygy) {
        (Ok(own), None) => own_tables(own),
        _ => None,
    };
    let defaults = preferences.as_ref().map_or_else(
        |_| Defaults::default(),
        |own| Defaults {
            algorithm: own.algorithm,
            threads: own.threads,
            memory: own.memory,
            endgames,
        },
    );
    let config = arguments.search.config_or(&defaults)?;
    let known = preferences.as_ref().map_or(&[][..], |own| &own.engines);
    let engines = arguments.engines.specs(known)?;
    let input = &arguments.input;
    // Errors in a lesson must be printed before that, too.
    let lesson = input.file.clone().filter(|f| lesson::is_named(f));
    if let Some(path) = &lesson {
        lesson::own(path)?;
    }
    let document = match (&input.fen, &input.file) {
        (Some(text), _) => {
            let read = fen::parse(text).map_err(|e| e.in_file("--fen"))?;
            Document::position("position", Subject::from(Situation::new(read.position)))
        }
        (None, Some(file)) if lesson.is_none() => Document::open(file).map_err(Failure::Input)?,
        (None, _) => {
            let start = Situation::new(ChessPosition::default());
            Document::position("start position", Subject::from(start))
        }
    };
    let launch = Launch {
        pick: input.fen.is_none() && input.file.is_none() && input.moves.is_none(),
        document,
        lesson,
        moves: input.moves.clone(),
        config,
        preferences,
        engines,
        theme: arguments.show.theme.clone(),
        ascii: arguments.show.ascii,
        no_color: arguments.show.no_color
            || std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()),
    };
    tui::run(launch).map_err(|e| match e {
        RunError::Interrupted => Failure::Interrupted,
        other => Failure::Input(other.to_string()),
    })
}
