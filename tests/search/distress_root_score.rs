//! The score of a DISTRESS root is that of its best move, and every other number of the root says what it is.

use algorithms::Algorithm;
use belief::Density;
use common::{self, backed_up};
use game::Situation;
use game::load::labels;
use report::json::SearchResult;
use report::lens::Lens;
use report::text::{self, Style};
use session::{Config, Session, Source, Subject};
use tree::Tree;

/// Searches every n-th labelled position of the sample.
fn searched(every: usize, settings: &[(&str, &str)]) -> Vec<Session> {
    let lines = include_str!("../../sample-positions/labels/sample.tsv").lines();
    let subjects = lines.step_by(every).map(|line| {
        let label = labels::parse(line).expect("a label");
        Subject::from(Situation::new(label.position))
    });
    let session = |subject| {
        let mut config = Config {
            memory: 32 << 20,
            limits: common::nodes(1_500),
            ..Config::new(Algorithm::Distress)
        };
        for (key, word) in settings {
            config.options.set(key, word).expect("an option");
        }
        let mut session = Session::start(subject, config);
        session.join();
        session
    };
    subjects.map(session).collect()
}

/// Every output that gives the root's score gives that of the best move; other numbers have names of their own.
#[test]
fn the_root_is_worth_what_its_best_move_is() {
    let (mut open, mut apart) = (0, 0);
    for settings in [
        &[][..],
        &[("calibrated", "off")],
        &[("backup", "r-opt")],
        &[("backup", "constant:.3"), ("allocation", "vpi")],
        &[("leaf", "quiescence")],
    ] {
        for session in searched(12, settings) {
            let (reader, summary) = (session.reader(), session.summary());
            let grid = reader.tree.grid();
            let json = SearchResult::new(&summary, session.config(), &reader);
            let json = serde_json::to_value(json).expect("JSON");
            let words = text::search(
                &summary,
                session.config(),
                &reader,
                Lens::default(),
                Style::default(),
            );
            let (Some(own), false) = (&summary.backed_up, summary.score.proof.is_exact()) else {
                // The game is over, or its result is proven.
                assert_eq!(
                    words.contains("backed up from all moves"),
                    summary.backed_up.is_some()
                );
                continue;
            };
            open += 1;
            let best = &summary.moves[0];
            assert_eq!(Some(&best.row.uci), summary.best.as_ref().map(|b| &b.uci));
            // The root's proven bounds may say more than the move's number.
            let scale = reader.scale();
            let within = |e: f32| {
                let proof = summary.score.proof;
                e.clamp(scale.expected(proof.lower), scale.expected(proof.upper))
            };
            let worth = best.score.expected.map(within);
            assert_eq!(summary.score.expected, worth);
            assert_eq!(reader.view(Tree::ROOT).expected, worth);
            if worth == best.score.expected {
                assert_eq!(json["score"]["expected"], json["moves"][0]["expected"]);
                assert_eq!(json["score"]["cp"], json["moves"][0]["cp"]);
            }
            // The other number is the back-up of all moves, recomputed here from their beliefs; JSON and text name it.
            let detail = backed_up(&reader, Tree::ROOT).expect("a back-up");
            let again: Density = detail.result.density();
            let proof = summary.score.proof;
            if proof.lower.is_loss() && proof.upper.is_win() {
                let mean = again.mean(grid);
                // Near certainty, steps of 1/65,535 in many factors add up.
                let near = if mean.abs() > 0.99 { 3e-3 } else { 1e-3 };
                assert!(
                    (mean - own.mean).abs() < near,
                    "{settings:?}: {mean} {}",
                    own.mean
                );
            }
            let told = json["backed_up"]["mean"].as_f64().expect("a number");
            assert!((told - f64::from(own.mean)).abs() < 1e-6);
            assert!(words.contains("backed up from all moves"), "{words}");
            let reported = summary.belief.as_ref().expect("a belief");
            let fitted = reported.source == Source::Calibrated;
            assert_eq!(words.contains("fitted to how far searches are off"), fitted);
            assert_eq!(json["belief"]["kind"] == "calibrated", fitted);
            apart += usize::from((own.mean - worth.expect("a score")).abs() > 0.01);
        }
    }
    assert!(open > 150 && apart > 50, "{open} {apart}");
}

/// The mean of the best of all moves is never below that of any move, which is why the two numbers differ.
#[test]
fn the_best_of_all_moves_is_worth_at_least_any_of_them() {
    for session in searched(25, &[("calibrated", "off")]) {
        let summary = session.summary();
        let Some(own) = summary
            .backed_up
            .filter(|_| !summary.score.proof.is_exact())
        else {
            continue;
        };
        let moves = summary.moves.iter().filter_map(|m| m.score.expected);
        let highest = moves.fold(-1.0, f32::max);
        assert!(own.mean >= highest - 2e-3, "{} {highest}", own.mean);
    }
}

/// Trees without beliefs are unaffected.
#[test]
fn other_searches_have_one_number() {
    let line = include_str!("../../sample-positions/labels/sample.tsv")
        .lines()
        .next();
    let label = labels::parse(line.expect("a line")).expect("a label");
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Mcts] {
        let mut config = Config::new(algorithm);
        config.limits.nodes = Some(2_000);
        let subject = Subject::from(Situation::new(label.position.clone()));
        let mut session = Session::start(subject, config);
        session.join();
        let summary = session.summary();
        assert!(summary.backed_up.is_none());
        let root = session.reader().view(Tree::ROOT).expected;
        assert_eq!(summary.score.expected, root);
        // The mean of all visits (MCTS) is another number: the root is worth its best move.
        assert_eq!(summary.score.expected, summary.moves[0].score.expected);
    }
}
