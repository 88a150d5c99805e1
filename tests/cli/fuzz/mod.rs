//! Feeds every parser with inputs that are nearly right. None may panic, hang or lose what it read.
//!
//! `cargo test --release --test cli fuzz -- --nocapture` gives each parser a second; `PLYSCOPE_FUZZ=600` gives it
//! ten minutes, and `PLYSCOPE_FUZZ_SEED` sets another seed. An input that breaks a parser is written to
//! `target/tmp/fuzz`; it should be added to `tests/fixtures/fuzz/READER`, whose files are then always read first.
//!
//! This works without instrumented code: an input counts as new if the parser's answer, ignoring numbers and
//! quotations, has not occurred before.

mod engine_output;
mod files;
mod graded;
mod lines;
mod mutate;
mod open_trace;
mod python_chess;
mod records;
mod uci;

use std::collections::HashSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use mutate::Mutator;
use text::sanitise;

/// A parser and what its inputs are made of.
struct Reader<'a> {
    name: &'static str,
    good: Vec<Vec<u8>>,
    /// Words of its language.
    words: &'a [&'a str],
    /// Bytes.
    longest: usize,
}

/// No input takes this long, even on a busy machine.
const HANGS: Duration = Duration::from_secs(60);

impl Reader<'_> {
    /// Parses as many inputs as time allows. The result of `read` distinguishes one kind of answer from another.
    fn fuzz(mut self, mut read: impl FnMut(&[u8]) -> String) {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        let length = Duration::from_secs(number("PLYSCOPE_FUZZ").unwrap_or(1));
        let seed = number("PLYSCOPE_FUZZ_SEED").unwrap_or(1);
        self.good.extend(contents(&fixture("fuzz").join(self.name)));
        let mut mutator = Mutator::new(seed, self.good, self.words, self.longest);
        let (count, current) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        let is_over = AtomicBool::new(false);
        let mut answers = HashSet::new();
        let begin = Instant::now();
        std::thread::scope(|threads| {
            threads.spawn(|| watch(self.name, &count, &current, &is_over));
            let mut good = mutator.good().into_iter();
            let mut input = Vec::new();
            while begin.elapsed() < length || good.len() > 0 {
                match good.next() {
                    Some(first) => input = first,
                    None => mutator.next(&mut input),
                }
                current.lock().expect("the input").clone_from(&input);
                let answer = catch_unwind(AssertUnwindSafe(|| read(&input)));
                count.fetch_add(1, Relaxed);
                match answer {
                    Ok(answer) => {
                        if answers.insert(kind(&answer)) {
                            mutator.keep(&input);
                        }
                    }
                    Err(panic) => {
                        is_over.store(true, Relaxed);
                        eprintln!("{} (seed {seed}): {}", self.name, left(self.name, &input));
                        std::panic::resume_unwind(panic);
                    }
                }
            }
            is_over.store(true, Relaxed);
        });
        println!(
            "{}: {} inputs in {:.0?}, {} kinds of answer",
            self.name,
            count.into_inner(),
            begin.elapsed(),
            answers.len()
        );
    }
}

/// Ends the process if one input takes too long; nothing else can be done from outside.
fn watch(name: &str, count: &AtomicU64, current: &Mutex<Vec<u8>>, is_over: &AtomicBool) {
    let (mut before, mut since) = (0, Instant::now());
    while !is_over.load(Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
        let now = count.load(Relaxed);
        if now != before {
            (before, since) = (now, Instant::now());
        } else if since.elapsed() > HANGS {
            let input = current.lock().expect("the input").clone();
            eprintln!("{name} hangs: {}", left(name, &input));
            std::process::abort();
        }
    }
}

/// Writes the input to a file and reports where.
fn left(name: &str, input: &[u8]) -> String {
    let folder = scratch().join(name);
    let path = folder.join(format!("{:08x}", fastrand::u32(..)));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, input));
    match written {
        Ok(()) => format!("left in {}", path.display()),
        Err(_) => format!("{:?}", String::from_utf8_lossy(input)),
    }
}

/// An answer without its numbers and quotations: for an error, the text before `found` and the expectation.
fn kind(answer: &str) -> String {
    let told = match (answer.split_once("found "), answer.rsplit_once("expected ")) {
        (Some((before, _)), Some((_, after))) => format!("{before}{after}"),
        _ => answer.to_owned(),
    };
    let (mut is_quoted, mut before) = (false, ' ');
    let plain = told.chars().filter(|&c| {
        is_quoted ^= c == '"' && before != '\\';
        before = c;
        !is_quoted && c.is_ascii() && !c.is_ascii_digit()
    });
    plain.take(400).collect()
}

/// The state of a run.
fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz")
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Returns the contents of all files in a folder and its subfolders; none if the folder does not exist.
fn contents(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    let inside = |path: PathBuf| {
        if path.is_dir() {
            contents(&path)
        } else {
            fs::read(path).into_iter().collect()
        }
    };
    paths.into_iter().flat_map(inside).collect()
}

/// Returns the files of a folder with this extension, up to a size in bytes.
fn small(folder: &Path, ending: &str, most: u64) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the files")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .filter(|path| fs::metadata(path).is_ok_and(|m| m.len() <= most))
        .collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|path| fs::read(path).ok())
        .collect()
}

fn lines_of(text: &str) -> Vec<Vec<u8>> {
    text.lines().map(|line| line.as_bytes().to_vec()).collect()
}

/// Formats `Ok` with its value and `Err` with its message.
fn told<T, E: std::fmt::Display>(result: Result<T, E>, tell: impl FnOnce(T) -> String) -> String {
    match result {
        Ok(value) => tell(value),
        Err(error) => {
            let message = error.to_string();
            assert_eq!(sanitise(&message), message, "it could steer a terminal");
            message
        }
    }
}
