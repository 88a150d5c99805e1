//! DISTRESS with searched leaves: how deeply, how often, what is proven, and the reported belief.

use std::collections::BTreeSet;

use algorithms::Algorithm;
use belief::BINS;
use common::{KIWIPETE, chess};
use eval::HandCrafted;
use game::load::{fen, labels};
use game::{Score, Situation};
use search::Event;
use session::{Config, Session, Source, Subject};
use tree::{Bound, Fate, NodeId, Tree};

/// The product of the policies on the way to a node.
fn criticality(tree: &Tree, id: NodeId) -> f32 {
    let path = tree.path(id);
    path[1..].iter().map(|n| tree.node(*n).policy()).product()
}

/// A leaf of the tree after 60,000 nodes was deepened a ply a visit, and expanded no earlier than at depth 3 and no later
/// than at depth 8.
#[test]
fn a_leaf_is_searched_a_ply_deeper_a_visit_before_it_is_expanded() {
    let mut session = Session::start(Subject::from(chess(KIWIPETE)), config(60_000));
    session.join();
    let reader = session.reader();
    let tree = reader.tree;
    let (mut expanded, mut leaves, mut bounds, mut plies) = (0, 0, 0, [0u32; 32]);
    for id in (2..=tree.len()).map(NodeId) {
        let node = tree.node(id);
        let fate = node.fate();
        if matches!(fate, Fate::Expanded { .. }) {
            let single_reply = node.child_count() == 1;
            assert!((3..=8).contains(&node.leaf_depth()) || single_reply);
            let critical = criticality(tree, id) > 0.4;
            assert!(node.leaf_depth() <= 6 || !critical || single_reply);
            expanded += 1;
            // A child is searched a ply less than its parent was, later ones even less.
            let least = if single_reply { 0 } else { 1 };
            assert!(tree.children(id).all(|c| {
                let child = tree.node(c);
                let made_with = (u32::from(child.leaf_depth()) + 1).saturating_sub(child.visits());
                !child.fate().is_frontier() || made_with + least <= node.leaf_depth().into()
            }));
        } else if fate.is_frontier() {
            leaves += 1;
            plies[usize::from(tree.ply(id))] += 1;
            if let Fate::LeafFailsLow {
                value,
                limit,
                depth,
            } = fate
            {
                assert!(value <= limit && depth == node.leaf_depth());
                bounds += 1;
            }
            if let Fate::LeafFailsHigh {
                value,
                limit,
                depth,
            } = fate
            {
                assert!(value >= limit && depth == node.leaf_depth());
                bounds += 1;
            }
        }
    }
    assert!(expanded > 50 && leaves > 1_000, "{expanded} {leaves}");
    assert!(bounds > leaves / 2, "most leaves are only asked a question");
    assert!(plies[4..].iter().sum::<u32>() > 100, "{plies:?}");
}

/// How much the mean logits of leaves with an exact value change, on average, when they are expanded: for their side to move,
/// over positions that are about even; with their number.
fn expansion_shift(tails: &str, bias: &str) -> (f64, usize) {
    let mut options = Algorithm::Distress.default_options();
    options.set("tails", tails).expect("a weight");
    options.set("bias", bias).expect("a bias");
    let lines = include_str!("../../sample-positions/labels/sample.tsv").lines();
    let even = lines.map(|line| labels::parse(line).expect("a label"));
    let even = even.filter(|label| label.verdict.is_some_and(|e| e.abs() <= 0.27));
    let (mut sum, mut count) = (0.0, 0);
    for label in even.take(24) {
        let run = common::run(
            Algorithm::Distress,
            &Situation::new(label.position),
            &HandCrafted::default(),
            &options,
            common::nodes(5_000),
            32 << 20,
        );
        let mut exact = BTreeSet::new();
        for event in run.events {
            match event {
                Event::Answer {
                    node,
                    bound: Bound::Exact,
                    ..
                } => {
                    exact.insert(node);
                }
                Event::Answer { node, .. } => {
                    exact.remove(&node);
                }
                Event::BackUp {
                    node,
                    child,
                    before: Some(before),
                    after,
                    ..
                } if child.is_none() && exact.remove(&node) => {
                    let logit = |mean: f32| 2.0 * f64::from(mean).atanh();
                    let shift = logit(after.mean) - logit(before.mean);
                    // Mates apart.
                    if shift.abs() < 1.5 {
                        sum += shift;
                        count += 1;
                    }
                }
                _ => {}
            }
        }
    }
    (sum / f64::from(count), count as usize)
}

/// The best of uncertain moves is worth more than each of them, so the mean of a leaf rises when it is expanded, the more
/// so the heavier its tails are; with tails of 0.1 and `bias=0.12` it hardly changes on average.
#[test]
fn expanding_a_leaf_raises_its_mean_less_with_light_tails_or_a_bias() {
    let (heavy, count) = expansion_shift("0.1", "auto");
    assert!(count > 50 && heavy > 0.1, "{heavy} over {count}");
    let (usual, count) = expansion_shift("0.01", "auto");
    assert!(
        count > 50 && usual > 0.0 && usual < 0.6 * heavy,
        "{usual} over {count}"
    );
    let (with_bias, _) = expansion_shift("0.1", "0.12");
    assert!(with_bias.abs() < 0.1, "{with_bias}");
}

