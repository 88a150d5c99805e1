//! External engines as searches, using scripts that speak UCI well and badly.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use external::{EngineSpec, External, Patience, Trouble};
use game::load::fen;
use game::{Score, Situation, ToyPosition};
use report::why::why;
use search::{Cores, StopReason};
use session::Budget;
use session::{Reader, Row, Source, State, Subject};
use tree::{Bound, Fate, Tree};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn subject(text: &str) -> Subject {
    let position = fen::parse(text).expect("a FEN").position;
    Subject::from(Situation::new(position))
}

fn spec(command: String) -> EngineSpec {
    EngineSpec {
        patience: Patience {
            ready: Duration::from_millis(1500),
            stop: Duration::from_millis(300),
            idle: Duration::from_millis(700),
            silent: Duration::from_millis(1200),
        },
        ..EngineSpec::parse(&command).expect("a command")
    }
}

/// One of the scripts with its argument.
fn script(name: &str, argument: &str) -> EngineSpec {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/engines");
    spec(format!("sh '{folder}/{name}.sh' {argument}"))
}

fn start(spec: EngineSpec, budget: Budget) -> External {
    External::start(spec, subject(START), budget, Arc::new(Cores::new(2)))
}

/// Runs a search to its end, which must come.
fn finished(spec: EngineSpec, budget: Budget) -> External {
    let external = start(spec, budget);
    assert!(external.wait(|| false), "{:?}", external.trouble());
    external
}

/// Returns the error with which a search must end.
fn trouble(spec: EngineSpec, budget: Budget) -> Trouble {
    let external = start(spec, budget);
    assert!(!external.wait(|| false));
    let trouble = external.trouble().expect("trouble");
    assert_eq!(trouble.message.lines().count(), 1, "{trouble:?}");
    assert!(trouble.last_lines.len() <= 20);
    let all = trouble.last_lines.iter().chain([&trouble.message]);
    assert!(
        all.flat_map(|l| l.chars()).all(|c| !c.is_control()),
        "{trouble:?}"
    );
    assert_eq!(external.status().state, State::Finished(StopReason::User));
    trouble
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let late = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < late, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn row(reader: &Reader, label: &str) -> Row {
    let rows = reader.rows(Tree::ROOT);
    let found = rows.into_iter().find(|row| row.label == label);
    found.expect(label)
}

/// A file that only this test uses.
fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("plyscope-{name}-{}", std::process::id()))
}

#[test]
fn what_it_tells_is_a_tree() {
    let external = finished(script("good", ""), Budget::Nodes(100));
    assert_eq!(external.name(), "Good 1.0");
    let status = external.status();
    assert_eq!(status.state, State::Finished(StopReason::Nodes));
    assert_eq!(
        (
            status.totals.nodes,
            status.totals.depth,
            status.totals.selective_depth
        ),
        (100, 2, 4)
    );
    let reader = external.reader();
    let summary = reader.summary(status);
    assert_eq!(summary.best.as_ref().map(|m| m.san.as_str()), Some("e4"));
    assert_eq!(summary.score.score, Some(Score::new(30)));
    assert!((summary.score.expected.expect("wdl") - 0.1).abs() < 1e-3);
    let line: Vec<&str> = summary.pv.iter().map(|m| m.san.as_str()).collect();
    assert_eq!(line, ["e4", "e5", "Nf3"]);
    assert_eq!(summary.moves.len(), 20);
    let order: Vec<&str> = summary
        .moves
        .iter()
        .take(3)
        .map(|m| m.row.label.as_str())
        .collect();
    assert_eq!(order, ["e4", "d4", "Nf3"]);
    assert_eq!(summary.moves[0].row.view.policy, None);
    // The third line has a bound, from the view of the side that plays it.
    assert_eq!(summary.moves[2].score.bound, Some(Bound::Lower));
    assert!(summary.moves.iter().all(|m| !m.score.proof.is_certain()));
}

