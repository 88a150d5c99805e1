//! Verdicts on made-up records: they change with the numbers, and where there are too few numbers there is none.

use super::*;
use belief::Rule;
use belief::score::Pit;
use depth_first::margin::Margin;
use eval::fitted::Searched;
use game::Score;
use lab::calibration::Answer;
use lab::calibration::Judged;
use lab::refutation::{Course, Refutations};
use lab::searched;
use lab::spread::{Depth, Settings, SpreadCurve};
use lab::{DepthSeries, Stage, Tested};
use search::{AuditRow, Rule as Pruning};

fn is_open(verdict: &Verdict) -> bool {
    assert!(verdict.sentence().ends_with('.'), "{verdict:?}");
    assert!(!verdict.sentence().contains("  "), "{verdict:?}");
    assert_eq!(
        verdict.is_known(),
        !verdict.sentence().starts_with("No verdict yet: ")
    );
    !verdict.is_known()
}

/// A margin tried at the depths 1, 2, 3 …, with the failures of so many tries at each.
fn trial(margin: &str, tried: u64, failed: &[u64]) -> Trial {
    let row = |(depth, failed): (u8, &u64)| AuditRow {
        rule: Pruning::Futility,
        depth,
        pruned: 10 * tried,
        tried,
        failed: *failed,
        nodes: 0,
        lost: 0,
        decided: 0,
        lost_expected: 0.0,
    };
    Trial {
        margin: margin.parse::<Margin>().expect("a margin"),
        nodes: 1000,
        finished: 10,
        saving: Some(1.0),
        audits: (1..).zip(failed).map(row).collect(),
    }
}

fn findings(measured: usize, audit: u32, trials: Vec<Trial>) -> Findings {
    let series = DepthSeries {
        static_value: Some(Score::DRAW),
        quiescence: Score::DRAW,
        nodes: vec![1],
        scores: vec![Score::DRAW],
    };
    Findings {
        stage: Stage::Done,
        tested: Tested::Futility,
        depth: 3,
        families: Vec::new(),
        level: 0.95,
        audit,
        positions: measured,
        measured: vec![series; measured],
        without: Some(2000),
        trials,
    }
}

#[test]
fn margins_are_told_by_how_often_they_are_wrong() {
    let growing = || trial("linear:130", 10_000, &[40, 120, 310]);
    let even = || trial("quadratic:70", 10_000, &[90, 100, 110]);
    let told = margins(&findings(50, 16, vec![growing(), even()]));
    assert!(!is_open(&told));
    assert_eq!(
        told.sentence(),
        "linear:130 fails least evenly: 0.40 % at depth 1, 3.1 % at depth 3; the control, quadratic:70 at equal savings, 0.90 % to 1.1 %."
    );
    // The other way round.
    let shrinking = trial("linear:130", 10_000, &[90, 100, 110]);
    let steep = trial("quadratic:70", 10_000, &[310, 120, 40]);
    let told = margins(&findings(50, 16, vec![shrinking, steep]));
    assert!(
        told.sentence()
            .starts_with("quadratic:70 fails least evenly: 3.1 % at depth 1"),
        "{told:?}"
    );
    // The same shares of few tries.
    let few = vec![
        trial("linear:130", 100, &[1, 1, 3]),
        trial("quadratic:70", 100, &[1, 1, 1]),
    ];
    assert!(is_open(&margins(&findings(50, 16, few))));
    assert!(is_open(&margins(&findings(50, 16, vec![growing()]))));
    assert!(is_open(&margins(&findings(50, 16, Vec::new()))));
    assert!(is_open(&margins(&findings(50, 0, Vec::new()))));
    assert!(is_open(&margins(&findings(0, 16, Vec::new()))));
    let without_failures = vec![
        trial("linear:130", 100, &[0, 0]),
        trial("quadratic:70", 100, &[0, 0]),
    ];
    assert!(is_open(&margins(&findings(50, 16, without_failures))));
}

