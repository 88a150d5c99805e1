//! An engine that sends a trace of its search, as a column of Compare.

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use common::chess;
use external::{EngineSpec, Tracing};
use report::difference::sentence;
use session::{Budget, Config, State, Subject};
use studies::compare::{ColumnSpec, Comparison, Face, KindSet, TraceNews, differences};
use tree::Tree;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The toy engine; `None` if there is no Python.
fn toy() -> Option<EngineSpec> {
    let words = super::toys::python("toy_uci.py", &[])?;
    Some(EngineSpec {
        name: "toy".to_owned(),
        trace: Some(Tracing::default()),
        ..EngineSpec::of_words(words).expect("a program")
    })
}

fn own() -> ColumnSpec {
    ColumnSpec::Own(Config {
        memory: 64 << 20,
        table: 1 << 20,
        ..Config::new(Algorithm::AlphaBeta)
    })
}

fn comparison(engine: EngineSpec, paused: bool) -> Comparison {
    let columns = vec![own(), ColumnSpec::External(engine)];
    let subject = Subject::from(chess(START));
    Comparison::start(subject, columns, Budget::Depth(4), 1, paused)
}

fn face(comparison: &Comparison) -> Face<'_> {
    comparison.faces(None)[1].expect("a column")
}

#[test]
fn its_tree_is_compared() {
    let Some(engine) = toy() else { return };
    let mut comparison = comparison(engine, false);
    for _ in 0..2 {
        assert_eq!(comparison.wait(|| false), []);
        let column = face(&comparison);
        assert!(matches!(column, Face::Traced(..)) && column.trouble().is_none());
        assert!(matches!(column.status().state, State::Finished(_)));
        // What UCI alone would not tell: all its moves, below them their replies, and why one was not searched.
        assert_eq!(column.status().totals.nodes, 8);
        let merged = comparison.merged(None);
        let rows = merged.rows(&[]);
        let toy = |san: &str| {
            let row = rows.iter().find(|row| row.name.san == san).expect("a row");
            row.cells[1].clone().expect("a cell")
        };
        assert_eq!(toy("h4").view.fate.name(), "futility");
        assert!(toy("e4").is_best && !toy("a4").is_best);
        let e4 = rows
            .iter()
            .find(|row| row.name.san == "e4")
            .map(|row| row.name.code);
        let replies = merged.rows(&[e4.expect("a move")]);
        let c5 = replies
            .iter()
            .find(|row| row.name.san == "c5")
            .expect("a row");
        assert!(
            c5.cells
                .iter()
                .all(|cell| cell.as_ref().is_some_and(|cell| cell.is_visited()))
        );
        let names = ["own", "toy"].map(str::to_owned);
        let listed = differences(&merged, KindSet::ALL, 10, 2_000).listed;
        let said: Vec<String> = { listed.iter() }
            .map(|l| sentence(&merged, &l.path, &l.found, &names))
            .collect();
        assert!(said.iter().any(|what| what.contains("toy")), "{said:?}");
        // It is given the next position like any engine, and its next trace is read.
        comparison.next_position(Subject::from(chess(START)));
    }
}

#[test]
fn it_is_paused_stepped_through_and_lent() {
    let Some(engine) = toy() else { return };
    let mut comparison = comparison(engine, true);
    assert!(comparison.tend().is_empty());
    comparison.resume(0);
    comparison.resume(1);
    let late = Instant::now() + Duration::from_secs(60);
    while comparison.tend() != [(1, TraceNews::Tree)] {
        assert!(Instant::now() < late);
        std::thread::sleep(Duration::from_millis(2));
    }
    comparison.wait(|| false);
    let mut session = comparison.lend(1).expect("a session");
    assert!(comparison.faces(None)[1].is_none());
    session.go_to(3);
    while session
        .standing()
        .is_none_or(|standing| standing.number != 3)
    {
        session.tend();
        assert!(Instant::now() < late);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(matches!(
        comparison.faces(Some(&session))[1],
        Some(Face::Traced(..))
    ));
    comparison.give_back(1, session);
    assert!(face(&comparison).session().is_some());
}

#[test]
fn one_without_a_trace_is_shown_by_what_it_tells() {
    let engine = EngineSpec {
        trace: Some(Tracing::default()),
        ..EngineSpec::parse(&format!("{} uci", env!("CARGO_BIN_EXE_plyscope"))).expect("a program")
    };
    let mut comparison = comparison(engine, false);
    let expected = "it has sent no trace: what it tells by UCI is shown".to_owned();
    assert_eq!(comparison.wait(|| false), [(1, expected)]);
    let column = face(&comparison);
    assert!(matches!(column, Face::External(_)) && column.trouble().is_none());
    assert!(column.reader().tree.node(Tree::ROOT).child_count() > 0);
}

#[test]
fn one_that_is_not_to_be_traced_is_not() {
    let Some(engine) = toy() else { return };
    let mut comparison = comparison(
        EngineSpec {
            trace: None,
            ..engine
        },
        false,
    );
    assert_eq!(comparison.wait(|| false), []);
    assert!(matches!(face(&comparison), Face::External(_)));
}
