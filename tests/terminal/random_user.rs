//! A user who does anything at all: keys, mouse, pasted text, unfinished sequences, resizing, changing files and dying
//! engines. Nothing may panic, and the program must still respond, whatever was done.
//!
//! `PLYSCOPE_RANDOM_USER=7200 cargo test --release --test tui random_user -- --nocapture` runs for two hours and prints
//! the figures; `PLYSCOPE_RANDOM_SEED` sets another seed.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use fastrand::Rng;
use portable_pty::PtySize;

use crate::pty::{Terminal, folder, sample};

const GAME: &str = "[White \"a\"]\n\n1. e4 e5 2. Nf3 { [%eval 0.2] } Nc6 (2... d6 3. d4) 3. Bb5 *\n\n\
                    [White \"b\"]\n\n1. d4 d5 2. c4 *\n";
const CONFIG: &str = "[keys]\n\"Ctrl-x\" = \"help\"\n";
/// The files that the workbench watches and may open.
const FILES: [&str; 3] = ["game.pgn", "plyscope/config.toml", "lesson.md"];
/// Sequences that terminals send, and some that none would send.
const SEQUENCES: [&str; 24] = [
    "\x1b[A",
    "\x1b[B",
    "\x1b[C",
    "\x1b[D",
    "\x1b[5~",
    "\x1b[6~",
    "\x1b[H",
    "\x1b[F",
    "\x1b[Z",
    "\x1b[1;5C",
    "\x1b[3~",
    "\x1bOP",
    "\x1b[15~",
    "\x1b",
    "\x1b\x1b",
    "\x1b[<65;6;",
    "\x1b[200~half",
    "\x1b[",
    "\x1bO",
    "\x1b[M",
    "\x1b[201~",
    "\x1b[?1;2c",
    "\x1b[99;99R",
    "\x1b]0;title",
];

/// Text that is typed in addition to single keys: commands, and input for prompts.
const WORDS: [&str; 18] = [
    ":compare\r",
    ":stop\r",
    ":restart\r",
    "e4 e5 Nf3\r",
    "on cutoff\r",
    "when depth > 2\r",
    "20k\r",
    "r1b1k2r\r",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\r",
    "game.pgn\r",
    "nothing.fen\r",
    "/dev/tty\r",
    "sleeps\r",
    "12345",
    "1\t2\t",
    "n\r",
    "y\r",
    "\r\r",
];

struct User {
    rng: Rng,
    terminal: Terminal,
    folder: PathBuf,
    /// Columns and rows.
    size: (u16, u16),
    figures: Figures,
    /// The last input sent, for finding out what went wrong.
    recent: VecDeque<String>,
}

#[derive(Debug, Default)]
struct Figures {
    actions: u64,
    bytes: u64,
    resizes: u64,
    starts: u64,
    probes: u64,
    /// The number of probes that took more than a second.
    late: u64,
    slowest: Duration,
    /// Seconds and KiB.
    memory: Vec<(f64, u64)>,
}

impl User {
    fn new(seed: u64, folder: PathBuf) -> User {
        write_files(&folder);
        let mut user = User {
            rng: Rng::with_seed(seed),
            terminal: start(&folder, 0),
            folder,
            size: (160, 50),
            figures: Figures::default(),
            recent: VecDeque::new(),
        };
        user.settle();
        user
    }

