//! README and the docs show what the program prints and what its screens show. `README=renew cargo test --test cli readme` writes
//! them anew.
//!
//! A block that begins with `$ plyscope …` is run; if its last line is `…`, only as many lines as stand above it are shown.
//! A block after a line `<!-- screen NAME FROM-TO -->` shows these lines of the snapshot of that name; a second FROM-TO
//! chooses columns.

use crate::cli_support;

use std::path::{Path, PathBuf};

use cli_support::plyscope;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The words of a command line; what stands in quotation marks is one.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (String::new(), None);
    for c in line.chars().chain([' ']) {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            (' ', None) => words.push(std::mem::take(&mut word)),
            (c, _) => word.push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// What the block that begins with this command shall show below it.
fn printed(command: &str, shown: &[&str]) -> Vec<String> {
    let arguments = words(command);
    assert_eq!(arguments[0], "plyscope");
    let paths = arguments.iter().skip(1).map(|argument| {
        let path: PathBuf = root().join(argument);
        if argument.contains('/') && path.exists() {
            path.to_string_lossy().into_owned()
        } else {
            argument.clone()
        }
    });
    let paths: Vec<String> = paths.collect();
    let borrowed: Vec<&str> = paths.iter().map(String::as_str).collect();
    let run = plyscope(&borrowed).clean();
    let mut lines: Vec<String> = run.out.lines().map(str::to_owned).collect();
    if shown.last().is_some_and(|line| line.trim() == "…") && lines.len() >= shown.len() {
        lines.truncate(shown.len() - 1);
        lines.push("…".to_owned());
    }
    lines
}

/// Lines of a snapshot below its head, and columns of them, all from 1.
fn screen(place: &str) -> Vec<String> {
    let range = |text: &str| {
        let (from, to) = text.split_once('-').expect("from-to");
        let number = |text: &str| text.parse::<usize>().expect("a number");
        number(from) - 1..number(to)
    };
    let parts: Vec<&str> = place.split(' ').collect();
    let rows = range(parts[1]);
    let columns = parts.get(2).map_or(0..usize::MAX, |text| range(text));
    let path = root().join(format!("tests/tui/snapshots/{}.snap", parts[0]));
    let text = std::fs::read_to_string(&path).expect("a snapshot");
    let (_, screen) = text.split_once("\n---\n").expect("a head");
    let cut = |line: &str| {
        // A buffer's line is quoted.
        let quoted = line.trim().trim_end_matches(',').strip_prefix('"');
        let line = quoted.and_then(|l| l.strip_suffix('"')).unwrap_or(line);
        let cells = line.chars().skip(columns.start).take(columns.len());
        cells.collect::<String>().trim_end().to_owned()
    };
    let lines = screen.lines().skip(rows.start).take(rows.len());
    lines.map(cut).collect()
}

/// README and the docs, by their paths from the root.
fn pages() -> Vec<(String, String)> {
    let docs = std::fs::read_dir(root().join("docs/src"))
        .expect("docs")
        .flatten();
    let mut names: Vec<String> = docs
        .map(|entry| format!("docs/src/{}", entry.file_name().to_string_lossy()))
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.push("README.md".to_owned());
    names.sort();
    let read = |name: String| {
        let text = std::fs::read_to_string(root().join(&name)).expect("a page");
        (name, text)
    };
    names.into_iter().map(read).collect()
}

#[test]
fn pages_show_what_the_program_shows() {
    let blocks: usize = pages().iter().map(|(name, text)| check(name, text)).sum();
    assert!(blocks >= 5, "only {blocks} blocks are checked");
}

/// README is a front door; the rest belongs in the docs.
#[test]
fn readme_is_short() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README");
    assert!(readme.lines().count() <= 250);
}

