//! Sources are cited by author or title, and no text points to a file that is not in the repository.

use std::path::{Path, PathBuf};

/// Returns every text file of the repository that people read, except this one.
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

/// Returns the lines for which `is_wrong`, with their places.
fn wrong_lines(is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in texts() {
        let lines = text.lines().enumerate().filter(|(_, line)| is_wrong(line));
        found.extend(lines.map(|(i, line)| format!("{}:{}: {line}", path.display(), i + 1)));
    }
    found
}

/// Returns the names and paths in a line that have the extension of a page, a script or labelled positions, or that
/// lead out of a folder.
fn mentioned(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "./_-".contains(c);
    let words = line.split(move |c| !is_part(c));
    let words = words.map(|word| word.trim_end_matches(['.', '-']));
    let endings = [".md", ".py", ".tsv", ".zst"];
    words.filter(move |word| word.contains("../") || endings.iter().any(|e| word.ends_with(e)))
}

/// Every file that a page, a comment or a test names exists.
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
        // Program output may contain any name.
        if path
            .extension()
            .is_some_and(|e| e == "snap" || e == "pgn" || e == "tsv")
        {
            continue;
        }
        let is_page = path.extension().is_some_and(|e| e == "md");
        for (i, line) in text.lines().enumerate() {
            // In code only comments count: a quoted name is usually a file that a test creates.
            let prose = is_page || line.trim_start().starts_with("//");
            for word in mentioned(line) {
                // Three dots leave something out.
                let leads_up = word.replace("...", "").contains("../");
                if !prose && !leads_up {
                    continue;
                }
                let is_known = if leads_up {
                    // From the file, from its crate, or from the repository.
                    let word = word.trim_start_matches("CARGO_MANIFEST_DIR");
                    let word = word.trim_start_matches('/');
                    let mut from = path.ancestors().skip(1).take_while(|f| f.starts_with(root));
                    from.any(|folder| {
                        let found = folder.join(word).canonicalize();
                        found.is_ok_and(|found| found.starts_with(root))
                    })
                } else {
                    let name = Path::new(word).file_name();
                    // Examples of the reader's own files.
                    let is_example = word.starts_with("my") || word.starts_with("labels.");
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
        lower.contains("seed")
            && (1..=5).any(|n| {
                let seed = format!("seed {n}");
                // `seed 1` may also be the seed of random numbers.
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

/// The title of Baum's paper must not be used for the post that lists it, *Probabilistic Alpha-Beta Search*.
#[test]
fn the_post_is_not_called_by_the_title_of_a_paper() {
    let title = ["optimal game tree", "propagation for imperfect players"].join(" ");
    let wrong = wrong_lines(|line| {
        let lower = line.to_lowercase();
        lower.contains(&title) && !line.contains("Baum")
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Essays, posts, mails and issues are cited like papers, by author or title and by year. Only the docs, which define
/// them, use short names for them.
#[test]
fn each_source_is_cited_by_its_author_or_title() {
    let nicknames = [
        "futility margin post",
        "futility-margin post",
        "imperfect-players post",
        "post on imperfect players",
        "certainty-propagation issue of",
        "point-differential mail",
        "certainty-propagation issue;",
        "(essay)",
        "(post)",
        "(mail)",
        "essay, 2026",
    ];
    let wrong = wrong_lines(|line| {
        let lower = line.to_lowercase();
        nicknames.iter().any(|name| lower.contains(name))
    });
    let root = env!("CARGO_MANIFEST_DIR");
    let docs = ["docs", "README.md", "CHANGELOG.md"].map(|name| format!("{root}/{name}"));
    let in_code = |line: &&String| !docs.iter().any(|page| line.starts_with(page));
    let wrong: Vec<_> = wrong.iter().filter(in_code).cloned().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for name in [
        "the DISTRESS essay",
        "MCTS and Point Differential",
        "Probabilistic Alpha-Beta Search",
        "Porting certainty propagation to new codebase",
        "Futility marginがdepthの線形でいい理由",
    ] {
        let cited = wrong_lines(|line| line.contains(name));
        assert!(!cited.is_empty(), "{name}");
    }
}
