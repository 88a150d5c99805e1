//! Reads what a program sends, to its end, and prints what came.

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use open_trace::log::Log;
use open_trace::{At, Header, Names, Reader, Record, Unit, Value};

use crate::failure::complain;
use crate::{Failure, headless, output, progress};
use external::{Program, ProgramState, ProgramStatus};
use text::{bytes, count, sanitise, thousands};

/// The searches that are printed one by one.
const SHOWN: usize = 100;

/// What came of one search.
#[derive(Debug, Default)]
struct Search {
    /// The position at its root, as the program names it.
    root: String,
    events: u64,
    nodes: u64,
    /// The program's own figures.
    reply: Option<Reply>,
}

/// What the program says at the end of a search.
#[derive(Debug)]
struct Reply {
    /// Empty if it names none.
    best: String,
    value: Option<Value>,
    nodes: Option<u64>,
}

/// What came of all.
#[derive(Debug, Default)]
struct Sum {
    shown: Vec<Search>,
    /// How many searches there were, and their events and nodes.
    searches: u64,
    events: u64,
    nodes: u64,
}

/// Follows a program to its end, saves what it sent if there is a file for it, and prints what came.
///
/// # Errors
/// [`Failure::Reported`] if the program failed, or sent nothing or something that was not understood.
pub fn run(program: &Program, save: Option<&Path>) -> Result<(), Failure> {
    let Some(log) = program.log() else {
        return Err(failed(&program.status()));
    };
    let mut reader = Reader::new(log.reader_from(0, Duration::from_millis(20)));
    let mut sum = Sum::default();
    let read = follow(program, &mut reader, &mut sum);
    wait_for_end(program, read.is_ok());
    let status = program.status();
    let mut out = output::stdout();
    let mut is_good = is_well(&status);
    if let Some(header) = reader.header() {
        print(&mut out, header, &sum, &status)?;
    }
    for trouble in reader.troubles().iter() {
        complain(&sanitise(&format!("not understood: {trouble}")));
        is_good = false;
    }
    // A program that was not understood at all has its trouble in the status.
    if let (Err(refused), false) = (&read, matches!(status.state, ProgramState::Trouble(_))) {
        complain(&sanitise(&format!("the stream: {refused}")));
    }
    if let Some(path) = save {
        save_as(&log, path)?;
    }
    out.flush()?;
    if is_good && read.is_ok() {
        Ok(())
    } else {
        Err(failed(&status))
    }
}