#[test]
fn a_line_ends_where_it_is_not_legal_and_other_moves_have_no_value() {
    let external = finished(script("good", ""), Budget::Nodes(100));
    let reader = external.reader();
    let d4 = row(&reader, "d4").id.node().expect("a node");
    let line: Vec<String> = reader.best_names(d4).into_iter().map(|m| m.san).collect();
    assert_eq!(line, ["d5"]);
    let a3 = row(&reader, "a3");
    assert_eq!(
        (a3.view.expected, a3.view.score, a3.view.fate),
        (None, None, Fate::Unvisited)
    );
    assert!(a3.belief.is_none());
    assert_eq!(why(&reader, &a3), "The engine told nothing of this move.");
    let e4 = row(&reader, "e4");
    let says = why(&reader, &e4);
    assert!(
        says.starts_with(
            "The engine goes on with e5: −0.30, 1 ply to go; it told of 1 of 20 moves"
        ),
        "{says}"
    );
}

#[test]
fn wins_draws_and_losses_are_a_belief_of_three_bars() {
    let external = finished(script("good", ""), Budget::Nodes(100));
    let reader = external.reader();
    let root = reader.belief(Tree::ROOT).expect("wdl");
    assert_eq!(root.source, Source::Outcomes);
    let bars: Vec<f32> = root
        .density
        .0
        .iter()
        .copied()
        .filter(|m| *m > 0.0)
        .collect();
    for (bar, share) in bars.iter().zip([0.1, 0.7, 0.2]) {
        assert!((bar - share).abs() < 1e-4, "{bars:?}");
    }
    let e4 = row(&reader, "e4").belief.expect("wdl");
    assert_eq!(e4.density, root.density);
    let points = external.progress();
    let nodes: Vec<u64> = points.iter().map(|p| p.nodes).collect();
    assert_eq!(nodes, [20, 60]);
    assert!(points[1].sd.is_some_and(|sd| sd > 0.3) && points[0].best != points[1].best);
}

#[test]
fn it_is_told_what_it_has_options_for() {
    let file = scratch("told");
    let mut wanted = script("good", &file.display().to_string());
    wanted.lines = 9;
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    wanted.options = vec![
        set("THREADS", "2"),
        set("Hsh", "64"),
        set("move overhead", "1\nquit"),
    ];
    let mut external = finished(wanted, Budget::Depth(7));
    assert_eq!(external.status().threads, 2);
    assert_eq!(external.warnings(), ["sh has no option \"Hsh\""]);
    let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    external.search(subject(chess960), Budget::Unlimited);
    until("the second search", || {
        external.status().totals.nodes == 100
    });
    external.stop();
    assert!(external.wait(|| false));
    let told = std::fs::read_to_string(&file).expect("a transcript");
    let _ = std::fs::remove_file(&file);
    let expected = format!(
        "uci\nsetoption name multipv value 3\nsetoption name UCI_ShowWDL value true\n\
         setoption name Threads value 2\nsetoption name Move Overhead value 1 quit\nucinewgame\n\
         position fen {START}\nisready\ngo depth 7\nsetoption name UCI_Chess960 value true\nucinewgame\n"
    );
    let told = told.split_once('\n').expect("its number first").1;
    assert!(told.starts_with(&expected), "{told}");
    assert!(told.contains("isready\ngo infinite\nstop\n"), "{told}");
}

#[test]
fn leela_tells_of_every_move() {
    let external = finished(script("leela", ""), Budget::Nodes(400));
    let reader = external.reader();
    let d4 = row(&reader, "d4").view;
    assert_eq!((d4.visits, d4.nodes), (100, 100));
    assert!((d4.expected.expect("WL") - 0.06).abs() < 1e-3);
    assert!((d4.policy.expect("P") - 0.201).abs() < 1e-5);
    assert_eq!(d4.static_value, Some(reader.scale().score(0.061)));
    assert_eq!(d4.score, Some(reader.scale().score(0.06)));
    let e4 = row(&reader, "e4");
    assert_eq!(e4.view.score, Some(reader.scale().score(0.08)));
    let draws = e4.belief.expect("D").density.0[belief::MIDDLE];
    assert!((draws - 0.56).abs() < 1e-4);
    let a3 = row(&reader, "a3").view;
    assert_eq!((a3.visits, a3.expected), (0, None));
    assert!((a3.policy.expect("P") - 0.004).abs() < 1e-6);
    assert_eq!(reader.view(Tree::ROOT).visits, 400);
    let Fate::Expanded {
        searched, moves, ..
    } = reader.view(Tree::ROOT).fate
    else {
        panic!("expanded");
    };
    assert_eq!((searched, moves), (2, 20));
}

