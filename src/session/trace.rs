//! A search that is run only for its events: each is passed on as it happens, with the tree as it is at that moment.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::breakpoint::{Breakpoint, Matcher};
use super::config::Config;
use super::job_inputs::{JobInputs, new_tree};
use super::reader::{GrownBy, Reader};
use super::session::{Fault, NoLeafSearch, Session};
use super::threads::{NoThread, STACK};
use crate::Subject;
use search::common::table::Tables;
use search::{AfterEvent, Choices, Control, Event, Start, StopReason, Watched, Watcher};
use tree::{NodeId, Tree};

/// Which events of a run are wanted.
#[derive(Clone, Debug)]
pub struct TraceRequest {
    /// The first event that is examined, from 1; earlier ones are only counted.
    pub from: u64,
    /// Pass on at most this many.
    pub most: Option<u64>,
    /// Pass on only events for which this holds.
    pub filter: Option<Breakpoint>,
    /// The first examined event at which this fires is passed on, whatever the filter says, and ends the search.
    pub break_at: Option<Breakpoint>,
}

impl Default for TraceRequest {
    fn default() -> Self {
        TraceRequest {
            from: 1,
            most: None,
            filter: None,
            break_at: None,
        }
    }
}

/// The result of a trace.
#[derive(Debug)]
pub struct Traced {
    /// The number of events passed on.
    pub written: u64,
    /// Why the search ended; [`StopReason::User`] if the trace had everything it wanted.
    pub stopped: Option<StopReason>,
    /// The nodes counted.
    pub nodes: u64,
    /// The tree as the search left it.
    pub tree: Tree,
}

/// Receives an event with its number; the reader's tree is as it was when the event happened. `Break` ends the search.
pub type Sink<'a> = dyn FnMut(u64, &Event, &Reader) -> ControlFlow<()> + Send + 'a;

/// The longest interval between two checks whether the caller wants the trace to end.
const NAP: Duration = Duration::from_millis(20);

/// Runs a single-threaded search (whatever `config` says about threads), passes the wanted events to `sink`, and waits
/// for the end. The same position, configuration and request give the same events, unless the configuration limits the
/// time. `halted` is called now and then and ends the search early if it returns true.
///
/// # Errors
/// [`Fault`], where a thread could not start or broke off.
pub fn trace(
    subject: &Subject,
    config: &Config,
    request: &TraceRequest,
    halted: impl Fn() -> bool,
    sink: &mut Sink,
) -> Result<Traced, Fault> {
    let run = |tree: &Tree, control: &Control, probe: Watched| {
        let inputs = JobInputs {
            subject,
            config,
            tree,
            tables: &Tables::new(config.table_bytes()),
            control,
        };
        inputs.with_job(Start::default(), &Choices::default(), |job| {
            job.run(0, probe);
        });
    };
    traced(subject, config, request, halted, sink, run)
}

/// Passes on the events of the search of one leaf ([`Session::open_leaf`]) of a search that has ended.
///
/// # Errors
/// [`LeafTraceError`].
pub fn trace_leaf(
    session: &Session,
    leaf: NodeId,
    request: &TraceRequest,
    halted: impl Fn() -> bool,
    sink: &mut Sink,
) -> Result<Traced, LeafTraceError> {
    let origin = session.leaf_origin(leaf)?;
    let subject = session.subject();
    let run = |tree: &Tree, control: &Control, probe: Watched| {
        origin.search(subject, tree, control, probe);
    };
    Ok(traced(
        subject,
        &origin.shown(),
        request,
        halted,
        sink,
        run,
    )?)
}

