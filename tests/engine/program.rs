//! Programs that send an open trace, and everything that may happen to one.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use external::{EngineSpec, Filters, Patience, Program, ProgramSpec, ProgramState, ProgramStatus};
use external::{Repeat, Tracing};
use game::Situation;
use game::load::fen;
use open_trace::log::{Log, Want};
use session::{Budget, Subject};

use super::program_support::command;

/// What a call may take: nothing waits in it, but the machine may be busy.
const AT_ONCE: Duration = Duration::from_millis(500);

fn spec(mode: &str) -> ProgramSpec {
    traced(mode, Tracing::default())
}

fn traced(mode: &str, tracing: Tracing) -> ProgramSpec {
    ProgramSpec {
        engine: EngineSpec {
            command: command(mode),
            patience: Patience {
                ready: Duration::from_secs(1),
                stop: Duration::from_millis(700),
                ..Patience::default()
            },
            trace: Some(tracing),
            ..EngineSpec::parse("env").expect("a program")
        },
        search: None,
    }
}

fn at_once<T>(what: &str, call: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = call();
    assert!(begun.elapsed() < AT_ONCE, "{what}: {:?}", begun.elapsed());
    done
}

fn start(spec: ProgramSpec) -> Program {
    at_once("start", || Program::start(spec))
}

/// Waits until the status is as expected.
fn until(program: &Program, what: &str, holds: impl Fn(&ProgramStatus) -> bool) -> ProgramStatus {
    let late = Instant::now() + Duration::from_secs(30);
    loop {
        let status = at_once("status", || program.status());
        if holds(&status) {
            return status;
        }
        assert!(Instant::now() < late, "{what}: {status:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn over(program: &Program) -> ProgramStatus {
    until(program, "the end", |status| status.state.is_over())
}

fn remark(program: &Program, begins: &str) -> ProgramStatus {
    let says = |status: &ProgramStatus| {
        status
            .remarks
            .iter()
            .any(|r| r.to_string().starts_with(begins))
    };
    until(program, begins, says)
}

/// Ends a program; this must not wait for it.
fn end(program: Program) {
    at_once("drop", || drop(program));
}

fn trouble(status: &ProgramStatus) -> &str {
    let ProgramState::Trouble(trouble) = &status.state else {
        panic!("{status:?}");
    };
    let lines = trouble.last_lines.iter().chain([&trouble.message]);
    assert!(lines.flat_map(|l| l.chars()).all(|c| !c.is_control()));
    &trouble.message
}

/// Reads the log as the workbench does: from its beginning, all there is.
fn read(log: &Arc<Log>) -> std::thread::JoinHandle<String> {
    let mut reader = log.shared_reader_from(0, Duration::from_secs(60));
    std::thread::spawn(move || {
        let mut all = String::new();
        reader.read_to_string(&mut all).expect("a stream");
        all
    })
}

/// Whether a process lives.
fn lives(id: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}

#[test]
fn a_search_runs_to_its_end_and_its_stream_is_in_the_log() {
    let program = start(spec("steady 10000"));
    let log = program.log().expect("a log");
    let all = read(&log);
    let status = over(&program);
    let ended = ProgramState::Ended {
        how: "exit status: 0".to_owned(),
        is_success: true,
    };
    assert_eq!(status.state, ended);
    assert_eq!((status.events, status.searches), (10_000, 1));
    assert!(
        status.is_connected && status.remarks.is_empty(),
        "{status:?}"
    );
    let all = all.join().expect("no panic");
    assert_eq!(all.len() as u64, status.bytes);
    assert_eq!(all.matches("\"evaluate\"").count(), 10_000);
    // It may still be saved.
    let file = std::env::temp_dir().join(format!("plyscope-saved-{}", std::process::id()));
    log.save_as(&file).expect("saved");
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), all);
    let _ = std::fs::remove_file(&file);
    end(program);
}

