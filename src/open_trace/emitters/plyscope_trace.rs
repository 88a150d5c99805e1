//! Lets a Rust program that searches a game tree show its search to plyscope. One module to copy: the standard library only, no unsafe code.
//!
//! SPDX-License-Identifier: 0BSD
//! Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.
//! THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE.
//!
//! ```ignore
//! mod plyscope_trace;
//! use plyscope_trace as trace;
//!
//! fn search(m: Move, alpha: i32, beta: i32, depth: i32) -> i32 {       // wrap the search function
//!     let node = trace::Node::enter(m.number(), alpha, beta, depth);   // `m` led here; 0 at the root, or for the same position again
//!     node.leave(search_inner(alpha, beta, depth))                     // a panic leaves the node by `unwind`
//! }
//! trace::why(FUTILITY, &[eval, margin]);                               // before the `return` that it explains
//! trace::prune(m.number(), LATE_MOVE, &[depth]);                       // a move that is not searched
//! ```
//!
//! Call [`start`] once at the start of the program, [`search`] when a search begins and [`end`] when it is over. Nothing is written unless the
//! environment variable `PLYSCOPE_TRACE` names a destination: `fd:3`, `fd:3,4`, `unix:PATH`, `tcp:127.0.0.1:PORT/TOKEN` or a file.
//! Values are whole numbers in units of the header's `step`. A move is any number from 1 to 2^32 - 1; `name` gives its text. With
//! `NO_PLYSCOPE_TRACE` set when the program is compiled every call vanishes.
#![allow(dead_code)]

use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A reason for a node or for a move that is not searched. With the name of one of plyscope's fates it is shown like that fate.
#[derive(Clone, Copy)]
pub struct Reason {
    pub n: u8,
    pub name: &'static str,
    /// `known`, `cut`, `cutoff`, `skip`, `try` or `info`.
    pub class: &'static str,
    /// What follows the reason in the calls: `static:value margin:difference depth:plies`.
    pub numbers: &'static str,
    /// `static {static} + {margin} does not beat alpha`, or nothing.
    pub text: &'static str,
}

/// What the stream says of itself. What is empty or 0 is left out.
#[derive(Clone, Copy, Default)]
pub struct Header {
    pub engine: &'static str,
    pub game: &'static str,
    /// `depth-first` or `best-first`.
    pub order: &'static str,
    /// `cp`, `win`, `expected` or a name.
    pub unit: &'static str,
    /// `node`, `parent`, `root` or `first`.
    pub view: &'static str,
    /// `root` or `node`.
    pub distance: &'static str,
    /// `soft` or `hard`.
    pub fail: &'static str,
    pub backup: &'static str,
    pub step: f64,
    pub range: Option<(f64, f64)>,
    pub infinite: i32,
    pub win: i32,
    pub depth_step: u32,
    pub reasons: &'static [Reason],
    /// The name of a move, at most 64 bytes.
    pub name: Option<fn(u32) -> String>,
}

/// A value that is not known.
pub const NO_VALUE: i32 = i32::MIN;

/// A value in units of the step.
pub fn units(value: f64, step: f64) -> i32 {
    if value.is_finite() { (value / step).round() as i32 } else { NO_VALUE }
}

const COMPILED: bool = option_env!("NO_PLYSCOPE_TRACE").is_none();
const MARK: u64 = 4096;
const ROOM: usize = 65_536;
const DEEPEST: usize = 1023;

static ON: AtomicBool = AtomicBool::new(false);
static HEADER: OnceLock<Header> = OnceLock::new();
static OUT: Mutex<Option<Box<dyn Write + Send>>> = Mutex::new(None);
static STEERED: Mutex<Steering> = Mutex::new(Steering { filters: Filters::NONE, version: 0 });
static WORD: Condvar = Condvar::new();
/// How far the program may run; whether somebody steers it.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static CONTROLLED: AtomicBool = AtomicBool::new(false);
static SEARCHES: AtomicU32 = AtomicU32::new(1);
static THREADS: AtomicU32 = AtomicU32::new(0);
static TRAP: AtomicU64 = AtomicU64::new(u64::MAX);
static TRAP_SEARCH: AtomicU32 = AtomicU32::new(0);

struct Steering {
    filters: Filters,
    /// Counts the changes.
    version: u32,
}

