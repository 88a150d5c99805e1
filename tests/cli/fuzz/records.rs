//! Files that plyscope writes and reads again: records of the suite and the differential, progress in the lessons.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use game::load::LoadError;
use game::{ChessPosition, Situation};
use lab::differential::{Results, cells};
use report::lesson::progress::{CollectedJson, ReportJson, collected};
use report::text::Style;
use session::Subject;
use studies::course::Course;
use studies::review;
use studies::suite::{Header, Record};
use tui::tabs::learn::progress::Progress;

use super::{Reader, scratch, told};
use crate::cli_support::{file, plyscope};

const JSON_WORDS: [&str; 18] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"\":",
    "null",
    "true",
    "-1",
    "1e400",
    "18446744073709551616",
    "\\u0000",
    "\\ud800",
    "\n",
    "\"version\":2",
    "\"positions\"",
    "{\"a\":{}}",
];

fn scratch_file(name: &str) -> PathBuf {
    let folder = scratch();
    fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

/// Opens a record that was just closed. A program that another test starts at that moment has the lock, too, until it runs.
fn open_again<T>(open: impl Fn() -> Result<T, LoadError>) -> T {
    let begin = Instant::now();
    loop {
        match open() {
            Err(_) if begin.elapsed() < Duration::from_secs(10) => {
                std::thread::sleep(Duration::from_millis(1));
            }
            opened => return opened.expect("the same record"),
        }
    }
}

#[test]
fn suite_records() {
    let path = scratch_file("suite.jsonl");
    let _ = fs::remove_file(&path);
    let suite = file(
        "fuzz.epd",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8; id \"a\";\n7k/8/8/8/8/8/8/K5R1 w - - am Ka2; id \"b\";\n",
    );
    let path_text = path.to_string_lossy();
    plyscope(&[
        "suite",
        &suite,
        "-a",
        "alpha-beta",
        "-a",
        "mcts",
        "--nodes",
        "300",
        "--resume",
        &path_text,
    ])
    .clean();
    let good = fs::read(&path).expect("a record");
    let first = good.split(|&b| b == b'\n').next().expect("its header");
    let header: Header = serde_json::from_slice(first).expect("a header");
    let reader = Reader {
        name: "suite-records",
        good: vec![good],
        words: &JSON_WORDS,
        longest: 4_000,
    };
    reader.fuzz(|input| {
        fs::write(&path, input).expect("a file");
        let read = Record::open(&path, &header).map(|(_, answers)| answers);
        told(read, |answers| {
            // What was read is still there: reading again gives the same.
            let (_, again) = open_again(|| Record::open(&path, &header));
            assert_eq!(again, answers);
            String::from("a record")
        })
    });
}

#[test]
fn review_records() {
    let path = scratch_file("review.jsonl");
    let _ = fs::remove_file(&path);
    let game = file("fuzz.pgn", "1. e4 e5 2. Qh5 Ke7 3. Qxe5# *\n");
    let path_text = path.to_string_lossy();
    let arguments = ["review", &game, "-a", "alpha-beta", "-a", "mcts"];
    plyscope(&[&arguments[..], &["--nodes", "100", "--resume", &path_text]].concat()).clean();
    let good = fs::read(&path).expect("a record");
    let first = good.split(|&b| b == b'\n').next().expect("its header");
    let header: review::Header = serde_json::from_slice(first).expect("a header");
    let subject = Subject::from(Situation::new(ChessPosition::default()));
    let reader = Reader {
        name: "review-records",
        good: vec![good],
        words: &JSON_WORDS,
        longest: 6_000,
    };
    reader.fuzz(|input| {
        fs::write(&path, input).expect("a file");
        let read = review::Record::open(&path, &header).map(|(_, saved)| saved);
        told(read, |saved| {
            // What belongs to another position is not taken.
            for found in saved.iter().filter_map(|saved| saved.found(&subject)) {
                let legal = found
                    .best
                    .is_none_or(|best| subject.play_text(&best.uci).is_ok());
                assert!(legal);
            }
            let (_, again) = open_again(|| review::Record::open(&path, &header));
            assert_eq!(again, saved);
            String::from("a record")
        })
    });
}

#[test]
fn differential_results() {
    let path = scratch_file("differential.json");
    let _ = fs::remove_file(&path);
    let text = path.to_string_lossy();
    plyscope(&[
        "lab",
        "differential",
        "--cells",
        "4x4",
        "--games",
        "2",
        "--playouts",
        "20",
        "--plies",
        "10",
        "--resume",
        &text,
        "--no-progress",
    ])
    .clean();
    let good = fs::read(&path).expect("results");
    let reader = Reader {
        name: "differential-results",
        good: vec![good],
        words: &JSON_WORDS,
        longest: 4_000,
    };
    reader.fuzz(|input| {
        fs::write(&path, input).expect("a file");
        told(Results::open(&path), |results| {
            let results = results.expect("there is a file");
            for cell in cells() {
                let tally = results.tally(cell);
                assert!(
                    tally
                        .score()
                        .is_none_or(|score| (0.0..=1.0).contains(&score))
                );
            }
            String::from("results")
        })
    });
}

#[test]
fn lesson_reports() {
    let good = br#"{"version":1,"kind":"plyscope-lessons","student":"Ada","course":null,"made":"2026-11-25T11:25:09Z","lessons":[{"name":"01.md","title":"One","done":true,"steps":[{"heading":"A","reached":true,"question":{"ask":"2 + 2?","tries":[{"answer":"4","right":true,"hinted":false,"at":"2026-11-25T11:25:09Z"}]}}]}]}"#;
    let reader = Reader {
        name: "lesson-reports",
        good: vec![good.to_vec()],
        words: &JSON_WORDS,
        longest: 4_000,
    };
    reader.fuzz(|input| {
        let text = String::from_utf8_lossy(input);
        told(ReportJson::read(&text), |report| {
            let written = serde_json::to_string(&report).expect("text");
            assert_eq!(ReportJson::read(&written).as_ref(), Ok(&report));
            let rows = CollectedJson::of(&report, "a file");
            let table = collected(&rows, &[report]).text(Style::default());
            assert!(!table.chars().any(|c| c.is_control() && c != '\n'));
            format!("{} rows", rows.len())
        })
    });
}

#[test]
fn courses() {
    let folder = scratch().join("course");
    fs::create_dir_all(folder.join("sub")).expect("a folder");
    fs::write(folder.join("own.md"), "no lesson").expect("a file");
    let good = b"title = \"T\"\nauthor = \"A\"\nlessons = [\"01-minimax\", \"own.md\", \"../README.md\"]\n[[assignments]]\ntitle = \"B\"\nfile = \"own.md\"\n";
    let reader = Reader {
        name: "courses",
        good: vec![good.to_vec()],
        words: &[
            "title",
            "lessons",
            "author",
            "glossary",
            "[[assignments]]",
            "file",
            "=",
            "[",
            "]",
            "\"\"",
            "\"..\"",
            "\"/\"",
            "\"sub\"",
            "\"./own.md\"",
            "\"course.toml\"",
            "\"02-alpha-beta\"",
            ",",
            "\n",
        ],
        longest: 1_000,
    };
    reader.fuzz(|input| {
        fs::write(folder.join("course.toml"), input).expect("a file");
        told(Course::open(&folder), |course| {
            for path in course
                .lessons
                .iter()
                .filter_map(|listed| listed.path.as_ref())
            {
                let real = path.canonicalize().expect("a file that was read");
                assert!(real.starts_with(folder.canonicalize().expect("the folder")));
            }
            format!("{} faults", course.faults().count())
        })
    });
}

#[test]
fn lesson_progress() {
    let folder = scratch().join("state");
    fs::create_dir_all(&folder).expect("a folder");
    let good = br#"{"version":1,"lessons":{"01.md":{"step":3,"done":true,"asked":4,"right":3,"given":{"2":{"ask":"2 + 2?","tries":[{"answer":"4","right":true,"hinted":true,"at":1795605909}]}}}},"quiz":{"step":0,"done":false,"asked":9,"right":5}}"#;
    let reader = Reader {
        name: "lesson-progress",
        good: vec![good.to_vec()],
        words: &JSON_WORDS,
        longest: 2_000,
    };
    reader.fuzz(|input| {
        fs::write(folder.join("learn.json"), input).expect("a file");
        let (mut progress, fault) = Progress::open(Some(folder.clone()));
        // A file that cannot be read is left unchanged; another one is continued.
        progress.note_quiz(true).expect("noted");
        let now = fs::read(folder.join("learn.json")).expect("a file");
        assert_eq!(now == input, fault.is_some(), "{fault:?}");
        fault.unwrap_or_default()
    });
}
