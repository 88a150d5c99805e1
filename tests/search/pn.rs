//! Proof-number search on published trees, and against references that know nothing of the program's trees.

use algorithms::Algorithm;
use common::{
    Run, Shape, any_shape, check_nesting, chess, expansions, negated, run, run_toy_with,
    sample_tree, toy,
};
use eval::HandCrafted;
use game::{Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::explanation::NamedNumbers;
use search::{Options, Reading, StopReason, Viewpoint};
use tree::Tree;

const NEVER: u64 = 1 << 40;

/// A node of the references. A leaf that meets the goal is proved, any other is disproved.
struct Plain {
    name: String,
    prover: bool,
    proved: Option<bool>,
    children: Vec<Plain>,
    open: bool,
    by_moves: bool,
}

/// Proof number and disproof number.
type Pair = (u64, u64);

fn sum(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, |a, b| (a + b).min(NEVER))
}

impl Plain {
    fn new(shape: &Shape, name: &str, prover: bool, goal: f64, by_moves: bool) -> Plain {
        let child = |(i, c): (usize, &Shape)| {
            let name = format!("{name}{}", (b'a' + i as u8) as char);
            Plain::new(c, &name, !prover, goal, by_moves)
        };
        let (proved, children) = match shape {
            Shape::Leaf(v) => (Some(f64::from(*v) >= goal), Vec::new()),
            Shape::Node(children) => (None, children.iter().enumerate().map(child).collect()),
        };
        Plain {
            name: name.to_owned(),
            prover,
            proved,
            children,
            open: false,
            by_moves,
        }
    }

    fn numbers(&self) -> Pair {
        let all = |f: fn(Pair) -> u64| self.children.iter().map(move |c| f(c.numbers()));
        match self.proved {
            Some(true) => (0, NEVER),
            Some(false) => (NEVER, 0),
            None if !self.open && self.by_moves => {
                let moves = self.children.len() as u64;
                if self.prover { (1, moves) } else { (moves, 1) }
            }
            None if !self.open => (1, 1),
            None if self.prover => (all(|n| n.0).min().expect("a child"), sum(all(|n| n.1))),
            None => (sum(all(|n| n.0)), all(|n| n.1).min().expect("a child")),
        }
    }

    fn solved(&self) -> bool {
        let (pn, dn) = self.numbers();
        pn == 0 || dn == 0
    }

    /// Expands the most-proving node.
    fn step(&mut self) -> String {
        if !self.open {
            self.open = true;
            return self.name.clone();
        }
        let (pn, dn) = self.numbers();
        let prover = self.prover;
        let mut children = self.children.iter_mut();
        let next = children.find(|c| {
            let (p, d) = c.numbers();
            if prover { p == pn } else { d == dn }
        });
        next.expect("the minimum").step()
    }

    /// Depth first: everything below this node until its numbers reach a threshold.
    fn search(&mut self, (tp, td): Pair, eps: f64, steps: &mut Vec<String>) {
        if !self.open {
            let (pn, dn) = self.numbers();
            if pn >= tp || dn >= td || self.proved.is_some() {
                return;
            }
            self.open = true;
            steps.push(self.name.clone());
        }
        loop {
            let (pn, dn) = self.numbers();
            if pn >= tp || dn >= td || pn == 0 || dn == 0 {
                return;
            }
            let numbers: Vec<Pair> = self.children.iter().map(Plain::numbers).collect();
            let key = |n: &Pair| if self.prover { n.0 } else { n.1 };
            let best = (0..numbers.len()).min_by_key(|&i| key(&numbers[i]));
            let best = best.expect("a child");
            let others = (0..numbers.len()).filter(|&i| i != best);
            let second = others.map(|i| key(&numbers[i])).min().unwrap_or(NEVER);
            let next = match second {
                NEVER => NEVER,
                x => (x + 1).max((x as f64 * (1.0 + eps)).ceil() as u64),
            };
            let left = |t: u64, n: u64, c: u64| if t == NEVER { NEVER } else { t - n + c };
            let (p, d) = numbers[best];
            let thresholds = match self.prover {
                true => (tp.min(next), left(td, dn, d)),
                false => (left(tp, pn, p), td.min(next)),
            };
            self.children[best].search(thresholds, eps, steps);
        }
    }
}

fn kept(run: &Run, situation: &Situation<ToyPosition>, options: &Options) -> NamedNumbers {
    let subject = situation.clone().into();
    let reading = Reading {
        tree: &run.tree,
        subject: &subject,
        options,
        viewpoint: Viewpoint::Own,
        seed: None,
    };
    let kept = Algorithm::Pn.kept(&reading, Tree::ROOT);
    kept.expect("the root has numbers")
}

