//! The open trace of a program that was started here: it connects, its stream goes into a log, and it is told how far it may run.
//!
//! A thread waits for the connection and pumps the stream, another one writes the control channel. Neither is waited for: what is
//! known is read from what they share.

mod control;
mod filters;
mod gauge;
mod marks;
mod place;
mod pump;
mod remark;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use open_trace::log::{End, Log, Want};

use crate::process::{Environment, lock, spawn};
use control::{Control, Leave};
pub use filters::Filters;
use gauge::Gauge;
pub use marks::{Difference, MarkPlace, Repeat};
use marks::{Marks, Parted};
use place::{Place, Wire};
pub use remark::Remark;

/// How a program's search is traced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracing {
    /// What is sent.
    pub filters: Filters,
    /// The event until which it runs before any reader wants something; otherwise it runs freely.
    pub until: Option<u64>,
    /// The most bytes of the stream that are kept at a time.
    pub log_budget: u64,
    /// The event at which the program stops under a debugger of its own, in the search with this number (from 1) or in any.
    pub trap: Option<(Option<u32>, u64)>,
}

impl Default for Tracing {
    fn default() -> Self {
        Tracing {
            filters: Filters::default(),
            until: None,
            log_budget: Log::BUDGET,
            trap: None,
        }
    }
}

/// The trace of one process.
#[derive(Debug)]
pub(crate) struct Trace {
    pub log: Arc<Log>,
    tracing: Tracing,
    address: String,
    /// Taken by the thread that waits for the connection.
    place: Mutex<Option<Place>>,
    control: Arc<Control>,
    gauge: Mutex<Gauge>,
    parted: Parted,
    flow: Mutex<Flow>,
    /// Set when the process has ended: what is still in the pipe is read, and nothing is waited for.
    is_over: AtomicBool,
    /// Set when the program was asked to end before its time.
    is_asked: AtomicBool,
    /// Set when nobody needs the trace any more.
    is_dropped: AtomicBool,
}

/// A program that has closed a connection and still lives may be about to end.
pub(crate) const ENDING: Duration = Duration::from_secs(1);

/// The way of the bytes.
#[derive(Debug)]
struct Flow {
    /// When the process was started.
    begun: Option<Instant>,
    connection: Option<Wire>,
    connected: Option<Instant>,
    /// When bytes came last.
    came: Option<Instant>,
    bytes: u64,
    /// When the stream ended.
    closed: Option<Instant>,
    /// What makes the trace useless.
    fault: Option<String>,
}

/// What a run is compared with: the marks of the one before it.
#[derive(Debug)]
pub(crate) struct Before {
    marks: Marks,
    parted: Parted,
}

/// What is known of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub is_connected: bool,
    pub is_closed: bool,
    pub events: u64,
    pub bytes: u64,
    pub searches: u32,
    pub furthest: u64,
    pub waiting: Option<u64>,
    pub silent: Duration,
    pub fault: Option<String>,
    pub remarks: Vec<Remark>,
    pub repeat: Option<Repeat>,
}

impl Trace {
    /// Prepares a trace: a log, and a place to connect to. It is compared with the run before, if there is one.
    pub fn new(tracing: &Tracing, before: Option<&Before>) -> io::Result<Arc<Trace>> {
        Trace::at(Place::open()?, tracing, before)
    }

    fn at(place: Place, tracing: &Tracing, before: Option<&Before>) -> io::Result<Arc<Trace>> {
        let log = Log::spool(&spool_folder(), tracing.log_budget)
            .or_else(|_| Log::spool(&std::env::temp_dir(), tracing.log_budget))?;
        if let Some(event) = tracing.until {
            log.want(Want::Until(event));
        }
        let mut gauge = Gauge::default();
        let parted = before.map_or_else(Parted::default, |before| Arc::clone(&before.parted));
        if let Some(before) = before {
            gauge.compare_with(before.marks.clone(), Arc::clone(&parted));
        }
        let control = Arc::new(Control::new());
        let steered = Arc::clone(&control);
        log.steer(move |want| steered.give(Leave::of(want)));
        Ok(Arc::new(Trace {
            log: Arc::new(log),
            tracing: tracing.clone(),
            address: place.address().to_owned(),
            place: Mutex::new(Some(place)),
            control,
            gauge: Mutex::new(gauge),
            parted,
            flow: Mutex::new(Flow {
                begun: None,
                connection: None,
                connected: None,
                came: None,
                bytes: 0,
                closed: None,
                fault: None,
            }),
            is_over: AtomicBool::new(false),
            is_asked: AtomicBool::new(false),
            is_dropped: AtomicBool::new(false),
        }))
    }

