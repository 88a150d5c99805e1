//! Compares the fast back-up with the plain formulas in `f64`, and checks what must hold for any back-up.

use belief::{BINS, BackUp, Cdf, Density, Grid, LANES, ONE, Path, Rule, Ties, reference as exact};
use proptest::prelude::*;

/// A child's belief: wide and narrow leaves, atoms (mostly draws), proofs, arbitrary steps, leaves cut by proofs.
fn child() -> impl Strategy<Value = Cdf> {
    let logistic = (-3.0f32..3.0, 0.03f32..1.2)
        .prop_map(|(mean, tau)| Density::logistic(&Grid::sinh(), mean, tau).cdf());
    let steps = prop::collection::vec(0u16..=ONE, BINS).prop_map(|mut steps| {
        steps.sort_unstable();
        let mut lanes = [0; LANES];
        lanes[..BINS].copy_from_slice(&steps);
        lanes[BINS - 1] = ONE;
        Cdf(lanes)
    });
    let cut = (-1.0f32..1.0, 0..BINS, 0..BINS).prop_map(|(mean, a, b)| {
        let whole = Density::logistic(&Grid::sinh(), mean, 0.5).cdf();
        whole.clamp_to(a.min(b), a.max(b))
    });
    prop_oneof![
        6 => logistic,
        2 => (0..BINS).prop_map(Cdf::atom),
        1 => Just(Cdf::atom(31)),
        1 => steps,
        1 => cut,
    ]
}

fn children(most: usize) -> impl Strategy<Value = Vec<Cdf>> {
    prop::collection::vec(child(), 1..=most)
}

/// Leaves as in a search, without atoms.
fn leaves(most: usize) -> impl Strategy<Value = Vec<Cdf>> {
    let leaf = (-1.5f32..1.5, 0.2f32..0.7)
        .prop_map(|(mean, tau)| Density::logistic(&Grid::sinh(), mean, tau).cdf());
    prop::collection::vec(leaf, 2..=most)
}

fn rule() -> impl Strategy<Value = Rule> {
    prop_oneof![
        Just(Rule::Optimal),
        Just(Rule::Pick),
        (0.0f32..=1.0).prop_map(Rule::Constant),
        Just(Rule::Entropy),
        Just(Rule::InverseEffective),
        Just(Rule::EffectiveShare),
        (0.1f32..5.0).prop_map(Rule::Exponential),
        (0.0f32..=1.0).prop_map(Rule::Frechet),
        Just(Rule::CuadrasAuge(0.5)),
        (0.0f32..=1.0).prop_map(Rule::CuadrasAuge),
        (1.0f32..=30.0).prop_map(Rule::Gumbel),
    ]
}

fn masses(cdf: &Cdf) -> Vec<f64> {
    let steps = cdf.0[..BINS].iter();
    let q: Vec<f64> = steps.map(|&c| f64::from(c) / f64::from(ONE)).collect();
    exact::differences(&q)
}

fn run(rule: Rule, ties: Ties, children: &[Cdf]) -> (Cdf, Vec<f32>) {
    let mut policy = vec![0.0; children.len()];
    let out = BackUp::new(rule, ties).run(children, &mut policy);
    (out, policy)
}

fn furthest(found: &[f32], expected: &[f64]) -> f64 {
    let off = found
        .iter()
        .zip(expected)
        .map(|(&f, e)| (f64::from(f) - e).abs());
    off.fold(0.0, f64::max)
}

/// The largest difference between a stored CDF and a distribution given by masses.
fn cdf_error(found: &Cdf, expected: &[f64]) -> f64 {
    furthest(&found.to_f32()[..BINS], &exact::cdf(expected))
}

