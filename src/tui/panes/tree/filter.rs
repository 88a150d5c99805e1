//! Filters of the rows.

use std::collections::HashMap;

use super::Row;
use game::MoveCode;
use session::{Reader, Wanted};
use tree::{FATE_FAMILIES, Fate, NodeId, ReasonId, named_fates};

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
    /// Its value changed since the search last stopped; only for finding.
    Changed,
    /// Has one of these fates, one bit for each [`Fate::kind`].
    Fates {
        name: &'static str,
        summary: &'static str,
        bits: u32,
    },
    /// Its value does not follow from its moves.
    Unexplained,
    /// The rules do not have its move.
    Illegal,
    /// It is the same position as the selected row; only for finding.
    SamePosition,
    /// Has the reason of this name that another program declared.
    Declared {
        name: &'static str,
        summary: &'static str,
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
            Filter::Unexplained,
            Filter::Illegal,
        ];
        all.extend(FATE_FAMILIES.iter().map(|family| Filter::Fates {
            name: family.name,
            summary: family.summary,
            bits: family.bits(),
        }));
        all.extend(named_fates().map(|(i, fate)| Filter::Fates {
            name: fate.name,
            summary: fate.summary,
            bits: 1 << i,
        }));
        let declared = ReasonId::all().map(|(_, reason)| reason);
        let further = declared.filter(|reason| reason.own.is_none());
        all.extend(further.map(|reason| Filter::Declared {
            name: reason.info.name,
            summary: reason.info.summary,
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
            Filter::Changed => "changed value".into(),
            Filter::Unexplained => "unexplained".into(),
            Filter::Illegal => "illegal".into(),
            Filter::SamePosition => "same position".into(),
            Filter::Fates { name, .. } | Filter::Declared { name, .. } => (*name).into(),
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
            Filter::Changed => "its value is not what it was when the search last stopped (s, r)",
            Filter::Fates { summary, .. } | Filter::Declared { summary, .. } => summary,
            Filter::Unexplained => "another program's value that its moves do not give",
            Filter::Illegal => "another program's moves that the rules do not have",
            Filter::SamePosition => {
                "the selected position at its other places: by the key that the program told, or by the rules"
            }
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
        let wanted = match self.wanted() {
            Some(wanted) => wanted,
            None => {
                return match self {
                    Filter::Text(text) => name().contains(text.as_str()),
                    // The rows of a proof are selected when the rows are built.
                    _ => true,
                };
            }
        };
        if !row.node.is_none() {
            return wanted.fits(reader, row.node);
        }
        wanted.fits_withheld(|| {
            let all = implied
                .entry(row.parent)
                .or_insert_with(|| reader.fates(row.parent));
            all.iter().find(|(code, _)| *code == row.code).map(|f| f.1)
        })
    }

    /// Returns the kind of nodes that it shows; `None` if it does not go by the nodes.
    pub fn wanted(&self) -> Option<Wanted> {
        Some(match self {
            Filter::All
            | Filter::Proof
            | Filter::Text(_)
            | Filter::Changed
            | Filter::SamePosition => return None,
            Filter::Searched => Wanted::Searched,
            Filter::Pruned => Wanted::Pruned,
            Filter::Cut => Wanted::Cut,
            Filter::Proven => Wanted::Proven,
            Filter::FailedAudit => Wanted::FailedAudit,
            Filter::DepthChanged => Wanted::DepthChanged,
            Filter::Unexplained => Wanted::Unexplained,
            Filter::Illegal => Wanted::Illegal,
            Filter::Declared { name, .. } => Wanted::Declared(name),
            Filter::Fates { bits, .. } => Wanted::Fates(*bits),
        })
    }

    /// Returns what can be looked for in the whole tree.
    pub fn findable() -> Vec<Filter> {
        let mut all = Filter::choices();
        all.retain(|filter| filter.wanted().is_some());
        all.splice(0..0, [Filter::Changed, Filter::SamePosition]);
        all
    }

    /// Returns the choice that is written like this, with or without `on` before it as in a breakpoint.
    pub fn named(choices: &[Filter], text: &str) -> Option<usize> {
        let text = text.trim();
        let name = text.strip_prefix("on ").unwrap_or(text).trim();
        choices
            .iter()
            .position(|filter| filter.name().eq_ignore_ascii_case(name))
    }
}
