//! What a session's tree says.

use super::Session;
use crate::engine::{GrownBy, Reader, Row, Subject, Summary};
use crate::tree::NodeId;

impl Session {
    /// The session's tree with its position, for reading.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            tree: self.tree(),
            subject: self.subject(),
            searcher: GrownBy::Own(self.config().algorithm, &self.config().options),
        }
    }

    /// All legal moves at a node: see [`Reader::rows`].
    #[must_use]
    pub fn rows(&self, parent: NodeId) -> Vec<Row> {
        self.reader().rows(parent)
    }

    /// The position at a node with the game that led there.
    #[must_use]
    pub fn situation(&self, id: NodeId) -> Option<Subject> {
        self.reader().situation(id)
    }

    /// The best line from a node on: see [`Reader::best_line`].
    #[must_use]
    pub fn best_line(&self, from: NodeId) -> Vec<NodeId> {
        self.reader().best_line(from)
    }

    /// The result at this moment; the search may go on.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary {
            decision: self.decision(),
            ..self.reader().summary(self.status())
        }
    }
}
