//! Marks, tallies and disagreements of a review, computed from made-up values.

use std::time::Duration;

use game::load::pgn::GameNode;
use game::load::pgn::annotation::{Evaluation, plain, tell_value, told_value};
use game::{Game as _, MoveCode, Scale, Score, Side};
use games::samples;
use proptest::prelude::*;
use session::{MoveName, NodeValue};
use studies::review::{
    Disagreement, Found, Mark, MarkKind, Measure, disagreement, loss, mark, rank, tally,
};
use tree::{Bound, Fate, Proof};

fn name(code: u16) -> MoveName {
    MoveName {
        code: MoveCode(code),
        san: format!("m{code}"),
        uci: format!("m{code}"),
    }
}

fn verdict(score: Score, bound: Bound) -> NodeValue {
    NodeValue {
        wide: None,
        expected: Some(Scale::Logistic.expected(score)),
        score: Some(score),
        bound: Some(bound),
        proof: Proof::OPEN,
        is_line_short: false,
    }
}

/// A made-up result: the value from the side to move's view, and the code of the best move.
fn found(side: Side, score: Score, best: u16) -> Found {
    Found {
        side,
        scale: Scale::Logistic,
        best: Some(name(best)),
        score: verdict(score, Bound::Exact),
        sd: None,
        outcomes: false,
        band: None,
        pv: vec![name(best)],
        nodes: 1,
        cpu: Duration::ZERO,
        depth: 1,
        fate: Fate::Frontier,
    }
}

/// The mark for Black's move 2 if 1 was best, given the values before (Black's view) and after it (White's view).
fn marked(before: Score, after: Score) -> Option<Mark> {
    let before = found(Side::Black, before, 1);
    mark(&before, &found(Side::White, after, 9), &name(2))
}

#[test]
fn expected_scores_are_lichesss() {
    for (score, expected) in [
        (Score::new(0), 0.0),
        (Score::new(100), 0.182_051_8),
        (Score::new(-300), -0.502_251),
        (Score::new(1000), 0.950_894_9),
        (Score::win_in(9), 1.0),
        (Score::loss_in(4), -1.0),
    ] {
        let w = Measure::Lichess.chances(&verdict(score, Bound::Exact));
        let w = w.expect("a value");
        assert!((w - expected).abs() < 1e-5, "{score:?}: {w}");
    }
    let unknown = NodeValue {
        wide: None,
        expected: None,
        score: None,
        bound: None,
        proof: Proof::OPEN,
        is_line_short: false,
    };
    assert_eq!(Measure::Lichess.chances(&unknown), None);
    assert_eq!(Measure::Expected.chances(&unknown), None);
}

#[test]
fn moves_are_marked_by_what_they_lose() {
    let cp = Score::new;
    // 55 centipawns are worth 0.101 and 54 are worth 0.099; 111 are 0.2016 and 110 are 0.1998; 169 are 0.3013 and 168
    // are 0.2997.
    for (before, after, kind) in [
        (cp(0), cp(54), None),
        (cp(0), cp(55), Some(MarkKind::Inaccuracy)),
        (cp(0), cp(110), Some(MarkKind::Inaccuracy)),
        (cp(0), cp(111), Some(MarkKind::Mistake)),
        (cp(0), cp(168), Some(MarkKind::Mistake)),
        (cp(0), cp(169), Some(MarkKind::Blunder)),
        // Positions that are won or lost anyway.
        (cp(1200), cp(-900), None),
        (cp(-900), cp(1200), None),
        (Score::win_in(5), cp(-900), None),
        (Score::win_in(5), cp(0), Some(MarkKind::Blunder)),
        (cp(0), Score::win_in(3), Some(MarkKind::Blunder)),
        (Score::loss_in(8), Score::win_in(3), None),
        // Better than the column thought.
        (cp(0), cp(-300), None),
    ] {
        let mark = marked(before, after);
        assert_eq!(mark.as_ref().map(|m| m.kind), kind, "{before:?} {after:?}");
    }
    let mark = marked(cp(100), cp(300)).expect("a blunder");
    assert_eq!(
        (mark.mover, mark.best, mark.played),
        (Side::Black, name(1), name(2))
    );
    assert!((mark.loss.drop - 0.684_302_8).abs() < 1e-4);
    assert!((mark.loss.before - 0.182_052).abs() < 1e-4);
    assert!((mark.loss.after + 0.502_251).abs() < 1e-4);
    assert_eq!(MarkKind::ALL.map(MarkKind::nag), [6, 2, 4]);
}

