//! Searches a node again whose subtree was not recorded, for a user who opens it.

use std::sync::PoisonError;
use std::time::Duration;

use super::Session;
use crate::job_inputs::JobInputs;
use crate::threads::spawn;
use search::common::table::Tables;
use search::{Choices, Control, EndEarly, Limits, Start};
use tree::{Fate, NodeId};

/// As much as the user can look at.
const LIMITS: Limits = Limits {
    nodes: Some(200_000),
    time: Some(Duration::from_millis(200)),
    cpu: None,
    depth: None,
    soft: None,
    playouts: None,
    early: EndEarly::Never,
};

/// The bytes of its own table, with room for twice the entries that it can make. It has its own because what it finds
/// must not change what the search itself does next.
const TABLE: u64 = 8 << 20;

impl Session {
    /// Whether the moves below a node were searched without being recorded: below a table hit, or because the tree's
    /// budget was used up. [`Session::search_again`] can then show them.
    pub fn can_search_again(&self, node: NodeId) -> bool {
        let view = self.tree().view(node);
        let searched = view.window.is_some_and(|w| w.depth > 0)
            && matches!(
                view.fate,
                Fate::TableHit { .. } | Fate::Expanded { .. } | Fate::BetaCutoff { .. }
            );
        self.config().algorithm.searches_again() && searched && view.children == 0
    }

    fn is_root_in_tables(&self) -> bool {
        let inputs = self.run.job_inputs();
        inputs.with_job(Start::default(), self.choices(), |job| {
            job.is_root_in_tables()
        })
    }

    /// Searches a node again in the background, with its recorded window and depth, and records what is below it,
    /// marked as a re-search ([`tree::NodeView::again`]). The search itself pauses meanwhile, for at most about
    /// 0.2 s. Does nothing if [`Session::can_search_again`] returns false.
    pub fn search_again(&self, node: NodeId) {
        if !self.can_search_again(node) {
            return;
        }
        let Some(subject) = self.reader().situation(node) else {
            return;
        };
        let mut config = self.config().clone();
        if config.endgames.is_some() && self.is_root_in_tables() {
            // Such a search does not probe the tables away from the root.
            config.endgames = None;
        }
        let (tree, control) = (self.tree().clone(), self.control().clone());
        let thread = spawn(String::from("search-again"), move || {
            let resume = !control.is_paused();
            control.pause();
            while !control.is_still() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let inputs = JobInputs {
                subject: &subject,
                config: &config,
                tree: &tree,
                tables: &Tables::new(TABLE),
                control: &Control::new(LIMITS, 1),
            };
            inputs.with_job(Start::default(), &Choices::default(), |job| {
                job.search_again(node);
            });
            if resume {
                control.resume();
            }
        });
        // Without a thread there is no re-search, but nothing else is lost.
        if let Ok(thread) = thread {
            let mut again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
            again.retain(|t| !t.is_finished());
            again.push(thread);
        }
    }
}
