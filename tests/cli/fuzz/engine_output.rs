//! Possible answers of an external engine to a search.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use external::{EngineSpec, External, Patience};
use games::Document;
use report::why::why;
use search::Cores;
use session::Budget;
use tree::Tree;

use super::{Reader, root, scratch};

#[test]
fn engine_output() {
    let good = "info depth 1 seldepth 1 multipv 1 score cp 10 wdl 100 850 50 nodes 20 pv d2d4\n\
                info currmove e2e4 currmovenumber 1\n\
                info depth 2 seldepth 4 multipv 1 score mate -3 upperbound nodes 60 nps 6000 hashfull 0 tbhits 1 pv e2e4 e7e5 g1f3\n\
                info string e2e4 (322 ) N: 17 (+ 2) (P: 12.5%) (WL: 0.1) (D: 0.3) (M: 90.1) (Q: 0.1) (U: 0.2) (S: 0.3) (V: 0.1)\n\
                info string node ( 20) N: 31 (+ 0) (P: 0.0%) (Q: 0.05) (V: -)\n\
                bestmove e2e4 ponder e7e5\n";
    let folder = scratch();
    fs::create_dir_all(&folder).expect("a folder");
    let said = folder.join("said.txt");
    let command = format!(
        "sh '{}' '{}'",
        root("tests/fixtures/engines/says.sh").display(),
        said.display()
    );
    let spec = EngineSpec {
        patience: Patience {
            ready: Duration::from_secs(20),
            stop: Duration::from_secs(20),
            idle: Duration::from_secs(20),
            silent: Duration::from_secs(20),
        },
        ..EngineSpec::parse(&command).expect("a command")
    };
    let start = Document::open_file(&root("sample-positions/start.fen")).expect("a position");
    let subject = start.entry(0).expect("an entry").subject();
    let budget = Budget::Nodes(1_000_000_000);
    let cores = Arc::new(Cores::new(2));
    let reader = Reader {
        name: "engine-output",
        good: vec![good.into()],
        words: &[
            "info ",
            "depth ",
            "score cp ",
            "score mate ",
            "lowerbound",
            "wdl ",
            "pv ",
            "multipv ",
            "nodes ",
            "string ",
            "bestmove ",
            "(none)",
            "0000",
            "e2e4",
            "e7e5",
            "N: ",
            "P: ",
            "Q: ",
            "%) ",
            "currmove ",
            "readyok",
            "id name ",
            "option name ",
            "uciok",
            "copyprotection ",
        ],
        longest: 3_000,
    };
    let mut external: Option<External> = None;
    reader.fuzz(|input| {
        fs::write(&said, input).expect("a file");
        match &mut external {
            Some(program) => program.search(subject.clone(), budget),
            None => {
                external = Some(External::start(
                    spec.clone(),
                    subject.clone(),
                    budget,
                    Arc::clone(&cores),
                ));
            }
        }
        let program = external.as_ref().expect("a program");
        let is_well = program.wait(|| false);
        // Whatever it sent, its tree can be read.
        let _ = program.status();
        let reader = program.reader();
        let mut told: Vec<String> = reader
            .rows(Tree::ROOT)
            .iter()
            .map(|row| why(&reader, row))
            .collect();
        told.sort();
        let trouble = program.trouble();
        assert_eq!(is_well, trouble.is_none());
        for text in trouble
            .iter()
            .flat_map(|t| t.last_lines.iter().chain([&t.message]))
        {
            assert!(!text.chars().any(char::is_control), "{text:?}");
        }
        if !is_well {
            external = None;
        }
        trouble.map_or_else(|| told.concat(), |t| t.message)
    });
}
