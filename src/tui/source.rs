//! Where the tree on the screen comes from: a search that runs, or a tree that was grown before.

use std::sync::Arc;

use crate::engine::breakpoint::Breakpoint;
use crate::engine::{Config, Reader, Session, Status};
use crate::game::{MoveCode, Subject};
use crate::search::Choices;
use crate::tree::{NodeId, Tree};
use crate::tui::debugger::model::{Log, News, Place, Standing, Step};

/// A tree to look at.
#[derive(Debug)]
pub enum Source {
    Live(Session),
    Still(Still),
}

/// A tree that nobody changes any more, with what is known of its search.
#[derive(Debug)]
pub struct Still {
    pub subject: Subject,
    pub config: Config,
    pub tree: Arc<Tree>,
    pub status: Status,
    /// The events up to where its search was held, if it was.
    pub record: Option<Record>,
}

/// What was recorded of a search that was held at an event.
#[derive(Debug)]
pub struct Record {
    pub log: Log,
    pub standing: Standing,
    pub place: Place,
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

    pub fn pause(&self) {
        if let Source::Live(s) = self {
            s.pause();
        }
    }

    pub fn resume(&self) {
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

    /// The event that the search is held at.
    #[must_use]
    pub fn standing(&self) -> Option<Standing> {
        match self {
            Source::Live(_) => None,
            Source::Still(s) => s.record.as_ref().map(|r| r.standing),
        }
    }

    /// Where in the search that is.
    #[must_use]
    pub fn place(&self) -> Place {
        match self {
            Source::Live(_) => Place::default(),
            Source::Still(s) => s.record.as_ref().map(|r| r.place).unwrap_or_default(),
        }
    }

    /// Reads the events that are known.
    pub fn with_log<R>(&self, read: impl FnOnce(&Log) -> R) -> Option<R> {
        match self {
            Source::Live(_) => None,
            Source::Still(s) => s.record.as_ref().map(|r| read(&r.log)),
        }
    }

    /// Whether it can be stepped through.
    #[must_use]
    pub fn is_live(&self) -> bool {
        matches!(self, Source::Live(_))
    }

    /// Whether something is under way that will make the search stand.
    #[must_use]
    pub fn is_stepping(&self) -> bool {
        false
    }

    pub fn step(&mut self, _step: Step, _times: u32) {}

    pub fn step_back(&mut self, _events: u64) {}

    pub fn go_to(&mut self, _event: u64) {}

    pub fn cancel(&mut self) {}

    /// Once every turn of the loop; what a person should be told.
    pub fn tend(&mut self) -> Vec<News> {
        Vec::new()
    }

    /// The breakpoints that are on, by their numbers.
    pub fn set_breakpoints(&mut self, _on: Vec<(usize, Breakpoint)>) {}

    pub fn search_more(&mut self, _node: NodeId, _nodes: u64) {}

    /// Takes moves out of the search at a node, or lets them back in.
    ///
    /// # Errors
    /// Why that can't be, in words.
    pub fn exclude(&mut self, _: NodeId, _: &[MoveCode], _out: bool) -> Result<(), String> {
        Ok(())
    }

    /// The moves taken out.
    #[must_use]
    pub fn choices(&self) -> Option<&Choices> {
        None
    }
}
