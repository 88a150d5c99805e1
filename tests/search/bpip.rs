//! BPIP: golden numbers, and a reference that forces every leaf to each of its values.

use algorithms::Algorithm;
use common::{
    HINTED, KIWIPETE, Run, Shape, any_shape, check_nesting, expansions, negated, run_chess,
    run_toy_with, sample_tree, toy, toy_tree,
};
use game::{Game, Scale, Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::{Event, Options, Reading, StopReason, Viewpoint};
use tree::Tree;

/// A value with its probability, the values ascending.
type Masses = Vec<(f64, f64)>;

fn merged(mut masses: Masses) -> Masses {
    masses.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found: Masses = Vec::new();
    for (v, p) in masses {
        match found.last_mut() {
            Some(last) if last.0 == v => last.1 += p,
            _ => found.push((v, p)),
        }
    }
    found
}

/// The distribution of the larger, or smaller, of two independent numbers, pair by pair.
fn extreme(a: &Masses, b: &Masses, max: bool) -> Masses {
    let pairs = a.iter().flat_map(|&(v, p)| {
        b.iter().map(move |&(w, q)| {
            let value = if max { v.max(w) } else { v.min(w) };
            (value, p * q)
        })
    });
    merged(pairs.collect())
}

fn mean(masses: &Masses) -> f64 {
    masses.iter().map(|(v, p)| v * p).sum()
}

/// A node of the reference. Values are those of the side to move at the root, which maximises.
struct Plain {
    name: String,
    max: bool,
    children: Vec<Plain>,
    open: bool,
    value: f64,
    sd: f64,
}

impl Plain {
    fn new(shape: &Shape, name: &str, max: bool, (mean, sd): (f64, f64)) -> Plain {
        let child = |(i, c): (usize, &Shape)| {
            let name = format!("{name}{}", (b'a' + i as u8) as char);
            Plain::new(c, &name, !max, (mean, sd))
        };
        let (value, sd, children) = match shape {
            Shape::Leaf(v) => (f64::from(*v as f32 / 63.0), 0.0, Vec::new()),
            Shape::Node(all) => (mean, sd, all.iter().enumerate().map(child).collect()),
        };
        Plain {
            name: name.to_owned(),
            max,
            children,
            open: false,
            value,
            sd,
        }
    }

    /// What is proven about the value.
    fn bounds(&self) -> (f64, f64) {
        if self.children.is_empty() && self.sd == 0.0 {
            return (self.value, self.value);
        }
        if !self.open {
            return (-2.0, 2.0);
        }
        let all = self.children.iter().map(Plain::bounds);
        let joined = all.reduce(|a, b| match self.max {
            true => (a.0.max(b.0), a.1.max(b.1)),
            false => (a.0.min(b.0), a.1.min(b.1)),
        });
        joined.expect("a child")
    }

    fn is_closed(&self) -> bool {
        let (lower, upper) = self.bounds();
        lower == upper
    }

    fn points(&self) -> Masses {
        match self.sd {
            0.0 => vec![(self.value, 1.0)],
            sd => vec![(self.value - sd, 0.5), (self.value + sd, 0.5)],
        }
    }

    /// The distribution, with one leaf forced to a value.
    fn masses(&self, forced: Option<(&str, f64)>) -> Masses {
        if let Some((name, value)) = forced
            && name == self.name
        {
            return vec![(value, 1.0)];
        }
        if self.is_closed() {
            return vec![(self.bounds().0, 1.0)];
        }
        if !self.open {
            return self.points();
        }
        let all = self.children.iter().map(|c| c.masses(forced));
        let best = all.reduce(|a, b| extreme(&a, &b, self.max));
        best.expect("a child")
    }

    /// What is left to gain, and what the best move is worth now.
    fn to_gain(&self, forced: Option<(&str, f64)>) -> (f64, f64) {
        let moves: Vec<Masses> = self.children.iter().map(|c| c.masses(forced)).collect();
        let now = moves.iter().map(mean).fold(f64::NEG_INFINITY, f64::max);
        let informed = moves.into_iter().reduce(|a, b| extreme(&a, &b, true));
        (mean(&informed.expect("a move")) - now, now)
    }

    /// The leaves of the tree as it is, in its order.
    fn leaves(&self) -> Vec<&Plain> {
        if self.is_closed() || !self.open {
            return vec![self];
        }
        self.children.iter().flat_map(Plain::leaves).collect()
    }

    /// QSS and ESS of a leaf below this root.
    fn relevance(&self, leaf: &Plain) -> (f64, f64) {
        let (to_gain, now) = self.to_gain(None);
        let (mut changed, mut chosen) = (0.0, 0.0);
        for (value, p) in leaf.points() {
            let (left, best) = self.to_gain(Some((&leaf.name, value)));
            changed += p * (left - to_gain).abs();
            chosen += p * best;
        }
        (changed, chosen - now)
    }

    fn expand(&mut self, name: &str) -> bool {
        if self.is_closed() && self.open {
            return false;
        }
        if self.name == name {
            self.open = true;
            return true;
        }
        let mut below = self.children.iter_mut();
        self.open && below.any(|c| name.starts_with(&c.name) && c.expand(name))
    }

    /// The expansions of a whole search, and why it ends.
    fn search(&mut self, qss: bool, share: f64) -> (Vec<String>, StopReason) {
        self.open = true;
        let mut steps = vec![self.name.clone()];
        loop {
            if self.is_closed() {
                return (steps, StopReason::Solved);
            }
            let leaves = self.leaves();
            let grow = leaves.iter().filter(|l| !l.open && !l.children.is_empty());
            let rounded = |r: f64| if r < 1e-7 { 0.0 } else { r as f32 };
            let mut gulp: Vec<(f32, String)> = grow
                .map(|l| {
                    let (changed, gain) = self.relevance(l);
                    let relevance = rounded(if qss { changed } else { gain });
                    (relevance, l.name.clone())
                })
                .collect();
            if gulp.is_empty() {
                return (steps, StopReason::Exhausted);
            }
            gulp.retain(|(relevance, _)| *relevance > 0.0);
            let number = ((share * gulp.len() as f64) as usize).max(1);
            gulp.sort_by(|a, b| b.0.total_cmp(&a.0));
            gulp.truncate(number);
            if gulp.is_empty() {
                return (steps, StopReason::Settled);
            }
            for (_, name) in gulp {
                if !self.is_closed() && self.expand(&name) {
                    steps.push(name);
                }
            }
        }
    }
}

/// Every leaf's values tried with every other's: what is left to gain, and QSS and ESS of each leaf.
fn enumerated(root: &Plain) -> (f64, Vec<(f64, f64)>) {
    fn value(node: &Plain, world: &[(&str, f64)]) -> f64 {
        if let Some((_, v)) = world.iter().find(|(name, _)| *name == node.name) {
            return *v;
        }
        let all = node.children.iter().map(|c| value(c, world));
        let best = all.reduce(if node.max { f64::max } else { f64::min });
        best.expect("a child")
    }
    let leaves = root.leaves();
    /// What each leaf turns out to be worth.
    type World<'a> = Vec<(&'a str, f64)>;
    let mut worlds: Vec<(f64, World)> = vec![(1.0, Vec::new())];
    for leaf in &leaves {
        let value = if leaf.is_closed() {
            leaf.bounds().0
        } else {
            leaf.value
        };
        let points = match leaf.is_closed() {
            true => vec![(value, 1.0)],
            false => leaf.points(),
        };
        let with = worlds.iter().flat_map(|(p, world)| {
            points.iter().map(move |(v, q)| {
                let mut world = world.clone();
                world.push((leaf.name.as_str(), *v));
                (p * q, world)
            })
        });
        worlds = with.collect();
    }
    let moves: Vec<(f64, Vec<f64>, &World)> = worlds
        .iter()
        .map(|(p, world)| {
            let moves = root.children.iter().map(|m| value(m, world)).collect();
            (*p, moves, world)
        })
        .collect();
    let gain = |known: Option<(usize, f64)>| {
        let fits = |world: &World| known.is_none_or(|(i, v)| world[i].1 == v);
        let all: Vec<_> = moves.iter().filter(|(_, _, world)| fits(world)).collect();
        let total: f64 = all.iter().map(|w| w.0).sum();
        let expected =
            |of: &dyn Fn(&[f64]) -> f64| all.iter().map(|(p, m, _)| p * of(m)).sum::<f64>() / total;
        let largest = |m: &[f64]| m.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let means = (0..root.children.len()).map(|i| expected(&|m| m[i]));
        let now = means.fold(f64::NEG_INFINITY, f64::max);
        (expected(&largest) - now, now)
    };
    let (to_gain, now) = gain(None);
    let relevances = leaves.iter().enumerate().map(|(i, leaf)| {
        if leaf.is_closed() {
            return (0.0, 0.0);
        }
        let (mut changed, mut chosen) = (0.0, 0.0);
        for (v, p) in leaf.points() {
            let (left, best) = gain(Some((i, v)));
            changed += p * (left - to_gain).abs();
            chosen += p * best;
        }
        (changed, chosen - now)
    });
    (to_gain, relevances.collect())
}

