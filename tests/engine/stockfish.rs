//! A real engine as a search: Debian's `stockfish`, if installed.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use algorithms::Algorithm;
use external::{EngineSpec, External};
use game::Situation;
use game::load::fen;
use search::{Cores, StopReason};
use session::Budget;
use session::{Config, Source, State, Subject};
use studies::compare::{ColumnSpec, Comparison, Face};
use tree::{Fate, Tree};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// 1.Qh6+ Kxh6 2.Bxf6#.
const MATE_IN_TWO: &str = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1";

/// The engine with this many lines. Without it the test says so and does nothing.
fn stockfish(lines: u16) -> Option<EngineSpec> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let found = folders.map(|f| f.join("stockfish")).find(|f| f.is_file());
    let Some(found) = found else {
        eprintln!("NOT TESTED: no stockfish in PATH or /usr/games");
        return None;
    };
    let spec = EngineSpec::parse(&format!("'{}'", found.display())).expect("a command");
    Some(EngineSpec { lines, ..spec })
}

fn subject(text: &str) -> Subject {
    let position = fen::parse(text).expect("a FEN").position;
    Subject::from(Situation::new(position))
}

fn start(spec: EngineSpec, position: &str, budget: Budget) -> External {
    External::start(spec, subject(position), budget, Arc::new(Cores::new(2)))
}

fn search(spec: EngineSpec, position: &str, budget: Budget) -> External {
    let external = start(spec, position, budget);
    assert!(external.wait(|| false), "{:?}", external.trouble());
    external
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let late = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < late, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn it_finds_a_mate_in_two() {
    let Some(spec) = stockfish(1) else { return };
    let external = search(spec, MATE_IN_TWO, Budget::Depth(12));
    let reader = external.reader();
    let summary = reader.summary(external.status());
    assert_eq!(summary.score.mate(), Some(2));
    assert_eq!(
        summary.score.mate_is_exact(),
        Some(false),
        "told, not proven"
    );
    assert_eq!(summary.score.expected, Some(1.0));
    assert_eq!(summary.pv.len(), 3);
    assert!(summary.pv[2].san.ends_with('#'));
    let best = &summary.moves[0];
    assert_eq!(
        (best.score.mate(), &best.row.label),
        (Some(2), &summary.pv[0].san)
    );
    let last = reader.best_line(Tree::ROOT)[2];
    assert!(matches!(reader.view(last).fate, Fate::Ended(_)));
    assert!(external.name().starts_with("Stockfish"));
}

#[test]
fn it_tells_four_moves_with_values_and_lines() {
    let Some(spec) = stockfish(4) else { return };
    let external = search(spec, KIWIPETE, Budget::Nodes(20_000));
    let status = external.status();
    assert_eq!(status.state, State::Finished(StopReason::Nodes));
    let nodes = status.totals.nodes;
    assert!((19_800..=20_200).contains(&nodes), "{nodes}");
    assert!(status.totals.depth >= 4 && status.cpu > Duration::ZERO);
    let summary = external.reader().summary(status);
    assert_eq!(summary.moves.len(), 48);
    for m in &summary.moves[..4] {
        assert!(m.score.expected.is_some() && m.pv.len() >= 2, "{m:?}");
        let belief = m.row.belief.as_ref().expect("wdl");
        assert_eq!(belief.source, Source::Outcomes);
    }
    assert_eq!(summary.best, summary.moves[0].pv.first().cloned());
    let mut untold = summary.moves.iter().filter(|m| m.score.expected.is_none());
    assert!(untold.clone().count() >= 30 && untold.all(|m| m.row.view.fate == Fate::Unvisited));
    let points = external.progress();
    assert!(points.len() >= 4 && points.is_sorted_by_key(|p| p.nodes));
}

#[cfg(target_os = "linux")]
#[test]
fn its_budget_of_cpu_time_is_kept() {
    let Some(mut spec) = stockfish(2) else { return };
    let wanted = Duration::from_millis(300);
    let off = |cpu: Duration| cpu.abs_diff(wanted).as_secs_f64() / wanted.as_secs_f64();
    for threads in ["1", "2"] {
        spec.options = vec![("Threads".into(), threads.into())];
        // Other processes may need the machine just then.
        let found = (0..5).map(|_| search(spec.clone(), KIWIPETE, Budget::Cpu(wanted)).status());
        let mut tried = Vec::new();
        let kept = found.into_iter().any(|status| {
            assert_eq!(status.state, State::Finished(StopReason::Time));
            tried.push(status.cpu);
            off(status.cpu) <= 0.03
        });
        assert!(kept, "{threads} threads: {tried:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_pause_stops_its_clock() {
    let Some(spec) = stockfish(1) else { return };
    let mut external = start(spec, KIWIPETE, Budget::Unlimited);
    until("it works", || {
        external.status().cpu > Duration::from_millis(20)
    });
    external.pause();
    // It stops within milliseconds; here it has a quarter of a second.
    std::thread::sleep(Duration::from_millis(250));
    let before = external.status();
    assert_eq!(before.state, State::Paused);
    std::thread::sleep(Duration::from_millis(150));
    let after = external.status();
    assert_eq!((before.cpu, before.elapsed), (after.cpu, after.elapsed));
    external.resume();
    until("it goes on", || external.status().cpu > after.cpu);
    external.stop();
    assert!(external.wait(|| false));
    assert_eq!(external.status().state, State::Finished(StopReason::User));
}

#[cfg(target_os = "linux")]
#[test]
fn it_takes_turns_with_a_search_of_our_own() {
    let Some(spec) = stockfish(1) else { return };
    let wanted = Duration::from_millis(400);
    let columns = vec![
        ColumnSpec::External(spec),
        ColumnSpec::Own(Config::new(Algorithm::AlphaBeta)),
    ];
    let comparison = Comparison::start(subject(KIWIPETE), columns, Budget::Cpu(wanted), 1, false);
    until("both end", || !comparison.is_running());
    for face in comparison.faces(None) {
        let face = face.expect("nothing is lent");
        assert!(face.trouble().is_none());
        let cpu = face.status().cpu;
        let kind = if matches!(face, Face::External(_)) {
            "it"
        } else {
            "ours"
        };
        assert!(cpu.abs_diff(wanted) <= wanted / 5, "{kind}: {cpu:?}");
        assert!(face.summary().best.is_some());
    }
}
