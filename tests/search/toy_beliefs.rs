//! Beliefs of toy trees against numerical integration, which shares nothing with the bins.

use algorithms::Algorithm;
use belief::Cdf;
use common::{Run, nodes};
use game::load::toy_tree;
use game::{Scale, Situation, ToyPosition};
use proptest::prelude::*;
use std::sync::Arc;
use tree::Tree;

/// A distribution function at the same places for all nodes.
#[derive(Clone)]
struct Function(Vec<f64>);

/// A leaf, or the least of some leaves.
#[derive(Clone, Debug)]
enum Child {
    Leaf(f32, f32),
    Least(Vec<(f32, f32)>),
}

impl Child {
    fn leaves(&self) -> Vec<(f32, f32)> {
        match self {
            Child::Leaf(value, sd) => vec![(*value, *sd)],
            Child::Least(leaves) => leaves.clone(),
        }
    }

    fn function(&self, places: &[f64]) -> Function {
        let above = |x: f64| {
            self.leaves()
                .iter()
                .map(|&leaf| 1.0 - below(leaf, x))
                .product::<f64>()
        };
        Function(places.iter().map(|&x| 1.0 - above(x)).collect())
    }
}

/// P(leaf <= x).
fn below((value, sd): (f32, f32), x: f64) -> f64 {
    use statrs::distribution::{ContinuousCDF, Normal};
    let value = f64::from(value);
    match sd > 0.0 {
        true => Normal::new(value, sd.into()).expect("a spread").cdf(x),
        false => f64::from(u8::from(x >= value)),
    }
}

/// The mean and the standard deviation of the largest child, and the probability of each to be the largest.
fn integrated(children: &[Child]) -> (f64, f64, Vec<f64>) {
    let mut places = Vec::new();
    for (value, sd) in children.iter().flat_map(Child::leaves) {
        let (value, sd) = (f64::from(value), f64::from(sd));
        match sd > 0.0 {
            true => places.extend((-4000..=4000).map(|i| value + sd * f64::from(i) / 500.0)),
            false => places.extend([value - 1e-9, value]),
        }
    }
    places.sort_by(f64::total_cmp);
    places.dedup();
    let functions: Vec<Function> = children.iter().map(|c| c.function(&places)).collect();
    let product = |i: usize, without: Option<usize>| -> f64 {
        let others = functions.iter().enumerate();
        let others = others.filter(|(j, _)| Some(*j) != without);
        others.map(|(_, f)| f.0[i]).product()
    };
    // The moments by parts, from the upper end, of what lies below it.
    let end = places[places.len() - 1];
    let (mut first, mut second) = (0.0, 0.0);
    for (i, w) in places.windows(2).enumerate() {
        let below = (w[1] - w[0]) * 0.5 * (product(i, None) + product(i + 1, None));
        first += below;
        second += 2.0 * (end - 0.5 * (w[0] + w[1])) * below;
    }
    let sd = (second - first * first).max(0.0).sqrt();
    let best = |c: usize| -> f64 {
        let steps = (0..places.len() - 1).map(|i| {
            let others = 0.5 * (product(i, Some(c)) + product(i + 1, Some(c)));
            (functions[c].0[i + 1] - functions[c].0[i]) * others
        });
        functions[c].0[0] * product(0, Some(c)) + steps.sum::<f64>()
    };
    (end - first, sd, (0..children.len()).map(best).collect())
}

fn text(children: &[Child]) -> String {
    let leaf = |(value, sd): (f32, f32)| match sd > 0.0 {
        true => format!("{value} ± {sd}"),
        false => value.to_string(),
    };
    let mut text = "max\n".to_owned();
    for (i, child) in children.iter().enumerate() {
        match child {
            Child::Leaf(value, sd) => text += &format!("c{i} {}\n", leaf((*value, *sd))),
            Child::Least(leaves) => {
                text += &format!("c{i}\n");
                for (j, &l) in leaves.iter().enumerate() {
                    text += &format!("  c{i}-{j} {}\n", leaf(l));
                }
            }
        }
    }
    text
}

/// Searches a tree to its end, with the plain distribution of the best move and these options besides, and returns the
/// root's mean in the file's unit, its policy, and its moves' means.
fn searched(children: &[Child], others: &[(&str, &str)]) -> (f64, Vec<f64>, Vec<f64>) {
    let tree = toy_tree::parse(&text(children)).expect("a tree").tree;
    let situation = Situation::new(ToyPosition::root(Arc::new(tree)));
    let mut options = Algorithm::Distress.default_options();
    let plain = [("backup", "r-opt"), ("allocation", "ucb")];
    for (key, value) in plain.iter().chain(others) {
        options.set(key, value).expect("an option");
    }
    let run: Run = common::run(
        Algorithm::Distress,
        &situation,
        &eval::ToyEvaluator,
        &options,
        nodes(100_000),
        64 << 20,
    );
    let Scale::Linear(axis) = run.tree.scale() else {
        panic!("a toy tree");
    };
    let belief = run.tree.belief(Tree::ROOT).expect("a belief");
    let in_units = |belief: &Cdf| f64::from(belief.mean(run.tree.grid()) * axis.range());
    let (mut policy, mut means) = (vec![0.0; children.len()], vec![0.0; children.len()]);
    for child in run.tree.children(Tree::ROOT) {
        let node = run.tree.node(child);
        let i = usize::from(node.move_code().0);
        policy[i] = node.policy().into();
        // A child of Max sees its value the other way round.
        means[i] = -in_units(&run.tree.belief(child).expect("a belief"));
    }
    (in_units(&belief), policy, means)
}

