//! Saved searches: what is opened is what was saved, and it goes on as if it had never been saved.

use std::path::{Path, PathBuf};
use std::time::Duration;

use algorithms::{ALGORITHMS, Algorithm};
use common::{KIWIPETE, chess, sample_tree, settle, until};
use game::Game;
use games::Document;
use search::{Limits, StopReason};
use serde_json::{Value, json};
use session::debug::Step;
use session::saved::{self, Kept, Progress, ReadError, SavedSearch};
use session::{Config, Session, State, Subject};
use tree::Tree;

const NODES: u64 = 6_000;

fn config(algorithm: Algorithm) -> Config {
    Config {
        limits: common::nodes(NODES),
        memory: 64 << 20,
        table: 1 << 20,
        ..Config::new(algorithm)
    }
}

fn kiwipete() -> Subject {
    chess(KIWIPETE).into()
}

/// A file in a folder that is removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("plyscope-saved-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join("saved.plyscope")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns the state of a session, once it has come to rest.
fn snapshot(session: &mut Session) -> SavedSearch {
    let mut found = None;
    until("the search comes to rest", || {
        session.tend();
        found = session.snapshot().expect("no leaf");
        found.is_some()
    });
    found.expect("waited for")
}

fn write(path: &Path, session: &mut Session) -> Value {
    let view = json!({"selected": ["e4", "e5"]});
    let kept = Kept {
        view: view.clone(),
        ..Kept::from(snapshot(session))
    };
    saved::write(path, &kept, &Progress::default()).expect("written");
    view
}

fn reopened(path: &Path) -> Session {
    let mut kept = saved::read(path, &Progress::default()).expect("read");
    Session::restore(kept.searches.remove(0))
}

fn to_the_end(session: &mut Session) {
    session.resume();
    until("the search ends", || {
        session.tend();
        matches!(session.status().state, State::Finished(_))
    });
}

fn assert_same(one: &Session, other: &Session, what: &str) {
    if let Some(difference) = one.tree().difference(other.tree()) {
        panic!("{what}: {difference}");
    }
    assert_eq!(one.status().totals, other.status().totals, "{what}");
}

fn unwatched(subject: &Subject, config: &Config) -> Session {
    let mut session = Session::start(subject.clone(), config.clone());
    session.join();
    session
}

#[test]
fn a_search_saved_at_an_event_goes_on_from_there() {
    let folder = Folder::new("event");
    for row in &ALGORITHMS {
        let (subject, config) = (kiwipete(), config(row.algorithm));
        let whole = unwatched(&subject, &config);
        let mut stepped = Session::start_paused(subject.clone(), config.clone());
        stepped.step(Step::Into, 3_000);
        settle(&mut stepped);
        let at = stepped.event_position().now;
        write(&folder.file(), &mut stepped);
        let mut opened = reopened(&folder.file());
        assert_same(&opened, &stepped, row.name);
        assert_eq!(opened.event_position().now, at, "{}", row.name);
        assert_eq!(opened.progress(), stepped.progress(), "{}", row.name);
        // One step further, and two back.
        for session in [&mut opened, &mut stepped] {
            session.step(Step::Into, 1);
            settle(session);
            session.step_back(2);
            settle(session);
        }
        assert_eq!(opened.standing(), stepped.standing(), "{}", row.name);
        assert_same(&opened, &stepped, row.name);
        to_the_end(&mut opened);
        assert_same(&opened, &whole, row.name);
    }
}

