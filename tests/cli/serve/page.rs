//! The page on `plyscope serve` shows what the program answers. `README=renew cargo test --test cli serve::page` updates it.
//!
//! - In a block that begins with `> `, each line with `> ` is sent, and its answer follows with `< `.
//! - The tables of methods and of the arguments of `launch` are those of the program.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::client::Client;
use crate::cli_support::with_input;

fn page() -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/serve.md");
    let text = std::fs::read_to_string(&path).expect("the page");
    (path, text)
}

/// Returns the conversation with the server's answers.
fn held(block: &[&str]) -> Vec<String> {
    let said: Vec<&str> = block
        .iter()
        .filter_map(|line| line.strip_prefix("> "))
        .collect();
    let input = said.join("\n") + "\n";
    let run = with_input(&["serve", "--memory", "64M"], input.as_bytes()).clean();
    let id = |line: &str| -> Value {
        let message: Value = serde_json::from_str(line).expect("JSON");
        message["id"].clone()
    };
    let mut lines = Vec::new();
    for request in said {
        lines.push(format!("> {request}"));
        let asked = id(request);
        let answer = run.out.lines().find(|line| id(line) == asked);
        lines.push(format!("< {}", answer.expect("an answer")));
    }
    lines
}

/// Returns the table of what `launch` understands.
fn arguments() -> Vec<String> {
    let rows = serve::dap::ARGUMENTS.iter();
    let rows = rows.map(|(name, what)| format!("| `{name}` | {what} |"));
    let head = ["| argument | what it means |", "| --- | --- |"];
    head.into_iter().map(str::to_owned).chain(rows).collect()
}

/// Returns the table of methods.
fn methods() -> Vec<String> {
    let mut client = Client::start(&[]);
    let methods = client.call("methods", json!({}));
    let row = |method: &Value| {
        let parameters = method["parameters"].as_array().expect("parameters").iter();
        let parameters: Vec<String> = parameters
            .filter(|p| p[0] != "session")
            .map(|p| {
                let text = |i: usize| p[i].as_str().expect("a text");
                format!("`{}` {}", text(0), text(1).replace('|', "\\|"))
            })
            .collect();
        let text = |name: &str| method[name].as_str().expect("a text");
        let (name, summary) = (text("name"), text("summary"));
        format!("| `{name}` | {summary} | {} |", parameters.join(" · "))
    };
    let head = [
        "| method | what it does | parameters |",
        "| --- | --- | --- |",
    ];
    let rows = methods.as_array().expect("methods").iter().map(row);
    head.into_iter().map(str::to_owned).chain(rows).collect()
}

#[test]
fn the_page_shows_what_the_program_answers() {
    let (path, text) = page();
    let lines: Vec<&str> = text.lines().collect();
    let mut fresh: Vec<String> = Vec::new();
    let (mut i, mut talks) = (0, 0);
    while i < lines.len() {
        fresh.push(lines[i].to_owned());
        i += 1;
        let table = match lines[i - 1] {
            "<!-- methods -->" => Some(methods()),
            "<!-- launch -->" => Some(arguments()),
            _ => None,
        };
        if let Some(table) = table {
            fresh.extend(table);
            i += lines[i..]
                .iter()
                .position(|line| line.is_empty())
                .expect("an end");
        } else if lines[i - 1] == "```text" && lines[i].starts_with("> ") {
            let length = lines[i..]
                .iter()
                .position(|line| *line == "```")
                .expect("an end");
            fresh.extend(held(&lines[i..i + length]));
            (i, talks) = (i + length, talks + 1);
        }
    }
    assert!(talks >= 4, "{talks}");
    let fresh = fresh.join("\n") + "\n";
    if std::env::var_os("README").is_some_and(|what| what == "renew") {
        std::fs::write(path, fresh).expect("the page is written");
        return;
    }
    for (shown, fresh) in text.lines().zip(fresh.lines()) {
        assert_eq!(
            shown, fresh,
            "README=renew cargo test --test cli serve::page updates it"
        );
    }
    assert_eq!(text, fresh);
}

/// Drawing that only counts what is drawn.
const NO_DRAWING: &str = "
drawn = []
class Axes:
    def __getattr__(self, name):
        return lambda *values, **options: drawn.append(name)
def subplots(rows, columns, **options):
    return None, [Axes() for _ in range(columns)]
def pause(seconds):
    pass
def savefig(name):
    print('drawn', drawn.count('stairs'), drawn.count('barh'), name)
";

/// The example in Python runs, and is as short as it claims.
#[test]
fn the_example_in_python_draws() {
    let (_, text) = page();
    let (_, code) = text.split_once("```python\n").expect("an example");
    let (code, _) = code.split_once("```").expect("an end");
    assert!(code.lines().count() <= 40, "{}", code.lines().count());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve-example");
    std::fs::create_dir_all(folder.join("matplotlib")).expect("a folder");
    std::fs::write(folder.join("matplotlib/__init__.py"), "").expect("a file");
    std::fs::write(folder.join("matplotlib/pyplot.py"), NO_DRAWING).expect("a file");
    let program = Path::new(env!("CARGO_BIN_EXE_plyscope"));
    let program = program.parent().expect("a folder").as_os_str().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(PathBuf::from(program)).chain(std::env::split_paths(&path));
    let python = Command::new("python3")
        .args(["-c", &code.replace("300_000", "2_000")])
        .env("PATH", std::env::join_paths(folders).expect("folders"))
        .env("PYTHONPATH", &folder)
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
        .current_dir(&folder)
        .output();
    // Not every machine has Python.
    let Ok(output) = python else {
        return;
    };
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{err}");
    let words: Vec<&str> = out.split_whitespace().collect();
    assert_eq!((words[0], words[3]), ("drawn", "belief.png"), "{out}");
    assert!(words[1] != "0" && words[2] != "0", "{out}");
}
