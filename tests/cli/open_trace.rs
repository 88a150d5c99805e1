//! The emitters of the open trace, as `plyscope emitter` prints them: built by the system's compilers and interpreters, in small programs and
//! in programs of others. What is not installed is left out with a word.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use open_trace::{At, Cause, Language, Reader, Record, RecordKind};

use crate::cli_support::plyscope;

const LANGUAGES: [Language; 4] = [Language::C, Language::Cpp, Language::Python, Language::Rust];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/open_trace")
}

/// A folder with the emitters, as they are printed, and the programs that use them.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("open-trace");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        for language in LANGUAGES {
            fs::write(folder.join(language.file_name()), language.emitter()).expect("a file");
        }
        for entry in fs::read_dir(fixtures()).expect("a folder") {
            let path = entry.expect("an entry").path();
            fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("a copy");
        }
        folder
    })
}

/// Whether a program is installed; says so if not.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("left out: {program} is not installed");
    }
    found
}

fn must(command: &mut Command) -> Output {
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
    output
}

/// Builds a program in C or, under another name, in C++. `traced`: with the trace.
fn build(
    compiler: &str,
    source: &str,
    standard: &str,
    name: &str,
    traced: bool,
) -> Option<PathBuf> {
    if !has(compiler) {
        return None;
    }
    let program = folder().join(name);
    let mut command = Command::new(compiler);
    if compiler == "c++" {
        command.args(["-x", "c++"]);
    }
    command
        .args(["-O2", "-Wall", "-Wextra", "-Werror", standard])
        .args(traced.then_some("-DPLYSCOPE_TRACE"))
        .arg(format!("-I{}", folder().display()))
        .arg(folder().join(source))
        .arg("-o")
        .arg(&program)
        .arg("-lpthread");
    must(&mut command);
    Some(program)
}

/// The script of calls that all languages are compared by: every record, and enough of them for several marks. Values are in units
/// of the step, and moves are used first in the order of their numbers.
fn script() -> String {
    let mut calls = vec!["search".to_owned()];
    let mut call = |text: String| calls.push(text);
    (1..=5).for_each(|m| call(format!("best_change {m}")));
    for i in 1..=300 {
        call(format!("iteration {i}"));
        if i % 7 == 0 {
            call(format!("pass -10 10 {i}"));
            call("pass_done 3".into());
        }
        call(format!("enter_ply 0 0 -1000 1000 {i}"));
        call(format!("key {}", 0x1000 + i % 5));
        call("moves 4".into());
        call(format!("evaluate {}", i * 1000 - 150_000));
        call("try 2".into());
        call(format!("enter_ply 1 1 -20 -19 {}", i - 3));
        call(format!("leave {}", -(i % 13)));
        call(format!("tried {}", i % 13));
        for m in 2..=5 {
            if m == 4 {
                call(format!("prune {m} {i} 3 7"));
                continue;
            }
            if m == 5 {
                call("depth_change -1".into());
            }
            call(format!("enter_ply 1 {m} -30 {} {}", i % 17, i - 1));
            call(format!("stand {}", i % 9 - 4));
            // The same position again.
            call(format!("enter_ply 1 {m} -30 5 2"));
            call("leave 5".into());
            call(format!("enter_ply 2 {} 0 0 1", 2 + (i + m) % 4));
            call(format!("key {}", 0x2000 + m));
            call("why".into());
            call(format!("leave_more {} 3 2 {}", m - 7, 100 + i));
            call("back_up 2 9".into());
            call(format!("leave {}", i % 21 - 10));
        }
        match i % 10 {
            // Left behind: the next iteration unwinds it.
            0 => call("note".into()),
            1 => call("leave_without_value".into()),
            _ => call(format!("leave {i}")),
        }
        call("best_change 2".into());
        call(format!("iteration_done 2 {i}"));
    }
    let rest = "expand 0 1 1|expand 1 3 0|visit 3 -4 1|update 3 17 -3 2|at 3|evaluate 1|prove 1 -9 9|edge 4 2 1|render|side 3|\
        enter 2 0 0 1|unwind 0|end 12345 2 77|search|enter 0 -5 5 1|leave -2147483647|flush|end 1 0 0";
    calls.extend(rest.split('|').map(str::to_owned));
    calls.join("\n")
}

