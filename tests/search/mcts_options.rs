//! MCTS with options from other papers: what they keep at the nodes, where they send the visits, and that they change
//! nothing while they are off.

use algorithms::Algorithm;
use common::{KIWIPETE, Run, any_shape, check_nesting, chess, run_toy_with, sample_tree, toy};
use eval::HandCrafted;
use game::{Scale, Side};
use proptest::prelude::*;
use search::{Event, Options, Reading, Subject, Viewpoint};
use std::collections::BTreeMap;
use tree::{NodeId, Tree};

const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R2Q1RK1 b - - 0 9";
/// Each option with a value that its paper recommends.
const EACH: [&[&str]; 7] = [
    &["implicit-minimax=0.4"],
    &["variance-scaled-c=0.85", "exploration=1"],
    &["gumbel-root=16"],
    &["gumbel-root=16", "gumbel-noise=on"],
    &["softmax-backup=0.1"],
    &["softmax-backup=0.1", "softmax-sum=on"],
    &["uncertainty-weighting=on"],
];

fn in_chess(fen: &str, pairs: &[&str], playouts: u64) -> (Run, Options) {
    let mut options = Algorithm::Mcts.default_options();
    for pair in pairs {
        options.set_pair(pair).expect("an option of the algorithm");
    }
    let limits = common::playouts(playouts);
    let (situation, evaluator) = (chess(fen), HandCrafted::default());
    let run = common::run(
        Algorithm::Mcts,
        &situation,
        &evaluator,
        &options,
        limits,
        64 << 20,
    );
    (run, options)
}

#[test]
fn each_option_gives_the_same_search_twice_and_another_one_than_none() {
    let (plain, _) = in_chess(KIWIPETE, &[], 600);
    for pairs in EACH {
        let ((one, _), (two, _)) = (
            in_chess(KIWIPETE, pairs, 600),
            in_chess(KIWIPETE, pairs, 600),
        );
        assert!(one.events == two.events, "{pairs:?}");
        assert!(one.events != plain.events, "{pairs:?}");
        check_nesting(&one);
        let root = one.tree.view(Tree::ROOT);
        assert!(root.fate.best().is_some(), "{pairs:?}");
        assert!(!root.has_belief, "{pairs:?}");
    }
}

/// Without proofs a toy tree is visited until the limit: then every leaf has been seen, and the implicit values are
/// minimax, while the means are not.
#[test]
fn implicit_values_become_minimax() {
    let situation = sample_tree("sixteen-leaves");
    let pairs = ["implicit-minimax=0.4", "certainty=off", "expand-at=1"];
    let (run, _) = run_toy_with(Algorithm::Mcts, &situation, &pairs);
    let Scale::Linear(axis) = run.tree.scale() else {
        panic!("a toy tree's scale");
    };
    let root = run.tree.node(Tree::ROOT);
    assert!(
        (root.second() * axis.range() - 35.0).abs() < 0.01,
        "{}",
        root.second()
    );
    assert!((root.expected() * axis.range() - 35.0).abs() > 0.01);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn each_option_solves_toy_trees_to_minimax(shape in any_shape(4), white: bool) {
        let side = if white { Side::White } else { Side::Black };
        let situation = toy(&shape, side, 0.0);
        let own = shape.minimax(white) * if white { 1 } else { -1 };
        for pairs in EACH {
            let (run, _) = run_toy_with(Algorithm::Mcts, &situation, pairs);
            let proof = run.tree.node(Tree::ROOT).proof();
            prop_assert!(proof.is_exact(), "{:?} {:?}", pairs, run.reason);
            prop_assert_eq!(i32::from(proof.lower.raw()), own, "{:?}", pairs);
        }
    }
}

/// Sequential halving by hand: which visit counts the moves have after `made` of `budget` visits, best first.
fn halved(moves: usize, budget: usize, made: usize) -> Vec<u32> {
    let rounds = (moves as f64).log2().ceil() as usize;
    let (mut visits, mut left, mut done) = (vec![0; moves], moves, 0);
    while done < made {
        for _ in 0..(budget / (rounds * left)).max(1) {
            for count in visits.iter_mut().take(left) {
                if done < made {
                    *count += 1;
                    done += 1;
                }
            }
        }
        left = (left / 2).max(2);
    }
    visits
}

#[test]
fn the_roots_visits_are_halved() {
    for noise in ["off", "on"] {
        let noise = format!("gumbel-noise={noise}");
        let (run, _) = in_chess(QUIET, &["gumbel-root=16", &noise], 200);
        let children = run.tree.children_block(run.tree.node(Tree::ROOT));
        let mut visits: Vec<u32> = children.iter().map(|c| c.visits()).collect();
        visits.sort_by(|a, b| b.cmp(a));
        let made = visits.iter().sum::<u32>();
        assert!((190..=200).contains(&made), "{made}");
        visits.truncate(16);
        let mut expected = halved(16, 200, made as usize);
        expected.sort_by(|a, b| b.cmp(a));
        assert_eq!(visits, expected, "{noise}");
    }
}

