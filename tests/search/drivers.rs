//! The drivers of alpha-beta on published trees, against references that know nothing of the program's trees, and in
//! chess.

use std::collections::HashMap;

use algorithms::Algorithm;
use common::{
    KIWIPETE, Run, Shape, any_shape, check_nesting, chess, negated, run_toy_with, sample_tree, toy,
};
use eval::HandCrafted;
use game::{Ending, Game, Score, Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::{Event, StopReason};
use tree::{Bound, Fate, Tree};

const DRIVERS: [&str; 5] = ["pvs", "negascout", "mtdf", "sss*", "dual*"];

fn drive(situation: &Situation<ToyPosition>, driver: &str, guess: &str) -> Run {
    let driver = format!("driver={driver}");
    let guess = format!("first-guess={guess}");
    run_toy_with(Algorithm::AlphaBeta, situation, &[&driver, &guess]).0
}

/// The leaves looked at, by their values for Max, pass by pass.
fn leaves(run: &Run, situation: &Situation<ToyPosition>) -> Vec<Vec<i32>> {
    let mut passes = vec![Vec::new()];
    for event in &run.events {
        match event {
            Event::Pass { number, .. } if *number > 1 => passes.push(Vec::new()),
            Event::End {
                node,
                fate: Fate::Ended(Ending::Leaf),
                ..
            } => {
                let mut position = situation.position.clone();
                for code in run.tree.moves_to(*node) {
                    position.play(position.decode(code).expect("a move of the tree"));
                }
                let value = position.node().value.expect("a leaf's value");
                passes.last_mut().expect("a pass").push(value as i32);
            }
            _ => {}
        }
    }
    passes
}

/// What the passes returned, for the side to move at the root, in steps.
fn returned(run: &Run) -> Vec<i16> {
    let mut before = (Score::MIN, Score::MAX);
    let mut values = Vec::new();
    for event in &run.events {
        if let Event::PassDone { low, high, .. } = *event {
            values.push(if low == before.0 { high } else { low }.raw());
            before = (low, high);
        }
    }
    values
}

fn root_value(tree: &Tree) -> i16 {
    let view = tree.view(Tree::ROOT);
    assert_eq!(view.window.expect("a window").bound, Bound::Exact);
    view.score.expect("a value").raw()
}

/// Leaves separated by spaces, passes by strokes.
fn written(passes: &str) -> Vec<Vec<i32>> {
    let pass = |text: &str| {
        let leaves = text.split_whitespace();
        leaves.map(|n| n.parse().expect("a number")).collect()
    };
    passes.split('/').map(pass).collect()
}

/// The leaves of Plaat's figure, in the order in which each driver looks at them; the first three passes of SSS* are the
/// published ones.
#[test]
fn sixteen_leaves_are_visited_in_the_published_order() {
    let situation = sample_tree("sixteen-leaves");
    let all = "41 5 12 90 101 80 34 80 36 35 50 36";
    let scouted = "41 5 12 90 12 101 80 34 80 50 36 34 36 35 36 35 50 36";
    let raised = "41 5 101 80 / 12 90 / 34 80 50 36 / 36 35 /";
    let lowered = "41 12 34 36 / 5 / 35 / 50 36";
    let of_20 = "41 5 12 34 80 50 36 / 36 35 /";
    let of_35 = "41 5 12 34 36 35 50 36 /";
    let of_36 = "41 5 12 34 36 35 / 50 36";
    let of_41 = "41 5 12 34 36 / 35 / 50 36";
    for (driver, guess, order, values) in [
        ("pvs", "last", all, &[] as &[i16]),
        ("negascout", "last", scouted, &[]),
        ("sss*", "last", lowered, &[41, 36, 35, 35]),
        ("dual*", "last", raised, &[5, 12, 34, 35, 35]),
        ("mtdf", "last", raised, &[5, 12, 34, 35, 35]),
        ("mtdf", "0", raised, &[5, 12, 34, 35, 35]),
        ("mtdf", "20", of_20, &[34, 35, 35]),
        ("mtdf", "35", of_35, &[35, 35]),
        ("mtdf", "36", of_36, &[35, 35]),
        ("mtdf", "41", of_41, &[36, 35, 35]),
    ] {
        let run = drive(&situation, driver, guess);
        let name = format!("{driver} from {guess}");
        assert_eq!(leaves(&run, &situation), written(order), "{name}");
        assert_eq!(returned(&run), values, "{name}");
        assert_eq!(root_value(&run.tree), 35, "{name}");
        check_nesting(&run);
    }
}

#[test]
fn the_other_published_trees_are_visited_in_order() {
    let textbook = "[[3,12,8],[2,4,6],[14,5,2]]";
    let conspiracy = "[[5,2],[3,4]]";
    for (tree, driver, guess, order, values) in [
        (textbook, "pvs", "last", "3 12 8 2 14 5 2", &[] as &[i16]),
        (textbook, "negascout", "last", "3 12 8 2 14 5 2", &[]),
        (
            textbook,
            "sss*",
            "last",
            "3 2 14 / 5 / 2 / 12 8",
            &[14, 5, 3, 3],
        ),
        (conspiracy, "pvs", "last", "5 2 3 4", &[]),
        (conspiracy, "negascout", "last", "5 2 3 4 3", &[]),
        (conspiracy, "sss*", "last", "5 3 / 2 / 4", &[5, 3, 3]),
    ] {
        let situation = toy(&Shape::parse(tree), Side::White, 0.0);
        let run = drive(&situation, driver, guess);
        assert_eq!(leaves(&run, &situation), written(order), "{tree} {driver}");
        assert_eq!(returned(&run), values, "{tree} {driver}");
    }
    let situation = toy(&Shape::parse(textbook), Side::White, 0.0);
    for (driver, guess) in [("dual*", "last"), ("mtdf", "3")] {
        let run = drive(&situation, driver, guess);
        let seen = leaves(&run, &situation).concat();
        assert_eq!(seen, [3, 12, 8, 2, 14, 5, 2], "{driver}");
    }
}

/// Memory-enhanced test (Plaat and others 1996) on a shape, Max's view: the bounds of each node by its path.
struct Reference<'a> {
    shape: &'a Shape,
    bounds: HashMap<Vec<usize>, (i32, i32)>,
    passes: Vec<Vec<i32>>,
}

