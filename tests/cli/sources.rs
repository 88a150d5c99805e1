//! Sources are cited by what they are, and by nothing that is not in the repository.

use std::path::{Path, PathBuf};

/// Every text file of the repository that people read, but for this one.
fn texts() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, texts: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, texts);
            } else if path.file_name() != Some("sources.rs".as_ref())
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                texts.push((path, text));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for folder in [
        "src",
        "sample-positions",
        "tests",
        "benches",
        "themes",
        "docs",
        ".ci",
    ] {
        walk(&root.join(folder), &mut texts);
    }
    for file in ["README.md", "CHANGELOG.md", "Cargo.toml"] {
        let path = root.join(file);
        let text = std::fs::read_to_string(&path).expect("a file");
        texts.push((path, text));
    }
    assert!(texts.len() > 300, "{}", texts.len());
    texts
}

/// Lines for which `is_wrong`, with their places.
fn wrong_lines(is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in texts() {
        let lines = text.lines().enumerate().filter(|(_, line)| is_wrong(line));
        found.extend(lines.map(|(i, line)| format!("{}:{}: {line}", path.display(), i + 1)));
    }
    found
}

/// The names and paths in a line that end as pages, scripts and labelled positions do, or that climb out of a folder.
fn mentioned(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "./_-".contains(c);
    let words = line.split(move |c| !is_part(c));
    let words = words.map(|word| word.trim_end_matches(['.', '-']));
    let endings = [".md", ".py", ".tsv", ".zst"];
    words.filter(move |word| word.contains("../") || endings.iter().any(|e| word.ends_with(e)))
}

/// Who reads a page, a comment or a test finds what it names.
#[test]
fn no_text_points_out_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = texts();
    let names: Vec<_> = texts
        .iter()
        .filter_map(|(path, _)| path.file_name())
        .collect();
    let mut wrong = Vec::new();
    for (path, text) in &texts {
        // What programs said of input is no pointer.
        if path
            .extension()
            .is_some_and(|e| e == "snap" || e == "pgn" || e == "tsv")
        {
            continue;
        }
        let is_page = path.extension().is_some_and(|e| e == "md");
        for (i, line) in text.lines().enumerate() {
            // In code, a name between quotes is made by a test, and a comment names what one can read.
            let prose = is_page || line.trim_start().starts_with("//");
            for word in mentioned(line) {
                if !prose && !word.contains("../") {
                    continue;
                }
                let is_known = if word.contains("../") {
                    let from = [path.parent().expect("a folder"), root];
                    let found = from.iter().filter_map(|f| f.join(word).canonicalize().ok());
                    found.into_iter().any(|p| p.starts_with(root))
                } else {
                    let name = Path::new(word).file_name();
                    // Examples of a reader's own file.
                    let is_example = ["my", "labels.", "LABELS", "TRAIN.", "TEST."]
                        .iter()
                        .any(|own| word.starts_with(own));
                    word.starts_with('.') || is_example || name.is_some_and(|n| names.contains(&n))
                };
                if !is_known {
                    wrong.push(format!("{}:{}: {line}", path.display(), i + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_source_is_a_number() {
    let numbered = |line: &str| {
        let lower = line.to_lowercase();
        (1..=5).any(|n| {
            let seed = format!("seed {n}");
            // The seed of random numbers is written `seed 1`, too.
            let cited = [
                format!("source: {seed}"),
                format!("({seed}:"),
                format!("({seed} ("),
                format!("; {seed}"),
                format!("{seed}'s"),
                format!("{seed} asks"),
            ];
            cited.iter().any(|c| lower.contains(c))
                || line
                    .trim()
                    .trim_start_matches(['/', '!', ' '])
                    .starts_with(&format!("Seed {n}:"))
                || n > 2 && lower.contains(&seed)
                || lower.contains(&format!("({seed})")) && !lower.contains("random")
        })
    };
    let wrong = wrong_lines(numbered);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The title of Baum's paper, which the post lists; the post has none of its own.
#[test]
fn the_post_is_not_called_by_the_title_of_a_paper() {
    let title = ["optimal game tree", "propagation for imperfect players"].join(" ");
    let wrong = wrong_lines(|line| {
        let lower = line.to_lowercase();
        lower.contains(&title) && !line.contains("Baum")
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One name for each of the five, wherever one of them is named as a source.
#[test]
fn each_of_the_five_has_one_name() {
    let others = [
        "overview of distress",
        "futility margin post",
        "(essay)",
        "(post)",
        "(mail)",
        "essay, 2026",
        "certainty-propagation issue;",
    ];
    let wrong = wrong_lines(|line| {
        let lower = line.to_lowercase();
        others.iter().any(|other| lower.contains(other))
    });
    // The bibliography has their titles.
    let wrong: Vec<String> = wrong
        .into_iter()
        .filter(|line| !line.contains("docs/src/sources.md"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let named = |name: &str| !wrong_lines(|line| line.contains(name)).is_empty();
    for name in [
        "the DISTRESS essay",
        "the point-differential mail",
        "the post on imperfect players",
        "the certainty-propagation issue of lc0",
        "the futility-margin post",
    ] {
        assert!(named(name), "{name}");
    }
}
