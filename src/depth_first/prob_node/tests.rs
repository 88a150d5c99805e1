use super::*;
use belief::{Cdf, Density, Grid};
use game::Scale;
use tree::NodeId;

fn toy() -> Bins {
    let scale = Scale::linear(100.0, 6.3);
    Bins::new(&Grid::uniform(), scale)
}

fn chess() -> Bins {
    Bins::new(&Grid::sinh(), Scale::Logistic)
}

/// Normal with sd 1 on a grid whose bin edges are at odd multiples of .1.
fn normal(mean: f32) -> ProbValue {
    let belief = belief(mean);
    ProbValue::wide(&belief, belief.mean(&Grid::uniform()), Bound::Exact, None)
}

fn belief(mean: f32) -> Cdf {
    Density::normal(&Grid::uniform(), mean / 6.3, 1.0 / 6.3).cdf()
}

fn add(max: &mut Maximum, m: u16, child: &ProbValue, bins: &Bins) -> bool {
    max.add(MoveCode(m), child, Score::MIN, bins)
}

fn visit(alpha: Score, beta: Score) -> Visit {
    Visit {
        node: NodeId::NONE,
        ply: 1,
        alpha,
        beta,
        depth: 1,
        on_choices: false,
        improving: false,
        nodes_before: 0,
    }
}

/// All that is known of it is that the other side has at least a loss.
#[test]
fn a_move_that_was_cut_off_proves_no_win() {
    let bins = toy();
    let mut max = Maximum::new(Refuted::Bounded);
    add(&mut max, 0, &normal(-0.1), &bins);
    let lost = |bound| ProbValue::certain(Score::loss_in(2), bound, &bins);
    let cut = ProbValue {
        refuted: true,
        ..lost(Bound::Lower)
    };
    let whole = visit(Score::MIN, Score::MAX);
    max.add(MoveCode(1), &cut, Score::WIN, &bins);
    assert_eq!(max.found(&whole, false, &bins).point, None);
    max.add(MoveCode(2), &lost(Bound::Exact), Score::WIN, &bins);
    let found = max.found(&whole, false, &bins);
    assert_eq!(found.point, Some(Score::win_in(3)));
}

/// Three N(0,1) exceed 0 with probability .875; the maximum of two has mean .564190 and sd .825645.
#[test]
fn golden_maxima_of_normals() {
    let bins = toy();
    let mut max = Maximum::new(Refuted::Bounded);
    for (i, expected) in [0.5, 0.75, 0.875].into_iter().enumerate() {
        // Mean .1 is the upper edge of the middle bin; the child's view is that of the other side.
        add(&mut max, i as u16, &normal(-0.1), &bins);
        let p = max.p_at_least(Score::new(10), &bins);
        assert!((p - expected).abs() < 1e-3, "{p} {expected}");
        if i == 1 {
            let Estimate { mean, sd } = max.estimate(&bins);
            assert!((mean * 6.3 - 0.1 - 0.564_190).abs() < 2e-3, "{mean}");
            // Sheppard's correction: the bin width adds a twelfth of its square to the variance.
            let sd = sd.expect("a spread") * 6.3;
            assert!((sd - (0.825_645f32.powi(2) + 0.04 / 12.0).sqrt()).abs() < 2e-3);
        }
    }
}

#[test]
fn points_in_one_bin_are_told_apart() {
    let bins = chess();
    let mut max = Maximum::new(Refuted::Bounded);
    for (i, value) in [-1, 2, 1].into_iter().enumerate() {
        let child = ProbValue::certain(Score::new(-value), Bound::Exact, &bins);
        add(&mut max, i as u16, &child, &bins);
    }
    assert_eq!(bins.of(Score::new(-1)), bins.of(Score::new(2)));
    assert_eq!(max.best, MoveCode(1));
    assert_eq!(max.reached(0.9, &bins), Score::new(2));
    let p = |bound| max.p_at_least(Score::new(bound), &bins);
    assert_eq!((p(2), p(3)), (1.0, 0.0));
    let bound = |alpha, beta| {
        let at = visit(Score::new(alpha), Score::new(beta));
        max.found(&at, beta <= 2, &bins).bound
    };
    assert_eq!(
        (bound(1, 3), bound(2, 3), bound(0, 2)),
        (Bound::Exact, Bound::Upper, Bound::Lower)
    );
}

#[test]
fn a_point_beside_doubt_counts_for_sure_up_to_itself() {
    let bins = toy();
    let mut max = Maximum::new(Refuted::Bounded);
    add(&mut max, 0, &normal(-0.1), &bins);
    add(
        &mut max,
        1,
        &ProbValue::certain(Score::new(7), Bound::Exact, &bins),
        &bins,
    );
    // From here the child's +.07 is -.07; the mass in the bins .05 wide on either side of the normal's mean is the
    // normal's.
    assert_eq!(max.p_at_least(Score::new(-7), &bins), 1.0);
    assert!((max.p_at_least(Score::new(10), &bins) - 0.5).abs() < 1e-3);
    let found = max.found(&visit(Score::MIN, Score::MAX), false, &bins);
    assert_eq!((found.point, found.bound), (None, Bound::Exact));
    assert_eq!(found.q[30], 0.0);
    assert!((found.q[31] - 0.5).abs() < 1e-3);
}

