//! Several searches side by side: equal budgets are equal for any number of cores.

use std::time::Duration;

use algorithms::Algorithm;
use common::{KIWIPETE, chess};
use search::StopReason;
use session::Budget;
use session::{Config, State, Subject};
use studies::compare::{ColumnSpec, Comparison};

/// All algorithms, and two of them with other options.
const COLUMNS: [&str; 6] = [
    "alpha-beta",
    "prob-alpha-beta",
    "mcts",
    "distress",
    "alpha-beta:futility=off",
    "mcts",
];
const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2QK2R w KQ - 0 9";

fn columns(names: &[&str]) -> Vec<ColumnSpec> {
    let base = Config {
        memory: 128 << 20,
        table: 1 << 20,
        ..Config::new(Algorithm::AlphaBeta)
    };
    let parse = |name: &&str| ColumnSpec::parse(name, &base).expect("a column");
    names.iter().map(parse).collect()
}

fn subject(fen: &str) -> Subject {
    Subject::from(chess(fen))
}

fn compare(names: &[&str], budget: Budget, cores: usize) -> Comparison {
    let mut comparison = Comparison::start(subject(KIWIPETE), columns(names), budget, cores, false);
    comparison.wait(|| false);
    comparison
}

/// The nodes, best move, value and reason for stopping of each column.
type Told = Vec<(u64, Option<String>, Option<f32>, Option<StopReason>)>;

fn told(comparison: &Comparison) -> Told {
    let faces = comparison.faces(None).into_iter().flatten();
    faces
        .map(|face| {
            let summary = face.summary();
            let nodes = summary.status.totals.nodes;
            let stopped = summary.stopped_by();
            let best = summary.best.map(|b| b.uci);
            (nodes, best, summary.score.expected, stopped)
        })
        .collect()
}

#[test]
fn equal_nodes_are_equal_nodes() {
    let mut runs = Vec::new();
    for cores in [1, 2] {
        for budget in [3_000, 20_000] {
            let comparison = compare(&COLUMNS, Budget::Nodes(budget), cores);
            let told = told(&comparison);
            assert_eq!(told.len(), COLUMNS.len());
            for ((nodes, _, _, stopped), name) in told.iter().zip(COLUMNS) {
                let allowed = (budget / 100).max(100);
                let fair = nodes.abs_diff(budget) <= allowed;
                let solved = *stopped == Some(StopReason::Solved);
                assert!(fair || solved, "{name}: {nodes} of {budget}, {cores} cores");
            }
            assert_eq!(told[2], told[5], "the same column twice");
            runs.push(told);
        }
    }
    assert_eq!(runs[..2], runs[2..], "cores do not matter");
}

#[test]
fn equal_cpu_time_is_equal_cpu_time() {
    let budget = Duration::from_millis(200);
    let fair = || {
        let comparison = compare(&COLUMNS[..5], Budget::Cpu(budget), 2);
        let faces = comparison.faces(None).into_iter().flatten();
        let used: Vec<Duration> = faces.map(|face| face.status().cpu).collect();
        println!("{used:?}");
        assert_eq!(used.len(), 5);
        used.iter().all(|t| t.abs_diff(budget) * 100 <= budget * 3)
    };
    // On a busy machine a thread may be interrupted for a long time between two looks at its clock.
    assert!(fair() || fair());
}

#[test]
fn equal_depth_is_equal_depth() {
    let comparison = compare(&["alpha-beta", "prob-alpha-beta"], Budget::Depth(3), 2);
    for face in comparison.faces(None).into_iter().flatten() {
        assert_eq!(face.status().totals.depth, 3);
        assert_eq!(face.status().state, State::Finished(StopReason::Depth));
    }
}

#[test]
fn columns_without_an_end_take_turns() {
    let names = ["alpha-beta", "mcts", "distress"];
    let enough = Duration::from_millis(500);
    let subject = subject(KIWIPETE);
    let mut comparison = Comparison::start(subject, columns(&names), Budget::Unlimited, 1, false);
    let cpu = |comparison: &Comparison| -> Vec<Duration> {
        let faces = comparison.faces(None).into_iter().flatten();
        faces.map(|face| face.status().cpu).collect()
    };
    while cpu(&comparison).iter().any(|t| *t < enough) {
        assert!(comparison.is_running());
        std::thread::sleep(Duration::from_millis(2));
    }
    comparison.stop();
    comparison.wait(|| false);
    let used = cpu(&comparison);
    let (least, most) = (used.iter().min().unwrap(), used.iter().max().unwrap());
    assert!(*most < *least * 3 / 2, "{used:?}");
    for told in told(&comparison) {
        assert_eq!(told.3, Some(StopReason::User));
    }
}

#[test]
fn the_next_position_is_searched_as_if_it_were_the_first() {
    let budget = Budget::Nodes(3_000);
    let mut comparison = compare(&COLUMNS, budget, 2);
    comparison.next_position(subject(QUIET));
    comparison.wait(|| false);
    let mut fresh = Comparison::start(subject(QUIET), columns(&COLUMNS), budget, 2, false);
    fresh.wait(|| false);
    assert_eq!(told(&comparison), told(&fresh));
    assert_ne!(told(&comparison), told(&compare(&COLUMNS, budget, 2)));
}

#[test]
fn who_waits_can_end_it() {
    let subject = subject(KIWIPETE);
    let mut comparison =
        Comparison::start(subject, columns(&["mcts"]), Budget::Unlimited, 1, false);
    comparison.wait(|| true);
    assert!(!comparison.is_running());
}