#[test]
fn it_waits_where_it_is_told_to_and_goes_on() {
    let tracing = Tracing {
        until: Some(1),
        ..Tracing::default()
    };
    let program = start(traced("steady 10000", tracing));
    let log = program.log().expect("a log");
    let waits = |event| {
        until(&program, "waiting", |status| {
            status.state == ProgramState::Waiting(event)
        })
    };
    // Leave is given in blocks.
    assert_eq!(waits(1_024).events, 1_024);
    at_once("want", || log.want(Want::Until(1_000)));
    assert_eq!(program.status().state, ProgramState::Waiting(1_024));
    at_once("want", || log.want(Want::Until(1_025)));
    assert_eq!(waits(2_048).events, 2_048);
    // It stands still for as long as one looks.
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(program.status().events, 2_048);
    log.want(Want::Until(5_000));
    let status = waits(5_120);
    assert!(status.remarks.is_empty(), "{status:?}");
    log.want(Want::All);
    assert_eq!(over(&program).events, 10_000);
}

#[test]
fn one_that_waits_is_ended() {
    let tracing = Tracing {
        until: Some(1),
        ..Tracing::default()
    };
    for by_drop in [true, false] {
        let program = start(traced("steady 10000", tracing.clone()));
        until(&program, "waiting", |status| {
            status.state == ProgramState::Waiting(1_024)
        });
        if by_drop {
            let all = read(&program.log().expect("a log"));
            end(program);
            all.join().expect("the log has an end");
        } else {
            at_once("stop", || program.stop());
            // It has the leave to end.
            assert!(matches!(
                over(&program).state,
                ProgramState::Ended {
                    is_success: true,
                    ..
                }
            ));
        }
    }
}

#[test]
fn what_is_missing_or_dies_at_once_is_named() {
    let mut missing = spec("");
    missing.engine.command = vec!["no-such-program".to_owned()];
    let program = start(missing);
    let expected = "no-such-program is not found, expected a program that sends a trace";
    assert_eq!(trouble(&over(&program)), expected);
    let program = start(spec("dies-at-once"));
    let status = over(&program);
    let expected = "env ended (exit status: 3) before it connected: does it contain the emitter? PLYSCOPE_TRACE was set";
    assert_eq!(trouble(&status), expected);
    assert!(
        status
            .last_lines
            .contains(&"no such network␛[2J".to_owned()),
        "{status:?}"
    );
    let log = program.log().expect("a log");
    assert!(log.ended().is_some_and(|end| end.cut_short.is_some()) && log.is_empty());
}

#[test]
fn one_that_dies_in_the_middle_leaves_what_it_sent() {
    let program = start(spec("aborts 3000"));
    let status = over(&program);
    let ProgramState::Ended {
        how,
        is_success: false,
    } = &status.state
    else {
        panic!("{status:?}");
    };
    assert!(how.starts_with("signal: 6 (SIGABRT)"), "{how}");
    assert_eq!(status.events, 3_000);
    assert!(program.log().is_some_and(|log| log.ended().is_some()));
}

#[test]
fn one_that_never_connects_or_sends_nothing_is_remarked_on() {
    let program = start(spec("never-connects"));
    assert_eq!(program.status().state, ProgramState::Starting);
    let status = remark(
        &program,
        "has not connected for 1.0 s: does it contain the emitter?",
    );
    assert_eq!(status.state, ProgramState::Starting);
    end(program);
    let program = start(spec("hangs"));
    let status = remark(&program, "has sent nothing for ");
    assert_eq!(status.state, ProgramState::Running);
    assert!(status.silent >= Duration::from_secs(3));
    end(program);
}

#[test]
fn a_flood_waits_for_its_reader() {
    const BUDGET: u64 = 1 << 20;
    let tracing = Tracing {
        log_budget: BUDGET,
        ..Tracing::default()
    };
    let program = start(traced("floods", tracing));
    let log = program.log().expect("a log");
    let full = "waits because 1 MiB of its trace were not read yet";
    let status = remark(&program, full);
    assert!(log.len() <= BUDGET && status.bytes <= BUDGET + (64 << 10));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(program.status().bytes, status.bytes);
    // Whoever reads gets all of it, and the oldest part is forgotten.
    let mut reader = log.reader_from(0, Duration::from_secs(60));
    let mut part = vec![0; 5 << 20];
    reader.read_exact(&mut part).expect("a stream");
    assert!(part.starts_with(b"{\"plyscope-trace\":1"));
    assert!(log.starts_at() > 0 && log.len() - log.starts_at() <= BUDGET);
    // Without a reader it is stopped by going on alone.
    remark(&program, full);
    at_once("stop", || program.stop());
    let status = over(&program);
    assert!(
        matches!(&status.state, ProgramState::Ended { how, .. } if how.starts_with("killed")),
        "{status:?}"
    );
    let why = log.ended().and_then(|end| end.cut_short);
    assert_eq!(
        why.as_deref(),
        Some("stopped before all of the stream was read")
    );
}

