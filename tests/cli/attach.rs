//! `plyscope attach` without a terminal: programs that send a trace well or badly.

use crate::cli_support::{Run, file, interrupted, plyscope};
use crate::program_support::command;

fn attach(options: &[&str], mode: &str) -> Run {
    let command = command(mode);
    let mut arguments = [&["attach"], options, &["--"]].concat();
    arguments.extend(command.iter().map(String::as_str));
    plyscope(&arguments)
}

#[test]
fn what_came_is_told_and_saved() {
    let saved = file("search.plytrace", "");
    let run = attach(&["--save", &saved], "steady 10000").clean();
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "child 1.0: a game without a name, depth-first");
    assert_eq!(lines[1], "search 1: somewhere · 10,000 events · 0 nodes");
    assert!(
        lines[2].starts_with("all: 10,000 events · 0 nodes · "),
        "{}",
        lines[2]
    );
    assert_eq!(lines[3..], ["ended: exit status: 0"]);
    let stream = std::fs::read_to_string(&saved).expect("a stream");
    assert_eq!(stream.matches("\"evaluate\"").count(), 10_000);
}

#[test]
fn a_filter_is_given_to_the_program_and_what_it_leaves_out_is_counted() {
    let all = attach(&[], "steady 10000").clean();
    let few = attach(&["--only-nodes", "100"], "steady 10000").clean();
    let size = |run: &Run| run.out.split(" · ").last().map(str::to_owned);
    assert!(few.out.contains("10,000 events"), "{}", few.out);
    assert_ne!(size(&all), size(&few));
}

#[test]
fn an_engine_is_told_what_to_search() {
    let run = attach(&["--uci", "--depth", "3", "--moves", "e4"], "uci 2000").clean();
    assert!(
        run.out.contains("search 1: somewhere · 2,000 events"),
        "{}",
        run.out
    );
    assert!(
        run.out.ends_with("ended: its search is over\n"),
        "{}",
        run.out
    );
}

#[test]
fn what_goes_wrong_is_named_and_the_status_is_1() {
    let run = attach(&[], "dies-at-once");
    assert!(
        run.err
            .contains("ended (exit status: 3) before it connected: does it contain the emitter?")
    );
    assert!(run.err.contains("it wrote: no such network"), "{}", run.err);
    let run2 = attach(&[], "garbage");
    assert!(
        run2.err.contains("sends no trace: found \"Hello"),
        "{}",
        run2.err
    );
    let run3 = attach(&[], "aborts 3000");
    assert!(run3.out.contains("3,000 events"), "{}", run3.out);
    assert!(
        run3.out.contains("ended: signal: 6 (SIGABRT)"),
        "{}",
        run3.out
    );
    let run4 = plyscope(&["attach", "--", "no-such-program"]);
    run4.refused(1);
    for run in [run, run2, run3, run4] {
        assert_eq!(run.status, 1, "{run:?}");
        run.harmless();
    }
}

#[test]
fn a_wrong_command_line_is_status_2() {
    for arguments in [
        &["attach"][..],
        &["attach", "--fen", "x", "--", "x"],
        &["attach", "--nodes", "9", "--", "x"],
        &["attach", "--only-key", "xyz", "--", "x"],
        &["attach", "--trap", "1:x", "--", "x"],
        &["attach", "--uci", "--set", "Hash", "--", "x"],
        &["attach", "--uci", "--nodes", "9", "--depth", "9", "--", "x"],
    ] {
        let run = plyscope(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {run:?}");
        run.harmless();
    }
}

#[test]
fn an_interrupt_ends_the_program_and_tells_what_came() {
    let marker = file("ignores.txt", "");
    let _ = std::fs::remove_file(&marker);
    let command = command(&format!("tells-and-goes-on 100 {marker}"));
    let mut arguments = vec!["attach", "--"];
    arguments.extend(command.iter().map(String::as_str));
    let run = interrupted(&arguments, || std::path::Path::new(&marker).exists());
    assert_eq!(run.status, 130, "{run:?}");
    assert!(run.out.contains(" events · "), "{}", run.out);
    assert!(run.out.ends_with("ended: exit status: 0\n"), "{}", run.out);
}