/// The allowed error of a result: half a step of 1/65535, plus the `f32` error of the product.
const STEP: f64 = 1.2e-5;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn essay_back_up_is_the_reference(rule in rule(), children in children(40)) {
        let (found, policy) = run(rule, Ties::Essay, &children);
        let kids: Vec<_> = children.iter().map(masses).collect();
        let (expected, shares) = exact::back_up(rule, Ties::Essay, &kids);
        prop_assert!(furthest(&policy, &shares) < 2e-6, "{policy:?} {shares:?}");
        let error = cdf_error(&found, &expected);
        prop_assert!(error < STEP, "{error}");
    }

    /// The fast form of split ties only changes the policy. Dependent maxima do not use the policy, and the error of a
    /// blend comes from it.
    #[test]
    fn split_back_up_is_the_reference(rule in rule(), children in children(40)) {
        let (found, policy) = run(rule, Ties::Split, &children);
        let kids: Vec<_> = children.iter().map(masses).collect();
        let (result, shares) = exact::back_up(rule, Ties::Split, &kids);
        let off = furthest(&policy, &shares);
        prop_assert!(off < 0.03, "{off}");
        let expected = if rule.is_blend() {
            let policy: Vec<f64> = policy.iter().map(|&p| f64::from(p)).collect();
            let b = exact::blend(rule, &policy).unwrap();
            let pick = exact::mixture(&policy, &kids);
            exact::mixture(&[b, 1.0 - b], &[exact::maximum(&kids), pick])
        } else {
            result
        };
        let error = cdf_error(&found, &expected);
        prop_assert!(error < STEP, "{error}");
    }

    #[test]
    fn split_policy_of_leaves_is_nearly_exact(children in leaves(60)) {
        let (_, policy) = run(Rule::default(), Ties::Split, &children);
        let kids: Vec<_> = children.iter().map(masses).collect();
        let off = furthest(&policy, &exact::policy(&kids, Ties::Split));
        prop_assert!(off < 1.5e-3, "{off}");
    }

    #[test]
    fn every_path_gives_the_same_bits(rule in rule(), children in children(60)) {
        for ties in [Ties::Split, Ties::Essay] {
            let results = Path::all().into_iter().map(|path| {
                let mut policy = vec![0.0f32; children.len()];
                let out = BackUp::with_path(rule, ties, path).run(&children, &mut policy);
                (out, policy.iter().map(|p| p.to_bits()).collect::<Vec<_>>())
            });
            let results: Vec<_> = results.collect();
            for other in &results[1..] {
                prop_assert_eq!(other, &results[0]);
            }
        }
    }

    #[test]
    fn what_stands_in_the_last_lane_is_ignored(children in children(20), junk in any::<u16>()) {
        let mut marked = children.clone();
        for child in &mut marked {
            child.0[BINS] = junk;
        }
        for rule in Rule::EXAMPLES {
            prop_assert_eq!(run(rule, Ties::Split, &marked), run(rule, Ties::Split, &children));
        }
    }

    #[test]
    fn any_back_up_is_a_belief_and_a_policy(rule in rule(), children in children(60)) {
        for ties in [Ties::Split, Ties::Essay] {
            let (out, policy) = run(rule, ties, &children);
            prop_assert!(out.0[..BINS].windows(2).all(|w| w[0] <= w[1]));
            prop_assert_eq!((out.0[BINS - 1], out.0[BINS]), (ONE, 0));
            prop_assert!(policy.iter().all(|&p| (0.0..=1.000_001).contains(&p)));
            let total: f32 = policy.iter().sum();
            prop_assert!((total - 1.0).abs() < 1e-5, "{total}");
        }
    }

    #[test]
    fn order_does_not_matter(rule in rule(), children in children(30), by in 0usize..30) {
        let turn = by % children.len();
        let mut turned = children.clone();
        turned.rotate_left(turn);
        let (a, mut policy) = run(rule, Ties::Split, &children);
        let (b, turned) = run(rule, Ties::Split, &turned);
        policy.rotate_left(turn);
        for (a, b) in a.0.iter().zip(&b.0) {
            prop_assert!(a.abs_diff(*b) <= 1);
        }
        for (a, b) in policy.iter().zip(&turned) {
            prop_assert!((a - b).abs() < 2e-6);
        }
    }

    #[test]
    fn one_child_is_returned(rule in rule(), child in child()) {
        let (out, policy) = run(rule, Ties::Split, &[child]);
        prop_assert_eq!(out, child);
        prop_assert_eq!(policy, vec![1.0]);
    }

    #[test]
    fn the_best_is_at_least_the_pick(children in children(40)) {
        let grid = Grid::sinh();
        let detail = BackUp::new(Rule::default(), Ties::Split).detail(&children);
        let highest = children.iter().map(|c| c.mean(&grid)).fold(-1.0, f32::max);
        prop_assert!(detail.r_opt.mean(&grid) >= highest - 2e-5);
        prop_assert!(detail.r_pick.mean(&grid) <= highest + 2e-5);
        let counts = 0.999..=children.len() as f32 + 0.001;
        prop_assert!(counts.contains(&detail.maximisers) && counts.contains(&detail.n_eff));
        let (result, policy) = run(Rule::default(), Ties::Split, &children);
        prop_assert_eq!((detail.result, detail.policy), (result, policy));
    }

    #[test]
    fn rules_meet_at_their_ends(children in children(30)) {
        let best = run(Rule::Optimal, Ties::Split, &children).0;
        let same = [Rule::Gumbel(1.0), Rule::Frechet(0.0), Rule::CuadrasAuge(0.0), Rule::Constant(1.0)];
        for rule in same {
            let other = run(rule, Ties::Split, &children).0;
            for (a, b) in best.0.iter().zip(&other.0) {
                prop_assert!(a.abs_diff(*b) <= 1, "{rule}");
            }
        }
        let least = run(Rule::Frechet(1.0), Ties::Split, &children).0;
        let other = run(Rule::CuadrasAuge(1.0), Ties::Split, &children).0;
        for bin in 0..BINS {
            let min = children.iter().map(|c| c.0[bin]).min().unwrap();
            prop_assert!(least.0[bin].abs_diff(min) <= 1 && other.0[bin].abs_diff(min) <= 1);
        }
    }
}

