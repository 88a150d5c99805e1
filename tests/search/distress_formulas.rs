//! Formulas of DISTRESS that somebody wrote: where the next visit goes, what is done with a leaf, which move is played.

use algorithms::Algorithm;
use common::{KIWIPETE, Run, chess};
use eval::HandCrafted;
use search::{FormulaRange, OptionSpec, Options, Range};
use tree::Tree;

const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";

fn options(pairs: &[String]) -> Options {
    let mut options = Algorithm::Distress.default_options();
    for pair in pairs {
        options.set_pair(pair).expect(pair);
    }
    options
}

fn grown(fen: &str, pairs: &[String]) -> Run {
    common::run(
        Algorithm::Distress,
        &chess(fen),
        &HandCrafted::default(),
        &options(pairs),
        common::nodes(10_000),
        32 << 20,
    )
}

fn option(key: &str) -> &'static OptionSpec {
    let options = Algorithm::Distress.info().options;
    options.iter().find(|o| o.key == key).expect("an option")
}

fn range(key: &str) -> &'static FormulaRange {
    match option(key).range {
        Range::Formula(range) => range,
        _ => panic!("{key} takes no formula"),
    }
}

/// A word and the formula that it is shown as grow the same tree.
#[test]
fn a_word_and_its_formula_grow_the_same_tree() {
    let mut compared = 0;
    for (key, words) in [
        (
            "allocation",
            &["criticality", "puct", "ucb", "proportional", "uniform"][..],
        ),
        ("choose", &["policy", "mean", "visits"]),
        ("leaf-urgency", &["auto"]),
        ("expand-depth", &["auto"]),
    ] {
        for word in words {
            for fen in [KIWIPETE, QUIET] {
                let formula = (range(key).written)(word).expect("a formula");
                let built_in = grown(fen, &[format!("{key}={word}")]);
                let written = grown(fen, &[format!("{key}={formula}")]);
                let difference = written.tree.copy().difference(&built_in.tree);
                assert_eq!(difference, None, "{key}={formula} in {fen}");
                assert_eq!(written.totals.undefined, 0);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 20);
    // The essay's A(i) is the root of a rank.
    let adjusted = ["allocation=puct".to_owned(), "adjust=on".to_owned()];
    let formula = ["allocation=policy + 1/sqrt(rank)*sqrt(N)/(1 + n)".to_owned()];
    let (adjusted, written) = (grown(QUIET, &adjusted), grown(QUIET, &formula));
    assert_eq!(written.tree.copy().difference(&adjusted.tree), None);
}

#[test]
fn every_name_means_something() {
    for name in [
        "policy", "n", "Q", "mean", "urgency", "rank", "sd", "N", "spread",
    ] {
        let by = format!("allocation=1/(1 + n) + 0.001*{name}");
        let run = grown(QUIET, &[by]);
        assert_eq!(run.totals.undefined, 0, "{name}");
        assert!(run.tree.node(Tree::ROOT).visits() > 20, "{name}");
        // The node's own belief is being written when its move is chosen.
        if name != "spread" {
            let played = grown(QUIET, &[format!("choose={name}")]);
            assert!(played.tree.fate(Tree::ROOT).best().is_some());
        }
    }
}

/// Time in proportion to the policy: where it has not changed for long, a move has its share of the visits.
#[test]
fn visits_are_in_proportion_to_the_policy() {
    let far = |allocation: &str| {
        let run = grown(QUIET, &[format!("allocation={allocation}")]);
        let moves: Vec<_> = run
            .tree
            .children(Tree::ROOT)
            .map(|c| run.tree.node(c))
            .collect();
        let visits: f32 = moves.iter().map(|c| c.visits() as f32).sum();
        let off = moves
            .iter()
            .map(|c| (c.visits() as f32 / visits - c.policy()).abs());
        off.sum::<f32>() / 2.0
    };
    let (proportional, uniform) = (far("proportional"), far("uniform"));
    assert!(
        proportional < 0.35 && proportional < uniform / 2.0,
        "{proportional} {uniform}"
    );
}

/// The move played is the one with the highest score: here the one of the lowest rank, whatever it is worth.
#[test]
fn the_move_played_has_the_highest_score() {
    let run = grown(QUIET, &["choose=rank".to_owned()]);
    let last = run.tree.children(Tree::ROOT).last().expect("moves");
    let best = run.tree.fate(Tree::ROOT).best();
    assert_eq!(best, Some(run.tree.node(last).move_code()));
}

/// Leaves that are expanded without a search of their own make a wider tree than those that are searched deeply.
#[test]
fn leaves_are_expanded_at_the_depth_that_is_asked_for() {
    let visits = |depth: &str| {
        let run = grown(QUIET, &[format!("expand-depth={depth}")]);
        let nodes = common::legs::walk(&run.tree);
        let expanded = nodes
            .iter()
            .filter(|&&id| run.tree.node(id).is_expanded())
            .count();
        let deepest = nodes.iter().map(|&id| run.tree.node(id).leaf_depth()).max();
        (expanded, deepest.expect("a node"))
    };
    let (early, shallow) = visits("1");
    let (late, deep) = visits("if(ply < 2, 6, 4)");
    assert!(
        early > 2 * late && shallow < deep,
        "{early} {late} {shallow} {deep}"
    );
}

#[test]
fn where_a_formula_has_no_value_what_is_built_in_is_used_and_counted() {
    for pairs in [
        ["leaf-urgency=log(-sd)", "allocation=alternate"],
        ["expand-depth=sqrt(-1)", "allocation=alternate"],
        ["choose=log(-1)", "allocation=alternate"],
    ] {
        let pairs = pairs.map(str::to_owned);
        let (run, built_in) = (grown(QUIET, &pairs), grown(QUIET, &[]));
        assert_eq!(
            run.tree.copy().difference(&built_in.tree),
            None,
            "{pairs:?}"
        );
        assert!(
            run.totals.undefined > 10,
            "{pairs:?}: {}",
            run.totals.undefined
        );
    }
    let run = grown(QUIET, &["allocation=1/(n - n)".to_owned()]);
    assert!(run.totals.undefined > 10);
}
