//! Bayesian MCTS: golden numbers, and a reference that knows nothing of the program's trees.

use algorithms::Algorithm;
use belief::special::{normal_cdf, normal_pdf};
use common::{
    HINTED, KIWIPETE, Run, Shape, any_shape, check_nesting, expansions, negated, run_chess,
    run_toy_with, sample_tree, toy, toy_tree,
};
use game::{Game, Scale, Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::{Event, Options, Reading, StopReason, Viewpoint};
use tree::{NodeId, Tree};

/// Mean and variance of the larger of two numbers, as Clark has them.
fn clark((m1, v1): (f64, f64), (m2, v2): (f64, f64), rho: f64) -> (f64, f64) {
    let theta = (v1 + v2 - 2.0 * rho * (v1 * v2).sqrt()).max(0.0).sqrt();
    if theta < 1e-12 {
        return if m1 >= m2 { (m1, v1) } else { (m2, v2) };
    }
    let a = (m1 - m2) / theta;
    let (p, q, d) = (normal_cdf(a), normal_cdf(-a), normal_pdf(a));
    let mean = m1 * p + m2 * q + theta * d;
    let square = (m1 * m1 + v1) * p + (m2 * m2 + v2) * q + (m1 + m2) * theta * d;
    (mean, (square - mean * mean).max(0.0))
}

/// A node of the reference. Values are those of its side to move.
struct Plain {
    name: String,
    children: Vec<Plain>,
    open: bool,
    visits: u32,
    mean: f64,
    variance: f64,
}

/// A number as a node keeps it.
fn kept(x: f64) -> f64 {
    f64::from(x as f32)
}

impl Plain {
    /// `sign`: 1 where the side to move at the root moves.
    fn new(shape: &Shape, name: &str, sign: f64, (mean, sd): (f64, f64)) -> Plain {
        let child = |(i, c): (usize, &Shape)| {
            let name = format!("{name}{}", (b'a' + i as u8) as char);
            Plain::new(c, &name, -sign, (mean, sd))
        };
        let (value, variance, children) = match shape {
            Shape::Leaf(v) => (f64::from(*v as f32 / 63.0), 0.0, Vec::new()),
            Shape::Node(all) => {
                let sd = sd as f32;
                let children = all.iter().enumerate().map(child).collect();
                (mean, f64::from(sd * sd), children)
            }
        };
        Plain {
            name: name.to_owned(),
            children,
            open: false,
            visits: 1,
            mean: sign * value,
            variance,
        }
    }

    /// What is proven, from the view of the side to move.
    fn bounds(&self) -> (f64, f64) {
        if self.children.is_empty() {
            return (self.mean, self.mean);
        }
        if !self.open {
            return (-2.0, 2.0);
        }
        let all = self.children.iter().map(Plain::bounds);
        all.map(|(l, u)| (-u, -l))
            .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))
            .expect("a child")
    }

    fn grows(&self) -> bool {
        let (lower, upper) = self.bounds();
        lower < upper && (!self.open || self.children.iter().any(Plain::grows))
    }

    /// A child's score, as its parent's side sees it.
    fn score(&self, child: &Plain, formula: &str, c: f64) -> f64 {
        let log = 2.0 * f64::from(self.visits).ln();
        let doubt = match formula {
            "uct1" => (log / f64::from(child.visits)).sqrt(),
            _ => log.sqrt() * child.variance.sqrt(),
        };
        -child.mean + c * doubt
    }

    fn descend(&mut self, formula: &str, c: f64, rho: f64) -> String {
        let name = if self.open {
            let mut best: Option<(f64, usize)> = None;
            for (i, child) in self.children.iter().enumerate() {
                let score = self.score(child, formula, c);
                if child.grows() && best.is_none_or(|(b, _)| score > b) {
                    best = Some((score, i));
                }
            }
            let (_, i) = best.expect("a child that grows");
            self.children[i].descend(formula, c, rho)
        } else {
            self.open = true;
            self.name.clone()
        };
        self.visits += 1;
        let moves = self.children.iter().map(|c| (-c.mean, c.variance));
        let (mean, variance) = moves.reduce(|a, b| clark(a, b, rho)).expect("a child");
        (self.mean, self.variance) = (kept(mean), kept(variance));
        let (lower, upper) = self.bounds();
        if lower == upper {
            (self.mean, self.variance) = (lower, 0.0);
        }
        name
    }
}

fn range(situation: &Situation<ToyPosition>) -> f64 {
    match situation.position.scale() {
        Scale::Linear(axis) => axis.range().into(),
        Scale::Logistic => panic!("a toy tree"),
    }
}

fn by_name(run: &Run, situation: &Situation<ToyPosition>) -> Vec<(String, NodeId)> {
    let all = common::legs::walk(&run.tree).into_iter();
    let named = all.map(|id| {
        let mut position = situation.position.clone();
        for code in run.tree.moves_to(id) {
            position.play(position.decode(code).expect("a move"));
        }
        (position.node().name.clone(), id)
    });
    named.collect()
}

