//! The source of the tree on the screen: a search that runs, or a finished tree.

use std::sync::Arc;

use external::Told;
use search::Choices;
use session::debug::{EventPosition, Log, Standing};
use session::{Config, GrownBy, Reader, Session, Status, Subject};
use tree::{NodeId, Tree};

/// A tree to look at.
#[derive(Debug)]
pub enum Source {
    Live(Box<Session>),
    Still(Box<Still>),
    /// What an external engine tells, with the configuration of searches that are begun beside it.
    Told(Box<Told>, Box<Config>),
}

/// A tree that no longer changes, with what is known of its search.
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
    pub place: EventPosition,
}

/// A tree that may be read on another thread while the search goes on.
#[derive(Debug)]
pub enum Owned {
    Own {
        tree: Arc<Tree>,
        subject: Box<Subject>,
        config: Box<Config>,
    },
    Told(Told),
}

impl Owned {
    pub fn reader(&self) -> Reader<'_> {
        match self {
            Owned::Own {
                tree,
                subject,
                config,
            } => Reader {
                tree,
                subject,
                searcher: GrownBy::Own(config.algorithm, &config.options),
            },
            Owned::Told(told) => told.reader(),
        }
    }
}

impl Source {
    pub fn reader(&self) -> Reader<'_> {
        match self {
            Source::Live(s) => s.reader(),
            Source::Still(s) => Reader {
                tree: &s.tree,
                subject: &s.subject,
                searcher: GrownBy::Own(s.config.algorithm, &s.config.options),
            },
            Source::Told(told, _) => told.reader(),
        }
    }

    /// Returns the tree with what its reader needs, for another thread.
    pub fn owned(&self) -> Owned {
        match self {
            Source::Live(s) => Owned::Own {
                tree: Arc::clone(s.tree()),
                subject: Box::new(s.subject().clone()),
                config: Box::new(s.config().clone()),
            },
            Source::Still(s) => Owned::Own {
                tree: Arc::clone(&s.tree),
                subject: Box::new(s.subject.clone()),
                config: Box::new(s.config.clone()),
            },
            Source::Told(told, _) => Owned::Told((**told).clone()),
        }
    }

    /// Returns the configuration of the search, or that of searches that are begun beside it.
    pub fn config(&self) -> &Config {
        match self {
            Source::Live(s) => s.config(),
            Source::Still(s) => &s.config,
            Source::Told(_, config) => config,
        }
    }

    /// Returns the seed of the search.
    pub fn seed(&self) -> u64 {
        match self {
            Source::Live(s) => s.config().seed,
            Source::Still(s) => s.config.seed,
            Source::Told(_, config) => config.seed,
        }
    }

    pub fn status(&self) -> Status {
        match self {
            Source::Live(s) => s.status(),
            Source::Still(s) => s.status.clone(),
            Source::Told(told, _) => told.status(),
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

    /// Returns the number of nodes at which the search pauses, if it does.
    pub fn pause_after(&self) -> Option<u64> {
        self.live().and_then(Session::pause_after)
    }

    /// Whether the search has paused because it has counted as many nodes as it was to.
    pub fn has_reached_goal(&self) -> bool {
        self.live().is_some_and(Session::has_reached_goal)
    }

    /// Asks the search to end, without waiting.
    pub fn stop(&self) {
        if let Source::Live(s) = self {
            s.stop();
        }
    }

    /// Whether a node's moves were searched without being recorded, so that they can be searched again.
    pub fn can_search_again(&self, node: NodeId) -> bool {
        match self {
            Source::Live(s) => !node.is_none() && s.can_search_again(node),
            Source::Still(_) | Source::Told(..) => false,
        }
    }

    /// Searches such a node again in the background.
    pub fn search_again(&self, node: NodeId) {
        if let Source::Live(s) = self {
            s.search_again(node);
        }
    }

    /// Returns the size of the tree in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Source::Live(s) => s.tree().bytes(),
            Source::Still(s) => s.tree.bytes(),
            Source::Told(told, _) => told.reader().tree.bytes(),
        }
    }

    /// Returns the event that the search is held at.
    pub fn standing(&self) -> Option<Standing> {
        match self {
            Source::Live(s) => s.standing(),
            Source::Still(s) => s.record.as_ref().map(|r| r.standing.clone()),
            Source::Told(..) => None,
        }
    }

    /// Returns the place of that event in the search.
    pub fn place(&self) -> EventPosition {
        match self {
            Source::Live(s) => s.event_position(),
            Source::Still(s) => s.record.as_ref().map(|r| r.place).unwrap_or_default(),
            Source::Told(..) => EventPosition::default(),
        }
    }

    /// Reads the events that are known.
    pub fn with_log<R>(&self, read: impl FnOnce(&Log) -> R) -> Option<R> {
        match self {
            Source::Live(s) => Some(s.with_log(read)),
            Source::Still(s) => s.record.as_ref().map(|r| read(&r.log)),
            Source::Told(..) => None,
        }
    }

    /// Whether something is under way that will stop the search at an event.
    pub fn is_stepping(&self) -> bool {
        self.live().is_some_and(Session::is_stepping)
    }

    /// Returns the session, if there is one.
    pub fn live(&self) -> Option<&Session> {
        match self {
            Source::Live(s) => Some(s),
            Source::Still(_) | Source::Told(..) => None,
        }
    }

    /// Returns the session, if there is one, to act on the search.
    pub fn live_mut(&mut self) -> Option<&mut Session> {
        match self {
            Source::Live(s) => Some(s),
            Source::Still(_) | Source::Told(..) => None,
        }
    }

    /// Returns the moves that are taken out of the search.
    pub fn choices(&self) -> Option<&Choices> {
        self.live().map(Session::choices)
    }
}