#[test]
fn pairs_are_told_by_the_best_correlation() {
    let fit = |n, r| PairFit {
        deep: 4,
        shallow: 2,
        line: Some(Line {
            n,
            a: 1.0,
            b: 0.0,
            sigma: 30.0,
            r,
        }),
        left_out: 0,
    };
    let told = pairs(&[fit(100, 0.6), fit(100, 0.95)]);
    assert_eq!(
        told.sentence(),
        "Depth 2 foretells depth 4 to ±30 centipawns, without it (control) ±96 (correlation 0.95, 100 positions); 1 of 2 pairs is good enough for a cut."
    );
    let told = pairs(&[fit(100, 0.6), fit(100, 0.7)]);
    assert!(
        told.sentence().starts_with("No shallow search foretells"),
        "{told:?}"
    );
    assert!(is_open(&pairs(&[fit(29, 0.95)])) && is_open(&pairs(&[])));
}

#[test]
fn playouts_gain_only_where_chance_does_not_explain_it() {
    let tally = |won, drawn, lost| Tally {
        won,
        drawn,
        lost,
        pairs: [0; 5],
    };
    let cells = |tallies: &[Tally]| -> Vec<(GridCell, Tally)> {
        // The first cell is the control.
        let place = |(i, tally): (usize, &Tally)| (GridCell::at((i + 1) / 6, (i + 1) % 6), *tally);
        tallies.iter().enumerate().map(place).collect()
    };
    let even = tally(200, 0, 200);
    let told = playouts(&cells(&[even, tally(260, 0, 140), even]));
    assert!(
        !is_open(&told) && told.sentence().starts_with("Yes: "),
        "{told:?}"
    );
    assert!(
        told.sentence().contains("scores 65.0 % ") && told.sentence().contains("control: 50 %")
    );
    // One of 25 is better than even by chance.
    let mut many = vec![even; 24];
    many.push(tally(221, 0, 179));
    assert!(many[24].differs() == Some(true));
    assert!(is_open(&playouts(&cells(&many))), "chance");
    let told = playouts(&cells(&[tally(2000, 0, 2000), tally(1900, 0, 2100)]));
    assert!(told.sentence().starts_with("No: "), "{told:?}");
    assert!(is_open(&playouts(&cells(&[tally(3, 0, 1)]))));
    assert!(is_open(&playouts(&cells(&[Tally::default()]))) && is_open(&playouts(&[])));
    // The control is none of the weightings, and one interval alone is as wide as in the table.
    let control = (GridCell::at(0, 0), tally(4, 0, 0));
    assert!(is_open(&playouts(&[control])));
    let one = tally(2, 0, 2);
    let (low, high) = one.interval().expect("games");
    let told = playouts(&[control, (GridCell::at(1, 0), one)]);
    let interval = format!(
        "50.0 % [{:.0}, {:.0}] of 4 games",
        100.0 * low,
        100.0 * high
    );
    assert!(told.sentence().contains(&interval), "{told:?}");
    assert!(told.sentence().contains("the only weighting"), "{told:?}");
}

fn curves(positions: usize, ends: [[f64; 2]; 2]) -> Searches {
    let curve = |[first, last]: [f64; 2], i: usize| {
        let off = if i.is_multiple_of(2) { 0.01 } else { -0.01 };
        Some(SpreadCurve {
            points: vec![(0.0, first + off), (0.0, last + off)],
            plies: Vec::new(),
            below: 1.0,
            solved: false,
        })
    };
    Searches {
        rules: vec!["r-opt".to_owned(), "entropy".to_owned()],
        nodes: vec![1000, 8000],
        curves: (0..positions)
            .map(|i| ends.iter().map(|e| curve(*e, i)).collect())
            .collect(),
    }
}

