//! Traces that students hand in: graded, and read with the rules of the position into a tree.

use std::sync::Arc;

use algorithms::Algorithm;
use report::grade::Graded;
use report::text::Style;
use search::Recorded;
use session::{Config, Session};
use studies::grade::{Assignment, Limits, Wanted, grade, ready, write_reference};
use text::sanitise;
use traced::InMemory;

use super::{Reader, scratch, told};

const WORDS: [&str; 26] = [
    "{\"kind\":\"",
    "\"}\n",
    "\n",
    "\"move\":\"a1\"",
    "\"move\":\"b2\"",
    "\"move\":\"a\"",
    "\"move\":\"a11\"",
    "\"move\":null",
    "null",
    "\"value\":",
    "-1e999",
    "1e9",
    "\"kind\":\"enter\"",
    "\"kind\":\"leave\",\"value\":1",
    "\"kind\":\"visit\",\"node\":1,\"value\":1",
    "\"kind\":\"expand\",\"node\":0,\"first\":1,\"moves\":[\"a1\"]",
    "\"node\":4294967295",
    "\"kind\":\"search\",\"root\":\"tictactoe\"",
    "\"root\":\"connect4 8x7\"",
    "\"root\":\"(;GM[1]SZ[3])\"",
    "\"fen\":\"startpos\"",
    "\"game\":\"chess\"",
    "\"order\":\"best-first\"",
    "\"view\":\"parent\"",
    "\"range\":[0,1]",
    "\\u001b",
];

#[test]
fn graded_traces() {
    let assignments: Vec<Assignment> = { ready::all().into_iter() }
        .map(|ready| ready.assignment().expect("an assignment"))
        .collect();
    let right = |assignment: &Assignment| {
        let small = Assignment {
            simulations: assignment.simulations.map(|_| 30),
            ..assignment.clone()
        };
        let root = assignment.root.as_ref().expect("a position");
        write_reference(&small, root, || false, Vec::new()).expect("a trace")
    };
    let path = scratch().join("graded.plytrace");
    std::fs::create_dir_all(scratch()).expect("a folder");
    let wanted = Wanted {
        limits: Limits {
            bytes: 1 << 20,
            ..Limits::default()
        },
        ..Wanted::default()
    };
    let config = Config {
        memory: 16 << 20,
        ..Config::new(Algorithm::DEFAULT)
    };
    let reader = Reader {
        name: "graded",
        good: assignments.iter().map(right).collect(),
        words: &WORDS,
        longest: 60_000,
    };
    let mut turn = 0;
    reader.fuzz(|input| {
        turn += 1;
        let assignment = &assignments[turn % assignments.len()];
        std::fs::write(&path, input).expect("a file");
        let came = grade(assignment, &path, &wanted);
        let kind = match &came {
            Ok(grade) => format!("{:?}", grade.first().map(|(check, _)| check)),
            Err(refusal) => refusal.to_string(),
        };
        let graded = Graded {
            file: "graded".into(),
            came,
            time: std::time::Duration::ZERO,
        };
        let shown = graded.text(Style { ascii: false });
        let mut lines = shown.lines();
        assert!(lines.all(|line| sanitise(line) == line), "{shown}");
        // The same as a column of Compare.
        let root = assignment.root.as_ref().expect("a position");
        let source = Arc::new(InMemory::new(input));
        let read = games::trace::first_of(source, root);
        kind + &told(read, |recorded: Arc<dyn Recorded>| {
            let mut session = Session::start(root.clone(), config.reading(recorded));
            session.join();
            assert!(session.fault().is_none(), "{:?}", session.fault());
            String::new()
        })
    });
}