/// A seeded set of leaves, optionally with draws among them.
fn seeded(count: usize, draws: bool) -> Vec<Density> {
    let grid = Grid::sinh();
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let mut child = |i: usize| {
        let (mean, tau) = (1.5 * next(), 0.4 + 0.3 * next());
        match i % 4 {
            3 if draws => Density::atom(31),
            _ => Density::logistic(&grid, mean, tau),
        }
    };
    (0..count).map(&mut child).collect()
}

#[test]
fn the_longest_move_list_loses_nothing() {
    for (count, draws) in [(218, false), (218, true), (100, true), (61, false)] {
        let children: Vec<Cdf> = seeded(count, draws).iter().map(Density::cdf).collect();
        let kids: Vec<_> = children.iter().map(masses).collect();
        let by_distributions = |r: &Rule| !r.is_precursor() && *r != Rule::BestChild;
        for rule in Rule::EXAMPLES.into_iter().filter(by_distributions) {
            let (found, policy) = run(rule, Ties::Essay, &children);
            let (expected, shares) = exact::back_up(rule, Ties::Essay, &kids);
            assert!(furthest(&policy, &shares) < 1e-6, "{rule}");
            assert!(cdf_error(&found, &expected) < 2e-5, "{rule}");
        }
    }
}

/// By hand: of three moves the one with the highest mean, whatever its spread, and the first of two that are alike.
#[test]
fn the_best_child_has_the_highest_mean() {
    let grid = Grid::sinh();
    let leaf = |mean: f32, tau: f32| Density::logistic(&grid, mean, tau).cdf();
    let (wide, good, narrow) = (leaf(0.1, 0.9), leaf(0.2, 0.4), leaf(0.15, 0.1));
    let (found, policy) = run(Rule::BestChild, Ties::Split, &[wide, good, narrow]);
    assert_eq!(found, good);
    let usual = run(Rule::default(), Ties::Split, &[wide, good, narrow]).1;
    assert_eq!(policy, usual);
    let (found, _) = run(Rule::BestChild, Ties::Split, &[narrow, wide]);
    assert_eq!(found, narrow);
    let line = exact::Line {
        lo: -1.0,
        hi: 1.0,
        bins: 5,
    };
    let children = [
        vec![0.0, 0.25, 0.5, 0.25, 0.0],
        vec![0.2; 5],
        vec![0.0, 0.0, 0.9, 0.1, 0.0],
    ];
    let (node, _) = line.back_up(Rule::BestChild, Ties::Split, &children);
    assert_eq!(node, children[2]);
}