/// Some calls in any order, as far as they make sense.
fn random_calls(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut calls = vec!["search".to_owned()];
    calls.extend((1..=6).map(|m| format!("best_change {m}")));
    let mut open = 0;
    // Some go deeper than an emitter follows.
    let (deep, count) = match seed % 5 {
        0 => (0.7, 3000),
        _ => (0.3, random.usize(50..4000)),
    };
    for _ in 0..count {
        let value = random.i32(-900..900);
        let (alpha, beta) = (value, value + [1, 1, 50, 0][random.usize(..4)]);
        let (m, depth) = (random.u32(..7), random.i32(-3..9));
        let dice = random.f64();
        if dice < deep && open < 1100 {
            calls.push(match random.usize(..3) {
                0 => format!("enter_ply {open} {} {alpha} {beta} {depth}", m.max(1)),
                _ => format!("enter {m} {alpha} {beta} {depth}"),
            });
            open += 1;
            if random.bool() {
                calls.push(format!("key {}", random.u32(1..5)));
            }
        } else if dice < 0.75 {
            let kind = [
                "leave {}",
                "leave {}",
                "leave_without_value",
                "leave_more {} 3 2 77",
            ];
            calls.push(kind[random.usize(..4)].replace("{}", &value.to_string()));
            open = (open - 1).max(0);
        } else if dice < 0.79 {
            open = 0;
            calls.push(format!("iteration {}", random.u32(1..20)));
        } else {
            let kind = [
                "evaluate V",
                "stand V",
                "why",
                "prune M V 3 4",
                "try 2",
                "tried V",
                "moves 20",
                "back_up 2 V",
                "note",
                "best_change 3",
                "unwind 2",
                "side 2",
                "visit M V 1",
                "expand M 3 1",
                "flush",
                "iteration_done M V",
            ];
            let text = kind[random.usize(..kind.len())];
            match text {
                "unwind 2" => open = open.min(2),
                "iteration_done M V" => open = 0,
                _ => {}
            }
            let text = text.replace('M', &m.to_string());
            calls.push(text.replace('V', &value.to_string()));
        }
    }
    calls.push("end 5 1 3".to_owned());
    calls.join("\n")
}

/// The program that makes calls in this language, with the script, if it can be built here.
fn scripted(language: Language) -> Option<Command> {
    let mut command = calling(language)?;
    command.stdin(calls_file("script", &script()));
    Some(command)
}

fn calls_file(name: &str, calls: &str) -> fs::File {
    // Each test writes the same into its own, and moves it into place.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let draft = folder().join(format!("{name}-{}.calls", COUNT.fetch_add(1, Relaxed)));
    fs::write(&draft, format!("{calls}\n")).expect("a file");
    fs::File::open(draft).expect("a file")
}

fn calling(language: Language) -> Option<Command> {
    static BUILT: [OnceLock<Option<PathBuf>>; 4] = [const { OnceLock::new() }; 4];
    let built = BUILT[language as usize].get_or_init(|| match language {
        Language::C => build("cc", "calls.c", "-std=c99", "calls-c", true),
        Language::Cpp => build("c++", "calls.c", "-std=c++17", "calls-cpp", true),
        Language::Python => has("python3").then(|| folder().join("calls.py")),
        Language::Rust => has("rustc").then(|| {
            let program = folder().join("calls-rust");
            let mut command = Command::new("rustc");
            command.args(["--edition", "2021", "-D", "warnings", "-o"]);
            must(command.arg(&program).arg(folder().join("calls.rs")));
            program
        }),
    });
    let program = built.as_ref()?;
    if language == Language::Python {
        return Some(python(program));
    }
    Some(Command::new(program))
}

fn python(program: &Path) -> Command {
    let mut command = Command::new("python3");
    command
        .arg(program)
        .env("PYTHONPATH", folder())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONHASHSEED", "0");
    command
}

/// Runs a program to its end and returns its trace.
fn traced(mut command: Command, name: &str, filter: &str) -> Vec<u8> {
    let file = folder().join(format!("{name}.plytrace"));
    must(
        command
            .env("PLYSCOPE_TRACE", &file)
            .env("PLYSCOPE_TRACE_LIMIT", filter),
    );
    fs::read(file).expect("a trace")
}

