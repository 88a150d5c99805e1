//! Programs with the emitters of plyscope itself, run alive: the toy alpha-beta in C and the toy MCTS in Python.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use external::Tracing;
use external::{EngineSpec, Filters, Program, ProgramSpec, ProgramState, ProgramStatus, Repeat};
use open_trace::log::{Log, Want};
use open_trace::{Reader, Record};

use super::toys::alpha_beta;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The toy MCTS; `None` if there is no Python.
fn mcts() -> Option<Vec<String>> {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: no Python");
        return None;
    }
    let file = root().join("tests/fixtures/open_trace/toy_mcts.py");
    Some(
        ["python3", file.to_str()?, "10000"]
            .map(str::to_owned)
            .to_vec(),
    )
}

fn programs() -> Vec<Vec<String>> {
    [alpha_beta(15), mcts()].into_iter().flatten().collect()
}

fn start(command: &[String], tracing: Tracing) -> Program {
    // The toy MCTS in Python finds its emitter there.
    let emitters = root().join("src/open_trace/emitters");
    let mut words = vec![
        "env".to_owned(),
        format!("PYTHONPATH={}", emitters.display()),
        "PYTHONDONTWRITEBYTECODE=1".to_owned(),
    ];
    words.extend_from_slice(command);
    let engine = EngineSpec {
        trace: Some(tracing),
        ..EngineSpec::of_words(words).expect("a program")
    };
    Program::start(ProgramSpec {
        engine,
        search: None,
    })
}

/// Waits until this holds.
pub fn until(
    program: &Program,
    what: &str,
    mut holds: impl FnMut(&ProgramStatus) -> bool,
) -> ProgramStatus {
    let late = Instant::now() + Duration::from_secs(60);
    loop {
        let status = program.status();
        if holds(&status) {
            return status;
        }
        assert!(Instant::now() < late, "{what}: {status:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn finished(program: &Program) -> ProgramStatus {
    let status = until(program, "the end", |status| status.state.is_over());
    let is_well = matches!(
        status.state,
        ProgramState::Ended {
            is_success: true,
            ..
        }
    );
    assert!(is_well && status.remarks.is_empty(), "{status:?}");
    status
}

/// Reads a whole stream: its events, those of the records that came, and its nodes.
fn read(log: &Arc<Log>) -> (u64, u64, u64) {
    let mut reader = Reader::new(log.reader_from(0, Duration::from_secs(60)));
    let (mut events, mut came, mut nodes) = (0, 0, 0);
    while let Some((_, record)) = reader.next().expect("a stream") {
        let event = u64::from(record.is_event());
        came += event;
        events += event;
        match record {
            Record::Enter { .. } => nodes += 1,
            Record::Expand { children, .. } => nodes += children.len() as u64,
            Record::Skip {
                events: e,
                nodes: n,
            } => (events, nodes) = (events + e, nodes + n),
            _ => {}
        }
    }
    let troubles: Vec<String> = reader.troubles().iter().map(|t| t.to_string()).collect();
    assert!(troubles.is_empty(), "{troubles:?}");
    (events, came, nodes)
}

#[test]
fn live_runs_are_counted_as_the_reader_counts_them() {
    for command in programs() {
        let program = start(&command, Tracing::default());
        let status = finished(&program);
        let (events, came, nodes) = read(&program.log().expect("a log"));
        assert_eq!((status.events, came), (events, events), "{command:?}");
        assert!(nodes > 1_000 && status.searches == 1, "{command:?}");
    }
}

#[test]
fn filtered_reruns_are_the_same_search() {
    let filters = [
        Filters {
            ply: Some(2),
            ..Filters::default()
        },
        Filters {
            nodes: Some(50),
            ..Filters::default()
        },
        Filters {
            from: Some(13),
            path: vec!["b".to_owned()],
            ..Filters::default()
        },
    ];
    let Some(command) = alpha_beta(15) else {
        return;
    };
    let program = start(&command, Tracing::default());
    let whole = finished(&program);
    for filters in filters {
        let again = program.rerun(filters.clone(), None).expect("a rerun");
        let status = finished(&again);
        let (events, came, _) = read(&again.log().expect("a log"));
        assert_eq!(
            (events, status.events),
            (whole.events, whole.events),
            "{filters:?}"
        );
        assert!(came < events / 2, "{filters:?}: {came} of {events}");
        // The last event has a mark in both, and there is one every 4,096 events.
        let same = matches!(status.repeat, Some(Repeat::SameUpTo(place)) if place.event == events);
        assert!(same, "{:?}", status.repeat);
    }
}

#[test]
fn another_search_is_told_from_the_same_one() {
    let Some(command) = alpha_beta(15) else {
        return;
    };
    // Its seed is the time; and it is short.
    let clock = "exec \"$0\" 7 \"$(date +%s%N)\"";
    let other = ["sh", "-c", clock, &command[0]].map(str::to_owned);
    let program = start(&other, Tracing::default());
    finished(&program);
    let again = program.rerun(Filters::default(), None).expect("a rerun");
    let status = finished(&again);
    let Some(Repeat::Differs(difference)) = status.repeat else {
        panic!("{status:?}");
    };
    assert!(
        difference
            .to_string()
            .starts_with("took another course between events ")
    );
    assert!(program.rerun(Filters::default(), None).is_err());
}

#[test]
fn they_wait_where_they_are_told_to_step_by_step() {
    for command in programs() {
        let tracing = Tracing {
            until: Some(1),
            ..Tracing::default()
        };
        let program = start(&command, tracing);
        let log = program.log().expect("a log");
        for event in [1_024, 2_048, 5_120] {
            log.want(Want::Until(event - 7));
            let status = until(&program, "waiting", |status| {
                status.state == ProgramState::Waiting(event)
            });
            assert!(
                status.events == event && status.remarks.is_empty(),
                "{status:?}"
            );
        }
        // One that waits ends when it is asked to.
        program.stop();
        finished(&program);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn they_stop_in_a_debugger_at_an_event() {
    for command in programs() {
        let tracing = Tracing {
            trap: Some((Some(1), 1_234)),
            ..Tracing::default()
        };
        let program = start(&command, tracing);
        let status = until(&program, "the end", |status| status.state.is_over());
        let ProgramState::Ended { how, .. } = &status.state else {
            panic!("{status:?}");
        };
        assert!(how.starts_with("signal: 5 (SIGTRAP)"), "{how}");
        assert_eq!(status.events, 1_234);
    }
}
