use super::*;
use std::sync::OnceLock;

use crate::statistics::Resamples;
use algorithms::Algorithm;
use belief::score::Pit;
use studies::review::Phase::{Endgame, Middlegame};

fn columns(names: &[&str]) -> Vec<ColumnSpec> {
    let base = Config::new(Algorithm::DEFAULT);
    let column = |name: &&str| ColumnSpec::parse(name, &base).expect("a column");
    names.iter().map(column).collect()
}

fn plan(at_a_time: usize) -> Plan {
    Plan {
        columns: columns(&["distress", "alpha-beta"]),
        games: 2,
        nodes: vec![300],
        judge: columns(&["alpha-beta"]).remove(0),
        judge_nodes: 1_000,
        fall: 0.1,
        seed: 1,
        at_a_time,
    }
}

fn found(plan: Plan) -> Losses {
    let mut job = start(plan, Kept::default()).expect("a plan");
    job.join();
    job.findings()
}

/// The findings of [`plan`] on one thread.
fn alone() -> &'static Losses {
    static ALONE: OnceLock<Losses> = OnceLock::new();
    ALONE.get_or_init(|| found(plan(1)))
}

#[test]
fn games_are_the_same_at_any_number_of_threads() {
    let one = alone();
    assert!(one.is_complete());
    assert_eq!(found(plan(2)), *one);
    let games: Vec<&JudgedGame> = one.played(0).collect();
    let [first, second] = games[..] else {
        panic!("{} games", games.len());
    };
    assert_eq!((first.white, second.white), (0, 1));
    assert_eq!(first.opening, second.opening);
    let tally = one.tally(0, 0);
    assert_eq!((tally.games(), tally.pairs.iter().sum::<usize>()), (2, 1));
    assert_eq!(tally.won, one.tally(0, 1).lost);
    for m in games.iter().flat_map(|game| &game.moves) {
        let judged = m.judged.expect("enough nodes");
        assert!((0.0..=1.0).contains(&judged.before) && (0.0..=1.0).contains(&judged.after));
        assert_eq!(judged.kind.is_some(), judged.fall() >= 0.1);
        // Alpha-beta has no beliefs.
        assert!(m.doubt.is_none() || m.column == 0, "{m:?}");
    }
    let beliefs = one
        .beliefs(0, 0, &Resamples::new(2, 20, 1))
        .expect("beliefs");
    let elsewhere = beliefs.elsewhere.expect("moves without a fall");
    assert!(elsewhere.sd.value > 0.0 && elsewhere.share.is_some());
    assert!(one.beliefs(0, 1, &Resamples::new(2, 20, 1)).is_none());
}

/// A game has the same moves whatever else is played: here, in a plan with another budget.
#[test]
fn a_game_depends_on_its_number_alone() {
    let more = Plan {
        games: 1,
        nodes: vec![100, 300],
        ..plan(2)
    };
    let many = found(more);
    assert_eq!(many.games[0].len(), 2, "an odd number is rounded up");
    assert_eq!(many.games[1], alone().games[0]);
    assert_ne!(many.games[1][0], many.games[0][0]);
}

#[test]
fn plans_that_cannot_be_carried_out_are_refused() {
    let refused = |plan: Plan| {
        start(plan, Kept::default())
            .expect_err("refused")
            .to_string()
    };
    for names in [&["distress"][..], &["distress", "mcts", "pn"][..]] {
        let text = refused(Plan {
            columns: columns(names),
            ..plan(1)
        });
        assert!(text.contains("expected two"), "{text}");
    }
    let engine = external::EngineSpec::parse("stockfish").expect("an engine");
    let text = refused(Plan {
        columns: vec![ColumnSpec::External(engine), columns(&["mcts"]).remove(0)],
        ..plan(1)
    });
    assert!(text.contains("external engine \"stockfish\""), "{text}");
    let text = refused(Plan {
        judge: columns(&["mcts"]).remove(0),
        ..plan(1)
    });
    assert!(
        text.contains("found mcts, expected a depth-first"),
        "{text}"
    );
    let nothing = Plan {
        nodes: Vec::new(),
        ..plan(1)
    };
    assert_eq!(
        start(nothing, Kept::default()).err(),
        Some(PlanError::NoBudget)
    );
}

fn a_move(column: usize, phase: Phase, (before, after): (f64, f64)) -> JudgedMove {
    let fell = before - after;
    JudgedMove {
        played: MoveCode(1),
        column,
        phase,
        judged: Some(Judged {
            before,
            after,
            kind: (fell >= 0.1).then_some(Kind::Tactic8),
        }),
        doubt: (column == 0).then_some(Doubt {
            share: Some(before),
            pit: Pit {
                low: 0.1,
                high: 0.2,
            },
            sd: if fell >= 0.1 { 0.2 } else { 0.1 },
        }),
    }
}

