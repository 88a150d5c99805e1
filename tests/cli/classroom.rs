//! Courses and reports of `plyscope lessons`: courses use nothing outside their folder; reports have every answer, and are
//! collected.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::cli_support::{Run, file, folder, plyscope, with_state};
use crate::lessons::OWN;

/// Makes a course with this `course.toml`, a lesson of its own and a glossary.
fn course(name: &str, toml: &str) -> PathBuf {
    let folder = folder(name);
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("a file");
    write("course.toml", toml);
    write("own.md", &OWN.replace("[[window]]", "[[mate net]]"));
    write(
        "task.toml",
        "algorithm = \"minimax\"\nposition = \"tictactoe\"\n",
    );
    write(
        "glossary.md",
        "---\ntitle: G\n---\n## mate net\nsource: us\nA king without a square to go to.\n",
    );
    folder
}

const COURSE: &str = "title = \"Ours\"
author = \"A. Teacher\"
glossary = \"glossary.md\"
lessons = [
    \"02-alpha-beta\",
    \"own.md\",
]

[[assignments]]
title = \"A task\"
file = \"task.toml\"
";

fn of_course(folder: &Path, more: &[&str]) -> Run {
    let folder = folder.to_string_lossy();
    plyscope(&[&["lessons", "--course", &folder], more].concat())
}

#[test]
fn a_course_is_listed_checked_and_printed() {
    let folder = course("course-good", COURSE);
    let listed = of_course(&folder, &[]).clean().out;
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines[0], "Ours, by A. Teacher");
    assert!(lines[2].starts_with(" 1  Alpha-beta"), "{listed}");
    assert!(lines[3].starts_with(" 2  A mate"), "{listed}");
    assert!(listed.contains("A task") && listed.contains("plyscope grade --assignment "));
    let json: Value =
        serde_json::from_str(&of_course(&folder, &["--json"]).clean().out).expect("JSON");
    assert_eq!(
        json["lessons"][1]["title"],
        "A mate & a \"test\" <of escapes>"
    );
    assert_eq!(json["assignments"][0]["name"], "task.toml");
    let checked = of_course(&folder, &["--check"]).clean().out;
    assert_eq!(checked.lines().count(), 2, "{checked}");
    std::fs::write(folder.join("task.toml"), "algorithm = \"minmax\"").expect("written");
    let run = of_course(&folder, &["--check"]);
    run.refused(1);
    assert!(
        run.err.contains("task.toml:1: found \"minmax\""),
        "{}",
        run.err
    );
    // Its own term is known in the course alone.
    let page = of_course(&folder, &["2", "--handout"]).clean().out;
    assert!(page.contains("A king without a square to go to."), "{page}");
    let own = folder.join("own.md").to_string_lossy().into_owned();
    plyscope(&["lessons", &own, "--check"]).refused(1);
    // By its name, too; the workbench refuses a course that it cannot read, before it needs a terminal.
    of_course(&folder, &["own", "--print"]).clean();
    plyscope(&["--course", &folder.join("none").to_string_lossy()]).refused(1);
}

