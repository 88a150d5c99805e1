//! Beliefs beside proven moves, worked out by hand: the mixture that would be picked is not cut to what is proven.
//!
//! Φ and φ are the normal distribution and its density. Beside an atom at a, a leaf N(μ, σ²) is best with probability
//! Φ((μ − a)/σ).

use algorithms::Algorithm;
use common::{Run, run_toy_with, sample_tree, toy_tree};
use game::{Game, Scale, Situation, ToyPosition};
use tree::Tree;

/// Beliefs have bins, and their means are a little off.
const BIN: f32 = 0.02;

struct Golden {
    text: &'static str,
    r_pick: f32,
    r_opt: f32,
}

#[allow(
    clippy::approx_constant,
    reason = "a mean that happens to be near ln 2"
)]
const GOLDEN: [Golden; 5] = [
    // π = Φ(.2) = .57926 for a. r_pick = .57926 + .42074 · .8; r_opt = 1 + φ(.2) − .2 · .42074.
    Golden {
        text: "max\na 1\nb 0.8 ± 1\n",
        r_pick: 0.91585,
        r_opt: 1.30690,
    },
    // π = Φ(−1) = .15866 for a. r_pick = .84134 · 1; r_opt = Φ(1) + φ(1).
    Golden {
        text: "max\na 0\nb 1 ± 1\n",
        r_pick: 0.84134,
        r_opt: 1.08332,
    },
    // a is never best. π = Φ(1) = .84134 for b. r_pick = .84134 · 2 + .15866 · 1.5; r_opt = 2 + .5 (φ(1) − .15866).
    Golden {
        text: "max\na 1\nb 2\nc 1.5 ± 0.5\n",
        r_pick: 1.92067,
        r_opt: 2.04166,
    },
    // As the first, for Min.
    Golden {
        text: "min\na 1\nb 1.2 ± 1\n",
        r_pick: 1.08415,
        r_opt: 0.69310,
    },
    // n is .15866 at 2 and .84134 of N(1, 1) by r_pick, so s is best with .84134 · .5 = .42067, and the root is
    // .42067 + .57933 · 1.15866. By r_opt n is min(2, N(1, 1)), and the root 1 + φ(0) − φ(1) + .15866.
    Golden {
        text: "max\nn\n  x 2\n  y 1 ± 1\ns 1\n",
        r_pick: 1.09191,
        r_opt: 1.31563,
    },
];

/// The root's value in the units of the tree, from Max's view.
fn value(run: &Run, situation: &Situation<ToyPosition>) -> f32 {
    let Scale::Linear(axis) = situation.position.scale() else {
        panic!("a toy tree");
    };
    let own = run.tree.node(Tree::ROOT).expected() * axis.range();
    match situation.position.turn() {
        game::Side::White => own,
        game::Side::Black => -own,
    }
}

fn backed_up(situation: &Situation<ToyPosition>, rule: &str) -> Run {
    let rule = format!("backup={rule}");
    run_toy_with(Algorithm::Distress, situation, &[&rule]).0
}

#[test]
fn mixtures_beside_proven_moves_by_hand() {
    for Golden {
        text,
        r_pick,
        r_opt,
    } in GOLDEN
    {
        let situation = toy_tree(text);
        let of = |rule: &str| value(&backed_up(&situation, rule), &situation);
        let is = |found: f32, golden: f32| {
            assert!((found - golden).abs() < BIN, "{text}: {found} {golden}");
        };
        is(of("r-pick"), r_pick);
        is(of("r-opt"), r_opt);
        if !text.contains("  x") {
            // At a single ply a blend of halves lies halfway.
            is(of("constant:.5"), 0.5 * (r_pick + r_opt));
        }
    }
}

/// Beside the belief the proof stands as it is, and where everything is proven the belief is an atom.
#[test]
fn the_proof_stands_beside_the_belief() {
    let situation = sample_tree("wide-and-narrow");
    let run = backed_up(&situation, "r-pick");
    let found = value(&run, &situation);
    assert!((found - 0.909).abs() < BIN, "{found}");
    let root = run.tree.node(Tree::ROOT).proof();
    let sure = situation.position.scale().score(1.0 / 6.3).raw();
    assert!((root.lower.raw() - sure).abs() <= 1, "{root:?}");
    assert!(root.upper.is_win());

    let situation = toy_tree("max\na 1\nb\n  c 0.5\n  d 2\n");
    let run = backed_up(&situation, "r-pick");
    assert!(run.tree.node(Tree::ROOT).proof().is_exact());
    let belief = run.tree.belief(Tree::ROOT).expect("a belief");
    assert!(belief.is_atom().is_some());
    assert!((value(&run, &situation) - 1.0).abs() < BIN);
}