#[test]
fn a_search_can_be_stopped_paused_and_followed_by_another() {
    let mut external = start(script("good", ""), Budget::Unlimited);
    external.pause();
    assert_eq!(external.status().state, State::Paused);
    assert!(!external.wait(|| true));
    external.resume();
    until("it tells", || external.status().totals.nodes == 100);
    external.pause();
    external.stop();
    assert!(external.wait(|| false));
    assert_eq!(external.status().state, State::Finished(StopReason::User));
    external.search(subject(START), Budget::Nodes(50));
    assert!(external.wait(|| false));
    assert_eq!(external.status().state, State::Finished(StopReason::Nodes));
    // A running search gives way to the next one.
    external.search(subject(START), Budget::Unlimited);
    external.search(subject(START), Budget::Nodes(50));
    assert!(external.wait(|| false));
    assert_eq!(external.status().state, State::Finished(StopReason::Nodes));
    // A position in which the game is over is not sent.
    external.search(subject("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), Budget::Nodes(50));
    assert!(external.wait(|| false));
    assert_eq!(external.status().state, State::Finished(StopReason::Solved));
}

#[test]
fn searches_that_share_a_core_all_end() {
    let cores = Arc::new(Cores::new(1));
    let start = |budget| {
        External::start(
            script("good", ""),
            subject(START),
            budget,
            Arc::clone(&cores),
        )
    };
    let (a, b) = (start(Budget::Nodes(100)), start(Budget::Nodes(100)));
    let paused = {
        let mut paused = start(Budget::Nodes(100));
        paused.pause();
        paused
    };
    assert!(a.wait(|| false) && b.wait(|| false));
    drop(paused);
    assert!(cores.take_while(|| true), "the turn came back");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_of_it() {
    let file = scratch("left");
    let mut external = start(
        script("good", &file.display().to_string()),
        Budget::Unlimited,
    );
    until("it tells", || external.status().totals.nodes == 100);
    let told = std::fs::read_to_string(&file).expect("a transcript");
    let _ = std::fs::remove_file(&file);
    let pid = told
        .lines()
        .next()
        .and_then(|l| l.strip_prefix("pid "))
        .expect("its number")
        .to_owned();
    let stat = || std::fs::read_to_string(format!("/proc/{pid}/stat"));
    external.pause();
    until("halted", || stat().is_ok_and(|s| s.contains(") T ")));
    drop(external);
    until("gone", || stat().is_err());
}

#[test]
fn a_toy_tree_is_not_for_it() {
    let text = "max\na 1\nb 2\n";
    let tree = game::load::toy_tree::parse(text).expect("a toy tree").tree;
    let toy = Subject::from(Situation::new(ToyPosition::root(Arc::new(tree))));
    let external = External::start(
        script("good", ""),
        toy,
        Budget::Nodes(9),
        Arc::new(Cores::new(1)),
    );
    assert!(!external.wait(|| false));
    let message = external.trouble().expect("trouble").message;
    assert!(message.contains("plays chess only"), "{message}");
}

#[test]
fn programs_that_are_not_there() {
    let missing = trouble(spec("no-such-engine --fast".into()), Budget::Nodes(9));
    assert_eq!(
        missing.message,
        "no-such-engine is not found, expected a program that speaks UCI"
    );
    let folder = trouble(spec("/tmp".into()), Budget::Nodes(9));
    assert!(folder.message.contains("permission denied"), "{folder:?}");
}

#[test]
fn programs_that_die() {
    let start = trouble(script("dies_at_start", ""), Budget::Nodes(9));
    assert!(
        start
            .message
            .ends_with("ended (exit status: 3), expected uciok"),
        "{start:?}"
    );
    assert_eq!(start.last_lines, ["no network ␛[2Jfound"]);
    let search = trouble(script("dies_in_search", ""), Budget::Nodes(9));
    assert!(search.message.contains("SIGSEGV"), "{search:?}");
    assert!(search.message.ends_with("expected bestmove"), "{search:?}");
    let closes = trouble(script("closes", ""), Budget::Nodes(9));
    assert!(closes.message.contains("closed its output"), "{closes:?}");
}

#[test]
fn a_program_that_dies_while_it_is_paused_is_noticed() {
    let file = scratch("paused");
    let mut external = start(
        script("good", &file.display().to_string()),
        Budget::Unlimited,
    );
    until("it tells", || external.status().totals.nodes == 100);
    external.pause();
    let told = std::fs::read_to_string(&file).expect("a transcript");
    let _ = std::fs::remove_file(&file);
    let pid = told
        .lines()
        .next()
        .and_then(|l| l.strip_prefix("pid "))
        .expect("its number")
        .to_owned();
    let killed = std::process::Command::new("sh")
        .args(["-c", &format!("kill -9 {pid}")])
        .status();
    assert!(killed.is_ok_and(|s| s.success()));
    until("trouble", || external.trouble().is_some());
    let message = external.trouble().expect("trouble").message;
    assert!(message.contains("SIGKILL"), "{message}");
}

#[test]
fn a_result_outlives_its_program_which_is_started_again() {
    let mut external = finished(script("dies_afterwards", ""), Budget::Nodes(9));
    assert_eq!(external.reader().best_names(Tree::ROOT)[0].san, "e4");
    // Whether or not its end has been noticed yet.
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(external.trouble(), None);
    external.search(subject(START), Budget::Nodes(9));
    assert!(external.wait(|| false), "{:?}", external.trouble());
}

#[test]
fn programs_that_hang() {
    let hangs = trouble(script("hangs", ""), Budget::Nodes(9));
    assert!(
        hangs
            .message
            .ends_with("does not answer uci: expected uciok within 1.5 s"),
        "{hangs:?}"
    );
    let never = trouble(script("never_ready", ""), Budget::Nodes(9));
    assert!(never.message.contains("expected readyok"), "{never:?}");
    let external = start(script("deaf", ""), Budget::Unlimited);
    until("it tells", || external.status().totals.nodes == 20);
    external.stop();
    assert!(!external.wait(|| false));
    let message = external.trouble().expect("trouble").message;
    assert!(
        message.ends_with("does not answer stop: expected bestmove within 0.3 s"),
        "{message}"
    );
    // What it reported is kept.
    assert_eq!(external.reader().best_names(Tree::ROOT)[0].san, "e4");
}

#[test]
fn programs_that_talk_nonsense() {
    let nonsense = trouble(script("nonsense", ""), Budget::Nodes(9));
    assert!(nonsense.message.contains("expected uciok"), "{nonsense:?}");
    assert!(
        nonsense.last_lines[0].contains("do not know"),
        "{nonsense:?}"
    );
    let endless = trouble(script("endless", ""), Budget::Nodes(9));
    assert!(
        endless.message.contains("without a line's end"),
        "{endless:?}"
    );
    for wanted in ["e2e5", "'(none)'"] {
        let illegal = trouble(script("illegal", wanted), Budget::Nodes(9));
        assert!(
            illegal.message.contains(wanted.trim_matches('\'')),
            "{illegal:?}"
        );
        assert!(
            illegal.message.contains("expected a legal move"),
            "{illegal:?}"
        );
    }
}

#[test]
fn every_wait_has_an_end_by_the_clock() {
    // An engine that ignores its limit is stopped, and its results count.
    for (budget, reason) in [
        (Budget::Nodes(1000), StopReason::Nodes),
        (Budget::Depth(3), StopReason::Depth),
    ] {
        let ignores = finished(script("ignores", ""), budget);
        assert_eq!(ignores.status().state, State::Finished(reason));
        assert!(ignores.status().totals.nodes > 300);
    }
    // An engine that sleeps uses no CPU time.
    for budget in [Budget::Cpu(Duration::from_millis(50)), Budget::Nodes(50)] {
        let sleeps = trouble(script("sleeps", ""), budget);
        if cfg!(target_os = "linux") {
            let idle = "neither worked nor wrote for 0.7 s, expected bestmove";
            assert!(sleeps.message.contains(idle), "{sleeps:?}");
        }
    }
    // An engine that works silently is trusted for some time.
    let silent = trouble(script("ignores", "silently"), Budget::Nodes(50));
    assert!(
        silent.message.contains("wrote nothing for 1.2 s"),
        "{silent:?}"
    );
}

#[test]
fn dropping_a_program_that_hangs_does_not_wait_for_it() {
    let external = start(script("hangs", ""), Budget::Nodes(9));
    let (done, dropped) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        drop(external);
        let _ = done.send(());
    });
    // Well before its patience would run out.
    assert_eq!(dropped.recv_timeout(Duration::from_secs(1)), Ok(()));
}
