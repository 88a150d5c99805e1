//! The search of one leaf once more, recorded: DISTRESS is run again up to it, so that tables and histories are what they
//! were.

use std::sync::{Arc, OnceLock};

use super::Distress;
use super::question::{LeafSearcher, ask};
use crate::leaf_value::RecordedLeafSearch;
use eval::Evaluator;
use game::{Footprint, Game, MoveCode, Score};
use search::common::context::Context;
use search::common::leaf::Leaf;
use search::{
    AfterEvent, Choices, Control, Event, Interrupt, Job, LeafVisit, OpenedLeaf, Probe, StopReason,
    Watched, Watcher, Worker,
};
use tree::{NodeId, Recorder, Tree};

/// Ends a search just before it searches a leaf.
struct UntilVisit<'a> {
    leaf: &'a OpenedLeaf<'a>,
    /// That of the search that is to end.
    control: &'a Control,
    visit: &'a OnceLock<LeafVisit>,
}

impl UntilVisit<'_> {
    fn end(&self) -> AfterEvent {
        self.control.stop(StopReason::User);
        AfterEvent::Hold
    }
}

impl Watcher for UntilVisit<'_> {
    fn event(&mut self, number: u64, _: Event) -> AfterEvent {
        if number > self.leaf.until || self.leaf.control.stopped().is_some() {
            return self.end();
        }
        AfterEvent::GoOn
    }

    fn leaf_visit(&mut self, visit: &LeafVisit) -> AfterEvent {
        let OpenedLeaf {
            node, parent, way, ..
        } = *self.leaf;
        let last = way.last().copied().unwrap_or(MoveCode::NONE);
        let is_it = match visit.m {
            MoveCode::NONE => visit.node == node,
            m => visit.node == parent && m == last,
        };
        if is_it && visit.depth == self.leaf.depth && self.visit.set(*visit).is_ok() {
            return self.end();
        }
        AfterEvent::GoOn
    }
}

/// Runs the search of one leaf again; see [`search::algorithm::Implementation::open_leaf`].
pub(super) fn open<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    leaf: &OpenedLeaf<'a>,
    probe: &'a mut P,
) {
    let visit = OnceLock::new();
    let mut until = UntilVisit {
        leaf,
        control: job.control,
        visit: &visit,
    };
    let mut watched = Watched::new(0, Arc::default(), &mut until);
    let mut search = Distress::new(job, 0, &mut watched);
    search.run();
    let Some(visit) = visit.get() else {
        return;
    };
    let choices = Choices::default();
    let job = Job {
        tree: leaf.tree,
        control: leaf.control,
        choices: &choices,
        ..*job
    };
    let context = Context::with_worker(&job, Worker::new(leaf.control, 0), probe);
    if let Some(search) = search.thread.leaf.recorded(context) {
        // Whether it was interrupted does not matter: what it recorded stays.
        let _ = answer(&job, leaf, visit, search);
    }
}

/// Asks the leaf what it was asked at that visit, and records the answers.
fn answer<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    opened: &OpenedLeaf,
    visit: &LeafVisit,
    search: RecordedLeafSearch<'a, E, P>,
) -> Result<(), Interrupt> {
    let (mut position, mut history) = (
        job.situation.position.clone(),
        job.situation.history.clone(),
    );
    let mut state = job.evaluator.start(&position);
    let mut before = [Footprint::NONE; 2];
    let mut recorder = Recorder::new(job.tree);
    let mut node = Tree::ROOT;
    for (ply, &code) in (1..).zip(opened.way) {
        let Some(m) = position.decode(code) else {
            return Ok(());
        };
        before = [position.footprint(m), before[0]];
        history.push(position.key());
        state = job.evaluator.after(&state, &position, m);
        position.play(m);
        node = recorder.child(node, NodeId::NONE, code, ply);
    }
    let leaf = Leaf {
        position: &position,
        state: &state,
        history: &history,
        before,
        ply: opened.way.len(),
        depth: visit.depth,
        window: visit.window,
    };
    let mut searcher = Recorded { search, node };
    ask(&mut searcher, &leaf, visit.guess, (node, MoveCode::NONE))?;
    Ok(())
}

/// A leaf's search that is recorded below the leaf.
struct Recorded<'a, E, P> {
    search: RecordedLeafSearch<'a, E, P>,
    node: NodeId,
}

impl<'a, G: Game, E: Evaluator<G>, P: Probe> LeafSearcher<'a, G, E::State, P>
    for Recorded<'a, E, P>
{
    fn context(&mut self) -> &mut Context<'a, P> {
        self.search.context()
    }

    fn value(&mut self, leaf: &Leaf<G, E::State>) -> Result<Score, Interrupt> {
        self.search.value(leaf, self.node)
    }
}