/// What is wrong in a course is named with its place.
#[test]
fn a_faulty_course_is_refused_with_its_place() {
    let head = "title = \"T\"\n";
    for (toml, told) in [
        ("", "course.toml:1:1: missing field"),
        (
            "title = 3\nlessons = [\"own.md\"]",
            "course.toml:1:9: invalid type",
        ),
        (
            "title = \"\"\nlessons = [\"own.md\"]",
            ":1:9: found nothing, expected the course's title",
        ),
        (
            "title = \"T\"\nlessons = []",
            ":2:11: found no lessons, expected at least one",
        ),
        (
            "title = \"T\"\nlesons = [\"own.md\"]",
            ":2:1: unknown field `lesons`, expected",
        ),
        ("title = \"T\"\nlessons = [\"own.md\"", ":2:20: "),
        (
            "title = \"T\"\nglossary = \"no.md\"\nlessons = [\"own.md\"]",
            ":2:12: found \"no.md\" (no such file)",
        ),
    ] {
        let run = of_course(&course("course-bad", toml), &[]);
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{toml}");
        assert!(run.err.contains(told), "{toml}: {}", run.err);
        run.harmless();
    }
    for (lessons, told) in [
        ("\"none.md\"", ":2:22: found \"none.md\" (no such file)"),
        ("\"own.md\"", "found \"own.md\" a second time"),
        ("\"./own.md\"", "out of the folder"),
        ("\"../README.md\"", "out of the folder"),
        ("\"./../README.md\"", "out of the folder"),
        ("\"/etc/hosts.md\"", "out of the folder"),
        ("\"\"", "found \"\""),
        ("\"02-alphabeta\"", "such as 02-alpha-beta"),
        ("\"course.md\"", "it is a folder, not a file"),
        ("\"large.md\"", "a file of more than 4 MiB"),
        ("\"glossary.md\"", "glossary.md:"),
    ] {
        let toml = format!("{head}lessons = [\"own.md\", {lessons}]\n");
        let folder = course("course-faulty", &toml);
        std::fs::create_dir(folder.join("course.md")).expect("a folder");
        std::fs::write(folder.join("large.md"), vec![b'x'; (4 << 20) + 1]).expect("a file");
        let run = of_course(&folder, &[]);
        assert_eq!(run.status, 1, "{lessons}");
        // The other lesson can be used.
        assert!(run.out.contains(" 1  A mate"), "{}", run.out);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        assert!(run.err.contains(told), "{lessons}: {}", run.err);
    }
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_a_course() {
    use std::os::unix::fs::symlink;

    let toml = "title = \"T\"\nlessons = [\"own.md\", \"away.md\", \"there/own.md\", \"round.md\", \"near.md\"]\n";
    let away = course("course-away", COURSE);
    let folder = course("course-links", toml);
    symlink(away.join("own.md"), folder.join("away.md")).expect("a link");
    symlink(&away, folder.join("there")).expect("a link");
    symlink(folder.join("round.md"), folder.join("round.md")).expect("a link");
    symlink(folder.join("own.md"), folder.join("near.md")).expect("a link");
    let run = of_course(&folder, &[]);
    let told: Vec<&str> = run.err.lines().collect();
    assert_eq!(told.len(), 4, "{}", run.err);
    assert!(
        told[0].contains("\"away.md\" (a link that leads out"),
        "{}",
        told[0]
    );
    assert!(
        told[1].contains("\"there/own.md\" (a link that leads out"),
        "{}",
        told[1]
    );
    assert!(told[2].contains("\"round.md\""), "{}", told[2]);
    // A link within the folder is another name of the same lesson.
    assert!(told[3].contains("\"near.md\" a second time"), "{}", told[3]);
    // The folder itself may be reached by a link.
    let linked = away.with_file_name("course-by-link");
    let _ = std::fs::remove_file(&linked);
    symlink(&away, &linked).expect("a link");
    of_course(&linked, &["--check"]).clean();
}

/// Runs plyscope for somebody who has answered two questions of lesson 1: the first at the second try.
pub fn with_progress(arguments: &[&str]) -> Run {
    // Several tests have one at the same time.
    static STATES: AtomicUsize = AtomicUsize::new(0);
    let number = STATES.fetch_add(1, Ordering::Relaxed);
    let state = folder(&format!("lessons-state-{}-{number}", std::process::id()));
    std::fs::create_dir_all(state.join("plyscope")).expect("a folder");
    let given = r#"{"version":1,"lessons":{"01-minimax.md":{"step":3,"done":false,"asked":2,"right":1,"answers":{"1":false,"2":true},
        "given":{"1":{"ask":"Which node?","tries":[{"answer":"B","right":false,"at":1795605909},{"answer":"A a2","right":true,"hinted":true,"at":1795605919}]},
        "2":{"ask":"What is A worth?","tries":[{"answer":"3","right":true,"at":1795605999}]}}}},"quiz":{"step":0,"done":false,"asked":0,"right":0}}"#;
    std::fs::write(state.join("plyscope/learn.json"), given).expect("a file");
    let run = with_state(&state, arguments);
    std::fs::remove_dir_all(state).expect("removed");
    run
}

