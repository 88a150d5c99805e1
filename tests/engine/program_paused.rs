//! A search that is paused lets the program that tells it stand still.

use std::sync::Arc;
use std::time::{Duration, Instant};

use algorithms::Algorithm;
use external::{EngineSpec, Program, ProgramSpec, ProgramState, ProgramStatus};
use games::Document;
use session::{Config, Session, State};
use traced::{Came, Coming, Spooled};

use super::program_emitters::until;
use super::program_support::command;

fn start(words: Vec<String>) -> Program {
    let engine = EngineSpec::of_words(words).expect("a program");
    Program::start(ProgramSpec {
        engine,
        search: None,
    })
}

/// The toy MCTS with a search that does not end; `None` if there is no Python.
fn endless() -> Option<Program> {
    Some(start(super::toys::python("toy_mcts.py", &["1000000000"])?))
}

/// The search of a program, as the workbench shows it.
fn session(program: &Program) -> Session {
    let source = Arc::new(Spooled::new(program.log().expect("a log")));
    let mut coming = Coming::of(source).expect("a stream");
    let late = Instant::now() + Duration::from_secs(60);
    let recording = loop {
        match coming.look().expect("a header") {
            Came::Search(recording) => break *recording,
            Came::Nothing => assert!(Instant::now() < late),
            Came::End => panic!("it has ended"),
        }
    };
    let (_, entry) = Document::traced("program", recording)
        .first_entry()
        .expect("an entry");
    let recorded = entry.recorded.clone().expect("a search");
    Session::start(
        entry.subject(),
        Config::new(Algorithm::Mcts).reading(recorded),
    )
}

fn pause(session: &mut Session) {
    let begun = Instant::now();
    session.pause();
    assert_eq!(session.status().state, State::Paused);
    assert!(begun.elapsed() < Duration::from_millis(100));
}

#[test]
fn one_that_listens_stands_still_and_goes_on() {
    let Some(program) = endless() else { return };
    let mut session = session(&program);
    until(&program, "events", |status| status.events > 5_000);
    for _ in 0..2 {
        pause(&mut session);
        // It may still have had leave for a few more events.
        let mut last = program.status();
        let later = until(&program, "waiting", |status| {
            std::thread::sleep(Duration::from_millis(300));
            let stands = (status.events, status.bytes) == (last.events, last.bytes);
            last = status.clone();
            stands && matches!(status.state, ProgramState::Waiting(_))
        });
        assert!(later.remarks.is_empty(), "{later:?}");
        session.resume();
        until(&program, "more events", |status| {
            status.events > later.events + 5_000
        });
        assert_eq!(session.status().state, State::Running);
    }
    // Whoever reads it anew has it go on, too.
    pause(&mut session);
    until(&program, "waiting", |status| {
        matches!(status.state, ProgramState::Waiting(_))
    });
    let (subject, config) = (session.subject().clone(), session.config().clone());
    drop(session);
    let waits = program.status().events;
    let _session = Session::start(subject, config);
    until(&program, "more events", |status| {
        status.events > waits + 5_000
    });
}

#[test]
fn one_that_does_not_listen_is_shown_paused_all_the_same() {
    let program = start(command("ignores-go"));
    let mut session = session(&program);
    until(&program, "events", |status| status.events > 500);
    pause(&mut session);
    let says = |status: &ProgramStatus| {
        let begins = "does not wait: it was asked to and is at event ";
        status
            .remarks
            .iter()
            .any(|remark| remark.to_string().starts_with(begins))
    };
    let status = until(&program, "a remark", says);
    assert_eq!(status.state, ProgramState::Running);
    let nodes = session.status().totals.nodes;
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(session.status().totals.nodes, nodes);
}
