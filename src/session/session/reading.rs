//! Reads a session's tree.

use super::Session;
use crate::{GrownBy, Reader, Row, Subject, Summary};
use tree::NodeId;

impl Session {
    /// Returns the session's tree with its position, for reading.
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            tree: self.tree(),
            subject: self.subject(),
            searcher: GrownBy::Own(self.config().algorithm, &self.config().options),
        }
    }

    /// Returns all legal moves at a node; see [`Reader::rows`].
    pub fn rows(&self, parent: NodeId) -> Vec<Row> {
        self.reader().rows(parent)
    }

    /// Returns the position at a node with the game that led there.
    pub fn situation(&self, id: NodeId) -> Option<Subject> {
        self.reader().situation(id)
    }

    /// Returns the best line from a node on; see [`Reader::best_line`].
    pub fn best_line(&self, from: NodeId) -> Vec<NodeId> {
        self.reader().best_line(from)
    }

    /// Returns the present result; the search may continue.
    pub fn summary(&self) -> Summary {
        Summary {
            decision: self.decision(),
            ..self.reader().summary(self.status())
        }
    }
}
