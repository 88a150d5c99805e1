//! A tree as a whole document, in any of its formats.

use schemars::JsonSchema;
use serde::Serialize;

use super::{About, Extent, NodeJson, Selection};
use crate::json::{VERSION, Version, edges};
use crate::lens::Lens;
use crate::number;
use crate::text::Style;
use game::Game as _;
use games::go::SGF;
use session::Session;
use tree::NodeId;

/// How a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Nested objects with all figures.
    Json,
    /// Indented lines.
    Text,
    /// A graph for Graphviz.
    Dot,
    /// A drawing.
    Svg,
    /// A page that opens and closes, without scripts.
    Html,
    /// A game whose variations are the rows (chess).
    Pgn,
    /// The same (Go).
    Sgf,
}

impl Format {
    /// Every format by its name.
    pub const ALL: [(&'static str, Format); 7] = [
        ("json", Format::Json),
        ("text", Format::Text),
        ("dot", Format::Dot),
        ("svg", Format::Svg),
        ("html", Format::Html),
        ("pgn", Format::Pgn),
        ("sgf", Format::Sgf),
    ];

    /// What is said where [`Export::document`] has nothing: the format is one of a game, and the position of another.
    pub fn other_game(self) -> &'static str {
        match self {
            Format::Sgf => "found another game, expected a position of Go",
            _ => "found another game, expected a chess position",
        }
    }
}

/// Which part of a session's tree is written, and what it is called.
#[derive(Clone, Debug)]
pub struct Export<'a> {
    pub session: &'a Session,
    /// The title of the position in its file.
    pub title: Option<&'a str>,
    /// The file of the position, if it was opened from one.
    pub file: Option<&'a str>,
    /// The node to begin at, and the moves to it as they were given.
    pub from: NodeId,
    pub after: &'a str,
    pub extent: Extent,
    pub style: Style,
    /// The unit and the view of everything but JSON, which has them in its fields.
    pub lens: Lens,
    /// JSON: writes the whole belief of every node.
    pub beliefs: bool,
}

/// The part of a search tree with the most nodes.
#[derive(Serialize, JsonSchema, Debug)]
pub struct TreeJson<'a> {
    version: Version,
    /// The name of the algorithm.
    algorithm: String,
    /// The title of the position in its file, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    /// The root of the search; null for a toy tree.
    fen: Option<String>,
    /// The moves from the root to the first node written, as given to --from; empty for the root.
    from: &'a str,
    /// The number of nodes written, without the first.
    written: usize,
    /// The number of moves of the first node for which there was no room.
    left_out: usize,
    /// The number of nodes in the tree.
    tree_nodes: u32,
    /// With --beliefs: the edges of the bins of all beliefs in expected score, one more than a belief has values; null
    /// otherwise.
    #[schemars(inner(range(min = -1, max = 1)))]
    edges: Option<Vec<f32>>,
    /// The first node.
    root: NodeJson,
}

impl Export<'_> {
    /// Returns the document, or `None` if a tree is to be written as a game of another kind than its own.
    ///
    /// # Errors
    /// If the numbers can't be written as JSON, which does not happen.
    pub fn document(&self, format: Format) -> serde_json::Result<Option<String>> {
        let reader = self.session.reader();
        let selection = Selection::new(&reader, self.from, self.extent);
        let name = self.session.config().name();
        Ok(match format {
            Format::Text => Some(super::text(&reader, &selection, self.lens, self.style)),
            Format::Json => {
                let json = TreeJson {
                    version: VERSION,
                    algorithm: name.to_owned(),
                    title: self.title,
                    fen: self.session.subject().position.fen(),
                    from: self.after,
                    written: selection.len(),
                    left_out: selection.left_out,
                    tree_nodes: self.session.tree().count(),
                    edges: self.beliefs.then(|| edges(self.session.tree().grid())),
                    root: super::json(&reader, &selection, self.beliefs),
                };
                Some(serde_json::to_string(&json)? + "\n")
            }
            Format::Dot | Format::Svg | Format::Html => {
                let items = super::items(&reader, &selection, self.lens);
                let title = self.heading();
                Some(match format {
                    Format::Dot => super::dot(&items, &title),
                    Format::Svg => super::svg(&reader, &items, self.lens, &title),
                    _ => super::page(
                        &reader,
                        &items,
                        &About {
                            title: &title,
                            position: reader
                                .situation(self.from)
                                .and_then(|at| at.position.notated())
                                .as_deref(),
                            command: &self.command(format),
                            lens: self.lens,
                        },
                    ),
                })
            }
            Format::Pgn => reader
                .situation(self.from)
                .and_then(|s| s.chess())
                .map(|at| {
                    let items = super::items(&reader, &selection, self.lens);
                    let values = self.lens.words_at(&reader);
                    super::pgn(&items, &at.position, name, &values)
                }),
            Format::Sgf => reader.situation(self.from).and_then(|at| {
                let items = super::items(&reader, &selection, self.lens);
                let values = self.lens.words_at(&reader);
                let game = super::recorded(&items, at.position.clone(), name, &values);
                SGF.write.and_then(|write| write(&game))
            }),
        })
    }

    /// The heading of a drawing.
    fn heading(&self) -> String {
        let title = self.title.filter(|t| !t.is_empty());
        let title = title.map_or_else(String::new, |t| format!("{t} · "));
        let from = match self.after {
            "" => String::new(),
            moves => format!(" · after {moves}"),
        };
        let algorithm = self.session.config().name();
        let nodes = number::count(self.session.tree().count().into());
        let values = self.lens.words_at(&self.session.reader());
        format!("{title}{algorithm} · tree of {nodes} nodes{from} · {values}")
    }
}