#[derive(Clone)]
struct Filters {
    nodes: u64,
    from: i32,
    ply: i32,
    key: Option<u64>,
    path: Vec<String>,
}

impl Filters {
    const NONE: Filters = Filters { nodes: u64::MAX, from: 0, ply: i32::MAX, key: None, path: Vec::new() };

    fn are_some(&self) -> bool {
        self.nodes < u64::MAX || self.from != 0 || self.ply < i32::MAX || self.key.is_some() || !self.path.is_empty()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

// The transport and the control channel.

/// Whether the search is traced.
#[inline(always)]
pub fn on() -> bool {
    COMPILED && ON.load(Relaxed)
}

/// Begins the trace, if the environment asks for one. Call it once.
pub fn start(header: Header) {
    let wanted = |name: &str| std::env::var(name).unwrap_or_default();
    let place = wanted("PLYSCOPE_TRACE");
    if !COMPILED || place.is_empty() || HEADER.set(header).is_err() {
        return;
    }
    let (out, control) = match open(&place) {
        Ok(opened) => opened,
        Err(error) => return eprintln!("plyscope trace: cannot write to {place}: {error}"),
    };
    *lock(&OUT) = Some(out);
    ON.store(true, Relaxed);
    if let Some((_, token)) = place.strip_prefix("tcp:").and_then(|rest| rest.split_once('/')) {
        write(format!("{token}\n").as_bytes());
    }
    CONTROLLED.store(control.is_some(), Relaxed);
    if control.is_some() {
        LIMIT.store(0, Relaxed); // Somebody steers: wait for the first word.
    }
    wanted("PLYSCOPE_TRACE_LIMIT").split(';').for_each(obey);
    let trap = wanted("PLYSCOPE_TRACE_TRAP");
    let (search, k) = trap.rsplit_once(':').unwrap_or(("0", &trap));
    TRAP.store(k.parse().unwrap_or(u64::MAX), Relaxed);
    TRAP_SEARCH.store(search.parse().unwrap_or(0), Relaxed);
    write(b"\x89PLYTR\r\n");
    Context::new(0).json(&header_line(&header, control.is_some()));
    if let Some(control) = control {
        std::thread::spawn(move || {
            for line in BufReader::new(control).lines().map_while(Result::ok) {
                obey(&line);
            }
            let steered = lock(&STEERED);
            CONTROLLED.store(false, Relaxed); // Nobody to wait for.
            LIMIT.store(u64::MAX, Relaxed);
            drop(steered);
            WORD.notify_all();
        });
    }
}

type Opened = (Box<dyn Write + Send>, Option<Box<dyn Read + Send>>);

fn open(place: &str) -> std::io::Result<Opened> {
    #[cfg(unix)]
    {
        if let Some(path) = place.strip_prefix("unix:") {
            let socket = std::os::unix::net::UnixStream::connect(path)?;
            return Ok((Box::new(socket.try_clone()?), Some(Box::new(socket))));
        }
        if let Some(numbers) = place.strip_prefix("fd:") {
            let (out, control) = numbers.split_once(',').unwrap_or((numbers, ""));
            let out = File::options().write(true).open(format!("/dev/fd/{out}"))?;
            let control = (!control.is_empty()).then(|| File::open(format!("/dev/fd/{control}"))).transpose()?;
            return Ok((Box::new(out), control.map(|c| Box::new(c) as Box<dyn Read + Send>)));
        }
    }
    if let Some(port) = place.strip_prefix("tcp:127.0.0.1:") {
        let port = port.split('/').next().and_then(|p| p.parse().ok()).unwrap_or(0);
        let socket = std::net::TcpStream::connect(("127.0.0.1", port))?;
        return Ok((Box::new(socket.try_clone()?), Some(Box::new(socket))));
    }
    Ok((Box::new(File::create(place)?), None))
}

fn write(bytes: &[u8]) {
    let mut out = lock(&OUT);
    if out.as_mut().is_some_and(|to| to.write_all(bytes).is_err()) {
        *out = None; // Nobody reads any more: the search goes on untraced.
        ON.store(false, Relaxed);
    }
}

/// Obeys words such as `ply 3 from 2 path e2e4 e7e5`; a path takes all that follows. A filter without a number ends.
fn obey(line: &str) {
    let mut words = line.split_whitespace().peekable();
    let mut steered = lock(&STEERED);
    while let Some(word) = words.next() {
        let number = words.peek().and_then(|w| w.parse::<u64>().ok());
        let key = words.peek().and_then(|w| u64::from_str_radix(w.trim_start_matches("0x"), 16).ok());
        let small = number.map(|n| n.min(i32::MAX as u64) as i32);
        let filters = &mut steered.filters;
        match word {
            "go" => LIMIT.store(number.unwrap_or(u64::MAX), Relaxed),
            "stop" => LIMIT.store(0, Relaxed),
            "quit" => std::process::exit(0),
            "nodes" => filters.nodes = number.unwrap_or(u64::MAX),
            "from" => filters.from = small.unwrap_or(0),
            "ply" => filters.ply = small.unwrap_or(i32::MAX),
            "key" => filters.key = key,
            "path" => filters.path = words.by_ref().map(str::to_owned).collect(),
            _ => continue,
        }
        if number.is_some() && word != "stop" || word == "key" && key.is_some() {
            words.next();
        }
    }
    steered.version += 1;
    drop(steered);
    WORD.notify_all();
}

/// A line of JSON.
struct Line(String);

impl Line {
    fn text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            let _ = write!(self.0, ",\"{name}\":\"");
            for c in text.chars() {
                let _ = match c {
                    '"' | '\\' => write!(self.0, "\\{c}"),
                    c if (c as u32) < 32 => write!(self.0, "\\u{:04x}", c as u32),
                    c => write!(self.0, "{c}"),
                };
            }
            self.0.push('"');
        }
    }