fn game(outcome: Outcome, moves: Vec<JudgedMove>) -> JudgedGame {
    JudgedGame {
        white: 0,
        opening: Vec::new(),
        moves,
        end: End::Checkmate,
        outcome,
    }
}

/// A lost game with a fall of 0.3 and one of 0.05, the other side with one of 0.2; and a won one with a fall of 0.125.
fn two_games() -> Losses {
    let lost = vec![
        a_move(0, Middlegame, (0.6, 0.3)),
        a_move(1, Middlegame, (0.7, 0.5)),
        a_move(0, Endgame, (0.3, 0.25)),
        // A value that rises is no fall.
        a_move(1, Endgame, (0.7, 0.9)),
    ];
    let won = vec![
        a_move(0, Middlegame, (0.5, 0.375)),
        a_move(0, Middlegame, (0.5, 0.5)),
    ];
    Losses {
        columns: ["one", "other"].map(String::from),
        has_beliefs: [true, false],
        judge: String::from("alpha-beta"),
        nodes: vec![100],
        games: vec![vec![
            Some(game(Outcome::Lost, lost)),
            Some(game(Outcome::Won, won)),
            None,
        ]],
    }
}

#[test]
fn falls_are_added_up_by_kind_and_phase() {
    let found = two_games();
    assert!(!found.is_complete());
    assert_eq!(found.count(), 2);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} for {b}");
    let own = found.account(0, (0, Which::Lost), 0);
    assert_eq!((own.games, own.moves), (1, 2));
    let tactics = own.falls[Kind::Tactic8 as usize];
    assert_eq!(tactics[Middlegame as usize].falls, 1);
    near(tactics[Middlegame as usize].sum, 0.3);
    assert_eq!(own.drift[Endgame as usize].falls, 1);
    near(own.drift[Endgame as usize].sum, 0.05);
    // The other side's moves in the same game.
    let control = found.account(0, (0, Which::Lost), 1);
    assert_eq!((control.games, control.moves), (1, 2));
    near(control.falls[Kind::Tactic8 as usize][1].sum, 0.2);
    assert_eq!(control.drift[Endgame as usize], Sum::default());
    assert_eq!(found.account(0, (1, Which::Lost), 1).games, 1);

    let resamples = Resamples::new(2, 200, 1);
    let mean = |which| found.mean_fall(0, (0, which), &resamples).map(|f| f.value);
    near(mean(Which::All).expect("moves"), 0.475 / 4.0);
    near(mean(Which::Lost).expect("moves"), 0.35 / 2.0);
    near(mean(Which::Other).expect("moves"), 0.125 / 2.0);
    let beliefs = found.beliefs(0, 0, &resamples).expect("beliefs");
    near(beliefs.sd_ratio.expect("both").value, 2.0);
    let at_falls = beliefs.at_falls.expect("falls");
    assert_eq!(at_falls.moves, 2);
    near(at_falls.share.expect("shares").value, 0.55);
    near(at_falls.as_low.value, 0.2);
    assert_eq!(at_falls.coverage.map(|c| c.value), [0.0, 1.0, 1.0]);
    assert_eq!(found.ends(0)[End::Checkmate as usize], 2);
    let tally = found.tally(0, 0);
    assert_eq!((tally.won, tally.lost, tally.pairs[2]), (1, 1, 1));
}

/// From 0.9 to 0.7 the position was won before.
#[test]
fn beliefs_are_compared_in_open_positions() {
    let mut found = two_games();
    let resamples = Resamples::new(2, 20, 1);
    let at_falls = |found: &Losses| found.beliefs(0, 0, &resamples)?.at_falls;
    let before = at_falls(&found);
    let lost = found.games[0][0].as_mut().expect("a game");
    lost.moves.push(a_move(0, Middlegame, (0.9, 0.7)));
    lost.moves.push(a_move(0, Middlegame, (0.14, 0.04)));
    assert_eq!(at_falls(&found), before);
    let lost = found.games[0][0].as_mut().expect("a game");
    lost.moves.push(a_move(0, Middlegame, (0.85, 0.7)));
    assert_eq!(at_falls(&found).expect("falls").moves, 3);
}

#[test]
fn a_fall_is_never_negative() {
    let judged = |before, after| Judged {
        before,
        after,
        kind: None,
    };
    assert_eq!(judged(0.5, 0.75).fall(), 0.0);
    assert_eq!(judged(0.75, 0.5).fall(), 0.25);
}
