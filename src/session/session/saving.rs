//! Saving a session, and going on with a saved one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::Session;
use super::run::{KeptStart, Launch, Run, StartTree};
use super::stepping::{Change, Origin, StartCopy};
use crate::debug::checkpoint::Checkpoints;
use crate::debug::{News, OnlyShown, Order};
use crate::saved::{Course, Place, SavedOrigin, SavedSearch};
use crate::segment::Segment;
use crate::status::State;
use search::common::table::Tables;

/// Keeps a run where it is: neither orders nor its end reach its threads while there is another owner.
#[derive(Clone, Debug, Default)]
pub struct Hold(Arc<()>);

impl Hold {
    pub fn is_held(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Waits until nobody holds it any more.
    pub fn wait(&self) {
        while self.is_held() {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A session that is about to be saved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saving {
    /// Whether it was running, and goes on afterwards.
    goes_on: bool,
    /// Whether its state has been handed out.
    handed_out: bool,
}

impl Session {
    /// Returns the state of the search for a file, or `None` while its threads are still coming to rest: ask again
    /// soon, and [`Session::tend`] meanwhile. A running search pauses. It goes on by itself as soon as what was returned
    /// has been dropped; until then all else that is asked of it waits.
    ///
    /// A search by one thread does the same as if it had not been saved. Several threads finish what they are doing and
    /// begin anew on their tree.
    ///
    /// # Errors
    /// If the search of a leaf is shown, which has no tree of its own to go on with.
    pub fn snapshot(&mut self) -> Result<Option<SavedSearch>, News> {
        if self.leaf.is_some() {
            return Err(News::OnlyShown(OnlyShown::Leaf));
        }
        if self.saving.is_none() {
            self.begin_saving();
        }
        let repeatable = self.is_repeatable();
        let at_rest = match &self.change {
            Some(Change::Rewind { .. }) => false,
            Some(Change::Segment(_)) => self.run.has_ended(),
            None if repeatable || self.is_at_start() => {
                self.run.stands() || self.run.control.is_still()
            }
            None => self.run.has_ended(),
        };
        if !at_rest {
            return Ok(None);
        }
        self.finish_again();
        let search = self.state_at_rest(repeatable);
        if let (Some(saving), Some(_)) = (&mut self.saving, &search) {
            saving.handed_out = true;
        }
        Ok(search)
    }

    fn begin_saving(&mut self) {
        let goes_on = self.status().state == State::Running && !self.is_stepping();
        self.saving = Some(Saving {
            goes_on,
            handed_out: false,
        });
        let ended = self.run.control.ended().is_some();
        if ended || self.change.is_some() {
            return;
        }
        if self.is_repeatable() || self.is_at_start() {
            self.pause();
        } else {
            self.begin_again(!goes_on);
        }
    }

    /// Goes on as before the state was handed out, once it has been dropped.
    pub(super) fn finish_saving(&mut self) {
        let over = |saving: &Saving| saving.handed_out && !self.run.hold.is_held();
        let Some(saving) = self.saving.filter(over) else {
            return;
        };
        self.saving = None;
        self.run.carry_out();
        if saving.goes_on && self.change.is_none() && !self.run.stands() {
            self.resume();
        }
    }

    /// Whether what the search has done can be done again, from the point at which stepping back ends.
    fn is_repeatable(&self) -> bool {
        let begin = match &self.origin.copy {
            StartCopy::Empty => self.config.tables.is_none(),
            StartCopy::Kept(kept) => kept.get().is_some(),
            StartCopy::Lost => false,
        };
        begin && self.origin.segment.threads == 1 && self.run.segment.threads == 1
    }

    fn state_at_rest(&self, repeatable: bool) -> Option<SavedSearch> {
        let base = self.run.so_far();
        let course = match (self.run.control.ended(), self.run.shown()) {
            (Some(reason), _) if self.change.is_none() => Course::Ended(reason),
            (_, Some(place)) => Course::Again(place),
            _ if self.is_at_start() || !repeatable => Course::FromHere,
            _ if self.run.stands() => Course::Again(Place::Event(base.events)),
            _ => Course::Again(Place::Nodes(base.totals.nodes)),
        };
        let origin = match &self.origin.copy {
            _ if !repeatable => SavedOrigin::Lost,
            StartCopy::Empty => SavedOrigin::Empty(self.origin.segment.clone()),
            StartCopy::Kept(kept) => {
                let (tree, tables) = kept.get()?;
                let segment = self.origin.segment.clone();
                SavedOrigin::Kept(segment, Arc::clone(tree), Arc::clone(tables))
            }
            StartCopy::Lost => SavedOrigin::Lost,
        };
        let from_here = !matches!(course, Course::Again(_));
        let asks = self.config.algorithm.asks_tables(&self.config.options);
        let tables = (from_here && asks).then(|| Arc::clone(&self.run.tables));
        let status = self.status();
        Some(SavedSearch {
            subject: Arc::clone(&self.subject),
            config: Arc::clone(&self.config),
            probed: self.config.endgames.is_some(),
            tree: Arc::clone(self.run.tree()),
            tables,
            segment: Segment {
                start: self.run.next_start(),
                limits: self.limits_after(&base),
                base,
                ..self.run.segment.clone()
            },
            course,
            origin,
            furthest: self.furthest,
            pause_after: self.pause_after,
            points: self.progress(),
            audit: status.audit,
            _hold: Some(self.run.hold.clone()),
        })
    }

    /// Returns a session that shows what was saved and waits. It goes on as it would have gone on when it was saved;
    /// for that a search by one thread is run again to that place first. Another program's search is read again at once.
    pub fn restore(saved: SavedSearch) -> Session {
        let told = saved.config.recorded.is_some();
        let SavedSearch {
            subject,
            config,
            tree,
            segment,
            course,
            origin,
            ..
        } = saved;
        let tables = saved.tables;
        let tables = tables.unwrap_or_else(|| Arc::new(Tables::new(config.table_bytes())));
        let checkpoints = Arc::new(Mutex::new(Checkpoints::new(config.memory)));
        let kept = |tree, tables| {
            let kept = KeptStart::default();
            kept.get_or_init(|| (tree, tables));
            StartCopy::Kept(kept)
        };
        let origin = match origin {
            SavedOrigin::Empty(segment) => Origin {
                segment,
                copy: StartCopy::Empty,
            },
            SavedOrigin::Kept(segment, tree, tables) => Origin {
                segment,
                copy: kept(tree, tables),
            },
            SavedOrigin::Lost => Origin {
                segment: segment.clone(),
                copy: StartCopy::Lost,
            },
        };
        let (order, paused, pause_at) = match course {
            Course::Again(place) if told => place.orders(&segment.base),
            Course::Ended(_) if told => (Order::Free, false, None),
            _ => (Order::Free, true, None),
        };
        let launch = Launch {
            segment,
            tree: StartTree::Here(tree),
            tables,
            order,
            paused,
            pause_at,
            keep: None,
            leaf: None,
        };
        let run = match course {
            _ if told => Run::launch(&subject, &config, &checkpoints, launch),
            Course::FromHere => Run::launch(&subject, &config, &checkpoints, launch),
            Course::Again(place) => Run::shown_at(&subject, &config, &checkpoints, launch, place),
            Course::Ended(reason) => Run::ended(&subject, &config, &checkpoints, launch, reason),
        };
        if let Some(rows) = &saved.audit {
            run.control.audit_table().add_rows(rows);
        }
        let mut session = Session::of_run(subject, config, run, origin, checkpoints);
        session.pause_after = saved.pause_after;
        session.furthest = saved.furthest;
        session.earlier = saved.points;
        session.decision_told = true;
        session.plan_pause();
        session
    }

    /// Whether the session shows a saved state and has to be run again to it before it goes on.
    pub(super) fn is_shown(&self) -> bool {
        self.run.shown().is_some()
    }
}