#[test]
fn beliefs_narrow_where_they_do() {
    let told = searches(&curves(40, [[0.2, 0.05], [0.2, 0.2]]));
    assert_eq!(
        told.sentence(),
        "1 of 2 back-ups narrow the root's belief from 1000 to 8000 nodes: most r-opt from 0.20 to 0.05 (×0.25), least entropy from 0.20 to 0.20 (×1.00); standard deviations over 40 positions."
    );
    let told = searches(&curves(40, [[0.2, 0.3], [0.2, 0.2]]));
    assert!(
        told.sentence().starts_with("0 of 2 back-ups narrow"),
        "{told:?}"
    );
    assert!(is_open(&searches(&curves(9, [[0.2, 0.05], [0.2, 0.2]]))));
    assert!(is_open(&searches(&curves(0, [[0.2, 0.05], [0.2, 0.2]]))));
}

#[test]
fn the_nearest_to_the_oracle_is_named() {
    let rules = ["r-opt", "entropy"].map(|rule| rule.parse::<Rule>().expect("a rule"));
    let population = |n, crps: [f64; 2], depths: usize| {
        let at = |crps: f64| Depth {
            depth: 1,
            sd: 0.1,
            coverage: [0.5, 0.8, crps],
            crps,
            bias: 0.0,
            calibrated: 0.4,
        };
        Population {
            settings: Settings {
                population: n,
                ..Settings::default()
            },
            rules: rules.to_vec(),
            depths: crps.iter().map(|c| vec![at(*c); depths]).collect(),
        }
    };
    let told = trees(&population(200, [0.8, 0.4], 1));
    assert!(!is_open(&told));
    assert!(
        told.sentence()
            .starts_with("At depth 1 entropy (×1.00, 40 % of truths"),
        "{told:?}"
    );
    let told = trees(&population(200, [0.4, 0.8], 1));
    assert!(
        told.sentence().starts_with("At depth 1 r-opt (×1.00"),
        "{told:?}"
    );
    assert!(is_open(&trees(&population(20, [0.4, 0.8], 1))));
    assert!(is_open(&trees(&population(200, [0.4, 0.8], 0))));
}

fn calibrated(n: usize, covered: usize) -> Calibration {
    let answer = |i: usize| {
        let pit = if i < covered { 0.5 } else { 0.999 };
        Answer {
            mean: i as f64 / (n as f64) - 0.5,
            is_point: false,
            judged: Some(Judged {
                pit: Pit {
                    low: pit,
                    high: pit,
                },
                crps: 0.1,
                error: if i.is_multiple_of(2) { 0.2 } else { -0.2 },
            }),
            agrees: None,
            nodes: 1,
            sample: None,
        }
    };
    Calibration {
        columns: vec!["distress".to_owned()],
        answers: (0..n).map(|i| vec![Some(Ok(answer(i)))]).collect(),
    }
}

#[test]
fn beliefs_are_right_if_they_hold_what_they_promise() {
    let told = calibration(&calibrated(200, 180), &["A"]);
    assert!(
        told.sentence()
            .starts_with("Yes: the central 90 % of A holds 90 % ["),
        "{told:?}"
    );
    assert!(told.sentence().contains("(control, CRPS "), "{told:?}");
    let told = calibration(&calibrated(200, 140), &["A"]);
    assert!(
        told.sentence()
            .starts_with("No: the central 90 % of A holds 70 % ["),
        "{told:?}"
    );
    assert!(is_open(&calibration(&calibrated(20, 18), &["A"])));
    assert!(is_open(&calibration(&calibrated(0, 0), &["A"])));
}

#[test]
fn a_fitted_belief_is_better_where_its_gain_is_certain() {
    let judged = |crps| searched::Judged {
        n: 100,
        crps,
        coverage: [0.5, 0.8, 0.9],
    };
    let at = |depth, gain| OfDepth {
        depth,
        fitted: judged(0.1),
        in_use: judged(0.1),
        constant: judged(0.12),
        gain: (gain, 0.002),
        width: 1.0,
    };
    let fitted = |held_out, gains: [f64; 2]| Fitted {
        model: Searched::IN_USE,
        trained: held_out,
        held_out,
        depths: vec![at(0, gains[0]), at(1, gains[1])],
    };
    let told = depths(Some(&fitted(100, [-0.02, -0.001])));
    assert!(
        told.sentence().contains("is better at 1 of 2 depths"),
        "{told:?}"
    );
    let told = depths(Some(&fitted(100, [0.02, -0.001])));
    assert!(
        told.sentence().contains("is at no depth better"),
        "{told:?}"
    );
    assert!(is_open(&depths(None)) && is_open(&depths(Some(&fitted(20, [-0.02, -0.02])))));
}