#[test]
fn each_option_shows_its_terms() {
    for (pairs, fact, block) in [
        (EACH[0], Some("choice"), None),
        (EACH[1], Some("exploration"), None),
        (EACH[2], None, Some("the root's choice: g + ln P + σ(q)")),
        (EACH[4], None, Some("drawn by the softmax of the values")),
        (EACH[6], Some("weight"), None),
        (&[], None, None),
    ] {
        let (run, options) = in_chess(QUIET, pairs, 300);
        let subject = Subject::from(chess(QUIET));
        let reading = Reading {
            tree: &run.tree,
            subject: &subject,
            options: &options,
            viewpoint: Viewpoint::Own,
            seed: Some(1),
        };
        let explained = Algorithm::Mcts.explain(&reading, Tree::ROOT);
        let facts = explained.facts.iter().map(|f| f.name);
        let facts: Vec<&str> = facts.filter(|&name| name != "to show").collect();
        let blocks: Vec<&str> = explained.blocks.iter().map(|b| b.title).collect();
        assert_eq!(facts, fact.into_iter().collect::<Vec<_>>(), "{pairs:?}");
        assert_eq!(blocks, block.into_iter().collect::<Vec<_>>(), "{pairs:?}");
        assert!(explained.blocks.iter().all(|b| !b.rows.is_empty()));
    }
}

/// The mean of squares is what came through a node: with values of at most 1 it lies between the squared mean and 1.
#[test]
fn the_spread_of_values_is_kept_at_every_node() {
    let (run, _) = in_chess(KIWIPETE, EACH[1], 2_000);
    let mut open = vec![Tree::ROOT];
    let mut checked = 0;
    while let Some(id) = open.pop() {
        let node = run.tree.node(id);
        if node.visits() > 0 && !node.proof().is_certain() {
            let (mean, square) = (node.expected(), node.second());
            assert!(
                square <= 1.0 && square >= mean * mean - 1e-3,
                "{mean} {square}"
            );
            checked += 1;
        }
        open.extend(run.tree.children(id));
    }
    assert!(checked > 100);
}

/// What came through a node, by the events alone: without proofs the weight of a node is what its own evaluation counted
/// at its visits as a leaf and what its children's count, and its value is the mean under these weights.
#[test]
fn weights_and_weighted_means_follow_from_the_leaves() {
    let pairs = ["uncertainty-weighting=on", "certainty=off", "two-fold=off"];
    let (run, _) = in_chess(QUIET, &pairs, 3_000);
    let scale = run.tree.scale();
    let leaves: BTreeMap<NodeId, (f64, f64)> = run
        .events
        .iter()
        .filter_map(|event| match *event {
            Event::Evaluate {
                node, value, sd, ..
            } => {
                let error = f64::from(sd.expect("the spread of a weighted leaf"));
                let value = f64::from(scale.expected(value));
                Some((node, (0.25 / (error + 0.03125), value)))
            }
            _ => None,
        })
        .collect();
    let weight = |id: NodeId| {
        let node = run.tree.node(id);
        f64::from(node.visits()) * f64::from(node.second())
    };
    let mut weights: Vec<f64> = Vec::new();
    for (&id, &(counts, value)) in &leaves {
        let node = run.tree.node(id);
        let mut own = f64::from(node.visits());
        let (mut all, mut sum) = (0.0, 0.0);
        for child in run
            .tree
            .children(id)
            .filter(|c| run.tree.node(*c).visits() > 0)
        {
            own -= f64::from(run.tree.node(child).visits());
            all += weight(child);
            sum -= weight(child) * f64::from(run.tree.node(child).expected());
        }
        all += own * counts;
        sum += own * counts * value;
        assert!(
            (weight(id) / all - 1.0).abs() < 1e-3,
            "{own}: {} {all}",
            weight(id)
        );
        let mean = f64::from(node.expected());
        assert!(
            (mean - sum / all).abs() < 2e-3,
            "{own}: {mean} {}",
            sum / all
        );
        weights.push(counts);
    }
    let (least, most) = weights
        .iter()
        .fold((8.0f64, 0.0f64), |(l, m), &w| (l.min(w), m.max(w)));
    assert!(
        leaves.len() > 500 && most > 1.2 * least,
        "{} {least} {most}",
        leaves.len()
    );
}