#[test]
fn mates_keep_their_distance() {
    let bins = chess();
    let exact = |s: Score| ProbValue::certain(s, Bound::Exact, &bins);
    let open = visit(Score::MIN, Score::MAX);
    let mut lost = Maximum::new(Refuted::Bounded);
    add(&mut lost, 1, &exact(Score::win_in(3)), &bins);
    add(&mut lost, 2, &exact(Score::win_in(5)), &bins);
    assert_eq!(
        (lost.best, lost.found(&open, false, &bins).point),
        (MoveCode(2), Some(Score::loss_in(6)))
    );
    let mut won = lost.clone();
    add(&mut won, 3, &exact(Score::loss_in(0)), &bins);
    add(&mut won, 4, &exact(Score::loss_in(2)), &bins);
    add(&mut won, 5, &normal(0.0), &bins);
    let found = won.found(&open, false, &bins);
    assert_eq!(
        (won.best, found.point),
        (MoveCode(3), Some(Score::win_in(1)))
    );
    // A position is lost only if every move loses.
    let mut unclear = lost;
    add(&mut unclear, 3, &normal(0.0), &bins);
    assert_eq!(unclear.found(&open, false, &bins).point, None);
}

/// A move that was cut off although it may be worth more than alpha: what remains above alpha counts as the rule says.
#[test]
fn what_is_left_of_a_refuted_child() {
    let bins = toy();
    // From here N(-1.3, 1): P(worth >= .1) is .0808, P(worth >= -1.1) is .4207.
    let child = |refuted| ProbValue {
        refuted,
        bound: Bound::Lower,
        ..ProbValue::wide(&belief(1.3), 0.0, Bound::Lower, None)
    };
    let (alpha, beta) = (Score::new(-10), Score::new(10));
    let reaches = |rule| {
        let mut max = Maximum::new(rule);
        for i in 0..3 {
            max.add(MoveCode(i), &child(true), alpha, &bins);
        }
        let found = max.found(&visit(alpha, beta), false, &bins);
        let below = found.p_at_most(Score::new(-130), &bins);
        (
            max.p_at_least(beta, &bins),
            found.p_at_least(Score::new(-110), &bins),
            below,
        )
    };
    let close = |a: f32, b: f32| assert!((a - b).abs() < 2e-3, "{a} {b}");
    // From below nothing is known; from above, each child is worth at most what it was, and so reaches -1.3 with
    // probability .5.
    let (at_beta, below_alpha, at_most) = reaches(Refuted::Bounded);
    assert_eq!((at_beta, below_alpha), (0.0, 0.0));
    close(at_most, 0.5f32.powi(3));
    let (at_beta, below_alpha, _) = reaches(Refuted::Truncated);
    assert_eq!(at_beta, 0.0);
    close(below_alpha, 1.0 - (1.0 - 0.4207f32).powi(3));
    let (at_beta, below_alpha, _) = reaches(Refuted::Literal);
    close(at_beta, 1.0 - (1.0 - 0.0808f32).powi(3));
    close(below_alpha, 1.0 - (1.0 - 0.4207f32).powi(3));
}

/// A child that was not cut off counts with what it is at least worth: the opposite bound of its own.
#[test]
fn bounds_change_places_from_child_to_parent() {
    let bins = toy();
    let child = ProbValue {
        bound: Bound::Upper,
        least: belief(0.5).to_f32(),
        most: belief(1.5).to_f32(),
        ..ProbValue::wide(&belief(1.0), 0.0, Bound::Exact, None)
    };
    let mut max = Maximum::new(Refuted::Bounded);
    add(&mut max, 0, &child, &bins);
    // Its value is at most N(1.5, 1): from here it is at least N(-1.5, 1), and at most N(-.5, 1).
    let found = max.found(&visit(Score::MIN, Score::MAX), false, &bins);
    let close = |a: f32, b: f32| assert!((a - b).abs() < 2e-3, "{a} {b}");
    close(found.p_at_least(Score::new(-150), &bins), 0.5);
    close(found.p_at_most(Score::new(-50), &bins), 0.5);
    // Moves that were left out may be worth anything.
    let cut = max.found(&visit(Score::MIN, Score::new(-190)), true, &bins);
    assert_eq!(cut.p_at_most(Score::new(600), &bins), 0.0);
}

/// The best point counts with its own value, not with the centre of its bin.
#[test]
fn a_value_that_nothing_else_reaches_is_its_own_mean() {
    let bins = toy();
    let mut max = Maximum::new(Refuted::Bounded);
    add(&mut max, 0, &normal(5.9), &bins);
    let point = ProbValue::certain(Score::new(-37), Bound::Exact, &bins);
    add(&mut max, 1, &point, &bins);
    let found = max.found(&visit(Score::MIN, Score::MAX), false, &bins);
    assert_eq!((found.point, found.score(&bins)), (None, Score::new(37)));
    assert_eq!((max.best, max.best_value()), (MoveCode(1), Score::new(37)));
}