fn figure(
    run: &Run,
    situation: &Situation<ToyPosition>,
    options: &Options,
    id: NodeId,
    name: &str,
) -> f64 {
    let subject = situation.clone().into();
    let reading = Reading {
        tree: &run.tree,
        subject: &subject,
        options,
        viewpoint: Viewpoint::Own,
        seed: None,
    };
    Algorithm::BayesMcts
        .figure(&reading, id, name)
        .expect("a number")
}

fn inner(situation: &Situation<ToyPosition>) -> (f64, f64) {
    let tree = situation.position.tree();
    (
        f64::from(tree.leaf_mean / 63.0),
        f64::from(tree.leaf_sd / 63.0),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn random_trees_are_expanded_as_by_the_reference(
        shape in any_shape(5),
        formula in prop::sample::select(vec!["uct1", "uct2"]),
        c in prop::sample::select(vec![0.0, 0.3, 1.0]),
        rho in prop::sample::select(vec![0.0, 0.5]),
    ) {
        let situation = toy(&shape, Side::White, 0.0);
        let pairs = [
            format!("formula={formula}"),
            format!("exploration={c}"),
            format!("correlation={rho}"),
            String::from("end=next"),
        ];
        let pairs = pairs.each_ref().map(String::as_str);
        let (run, _) = run_toy_with(Algorithm::BayesMcts, &situation, &pairs);
        check_nesting(&run);
        let mut plain = Plain::new(&shape, "r", 1.0, inner(&situation));
        let mut steps = Vec::new();
        while plain.grows() {
            steps.push(plain.descend(formula, c, rho));
        }
        prop_assert_eq!(expansions(&run, &situation), steps);
        let moves = run.tree.children(Tree::ROOT);
        for (id, child) in moves.zip(&plain.children) {
            let (mean, variance) = run.tree.node(id).pair();
            prop_assert!((f64::from(mean) - child.mean).abs() < 1e-6, "{} {}", mean, child.mean);
            prop_assert!((f64::from(variance) - child.variance).abs() < 1e-6);
        }
        // The other side with all values negated goes the same way.
        let other = toy(&negated(&shape), Side::Black, 0.0);
        let (mirrored, _) = run_toy_with(Algorithm::BayesMcts, &other, &pairs);
        prop_assert_eq!(expansions(&mirrored, &other), expansions(&run, &situation));
        // Everything is known now, so the value is minimax's.
        let root = run.tree.node(Tree::ROOT).expected();
        prop_assert_eq!(i32::from(run.tree.scale().score(root).raw()), shape.minimax(true));
    }

    /// It stops where the best move is best with the probability that was asked for.
    #[test]
    fn it_stops_where_it_says(shape in any_shape(4)) {
        let situation = toy(&shape, Side::White, 2.0);
        let (run, _) = run_toy_with(Algorithm::BayesMcts, &situation, &[]);
        if run.reason == Some(StopReason::Settled) {
            let moves: Vec<(f64, f64)> = run
                .tree
                .children(Tree::ROOT)
                .map(|c| {
                    let (mean, variance) = run.tree.node(c).pair();
                    (-f64::from(mean), f64::from(variance).sqrt().max(1e-9))
                })
                .collect();
            let best = (0..moves.len()).reduce(|a, b| if moves[b].0 > moves[a].0 { b } else { a });
            let best = best.expect("a move");
            // The density of the best move times the others' distribution functions.
            let (mean, sd) = moves[best];
            let mut chance = 0.0;
            for i in -400..400 {
                let z = (f64::from(i) + 0.5) / 50.0;
                let x = mean + sd * z;
                // Where both are certain, an equal is no rival.
                let is_rival = |(_, s): (f64, f64)| s.max(sd) > 1e-9;
                let others = moves.iter().enumerate();
                let others = others.filter(|(j, rival)| *j != best && is_rival(**rival));
                let below: f64 = others.map(|(_, (m, s))| normal_cdf((x - m) / s)).product();
                chance += normal_pdf(z) * below / 50.0;
            }
            prop_assert!(chance > 0.945, "{} {:?}", chance, moves);
        }
    }
}

/// A node's name, mean and standard deviation.
type Moments = (&'static str, f64, f64);

/// Mean and standard deviation of the nodes of two samples, everything expanded.
#[test]
fn golden_moments_of_the_samples() {
    let golden: [(&str, &[Moments]); 2] = [
        (
            "figure1",
            &[
                ("A", 1.200_002, 0.999_995),
                ("B", 1.615_599, 0.826_194),
                ("C", 1.187_332, 0.982_015),
                ("D", 0.925_070, 0.782_883),
                ("root", 1.568_114, 0.756_861),
            ],
        ),
        (
            "wide-and-narrow",
            &[
                ("sure", 1.0, 0.0),
                ("only", 2.041_339, 0.621_315),
                ("maybe", 2.041_339, 0.621_315),
                ("root", 2.053_382, 0.596_032),
            ],
        ),
    ];
    for (tree, nodes) in golden {
        let situation = sample_tree(tree);
        let (run, options) = run_toy_with(Algorithm::BayesMcts, &situation, &["end=next"]);
        assert_eq!(run.reason, Some(StopReason::Exhausted), "{tree}");
        let all = by_name(&run, &situation);
        for (name, mean, sd) in nodes {
            let (_, id) = all.iter().find(|(n, _)| n == name).expect("a node");
            let found = |what| figure(&run, &situation, &options, *id, what) * range(&situation);
            let sign = if run.tree.ply(*id) % 2 == 0 {
                1.0
            } else {
                -1.0
            };
            assert!((sign * found("mu") - mean).abs() < 2e-6, "{tree} {name}");
            assert!((found("sigma") - sd).abs() < 2e-6, "{tree} {name}");
        }
        // By integration the moments are the exact ones.
        let numeric = ["end=next", "extremum=numeric"];
        let (run, options) = run_toy_with(Algorithm::BayesMcts, &situation, &numeric);
        let all = by_name(&run, &situation);
        let (node, mean, sd) = match tree {
            "figure1" => ("B", 1.6156, 0.8262),
            _ => ("only", 2.0405, 0.6469),
        };
        let (_, id) = all.iter().find(|(n, _)| n == node).expect("a node");
        let found = |what| figure(&run, &situation, &options, *id, what) * range(&situation);
        assert!((found("mu") - mean).abs() < 2e-3, "{tree} {}", found("mu"));
        assert!(
            (found("sigma") - sd).abs() < 2e-3,
            "{tree} {}",
            found("sigma")
        );
    }
}

/// The first aim on the tree of misleading inner values: with two visits at the root, A's mean is 6 and its spread 2.
#[test]
fn a_descent_tells_both_terms_of_its_score() {
    let situation = toy_tree(HINTED);
    let log = 2.0 * 2f64.ln();
    for (formula, doubt) in [
        ("uct2", log.sqrt() * 2.0),
        ("uct1", log.sqrt() * range(&situation)),
    ] {
        let option = format!("formula={formula}");
        let (run, _) = run_toy_with(Algorithm::BayesMcts, &situation, &[&option]);
        let asked = run.events.iter().find_map(|event| match event {
            Event::Aim(aim) => Some(*aim),
            _ => None,
        });
        let aim = asked.expect("an aim");
        let [mean, added] = aim.numbers.map(|n| f64::from(n) * range(&situation));
        assert_eq!(aim.info.name, "largest");
        assert!(
            (mean - 6.0).abs() < 1e-5 && (added - doubt).abs() < 1e-5,
            "{aim:?}"
        );
        assert_eq!(
            expansions(&run, &situation)[..2],
            ["root", "A"],
            "{formula}"
        );
    }
}

/// With a large spread the safest move is another one than the one with the largest mean.
#[test]
fn the_safe_choice_takes_the_spread_off() {
    let situation = toy_tree("max\nA 6 ± 3\nB 5 ± 1\n");
    for (choice, best) in [("mean", "A"), ("safe", "B")] {
        let option = format!("choice={choice}");
        let (run, _) = run_toy_with(Algorithm::BayesMcts, &situation, &[&option, "end=next"]);
        let code = Algorithm::BayesMcts
            .best_move(&run.tree, Tree::ROOT)
            .expect("a move");
        let m = situation.position.decode(code).expect("a move");
        assert_eq!(situation.position.label(m), best);
    }
}

/// Sixteen games of mean 0 are eight won and eight lost: Beta(9, 9) has the variance 1/76 of the share of the points.
#[test]
fn a_leaf_may_count_as_games() {
    let situation = toy_tree("max\nA 0 ± 3\nB 5 ± 1\n");
    let (run, options) = run_toy_with(Algorithm::BayesMcts, &situation, &["posterior=beta"]);
    let (_, id) = by_name(&run, &situation)[1].clone();
    let sd = figure(&run, &situation, &options, id, "sigma");
    assert!((sd - (4.0f64 / 76.0).sqrt()).abs() < 1e-6, "{sd}");
}

#[test]
fn a_chess_search_goes_on_to_its_limit() {
    for fen in [KIWIPETE, "6k1/5p1p/6p1/8/8/6P1/q4P1P/4Q1K1 w - - 0 1"] {
        let run = run_chess(Algorithm::BayesMcts, fen, 5_000);
        assert_eq!(run.reason, Some(StopReason::Nodes), "{fen}");
        check_nesting(&run);
        for id in common::legs::walk(&run.tree) {
            let (mean, variance) = run.tree.node(id).pair();
            assert!((-1.0..=1.0).contains(&mean) && (0.0..=1.0).contains(&variance));
        }
    }
}
