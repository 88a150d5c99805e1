//! Where the tree on the screen comes from: a search that runs, or a tree that was grown before.

use std::sync::Arc;

use crate::engine::{Config, Reader, Session, Status};
use crate::game::Subject;
use crate::tree::{NodeId, Tree};

/// A tree to look at.
#[derive(Debug)]
pub enum Source {
    Live(Box<Session>),
    Still(Box<Still>),
}

/// A tree that nobody changes any more, with what is known of its search.
#[derive(Debug)]
pub struct Still {
    pub subject: Subject,
    pub config: Config,
    pub tree: Arc<Tree>,
    pub status: Status,
}

impl Source {
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        match self {
            Source::Live(s) => s.reader(),
            Source::Still(s) => Reader {
                tree: &s.tree,
                subject: &s.subject,
                algorithm: s.config.algorithm,
                options: &s.config.options,
            },
        }
    }

    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Source::Live(s) => s.status(),
            Source::Still(s) => s.status.clone(),
        }
    }

    pub fn pause(&mut self) {
        if let Source::Live(s) = self {
            s.pause();
        }
    }

    pub fn resume(&mut self) {
        if let Source::Live(s) = self {
            s.resume();
        }
    }

    /// Asks a search to end; does not wait.
    pub fn stop(&self) {
        if let Source::Live(s) = self {
            s.stop();
        }
    }

    /// Whether a node's moves were searched without being recorded, so that they can be searched again.
    #[must_use]
    pub fn can_search_again(&self, node: NodeId) -> bool {
        match self {
            Source::Live(s) => !node.is_none() && s.can_search_again(node),
            Source::Still(_) => false,
        }
    }

    /// Searches such a node again in the background.
    pub fn search_again(&self, node: NodeId) {
        if let Source::Live(s) = self {
            s.search_again(node);
        }
    }

    /// Bytes of the tree.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Source::Live(s) => s.tree().bytes(),
            Source::Still(s) => s.tree.bytes(),
        }
    }
}
