//! Follows the game: a search begins with what another one left below the new position.

use std::sync::Arc;

use super::Session;
use super::run::KeptStart;
use super::stepping::{Origin, StartCopy};
use crate::Subject;
use crate::config::Config;
use crate::job_inputs::JobInputs;
use crate::line::best_move;
use crate::segment::Segment;
use crate::threads::spawn;
use game::MoveCode;
use search::{Reuse, Start};
use tree::Tree;

/// How a session that follows another one begins.
#[derive(Clone, Debug, Default)]
pub struct Next {
    /// Whether its threads wait until [`Session::resume`].
    pub paused: bool,
    /// Whether the user will want to step back to its beginning: a copy of its initial state is then kept, if that is
    /// quick.
    pub steps_back: bool,
    /// Root moves to leave out; all are searched if none would be left. Only if the session is not paused.
    pub without: Vec<MoveCode>,
}

/// The size in bytes of a tree that can be copied at the beginning of a search in about 30 ms.
const QUICK: u64 = 64 << 20;
/// The size in bytes from which memory is released in the background.
const LARGE: u64 = 1 << 20;

impl Session {
    /// Starts a search of `subject`, ending the one of `old`. If the game went on from there by moves that are in its
    /// tree, and nothing but the limits and the number of threads differs, the new search begins with what the old one
    /// knows about the new position ([`algorithms::move_on`]); its limits count only what is new. Otherwise it
    /// begins afresh.
    ///
    /// The time this takes does not depend on the size of the tree. Once the memory budget is used up, new nodes reuse
    /// the places of those that were left behind.
    pub fn start_after(
        mut old: Session,
        subject: Subject,
        config: Config,
        next: Next,
    ) -> (Session, Option<Reuse>) {
        let found = old.hand_over(&subject, &config, next.steps_back);
        let tree_kept = found.is_some();
        let (left, reuse) = found.unzip();
        give_back(old, tree_kept);
        let paused = next.paused || !next.without.is_empty();
        let mut session = Session::launch(subject, config, paused, left, None);
        if !next.paused && !next.without.is_empty() {
            session = session.without(&next.without);
        }
        (session, reuse)
    }

    /// Whether a search like this one could begin on its tree if the game moves on.
    pub fn can_be_followed(&self) -> bool {
        self.config.algorithm.reuses_tree(&self.config.options)
    }

    /// Ends the search and moves the root of its tree. Returns `None` if there is nothing to begin with.
    fn hand_over(
        &mut self,
        subject: &Subject,
        config: &Config,
        steps_back: bool,
    ) -> Option<((Arc<Tree>, Origin), Reuse)> {
        self.stop();
        let follows = self.can_be_followed() && config.can_follow(&self.config);
        if !follows || self.change.is_some() {
            return None;
        }
        let moves = subject.moves_since(&self.subject)?;
        self.join();
        self.finish_again();
        if self.fault().is_some() {
            return None;
        }
        let tree = Arc::clone(self.tree());
        let choices = Arc::clone(&self.run.segment.choices);
        let tables = Arc::clone(&self.run.tables);
        let inputs = JobInputs {
            subject,
            config,
            tree: &tree,
            tables: &tables,
            control: &self.run.control,
        };
        let reuse = inputs.with_job(Start::default(), &choices, |job| job.move_on(&moves))?;
        let root = tree.node(Tree::ROOT);
        let start = Start {
            best: best_move(Some(config.algorithm), &tree, Tree::ROOT).unwrap_or(MoveCode::NONE),
            score: tree.scale().score(root.expected()),
            ..Start::default()
        };
        let quick = steps_back && config.threads == 1 && tree.bytes() <= QUICK;
        let copy = if quick && tree.bytes() * 2 <= config.memory {
            StartCopy::Kept(KeptStart::default())
        } else {
            StartCopy::Lost
        };
        let segment = Segment {
            start,
            choices: Arc::new(choices.moved_on(&tree, reuse.place)),
            ..Segment::whole(config)
        };
        Some(((tree, Origin { segment, copy }), reuse))
    }
}

/// Releases a search that has ended in the background, because nothing waits for its memory; its tree may live on.
fn give_back(old: Session, tree_kept: bool) {
    let tree = if tree_kept {
        0
    } else {
        old.status().tree_bytes
    };
    if tree + old.bytes_of_copies() >= LARGE {
        let _ = spawn(String::from("give back"), move || drop(old));
    }
}
