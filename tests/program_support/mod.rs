//! The program that tests start: their own binary, with `CHILD` in its environment. It sends a trace well or badly.

use std::io::{BufRead as _, BufReader, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio, exit};
use std::time::{Duration, SystemTime};

/// The command that runs the child in a mode: `steady 1000`.
pub fn command(mode: &str) -> Vec<String> {
    let this = std::env::current_exe().expect("this program");
    let this = this.to_str().expect("a name").to_owned();
    let mode = format!("CHILD={mode}");
    let (_, here) = module_path!().split_once("::").expect("a module");
    let test = format!("{here}::child");
    ["env", &mode, &this, &test, "--exact", "--nocapture"]
        .map(str::to_owned)
        .to_vec()
}

#[test]
fn child() {
    let Ok(mode) = std::env::var("CHILD") else {
        return;
    };
    let mut words = mode.split(' ');
    let mode = words.next().unwrap_or_default();
    let number = words.next().unwrap_or("1000").parse();
    run(mode, number.expect("a number"), words.next());
    exit(0);
}

fn run(mode: &str, number: u64, file: Option<&str>) {
    match mode {
        "steady" => {
            let mut emitter = Emitter::new();
            emitter.search(number, 0);
        }
        "seeded-by-the-clock" => {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let mut emitter = Emitter::new();
            emitter.search(number, now.expect("a time").as_nanos() as u64);
        }
        "dies-at-once" => {
            eprintln!("no such network\u{1b}[2J");
            exit(3);
        }
        "aborts" => {
            let mut emitter = Emitter::new();
            emitter.events(number, 0);
            emitter.mark(false);
            std::process::abort();
        }
        "never-connects" => asleep(),
        "hangs" => {
            let emitter = Emitter::new();
            asleep();
            drop(emitter);
        }
        "floods" => {
            let mut emitter = Emitter::new();
            let lines = b"{\"kind\":\"evaluate\",\"value\":1}\n".repeat(10_000);
            while emitter.wire.write_all(&lines).is_ok() {}
            println!("nobody reads");
            asleep();
        }
        "closes" => {
            let mut emitter = Emitter::new();
            emitter.events(number, 0);
            emitter.mark(false);
            drop(emitter);
            asleep();
        }
        "closes-control" => {
            let mut emitter = Emitter::new();
            emitter.wire.close_input();
            emitter.limit = u64::MAX;
            emitter.input = None;
            loop {
                emitter.events(100, 0);
                emitter.mark(false);
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        "garbage" => {
            let mut wire = Wire::connect();
            wire.write_all(b"Hello \x1b[2J, I am no trace\n")
                .expect("written");
            asleep();
        }
        "ignores-go" => {
            let mut emitter = Emitter::new();
            emitter.limit = u64::MAX;
            emitter.input = None;
            loop {
                emitter.events(100, 0);
                emitter.mark(false);
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        "tells-and-goes-on" => {
            let mut emitter = Emitter::new();
            emitter.events(number, 0);
            std::fs::write(file.expect("a file"), "").expect("written");
            loop {
                emitter.events(100, 0);
                emitter.mark(false);
                emitter.limit = emitter.n;
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        "leaves-another" => {
            let mut emitter = Emitter::new();
            emitter.events(number, 0);
            emitter.mark(false);
            let holds = emitter.wire.for_another();
            let other = Command::new("sleep").arg("60").stdin(holds).spawn();
            println!("other {}", other.expect("another").id());
        }
        "chatters" => {
            let mut emitter = Emitter::new();
            let flood = vec![b'x'; 3 << 20];
            std::io::stderr().write_all(&flood).expect("written");
            std::io::stdout().write_all(&flood).expect("written");
            println!("\nthe last line");
            emitter.search(number, 0);
        }
        "uci" => uci(number, false),
        "uci-aborts" => uci(number, true),
        other => panic!("no mode {other}"),
    }
}

/// Speaks UCI, and traces each search; dies in it if it is to.
fn uci(number: u64, aborts: bool) {
    let mut emitter = Emitter::new();
    let mut best = "e2e4";
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        match line.split(' ').next() {
            Some("uci") => println!("id name Traced\nuciok"),
            Some("isready") => println!("readyok"),
            Some("position") if line.ends_with("moves e2e4") => best = "e7e5",
            Some("go") => {
                emitter.search(number, 0);
                if aborts {
                    std::process::abort();
                }
                println!("info depth 1 score cp 5 nodes {number} pv {best}\nbestmove {best}");
            }
            Some("quit") => return,
            _ => {}
        }
    }
}

fn asleep() {
    std::thread::sleep(Duration::from_secs(60));
}

enum Wire {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Wire {
    fn connect() -> Wire {
        let place = std::env::var("PLYSCOPE_TRACE").expect("a place");
        if let Some(path) = place.strip_prefix("unix:") {
            return Wire::Unix(UnixStream::connect(path).expect("a socket"));
        }
        let (host, token) = place
            .strip_prefix("tcp:")
            .and_then(|rest| rest.split_once('/'))
            .expect("a host and a token");
        let mut stream = TcpStream::connect(host).expect("a port");
        writeln!(stream, "{token}").expect("written");
        Wire::Tcp(stream)
    }

    fn input(&self) -> Box<dyn std::io::Read> {
        match self {
            Wire::Unix(stream) => Box::new(stream.try_clone().expect("a copy")),
            Wire::Tcp(stream) => Box::new(stream.try_clone().expect("a copy")),
        }
    }

    fn close_input(&self) {
        let input = std::net::Shutdown::Read;
        match self {
            Wire::Unix(stream) => stream.shutdown(input).expect("closed"),
            Wire::Tcp(stream) => stream.shutdown(input).expect("closed"),
        }
    }

    fn for_another(&self) -> Stdio {
        match self {
            Wire::Unix(stream) => {
                std::os::fd::OwnedFd::from(stream.try_clone().expect("a copy")).into()
            }
            Wire::Tcp(stream) => {
                std::os::fd::OwnedFd::from(stream.try_clone().expect("a copy")).into()
            }
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Wire::Unix(stream) => stream.write(bytes),
            Wire::Tcp(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A small emitter of JSON lines, which obeys the control channel.
struct Emitter {
    wire: Wire,
    input: Option<BufReader<Box<dyn std::io::Read>>>,
    out: Vec<u8>,
    n: u64,
    hash: u64,
    limit: u64,
    /// Only the first events are sent; what is left out is counted.
    most: u64,
    skipped: u64,
}

impl Emitter {
    const MARK: u64 = 4_096;

    fn new() -> Emitter {
        let wire = Wire::connect();
        let input = Some(BufReader::new(wire.input()));
        let limit = std::env::var("PLYSCOPE_TRACE_LIMIT").unwrap_or_default();
        let most = limit.strip_prefix("nodes ").and_then(|n| n.parse().ok());
        let mut emitter = Emitter {
            wire,
            input,
            out: Vec::new(),
            n: 0,
            hash: 0xcbf2_9ce4_8422_2325,
            limit: 0,
            most: most.unwrap_or(u64::MAX),
            skipped: 0,
        };
        emitter.line("{\"plyscope-trace\":1,\"engine\":\"child 1.0\",\"control\":true}");
        emitter.send();
        emitter
    }

    /// A whole search.
    fn search(&mut self, events: u64, seed: u64) {
        self.line("{\"kind\":\"search\",\"root\":\"somewhere\"}");
        (self.n, self.hash) = (0, 0xcbf2_9ce4_8422_2325);
        // Leave holds within a search.
        if self.limit != u64::MAX {
            self.limit = 0;
        }
        self.events(events, seed);
        self.mark(false);
    }

    fn events(&mut self, count: u64, seed: u64) {
        for i in 0..count {
            while self.n >= self.limit {
                self.mark(true);
                self.obey();
            }
            // From the 6,000th on the seed matters.
            let value = if i < 6_000 { i } else { i ^ seed };
            let event = format!("{{\"kind\":\"evaluate\",\"value\":{}}}", value % 1_000);
            for byte in value.to_le_bytes() {
                self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
            self.n += 1;
            if self.n <= self.most {
                self.line(&event);
            } else {
                self.skipped += 1;
            }
            if self.n.is_multiple_of(Self::MARK) {
                self.mark(false);
            }
        }
    }

    fn mark(&mut self, waiting: bool) {
        if self.skipped > 0 {
            let skipped = std::mem::take(&mut self.skipped);
            self.line(&format!("{{\"kind\":\"skip\",\"events\":{skipped}}}"));
        }
        let (n, hash) = (self.n, self.hash);
        let mark = format!(
            "{{\"kind\":\"mark\",\"n\":{n},\"hash\":\"{hash:016x}\",\"waiting\":{waiting}}}"
        );
        self.line(&mark);
        self.send();
    }

    fn line(&mut self, line: &str) {
        self.out.extend(line.as_bytes());
        self.out.push(b'\n');
    }

    fn send(&mut self) {
        // If nobody reads any more, the search goes on.
        let _ = self.wire.write_all(&self.out);
        self.out.clear();
    }

    /// Waits for a line of the control channel.
    fn obey(&mut self) {
        let mut line = String::new();
        let read = self.input.as_mut().map(|input| input.read_line(&mut line));
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            _ if !matches!(read, Some(Ok(1..))) => self.limit = u64::MAX,
            ["go"] => self.limit = u64::MAX,
            ["go", event] => self.limit = event.parse().expect("an event"),
            ["quit"] => exit(0),
            _ => {}
        }
    }
}
