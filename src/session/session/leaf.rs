//! The search of a leaf, shown as a session of its own.

use std::sync::Arc;

use super::Session;
use super::stepping::StartCopy;
use crate::Subject;
use crate::config::Config;
use crate::job_inputs::{JobInputs, new_tree};
use crate::segment::Segment;
use algorithms::Algorithm;
use game::MoveCode;
use search::common::table::Tables;
use search::{Control, Limits, OpenedLeaf, Watched};
use tree::{Fate, NodeId, Tree};

/// The nodes that a search may have counted without having said so yet.
const LATE: u64 = 1024;

/// The leaf of another session's tree whose search is shown, with all that is needed to run that session's search
/// again up to it.
#[derive(Debug)]
pub struct LeafOrigin {
    config: Arc<Config>,
    segment: Segment,
    /// Tree and tables at the beginning of the segment; `None` where they were empty.
    begin: Option<(Arc<Tree>, Arc<Tables>)>,
    node: NodeId,
    parent: NodeId,
    way: Vec<MoveCode>,
    depth: u8,
    /// The last event of the segment that had happened, if that is known; else the limit of nodes ends the search.
    until: u64,
}

impl LeafOrigin {
    /// The configuration of the search that is shown.
    pub fn shown(&self) -> Config {
        let config = &self.config;
        Config {
            limits: Limits::default(),
            table: 0,
            memory: config.memory,
            seed: config.seed,
            cores: config.cores.clone(),
            endgames: config.endgames.clone(),
            ..Config::new(Algorithm::AlphaBeta)
        }
    }

    /// Runs the other search again up to the leaf, and then the leaf's own search in `tree`.
    pub fn search(&self, subject: &Subject, tree: &Tree, control: &Control, probe: Watched) {
        let goes_on = || control.stopped().is_none();
        let begin = match &self.begin {
            Some((tree, tables)) => tree.copy_while(goes_on).map(|tree| (tree, tables.copy())),
            None => Some((
                new_tree(subject, &self.config),
                Tables::new(self.config.table_bytes()),
            )),
        };
        let Some((grown, tables)) = begin else {
            return;
        };
        let inputs = JobInputs {
            subject,
            config: &self.config,
            tree: &grown,
            tables: &tables,
            control: &Control::new(self.segment.limits, 1),
        };
        let leaf = OpenedLeaf {
            node: self.node,
            parent: self.parent,
            way: &self.way,
            depth: self.depth,
            until: self.until,
            tree,
            control,
        };
        let Segment { start, choices, .. } = &self.segment;
        inputs.with_job(*start, choices, |job| job.open_leaf(&leaf, probe));
    }
}

/// Why the search of a leaf can't be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLeafSearch {
    #[error(
        "only leaves that are searched have a search to show: those of distress with leaf=search"
    )]
    NotSearched,
    #[error("nothing was searched there: choose a node below the root that was evaluated")]
    Unvisited,
    #[error("nothing was searched there: the game is over, or its result is known")]
    Over,
    #[error("what several threads did can't be run again: restart with one thread ([)")]
    NotRepeatable,
    #[error("the beginning of this search is not kept, so it can't be run again")]
    NoBeginning,
}

impl Session {
    /// Returns a session that shows how a leaf was searched when it was last visited: its tree has the same root, and
    /// of it the way to the leaf and what its alpha-beta recorded. To get there, this session's search is run again
    /// unseen, which takes as long as it took. A node that has been expanded since is shown as when it was a leaf.
    /// `paused`: it waits until it is stepped through or resumed.
    ///
    /// # Errors
    /// Where there is no such search, or it can't be run again.
    pub fn open_leaf(&self, node: NodeId, paused: bool) -> Result<Session, NoLeafSearch> {
        let origin = self.leaf_origin(node)?;
        let shown = origin.shown();
        let subject = Subject::clone(&self.subject);
        Ok(Self::launch(subject, shown, paused, None, Some(origin)))
    }

    pub fn leaf_origin(&self, node: NodeId) -> Result<LeafOrigin, NoLeafSearch> {
        let config = &self.config;
        if !config.algorithm.opens_leaves(&config.options) {
            return Err(NoLeafSearch::NotSearched);
        }
        if node.is_none() || node == Tree::ROOT || !self.tree().contains(node) {
            return Err(NoLeafSearch::Unvisited);
        }
        let (tree, found) = (self.tree(), self.tree().node(node));
        let visiting = match found.fate() {
            Fate::Unvisited | Fate::Excluded => return Err(NoLeafSearch::Unvisited),
            fate if fate.is_end() => return Err(NoLeafSearch::Over),
            // The search stands in the middle of a visit, which is a ply deeper than the one before.
            Fate::Interrupted => 1,
            _ => 0,
        };
        let segment = &self.origin.segment;
        if segment.threads > 1 {
            return Err(NoLeafSearch::NotRepeatable);
        }
        let begin = match &self.origin.copy {
            StartCopy::Empty if config.tables.is_none() => None,
            StartCopy::Kept(kept) => Some(kept.get().ok_or(NoLeafSearch::NoBeginning)?.clone()),
            StartCopy::Empty | StartCopy::Lost => return Err(NoLeafSearch::NoBeginning),
        };
        let mut limits = self.limits_again(segment);
        let until = match self.event_now() {
            Some(now) => now.saturating_sub(segment.base.events),
            None => {
                // Between two stops the events are not counted here, but the nodes are, a few of them late.
                let nodes = self.run.so_far().totals.nodes + LATE;
                let nodes = nodes.saturating_sub(segment.base.totals.nodes);
                limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
                u64::MAX
            }
        };
        Ok(LeafOrigin {
            config: Arc::clone(config),
            segment: Segment {
                limits,
                ..segment.clone()
            },
            begin,
            node,
            parent: found.parent(),
            way: tree.moves_to(node),
            depth: found.leaf_depth() + visiting,
            until,
        })
    }

    /// Returns the number of the last event, where it is known: at an event, at the beginning and at the end.
    fn event_now(&self) -> Option<u64> {
        let known = self.run.stands() || self.is_at_start();
        let state = self.run.gate.state();
        (known || state.ended).then_some(state.now)
    }

    /// Returns the moves from the root to the leaf whose search this session shows; `None` for a search of its own.
    pub fn way_to_leaf(&self) -> Option<&[MoveCode]> {
        Some(&self.leaf.as_ref()?.way)
    }
}
