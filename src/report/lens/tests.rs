//! Turning the view and the unit.

use proptest::prelude::*;

use super::*;
use game::Score;
use tree::Bound;

fn toy_scale() -> Scale {
    Scale::linear(100.0, 20.0)
}

fn any_score() -> impl Strategy<Value = Score> {
    prop_oneof![
        4 => (-2_000i32..2_000).prop_map(Score::new),
        1 => (1u16..60).prop_map(Score::win_in),
        1 => (0u16..60).prop_map(Score::loss_in),
        1 => Just(Score::SOME_WIN),
        1 => Just(Score::SOME_LOSS),
    ]
}

fn any_side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::White), Just(Side::Black)]
}

fn any_lens() -> impl Strategy<Value = Lens> {
    (0..Unit::ALL.len(), 0..Viewpoint::SHOWN.len()).prop_map(|(unit, viewpoint)| Lens {
        unit: Unit::ALL[unit],
        viewpoint: Viewpoint::SHOWN[viewpoint],
    })
}

/// Returns the same scores, given by the other side.
fn other_given(given: Given) -> Given {
    Given {
        by: given.by.other(),
        ..given
    }
}

/// Returns the sign that a text shows: of shares, by whether there are more wins than losses.
fn sign_of(text: &str) -> i32 {
    let shares: Vec<i32> = text.split('/').filter_map(|n| n.parse().ok()).collect();
    match (shares.as_slice(), text.chars().next()) {
        (&[win, _, loss], _) => (win - loss).signum(),
        (_, Some('−')) => -1,
        _ if text == "loss" => -1,
        _ if text.chars().all(|c| matches!(c, '+' | '0' | '.')) => 0,
        _ => 1,
    }
}

proptest! {
    /// The view turned twice is the view, and what is shown does not depend on who gives the score.
    #[test]
    fn turning_twice_is_nothing(lens in any_lens(), by in any_side(), mover in any_side(), root in any_side(), score in any_score(), toy: bool) {
        let scale = if toy { toy_scale() } else { Scale::Logistic };
        let given = Given { by, mover, root, later: false };
        let scores = lens.scores(scale, given);
        let other = lens.scores(scale, other_given(given));
        prop_assert_eq!(scores.is_turned(), !other.is_turned());
        prop_assert_eq!(scores.score(score), other.score(-score));
        prop_assert_eq!(scores.mean(0.3), other.mean(-0.3));
        prop_assert_eq!(scores.bounded(Bound::Upper, score), other.bounded(Bound::Lower, -score));
        prop_assert_eq!(scores.window(-score, score, ","), other.window(-score, score, ","));
        prop_assert_eq!(scores.alpha(), other.beta());
        prop_assert_eq!(scores.seen(scores.seen(Bound::Lower)), Bound::Lower);
        let twice = other.seen(scores.seen(score));
        prop_assert_eq!(twice, -score);
    }

    /// In each unit the text has the sign of the value from the view in which it is shown.
    #[test]
    fn the_text_has_the_sign_of_the_value(lens in any_lens(), by in any_side(), mover in any_side(), root in any_side(), later: bool, score in any_score()) {
        // Smaller ones are rounded to nothing in some unit.
        prop_assume!(score.is_decided() || score.raw().abs() > 10);
        let scores = lens.scores(Scale::Logistic, Given { by, mover, root, later });
        let side = match lens.viewpoint {
            Viewpoint::White => Side::White,
            Viewpoint::Root => root,
            _ => mover,
        };
        prop_assert_eq!(scores.side(), side);
        let own = i32::from(score.raw()).signum();
        let seen = if side == by { own } else { -own };
        prop_assert_eq!(sign_of(&scores.score(score)), seen, "{}", scores.score(score));
        prop_assert_eq!(sign_of(&scores.tight().score(score)), seen);
        if !score.is_decided() {
            let mean = scores.mean(Scale::Logistic.expected(score));
            prop_assert_eq!(&mean, &scores.score(score));
        }
    }

    /// A mate is as far off in a sentence about a node as in the row of the move that leads to it.
    #[test]
    fn a_mate_is_as_far_off_in_the_sentence_as_in_the_row(lens in any_lens(), mover in any_side(), root in any_side(), score in any_score()) {
        let row = lens.scores(Scale::Logistic, Given::by(mover, root));
        let node = lens.scores(Scale::Logistic, Given { by: mover.other(), mover, root, later: true });
        prop_assert_eq!(row.score(score.one_ply_up()), node.score(score));
        // What the node can't reach is no end of its window: there the window is open.
        prop_assume!(score.one_ply_down() < Score::WIN);
        prop_assert_eq!(row.window(score, Score::WIN, ","), node.window(Score::LOSS, score.one_ply_down(), ","));
    }

    #[test]
    fn shares_of_games_add_up(mean in -1.0f32..=1.0, sd in 0.0f32..1.0) {
        for outcomes in [Outcomes::of(mean, sd), Outcomes::told(mean, sd)] {
            let Outcomes { win, draw, loss } = outcomes;
            prop_assert!(win >= -1e-6 && draw >= 0.0 && loss >= -1e-6, "{outcomes:?}");
            prop_assert!((win + draw + loss - 1.0).abs() < 1e-5);
            prop_assert!((win - loss - mean).abs() < 1e-5, "{outcomes:?}");
            let whole: Vec<i32> = outcomes.to_string().split('/').map(|n| n.parse().expect("a number")).collect();
            prop_assert_eq!(whole.iter().sum::<i32>(), 100);
            prop_assert!(whole.iter().all(|n| (0..=100).contains(n)));
        }
    }
}