#[test]
fn a_search_saved_at_a_number_of_nodes_goes_on_from_there() {
    let folder = Folder::new("nodes");
    for row in &ALGORITHMS {
        let (subject, config) = (kiwipete(), config(row.algorithm));
        let whole = unwatched(&subject, &config);
        let mut paused = Session::start_paused(subject.clone(), config.clone());
        paused.set_pause_after(Some(NODES / 2));
        paused.resume();
        until("it pauses", || {
            paused.status().state == State::Paused && paused.is_still()
        });
        let view = write(&folder.file(), &mut paused);
        let mut opened = reopened(&folder.file());
        assert_same(&opened, &paused, row.name);
        assert_eq!(opened.status().state, State::Paused);
        let found = saved::read(&folder.file(), &Progress::default()).expect("read");
        assert_eq!(found.view, view);
        // Saved once more before anything has been done with it.
        write(&folder.file(), &mut opened);
        let mut again = reopened(&folder.file());
        assert_same(&again, &paused, row.name);
        // What was saved goes on as if it had not been, and so does what was opened.
        for session in [&mut paused, &mut again] {
            session.set_pause_after(None);
            to_the_end(session);
            assert_same(session, &whole, row.name);
        }
        // Stepping into it stops just behind the place.
        let spent = opened.status().totals.nodes;
        opened.step(Step::Into, 1);
        settle(&mut opened);
        let nodes = opened.status().totals.nodes;
        assert!(
            (spent..spent + 1_000).contains(&nodes),
            "{}: {spent} {nodes}",
            row.name
        );
        opened.step_back(1);
        settle(&mut opened);
        opened.set_pause_after(None);
        to_the_end(&mut opened);
        assert_same(&opened, &whole, row.name);
    }
}

#[test]
fn a_search_that_has_ended_is_shown_and_can_be_gone_on_with() {
    let folder = Folder::new("ended");
    for row in &ALGORITHMS {
        let (subject, config) = (kiwipete(), config(row.algorithm));
        let mut whole = unwatched(&subject, &config);
        write(&folder.file(), &mut whole);
        let mut opened = reopened(&folder.file());
        assert_same(&opened, &whole, row.name);
        assert_eq!(opened.status().state, State::Finished(StopReason::Nodes));
        assert_eq!(opened.summary().best, whole.summary().best, "{}", row.name);
        for session in [&mut whole, &mut opened] {
            session.step_back(5);
            settle(session);
        }
        assert_eq!(opened.standing(), whole.standing(), "{}", row.name);
        assert_same(&opened, &whole, row.name);
        let child = opened.tree().children(Tree::ROOT).next().expect("a child");
        for session in [&mut whole, &mut opened] {
            session.search_more(child, 2_000);
            settle(session);
            until("it pauses", || session.is_still());
        }
        assert_same(&opened, &whole, row.name);
    }
}

#[test]
fn several_threads_go_on_from_their_tree() {
    let folder = Folder::new("threads");
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Mcts, Algorithm::Distress] {
        let config = Config {
            threads: 2,
            limits: Limits::default(),
            ..config(algorithm)
        };
        let mut running = Session::start(kiwipete(), config);
        until("it has begun", || running.status().totals.nodes > 3_000);
        let kept = Kept::from(snapshot(&mut running));
        let (nodes, _) = kept.searches[0].spent();
        saved::write(&folder.file(), &kept, &Progress::default()).expect("written");
        let mut opened = reopened(&folder.file());
        assert!(opened.tree().difference(kept.searches[0].tree()).is_none());
        assert_eq!(opened.status().totals.nodes, nodes);
        // Orders wait until nobody needs the state any more.
        running.resume();
        assert_eq!(running.status().totals.nodes, nodes);
        drop(kept);
        for session in [&mut running, &mut opened] {
            session.resume();
            until("it goes on", || {
                session.tend();
                session.status().totals.nodes > nodes + 3_000
            });
            session.stop();
        }
    }
}

#[test]
fn what_was_taken_out_stays_out() {
    let folder = Folder::new("excluded");
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Mcts, Algorithm::Distress] {
        let mut session = Session::start_paused(kiwipete(), config(algorithm));
        session.step(Step::Into, 2_000);
        settle(&mut session);
        let child = session.tree().children(Tree::ROOT).next().expect("a child");
        let code = session.tree().node(child).move_code();
        session
            .set_excluded(Tree::ROOT, &[code])
            .expect("other moves are left");
        settle(&mut session);
        session.step(Step::Into, 1_000);
        settle(&mut session);
        write(&folder.file(), &mut session);
        let mut opened = reopened(&folder.file());
        assert_eq!(opened.choices(), session.choices());
        assert_same(&opened, &session, algorithm.name());
        for session in [&mut opened, &mut session] {
            session.step_back(500);
            settle(session);
        }
        assert_same(&opened, &session, algorithm.name());
        for session in [&mut opened, &mut session] {
            to_the_end(session);
        }
        assert_same(&opened, &session, algorithm.name());
    }
}