#[test]
fn who_gives_a_refuted_move_up_is_named_where_the_difference_is_certain() {
    let course = |gives_up: bool| Course {
        sighted: Some(10.0),
        changes: 0,
        held: Some(1.0),
        recovery: gives_up.then_some(5.0),
        ends_with_favourite: !gives_up,
        spread: None,
    };
    let found = |trees: usize, every: [usize; 2]| Refutations {
        columns: vec!["A".to_owned(), "B".to_owned()],
        nodes: 100,
        courses: (0..trees)
            .map(|i| {
                every
                    .map(|k| Some([course(i % k == 0), course(false)]))
                    .to_vec()
            })
            .collect(),
    };
    let told =
        |trees, every| refutation::verdict(&found(trees, every), &Resamples::new(trees, 200, 1));
    let clear = told(100, [1, 4]);
    assert!(!is_open(&clear));
    assert!(
        clear.sentence().starts_with("A gives it up in 100 % "),
        "{clear:?}"
    );
    assert!(
        clear.sentence().contains("B gives it up in 25 % ")
            && clear.sentence().contains("(control)")
    );
    assert!(
        told(100, [4, 1])
            .sentence()
            .starts_with("B gives it up in 100 % ")
    );
    assert!(is_open(&told(100, [2, 2])), "a tie");
    assert!(is_open(&told(10, [1, 4])), "few trees");
}

/// Forty positions in which a variant errs by so much less, and searches to this depth.
fn swept(judge: lab::sweep::Judge, less: f64, depth: u16) -> lab::sweep::Sweep {
    use lab::sweep::Found;
    let mut sweep = lab::sweep::Sweep {
        judge,
        rule: None,
        names: vec!["built-in".to_owned(), "k = 2".to_owned()],
        positions: Vec::new(),
        left_out: 0,
        fault: None,
    };
    for number in 1..=80 {
        let by_chance = (number % 5) as f64 / 50.0;
        let found = |figure, depth| Found {
            figure,
            nodes: Some(1_000),
            depth: Some(depth),
        };
        let variant = found(0.5 - less + by_chance * 0.9, depth);
        sweep.enter(number, Some(vec![found(0.5 + by_chance, 8), variant]));
    }
    sweep
}

#[test]
fn fewer_wrong_prunes_are_no_gain_if_less_is_pruned() {
    use lab::sweep::Judge;
    let verdict = sweep::verdict;
    let same = verdict(&swept(Judge::Audit, 0.2, 8));
    assert!(
        !is_open(&same) && same.sentence().starts_with("Yes: k = 2"),
        "{same:?}"
    );
    let less = verdict(&swept(Judge::Audit, 0.2, 7));
    assert!(is_open(&less), "{less:?}");
    assert!(
        less.sentence()
            .contains("7.0 plies deep where what is built in searches 8.0")
    );
    // Where something else is judged, depth is no price.
    let loss = verdict(&swept(Judge::Loss, 0.2, 7));
    assert!(loss.sentence().starts_with("Yes: k = 2"), "{loss:?}");
    let worse = verdict(&swept(Judge::Match, 0.2, 8));
    assert!(worse.sentence().starts_with("No: "), "{worse:?}");
    let none = verdict(&swept(Judge::Audit, -0.2, 8));
    assert!(
        none.sentence()
            .starts_with("No: on 40 positions nothing beats"),
        "{none:?}"
    );
}