    /// Returns what the program finds in its environment.
    pub fn environment(&self) -> Environment {
        let mut set = vec![("PLYSCOPE_TRACE", self.address.clone())];
        if !self.tracing.filters.is_empty() {
            set.push(("PLYSCOPE_TRACE_LIMIT", self.tracing.filters.to_string()));
        }
        if let Some((search, event)) = self.tracing.trap {
            let search = search.map_or_else(String::new, |search| format!("{search}:"));
            set.push(("PLYSCOPE_TRACE_TRAP", format!("{search}{event}")));
        }
        // Sets in the order of their hashes are a common reason why a search can't be repeated.
        if std::env::var_os("PYTHONHASHSEED").is_none() {
            set.push(("PYTHONHASHSEED", "0".to_owned()));
        }
        set
    }

    /// Begins to wait for the program's connection, when its process was started.
    pub fn begin(self: &Arc<Self>) -> io::Result<()> {
        lock(&self.flow).begun = Some(Instant::now());
        let trace = Arc::clone(self);
        spawn("trace", move || pump::run(&trace))
    }

    /// Whether a process was started with it; another one needs a trace of its own.
    pub fn has_begun(&self) -> bool {
        lock(&self.flow).begun.is_some()
    }

    /// Returns what another run is compared with, in which this search is the first one.
    pub fn before(&self, search: u32) -> Before {
        Before {
            marks: lock(&self.gauge).marks.since(search),
            parted: Arc::clone(&self.parted),
        }
    }

    /// Returns where a run of the program parted from the one before it.
    pub fn parted(&self) -> Option<Difference> {
        *lock(&self.parted)
    }

    /// Whether the stream has ended.
    pub fn is_closed(&self) -> bool {
        lock(&self.flow).closed.is_some()
    }

