//! Saved searches of other programs: they are read from their traces again.

use std::fs;
use std::path::{Path, PathBuf};

use algorithms::Algorithm;
use common::{settle, until};
use games::Document;
use session::debug::Step;
use session::saved::{self, Kept, Progress};
use session::{Config, Session, State};

const TRACES: [&str; 3] = [
    "illegal.plytrace",
    "toy_alpha_beta.plytrace",
    "toy_mcts.plytrace",
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/open_trace")
        .join(name)
}

/// A folder that is removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = format!("plyscope-saved-traced-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn with(name: &str, trace: &str) -> Folder {
        let folder = Folder::new(name);
        fs::copy(fixture(trace), folder.0.join(trace)).expect("copied");
        folder
    }

    fn file(&self) -> PathBuf {
        self.0.join("saved.plyscope")
    }

    fn traces(&self) -> Vec<String> {
        let files = fs::read_dir(&self.0).expect("the folder");
        let names = files.map(|file| file.expect("a file").file_name().into_string());
        let mut names: Vec<String> = names.map(|name| name.expect("a name")).collect();
        names.retain(|name| name.ends_with(".plytrace"));
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn waiting(document: &Document) -> Session {
    let entry = document.entry(0).expect("a search");
    let recorded = entry.recorded.clone().expect("a recorded search");
    let config = Config {
        memory: 64 << 20,
        ..Config::new(Algorithm::DEFAULT).reading(recorded)
    };
    Session::start_paused(entry.subject(), config)
}

fn at(session: &mut Session, event: u32) {
    session.step(Step::Into, event);
    settle(session);
}

fn write(path: &Path, session: &mut Session) {
    let mut state = None;
    until("the search comes to rest", || {
        session.tend();
        state = session.snapshot().expect("it can be saved");
        state.is_some()
    });
    let kept = Kept::from(state.expect("waited for"));
    saved::write(path, &kept, &Progress::default()).expect("written");
}

/// Returns the session, and the document of its trace.
fn reopened(path: &Path) -> (Session, Document) {
    let mut kept = saved::read(path, &Progress::default()).expect("read");
    let session = Session::restore(kept.searches.remove(0));
    (session, kept.trace.expect("its trace").0)
}

fn refusal(path: &Path) -> String {
    let read = saved::read(path, &Progress::default());
    read.expect_err("refused").to_string()
}

fn assert_same(one: &Session, other: &Session, what: &str) {
    if let Some(difference) = one.tree().difference(other.tree()) {
        panic!("{what}: {difference}");
    }
    let event = |session: &Session| session.standing().map(|s| (s.number, s.event));
    assert_eq!(event(one), event(other), "{what}");
    assert_eq!(one.event_position().now, other.event_position().now);
    assert_eq!(one.config().name(), other.config().name());
}

#[test]
fn it_stands_where_it_stood_and_goes_on_from_there() {
    for trace in TRACES {
        let folder = Folder::with(trace, trace);
        let document = Document::open(&folder.0.join(trace)).expect("a trace");
        let mut session = waiting(&document);
        at(&mut session, 6);
        write(&folder.file(), &mut session);
        assert_eq!(
            folder.traces(),
            [trace],
            "no copy is made of what is a file"
        );
        let (mut opened, again) = reopened(&folder.file());
        settle(&mut opened);
        assert_same(&opened, &session, trace);
        assert_eq!(again.len(), document.len());
        for session in [&mut opened, &mut session] {
            at(session, 3);
            session.step_back(5);
            settle(session);
        }
        assert_same(&opened, &session, trace);
        // At the beginning nothing has happened.
        write(&folder.file(), &mut waiting(&document));
        let (opened, _) = reopened(&folder.file());
        assert_eq!(opened.event_position().now, 0, "{trace}");
        assert_eq!(opened.status().state, State::Paused, "{trace}");
        // What has ended is read to its end.
        let mut whole = waiting(&document);
        whole.resume();
        whole.join();
        write(&folder.file(), &mut whole);
        let (mut opened, _) = reopened(&folder.file());
        opened.join();
        assert_same(&opened, &whole, trace);
        assert_eq!(opened.status().state, whole.status().state, "{trace}");
    }
}

#[test]
fn its_trace_is_found_beside_it_and_known_again() {
    let trace = TRACES[1];
    let folder = Folder::with("moved", trace);
    let mut session = waiting(&Document::open(&folder.0.join(trace)).expect("a trace"));
    at(&mut session, 40);
    let elsewhere = Folder::new("elsewhere");
    let far = elsewhere.file();
    write(&far, &mut session);
    // The trace stays where it is, and is found there.
    let (mut opened, _) = reopened(&far);
    settle(&mut opened);
    assert_same(&opened, &session, "by its path");
    // It went with the session.
    fs::rename(folder.0.join(trace), elsewhere.0.join(trace)).expect("moved");
    let (mut opened, _) = reopened(&far);
    settle(&mut opened);
    assert_same(&opened, &session, "beside the session");
    // The program has written another one in its place.
    let mut bytes = fs::read(elsewhere.0.join(trace)).expect("the trace");
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(elsewhere.0.join(trace), bytes).expect("written");
    let why = refusal(&far);
    assert!(why.contains("found another trace"), "{why}");
    fs::remove_file(elsewhere.0.join(trace)).expect("removed");
    let why = refusal(&far);
    assert!(
        why.contains("found no such file") && why.contains(trace),
        "{why}"
    );
}

#[test]
fn a_trace_in_no_file_is_written_beside_it() {
    let bytes = fs::read(fixture(TRACES[2])).expect("a trace");
    let document = Document::from_bytes("standard input", bytes.clone()).expect("a trace");
    let folder = Folder::new("memory");
    fs::write(folder.0.join("saved.plytrace"), "the user's own").expect("written");
    let mut session = waiting(&document);
    at(&mut session, 50);
    for _ in 0..2 {
        write(&folder.file(), &mut session);
        assert_eq!(folder.traces(), ["saved-2.plytrace", "saved.plytrace"]);
    }
    let own = fs::read_to_string(folder.0.join("saved.plytrace")).expect("the user's own");
    assert_eq!(own, "the user's own");
    assert_eq!(
        fs::read(folder.0.join("saved-2.plytrace")).expect("the trace"),
        bytes
    );
    let (mut opened, _) = reopened(&folder.file());
    settle(&mut opened);
    assert_same(&opened, &session, "from memory");
    // Where its file is gone it is written again.
    fs::remove_file(folder.0.join("saved-2.plytrace")).expect("removed");
    write(&folder.file(), &mut session);
    let (mut opened, _) = reopened(&folder.file());
    settle(&mut opened);
    assert_same(&opened, &session, "written again");
}