    fn number(&mut self, name: &str, number: f64) {
        if number != 0.0 {
            let _ = write!(self.0, ",\"{name}\":{number}");
        }
    }
}

fn header_line(header: &Header, is_controlled: bool) -> String {
    let step = if header.step > 0.0 { header.step } else { 1.0 };
    let mut line = Line("{\"plyscope-trace\":1".to_owned());
    for (name, text) in [("engine", header.engine), ("game", header.game), ("order", header.order), ("backup", header.backup)] {
        line.text(name, text);
    }
    let mut value = Line(String::new());
    for (name, text) in [("unit", header.unit), ("view", header.view), ("distance", header.distance), ("fail", header.fail)] {
        value.text(name, text);
    }
    value.number("step", header.step);
    value.number("infinite", f64::from(header.infinite) * step);
    value.number("win", f64::from(header.win) * step);
    if let Some((low, high)) = header.range {
        let _ = write!(value.0, ",\"range\":[{low},{high}]");
    }
    let _ = write!(line.0, ",\"value\":{{{}}}", value.0.trim_start_matches(','));
    line.number("depth-step", f64::from(header.depth_step));
    let reasons = header.reasons.iter().map(|reason| {
        let mut one = Line(format!("\"n\":{}", reason.n));
        one.text("name", reason.name);
        one.text("class", reason.class);
        let numbers = reason.numbers.split_whitespace().map(|number| {
            let (name, unit) = number.split_once(':').unwrap_or((number, "number"));
            format!("[\"{name}\",\"{unit}\"]")
        });
        let _ = write!(one.0, ",\"numbers\":[{}]", numbers.collect::<Vec<_>>().join(","));
        one.text("text", reason.text);
        format!("{{{}}}", one.0)
    });
    let _ = write!(line.0, ",\"reasons\":[{}]", reasons.collect::<Vec<_>>().join(","));
    if is_controlled {
        line.0.push_str(",\"control\":true");
    }
    line.0 + "}\n"
}

// Events.

/// The `enter` of an open node.
#[derive(Clone)]
struct Level {
    n: u64,
    nodes: u64,
    m: u32,
    bytes: Vec<u8>,
}

/// What a thread writes.
struct Context {
    /// Events made; when to look up; their hash; nodes.
    n: u64,
    next: u64,
    hash: u64,
    nodes: u64,
    /// Events and nodes that were not sent and are not yet accounted for.
    skipped: u64,
    skipped_nodes: u64,
    /// Events before the chunk; when the next mark is due; when the last chunk was written.
    chunk: u64,
    mark: u64,
    written: Instant,
    /// Open nodes; those that pass the filters; those in the stream; the level of the key.
    open: usize,
    passed: usize,
    sent: usize,
    keep: usize,
    iteration: i32,
    side: u8,
    number: u32,
    search: u32,
    named: Vec<u32>,
    /// Of the open nodes; the first is no node's. The levels are used with a filter by key.
    plies: Vec<i32>,
    levels: Vec<Level>,
    filters: Filters,
    is_filtered: bool,
    version: u32,
    /// The chunk, after room for its header.
    bytes: Vec<u8>,
    /// The event being written.
    event: Vec<u8>,
}

