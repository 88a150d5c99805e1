//! The thread that waits for a program's connection and pumps its stream into the log.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::Trace;
use super::place::{Wire, unless_waiting};
use crate::process::{lock, spawn};

/// How often the thread looks whether it is still needed.
const LOOK: Duration = Duration::from_millis(50);
/// The most bytes that are read at once, and are not in the log yet.
const BUFFER: usize = 64 << 10;
/// After the process has ended, another one may hold its connection: it is not waited for longer than this.
const LEFT_OVER: Duration = Duration::from_secs(1);

/// Pumps until the stream ends or is not needed any more.
pub(super) fn run(trace: &Arc<Trace>) {
    let end = match connect(trace) {
        Ok(Some(wire)) => pump(trace, wire),
        // Whoever watches the process says how it has ended.
        Ok(None) => return trace.hang_up(Some("it did not connect")),
        Err(why) => Err(why),
    };
    match &end {
        Err(why) => {
            lock(&trace.flow).fault.get_or_insert_with(|| why.clone());
        }
        Ok(()) if !trace.is_asked.load(Relaxed) => lock(&trace.gauge).end(),
        Ok(()) => {}
    }
    trace.hang_up(end.err().as_deref());
}

/// Waits for the connection, until the process has ended.
fn connect(trace: &Arc<Trace>) -> Result<Option<Wire>, String> {
    const NAP: Duration = Duration::from_millis(5);
    let Some(mut place) = lock(&trace.place).take() else {
        return Ok(None);
    };
    loop {
        if trace.is_dropped.load(Relaxed) {
            return Ok(None);
        }
        let is_over = trace.is_over.load(Relaxed);
        match place.accept() {
            Ok(Some(wire)) => return begin(trace, wire).map(Some),
            // A program that has ended may have connected just before.
            Ok(None) if is_over => return Ok(None),
            Ok(None) => std::thread::sleep(NAP),
            Err(e) => return Err(format!("can't connect: {e}")),
        }
    }
}

/// Takes a connection, and lets another thread write the control channel.
fn begin(trace: &Arc<Trace>, wire: Wire) -> Result<Wire, String> {
    let halves = wire
        .set_patience(LOOK)
        .and_then(|()| Ok((wire.again()?, wire.again()?)));
    let (kept, writes) = halves.map_err(|e| format!("can't connect: {e}"))?;
    let mut flow = lock(&trace.flow);
    flow.connection = Some(kept);
    flow.connected = Some(Instant::now());
    drop(flow);
    let control = Arc::clone(&trace.control);
    spawn("trace-control", move || control.run(writes))
        .map_err(|e| format!("no thread can be started: {e}"))?;
    Ok(wire)
}

/// Reads until the end of the stream. What the log can't take is not read.
fn pump(trace: &Trace, mut wire: Wire) -> Result<(), String> {
    let mut buffer = vec![0; BUFFER];
    let mut ended = None;
    loop {
        if trace.is_dropped.load(Relaxed) {
            return Ok(());
        }
        // It was set before the read: what came until then is read.
        let is_over = trace.is_over.load(Relaxed);
        match unless_waiting(wire.read(&mut buffer)) {
            Ok(Some(0)) => return Ok(()),
            Ok(Some(count)) => {
                ended = None;
                if !take(trace, &buffer[..count])? {
                    return Ok(());
                }
            }
            Ok(None) if is_over => {
                let ended = ended.get_or_insert_with(Instant::now);
                if ended.elapsed() >= LEFT_OVER {
                    return Ok(());
                }
            }
            Ok(None) => {}
            // A program that was killed may reset the connection.
            Err(_) => return Ok(()),
        }
    }
}

/// Puts bytes into the log. Returns false if it takes no more.
fn take(trace: &Trace, bytes: &[u8]) -> Result<bool, String> {
    let mut flow = lock(&trace.flow);
    flow.came = Some(Instant::now());
    flow.bytes += bytes.len() as u64;
    drop(flow);
    let taken = trace.log.append(bytes);
    let taken = taken.map_err(|e| format!("its trace can't be kept: {e}"))?;
    // After the log has them: who reads that the program waits at an event finds the event there.
    let mut gauge = lock(&trace.gauge);
    let searches = gauge.searches;
    gauge.feed(bytes)?;
    let begins = gauge.searches > searches;
    drop(gauge);
    if begins {
        trace.control.give_again();
    }
    Ok(taken)
}
