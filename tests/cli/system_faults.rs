//! What goes wrong outside the program: disks that are full, too few file handles, little memory, a process that is stopped, files that
//! change while they are read. Each has a message that names what failed, and nothing is lost.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::cli_support::{folder, plyscope};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plyscope");
const TEXTBOOK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sample-positions/textbook.tree"
);

/// Runs the program in a shell, under limits that the shell sets first.
fn under(limits: &str, arguments: &str) -> Output {
    let line = format!("{limits}; exec {PROGRAM} {arguments}");
    let run = Command::new("bash").args(["-c", &line]).output();
    run.expect("a shell")
}

fn said(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

#[test]
fn a_full_disk_is_named_by_every_command() {
    for command in [
        "search --nodes 500",
        "search --nodes 500 --json",
        "tree --nodes 500",
        "compare --nodes 200",
        "algorithms",
        "lessons",
        "schema search",
        "emitter c",
        "config",
        "completions bash",
        "man",
        "doctor",
        "perft 2",
        "eval",
        "--help",
    ] {
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("/dev/full");
        let run = Command::new(PROGRAM)
            .args(command.split(' '))
            .stdout(full)
            .output()
            .expect("it runs");
        let said = said(&run);
        assert_eq!(run.status.code(), Some(1), "{command}: {said}");
        assert!(
            said.contains("standard output: No space left"),
            "{command}: {said}"
        );
    }
    // The file of -o is named.
    let run = plyscope(&["trace", TEXTBOOK, "-o", "/dev/full"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("/dev/full: No space left"), "{}", run.err);
}

#[test]
fn links_and_permissions_stay() {
    let folder = folder("links");
    let (file, link) = (folder.join("file.toml"), folder.join("link.toml"));
    fs::write(&file, "old").expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("permissions");
    symlink(&file, &link).expect("a link");
    plyscope(&["config", "-o", &link.to_string_lossy()]).clean();
    assert!(link.symlink_metadata().expect("a link").is_symlink());
    let written = fs::read_to_string(&file).expect("the file");
    assert_eq!(written, plyscope(&["config"]).clean().out);
    let mode = file.metadata().expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn few_handles_and_little_memory_are_enough_or_named() {
    let run = under("ulimit -n 4", "search --nodes 200");
    assert!(run.status.success(), "{}", said(&run));
    // There is none for the pipes of an engine; the other column goes on.
    let run = under("ulimit -n 7", "compare --engine cat -a mcts --nodes 200");
    let (out, said) = (String::from_utf8_lossy(&run.stdout), said(&run));
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(
        said.contains("Too many open files") && out.contains("mcts"),
        "{said}{out}"
    );
    // A tree that is allowed more than there is ends where the memory does.
    let run = under("ulimit -v 300000", "search --nodes 3M --memory 2G -a mcts");
    let (out, said) = (String::from_utf8_lossy(&run.stdout), self::said(&run));
    assert!(run.status.success(), "{said}");
    assert!(out.contains("ended by memory"), "{out}");
}

#[test]
fn locales_and_time_zones_change_nothing() {
    let run = |environment: &[(&str, &str)]| {
        let mut command = Command::new(PROGRAM);
        command.args(["tree", TEXTBOOK]).env_clear();
        command.envs(environment.iter().copied());
        command.output().expect("it runs").stdout
    };
    let usual = run(&[("LANG", "C.UTF-8"), ("TZ", "UTC")]);
    for other in [
        &[("LC_ALL", "C")][..],
        &[("LC_ALL", "tr_TR.UTF-8")],
        &[("LC_ALL", "no such locale"), ("TZ", "Nowhere/At-All")],
        &[],
    ] {
        assert!(run(other) == usual, "{other:?}");
    }
}

#[test]
fn a_search_that_was_stopped_goes_on() {
    let child = Command::new(PROGRAM)
        .args(["search", "--nodes", "300k", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let signal = |name: &str| {
        let id = child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.expect("kill").success());
    };
    signal("-STOP");
    std::thread::sleep(Duration::from_millis(300));
    signal("-CONT");
    let run = child.wait_with_output().expect("its end");
    let usual = plyscope(&["search", "--nodes", "300k", "--json"])
        .clean()
        .json_lines();
    let stopped: serde_json::Value = serde_json::from_slice(&run.stdout).expect("an object");
    for field in ["nodes", "best", "moves"] {
        assert_eq!(stopped[field], usual[0][field], "{field}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let run = under("set -o pipefail", "tree --nodes 20k | head -1");
    assert!(said(&run).is_empty(), "{}", said(&run));
}
