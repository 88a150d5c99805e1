//! The README and the book show what the program really prints and draws. `README=renew cargo test --test cli readme`
//! updates them.
//!
//! - A block that begins with `$ plyscope …` is run. If its last line is `…`, the output is cut there.
//! - A block after `<!-- screen NAME FROM-TO -->` shows these rows of the snapshot NAME; a second FROM-TO chooses
//!   columns.
//! - The file in `<!-- picture NAME FILE -->` is an SVG of the snapshot NAME.

use crate::{cli_support, styled};

use std::path::{Path, PathBuf};

use cli_support::plyscope;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Splits a command line into words; quotation marks keep a word together.
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

/// Returns the output to show below a command, cut where the present block is cut.
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

/// Returns a snapshot without its front matter.
fn snapshot(name: &str) -> String {
    let path = root().join(format!("tests/tui/snapshots/{name}.snap"));
    let text = std::fs::read_to_string(&path).expect("a snapshot");
    let (_, content) = text.split_once("\n---\n").expect("front matter");
    content.to_owned()
}

/// Returns the given rows of a snapshot, and the given columns of them, counted from 1.
fn screen(place: &str) -> Vec<String> {
    let range = |text: &str| {
        let (from, to) = text.split_once('-').expect("from-to");
        let number = |text: &str| text.parse::<usize>().expect("a number");
        number(from) - 1..number(to)
    };
    let parts: Vec<&str> = place.split(' ').collect();
    let rows = range(parts[1]);
    let columns = parts.get(2).map_or(0..usize::MAX, |text| range(text));
    let screen = snapshot(parts[0]);
    let cut = |line: &str| {
        let cells = line.chars().skip(columns.start).take(columns.len());
        cells.collect::<String>().trim_end().to_owned()
    };
    let lines = screen.lines().skip(rows.start).take(rows.len());
    lines.map(cut).collect()
}

/// Returns the README, the book's pages and the guide to lessons, with their paths from the root.
fn pages() -> Vec<(String, String)> {
    let book = book().into_iter().map(|name| format!("{BOOK}/{name}"));
    let others = [
        "README.md",
        "CHANGELOG.md",
        "sample-positions/lessons/README.md",
    ];
    let names = others.map(str::to_owned).into_iter().chain(book);
    let read = |name: String| {
        let text = std::fs::read_to_string(root().join(&name)).expect("a page");
        (name, text)
    };
    names.map(read).collect()
}

/// The folder of the book's pages.
const BOOK: &str = "docs/src";

/// Returns the names of the book's pages, in order.
fn book() -> Vec<String> {
    let files = std::fs::read_dir(root().join(BOOK)).expect("the book");
    let names = files
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.sort();
    names
}

/// Whether to update the pages instead of checking them.
fn renews() -> bool {
    std::env::var_os("README").is_some_and(|what| what == "renew")
}

#[test]
fn pages_show_what_the_program_shows() {
    let blocks: usize = pages().iter().map(|(name, text)| check(name, text)).sum();
    assert!(blocks >= 5, "only {blocks} blocks are checked");
}

#[test]
fn pictures_are_of_the_screen() {
    let mut pictures = 0;
    for (page, text) in pages() {
        let marks = text
            .lines()
            .filter_map(|line| line.strip_prefix("<!-- picture ")?.strip_suffix(" -->"));
        for (name, file) in marks.map(|mark| mark.split_once(' ').expect("a snapshot and a file")) {
            let path = root().join(&page).with_file_name(file);
            let fresh = screen::picture::svg(&styled::read(&snapshot(name)));
            if renews() {
                std::fs::create_dir_all(path.parent().expect("a folder"))
                    .expect("the folder is made");
                std::fs::write(&path, fresh).expect("the picture is written");
            } else {
                let shown = std::fs::read_to_string(&path).unwrap_or_default();
                assert!(
                    shown == fresh,
                    "{file} is out of date (README=renew cargo test --test cli readme updates it)"
                );
            }
            assert!(
                text.contains(&format!("]({file})")),
                "{page} does not show {file}"
            );
            pictures += 1;
        }
    }
    assert!(pictures > 1);
}

/// The README is an introduction; everything else belongs in the book.
#[test]
fn readme_is_short() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README");
    assert!(readme.lines().count() <= 250);
}

/// A link leads to a file of the repository, or to a heading in it. Pages of the book only link to each other, so that
/// they also work as a web site.
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
            assert!(
                !name.starts_with(BOOK) || !link.starts_with(".."),
                "{name}: {link} leads out of the book"
            );
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
    assert!(links > 100, "{links}");
}

/// Every page of the book is in its table of contents, once.
#[test]
fn the_table_of_contents_is_complete() {
    let summary =
        std::fs::read_to_string(root().join(BOOK).join("SUMMARY.md")).expect("SUMMARY.md");
    for page in book().iter().filter(|page| *page != "SUMMARY.md") {
        let times = summary.matches(&format!("]({page})")).count();
        assert_eq!(times, 1, "{page}");
    }
}

/// Compares a page's blocks with what the program shows, or updates them. Returns how many there are.
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
    if renews() {
        std::fs::write(&path, written).expect("the page is written");
    } else {
        similar_asserts(name, readme, &written);
    }
    blocks
}

/// Reports the lines that differ.
fn similar_asserts(name: &str, shown: &str, fresh: &str) {
    let pairs = shown.lines().zip(fresh.lines()).enumerate();
    let wrong: Vec<String> = pairs
        .filter(|(_, (a, b))| a != b)
        .map(|(i, (a, b))| format!("{name}:{}:\n- {a}\n+ {b}", i + 1))
        .take(10)
        .collect();
    assert!(
        shown == fresh,
        "{name} is out of date (README=renew cargo test --test cli readme updates it):\n{}",
        wrong.join("\n")
    );
}

/// Every row of the table of speeds names the command that measures it.
#[test]
fn every_measured_figure_names_its_command() {
    let page = std::fs::read_to_string(root().join("docs/src/speed.md")).expect("the page");
    let (_, speed) = page.split_once("\n## Goals\n").expect("the section");
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
    // What a variable says to it may come first.
    let words = command.split_whitespace();
    let words: Vec<&str> = words.skip_while(|word| word.contains('=')).collect();
    match words.as_slice() {
        ["cargo", "bench", "--bench", name, ..] => {
            root().join(format!("benches/{name}.rs")).exists()
        }
        [
            "cargo",
            "run",
            "--release",
            "--features",
            "examples",
            "--example",
            name,
            ..,
        ] => root().join(format!("benches/{name}.rs")).exists(),
        ["cargo", "test", .., "--test", name] | ["cargo", "test", "--test", name, ..] => {
            root().join(format!("tests/{name}.rs")).exists()
        }
        [script, ..] if script.starts_with("benches/") => root().join(script).exists(),
        _ => false,
    }
}
