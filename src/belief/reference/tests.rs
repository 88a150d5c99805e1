//! Golden values of beliefs, back-ups, criticality and the product of distributions, computed independently of this
//! code.

use super::*;

fn close(found: f64, expected: f64, error: f64) {
    assert!(
        (found - expected).abs() <= error,
        "{found}, expected {expected}"
    );
}

fn all_close(found: &[f64], expected: &[f64], error: f64) {
    assert_eq!(found.len(), expected.len());
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= error, "{found:?}, expected {expected:?}");
    }
}

fn five_bins() -> Vec<Vec<f64>> {
    vec![
        vec![0.0, 0.25, 0.5, 0.25, 0.0],
        vec![0.2; 5],
        vec![0.0, 0.0, 1.0, 0.0, 0.0],
    ]
}

const FINE: Line = Line {
    lo: -10.0,
    hi: 10.0,
    bins: 8001,
};

#[test]
fn the_example_of_five_bins() {
    let children = five_bins();
    all_close(&worth(&children, Ties::Essay), &[0.5, 0.55, 0.45], 1e-12);
    all_close(
        &policy(&children, Ties::Essay),
        &[1.0 / 3.0, 0.55 / 1.5, 0.3],
        1e-12,
    );
    all_close(
        &worth(&children, Ties::Split),
        &[0.30833, 0.43333, 0.25833],
        5e-6,
    );
    all_close(&maximum(&children), &[0.0, 0.0, 0.45, 0.35, 0.2], 1e-12);
    let policy = policy(&children, Ties::Essay);
    let pick = mixture(&policy, &children);
    all_close(&pick, &[0.07333, 0.15667, 0.54, 0.15667, 0.07333], 5e-6);
    close(entropy(&policy), 1.09527, 5e-6);
    close(
        blend(Rule::Exponential(1.5), &policy).unwrap(),
        0.80658,
        5e-6,
    );
}

#[test]
fn ties_are_split_or_drowned_in() {
    for (k, essay, split) in [(1, 0.5, 0.5), (5, 0.167, 0.483), (20, 0.048, 0.477)] {
        // One move N(0, .25) against k draws, on the 63 bins of the source's figures.
        let line = Line {
            lo: -1.0,
            hi: 1.0,
            bins: 63,
        };
        let mut children = vec![line.normal(0.0, 0.25)];
        children.extend(std::iter::repeat_n(line.atom(0.0), k));
        close(policy(&children, Ties::Essay)[0], essay, 5e-4);
        close(policy(&children, Ties::Split)[0], split, 5e-4);
        close(worth(&children, Ties::Split).iter().sum(), 1.0, 1e-12);
    }
}

#[test]
fn maxima_of_normals() {
    let n = FINE.normal(0.0, 1.0);
    let two = maximum(&[n.clone(), n.clone()]);
    close(FINE.mean(&two), 0.564_190, 2e-6);
    close(FINE.sd(&two), 0.825_645, 2e-6);
    let three = vec![n.clone(), n.clone(), n.clone()];
    // Half of the middle bin lies above 0.
    let above = |m: &[f64]| 1.0 - cdf(m)[4000] + 0.5 * m[4000];
    close(above(&maximum(&three)), 0.875, 1e-6);
    let (gumbel, _) = back_up(Rule::Gumbel(2.0), Ties::Split, &three);
    close(above(&gumbel), 0.69898, 5e-6);
    let (one, _) = back_up(Rule::Gumbel(1.0), Ties::Split, &three);
    all_close(&one, &maximum(&three), 1e-12);
}

#[test]
fn figure_one_of_probabilistic_alpha_beta() {
    let leaf = |x: f64| FINE.normal(x, 1.0);
    let a = maximum(&[leaf(1.2), leaf(-5.0)]);
    let b = maximum(&[leaf(1.1), leaf(1.0)]);
    let c = minimum(&[a.clone(), leaf(4.0)]);
    let d = minimum(&[b.clone(), leaf(1.3)]);
    let root = maximum(&[c.clone(), d.clone()]);
    let nodes = [&a, &b, &c, &d, &root];
    let means = nodes.map(|n| FINE.mean(n));
    let sds = nodes.map(|n| FINE.sd(n));
    all_close(&means, &[1.2000, 1.6156, 1.1873, 0.9260, 1.5663], 6e-5);
    all_close(&sds, &[1.0000, 0.8262, 0.9820, 0.7758, 0.7386], 6e-5);
    close(exceeds(&b, &a), 0.6238, 6e-5);
    close(exceeds(&d, &c), 0.4186, 6e-5);
    let strong = maximum(&[leaf(1.3), leaf(1.3)]);
    let d = minimum(&[b, strong]);
    close(FINE.mean(&d), 1.2640, 6e-5);
    close(exceeds(&d, &c), 0.5239, 6e-5);
}

#[test]
fn value_of_perfect_information() {
    let line = Line {
        lo: -2.0,
        hi: 2.0,
        bins: 8001,
    };
    let children: Vec<Vec<f64>> = [(0.3, 0.04), (0.1, 0.09), (-0.2, 0.01f64)]
        .map(|(s, v)| line.normal(s, v.sqrt()))
        .to_vec();
    let vpi = line.vpi(&children);
    close(vpi[0], 0.016_663, 1e-6);
    close(vpi[1], 0.045_336, 1e-6);
    close(vpi[2], 5.3e-9, 1e-10);
    close(line.mean(&maximum(&children)) - 0.3, 0.065_639, 1e-6);
    all_close(
        &policy(&children, Ties::Split),
        &[0.70785, 0.28862, 0.00352],
        6e-6,
    );
}

#[test]
fn quadrature_is_exact_for_its_degree() {
    for points in [1, 2, 8, 109] {
        let rule = gauss_legendre(points);
        let degree = 2 * points as i32 - 1;
        let integral: f64 = rule.iter().map(|(t, w)| w * t.powi(degree)).sum();
        close(integral, 1.0 / f64::from(degree + 1), 1e-13);
    }
}