#[test]
fn scores_in_each_unit() {
    let written = |unit, viewpoint| {
        let lens = Lens { unit, viewpoint };
        let given = Given::by(Side::Black, Side::White);
        let scores = lens.scores(Scale::Logistic, given);
        [
            scores.score(Score::new(42)),
            scores.bounded(Bound::Upper, Score::new(42)),
            scores.bounded(Bound::Upper, Score::loss_in(4)),
            scores.tight().mean(0.116),
            scores.outcome(0.0, 0.4, false),
            scores.window(Score::LOSS, Score::new(-100), " to "),
        ]
    };
    assert_eq!(
        written(Unit::Pawns, Viewpoint::White),
        ["−0.42", "≥ −0.42", "≤ #2", "−0.42", "+0.00", "+1.00 to +∞"]
    );
    assert_eq!(
        written(Unit::Expected, Viewpoint::Mover),
        ["+0.12", "≤ +0.12", "≤ −#2", "+.12", "+0.00", "−∞ to −0.27"]
    );
    assert_eq!(
        written(Unit::Outcomes, Viewpoint::Root),
        [
            "20/49/31",
            "≥ 20/49/31",
            "≤ #2",
            "20/49/31",
            "29/42/29",
            "40/47/13 to +∞"
        ]
    );
}

#[test]
fn a_toy_tree_is_seen_by_max_in_its_own_unit() {
    let lens = Lens {
        unit: Unit::Outcomes,
        viewpoint: Viewpoint::Mover,
    };
    let min = lens.scores(toy_scale(), Given::by(Side::Black, Side::Black));
    assert_eq!(
        (min.side(), min.score(Score::new(300))),
        (Side::White, "−3".into())
    );
    assert_eq!(min.mean(0.5), "−10");
    // Reports keep the view of the side to move.
    let report = Lens::OWN.scores(toy_scale(), Given::by(Side::Black, Side::Black));
    assert_eq!(report.score(Score::new(300)), "+3");
}

#[test]
fn a_certain_result_is_not_written_as_pawns() {
    let white = Given::by(Side::White, Side::White);
    let scores = Lens::default().scores(Scale::Logistic, white);
    assert_eq!(
        (scores.mean(1.0), scores.mean(-1.0)),
        ("win".into(), "loss".into())
    );
}
