use super::*;
use crate::lens::{Lens, Unit, Viewpoint};
use algorithms::{ALGORITHMS, Algorithm};
use game::MoveCode;
use session::testing::{searched, searched_fen};
use tree::{NodeId, Tree};

const WHITE: Lens = Lens {
    unit: Unit::Pawns,
    viewpoint: Viewpoint::White,
};

/// Every move of every algorithm that has a value has a mark, which is where the value is.
#[test]
fn every_value_is_on_the_axis() {
    for row in &ALGORITHMS {
        let session = searched(row.algorithm, 3_000);
        let reader = session.reader();
        let inner = reader.best_line(Tree::ROOT).first().copied();
        for parent in [Some(Tree::ROOT), inner].into_iter().flatten() {
            let scores = WHITE.of_moves(&reader, parent);
            let grid = reader.tree.grid();
            for child in reader.rows(parent) {
                let plotted = plotted(&reader, &child.view, child.belief.as_ref(), &scores);
                let black = reader.turn(parent) == game::Side::Black;
                assert_eq!(plotted.from == From::High, black, "White's view");
                let name = row.algorithm.name();
                let Some(value) = child.view.expected.map(|e| scores.seen(e)) else {
                    continue;
                };
                if child.view.fate.is_cut_before_moves() {
                    continue;
                }
                let (low, high) = plotted.mark.extent(grid).expect("it has a value");
                let near = (low - 0.05..=high + 0.05).contains(&value);
                assert!(near, "{name} {}: {value} {:?}", child.label, (low, high));
            }
        }
    }
}

/// A skipped move falls short of the bound by what its fate says, on the side where it falls short, whoever looks.
#[test]
fn margins_fall_short_of_their_bound() {
    let session = searched(Algorithm::AlphaBeta, 50_000);
    let reader = session.reader();
    let mut seen = [0; 2];
    for id in (0..reader.tree.len()).map(NodeId) {
        if reader.tree.node(id).child_count() == 0 || seen.iter().sum::<usize>() > 400 {
            continue;
        }
        let scores = WHITE.of_moves(&reader, id);
        for row in reader.rows(id) {
            let mark = plotted(&reader, &row.view, None, &scores).mark;
            let Fate::Futility {
                static_value,
                margin,
                alpha,
                ..
            } = row.view.fate
            else {
                continue;
            };
            let Mark::Margin { from, to, bound } = mark else {
                panic!("{mark:?}");
            };
            let black = reader.turn(id) == game::Side::Black;
            seen[usize::from(black)] += 1;
            // By the formula, without the drawing's code: e = tanh(cp / 360), negated for Black.
            let side = if black { -1.0 } else { 1.0 };
            let e = |cp: f32| side * (cp / 360.0).tanh();
            let (s, m, a) = (
                f32::from(static_value.raw()),
                f32::from(margin),
                f32::from(alpha.raw()),
            );
            for (shown, expected) in [(from, e(s)), (to, e(s + m)), (bound, e(a))] {
                assert!((shown - expected).abs() < 1e-3, "{mark:?}");
            }
            assert!(side * (bound - to) >= -1e-6, "it falls short: {mark:?}");
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "both sides: {seen:?}");
}

/// The scale shows the leaders whole, is never empty, and stays within the axis; so for every algorithm, reach and view.
#[test]
fn the_scale_holds_what_leads() {
    for row in &ALGORITHMS {
        let session = searched(row.algorithm, 3_000);
        let reader = session.reader();
        for reach in Reach::ALL {
            for viewpoint in Viewpoint::SHOWN {
                let lens = Lens { viewpoint, ..WHITE };
                let span = span(&reader, Tree::ROOT, reach, lens);
                assert!(span.low >= -1.0 && span.high <= 1.0 && span.low < span.high);
                let best = rules(&reader, Tree::ROOT, lens).best;
                if let Some(best) = best {
                    assert!(span.holds(best), "{} {reach:?}", row.algorithm.name());
                }
            }
        }
    }
}

#[test]
fn a_scale_of_one_value_has_room_around_it() {
    for middle in [0.0, 0.5, -0.99, 0.99999, 1.0, -1.0] {
        let span = scale::roomy(middle, middle, Scale::Logistic);
        assert!(
            span.holds(middle) && span.high - span.low > 1e-4,
            "{span:?}"
        );
        assert!(span.low >= -1.0 && span.high <= 1.0);
    }
}

/// What is proven is a full bar or none, whichever side proved it.
#[test]
fn proofs_are_proofs_on_the_axis() {
    let session = searched_fen(
        Algorithm::Mcts,
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        2_000,
    );
    let reader = session.reader();
    let scores = WHITE.of_moves(&reader, Tree::ROOT);
    let rows = reader.rows(Tree::ROOT);
    let mate = rows.iter().find(|r| r.label == "Rd8#").expect("a mate");
    let plotted = plotted(&reader, &mate.view, mate.belief.as_ref(), &scores);
    assert_eq!(
        plotted.mark,
        Mark::Proof {
            low: 1.0,
            high: 1.0
        }
    );
    assert_ne!(mate.move_code, MoveCode::NONE);
}
