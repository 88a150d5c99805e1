//! State shared by the watchers of an external engine and the thread that drives it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::process::{Handle, Tail, lock};
use super::search_state::SearchState;
use super::{EngineSpec, Trouble};
use search::Cores;

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
}

impl EngineHandle {
    pub fn new(spec: EngineSpec, cores: Arc<Cores>) -> Self {
        let (poke, pokes) = bounded(1);
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
            warnings: Mutex::default(),
            trouble: Mutex::default(),
        }
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
    }
}
