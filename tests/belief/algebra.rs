//! Densities and stored CDFs: negation, moments, conditioning.

use belief::{BINS, Cdf, Density, Grid, LANES, ONE, Running, expected_max, vpi};
use proptest::prelude::*;

fn cdf() -> impl Strategy<Value = Cdf> {
    prop::collection::vec(0u16..=ONE, BINS).prop_map(|mut steps| {
        steps.sort_unstable();
        let mut lanes = [0; LANES];
        lanes[..BINS].copy_from_slice(&steps);
        lanes[BINS - 1] = ONE;
        Cdf(lanes)
    })
}

proptest! {
    #[test]
    fn twice_negated_is_the_same_bit_for_bit(c in cdf()) {
        prop_assert_eq!(c.negated().negated(), c);
        prop_assert_eq!(c.density().negated().negated(), c.density());
        prop_assert_eq!(c.density().negated().cdf(), c.negated());
    }

    #[test]
    fn negation_turns_the_mean_and_keeps_the_sd(c in cdf()) {
        for grid in [Grid::sinh(), Grid::uniform()] {
            prop_assert!((c.mean(&grid) + c.negated().mean(&grid)).abs() < 1e-6);
            prop_assert!((c.sd(&grid) - c.negated().sd(&grid)).abs() < 1e-5);
            prop_assert!((c.mean(&grid) - c.density().mean(&grid)).abs() < 1e-5);
            for p in [0.05, 0.3, 0.5, 0.9] {
                let (a, b) = (c.quantile(p, &grid), -c.negated().quantile(1.0 - p, &grid));
                // Where the CDF is nearly flat, any score in the gap is nearly the quantile.
                let mass = c.density().0[grid.bin_of(a)];
                prop_assert!(mass < 1e-3 || (a - b).abs() < 1e-3, "{p} {a} {b}");
            }
        }
    }

    #[test]
    fn storing_a_density_and_back_loses_nothing_stored(c in cdf()) {
        prop_assert_eq!(c.density().cdf(), c);
        prop_assert_eq!(Cdf::from_f32(&c.to_f32()), c);
        for bin in 1..BINS {
            let above: f32 = c.density().0[bin..].iter().sum();
            prop_assert!((c.p_at_least(bin) - above).abs() < 1e-5);
        }
    }

    #[test]
    fn a_cut_belief_keeps_to_its_bounds(c in cdf(), a in 0..BINS, b in 0..BINS) {
        let (lo, hi) = (a.min(b), a.max(b));
        let cut = c.density().clamp_to(lo, hi);
        let total: f32 = cut.0.iter().sum();
        prop_assert!((total - 1.0).abs() < 1e-5);
        prop_assert!(cut.0.iter().enumerate().all(|(i, &p)| p == 0.0 || (lo..=hi).contains(&i)));
        prop_assert_eq!(c.clamp_to(lo, hi).p_at_least(lo), 1.0);
        prop_assert_eq!(c.clamp_to(lo, hi).p_at_least(hi + 1), 0.0);
        prop_assert_eq!(c.clamp_to(0, BINS - 1), c);
        for (a, b) in c.clamp_to(lo, hi).0.iter().zip(&cut.cdf().0) {
            prop_assert!(a.abs_diff(*b) <= 1);
        }
    }

    #[test]
    fn an_atom_is_never_blurred(bin in 0..BINS, a in 0..BINS, b in 0..BINS) {
        let (lo, hi) = (a.min(b), a.max(b));
        let (atom, moved) = (Cdf::atom(bin), bin.clamp(lo, hi));
        prop_assert_eq!(atom.clamp_to(lo, hi), Cdf::atom(moved));
        prop_assert_eq!(atom.density().clamp_to(lo, hi), Density::atom(moved));
        prop_assert_eq!((atom.is_atom(), atom.negated().is_atom()), (Some(bin), Some(BINS - 1 - bin)));
        prop_assert_eq!(atom.density(), Density::atom(bin));
        let grid = Grid::sinh();
        prop_assert_eq!((atom.mean(&grid), atom.sd(&grid)), (grid.centres()[bin], 0.0));
        prop_assert_eq!(atom.quantile(0.3, &grid), grid.centres()[bin]);
    }

    #[test]
    fn running_maximum_is_the_product(list in prop::collection::vec(cdf(), 1..20)) {
        let mut running = Running::new();
        let mut product = [1.0f64; BINS];
        for c in &list {
            running.multiply(c);
            for (p, q) in product.iter_mut().zip(&c.0) {
                *p *= f64::from(*q) / f64::from(ONE);
            }
        }
        for (found, expected) in running.q.iter().zip(product) {
            prop_assert!((f64::from(*found) - expected).abs() < 2e-6);
        }
        let grid = Grid::sinh();
        let best = list.iter().map(|c| c.mean(&grid)).fold(-1.0, f32::max);
        prop_assert!(expected_max(&list, &grid) >= best - 1e-5);
        if let [a, b, ..] = list[..] {
            let mut pair = Running::new();
            pair.multiply(&a);
            pair.multiply(&b);
            for (x, y) in pair.cdf().0.iter().zip(&a.max(&b).0) {
                prop_assert!(x.abs_diff(*y) <= 1);
            }
        }
    }

    #[test]
    fn knowledge_is_never_worth_less_than_nothing(list in prop::collection::vec(cdf(), 1..12)) {
        let grid = Grid::sinh();
        let worth = vpi(&list, &grid);
        let best = list.iter().map(|c| c.mean(&grid)).fold(-1.0, f32::max);
        let all = expected_max(&list, &grid) - best;
        // Knowing one child is worth no more than knowing all of them.
        prop_assert!(worth.iter().all(|&w| w >= 0.0 && w <= all + 2e-5), "{worth:?} {all}");
    }
}

#[test]
fn leaves_have_the_moments_asked_for() {
    let toy = Grid::uniform();
    for (mean, sd) in [(0.0, 0.1), (0.3, 0.15), (-0.5, 0.12)] {
        let leaf = Density::normal(&toy, mean, sd);
        // The centres represent bins of width w, which adds w^2/12 to the variance.
        let width = 2.0 / BINS as f32;
        let binned = (sd * sd + width * width / 12.0).sqrt();
        assert!((leaf.mean(&toy) - mean).abs() < 1e-4);
        assert!((leaf.sd(&toy) - binned).abs() < 1e-4);
        assert!((leaf.quantile(0.5, &toy) - mean).abs() < 2e-3);
    }
    let chess = Grid::sinh();
    for mean in [-2.0f32, 0.0, 0.7] {
        let leaf = Density::logistic(&chess, mean, 0.3);
        assert!((leaf.quantile(0.5, &chess) - (0.5 * mean).tanh()).abs() < 5e-3);
        assert_eq!((leaf.0[0], leaf.0[BINS - 1]), (0.0, 0.0));
        let normal = Density::normal_logit(&chess, mean, 0.3);
        assert_eq!(normal, Density::normal(&chess, mean, 0.3));
        assert!(normal.entropy() < leaf.entropy());
        assert!(leaf.entropy() < Density::uniform().entropy());
    }
    assert_eq!(Density::normal(&chess, 0.0, 0.0), Density::atom(31));
}

#[test]
fn mixtures_weigh_their_parts() {
    let parts = [Density::atom(10), Density::atom(50)];
    let mixed = Density::mixture(&[3.0, 1.0], &parts).unwrap();
    assert_eq!((mixed.0[10], mixed.0[50]), (0.75, 0.25));
    assert!((mixed.entropy() - 0.562_335).abs() < 1e-5);
    assert_eq!(Density::mixture(&[0.0, 0.0], &parts), None);
}