/// In a game whose values are expected scores, a move loses what its expected score falls by.
#[test]
fn in_other_games_moves_lose_expected_score() {
    let four = samples::find("connect-four.c4").and_then(|sample| sample.open().ok());
    let start = four.and_then(|file| file.entry(0).ok()).expect("a game");
    let scale = start.start.position.scale();
    let at = |side, thousandths: i16, best| {
        let score = Score::from_raw(thousandths);
        let value = NodeValue {
            expected: Some(scale.expected(score)),
            ..verdict(score, Bound::Exact)
        };
        Found {
            scale,
            score: value,
            ..found(side, score, best)
        }
    };
    for (before, after, kind) in [
        (0, 99, None),
        (0, 101, Some(MarkKind::Inaccuracy)),
        (900, -799, Some(MarkKind::Inaccuracy)),
        (-500, 701, Some(MarkKind::Mistake)),
        (500, -199, Some(MarkKind::Blunder)),
    ] {
        let (before, after) = (at(Side::Black, before, 1), at(Side::White, after, 9));
        let mark = mark(&before, &after, &name(2));
        assert_eq!(mark.map(|m| m.kind), kind, "{before:?} {after:?}");
    }
    for e in [-1.0, -0.3, 0.0, 0.7, 1.0] {
        assert_eq!(Measure::of(scale).expected(e), e);
    }
    assert_eq!(
        at(Side::Black, -310, 1).evaluation(),
        Some(Evaluation::Expected(0.31))
    );
    let side_name = |side| start.start.position.side_name(side);
    for (evaluation, depth, text) in [
        (
            Evaluation::Expected(-0.31),
            None,
            "plyscope: -0.31 (Yellow's view)",
        ),
        (
            Evaluation::Expected(0.5),
            Some(12),
            "plyscope: +0.50 (Yellow's view, depth 12)",
        ),
        (
            Evaluation::Mate(2),
            None,
            "plyscope: +1.00 (Yellow wins in 2)",
        ),
        (
            Evaluation::Mate(-3),
            Some(5),
            "plyscope: -1.00 (Red wins in 3, depth 5)",
        ),
    ] {
        assert_eq!(tell_value(evaluation, depth, side_name), text);
        let node = GameNode {
            comments: vec!["First.".to_owned(), format!("Then {text} and more (so).")],
            ..GameNode::default()
        };
        assert_eq!(node.evaluation(), Some(evaluation));
        assert_eq!(node.evaluation_depth(), depth);
        assert_eq!(node.text(), "First. Then and more (so).");
    }
    for other in [
        "plyscope: a (b)",
        "plyscope: 7 (b)",
        "plyscope: 0.1 (b",
        "plyscope: 0.1",
    ] {
        assert_eq!(told_value(other), None, "{other}");
        assert_eq!(plain(other), other);
    }
    let written = [0.314, -0.004, -1.0, 0.005].map(|e| Evaluation::Expected(e).to_string());
    assert_eq!(written, ["+0.31", "+0.00", "-1.00", "+0.01"]);
}

#[test]
fn the_best_move_is_never_marked_nor_a_move_without_values() {
    let (before, after) = (Score::new(300), Score::new(300));
    let (before, mut after) = (found(Side::White, before, 1), found(Side::Black, after, 9));
    assert!(mark(&before, &after, &name(2)).is_some());
    assert_eq!(mark(&before, &after, &name(1)), None);
    assert_eq!(loss(&before, &after, &name(1)).map(|l| l.drop), Some(0.0));
    after.score.expected = None;
    after.score.score = None;
    assert_eq!(mark(&before, &after, &name(2)), None);
    let mut none = before.clone();
    none.best = None;
    assert_eq!(mark(&none, &before, &name(2)), None);
}

