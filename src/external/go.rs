//! One search of an external engine from `go` to `bestmove`: its budget, its turns on shared cores, its pauses.

use std::time::{Duration, Instant};

use super::connection::{Halt, UciConnection};
use super::cpu::{self, Reading};
use super::engine_handle::EngineHandle;
use super::search_state::SearchState;
use super::tree_writer::TreeWriter;
use super::uci::{Info, UciMessage, read};
use search::{Cores, StopReason};
use session::Budget;
use session::progress;
use text::quote;

/// The CPU time that the process uses between two checks whether other searches wait. It is longer than for one of
/// plyscope's own threads, because the process is halted and woken by signals.
const SLICE: Duration = Duration::from_millis(20);

/// The answer expected while the engine searches.
const AWAITED: &str = "bestmove";

/// A turn on the shared cores, released when dropped.
struct Turn<'a>(&'a Cores);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.give();
    }
}

pub(super) struct Go<'a> {
    engine: &'a EngineHandle,
    connection: &'a mut UciConnection,
    state: &'a SearchState,
    writer: TreeWriter<'a>,
    /// One turn, however many threads the engine has: only the process itself could halt one of its threads alone.
    turn: Option<Turn<'a>>,
    meter: Meter,
    /// Whether `go` was sent.
    has_begun: bool,
    /// Set once `stop` was sent: the reason, and the deadline for an answer.
    stopping: Option<(StopReason, Instant)>,
    /// When it was last active; pauses do not count.
    alive: Alive,
    /// Since when its own figures have exceeded the budget.
    beyond: Option<Instant>,
    /// The failure for which it was stopped; its answer then does not count.
    fault: Option<String>,
    ended: Option<StopReason>,
}

/// When an engine was last seen active.
#[derive(Debug)]
struct Alive {
    /// When it wrote a line.
    wrote: Instant,
    /// When it wrote a line or had used this much CPU time.
    worked: Instant,
    used: Duration,
}

impl Alive {
    /// Less CPU time counts as none, because a sleeping engine wakes now and then.
    const WORK: Duration = Duration::from_millis(50);

    fn new() -> Self {
        let now = Instant::now();
        Alive {
            wrote: now,
            worked: now,
            used: Duration::ZERO,
        }
    }

    fn wrote(&mut self) {
        *self = Alive {
            used: self.used,
            ..Alive::new()
        };
    }

    fn used(&mut self, used: Duration) {
        if used >= self.used + Self::WORK {
            self.worked = Instant::now();
            self.used = used;
        }
    }
}

/// Measures the process's CPU time since `go`.
#[derive(Debug)]
struct Meter {
    process: Option<u32>,
    /// The reading at `go`, if the system reports it.
    base: Option<Reading>,
    used: Duration,
    /// The time used when the turn began.
    turn: Duration,
    looked: Instant,
}

impl Meter {
    /// The time between two readings. One reading takes about 20 µs for every thread of the process.
    const SOON: Duration = Duration::from_micros(500);

    fn look(&mut self, elapsed: Duration) -> Duration {
        self.looked = Instant::now();
        self.used = match (self.base, self.process.and_then(cpu::of_process)) {
            (Some(base), Some(now)) => now.since(base).max(self.used),
            // The process has ended.
            (Some(_), None) => self.used,
            (None, _) => elapsed,
        };
        self.used
    }
}

impl<'a> Go<'a> {
    /// The engine is told to stop this long after its own figures reached the budget: it does not know the limit or
    /// ignores it.
    const OVERTIME: Duration = Duration::from_millis(200);

    pub fn new(
        engine: &'a EngineHandle,
        connection: &'a mut UciConnection,
        state: &'a SearchState,
        writer: TreeWriter<'a>,
    ) -> Self {
        Go {
            engine,
            connection,
            state,
            writer,
            turn: None,
            meter: Meter {
                process: engine.process.id(),
                base: None,
                used: Duration::ZERO,
                turn: Duration::ZERO,
                looked: Instant::now(),
            },
            has_begun: false,
            stopping: None,
            alive: Alive::new(),
            beyond: None,
            fault: None,
            ended: None,
        }
    }