/// Reads until the program has ended, or its search if it waits for another one.
fn follow<R: std::io::Read>(
    program: &Program,
    reader: &mut Reader<R>,
    sum: &mut Sum,
) -> Result<(), open_trace::Refused> {
    /// What an engine sends after it has said its best move is not waited for any longer.
    const SETTLED: Duration = Duration::from_millis(300);
    const OFTEN: u64 = 1 << 16;
    let bar = progress::bar(true, 0, "{msg}", false);
    let mut is_stopped = false;
    loop {
        let names = Arc::clone(reader.names());
        let comes = match reader.next()? {
            Some((at, record)) => {
                sum.add(at, &record, &names);
                true
            }
            None => false,
        };
        if comes && !sum.events.is_multiple_of(OFTEN) {
            continue;
        }
        if headless::interrupted() && !is_stopped {
            program.stop();
            is_stopped = true;
        }
        bar.set_message(format!("{} events", thousands(sum.events)));
        if reader.is_over() {
            break;
        }
        let status = program.status();
        let waits = !comes && status.silent >= SETTLED;
        if waits
            && matches!(
                status.state,
                ProgramState::Finished | ProgramState::Trouble(_)
            )
        {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// Waits for the process, whose stream has ended: it may end a little later. A program that sends no trace is not waited for.
fn wait_for_end(program: &Program, is_trace: bool) {
    const SOON: Duration = Duration::from_secs(2);
    let begun = Instant::now();
    let mut is_stopped = false;
    while !program.status().state.is_over() && (is_trace || begun.elapsed() < SOON) {
        if headless::interrupted() && !is_stopped {
            program.stop();
            is_stopped = true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Sum {
    fn add(&mut self, at: At, record: &Record, names: &Names) {
        while self.searches <= u64::from(at.search) {
            self.searches += 1;
            if self.shown.len() < SHOWN {
                self.shown.push(Search::default());
            }
        }
        // Of those that are not printed the root is counted at once.
        let before = { self.shown.get(at.search as usize) }.map_or(1, |search| search.nodes);
        let (events, nodes) = match *record {
            Record::Skip { events, nodes } => (events, before.saturating_add(nodes)),
            _ => (u64::from(record.is_event()), record.nodes_after(before)),
        };
        self.events = self.events.saturating_add(events);
        self.nodes = self.nodes.saturating_add(nodes - before);
        let Some(search) = self.shown.get_mut(at.search as usize) else {
            return;
        };
        search.events = search.events.saturating_add(events);
        search.nodes = nodes;
        match record {
            Record::Search(start) => {
                let root = start.fen.as_deref().or(start.root.as_deref());
                let moves = start.moves.iter().map(|name| format!(" {name}"));
                search.root = root.unwrap_or_default().to_owned();
                search.root.extend(moves);
            }
            Record::End(reply) => {
                search.reply = Some(Reply {
                    best: names.text(reply.best).to_owned(),
                    value: reply.value,
                    nodes: reply.nodes,
                });
            }
            _ => {}
        }
    }
}

/// Whether nothing is wrong with a program.
fn is_well(status: &ProgramStatus) -> bool {
    let ended_well = match &status.state {
        ProgramState::Ended { is_success, .. } => *is_success || headless::interrupted(),
        ProgramState::Trouble(_) => false,
        _ => true,
    };
    ended_well && status.is_connected && status.events > 0
}

/// Says on standard error what is wrong with a program.
fn failed(status: &ProgramStatus) -> Failure {
    match &status.state {
        ProgramState::Trouble(trouble) => {
            complain(&trouble.message);
            for line in &trouble.last_lines {
                complain(&format!("it wrote: {line}"));
            }
        }
        _ if !status.is_connected => complain(
            "found no trace, expected one: the program has not connected. Does it contain the emitter? PLYSCOPE_TRACE was set",
        ),
        _ if status.events == 0 => complain("found a trace without events, expected some"),
        _ => {}
    }
    Failure::Reported
}

fn save_as(log: &Log, path: &Path) -> Result<(), Failure> {
    let saved = log.save_as(path);
    saved.map_err(|e| Failure::Input(format!("--save: {}: {e}", path.display())))
}

fn print(
    out: &mut impl Write,
    header: &Header,
    sum: &Sum,
    status: &ProgramStatus,
) -> Result<(), Failure> {
    let or = |text: &str, other: &str| sanitise(if text.is_empty() { other } else { text });
    let engine = or(&header.engine, "a program without a name");
    let game = or(&header.game, "a game without a name");
    writeln!(out, "{engine}: {game}, {}", header.order.word())?;
    for (i, search) in sum.shown.iter().enumerate() {
        write!(out, "search {}: {}", i + 1, or(&search.root, "the root"))?;
        write!(out, " · {}", counted(search.events, "event"))?;
        write!(out, " · {}", counted(search.nodes, "node"))?;
        if let Some(reply) = &search.reply {
            write!(out, "{}", Said(reply, header))?;
        }
        writeln!(out)?;
    }
    let more = sum.searches.saturating_sub(sum.shown.len() as u64);
    if more > 0 {
        writeln!(out, "and {}", counted_more(more))?;
    }
    let (events, nodes) = (counted(sum.events, "event"), counted(sum.nodes, "node"));
    let sent = bytes(status.bytes);
    writeln!(out, "all: {events} · {nodes} · {sent}")?;
    for remark in &status.remarks {
        writeln!(out, "the program {remark}")?;
    }
    match &status.state {
        ProgramState::Ended { how, .. } => writeln!(out, "ended: {how}")?,
        ProgramState::Finished => writeln!(out, "ended: its search is over")?,
        _ => {}
    }
    Ok(())
}

fn counted(number: u64, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {what}{s}", thousands(number))
}

fn counted_more(more: u64) -> String {
    let es = if more == 1 { "" } else { "es" };
    format!("{} more search{es}", count(more))
}

/// What the program says at the end of a search, in its own unit.
struct Said<'a>(&'a Reply, &'a Header);

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Said(reply, header) = self;
        if !reply.best.is_empty() {
            write!(f, " · best {}", reply.best)?;
        }
        if let Some(value) = reply.value {
            let spec = &header.value;
            let unit = match &spec.unit {
                Unit::Centipawns => "cp",
                Unit::Win => "win",
                Unit::Expected => "expected",
                Unit::Named(name) => name,
            };
            let places = if spec.step < 1.0 { 3 } else { 0 };
            let value = format!("{:+.places$}", spec.in_unit(value)).replace('-', "−");
            write!(f, " · value {value} {}", sanitise(unit))?;
        }
        if let Some(nodes) = reply.nodes {
            write!(f, " · {} by its own count", counted(nodes, "node"))?;
        }
        Ok(())
    }
}
