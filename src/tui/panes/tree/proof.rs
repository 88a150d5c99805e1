//! The tree as a proof: one move for the side that gets the result, and every reply of the other side.

use std::collections::HashMap;

use super::{Explorer, Filter, Row};
use session::{Claim, ProofSize, Reader};
use tree::{NodeId, Tree};

/// The nodes of a proof are counted up to this limit when it is shown, which takes some milliseconds.
const COUNTED: usize = 4_000;

/// The rows of a node's proof, and the path to it. They are found while the rows are built, so that the cost depends
/// only on what is shown.
pub(super) struct ProofRows {
    /// The path from the root to the proven node.
    way: Vec<NodeId>,
    /// What is to be proven of the nodes met so far.
    claims: HashMap<NodeId, Claim>,
}

impl ProofRows {
    /// Creates the rows of a node's proof; `None` if nothing is proven of the node.
    pub fn new(reader: Reader, top: NodeId) -> Option<ProofRows> {
        let claim = reader.claim(top)?;
        Some(ProofRows {
            way: reader.tree.path(top),
            claims: HashMap::from([(top, claim)]),
        })
    }

    /// Keeps those of a node's rows that belong to the proof. Returns how many do not.
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
    /// Shows the proof of the selected node's result, or of the nearest proven node above it, with its main line open.
    /// Returns the proven node and the size of the proof, counted up to some thousand nodes. `None` if nothing on the
    /// path to the root is proven.
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
