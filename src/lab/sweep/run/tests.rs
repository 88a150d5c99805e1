use super::*;
use crate::sweep::Spec;
use algorithms::Algorithm;
use session::Config;

/// Three labelled positions.
fn problems() -> Units {
    let fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    let problem = |(i, fen): (usize, &str)| {
        let position = game::load::fen::parse(fen).expect(fen).position;
        let subject = Subject::from(game::Situation::new(position));
        let task = Task::labelled(Some(0.1), Vec::new());
        Units::problem(i + 1, String::new(), subject, task)
    };
    Units::Problems(fens.into_iter().enumerate().map(problem).collect())
}

fn plan(line: &str, judge: Judge, nodes: u64, units: Units) -> Result<Plan, PlanError> {
    let spec: Spec = line.parse().expect(line);
    let base = Config::new(Algorithm::DEFAULT);
    let (tried, columns) = spec.columns(&base).expect(line);
    let plan = Plan::new(judge, &tried, columns, Budget::Nodes(nodes), units)?;
    Ok(Plan {
        judge_nodes: 4_000,
        ..plan
    })
}

fn found(plan: Plan) -> Sweep {
    let mut job = start(plan, Kept::default()).expect("a thread");
    job.join();
    job.findings()
}

const MARGINS: &str = "-a alpha-beta --set futility-margin=k*depth --over k=20,200";

/// The variants differ, and only in what is varied: with the value that is built in a variant is as the control.
#[test]
fn what_is_built_in_is_a_variant_like_others() {
    let line = "-a mcts --over fpu=0.4,2";
    let sweep = found(plan(line, Judge::Belief, 600, problems()).expect("a plan"));
    assert_eq!((sweep.done(), sweep.left_out, sweep.fault), (3, 0, None));
    for (_, row) in &sweep.positions {
        assert_eq!(row[0].figure, row[1].figure);
        assert!(row[0].nodes.is_some());
    }
    assert!(
        sweep
            .positions
            .iter()
            .any(|(_, row)| row[1].figure != row[2].figure)
    );
}

/// Audited by hand: what each search reports of the rule.
#[test]
fn audits_are_of_the_rule_whose_options_are_varied() {
    let wide = plan(MARGINS, Judge::Audit, 30_000, problems()).expect("a plan");
    assert_eq!(wide.rule, Some(Rule::Futility));
    let columns = wide.columns.clone();
    let Units::Problems(all) = wide.units.clone() else {
        panic!("positions");
    };
    let sweep = found(wide);
    assert!(!sweep.positions.is_empty());
    for (number, row) in &sweep.positions {
        for (column, found) in columns.iter().zip(row) {
            let mut runner = ColumnRunner::new(std::slice::from_ref(column), Budget::Nodes(30_000));
            let subject = &all[number - 1].subject;
            let audits = runner.search(
                subject,
                0,
                || false,
                |face| match face {
                    studies::compare::Face::Own(session) => {
                        crate::audit::audits_of(session.control())
                    }
                    _ => Vec::new(),
                },
            );
            let rows = audits.expect("a search").into_iter();
            let of = rows.filter(|row| row.rule == Rule::Futility);
            let (tried, failed) = of.fold((0, 0), |s, r| (s.0 + r.tried, s.1 + r.failed));
            assert_eq!(found.figure, failed as f64 / tried as f64);
        }
    }
    let both = "-a alpha-beta --set razoring-margin=k --set futility-margin=k*depth --over k=90";
    let both = plan(both, Judge::Audit, 1_000, problems()).expect("a plan");
    assert_eq!(both.rule, None);
}

/// A variant that is as the control scores 1/2 in every pair; losses are never below 0, and the judge's own move loses nothing.
#[test]
fn games_and_losses_are_those_of_the_experiment_on_losses() {
    let openings = Units::Openings(vec![3, 4]);
    let line = "-a mcts --over fpu=0.4,2";
    let games = found(plan(line, Judge::Match, 60, openings).expect("a plan"));
    let numbers: Vec<usize> = games.positions.iter().map(|(n, _)| *n).collect();
    assert_eq!(numbers, [4, 5]);
    for (_, row) in &games.positions {
        assert_eq!((row[0].figure, row[1].figure), (0.5, 0.5));
        assert!([0.0, 0.25, 0.5, 0.75, 1.0].contains(&row[2].figure));
    }
    let line = "-a mcts --over fpu=0,0.4";
    let losses = found(plan(line, Judge::Loss, 60, problems()).expect("a plan"));
    assert_eq!(losses.positions.len(), 3);
    let all = losses.positions.iter().flat_map(|(_, row)| row);
    assert!(all.clone().all(|found| (0.0..=1.0).contains(&found.figure)));
    for (_, row) in &losses.positions {
        assert_eq!(row[0].figure, row[2].figure);
    }
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let openings = || Units::Openings(vec![0]);
    let refused = |line, judge, units| plan(line, judge, 100, units).expect_err(line).to_string();
    let said = refused("-a mcts --over fpu=0", Judge::Audit, problems());
    assert!(said.contains("found mcts, expected"), "{said}");
    let none = Units::Problems(Vec::new());
    let said = refused("-a mcts --over fpu=0", Judge::Solved, none);
    assert!(said.contains("at least one"), "{said}");
    let spec: Spec = "-a mcts --over fpu=0".parse().expect("a sweep");
    let (tried, columns) = spec
        .columns(&Config::new(Algorithm::DEFAULT))
        .expect("columns");
    let budget = Budget::Depth(3);
    let said = Plan::new(Judge::Match, &tried, columns, budget, openings());
    let said = said.expect_err("no nodes").to_string();
    assert!(said.contains("expected nodes"), "{said}");
}