fn answer(run: &Run, situation: &Situation<ToyPosition>, options: &Options) -> Option<bool> {
    let numbers = kept(run, situation, options);
    let zero = |name| numbers.iter().any(|&(n, x)| n == name && x == 0.0);
    match (zero("pn"), zero("dn")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

fn settings(variant: &str, goal: i32, init: &str, eps: f64) -> Vec<String> {
    vec![
        format!("variant={variant}"),
        format!("goal=at-least:{goal}"),
        format!("init={init}"),
        format!("epsilon={eps}"),
    ]
}

fn run_with(situation: &Situation<ToyPosition>, pairs: &[String]) -> (Run, Options) {
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    run_toy_with(Algorithm::Pn, situation, &pairs)
}

#[test]
fn published_trees_are_expanded_as_published() {
    for (tree, goal, init, proved, best_first, depth_first) in [
        (
            "sixteen-leaves",
            35,
            "one",
            true,
            "root A B C F D E I L J K M",
            "root A B I L M J K",
        ),
        (
            "sixteen-leaves",
            36,
            "one",
            false,
            "root A B C F D E I L J K",
            "root A B I L M J K C F G D E",
        ),
        ("textbook", 3, "one", true, "root A", "root A"),
        ("textbook", 4, "one", false, "root A B C", "root A B C"),
        ("conspiracy", 3, "one", true, "root B C", "root B C"),
        ("conspiracy", 4, "one", false, "root B C", "root B C"),
        (
            "sixteen-leaves",
            35,
            "moves",
            true,
            "root A C B I D E J K L M",
            "root A C B I J K L M",
        ),
        (
            "sixteen-leaves",
            36,
            "moves",
            false,
            "root A C B I D E J K",
            "root A C B I J K D E",
        ),
    ] {
        let situation = sample_tree(tree);
        for (variant, expected) in [("pn", best_first), ("df-pn", depth_first)] {
            let (run, options) = run_with(&situation, &settings(variant, goal, init, 0.0));
            let names = expansions(&run, &situation).join(" ");
            assert_eq!(names, expected, "{variant} {tree} {goal} {init}");
            let found = answer(&run, &situation, &options);
            assert_eq!(found, Some(proved), "{variant} {tree} {goal}");
            assert!(
                matches!(run.reason, Some(StopReason::Settled | StopReason::Solved)),
                "{variant} {tree} {goal}: {:?}",
                run.reason
            );
        }
    }
}

/// With 1 + ε the order is another one; the number of expansions is known.
#[test]
fn the_wider_thresholds_expand_as_many_nodes_as_published() {
    let situation = sample_tree("sixteen-leaves");
    for (goal, init, expanded) in [
        (35, "one", 8),
        (36, "one", 13),
        (35, "moves", 9),
        (36, "moves", 9),
    ] {
        let (run, _) = run_with(&situation, &settings("df-pn", goal, init, 0.25));
        assert_eq!(
            expansions(&run, &situation).len(),
            expanded,
            "{goal} {init}"
        );
    }
}

/// The numbers at the root after each expansion.
#[test]
fn the_roots_numbers_go_as_published() {
    let situation = sample_tree("sixteen-leaves");
    let mut course = Vec::new();
    for steps in 1..=11 {
        let mut options = Algorithm::Pn.default_options();
        options.set_pair("goal=at-least:35").expect("an option");
        let limits = common::playouts(steps);
        let evaluator = eval::ToyEvaluator;
        let run = run(
            Algorithm::Pn,
            &situation,
            &evaluator,
            &options,
            limits,
            1 << 20,
        );
        let numbers = kept(&run, &situation, &options);
        course.push(numbers.iter().map(|n| n.1 as u64).collect::<Vec<_>>());
    }
    let published = [
        [1, 2],
        [1, 2],
        [2, 2],
        [2, 2],
        [2, 3],
        [2, 2],
        [2, 1],
        [2, 1],
        [2, 2],
        [2, 1],
        [1, 2],
    ];
    assert_eq!(course, published);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn random_trees_are_expanded_as_by_the_references(
        shape in any_shape(5),
        above in -20i32..20,
        by_moves: bool,
        eps in prop::sample::select(vec![0.0, 0.25]),
    ) {
        let goal = shape.minimax(true) + if above.abs() < 8 { 0 } else { above };
        let init = if by_moves { "moves" } else { "one" };
        let situation = toy(&shape, Side::White, 0.0);
        let other = toy(&negated(&shape), Side::Black, 0.0);
        let plain = || {
            let mut plain = Plain::new(&shape, "r", true, goal.into(), by_moves);
            plain.open = true;
            (plain, vec!["r".to_owned()])
        };
        let (mut best_first, mut in_order) = plain();
        while !best_first.solved() {
            in_order.push(best_first.step());
        }
        let (mut depth_first, mut in_depth) = plain();
        depth_first.search((NEVER, NEVER), eps, &mut in_depth);
        for (variant, steps) in [("pn", in_order), ("df-pn", in_depth)] {
            let pairs = settings(variant, goal, init, eps);
            let (run, options) = run_with(&situation, &pairs);
            check_nesting(&run);
            prop_assert_eq!(expansions(&run, &situation), steps.clone(), "{}", variant);
            let proved = shape.minimax(true) >= goal;
            prop_assert_eq!(answer(&run, &situation, &options), Some(proved));
            if proved {
                let best = Algorithm::Pn.best_move(&run.tree, Tree::ROOT).expect("a move");
                let child = run.tree.children(Tree::ROOT).position(|c| run.tree.node(c).move_code() == best);
                let Shape::Node(children) = &shape else { unreachable!() };
                let played = &children[child.expect("a child")];
                prop_assert!(played.minimax(false) >= goal, "{}", variant);
            }
            // The other side with all values negated goes the same way.
            let (mirrored, _) = run_with(&other, &pairs);
            prop_assert_eq!(expansions(&mirrored, &other), steps, "{}", variant);
        }
    }
}

fn run_mate(fen: &str, pairs: &[&str], nodes: u64) -> Run {
    let mut options = Algorithm::Pn.default_options();
    for pair in pairs {
        options.set_pair(pair).expect("an option");
    }
    let limits = common::nodes(nodes);
    run(
        Algorithm::Pn,
        &chess(fen),
        &HandCrafted::default(),
        &options,
        limits,
        256 << 20,
    )
}

fn root_proof(run: &Run) -> tree::Proof {
    run.tree.node(Tree::ROOT).proof()
}

/// A mate in three that starts with a quiet move, under every goal that asks for it; a mate in two there is none.
#[test]
fn mates_are_proved_within_their_number_of_moves() {
    let fen = "7k/8/8/8/8/8/1R6/R6K w - - 0 1";
    for variant in ["variant=pn", "variant=df-pn"] {
        for (goal, proved) in [
            ("goal=win", true),
            ("goal=mate:2", true),
            ("goal=mate:1", false),
        ] {
            let run = run_mate(fen, &[variant, goal], 2_000_000);
            assert_eq!(root_proof(&run).is_win(), proved, "{variant} {goal}");
            assert!(
                matches!(run.reason, Some(StopReason::Settled | StopReason::Solved)),
                "{variant} {goal}: {:?}",
                run.reason
            );
        }
    }
}

/// The first proof may be a longer way; asked for the shortest, the search goes on until there is no shorter one.
#[test]
fn the_shortest_mate_is_found_after_any() {
    let fen = "1B5b/1p1N4/1Pp5/2P3p1/K1pk3p/2N5/2nP1p2/1b3B2 w - - 0 1";
    for variant in ["variant=pn", "variant=df-pn"] {
        let run = run_mate(fen, &[variant, "goal=mate"], 2_000_000);
        assert!(
            matches!(run.reason, Some(StopReason::Settled | StopReason::Solved)),
            "{variant}: {:?}",
            run.reason
        );
        let plies = root_proof(&run).lower.mate_plies();
        assert_eq!(plies, Some(7), "{variant}");
    }
}

/// White has a lone bishop: no win, and no loss.
#[test]
fn what_cannot_be_won_is_disproved_at_once() {
    let fen = "k7/8/8/8/8/8/1B6/7K w - - 0 1";
    let win = run_mate(fen, &["goal=win"], 1_000);
    assert!(
        win.reason.is_some_and(|r| r != StopReason::Nodes),
        "{:?}",
        win.reason
    );
    let hold = run_mate(fen, &["goal=not-lose"], 1_000);
    assert!(
        hold.reason.is_some_and(|r| r != StopReason::Nodes),
        "{:?}",
        hold.reason
    );
}

#[test]
fn the_goal_is_read_or_refused() {
    let mut options = Algorithm::Pn.default_options();
    for good in [
        "auto",
        "win",
        "mate",
        "not-lose",
        "mate:1",
        "mate:60",
        "at-least:-3.5",
        "at-least:35",
    ] {
        options.set_pair(&format!("goal={good}")).expect(good);
    }
    for bad in [
        "",
        "mates",
        "mate:0",
        "mate:61",
        "mate:x",
        "at-least:",
        "at-least:nan",
        "at-least:inf",
        "loss",
    ] {
        let error = options.set_pair(&format!("goal={bad}")).expect_err(bad);
        assert!(error.to_string().contains("expected"), "{error}");
    }
}