/// The error caused by storing CDFs in 16 bits, for N = 30.
#[test]
fn sixteen_bits_are_enough() {
    let children = seeded(30, false);
    let masses = |d: &Density| d.0[..BINS].iter().map(|&p| f64::from(p)).collect();
    let kids: Vec<Vec<f64>> = children.iter().map(masses).collect();
    let stored: Vec<Cdf> = children.iter().map(Density::cdf).collect();
    let (found, policy) = run(Rule::Optimal, Ties::Essay, &stored);
    assert!(cdf_error(&found, &exact::maximum(&kids)) <= 4.9e-5);
    assert!(furthest(&policy, &exact::policy(&kids, Ties::Essay)) <= 1.1e-5);
}

#[test]
fn ties_are_split_or_drowned_in() {
    // One move N(0, .25) in expected score against k draws.
    let grid = Grid::uniform();
    for (k, essay, split) in [(1, 0.5, 0.5), (5, 0.167, 0.483), (20, 0.048, 0.477)] {
        let mut children = vec![Density::normal(&grid, 0.0, 0.25).cdf()];
        children.extend(std::iter::repeat_n(Cdf::atom(31), k));
        let found = run(Rule::default(), Ties::Essay, &children).1[0];
        assert!((found - essay).abs() < 5e-4, "{k}: {found}");
        let found = run(Rule::default(), Ties::Split, &children).1[0];
        println!("{k} draws: {found}, exact {split}");
        assert!((found - split).abs() < 4e-3, "{k}: {found}");
    }
}

#[test]
fn equally_good_children_share_alike() {
    for n in [2, 3, 30, 218] {
        let leaf = seeded(1, false)[0].cdf();
        for child in [Cdf::atom(0), Cdf::atom(31), Cdf::atom(62), leaf] {
            for ties in [Ties::Split, Ties::Essay] {
                let (_, policy) = run(Rule::default(), ties, &vec![child; n]);
                for share in policy {
                    assert!((share * n as f32 - 1.0).abs() < 1e-5);
                }
            }
        }
        let detail = BackUp::new(Rule::Entropy, Ties::Essay).detail(&vec![Cdf::atom(31); n]);
        assert!((detail.maximisers - n as f32).abs() < 1e-3);
        assert!((detail.n_eff - n as f32).abs() < 1e-3 * n as f32);
        assert_eq!(detail.result, Cdf::atom(31));
    }
}

#[test]
fn proofs_decide() {
    let leaf = seeded(1, false)[0].cdf();
    // Normal distributions have no mass at a certain win.
    for rule in Rule::EXAMPLES.into_iter().filter(|r| !r.is_precursor()) {
        let (out, policy) = run(rule, Ties::Split, &[leaf, Cdf::atom(62), Cdf::atom(0)]);
        assert_eq!(policy, vec![0.0, 1.0, 0.0], "{rule}");
        assert_eq!(out, Cdf::atom(62), "{rule}");
        let (out, policy) = run(rule, Ties::Split, &[leaf, Cdf::atom(0)]);
        assert_eq!(policy, vec![1.0, 0.0], "{rule}");
        if rule.is_blend() || matches!(rule, Rule::Gumbel(_)) {
            assert_eq!(out, leaf, "{rule}");
        }
    }
    assert_eq!(run(Rule::default(), Ties::Split, &[]).0, Cdf::atom(0));
}
