//! State shared by the watchers of an external engine and the thread that drives it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::process::{Handle, Tail, lock};
use super::search_state::SearchState;
use super::trace::{Before, Trace};
use super::{EngineSpec, TracedSearch, Trouble};
use search::Cores;
use text::sanitise;

#[derive(Debug)]
pub(super) struct EngineHandle {
    pub spec: EngineSpec,
    pub process: Handle,
    pub tail: Tail,
    /// Assigns turns to the searches that share cores.
    pub cores: Arc<Cores>,
    next: Mutex<Option<Arc<SearchState>>>,
    quit: AtomicBool,
    poke: Sender<()>,
    /// Receives a message whenever there is something to handle: an order, a pause, the end.
    pub pokes: Receiver<()>,
    pub name: Mutex<Option<String>>,
    pub warnings: Mutex<Vec<String>>,
    pub trouble: Mutex<Option<Trouble>>,
    /// The trace of its present process, or of the next one.
    trace: Mutex<Option<Arc<Trace>>>,
    /// The searches that its present process was given.
    searches: AtomicU32,
}

impl EngineHandle {
    /// Prepares an engine; its trace is compared with the run before, if there is one.
    pub fn new(spec: EngineSpec, cores: Arc<Cores>, before: Option<&Before>) -> Self {
        let (poke, pokes) = bounded(1);
        let mut warnings = Vec::new();
        let trace = prepare(&spec, before, &mut warnings);
        EngineHandle {
            spec,
            process: Handle::default(),
            tail: Tail::default(),
            cores,
            next: Mutex::default(),
            quit: AtomicBool::new(false),
            poke,
            pokes,
            name: Mutex::default(),
            warnings: Mutex::new(warnings),
            trouble: Mutex::default(),
            trace: Mutex::new(trace),
            searches: AtomicU32::new(0),
        }
    }

    /// Returns the trace of its present process.
    pub fn trace(&self) -> Option<Arc<Trace>> {
        lock(&self.trace).clone()
    }

    /// Returns the trace for a process that is about to be started.
    pub fn next_trace(&self) -> Option<Arc<Trace>> {
        self.searches.store(0, Relaxed);
        let mut trace = lock(&self.trace);
        if let Some(used) = trace.take_if(|trace| trace.has_begun()) {
            used.abandon();
            *trace = prepare(&self.spec, None, &mut lock(&self.warnings));
        }
        trace.clone()
    }

    /// Returns the trace of a search that is about to begin in the present process.
    pub fn next_search(&self) -> Option<TracedSearch> {
        let search = self.searches.fetch_add(1, Relaxed);
        let log = Arc::clone(&self.trace()?.log);
        Some(TracedSearch { log, search })
    }

    /// Whether the engine may stand still because of how its trace is read.
    pub fn is_held(&self) -> bool {
        self.trace().is_some_and(|trace| trace.is_held())
    }

    /// Orders a search. It replaces an order that has not begun yet.
    pub fn order(&self, state: Arc<SearchState>) {
        *lock(&self.next) = Some(state);
        self.wake();
    }

    pub fn take_order(&self) -> Option<Arc<SearchState>> {
        lock(&self.next).take()
    }

    /// Wakes the driver, wherever it waits, so that it checks its orders again.
    pub fn wake(&self) {
        // A full channel means that a wake-up is already under way.
        let _ = self.poke.try_send(());
        self.cores.wake();
    }

    pub fn is_to_quit(&self) -> bool {
        self.quit.load(Relaxed)
    }

    pub fn quit(&self) {
        self.quit.store(true, Relaxed);
        self.wake();
        self.process.kill();
        if let Some(trace) = self.trace() {
            trace.abandon();
        }
    }
}

/// Prepares the trace of an engine that is to be traced; a warning says why that is not possible.
fn prepare(
    spec: &EngineSpec,
    before: Option<&Before>,
    warnings: &mut Vec<String>,
) -> Option<Arc<Trace>> {
    let made = Trace::new(spec.trace.as_ref()?, before);
    let failed = |e| warnings.push(sanitise(&format!("{} can't be traced: {e}", spec.name)));
    made.map_err(failed).ok()
}