#[test]
fn a_report_has_every_answer_and_asks_for_the_name() {
    let text = with_progress(&["lessons", "1", "2", "--report", "--name", " Ada "])
        .clean()
        .out;
    assert!(text.starts_with("Ada · 20"), "{text}");
    for part in [
        "4/",
        "2/",
        "Which node?",
        "wrong",
        "hint",
        "2026-11-25T11:26:39Z",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let csv = with_progress(&["lessons", "--report", "--csv", "--name", "=Ada()"])
        .clean()
        .out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 4, "a heading and three answers: {csv}");
    assert!(
        lines[1].starts_with("'=Ada(),,01-minimax.md,2,Which node?,1,B,no,no,2026-11-25T11:25:09Z"),
        "{csv}"
    );
    assert!(lines[2].contains(",2,A a2,yes,yes,"), "{csv}");
    // Nobody is asked where nobody can answer, and no name is made up.
    let nobody = with_progress(&["lessons", "--report"]);
    nobody.refused(2);
    with_progress(&["lessons", "--report", "--name", "  "]).refused(2);
    with_progress(&["lessons", "--csv"]).refused(2);
    assert_eq!(with_progress(&["lessons", "--name", "Ada"]).status, 2);
    // Progress that cannot be read is not reported as none.
    let state = folder("lessons-broken-state");
    std::fs::create_dir_all(state.join("plyscope")).expect("a folder");
    std::fs::write(state.join("plyscope/learn.json"), "{").expect("a file");
    let broken = with_state(&state, &["lessons", "--report", "--name", "Ada"]);
    assert_eq!(broken.status, 1);
    assert!(broken.err.contains("learn.json"), "{}", broken.err);
}

#[test]
fn reports_are_collected_and_damaged_ones_named() {
    let folder = folder("lessons-collected");
    let at = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let write = |name: &str, student: &str| {
        let to = at(name);
        let run = with_progress(&["lessons", "-q", "--report", &to, "--name", student]);
        run.clean();
        to
    };
    let files = [write("b.json", "Bob"), write("a.json", "ada")];
    let text = std::fs::read_to_string(&files[0]).expect("a report");
    let none = file("none.json", text.replace("plyscope-lessons", "something"));
    let later = file(
        "later.json",
        text.replace("\"version\": 1", "\"version\": 2"),
    );
    let half = file("half.json", &text[..text.len() / 2]);
    let gone = at("gone.json");
    let mut all = vec![
        "lessons",
        "--collect",
        &files[0],
        &none,
        &later,
        &half,
        &gone,
        &files[1],
    ];
    let run = plyscope(&all);
    assert_eq!(run.status, 1);
    let told: Vec<&str> = run.err.lines().collect();
    assert_eq!(told.len(), 4, "{}", run.err);
    assert!(
        told[0].contains("none.json: found \"something\", expected a report"),
        "{}",
        told[0]
    );
    assert!(
        told[1].contains("later.json: found version 2, expected version 1"),
        "{}",
        told[1]
    );
    assert!(
        told[2].contains("half.json:") && told[2].contains("expected a report"),
        "{}",
        told[2]
    );
    assert!(told[3].contains("gone.json: cannot be read"), "{}", told[3]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(
        lines[1].starts_with("ada ") && lines[2].starts_with("Bob "),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("Which node?"),
        "hard for both: {}",
        run.out
    );
    assert!(!run.out.contains("What is A worth?"), "easy: {}", run.out);
    // A student whose report comes twice counts once.
    let hard = |files: &[&String]| {
        let mut all = vec!["lessons", "--collect"];
        all.extend(files.iter().map(|file| file.as_str()));
        let out = plyscope(&all).clean().out;
        let at = out.find("Questions that fewer").expect("hard questions");
        out[at..].to_owned()
    };
    let [bob, ada] = [&files[0], &files[1]];
    assert_eq!(hard(&[bob, ada, bob]), hard(&[bob, ada]));
    all.push("--csv");
    let csv = plyscope(&all).out;
    assert!(
        csv.lines()
            .nth(1)
            .is_some_and(|line| line.starts_with("ada,,01-minimax.md,")),
        "{csv}"
    );
    assert!(
        csv.contains(",4,14,no,2,10,2,1,2026-11-25T11:26:39Z,"),
        "{csv}"
    );
    // By the end of its name a file is another form, which is not collected.
    let csv = write("c.csv", "Cyd");
    assert!(std::fs::read_to_string(&csv).is_ok_and(|text| text.starts_with("student,course")));
    plyscope(&["lessons", "--collect", &csv]).refused(1);
}