#[test]
fn toy_trees_and_games_are_kept() {
    let folder = Folder::new("subjects");
    let toy: Subject = sample_tree("textbook").into();
    let played = kiwipete().play_text("e1g1 a6e2 c3e2").expect("legal moves");
    let first = *toy.position.legal_moves().first().expect("a move");
    let inside = toy.play_text(&toy.position.label(first)).expect("a move");
    let four = Document::from_bytes("", b"connect4 5x4 3 3 2".to_vec()).expect("a game");
    let four = four.entry(0).expect("a game").subject_at(3);
    for subject in [toy, inside, played, four] {
        let mut session = unwatched(&subject, &config(Algorithm::AlphaBeta));
        write(&folder.file(), &mut session);
        let opened = reopened(&folder.file());
        assert_same(&opened, &session, "subject");
        let (one, other) = (opened.subject(), session.subject());
        assert_eq!(one.position.key(), other.position.key());
        assert_eq!(one.position.fen(), other.position.fen());
        assert_eq!(one.history.keys(), other.history.keys());
        assert_eq!(opened.tree().scale(), session.tree().scale());
        assert_eq!(one.played().moves.len(), other.played().moves.len());
    }
}

#[test]
fn a_damaged_or_foreign_file_is_refused() {
    let folder = Folder::new("damaged");
    let path = folder.file();
    write(
        &path,
        &mut unwatched(&kiwipete(), &config(Algorithm::Distress)),
    );
    let good = std::fs::read(&path).expect("the file");
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        saved::read(&path, &Progress::default())
            .map(|_| ())
            .map_err(|e| e.to_string())
    };
    assert_eq!(read(&good), Ok(()));
    let refused = |bytes: &[u8], what: &str| {
        let error = read(bytes).expect_err(what);
        assert!(error.contains(what), "{error}: {what}");
    };
    // Cut off anywhere, or with a byte changed anywhere.
    for i in 0..200 {
        let at = good.len() * i / 200;
        let what = if at < saved::FIRST_LINE.len() {
            "expected"
        } else {
            "damaged"
        };
        refused(&good[..at], what);
    }
    let begin = good.iter().position(|&b| b == b'\n').expect("a first line") + 1;
    for i in 0..200 {
        let at = begin + (good.len() - begin) * i / 200;
        let mut bad = good.clone();
        bad[at] ^= 1 << (i % 8);
        refused(&bad, "damaged");
    }
    let text = |line: &str| [line.as_bytes(), &good[begin..]].concat();
    refused(
        &text("plyscope session, version 9 (plyscope 3.1.4)\n"),
        "newer plyscope",
    );
    refused(
        &text("plyscope session, version 9 (plyscope 3.1.4)\n"),
        "3.1.4",
    );
    refused(&text("plyscope session, version x\n"), "damaged");
    refused(b"[Event \"?\"]\n\n1. e4 *\n", "expected");
    refused(b"", "expected");
    let missing = saved::read(&folder.0.join("none.plyscope"), &Progress::default());
    assert!(matches!(missing, Err(ReadError::Unreadable(_))));
}

#[test]
fn a_file_is_replaced_only_by_a_whole_one() {
    let folder = Folder::new("stopped");
    let path = folder.file();
    let mut session = unwatched(&kiwipete(), &config(Algorithm::Mcts));
    write(&path, &mut session);
    let before = std::fs::read(&path).expect("the file");
    let progress = Progress::default();
    progress.stop();
    let kept = Kept::from(snapshot(&mut session));
    assert!(saved::write(&path, &kept, &progress).is_err());
    assert_eq!(std::fs::read(&path).expect("the file"), before);
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 1);
    assert!(matches!(
        saved::read(&path, &progress),
        Err(ReadError::Stopped)
    ));
}

/// A session that is dropped while its state is being written waits for the writer.
#[test]
fn a_dropped_session_does_not_change_what_is_being_saved() {
    let mut session = Session::start(
        kiwipete(),
        Config {
            limits: Limits::default(),
            ..config(Algorithm::Mcts)
        },
    );
    until("it has begun", || session.status().totals.nodes > 3_000);
    let saved = snapshot(&mut session);
    let copy = saved.tree().copy();
    let dropped = std::thread::spawn(move || {
        session.stop();
        drop(session);
    });
    std::thread::sleep(Duration::from_millis(50));
    assert!(!dropped.is_finished());
    assert!(saved.tree().difference(&copy).is_none());
    drop(saved);
    dropped.join().expect("dropped");
}
