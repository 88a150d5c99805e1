//! Searches whose formulas somebody wrote: they grow the trees of those that are built in, and choose and back up by their
//! numbers.

use algorithms::Algorithm;
use common::legs::{Stage, walk};
use common::{KIWIPETE, Run, chess, playouts, run_toy_with, toy_tree};
use eval::HandCrafted;
use search::{Free, Options, Start};
use tree::{Node, NodeId, Tree};

const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";
const ENDGAME: &str = "8/5pk1/6p1/3p4/3P4/4K1P1/5P2/8 w - - 0 1";
const PLACES: [&str; 3] = [KIWIPETE, QUIET, ENDGAME];

const PUCT: &str = "select=Q + 1.5*P*sqrt(N)/(1 + n)";
const ALL: &str = "look-at=all";

fn options(algorithm: Algorithm, pairs: &[&str]) -> Options {
    let mut options = algorithm.default_options();
    for pair in pairs {
        options.set_pair(pair).expect(pair);
    }
    options
}

fn grown(algorithm: Algorithm, fen: &str, pairs: &[&str]) -> Run {
    common::run(
        algorithm,
        &chess(fen),
        &HandCrafted::default(),
        &options(algorithm, pairs),
        common::nodes(8_000),
        64 << 20,
    )
}

fn assert_same(a: &Run, b: &Run, what: &str) {
    assert_eq!(a.tree.copy().difference(&b.tree), None, "{what}");
    assert_eq!(a.events.len(), b.events.len(), "{what}");
    assert_eq!((a.totals.undefined, b.totals.undefined), (0, 0), "{what}");
}

#[test]
fn puct_as_a_formula_grows_the_tree_of_mcts() {
    for fen in PLACES {
        // The formulas look for no mates by proof numbers.
        let built_in = grown(Algorithm::Mcts, fen, &["hunt-share=0"]);
        for (algorithm, pairs) in [
            (Algorithm::Formula, &[][..]),
            (
                Algorithm::Formula,
                &[PUCT, "back-up=mean + 0", "evaluate=0 + value"],
            ),
            (Algorithm::Formula, &["prior=exp(-below/150)"]),
            (Algorithm::Mcts, &["hunt-share=0", PUCT]),
            (Algorithm::Mcts, &["hunt-share=0", "back-up=1*mean"]),
        ] {
            assert_same(
                &grown(algorithm, fen, pairs),
                &built_in,
                &format!("{fen} {pairs:?}"),
            );
        }
        let other = grown(Algorithm::Formula, fen, &["select=Q + P*sqrt(N)/(1 + n)"]);
        assert_ne!(
            other.tree.copy().difference(&built_in.tree),
            None,
            "a control"
        );
    }
}

#[test]
fn minimax_as_formulas_grows_the_tree_of_best_first_minimax() {
    for fen in PLACES {
        for leaf in ["leaf=static", "leaf=quiescence"] {
            let built_in = grown(Algorithm::BestFirstMinimax, fen, &[leaf]);
            let pairs = [ALL, leaf, "select=Q", "back-up=most(Q)"];
            let written = grown(Algorithm::Formula, fen, &pairs);
            assert_same(&written, &built_in, &format!("{fen} {leaf}"));
        }
    }
}

