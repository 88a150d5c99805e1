//! B* on published trees, and against a reference that knows nothing of the program's trees.

use algorithms::Algorithm;
use common::{
    HINTED, KIWIPETE, Run, Shape, any_shape, check_nesting, expansions, negated, run_chess,
    run_toy_with, sample_tree, toy, toy_tree,
};
use game::{Game, Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::StopReason;
use tree::Tree;

/// The 90 % quantile of the standard normal distribution.
const Z: f64 = 1.281_551_565_5;

/// A node of the reference: everything is Max's.
struct Plain {
    name: String,
    max: bool,
    children: Vec<Plain>,
    open: bool,
    lower: f64,
    upper: f64,
    /// The depths from which the two ends came.
    from: (u32, u32),
    expanded: u32,
}

impl Plain {
    fn new(shape: &Shape, name: &str, max: bool, depth: u32, (mean, sd): (f64, f64)) -> Plain {
        let child = |(i, c): (usize, &Shape)| {
            let name = format!("{name}{}", (b'a' + i as u8) as char);
            Plain::new(c, &name, !max, depth + 1, (mean, sd))
        };
        let (lower, upper, children) = match shape {
            Shape::Leaf(v) => (f64::from(*v), f64::from(*v), Vec::new()),
            Shape::Node(children) => {
                let children = children.iter().enumerate().map(child).collect();
                (mean - Z * sd, mean + Z * sd, children)
            }
        };
        Plain {
            name: name.to_owned(),
            max,
            children,
            open: false,
            lower,
            upper,
            from: (depth, depth),
            expanded: 0,
        }
    }

    fn grows(&self) -> bool {
        let waits = !self.open && !self.children.is_empty();
        waits || self.open && self.children.iter().any(Plain::grows)
    }

    /// At best and at worst for a mover.
    fn seen(&self, max: bool) -> (f64, f64) {
        match max {
            true => (self.upper, self.lower),
            false => (-self.lower, -self.upper),
        }
    }

    fn back_up(&mut self) {
        self.expanded += 1;
        let better = |a: f64, b: f64| if self.max { a > b } else { a < b };
        let (mut lower, mut upper) = (&self.children[0], &self.children[0]);
        for c in &self.children[1..] {
            if better(c.lower, lower.lower) {
                lower = c;
            }
            if better(c.upper, upper.upper) {
                upper = c;
            }
        }
        let from = (lower.from.0, upper.from.1);
        (self.lower, self.upper, self.from) = (lower.lower, upper.upper, from);
    }

    /// Expands the most promising node at or below this one.
    fn grow(&mut self) -> String {
        let name = if self.open {
            let max = self.max;
            let open = self.children.iter_mut().filter(|c| c.grows());
            let first_best = open.reduce(|a, b| if b.seen(max) > a.seen(max) { b } else { a });
            first_best.expect("a child that grows").grow()
        } else {
            self.open = true;
            self.name.clone()
        };
        self.back_up();
        name
    }

    /// One step of B*, or why it stops.
    fn step(&mut self, strategy: &str) -> Result<String, StopReason> {
        if !self.open {
            return Ok(self.grow());
        }
        let max = self.max;
        let mut order: Vec<usize> = (0..self.children.len()).collect();
        let seen = |i: &usize| self.children[*i].seen(max);
        order.sort_by(|a, b| seen(b).partial_cmp(&seen(a)).expect("numbers"));
        let (best, rest) = (order[0], &order[1..]);
        let (_, sure) = seen(&best);
        if rest.is_empty() || sure >= seen(&rest[0]).0 {
            return Err(StopReason::Settled);
        }
        let in_the_way: Vec<usize> = rest.iter().copied().filter(|i| seen(i).0 > sure).collect();
        let depth = |i: usize| {
            let (lower, upper) = self.children[i].from;
            let depth = if max { upper } else { lower };
            f64::from(depth * depth)
        };
        let proves = if rest.iter().any(|i| seen(i).1 > sure) {
            true
        } else {
            match strategy {
                "fewer" => self.children[best].expanded <= self.children[rest[0]].expanded,
                "depth" => in_the_way.iter().map(|&i| depth(i)).sum::<f64>() >= depth(best),
                other => other == "prove",
            }
        };
        let order: Vec<usize> = match proves {
            true => [vec![best], in_the_way].concat(),
            false => [in_the_way, vec![best]].concat(),
        };
        let grows = |i: &usize| self.children[*i].grows();
        let Some(next) = order.into_iter().find(grows) else {
            return Err(StopReason::Exhausted);
        };
        let name = self.children[next].grow();
        self.back_up();
        Ok(name)
    }
}

/// The intervals of the root's moves, from the root's side's view, by name.
fn intervals(run: &Run, situation: &Situation<ToyPosition>) -> Vec<(String, f32, f32)> {
    let game::Scale::Linear(axis) = situation.position.scale() else {
        panic!("a toy tree");
    };
    let children = run.tree.children(Tree::ROOT);
    let seen = children.map(|c| {
        let node = run.tree.node(c);
        let m = situation.position.decode(node.move_code()).expect("a move");
        let (lower, upper) = node.pair();
        (
            situation.position.label(m),
            -upper * axis.range(),
            -lower * axis.range(),
        )
    });
    seen.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn random_trees_are_expanded_as_by_the_reference(
        shape in any_shape(5),
        strategy in prop::sample::select(vec!["fewer", "depth", "prove", "disprove"]),
    ) {
        let situation = toy(&shape, Side::White, 0.0);
        let option = format!("strategy={strategy}");
        let (run, _) = run_toy_with(Algorithm::BStar, &situation, &[&option]);
        check_nesting(&run);
        let tree = situation.position.tree();
        let of_inner = (f64::from(tree.leaf_mean), f64::from(tree.leaf_sd));
        let mut plain = Plain::new(&shape, "r", true, 0, of_inner);
        let mut steps = Vec::new();
        let reason = loop {
            match plain.step(strategy) {
                Ok(name) => steps.push(name),
                Err(reason) => break reason,
            }
        };
        prop_assert_eq!(expansions(&run, &situation), steps);
        // A tree that is known whole is solved before its moves are compared.
        if run.reason != Some(StopReason::Solved) {
            prop_assert_eq!(run.reason, Some(reason));
        }
        for ((_, lower, upper), c) in intervals(&run, &situation).into_iter().zip(&plain.children) {
            prop_assert!((f64::from(lower) - c.lower).abs() < 1e-3, "{} {lower} {}", c.name, c.lower);
            prop_assert!((f64::from(upper) - c.upper).abs() < 1e-3, "{} {upper} {}", c.name, c.upper);
        }
        // The other side with all values negated goes the same way.
        let other = toy(&negated(&shape), Side::Black, 0.0);
        let (mirrored, _) = run_toy_with(Algorithm::BStar, &other, &[&option]);
        prop_assert_eq!(expansions(&mirrored, &other), expansions(&run, &situation));
    }

    /// A search that goes on after a separation ends with minimax's move.
    #[test]
    fn in_the_end_the_move_is_minimaxs(shape in any_shape(5)) {
        let situation = toy(&shape, Side::White, 0.0);
        let (run, _) = run_toy_with(Algorithm::BStar, &situation, &["end=next"]);
        let root = run.tree.node(Tree::ROOT);
        prop_assert_eq!(run.tree.scale().score(root.expected()).raw() as i32, shape.minimax(true));
    }
}

#[test]
fn published_trees_are_expanded_as_published() {
    let sixteen = "root A B C I D J F L G M K E";
    let sixteen_d = "root A B C I D F G E J L M";
    for (tree, strategy, steps, reason, ends) in [
        (
            "conspiracy",
            "fewer",
            "root B",
            StopReason::Settled,
            "B[2.0000,2.0000] C[2.0672,4.9328]",
        ),
        (
            "conspiracy",
            "depth",
            "root B",
            StopReason::Settled,
            "B[2.0000,2.0000] C[2.0672,4.9328]",
        ),
        (
            "conspiracy",
            "disprove",
            "root C B",
            StopReason::Solved,
            "B[2.0000,2.0000] C[3.0000,3.0000]",
        ),
        (
            "hinted",
            "fewer",
            "root A Q B R P",
            StopReason::Settled,
            "A[4.0000,4.0000] B[4.7184,5.0000] C[0.7184,3.2816]",
        ),
        (
            "hinted",
            "depth",
            "root A Q B R P",
            StopReason::Settled,
            "A[4.0000,4.0000] B[4.7184,5.0000] C[0.7184,3.2816]",
        ),
        (
            "hinted",
            "prove",
            "root A Q B R P",
            StopReason::Settled,
            "A[4.0000,4.0000] B[4.7184,5.0000] C[0.7184,3.2816]",
        ),
        (
            "hinted",
            "disprove",
            "root A Q B R P",
            StopReason::Settled,
            "A[4.0000,4.0000] B[4.7184,5.0000] C[0.7184,3.2816]",
        ),
        (
            "sixteen-leaves",
            "fewer",
            sixteen,
            StopReason::Solved,
            "A[12.0000,12.0000] B[35.0000,35.0000]",
        ),
        (
            "sixteen-leaves",
            "depth",
            sixteen_d,
            StopReason::Settled,
            "A[12.0000,12.0000] B[34.0000,79.7764]",
        ),
        (
            "figure1",
            "fewer",
            "root C D A B",
            StopReason::Exhausted,
            "C[-0.0816,2.4816] D[-0.1816,2.3816]",
        ),
        (
            "wide-and-narrow",
            "fewer",
            "root sure",
            StopReason::Settled,
            "sure[1.0000,1.0000] maybe[0.6468,0.9532]",
        ),
        (
            "wide-and-narrow",
            "disprove",
            "root maybe only sure",
            StopReason::Exhausted,
            "sure[1.0000,1.0000] maybe[-0.3816,2.1816]",
        ),
        (
            "textbook",
            "disprove",
            "root B A C",
            StopReason::Solved,
            "A[3.0000,3.0000] B[2.0000,2.0000] C[2.0000,2.0000]",
        ),
    ] {
        let situation = match tree {
            "hinted" => toy_tree(HINTED),
            sample => sample_tree(sample),
        };
        let option = format!("strategy={strategy}");
        let (run, _) = run_toy_with(Algorithm::BStar, &situation, &[&option]);
        let names = expansions(&run, &situation).join(" ");
        assert_eq!(names, steps, "{tree} {strategy}");
        assert_eq!(run.reason, Some(reason), "{tree} {strategy}");
        let seen: Vec<String> = intervals(&run, &situation)
            .iter()
            .map(|(name, lower, upper)| format!("{name}[{lower:.4},{upper:.4}]"))
            .collect();
        assert_eq!(seen.join(" "), ends, "{tree} {strategy}");
    }
}

#[test]
fn a_chess_search_goes_on_to_its_limit() {
    for fen in [KIWIPETE, "6k1/5p1p/6p1/8/8/6P1/q4P1P/4Q1K1 w - - 0 1"] {
        let run = run_chess(Algorithm::BStar, fen, 5_000);
        assert_eq!(run.reason, Some(StopReason::Nodes), "{fen}");
        check_nesting(&run);
        for id in common::legs::walk(&run.tree) {
            let node = run.tree.node(id);
            let (lower, upper) = node.pair();
            assert!(lower <= upper, "{fen} {id:?}: {lower} {upper}");
            let children = run.tree.children(id).map(|c| run.tree.node(c).pair());
            let ends = children.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)));
            if let Some((least, most)) = ends.filter(|_| !node.proof().is_exact()) {
                assert_eq!((lower, upper), (-most, -least), "{fen} {id:?}");
            }
        }
    }
}
