//! What those who watch a program and the thread that talks to it have in common.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::process::{Handle, Tail, lock};
use super::sheet::Sheet;
use super::{EngineSpec, Trouble};
use crate::search::Cores;

#[derive(Debug)]
pub(super) struct Desk {
    pub spec: EngineSpec,
    pub handle: Handle,
    pub tail: Tail,
    /// Whose turn it is among the searches that share cores.
    pub cores: Arc<Cores>,
    next: Mutex<Option<Arc<Sheet>>>,
    quit: AtomicBool,
    poke: Sender<()>,
    /// Something was ordered.
    pub pokes: Receiver<()>,
    pub name: Mutex<Option<String>>,
    pub warnings: Mutex<Vec<String>>,
    pub trouble: Mutex<Option<Trouble>>,
}

impl Desk {
    pub fn new(spec: EngineSpec, cores: Arc<Cores>) -> Self {
        let (poke, pokes) = bounded(1);
        Desk {
            spec,
            handle: Handle::default(),
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

    /// Orders a search; one that was ordered and not begun is given up.
    pub fn order(&self, sheet: Arc<Sheet>) {
        *lock(&self.next) = Some(sheet);
        self.wake();
    }

    pub fn take_order(&self) -> Option<Arc<Sheet>> {
        lock(&self.next).take()
    }

    /// The thread that talks to the program looks what it is to do, wherever it waits.
    pub fn wake(&self) {
        // Full: it has been told already.
        let _ = self.poke.try_send(());
        self.cores.wake();
    }

    pub fn is_to_quit(&self) -> bool {
        self.quit.load(Relaxed)
    }

    pub fn quit(&self) {
        self.quit.store(true, Relaxed);
        self.wake();
        self.handle.kill();
    }
}
