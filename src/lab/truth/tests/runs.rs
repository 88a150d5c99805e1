//! Whole runs on tic-tac-toe.

use crate::kept::Kept;
use crate::plan::PlanError;
use crate::statistics::Resamples;
use crate::truth::{Board, Found, Plan, Positions, Tally, Truths, Which, start};
use algorithms::Algorithm;
use session::Config;
use studies::compare::ColumnSpec;
use studies::suite::statistics::wilson_share;

fn plan(which: Which, names: &[&str], nodes: u64) -> Plan {
    let base = Config::new(Algorithm::DEFAULT);
    let column = |name: &&str| ColumnSpec::parse(name, &base).expect("a column");
    Plan {
        positions: Positions::of(Board::TIC_TAC_TOE, which),
        columns: names.iter().map(column).collect(),
        nodes,
        at_a_time: 2,
    }
}

fn ran(plan: Plan) -> Truths {
    let mut job = start(plan, Kept::default()).expect("a job");
    job.join();
    job.findings()
}

/// A part of the positions of tic-tac-toe: nothing false is proven, enough nodes prove every root, and then every move keeps the
/// result.
#[test]
fn searches_are_judged() {
    let some = Which::Every(40);
    let names = ["mcts", "alpha-beta", "prob-alpha-beta"];
    let found = ran(plan(some, &names, 300));
    assert_eq!((found.positions(), found.of), (113, 4_520));
    assert!(!found.is_census());
    assert_eq!(found.results().iter().sum::<u64>(), 113);
    for (i, name) in names.iter().enumerate() {
        let tally = found.total(i);
        assert_eq!(tally.searches, 113, "{name}");
        let wrong = (tally.proofs.false_results, tally.proofs.false_distances);
        assert_eq!((wrong, tally.first), ((0, 0), None), "{name}");
        assert!(tally.proofs.certain > 113 && tally.nodes > 1_000, "{name}");
    }
    let beliefs = found.total(2);
    assert_eq!(beliefs.plies[0].all.count(), 113);
    assert!(beliefs.plies.len() > 3);
    let of = &found.total(1).fates["beta-cutoff"];
    assert!(of.decisions > 0 && of.lost <= of.decisions && of.claims > 0);
    let late = Positions::of(Board::TIC_TAC_TOE, Which::Every(1));
    let late = Positions {
        cases: late.cases.into_iter().rev().step_by(10).take(60).collect(),
        ..late
    };
    let solved = ran(Plan {
        positions: late,
        ..plan(some, &["pn", "mcts"], 20_000)
    });
    for column in 0..2 {
        let tally = solved.total(column);
        assert_eq!((tally.proven(), tally.keeps), (60, 60));
    }
}

/// Means are the same however the positions are split, and only samples have intervals.
#[test]
fn figures_are_of_all_blocks() {
    let found = ran(plan(Which::Every(50), &["mcts"], 50));
    let resamples = Resamples::new(found.known().count(), 100, 1);
    let keeps = |t: &Tally| (t.keeps, t.searches);
    let share = found.share(0, &resamples, keeps).expect("a share");
    let total = found.total(0);
    let value = total.keeps as f64 / total.searches as f64;
    assert!((share.value - value).abs() < 1e-12);
    let counted = wilson_share(value, total.searches as f64).expect("an interval");
    let interval = share.interval.expect("an interval");
    assert!(interval.0 <= counted.0 && counted.1 <= interval.1);
    let whole = Truths {
        of: found.positions(),
        ..found.clone()
    };
    let census = whole.share(0, &resamples, keeps).expect("a share");
    assert_eq!((census.value, census.interval), (share.value, None));
    assert_eq!(found.share(0, &resamples, |_| (0, 0)), None);
    // Findings survive being written.
    let block = found.blocks[0].clone().expect("a block");
    let text = serde_json::to_string(&block).expect("written");
    let read: Found = serde_json::from_str(&text).expect("read");
    assert_eq!(read, block);
}

#[test]
fn plans_without_anything_are_refused() {
    let nothing = start(plan(Which::Every(50), &[], 50), Kept::default());
    assert!(matches!(nothing, Err(PlanError::NoColumn)));
    let mut empty = plan(Which::Every(50), &["mcts"], 50);
    empty.positions.cases.clear();
    assert!(matches!(
        start(empty, Kept::default()),
        Err(PlanError::NoPosition)
    ));
}