fn range(situation: &Situation<ToyPosition>) -> f32 {
    match situation.position.scale() {
        Scale::Linear(axis) => axis.range(),
        Scale::Logistic => panic!("a toy tree"),
    }
}

/// A number of every node that has it, in the file's unit, by the node's name.
fn figures(
    run: &Run,
    situation: &Situation<ToyPosition>,
    options: &Options,
    figure: &str,
) -> Vec<(String, f64)> {
    let subject = situation.clone().into();
    let reading = Reading {
        tree: &run.tree,
        subject: &subject,
        options,
        viewpoint: Viewpoint::Own,
        seed: None,
    };
    let all = common::legs::walk(&run.tree).into_iter();
    let named = all.filter_map(|id| {
        let mut position = situation.position.clone();
        for code in run.tree.moves_to(id) {
            position.play(position.decode(code)?);
        }
        let found = Algorithm::Bpip.figure(&reading, id, figure)?;
        let name = position.node().name.clone();
        Some((name, found * f64::from(range(situation))))
    });
    named.collect()
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
        shape in any_shape(4),
        qss in any::<bool>(),
        share in prop::sample::select(vec![0.05, 0.3, 1.0]),
    ) {
        let situation = toy(&shape, Side::White, 0.0);
        let measure = if qss { "relevance=qss" } else { "relevance=ess" };
        let gulp = format!("gulp={share}");
        let options = [measure, gulp.as_str()];
        let (run, _) = run_toy_with(Algorithm::Bpip, &situation, &options);
        check_nesting(&run);
        let mut plain = Plain::new(&shape, "r", true, inner(&situation));
        let (steps, reason) = plain.search(qss, share);
        prop_assert_eq!(expansions(&run, &situation), steps);
        prop_assert_eq!(run.reason, Some(reason));
        let best = plain.children.iter().map(|c| mean(&c.masses(None))).fold(-2.0, f64::max);
        let root = f64::from(run.tree.node(Tree::ROOT).expected());
        prop_assert!((root - best).abs() < 1e-6, "{} {}", root, best);
        // The other side with all values negated goes the same way.
        let other = toy(&negated(&shape), Side::Black, 0.0);
        let (mirrored, _) = run_toy_with(Algorithm::Bpip, &other, &options);
        prop_assert_eq!(expansions(&mirrored, &other), expansions(&run, &situation));
    }

    /// The relevance of every leaf, where all combinations of values can be tried.
    #[test]
    fn relevance_is_what_trying_every_world_gives(
        shape in any_shape(3).prop_filter("few leaves", |s| s.leaves() <= 10),
        qss in any::<bool>(),
    ) {
        let situation = toy(&shape, Side::White, 5.0);
        let measure = if qss { "relevance=qss" } else { "relevance=ess" };
        let (run, options) = run_toy_with(Algorithm::Bpip, &situation, &[measure, "end=next"]);
        let spread = f64::from(5.0f32 / 63.0);
        let mut plain = Plain::new(&shape, "r", true, inner(&situation));
        open_all(&mut plain, spread);
        prop_assert_eq!(run.reason, Some(StopReason::Exhausted));
        let (to_gain, relevances) = enumerated(&plain);
        let found = figures(&run, &situation, &options, "relevance");
        for (leaf, (changed, gain)) in plain.leaves().iter().zip(relevances) {
            let golden = 63.0 * if qss { changed } else { gain };
            let (_, seen) = found.iter().find(|(name, _)| *name == leaf.name).expect("a leaf");
            prop_assert!((seen - golden).abs() < 1e-4, "{} {} {}", leaf.name, seen, golden);
        }
        let found = figures(&run, &situation, &options, "to_gain");
        prop_assert!((found[0].1 - 63.0 * to_gain).abs() < 1e-4, "{:?} {}", found, to_gain);
    }

    /// A search that goes on ends with minimax's value.
    #[test]
    fn in_the_end_the_value_is_minimaxs(shape in any_shape(5)) {
        let situation = toy(&shape, Side::White, 0.0);
        let (run, _) = run_toy_with(Algorithm::Bpip, &situation, &["end=next"]);
        let root = run.tree.node(Tree::ROOT);
        prop_assert_eq!(i32::from(run.tree.scale().score(root.expected()).raw()), shape.minimax(true));
    }
}