const INFINITE: i32 = 1000;

impl Reference<'_> {
    fn test(&mut self, shape: &Shape, path: &mut Vec<usize>, max: bool, g: i32) -> i32 {
        let (low, high) = *self.bounds.get(path).unwrap_or(&(-INFINITE, INFINITE));
        if low >= g {
            return low;
        }
        if high < g {
            return high;
        }
        let children = match shape {
            Shape::Leaf(value) => {
                self.passes.last_mut().expect("a pass").push(*value);
                self.bounds.insert(path.clone(), (*value, *value));
                return *value;
            }
            Shape::Node(children) => children,
        };
        let mut best = if max { -INFINITE } else { INFINITE };
        for (i, child) in children.iter().enumerate() {
            path.push(i);
            let value = self.test(child, path, !max, g);
            path.pop();
            best = if max {
                best.max(value)
            } else {
                best.min(value)
            };
            if if max { best >= g } else { best < g } {
                break;
            }
        }
        let kept = self
            .bounds
            .entry(path.clone())
            .or_insert((-INFINITE, INFINITE));
        if best >= g {
            kept.0 = best;
        } else {
            kept.1 = best;
        }
        best
    }

    /// The passes that begin with this value, at a root where Max is to move or not.
    fn drive(shape: &Shape, max: bool, first: i32) -> (i32, Vec<Vec<i32>>) {
        let mut reference = Reference {
            shape,
            bounds: HashMap::new(),
            passes: Vec::new(),
        };
        // The driver asks in the view of the side to move at the root.
        let (mut low, mut high, mut last) = (-INFINITE, INFINITE, first);
        while low < high {
            let g = if last == low { last + 1 } else { last };
            reference.passes.push(Vec::new());
            let value = match max {
                true => reference.test(shape, &mut Vec::new(), true, g),
                // Is −v >= g? It is if v < 1 − g.
                false => -reference.test(reference.shape, &mut Vec::new(), false, 1 - g),
            };
            if value < g {
                high = value;
            } else {
                low = value;
            }
            last = value;
        }
        (last, reference.passes)
    }
}

