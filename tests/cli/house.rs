//! The sources of the repository, and what the compiler cannot see about them.

use std::fs;
use std::path::{Path, PathBuf};

/// Adds the Rust files below a folder.
pub fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// What is shown is brought up to date before a frame; drawing itself only reads it.
#[test]
fn drawing_changes_nothing() {
    const STATE: [&str; 7] = [
        "self", "App", "Context", "Compare", "GameTab", "LabTab", "LearnTab",
    ];
    let source_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for folder in ["tui", "screen"] {
        sources(&source_folder.join(folder), &mut files);
    }
    // The terminal itself is drawn on.
    files.retain(|path| !path.ends_with("terminal.rs"));
    let mut wrong = Vec::new();
    for path in files {
        let source = fs::read_to_string(&path).expect("text");
        let functions = source.split("fn draw").skip(1);
        let heads = functions.filter_map(|rest| rest.split(['{', ';']).next());
        let changing = heads.filter(|head| {
            let mut changed = head.split("&mut ").skip(1);
            changed.any(|what| STATE.iter().any(|state| what.starts_with(state)))
        });
        wrong.extend(changing.map(|head| format!("{}: draw{head}", path.display())));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A tab, a pane or an overlay gets its own state and the `Context`, not the whole `App` with the other tabs.
#[test]
fn no_component_gets_the_whole_app() {
    // The help shows what all tabs and panes say of their keys and signs. The others hand the `App` on to what is done with
    // an answer, as the table of commands does.
    const ALLOWED: [&str; 5] = [
        "overlays/chooser/mod.rs",
        "overlays/help/here.rs",
        "overlays/help/view.rs",
        "overlays/options/mod.rs",
        "overlays/prompt.rs",
    ];
    let tui = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui");
    let mut files = Vec::new();
    for folder in ["tabs", "panes", "overlays"] {
        sources(&tui.join(folder), &mut files);
    }
    assert!(files.len() > 100, "only {} files found", files.len());
    let names_it = |path: &PathBuf| {
        let source = fs::read_to_string(path).expect("text");
        let mut words = source.split(|c: char| !c.is_alphanumeric() && c != '_');
        source.contains("crate::app")
            || source.contains(".app()")
            || words.any(|word| word == "App")
    };
    files.retain(names_it);
    let below = files
        .iter()
        .map(|path| path.strip_prefix(&tui).expect("below"));
    let mut found: Vec<_> = below.map(Path::to_owned).collect();
    found.sort();
    assert_eq!(found, ALLOWED.map(PathBuf::from));
}

/// Every crate of the workspace keeps to the lints that the workspace sets, and is built and tested by default.
#[test]
fn every_crate_is_a_member_and_has_the_lints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("a manifest");
    let (members, rest) = manifest
        .split_once("default-members")
        .expect("default members");
    let (default, _) = rest.split_once(']').expect("a list");
    let mut found = 0;
    for entry in fs::read_dir(root.join("src")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if !path.is_dir() {
            continue;
        }
        found += 1;
        let name = path.file_name().expect("a name").to_string_lossy();
        let own = fs::read_to_string(path.join("Cargo.toml")).expect("a manifest");
        assert!(own.ends_with("[lints]\nworkspace = true\n"), "{name}");
        for list in [members, default] {
            assert!(list.contains(&format!("\"src/{name}\"")), "{name}");
        }
    }
    assert!(found > 10, "only {found} crates found");
}

/// What is read out of a tree is turned to the other side's view by `game::Sided` alone. A minus before a value, or a
/// flag that says whether to turn it, would be a second way, and whose view the result gives could not be seen from it.
#[test]
fn values_are_turned_by_one_trait() {
    const VALUES: [&str; 11] = [
        "alpha",
        "belief",
        "beta",
        "bound",
        "chances",
        "expected",
        "mean",
        "own",
        "score",
        "static_value",
        "value",
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for floor in [
        "session", "external", "studies", "lab", "report", "uci", "serve", "tui", "cli",
    ] {
        sources(&folder.join(floor), &mut files);
    }
    let is_test = |path: &Path| path.components().any(|c| c.as_os_str() == "tests");
    files.retain(|path| !path.ends_with("tests.rs") && !is_test(path));
    let minus_before_value = |line: &str| {
        line.match_indices('-').any(|(at, _)| {
            let before = line[..at].trim_end();
            let unary = before.is_empty() || before.ends_with(['(', '=', ',', '|', '>', '{', '[']);
            let rest = &line[at + 1..];
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let name = rest[..end].rsplit('.').next();
            unary && !rest[end..].starts_with('(') && name.is_some_and(|n| VALUES.contains(&n))
        })
    };
    let mut wrong = Vec::new();
    for path in files {
        let source = fs::read_to_string(&path).expect("text");
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        // The experiments of the Lab compute with beliefs as a search does.
        let computes = path.starts_with(folder.join("lab"));
        for (i, line) in code.lines().enumerate() {
            let turns = minus_before_value(line)
                || line.contains("turned: bool") && !path.ends_with("lens/scores.rs")
                || line.contains(".negated()") && !computes && !path.ends_with("node_belief.rs");
            if turns && !line.trim_start().starts_with("//") {
                wrong.push(format!("{}:{}: {}", path.display(), i + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