/// Records with their places, as text.
type Records = Vec<(At, String)>;

/// What a trace says.
#[derive(Debug, Default)]
struct Told {
    /// All records but marks, as text.
    records: Records,
    /// The hash after an event of a search and a thread.
    marks: HashMap<(u32, u8, u64), u64>,
    kinds: HashMap<&'static str, u64>,
}

fn told(stream: &[u8]) -> Told {
    let (told, troubles) = told_leniently(stream);
    assert_eq!(troubles, "");
    told
}

/// What a trace says, and what is wrong in it.
fn told_leniently(stream: &[u8]) -> (Told, String) {
    let mut reader = Reader::new(stream);
    let mut told = Told::default();
    while let Some((at, record)) = reader.next().expect("a stream") {
        *told.kinds.entry(record.kind().name()).or_default() += 1;
        match record {
            Record::Mark { n, hash, .. } => {
                let hash = hash.expect("a hash");
                let before = told.marks.insert((at.search, at.thread, n), hash);
                assert!(before.is_none_or(|before| before == hash), "{at:?}");
                assert_eq!(at.event, n, "{at:?}");
            }
            record => told.records.push((at, format!("{record:?}"))),
        }
    }
    // The calls are of both orders of search.
    let troubles = reader.troubles().iter();
    let troubles = troubles.filter(|trouble| trouble.cause != Cause::OrderOfSearch);
    let troubles = troubles.map(|trouble| format!("{trouble:?}")).collect();
    (told, troubles)
}

const FILTERS: [&str; 9] = [
    "ply 1",
    "from 150",
    "nodes 500",
    "path m3 m4",
    "key 2003",
    "key 0000000000001002 ply 1",
    "nodes 0",
    "from 100 nodes 900 ply 1",
    "path m2; ply 1",
];

#[test]
fn emitters_are_printed_and_are_free_for_any_engine() {
    for language in LANGUAGES {
        let name = match language {
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Python => "python",
            Language::Rust => "rust",
        };
        let text = plyscope(&["emitter", name]).clean().out;
        assert_eq!(text, language.emitter());
        assert!(text.contains("SPDX-License-Identifier: 0BSD"), "{name}");
        assert!(text.contains(language.file_name()) || name == "rust" || name == "python");
    }
    assert_eq!(plyscope(&["emitter", "cobol"]).status, 2);
}

#[test]
fn all_languages_write_the_same_and_a_filter_changes_no_number_and_no_hash() {
    let all: Vec<(Language, Told)> = LANGUAGES
        .into_iter()
        .filter_map(|language| {
            let name = format!("script-{language:?}");
            Some((language, told(&traced(scripted(language)?, &name, ""))))
        })
        .collect();
    let Some((_, whole)) = all.first() else {
        return;
    };
    assert_eq!(whole.records.len(), 13_336);
    for (language, one) in &all {
        assert_eq!(one.records, whole.records, "{language:?}");
        // The JSON lines of Python have fewer marks than there are chunks.
        let both = whole
            .marks
            .iter()
            .filter(|(n, _)| one.marks.contains_key(n));
        assert!(both.clone().count() > 300, "{language:?}");
        both.for_each(|(n, hash)| assert_eq!(one.marks[n], *hash, "{language:?}: {n:?}"));
    }
    let numbered: HashMap<(u32, u64), &String> = whole
        .records
        .iter()
        .filter(|(_, text)| is_event(text))
        .map(|(at, text)| ((at.search, at.event), text))
        .collect();
    for filter in FILTERS {
        let mut first: Option<Records> = None;
        for (language, whole) in &all {
            let name = format!("filtered-{language:?}");
            let command = scripted(*language).expect("it was built");
            let one = told(&traced(command, &name, filter));
            for (at, text) in one.records.iter().filter(|(_, text)| is_event(text)) {
                assert_eq!(text, numbered[&(at.search, at.event)], "{filter}: {at:?}");
            }
            let missing = |n| !one.marks.contains_key(n);
            assert!(
                whole.marks.keys().filter(|n| missing(n)).count() < 40,
                "{filter}"
            );
            for (n, hash) in &one.marks {
                let same = whole.marks.get(n).is_none_or(|other| other == hash);
                assert!(same, "{filter}: {n:?}");
            }
            let (last, _) = one.records.last().expect("a record");
            assert_eq!(*last, whole.records.last().expect("a record").0, "{filter}");
            match &first {
                None => first = Some(one.records),
                Some(first) => assert!(*first == one.records, "{filter}: {language:?}"),
            }
        }
    }
}

