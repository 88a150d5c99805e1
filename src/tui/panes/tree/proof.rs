//! The tree as a proof: one move for the side that gets its result, against it every reply.

use std::collections::HashMap;

use super::{Explorer, Filter, Row};
use crate::engine::{Claim, ProofSize, Reader};
use crate::tree::{NodeId, Tree};

/// A proof's nodes are counted up to here when it is shown: that takes some milliseconds.
const COUNTED: usize = 4_000;

/// The rows of a node's proof, and the way to it: found as the rows are made, so that it costs what is shown.
pub(super) struct ProofRows {
    /// From the root to the proven node.
    way: Vec<NodeId>,
    /// What is to be shown of the nodes met so far.
    claims: HashMap<NodeId, Claim>,
}

impl ProofRows {
    /// `None` where nothing is proven of the node.
    pub fn new(reader: Reader, top: NodeId) -> Option<ProofRows> {
        let claim = reader.claim(top)?;
        Some(ProofRows {
            way: reader.tree.path(top),
            claims: HashMap::from([(top, claim)]),
        })
    }

    /// Leaves of a node's rows those that belong to the proof. Answers how many do not.
    pub fn keep(&mut self, reader: Reader, parent: NodeId, rows: &mut Vec<(f64, Row)>) -> usize {
        let before = rows.len();
        if let Some(&claim) = self.claims.get(&parent) {
            let proving: HashMap<_, _> = reader.proving(parent, claim).into_iter().collect();
            rows.retain(|(_, row)| proving.contains_key(&row.node));
            self.claims.extend(proving);
        } else {
            let next = self.way.iter().skip_while(|&&id| id != parent).nth(1);
            rows.retain(|(_, row)| Some(&row.node) == next);
        }
        before - rows.len()
    }
}

impl Explorer {
    /// Shows the proof of the selected node's result, or of the nearest node above it that has one, with its main line open.
    /// Answers the proven node, and how much the proof takes, counted up to some thousand nodes. `None` where nothing
    /// on the way to the root is proven.
    pub fn show_proof(&mut self, reader: Reader) -> Option<(NodeId, ProofSize)> {
        let selected = self.selected_row().map(|row| {
            if row.node.is_none() {
                row.parent
            } else {
                row.node
            }
        });
        let way = reader.tree.path(selected.unwrap_or(Tree::ROOT));
        let proven = |&&id: &&NodeId| reader.claim(id).is_some();
        let top = *way.iter().rev().find(proven)?;
        self.proof = top;
        self.set_filter(Filter::Proof);
        for &ancestor in &way {
            self.open_node(reader, ancestor);
        }
        let mut at = Some((top, reader.claim(top)?));
        while let Some((id, claim)) = at {
            self.open_node(reader, id);
            at = reader.proving(id, claim).into_iter().next();
        }
        self.reveal(reader, top);
        Some((top, reader.proof_size(top, COUNTED)?))
    }
}