    pub fn run(mut self) -> Result<StopReason, Halt> {
        if !self.take_turn()? {
            return Ok(StopReason::User);
        }
        self.begin();
        loop {
            if let Some(reason) = self.ended {
                // Once the engine waits for its next command, the system's count is up to date.
                std::thread::sleep(Duration::from_millis(1));
                self.look();
                return Ok(reason);
            }
            self.steer()?;
            if self.ended.is_none() {
                self.hear(self.nap())?;
            }
        }
    }

    fn begin(&mut self) {
        self.meter.base = self.meter.process.and_then(cpu::of_process);
        let go = match self.state.budget {
            Budget::Nodes(nodes) => format!("go nodes {nodes}"),
            Budget::Depth(depth) => format!("go depth {depth}"),
            Budget::Cpu(time) if self.meter.base.is_none() => {
                format!("go movetime {}", time.as_millis().max(1))
            }
            Budget::Cpu(_) | Budget::Unlimited => "go infinite".to_owned(),
        };
        if let Some(trace) = self.engine.trace() {
            trace.hold();
        }
        self.connection.send(&go);
        self.has_begun = true;
        self.state.run_clock(true);
    }

    /// Does what is due: stops, pauses, or gives others their turn.
    fn steer(&mut self) -> Result<(), Halt> {
        if self.engine.is_to_quit() {
            return Err(Halt::Quit);
        }
        if self.meter.looked.elapsed() >= Meter::SOON {
            self.look();
        }
        if let Some((_, late)) = self.stopping {
            let within = self.engine.spec.patience.stop;
            let is_late = Instant::now() >= late;
            return if is_late {
                let silent = || self.connection.silent(AWAITED, "stop", within);
                Err(self.fault.take().map_or_else(silent, Halt::Fault))
            } else {
                Ok(())
            };
        }
        if self.state.is_to_stop() {
            self.stop(StopReason::User);
        } else if self.state.is_paused() || self.others_turn() {
            self.step_aside()?;
        } else if self.left().is_some_and(|left| left.is_zero()) {
            self.stop(StopReason::Time);
        } else if self.beyond.is_some_and(|b| b.elapsed() >= Self::OVERTIME) {
            self.stop(match self.state.budget {
                Budget::Depth(_) => StopReason::Depth,
                _ => StopReason::Nodes,
            });
        } else if self.engine.is_held() {
            // It waits for whoever reads its trace.
            self.alive.wrote();
        } else if let Some(what) = self.is_dead() {
            self.fault = Some(what);
            self.stop(StopReason::User);
        }
        Ok(())
    }

    /// Returns what is wrong with an engine that is no longer worth waiting for; every wait ends by the clock.
    fn is_dead(&self) -> Option<String> {
        let budget = self.state.budget;
        let (idle, silent) = (
            self.engine.spec.patience.idle,
            self.engine.spec.patience.silent,
        );
        let measured = self.meter.base.is_some();
        if matches!(budget, Budget::Unlimited) {
            None
        } else if measured && self.alive.worked.elapsed() >= idle {
            let idle = idle.as_secs_f32();
            Some(format!(
                "neither worked nor wrote for {idle} s, expected {AWAITED}"
            ))
        } else if !(measured && matches!(budget, Budget::Cpu(_)))
            && self.alive.wrote.elapsed() >= silent
        {
            let silent = silent.as_secs_f32();
            Some(format!("wrote nothing for {silent} s, expected {AWAITED}"))
        } else {
            None
        }
    }

    /// Returns the CPU time left, if the budget is CPU time and the system reports it.
    fn left(&self) -> Option<Duration> {
        match self.state.budget {
            Budget::Cpu(time) if self.meter.base.is_some() => {
                Some(time.saturating_sub(self.meter.used))
            }
            _ => None,
        }
    }

    fn others_turn(&self) -> bool {
        let used = self.meter.used.saturating_sub(self.meter.turn);
        // One that stands still for whoever reads its trace does not need its turn.
        (used >= SLICE || self.engine.is_held()) && self.engine.cores.has_queue()
    }

    fn stop(&mut self, reason: StopReason) {
        // A search that waits for leave would not hear of it.
        if let Some(trace) = self.engine.trace() {
            trace.release();
        }
        self.connection.send("stop");
        self.stopping = Some((reason, Instant::now() + self.engine.spec.patience.stop));
    }

    /// Takes the process off the cores until it is its turn again or it must stop.
    fn step_aside(&mut self) -> Result<(), Halt> {
        self.engine.process.halt();
        self.turn = None;
        self.look();
        self.take_turn()?;
        self.engine.process.go_on();
        Ok(())
    }

