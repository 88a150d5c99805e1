use std::collections::HashSet;
use std::time::Duration;

use super::*;
use crate::forced::Forced;
use crate::testing::searched;
use crate::{Config, Subject};
use algorithms::{ALGORITHMS, Algorithm};
use game::Situation;
use game::load::fen;
use tree::Tree;

/// Every move at the root and below its best move has an answer whose line can be played, for every algorithm.
#[test]
fn every_algorithm_answers_for_every_move() {
    for row in &ALGORITHMS {
        let session = searched(row.algorithm, 4_000);
        let reader = session.reader();
        let best = reader.best_move(Tree::ROOT).expect("a best move");
        let below = reader
            .tree
            .child_by_move(Tree::ROOT, best)
            .expect("its node");
        let mut kinds = HashSet::new();
        for parent in [Tree::ROOT, below] {
            let mut bests = 0;
            for move_at in reader.rows(parent) {
                let code = move_at.move_code;
                let answer = reader.answer(parent, code).expect("a legal move");
                assert_eq!(answer.asked.code, code);
                assert_eq!(answer.asked.line[0], code, "{}", row.name);
                let names = reader.names(parent, &answer.asked.line);
                assert_eq!(
                    names.len(),
                    answer.asked.line.len(),
                    "{}: all legal",
                    row.name
                );
                bests += usize::from(answer.is_best);
                assert!(!(answer.is_best && answer.is_rejected()));
                if let Some(rival) = &answer.rival {
                    assert_ne!(rival.code, code);
                }
                kinds.insert(format!("{:?}", answer.evidence));
            }
            // The best move of a best-first search may not have been expanded yet.
            let expanded = !reader.tree.node(parent).first_child().is_none();
            assert_eq!(bests, usize::from(expanded), "{}", row.name);
        }
        assert!(kinds.contains("Line"), "{}: {kinds:?}", row.name);
    }
}

#[test]
fn the_best_move_is_compared_with_the_second_and_others_with_the_best() {
    let session = searched(Algorithm::Mcts, 4_000);
    let reader = session.reader();
    let rows = reader.rows_best_first(Tree::ROOT);
    let best = reader
        .answer(Tree::ROOT, rows[0].move_code)
        .expect("the best");
    assert!(best.is_best && best.place == (1, rows.len()));
    assert_eq!(best.rival.as_ref().map(|r| r.code), Some(rows[1].move_code));
    let third = reader
        .answer(Tree::ROOT, rows[2].move_code)
        .expect("the third");
    assert_eq!(third.place.0, 3);
    assert_eq!(
        third.rival.as_ref().map(|r| r.code),
        Some(rows[0].move_code)
    );
    let share = third.share.expect("visits");
    assert!(share > 0.0 && share < best.share.expect("visits"));
    assert_eq!(third.chance, None, "it keeps no distributions");
}

#[test]
fn a_distribution_gives_the_chance_to_be_better() {
    let session = searched(Algorithm::Distress, 4_000);
    let reader = session.reader();
    let rows = reader.rows_best_first(Tree::ROOT);
    let best = reader
        .answer(Tree::ROOT, rows[0].move_code)
        .expect("the best");
    let second = reader
        .answer(Tree::ROOT, rows[1].move_code)
        .expect("the second");
    let (up, down) = (
        best.chance.expect("beliefs"),
        second.chance.expect("beliefs"),
    );
    // They are about the same two moves.
    assert!((up + down - 1.0).abs() < 1e-4, "{up} + {down}");
}

#[test]
fn a_skipped_move_has_no_line_and_is_searched_anyway() {
    let session = searched(Algorithm::AlphaBeta, 8_000);
    let reader = session.reader();
    // A skipped move anywhere below the root.
    let skipped = (0..reader.tree.len())
        .map(NodeId)
        .filter(|&id| reader.tree.node(id).child_count() > 0)
        .find_map(|id| {
            let fates = reader.fates(id);
            let futile = fates
                .iter()
                .find(|(_, f)| matches!(f, Fate::Futility { .. }))?;
            Some((id, futile.0))
        });
    let (parent, code) = skipped.expect("futility at work");
    let answer = reader.answer(parent, code).expect("a legal move");
    assert_eq!(answer.evidence, Evidence::NotSearched);
    assert!(answer.is_rejected());
    assert_eq!(answer.asked.line, [code]);
    let at = reader.situation(parent).expect("a position");
    let mut forced = Forced::start(&at, code, session.config(), Some(2)).expect("legal");
    let found = forced.wait();
    assert!(found.done && found.nodes > 0);
    assert_eq!(found.line[0], code);
    assert!(found.line.len() > 1);
    assert!(found.view.expected.is_some());
    let names = reader.names(parent, &found.line);
    assert_eq!(names.len(), found.line.len(), "all of its moves are legal");
}

/// The value of a forced search is from the view of the side that plays the move.
#[test]
fn a_forced_search_sees_the_move_from_its_side() {
    // The queen hangs after Qd5: White loses it.
    let position = fen::parse("4k3/8/2p1p3/8/8/8/8/3QK3 w - - 0 1")
        .expect("legal")
        .position;
    let subject = Subject::from(Situation::new(position));
    let code = subject.read_line("Qd5").expect("legal").moves[0];
    for row in &ALGORITHMS {
        let config = Config::new(row.algorithm);
        let forced = Forced::start(&subject, code, &config, Some(3)).expect("legal");
        // Best first, it goes on for seconds.
        let found = loop {
            let found = forced.found();
            if found.done || found.nodes >= 3_000 {
                break found;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let value = found.view.expected.expect("a value");
        assert!(value < 0.0, "{}: {value}", row.name);
    }
}