#[test]
fn a_stream_without_a_program_and_a_program_without_a_stream_are_remarked_on() {
    let program = start(spec("closes 50"));
    let status = remark(&program, "has closed its trace");
    assert_eq!((status.state, status.events), (ProgramState::Running, 50));
    end(program);
    // A process that it started holds its connection; it is not waited for, and does not survive.
    let program = start(spec("leaves-another 70"));
    remark(
        &program,
        "has ended (exit status: 0), but another process holds its connection",
    );
    let status = over(&program);
    assert!(matches!(
        status.state,
        ProgramState::Ended {
            is_success: true,
            ..
        }
    ));
    assert_eq!(status.events, 70);
    let other = status
        .last_lines
        .iter()
        .find_map(|line| line.strip_prefix("other "));
    let other = other.expect("a number").to_owned();
    if Path::new("/proc/self/stat").exists() {
        until(&program, "the other's end", |_| !lives(&other));
    }
}

#[test]
fn one_that_does_not_listen_is_remarked_on() {
    let program = start(spec("ignores-go"));
    until(&program, "events", |status| status.events > 2_000);
    let log = program.log().expect("a log");
    log.want(Want::Until(1));
    let status = remark(
        &program,
        "does not wait: it was asked to at event 1,024 and is at ",
    );
    assert_eq!(status.state, ProgramState::Running);
    // It is asked to end, and killed when it does not.
    at_once("stop", || program.stop());
    let status = over(&program);
    let killed = "killed: it did not end within 0.7 s when it was asked to";
    assert!(
        matches!(&status.state, ProgramState::Ended { how, .. } if how == killed),
        "{status:?}"
    );
    let program = start(spec("closes-control"));
    until(&program, "events", |status| status.events > 200);
    program.log().expect("a log").want(Want::Until(1));
    let status = remark(&program, "has closed its control channel");
    assert_eq!(status.state, ProgramState::Running);
    end(program);
}

#[test]
fn what_is_no_trace_is_named() {
    let program = start(spec("garbage"));
    let status = over(&program);
    let expected = "env sends no trace: found \"Hello ␛[2J, I am no trace\", expected a line \
                    {\"plyscope-trace\":1,…} or the binary form";
    assert_eq!(trouble(&status), expected);
    end(program);
}

#[test]
fn what_it_says_beside_the_trace_is_kept_short() {
    let program = start(spec("chatters 500"));
    let status = over(&program);
    assert_eq!(status.events, 500);
    assert!(
        status.last_lines.contains(&"the last line".to_owned()),
        "{status:?}"
    );
    assert!(status.last_lines.len() <= 20);
}

#[test]
fn a_rerun_with_a_filter_is_the_same_search() {
    let program = start(spec("steady 50000"));
    let status = over(&program);
    assert_eq!(status.repeat, None);
    let filters = Filters {
        nodes: Some(100),
        ..Filters::default()
    };
    let again = at_once("rerun", || program.rerun(filters, Some(9_000))).expect("a rerun");
    let waits = until(&again, "waiting", |status| {
        status.state == ProgramState::Waiting(9_216)
    });
    assert!(matches!(waits.repeat, Some(Repeat::SameUpTo(place)) if place.event == 8_192));
    // It may go on when the run before it is gone.
    end(program);
    again.log().expect("a log").want(Want::All);
    let last = over(&again);
    assert_eq!((last.events, last.searches), (50_000, 1));
    assert!(last.bytes < status.bytes / 10, "{last:?}");
    assert!(matches!(last.repeat, Some(Repeat::SameUpTo(place)) if place.event == 50_000));
    assert!(again.rerun(Filters::default(), None).is_ok());
}

#[test]
fn a_search_that_takes_another_course_is_recognised_and_not_run_again() {
    let program = start(spec("seeded-by-the-clock 20000"));
    over(&program);
    let again = program.rerun(Filters::default(), None).expect("a rerun");
    let status = over(&again);
    let repeat = status.repeat.map(|repeat| repeat.to_string());
    let expected = "took another course between events 4,096 and 8,192";
    assert_eq!(repeat.as_deref(), Some(expected));
    for run in [&program, &again] {
        let refused = run.rerun(Filters::default(), None).map(drop);
        assert_eq!(refused, Err(format!("it can't be repeated: it {expected}")));
    }
}

