//! Best-first minimax against a reference that knows nothing of the program's trees, and on published trees.

use algorithms::Algorithm;
use common::{
    KIWIPETE, Shape, any_shape, check_nesting, expansions, negated, run_chess, run_toy, toy,
};
use game::{Game, Side};
use proptest::prelude::*;
use search::StopReason;
use tree::Tree;

/// A node of the reference: values are Max's.
struct Plain {
    name: String,
    max: bool,
    /// Of a leaf.
    exact: Option<i32>,
    children: Vec<Plain>,
    open: bool,
}

impl Plain {
    fn new(shape: &Shape, name: &str, max: bool) -> Plain {
        let child = |(i, c): (usize, &Shape)| {
            Plain::new(c, &format!("{name}{}", (b'a' + i as u8) as char), !max)
        };
        let (exact, children) = match shape {
            Shape::Leaf(v) => (Some(*v), Vec::new()),
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

    /// The minimax value of what is open; `mean` is all that is known of a node that is not.
    fn value(&self, mean: f32) -> f32 {
        let values = self.children.iter().map(|c| c.value(mean));
        match self.exact {
            Some(exact) => exact as f32,
            None if !self.open => mean,
            None if self.max => values.reduce(f32::max).expect("a child"),
            None => values.reduce(f32::min).expect("a child"),
        }
    }

    /// Opens the node at the end of the first best line; false if that is a leaf.
    fn grow(&mut self, mean: f32) -> Option<String> {
        if !self.open {
            self.open = self.exact.is_none();
            return self.open.then(|| self.name.clone());
        }
        let value = self.value(mean);
        let best = self.children.iter_mut().find(|c| c.value(mean) == value);
        best.expect("a child has the value").grow(mean)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn random_trees_are_expanded_as_by_the_reference(shape in any_shape(5)) {
        let situation = toy(&shape, Side::White, 0.0);
        let run = run_toy(Algorithm::BestFirstMinimax, &situation, 100_000);
        check_nesting(&run);
        let mut plain = Plain::new(&shape, "r", true);
        let tree = situation.position.tree();
        let mean = tree.leaf_mean;
        let steps: Vec<String> = std::iter::from_fn(|| plain.grow(mean)).collect();
        prop_assert_eq!(expansions(&run, &situation), steps);
        let value = run.tree.node(Tree::ROOT).expected() * 63.0;
        prop_assert!((value - plain.value(mean)).abs() < 1e-3, "{value}");
        // The other side with all values negated goes the same way.
        let other = toy(&negated(&shape), Side::Black, 0.0);
        let mirrored = run_toy(Algorithm::BestFirstMinimax, &other, 100_000);
        prop_assert_eq!(expansions(&mirrored, &other), expansions(&run, &situation));
    }
}

/// The trees of the literature, by hand.
#[test]
fn published_trees_are_expanded_as_published() {
    let sixteen = "[[[[41,5],[12,90]],[[101,80],[20,30]]],[[[34,80],[36,35]],[[50,36],[25,3]]]]";
    let textbook = "[[3,12,8],[2,4,6],[14,5,2]]";
    let conspirators = "[[5,2],[3,4]]";
    for (tree, steps, value) in [
        (sixteen, "r ra raa raaa raab rb rba rbaa rbab", 35),
        (textbook, "r ra rb rc", 3),
        (conspirators, "r ra rb", 3),
    ] {
        let situation = toy(&Shape::parse(tree), Side::White, 0.0);
        let run = run_toy(Algorithm::BestFirstMinimax, &situation, 1_000);
        assert_eq!(expansions(&run, &situation).join(" "), steps);
        let root = run.tree.node(Tree::ROOT);
        let score = situation.position.scale().score(root.expected());
        assert_eq!(i32::from(score.raw()), value);
    }
}

#[test]
fn a_chess_search_goes_on_to_its_limit() {
    let quiet = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";
    // Little happens here: lines soon end in repetitions.
    let drawn = "6k1/5p1p/6p1/8/8/6P1/q4P1P/4Q1K1 w - - 0 1";
    for fen in [KIWIPETE, quiet, drawn] {
        let run = run_chess(Algorithm::BestFirstMinimax, fen, 5_000);
        assert_eq!(run.reason, Some(StopReason::Nodes), "{fen}");
        check_nesting(&run);
        // A node's value is its best child's.
        for id in common::legs::walk(&run.tree) {
            let node = run.tree.node(id);
            let children = run.tree.children(id).map(|c| -run.tree.node(c).expected());
            if let Some(best) = children
                .reduce(f32::max)
                .filter(|_| !node.proof().is_exact())
            {
                assert!((node.expected() - best).abs() < 1e-6, "{fen} {id:?}");
            }
        }
    }
}
