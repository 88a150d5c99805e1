//! The layers of the architecture: a folder of `src/` imports only from lower layers.

use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up; folders on the same line must not import from each other.
const FLOORS: [&[&str]; 10] = [
    &["belief", "game"],
    &["eval"],
    &["tree"],
    &["search"],
    &["engine"],
    &["report", "uci"],
    &["serve"],
    &["tui"],
    &["cli"],
    &["main", "lib"],
];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|names| names.contains(&module))
}

/// Returns the first path segments after `crate::` (and after `plyscope::` in the program), with braces expanded: `use
/// crate::{a::B, c}` names a and c.
fn imports(source: &str) -> Vec<(usize, String)> {
    let code = without_comments(source);
    let mut found = Vec::new();
    for root in ["crate::", "plyscope::"] {
        let mut at = 0;
        while let Some(next) = code[at..].find(root) {
            let start = at + next;
            at = start + root.len();
            let inside_word = code[..start]
                .chars()
                .next_back()
                .is_some_and(|c| c.is_alphanumeric() || c == '_');
            if inside_word {
                continue;
            }
            let line = code[..start].matches('\n').count() + 1;
            let names = match code[at..].strip_prefix('{') {
                Some(rest) => group(rest),
                None => vec![identifier(&code[at..])],
            };
            found.extend(names.into_iter().map(|name| (line, name)));
        }
    }
    found
}

/// Returns the first identifiers of the parts of `{a::{B, C}, d::E}`, starting after the opening brace.
fn group(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut fresh = true;
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if fresh && (c.is_alphanumeric() || c == '_') => {
                names.push(identifier(&text[i..]));
                fresh = false;
            }
            _ => {}
        }
    }
    names
}

fn identifier(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// Returns the source with its line comments blanked, because documentation may mention anything.
fn without_comments(source: &str) -> String {
    let lines = source.lines().map(|line| match line.find("//") {
        Some(at) => &line[..at],
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns what is wrong in one file that belongs to `module`, one line each.
fn violations(module: &str, file: &str, source: &str) -> Vec<String> {
    let Some(mine) = floor(module) else {
        return vec![format!("{file}: {module} stands on no floor")];
    };
    imports(source)
        .into_iter()
        .filter_map(|(line, import)| match floor(&import) {
            // A macro or a constant of the crate itself.
            None => None,
            Some(_) if import == module => None,
            Some(other) if other < mine => None,
            Some(_) => Some(format!("{file}:{line}: {module} imports {import}")),
        })
        .collect()
}

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

#[test]
fn imports_go_downward_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 50, "only {} files found", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let inside = path.strip_prefix(&root).expect("below src");
        let first = inside.components().next().expect("a name");
        let module = Path::new(first.as_os_str())
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let source = fs::read_to_string(&path).expect("text");
        wrong.extend(violations(&module, &inside.display().to_string(), &source));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_planted_violation_is_found() {
    let planted = [
        ("belief", "use crate::game::Score;"),
        ("game", "use crate::{belief::Cdf, game::Score};"),
        ("search", "fn f() { let _ = crate::tui::run(); }"),
        (
            "tree",
            "pub use crate::{belief::{Cdf, Grid}, search::Event};",
        ),
        ("engine", "use crate::report::why;"),
        ("report", "use crate::cli::Failure;"),
    ];
    for (module, source) in planted {
        let found = violations(module, "planted.rs", &format!("\n{source}\n"));
        assert_eq!(found.len(), 1, "{module}: {source}: {found:?}");
        assert!(found[0].starts_with("planted.rs:2: "), "{found:?}");
    }
}

#[test]
fn what_is_allowed_is_not_reported() {
    let allowed = [
        (
            "cli",
            "use crate::{engine::Session, game::{Subject, Score}, report::why};",
        ),
        ("tree", "use crate::belief::Cdf; use crate::tree::Fate;"),
        ("belief", "// crate::game is above\nuse super::Cdf;"),
        ("main", "fn main() { plyscope::cli::run(); }"),
        ("search", "use other_crate::tui::X;"),
    ];
    for (module, source) in allowed {
        assert_eq!(violations(module, "fine.rs", source), [""; 0]);
    }
}

/// What is shown is brought up to date before a frame; drawing itself only reads it.
#[test]
fn drawing_changes_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    // The terminal itself is drawn on.
    files.retain(|path| !path.ends_with("terminal.rs"));
    let mut wrong = Vec::new();
    for path in files {
        let source = fs::read_to_string(&path).expect("text");
        let functions = source.split("fn draw").skip(1);
        let heads = functions.filter_map(|rest| rest.split(['{', ';']).next());
        let changing = heads.filter(|head| head.contains("&mut App") || head.contains("&mut self"));
        wrong.extend(changing.map(|head| format!("{}: draw{head}", path.display())));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The belief algebra knows nothing of chess, the searches nothing of the screen, the two families of algorithms
/// nothing of each other, and nobody above them knows what one algorithm keeps at its nodes.
#[test]
fn the_lower_floors_know_nothing_of_what_is_not_theirs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    const ALGORITHMS: [&str; 3] = ["distress", "mcts", "prob_alpha_beta"];
    let bans: [(&str, &[&str]); 9] = [
        ("belief", &["shakmaty", "ratatui", "crossterm"]),
        ("tree", &["shakmaty", "ratatui", "crossterm"]),
        ("search", &["ratatui", "crossterm"]),
        ("engine", &["ratatui", "crossterm"]),
        ("search/best_first", &["depth_first"]),
        ("search/depth_first", &["best_first"]),
        ("engine", &ALGORITHMS),
        ("report", &ALGORITHMS),
        ("tui", &ALGORITHMS),
    ];
    for (module, words) in bans {
        let mut files = Vec::new();
        sources(&root.join(module), &mut files);
        for path in files {
            let source = fs::read_to_string(&path).expect("text");
            // Tests may use anything to build positions.
            let code = without_comments(source.split("#[cfg(test)]").next().unwrap_or_default());
            for word in words {
                assert!(
                    !code.contains(&format!("{word}::")),
                    "{} uses {word}",
                    path.display()
                );
            }
        }
    }
}