/// Expands everything; the leaves have this spread.
fn open_all(node: &mut Plain, spread: f64) {
    match node.children.is_empty() {
        true => node.sd = spread,
        false => node.open = true,
    }
    for c in &mut node.children {
        open_all(c, spread);
    }
}

/// Relevances by QSS and ESS, means of the moves, and what is left to gain, with everything expanded.
#[test]
fn golden_relevances_of_the_samples() {
    let roots_moves = "max\nA 6 ± 2\nB 5 ± 1\nC 2 ± 1\n";
    type Leaf = (&'static str, f64, f64);
    let figure1: &[Leaf] = &[
        ("a1", 0.35625, 0.35625),
        ("a2", 0.0, 0.0),
        ("c2", 0.0, 0.0),
        ("b1", 0.0, 0.13125),
        ("b2", 0.0, 0.11875),
        ("d2", 0.1875, 0.1875),
    ];
    let wide: &[Leaf] = &[
        ("take", 0.0, 0.0),
        ("m1", 0.0, 0.017_187_5),
        ("m2", 0.0, 0.017_187_5),
        ("m3", 0.0, 0.017_187_5),
        ("m4", 0.0, 0.017_187_5),
        ("m5", 0.0, 0.017_187_5),
        ("m6", 0.0, 0.017_187_5),
    ];
    let three: &[Leaf] = &[("A", 0.5, 0.5), ("B", 0.0, 0.5), ("C", 0.0, 0.0)];
    for (situation, means, to_gain, leaves) in [
        (sample_tree("figure1"), vec![1.2, 0.9125], 0.36875, figure1),
        (
            sample_tree("wide-and-narrow"),
            vec![1.0, 1.814_063],
            0.017_187_5,
            wide,
        ),
        (toy_tree(roots_moves), vec![6.0, 5.0, 2.0], 0.5, three),
    ] {
        for measure in ["qss", "ess"] {
            let option = format!("relevance={measure}");
            let (run, options) = run_toy_with(Algorithm::Bpip, &situation, &["end=next", &option]);
            assert_eq!(run.reason, Some(StopReason::Exhausted));
            let found = figures(&run, &situation, &options, "to_gain");
            assert!((found[0].1 - to_gain).abs() < 1e-5, "{found:?}");
            let found = figures(&run, &situation, &options, "relevance");
            for (name, ess, qss) in leaves {
                let golden = if measure == "qss" { qss } else { ess };
                let (_, seen) = found.iter().find(|(n, _)| n == name).expect("a leaf");
                assert!((seen - golden).abs() < 1e-5, "{name} {measure}: {seen}");
            }
            let children = run.tree.children(Tree::ROOT);
            let seen = children.map(|c| -run.tree.node(c).expected() * range(&situation));
            for (seen, golden) in seen.zip(&means) {
                assert!((seen - golden).abs() < 1e-5, "{seen} {golden}");
            }
        }
    }
}

#[test]
fn a_gulp_says_what_is_left_to_gain() {
    let situation = toy_tree(HINTED);
    let (run, _) = run_toy_with(Algorithm::Bpip, &situation, &[]);
    let asked = run.events.iter().find_map(|event| match event {
        Event::Aim(aim) => Some(*aim),
        _ => None,
    });
    let aim = asked.expect("an aim");
    assert_eq!((aim.info.name, aim.numbers[0]), ("gulp", 1.0));
    assert!((aim.numbers[1] * range(&situation) - 0.5).abs() < 1e-5);
    assert_eq!(expansions(&run, &situation)[..2], ["root", "A"]);
    // Where a node costs more than can be gained, nothing but the root is expanded.
    let (run, _) = run_toy_with(Algorithm::Bpip, &situation, &["cost=0.5"]);
    assert_eq!(expansions(&run, &situation), ["root"]);
    assert_eq!(run.reason, Some(StopReason::Settled));
}

/// The means of the moves when a share of the leaves' variance is learned before the choice. The golden values are of
/// normal distributions, which forty points stand for.
#[test]
fn golden_means_with_a_share_of_the_information() {
    for (tree, rows) in [
        (
            "figure1",
            [
                (0.0, [1.2, 1.1]),
                (0.25, [1.2, 1.0583]),
                (0.5, [1.1992, 1.0050]),
                (1.0, [1.1873, 0.9260]),
            ],
        ),
        (
            "wide-and-narrow",
            [
                (0.0, [1.0, 0.9]),
                (0.25, [1.0, 1.4132]),
                (0.5, [1.0, 1.6720]),
                (1.0, [1.0, 2.0405]),
            ],
        ),
    ] {
        for (share, golden) in rows {
            let situation = sample_tree(tree);
            let information = format!("information={share}");
            let options = ["end=next", "points=40", "backup=share", &information];
            let (run, _) = run_toy_with(Algorithm::Bpip, &situation, &options);
            let children = run.tree.children(Tree::ROOT);
            let seen = children.map(|c| -run.tree.node(c).expected() * range(&situation));
            for (seen, golden) in seen.zip(golden) {
                assert!(
                    (seen - golden).abs() < 0.015,
                    "{tree} {share}: {seen} {golden}"
                );
            }
        }
    }
}

/// Nothing learned is minimax of the means, whichever way.
#[test]
fn without_information_the_value_is_minimax_of_the_means() {
    for backup in ["backup=share", "backup=revealed"] {
        let situation = sample_tree("figure1");
        let options = ["end=next", backup, "information=0"];
        let (run, _) = run_toy_with(Algorithm::Bpip, &situation, &options);
        let value = run.tree.node(Tree::ROOT).expected() * range(&situation);
        assert!((value - 1.2).abs() < 1e-5, "{backup}: {value}");
    }
}

#[test]
fn a_chess_search_goes_on_to_its_limit() {
    for fen in [KIWIPETE, "6k1/5p1p/6p1/8/8/6P1/q4P1P/4Q1K1 w - - 0 1"] {
        let run = run_chess(Algorithm::Bpip, fen, 5_000);
        assert_eq!(run.reason, Some(StopReason::Nodes), "{fen}");
        check_nesting(&run);
        for id in common::legs::walk(&run.tree) {
            let node = run.tree.node(id);
            if node.belief() == 0 || node.proof().is_certain() {
                continue;
            }
            let movers = run.tree.belief_slot(node.belief()).read();
            let mean = -movers.mean(run.tree.grid());
            assert!((mean - node.expected()).abs() < 1e-5, "{fen} {id:?}");
        }
    }
}