/// Whether a search has the policy of the integration, and its means within .005 of the range of the leaders, which come
/// first. Where the root's own value may be further away, that is its range.
fn agree(children: &[Child], leaders: usize, range: f64, policies: f64) -> Result<(), String> {
    let (mean, sd, best) = integrated(children);
    let each = children[..leaders].iter();
    let each: Vec<f64> = each
        .map(|child| integrated(std::slice::from_ref(child)).0)
        .collect();
    let (found, policy, means) = searched(children, &[]);
    let near = |a: f64, b: f64| (a - b).abs() <= 0.005;
    let same = best
        .iter()
        .zip(&policy)
        .all(|(&a, &b)| (a - b).abs() <= policies)
        && (0..leaders).all(|i| best[i] < 0.01 || near(each[i] / range, means[i] / range))
        && near(mean / range.max(4.0 * sd), found / range.max(4.0 * sd));
    match same {
        true => Ok(()),
        false => Err(format!(
            "{}\n{found} with {policy:.4?} of {means:.4?}, by integration {mean} with {best:.4?} of {each:.4?}",
            text(children)
        )),
    }
}

fn leaders() -> Vec<Child> {
    vec![
        Child::Leaf(1.0, 0.1),
        Child::Least(vec![(1.3, 0.1), (1.4, 0.1)]),
    ]
}

#[test]
fn a_far_leaf_does_not_change_what_is_near() {
    let (mean, _, best) = integrated(&leaders());
    assert!(
        (mean - 1.2812).abs() < 2e-3 && (best[1] - 0.981).abs() < 1e-3,
        "{mean} {best:?}"
    );
    agree(&leaders(), 2, 0.4, 0.005).expect("alone");
    for far in [
        Child::Leaf(-5.0, 5.0),
        Child::Leaf(-100.0, 0.0),
        Child::Leaf(-8.0, 0.5),
        Child::Leaf(-30_000.0, 0.0),
        Child::Leaf(-1e6, 1e4),
        Child::Least(vec![(100.0, 0.0), (-77.25, 3.0)]),
        Child::Least(vec![(1.2, 0.05), (-5.0, 1.0)]),
    ] {
        let children = [leaders(), vec![far]].concat();
        agree(&children, 2, 0.4, 0.005).unwrap_or_else(|why| panic!("{why}"));
    }
}

/// Leaves keep their means at any number of places; what is made of them needs more than a few.
#[test]
fn fewer_places_keep_the_means_of_leaves_and_lose_those_of_maxima() {
    let children = [leaders(), vec![Child::Leaf(-5.0, 5.0)]].concat();
    let means = |key, value| searched(&children, &[(key, value)]).2;
    for bins in ["63", "62", "31", "16", "9", "5", "4", "3"] {
        let found = means("bins", bins);
        assert!((found[0] - 1.0).abs() < 2e-3, "{bins}: {found:?}");
        assert!((found[2] + 5.0).abs() < 0.1, "{bins}: {found:?}");
        let off = (found[1] - 1.2812).abs();
        match bins {
            "63" => assert!(off < 0.005, "{off}"),
            "31" => assert!(off < 0.02, "{off}"),
            "3" => assert!(off > 0.5, "{off}"),
            _ => {}
        }
    }
    assert_eq!(means("bins", "3"), means("grid", "wdl"));
}

fn near_leaf() -> impl Strategy<Value = (f32, f32)> {
    (100..200_i32, 0..30_i32)
        .prop_map(|(value, sd)| (value as f32 / 100.0, sd.max(3) as f32 / 100.0))
}

fn near() -> impl Strategy<Value = Child> {
    prop_oneof![
        near_leaf().prop_map(|(value, sd)| Child::Leaf(value, sd)),
        prop::collection::vec(near_leaf(), 2..4).prop_map(Child::Least),
    ]
}

fn far() -> impl Strategy<Value = Child> {
    prop_oneof![
        (10..100_000_i32).prop_map(|value| Child::Leaf(-value as f32 / 7.0, 0.0)),
        (10..1000_i32, 1..20_i32).prop_map(|(value, sd)| Child::Leaf(-value as f32, sd as f32)),
        (2..9_i32, 1..6_i32).prop_map(|(value, sd)| Child::Leaf(-value as f32, sd as f32)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, ..ProptestConfig::default() })]

    #[test]
    fn leaders_are_told_apart_however_far_the_rest_lies(
        near in prop::collection::vec(near(), 2..4),
        far in prop::collection::vec(far(), 0..3),
    ) {
        let leaders = near.len();
        let children = [near, far].concat();
        // Beliefs have bins; 1.1 % has been seen.
        prop_assert_eq!(agree(&children, leaders, 1.0, 0.015), Ok(()));
    }
}