#[test]
fn any_calls_give_the_same_in_all_languages() {
    let languages = LANGUAGES.into_iter().filter(|l| calling(*l).is_some());
    let languages: Vec<Language> = languages.collect();
    let filters = [
        "",
        "ply 2",
        "key 2",
        "path m1 m2",
        "nodes 60",
        "from 7",
        "key 3 ply 4",
        "from 5 nodes 400 key 1 path m2",
    ];
    for seed in 0..16 {
        let (filter, calls) = (filters[seed % filters.len()], random_calls(seed as u64));
        let mut first: Option<(Records, Option<u64>)> = None;
        for language in &languages {
            let mut command = calling(*language).expect("it was built");
            command.stdin(calls_file("random", &calls));
            let stream = traced(command, &format!("random-{language:?}"), filter);
            let (told, _) = told_leniently(&stream);
            let (last, _) = told.records.last().expect("a record");
            let hash = told.marks.get(&(last.search, 0, last.event)).copied();
            assert!(hash.is_some(), "{seed} {filter}: {language:?}");
            match &first {
                None => first = Some((told.records, hash)),
                Some(first) => assert!(
                    *first == (told.records, hash),
                    "{seed} {filter}: {language:?}"
                ),
            }
        }
    }
}

/// Whether the text of a record is that of an event.
fn is_event(text: &str) -> bool {
    let name = text.split([' ', '(', '{']).next().unwrap_or_default();
    let kind = RecordKind::ALL
        .into_iter()
        .find(|kind| format!("{kind:?}") == name);
    kind.expect("a kind").is_event()
}

#[test]
fn a_reader_written_apart_agrees_about_counts_and_hashes() {
    if !has("python3") {
        return;
    }
    for language in LANGUAGES {
        let Some(command) = scripted(language) else {
            continue;
        };
        let name = format!("apart-{language:?}");
        traced(command, &name, "");
        let file = folder().join(format!("{name}.plytrace"));
        let said = must(python(&folder().join("decode.py")).arg(file)).stdout;
        let said = String::from_utf8(said).expect("UTF-8");
        assert!(
            said.ends_with("mark 0 3 600d67a6db9873ac\n"),
            "{language:?}: {said}"
        );
    }
}

#[test]
fn the_toy_searches_write_the_recorded_traces() {
    if let Some(toy) = build("cc", "toy_alpha_beta.c", "-std=c99", "toy", true) {
        let stream = traced(Command::new(&toy), "toy", "");
        let recorded = fs::read(fixtures().join("toy_alpha_beta.plytrace")).expect("a trace");
        assert!(stream == recorded, "another trace than the recorded one");
        let whole = told(&stream);
        assert_eq!(whole.kinds["enter"], 313);
        for filter in [
            "ply 2",
            "from 5",
            "path a b",
            "nodes 60",
            "key a101cf953c2c9974",
        ] {
            let one = told(&traced(Command::new(&toy), "toy-filtered", filter));
            let end = |told: &Told| told.marks[&(0, 0, 1311)];
            assert_eq!(end(&one), end(&whole), "{filter}");
            assert!(one.kinds["enter"] < 250, "{filter}");
        }
    }
    if has("python3") {
        let stream = traced(python(&folder().join("toy_mcts.py")), "toy-mcts", "");
        let told = told(&stream);
        assert_eq!((told.kinds["visit"], told.kinds["end"]), (60, 1));
    }
}