#[test]
fn bounds_mark_only_what_is_sure() {
    use Bound::{Exact, Lower, None, Upper};
    for (before, after, sure) in [
        (Exact, Exact, Some(false)),
        (Lower, Exact, Some(true)),
        (Exact, Lower, Some(true)),
        (Lower, Lower, Some(true)),
        (Upper, Exact, Option::None),
        (Exact, Upper, Option::None),
        (None, Exact, Option::None),
    ] {
        let mut was = found(Side::White, Score::new(200), 1);
        let mut is = found(Side::Black, Score::new(200), 9);
        was.score.bound = Some(before);
        is.score.bound = Some(after);
        let mark = mark(&was, &is, &name(2));
        assert_eq!(mark.map(|m| m.loss.at_least), sure, "{before:?} {after:?}");
    }
}

proptest! {
    #[test]
    fn losses_are_never_negative_and_marks_follow_them(before in -3000i32..3000, after in -3000i32..3000) {
        let (before, after) = (found(Side::White, Score::new(before), 1), found(Side::Black, Score::new(after), 9));
        let loss = loss(&before, &after, &name(2)).expect("both are known");
        prop_assert!((0.0..=2.0).contains(&loss.drop));
        let kind = mark(&before, &after, &name(2)).map(|m| m.kind);
        prop_assert_eq!(kind, MarkKind::of(loss.drop));
        prop_assert_eq!(kind.is_some(), loss.drop >= 0.1);
    }
}

#[test]
fn a_sides_losses_are_summed_up() {
    let lost = |drop| {
        let mut loss = marked(Score::new(0), Score::new(300))
            .expect("a blunder")
            .loss;
        loss.drop = drop;
        loss
    };
    let losses = [
        (Side::White, Some(lost(0.0))),
        (Side::White, Some(lost(0.1))),
        (Side::White, None),
        (Side::White, Some(lost(0.5))),
        (Side::Black, Some(lost(0.25))),
    ];
    let [white, black] = tally(losses);
    assert_eq!((white.moves, white.marks), (3, [1, 0, 1]));
    assert_eq!((white.unjudged, black.unjudged), (1, 0));
    assert!((white.mean_loss - 0.2).abs() < 1e-6);
    assert_eq!((black.moves, black.marks), (1, [0, 1, 0]));
    assert_eq!(tally([])[0].mean_loss, 0.0);
}

#[test]
fn columns_disagree_by_their_spread() {
    let e = |cp| Scale::Logistic.expected(Score::new(cp));
    let white = |cp, best| found(Side::White, Score::new(cp), best);
    let (a, b, c) = (white(100, 1), white(-50, 1), white(20, 2));
    let d = disagreement(7, &[Some(&a), None, Some(&b)]).expect("two values");
    assert!((d.amount - (e(100) - e(-50))).abs() < 1e-6);
    assert_eq!(
        (d.ply, d.highest, d.lowest, d.best_moves_differ),
        (7, 0, 2, false)
    );
    let d = disagreement(0, &[Some(&c), Some(&a), Some(&b)]).expect("three values");
    assert_eq!((d.highest, d.lowest, d.best_moves_differ), (1, 2, true));
    assert_eq!(disagreement(0, &[Some(&a), None]), None);
    // With Black to move, "highest" is from White's view and the difference is the same.
    let black = |cp| found(Side::Black, Score::new(cp), 1);
    let d = disagreement(0, &[Some(&black(100)), Some(&black(-50))]).expect("two values");
    assert_eq!((d.highest, d.lowest), (1, 0));
    assert!((d.amount - (e(100) - e(-50))).abs() < 1e-6);
}

#[test]
fn the_largest_disagreement_comes_first() {
    let at = |ply, amount, best_moves_differ| Disagreement {
        ply,
        amount,
        best_moves_differ,
        highest: 0,
        lowest: 1,
    };
    let all = vec![
        at(0, 0.0, false),
        at(1, 0.2, false),
        at(2, 0.0, true),
        at(3, 0.2, true),
        at(4, 0.5, false),
    ];
    let plies = |most| {
        rank(all.clone(), most)
            .into_iter()
            .map(|d| d.ply)
            .collect::<Vec<_>>()
    };
    assert_eq!(plies(9), [4, 3, 1, 2]);
    assert_eq!(plies(2), [4, 3]);
}
