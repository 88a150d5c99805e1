//! Which rows are shown.

use crate::engine::Reader;
use crate::tree::{Fate, NodeId};

/// A row is shown if it fits, or if a row below it does.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Filter {
    #[default]
    All,
    /// Looked at by the search.
    Searched,
    /// Decided not to be searched: futility, cut-offs, losing captures.
    Pruned,
    /// Cut off: remaining moves not searched.
    Cut,
    /// The result is certain.
    Proven,
    /// The move's name contains this (capitals matter: `b4` is a pawn's, `Bb4` a bishop's).
    Text(String),
}

impl Filter {
    /// Those without a text of their own.
    pub const FIXED: [Filter; 5] = [
        Filter::All,
        Filter::Searched,
        Filter::Pruned,
        Filter::Cut,
        Filter::Proven,
    ];

    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Filter::All => "all".into(),
            Filter::Searched => "searched".into(),
            Filter::Pruned => "pruned".into(),
            Filter::Cut => "cut off".into(),
            Filter::Proven => "proven".into(),
            Filter::Text(text) => format!("\"{text}\""),
        }
    }

    #[must_use]
    pub fn summary(&self) -> &'static str {
        match self {
            Filter::All => "every legal move",
            Filter::Searched => "what the search looked at",
            Filter::Pruned => "moves it decided not to search",
            Filter::Cut => "nodes where one move was enough",
            Filter::Proven => "certain wins, draws and losses",
            Filter::Text(_) => "moves with this in their name",
        }
    }

    pub(super) fn fits(&self, reader: Reader, node: NodeId, name: impl Fn() -> String) -> bool {
        match self {
            Filter::All => true,
            Filter::Text(text) => name().contains(text.as_str()),
            // A legal move without a node is one that was not looked at.
            _ if node.is_none() => *self == Filter::Pruned,
            Filter::Searched => {
                let n = reader.tree.node(node);
                let fate = n.fate();
                !fate.is_skip() && (n.visits() > 0 || !matches!(fate, Fate::Unvisited))
            }
            Filter::Pruned => reader.tree.node(node).fate().is_skip(),
            Filter::Cut => reader.tree.node(node).fate().is_cutoff(),
            Filter::Proven => reader.tree.node(node).proof().is_certain(),
        }
    }
}