#[test]
fn nothing_is_written_unasked_and_nothing_is_left_when_compiled_out() {
    for language in LANGUAGES {
        if let Some(mut command) = scripted(language) {
            let output = must(command.env_remove("PLYSCOPE_TRACE"));
            assert_eq!(output.stdout, b"done\n", "{language:?}");
            assert!(output.stderr.is_empty(), "{language:?}");
        }
    }
    for (compiler, standard) in [("cc", "-std=c99"), ("c++", "-std=c++17")] {
        let Some(out) = build(compiler, "calls.c", standard, "compiled-out", false) else {
            continue;
        };
        let output = must(Command::new(&out).env("PLYSCOPE_TRACE", folder().join("none")));
        assert_eq!(output.stdout, b"done\n");
        let bytes = fs::read(&out).expect("a program");
        assert!(memchr::memmem::find(&bytes, b"PLYSCOPE").is_none());
        if has("objdump") {
            let listing = must(Command::new("objdump").arg("-d").arg(&out)).stdout;
            assert!(
                memchr::memmem::find(&listing, b"pt_").is_none(),
                "a call is left"
            );
        }
    }
    assert!(!folder().join("none").exists());
}

#[cfg(unix)]
mod live {
    use super::*;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;
    use std::os::unix::net::UnixListener;
    use std::os::unix::process::ExitStatusExt;

    /// Reads until the program waits, and returns after which event. `None` at the end of the stream.
    fn waits<R: Read>(reader: &mut Reader<R>) -> Option<(At, u64)> {
        while let Some((at, record)) = reader.next().expect("a stream") {
            if let Record::Mark {
                n, waiting: true, ..
            } = record
            {
                return Some((at, n));
            }
        }
        None
    }

    fn start(mut command: Command, place: &str) -> std::process::Child {
        command
            .env("PLYSCOPE_TRACE", place)
            .env("PLYSCOPE_TRACE_LIMIT", "")
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts")
    }