/// A link from a page leads to a file of the repository, and to a heading of it.
#[test]
fn links_lead_somewhere() {
    let anchor = |heading: &str| -> String {
        let kept = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = kept
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    let mut links = 0;
    for (name, text) in pages() {
        for (_, rest) in text
            .match_indices("](")
            .map(|(at, _)| text.split_at(at + 2))
        {
            let link = rest.split(')').next().expect("an end");
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let here = root().join(&name);
            let path = match file {
                "" => here,
                file => here.parent().expect("a folder").join(file),
            };
            assert!(path.exists(), "{name}: {link}");
            if !heading.is_empty() {
                let target = std::fs::read_to_string(&path).expect("a page");
                let headings = target.lines().filter(|line| line.starts_with('#'));
                assert!(headings.map(anchor).any(|h| h == heading), "{name}: {link}");
            }
            links += 1;
        }
    }
    assert!(links > 15, "{links}");
}

/// Compares a page's blocks with what the program shows, or writes them anew. How many there are.
fn check(name: &str, readme: &str) -> usize {
    let path = root().join(name);
    let lines: Vec<&str> = readme.lines().collect();
    let mut written: Vec<String> = Vec::new();
    let (mut i, mut blocks) = (0, 0);
    while i < lines.len() {
        written.push(lines[i].to_owned());
        i += 1;
        if lines[i - 1] != "```text" {
            continue;
        }
        let length = lines[i..].iter().position(|line| *line == "```");
        let block = &lines[i..i + length.expect("an end of the block")];
        let mark = lines[..i - 1].iter().rev().find(|line| !line.is_empty());
        let mark = mark.and_then(|line| line.strip_prefix("<!-- screen ")?.strip_suffix(" -->"));
        let fresh = match (mark, block.first().and_then(|line| line.strip_prefix("$ "))) {
            (Some(place), _) => Some(screen(place)),
            (None, Some(command)) => {
                let mut fresh = vec![block[0].to_owned()];
                fresh.extend(printed(command, &block[1..]));
                Some(fresh)
            }
            (None, None) => None,
        };
        blocks += usize::from(fresh.is_some());
        let shown = || block.iter().map(|&line| line.to_owned()).collect();
        written.extend(fresh.unwrap_or_else(shown));
        i += block.len();
    }
    let written = written.join("\n") + "\n";
    if std::env::var_os("README").is_some_and(|what| what == "renew") {
        std::fs::write(&path, written).expect("the page is written");
    } else {
        similar_asserts(name, readme, &written);
    }
    blocks
}

/// Says which lines differ.
fn similar_asserts(name: &str, shown: &str, fresh: &str) {
    let pairs = shown.lines().zip(fresh.lines()).enumerate();
    let wrong: Vec<String> = pairs
        .filter(|(_, (a, b))| a != b)
        .map(|(i, (a, b))| format!("{name}:{}:\n- {a}\n+ {b}", i + 1))
        .take(10)
        .collect();
    assert!(
        shown == fresh,
        "{name} is out of date (README=renew cargo test --test cli readme writes it anew):\n{}",
        wrong.join("\n")
    );
}

/// A figure stands beside the command that prints it: every row of a table of figures names one, and so does every
/// paragraph about an experiment.
#[test]
fn every_measured_figure_names_its_command() {
    let page = std::fs::read_to_string(root().join("docs/src/measured.md")).expect("the page");
    let (_, speed) = page.split_once("\n## Speed\n").expect("the section");
    let (speed, _) = speed.split_once("\n## ").expect("another section");
    let rows: Vec<&str> = speed
        .lines()
        .filter(|line| line.starts_with("| "))
        .collect();
    let rows = &rows[2..];
    assert!(rows.len() > 10);
    for row in rows {
        let command = row.rsplit('|').nth(1).expect("a last column").trim();
        let known = command.strip_prefix('`').and_then(|c| c.strip_suffix('`'));
        let known = known.unwrap_or_else(|| panic!("no command: {row}"));
        assert!(
            known.starts_with("plyscope ") || is_there(known),
            "no such command: {row}"
        );
    }
}

/// Whether a bench, an example or a test of this name exists.
fn is_there(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        ["cargo", "bench", "--bench", name, ..] => {
            root().join(format!("benches/{name}.rs")).exists()
        }
        ["cargo", "run", "--release", "--example", name, ..] => {
            root().join(format!("benches/{name}.rs")).exists()
        }
        ["cargo", "test", .., "--test", name] | ["cargo", "test", "--test", name, ..] => {
            root().join(format!("tests/{name}.rs")).exists()
        }
        [script, ..] if script.starts_with("benches/") => root().join(script).exists(),
        _ => false,
    }
}
