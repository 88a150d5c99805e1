//! Running the program itself.
#![allow(dead_code)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The result of one run.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// Runs plyscope with these arguments and an empty standard input.
pub fn plyscope(arguments: &[&str]) -> Run {
    with_input(arguments, b"")
}

/// Runs plyscope with this standard input.
pub fn with_input(arguments: &[&str], input: &[u8]) -> Run {
    run(arguments, input, "100")
}

/// Runs plyscope as in a terminal with this many columns.
pub fn with_columns(columns: &str, arguments: &[&str]) -> Run {
    run(arguments, b"", columns)
}

/// Runs plyscope with a folder of state, where it keeps the progress in the lessons in `plyscope/learn.json`.
pub fn with_state(state: &std::path::Path, arguments: &[&str]) -> Run {
    run_in(&state.to_string_lossy(), arguments, b"", "100")
}

fn run(arguments: &[&str], input: &[u8], columns: &str) -> Run {
    run_in(env!("CARGO_TARGET_TMPDIR"), arguments, input, columns)
}

fn run_in(state: &str, arguments: &[&str], input: &[u8], columns: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(arguments)
        .env("COLUMNS", columns)
        .env("XDG_STATE_HOME", state)
        // The configuration of whoever runs the tests must not matter.
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The program may end without reading all of it.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    finish(child.wait_with_output().expect("the program ends"))
}

/// Runs plyscope and presses Ctrl-C as soon as `begun` says so.
#[cfg(unix)]
pub fn interrupted(arguments: &[&str], begun: impl Fn() -> bool) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(arguments)
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while !begun() && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(killed.success());
    finish(child.wait_with_output().expect("it ends"))
}

/// Runs plyscope, which must not complain, and returns what it printed, text or not.
pub fn bytes(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(arguments)
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    output.stdout
}

fn finish(output: Output) -> Run {
    Run {
        status: output.status.code().expect("an exit status, no signal"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

impl Run {
    /// Checks for status 0 and an empty standard error.
    pub fn clean(self) -> Run {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{}", self.out);
        self
    }

    /// Returns every line of the output as JSON.
    pub fn json_lines(&self) -> Vec<Value> {
        let parse =
            |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        self.out.lines().map(parse).collect()
    }

    /// Checks that the run was refused with this status and one harmless line, which says what was expected or that a
    /// file cannot be read.
    pub fn refused(&self, status: i32) -> &Run {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        let says_why = ["expected", "cannot be read"]
            .iter()
            .any(|words| self.err.contains(words));
        assert!(says_why, "{}", self.err);
        self.harmless();
        self
    }

    /// Checks that the output contains no control characters and no panic.
    pub fn harmless(&self) {
        for text in [&self.out, &self.err] {
            assert!(
                !text.chars().any(|c| c.is_control() && c != '\n'),
                "{text:?}"
            );
            assert!(!text.contains("panicked"), "{text}");
        }
    }
}

/// Writes a file with this content to the tests' own folder.
pub fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a file");
    path.to_string_lossy().into_owned()
}

/// Makes an empty folder for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Checks that every element of a drawing or a page is closed in order, and returns the names of all.
pub fn elements(text: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').expect("a closed tag") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let name: String = tag
            .chars()
            .take_while(|c| !c.is_whitespace() && *c != '/')
            .collect();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed), "{tag}");
        } else if !tag.ends_with('/') && !tag.starts_with('!') && name != "meta" {
            open.push(name.clone());
            all.push(name);
        } else {
            all.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    all
}
