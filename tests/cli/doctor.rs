//! `plyscope doctor` on machines on which something is wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::cli_support::folder;

/// Runs it with nothing in its environment but this.
fn doctor(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plyscope"));
    command.arg("doctor").args(arguments).env_clear();
    command.envs(environment.iter().copied());
    command.output().expect("it runs")
}

/// Runs it on a home like this; all that it says is a problem.
fn problems(home: &Path, environment: &[(&str, &str)]) -> Vec<String> {
    let home = home.to_str().expect("a path");
    let environment = [&[("HOME", home), ("LANG", "C.UTF-8")], environment].concat();
    let run = doctor(&["--json"], &environment);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    let object: Value = serde_json::from_slice(&run.stdout).expect("an object");
    let problems = object["problems"].as_array().expect("problems").iter();
    let problems = problems.map(|problem| problem.as_str().expect("a text").to_owned());
    let of_build = |problem: &String| problem.contains("debug build");
    problems.filter(|problem| !of_build(problem)).collect()
}

fn only(problems: &[String], part: &str) {
    let [problem] = problems else {
        panic!("{problems:?}, expected {part}");
    };
    assert!(problem.contains(part), "{problem}, expected {part}");
}

#[test]
fn a_sound_machine_has_no_problem() {
    let home = folder("doctor-sound");
    assert_eq!(problems(&home, &[("TERM", "xterm-256color")]), [""; 0]);
    // Nothing was made there.
    assert_eq!(fs::read_dir(&home).expect("a folder").count(), 0);
    let run = doctor(
        &[],
        &[
            ("HOME", home.to_str().expect("a path")),
            ("LANG", "C.UTF-8"),
        ],
    );
    let text = String::from_utf8(run.stdout).expect("a text");
    for part in [
        "plyscope ",
        "machine\n",
        "terminal\n",
        "files\n",
        "engines\n",
        "endgame tables\n",
        "⣿",
        "♞",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let run = doctor(&["--ascii"], &[("HOME", "/nowhere"), ("LANG", "C.UTF-8")]);
    assert!(run.stdout.is_ascii());
}

#[test]
fn what_is_wrong_is_said() {
    let home = folder("doctor-wrong");
    let config = home.join(".config/plyscope");
    fs::create_dir_all(&config).expect("a folder");
    let write = |text: &str| fs::write(config.join("config.toml"), text).expect("a file");
    write("theme = \n");
    only(&problems(&home, &[]), "config.toml:1: ");
    write("memroy = \"1G\"\n");
    only(&problems(&home, &[]), "config.toml:1: ");
    write("theme = \"none such\"\n");
    only(&problems(&home, &[]), "the theme: ");
    write("[engines]\nlost = \"/nowhere/engine --fast\"\n");
    only(
        &problems(&home, &[]),
        "lost: its program is not found: /nowhere/engine --fast",
    );
    write("syzygy = \"/nowhere\"\n");
    only(&problems(&home, &[]), "endgame tables: ");
    write("");
    only(&problems(&home, &[("LC_ALL", "C")]), "the locale is C, ");
    only(&problems(&home, &[("TERM", "linux")]), "Linux console");
    only(&problems(&home, &[("TERM", "dumb")]), "TERM is dumb");
    only(&problems(&home, &[("TERM", "xterm")]), "xterm-256color");
    assert_eq!(
        problems(&home, &[("TERM", "xterm"), ("NO_COLOR", "1")]),
        [""; 0]
    );
    only(
        &problems(
            &home,
            &[("TERM", "screen-256color"), ("TMUX", "/tmp/tmux,1,0")],
        ),
        "24-bit colours",
    );
    let state = home.join(".local/state/plyscope");
    fs::create_dir_all(&state).expect("a folder");
    fs::write(state.join("fault-17.txt"), "").expect("a file");
    only(&problems(&home, &[]), "1 report of crashes");
    fs::remove_dir_all(&state).expect("it goes");
    fs::write(&state, "a file where the folder should be").expect("a file");
    only(&problems(&home, &[]), "can't be kept");
}

#[test]
fn a_text_cannot_steer_the_terminal() {
    let home = folder("doctor-steered");
    let home = home.to_str().expect("a path");
    let run = doctor(
        &[],
        &[
            ("HOME", home),
            ("TERM", "a\x1b[2Jb\nc"),
            ("LANG", "C.UTF-8"),
        ],
    );
    let text = String::from_utf8(run.stdout).expect("a text");
    assert!(!text.contains('\x1b') && !text.contains("b\nc"), "{text}");
}