    /// Says that the process has ended: what is on its way is still read.
    pub fn over(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Changes what is sent from now on.
    pub fn filter(&self, filters: &Filters) {
        for line in filters.lines() {
            self.control.send(line);
        }
    }

    /// Asks the program to end.
    pub fn quit(&self) {
        self.control.send("quit".to_owned());
        self.release();
    }

    /// Lets the program run on whatever the readers of the log want. If it waits because its stream is not read, it must do
    /// without a reader.
    pub fn release(&self) {
        self.is_asked.store(true, Relaxed);
        self.control.release();
        if self.log.is_full() {
            self.hang_up(Some("stopped before all of the stream was read"));
        }
    }

    /// Lets the readers of the log have their way again.
    pub fn hold(&self) {
        self.control.hold();
    }

    /// Whether the program may stand still because it was told to, or because its stream is not read.
    pub fn is_held(&self) -> bool {
        let is_limited = self.control.leave().0 != Leave::All;
        is_limited || self.log.is_full() || lock(&self.gauge).waiting().is_some()
    }

    /// Closes the connection. Readers of the log come to its end.
    fn hang_up(&self, why: Option<&str>) {
        self.log.finish(End {
            cut_short: why.map(str::to_owned),
        });
        self.control.close();
        let mut flow = lock(&self.flow);
        if let Some(connection) = &flow.connection {
            connection.close();
        }
        flow.closed.get_or_insert_with(Instant::now);
    }

    /// Ends everything about it, without waiting.
    pub fn abandon(&self) {
        self.is_asked.store(true, Relaxed);
        self.is_dropped.store(true, Relaxed);
        // If a thread waits for the connection, it has the place, and it looks at `is_dropped` all the time.
        drop(lock(&self.place).take());
        self.hang_up(None);
    }

    /// Returns what is known of it. `patience` is how long the program may take to connect.
    pub fn known(&self, patience: Duration) -> Known {
        let gauge = lock(&self.gauge);
        let (events, searches) = (gauge.events, gauge.searches);
        let (furthest, mark, obeys) = (gauge.furthest(), gauge.waiting(), gauge.control);
        let repeat = gauge.repeat();
        drop(gauge);
        let flow = lock(&self.flow);
        let (leave, given) = self.control.leave();
        let is_connected = flow.connected.is_some();
        let is_closed = flow.closed.is_some();
        let since = flow.came.or(flow.connected).or(flow.begun);
        let mut known = Known {
            is_connected,
            is_closed,
            events,
            bytes: flow.bytes,
            searches,
            furthest,
            waiting: mark.filter(|event| self.has_reached(leave, *event)),
            silent: since.map_or(Duration::ZERO, |since| since.elapsed()),
            fault: flow.fault.clone(),
            remarks: Vec::new(),
            repeat,
        };
        let late = flow.begun.is_some_and(|begun| begun.elapsed() >= patience);
        if !is_connected && !is_closed && late {
            known.remarks.push(Remark::NotConnected(known.silent));
        }
        let came = flow.came;
        drop(flow);
        if is_connected && !is_closed {
            self.remark_on_flow(&mut known, leave, given, obeys, came);
        }
        known
    }

    /// Says what is unusual about a connection.
    fn remark_on_flow(
        &self,
        known: &mut Known,
        leave: Leave,
        given: Option<Instant>,
        obeys: Option<bool>,
        came: Option<Instant>,
    ) {
        /// What was on its way when the program was told to wait has arrived by then.
        const SETTLED: Duration = Duration::from_secs(2);
        /// A program that sends nothing for so long is worth a remark.
        const SILENT: Duration = Duration::from_secs(3);
        let mut remark = |remark: Remark| known.remarks.push(remark);
        let (furthest, waits) = (known.furthest, known.waiting.is_some());
        let need_not_wait = !waits && !self.has_reached(leave, furthest);
        if self.log.is_full() {
            remark(Remark::NotRead(self.tracing.log_budget));
        } else if need_not_wait && known.silent >= SILENT {
            remark(Remark::Silent(known.silent));
        }
        let asked = match leave {
            Leave::All => None,
            Leave::Until(event) => Some(Some(event)),
            Leave::Nothing => Some(None),
        };
        if let Some(asked) = asked {
            let told = given.map(|given| given + SETTLED);
            let goes_on = told.zip(came).is_some_and(|(told, came)| came > told);
            let is_beyond = asked.is_none_or(|asked| furthest > asked);
            if obeys == Some(false) || (goes_on && is_beyond && !waits) {
                let at = furthest;
                remark(Remark::DoesNotWait { asked, at });
            }
        }
        // A program that ends closes it, too, before all of its stream was read.
        let closed = self.control.closed();
        if closed.is_some_and(|closed| closed.elapsed() >= ENDING) && !self.is_over.load(Relaxed) {
            remark(Remark::ControlClosed);
        }
    }

    /// Whether a program has no leave to send more.
    fn has_reached(&self, leave: Leave, event: u64) -> bool {
        match leave {
            Leave::All => false,
            Leave::Until(until) => until <= event,
            Leave::Nothing => true,
        }
    }
}

/// Returns the folder for logs: the user's cache.
fn spool_folder() -> PathBuf {
    use etcetera::BaseStrategy as _;
    let cache = etcetera::choose_base_strategy().map(|base| base.cache_dir());
    cache.map_or_else(|_| std::env::temp_dir(), |cache| cache.join("plyscope"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::path::Path;
    use std::process::{Command, Stdio};

    /// The emitter in Python connects to a port as it does to a socket, which the other tests use.
    #[test]
    fn a_program_connects_to_a_port_and_is_steered_there() {
        let tracing = Tracing {
            until: Some(100),
            ..Tracing::default()
        };
        let place = Place::tcp().expect("a port");
        let trace = Trace::at(place, &tracing, None).expect("a trace");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let child = Command::new("python3")
            .arg(root.join("tests/fixtures/open_trace/toy_mcts.py"))
            .arg("10000")
            .env("PYTHONPATH", root.join("src/open_trace/emitters"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .envs(trace.environment())
            .stdout(Stdio::null())
            .spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: no Python");
            return;
        };
        trace.begin().expect("a thread");
        let patience = Duration::from_secs(60);
        let late = Instant::now() + patience;
        while trace.known(patience).waiting != Some(1_024) {
            assert!(Instant::now() < late, "{:?}", trace.known(patience));
            std::thread::sleep(Duration::from_millis(5));
        }
        trace.log.want(Want::All);
        let mut all = String::new();
        let mut reader = trace.log.reader_from(0, patience);
        reader.read_to_string(&mut all).expect("a stream");
        assert!(child.wait().expect("an end").success());
        let ends = all.lines().rev().any(|line| line.contains("\"end\""));
        assert!(ends && trace.known(patience).events > 10_000);
    }
}
