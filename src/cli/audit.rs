//! `plyscope audit`: what an engine does, from its trace.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::complain;
use super::options::{ShowOptions, algorithms};
use super::{Failure, headless, output};
use algorithms::Algorithm;
use game::Game as _;
use report::engine::{AuditJson, Audited, sheet, verdict};
use report::text::Style;
use search::Recorded as _;
use session::beside;
use text::{quote, sanitise};
use traced::audit::Audit;
use traced::{Contents, Recording};

/// Count what an engine does in its search, from the trace that it sent.
///
/// For those who write the engine: reasons by depth, beta cutoffs by the number of the move, moves searched again, the share of
/// nodes at depth 0 or less, the growth by iteration, reductions that had to be searched again; and whether what the engine says
/// follows from what it did, in its nodes and in the end. In chess moves, lists of moves and keys are compared with the rules. Several files are shown side by side. The counts are made from the stream alone, not from the tree that the
/// workbench makes of it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope audit search.plytrace
  plyscope audit search.plytrace --beside
  plyscope audit before.plytrace after.plytrace --search 1 --json")]
pub struct Arguments {
    /// Recorded traces (plyscope attach --save FILE)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Only this search of each file, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    search: Option<u32>,

    /// Put plyscope's own search of the same position beside it: alpha-beta or mcts, or this algorithm, with as many nodes or
    /// simulations (at most 1M or 50k)
    #[arg(long, value_name = "ALGORITHM", num_args = 0..=1, value_parser = algorithms())]
    beside: Option<Option<Algorithm>>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    show: ShowOptions,
}

/// Reads the traces and prints the figures.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut searches = Vec::new();
    for file in &arguments.files {
        read(file, arguments, &mut searches)?;
    }
    let mut out = output::stdout();
    if arguments.json {
        serde_json::to_writer(&mut out, &AuditJson::new(&searches))?;
        writeln!(out)?;
    } else {
        let style = Style {
            ascii: arguments.show.ascii,
        };
        for search in &searches {
            writeln!(out, "{}", style.apply(verdict(search)))?;
        }
        out.write_all(sheet(&searches).text(style).as_bytes())?;
    }
    out.flush()?;
    Ok(())
}

/// What plyscope's own search of the same position does.
fn own_search(
    recording: &Recording,
    counted: &Audit,
    algorithm: Option<Algorithm>,
    shown: &impl Display,
) -> Result<Audited, Failure> {
    let entry = games::trace::entry(recording.clone(), true);
    let subject = entry.subject();
    let Some(recorded) = entry.recorded.filter(|_| subject.position.has_moves()) else {
        let game = sanitise(&recording.header().game);
        return Err(Failure::Input(format!(
            "{shown}: --beside: found the game {}, expected one whose rules plyscope knows: chess, Go, Connect Four, tic-tac-toe",
            quote(&game)
        )));
    };
    let config = beside(&recorded, counted, algorithm);
    headless::catch_interrupt();
    let audit = session::audit(&subject, &config, headless::interrupted);
    Ok(Audited {
        name: config.name().to_owned(),
        audit: audit.map_err(|error| Failure::Input(error.to_string()))?,
    })
}

fn read(file: &Path, arguments: &Arguments, searches: &mut Vec<Audited>) -> Result<(), Failure> {
    let shown = file.display();
    let contents = Contents::of_file(file).map_err(|e| Failure::Input(format!("{shown}: {e}")))?;
    for trouble in contents.troubles.iter() {
        complain(&format!("{shown}: {trouble}"));
    }
    let several = contents.recordings.len() > 1;
    let name = match contents.header.engine.is_empty() {
        true => file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        false => sanitise(&contents.header.engine),
    };
    let before = searches.len();
    for recording in &contents.recordings {
        if arguments
            .search
            .is_some_and(|n| n != recording.search() + 1)
        {
            continue;
        }
        let name = match (several, recording.thread()) {
            (false, _) => name.clone(),
            (true, Some(thread)) if thread > 0 => {
                format!("{name} {}.{thread}", recording.search() + 1)
            }
            (true, _) => format!("{name} {}", recording.search() + 1),
        };
        let root = games::trace::root(recording);
        let audit = Audit::of(recording, root.position.as_chess());
        let own = match arguments.beside {
            None => None,
            Some(algorithm) => Some(own_search(recording, &audit, algorithm, &shown)?),
        };
        searches.push(Audited { name, audit });
        searches.extend(own);
    }
    if searches.len() == before {
        let found = contents
            .recordings
            .last()
            .map_or(0, |last| last.search() + 1);
        return Err(Failure::Input(format!(
            "{shown}: found {found} searches, expected {}",
            arguments
                .search
                .map_or_else(|| "one".to_owned(), |n| format!("a number {n}"))
        )));
    }
    Ok(())
}