/// Stockman's SSS* with its list of open states: the leaves, in order. Max is to move at the root.
fn stockman(shape: &Shape) -> Vec<i32> {
    #[derive(Clone)]
    struct State {
        path: Vec<usize>,
        solved: bool,
        merit: i32,
    }
    fn at<'a>(shape: &'a Shape, path: &[usize]) -> &'a Shape {
        path.iter().fold(shape, |shape, &i| match shape {
            Shape::Node(children) => &children[i],
            Shape::Leaf(_) => unreachable!("no path goes through a leaf"),
        })
    }
    let state = |path: &[usize], solved, merit| State {
        path: path.to_vec(),
        solved,
        merit,
    };
    let mut seen = Vec::new();
    let mut open = vec![state(&[], false, INFINITE)];
    loop {
        let best = open.iter().map(|s| s.merit).max().expect("an open state");
        let candidates = open.iter().enumerate().filter(|(_, s)| s.merit == best);
        let (place, _) = candidates
            .min_by(|a, b| a.1.path.cmp(&b.1.path))
            .expect("a state");
        let State {
            path,
            solved,
            merit,
        } = open.remove(place);
        let max = path.len() % 2 == 0;
        if !solved {
            match at(shape, &path) {
                Shape::Leaf(value) => {
                    seen.push(*value);
                    open.push(state(&path, true, merit.min(*value)));
                }
                Shape::Node(children) => {
                    let count = if max { children.len() } else { 1 };
                    for i in 0..count {
                        open.push(state(&[&path[..], &[i]].concat(), false, merit));
                    }
                }
            }
            continue;
        }
        let Some((&last, parent)) = path.split_last() else {
            return seen;
        };
        let Shape::Node(siblings) = at(shape, parent) else {
            unreachable!("a parent has children");
        };
        if !max {
            // The parent is Max's.
            open.retain(|s| !s.path.starts_with(parent));
            open.push(state(parent, true, merit));
        } else if last + 1 < siblings.len() {
            open.push(state(&[parent, &[last + 1]].concat(), false, merit));
        } else {
            open.push(state(parent, true, merit));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_driver_finds_minimax_in_the_order_of_the_reference(
        shape in any_shape(6),
        white: bool,
        guess in -70i32..70,
    ) {
        let side = if white { Side::White } else { Side::Black };
        let situation = toy(&shape, side, 0.0);
        let own = shape.minimax(white) * if white { 1 } else { -1 };
        let guessed = guess.to_string();
        let mut counts = HashMap::new();
        for driver in DRIVERS {
            let run = drive(&situation, driver, &guessed);
            prop_assert_eq!(i32::from(root_value(&run.tree)), own, "{}", driver);
            prop_assert_eq!(run.reason, Some(StopReason::Solved));
            check_nesting(&run);
            let found = leaves(&run, &situation);
            let first = match driver {
                "mtdf" => guess,
                "sss*" => INFINITE,
                "dual*" => -INFINITE,
                _ => {
                    counts.insert(driver, found.concat().len());
                    continue;
                }
            };
            let (value, expected) = Reference::drive(&shape, white, first);
            prop_assert_eq!(value, own);
            prop_assert_eq!(&found, &expected, "{} from {}", driver, first);
            counts.insert(driver, found.concat().len());
        }
        prop_assert!(counts["sss*"] <= counts["pvs"], "{:?}", counts);
    }

    #[test]
    fn the_passes_from_infinity_are_stockmans_search(shape in any_shape(6)) {
        let situation = toy(&shape, Side::White, 0.0);
        let found = leaves(&drive(&situation, "sss*", "last"), &situation);
        prop_assert_eq!(found.concat(), stockman(&shape));
    }

    #[test]
    fn exchanging_the_sides_changes_nothing(shape in any_shape(5)) {
        for driver in DRIVERS {
            let one = toy(&shape, Side::White, 0.0);
            let other = toy(&negated(&shape), Side::Black, 0.0);
            let (a, b) = (drive(&one, driver, "last"), drive(&other, driver, "last"));
            prop_assert_eq!(&a.events, &b.events, "{}", driver);
        }
    }
}

/// Without pruning the value of an iteration depends on the order of moves and the table alone: all drivers find the
/// same one.
#[test]
fn in_chess_every_driver_finds_the_same_value() {
    const PLAIN: [&str; 9] = [
        "futility=off",
        "reverse-futility=off",
        "razoring=off",
        "null-move=off",
        "prob-cut=off",
        "late-move-reduction=off",
        "late-move-pruning=off",
        "internal-reduction=off",
        "delta-pruning=off",
    ];
    for fen in [
        KIWIPETE,
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    ] {
        let values = DRIVERS.map(|driver| {
            let driver = format!("driver={driver}");
            let pairs: Vec<&str> = PLAIN.into_iter().chain([driver.as_str()]).collect();
            let run = run_in_chess(fen, &pairs, 4);
            check_nesting(&run);
            let value = root_value(&run.tree);
            (value, run.reason)
        });
        let (first, reason) = values[0];
        for (value, ended) in values {
            assert!((value - first).abs() <= 25, "{fen}: {values:?}");
            assert_eq!(ended, reason);
        }
    }
}

fn run_in_chess(fen: &str, pairs: &[&str], depth: u16) -> Run {
    let mut options = Algorithm::AlphaBeta.default_options();
    for pair in pairs {
        options.set_pair(pair).expect("an option of the algorithm");
    }
    let limits = common::depth(depth);
    common::run(
        Algorithm::AlphaBeta,
        &chess(fen),
        &HandCrafted::default(),
        &options,
        limits,
        256 << 20,
    )
}

#[test]
fn mates_are_found_by_every_driver() {
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        (
            "8/1p3Qb1/p5pk/P1p1p1p1/1P2P1P1/2P1N2n/5P1P/4qB1K w - - 1 0",
            2,
        ),
        (
            "3rrk2/2p2pR1/p4n2/1p1PpP2/2p2q1P/3P1BQ1/PPP5/6RK w - - 1 0",
            2,
        ),
    ] {
        for driver in DRIVERS {
            let run = run_in_chess(fen, &[&format!("driver={driver}")], 8);
            let score = run.tree.view(Tree::ROOT).score.expect("a score");
            assert_eq!(score.mate_moves(), Some(mate), "{driver} {fen}");
            assert_eq!(run.reason, Some(StopReason::Solved), "{driver} {fen}");
        }
    }
}

/// In the middle of an iteration the root says what its passes know, and the best move is one of theirs.
#[test]
fn a_search_stopped_between_passes_has_a_move_and_a_bound() {
    for driver in ["mtdf", "sss*", "dual*"] {
        let mut options = Algorithm::AlphaBeta.default_options();
        options.set("driver", driver).expect("a driver");
        for nodes in (2_000..60_000).step_by(7_000) {
            let limits = common::nodes(nodes);
            let run = common::run(
                Algorithm::AlphaBeta,
                &chess(KIWIPETE),
                &HandCrafted::default(),
                &options,
                limits,
                256 << 20,
            );
            let view = run.tree.view(Tree::ROOT);
            assert!(view.fate.best().is_some(), "{driver} {nodes}: {view:?}");
            let last = run.events.iter().rev().find_map(|event| match *event {
                Event::Best { to, .. } => Some(to),
                _ => None,
            });
            assert_eq!(view.fate.best(), last, "{driver} {nodes}");
        }
    }
}