    /// Waits until the program that was just started shows something.
    fn settle(&mut self) {
        self.figures.starts += 1;
        self.size = (160, 50);
        let begin = Instant::now();
        while self.terminal.text().trim().is_empty() {
            assert!(
                begin.elapsed() < Duration::from_secs(30),
                "nothing on the screen"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn act(&mut self) {
        self.figures.actions += 1;
        match self.rng.u8(..100) {
            0..50 => {
                let count = self.rng.usize(1..6);
                let keys: String = (0..count).map(|_| self.key()).collect();
                self.send(keys.as_bytes());
            }
            50..62 => {
                let sequence = self.rng.choice(SEQUENCES).unwrap_or("\x1b");
                self.send(sequence.as_bytes());
            }
            62..72 => {
                let (button, end) = (self.rng.choice([0, 0, 0, 2, 32, 64, 65]), self.rng.bool());
                let (x, y) = (self.rng.u16(1..200), self.rng.u16(1..70));
                let end = if end { 'M' } else { 'm' };
                self.send(format!("\x1b[<{};{x};{y}{end}", button.unwrap_or(0)).as_bytes());
            }
            72..82 => {
                let word = self.rng.choice(WORDS).unwrap_or("\r");
                self.send(word.as_bytes());
            }
            82..86 => {
                let text = ["e4 e5", GAME, "\u{202e}\x07\x1b[2Jq", "x\ny\nz"];
                let text = self.rng.choice(text).unwrap_or("");
                self.send(format!("\x1b[200~{text}\x1b[201~").as_bytes());
            }
            86..90 => {
                let noise: Vec<u8> = (0..self.rng.usize(1..12)).map(|_| self.byte()).collect();
                self.send(&noise);
            }
            90..95 => self.resize(),
            _ => self.change_a_file(),
        }
    }

    /// Returns a random key other than `q`, Ctrl-q and the like, which leave the program.
    fn key(&mut self) -> char {
        loop {
            let key = char::from(self.rng.u8(1..127));
            if !matches!(key, 'q' | 'Q' | '\x03' | '\x11' | '\x1a' | '\x1b') {
                return key;
            }
        }
    }

    fn byte(&mut self) -> u8 {
        match self.rng.u8(..) {
            b'q' | b'Q' | 3 | 17 | 26 => b'x',
            byte => byte,
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.figures.bytes += bytes.len() as u64;
        self.recent
            .push_back(String::from_utf8_lossy(bytes).into_owned());
        if self.recent.len() > 60 {
            self.recent.pop_front();
        }
        // A program that has ended takes no input; the next probe notices that.
        let _ = std::io::Write::write_all(&mut self.terminal.keys, bytes);
    }

    fn resize(&mut self) {
        self.size = match self.rng.u8(..8) {
            0 => (self.rng.u16(1..20), self.rng.u16(1..8)),
            1 => (80, 24),
            2 => (200, 50),
            _ => (self.rng.u16(40..220), self.rng.u16(10..70)),
        };
        self.figures.resizes += 1;
        self.apply_size();
    }

    fn apply_size(&mut self) {
        let (cols, rows) = self.size;
        let mut screen = self.terminal.screen.lock().expect("the screen");
        screen.screen_mut().set_size(rows, cols);
        drop(screen);
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        let _ = self.terminal.master.resize(size);
    }

    fn change_a_file(&mut self) {
        let path = self
            .folder
            .join(self.rng.choice(FILES).unwrap_or("game.pgn"));
        let _ = fs::remove_file(&path);
        match self.rng.u8(..6) {
            0 => {
                let _ = std::process::Command::new("mkfifo").arg(&path).status();
            }
            1 => drop(fs::write(&path, [0xff, 0xfe, 0, b'(', 0xd8])),
            2 => drop(fs::write(&path, "1. e4 (((((( { [broken")),
            3 => {}
            _ => write_files(&self.folder),
        }
    }

    /// Probes the program in two ways, with another size and with a key. Each redraws the whole screen.
    fn probe(&mut self) {
        if let Some(status) = self.terminal.child.try_wait().expect("its state") {
            assert_eq!(status.exit_code(), 0, "it ended\n{}", self.terminal.text());
            self.terminal = start(&self.folder, self.figures.starts);
            self.settle();
            return;
        }
        let (cols, rows) = self.size;
        // Below 40x12 only q has a meaning.
        self.size = (40 + (cols + 1) % 160, 12 + (rows + 1) % 48);
        self.answered("another size", Self::apply_size);
        // Leaves whatever is still open. Esc is distinguished from a sequence by its timing, which takes longer on a
        // busy machine.
        for _ in 0..3 {
            self.send(b"\x1b");
            std::thread::sleep(Duration::from_millis(200));
        }
        self.answered("Ctrl-L", |user| user.send(b"\x0c"));
        self.figures.memory.extend(self.resident());
    }

    fn answered(&mut self, what: &str, ask: impl Fn(&mut Self)) {
        /// After this time without any response the test fails.
        const NEVER: Duration = Duration::from_secs(30);
        /// After this time the probe is sent again: on a machine so busy that Esc was not read in time, Esc and the
        /// next key are read as another key.
        const AGAIN: Duration = Duration::from_secs(5);
        let before = self.terminal.cleared.load(Relaxed);
        let begin = Instant::now();
        let mut asked = begin;
        ask(self);
        while self.terminal.cleared.load(Relaxed) == before {
            if let Ok(Some(status)) = self.terminal.child.try_wait() {
                assert_eq!(status.exit_code(), 0, "it ended\n{}", self.terminal.text());
                return;
            }
            if asked.elapsed() > AGAIN {
                asked = Instant::now();
                ask(self);
            }
            assert!(
                begin.elapsed() < NEVER,
                "{what}: no answer\n{}\n{:?}\nlast sent: {:?}",
                self.terminal.text(),
                self.figures,
                self.recent
            );
            std::thread::sleep(Duration::from_millis(2));
        }
        let took = begin.elapsed();
        self.figures.probes += 1;
        self.figures.late += u64::from(took > Duration::from_secs(1));
        self.figures.slowest = self.figures.slowest.max(took);
    }

    /// Returns the resident memory in KiB, if the system provides it.
    fn resident(&self) -> Option<(f64, u64)> {
        let id = self.terminal.child.process_id()?;
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = status.lines().find(|l| l.starts_with("VmRSS"))?;
        let kib = line.split_whitespace().nth(1)?.parse().ok()?;
        Some((0.0, kib))
    }
}

fn write_files(folder: &Path) {
    let _ = fs::create_dir_all(folder.join("plyscope"));
    for (name, text) in [("game.pgn", GAME), ("plyscope/config.toml", CONFIG)] {
        let path = folder.join(name);
        let _ = fs::remove_file(&path);
        fs::write(path, text).expect("a file");
    }
    let _ = fs::copy(sample("opera-game.pgn"), folder.join("opera.pgn"));
}

fn start(folder: &PathBuf, number: u64) -> Terminal {
    let engines = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/engines");
    let engine = |name: &str| format!("sh {engines}/{name}.sh");
    let algorithms = ["alpha-beta", "mcts", "distress", "prob-alpha-beta"];
    let algorithm = algorithms[number as usize % algorithms.len()];
    let (good, dies) = (engine("good"), engine("dies_in_search"));
    let arguments = [
        "game.pgn",
        "-a",
        algorithm,
        "--threads",
        "2",
        "--engine",
        &good,
        "--engine",
        &dies,
    ];
    write_files(folder);
    Terminal::start(&arguments, &[], folder)
}

/// Returns the growth of the memory over the second half, in KiB per second.
fn slope(memory: &[(f64, u64)]) -> f64 {
    let half = &memory[memory.len() / 2..];
    let n = half.len() as f64;
    let (mean_t, mean_m) = half.iter().fold((0.0, 0.0), |(t, m), (time, kib)| {
        (t + time / n, m + *kib as f64 / n)
    });
    let (mut up, mut down) = (0.0, 0.0);
    for (time, kib) in half {
        up += (time - mean_t) * (*kib as f64 - mean_m);
        down += (time - mean_t).powi(2);
    }
    up / down.max(f64::EPSILON)
}

#[test]
fn whatever_is_pressed_it_answers() {
    let seconds = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let length = Duration::from_secs(seconds("PLYSCOPE_RANDOM_USER").unwrap_or(12));
    let seed = seconds("PLYSCOPE_RANDOM_SEED").unwrap_or(1);
    let folder = folder("random-user");
    let begin = Instant::now();
    let mut user = User::new(seed, folder.clone());
    while begin.elapsed() < length {
        for _ in 0..user.rng.usize(1..40) {
            user.act();
            if user.rng.u8(..4) == 0 {
                std::thread::sleep(Duration::from_millis(user.rng.u64(1..60)));
            }
        }
        user.probe();
        if let Some(last) = user.figures.memory.last_mut() {
            last.0 = begin.elapsed().as_secs_f64();
        }
    }
    let Figures {
        actions,
        bytes,
        resizes,
        starts,
        probes,
        late,
        slowest,
        memory,
    } = &user.figures;
    let most = memory.iter().map(|(_, kib)| kib / 1024).max().unwrap_or(0);
    println!(
        "{actions} actions, {bytes} bytes, {resizes} sizes, {starts} starts; {probes} probes, {late} later than a second, \
         slowest {slowest:.1?}; at most {most} MiB resident, {:.2} MiB/min in the last half",
        slope(memory) * 60.0 / 1024.0
    );
    let faults: Vec<_> = fs::read_dir(folder.join("plyscope"))
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("fault-"))
        .map(|entry| fs::read_to_string(entry.path()).unwrap_or_default())
        .collect();
    let _ = user.terminal.child.kill();
    let _ = user.terminal.child.wait();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    fs::remove_dir_all(folder).expect("removed");
}