/// Why the search of a leaf can't be traced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeafTraceError {
    #[error(transparent)]
    NoLeafSearch(#[from] NoLeafSearch),
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Passes on the events of what `run` does on a thread of its own.
fn traced(
    subject: &Subject,
    config: &Config,
    request: &TraceRequest,
    halted: impl Fn() -> bool,
    sink: &mut Sink,
    run: impl FnOnce(&Tree, &Control, Watched) + Send,
) -> Result<Traced, Fault> {
    let tree = new_tree(subject, config);
    let control = Control::new(config.limits, 1);
    let reader = Reader {
        tree: &tree,
        subject,
        searcher: GrownBy::Own(config.algorithm, &config.options),
    };
    let mut tracer = Tracer {
        number: 0,
        from: request.from,
        threshold: Arc::new(AtomicU64::new(request.from.saturating_sub(1))),
        left: request.most.unwrap_or(u64::MAX),
        filter: request.filter.as_ref(),
        break_at: request.break_at.as_ref().map(Breakpoint::matcher),
        written: 0,
        reader,
        control: &control,
        sink,
    };
    std::thread::scope(|scope| {
        let begin = std::thread::Builder::new().name(String::from("search-0"));
        let search = begin.stack_size(STACK).spawn_scoped(scope, || {
            let threshold = Arc::clone(&tracer.threshold);
            run(&tree, &control, Watched::new(0, threshold, &mut tracer));
            control.stop(StopReason::Depth);
        });
        let search = search.map_err(|e| Fault::NoThread(NoThread::from(e)))?;
        // Checks frequently at first, so that a short search is not held up.
        let mut nap = Duration::from_micros(200);
        while !search.is_finished() {
            if halted() {
                control.stop(StopReason::User);
            }
            std::thread::sleep(nap);
            nap = (nap * 2).min(NAP);
        }
        search.join().map_err(|_| Fault::Panic)
    })?;
    let written = tracer.written;
    Ok(Traced {
        written,
        stopped: control.stopped(),
        nodes: control.totals().nodes,
        tree,
    })
}

/// Passes on the events from a number on.
struct Tracer<'a> {
    /// The number of the latest event.
    number: u64,
    /// The number of the first wanted event.
    from: u64,
    /// The event before that one, from which on events arrive; beyond all events once the trace has ended.
    threshold: Arc<AtomicU64>,
    left: u64,
    filter: Option<&'a Breakpoint>,
    break_at: Option<Matcher>,
    written: u64,
    reader: Reader<'a>,
    control: &'a Control,
    sink: &'a mut Sink<'a>,
}

impl Tracer<'_> {
    /// Passes an event on if it is wanted; returns `Break` if it is the last one.
    fn consider(&mut self, event: &Event) -> ControlFlow<()> {
        let tree = self.reader.tree;
        let number = self.number;
        let breaks = self
            .break_at
            .as_mut()
            .is_some_and(|matcher| matcher.matches(number, event, tree));
        if breaks || self.filter.is_none_or(|filter| filter.holds(event, tree)) {
            self.written += 1;
            self.left -= 1;
            (self.sink)(number, event, &self.reader)?;
        }
        if breaks || self.left == 0 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Called when the event just counted is the last one that is not examined: changes from here on are new.
    fn begin(&mut self) {
        if let Some(matcher) = &mut self.break_at {
            matcher.begin(self.reader.tree);
        }
    }
}

impl Watcher for Tracer<'_> {
    fn event(&mut self, number: u64, event: Event) -> AfterEvent {
        self.number = number;
        if number + 1 == self.from {
            self.begin();
        }
        if number >= self.from && self.consider(&event).is_break() {
            self.threshold.store(u64::MAX, Relaxed);
            self.control.stop(StopReason::User);
        }
        AfterEvent::GoOn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use algorithms::Algorithm;
    use game::{ChessPosition, Situation};

    /// Looks at the counters at each event, as someone does who learns that the search stands there.
    struct Reading<'a> {
        control: &'a Control,
        nodes: u64,
        /// The most nodes counted from one event to the next.
        most: u64,
    }

    impl Watcher for Reading<'_> {
        fn event(&mut self, _: u64, _: Event) -> AfterEvent {
            let nodes = self.control.totals().nodes;
            self.most = self.most.max(nodes - self.nodes);
            self.nodes = nodes;
            AfterEvent::GoOn
        }
    }

    #[test]
    fn at_an_event_the_counters_are_those_of_the_event() {
        for algorithm in [
            Algorithm::AlphaBeta,
            Algorithm::ProbAlphaBeta,
            Algorithm::Mcts,
        ] {
            let subject = Subject::from(Situation::new(ChessPosition::default()));
            let mut config = Config::new(algorithm);
            config.limits.nodes = Some(2_000);
            let tree = new_tree(&subject, &config);
            let control = Control::new(config.limits, 1);
            let mut reading = Reading {
                control: &control,
                nodes: 0,
                most: 0,
            };
            let inputs = JobInputs {
                subject: &subject,
                config: &config,
                tree: &tree,
                tables: &Tables::new(config.table_bytes()),
                control: &control,
            };
            let probe = Watched::new(0, Arc::new(AtomicU64::new(0)), &mut reading);
            inputs.with_job(Start::default(), &Choices::default(), |job| {
                job.run(0, probe);
            });
            assert!(reading.nodes > 1_900, "{algorithm:?}: {}", reading.nodes);
            assert!(reading.most < 100, "{algorithm:?}: {}", reading.most);
        }
    }
}
