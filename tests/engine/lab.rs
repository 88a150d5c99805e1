//! The Lab's futility experiment, on a few positions.

use algorithms::Algorithm;
use games::samples;
use lab::kept::Kept;
use lab::{Experiment, Findings, Origin, Plan, PlanError, Position, Sampler, Stage, Tested};
use session::Config;

fn positions(wanted: usize) -> Vec<Position> {
    let mut sampler = Sampler::new(wanted);
    for name in ["opera-game", "tactics", "kiwipete"] {
        let document = samples::find(name)
            .expect("a sample")
            .open()
            .expect("opens");
        for entry in document.entries() {
            sampler.offer_entry(&entry.expect("an entry"));
        }
    }
    sampler.finish()
}

fn plan(wanted: usize, depth: u16, audit: u32) -> Plan {
    Plan {
        depth,
        audit,
        at_a_time: 2,
        ..Plan::new(
            positions(wanted),
            Tested::Futility,
            Config::new(Algorithm::AlphaBeta),
        )
    }
}

fn finished(plan: Plan) -> Findings {
    let mut experiment = Experiment::start(plan, Kept::default()).expect("a plan");
    experiment.job.join();
    let findings = experiment.findings();
    assert_eq!(findings.stage, Stage::Done);
    findings
}

#[test]
fn an_experiment_measures_fits_and_tries_all_families() {
    let findings = finished(plan(8, 4, 1));
    assert_eq!((findings.measured.len(), findings.positions), (8, 8));
    for series in &findings.measured {
        assert_eq!(series.scores.len(), 4, "{series:?}");
        let decided = series.scores.last().is_some_and(|s| s.is_decided());
        assert!(decided || series.nodes.len() == 4);
    }
    let changes = findings.changes(Origin::Static);
    assert_eq!(changes.depths.len(), 4);
    for d in &changes.depths {
        assert!(d.quantiles.windows(2).all(|w| w[0] <= w[1]), "{d:?}");
        assert!(d.n + d.mates <= 8);
    }
    let fits = findings.fits();
    assert_eq!(fits.fits.len(), 4);
    for fit in &fits.fits {
        assert_eq!(fit.beyond, findings.beyond(&fit.margin));
    }
    // Every family has a result at about the savings of the first one, and its audit covers what the search pruned.
    let without = findings.without.expect("searched");
    assert_eq!(findings.trials.len(), 4);
    for trial in &findings.trials {
        assert_eq!(trial.finished, 8);
        assert!(trial.nodes < without, "{} saves nothing", trial.margin);
        let tested = || {
            trial
                .audits
                .iter()
                .filter(|t| t.rule == search::Rule::Futility)
        };
        assert!(tested().count() > 1);
        for t in tested() {
            assert!((1..=3).contains(&t.depth) && t.failed <= t.tried);
            // With one in one, everything is tried.
            assert_eq!(t.tried, t.pruned);
        }
    }
    let first = findings.trials[0].saving;
    assert_eq!(first, Some(1.0));
}

/// One search at a time or two give the same results.
#[test]
fn the_same_plan_finds_the_same() {
    let one = finished(Plan {
        at_a_time: 1,
        ..plan(6, 4, 8)
    });
    let two = finished(plan(6, 4, 8));
    assert_eq!(one, two);
}

#[test]
fn measuring_alone_tries_nothing() {
    let findings = finished(plan(5, 3, 0));
    assert!(findings.without.is_none() && findings.trials.is_empty());
    assert_eq!(findings.measured.len(), 5);
}

#[test]
fn a_stopped_experiment_keeps_what_it_found() {
    // Too deep to end on its own.
    let mut experiment = Experiment::start(plan(20, 30, 16), Kept::default()).expect("a plan");
    experiment.job.stop();
    experiment.job.join();
    let findings = experiment.findings();
    assert_eq!(findings.stage, Stage::Stopped);
    // What was measured before the stop counts as far as it got.
    for series in &findings.measured {
        assert!(!series.scores.is_empty());
    }
    assert!(findings.trials.is_empty());
}

#[test]
fn plans_that_make_no_sense_are_refused() {
    let refused = |plan: Plan| Experiment::start(plan, Kept::default()).expect_err("refused");
    assert_eq!(
        refused(Plan {
            positions: Vec::new(),
            ..plan(1, 4, 0)
        }),
        PlanError::NoPosition
    );
    assert_eq!(refused(plan(1, 1, 0)), PlanError::TooShallow(1));
    let other = Plan {
        config: Config::new(Algorithm::Mcts),
        ..plan(1, 4, 0)
    };
    assert_eq!(
        refused(other),
        PlanError::Algorithm(Algorithm::Mcts, Algorithm::AlphaBeta)
    );
    let none = Plan {
        families: Vec::new(),
        ..plan(1, 4, 0)
    };
    assert_eq!(refused(none), PlanError::NoFamily);
}
