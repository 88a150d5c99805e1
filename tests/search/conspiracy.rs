//! Conspiracy-number search on published trees, by enumeration, and against a reference that knows nothing of the
//! program's trees.

use algorithms::Algorithm;
use common::{
    HINTED, KIWIPETE, Run, Shape, any_shape, check_nesting, expansions, negated, run_chess,
    run_toy_with, sample_tree, toy, toy_tree,
};
use game::{Game, Scale, Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::explanation::Part;
use search::{Options, Reading, StopReason, Viewpoint};
use tree::{NodeId, Tree};

/// A node of the reference: values are Max's.
struct Plain {
    name: String,
    max: bool,
    exact: Option<f64>,
    children: Vec<Plain>,
    open: bool,
}

/// Stands for "no conspiracy can do it".
const NONE: u64 = 1 << 40;

impl Plain {
    fn new(shape: &Shape, name: &str, max: bool) -> Plain {
        let child = |(i, c): (usize, &Shape)| {
            Plain::new(c, &format!("{name}{}", (b'a' + i as u8) as char), !max)
        };
        let (exact, children) = match shape {
            Shape::Leaf(v) => (Some(f64::from(*v)), Vec::new()),
            Shape::Node(children) => (None, children.iter().enumerate().map(child).collect()),
        };
        Plain {
            name: name.to_owned(),
            max,
            exact,
            children,
            open: false,
        }
    }

    fn value(&self, mean: f64) -> f64 {
        let values = self.children.iter().map(|c| c.value(mean));
        match self.exact {
            Some(exact) => exact,
            None if !self.open => mean,
            None if self.max => values.reduce(f64::max).expect("a child"),
            None => values.reduce(f64::min).expect("a child"),
        }
    }

    fn frontier(&self, mean: f64, values: &mut Vec<f64>) {
        if self.open {
            for child in &self.children {
                child.frontier(mean, values);
            }
        } else {
            values.push(self.value(mean));
        }
    }

    /// How many open leaves must change for the value to get to `to` or beyond.
    fn needed(&self, mean: f64, raise: bool, to: f64) -> u64 {
        if !self.open {
            let value = self.value(mean);
            let there = if raise { value >= to } else { value <= to };
            return match (there, self.exact) {
                (true, _) => 0,
                (false, Some(_)) => NONE,
                (false, None) => 1,
            };
        }
        let numbers = self.children.iter().map(|c| c.needed(mean, raise, to));
        match self.max == raise {
            true => numbers.min().expect("a child"),
            false => numbers.sum::<u64>().min(NONE),
        }
    }

    /// Expands a member of the cheapest conspiracy that could move the root furthest; `None` when it is settled.
    fn step(&mut self, mean: f64, threshold: u64) -> Option<String> {
        let value = self.value(mean);
        let mut values = vec![f64::NEG_INFINITY, f64::INFINITY];
        self.frontier(mean, &mut values);
        let within = |raise, v: f64| self.needed(mean, raise, v) <= threshold;
        let above = values.iter().copied().filter(|v| *v > value);
        let highest = above.filter(|&v| within(true, v)).fold(value, f64::max);
        let below = values.iter().copied().filter(|v| *v < value);
        let lowest = below.filter(|&v| within(false, v)).fold(value, f64::min);
        if lowest == highest {
            return None;
        }
        let (up, down) = (highest - value, value - lowest);
        let raise = up > down || up == down && self.max;
        let to = if raise { highest } else { lowest };
        Some(self.grow(mean, raise, to))
    }

    fn grow(&mut self, mean: f64, raise: bool, to: f64) -> String {
        if !self.open {
            self.open = true;
            return self.name.clone();
        }
        let needed = |c: &Plain| c.needed(mean, raise, to);
        let place = if self.max == raise {
            let least = self.children.iter().map(needed).min();
            self.children.iter().position(|c| Some(needed(c)) == least)
        } else {
            self.children.iter().position(|c| needed(c) > 0)
        };
        self.children[place.expect("a conspirator")].grow(mean, raise, to)
    }
}

/// The same tree with few different values, so that all of them are levels.
fn coarse(shape: &Shape) -> Shape {
    match shape {
        Shape::Leaf(v) => Shape::Leaf(v.div_euclid(8)),
        Shape::Node(children) => Shape::Node(children.iter().map(coarse).collect()),
    }
}

fn value(run: &Run, situation: &Situation<ToyPosition>) -> f32 {
    let Scale::Linear(axis) = situation.position.scale() else {
        panic!("a toy tree");
    };
    let sign = match situation.position.turn() {
        Side::White => 1.0,
        Side::Black => -1.0,
    };
    sign * run.tree.node(Tree::ROOT).expected() * axis.range()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn random_trees_are_expanded_as_by_the_reference(shape in any_shape(5), threshold in 1u64..5) {
        let shape = coarse(&shape);
        let situation = toy(&shape, Side::White, 0.0);
        let option = format!("threshold={threshold}");
        let (run, _) = run_toy_with(Algorithm::Conspiracy, &situation, &[&option]);
        check_nesting(&run);
        let mean = f64::from(situation.position.tree().leaf_mean);
        let mut plain = Plain::new(&shape, "r", true);
        plain.open = true;
        let mut steps = vec!["r".to_owned()];
        while let Some(name) = plain.step(mean, threshold) {
            steps.push(name);
        }
        prop_assert_eq!(expansions(&run, &situation), steps);
        let found = f64::from(value(&run, &situation));
        prop_assert!((found - plain.value(mean)).abs() < 1e-3, "{found}");
        // The other side with all values negated goes the same way.
        let other = toy(&negated(&shape), Side::Black, 0.0);
        let (mirrored, _) = run_toy_with(Algorithm::Conspiracy, &other, &[&option]);
        prop_assert_eq!(expansions(&mirrored, &other), expansions(&run, &situation));
    }

    /// A search that goes on to larger conspiracies ends with minimax's move.
    #[test]
    fn in_the_end_the_value_is_minimaxs(shape in any_shape(4)) {
        let shape = coarse(&shape);
        let situation = toy(&shape, Side::White, 0.0);
        let (run, _) = run_toy_with(Algorithm::Conspiracy, &situation, &["end=next"]);
        prop_assert_eq!(value(&run, &situation).round() as i32, shape.minimax(true));
    }
}

/// The steps of a node's numbers in a direction: the leaves needed, and the last value they reach (infinite: any).
fn told(
    run: &Run,
    situation: &Situation<ToyPosition>,
    options: &Options,
    id: NodeId,
    fact: &str,
) -> Vec<(u32, f64)> {
    let Scale::Linear(axis) = situation.position.scale() else {
        panic!("a toy tree");
    };
    let subject = situation.clone().into();
    let reading = Reading {
        tree: &run.tree,
        subject: &subject,
        options,
        viewpoint: Viewpoint::Own,
        seed: None,
    };
    let explained = Algorithm::Conspiracy.explain(&reading, id);
    let fact = explained.facts.iter().find(|f| f.name == fact);
    let mut steps = Vec::new();
    let mut leaves = None;
    for part in &fact.expect("the fact").value {
        match (part, leaves) {
            (Part::Number(n, _), None) => leaves = Some(*n as u32),
            (Part::Number(v, _), Some(needed)) => {
                steps.push((needed, (v * f64::from(axis.range())).round()));
                leaves = None;
            }
            (Part::Words(words), Some(needed)) if words == "any value" => {
                steps.push((needed, f64::INFINITY));
                leaves = None;
            }
            _ => {}
        }
    }
    steps
}

/// The fewest leaves of a tree of lists whose change brings the root to a value or beyond, by trying all sets.
fn enumerated(shape: &Shape, raise: bool, to: i32) -> u32 {
    fn leaves(shape: &Shape) -> usize {
        match shape {
            Shape::Leaf(_) => 1,
            Shape::Node(children) => children.iter().map(leaves).sum(),
        }
    }
    fn with(shape: &Shape, set: u32, next: &mut u32, raise: bool) -> Shape {
        match shape {
            Shape::Leaf(v) => {
                let changed = set >> *next & 1 == 1;
                *next += 1;
                Shape::Leaf(if changed {
                    if raise { 999 } else { -999 }
                } else {
                    *v
                })
            }
            Shape::Node(children) => {
                let children = children.iter().map(|c| with(c, set, next, raise));
                Shape::Node(children.collect())
            }
        }
    }
    let sets = 0u32..1 << leaves(shape);
    let enough = sets.filter(|&set| {
        let value = with(shape, set, &mut 0, raise).minimax(true);
        if raise { value >= to } else { value <= to }
    });
    enough.map(u32::count_ones).min().expect("all leaves")
}

/// A sample with a spread at every leaf.
fn uncertain(sample: &str) -> Situation<ToyPosition> {
    let path = format!(
        "{}/sample-positions/{sample}.tree",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).expect("a sample");
    let leaf = |line: &str| {
        line.split(' ')
            .next_back()
            .is_some_and(|w| w.parse::<f32>().is_ok())
    };
    let lines = text
        .lines()
        .map(|line| match !line.starts_with('#') && leaf(line) {
            true => format!("{line} ± 1\n"),
            false => format!("{line}\n"),
        });
    toy_tree(&lines.collect::<String>())
}

/// The numbers of the whole trees, where every leaf may conspire: as published, and as enumerated.
#[test]
fn the_numbers_are_those_of_all_sets_of_leaves() {
    let any = f64::INFINITY;
    for (tree, up, down) in [
        (
            "[[5,2],[3,4]]",
            vec![(1, 5.0), (2, any)],
            vec![(1, 2.0), (2, any)],
        ),
        (
            "[[3,12,8],[2,4,6],[14,5,2]]",
            vec![(1, 8.0), (2, 14.0), (3, any)],
            vec![(1, 2.0), (3, any)],
        ),
        (
            "[[[[41,5],[12,90]],[[101,80],[20,30]]],[[[34,80],[36,35]],[[50,36],[25,3]]]]",
            vec![(1, 80.0), (2, 90.0), (3, 101.0), (4, any)],
            vec![(1, 12.0), (2, 5.0), (3, 3.0), (4, any)],
        ),
    ] {
        let shape = Shape::parse(tree);
        // Leaves with a spread prove nothing, so that the whole tree is expanded.
        let situation = match tree.contains("101") {
            true => uncertain("sixteen-leaves"),
            false => toy(&shape, Side::White, 1.0),
        };
        let pairs = ["conspirators=all", "end=next"];
        let (run, options) = run_toy_with(Algorithm::Conspiracy, &situation, &pairs);
        let told = |fact| told(&run, &situation, &options, Tree::ROOT, fact);
        assert_eq!(told("to raise it"), up, "{tree}");
        assert_eq!(told("to lower it"), down, "{tree}");
        for (raise, steps) in [(true, up), (false, down)] {
            for (needed, to) in steps {
                let to = if to.is_finite() {
                    to as i32
                } else if raise {
                    500
                } else {
                    -500
                };
                assert_eq!(enumerated(&shape, raise, to), needed, "{tree} {to}");
            }
        }
    }
}

#[test]
fn published_trees_are_expanded_as_published() {
    for (tree, threshold, steps, result) in [
        ("textbook", 1, "root A B C", 3.0),
        ("textbook", 2, "root A B C", 3.0),
        // A small threshold is no guarantee: minimax is 35.
        ("sixteen-leaves", 1, "root A B", 42.375),
        ("sixteen-leaves", 2, "root A B C D E I J K F L M", 35.0),
        ("hinted", 1, "root A B C Q P R S", 5.0),
        ("hinted", 2, "root A B C P R Q S", 5.0),
    ] {
        let situation = match tree {
            "hinted" => toy_tree(HINTED),
            sample => sample_tree(sample),
        };
        let option = format!("threshold={threshold}");
        let (run, _) = run_toy_with(Algorithm::Conspiracy, &situation, &[&option]);
        let names = expansions(&run, &situation).join(" ");
        assert_eq!(names, steps, "{tree} {threshold}");
        assert!(
            (value(&run, &situation) - result).abs() < 1e-3,
            "{tree} {threshold}"
        );
    }
}

#[test]
fn a_chess_search_goes_on_to_its_limit() {
    for fen in [KIWIPETE, "6k1/5p1p/6p1/8/8/6P1/q4P1P/4Q1K1 w - - 0 1"] {
        let run = run_chess(Algorithm::Conspiracy, fen, 5_000);
        assert_eq!(run.reason, Some(StopReason::Nodes), "{fen}");
        check_nesting(&run);
    }
}