/// A descent goes to the move with the highest score by this test's own arithmetic, at the root and below its first move.
fn check_choices(pairs: &[&str], score: impl Fn(&Node, &Node, f64, f64) -> f64) {
    let situation = chess(QUIET);
    let evaluator = HandCrafted::default();
    let mut stage = Stage::new(Algorithm::Formula, &situation, &evaluator);
    stage.options = options(Algorithm::Formula, pairs);
    let mut start = Start::default();
    let mut checked = 0;
    for step in 0..1_500u32 {
        let tree = &stage.tree;
        let first = |id: NodeId| tree.children(id).next();
        let places: Vec<NodeId> = [Some(Tree::ROOT), first(Tree::ROOT)]
            .into_iter()
            .flatten()
            .collect();
        let scored = |id: NodeId| {
            let node = tree.node(id);
            let own = f64::from(node.expected());
            let children: Vec<&Node> = tree.children(id).map(|c| tree.node(c)).collect();
            let visited = children.iter().filter(|c| c.visits() > 0);
            let prior: f64 = visited.map(|c| f64::from(c.policy())).sum();
            let q = |c: &Node| match c.visits() {
                0 => own - 0.4 * prior.sqrt(),
                _ => f64::from(-c.expected()),
            };
            let ranked = (1..).zip(children);
            let scores = ranked.map(|(rank, c)| (score(node, c, q(c), rank.into()), c.visits()));
            scores.collect::<Vec<_>>()
        };
        let before: Vec<_> = places.iter().map(|&id| scored(id)).collect();
        start = stage.probed(start, playouts(1), &mut Free).next;
        start.midway = true;
        for (&id, before) in places.iter().zip(&before) {
            let now = tree.children(id).map(|c| tree.node(c).visits());
            let gone = before
                .iter()
                .zip(now)
                .position(|((_, then), now)| now > *then);
            let most = before.iter().map(|s| s.0).fold(f64::NEG_INFINITY, f64::max);
            if let Some(gone) = gone {
                assert!(
                    before[gone].0 > most - 1e-4,
                    "step {step}: {gone} of {before:?}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 1_500, "{checked}");
}

#[test]
fn descents_go_where_the_score_is_highest() {
    let n = |c: &Node| f64::from(c.visits());
    check_choices(&["select=uct"], |node, c, q, rank| match n(c) {
        0.0 => 9.0 - rank / 1000.0,
        visits => q + (8.0 * n(node).ln() / visits).sqrt(),
    });
    check_choices(&["select=uniform"], |_, c, _, _| -n(c));
    check_choices(
        &[
            "select=if(rank <= 2 + sqrt(N), Q + 2*P*sqrt(N)/(1 + n), -9)",
            "back-up=(mean + most(Q))/2",
        ],
        |node, c, q, rank| match rank <= 2.0 + n(node).sqrt() {
            true => q + 2.0 * f64::from(c.policy()) * n(node).sqrt() / (1.0 + n(c)),
            false => -9.0,
        },
    );
}

/// Where every move is evaluated at once, a search in turn is a breadth-first one: siblings that can grow differ by at most one
/// visit of theirs.
#[test]
fn in_turn_means_in_turn() {
    let run = grown(
        Algorithm::Formula,
        QUIET,
        &[ALL, "select=uniform", "back-up=most(Q)"],
    );
    let tree = &run.tree;
    for id in walk(tree)
        .into_iter()
        .filter(|&id| tree.node(id).is_expanded())
    {
        let open = tree
            .children(id)
            .map(|c| tree.node(c))
            .filter(|c| c.urgency() > 0.0);
        let visits: Vec<u32> = open.map(Node::visits).collect();
        if let (Some(least), Some(most)) = (visits.iter().min(), visits.iter().max()) {
            assert!(most - least <= 1, "{visits:?}");
        }
    }
}

/// Every node's value is what its formula says, worked out from its children.
#[test]
fn values_are_those_of_the_back_up() {
    type By = fn(&[(f64, f64)]) -> f64;
    let blend: By = |moves| {
        let most = moves.iter().map(|m| m.0).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = moves.iter().map(|(q, n)| q * n).sum();
        let visits: f64 = moves.iter().map(|m| m.1).sum();
        0.75 * most + 0.25 * sum / visits
    };
    let soft: By = |moves| {
        let sum: f64 = moves.iter().map(|(q, _)| (q / 0.1).exp()).sum();
        0.1 * (sum / moves.len() as f64).ln()
    };
    for (text, by) in [
        ("back-up=.75*most(Q) + .25*mean", blend),
        ("back-up=0.1*log(sum(exp(Q/0.1))/moves)", soft),
    ] {
        let run = grown(Algorithm::Formula, QUIET, &[ALL, text]);
        let tree = &run.tree;
        let mut checked = 0;
        for id in walk(tree) {
            let node = tree.node(id);
            let children = tree.children(id).map(|c| tree.node(c));
            let numbers = children.map(|c| (f64::from(-c.expected()), f64::from(c.visits())));
            let numbers: Vec<(f64, f64)> = numbers.collect();
            let proof = node.proof();
            let is_bounded =
                proof.upper < game::Score::win_in(3) || proof.lower > game::Score::loss_in(2);
            if numbers.is_empty() || is_bounded {
                continue;
            }
            let value = by(&numbers);
            let found = f64::from(node.expected());
            assert!(
                (found - value).abs() < 1e-5,
                "{text} {id:?}: {found} {value}"
            );
            checked += 1;
        }
        assert!(checked > 100, "{checked}");
    }
}

#[test]
fn a_leaf_is_worth_what_its_formula_says() {
    let situation = toy_tree("max\na 3\nb 2\n");
    let value = |pairs: &[&str]| {
        let (run, _) = run_toy_with(Algorithm::Formula, &situation, pairs);
        run.tree.node(Tree::ROOT).expected()
    };
    let whole = value(&[ALL, "back-up=most(Q)"]);
    // The ends of a game are what they are.
    assert_eq!(value(&[ALL, "back-up=most(Q)", "evaluate=value/2"]), whole);
    let deeper = grown(
        Algorithm::Formula,
        QUIET,
        &[ALL, "select=Q", "back-up=most(Q)"],
    );
    let halved = [
        "look-at=all",
        "select=Q",
        "back-up=most(Q)",
        "evaluate=value/2",
    ];
    let halved = grown(Algorithm::Formula, QUIET, &halved);
    // Every value is half as large, and so nothing else changes.
    let (a, b) = (&deeper.tree, &halved.tree);
    assert_eq!(a.len(), b.len());
    for id in walk(a) {
        if !a.node(id).proof().is_exact() {
            assert_eq!(a.node(id).expected(), 2.0 * b.node(id).expected(), "{id:?}");
        }
    }
}

#[test]
fn where_a_formula_has_no_value_what_is_built_in_is_used_and_counted() {
    let built_in = grown(Algorithm::Formula, QUIET, &[]);
    for pairs in [
        ["select=log(-N)"],
        ["back-up=mean + log(-N)"],
        ["evaluate=value + sqrt(-1)"],
    ] {
        let run = grown(Algorithm::Formula, QUIET, &pairs);
        assert_eq!(
            run.tree.copy().difference(&built_in.tree),
            None,
            "{pairs:?}"
        );
        assert!(
            run.totals.undefined > 1_000,
            "{pairs:?} {}",
            run.totals.undefined
        );
    }
    let minimax = [ALL, "select=log(-1)", "back-up=log(-1)"];
    assert!(grown(Algorithm::Formula, QUIET, &minimax).totals.undefined > 1_000);
}

/// The numbers that only some formulas need: priors add up to 1, and spreads are those of the beliefs.
#[test]
fn moves_that_are_evaluated_at_once_have_priors_spreads_and_ranks() {
    let select = "select=Q + P*sqrt(N)/(1 + n) + sd/rank";
    let run = grown(
        Algorithm::Formula,
        KIWIPETE,
        &[ALL, select, "back-up=most(Q)"],
    );
    let tree = &run.tree;
    let root: Vec<&Node> = tree.children(Tree::ROOT).map(|c| tree.node(c)).collect();
    let priors: f32 = root.iter().map(|c| c.pair().0).sum();
    assert!((priors - 1.0).abs() < 1e-4, "{priors}");
    assert!(root.iter().all(|c| (0.01..1.0).contains(&c.second())));
    let mcts = grown(Algorithm::Mcts, KIWIPETE, &[]);
    for child in mcts.tree.children(Tree::ROOT).map(|c| mcts.tree.node(c)) {
        let same = root.iter().find(|c| c.move_code() == child.move_code());
        let prior = same.expect("the same moves").pair().0;
        assert!(
            (prior - child.policy()).abs() < 1e-5,
            "{prior} {}",
            child.policy()
        );
    }
    // Leaves stand in the order of their values.
    let leaves = walk(tree)
        .into_iter()
        .filter(|&id| tree.node(id).is_expanded());
    let is_sorted = |id: NodeId| {
        let children = tree.children(id).map(|c| tree.node(c));
        children.map(Node::expected).is_sorted()
    };
    let fresh = |id: &NodeId| tree.children(*id).all(|c| !tree.node(c).is_expanded());
    assert!(leaves.filter(fresh).all(is_sorted));
}
