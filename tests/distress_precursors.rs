//! DISTRESS with the precursors' back-ups: whole searches, proofs and all.

mod common;

use common::legs::Stage;
use common::{KIWIPETE, any_shape, chess, toy};
use plyscope::belief::precursors::{Svfc, ThreePoint};
use plyscope::belief::{Cdf, Rule};
use plyscope::eval::{HandCrafted, ToyEvaluator};
use plyscope::game::{Score, Side};
use plyscope::search::{Algorithm, Start, StopReason};
use plyscope::tree::{Fate, NodeId, Proof, Tree};
use proptest::prelude::*;

const RULES: [&str; 3] = ["svfc", "svfc:0", "three-point"];

/// Every inner node that nothing is proven of holds what the precursor's formula makes of its children.
#[test]
fn every_node_is_backed_up_by_the_precursors_formula() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for word in RULES {
        let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
        stage.options.set("backup", word).expect("a rule");
        stage.options.set("leaf", "static").expect("a word");
        let (_, events) = stage.leg(Start::default(), 700);
        assert!(events.len() > 100);
        let (tree, grid) = (&stage.tree, stage.tree.grid());
        let rule: Rule = word.parse().expect("a rule");
        let mut checked = 0;
        for id in (1..=tree.len()).map(NodeId) {
            let node = tree.node(id);
            let proof = node.proof();
            let open = proof.lower.is_loss() && proof.upper.is_win();
            if !matches!(node.fate(), Fate::Expanded { .. }) || !open || node.child_count() < 2 {
                continue;
            }
            let children: Vec<Cdf> = tree
                .children(id)
                .map(|c| tree.belief(c).expect("a belief").negated())
                .collect();
            let expected = match rule {
                Rule::Svfc(b) => {
                    let read: Vec<Svfc> = children.iter().map(|c| Svfc::of(c, grid)).collect();
                    let b = f64::from(b);
                    let (own, played) = Svfc::back_up(&read, (b, b)).expect("children");
                    for (child, p) in tree.children(id).zip(played) {
                        assert_eq!(tree.node(child).policy(), p as f32);
                    }
                    own.belief(grid)
                }
                _ => {
                    let read: Vec<_> = children.iter().map(|c| ThreePoint::of(c, grid)).collect();
                    ThreePoint::maximum(&read).expect("children").belief(grid)
                }
            };
            assert_eq!(tree.belief(id), Some(expected), "{word} at {id:?}");
            checked += 1;
        }
        assert!(checked > 3, "{word}: {checked}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn exact_trees_are_solved(shape in any_shape(3), max in any::<bool>()) {
        let side = if max { Side::White } else { Side::Black };
        let (situation, evaluator) = (toy(&shape, side, 0.0), ToyEvaluator::default());
        let value = shape.minimax(max) * if max { 1 } else { -1 };
        for word in RULES {
            let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
            stage.options.set("backup", word).expect("a rule");
            let (leg, _) = stage.leg(Start::default(), 10_000);
            prop_assert_eq!(leg.reason, Some(StopReason::Solved), "{}", word);
            prop_assert_eq!(stage.tree.node(Tree::ROOT).proof(), Proof::exact(Score::new(value)));
        }
    }
}
