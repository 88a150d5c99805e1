//! Filters of the rows.

use std::collections::HashMap;

use super::Row;
use crate::engine::Reader;
use crate::game::MoveCode;
use crate::tree::{DepthChange, FATE_FAMILIES, FATES, Family, Fate, NodeId};

/// A filter. A row is shown if it matches, or if a row below it does.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Filter {
    #[default]
    All,
    /// The search looked at it.
    Searched,
    /// The search decided to skip it: futility, cut-offs, losing captures.
    Pruned,
    /// Cut off: one of the remaining moves, which were not searched.
    Cut,
    /// The result is certain.
    Proven,
    /// The row belongs to the proof of one node's result: see [`super::Explorer::show_proof`].
    Proof,
    /// An audit found that the rule that pruned it was wrong.
    FailedAudit,
    /// Searched less or more deeply than one ply less than its parent.
    DepthChanged,
    /// Has one of these fates, one bit for each [`Fate::kind`].
    Fates {
        name: &'static str,
        summary: &'static str,
        bits: u32,
    },
    /// The move's name contains this text (case matters: `b4` is a pawn's move, `Bb4` a bishop's).
    Text(String),
}

/// The fates of moves without a node, which follow from their parents; computed once for all moves of a parent.
pub(super) type Implied = HashMap<NodeId, Vec<(MoveCode, Fate)>>;

impl Filter {
    /// Returns the filters that need no text: some broad ones, the families of fates, and each fate.
    pub fn choices() -> Vec<Filter> {
        let mut all = vec![
            Filter::All,
            Filter::Searched,
            Filter::Pruned,
            Filter::Cut,
            Filter::Proven,
            Filter::Proof,
            Filter::FailedAudit,
            Filter::DepthChanged,
        ];
        all.extend(FATE_FAMILIES.iter().map(|family| Filter::Fates {
            name: family.name,
            summary: family.summary,
            bits: family.bits(),
        }));
        all.extend(FATES.iter().enumerate().map(|(i, fate)| Filter::Fates {
            name: fate.name,
            summary: fate.summary,
            bits: 1 << i,
        }));
        all
    }

    pub fn name(&self) -> String {
        match self {
            Filter::All => "all".into(),
            Filter::Searched => "searched".into(),
            Filter::Pruned => "pruned".into(),
            Filter::Cut => "cut off".into(),
            Filter::Proven => "proven".into(),
            Filter::Proof => "the proof".into(),
            Filter::FailedAudit => "pruned, but it was best".into(),
            Filter::DepthChanged => "reduced or extended".into(),
            Filter::Fates { name, .. } => (*name).into(),
            Filter::Text(text) => format!("\"{text}\""),
        }
    }

    pub fn summary(&self) -> &'static str {
        match self {
            Filter::All => "every legal move",
            Filter::Searched => "what the search looked at",
            Filter::Pruned => "moves it decided not to search",
            Filter::Cut => "nodes where one move was enough",
            Filter::Proven => "certain wins, draws and losses",
            Filter::Proof => {
                "how the selected result is shown: one move for the winner, every reply to it"
            }
            Filter::FailedAudit => "an audit found the rule wrong; opens the way to them",
            Filter::DepthChanged => "searched less or more deeply than its siblings",
            Filter::Fates { summary, .. } => summary,
            Filter::Text(_) => "moves with this in their name",
        }
    }

    pub(super) fn fits(
        &self,
        reader: Reader,
        row: &Row,
        name: impl Fn() -> String,
        implied: &mut Implied,
    ) -> bool {
        let node = row.node;
        match self {
            // The rows of a proof are selected when the rows are built.
            Filter::All | Filter::Proof => true,
            Filter::Text(text) => name().contains(text.as_str()),
            Filter::Fates { bits, .. } => {
                let fate = if node.is_none() {
                    let all = implied
                        .entry(row.parent)
                        .or_insert_with(|| reader.fates(row.parent));
                    all.iter().find(|(code, _)| *code == row.code).map(|f| f.1)
                } else {
                    Some(reader.tree.node(node).fate())
                };
                fate.is_some_and(|fate| bits >> fate.kind() & 1 == 1)
            }
            // A legal move without a node was not looked at.
            _ if node.is_none() => *self == Filter::Pruned,
            Filter::Searched => {
                let n = reader.tree.node(node);
                let fate = n.fate();
                !fate.is_skip() && (n.visits() > 0 || !matches!(fate, Fate::Unvisited))
            }
            Filter::Pruned => reader.tree.node(node).fate().is_skip(),
            Filter::Cut => reader.tree.node(node).fate().is_cutoff(),
            Filter::Proven => reader.tree.node(node).proof().is_certain(),
            Filter::FailedAudit => reader.tree.has_failed_audit(node),
            Filter::DepthChanged => {
                let n = reader.tree.node(node);
                reader.tree.family() == Family::DepthFirst
                    && n.treatment().depth != DepthChange::None
                    && !n.fate().is_skip()
            }
        }
    }
}