    fn socket(name: &str) -> (UnixListener, String) {
        let path = std::env::temp_dir().join(format!("plyscope-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        let listener = UnixListener::bind(&path).expect("a socket");
        (listener, format!("unix:{}", path.display()))
    }

    #[test]
    fn the_control_channel_steps_filters_and_lets_go() {
        for language in LANGUAGES {
            let Some(command) = scripted(language) else {
                continue;
            };
            let (listener, place) = socket(&format!("control-{language:?}"));
            let child = start(command, &place);
            let (mut connection, _) = listener.accept().expect("a connection");
            let mut reader = Reader::new(connection.try_clone().expect("a socket"));
            let header = reader.read_header().expect("a header").expect("a header");
            assert!(header.control, "{language:?}");
            let mut say = |words: &str| connection.write_all(words.as_bytes()).expect("it reads");
            for (words, event) in [
                ("", 0),
                ("go 5\n", 5),
                ("ply 0\ngo 6\n", 6),
                ("go 5000\n", 5000),
            ] {
                say(words);
                let waited = waits(&mut reader).map(|(at, n)| (at.search, n));
                assert_eq!(waited, Some((0, event)), "{language:?}");
            }
            say("go\n");
            assert_eq!(waits(&mut reader), None, "{language:?}");
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(output.stdout, b"done\n", "{language:?}");
        }
    }

    #[test]
    fn a_program_that_is_told_to_stop_while_it_runs_says_that_it_waits() {
        for language in LANGUAGES {
            let Some(mut command) = calling(language) else {
                continue;
            };
            command.stdin(Stdio::piped());
            let (listener, place) = socket(&format!("stop-{language:?}"));
            let mut child = start(command, &place);
            let (mut connection, _) = listener.accept().expect("a connection");
            let late = Some(std::time::Duration::from_secs(20));
            connection.set_read_timeout(late).expect("a socket");
            let mut reader = Reader::new(connection.try_clone().expect("a socket"));
            let mut calls = child.stdin.take().expect("a pipe");
            connection.write_all(b"go\n").expect("it reads");
            let first = calls.write_all(b"search\nevaluate 1\nflush\n");
            first.expect("it reads");
            // It was let go when an event comes, and has not looked since.
            loop {
                let next = reader.next().expect("a stream").expect("an event");
                if matches!(next.1, Record::Evaluate { .. }) {
                    break;
                }
            }
            connection.write_all(b"stop\n").expect("it reads");
            // The word is taken by a thread of its own, which has to get its turn before the calls end.
            let caller = std::thread::spawn(move || {
                for _ in 0..20 {
                    let written = calls.write_all("evaluate 1\n".repeat(1_000).as_bytes());
                    written.expect("it reads");
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
            });
            let waited = waits(&mut reader).map(|(_, n)| n);
            assert!(
                waited.is_some_and(|n| n < 20_000),
                "{language:?}: {waited:?}"
            );
            connection.write_all(b"go\n").expect("it reads");
            assert_eq!(waits(&mut reader), None, "{language:?}");
            caller.join().expect("all calls");
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(output.stdout, b"done\n", "{language:?}");
        }
    }

    #[test]
    fn a_program_quits_when_told_and_goes_on_when_nobody_reads() {
        for language in LANGUAGES {
            let Some(command) = scripted(language) else {
                continue;
            };
            let (listener, place) = socket(&format!("quit-{language:?}"));
            let child = start(command, &place);
            let (mut connection, _) = listener.accept().expect("a connection");
            let mut reader = Reader::new(connection.try_clone().expect("a socket"));
            waits(&mut reader).expect("it waits");
            connection.write_all(b"quit\n").expect("it reads");
            let output = child.wait_with_output().expect("it ends");
            assert!(
                output.status.success() && output.stdout.is_empty(),
                "{language:?}"
            );

            let (listener, place) = socket(&format!("gone-{language:?}"));
            let child = start(scripted(language).expect("built"), &place);
            drop(listener.accept().expect("a connection"));
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{language:?}: {:?}", output.status);
            assert_eq!(output.stdout, b"done\n", "{language:?}");
        }
    }

    #[test]
    fn a_port_gets_the_token_first_and_descriptors_can_be_inherited() {
        for language in LANGUAGES {
            let Some(command) = scripted(language) else {
                continue;
            };
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            let port = listener.local_addr().expect("an address").port();
            let child = start(command, &format!("tcp:127.0.0.1:{port}/secret"));
            let (mut connection, _) = listener.accept().expect("a connection");
            let mut input = BufReader::new(connection.try_clone().expect("a socket"));
            let mut token = String::new();
            input.read_line(&mut token).expect("a line");
            assert_eq!(token, "secret\n", "{language:?}");
            connection.write_all(b"go\n").expect("it reads");
            let mut stream = Vec::new();
            input.read_to_end(&mut stream).expect("a stream");
            assert!(told(&stream).records.len() > 10_000, "{language:?}");
            assert_eq!(child.wait_with_output().expect("it ends").stdout, b"done\n");

            let name = format!("inherited-{language:?}");
            let (out, words) = (folder().join(&name), folder().join(format!("{name}.words")));
            fs::write(&words, "ply 1\ngo 100\ngo\n").expect("a file");
            let inner = calling(language).expect("built");
            let mut shell = Command::new("sh");
            shell
                .args(["-c", "exec \"$@\" 3>\"$OUT\" 4<\"$WORDS\"", "sh"])
                .arg(inner.get_program())
                .args(inner.get_args())
                .env("PYTHONPATH", folder())
                .stdin(calls_file("inherited", &script()))
                .env("OUT", &out)
                .env("WORDS", &words)
                .env("PLYSCOPE_TRACE", "fd:3,4");
            must(&mut shell);
            let stream = fs::read(&out).expect("a stream");
            let skips = told(&stream).kinds["skip"];
            assert!(skips > 100, "{language:?}: {skips}");
        }
    }

    #[test]
    fn a_debugger_is_called_at_an_event() {
        /// Of a program that nobody debugs.
        const SIGTRAP: i32 = 5;
        for language in LANGUAGES {
            for trap in ["4711", "1:4711"] {
                let Some(mut command) = scripted(language) else {
                    continue;
                };
                let file = folder().join(format!("trap-{language:?}"));
                let output = command
                    .env("PLYSCOPE_TRACE", &file)
                    .env("PLYSCOPE_TRACE_TRAP", trap)
                    .output()
                    .expect("it starts");
                assert_eq!(
                    output.status.signal(),
                    Some(SIGTRAP),
                    "{language:?} {output:?}"
                );
                let told = told(&fs::read(&file).expect("a stream"));
                let (last, _) = told.records.last().expect("a record");
                assert_eq!(last.event, 4711, "{language:?}");
            }
        }
    }

    #[test]
    fn threads_wait_by_themselves_and_keep_their_streams_apart() {
        let Some(program) = build("cc", "two_threads.c", "-std=c99", "two-threads", true) else {
            return;
        };
        let whole = told(&traced(Command::new(&program), "two-threads", ""));
        for (search, thread) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let of = |at: &At| (at.search, at.thread) == (search, thread);
            let enters = whole
                .records
                .iter()
                .filter(|(at, text)| of(at) && text.starts_with("Enter"));
            assert_eq!(enters.count(), 4000, "search {search}, thread {thread}");
        }

        let (listener, place) = socket("threads");
        let child = start(Command::new(&program), &place);
        let (mut connection, _) = listener.accept().expect("a connection");
        let mut reader = Reader::new(connection.try_clone().expect("a socket"));
        assert_eq!(waits(&mut reader).expect("it waits").1, 0);
        connection.write_all(b"go 7\n").expect("it reads");
        let mut waiting = Vec::new();
        while waiting.len() < 2 {
            let (at, n) = waits(&mut reader).expect("both wait");
            if n == 7 {
                waiting.push(at.thread);
            }
        }
        waiting.sort();
        assert_eq!(waiting, [0, 1]);
        connection.write_all(b"go\n").expect("it reads");
        while waits(&mut reader).is_some() {}
        assert_eq!(child.wait_with_output().expect("it ends").stdout, b"done\n");
    }
}

/// Whether Python has a package; says so if not.
fn has_package(name: &str) -> bool {
    if !has("python3") {
        return false;
    }
    let import = format!("import {name}");
    let found = Command::new("python3").args(["-c", &import]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        println!("left out: Python has no package {name}");
    }
    found
}

/// Runs a program of somebody else, which a script shows without a change to it.
fn of_others(package: &str, script: &str, arguments: &[&str]) -> Option<(String, Told)> {
    if !has_package(package) {
        return None;
    }
    let mut command = python(&folder().join(script));
    command.args(arguments);
    let file = folder().join(format!("{package}.plytrace"));
    let said = must(command.env("PLYSCOPE_TRACE", &file)).stdout;
    let said = String::from_utf8(said).expect("UTF-8");
    Some((said, told(&fs::read(file).expect("a trace"))))
}

/// The last number on a line of what a program said.
fn last_number(said: &str) -> u64 {
    let last = said.split_whitespace().last().expect("a word");
    last.parse().expect("a number")
}

#[test]
fn sunfish_is_traced_unchanged() {
    let moves = ["2", "e2e4", "e7e5", "g1f3"];
    if let Some((said, told)) = of_others("sunfish", "sunfish_trace.py", &moves) {
        assert_eq!(told.kinds["enter"], last_number(&said));
        assert_eq!(told.kinds["leave"], told.kinds["enter"]);
        assert_eq!(told.kinds["iteration"], 2);
    }
}

#[test]
fn the_mcts_of_open_spiel_is_traced_unchanged() {
    let arguments = ["tic_tac_toe", "200"];
    if let Some((said, told)) = of_others("pyspiel", "open_spiel_trace.py", &arguments) {
        assert_eq!(told.kinds["visit"], 200);
        assert_eq!(told.kinds["update"], 9);
        assert!(said.starts_with("best x("), "{said}");
    }
}

#[test]
fn the_negamax_of_easy_ai_is_traced_unchanged() {
    if let Some((said, told)) = of_others("easyAI", "easy_ai_trace.py", &["3"]) {
        assert!(said.starts_with("best "), "{said}");
        assert_eq!(told.kinds["leave"], told.kinds["enter"]);
    }
}

/// The blocks of code in this language on the page for authors of engines.
fn blocks(language: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/trace-your-engine.md");
    let page = fs::read_to_string(page).expect("the page");
    let begin = format!("\n```{language}\n");
    page.split(&begin)
        .skip(1)
        .map(|rest| rest.split("\n```").next().expect("an end").to_owned() + "\n")
        .collect()
}

/// The program before or after a change that is shown as a diff.
fn side(diff: &str, dropped: char) -> String {
    let kept = diff.lines().filter(|line| !line.starts_with(dropped));
    kept.map(|line| line.get(1..).unwrap_or_default().to_owned() + "\n")
        .collect()
}

#[test]
fn the_engines_of_the_guide_work_as_they_are_shown() {
    let diffs = blocks("diff");
    let [c, python_diff] = diffs.as_slice() else {
        panic!("two changes, found {}", diffs.len());
    };
    let said = |command: &mut Command| String::from_utf8(must(command).stdout).expect("UTF-8");
    if has("cc") {
        fs::write(folder().join("before.c"), side(c, '+')).expect("a file");
        let two_lines = &blocks("c")[0];
        fs::write(folder().join("after.c"), side(c, '-') + two_lines).expect("a file");
        let before = build("cc", "before.c", "-std=gnu99", "before", false).expect("built");
        let after = build("cc", "after.c", "-std=gnu99", "after", true).expect("built");
        let out = build("cc", "after.c", "-std=gnu99", "after-out", false).expect("built");
        let said_before = said(&mut Command::new(before));
        assert_eq!(said(&mut Command::new(&after)), said_before);
        assert_eq!(said(&mut Command::new(&out)), said_before);
        let told = told(&traced(Command::new(&after), "guide-c", ""));
        assert_eq!((told.kinds["enter"], told.kinds["leave"]), (55_945, 55_945));
    }
    if has("python3") {
        fs::write(folder().join("before.py"), side(python_diff, '+')).expect("a file");
        fs::write(folder().join("after.py"), side(python_diff, '-')).expect("a file");
        let before = said(&mut python(&folder().join("before.py")));
        assert_eq!(said(&mut python(&folder().join("after.py"))), before);
        let told = told(&traced(
            python(&folder().join("after.py")),
            "guide-python",
            "",
        ));
        assert_eq!(told.kinds["visit"], 1000);
    }
}

#[test]
fn the_guide_shows_lines_of_the_toy_and_calls_that_exist() {
    let toy = fs::read_to_string(fixtures().join("toy_alpha_beta.c")).expect("a file");
    for block in blocks("c").iter().skip(1) {
        for line in block.lines() {
            assert!(toy.contains(line.trim()), "not in the toy: {line}");
        }
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/trace-your-engine.md");
    let page = fs::read_to_string(page).expect("the page");
    let (_, table) = page
        .split_once("| C, C++ | Python | Rust | |\n")
        .expect("the table");
    let mut calls = 0;
    for row in table
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'))
    {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let languages = [Language::C, Language::Python, Language::Rust];
        for (language, cell) in languages.into_iter().zip(&cells[1..]) {
            let cell = if *cell == "the same" { cells[2] } else { cell };
            for call in cell.split('`').skip(1).step_by(2) {
                let name = call.split('(').next().expect("a name");
                let known = match language {
                    Language::C => vec![format!("#define {name}("), format!("void {name}(")],
                    Language::Python => vec![format!("def {name}("), format!("class {name}:")],
                    _ => vec![format!("pub fn {name}(")],
                };
                let emitter = language.emitter();
                assert!(
                    known.iter().any(|k| emitter.contains(k)),
                    "{language:?}: {call}"
                );
                calls += 1;
            }
        }
    }
    assert!(calls > 80, "{calls}");
}

/// A bound among a reason's numbers has a name in Python, or its number as in the other languages.
#[test]
fn python_sends_bounds_among_the_numbers_of_a_reason() {
    if !has("python3") {
        return;
    }
    let program = folder().join("bounds.py");
    let lines = "from plyscope_trace import Trace\n\
        T = Trace(reasons=[('table-hit', 'known', 'how:bound value:value')])\n\
        T.search()\nT.enter(None)\n\
    for bound in ('lower', 2, 'exact', None, 0, ''):\n T.why('table-hit', bound, 5)\n\
        T.leave(5)\nT.end()\n";
    fs::write(&program, lines).expect("a file");
    let stream = traced(python(&program), "bounds", "");
    told(&stream);
    let text = String::from_utf8(stream).expect("text");
    let bounds: Vec<Option<&str>> = text
        .lines()
        .filter(|line| line.contains("\"kind\":\"why\""))
        .map(|line| line.split_once("\"how\":\"")?.1.split('"').next())
        .collect();
    let expected = [
        Some("lower"),
        Some("upper"),
        Some("exact"),
        None,
        None,
        None,
    ];
    assert_eq!(bounds, expected, "{text}");
}
