//! `plyscope tree`: searches, then writes the tree.

use std::io::Write;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::input::{Inputs, OfGames};
use super::options::{InputOptions, SearchOptions, ShowOptions};
use super::{Failure, headless};
use crate::report::json::VERSION;
use crate::report::text::Style;
use crate::report::tree::{self, Extent, NodeJson, Selection};
use crate::tree::Tree;

/// What ends a search that was given no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// Search one position and write the tree that the search grew.
///
/// Nodes are written by importance: those with the most nodes searched below them are opened first, until
/// --max-nodes rows are there. Every row says why the node is as it is; figures are from the side that plays the move.
/// Without any limit the search takes 2 seconds.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope tree --depth 4 --format text --max-nodes 100
  plyscope tree -a distress --nodes 50k --from \"e4 e5\" --format json > tree.json")]
pub struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    show: ShowOptions,

    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// At most this many nodes
    #[arg(long, value_name = "N", default_value_t = 500)]
    max_nodes: usize,

    /// At most this many plies
    #[arg(long, value_name = "N", default_value_t = 64)]
    max_ply: u16,

    /// Begin at the node that these moves lead to ("e4 e5")
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    from: String,

    /// Which position of a game: after so many half moves [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Nested objects with every figure
    Json,
    /// Indented lines
    Text,
}

#[derive(Serialize)]
struct TreeJson<'a> {
    version: u32,
    algorithm: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    fen: Option<String>,
    from: &'a str,
    /// Rows written.
    written: usize,
    /// Nodes in the tree.
    tree_nodes: u32,
    root: NodeJson,
}

/// Searches and writes.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = arguments.search.limited(DEFAULT_TIME)?;
    let ply = OfGames::Ply(arguments.ply.unwrap_or(u32::MAX));
    let input = Inputs::gather(&arguments.input, ply)?.single()?;
    headless::catch_interrupt();
    let session = headless::search(input.subject, config);
    let reader = session.reader();
    let from = reader
        .follow(Tree::ROOT, &arguments.from)
        .map_err(|e| Failure::Input(format!("--from: {e}")))?;
    let extent = Extent {
        max_nodes: arguments.max_nodes,
        max_ply: arguments.max_ply,
    };
    let selection = Selection::new(&reader, from, extent);
    let mut out = std::io::stdout().lock();
    match arguments.format {
        Format::Text => {
            let style = Style {
                ascii: arguments.show.ascii,
            };
            out.write_all(tree::text(&reader, &selection, style).as_bytes())?;
        }
        Format::Json => {
            let json = TreeJson {
                version: VERSION,
                algorithm: session.config().algorithm.name(),
                title: input.title,
                fen: session.summary().fen,
                from: &arguments.from,
                written: selection.len(),
                tree_nodes: session.tree().len(),
                root: tree::json(&reader, &selection),
            };
            serde_json::to_writer(&mut out, &json)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(())
}