    /// Waits for a turn, also through a pause. Returns false if the search must stop or has ended instead.
    fn take_turn(&mut self) -> Result<bool, Halt> {
        let (engine, state) = (self.engine, self.state);
        loop {
            if engine.is_to_quit() {
                return Err(Halt::Quit);
            }
            if state.is_to_stop() || self.ended.is_some() {
                return Ok(false);
            }
            if state.is_paused() {
                self.rest()?;
                continue;
            }
            let wanted = || !engine.is_to_quit() && !state.is_to_stop() && !state.is_paused();
            if engine.cores.take_while(wanted) {
                self.turn = Some(Turn(&engine.cores));
                self.meter.turn = self.meter.used;
                self.alive.wrote();
                return Ok(true);
            }
        }
    }

    /// Waits while it is paused; an engine that dies meanwhile is noticed.
    fn rest(&mut self) -> Result<(), Halt> {
        self.state.run_clock(false);
        let rests =
            |go: &Go| go.state.is_paused() && !go.state.is_to_stop() && !go.engine.is_to_quit();
        while rests(self) && self.ended.is_none() {
            // What it wrote before it was halted still counts.
            self.hear(Duration::from_secs(1))?;
            self.look();
        }
        if self.has_begun {
            self.state.run_clock(true);
        }
        Ok(())
    }

    fn look(&mut self) {
        if self.has_begun {
            let used = self.meter.look(self.state.elapsed());
            self.state.set_cpu(used);
            self.alive.used(used);
        }
    }

    /// Returns how long to listen before something may be due.
    fn nap(&self) -> Duration {
        const LONGEST: Duration = Duration::from_millis(10);
        match (self.left(), self.stopping) {
            // The process may have several threads, so its CPU time may grow faster than the clock.
            (Some(left), None) => (left / 4).clamp(Meter::SOON, LONGEST),
            _ => LONGEST,
        }
    }

    fn hear(&mut self, most: Duration) -> Result<(), Halt> {
        let Some(line) = self.connection.hear(most, AWAITED)? else {
            return Ok(());
        };
        self.alive.wrote();
        match read(&line) {
            _ if !self.has_begun => Ok(()),
            UciMessage::Info(info) => {
                self.told(&info);
                Ok(())
            }
            UciMessage::Statistics(whose, statistics) => {
                self.writer.statistics(whose.as_deref(), &statistics);
                Ok(())
            }
            UciMessage::BestMove(text) => self.best_move(&text),
            _ => Ok(()),
        }
    }

    fn told(&mut self, info: &Info) {
        let is_best = self.writer.info(info);
        let depth = info.depth.filter(|_| is_best);
        self.state.told(info.nodes, depth, info.selective_depth);
        if let Some(nodes) = info.nodes {
            self.writer.nodes(nodes);
        }
        let is_beyond = match self.state.budget {
            Budget::Nodes(most) => info.nodes.is_some_and(|nodes| nodes > most),
            Budget::Depth(most) => info
                .depth
                .is_some_and(|depth| u32::from(depth) > u32::from(most)),
            _ => false,
        };
        if is_beyond {
            self.beyond.get_or_insert_with(Instant::now);
        }
        if is_best {
            if self.meter.looked.elapsed() >= Meter::SOON {
                self.look();
            }
            let tree = &self.state.tree;
            self.state
                .add_point(|nodes, cpu| progress::point(None, tree, 0, nodes, cpu));
        }
    }

    fn best_move(&mut self, text: &str) -> Result<(), Halt> {
        if let Some(what) = self.fault.take() {
            return Err(Halt::Fault(what));
        }
        if !self.writer.best_move(text) {
            let found = quote(text);
            return Err(Halt::Fault(format!(
                "answers bestmove {found}, expected a legal move in UCI's notation"
            )));
        }
        let by_itself = match self.state.budget {
            Budget::Nodes(_) => StopReason::Nodes,
            Budget::Cpu(_) => StopReason::Time,
            // Without a `stop` it ended because it can search no deeper.
            Budget::Depth(_) | Budget::Unlimited => StopReason::Depth,
        };
        let reason = self.stopping.map_or(by_itself, |(reason, _)| reason);
        self.ended = Some(reason);
        Ok(())
    }
}