thread_local! {
    static NUMBER: RefCell<Option<u32>> = const { RefCell::new(None) };
    static CONTEXT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

#[inline]
fn with<T: Default>(then: impl FnOnce(&mut Context) -> T) -> T {
    if !on() {
        return T::default();
    }
    CONTEXT.with(|context| {
        let mut context = context.borrow_mut();
        let context = context.get_or_insert_with(|| {
            let given = NUMBER.with(|number| *number.borrow());
            Context::new(given.unwrap_or_else(|| THREADS.fetch_add(1, Relaxed)))
        });
        if context.search != SEARCHES.load(Relaxed) {
            context.begin();
        }
        then(context)
    })
}

/// When the next mark is due. Every mark is written at once, so that a program that crashes loses an eighth of its trace at most,
/// and no more than `MARK` events.
fn mark_after(n: u64) -> u64 {
    let mut step = 1;
    while step < MARK && step * 16 <= n {
        step *= 2;
    }
    (n / step + 1) * step
}

fn put(bytes: &mut Vec<u8>, mut v: u64) {
    while v > 127 {
        bytes.push(v as u8 | 128);
        v >>= 7;
    }
    bytes.push(v as u8);
}

impl Drop for Context {
    fn drop(&mut self) {
        if on() {
            self.send();
        }
    }
}

impl Context {
    fn new(number: u32) -> Context {
        Context {
            n: 0,
            next: 0,
            hash: 0,
            nodes: 0,
            skipped: 0,
            skipped_nodes: 0,
            chunk: 0,
            mark: 0,
            written: Instant::now(),
            open: 0,
            passed: 0,
            sent: 0,
            keep: 0,
            iteration: 0,
            side: 0,
            number,
            search: 0,
            named: vec![0; 4096],
            plies: vec![-1],
            levels: Vec::new(),
            filters: Filters::NONE,
            is_filtered: false,
            version: 0,
            bytes: vec![0; 32],
            event: Vec::new(),
        }
    }

    /// The first event of this thread in this search.
    fn begin(&mut self) {
        self.send();
        (self.n, self.nodes, self.skipped, self.skipped_nodes, self.chunk, self.mark) = (0, 0, 0, 0, 0, 0);
        (self.open, self.passed, self.sent, self.keep, self.iteration, self.side) = (0, 0, 0, 0, 0, 0);
        self.hash = 0xcbf2_9ce4_8422_2325;
        self.search = SEARCHES.load(Relaxed);
        self.look();
    }

    fn chunk(&mut self, kind: u8, more: &[u8]) {
        let length = if kind == 0 { self.bytes.len() - 32 } else { more.len() };
        let mut head = [0; 32];
        head[..4].copy_from_slice(&(length as u32).to_le_bytes());
        head[4..6].copy_from_slice(&(self.number as u16).to_le_bytes());
        head[6] = kind;
        for (place, number) in [(8, self.chunk), (16, self.n), (24, self.hash)] {
            head[place..place + 8].copy_from_slice(&number.to_le_bytes());
        }
        if kind == 0 {
            self.bytes[..32].copy_from_slice(&head);
            write(&self.bytes);
            self.bytes.truncate(32);
        } else {
            write(&[&head, more].concat());
        }
        self.chunk = self.n;
        self.written = Instant::now();
    }

    fn json(&mut self, line: &str) {
        self.send();
        if line.len() <= 1 << 20 {
            self.chunk(1, line.as_bytes());
        }
    }

    /// Accounts for the events up to `n` that were not sent.
    fn skip(&mut self, n: u64, nodes: u64) {
        let (events, nodes) = (n - (self.n - self.skipped), nodes - (self.nodes - self.skipped_nodes));
        if events > 0 {
            self.bytes.push(18);
            put(&mut self.bytes, events);
            put(&mut self.bytes, nodes);
            self.skipped -= events;
            self.skipped_nodes -= nodes;
        }
    }

    #[inline]
    fn account(&mut self) {
        if self.skipped > 0 {
            self.spine();
            self.skip(self.n, self.nodes);
        }
    }

    fn send(&mut self) {
        self.account();
        if self.bytes.len() > 32 {
            self.chunk(0, &[]);
        }
    }

    fn name_as(&mut self, m: u32, text: &str) {
        let length = (0..=text.len().min(64)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        self.bytes.push(16);
        put(&mut self.bytes, u64::from(m));
        put(&mut self.bytes, length as u64);
        self.bytes.extend_from_slice(&text.as_bytes()[..length]);
        self.named[((m ^ m >> 12) & 4095) as usize] = m;
    }

    #[inline]
    fn name(&mut self, m: u32) {
        if self.named[((m ^ m >> 12) & 4095) as usize] != m {
            if let Some(name) = HEADER.get().and_then(|header| header.name) {
                self.name_as(m, &name(m));
            }
        }
    }

    /// With a filter by key, nodes are sent when it becomes known that something below them is, or when a mark is due.
    fn spine(&mut self) {
        while self.sent < self.passed {
            let Some(level) = self.levels.get(self.sent).cloned() else { return };
            self.sent += 1;
            self.skip(level.n - 1, level.nodes - 1);
            self.name(level.m);
            self.bytes.extend_from_slice(&level.bytes);
            self.skipped -= 1;
            self.skipped_nodes -= 1;
        }
    }

    /// Every mark, and where the program has to wait or to stop in a debugger.
    #[cold]
    fn look(&mut self) {
        let trap_search = TRAP_SEARCH.load(Relaxed);
        let is_trap = self.n == TRAP.load(Relaxed) && (trap_search == 0 || trap_search == self.search - 1);
        if self.n >= self.mark || is_trap {
            self.spine();
            self.send();
        }
        self.mark = mark_after(self.n);
        if is_trap {
            let process = std::process::id().to_string();
            let _ = std::process::Command::new("kill").args(["-TRAP", &process]).status();
        }
        let mut waits = false;
        let mut steered = lock(&STEERED);
        while self.n >= LIMIT.load(Relaxed) && CONTROLLED.load(Relaxed) {
            if !waits {
                // What is written may have to wait, too; words are taken meanwhile.
                drop(steered);
                waits = true;
                self.spine();
                self.send();
                self.chunk(2, &[]);
                steered = lock(&STEERED);
                continue;
            }
            steered = WORD.wait(steered).unwrap_or_else(PoisonError::into_inner);
        }
        if self.version != steered.version {
            self.version = steered.version;
            self.filters = steered.filters.clone();
            self.is_filtered = self.filters.are_some();
        }
        self.next = self.mark.min(LIMIT.load(Relaxed).max(self.n + 1));
        let trap = TRAP.load(Relaxed);
        if trap > self.n {
            self.next = self.next.min(trap);
        }
    }

    /// Whether what happens in the innermost node is sent.
    #[inline]
    fn is_inside(&self) -> bool {
        let filters = &self.filters;
        self.sent == self.open
            && (!self.is_filtered
                || (self.open > 0 && (filters.key.is_none() || self.keep > 0))
                || (self.open == 0 && (self.iteration == 0 || self.iteration >= filters.from) && self.nodes <= filters.nodes))
    }

    fn u(&mut self, v: u64) {
        put(&mut self.event, v);
    }

    fn s(&mut self, v: i64) {
        put(&mut self.event, (v << 1 ^ v >> 63) as u64);
    }

    /// An event counts and goes into the hash whether it is sent or not.
    fn done(&mut self, is_sent: bool) {
        for byte in &self.event {
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        if is_sent {
            self.bytes.extend_from_slice(&self.event);
        } else {
            self.skipped += 1;
        }
        self.event.clear();
        self.n += 1;
        if self.n >= self.next {
            self.look();
        }
        if self.bytes.len() > ROOM && self.skipped == 0 {
            self.send();
        }
    }

    fn passes(&self, m: u32, ply: i32) -> bool {
        let filters = &self.filters;
        let wanted = usize::try_from(ply - 1).ok().and_then(|i| filters.path.get(i)).filter(|_| m != 0);
        let name = || HEADER.get().and_then(|header| header.name).map_or(String::new(), |name| name(m));
        self.nodes < filters.nodes
            && ply <= filters.ply
            && (self.iteration == 0 || self.iteration >= filters.from)
            && wanted.map_or(true, |wanted| *wanted == name())
    }

    fn enter(&mut self, mut m: u32, ply: Option<i32>, alpha: i32, beta: i32, depth: i32) {
        let same = self.plies[self.open];
        let ply = ply.unwrap_or(same + i32::from(m != 0 || self.open == 0));
        if ply < same {
            // What is open was left by a panic.
            let open = self.plies[1..=self.open].iter().filter(|p| **p < ply).count();
            self.close(17, open, &[open as i64]);
        } else if ply == same {
            m = 0;
        }
        let passes = self.passed == self.open && self.open < DEEPEST && (!self.is_filtered || self.passes(m, ply));
        let is_sent = passes && (self.filters.key.is_none() || self.keep > 0);
        if is_sent {
            self.account();
        }
        self.open += 1;
        self.passed += usize::from(passes);
        if is_sent {
            self.name(m);
            self.sent = self.open;
        } else {
            self.skipped_nodes += 1;
        }
        self.nodes += 1;
        if self.side > 0 {
            let side = std::mem::take(&mut self.side);
            self.event.extend_from_slice(&[31, side]);
        }
        let has_window = alpha != 0 || beta != 0;
        self.event.push(if has_window { 1 } else { 34 });
        self.u(u64::from(m));
        if has_window {
            self.s(i64::from(alpha));
            self.u((i64::from(beta) - i64::from(alpha)) as u64);
        }
        self.s(i64::from(depth));
        self.plies.truncate(self.open);
        let deepest = self.plies.get(DEEPEST).copied();
        self.plies.push(deepest.unwrap_or(ply));
        if self.is_filtered && self.open <= DEEPEST {
            let level = Level { n: self.n + 1, nodes: self.nodes, m, bytes: self.event.clone() };
            self.levels.resize(self.open - 1, level.clone());
            self.levels.push(level);
        }
        self.done(is_sent);
    }

    /// Closes all but `open` nodes, by a record of this kind.
    fn close(&mut self, kind: u8, open: usize, fields: &[i64]) {
        if open >= self.open {
            return;
        }
        let is_sent = open < self.sent;
        self.sent = self.sent.min(open);
        self.passed = self.passed.min(open);
        self.keep = if open < self.keep { 0 } else { self.keep };
        self.open = open;
        if is_sent {
            self.account();
        }
        self.fields(kind, fields, is_sent);
        self.done(is_sent);
        if open == 0 && self.number > 0 {
            self.send(); // A helper's last words must come before the next search.
        }
    }

    /// The fields of the records: m a move, u unsigned, s signed, w the width from the field before.
    fn fields(&mut self, kind: u8, fields: &[i64], is_sent: bool) {
        let format = match kind {
            2..=4 | 8 | 11 | 13 => "s",
            9 | 15 => "ms",
            10 => "sws",
            12 => "su",
            14 | 17 | 22 => "u",
            21 => "sumu",
            24 => "usu",
            25 => "uusu",
            26 => "uss",
            27 => "m",
            29 => "ums",
            30 => "umu",
            _ => "",
        };
        if is_sent {
            for (form, field) in format.chars().zip(fields) {
                if form == 'm' {
                    self.name(*field as u32);
                }
            }
        }
        self.event.push(kind);
        for (i, form) in format.chars().enumerate() {
            match form {
                's' => self.s(fields[i]),
                'w' => self.u((fields[i] - fields[i - 1]) as u64),
                _ => self.u(fields[i] as u64),
            }
        }
    }

    fn record(&mut self, kind: u8, fields: &[i64]) {
        if matches!(kind, 8 | 9 | 29) {
            self.close(17, 0, &[0]); // What is still open was left by a panic.
        }
        if kind == 8 {
            self.iteration = fields[0] as i32;
        }
        let is_sent = match kind {
            8 | 9 | 27 | 29 => true,
            22 | 24..=26 | 30 => self.nodes <= self.filters.nodes,
            _ => self.is_inside(),
        };
        if is_sent {
            self.account();
        }
        self.fields(kind, fields, is_sent);
        self.done(is_sent);
        let is_late = || self.written.elapsed() > Duration::from_millis(100) && CONTROLLED.load(Relaxed);
        if matches!(kind, 9 | 29) || kind >= 22 && is_late() {
            self.send();
        }
    }

    fn told(&mut self, kind: u8, m: Option<u32>, reason: u8, numbers: &[i64]) {
        let is_sent = self.is_inside();
        if is_sent {
            self.account();
            self.name(m.unwrap_or(0));
        }
        self.event.push(kind);
        if let Some(m) = m {
            self.u(u64::from(m));
        }
        self.u(u64::from(reason));
        let numbers = &numbers[..numbers.len().min(8)];
        self.u(numbers.len() as u64);
        for number in numbers {
            self.s(*number);
        }
        self.done(is_sent);
    }

    fn say(&mut self, kind: &str, text: &str) {
        if self.is_inside() {
            let mut line = Line(format!("{{\"kind\":\"{kind}\""));
            line.text("text", text);
            line.number("t", f64::from(self.number));
            self.json(&(line.0 + "}\n"));
        }
    }
}

// What a program calls.

/// A search begins. `fen` or `root` names the position; `more` holds further JSON fields of the record: `"limits":"depth 8"`.
pub fn search(fen: &str, root: &str, more: &str) {
    with(|c| {
        c.close(17, 0, &[0]);
        c.send();
        let mut line = Line("{\"kind\":\"search\"".to_owned());
        line.text("fen", fen);
        line.text("root", root);
        let comma = if more.is_empty() { "" } else { "," };
        Context::new(c.number).json(&format!("{}{comma}{more}}}\n", line.0));
        SEARCHES.fetch_add(1, Relaxed);
        c.begin();
    });
}

pub fn iteration(depth: i32) {
    with(|c| c.record(8, &[i64::from(depth)]));
}

pub fn iteration_done(best: u32, value: i32) {
    with(|c| c.record(9, &[i64::from(best), i64::from(value)]));
}

/// One window over the root.
pub fn pass(alpha: i32, beta: i32, depth: i32) {
    with(|c| c.record(10, &[alpha, beta, depth].map(i64::from)));
}

pub fn pass_done(value: i32) {
    with(|c| c.record(11, &[i64::from(value)]));
}

pub fn best_change(m: u32) {
    with(|c| c.record(27, &[i64::from(m)]));
}

/// The search is over: the program's own figures.
pub fn end(nodes: u64, best: u32, value: i32) {
    with(|c| c.record(29, &[nodes as i64, i64::from(best), i64::from(value)]));
}

/// The number of the calling thread; without it threads are numbered as they come.
pub fn thread(number: u32) {
    NUMBER.with(|own| *own.borrow_mut() = Some(number));
    THREADS.fetch_max(number + 1, Relaxed);
    with(|c| {
        c.send();
        c.number = number;
    });
}

pub fn flush() {
    with(Context::send);
}

/// Enters a node. `alpha` and `beta` are both 0 where there is no window; any other window is told as it is, even one whose beta is not
/// above its alpha.
#[inline]
pub fn enter(m: u32, alpha: i32, beta: i32, depth: i32) {
    with(|c| c.enter(m, None, alpha, beta, depth));
}

/// With the engine's ply, the same position entered again and nodes left by a panic are recognised.
#[inline]
pub fn enter_ply(ply: i32, m: u32, alpha: i32, beta: i32, depth: i32) {
    with(|c| c.enter(m, Some(ply), alpha, beta, depth));
}

#[inline]
pub fn leave(value: i32) {
    with(|c| {
        if c.open > 0 {
            c.close(2, c.open - 1, &[i64::from(value)]);
        }
    });
}

/// `bound`: 0 none, 1 lower, 2 upper, 3 exact.
pub fn leave_more(value: i32, bound: u8, best: u32, nodes: u64) {
    with(|c| {
        if c.open > 0 {
            c.close(21, c.open - 1, &[i64::from(value), i64::from(bound), i64::from(best), nodes as i64]);
        }
    });
}

pub fn leave_without_value() {
    with(|c| {
        if c.open > 0 {
            c.close(20, c.open - 1, &[]);
        }
    });
}

pub fn unwind(open: usize) {
    with(|c| c.close(17, open, &[open as i64]));
}

/// The side to move at the next node entered, where sides do not alternate: 1 first, 2 second, 3 chance.
pub fn side(side: u8) {
    with(|c| c.side = side);
}

#[inline]
pub fn evaluate(value: i32) {
    with(|c| c.record(3, &[i64::from(value)]));
}

#[inline]
pub fn stand(value: i32) {
    with(|c| c.record(4, &[i64::from(value)]));
}

pub fn moves(count: u32) {
    with(|c| c.record(14, &[i64::from(count)]));
}

pub fn back_up(m: u32, worth: i32) {
    with(|c| c.record(15, &[i64::from(m), i64::from(worth)]));
}

/// The position's key, after [`enter`].
pub fn key(key: u64) {
    with(|c| {
        if c.filters.key == Some(key) && c.keep == 0 && c.passed == c.open {
            c.spine();
            c.keep = c.open;
        }
        if c.is_inside() {
            c.account();
            c.bytes.push(28);
            c.bytes.extend_from_slice(&key.to_le_bytes());
        }
    });
}

pub fn note(text: &str) {
    with(|c| c.say("note", text));
}

pub fn render(text: &str) {
    with(|c| c.say("render", text));
}

/// The name of a move, before its first use, where the header has no `name`.
pub fn name(m: u32, text: &str) {
    with(|c| c.name_as(m, text));
}

/// The reason for the node.
#[inline]
pub fn why(reason: u8, numbers: &[i64]) {
    with(|c| c.told(6, None, reason, numbers));
}

/// The reason for a move that is not searched. 0: all later moves.
#[inline]
pub fn prune(m: u32, reason: u8, numbers: &[i64]) {
    with(|c| c.told(5, Some(m), reason, numbers));
}

/// A rule searches below this node: `try` in the format.
pub fn attempt(reason: u8, numbers: &[i64]) {
    with(|c| c.told(7, None, reason, numbers));
}

pub fn attempted(value: i32) {
    with(|c| c.record(13, &[i64::from(value)]));
}

/// Before the [`enter`] that it changes.
pub fn depth_change(plies: i32, reason: u8) {
    with(|c| c.record(12, &[i64::from(plies), i64::from(reason)]));
}

/// `node` gets children with ids from `first` on: moves, and priors from 0 to 1.
pub fn expand(node: u32, first: u32, children: &[(u32, Option<f64>)]) {
    with(|c| {
        let children = &children[..children.len().min(4095)];
        let count = children.len() as u64;
        let is_sent = c.nodes + count <= c.filters.nodes;
        if is_sent {
            c.account();
            children.iter().for_each(|(m, _)| c.name(*m));
        } else {
            c.skipped_nodes += count;
        }
        c.nodes += count;
        c.event.push(23);
        for number in [u64::from(node), u64::from(first), count] {
            c.u(number);
        }
        for (m, prior) in children {
            c.u(u64::from(*m));
            c.u(prior.filter(|p| (0.0..=1.0).contains(p)).map_or(65_536, |p| (p * 65_535.0 + 0.5) as u64));
        }
        c.done(is_sent);
    });
}

pub fn visit(node: u32, value: i32, weight: u32) {
    with(|c| c.record(24, &[i64::from(node), i64::from(value), i64::from(weight)]));
}

pub fn update(node: u32, visits: u64, value: i32, sd: u32) {
    with(|c| c.record(25, &[i64::from(node), visits as i64, i64::from(value), i64::from(sd)]));
}

pub fn prove(node: u32, lower: i32, upper: i32) {
    with(|c| c.record(26, &[i64::from(node), i64::from(lower), i64::from(upper)]));
}

pub fn at(node: u32) {
    with(|c| c.record(22, &[i64::from(node)]));
}

pub fn edge(node: u32, m: u32, to: u32) {
    with(|c| c.record(30, &[node, m, to].map(i64::from)));
}

/// A node that is left by [`Node::leave`], or by a panic or an early return.
#[must_use]
pub struct Node(Option<usize>);

impl Node {
    pub fn enter(m: u32, alpha: i32, beta: i32, depth: i32) -> Node {
        enter(m, alpha, beta, depth);
        Node(with(|c| Some(c.open)))
    }

    pub fn enter_ply(ply: i32, m: u32, alpha: i32, beta: i32, depth: i32) -> Node {
        enter_ply(ply, m, alpha, beta, depth);
        Node(with(|c| Some(c.open)))
    }

    pub fn leave(mut self, value: i32) -> i32 {
        if self.0.take().is_some() {
            leave(value);
        }
        value
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(open) = self.0 {
            unwind(open - 1);
            if open == 1 {
                flush(); // After a panic the program may end without another word.
            }
        }
    }
}