/// What the search is for: most of its nodes lie below the root's moves.
#[test]
fn most_nodes_lie_below_the_roots_moves() {
    let mut session = Session::start(Subject::from(chess(KIWIPETE)), config(30_000));
    session.join();
    let reader = session.reader();
    let tree = reader.tree;
    let replies = tree.children(Tree::ROOT).flat_map(|m| tree.children(m));
    let below: u64 = replies.map(|reply| tree.node(reply).nodes()).sum();
    let share = below as f64 / tree.node(Tree::ROOT).nodes() as f64;
    assert!(share > 0.7, "{share}");
}

/// The switches do what they are for: without tails a leaf's belief is narrower, with open windows there are no bounds.
#[test]
fn the_switches_of_a_searched_leaf() {
    let leaves = |option: (&str, &str)| {
        let mut config = config(20_000);
        config.options.set(option.0, option.1).expect("an option");
        let mut session = Session::start(Subject::from(chess(KIWIPETE)), config);
        session.join();
        let reader = session.reader();
        let tree = reader.tree;
        let nodes = (2..=tree.len()).map(NodeId);
        let open: Vec<NodeId> = nodes
            .filter(|id| tree.node(*id).fate().is_frontier())
            .collect();
        let exact = open
            .iter()
            .filter(|id| tree.node(**id).fate() == Fate::Frontier);
        let widths = exact
            .clone()
            .map(|id| tree.belief(*id).expect("a belief").sd(tree.grid()));
        let width = widths.sum::<f32>() / exact.clone().count().max(1) as f32;
        (open.len(), exact.count(), width)
    };
    let (default, narrow) = (leaves(("tails", "0.1")), leaves(("tails", "0")));
    assert!(narrow.2 < default.2, "{narrow:?} {default:?}");
    let wide = leaves(("width", ".4"));
    assert!(wide.2 > 2.0 * default.2, "{wide:?} {default:?}");
    let (open, exact, _) = leaves(("windows", "open"));
    // Among siblings each still has to beat the best so far.
    assert!(open > exact && default.1 * 2 < default.0);
}

fn config(nodes: u64) -> Config {
    Config {
        limits: common::nodes(nodes),
        ..Config::new(Algorithm::Distress)
    }
}

#[test]
fn no_mate_that_a_leaf_finds_is_wrong() {
    // Mates in two: the bounds never claim less, and never that there is none.
    let mates = [
        "8/1p3Qb1/p5pk/P1p1p1p1/1P2P1P1/2P1N2n/5P1P/4qB1K w - - 0 1",
        "3rrk2/2p2pR1/p4n2/1p1PpP2/2p2q1P/3P1BQ1/PPP5/6RK w - - 0 1",
        "r4kr1/1b2R1n1/pq4p1/4Q3/1p4P1/5P2/PPP4P/1K2R3 w - - 0 1",
    ];
    let mut proven = 0;
    for mate in mates {
        let position = fen::parse(mate).expect("a FEN").position;
        let subject = Subject::from(Situation::new(position));
        let mut session = Session::start(subject, config(40_000));
        session.join();
        let proof = session.reader().tree.node(Tree::ROOT).proof();
        assert!(proof.lower <= Score::win_in(3), "{mate}: {proof:?}");
        assert!(proof.upper >= Score::win_in(3), "{mate}: {proof:?}");
        proven += usize::from(proof.is_win());
    }
    assert!(proven >= 2, "{proven}");
}

#[test]
fn two_thousand_nodes_bring_a_move_and_are_counted() {
    for nodes in [2_000, 5_000] {
        let mut session = Session::start(Subject::from(chess(KIWIPETE)), config(nodes));
        session.join();
        let summary = session.summary();
        assert!(summary.best.is_some(), "{nodes}");
        let counted = summary.status.totals.nodes;
        assert!(counted.abs_diff(nodes) < 300, "{counted} of {nodes}");
    }
}

/// Fewer nodes than the root's moves take to be evaluated.
#[test]
fn a_search_that_ends_in_its_first_expansion_has_a_move() {
    for nodes in [30, 100, 300] {
        let mut session = Session::start(Subject::from(chess(KIWIPETE)), config(nodes));
        session.join();
        assert_eq!(session.tree().children(Tree::ROOT).count(), 0, "{nodes}");
        assert!(session.best_to_play().is_some(), "{nodes}");
    }
}

#[test]
fn one_thread_does_the_same_again() {
    let run = || {
        common::run(
            Algorithm::Distress,
            &chess(KIWIPETE),
            &HandCrafted::default(),
            &Algorithm::Distress.default_options(),
            config(20_000).limits,
            256 << 20,
        )
    };
    let (one, other) = (run(), run());
    assert_eq!(one.events.len(), other.events.len());
    assert!(one.tree.difference(&other.tree).is_none());
}

#[test]
fn the_reported_belief_has_the_fitted_width_and_the_own_one_stays() {
    let summary = |word: &str| {
        let mut config = config(5_000);
        config.options.set("calibrated", word).expect("a switch");
        let mut session = Session::start(Subject::from(chess(KIWIPETE)), config);
        session.join();
        session.summary()
    };
    let (on, off) = (summary("on"), summary("off"));
    let own = on.own_belief.expect("a belief");
    assert_eq!(Some(&own), off.belief.as_ref());
    let reported = on.belief.expect("a belief");
    assert_eq!(reported.source, Source::Calibrated);
    assert!(reported.sd > 0.05 && reported.sd != own.sd);
    let mass: f32 = reported.density.0[..BINS].iter().sum();
    assert!((mass - 1.0).abs() < 1e-4);
}