fn uci(mode: &str, tracing: Tracing) -> ProgramSpec {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let position = fen::parse(start).expect("a FEN").position;
    let subject = Subject::from(Situation::new(position));
    let mut spec = traced(mode, tracing);
    spec.engine.patience.idle = Duration::from_millis(500);
    spec.engine.patience.stop = Duration::from_secs(5);
    spec.search = Some((subject, Budget::Depth(3)));
    spec
}

#[test]
fn an_engine_that_speaks_uci_is_traced_and_its_searches_are_told_apart() {
    let mut program = start(uci("uci 3000", Tracing::default()));
    let status = over(&program);
    assert_eq!(status.state, ProgramState::Finished, "{status:?}");
    let status = until(&program, "all events", |status| status.events == 3_000);
    assert_eq!(status.searches, 1);
    let told = program.told().expect("what it tells");
    assert_eq!(told.status().totals.nodes, 3_000);
    assert_eq!(told.traced().map(|traced| traced.search), Some(0));
    let (subject, budget) = program.spec().search.clone().expect("a search");
    at_once("search", || {
        program.search(subject.play_text("e4").expect("a move"), budget)
    });
    let status = until(&program, "all events", |status| status.events == 6_000);
    assert_eq!(status.searches, 2);
    assert_eq!(over(&program).state, ProgramState::Finished);
    let told = program.told().expect("what it tells");
    let traced = told.traced().expect("a trace");
    assert_eq!(traced.search, 1);
    assert!(Arc::ptr_eq(&traced.log, &program.log().expect("a log")));
    let again = program.rerun(Filters::default(), None).expect("a rerun");
    // The last search alone.
    let same = until(&again, "all events", |status| status.events == 3_000);
    assert!(matches!(same.repeat, Some(Repeat::SameUpTo(place)) if place.event == 3_000));
    let e4 = again
        .spec()
        .search
        .as_ref()
        .map(|search| search.0.history.len());
    assert_eq!(e4, Some(1));
    let all = read(&traced.log);
    end(program);
    assert_eq!(
        all.join().expect("no panic").matches("\"search\"").count(),
        2
    );
}

#[test]
fn an_engine_that_waits_for_its_reader_is_not_dead_and_can_be_stopped() {
    let tracing = Tracing {
        until: Some(1),
        ..Tracing::default()
    };
    let program = start(uci("uci 3000", tracing));
    until(&program, "waiting", |status| {
        status.state == ProgramState::Waiting(1_024)
    });
    // Longer than an engine may be idle.
    std::thread::sleep(Duration::from_millis(1_200));
    let status = program.status();
    assert_eq!(status.state, ProgramState::Waiting(1_024), "{status:?}");
    at_once("stop", || program.stop());
    assert_eq!(over(&program).state, ProgramState::Finished);
    until(&program, "all events", |status| status.events == 3_000);
}

#[test]
fn an_engine_whose_trace_is_not_read_is_not_dead_and_can_be_stopped() {
    let tracing = Tracing {
        log_budget: 256 << 10,
        ..Tracing::default()
    };
    let program = start(uci("uci 100000", tracing));
    let full = "waits because 256 KiB of its trace were not read yet";
    remark(&program, full);
    // Longer than an engine may be idle.
    std::thread::sleep(Duration::from_millis(1_200));
    let status = program.status();
    assert_eq!(status.state, ProgramState::Running, "{status:?}");
    at_once("stop", || program.stop());
    assert_eq!(over(&program).state, ProgramState::Finished);
    let end = program.log().and_then(|log| log.ended());
    assert!(end.is_some_and(|end| end.cut_short.is_some()));
}

#[test]
fn an_engine_that_dies_leaves_what_it_sent() {
    let program = start(uci("uci-aborts 5000", Tracing::default()));
    let status = over(&program);
    let expected = "env ended (signal: 6 (SIGABRT)";
    assert!(trouble(&status).starts_with(expected), "{status:?}");
    until(&program, "all events", |status| status.events == 5_000);
}
